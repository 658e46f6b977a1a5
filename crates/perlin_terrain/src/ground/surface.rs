//! The ground at any position: heights, normals and slopes, one or many.

use super::tile::HeightTile;
use super::tile_cache::TileCache;
use crate::chunk::{ChunkCoord, ChunkLayout, Quad, SurfacePoint};
use crate::field::HeightField;
use std::sync::Arc;

/// The ground of a height field at full detail: answers for any position, in the terrain's own coordinates.
///
/// Needs no Bevy, no GPU and no loaded chunk. A clone is cheap and shares the [`TileCache`], so tasks can have one each.
///
/// ```
/// use perlin_terrain::chunk::{ChunkLayout, ChunkSettings};
/// use perlin_terrain::field::{FieldSettings, HeightField};
/// use perlin_terrain::ground::{Ground, RaySettings};
/// use std::sync::Arc;
///
/// let field = HeightField::new(&FieldSettings::default());
/// let ground = Ground::new(Arc::new(field), ChunkLayout::new(&ChunkSettings::default()));
/// // Straight down from a height of 5 km.
/// let hit = ground.ray([10.0, 5000.0, 20.0], [0.0, -1.0, 0.0], &RaySettings::up_to(10_000.0)).expect("there is ground");
/// assert!((hit.position[1] - ground.height(10.0, 20.0)).abs() < 1e-6);
/// ```
///
/// In a game with Bevy, `TerrainGround` has the same methods in world coordinates.
#[derive(Clone, Debug)]
pub struct Ground {
    field: Arc<HeightField>,
    layout: ChunkLayout,
    tiles: Arc<TileCache>,
}

impl Ground {
    /// The ground of `field` with the vertices of `layout`, and tiles of its own.
    #[must_use]
    pub fn new(field: Arc<HeightField>, layout: ChunkLayout) -> Self {
        Self::with_tiles(field, layout, Arc::default())
    }

    /// The ground of `field` with the vertices of `layout`. Several grounds can share `tiles`.
    #[must_use]
    pub const fn with_tiles(field: Arc<HeightField>, layout: ChunkLayout, tiles: Arc<TileCache>) -> Self {
        Self { field, layout, tiles }
    }

    /// The height field.
    #[must_use]
    pub const fn field(&self) -> &Arc<HeightField> {
        &self.field
    }

    /// The layout of the chunks whose vertices these are.
    #[must_use]
    pub const fn layout(&self) -> &ChunkLayout {
        &self.layout
    }

    /// The heights of the vertices of `chunk`, from the cache.
    #[must_use]
    pub fn tile(&self, chunk: ChunkCoord) -> Arc<HeightTile> {
        self.tiles.tile(&self.field, &self.layout, chunk)
    }

    /// The height of the level-0 triangle at `(x, z)`, in metres. At a vertex, it has the drawn bits.
    #[must_use]
    pub fn height(&self, x: f64, z: f64) -> f64 {
        self.point(x, z).height
    }

    /// Height, normal and slope of the level-0 triangle at `(x, z)`.
    #[must_use]
    pub fn point(&self, x: f64, z: f64) -> SurfacePoint {
        SurfacePoint::at(&self.field, &self.layout, x, z)
    }

    /// Replaces `points` by the [points](Self::point) at `positions`, as x and z in metres: the same bits, several times as fast.
    pub fn points(&self, positions: &[[f64; 2]], points: &mut Vec<SurfacePoint>) {
        /// Quads at a time. Their corners fill a block of the noise kernel.
        const QUADS: usize = 32;
        points.clear();
        points.reserve(positions.len());
        let (mut corners, mut heights) = ([[[0.0; 2]; 4]; QUADS], [[0.0; 4]; QUADS]);
        for positions in positions.chunks(QUADS) {
            let quads = positions.iter().map(|&position| Quad::around(&self.layout, position));
            corners.iter_mut().zip(quads).for_each(|(corners, quad)| *corners = quad.corners());
            let (corners, heights) = (&corners[..positions.len()], &mut heights[..positions.len()]);
            self.field.heights_at(corners.as_flattened(), heights.as_flattened_mut());
            points.extend(positions.iter().zip(heights).map(|(&position, heights)| {
                let quad = Quad::around(&self.layout, position);
                SurfacePoint::in_quad(heights.map(f64::from), quad.position, self.layout.spacing(0))
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::fixtures::{POSITIONS, SPACINGS, ground};
    use proptest::collection::vec;
    use proptest::sample::select;
    use testing::for_all;

    #[test]
    fn many_points_have_the_bits_of_each() {
        let positions = vec((-500.0..500.0, -500.0..500.0), 0..100);
        for_all(100, (select(&SPACINGS), select(&POSITIONS), positions), |(spacing, far, positions)| {
            let ground = ground(spacing);
            let positions: Vec<[f64; 2]> = positions.into_iter().map(|(x, z)| [far + x, z - far]).collect();
            let mut points = vec![];
            ground.points(&positions, &mut points);
            let each: Vec<_> = positions.iter().map(|&[x, z]| ground.point(x, z)).collect();
            assert_eq!(points, each);
        });
    }

    #[test]
    fn at_every_vertex_the_height_has_the_bits_of_the_tile() {
        for (spacing, far) in SPACINGS.into_iter().flat_map(|spacing| POSITIONS.map(|far| (spacing, far))) {
            let ground = ground(spacing);
            let tile = ground.tile(ground.layout().chunk_at(0, far, -far));
            let [columns, rows] = tile.grid().size;
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let [x, z] = tile.grid().position(column, row);
                assert_eq!(ground.height(x, z), f64::from(tile.height(column, row)), "at {x}, {z}");
            }
        }
    }

    #[test]
    fn the_slope_is_the_angle_to_level_ground() {
        let point = |normal| SurfacePoint { height: 0.0, normal };
        assert_eq!(point([0.0, 1.0, 0.0]).slope(), 0.0);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!((point([0.0, half, -half]).slope() - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
        assert!((point([half, half, 0.0]).slope() - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
    }
}
