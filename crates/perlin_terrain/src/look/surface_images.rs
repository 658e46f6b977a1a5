//! Images that take the place of the crate's own textures.

use super::SurfaceTexture;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// Images of ground from above that take the place of the crate's own textures.
///
/// Each is a path as for Bevy's `AssetServer::load`, such as `textures/rock.png`. An empty one leaves the crate's own texture.
/// The requirements for an image are at `SurfaceTextures::replace`, which does the same in code.
///
/// All terrains share the textures. Where two of them name different images for one texture, the one that was spawned first
/// counts, and the log says so.
#[params]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceImages {
    /// The image that takes the place of the texture `Sand`.
    #[param(max_length = 256)]
    pub sand: String,
    /// The image that takes the place of the texture `Grass`.
    #[param(max_length = 256)]
    pub grass: String,
    /// The image that takes the place of the texture `Leaves`.
    #[param(max_length = 256)]
    pub leaves: String,
    /// The image that takes the place of the texture `Stones`.
    #[param(max_length = 256)]
    pub stones: String,
    /// The image that takes the place of the texture `Rock`.
    #[param(max_length = 256)]
    pub rock: String,
    /// The image that takes the place of the texture `Snow`.
    #[param(max_length = 256)]
    pub snow: String,
}

impl SurfaceImages {
    /// The path of the image of a texture. Empty without one.
    #[must_use]
    pub fn path(&self, texture: SurfaceTexture) -> &str {
        match texture {
            SurfaceTexture::Sand => &self.sand,
            SurfaceTexture::Grass => &self.grass,
            SurfaceTexture::Leaves => &self.leaves,
            SurfaceTexture::Stones => &self.stones,
            SurfaceTexture::Rock => &self.rock,
            SurfaceTexture::Snow => &self.snow,
        }
    }
}
