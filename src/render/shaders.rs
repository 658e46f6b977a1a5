//! The shaders, and the numbers that they share with Rust.
//!
//! They are WESL modules. A shader of a game imports what it needs by the name of the module, such as
//! `bevy_perlin_terrain::morph::morph_factor`. The names stay the same when Rust files move.

#[cfg(test)]
pub(super) mod compile;
#[cfg(test)]
mod tests;

use super::grid::{EDGE_BITS, LEVEL_BITS};
use super::height_atlas::{BLOCK, BLOCKS_ALONG_PAGE, SLOT_BITS};
use super::plants::{self, RING_BIT, STARTS};
use super::view::TerrainView;
use crate::chunk::{ChunkHeights, LEVELS};
use crate::light::clouds;
use crate::light::sun::{DUST_ASYMMETRY, DUST_DEPTH};
use crate::look::far_map::TEXELS;
use crate::look::pattern::LATTICES;
use crate::look::textures::{STEEPEST, TextureKind, WARMEST};
use crate::look::water::INDEX_SQUARED;
use crate::look::waves::{DRAWN, WAVES};
use crate::look::{LookSettings, SurfaceTexture};
use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::prelude::*;
use perlin_terrain::plants::forms::{PartRole, PlantForm, PlantTexture};
use std::path::{Path, PathBuf};

/// The most viewers of a terrain that morphs. With those of the previous frame, this many fit into a uniform on any device.
pub(super) const MAX_VIEWERS: usize = 16;

/// Each module with its text.
const MODULES: [(&str, &str); 18] = [
    ("chunk", include_str!("shaders/chunk.wesl")),
    ("clouds", include_str!("shaders/clouds.wesl")),
    ("far_maps", include_str!("shaders/far_maps.wesl")),
    ("layers", include_str!("shaders/layers.wesl")),
    ("light", include_str!("shaders/light.wesl")),
    ("morph", include_str!("shaders/morph.wesl")),
    ("morph_vertex", include_str!("shaders/morph_vertex.wesl")),
    ("pattern", include_str!("shaders/pattern.wesl")),
    ("pattern_noise", include_str!("shaders/pattern_noise.wesl")),
    ("plant", include_str!("shaders/plant.wesl")),
    ("plant_vertex", include_str!("shaders/plant_vertex.wesl")),
    ("plants", include_str!("shaders/plants.wesl")),
    ("sky_dome", include_str!("shaders/sky_dome.wesl")),
    ("terrain", include_str!("shaders/terrain.wesl")),
    ("terrain_uniform", include_str!("shaders/terrain_uniform.wesl")),
    ("water", include_str!("shaders/water.wesl")),
    ("water_surface", include_str!("shaders/water_surface.wesl")),
    ("water_vertex", include_str!("shaders/water_vertex.wesl")),
];

/// The module [`shared`], which has no file.
const SHARED: &str = "shared";

/// The vertex shader of chunks that morph.
pub(super) const MORPH_VERTEX: &str = "embedded://bevy_perlin_terrain/morph_vertex.wesl";

/// The vertex shader of the surface of water.
pub(super) const WATER_VERTEX: &str = "embedded://bevy_perlin_terrain/water_vertex.wesl";

/// The fragment shader of the surface of water.
pub(super) const WATER_SURFACE: &str = "embedded://bevy_perlin_terrain/water_surface.wesl";

/// The fragment shader of the ground.
pub(super) const TERRAIN: &str = "embedded://bevy_perlin_terrain/terrain.wesl";

/// The vertex shader of plants.
pub(super) const PLANT_VERTEX: &str = "embedded://bevy_perlin_terrain/plant_vertex.wesl";

/// The fragment shader of plants.
pub(super) const PLANTS: &str = "embedded://bevy_perlin_terrain/plants.wesl";

/// The fragment shader of the dome of a sky.
#[cfg(feature = "sky")]
pub(crate) const SKY_DOME: &str = "embedded://bevy_perlin_terrain/sky_dome.wesl";

