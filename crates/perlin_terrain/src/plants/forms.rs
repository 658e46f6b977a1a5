//! What plants look like: triangles, and the textures on them.
//!
//! A tree is a trunk and cards, which are flat squares with leaves that a texture cuts out. [`PlantForm::near`] has all of them. A quarter
//! of the cards, drawn [`WIDER`](PlantForm::WIDER), looks the same from some distance, and is the first part of the same form.
//! [`PlantForm::far`] is three crossed pictures of the plant: from two sides and from above.
//!
//! ```
//! use perlin_terrain::plants::PlantKind;
//! use perlin_terrain::plants::forms::PlantForm;
//!
//! let oak = PlantForm::near(PlantKind::Broadleaf, 0);
//! assert!(oak.triangles.len() < 400 && oak.kept_triangles < oak.triangles.len() / 2);
//! // Each kind has some variants, so that neighbors differ.
//! assert_ne!(oak, PlantForm::near(PlantKind::Broadleaf, 1));
//! assert_eq!(PlantForm::far(PlantKind::Broadleaf, 0).triangles.len(), 6);
//! ```

mod builder;
mod masks;
mod pictures;
mod stone;
#[cfg(test)]
mod tests;
mod texture;
mod trees;
mod vector;

pub use texture::{CardTexture, PlantTexture};

use super::PlantKind;
use builder::FormBuilder;
use std::sync::OnceLock;

/// The triangles of a plant whose size is 1, with its foot at the origin and y up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantForm {
    /// The corners of the triangles.
    pub vertices: Vec<FormVertex>,
    /// Three indices of vertices each, counterclockwise seen from outside. Cards are seen from both sides.
    pub triangles: Vec<[u16; 3]>,
    /// So many vertices, the first ones, stay when the plant is farther away.
    pub kept_vertices: usize,
    /// So many triangles, the first ones, stay when the plant is farther away.
    pub kept_triangles: usize,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormVertex {
    /// The center of the part that it belongs to, such as a card. A part that grows or shrinks does so about its center.
    pub center: [f32; 3],
    /// Where the vertex is, relative to the center.
    pub offset: [f32; 3],
    /// The unit normal for the light: of leaves, that of the whole crown, mostly. Of pictures, the axis z of the plant.
    pub normal: [f32; 3],
    /// The linear color of a card, which its texture darkens or brightens. That of pictures is the color of their kind: see
    /// [`PlantTexture::color`].
    pub color: [f32; 3],
    /// The place in the texture, from 0 to 1.
    pub uv: [f32; 2],
    /// The layer of the texture: a [`CardTexture`], or the number of a picture.
    pub texture: u8,
    /// What becomes of the part as the plant goes away.
    pub role: PartRole,
}

/// What becomes of a part of a plant as the plant gets farther away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartRole {
    /// It is there as long as there are cards, and keeps its size: trunks and stones.
    Rigid = 0,
    /// A card that gets wider, for those that go.
    Kept = 1,
    /// A card that goes first, or a branch.
    Detail = 2,
    /// A picture of the plant.
    Picture = 3,
}

/// What is drawn of a plant at some distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormPart<'a> {
    /// The corners of the triangles.
    pub vertices: &'a [FormVertex],
    /// Three indices of vertices each.
    pub triangles: &'a [[u16; 3]],
}

impl PlantForm {
    /// The number of variants of each kind.
    pub const VARIANTS: usize = 3;

    /// How much wider kept cards are without the others, so that they cover as much.
    pub const WIDER: f32 = 1.98;

    /// How far forms reach below the foot, in sizes of the plant: far ground is coarser, and may be lower.
    pub const BELOW: f32 = 0.25;

    /// Forms reach less far from the foot along each axis, in sizes of the plant.
    pub const REACH: f32 = 1.3;

    /// The sides of the square tiles in which the [parts](Self::parts) of plants are drawn together, in metres.
    pub const TILE_SIDES: [f64; 3] = [16.0, 64.0, 256.0];

    /// Smaller plants have no pictures, in metres: they are too small to be seen far away.
    pub const SMALLEST_PICTURE: f32 = 3.0;

    /// What is drawn of a plant nearby, farther away, and far away: all parts, the kept ones, and pictures. `size` is that of the plant, in
    /// metres. A form is made once, by the first call that needs it.
    #[must_use]
    pub fn parts(kind: PlantKind, variant: usize, size: f32) -> [FormPart<'static>; 3] {
        type Forms = [OnceLock<[PlantForm; 2]>; PlantForm::VARIANTS];
        static FORMS: [Forms; PlantKind::DRAWN.len()] = [const { [const { OnceLock::new() }; _] }; _];
        let Some(number) = kind.number() else { return <[FormPart<'static>; 3]>::default() };
        let variant = variant % Self::VARIANTS;
        let make = || [Self::near(kind, variant), Self::far(kind, variant)];
        let [near, far] = FORMS[number][variant].get_or_init(make);
        let (vertices, triangles) = (&near.vertices[..near.kept_vertices], &near.triangles[..near.kept_triangles]);
        let all = |form: &'static Self| FormPart { vertices: &form.vertices, triangles: &form.triangles };
        let pictures = if size < Self::SMALLEST_PICTURE { FormPart::default() } else { all(far) };
        [all(near), FormPart { vertices, triangles }, pictures]
    }

    /// The plant from nearby: all of its parts. [`PlantKind::Empty`] has none.
    #[must_use]
    pub fn near(kind: PlantKind, variant: usize) -> Self {
        let mut form = FormBuilder::new(kind, variant % Self::VARIANTS);
        match kind {
            PlantKind::Conifer => trees::conifer(&mut form),
            PlantKind::Broadleaf => trees::broadleaf(&mut form),
            PlantKind::Umbrella => trees::umbrella(&mut form),
            PlantKind::Bush => trees::bush(&mut form),
            PlantKind::Stone => stone::stone(&mut form),
            PlantKind::Empty => {}
        }
        form.finish()
    }

    /// Three pictures of the plant: from the direction of z, from that of x, and from above. [`PlantKind::Empty`] has none.
    #[must_use]
    pub fn far(kind: PlantKind, variant: usize) -> Self {
        pictures::outlines(kind, variant % Self::VARIANTS)
    }
}
