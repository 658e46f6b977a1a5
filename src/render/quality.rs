//! The quality of the drawn ground: its cost on the GPU.

use bevy::prelude::*;
use bevy::render::render_resource::RenderPipelineDescriptor;
use bevy::shader::ShaderDefVal;
use std::fmt::Debug;

/// The quality of the drawn ground: its cost on the GPU, for the menu of a game's graphics options.
///
/// A resource. Change it at any time: the shader and the level of detail follow at once. The sizes of textures and maps are chosen
/// at the start, by [`TerrainRenderPlugin::with_quality`](super::TerrainRenderPlugin::with_quality).
///
/// | | `Low` | `Medium` | `High` |
/// | --- | --: | --: | --: |
/// | texture fetches of a pixel close up, mostly and at most | 5, 6 | 7, 10 | 9, 20 |
/// | layers that a pixel mixes | 1 | 2 | 2 |
/// | copies and projections of a texture that a pixel mixes | 1 | 1 | 2 |
/// | normals of far ground | of vertices | of maps | of maps |
/// | waves on water, and whether it mirrors clouds | 2, no | 6, yes | 6, yes |
/// | texture fetches of a pixel with clouds in the sky | 2 | 3 | 6 |
/// | shadow maps of the sun, and where they end | 1, 200 m | 3, 400 m | 4, 1000 m |
/// | anti-aliasing of a camera whose `TerrainSky` is an atmosphere | SMAA | SMAA | TAA |
/// | rows of the image that count for the level of detail | 40 % | 65 % | 100 % |
/// | size of textures, in texels | 512 | 1024 | 1024 |
/// | size of the maps of far ground, in texels | 512 | 512 | 1024 |
/// | how far plants have all leaves, fewer leaves, and are pictures, in m | -, 72, 500 | 32, 120, 800 | 48, 200, 1200 |
/// | how far plants smaller than 3 m cast shadows, in m; larger ones do to the end of the shadow maps | - | 32 | 48 |
/// | pages of the height atlas | 8 | 16 | 16 |
///
/// TAA takes the detail of several frames together. For it, the camera draws everything twice: first only depth and motion.
///
/// With `Low` and `Medium`, neighboring pixels choose different layers, copies or projections where `High` mixes them, and with `Low`
/// also different maps of far ground. This shows as fine grain at borders.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Resource, Default)]
pub enum TerrainQuality {
    /// For integrated graphics and browsers.
    Low,
    /// For GPUs of the middle.
    Medium,
    /// For fast GPUs.
    High,
}

impl Default for TerrainQuality {
    /// `Low` in browsers, or else `High`.
    fn default() -> Self {
        if cfg!(target_family = "wasm") { Self::Low } else { Self::High }
    }
}

impl TerrainQuality {
    /// All qualities, from the cheapest.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The names that the fragment shader tests with `@if`.
    pub(super) const fn shader_definitions(self) -> &'static [&'static str] {
        match self {
            Self::Low => &["TERRAIN_QUALITY_LOW", "TERRAIN_QUALITY_REDUCED"],
            Self::Medium => &["TERRAIN_QUALITY_REDUCED"],
            Self::High => &[],
        }
    }

    /// Defines these names for the fragment shader of a material.
    pub(crate) fn define(self, descriptor: &mut RenderPipelineDescriptor) {
        if let Some(fragment) = &mut descriptor.fragment {
            fragment.shader_defs.extend(self.shader_definitions().iter().map(|&name| ShaderDefVal::from(name)));
        }
    }

    /// The part of the image's rows that counts for the level of detail. Cameras that are viewers follow it by themselves; multiply
    /// the height of a [`ViewerLens`](crate::stream::ViewerLens) of your own by it.
    #[must_use]
    pub const fn rows(self) -> f32 {
        match self {
            Self::Low => 0.4,
            Self::Medium => 0.65,
            Self::High => 1.0,
        }
    }

    /// How many shadow maps the sun of [`TerrainSky`](crate::sky::TerrainSky) has, and how far they reach, in metres.
    #[cfg(feature = "sky")]
    pub(crate) const fn shadow_maps(self) -> (usize, f32) {
        match self {
            Self::Low => (1, 200.0),
            Self::Medium => (3, 400.0),
            Self::High => (4, 1000.0),
        }
    }

    /// How far plants have all of their cards, a quarter of them, and pictures, in metres. The first ones may be left out.
    pub(crate) const fn plant_distances(self) -> [f64; 3] {
        match self {
            Self::Low => [0.0, 72.0, 500.0],
            Self::Medium => [32.0, 120.0, 800.0],
            Self::High => [48.0, 200.0, 1200.0],
        }
    }

    /// The side of the ground's textures, in texels.
    pub(super) const fn texture_size(self) -> u32 {
        match self {
            Self::Low => 512,
            Self::Medium | Self::High => 1024,
        }
    }

    /// The side of the maps of far ground, in texels.
    pub(super) const fn far_map_size(self) -> u32 {
        match self {
            Self::Low | Self::Medium => 512,
            Self::High => 1024,
        }
    }

    /// The pages of the height atlas.
    pub(super) const fn height_pages(self) -> u32 {
        match self {
            Self::Low => 8,
            Self::Medium | Self::High => 16,
        }
    }
}

/// Whether a device of this type is a processor that stands in for a GPU. The type is of a crate that is not a dependency,
/// so it is compared by name.
pub(crate) fn draws_on_processor(device_type: impl Debug) -> bool {
    format!("{device_type:?}") == "Cpu"
}