/// Adds the shaders as embedded assets and keeps them loaded, so that other shaders can import them.
pub(super) fn add_shaders(app: &mut App) {
    let registry = app.world().resource::<EmbeddedAssetRegistry>();
    let texts = MODULES.map(|(name, text)| (name, text.to_owned()));
    for (name, text) in texts.into_iter().chain([(SHARED, shared())]) {
        let path = format!("bevy_perlin_terrain/{name}.wesl");
        // An empty path: there is no file to watch.
        registry.insert_asset(PathBuf::new(), Path::new(&path), text.into_bytes());
        let shader: Handle<Shader> = app.world().resource::<AssetServer>().load(format!("embedded://{path}"));
        // An import does not keep a shader loaded.
        std::mem::forget(shader);
    }
}

/// The module `shared`: constants that Rust and the shaders use. It is written here, so the two can't differ.
fn shared() -> String {
    let integers = [
        ("APRON", ChunkHeights::APRON as usize),
        ("BLOCK", BLOCK as usize),
        ("BLOCKS_ALONG_PAGE", BLOCKS_ALONG_PAGE as usize),
        ("EDGE_BITS", EDGE_BITS as usize),
        ("LEVEL_BITS", LEVEL_BITS as usize),
        ("SLOT_BITS", SLOT_BITS as usize),
        ("FAR_MAPS", TEXELS.len()),
        ("LATTICES", LATTICES),
        ("LEVELS", LEVELS),
        ("MAX_LAYERS", LookSettings::MAX_LAYERS),
        ("MAX_VIEWERS", MAX_VIEWERS),
        ("PLANT_STARTS", STARTS),
        ("PLANT_VIEWERS", plants::MAX_VIEWERS),
        ("PLANT_RING_BIT", RING_BIT),
        ("ROLE_RIGID", PartRole::Rigid as usize),
        ("ROLE_KEPT", PartRole::Kept as usize),
        ("ROLE_DETAIL", PartRole::Detail as usize),
        ("ROLE_PICTURE", PartRole::Picture as usize),
        ("WAVES", WAVES),
        ("VIEW_LOOK", TerrainView::Look as usize),
        ("VIEW_LEVELS", TerrainView::Levels as usize),
        ("VIEW_MORPH", TerrainView::Morph as usize),
        ("VIEW_TRIANGLES", TerrainView::Triangles as usize),
        // The layers of the texture arrays.
        ("SAND", TextureKind::CloseUp(SurfaceTexture::Sand).number()),
        ("STONES", TextureKind::CloseUp(SurfaceTexture::Stones).number()),
        ("ROCK", TextureKind::CloseUp(SurfaceTexture::Rock).number()),
        ("SNOW", TextureKind::CloseUp(SurfaceTexture::Snow).number()),
        ("TUSSOCKS", TextureKind::Tussocks.number()),
        ("CRAGS", TextureKind::Crags.number()),
    ];
    let floats = [
        ("CLOUD_DEPTH", clouds::DEPTH),
        ("CLOUD_DETAIL", clouds::DETAIL),
        ("CLOUD_EDGE", clouds::EDGE),
        ("CLOUD_FINE", clouds::FINE),
        ("DRAWN", DRAWN),
        ("DUST_DEPTH", DUST_DEPTH as f32),
        ("DUST_ASYMMETRY", DUST_ASYMMETRY as f32),
        ("CARD_SCALE", PlantTexture::CARD_SCALE),
        ("PICTURE_SCALE", PlantTexture::PICTURE_SCALE),
        ("PLANT_WIDER", PlantForm::WIDER),
        ("WATER_INDEX_SQUARED", INDEX_SQUARED),
        ("STEEPEST", STEEPEST),
        ("WARMEST", WARMEST),
    ];
    let integers = integers.map(|(name, number)| format!("const {name}: u32 = {number}u;\n"));
    let floats = floats.map(|(name, number)| format!("const {name}: f32 = {number:?};\n"));
    integers.concat() + &floats.concat()
}
