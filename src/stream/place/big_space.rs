//! Terrain in a `BigSpace`: chunks in cells, drawn around the floating origin.

use crate::stream::schedule::TerrainSystems;
use crate::stream::terrain::Terrain;
use bevy::prelude::*;
use big_space::grid::{Grid, cell::CellCoord};
use big_space::plugin::BigSpaceSystems;

/// Has the terrain's systems run where cells are settled, and makes grids of terrains.
pub(in crate::stream) fn build(app: &mut App) {
    use TerrainSystems::{Apply, First, Generate, Last, React, Render, Select};
    app.configure_sets(
        PostUpdate,
        (First, React, Select, Apply, Render, Generate, Last).before(BigSpaceSystems::RecenterLargeTransforms),
    )
    .add_systems(PostUpdate, make_grids.after(First).before(React));
}

/// Makes every terrain that is a child of a grid a grid of its own, with cells as large, for its chunks to be children of.
///
/// So the terrain may be turned and moved as a whole, and a terrain whose chunks stay costs `big_space` nothing.
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
