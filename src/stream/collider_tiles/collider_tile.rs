//! The components of tiles, and of bodies that wait for them.

use crate::chunk::{ChunkCoord, ChunkLayout, ChunkSettings};
use crate::field::HeightField;
use crate::noise::NoiseScratch;
use crate::stream::position::ChunkBounds;
use bevy::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

/// The level-0 heights of a tile of 32 by 32 quads, for a collider.
///
/// The terrain spawns tiles around every [`KeepGround`](super::KeepGround), as children of its entity. Observe
/// `On<Add<ColliderTile>>` and `On<Remove<ColliderTile>>` to give each of them a collider:
///
/// - The `Transform` is the **center** of the tile at height zero, because physics engines center their height fields. An origin
///   shift moves it.
/// - A height field of these heights, scaled by [`field_size`](Self::field_size) along x and z, with the diagonal from south-west to
///   north-east, has the triangles that chunks of level 0 draw, and that
///   [`TerrainGround::height`](crate::ground::TerrainGround::height) returns, to the bit at each vertex.
/// - The heights reach one vertex beyond the border on every side. So a physics engine knows the triangles on both sides of the
///   border, and a body doesn't catch on it. Contacts beyond the border belong to the neighbor.
/// - Neighboring tiles have the same bits at the vertices that they share, on every machine.
/// - A tile never changes. A reload despawns it and spawns new ones in the frame in which the drawn ground is swapped. Where the ground
///   was edited, another tile replaces it: in the same frame under bodies, up to [16](Self::MAX_BUILT_NOW), and elsewhere as soon as a
///   task has built it.
///
/// If something else despawns a tile, it is built again while a body needs it.
#[derive(Component, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ColliderTile {
    /// The terrain that the tile belongs to.
    pub terrain: Entity,
    /// The position in the grid of tiles: the number of tiles to the east and to the south of the terrain's position zero.
    pub coord: [i64; 2],
    /// The bounding box, in the terrain's own coordinates, in metres. Horizontally, that of the 32 by 32 quads; vertically, that of
    /// all heights.
    pub bounds: ChunkBounds,
    /// The heights of 35 by 35 vertices in metres, row by row: number `z * 35 + x`, from the vertex one quad to the north-west of
    /// the tile to the east, and then to the south.
    pub heights: Arc<[f32]>,
}

impl ColliderTile {
    /// Quads along each side.
    pub const QUADS: usize = 32;

    /// Vertices beyond the border on each side.
    pub const APRON: usize = 1;

    /// Heights along each side: those of 33 vertices, and one more at both ends.
    pub const SIDE: usize = Self::QUADS + 1 + 2 * Self::APRON;

    /// The largest number of tiles that a frame builds at once, for all bodies together.
    pub const MAX_BUILT_NOW: usize = 16;

    /// The length of a side, in metres of the terrain.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.bounds.size().x
    }

    /// The length of a side of the heights, which reach one quad beyond the border on both sides, in metres of the terrain.
    #[must_use]
    pub fn field_size(&self) -> f64 {
        self.size() / Self::QUADS as f64 * (Self::SIDE - 1) as f64
    }

    /// The grid of tiles over the vertices of `layout`. A tile is a chunk of level 0 in it.
    pub(super) fn layout(layout: &ChunkLayout) -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: Self::QUADS as u32, spacing: layout.spacing(0) })
    }

    /// The bounding box of the tile at `coord`.
    pub(super) fn bounds(layout: &ChunkLayout, coord: ChunkCoord, heights: &[f32]) -> ChunkBounds {
        let range = heights
            .iter()
            .fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], &height| [low.min(height), high.max(height)]);
        ChunkBounds::new(layout, coord, range)
    }

    /// The heights of the tile at `coord`.
    pub(super) fn heights(field: &HeightField, layout: &ChunkLayout, coord: ChunkCoord) -> Arc<[f32]> {
        thread_local! {
            /// The scratch memory of each thread that builds tiles.
            static SCRATCH: RefCell<(NoiseScratch, Vec<f32>)> = RefCell::default();
        }
        SCRATCH.with_borrow_mut(|(noise, heights)| {
            field.fill(&layout.grid(coord, Self::APRON as u32), noise, heights);
            Arc::from(heights.as_slice())
        })
    }
}

/// The ground under this body is not there yet: no terrain has loaded its settings, or more tiles are missing than a frame
/// [builds at once](ColliderTile::MAX_BUILT_NOW).
///
/// The terrain adds it to bodies with [`KeepGround`](super::KeepGround) and removes it. A physics engine must not move the body
/// meanwhile, or it falls. Bodies don't wait for a second terrain that is loading, or whose settings are invalid: they have the
/// ground of the first one. If the only terrain has an invalid file from the start, they wait until it is fixed.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct WaitsForGround;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkBuilder;
    use crate::field::FieldSettings;

    #[test]
    fn heights_have_the_bits_of_the_chunks_at_every_vertex() {
        let field = HeightField::new(&FieldSettings::default());
        for (quads, spacing) in [(64, 4.0), (16, 0.3), (128, 7.7)] {
            let chunks = ChunkLayout::new(&ChunkSettings { quads, spacing });
            let tiles = ColliderTile::layout(&chunks);
            for position in [[10.0, -500.0], [1e9, -3e8]] {
                let tile = tiles.chunk_at(0, position[0], position[1]);
                let heights = ColliderTile::heights(&field, &tiles, tile);
                assert_eq!(heights.len(), ColliderTile::SIDE.pow(2));
                let [west, north] = tiles.origin(tile);
                let chunk = chunks.chunk_at(0, west, north);
                let geometry = ChunkBuilder::default().build(&field, &chunks, chunk);
                let [chunk_west, chunk_north] = chunks.origin(chunk);
                let mut compared = 0;
                for &[x, height, z] in &geometry.positions {
                    let [column, row] = [chunk_west + f64::from(x) - west, chunk_north + f64::from(z) - north]
                        .map(|metres| metres / tiles.spacing(0));
                    if (0.0..=32.0).contains(&column) && (0.0..=32.0).contains(&row) {
                        compared += 1;
                        assert_eq!(heights[(row as usize + 1) * ColliderTile::SIDE + column as usize + 1], height);
                    }
                }
                assert!(compared >= 17 * 17, "{compared} vertices of {quads} quads");
            }
        }
    }

    #[test]
    fn the_bounding_box_holds_all_heights() {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 32, spacing: 2.0 });
        let bounds = ColliderTile::bounds(&layout, ChunkCoord::finest(-1, 2), &[3.0, -4.5, 7.0]);
        assert_eq!([bounds.min.to_array(), bounds.max.to_array()], [[-64.0, -4.5, 128.0], [0.0, 7.0, 192.0]]);
    }
}
