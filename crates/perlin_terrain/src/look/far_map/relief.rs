//! Heights on a square grid, and the horizons that are seen from them.

use std::ops::Range;

/// Heights on a square grid, row by row.
pub(super) struct Relief {
    pub heights: Vec<f32>,
    /// The number of heights in a row.
    pub side: usize,
    /// The distance between neighbors in metres.
    pub step: f32,
    /// The level of the water, which hides lower ground. `f32::MIN` without water.
    pub water: f32,
}

impl Relief {
    /// The heights of a row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.heights[row * self.side..][..self.side]
    }

    /// The positions of `columns` in `row` that see other positions `offset` columns and rows away: the range of their numbers in
    /// `columns`, their heights, and the heights that they see. Positions that see beyond the grid are left out.
    fn looking(&self, columns: Range<usize>, row: usize, offset: [isize; 2]) -> (Range<usize>, &[f32], &[f32]) {
        let [dx, dz] = offset;
        let first = columns.start.max(0_usize.saturating_add_signed(-dx));
        let end = columns.end.min(self.side.saturating_add_signed(-dx));
        let Some(there) = row.checked_add_signed(dz).filter(|&there| there < self.side && first < end) else {
            return (0..0, &[], &[]);
        };
        let seen = first.saturating_add_signed(dx)..end.saturating_add_signed(dx);
        (first - columns.start..end - columns.start, &self.row(row)[first..end], &self.row(there)[seen])
    }

    /// The height of the water where the ground is lower.
    fn surface(&self, height: f32) -> f32 {
        // Faster than `f32::max`, which cares about what is not a number.
        if height > self.water { height } else { self.water }
    }

    /// Raises `horizon` to what the positions of `columns` in `row` see in a direction: the tangent of the horizon's height.
    ///
    /// They look at the points of the grid that are nearest to the `distances`, which are in steps of the grid. Where there is water, they
    /// are on it, and look over it.
    pub fn raise_horizon(
        &self,
        horizon: &mut [f32],
        columns: &Range<usize>,
        row: usize,
        [x, z]: [f32; 2],
        distances: &[f32],
    ) {
        for distance in distances {
            let [dx, dz] = [x * distance, z * distance].map(f32::round);
            let per_metre = 1.0 / (dx.hypot(dz) * self.step);
            let (positions, here, there) = self.looking(columns.clone(), row, [dx as isize, dz as isize]);
            for ((horizon, here), there) in horizon[positions].iter_mut().zip(here).zip(there) {
                let rise = (self.surface(*there) - self.surface(*here)) * per_metre;
                *horizon = if rise > *horizon { rise } else { *horizon };
            }
        }
    }

    /// How much the positions of `columns` in `row` lie below those around them, in metres: below the mean of eight positions `radius`
    /// steps of the grid away.
    pub fn hollow(&self, columns: &Range<usize>, row: usize, radius: f32) -> Vec<f32> {
        let mut depth = vec![0.0; columns.len()];
        for direction in DIRECTIONS {
            let offset = direction.map(|part| (part * radius).round() as isize);
            let (positions, here, there) = self.looking(columns.clone(), row, offset);
            for ((depth, here), there) in depth[positions].iter_mut().zip(here).zip(there) {
                *depth += (there - here) / 8.0;
            }
        }
        depth
    }
}

const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Eight directions around a position.
pub(crate) const DIRECTIONS: [[f32; 2]; 8] = [
    [1.0, 0.0],
    [DIAGONAL, DIAGONAL],
    [0.0, 1.0],
    [-DIAGONAL, DIAGONAL],
    [-1.0, 0.0],
    [-DIAGONAL, -DIAGONAL],
    [0.0, -1.0],
    [DIAGONAL, -DIAGONAL],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A wall of 320 m in column 40, on a grid of 64 x 64 heights that are 16 m apart.
    fn wall() -> Relief {
        let heights = (0..64 * 64).map(|i| if i % 64 == 40 { 320.0 } else { 0.0 }).collect();
        Relief { heights, side: 64, step: 16.0, water: f32::MIN }
    }

    fn horizon(direction: [f32; 2], distances: &[f32]) -> Vec<f32> {
        let mut horizon = vec![0.0; 60];
        wall().raise_horizon(&mut horizon, &(2..62), 30, direction, distances);
        horizon
    }

    #[test]
    fn a_wall_stands_as_high_in_the_sky_as_its_height_and_distance_say() {
        let east = horizon([1.0, 0.0], &[5.0, 10.0, 20.0, 100.0]);
        // The positions are those of columns 2 to 61. The wall is 20 steps high.
        assert_eq!((east[35 - 2], east[30 - 2], east[20 - 2]), (4.0, 2.0, 1.0));
        assert_eq!(east.iter().filter(|&&rise| rise > 0.0).count(), 3);
        assert_eq!(horizon([-1.0, 0.0], &[5.0])[45 - 2], 4.0);
        assert!(horizon([0.0, 1.0], &[1.0, 2.0, 5.0]).iter().all(|&rise| rise == 0.0));
        // The nearest neighbor is 7 columns and 7 rows away.
        let diagonal = horizon([DIAGONAL, -DIAGONAL], &[10.0])[33 - 2];
        assert!((diagonal - 20.0 / 98.0_f32.sqrt()).abs() < 1e-5, "{diagonal}");
    }

    #[test]
    fn water_hides_the_foot_of_a_wall_and_lower_walls_whole() {
        let at = |water| {
            let mut horizon = vec![0.0; 60];
            Relief { water, ..wall() }.raise_horizon(&mut horizon, &(2..62), 30, [1.0, 0.0], &[10.0]);
            horizon[30 - 2]
        };
        assert_eq!([-5.0, 160.0, 320.0, 400.0].map(at), [2.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn nothing_is_seen_beyond_the_grid() {
        for direction in DIRECTIONS {
            let all = horizon(direction, &[70.0]);
            assert!(all.iter().all(|&rise| rise == 0.0), "{direction:?}");
        }
        let mut top = vec![0.0; 64];
        wall().raise_horizon(&mut top, &(0..64), 0, [0.0, -1.0], &[1.0, 3.0]);
        assert_eq!(top, [0.0; 64]);
    }

    #[test]
    fn crests_are_higher_than_what_is_around_them_and_hollows_lower() {
        let depths = wall().hollow(&(0..64), 30, 4.0);
        assert_eq!(depths[40], -320.0 * 6.0 / 8.0);
        // Of eight positions around, one is on the wall.
        assert_eq!((depths[36], depths[10]), (40.0, 0.0));
    }
}
