//! The look of ground close up: textures that the crate bakes from its own noise, so that a game downloads none.
//!
//! All textures repeat after one tile, in both directions. Machines differ by rounding alone. How large a tile is on the
//! ground, the shader decides. A texture has no color of its own: it varies the color of its layer. A game may have images of
//! its own, which are baked in the same way.

mod mips;
mod recipes;
mod source_image;
mod surface;

use super::SurfaceTexture;
pub use mips::{STEEPEST, TextureMips, WARMEST, mip_levels};
pub use source_image::SourceImage;
use surface::Surface;

/// The kinds of textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureKind {
    /// The look of a layer close up.
    CloseUp(SurfaceTexture),
    /// Tussocks and bare patches, seen from afar.
    Tussocks,
    /// Crags and ledges, seen from afar.
    Crags,
}

impl TextureKind {
    /// All kinds, in the order of the layers of the texture arrays. Those close up come first.
    pub const ALL: [Self; 8] = [
        Self::CloseUp(SurfaceTexture::Sand),
        Self::CloseUp(SurfaceTexture::Grass),
        Self::CloseUp(SurfaceTexture::Leaves),
        Self::CloseUp(SurfaceTexture::Stones),
        Self::CloseUp(SurfaceTexture::Rock),
        Self::CloseUp(SurfaceTexture::Snow),
        Self::Tussocks,
        Self::Crags,
    ];

    /// The layers of both arrays, of color and of relief. Textures from afar have no color.
    pub const LAYERS: [usize; 2] = [6, Self::ALL.len()];

    /// Its layer in the texture arrays.
    pub const fn number(self) -> usize {
        match self {
            Self::CloseUp(texture) => texture as usize,
            Self::Tussocks => Self::LAYERS[0],
            Self::Crags => Self::LAYERS[0] + 1,
        }
    }

    /// Bakes the texture with a side of `size` texels, a power of two.
    pub fn bake(self, size: usize) -> TextureMips {
        let mut surface = Surface::new(size);
        recipes::of(self)(&mut surface);
        surface.normalize();
        match self {
            Self::CloseUp(_) => TextureMips::close_up(&surface),
            Self::Tussocks | Self::Crags => TextureMips::from_afar(&surface),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_kind_is_its_index_in_all() {
        for (number, kind) in TextureKind::ALL.into_iter().enumerate() {
            assert_eq!(kind.number(), number, "{kind:?}");
        }
    }

    #[test]
    fn textures_close_up_come_first_and_have_a_color() {
        for (number, kind) in TextureKind::ALL.into_iter().enumerate() {
            let mips = kind.bake(16);
            let is_close_up = matches!(kind, TextureKind::CloseUp(_));
            assert_eq!([!mips.color.is_empty(), number < TextureKind::LAYERS[0]], [is_close_up; 2], "{kind:?}");
            assert_eq!(mips.relief.len(), 4 * (256 + 64 + 16 + 4 + 1));
        }
    }

    #[test]
    fn textures_are_the_same_bits_every_time_and_differ_from_one_another() {
        let bakes = TextureKind::ALL.map(|kind| kind.bake(32));
        for (i, bake) in bakes.iter().enumerate() {
            assert_eq!(*bake, TextureKind::ALL[i].bake(32));
            assert!(bakes[..i].iter().all(|other| other != bake), "{:?}", TextureKind::ALL[i]);
        }
    }

    #[test]
    fn a_texture_keeps_the_color_of_its_layer_and_has_no_slope_on_average() {
        for kind in TextureKind::ALL {
            let bake = kind.bake(64);
            let (color, relief) = bake.last();
            let is_close_up = matches!(kind, TextureKind::CloseUp(_));
            // 128 is the color of the layer, and a slope of 0.
            let factors = if is_close_up { &color.expect("it has a color")[..3] } else { &relief[2..] };
            for factor in factors {
                assert!(factor.abs_diff(128) <= 3, "{kind:?}: {factors:?}");
            }
            assert!(relief[..2].iter().all(|slope| slope.abs_diff(128) <= 1), "{kind:?}: {relief:?}");
            // Coarse levels are rougher, as they hide slopes.
            assert!(!is_close_up || relief[2] > bake.first_relief_mean()[2], "{kind:?}");
        }
    }

    #[test]
    fn textures_go_on_across_the_borders_of_their_tile() {
        for kind in TextureKind::ALL {
            let size = 128;
            let mut surface = Surface::new(size);
            recipes::of(kind)(&mut surface);
            surface.normalize();
            let step = |a: usize, b: usize| f64::from((surface.height[a] - surface.height[b]).abs());
            let column = |x: usize| (0..size).map(|y| step(y * size + x, y * size + (x + 1) % size)).sum::<f64>();
            let row = |y: usize| (0..size).map(|x| step(y * size + x, (y + 1) % size * size + x)).sum::<f64>();
            let inside = (0..size - 1).map(|i| column(i).max(row(i))).fold(0.0, f64::max);
            assert!(column(size - 1) <= 1.2 * inside && row(size - 1) <= 1.2 * inside, "{kind:?}");
        }
    }
}
