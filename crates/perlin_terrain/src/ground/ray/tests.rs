//! Rays against brute force over all triangles.

use super::*;
use crate::ground::fixtures::{POSITIONS, SPACINGS, ground};
use proptest::prelude::*;
use std::cell::Cell;
use testing::for_all;

/// Quads along a side of the ground that a test looks at: several tiles.
const QUADS: usize = 50;

/// The tolerance of touching, in metres: far more than rounding, far less than a millimetre.
const TOUCH: f64 = 1e-6;

/// All triangles of a square, relative to its corner.
struct Patch {
    ground: Ground,
    corner: [f64; 2],
    spacing: f64,
    heights: Vec<f64>,
}

impl Patch {
    /// The square whose corner is the vertex at or before `(far, -far)`.
    fn new(spacing: f64, far: f64) -> Self {
        let ground = ground(spacing);
        let spacing = ground.layout().spacing(0);
        let index = [far, -far].map(|along| (along / spacing).floor() as i64);
        let grid = ground.layout().square(index, QUADS as u32);
        let vertices = (0..=QUADS).flat_map(|row| (0..=QUADS).map(move |column| grid.position(column, row)));
        let heights = vertices.map(|[x, z]| ground.field().height(x, z).into()).collect();
        Self { corner: grid.position(0, 0), spacing, heights, ground }
    }

    /// Patches of all spacings, at all distances.
    fn all() -> Vec<Self> {
        SPACINGS.into_iter().flat_map(|spacing| POSITIONS.map(|far| Self::new(spacing, far))).collect()
    }

    fn height(&self, column: usize, row: usize) -> f64 {
        self.heights[row * (QUADS + 1) + column]
    }

    /// The position in the terrain of a position in quads from the corner, and how far it is above the vertex before it, in quads.
    fn position(&self, [x, rise, z]: [f64; 3]) -> [f64; 3] {
        let [column, row] = [x, z].map(|along| along as usize);
        let [west, north] = self.corner;
        [west + x * self.spacing, self.height(column, row) + rise * self.spacing, north + z * self.spacing]
    }

    /// All distances at which the line from `from` to `to` crosses a triangle, in order, each with the change of its height above the
    /// ground for each metre.
    fn crossings(&self, from: [f64; 3], to: [f64; 3]) -> Vec<(f64, f64)> {
        let [a, b] =
            [from, to].map(|[x, y, z]| [(x - self.corner[0]) / self.spacing, y, (z - self.corner[1]) / self.spacing]);
        let between: [f64; 3] = std::array::from_fn(|axis| to[axis] - from[axis]);
        let length = between.iter().map(|part| part * part).sum::<f64>().sqrt();
        let range = |axis: usize| {
            let ends = [a[axis].min(b[axis]) - 1.0, a[axis].max(b[axis]) + 1.0];
            ends.map(|along| along.clamp(0.0, QUADS as f64 - 1.0) as usize)
        };
        let ([west, east], [north, south]) = (range(0), range(2));
        let mut crossings = vec![];
        for (row, column) in (north..=south).flat_map(|row| (west..=east).map(move |column| (row, column))) {
            let h = |x: usize, z: usize| self.height(column + x, row + z);
            let triangles = [
                (h(0, 0), h(1, 0) - h(0, 0), h(0, 1) - h(0, 0)),
                (h(0, 1) + h(1, 0) - h(1, 1), h(1, 1) - h(0, 1), h(1, 1) - h(1, 0)),
            ];
            for (number, (corner, east, south)) in triangles.into_iter().enumerate() {
                let gap =
                    |end: [f64; 3]| end[1] - corner - east * (end[0] - column as f64) - south * (end[2] - row as f64);
                let (start, end) = (gap(a), gap(b));
                let part = start / (start - end);
                let [u, v] =
                    [(0, column), (2, row)].map(|(axis, first)| a[axis] + part * (b[axis] - a[axis]) - first as f64);
                let is_in = if number == 0 {
                    u.min(v) > -1e-9 && u + v < 1.0 + 1e-9
                } else {
                    u.max(v) < 1.0 + 1e-9 && u + v > 1.0 - 1e-9
                };
                if part.is_finite() && (0.0..=1.0).contains(&part) && is_in {
                    crossings.push((part * length, (end - start) / length));
                }
            }
        }
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        crossings
    }

