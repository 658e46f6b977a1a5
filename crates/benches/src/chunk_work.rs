//! A chunk from nothing to vertex arrays: 65 x 65 vertices with normals and morph targets, over one layer of eight octaves.

use perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout};
use perlin_terrain::field::HeightField;
use perlin_terrain::noise::{NoiseScratch, NoiseSettings};
use perlin_terrain::settings::TerrainSettings;

/// A field, and chunks of it, asked for one after another.
pub struct ChunkWork {
    field: HeightField,
    layout: ChunkLayout,
    builder: ChunkBuilder,
    heights: Vec<f32>,
    noise: NoiseScratch,
    next: i64,
}

impl Default for ChunkWork {
    fn default() -> Self {
        let layer = NoiseSettings { octaves: 8, ..NoiseSettings::default() };
        let mut settings = TerrainSettings::default();
        settings.field.layers = vec![layer.into()];
        Self::new(&settings)
    }
}

impl ChunkWork {
    /// Chunks of these settings.
    #[must_use]
    pub fn new(settings: &TerrainSettings) -> Self {
        Self {
            field: HeightField::new(&settings.field),
            layout: ChunkLayout::new(&settings.chunks),
            builder: ChunkBuilder::default(),
            heights: Vec::new(),
            noise: NoiseScratch::default(),
            next: 0,
        }
    }

    /// Vertices along each side of a chunk.
    #[must_use]
    pub fn vertices(&self) -> u32 {
        self.layout.vertices()
    }

    /// Everything: heights, positions, normals, their twins of the next coarser level and the arrays that hold them.
    pub fn whole(&mut self) -> ChunkGeometry {
        let chunk = self.next_chunk();
        self.builder.build(&self.field, &self.layout, chunk)
    }

    /// The heights alone, of the vertices and those beyond each side that their normals take.
    pub fn heights(&mut self) -> &[f32] {
        let chunk = self.next_chunk();
        self.field.fill(&self.layout.grid(chunk, ChunkBuilder::APRON), &mut self.noise, &mut self.heights);
        &self.heights
    }

    /// Another chunk each time, 64 in turn, so that no branch is learnt by heart.
    fn next_chunk(&mut self) -> ChunkCoord {
        self.next = (self.next + 1) % 64;
        ChunkCoord::finest(self.next % 8, self.next / 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_has_the_size_that_the_table_says() {
        let mut work = ChunkWork::default();
        assert_eq!(work.vertices(), 65);
        assert_eq!(work.whole().positions.len(), 65 * 65);
        assert_eq!(work.heights().len(), 69 * 69);
    }
}
