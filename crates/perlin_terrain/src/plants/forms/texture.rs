//! Textures of plants in the layout of the GPU, with all their smaller versions.

use super::vector::{Vec3, add, scaled, unit_or};
use super::{masks, pictures};
use crate::plants::PlantKind;

/// What is on a card or on a trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardTexture {
    /// Leaves of a size that one can see.
    Leaves,
    /// Small leaves.
    Tufts,
    /// A twig with needles, whose tip is at the top.
    Spray,
    /// Bark, which covers all of a trunk.
    Bark,
    /// The surface of a stone.
    Grain,
}

impl CardTexture {
    /// All, in the order of the layers of the texture.
    pub const ALL: [Self; 5] = [Self::Leaves, Self::Tufts, Self::Spray, Self::Bark, Self::Grain];
}

/// A layer of a texture array, with all its mip levels. Each texel has four bytes, in two images.
///
/// In each mip level, as large a part of the layer is covered by at least a half as in the first one. So distant leaves do not thin out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantTexture {
    /// The square root of a color, and how much of the texel is covered.
    ///
    /// What is drawn has the linear color `scale · vertex · texel²`, where the scale is [`CARD_SCALE`](Self::CARD_SCALE) or
    /// [`PICTURE_SCALE`](Self::PICTURE_SCALE).
    pub color: Vec<u8>,
    /// The normal: 128 is 0 and 255 is 1. It leans from the normal of the vertex, which is z, where y is up. The last byte is 255.
    pub normal: Vec<u8>,
}

impl PlantTexture {
    /// What is on a card is brighter or darker than its vertices, by up to this factor.
    pub const CARD_SCALE: f32 = 2.0;

    /// A part of a plant may be brighter than the color of its kind, by up to this factor in each channel.
    pub const PICTURE_SCALE: f32 = 4.0;

    /// The side of a [`CardTexture`], in texels.
    pub const CARD_SIZE: usize = 256;

    /// The side of a picture, in texels.
    pub const PICTURE_SIZE: usize = 96;

    /// The number of mip levels of a texture whose side is `size` texels.
    #[must_use]
    pub const fn mip_levels(size: usize) -> u32 {
        size.ilog2() + 1
    }

    /// Makes what is on a card.
    #[must_use]
    pub fn card(texture: CardTexture) -> Self {
        Self::with_mips(masks::card(texture))
    }

    /// Makes the three pictures of a plant.
    #[must_use]
    pub fn pictures(kind: PlantKind, variant: usize) -> [Self; 3] {
        pictures::pictures(kind, variant).map(Self::with_mips)
    }

    fn with_mips(base: Texels) -> Self {
        let mut texture = Self::default();
        let covered = base.covered(1.0);
        let between = base.mean_color();
        let mut level = base;
        loop {
            let factor = level.factor_for(covered);
            for texel in &level.texels {
                let color = if texel.cover > 0.0 { texel.color } else { between };
                texture.color.extend(color.map(|part| byte(part.max(0.0).sqrt())));
                texture.color.push(byte(texel.cover * factor));
                texture.normal.extend(texel.normal.map(|part| byte(0.5 + 0.5 * part)));
                texture.normal.push(255);
            }
            if level.size == 1 {
                return texture;
            }
            level = level.halved();
        }
    }
}

fn byte(part: f32) -> u8 {
    (part * 255.0 + 0.5) as u8
}

/// A texel: the color of what covers it, its normal, and how much of the texel is covered.
#[derive(Clone, Copy)]
pub(super) struct Texel {
    pub color: Vec3,
    pub normal: Vec3,
    pub cover: f32,
}

/// A square of texels, in rows from the top.
#[derive(Clone)]
pub(super) struct Texels {
    pub size: usize,
    pub texels: Vec<Texel>,
}

/// Of a texel that nothing covers.
pub(super) const EMPTY: Texel = Texel { color: [0.0; 3], normal: [0.0, 0.0, 1.0], cover: 0.0 };

impl Texels {
    pub fn filled(size: usize, texel: Texel) -> Self {
        Self { size, texels: vec![texel; size * size] }
    }

    /// The mean of some texels, those that are covered more counting more.
    pub fn mean(texels: impl IntoIterator<Item = Texel>) -> Texel {
        let (mut color, mut normal, mut cover, mut count) = ([0.0; 3], [0.0; 3], 0.0, 0.0);
        for texel in texels {
            color = add(color, scaled(texel.color, texel.cover));
            normal = add(normal, scaled(texel.normal, texel.cover));
            cover += texel.cover;
            count += 1.0;
        }
        if cover == 0.0 {
            return EMPTY;
        }
        Texel { color: scaled(color, 1.0 / cover), normal: unit_or(normal, EMPTY.normal), cover: cover / count }
    }

    /// Half as many texels along each side, rounded down.
    fn halved(&self) -> Self {
        let size = self.size / 2;
        let span = |index: usize| index * self.size / size..(index + 1) * self.size / size;
        let mean = |index: usize| {
            let (columns, rows) = (span(index % size), span(index / size));
            Self::mean(rows.flat_map(|row| columns.clone().map(move |column| self.texels[row * self.size + column])))
        };
        Self { size, texels: (0..size * size).map(mean).collect() }
    }

    /// The part of the texels that is covered by at least a half after multiplication with `factor`.
    fn covered(&self, factor: f32) -> f32 {
        let count = self.texels.iter().filter(|texel| texel.cover * factor >= 0.5).count();
        count as f32 / self.texels.len() as f32
    }

    /// The factor with which the part `covered` is covered, nearly.
    fn factor_for(&self, covered: f32) -> f32 {
        let mut range = [0.25, 4.0];
        for _ in 0..12 {
            let middle = 0.5 * (range[0] + range[1]);
            range[usize::from(self.covered(middle) >= covered)] = middle;
        }
        // No step of a texel is finer than that.
        if self.covered(1.0) == covered { 1.0 } else { range[1] }
    }

    fn mean_color(&self) -> Vec3 {
        Self::mean(self.texels.iter().copied()).color
    }
}