    /// The height of a position above the ground.
    fn gap(&self, [x, y, z]: [f64; 3]) -> f64 {
        y - self.ground.height(x, z)
    }
}

/// A coordinate in quads: anywhere, on a line of the grid, or halfway, so that pairs of them lie on diagonals.
fn along() -> impl Strategy<Value = f64> {
    let last = QUADS as f64 - 0.001;
    prop_oneof![3 => 0.0..last, 2 => (0..QUADS).prop_map(|index| index as f64), 1 => (0..QUADS).prop_map(|index| index as f64 + 0.5)]
}

/// The rise over a vertex, in quads: anywhere, little, or none.
fn rise() -> impl Strategy<Value = f64> {
    prop_oneof![3 => -8.0..8.0, 2 => -0.2..0.2, 1 => Just(0.0)]
}

/// The ends of a ray: anywhere, along an axis, along a diagonal, vertical, level, or along an edge of a triangle.
fn ends() -> impl Strategy<Value = [[f64; 3]; 2]> {
    let all = ([along(), along(), along(), along()], [rise(), rise()], 0..9_u8);
    all.prop_map(|([x, z, to_x, to_z], [rise, to_rise], kind)| {
        let last = QUADS as f64 - 0.001;
        let reach = |max: f64| (to_x - x).abs().min(max);
        let from = [x, rise, z];
        let to = match kind {
            0 => [to_x, to_rise, z],
            1 => [x, to_rise, to_z],
            2 => [x, to_rise, z],
            3 => [x + reach(last - x).min(z), to_rise, z - reach(last - x).min(z)],
            4 => [x - reach(x).min(z), to_rise, z - reach(x).min(z)],
            5 => [(x + 1.0).min(last), rise, z],
            _ => [to_x, to_rise, to_z],
        };
        [from, to]
    })
}

#[test]
fn a_ray_hits_what_brute_force_over_all_triangles_hits() {
    let patches = Patch::all();
    let counts = [0; 3].map(Cell::new);
    for_all(3000, (0..patches.len(), ends(), any::<bool>()), |(number, ends, is_two_sided)| {
        let patch: &Patch = &patches[number];
        let [from, to] = ends.map(|end| patch.position(end));
        let direction: [f64; 3] = std::array::from_fn(|axis| to[axis] - from[axis]);
        let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
        let settings = RaySettings { max_distance: length, is_two_sided };
        let hit = patch.ground.ray(from, direction, &settings);
        let all = patch.crossings(from, to);
        let counts_as_hit = |&&(_, change): &&(f64, f64)| change < 0.0 || is_two_sided;
        let expected: Vec<f64> = all.iter().filter(counts_as_hit).map(|crossing| crossing.0).collect();
        let at = |distance: f64| std::array::from_fn(|axis| from[axis] + direction[axis] * (distance / length));
        // Whether the ray only touches the ground between two distances, or ends in it.
        let touches = |start: f64, end: f64| {
            let steps = (0..=200).map(|step| start + (end - start) * f64::from(step) / 200.0);
            steps.map(|distance| patch.gap(at(distance)).abs()).fold(0.0, f64::max) < TOUCH
        };
        match hit {
            Some(hit) => {
                counts[0].update(|count| count + 1);
                assert!(patch.gap(hit.position).abs() < TOUCH, "the hit is on the ground: {hit:?}");
                let near =
                    expected.iter().map(|distance| (distance - hit.distance).abs()).fold(f64::INFINITY, f64::min);
                // Along a triangle, rounding decides where the ray crosses it.
                let grazes = || touches(hit.distance, length.min(hit.distance + 1e-3));
                assert!(near < 1e-3 || grazes(), "{hit:?} is {near} m from {expected:?}");
                let before = expected.iter().filter(|&&distance| distance > TOUCH && distance < hit.distance - 1e-3);
                for &distance in before {
                    let after = all.iter().map(|crossing| crossing.0).find(|&next| next > distance + TOUCH);
                    let end = after.unwrap_or(hit.distance).min(hit.distance);
                    assert!(touches(distance, end), "nothing lies before {hit:?}: {expected:?}");
                }
                assert!(is_two_sided || !hit.is_from_below);
            }
            None => {
                counts[1].update(|count| count + 1);
                // A ray may start or end on the ground.
                for &distance in expected.iter().filter(|&&distance| distance > TOUCH && distance < length - TOUCH) {
                    let after = all.iter().map(|crossing| crossing.0).find(|&next| next > distance + TOUCH);
                    let end = after.unwrap_or(length);
                    counts[2].update(|count| count + 1);
                    assert!(touches(distance, end), "no hit at {expected:?} of {all:?}");
                }
            }
        }
    });
    let [hits, misses, touches] = counts.map(|count: Cell<u32>| count.get());
    assert!(hits > 800 && misses > 400 && touches < misses / 4, "{hits} hits, {misses} misses, {touches} touch");
}

