//! The triangles of a chunk, and what a coarser neighbor changes about them.

/// The four sides of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Toward -z.
    North,
    /// Toward +z.
    South,
    /// Toward -x.
    West,
    /// Toward +x.
    East,
}

impl Side {
    /// All four.
    pub const ALL: [Self; 4] = [Self::North, Self::South, Self::West, Self::East];

    /// The step to the neighbor on this side, in chunks along x and z.
    #[must_use]
    pub const fn step(self) -> [i64; 2] {
        match self {
            Self::North => [0, -1],
            Self::South => [0, 1],
            Self::West => [-1, 0],
            Self::East => [1, 0],
        }
    }

    /// The side of the neighbor that touches this one.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::South => Self::North,
            Self::West => Self::East,
            Self::East => Self::West,
        }
    }

    /// Column and row of vertex `along` of this side, in a chunk of `quads` quads a side.
    #[must_use]
    pub const fn vertex(self, along: u32, quads: u32) -> [u32; 2] {
        match self {
            Self::North => [along, 0],
            Self::South => [along, quads],
            Self::West => [0, along],
            Self::East => [quads, along],
        }
    }
}

/// The sides of a chunk on which its neighbor is one level coarser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct StitchMask(u8);

impl StitchMask {
    /// No neighbor is coarser.
    pub const NONE: Self = Self(0);

    /// Whether the neighbor on each side is coarser, in the order of [`Side::ALL`].
    #[must_use]
    pub fn of(are_coarser: [bool; 4]) -> Self {
        let bits = are_coarser.into_iter().zip(Side::ALL).map(|(is_coarser, side)| u8::from(is_coarser) << side as u8);
        Self(bits.sum())
    }

    /// All sixteen combinations of sides.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..16).map(Self)
    }

    /// The same, and `side` too.
    #[must_use]
    pub const fn with(self, side: Side) -> Self {
        Self(self.0 | 1 << side as u8)
    }

    /// Whether the neighbor on `side` is coarser.
    #[must_use]
    pub const fn has(self, side: Side) -> bool {
        self.0 & (1 << side as u8) != 0
    }

    /// The sides as bits, that of [`Side::ALL`]`[n]` with the value `1 << n`.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The vertex whose place a vertex takes toward coarser neighbors, each as column and row. `side` is the number of vertices along
    /// each side.
    ///
    /// A coarser neighbor lacks every second vertex of the border. Each of these takes the place of the one before it; next to the
    /// south-east corner, that of the corner.
    #[must_use]
    pub const fn moved(self, side: u32, [column, row]: [u32; 2]) -> [u32; 2] {
        let last = side - 1;
        match (column, row) {
            (_, 0) if self.has(Side::North) => [even(column), row],
            (_, row) if row == last && self.has(Side::South) => [even_or_corner(column, last), row],
            (0, _) if self.has(Side::West) => [column, even(row)],
            (column, _) if column == last && self.has(Side::East) => [column, even_or_corner(row, last)],
            _ => [column, row],
        }
    }
}

const fn even(along: u32) -> u32 {
    along & !1
}

const fn even_or_corner(along: u32, last: u32) -> u32 {
    if along + 1 == last { last } else { even(along) }
}

/// The triangles of a chunk with `side` vertices along each side, at most 256: three indices each, quad by quad, row by row.
///
/// Every quad is split along the diagonal from north-east to south-west. Toward a coarser neighbor, every second vertex of the border
/// [moves](StitchMask::moved). Some triangles become a line, and the rest fill their place; both chunks then have the same vertices on
/// their border, and nothing in between:
///
/// ```text
///   0 --- 1 --- 2 --- 3 --- 4          0 --------- 2 --------- 4
///   |   / |   / |   / |   / |          | \       / | \       / |
///   | /   | /   | /   | /   |          |   \   /   |   \   /   |
///   5 --- 6 --- 7 --- 8 --- 9          5 --- 6 --- 7 --- 8 --- 9
/// ```
#[must_use]
pub fn triangle_indices(side: u32, edges: StitchMask) -> Vec<u16> {
    debug_assert!(side <= 256, "more than 65536 vertices need wider indices");
    let quads = side.saturating_sub(1);
    let all = (0..quads).flat_map(|row| (0..quads).map(move |column| [column, row]));
    all.flat_map(|[column, row]| quad_indices(side, edges, column, row)).flatten().collect()
}

/// The two triangles of the quad in column `x` and row `z`, counter-clockwise seen from above.
pub fn quad_indices(side: u32, edges: StitchMask, x: u32, z: u32) -> [[u16; 3]; 2] {
    let vertex = |x: u32, z: u32| {
        let [x, z] = edges.moved(side, [x, z]);
        (z * side + x) as u16
    };
    let [north_west, north_east] = [vertex(x, z), vertex(x + 1, z)];
    let [south_west, south_east] = [vertex(x, z + 1), vertex(x + 1, z + 1)];
    [[north_west, south_west, north_east], [north_east, south_west, south_east]]
}

