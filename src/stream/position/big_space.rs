//! Terrain in a `BigSpace`: chunks are in cells and are drawn relative to the floating origin.

use crate::stream::schedule::TerrainSystems;
use crate::stream::terrain::Terrain;
use bevy::prelude::*;
use big_space::grid::{Grid, cell::CellCoord};
use big_space::plugin::BigSpaceSystems;

/// Orders the terrain's systems before the update of cells, and adds a grid to terrains in a `BigSpace`.
pub(in crate::stream) fn build(app: &mut App) {
    use TerrainSystems::{Apply, First, Generate, Last, React, Render, Select};
    app.configure_sets(
        PostUpdate,
        (First, React, Select, Apply, Render, Generate, Last).before(BigSpaceSystems::RecenterLargeTransforms),
    )
    .add_systems(PostUpdate, make_grids.after(First).before(React));
}

/// Adds a grid to every terrain that is a child of a grid, with cells of the same size. Its chunks become children of that grid.
///
/// So the terrain can be rotated and moved as a whole, and `big_space` does no work for chunks that do not move.
fn make_grids(
    mut commands: Commands,
    terrains: Query<(Entity, &ChildOf), (With<Terrain>, Without<Grid>)>,
    grids: Query<&Grid>,
) {
    for (terrain, parent) in &terrains {
        if let Ok(grid) = grids.get(parent.parent()) {
            let edge = grid.cell_edge_length();
            let grid = Grid::new(edge, grid.maximum_distance_from_origin() - edge / 2.0);
            commands.entity(terrain).try_insert(grid).try_insert_if_new(CellCoord::ZERO);
        }
    }
}
