//! Everything in this layer that needs Bevy's renderer, behind one feature gate.

#[cfg(test)]
mod card;
mod edges;
mod far_maps;
mod follow;
mod lens;
mod material;
mod mesh;
mod morph;
mod pictures;
mod plugin;
mod quality;
mod shaders;
mod surfaces;
mod texture_upload;
mod textures;
mod uploads;
mod view;
mod water;

pub use far_maps::TerrainFarMaps;
pub use material::{TerrainLook, TerrainMaterial, TerrainMaterials};
pub use mesh::{ATTRIBUTE_COARSE_HEIGHT, ATTRIBUTE_NORMALS, chunk_mesh, morphing_chunk_mesh};
pub use morph::TerrainMorph;
pub use plugin::TerrainRenderPlugin;
pub use quality::TerrainQuality;
#[cfg(feature = "sky")]
pub(crate) use quality::draws_on_processor;
pub use textures::GroundTextures;
pub use view::TerrainView;
pub use water::ChunkWater;
