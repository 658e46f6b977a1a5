//! Pictures that take the place of the crate's own textures.

use super::GroundTexture;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// Pictures of ground from above that take the place of the crate's own textures.
///
/// Each is a path as for Bevy's `AssetServer::load`, such as `textures/rock.png`. An empty one leaves the crate's own texture. What a
/// picture must be is said at `GroundTextures::replace`, which does the same in code.
///
/// All terrains share the textures. Where two of them name different pictures for one texture, the one that was spawned first
/// counts, and the log says so.
#[params]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct GroundPictures {
    /// The picture that takes the place of the texture `Sand`.
    #[param(longest = 256)]
    pub sand: String,
    /// The picture that takes the place of the texture `Grass`.
    #[param(longest = 256)]
    pub grass: String,
    /// The picture that takes the place of the texture `Leaves`.
    #[param(longest = 256)]
    pub leaves: String,
    /// The picture that takes the place of the texture `Stones`.
    #[param(longest = 256)]
    pub stones: String,
    /// The picture that takes the place of the texture `Rock`.
    #[param(longest = 256)]
    pub rock: String,
    /// The picture that takes the place of the texture `Snow`.
    #[param(longest = 256)]
    pub snow: String,
}

impl GroundPictures {
    /// The path of the picture of a texture. Empty without one.
    #[must_use]
    pub fn path(&self, texture: GroundTexture) -> &str {
        match texture {
            GroundTexture::Sand => &self.sand,
            GroundTexture::Grass => &self.grass,
            GroundTexture::Leaves => &self.leaves,
            GroundTexture::Stones => &self.stones,
            GroundTexture::Rock => &self.rock,
            GroundTexture::Snow => &self.snow,
        }
    }
}
