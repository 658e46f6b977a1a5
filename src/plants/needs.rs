//! Which tiles of plants viewers and bodies need.

use super::{Plants, heights};
use crate::stream::{Body, TerrainState};
use bevy::platform::collections::HashMap;

/// The side of a tile, in metres.
pub(super) const SIDE: f64 = 32.0;

/// How much farther away than a viewer or a body needs them plants are kept, in metres.
const KEPT: f64 = 16.0;

/// While no viewer and no body moves farther, in metres, the same tiles are needed.
const MOVED: f64 = 1.0;

/// While the velocity of a body changes by no more, in m/s, it is on the same way.
const TURNED: f64 = 2.0;

/// The smallest and the largest distance to which plants stand around a body, in metres.
const AROUND_BODIES: [f64; 2] = [1.0, 32.0];

/// A set of layers, by their indices.
pub(super) type LayerSet = u16;

/// The viewers and the bodies of a frame, in the coordinates of the terrain.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Around {
    /// x and z, and how far above all plants or below all ground it is, in metres.
    pub viewers: Vec<[f64; 3]>,
    /// None if bodies pass through all plants.
    pub bodies: Vec<Body>,
}

impl Around {
    /// Takes those of this frame.
    pub fn update(&mut self, state: &TerrainState, plants: &Plants) {
        self.viewers.clear();
        let heights = heights(plants);
        self.viewers.extend(state.viewers().map(|viewer| {
            let [x, z] = viewer.point.xz();
            [x, z, viewer.point.height_gap(heights)]
        }));
        self.bodies.clear();
        if solid_layers(plants) != 0 {
            self.bodies.extend(state.bodies());
        }
    }

    /// Whether they need the same tiles as `other`, or nearly the same.
    pub fn is_about(&self, other: &Self) -> bool {
        let is_near = |a: [f64; 2], b: [f64; 2], by: f64| (a[0] - b[0]).hypot(a[1] - b[1]) <= by;
        let is_same_viewer = |[a_x, a_z, a_gap]: [f64; 3], [b_x, b_z, b_gap]: [f64; 3]| {
            is_near([a_x, a_z], [b_x, b_z], MOVED) && (a_gap - b_gap).abs() <= MOVED
        };
        let is_same = |a: &Body, b: &Body| {
            is_near(a.position, b.position, MOVED)
                && is_near(a.velocity, b.velocity, TURNED)
                && (a.radius, a.ahead) == (b.radius, b.ahead)
        };
        [self.viewers.len(), self.bodies.len()] == [other.viewers.len(), other.bodies.len()]
            && self.viewers.iter().zip(&other.viewers).all(|(a, b)| is_same_viewer(*a, *b))
            && self.bodies.iter().zip(&other.bodies).all(|(a, b)| is_same(a, b))
    }
}

/// How much viewers and bodies need a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Need {
    /// The distance to the nearest viewer or body, in metres.
    pub distance: f64,
    /// The layers whose plants bodies need in this frame.
    pub now: LayerSet,
    /// The layers whose plants are to be there.
    pub wanted: LayerSet,
    /// Those that may stay, too.
    pub kept: LayerSet,
}

impl Need {
    fn add(&mut self, other: Self) {
        self.distance = self.distance.min(other.distance);
        self.now |= other.now;
        self.wanted |= other.wanted;
        self.kept |= other.kept;
    }
}

/// The layers with plants that bodies bump into.
fn solid_layers(plants: &Plants) -> LayerSet {
    let solid = plants.layers().enumerate().filter(|(_, layer)| layer.largest_collider().is_some());
    solid.fold(0, |set, (layer, _)| set | 1 << layer)
}

/// The tiles that viewers and bodies need or may keep.
pub(super) fn needs(plants: &Plants, around: &Around) -> HashMap<[i64; 2], Need> {
    let mut needs = HashMap::default();
    let mut add = |coord, need: Need| needs.entry(coord).or_insert(need).add(need);
    add_viewers(plants, &around.viewers, &mut add);
    add_bodies(plants, &around.bodies, &mut add);
    needs
}

/// Adds the plants within the distance of each layer.
fn add_viewers(plants: &Plants, viewers: &[[f64; 3]], add: &mut impl FnMut([i64; 2], Need)) {
    let radii: Vec<f64> = plants.layers().map(|layer| layer.entities).collect();
    let farthest = radii.iter().copied().fold(0.0, f64::max);
    if farthest == 0.0 {
        return;
    }
    for &[x, z, gap] in viewers {
        let all = tiles_within([x, z], farthest + KEPT).map(|(coord, across)| (coord, across.hypot(gap)));
        for (coord, distance) in all.filter(|(_, distance)| *distance <= farthest + KEPT) {
            let within = |extra: f64| {
                let near =
                    radii.iter().enumerate().filter(|(_, radius)| **radius > 0.0 && distance <= **radius + extra);
                near.fold(0, |set: LayerSet, (layer, _)| set | 1 << layer)
            };
            add(coord, Need { distance, now: 0, wanted: within(MOVED), kept: within(KEPT) });
        }
    }
}

