//! The questions of games about the ground: heights, points and rays.

use perlin_terrain::chunk::{ChunkCoord, ChunkLayout, ChunkSettings};
use perlin_terrain::field::{FieldSettings, HeightField};
use perlin_terrain::ground::{Ground, HeightTile, RaySettings, TileCache, TileScratch};
use perlin_terrain::noise::{NoiseRng, NoiseScratch, NoiseSettings};
use perlin_terrain::settings::TerrainSettings;
use std::hint::black_box;
use std::sync::Arc;

/// Positions and rays of a task: so many that no branch is learnt by heart.
pub const COUNT: usize = 1024;

/// The length of a ray, in metres.
pub const REACH: f64 = 2000.0;

/// A ground, and random positions and rays on it.
pub struct GroundWork {
    ground: Ground,
    positions: Vec<[f64; 2]>,
    rays: Vec<[[f64; 3]; 2]>,
    next: usize,
}

impl GroundWork {
    /// One layer of FBM with eight octaves.
    #[must_use]
    pub fn fbm() -> Self {
        let layer = NoiseSettings { octaves: 8, ..NoiseSettings::default() };
        let field = FieldSettings { layers: vec![layer.into()], ..FieldSettings::default() };
        Self::new(&field, &ChunkSettings::default())
    }

    /// The preset `alps`, with its erosion.
    ///
    /// # Panics
    ///
    /// If the preset is not valid.
    #[must_use]
    pub fn alps() -> Self {
        let settings = include_str!("../../../assets/terrain/alps.terrain.ron");
        let settings = TerrainSettings::from_ron(settings).expect("the preset is valid");
        Self::new(&settings.field, &settings.chunks)
    }

    fn new(field: &FieldSettings, chunks: &ChunkSettings) -> Self {
        let ground = Ground::new(Arc::new(HeightField::new(field)), ChunkLayout::new(chunks));
        let mut random = NoiseRng::new(5, 1);
        let positions: Vec<_> = (0..COUNT).map(|_| [random.next_unit() * 1e4, random.next_unit() * 1e4]).collect();
        // From 30 m above the ground, level to 0.06 radians down, past hills for most of the way.
        // Within 2 km, so that the tiles of all rays fit into the cache.
        let all = positions.iter().flat_map(|&[x, z]| {
            let [x, z] = [x / 5.0, z / 5.0];
            let eye = [x, ground.height(x, z) + 30.0, z];
            (0..32_u8).map(move |turn| {
                let angle = f64::from(turn) / 32.0 * std::f64::consts::TAU;
                [eye, [angle.cos(), -0.06 * (f64::from(turn % 5) / 4.0), angle.sin()]]
            })
        });
        let is_long = |ray: &[[f64; 3]; 2]| ground.ray(ray[0], ray[1], &RaySettings::up_to(0.75 * REACH)).is_none();
        let rays = all.filter(is_long).take(COUNT).collect();
        Self { ground, positions, rays, next: 0 }
    }

    /// The smooth height of one position.
    pub fn field_height(&mut self) {
        let [x, z] = self.next_position();
        black_box(self.ground.field().height(x, z));
    }

    /// The height of the triangle at one position.
    pub fn height(&mut self) {
        let [x, z] = self.next_position();
        black_box(self.ground.height(x, z));
    }

    /// The smooth heights of [`COUNT`] positions.
    pub fn field_heights(&mut self) {
        let mut heights = [0.0; COUNT];
        self.ground.field().heights_at(&self.positions, &mut heights);
        black_box(heights);
    }

    /// Heights and normals of the triangles at [`COUNT`] positions.
    pub fn points(&mut self) {
        let mut points = vec![];
        self.ground.points(&self.positions, &mut points);
        black_box(points);
    }

    /// A ray of [`REACH`] metres. The tiles of all rays are in the cache after the first round.
    pub fn warm_ray(&mut self) {
        self.next = (self.next + 1) % self.rays.len();
        let [origin, direction] = self.rays[self.next];
        black_box(self.ground.ray(origin, direction, &RaySettings::up_to(REACH)));
    }

    /// The same ray in new land.
    pub fn cold_ray(&mut self) {
        let tiles = Arc::new(TileCache::new(usize::MAX));
        let ground = Ground::with_tiles(Arc::clone(self.ground.field()), *self.ground.layout(), tiles);
        self.next = (self.next + 1) % self.rays.len();
        let [origin, direction] = self.rays[self.next];
        black_box(ground.ray(origin, direction, &RaySettings::up_to(REACH)));
    }

    /// A tile of 65 by 65 vertices.
    pub fn tile(&mut self, scratch: &mut TileScratch) -> HeightTile {
        self.next = (self.next + 1) % 64;
        let chunk = ChunkCoord::finest(self.next as i64 % 8, self.next as i64 / 8);
        HeightTile::new(self.ground.field(), &self.ground.layout().grid(chunk, 0), scratch)
    }

    /// The heights of a square around a body: 35 by 35 vertices.
    pub fn square(&mut self, scratch: &mut (NoiseScratch, Vec<f32>)) {
        self.next = (self.next + 1) % 64;
        let north_west = [self.next as i64 % 8, self.next as i64 / 8].map(|square| 32 * square - 1);
        let (noise, heights) = scratch;
        self.ground.field().fill(&self.ground.layout().square(north_west, 34), noise, heights);
        black_box(heights);
    }

    fn next_position(&mut self) -> [f64; 2] {
        self.next = (self.next + 1) % COUNT;
        self.positions[self.next]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_rays_as_the_table_says() {
        assert!([GroundWork::fbm(), GroundWork::alps()].iter().all(|work| work.rays.len() == COUNT));
    }
}
