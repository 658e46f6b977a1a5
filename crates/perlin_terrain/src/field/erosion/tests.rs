use super::*;
use crate::noise::{FractalShape, Noise, NoiseSettings};

/// A number in [`min`, `max`).
fn within(rng: &mut NoiseRng, min: f64, max: f64) -> f32 {
    rng.next_in(min, max) as f32
}

/// Settings anywhere within their limits, most of them near the defaults.
fn random_settings(rng: &mut NoiseRng) -> ErosionSettings {
    let settings = ErosionSettings {
        gully_length: rng.next_in(10.0, 3000.0),
        strength: rng.next_in(0.0, 1.0),
        octaves: 1 + rng.next_u32() % 8,
        persistence: rng.next_in(0.1, 0.9),
        detail: rng.next_unit(),
        ridge_rounding: rng.next_unit(),
        crease_rounding: rng.next_unit(),
        full_slope: rng.next_in(0.01, 4.0),
        assumed_slope: rng.next_in(0.1, 4.0),
    };
    settings.check().expect("within the limits");
    settings
}

/// Positions, slopes and heights: near the origin and far from it, level and steep.
struct Ground {
    positions: Vec<[FixedCoord; 2]>,
    slopes: [Vec<f32>; 2],
    heights: Vec<f32>,
}

fn random_ground(rng: &mut NoiseRng, count: usize) -> Ground {
    let mut ground = Ground { positions: vec![], slopes: [vec![], vec![]], heights: vec![] };
    for _ in 0..count {
        let far = 10.0_f64.powi((rng.next_u32() % 9) as i32);
        ground.positions.push([0; 2].map(|_| FixedCoord::from(rng.next_in(-far, far))));
        let steep = [0.0, 1e-12, 0.01, 1.0, 30.0][(rng.next_u32() % 5) as usize];
        for slopes in &mut ground.slopes {
            slopes.push(within(rng, -1.0, 1.0) * steep);
        }
        ground.heights.push(within(rng, -1000.0, 1000.0));
    }
    ground
}

#[test]
fn no_height_leaves_the_bound_and_no_drainage_its_range() {
    for seed in 0..60 {
        let mut rng = NoiseRng::new(seed, 0);
        let erosion = Erosion::new(&random_settings(&mut rng), seed, 1);
        let bound = f64::from(erosion.bound());
        let ground = random_ground(&mut rng, 1000);
        let (mut heights, mut drainage) = (ground.heights.clone(), vec![0.0; 1000]);
        let slopes = [&ground.slopes[0][..], &ground.slopes[1]];
        erosion.apply(&ground.positions, slopes, &mut heights, Some(&mut drainage));
        for ((&below, &height), &drainage) in ground.heights.iter().zip(&heights).zip(&drainage) {
            // A height below 2^12 m is rounded to 2^-13 m.
            let (added, rounding) = (f64::from(height) - f64::from(below), 1.0 / 8192.0);
            assert!(added.abs() <= bound + rounding, "seed {seed}: {added} is beyond {bound}");
            assert!((-1.0..=1.0).contains(&drainage), "seed {seed}: {drainage}");
        }
    }
}

#[test]
fn the_bound_is_nearly_reached() {
    // Steep ground.
    let erosion = Erosion::new(&ErosionSettings { octaves: 3, ..Default::default() }, 1, 1);
    let bound = erosion.bound();
    let mut rng = NoiseRng::new(9, 0);
    let (mut min, mut max) = (0.0_f32, 0.0_f32);
    for _ in 0..20_000 {
        let position = [0; 2].map(|_| FixedCoord::from(rng.next_in(-1e5, 1e5)));
        let height = erosion.apply_at(position, 0.0, [0.6, 0.5]).height;
        (min, max) = (min.min(height), max.max(height));
    }
    assert!(min < -0.9 * bound && max > 0.9 * bound, "{min} to {max} of {bound}");
}

#[test]
fn every_level_and_every_list_gives_the_bits_of_a_single_position() {
    for seed in 0..30 {
        let mut rng = NoiseRng::new(seed, 7);
        let erosion = Erosion::new(&random_settings(&mut rng), seed, 2);
        let count = 1 + (rng.next_u32() % 200) as usize;
        let ground = random_ground(&mut rng, count);
        let slopes = [&ground.slopes[0][..], &ground.slopes[1]];
        for level in SimdLevel::ALL {
            let (mut heights, mut drainage) = (ground.heights.clone(), vec![0.0; count]);
            erosion.apply_with(level, &ground.positions, slopes, &mut heights, Some(&mut drainage));
            for i in 0..count {
                let slope = [slopes[0][i], slopes[1][i]];
                let alone = erosion.apply_at(ground.positions[i], ground.heights[i], slope);
                let here = (heights[i].to_bits(), drainage[i].to_bits());
                assert_eq!(here, (alone.height.to_bits(), alone.drainage.to_bits()), "seed {seed}, {level:?}, {i}");
            }
            let mut again = ground.heights.clone();
            erosion.apply_with(level, &ground.positions, slopes, &mut again, None);
            assert_eq!(again, heights, "without drainage");
        }
    }
}

