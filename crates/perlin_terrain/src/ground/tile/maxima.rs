//! The maximum mipmap of a tile.

/// The highest vertices over squares of 2 by 2 quads, 4 by 4 quads, and so on, up to one that covers the tile.
///
/// A ray that stays above the maximum of a square can't hit its triangles. Squares at the east and south border may reach beyond
/// the tile; they count what there is. Source: Tevs, Ihrke, Seidel, "Maximum mipmaps for fast, accurate, and scalable dynamic
/// height field rendering", 2008.
#[derive(Clone, Debug, PartialEq)]
pub struct Maxima {
    /// All levels, the finest first, row by row.
    maxima: Box<[f32]>,
    /// Columns of each level, and where it starts.
    levels: Box<[(usize, usize)]>,
}

impl Maxima {
    /// The maxima over `heights`, in rows of `width` vertices. There are at least two vertices along each side.
    pub fn new(heights: &[f32], width: usize) -> Self {
        let mut size = [width - 1, heights.len() / width - 1];
        let (mut maxima, mut levels) = (Vec::with_capacity(heights.len() / 2), Vec::new());
        let mut row = Vec::with_capacity(width);
        while levels.is_empty() || size != [1, 1] {
            let [columns, rows] = size.map(|side| side.div_ceil(2));
            let first = maxima.len();
            for above in 0..rows {
                // The first level has three rows of vertices in a square, the others two rows of smaller squares.
                if levels.is_empty() {
                    let rows = &heights[2 * above * width..heights.len().min((2 * above + 3) * width)];
                    highest_of_rows(rows, width, &mut row);
                    maxima.extend((0..columns).map(|at| highest(&row[2 * at..width.min(2 * at + 3)])));
                } else {
                    let below = levels.last().map_or(0, |&(_, start)| start) + 2 * above * size[0];
                    highest_of_rows(&maxima[below..first.min(below + 2 * size[0])], size[0], &mut row);
                    maxima.extend(row.chunks(2).map(highest));
                }
            }
            levels.push((columns, first));
            size = [columns, rows];
        }
        Self { maxima: maxima.into(), levels: levels.into() }
    }

    /// The coarsest level. Squares of level `l` are 2^l quads wide; the finest level is 1.
    pub const fn top(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The highest vertex of the square of `level` around a quad.
    pub fn around(&self, level: u32, [column, row]: [usize; 2]) -> f64 {
        let (columns, start) = self.levels[level as usize - 1];
        self.maxima[start + (row >> level) * columns + (column >> level)].into()
    }

    /// The highest vertex of all.
    pub const fn highest(&self) -> f32 {
        self.maxima[self.maxima.len() - 1]
    }

    /// The size of the maxima, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.maxima)
    }
}

/// The larger number: a single instruction, unlike `f32::max`.
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

fn highest(heights: &[f32]) -> f32 {
    heights.iter().copied().fold(f32::NEG_INFINITY, larger)
}

/// Replaces `highest` by the highest of each column of `rows`, which are `width` wide.
fn highest_of_rows(rows: &[f32], width: usize, highest: &mut Vec<f32>) {
    highest.clear();
    highest.extend_from_slice(&rows[..width]);
    for row in rows[width..].chunks_exact(width) {
        highest.iter_mut().zip(row).for_each(|(highest, &height)| *highest = larger(*highest, height));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use testing::for_all;

    #[test]
    fn a_maximum_is_the_highest_vertex_of_its_square() {
        let tiles = (1..20_usize, 1..20_usize).prop_flat_map(|(columns, rows)| {
            (vec(-1000.0..1000.0_f32, (columns + 1) * (rows + 1)), Just([columns, rows]))
        });
        for_all(200, tiles, |(heights, [columns, rows])| {
            let maxima = Maxima::new(&heights, columns + 1);
            assert!(columns.max(rows) <= 1 << maxima.top());
            for (level, row, column) in (1..=maxima.top())
                .flat_map(|level| (0..rows).flat_map(move |row| (0..columns).map(move |column| (level, row, column))))
            {
                let ([north, west], side) = ([row, column].map(|at| at >> level << level), 1 << level);
                let rows = north..=(north + side).min(rows);
                let vertices = rows.flat_map(|row| (west..=(west + side).min(columns)).map(move |x| (row, x)));
                let expected = vertices.map(|(row, x)| heights[row * (columns + 1) + x]).fold(f32::MIN, f32::max);
                assert_eq!(maxima.around(level, [column, row]), f64::from(expected));
            }
            assert_eq!(maxima.highest(), heights.iter().copied().fold(f32::MIN, f32::max));
        });
    }
}
