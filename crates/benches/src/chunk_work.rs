//! A chunk of 65 x 65 vertices over one layer of eight octaves: its heights alone, and the vertex arrays of a mesh.

use perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkHeights, ChunkLayout};
use perlin_terrain::field::HeightField;
use perlin_terrain::noise::NoiseSettings;
use perlin_terrain::settings::TerrainSettings;

/// A field, and chunks of it, asked for one after another.
pub struct ChunkWork {
    field: HeightField,
    layout: ChunkLayout,
    builder: ChunkBuilder,
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
            next: 0,
        }
    }

    /// Vertices along each side of a chunk.
    #[must_use]
    pub fn vertices(&self) -> u32 {
        self.layout.vertices()
    }

    /// The arrays of a mesh: positions, normals, and their twins of the next coarser level.
    pub fn geometry(&mut self) -> ChunkGeometry {
        let chunk = self.next_chunk();
        self.builder.build(&self.field, &self.layout, chunk)
    }

    /// The heights alone, of the vertices and those beyond each side that their normals take: what is drawn.
    pub fn heights(&mut self) -> ChunkHeights {
        let chunk = self.next_chunk();
        self.builder.heights(&self.field, &self.layout, chunk)
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
        assert_eq!(work.geometry().positions.len(), 65 * 65);
        assert_eq!(work.heights().heights.len(), 69 * 69);
    }
}