#[test]
fn values_are_stable_across_releases() {
    // Changing these numbers changes every eroded terrain: a value-breaking release.
    let erosion = Erosion::new(&ErosionSettings::default(), 42, 3);
    let mut rng = NoiseRng::new(1, 1);
    let bits: Vec<[u32; 2]> = (0..6)
        .map(|_| {
            let position = [0; 2].map(|_| FixedCoord::from(rng.next_in(-1e7, 1e7)));
            let slope = [0; 2].map(|_| within(&mut rng, -1.0, 1.0));
            let eroded = erosion.apply_at(position, within(&mut rng, -500.0, 500.0), slope);
            [eroded.height.to_bits(), eroded.drainage.to_bits()]
        })
        .collect();
    assert_eq!(bits, GOLDEN, "{bits:#x?}");
}

const GOLDEN: [[u32; 2]; 6] = [
    [0x42fd_4cc1, 0xbf32_c1aa],
    [0xc31d_e770, 0x3f3a_c10c],
    [0xc2a8_7411, 0xbf1c_0408],
    [0x43e8_61d7, 0x3f61_0a07],
    [0x4381_40a8, 0x3f10_4f08],
    [0xc328_ef9f, 0xbef8_97b4],
];

#[test]
fn seeds_and_streams_change_the_gullies() {
    let at = |seed, stream| {
        let erosion = Erosion::new(&ErosionSettings::default(), seed, stream);
        erosion.apply_at([10.0.into(), 20.0.into()], 0.0, [0.5, 0.5])
    };
    assert_eq!(at(1, 1), at(1, 1));
    assert_ne!(at(1, 1), at(2, 1));
    assert_ne!(at(1, 1), at(1, 2));
}

#[test]
fn level_ground_stays_where_it_is() {
    for seed in 0..200 {
        let mut rng = NoiseRng::new(seed, 5);
        let erosion = Erosion::new(&random_settings(&mut rng), seed, 0);
        let position = [0; 2].map(|_| FixedCoord::from(rng.next_in(-1e6, 1e6)));
        let below = within(&mut rng, -2000.0, 2000.0);
        let rise = within(&mut rng, 0.0, 1000.0);
        // A plain, a plain at the foot of one hill and of two, a level valley floor, and a summit.
        for sides in
            [[0.0; 4], [0.0, rise, 0.0, 0.0], [rise, 0.0, 0.0, 0.5 * rise], [rise, rise, 0.0, rise], [-rise; 4]]
        {
            let neighbors = sides.map(|rise| below + rise);
            let slope = erosion.slope(below, neighbors);
            let eroded = erosion.apply_at(position, below, slope);
            assert_eq!(eroded, Eroded { height: below, drainage: 0.0 }, "seed {seed}: {neighbors:?}");
        }
    }
}

/// The mean and the largest change of a plane with the slope `slope`.
fn changes(erosion: &Erosion, seed: u64, slope: f32) -> [f64; 2] {
    let mut rng = NoiseRng::new(seed, 6);
    const COUNT: usize = 4000;
    let (mut sum, mut max) = (0.0, 0.0_f64);
    for _ in 0..COUNT {
        let position = [0; 2].map(|_| FixedCoord::from(rng.next_in(-1e6, 1e6)));
        let angle = rng.next_in(0.0, std::f64::consts::TAU);
        let slope = [libm::cos(angle), libm::sin(angle)].map(|part| part as f32 * slope);
        let change = f64::from(erosion.apply_at(position, 0.0, slope).height);
        (sum, max) = (sum + change, max.max(change.abs()));
    }
    [sum / COUNT as f64, max]
}

#[test]
fn crests_rise_as_far_as_creases_sink() {
    for seed in 0..40 {
        let mut settings = random_settings(&mut NoiseRng::new(seed, 5));
        settings.crease_rounding = settings.ridge_rounding;
        let erosion = Erosion::new(&settings, seed, 0);
        for steepness in [0.1, 0.5, 1.0, 2.0] {
            let [mean, _] = changes(&erosion, seed, steepness * settings.full_slope as f32);
            let bound = f64::from(erosion.bound());
            assert!(mean.abs() < 0.05 * bound, "seed {seed}, {steepness} of the full slope: {mean} m of {bound} m");
        }
    }
}

#[test]
fn gullies_fade_with_the_slope() {
    for seed in 0..40 {
        let settings = random_settings(&mut NoiseRng::new(seed, 8));
        let erosion = Erosion::new(&settings, seed, 0);
        let max = |part: f64| changes(&erosion, seed, (part * settings.full_slope) as f32)[1];
        let changes = [0.0, 0.001, 0.01, 0.1, 0.3, 1.0].map(max);
        assert!(changes[0] == 0.0 && changes.is_sorted(), "seed {seed}: {changes:?}");
        // With the square of the slope.
        assert!(changes[1] <= 0.02 * changes[2], "seed {seed}: {changes:?}");
    }
}

