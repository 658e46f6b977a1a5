//! Endless, seamless, hot-reloading Perlin terrain for Bevy.
//!
//! A game adds [`TerrainPlugins`], spawns a [`Terrain`](stream::Terrain) with a RON file of settings and marks its camera
//! as a [`TerrainViewer`](stream::TerrainViewer). Chunks of ground appear around the viewer and stay seamless; editing the
//! file changes the running game.

pub mod chunk;
pub mod field;
#[cfg(feature = "bevy")]
pub mod ground;
pub mod noise;
pub mod param;
#[cfg(feature = "bevy")]
mod plugin;
pub mod render;
pub mod settings;
pub mod stream;

#[cfg(feature = "bevy")]
pub use plugin::{TerrainMinimalPlugins, TerrainPlugins};

/// What most games need: `use bevy_perlin_terrain::prelude::*;`.
pub mod prelude {
    pub use crate::chunk::ChunkCoord;
    pub use crate::field::HeightField;
    pub use crate::settings::TerrainSettings;

    #[cfg(feature = "bevy")]
    pub use crate::{
        TerrainMinimalPlugins, TerrainPlugins,
        ground::TerrainGround,
        stream::{
            ChunkReady, ChunkRemoved, ChunkShown, ChunkSurface, Terrain, TerrainChunk, TerrainState, TerrainStats,
            TerrainSystems, TerrainViewer,
        },
    };
}
