//! Plants that a game removed.

use super::{Plant, PlantId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A circle without plants, for a camp or a part of a road. In the terrain's own coordinates, in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct Clearing {
    /// x and z of the center.
    pub center: [f64; 2],
    /// The radius, up to [`MAX_RADIUS`](Self::MAX_RADIUS).
    pub radius: f64,
}

impl Clearing {
    /// The largest radius, in metres.
    pub const MAX_RADIUS: f64 = 50.0;

    /// Whether its numbers are finite and its radius is allowed.
    fn is_valid(&self) -> bool {
        self.center.iter().all(|along| along.is_finite()) && (0.0..=Self::MAX_RADIUS).contains(&self.radius)
    }

    fn contains(&self, [x, _, z]: [f64; 3]) -> bool {
        let [dx, dz] = [x - self.center[0], z - self.center[1]];
        dx * dx + dz * dz <= self.radius * self.radius
    }

    /// Whether the circle may reach into a box.
    #[must_use]
    pub fn meets(&self, min: [f64; 2], max: [f64; 2]) -> bool {
        (0..2).all(|axis| min[axis] <= self.center[axis] + self.radius && max[axis] >= self.center[axis] - self.radius)
    }
}

/// The plants that a game removed: felled trees, mined stones, clearings. A game saves them with serde. Clearings that are not allowed, and
/// too many of them, are errors where a save is read.
///
/// ```
/// use perlin_terrain::plants::{PlantId, RemovedPlants};
///
/// let mut removed = RemovedPlants::default();
/// let felled = PlantId { stream: 7, cell: [3, -4] };
/// removed.remove(felled);
/// assert!(removed.ids().any(|id| id == felled));
/// removed.restore(felled);
/// assert_eq!(removed, RemovedPlants::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_ecs", derive(bevy_ecs::component::Component))]
#[serde(try_from = "Saved")]
pub struct RemovedPlants {
    ids: BTreeSet<PlantId>,
    clearings: Vec<Clearing>,
}

/// What a save has, or another player sends: with any clearings.
#[derive(Default, Deserialize)]
#[serde(default, rename = "RemovedPlants")]
struct Saved {
    ids: BTreeSet<PlantId>,
    clearings: Vec<Clearing>,
}

impl TryFrom<Saved> for RemovedPlants {
    type Error = String;

    fn try_from(Saved { ids, clearings }: Saved) -> Result<Self, String> {
        let (count, most) = (clearings.len(), Self::MAX_CLEARINGS);
        if count > most {
            return Err(format!("`clearings` is a list of {count}, allowed: up to {most}"));
        }
        if let Some(index) = clearings.iter().position(|clearing| !clearing.is_valid()) {
            let (Clearing { center, radius }, most) = (clearings[index], Clearing::MAX_RADIUS);
            return Err(format!(
                "`clearings[{index}]` has the center {center:?} and the radius {radius:?}, allowed: numbers, and a radius of 0 to {most:?} m"
            ));
        }
        Ok(Self { ids, clearings })
    }
}

impl RemovedPlants {
    /// The largest number of clearings.
    pub const MAX_CLEARINGS: usize = 4096;

    /// Removes a plant. Returns whether it was not removed by its id before.
    pub fn remove(&mut self, id: PlantId) -> bool {
        self.ids.insert(id)
    }

    /// Lets a plant grow again that was removed by its id. Returns whether it was. In a clearing, it stays away.
    pub fn restore(&mut self, id: PlantId) -> bool {
        self.ids.remove(&id)
    }

    /// Removes all plants of a circle, also those of layers that are added later. Returns `false` and does nothing if there are
    /// [`MAX_CLEARINGS`](Self::MAX_CLEARINGS) already, or if its numbers are not finite or its radius is not allowed.
    #[must_use]
    pub fn clear(&mut self, clearing: Clearing) -> bool {
        let is_possible = clearing.is_valid() && self.clearings.len() < Self::MAX_CLEARINGS;
        if is_possible {
            self.clearings.push(clearing);
        }
        is_possible
    }

