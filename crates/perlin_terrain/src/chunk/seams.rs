//! The seam report: checks that neighboring chunks match along their borders.

use super::coord_map::CoordMap;
use super::{
    ChunkBuilder, ChunkCoord, ChunkLayout, ChunkVertex, LodQuadtree, Morph, Side, StitchMask, triangle_indices,
};
use crate::field::HeightField;
use std::fmt;

/// The result of a check of all borders of a quadtree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeamReport {
    /// The number of borders between two chunks.
    pub borders: usize,
    /// The number of vertices on these borders.
    pub vertices: usize,
    /// All seams. Empty if every chunk matches its neighbors.
    pub seams: Vec<Seam>,
}

/// A border vertex at which two chunks do not match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seam {
    /// The chunk that has the vertex.
    pub chunk: ChunkCoord,
    /// The neighbor that does not match.
    pub neighbor: ChunkCoord,
    /// Index of the vertex in the world grid. For a [`SeamKind::LevelJump`], the north-west corner of `chunk`.
    pub vertex: [i64; 2],
    /// The drawn height of the vertex in `chunk`, in metres.
    pub height: f32,
    /// The mismatch.
    pub kind: SeamKind,
}

/// How two chunks differ at their border.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SeamKind {
    /// Both chunks have the vertex, at different heights. The number is the neighbor's height minus the chunk's height, in metres.
    Gap(f32),
    /// Only `chunk` has the vertex.
    TJunction,
    /// Both chunks have the vertex, with different normals, which is visible as an edge in the shading. The number is the length of
    /// the horizontal difference of the unit normals.
    Crease(f32),
    /// The chunks touch and differ by more than one level.
    LevelJump,
}

impl fmt::Display for SeamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gap(gap) => write!(f, "a gap of {:.3} m", gap.abs()),
            Self::TJunction => f.write_str("a T-junction"),
            Self::Crease(size) => write!(f, "a crease of {size:.4}"),
            Self::LevelJump => f.write_str("more than one level apart"),
        }
    }
}

/// Compares the drawn vertices of all leaves of `tree` along their common borders.
///
/// Compares the bits of heights and normals, as a shader draws them with `morph`, whose coordinates are relative to `center`.
/// With [`Morph::STILL`], chunks do not morph. Then normals differ between levels, and the report ignores creases there.
#[must_use]
pub fn seam_report(
    field: &HeightField,
    layout: &ChunkLayout,
    tree: &LodQuadtree,
    morph: &Morph,
    center: [f64; 2],
) -> SeamReport {
    let outlines: Vec<Outline> = StitchMask::all().map(|edges| Outline::new(layout, edges)).collect();
    let mut builder = ChunkBuilder::default();
    report(tree, !morph.viewers().is_empty(), |chunk, edges| {
        let heights = builder.heights(field, layout, chunk);
        let outline = outlines.iter().find(|outline| outline.edges == edges);
        outline
            .map(|outline| {
                outline.drawn(layout, chunk, |vertex| heights.vertex(vertex, StitchMask::NONE), morph, center)
            })
            .unwrap_or_default()
    })
}

/// A border vertex: its index in the world grid, its drawn height, and x and z of its drawn normal.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BorderVertex {
    vertex: [i64; 2],
    height: f32,
    normal: [f32; 2],
}

/// The drawn vertices of a chunk along each of its [sides](Side::ALL), in order.
type Borders = [Vec<BorderVertex>; 4];

/// The positions of the drawn vertices along each side of a chunk, for one stitch mask.
struct Outline {
    edges: StitchMask,
    sides: [Vec<u32>; 4],
}

impl Outline {
    /// Finds the vertices that the triangles use.
    fn new(layout: &ChunkLayout, edges: StitchMask) -> Self {
        let (quads, side) = (layout.quads(), layout.vertices());
        let mut used = vec![false; (side * side) as usize];
        for index in triangle_indices(side, edges) {
            used[usize::from(index)] = true;
        }
        let sides = Side::ALL.map(|border| {
            let is_used = |&along: &u32| {
                let [x, z] = border.vertex(along, quads);
                used[(z * side + x) as usize]
            };
            (0..side).filter(is_used).collect()
        });
        Self { edges, sides }
    }

