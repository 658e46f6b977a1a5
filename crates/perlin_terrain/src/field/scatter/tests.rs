//! Properties of scattered hills.

use super::*;
use proptest::prelude::*;
use proptest::sample::select;
use testing::for_all;

const SHAPES: [HillShape; 3] = [HillShape::Cone, HillShape::Dome, HillShape::Crater];

/// Hills that often reach beyond the cells around them, and overlap.
fn any_crowd() -> impl Strategy<Value = Scatter> {
    let sizes = (20.0..5000.0, 0.3..=1.0, 0.3..1.5, 0.5..1.5);
    let crater = (0.05..=0.9, 0.0..=1.0);
    (select(&SHAPES), sizes, 0.5..=1.0, crater).prop_map(
        |(shape, (spacing, height, radius_min, radius_max), chance, (crater_radius, crater_depth))| Scatter {
            shape,
            spacing,
            chance,
            radius_min: radius_min * spacing,
            radius_max: radius_max * spacing,
            height_min: 0.2 * height * spacing,
            height_max: 0.5 * height * spacing,
            crater_radius,
            crater_depth,
        },
    )
}

fn height(hills: &Hills, position: [FixedCoord; 2]) -> f32 {
    let mut heights = [f32::NAN];
    hills.fill(&[position], &mut heights);
    heights[0]
}

/// The last position before the border of a cell and the first position after it, along an axis.
fn border(hills: &Hills, position: [FixedCoord; 2], axis: usize, spacing: f64) -> [[FixedCoord; 2]; 2] {
    let moved = |from: [FixedCoord; 2], ticks: i64, fraction: f64| {
        let mut to = from;
        to[axis] = FixedCoord { ticks: from[axis].ticks.wrapping_add(ticks), fraction };
        to
    };
    let cell = |position| hills.locate(position).0[axis];
    let [mut low, mut high] = [0, (spacing * 1024.0) as i64 + 2];
    while high - low > 1 {
        let middle = (low + high) / 2;
        *(if cell(moved(position, middle, 0.0)) == cell(position) { &mut low } else { &mut high }) = middle;
    }
    let (tick, [mut low, mut high]) = (moved(position, low, 0.0), [0.0, 1.0]);
    while high - low > 1e-6 {
        let middle = 0.5 * (low + high);
        *(if cell(moved(tick, 0, middle)) == cell(position) { &mut low } else { &mut high }) = middle;
    }
    [moved(tick, 0, low), if high < 1.0 { moved(tick, 0, high) } else { moved(tick, 1, 0.0) }]
}

#[test]
fn heights_do_not_jump_at_the_borders_of_cells() {
    let positions = (-1e9..1e9, select(&[1e-5, 1.0]));
    for_all(100, (any_crowd(), any::<u64>(), positions), |(settings, seed, (x, scale))| {
        let hills = Hills::new(&settings, seed, 0);
        let mut high = 0;
        for i in 0..100 {
            let axis = i % 2;
            let near = [x * scale + 1.7 * settings.spacing * i as f64, 0.37 * settings.spacing * i as f64];
            let sides = border(&hills, near.map(FixedCoord::from), axis, settings.spacing);
            let cells = sides.map(|side| hills.locate(side).0[axis]);
            assert_eq!(cells[0].wrapping_add(1), cells[1], "there is a border between them");
            let [before, after] = sides.map(|side| height(&hills, side));
            assert!((before - after).abs() < 1e-3, "{before} and {after} at {near:?}");
            high += usize::from(before > 0.01 * settings.spacing as f32);
        }
        assert!(high > 20, "only {high} borders have hills");
    });
}

#[test]
fn heights_are_within_their_bounds_and_no_steeper_than_their_hills() {
    for_all(100, (any_crowd(), any::<u64>()), |(settings, seed)| {
        let hills = Hills::new(&settings, seed, 0);
        let bounds = hills.bounds();
        let at = |i: u32| {
            height(&hills, [f64::from(i) * 1e-3 * settings.spacing, 0.4 * settings.spacing].map(FixedCoord::from))
        };
        let heights: Vec<f32> = (0..5000).map(at).collect();
        for pair in heights.windows(2) {
            assert!((bounds.low..=bounds.high).contains(&pair[0].into()), "{} {bounds:?}", pair[0]);
            // The steepest wall is that of a crater, 2 D / r.
            let steepest = settings.height_max / settings.radius_min.min(settings.spacing);
            let steepest = steepest * (4.0 + 2.0 / settings.crater_radius + 2.0 / (1.0 - settings.crater_radius));
            let step = f64::from((pair[1] - pair[0]).abs());
            assert!(step <= 1.5e-3 * steepest * settings.spacing, "a step of {step} m");
        }
    });
}