    /// The plants that were removed by their ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = PlantId> {
        self.ids.iter().copied()
    }

    /// The circles without plants, the oldest first.
    #[must_use]
    pub fn clearings(&self) -> &[Clearing] {
        &self.clearings
    }

    /// The plants and the clearings that are in one of both lists alone.
    #[must_use]
    pub fn changes(&self, before: &Self) -> (Vec<PlantId>, Vec<Clearing>) {
        let ids = self.ids.symmetric_difference(&before.ids).copied().collect();
        // Mostly, a list is longer than before.
        let same = self.clearings.iter().zip(&before.clearings).take_while(|(now, then)| now == then).count();
        (ids, [&self.clearings[same..], &before.clearings[same..]].concat())
    }

    /// Whether the plant was removed.
    #[must_use]
    pub fn contains(&self, plant: &Plant) -> bool {
        self.ids.contains(&plant.id) || self.clearings.iter().any(|clearing| clearing.contains(plant.position))
    }

    /// Takes the removed ones out of a list of plants, which are from the box between two corners: the same as
    /// [`contains`](Self::contains) for each, and faster. `plant_of` returns the plant of an item.
    pub fn take_from<T>(&self, list: &mut Vec<T>, plant_of: impl Fn(&T) -> &Plant, min: [f64; 2], max: [f64; 2]) {
        let clearings: Vec<&Clearing> = self.clearings.iter().filter(|clearing| clearing.meets(min, max)).collect();
        list.retain(|item| {
            let plant = plant_of(item);
            !self.ids.contains(&plant.id) && !clearings.iter().any(|clearing| clearing.contains(plant.position))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plants::Plant;

    fn plant(cell: [i64; 2]) -> Plant {
        let [x, z] = cell.map(|index| index as f64);
        let id = PlantId { stream: 3, cell };
        Plant { id, position: [x, 50.0, z], normal: [0.0, 1.0, 0.0], yaw: 0.0, size: 5.0, variant: 0, rank: 0.5 }
    }

    #[test]
    fn removed_plants_and_those_in_clearings_are_taken_out() {
        let mut removed = RemovedPlants::default();
        assert!(removed.remove(plant([7, 7]).id) && !removed.remove(plant([7, 7]).id));
        // It reaches into the box below from outside.
        assert!(removed.clear(Clearing { center: [-3.0, 2.0], radius: 5.0 }));
        let all: Vec<Plant> = (0..10).flat_map(|z| (0..10).map(move |x| plant([x, z]))).collect();
        let mut left = all.clone();
        removed.take_from(&mut left, |plant| plant, [0.0; 2], [10.0; 2]);
        let gone = |plant: &&Plant| {
            let [x, z] = plant.id.cell;
            [x, z] == [7, 7] || (x + 3).pow(2) + (z - 2).pow(2) <= 25
        };
        assert_eq!(all.len() - left.len(), all.iter().filter(gone).count());
        assert!(left.iter().all(|plant| !gone(&plant)));
        assert!(all.iter().all(|plant| removed.contains(plant) == gone(&plant)));
        assert!(removed.restore(plant([7, 7]).id) && !removed.restore(plant([7, 7]).id));
        assert!(!removed.contains(&plant([7, 7])) && removed.contains(&plant([0, 2])));
    }

    #[test]
    fn changes_are_what_is_in_one_list_alone() {
        let clearing = |x: f64| Clearing { center: [x, 0.0], radius: 1.0 };
        let with = |cells: &[i64], clearings: &[f64]| {
            let mut removed = RemovedPlants::default();
            cells.iter().for_each(|cell| assert!(removed.remove(plant([*cell, 0]).id)));
            clearings.iter().for_each(|x| assert!(removed.clear(clearing(*x))));
            removed
        };
        let (one, other) = (with(&[1, 2, 3], &[1.0, 2.0, 3.0]), with(&[2, 4], &[1.0, 5.0]));
        let ids = [1, 3, 4].map(|cell| plant([cell, 0]).id).to_vec();
        assert_eq!(one.changes(&other), (ids, [2.0, 3.0, 5.0].map(clearing).to_vec()));
        assert_eq!(one.changes(&one), (Vec::new(), Vec::new()));
    }

    #[test]
    fn removed_plants_survive_a_round_trip_through_ron() {
        let mut removed = RemovedPlants::default();
        removed.remove(PlantId { stream: u32::MAX, cell: [i64::MIN, i64::MAX] });
        removed.remove(plant([7, 7]).id);
        assert!(removed.clear(Clearing { center: [1e9 + 0.1, -0.3], radius: 50.0 }));
        let text = ron::to_string(&removed).expect("it can be written");
        assert_eq!(ron::from_str(&text), Ok(removed));
        assert_eq!(ron::from_str("()"), Ok(RemovedPlants::default()));
    }

    #[test]
    fn clearings_that_are_not_allowed_are_refused() {
        let mut removed = RemovedPlants::default();
        for (center, radius) in
            [([f64::NAN, 0.0], 1.0), ([0.0, f64::INFINITY], 1.0), ([0.0; 2], -1.0), ([0.0; 2], 51.0)]
        {
            assert!(!removed.clear(Clearing { center, radius }));
        }
        let clearing = Clearing { center: [0.0; 2], radius: 1.0 };
        assert!((0..RemovedPlants::MAX_CLEARINGS).all(|_| removed.clear(clearing)));
        assert!(!removed.clear(clearing));
        assert_eq!(removed.clearings().len(), RemovedPlants::MAX_CLEARINGS);
    }

    #[test]
    fn saves_with_clearings_that_are_not_allowed_are_errors() {
        let read = |clearings: &str| {
            let read: Result<RemovedPlants, _> = ron::from_str(&format!("(clearings: [{clearings}])"));
            read.map_err(|error| error.to_string())
        };
        assert_eq!(read("(center: (1.0, 2.0), radius: 3.0)").map(|removed| removed.clearings().len()), Ok(1));
        let large = read("(center: (1.0, 2.0), radius: 3.0), (center: (1.0, 2.0), radius: 1e18)");
        assert!(large.is_err_and(|error| error.contains("`clearings[1]`") && error.contains("0 to 50.0 m")));
        assert!(read("(center: (NaN, 2.0), radius: 3.0)").is_err());
        let many = read(&"(center: (1.0, 2.0), radius: 3.0),".repeat(RemovedPlants::MAX_CLEARINGS + 1));
        assert!(many.is_err_and(|error| error.contains("a list of 4097, allowed: up to 4096")));
    }
}
