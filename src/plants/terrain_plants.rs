//! The system parameter for games: where plants stand, and which of them are removed.

use super::components::TerrainPlant;
use super::{Clearing, Plant, PlantAreaError, PlantCollider, PlantId, Plants, RemovedPlants};
use crate::stream::{Terrain, TerrainFrame, TerrainPosition, TerrainState};
use bevy::ecs::system::SystemParam;
use bevy::math::DVec3;
use bevy::prelude::*;

/// The plants of terrains, in world coordinates: where they stand, and which of them a game has removed.
///
/// It answers for any place, whether a viewer is near or not, and on a server too. Plants are those of the ground that is shown. It may
/// change what is removed, so systems with it run one after another.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// #[derive(Component)]
/// struct Axe;
///
/// /// Fells the tree nearest to an axe, for good.
/// fn fell(terrain: Single<Entity, With<Terrain>>, mut plants: TerrainPlants, axe: Single<&Transform, With<Axe>>) {
///     let place = axe.translation;
///     let near = plants.near(*terrain, 0, place, 3.0).unwrap_or_default();
///     let distance = |tree: &bevy_perlin_terrain::plants::StandingPlant| tree.transform.translation.distance(place);
///     if let Some(tree) = near.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))) {
///         plants.remove(*terrain, tree.plant.id);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(fell);
/// ```
#[derive(SystemParam)]
pub struct TerrainPlants<'w, 's> {
    terrains: Query<'w, 's, (&'static TerrainState, TerrainPosition, &'static mut RemovedPlants), With<Terrain>>,
}

/// A plant, and its place in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StandingPlant {
    /// The index of its layer in [`TerrainSettings::plants`](crate::settings::TerrainSettings::plants).
    pub layer: usize,
    /// The plant, in the terrain's own coordinates.
    pub plant: Plant,
    /// What bodies bump into, in metres of the terrain. `None` if they pass through it.
    pub collider: Option<PlantCollider>,
    /// Its foot and its yaw, in world coordinates, and the scale of the terrain.
    pub transform: Transform,
}

/// Plants that can't be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlantsError {
    /// There is no such terrain, or it has not loaded its settings yet. Ask again in a later frame.
    #[error("the terrain has not loaded its settings yet")]
    NotLoaded,
    /// The terrain has no layer of plants with this index.
    #[error("there is no such layer of plants")]
    NoLayer,
    /// The box is not valid or too large.
    #[error(transparent)]
    Area(#[from] PlantAreaError),
}

impl TerrainPlants<'_, '_> {
    /// The index of the layer of plants with this name. `None` if there is none, or before the terrain has loaded its settings.
    #[must_use]
    pub fn layer(&self, terrain: Entity, name: &str) -> Option<usize> {
        let (state, ..) = self.terrains.get(terrain).ok()?;
        state.plants()?.layers().position(|layer| layer.name == name)
    }

    /// The plants of a layer that stand in a box of the world between two corners, whose heights don't count. Not those that were removed.
    /// They are in the order of their [ranks](Plant::rank).
    ///
    /// # Errors
    ///
    /// If the terrain has not loaded its settings yet, has no such layer, or if the box is not valid or too large.
    pub fn in_box(&self, terrain: Entity, layer: usize, corners: [Vec3; 2]) -> Result<Vec<StandingPlant>, PlantsError> {
        let min = corners[0].min(corners[1]);
        let max = corners[0].max(corners[1]);
        let is_inside = |place: Vec3| (min.x..max.x).contains(&place.x) && (min.z..max.z).contains(&place.z);
        self.around(terrain, layer, [min, max], is_inside)
    }

    /// The plants of a layer that stand up to `radius` metres from a position of the world, whose height doesn't count. Not those that were
    /// removed. They are in the order of their [ranks](Plant::rank).
    ///
    /// # Errors
    ///
    /// As for [`in_box`](Self::in_box).
    pub fn near(
        &self,
        terrain: Entity,
        layer: usize,
        position: Vec3,
        radius: f32,
    ) -> Result<Vec<StandingPlant>, PlantsError> {
        let reach = Vec3::new(radius, 0.0, radius);
        let is_near = |place: Vec3| place.xz().distance_squared(position.xz()) <= radius * radius;
        self.around(terrain, layer, [position - reach, position + reach], is_near)
    }

    /// The plants of all layers whose [colliders](StandingPlant::collider) reach into a box of the world between two corners, whose heights
    /// don't count: what is in the way there. Not those that were removed.
    ///
    /// # Errors
    ///
    /// If the terrain has not loaded its settings yet, or if the box is not valid or too large.
    pub fn colliders_in(&self, terrain: Entity, corners: [Vec3; 2]) -> Result<Vec<StandingPlant>, PlantsError> {
        let (plants, frame, _) = self.loaded(terrain)?;
        let (min, max) = (corners[0].min(corners[1]), corners[0].max(corners[1]));
        let in_world = |collider: PlantCollider| collider.radius() * frame.scale() as f32;
        let reaches_into = |plant: &StandingPlant| {
            let place = plant.transform.translation.xz();
            let from_box = place.distance(place.clamp(min.xz(), max.xz()));
            plant.collider.is_some_and(|collider| from_box <= in_world(collider))
        };
        let mut all = Vec::new();
        for (index, layer) in plants.layers().enumerate() {
            let Some(largest) = layer.largest_collider() else { continue };
            let reach = Vec3::splat(in_world(largest));
            let found = self.in_box(terrain, index, [min - reach, max + reach])?;
            all.extend(found.into_iter().filter(reaches_into));
        }
        Ok(all)
    }

