//! Rays and lines of sight in world coordinates.

use super::{GroundNotLoaded, TerrainGround};
use crate::ground::{GroundHit, RaySettings};
use crate::stream::TerrainFrame;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::tasks::{ComputeTaskPool, ParallelSlice, TaskPool};

/// Where a ray hits a terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TerrainHit {
    /// The position, in world coordinates.
    pub position: Vec3,
    /// The unit normal of the triangle, in world coordinates. It points up, also if the ray comes from below.
    pub normal: Vec3,
    /// The distance from the origin of the ray, in metres of the world.
    pub distance: f32,
    /// Whether the ray comes from below the ground.
    pub is_from_below: bool,
    /// The terrain.
    pub terrain: Entity,
    /// The position in the terrain's own coordinates.
    pub terrain_position: DVec3,
}

impl TerrainGround<'_, '_> {
    /// The first hit of a ray with the level-0 triangles. See [`Ground::ray`](crate::ground::Ground::ray) for what counts as a hit.
    ///
    /// A distance of the settings is in metres of the world. `Ok(None)` if nothing is hit, or if a number of `ray` is not finite.
    ///
    /// # Errors
    ///
    /// If nothing is hit, and a terrain has not loaded its settings yet.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_perlin_terrain::prelude::*;
    /// # use bevy_perlin_terrain::ground::RaySettings;
    /// fn shoot(ground: TerrainGround, gun: Single<&GlobalTransform, With<Camera3d>>) {
    ///     let ray = Ray3d::new(gun.translation(), gun.forward());
    ///     match ground.ray(ray, &RaySettings::up_to(800.0)) {
    ///         Ok(Some(hit)) => info!("dust at {}, {} m away", hit.position, hit.distance),
    ///         Ok(None) => info!("into the sky"),
    ///         Err(not_loaded) => info!("{not_loaded}"),
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(shoot);
    /// ```
    pub fn ray(&self, ray: Ray3d, settings: &RaySettings) -> Result<Option<TerrainHit>, GroundNotLoaded> {
        let hits = self.placed().map(|(terrain, state, frame)| {
            let ground = self.ground_of(state).ok_or(GroundNotLoaded)?;
            Ok(WorldRay::new(ray, &frame).hit(terrain, |origin, direction, scale| {
                let max_distance = settings.max_distance * scale;
                ground.ray(origin, direction, &RaySettings { max_distance, ..*settings })
            }))
        });
        nearest(hits)
    }

    /// The [first hits](Self::ray) of many rays, on all threads of the [`ComputeTaskPool`]. The same bits as those of each.
    ///
    /// # Errors
    ///
    /// If a ray hits nothing, and a terrain has not loaded its settings yet.
    pub fn rays(&self, rays: &[Ray3d], settings: &RaySettings) -> Result<Vec<Option<TerrainHit>>, GroundNotLoaded> {
        /// A task has enough to do that starting it counts little.
        const RAYS_PER_TASK: usize = 64;
        let hits_of = |rays: &[Ray3d]| rays.iter().map(|&ray| self.ray(ray, settings)).collect::<Result<Vec<_>, _>>();
        if rays.len() <= RAYS_PER_TASK {
            return hits_of(rays);
        }
        let pool = ComputeTaskPool::get_or_init(TaskPool::default);
        let hits = rays.par_chunk_map(pool, RAYS_PER_TASK, |_, rays| hits_of(rays));
        Ok(hits.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Whether no ground lies between two positions. See
    /// [`Ground::line_of_sight`](crate::ground::Ground::line_of_sight) for the ends, which may touch the ground.
    ///
    /// # Errors
    ///
    /// If nothing lies between them, and a terrain has not loaded its settings yet.
    pub fn line_of_sight(&self, from: Vec3, to: Vec3) -> Result<bool, GroundNotLoaded> {
        if !(from.is_finite() && to.is_finite()) {
            return Ok(false);
        }
        let mut all_loaded = Ok(true);
        for (_, state, frame) in self.placed() {
            let Some(ground) = self.ground_of(state) else {
                all_loaded = Err(GroundNotLoaded);
                continue;
            };
            let [from, to] = [from, to].map(|end| frame.to_terrain(end).to_array());
            if !ground.line_of_sight(from, to) {
                return Ok(false);
            }
        }
        all_loaded
    }
}

/// A ray of the world in terrain coordinates.
pub(in crate::ground) struct WorldRay<'a> {
    frame: &'a TerrainFrame,
    origin: DVec3,
    direction: DVec3,
}

impl<'a> WorldRay<'a> {
    pub fn new(ray: Ray3d, frame: &'a TerrainFrame) -> Self {
        Self { frame, origin: frame.to_terrain(ray.origin), direction: frame.vector_to_terrain(*ray.direction) }
    }

    /// The hit that `find` returns for the origin, the direction, and the length of a metre of the world along the ray.
    pub fn hit(
        &self,
        terrain: Entity,
        find: impl FnOnce([f64; 3], [f64; 3], f64) -> Option<GroundHit>,
    ) -> Option<TerrainHit> {
        let scale = self.direction.length();
        let hit = find(self.origin.to_array(), self.direction.to_array(), scale)?;
        let terrain_position = DVec3::from_array(hit.position);
        Some(TerrainHit {
            position: self.frame.to_world(terrain_position),
            normal: self.frame.normal_to_world(Vec3::from_array(hit.normal)),
            distance: (hit.distance / scale) as f32,
            is_from_below: hit.is_from_below,
            terrain,
            terrain_position,
        })
    }
}

/// The nearest of the hits with all terrains. An error counts if there is no hit.
fn nearest(
    hits: impl Iterator<Item = Result<Option<TerrainHit>, GroundNotLoaded>>,
) -> Result<Option<TerrainHit>, GroundNotLoaded> {
    let (mut nearest, mut all_loaded): (Option<TerrainHit>, _) = (None, Ok(()));
    for hit in hits {
        match hit {
            Ok(Some(hit)) if nearest.is_none_or(|nearest| hit.distance < nearest.distance) => nearest = Some(hit),
            Ok(_) => {}
            Err(not_loaded) => all_loaded = Err(not_loaded),
        }
    }
    if nearest.is_none() { all_loaded.map(|()| None) } else { Ok(nearest) }
}