#[test]
fn nothing_leaks_along_lines_of_the_grid_and_diagonals() {
    for patch in Patch::all() {
        for (index, other) in
            (0..QUADS).flat_map(|index| [0, 1, 15, 16, 17, 31, 32, 49].map(|other| (index as f64, f64::from(other))))
        {
            for position in [[index, other], [other, index], [index + 0.5, other + 0.5], [index, other + 0.5]] {
                let over = patch.position([position[0], 0.0, position[1]]);
                let [x, _, z] = over;
                let height = patch.ground.height(x, z);
                let above = [x, height + 10.0 * patch.spacing, z];
                let hit =
                    patch.ground.ray(above, [0.0, -1.0, 0.0], &RaySettings::default()).expect("a vertical ray hits");
                assert!((hit.position[1] - height).abs() < TOUCH, "{hit:?} for {height}");
                let below = [x, height - 10.0 * patch.spacing, z];
                let two_sided = RaySettings::default().two_sided();
                let hit = patch.ground.ray(below, [0.0, 3.0, 0.0], &two_sided).expect("a vertical ray hits");
                assert!((hit.position[1] - height).abs() < TOUCH && hit.is_from_below, "{hit:?} for {height}");
                assert_eq!(patch.ground.ray(below, [0.0, 1.0, 0.0], &RaySettings::default()), None);
                // Steeper than the ground, along x, along z and along both diagonals.
                for [dx, dz] in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, 0.0], [0.0, -1.0]] {
                    let back = 10.0 * patch.spacing;
                    let from = [x - back * dx, height + 20.0 * back, z - back * dz];
                    let hit =
                        patch.ground.ray(from, [dx, -20.0, dz], &RaySettings::default()).expect("a steep ray hits");
                    let off = [0, 1, 2].map(|axis| (hit.position[axis] - [x, height, z][axis]).abs());
                    assert!(off.into_iter().all(|off| off < 1e-3), "{hit:?} for {height} at {x}, {z}");
                }
            }
        }
    }
}

#[test]
fn level_ground_is_hit_from_above_and_not_along_it() {
    let ground = crate::ground::fixtures::level_ground(25.0);
    let down = ground.ray([3.0, 26.0, 4.0], [0.0, -2.0, 0.0], &RaySettings::default()).expect("there is ground");
    assert_eq!((down.position, down.distance, down.normal), ([3.0, 25.0, 4.0], 1.0, [0.0, 1.0, 0.0]));
    let slanted = ground.ray([0.0, 28.0, 0.0], [4.0, -3.0, 0.0], &RaySettings::default()).expect("there is ground");
    assert!((slanted.distance - 5.0).abs() < 1e-12);
    for direction in [[1.0, 0.0, 0.3], [-1.0, 0.1, 0.0]] {
        assert_eq!(ground.ray([0.0, 25.0, 0.0], direction, &RaySettings::default().two_sided()), None, "{direction:?}");
    }
    assert!(ground.ray([0.0, 25.0, 0.0], [0.0, -1.0, 0.0], &RaySettings::default()).is_some());
}

#[test]
fn a_ray_ends_at_its_largest_distance() {
    let ground = crate::ground::fixtures::level_ground(0.0);
    let down = |distance| ground.ray([0.0, 100.0, 0.0], [0.0, -1.0, 0.0], &RaySettings::up_to(distance));
    assert_eq!((down(99.9), down(-1.0)), (None, None));
    assert!(down(100.1).is_some());
    let far = |distance| ground.ray([0.0, 1.0, 0.0], [1e5 + 100.0, -1.0, 0.0], &RaySettings::up_to(distance));
    assert_eq!(far(f64::INFINITY), None, "at most `MAX_DISTANCE`");
}

