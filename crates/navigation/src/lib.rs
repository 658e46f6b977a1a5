//! Navigation meshes of [`bevy_perlin_terrain`] with [`bevy_rerecast`].
//!
//! 1. Add `bevy_rerecast::NavmeshPlugins` and [`TerrainNavmeshPlugin`].
//! 2. Ask [`ground_box`] for the box between two corners. It returns an error until the terrain has loaded its settings: ask again
//!    in the next frame.
//! 3. Put it into `NavmeshSettings::aabb`, and call `NavmeshGenerator::generate`.
//!
//! Leave `NavmeshSettings::cell_size_fraction` at 3 or more. Rerecast counts a cell as walkable if a part of it is, and simplifies the
//! border of the mesh by up to 1.3 cells. It also keeps the mesh as far from steep ground as the radius of the agent, so with three
//! cells in a radius, no point of the mesh is on ground that is steeper than `walkable_slope_angle`.
//!
//! Agents go around trunks and stones. No chunk, viewer or GPU is needed, so a server makes the same meshes. The example `walk_path` lets an agent walk on one.

mod plants;

pub use plants::plant_mesh;

use bevy::prelude::*;
use bevy::shape::Aabb3d;
use bevy_perlin_terrain::ground::{GroundAreaError, WorldTriangles};
use bevy_perlin_terrain::prelude::*;
use bevy_rerecast::prelude::*;
use bevy_rerecast::rerecast::{AreaType, TriMesh};

/// Spacing of level 0, whatever it is: coarser triangles have gentler slopes than the ground.
const MIN_SPACING: f32 = 1e-3;

/// How far a box reaches above its highest ground, in metres. Rerecast cuts off what is above it, and agents would step over what is left
/// of a trunk. No agent climbs that high.
const HEADROOM: f32 = 4.0;

/// Makes the ground and what stands on it the input of all navigation meshes: the level-0 triangles of all terrains in the box of the
/// settings, and their trunks and stones, in world coordinates.
///
/// - `NavmeshSettings::aabb` must be set, because terrain is endless. Without it, there is a warning and no ground.
/// - `NavmeshSettings::filter` chooses among several terrains.
/// - A mesh has the plants of its time. When a plant is removed, or the ground is edited, generate it again.
/// - An app has one backend. For houses on the ground, register a system of your own that adds [`ground_mesh`] and [`plant_mesh`] to them.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainNavmeshPlugin;

impl Plugin for TerrainNavmeshPlugin {
    fn build(&self, app: &mut App) {
        app.set_navmesh_backend(collect_ground);
    }
}

/// The box of the world that has the ground of `terrain` between two corners, whose heights don't count. It reaches 4 m above the highest
/// ground, so that trunks are in the way. `None` without such a terrain.
///
/// # Errors
///
/// If the terrain has not loaded its settings yet, or the area is not valid or too large.
pub fn ground_box(
    ground: &TerrainGround,
    terrain: Entity,
    corners: [Vec3; 2],
) -> Result<Option<Aabb3d>, GroundAreaError> {
    let Some(WorldTriangles { positions, .. }) = ground.triangles_in(terrain, corners, MIN_SPACING)? else {
        return Ok(None);
    };
    let heights = positions.iter().map(|position| position.y);
    let (lowest, highest) = (heights.clone().fold(f32::INFINITY, f32::min), heights.fold(f32::NEG_INFINITY, f32::max));
    let [a, b] = corners;
    Ok(Some(Aabb3d { min: a.min(b).with_y(lowest).into(), max: a.max(b).with_y(highest + HEADROOM).into() }))
}

/// The level-0 triangles of `terrain` between two corners, whose heights don't count. `None` without such a terrain.
///
/// # Errors
///
/// If the terrain has not loaded its settings yet, or the area is not valid or too large.
pub fn ground_mesh(
    ground: &TerrainGround,
    terrain: Entity,
    corners: [Vec3; 2],
) -> Result<Option<TriMesh>, GroundAreaError> {
    let found = ground.triangles_in(terrain, corners, MIN_SPACING)?;
    Ok(found.map(|WorldTriangles { positions, triangles, .. }| TriMesh {
        vertices: positions.into_iter().map(Into::into).collect(),
        // Rerecast marks those that are level enough.
        area_types: vec![AreaType::NOT_WALKABLE; triangles.len()],
        indices: triangles.into_iter().map(Into::into).collect(),
    }))
}

fn collect_ground(
    In(settings): In<NavmeshSettings>,
    ground: TerrainGround,
    plants: TerrainPlants,
    terrains: Query<Entity, With<Terrain>>,
) -> TriMesh {
    let mut all = TriMesh::default();
    let Some(area) = settings.aabb else {
        warn!("a navigation mesh of terrain needs a box: set `NavmeshSettings::aabb`, for example to a `ground_box`");
        return all;
    };
    let is_wanted = |terrain: &Entity| settings.filter.as_ref().is_none_or(|wanted| wanted.contains(terrain));
    for terrain in terrains.iter().filter(is_wanted) {
        let corners = [area.min.into(), area.max.into()];
        match ground_mesh(&ground, terrain, corners) {
            Ok(mesh) => all.extend(mesh.unwrap_or_default()),
            Err(error) => warn!("a navigation mesh lacks the ground of {terrain}: {error}"),
        }
        match plant_mesh(&plants, terrain, corners) {
            Ok(mesh) => all.extend(mesh),
            Err(error) => warn!("a navigation mesh lacks the plants of {terrain}: {error}"),
        }
    }
    all
}