#[test]
fn gullies_run_downhill() {
    // On a plane that falls along x, heights change more across than along.
    let settings = ErosionSettings { octaves: 1, ..Default::default() };
    let erosion = Erosion::new(&settings, 5, 0);
    let height = |x: f64, z: f64| f64::from(erosion.apply_at([x.into(), z.into()], 0.0, [-0.8, 0.0]).height);
    let mut rng = NoiseRng::new(3, 0);
    let (mut along, mut across) = (0.0, 0.0);
    for _ in 0..1000 {
        let [x, z] = [0; 2].map(|_| rng.next_in(0.0, 1e5));
        let here = height(x, z);
        along += (height(x + 10.0, z) - here).abs();
        across += (height(x, z + 10.0) - here).abs();
    }
    assert!(across > 3.0 * along, "{across} across, {along} along");
}

/// Ridged ground, whose slopes jump at crests, and the filter on top of it.
struct Mountains {
    base: Noise,
    erosion: Erosion,
    /// Over which the slope is measured, in ticks.
    distance: i64,
}

impl Mountains {
    fn height(&self, [x, z]: [i64; 2]) -> f64 {
        let below = |dx: i64, dz: i64| self.base.value_at([x + dx, z + dz].map(FixedCoord::from_ticks));
        let d = self.distance;
        let neighbors = [below(-d, 0), below(d, 0), below(0, -d), below(0, d)];
        let slope = limited_slope(below(0, 0), neighbors, d as f32 / TICKS_PER_UNIT as f32);
        f64::from(self.erosion.apply_at([x, z].map(FixedCoord::from_ticks), below(0, 0), slope).height)
    }

    /// The largest jumps of heights over 1 m, 1/8 m, 1/64 m and 1/1024 m. Of the steepest metres of many, the steepest half is
    /// taken again and again, so a cliff of any height is found.
    fn largest_jumps(&self, seed: u64, far: i64) -> [f64; 4] {
        let mut rng = NoiseRng::new(seed, 0);
        let mut metres: Vec<_> = (0..6000)
            .map(|_| {
                let at = [0; 2].map(|_| far + i64::from(rng.next_u32() % (20_000 * 1024)));
                let direction = if rng.next_u32().is_multiple_of(2) { [1, 0] } else { [0, 1] };
                let end = [0, 1].map(|axis| at[axis] + 1024 * direction[axis]);
                ((self.height(end) - self.height(at)).abs(), at, direction)
            })
            .collect();
        metres.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut largest = [0.0_f64; 4];
        for &(jump, at, direction) in &metres[..200] {
            let (mut at, mut length, mut jump) = (at, 1024, jump);
            loop {
                let slot = match length {
                    1024 => Some(0),
                    128 => Some(1),
                    16 => Some(2),
                    1 => Some(3),
                    _ => None,
                };
                if let Some(slot) = slot {
                    largest[slot] = largest[slot].max(jump);
                }
                if length == 1 {
                    break;
                }
                length /= 2;
                let middle = [0, 1].map(|axis| at[axis] + length * direction[axis]);
                let end = [0, 1].map(|axis| middle[axis] + length * direction[axis]);
                let [first, half, last] = [at, middle, end].map(|position| self.height(position));
                (at, jump) = if (half - first).abs() > (last - half).abs() {
                    (at, (half - first).abs())
                } else {
                    (middle, (last - half).abs())
                };
            }
        }
        largest
    }
}

#[test]
fn heights_over_ridged_ground_have_no_cliffs() {
    let ridged = NoiseSettings {
        shape: FractalShape::Ridged,
        octaves: 3,
        frequency: 1.0 / 4500.0,
        height_scale: 450.0,
        ..Default::default()
    };
    for (seed, far) in [(1, 0), (2, 0), (3, 1 << 40), (4, -(1 << 50))] {
        let settings = ErosionSettings { crease_rounding: 0.0, ridge_rounding: 0.0, octaves: 6, ..Default::default() };
        let erosion = Erosion::new(&settings, seed, 1);
        let base = Noise::seeded(&ridged, seed, 0);
        let distance = erosion.slope_distance();
        let mountains = Mountains { base, erosion, distance };
        let jumps = mountains.largest_jumps(seed, far);
        for (jump, length) in jumps.into_iter().zip([1.0, 0.125, 1.0 / 64.0, 1.0 / 1024.0]) {
            // Walls are steep, most of all where the ground below is level and the direction of gullies turns around a point.
            // A few roundings of heights below 2^9 m, by 2^-15 m each, come on top.
            assert!(jump < 60.0 * length + 0.002, "seed {seed}: {jump} m in {length} m");
        }
        // The exact slope of ridged noise jumps, and the filter makes cliffs: the search above would find them.
        let cliffs = Mountains { distance: 1, ..mountains }.largest_jumps(seed, far);
        assert!(cliffs[3] > 10.0, "{cliffs:?}");
    }
}