#[test]
fn a_line_has_finite_numbers() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for axis in 0..3 {
            let (good, mut bad) = ([1.0; 3], [1.0; 3]);
            assert!(Line::new(good, good, 1.0).is_some());
            bad[axis] = number;
            assert!(Line::new(bad, good, 1.0).is_none() && Line::new(good, bad, 1.0).is_none(), "{bad:?}");
        }
    }
}

#[test]
fn bad_numbers_hit_nothing() {
    let ground = ground(4.0);
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e300, 1e13];
    for number in bad {
        for axis in 0..3 {
            let (mut origin, mut direction) = ([0.0, 1000.0, 0.0], [0.1, -1.0, 0.1]);
            origin[axis] = number;
            for settings in [RaySettings::default(), RaySettings::default().two_sided(), RaySettings::up_to(1e300)] {
                assert_eq!(ground.ray(origin, direction, &settings), None, "{origin:?}");
            }
            assert!(!ground.line_of_sight(origin, [0.0; 3]) && !ground.line_of_sight([0.0; 3], origin), "{origin:?}");
            direction[axis] = number;
            let hit = ground.ray([0.0, 1000.0, 0.0], direction, &RaySettings::default());
            assert!(number.is_finite() || hit.is_none(), "{direction:?}");
        }
        assert_eq!(
            ground.ray([0.0, 1000.0, 0.0], [0.0, -1.0, 0.0], &RaySettings::up_to(number)).is_some(),
            number > 1e3
        );
    }
    assert_eq!(ground.ray([0.0; 3], [0.0; 3], &RaySettings::default()), None);
    for tiny in [1e-300, 1e300] {
        assert!(ground.ray([0.0, 1000.0, 0.0], [0.0, -tiny, tiny], &RaySettings::default()).is_some());
    }
}

#[test]
fn many_rays_hit_what_each_hits() {
    let ground = ground(4.0);
    let rays: Vec<_> = (0..20).map(|ray| [[f64::from(ray), 100.0, 0.0], [1.0, -0.3, f64::from(ray)]]).collect();
    let mut hits = vec![None; 3];
    ground.rays(&rays, &RaySettings::default(), &mut hits);
    let each: Vec<_> = rays.iter().map(|&[from, to]| ground.ray(from, to, &RaySettings::default())).collect();
    assert!(hits == each && hits.iter().any(Option::is_some));
}

#[test]
fn hills_hide_what_is_behind_them_and_the_ground_hides_what_is_in_it() {
    let patches = Patch::all();
    let counts = [0; 2].map(Cell::new);
    for_all(1500, (0..patches.len(), ends()), |(number, ends)| {
        let patch: &Patch = &patches[number];
        let [from, to] = ends.map(|end| patch.position(end));
        let sees = patch.ground.line_of_sight(from, to);
        let steps = 2000;
        let part = |step: i32| {
            std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * f64::from(step) / f64::from(steps))
        };
        let lowest = (0..=steps).map(|step| patch.gap(part(step))).fold(f64::INFINITY, f64::min);
        // At the ends, the ground may rise by the margin times its slope.
        if sees {
            assert!(lowest > -5.0 * Ground::SIGHT_MARGIN, "a line that is seen goes {lowest} m below the ground");
        } else {
            // Between two steps, the line may come lower.
            assert!(lowest < 0.02 * patch.spacing, "a line that is not seen stays {lowest} m above the ground");
        }
        // A line along an edge of a triangle touches the ground, and rounding decides.
        let touches = lowest.abs() < 5.0 * Ground::SIGHT_MARGIN + 0.02 * patch.spacing;
        assert!(touches || sees == patch.ground.line_of_sight(to, from));
        counts[usize::from(sees)].update(|count| count + 1);
    });
    assert!(counts.iter().all(|count: &Cell<u32>| count.get() > 200), "{counts:?}");
}

#[test]
fn what_stands_on_the_ground_is_seen_from_above() {
    let ground = ground(4.0);
    for x in (0..200).map(f64::from) {
        let foot = [x, f64::from(ground.height(x, 7.0) as f32), 7.0];
        assert!(ground.line_of_sight([x + 3.0, foot[1] + 100.0, 9.0], foot));
        assert!(!ground.line_of_sight([x + 3.0, foot[1] + 100.0, 9.0], [x, foot[1] - 0.1, 7.0]));
        assert!(ground.line_of_sight(foot, foot));
    }
}