/// The height of the surface that the two triangles of a quad make, at the position `(u, v)` in it: from 0 to 1 along x and along
/// z. `corners` are the heights in the north-west, the north-east, the south-west and the south-east.
///
/// ```
/// # use perlin_terrain::chunk::quad_height;
/// // A ridge from north-east to south-west, along which every quad is split.
/// let corners = [0.0, 8.0, 8.0, 0.0];
/// assert_eq!([quad_height(corners, 0.5, 0.5), quad_height(corners, 0.25, 0.25)], [8.0, 4.0]);
/// ```
#[must_use]
pub fn quad_height([north_west, north_east, south_west, south_east]: [f64; 4], u: f64, v: f64) -> f64 {
    if u + v <= 1.0 {
        north_west + u * (north_east - north_west) + v * (south_west - north_west)
    } else {
        south_east + (1.0 - u) * (south_west - south_east) + (1.0 - v) * (north_east - south_east)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Column and row of an index.
    fn position(index: u16, side: u32) -> [i64; 2] {
        [i64::from(index) % i64::from(side), i64::from(index) / i64::from(side)]
    }

    /// Twice the area of a triangle, positive where it faces up.
    fn double_area(triangle: &[u16], side: u32) -> i64 {
        let [a, b, c] = [0, 1, 2].map(|i| position(triangle[i], side));
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        u[1] * v[0] - u[0] * v[1]
    }

    #[test]
    fn triangles_fill_the_square_with_every_combination_of_edges() {
        for side in [9, 17, 65, 129] {
            for edges in StitchMask::all() {
                let indices = triangle_indices(side, edges);
                let quads = i64::from(side) - 1;
                assert_eq!(indices.len() as i64, 6 * quads * quads, "every variant has the same length");
                let mut area = 0;
                for triangle in indices.chunks(3) {
                    let here = double_area(triangle, side);
                    assert!(here >= 0, "{edges:?}: a triangle of {side} faces down");
                    area += here;
                }
                assert_eq!(area, 2 * quads * quads, "{edges:?} of {side}");
            }
        }
    }

    #[test]
    fn inside_a_chunk_every_triangle_shares_each_of_its_lines_with_one_other() {
        for edges in StitchMask::all() {
            let side = 9;
            let mut lines = BTreeSet::new();
            for triangle in triangle_indices(side, edges).chunks(3).filter(|t| double_area(t, side) > 0) {
                for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                    assert!(lines.insert((triangle[a], triangle[b])), "{edges:?}: a line is used twice");
                }
            }
            for &(a, b) in lines.iter().filter(|&&(a, b)| !lines.contains(&(b, a))) {
                let ([ax, az], [bx, bz]) = (position(a, side), position(b, side));
                let on_border = ax == bx && (ax == 0 || ax == 8) || az == bz && (az == 0 || az == 8);
                assert!(on_border, "{edges:?}: a hole at the line from {ax}, {az} to {bx}, {bz}");
            }
        }
    }

    #[test]
    fn toward_a_coarser_neighbor_only_its_vertices_are_used() {
        let side = 9;
        for edges in StitchMask::all() {
            let used: BTreeSet<u16> = triangle_indices(side, edges).into_iter().collect();
            for border in Side::ALL {
                for along in 0..side {
                    let [x, z] = border.vertex(along, side - 1);
                    let is_corner = along == 0 || along == side - 1;
                    let expected = is_corner || !edges.has(border) || along.is_multiple_of(2);
                    assert_eq!(used.contains(&((z * side + x) as u16)), expected, "{edges:?}, {border:?}, {along}");
                }
            }
        }
    }

    #[test]
    fn the_height_in_a_quad_is_that_of_the_triangle_there() {
        let corners = [3.0, -1.0, 7.5, 20.0];
        for triangle in triangle_indices(2, StitchMask::NONE).chunks(3) {
            let positions = [0, 1, 2].map(|i| position(triangle[i], 2).map(|along| along as f64));
            let heights = [0, 1, 2].map(|i| corners[usize::from(triangle[i])]);
            for weights in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.25, 0.25], [0.125, 0.5, 0.375]] {
                let mix = |values: [f64; 3]| (0..3).map(|i| weights[i] * values[i]).sum::<f64>();
                let [u, v] = [0, 1].map(|axis| mix(positions.map(|position| position[axis])));
                assert_eq!(quad_height(corners, u, v), mix(heights), "{triangle:?} at {u}, {v}");
            }
        }
    }

    #[test]
    fn the_largest_chunk_fits_sixteen_bit_indices() {
        assert_eq!(triangle_indices(129, StitchMask::NONE).iter().max(), Some(&(129 * 129 - 1)));
    }
}
