//! Pictures that take the place of the crate's own textures.

use super::GroundTexture;
use crate::param::{Param, ParamMut, ParamVisitor, Params};
use serde::{Deserialize, Serialize};

/// Pictures of ground from above that take the place of the crate's own textures.
///
/// Each is a path as for Bevy's `AssetServer::load`, such as `textures/rock.png`. An empty one leaves the crate's own texture. What a
/// picture must be is said at `GroundTextures::replace`, which does the same in code.
///
/// All terrains share the textures. Where two of them name different pictures for one texture, the one that was spawned first
/// counts, and the log says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct GroundPictures {
    /// The picture of `Sand`. \[Limit: up to 256 characters\] Default: `""`.
    pub sand: String,
    /// The picture of `Grass`. \[Limit: up to 256 characters\] Default: `""`.
    pub grass: String,
    /// The picture of `Leaves`. \[Limit: up to 256 characters\] Default: `""`.
    pub leaves: String,
    /// The picture of `Stones`. \[Limit: up to 256 characters\] Default: `""`.
    pub stones: String,
    /// The picture of `Rock`. \[Limit: up to 256 characters\] Default: `""`.
    pub rock: String,
    /// The picture of `Snow`. \[Limit: up to 256 characters\] Default: `""`.
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

const LONGEST: u32 = 256;
static SAND: Param = Param::text("sand", LONGEST, "The picture that takes the place of the texture `Sand`.");
static GRASS: Param = Param::text("grass", LONGEST, "The picture that takes the place of the texture `Grass`.");
static LEAVES: Param = Param::text("leaves", LONGEST, "The picture that takes the place of the texture `Leaves`.");
static STONES: Param = Param::text("stones", LONGEST, "The picture that takes the place of the texture `Stones`.");
static ROCK: Param = Param::text("rock", LONGEST, "The picture that takes the place of the texture `Rock`.");
static SNOW: Param = Param::text("snow", LONGEST, "The picture that takes the place of the texture `Snow`.");

impl Params for GroundPictures {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SAND, ParamMut::Text(&mut self.sand));
        visitor.param(&GRASS, ParamMut::Text(&mut self.grass));
        visitor.param(&LEAVES, ParamMut::Text(&mut self.leaves));
        visitor.param(&STONES, ParamMut::Text(&mut self.stones));
        visitor.param(&ROCK, ParamMut::Text(&mut self.rock));
        visitor.param(&SNOW, ParamMut::Text(&mut self.snow));
    }
}