/// Adds the plants that bodies may bump into: around each of them, and on its way.
fn add_bodies(plants: &Plants, bodies: &[Body], add: &mut impl FnMut([i64; 2], Need)) {
    let solid = solid_layers(plants);
    let [min, max] = AROUND_BODIES;
    for body in bodies.iter().filter(|_| solid != 0) {
        let radius = body.radius.clamp(min, max) + MOVED;
        let need = |coord| Need { distance: distance(coord, body.position), now: 0, wanted: 0, kept: solid };
        for position in body.way_ahead(SIDE) {
            for (coord, from_way) in tiles_within(position, radius + KEPT) {
                add(coord, Need { wanted: if from_way <= radius { solid } else { 0 }, ..need(coord) });
            }
        }
        for position in body.way_soon(SIDE) {
            for (coord, _) in tiles_within(position, radius) {
                add(coord, Need { now: solid, wanted: solid, ..need(coord) });
            }
        }
    }
}

/// The tiles within `reach` metres of a position, and their distances.
fn tiles_within(position: [f64; 2], reach: f64) -> impl Iterator<Item = ([i64; 2], f64)> {
    let [first, last] = [-reach, reach].map(|by| position.map(|along| ((along + by) / SIDE).floor() as i64));
    (first[1]..=last[1])
        .flat_map(move |z| (first[0]..=last[0]).map(move |x| [x, z]))
        .map(move |coord| (coord, distance(coord, position)))
        .filter(move |(_, distance)| *distance <= reach)
}

/// The distance from a position to a tile, in metres.
fn distance(tile: [i64; 2], position: [f64; 2]) -> f64 {
    let [x, z] = [0, 1].map(|axis| {
        let from = position[axis] - tile[axis] as f64 * SIDE;
        (-from).max(from - SIDE).max(0.0)
    });
    x.hypot(z)
}

/// The corners of a tile, as x and z in metres.
pub(super) fn corners(tile: [i64; 2]) -> [[f64; 2]; 2] {
    let min = tile.map(|index| index as f64 * SIDE);
    [min, min.map(|along| along + SIDE)]
}

#[cfg(test)]
mod tests {
    use super::super::PlantLayer;
    use super::*;
    use crate::chunk::ChunkLayout;
    use crate::field::HeightField;
    use crate::settings::TerrainSettings;
    use perlin_terrain::ground::Ground;
    use std::sync::Arc;

    fn plants(entities: &[f64]) -> Plants {
        let settings = TerrainSettings::default();
        let ground = Ground::new(Arc::new(HeightField::new(&settings.field)), ChunkLayout::new(&settings.chunks));
        let layer = |&entities: &f64| PlantLayer { entities, ..PlantLayer::default() };
        Plants::new(ground, 1, &entities.iter().map(layer).collect::<Vec<_>>(), &settings.look)
    }

    /// Viewers on the ground.
    fn viewed_from(viewers: &[[f64; 2]]) -> Around {
        Around { viewers: viewers.iter().map(|[x, z]| [*x, *z, 0.0]).collect(), ..Around::default() }
    }

    #[test]
    fn viewers_need_the_tiles_within_the_distance_of_each_layer() {
        let needs = |plants: &Plants, viewers: &[[f64; 2]]| needs(plants, &viewed_from(viewers));
        let found = needs(&plants(&[40.0, 0.0, 10.0]), &[[16.0, 16.0]]);
        let here = found[&[0, 0]];
        assert_eq!(here, Need { distance: 0.0, now: 0, wanted: 0b101, kept: 0b101 });
        // 16 m away.
        assert_eq!(found[&[1, 0]], Need { distance: 16.0, now: 0, wanted: 0b001, kept: 0b101 });
        assert_eq!(found[&[-2, 0]], Need { distance: 48.0, now: 0, wanted: 0, kept: 0b001 });
        assert!(!found.contains_key(&[3, 0]) && found.len() == 3 * 3 + 4 * 3);
        assert!(needs(&plants(&[0.0, 0.0]), &[[0.0; 2]]).is_empty());
        assert!(needs(&plants(&[40.0]), &[]).is_empty());
    }