    /// The plant with this id, also if it was removed. `None` if the settings grow none there, or before the terrain has loaded its
    /// settings.
    #[must_use]
    pub fn get(&self, terrain: Entity, id: PlantId) -> Option<StandingPlant> {
        let (plants, frame, _) = self.loaded(terrain).ok()?;
        let (layer, plant) = plants.find(id)?;
        let collider = plants.layers().nth(layer)?.collider_of(&plant);
        Some(StandingPlant { layer, plant, collider, transform: transform_of(&frame, &plant) })
    }

    /// The place of a plant in the world: its foot and its yaw, and the scale of the terrain. `None` if its terrain is gone.
    #[must_use]
    pub fn transform(&self, plant: &TerrainPlant) -> Option<Transform> {
        let (_, position, _) = self.terrains.get(plant.terrain).ok()?;
        Some(transform_of(&position.frame(), &plant.plant))
    }

    /// The plants that were removed. `None` if there is no such terrain.
    #[must_use]
    pub fn removed(&self, terrain: Entity) -> Option<&RemovedPlants> {
        self.terrains.get(terrain).ok().map(|(_, _, removed)| removed)
    }

    /// Whether a plant was removed.
    #[must_use]
    pub fn is_removed(&self, terrain: Entity, plant: &Plant) -> bool {
        self.removed(terrain).is_some_and(|removed| removed.contains(plant))
    }

    /// Removes a plant for good: its entity goes in this frame. Returns whether it was not removed by its id before.
    ///
    /// The id may be of no plant. Check one that another player sends with [`get`](Self::get) and [`is_removed`](Self::is_removed).
    pub fn remove(&mut self, terrain: Entity, id: PlantId) -> bool {
        self.change(terrain, |removed| removed.remove(id))
    }

    /// Lets a plant grow again that was removed by its id. Returns whether it was.
    pub fn restore(&mut self, terrain: Entity, id: PlantId) -> bool {
        self.change(terrain, |removed| removed.restore(id))
    }

    /// Removes all plants up to `radius` metres from a position of the world, at most [`Clearing::MAX_RADIUS`], also those of layers that are
    /// added later: for a camp, or a part of a road. Returns `false` and does nothing if there are
    /// [`RemovedPlants::MAX_CLEARINGS`] already, if the numbers are not allowed, or without such a terrain.
    pub fn clear(&mut self, terrain: Entity, position: Vec3, radius: f32) -> bool {
        let Ok((_, place, _)) = self.terrains.get(terrain) else { return false };
        let frame = place.frame();
        let DVec3 { x, z, .. } = frame.to_terrain(position);
        let clearing = Clearing { center: [x, z], radius: f64::from(radius) / frame.scale() };
        self.change(terrain, |removed| removed.clear(clearing))
    }

    fn change(&mut self, terrain: Entity, change: impl FnOnce(&mut RemovedPlants) -> bool) -> bool {
        let Ok((.., mut removed)) = self.terrains.get_mut(terrain) else { return false };
        let has_changed = change(removed.bypass_change_detection());
        if has_changed {
            removed.set_changed();
        }
        has_changed
    }

    fn loaded(&self, terrain: Entity) -> Result<(&Plants, TerrainFrame, &RemovedPlants), PlantsError> {
        let (state, position, removed) = self.terrains.get(terrain).map_err(|_| PlantsError::NotLoaded)?;
        let frame = position.frame();
        let plants = state.plants().filter(|_| frame.is_invertible()).ok_or(PlantsError::NotLoaded)?;
        Ok((plants, frame, removed))
    }

    /// The plants of a box of the world for whose place `is_inside` returns `true`.
    fn around(
        &self,
        terrain: Entity,
        layer: usize,
        [a, b]: [Vec3; 2],
        is_inside: impl Fn(Vec3) -> bool,
    ) -> Result<Vec<StandingPlant>, PlantsError> {
        let (plants, frame, removed) = self.loaded(terrain)?;
        let settings = plants.layers().nth(layer).ok_or(PlantsError::NoLayer)?;
        // Wider by what the place of a plant in the world is rounded by. `is_inside` decides.
        let a = Vec3::new(a.x.next_down(), a.y, a.z.next_down());
        let b = Vec3::new(b.x.next_up(), b.y, b.z.next_up());
        // The terrain may be turned about y.
        let corners = [a, b, Vec3::new(a.x, a.y, b.z), Vec3::new(b.x, b.y, a.z)].map(|corner| frame.to_terrain(corner));
        if !corners.iter().all(|corner| corner.is_finite()) {
            return Err(PlantAreaError::Invalid.into());
        }
        let [min, max] = [DVec3::min, DVec3::max].map(|choose| {
            let corner = corners.into_iter().reduce(choose).unwrap_or_default();
            [corner.x, corner.z]
        });
        // The box has some width at any distance from the terrain's origin.
        let max = max.map(f64::next_up);
        let mut found = plants.in_box(layer, min, max)?;
        removed.take_from(&mut found, |plant| plant, min, max);
        let standing = found.into_iter().map(|plant| {
            let transform = transform_of(&frame, &plant);
            StandingPlant { layer, plant, collider: settings.collider_of(&plant), transform }
        });
        Ok(standing.filter(|plant| is_inside(plant.transform.translation)).collect())
    }
}

/// The place of a plant in the world.
fn transform_of(frame: &TerrainFrame, plant: &Plant) -> Transform {
    let turn = Quat::from_mat3(&frame.axes()) * Quat::from_rotation_y(plant.yaw);
    Transform {
        translation: frame.to_world(DVec3::from_array(plant.position)),
        rotation: turn,
        scale: Vec3::splat(frame.scale() as f32),
    }
}
