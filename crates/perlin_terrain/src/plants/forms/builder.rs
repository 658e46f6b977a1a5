//! Puts a form together from trunks, cards and faces.

use super::vector::{Vec3, add, cross, mix, scaled, sub, unit, unit_or};
use super::{CardTexture, FormVertex, PartRole, PlantForm};
use crate::noise::NoiseRng;
use crate::plants::PlantKind;
use libm::sincosf;
use std::f32::consts::TAU;

/// A form in the making.
pub(super) struct FormBuilder {
    rng: NoiseRng,
    rigid: Vec<Part>,
    cards: Vec<Part>,
    branches: Vec<Part>,
}

struct Part {
    vertices: Vec<FormVertex>,
    triangles: Vec<[u16; 3]>,
}

/// Where a card is, which way it lies, and what is on it.
pub(super) struct Card {
    pub center: Vec3,
    /// The normal for its light.
    pub normal: Vec3,
    /// From its center to the middle of the side where the texture ends, along u and v.
    pub axes: [Vec3; 2],
    pub texture: CardTexture,
    pub color: Vec3,
    /// How much the normal of its corners leans outward.
    pub round: f32,
}

impl FormBuilder {
    pub fn new(kind: PlantKind, variant: usize) -> Self {
        let rng = NoiseRng::new(0x70_6c61_6e74, (kind as u64) << 8 | variant as u64);
        Self { rng, rigid: Vec::new(), cards: Vec::new(), branches: Vec::new() }
    }

    /// A random number between two.
    pub fn random(&mut self, from: f32, to: f32) -> f32 {
        self.rng.next_in(f64::from(from), f64::from(to)) as f32
    }

    /// A random direction.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let vector = [(); 3].map(|()| self.random(-1.0, 1.0));
            let square: f32 = vector.iter().map(|along| along * along).sum();
            if (0.01..=1.0).contains(&square) {
                return scaled(vector, 1.0 / square.sqrt());
            }
        }
    }

    /// A trunk with `sides` sides between two points with a radius each.
    pub fn trunk(&mut self, ends: [Vec3; 2], radii: [f32; 2], sides: u16, color: Vec3) {
        self.rigid.push(tube(ends, radii, sides, color));
    }

    /// The same with three sides, which goes first when the plant is farther away: its crown hides it then.
    pub fn branch(&mut self, ends: [Vec3; 2], radii: [f32; 2], color: Vec3) {
        let mut part = tube(ends, radii, 3, color);
        let center = mix(ends[0], ends[1], 0.5);
        for vertex in &mut part.vertices {
            (vertex.center, vertex.offset) = (center, sub(vertex.offset, center));
            vertex.role = PartRole::Detail;
        }
        self.branches.push(part);
    }

    /// A flat triangle of stone.
    pub fn face(&mut self, corners: [Vec3; 3], normals: [Vec3; 3], color: Vec3) {
        let vertex = |corner: usize| {
            let offset = corners[corner];
            FormVertex {
                center: [0.0; 3],
                offset,
                normal: normals[corner],
                color,
                // Seen from the side that the face looks to most, nearly.
                uv: [0.5 + 0.7 * (offset[0] + 0.6 * offset[1]), 0.5 + 0.7 * (offset[2] + 0.6 * offset[1])],
                texture: CardTexture::Grain as u8,
                role: PartRole::Rigid,
            }
        };
        self.rigid.push(Part { vertices: vec![vertex(0), vertex(1), vertex(2)], triangles: vec![[0, 1, 2]] });
    }

    /// A card. Every fourth one is kept when the plant is farther away.
    pub fn card(&mut self, card: &Card) {
        let role = if self.cards.len().is_multiple_of(4) { PartRole::Kept } else { PartRole::Detail };
        let [u, v] = card.axes;
        let corner = |[along_u, along_v]: [f32; 2]| {
            let offset = add(scaled(u, along_u), scaled(v, along_v));
            FormVertex {
                center: card.center,
                offset,
                normal: unit(add(card.normal, scaled(unit(offset), card.round))),
                color: card.color,
                uv: [0.5 + 0.5 * along_u, 0.5 - 0.5 * along_v],
                texture: card.texture as u8,
                role,
            }
        };
        let vertices = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner).to_vec();
        self.cards.push(Part { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] });
    }

    /// The form: rigid parts first, then kept cards, then the others.
    pub fn finish(self) -> PlantForm {
        let mut form = PlantForm::default();
        let is_kept = |part: &&Part| part.vertices[0].role == PartRole::Kept;
        form.extend(&self.rigid);
        form.extend(self.cards.iter().filter(is_kept));
        (form.kept_vertices, form.kept_triangles) = (form.vertices.len(), form.triangles.len());
        form.extend(self.cards.iter().filter(|part| !is_kept(part)));
        form.extend(&self.branches);
        form
    }
}

/// A tube between two points with a radius each, which narrows toward the second one.
fn tube([from, to]: [Vec3; 2], radii: [f32; 2], sides: u16, color: Vec3) -> Part {
    let along = unit(sub(to, from));
    let across = unit_or(cross(along, [0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]);
    let third = cross(along, across);
    let mut part = Part { vertices: Vec::new(), triangles: Vec::new() };
    // A seam where the texture ends.
    for side in 0..=sides {
        let turn = f32::from(side) / f32::from(sides);
        let (sine, cosine) = sincosf(turn * TAU);
        let normal = add(scaled(across, cosine), scaled(third, sine));
        for (end, place) in [from, to].into_iter().enumerate() {
            part.vertices.push(FormVertex {
                center: [0.0; 3],
                offset: add(place, scaled(normal, radii[end])),
                normal,
                color,
                uv: [turn, end as f32],
                texture: CardTexture::Bark as u8,
                role: PartRole::Rigid,
            });
        }
        if side < sides {
            let first = 2 * side;
            part.triangles.extend([[first, first + 2, first + 1], [first + 1, first + 2, first + 3]]);
        }
    }
    part
}

impl PlantForm {
    fn extend<'a>(&mut self, parts: impl IntoIterator<Item = &'a Part>) {
        for part in parts {
            let first = self.vertices.len() as u16;
            self.vertices.extend(&part.vertices);
            self.triangles.extend(part.triangles.iter().map(|corners| corners.map(|corner| first + corner)));
        }
    }
}