    #[test]
    fn a_viewer_high_above_all_plants_needs_those_that_are_near_it() {
        let plants = plants(&[40.0, 10.0]);
        let from = |gap: f64| needs(&plants, &Around { viewers: vec![[16.0, 16.0, gap]], ..Around::default() });
        let here = Need { distance: 30.0, now: 0, wanted: 0b01, kept: 0b01 };
        assert_eq!(from(30.0)[&[0, 0]], here);
        assert_eq!(from(30.0)[&[1, 0]], Need { distance: 34.0, ..here });
        assert!(from(57.0).is_empty());
    }

    #[test]
    fn a_tile_has_the_needs_of_all_viewers() {
        let plants = plants(&[30.0, 5.0]);
        let found = needs(&plants, &viewed_from(&[[1e9, -3.0], [1e9 + 100.0, -3.0]]));
        let between = found.iter().filter(|(tile, _)| tile[1] == -1).map(|(_, need)| need.wanted.count_ones());
        // Both are near the border of two tiles, and the second one is 28 m from a third.
        assert_eq!(between.sum::<u32>(), 2 + 2 + 3 + 2);
    }

    /// A body on plants of which the second layer has no colliders.
    fn around_body(body: Body) -> HashMap<[i64; 2], Need> {
        let settings = TerrainSettings::default();
        let ground = Ground::new(Arc::new(HeightField::new(&settings.field)), ChunkLayout::new(&settings.chunks));
        let layers = [PlantLayer::default(), PlantLayer { collider: false, ..PlantLayer::default() }];
        needs(&Plants::new(ground, 1, &layers, &settings.look), &Around { bodies: vec![body], ..Around::default() })
    }

    const STANDING: Body = Body { position: [16.0, 16.0], velocity: [0.0; 2], radius: 20.0, ahead: 1.0 };

    #[test]
    fn small_moves_need_nothing_new() {
        let around = |position: [f64; 2], velocity: [f64; 2]| Around {
            viewers: vec![[3.0, 4.0, 7.0]],
            bodies: vec![Body { position, velocity, ..STANDING }],
        };
        let before = around([16.0; 2], [0.0; 2]);
        assert!(before.is_about(&around([16.7, 15.4], [1.0, -1.5])));
        assert!(!before.is_about(&around([16.8, 15.3], [0.0; 2])));
        assert!(!before.is_about(&around([16.0; 2], [2.0, 2.0])));
        for moved in [[3.0, 5.1, 7.0], [3.0, 4.0, 8.1]] {
            assert!(!before.is_about(&Around { viewers: vec![moved], ..before.clone() }));
        }
        assert!(!before.is_about(&Around { viewers: vec![], ..before.clone() }));
        let wider = Body { radius: 21.0, ..before.bodies[0] };
        assert!(!before.is_about(&Around { bodies: vec![wider], ..before.clone() }));
        // Not a number: never the same.
        assert!(!before.is_about(&around([f64::NAN, 0.0], [0.0; 2])));
    }

    #[test]
    fn a_body_needs_the_plants_within_its_radius_at_once_if_they_have_colliders() {
        let found = around_body(STANDING);
        let near = Need { distance: 16.0, now: 0b01, wanted: 0b01, kept: 0b01 };
        assert_eq!((found[&[0, 0]], found[&[1, 0]]), (Need { distance: 0.0, ..near }, near));
        // The corner is 22.6 m away.
        let kept = found[&[1, 1]];
        assert_eq!((kept.now, kept.wanted, kept.kept), (0, 0, 0b01));
        assert_eq!(found.len(), 9);
        // However large the radius of its ground is.
        let wide = around_body(Body { radius: 500.0, ..STANDING });
        assert_eq!(wide.values().filter(|need| need.wanted != 0).count(), 9);
        let point = around_body(Body { radius: -3.0, ..STANDING });
        assert_eq!(point.values().filter(|need| need.now != 0).count(), 1);
    }

    #[test]
    fn a_moving_body_needs_the_plants_on_its_way_in_advance() {
        let found = around_body(Body { velocity: [100.0, 0.0], ..STANDING });
        // It is at 26 m after 0.1 s, and at 116 m after a second.
        assert_eq!([1, 2, 3, 4].map(|x| found[&[x, 0]].wanted), [1; 4]);
        assert_eq!([-1, 0, 1, 2].map(|x| found[&[x, 0]].now), [1, 1, 1, 0]);
        let fastest = Body { velocity: [3e5, 4e5], radius: 1e9, ahead: 1e9, ..STANDING };
        let count = around_body(fastest).len();
        assert!((20..200).contains(&count), "{count} tiles");
        assert!(around_body(Body { position: [1e18, -1e300], ..fastest }).len() < 200);
    }
}