    /// The drawn vertices of a chunk, of whose grid `vertex` is each vertex.
    fn drawn(
        &self,
        layout: &ChunkLayout,
        chunk: ChunkCoord,
        vertex: impl Fn([u32; 2]) -> ChunkVertex,
        morph: &Morph,
        center: [f64; 2],
    ) -> Borders {
        let grid = layout.grid(chunk, 0);
        let drawn = |[x, z]: [u32; 2]| {
            let ChunkVertex { position: [_, height, _], normal, coarse_height, coarse_normal } = vertex([x, z]);
            let position = grid.position(x as usize, z as usize);
            let factor =
                morph.factor(chunk.level, [(position[0] - center[0]) as f32, (position[1] - center[1]) as f32]);
            BorderVertex {
                vertex: [grid.origin[0] + i64::from(x) * grid.stride, grid.origin[1] + i64::from(z) * grid.stride],
                height: Morph::between(height, coarse_height, factor),
                normal: [0, 1].map(|axis| Morph::between(normal[2 * axis], coarse_normal[axis], factor)),
            }
        };
        let mut sides = self.sides.iter();
        Side::ALL.map(|side| {
            let along = sides.next().into_iter().flatten();
            along.map(|&along| drawn(side.vertex(along, layout.quads()))).collect()
        })
    }
}

/// Compares the borders that `draw` returns for each leaf. Compares normals between different levels only if
/// `normals_of_all_levels`.
fn report(
    tree: &LodQuadtree,
    normals_of_all_levels: bool,
    mut draw: impl FnMut(ChunkCoord, StitchMask) -> Borders,
) -> SeamReport {
    let borders: CoordMap<Borders> =
        tree.leaves().iter().map(|&leaf| (leaf, draw(leaf, tree.stitch_mask(leaf)))).collect();
    let mut report = SeamReport::default();
    for &leaf in tree.leaves() {
        report.find_level_jumps(tree, leaf, borders[&leaf][Side::North as usize].first());
        for (side, here) in Side::ALL.into_iter().zip(&borders[&leaf]) {
            let [dx, dz] = side.step();
            let same = leaf.neighbor(dx, dz);
            let there = [same, same.parent()].into_iter().find(|&neighbor| tree.is_leaf(neighbor));
            // Compare each border once: between equal levels from one side, between different levels from the finer side.
            let Some(neighbor) = there.filter(|there| there.level > leaf.level || dx + dz > 0) else {
                continue;
            };
            let with_normals = neighbor.level == leaf.level || normals_of_all_levels;
            report.compare(with_normals, (leaf, here), (neighbor, &borders[&neighbor][side.opposite() as usize]));
        }
    }
    report
}

impl SeamReport {
    /// Compares the border `here` of a chunk with the part of the neighbor's border `there` that touches it.
    fn compare(
        &mut self,
        with_normals: bool,
        (chunk, here): (ChunkCoord, &[BorderVertex]),
        (neighbor, there): (ChunkCoord, &[BorderVertex]),
    ) {
        self.borders += 1;
        self.vertices += here.len();
        let (Some(first), Some(last)) = (here.first(), here.last()) else {
            return;
        };
        let touches = |other: &&BorderVertex| {
            (0..2).all(|axis| (first.vertex[axis]..=last.vertex[axis]).contains(&other.vertex[axis]))
        };
        let there: Vec<&BorderVertex> = there.iter().filter(touches).collect();
        for mine in here {
            let kind = match there.iter().find(|theirs| theirs.vertex == mine.vertex) {
                None => SeamKind::TJunction,
                Some(theirs) if theirs.height.to_bits() != mine.height.to_bits() => {
                    SeamKind::Gap(theirs.height - mine.height)
                }
                Some(theirs) if with_normals && theirs.normal.map(f32::to_bits) != mine.normal.map(f32::to_bits) => {
                    let [x, z] = [0, 1].map(|axis| theirs.normal[axis] - mine.normal[axis]);
                    SeamKind::Crease((x * x + z * z).sqrt())
                }
                Some(_) => continue,
            };
            self.seams.push(Seam { chunk, neighbor, vertex: mine.vertex, height: mine.height, kind });
        }
        for theirs in there.iter().filter(|theirs| here.iter().all(|mine| mine.vertex != theirs.vertex)) {
            let (chunk, neighbor) = (neighbor, chunk);
            let BorderVertex { vertex, height, .. } = **theirs;
            self.seams.push(Seam { chunk, neighbor, vertex, height, kind: SeamKind::TJunction });
        }
    }

    /// Adds a seam for each neighbor of the leaf `chunk` that is coarser by more than one level. `corner` is the north-west vertex
    /// of the leaf.
    fn find_level_jumps(&mut self, tree: &LodQuadtree, chunk: ChunkCoord, corner: Option<&BorderVertex>) {
        let Some(&BorderVertex { vertex, height, .. }) = corner else {
            return;
        };
        let jumps = tree.level_jumps(chunk).into_iter();
        self.seams.extend(jumps.map(|neighbor| Seam { chunk, neighbor, vertex, height, kind: SeamKind::LevelJump }));
    }
}

#[cfg(test)]
mod tests;