#[test]
fn a_hill_that_is_not_there_changes_nothing() {
    for height in [0.0, 1e-20, 0.5, 1e4] {
        assert_eq!([higher(height, 0.0), higher(0.0, height)], [height; 2]);
    }
    for_all(1000, (0.0..1e3_f32, 0.0..1e3_f32), |(a, b)| {
        assert_eq!(higher(a, b), higher(b, a));
        assert!(higher(a, b) >= a.max(b));
        for (a2, b2) in [(a + 0.01, b), (a, b + 0.01), (a + 0.01, b + 0.01)] {
            let rise = higher(a2, b2) - higher(a, b);
            assert!((-1e-3..0.013).contains(&rise), "{rise} at {a}, {b}");
        }
    });
}

#[test]
fn profiles_end_at_zero_and_stay_within_one() {
    let crater = Hills::new(&Scatter { crater_depth: 0.3, ..Scatter::default() }, 0, 0).crater;
    assert_eq!([cone(0.0), dome(0.0)], [1.0; 2]);
    assert!((crater.at(0.0) - 0.7).abs() < 1e-6, "the floor of the crater");
    let rim = (0..1000).map(|i| (crater.at(i as f32 * 1e-3), i)).fold((0.0, 0), |a, b| if a.0 > b.0 { a } else { b });
    assert!(rim.0 > 0.9 && (180..260).contains(&rim.1), "{rim:?}");
    for_all(500, (0.05..=0.9, 0.0..=1.0, 0.0..=1.0_f32), |(crater_radius, crater_depth, x)| {
        let settings = Scatter { crater_radius, crater_depth, ..Scatter::default() };
        let crater = Hills::new(&settings, 0, 0).crater;
        assert_eq!([cone(1.0), dome(1.0), crater.at(1.0)], [0.0; 3]);
        assert!([cone(x), dome(x), crater.at(x)].iter().all(|height| (0.0..=1.0).contains(height)));
    });
}

/// The hills of many cells. One of nine is that of the cell.
fn hills_of_cells(settings: &Scatter, stream: u64) -> Vec<Option<Hill>> {
    let hills = Hills::new(settings, 7, stream);
    let cells = (0..100).flat_map(|row| (0..100).map(move |column| [column, row]));
    let inside = |center: i32| (0..1 << FRACTION_BITS).contains(&center);
    cells.map(|cell| hills.hills_around(cell).find(|hill| hill.center.iter().all(|&at| inside(at)))).collect()
}

#[test]
fn cells_have_hills_as_often_as_the_chance_says() {
    let count = |chance, stream| {
        let settings = Scatter { chance, ..Scatter::default() };
        hills_of_cells(&settings, stream).into_iter().map(|hill| hill.is_some()).collect::<Vec<bool>>()
    };
    assert!(count(0.0, 0).iter().all(|hill| !hill));
    assert!(count(1.0, 0).iter().all(|&hill| hill));
    let [half, other] = [count(0.5, 0), count(0.5, 1)];
    // Five standard deviations of 10^4 cells are 250. Neighbors and streams are independent.
    let next = |steps: usize| half.iter().zip(&half[steps..]).filter(|(a, b)| a == b).count();
    let streams = half.iter().zip(&other).filter(|(a, b)| a == b).count();
    for count in [half.iter().filter(|&&hill| hill).count(), next(1), next(100), next(101), streams] {
        assert!((4650..5350).contains(&count), "{count}");
    }
}

#[test]
fn larger_hills_are_higher_and_lie_anywhere_in_their_cells() {
    let settings = Scatter { chance: 1.0, ..Scatter::default() };
    let mut hills: Vec<Hill> = hills_of_cells(&settings, 0).into_iter().flatten().collect();
    let mean = |part: &dyn Fn(&Hill) -> f64| hills.iter().map(part).sum::<f64>() / hills.len() as f64;
    let cell = f64::from(1 << FRACTION_BITS);
    for axis in [0, 1] {
        // Five standard deviations of the mean of 10^4 numbers from 0 to 1 are 0.0145.
        let center = mean(&|hill| f64::from(hill.center[axis]) / cell);
        let square = mean(&|hill| (f64::from(hill.center[axis]) / cell).powi(2));
        assert!((center - 0.5).abs() < 0.0145 && (square - 1.0 / 3.0).abs() < 0.015, "{center} {square}");
    }
    assert!((mean(&|hill| hill.height.into()) - 325.0).abs() < 5.1);
    hills.sort_by(|a, b| a.height.total_cmp(&b.height));
    assert!(hills.windows(2).all(|pair| pair[0].per_radius >= pair[1].per_radius));
    let radius = |hill: &Hill| 3000.0 / (f64::from(hill.per_radius) * cell);
    let (first, last) = (&hills[0], &hills[hills.len() - 1]);
    assert!((500.0..510.0).contains(&radius(first)) && (1490.0..1501.0).contains(&radius(last)));
    assert!((150.0..152.0).contains(&first.height) && (498.0..=500.0).contains(&last.height));
}
