//! Trees near the walker.
//!
//! The ground is divided into square cells, in the terrain's own coordinates, and a cell has one tree or none. The cell alone
//! decides which, so the same trees stand there whenever the walker comes back. Only cells near the walker are planted: chunks
//! that are shown in the distance are kilometres wide, with room for ten thousand trees each.
//!
//! A tree is no child of the terrain, so `OriginShiftPlugin` moves it with the rest of the world.

use crate::dry_ground::water_height;
use crate::walker::Walker;
use bevy::math::{DVec3, I64Vec2};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::prelude::*;

/// The side of a cell, in metres.
pub const CELL: f64 = 15.0;
/// Cells up to this far from the walker's cell have their trees.
pub const CELLS: i64 = 20;
/// The part of the cells that have a tree.
const DENSITY: f64 = 0.4;

/// A tree. Its `Transform` is at its foot.
#[derive(Component)]
pub struct Tree;

/// The tree of each cell near the walker. `None` for a cell without one.
#[derive(Resource, Default)]
pub struct Forest {
    pub cells: HashMap<I64Vec2, Option<Entity>>,
    center: Option<I64Vec2>,
}

pub fn plugin(app: &mut App) {
    // In `TerrainSystems::Last`, the ground is that of this frame: no tree is drawn at a height of the last one.
    app.init_resource::<Forest>().add_systems(PostUpdate, plant.in_set(TerrainSystems::Last));
}

fn plant(
    mut hidden: MessageReader<GroundHidden>,
    terrain: Single<(&TerrainState, TerrainPosition)>,
    walker: Single<&Transform, With<Walker>>,
    ground: TerrainGround,
    mut forest: ResMut<Forest>,
    mut commands: Commands,
) {
    let (state, position) = terrain.into_inner();
    // A reload of heights hides all ground, and shows it again in the same frame.
    let hidden: Vec<_> = hidden.read().map(|ground| ground.bounds).collect();
    let DVec3 { x, z, .. } = position.frame().to_terrain(walker.translation);
    let center = I64Vec2::new((x / CELL).floor() as i64, (z / CELL).floor() as i64);
    if state.field().is_none() || hidden.is_empty() && forest.center == Some(center) {
        return;
    }
    forest.center = Some(center);
    let is_near = |cell: I64Vec2| (cell - center).length_squared() <= CELLS * CELLS;
    // Remove first: a cell with new ground loses its tree here, and gets another below.
    forest.cells.retain(|&cell, tree| {
        let middle = (cell.as_dvec2() + 0.5) * CELL;
        let stays = is_near(cell) && !hidden.iter().any(|bounds| bounds.contains(middle.x, middle.y));
        if let Some(tree) = tree.filter(|_| !stays) {
            commands.entity(tree).despawn();
        }
        stays
    });
    let lowest = water_height(state) + 1.0;
    let square = (-CELLS..=CELLS).flat_map(|z| (-CELLS..=CELLS).map(move |x| center + I64Vec2::new(x, z)));
    for cell in square.filter(|&cell| is_near(cell)) {
        forest.cells.entry(cell).or_insert_with(|| {
            let (x, z, size) = tree_in(cell)?;
            let foot = position.frame().to_world(DVec3::new(x, 0.0, z));
            let (height, normal) = ground.height(foot).zip(ground.normal(foot))?;
            let transform = Transform::from_translation(foot.with_y(height)).with_scale(Vec3::splat(size));
            let has_soil = height > lowest && normal.y > 0.85;
            has_soil.then(|| commands.spawn((Tree, transform)).id())
        });
    }
}

/// Where the tree of a cell stands in terrain coordinates, x and z in metres, and its size. The cell alone decides.
fn tree_in(cell: I64Vec2) -> Option<(f64, f64, f32)> {
    let mut random = NoiseRng::new(cell.x.cast_unsigned(), cell.y.cast_unsigned());
    let has_tree = random.next_unit() < DENSITY;
    let [x, z] = cell.to_array().map(|index| (index as f64 + random.next_unit()) * CELL);
    has_tree.then(|| (x, z, random.next_in(0.6, 1.4) as f32))
}
