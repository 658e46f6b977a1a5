//! Lattices in 1 to 4 dimensions, own gradients and own octaves against the published formulas, written down once more as plainly
//! as possible.

use crate::accuracy::bound;
use perlin_fbm::{
    AnyLattice, BitGradients, Fade, Fractal, FractalShape, GridGradients, HashGradients, IntegerHash, Lattice,
    LatticeKind, Noise, NoisePreset, NoiseRng, NoiseSettings, OctaveSum, Perlin, Permutation, PermutationKind,
    SplitHashGradients, TableGradients,
};

/// A few dozen operations on numbers up to 1000 cells, each rounded by 1.1e-16 of its result.
const SLACK: f64 = 1e-12;

const FADES: [Fade; 4] = [Fade::Linear, Fade::Cubic, Fade::Quintic, Fade::MinimalCubic];

/// A position within 300 units of the origin, on both sides of zero.
fn position<const N: usize>(rng: &mut NoiseRng) -> [f64; N] {
    std::array::from_fn(|_| rng.next_unit() * 600.0 - 300.0)
}

/// The noise at `p` by the formulas: tangent planes at the `2^N` corners of the cell, whose coordinates are the bits of their
/// numbers, blended in pairs along one axis after the other.
fn reference<const N: usize>(fade: Fade, gradient: &dyn Fn([i64; N]) -> [f64; N], p: [f64; N]) -> f64 {
    if fade == Fade::MinimalCubic {
        return minimal_cubic(gradient, p);
    }
    let cell = p.map(f64::floor);
    let mut values: Vec<f64> = (0..1 << N)
        .map(|corner: usize| {
            let node: [f64; N] = std::array::from_fn(|axis| cell[axis] + (corner >> axis & 1) as f64);
            let g = gradient(node.map(|c| c as i64));
            (0..N).map(|axis| g[axis] * (p[axis] - node[axis])).sum()
        })
        .collect();
    for axis in 0..N {
        let t = p[axis] - cell[axis];
        let s = match fade {
            Fade::Linear => t,
            Fade::Cubic => 3.0 * t.powi(2) - 2.0 * t.powi(3),
            Fade::Quintic => 6.0 * t.powi(5) - 15.0 * t.powi(4) + 10.0 * t.powi(3),
            other => panic!("the formula of {other:?} is missing here"),
        };
        values = values.chunks(2).map(|pair| (1.0 - s) * pair[0] + s * pair[1]).collect();
    }
    values[0]
}

/// The minimal cubic at `p`: for each corner and each component of its gradient, Hermite's cubic of a slope along the axis of the
/// component, and those of a value along the others.
fn minimal_cubic<const N: usize>(gradient: &dyn Fn([i64; N]) -> [f64; N], p: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for corner in 0..1 << N {
        let node: [f64; N] = std::array::from_fn(|axis| p[axis].floor() + (corner >> axis & 1) as f64);
        let from_node: [f64; N] = std::array::from_fn(|axis| p[axis] - node[axis]);
        // Both are 0 a cell away. Near the node, one is a slope of 1 and no value, the other a value of 1 and no slope.
        let slope = |d: f64| d * (1.0 - d.abs()).powi(2);
        let value = |d: f64| 1.0 - 3.0 * d.abs().powi(2) + 2.0 * d.abs().powi(3);
        for (along, component) in gradient(node.map(|c| c as i64)).into_iter().enumerate() {
            let others: f64 = (0..N).filter(|&axis| axis != along).map(|axis| value(from_node[axis])).product();
            sum += component * slope(from_node[along]) * others;
        }
    }
    sum
}

/// Compares one octave and a sum of octaves of `settings` with the formulas.
fn check<const N: usize>(settings: &NoiseSettings, gradient: impl Fn([i64; N]) -> [f64; N])
where
    AnyLattice<N>: Lattice<N>,
{
    let mut rng = NoiseRng::new(N as u64, 9);
    for fade in FADES {
        let settings = NoiseSettings {
            fade,
            octaves: 4,
            frequency: 0.31,
            persistence: 0.6,
            sum: OctaveSum::Raw,
            height_scale: 1.0,
            offset_octaves: false,
            ..settings.clone()
        };
        let single = NoiseSettings { octaves: 1, frequency: 1.0, ..settings.clone() };
        let [sum, single] = [settings, single].map(|settings| Fractal::<_, N>::seeded(&settings, SEED, 0));
        for _ in 0..60 {
            let p = position(&mut rng);
            let expected = reference(fade, &gradient, p);
            let found = single.value(p);
            assert!((found - expected).abs() < SLACK, "{N} dimensions, {fade:?}, {p:?}: {found}, not {expected}");
            let octave = |i: i32| 0.6_f64.powi(i) * reference(fade, &gradient, p.map(|x| x * 0.31 * 2.0_f64.powi(i)));
            let (found, expected) = (sum.value(p), (0..4).map(octave).sum::<f64>());
            assert!(
                (found - expected).abs() < SLACK,
                "sum in {N} dimensions, {fade:?}, {p:?}: {found}, not {expected}"
            );
        }
    }
}

const SEED: u64 = 21;

fn settings(lattice: LatticeKind) -> NoiseSettings {
    NoiseSettings { lattice, ..NoiseSettings::default() }
}

/// `P[.. P[P[u] + v] ..]` with all sums modulo 256, entry by entry.
fn hash(permutation: &[u8; 256], node: &[i64]) -> u8 {
    node.iter().fold(0, |hash, &c| permutation[((i64::from(hash) + c.rem_euclid(256)) % 256) as usize])
}

/// The numbers from 0 to 255, each swapped with one of those up to it, from the last to the first.
fn shuffled(rng: &mut NoiseRng) -> [u8; 256] {
    let mut permutation = std::array::from_fn(|i| i as u8);
    for i in (1..256).rev() {
        permutation.swap(i, rng.next_u32() as usize % (i + 1));
    }
    permutation
}

/// The settings of a lattice with either permutation, and that permutation.
fn permutations(lattice: LatticeKind) -> [(NoiseSettings, [u8; 256]); 2] {
    let permutation = Permutation::perlin();
    let perlin = std::array::from_fn(|i| permutation.hash_n([i as i64]));
    let shuffled = shuffled(&mut NoiseRng::new(SEED, 0));
    [(PermutationKind::Perlin, perlin), (PermutationKind::Shuffled, shuffled)]
        .map(|(permutation, table)| (NoiseSettings { permutation, ..settings(lattice) }, table))
}

/// The next random vector, uniform on the sphere, by a formula for each number of dimensions.
fn direction<const N: usize>(rng: &mut NoiseRng) -> [f64; N] {
    let angle = |rng: &mut NoiseRng| (rng.next_unit() * std::f64::consts::TAU).sin_cos();
    let vector = match N {
        1 => vec![if rng.next_unit() < 0.5 { 1.0 } else { -1.0 }],
        2 => {
            let (y, x) = angle(rng);
            vec![x, y]
        }
        3 => {
            // A uniform height, and an angle around it.
            let sign = if rng.next_unit() < 0.5 { 1.0 } else { -1.0 };
            let height = sign * rng.next_unit();
            let ((b, a), radius) = (angle(rng), (1.0 - height * height).sqrt());
            vec![height, radius * a, radius * b]
        }
        4 => {
            // Two circles, whose squared radii are uniform and add up to one.
            let (y, x) = angle(rng);
            let square = rng.next_unit();
            let (w, z) = angle(rng);
            let (first, second) = (square.sqrt(), (1.0 - square).sqrt());
            vec![first * x, first * y, second * z, second * w]
        }
        _ => panic!("{N} dimensions"),
    };
    vector.try_into().expect("N components")
}

/// Calls a generic function for 1, 2, 3 and 4 dimensions.
macro_rules! in_every_dimension {
    ($function:ident) => {
        $function::<1>();
        $function::<2>();
        $function::<3>();
        $function::<4>();
    };
}

#[test]
fn the_table_is_its_formula() {
    fn test<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
    {
        let mut rng = NoiseRng::new(SEED, 0);
        let table: Vec<[f64; N]> = (0..256).map(|_| direction(&mut rng)).collect();
        let permutation = shuffled(&mut rng);
        check(&settings(LatticeKind::Table), |node: [i64; N]| table[usize::from(hash(&permutation, &node))]);
    }
    in_every_dimension!(test);
}

#[test]
fn the_grid_is_its_formula() {
    fn test<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
    {
        let size = [[5, 0, 0, 0], [5, 7, 0, 0], [5, 7, 64, 0], [5, 7, 16, 16]][N - 1];
        let mut rng = NoiseRng::new(SEED, 0);
        let nodes: i64 = size[..N].iter().product();
        let grid: Vec<[f64; N]> = (0..nodes).map(|_| direction(&mut rng)).collect();
        let settings = NoiseSettings { period_x: 5, period_y: 7, ..settings(LatticeKind::Grid) };
        // A whole number of cells in the period at any frequency: the settings repeat every octave where the first repeats.
        let at = |node: [i64; N], periods: [i64; 4]| {
            let wrapped = |axis: usize| node[axis].rem_euclid(periods[axis]).rem_euclid(size[axis]);
            let index = (0..N).rev().fold(0, |index, axis| index * size[axis] + wrapped(axis));
            grid[index as usize]
        };
        let fractal = Fractal::<_, N>::seeded(
            &NoiseSettings { octaves: 2, frequency: 1.0, height_scale: 1.5, offset_octaves: false, ..settings },
            SEED,
            0,
        );
        for _ in 0..300 {
            let p = position(&mut rng);
            let first = reference(Fade::Quintic, &|node| at(node, [5, 7, 64, 16]), p);
            let second = reference(Fade::Quintic, &|node| at(node, [10, 14, 64, 16]), p.map(|x| 2.0 * x));
            let (found, expected) = (fractal.value(p), first + second / 2.0);
            assert!((found - expected).abs() < SLACK, "{N} dimensions, {p:?}: {found}, not {expected}");
        }
    }
    in_every_dimension!(test);
}

#[test]
fn own_gradients_are_interpolated_as_published() {
    fn test<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
    {
        let mut rng = NoiseRng::new(N as u64, 5);
        let size = [[6, 1, 1, 1], [6, 5, 1, 1], [6, 5, 4, 1], [6, 5, 4, 3]][N - 1][..N].try_into().expect("N sizes");
        let mut random = || -> [f64; N] { std::array::from_fn(|_| rng.next_unit() * 5.0 - 2.0) };
        let mut drawn = std::collections::HashMap::new();
        let grid = GridGradients::from_fn(size, |node| *drawn.entry(node).or_insert_with(&mut random));
        let vectors: Vec<[f64; N]> = (0..40).map(|_| random()).collect();
        let permutation = shuffled(&mut NoiseRng::new(1, 0));
        let table = Permutation::new(permutation).expect("a shuffled list has every number once");
        let table = TableGradients::from_parts(table, &vectors);
        for fade in FADES {
            let mut positions = NoiseRng::new(7, 0);
            let (grid, table) = (Perlin::new(grid.clone(), fade), Perlin::new(table.clone(), fade));
            for _ in 0..100 {
                let p = position(&mut positions);
                let of_grid = |node: [i64; N]| {
                    drawn[&std::array::from_fn(|axis| node[axis].rem_euclid(size[axis].into()) as u32)]
                };
                let of_table = |node: [i64; N]| vectors[usize::from(hash(&permutation, &node)) % 40];
                for (found, expected) in
                    [(grid.value(p), reference(fade, &of_grid, p)), (table.value(p), reference(fade, &of_table, p))]
                {
                    assert!(
                        (found - expected).abs() < SLACK,
                        "{N} dimensions, {fade:?}, {p:?}: {found}, not {expected}"
                    );
                }
            }
        }
    }
    in_every_dimension!(test);
}

/// Figure 10 of Burger's report: the gradients at the four corners of a cell.
#[test]
fn four_given_gradients_are_the_corners_of_a_cell() {
    let gradients = [[[-0.5, -1.2], [0.7, -0.4]], [[1.0, 0.5], [-0.5, 0.6]]];
    let grid = GridGradients::from_fn([2, 2], |[x, y]| gradients[y as usize][x as usize]);
    let noise = Perlin::new(grid.clone(), Fade::Quintic);
    // In the middle, the mean of the planes: (-0.25 - 0.6 - 0.35 - 0.2 + 0.5 - 0.25 + 0.25 - 0.3) / 4.
    assert!((noise.value([0.5, 0.5]) + 0.3).abs() < SLACK);
    let settings = NoiseSettings { octaves: 1, frequency: 1.0, height_scale: 1.0, ..NoiseSettings::default() };
    let fast = Noise::new(grid, &settings);
    let mut rng = NoiseRng::new(2, 0);
    for _ in 0..200 {
        let p: [f64; 2] = position(&mut rng);
        let exact = noise.value(p);
        assert!((fast.sample([p[0], p[1]]).value - exact).abs() < SLACK);
        // A fraction of a cell is rounded by 2^-25 and slopes are below 4; a dozen operations round by 2^-24 each.
        assert!((f64::from(fast.value([p[0], p[1]])) - exact).abs() < 2e-6, "at {p:?}");
    }
}

#[test]
fn diagonals_are_the_corners_by_the_low_bits() {
    // The list of one dimension less, and the same backwards on the other side.
    fn corners(dimensions: usize) -> Vec<Vec<f64>> {
        if dimensions == 0 {
            return vec![vec![]];
        }
        let below = corners(dimensions - 1);
        let with = |corner: &Vec<f64>, last| [&corner[..], &[last]].concat();
        below.iter().map(|c| with(c, 1.0)).chain(below.iter().rev().map(|c| with(c, -1.0))).collect()
    }
    assert_eq!(corners(2), [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]], "as published");
    fn test<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
    {
        let corners = corners(N);
        for (settings, permutation) in permutations(LatticeKind::Diagonal) {
            check(&settings, |node: [i64; N]| {
                let corner = &corners[usize::from(hash(&permutation, &node)) % corners.len()];
                corner[..].try_into().expect("N components")
            });
        }
    }
    in_every_dimension!(test);
}

/// The slope along each axis of the function `grad` of Perlin's reference implementation.
fn edge(hash: u8) -> [f64; 3] {
    let grad = |x: f64, y: f64, z: f64| {
        let h = hash & 15;
        let u = if h < 8 { x } else { y };
        let v = match h {
            0..4 => y,
            12 | 14 => x,
            _ => z,
        };
        (if h & 1 == 0 { u } else { -u }) + (if h & 2 == 0 { v } else { -v })
    };
    [grad(1.0, 0.0, 0.0), grad(0.0, 1.0, 0.0), grad(0.0, 0.0, 1.0)]
}

#[test]
fn edges_are_those_of_the_reference_implementation_and_of_the_tesseract() {
    let mut edges = Vec::new();
    for missing in 0..4 {
        for signs in 0..8 {
            let [a, b, c] = [0, 1, 2].map(|bit| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 });
            edges.push(match missing {
                0 => [0.0, a, b, c],
                1 => [a, 0.0, b, c],
                2 => [a, b, 0.0, c],
                _ => [a, b, c, 0.0],
            });
        }
    }
    for (settings, permutation) in permutations(LatticeKind::Edge) {
        check(&settings, |[x]: [i64; 1]| [edge(hash(&permutation, &[x, 0, 0]))[0]]);
        check(&settings, |[x, y]: [i64; 2]| {
            let [gx, gy, _] = edge(hash(&permutation, &[x, y, 0]));
            [gx, gy]
        });
        check(&settings, |node: [i64; 3]| edge(hash(&permutation, &node)));
        check(&settings, |node: [i64; 4]| edges[usize::from(hash(&permutation, &node)) % 32]);
    }
}

#[test]
fn bits_of_the_permutation_are_components() {
    fn test<const N: usize>()
    where
        BitGradients: Lattice<N>,
        AnyLattice<N>: Lattice<N>,
    {
        // The first group at the lowest bit, the last at the highest, the others evenly between.
        let shift = |axis: usize, bits: u32| if N == 1 { 0 } else { axis as u32 * (8 - bits) / (N as u32 - 1) };
        for (settings, permutation) in permutations(LatticeKind::Bit) {
            for bits in 1..=8 {
                check(&NoiseSettings { bits, ..settings.clone() }, |node: [i64; N]| {
                    let (hash, values) = (i32::from(hash(&permutation, &node)), 2_i32.pow(bits));
                    std::array::from_fn(|axis| {
                        let group = hash / 2_i32.pow(shift(axis, bits)) % values;
                        2.0 * f64::from(group) / f64::from(values - 1) - 1.0
                    })
                });
            }
        }
    }
    in_every_dimension!(test);
}

#[test]
fn hashes_of_the_prime_combinations_are_components() {
    const PRIMES: [[i64; 4]; 4] = [[59, 67, 71, 103], [73, 79, 83, 107], [89, 97, 101, 109], [113, 127, 131, 137]];
    fn test<const N: usize>()
    where
        HashGradients: Lattice<N>,
        AnyLattice<N>: Lattice<N>,
    {
        for (kind, hash) in [
            (LatticeKind::Ward, IntegerHash::Ward),
            (LatticeKind::Shift, IntegerHash::Shift),
            (LatticeKind::ShiftMult, IntegerHash::ShiftMult),
        ] {
            // The seed of the settings is the first number drawn.
            let seed = i64::from(NoiseRng::new(SEED, 0).next_u32().cast_signed());
            check(&settings(kind), |node: [i64; N]| {
                std::array::from_fn(|component| {
                    let key: i64 = (0..N).map(|axis| PRIMES[component][axis] * node[axis]).sum();
                    2.0 * f64::from(hash.hash((key + seed) as i32)) / f64::from(i32::MAX) - 1.0
                })
            });
        }
    }
    in_every_dimension!(test);
}

#[test]
fn bytes_of_one_hash_are_components() {
    fn test<const N: usize>()
    where
        SplitHashGradients: Lattice<N>,
    {
        for hash in [IntegerHash::Ward, IntegerHash::Shift, IntegerHash::ShiftMult] {
            for seed in [0, -77] {
                let gradient = |node: [i64; N]| {
                    let key: i64 = node.iter().zip([59, 67, 71, 103]).map(|(c, prime)| c * prime).sum();
                    let bytes = hash.hash((key + seed) as i32).to_le_bytes();
                    // The hash is never negative, so its highest byte has 7 bits.
                    std::array::from_fn(|i| 2.0 * f64::from(bytes[i]) / [255.0, 255.0, 255.0, 127.0][i] - 1.0)
                };
                let mut rng = NoiseRng::new(8, 0);
                for fade in FADES {
                    let noise = Perlin::new(SplitHashGradients::new(hash, seed as i32), fade);
                    for _ in 0..60 {
                        let p: [f64; N] = position(&mut rng);
                        let (found, expected) = (noise.value(p), reference(fade, &gradient, p));
                        let what = format!("{hash:?} in {N} dimensions, {fade:?}, {p:?}");
                        assert!((found - expected).abs() < SLACK, "{what}: {found}, not {expected}");
                    }
                }
            }
        }
    }
    in_every_dimension!(test);
}

const SHAPES: [FractalShape; 5] =
    [FractalShape::Fbm, FractalShape::Ridged, FractalShape::Billow, FractalShape::Hybrid, FractalShape::Damped];

#[test]
fn any_octaves_add_up_as_published() {
    fn test<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
        HashGradients: Lattice<N>,
    {
        let lattice = HashGradients::new(IntegerHash::Shift, 4);
        let gradient = |node| lattice.gradient(node);
        // Neither ordered nor geometric, with a frequency that comes twice and an amplitude below zero.
        let octaves = [(0.37, 1.0), (0.011, -4.5), (1.9, 0.125), (0.37, 0.5), (0.6, 0.0)];
        let mut rng = NoiseRng::new(9, 0);
        for fade in FADES {
            for (sum, whole) in [(OctaveSum::Raw, 1.0), (OctaveSum::Normalized, 6.125)] {
                // Numbers of the settings that count for geometric octaves only.
                let settings = NoiseSettings {
                    fade,
                    sum,
                    octaves: 2,
                    max_frequency: 0.1,
                    amplitude: 9.0,
                    lacunarity: 3.0,
                    height_scale: 10.0,
                    ..NoiseSettings::default()
                };
                let fractal = Fractal::<_, N>::from_octaves(lattice, &octaves, &settings);
                for _ in 0..60 {
                    let p: [f64; N] = position(&mut rng);
                    let octave = |(f, a)| a * reference(fade, &gradient, p.map(|x| f * x));
                    let expected = 10.0 * octaves.into_iter().map(octave).sum::<f64>() / whole;
                    let found = fractal.value(p);
                    let what = format!("{sum:?} in {N} dimensions, {fade:?}, {p:?}");
                    assert!((found - expected).abs() < 50.0 * SLACK, "{what}: {found}, not {expected}");
                    assert!(found.abs() <= fractal.bound(), "{what}: {found}");
                }
            }
        }
    }
    in_every_dimension!(test);
}

#[test]
fn own_octaves_that_are_geometric_give_the_bits_of_the_settings() {
    for shape in SHAPES {
        let settings = NoiseSettings {
            shape,
            lacunarity: 2.1,
            frequency: 0.013,
            exponent: 1.3,
            warp_strength: 20.0,
            offset_octaves: false,
            ..NoiseSettings::default()
        };
        let octaves: Vec<(f64, f64)> = settings.octaves().collect();
        let lattice = HashGradients::new(IntegerHash::Ward, 2);
        let [geometric, own] = [Noise::new(lattice, &settings), Noise::from_octaves(lattice, &octaves, &settings)];
        let mut rng = NoiseRng::new(3, 0);
        for _ in 0..200 {
            let [x, y] = position(&mut rng);
            assert_eq!(own.sample([x, y]), geometric.sample([x, y]), "{shape:?} at {x}, {y}");
            assert_eq!(own.value([x, y]).to_bits(), geometric.value([x, y]).to_bits(), "{shape:?} at {x}, {y}");
        }
    }
}

#[test]
fn own_octaves_are_as_exact_on_the_fast_path() {
    let octaves = [(0.4, 1.0), (0.03, -0.5), (0.11, 0.75), (2.5, 0.125)];
    for shape in SHAPES {
        let settings =
            NoiseSettings { shape, height_scale: 1.0, frequency: 0.01, period_x: 3, period_y: 7, ..Default::default() };
        let noise = Noise::from_octaves(TableGradients::new(&mut NoiseRng::new(6, 0)), &octaves, &settings);
        let mut rng = NoiseRng::new(4, 0);
        for _ in 0..300 {
            let [x, y] = position(&mut rng);
            let exact = noise.sample([x, y]).value;
            assert!((f64::from(noise.value([x, y])) - exact).abs() < bound(shape), "{shape:?} at {x}, {y}");
            // 3 cells of 100 units by 7: every octave has a whole number of cells there.
            let tile = noise.sample([x + 300.0, y - 1400.0]).value;
            assert!((tile - exact).abs() < 1e-10, "{shape:?} at {x}, {y}: {exact}, {tile}");
        }
    }
    let flat = Noise::from_octaves(HashGradients::new(IntegerHash::Ward, 2), &[], &NoiseSettings::default());
    assert_eq!((flat.value([1.5, 2.5]), flat.sample([1.5, 2.5]).value), (0.0, 0.0));
}

#[test]
fn own_octaves_repeat_after_a_period_in_cells_of_the_frequency() {
    // 3 by 7 cells of 100 units, which have 120 by 280 cells of the first octave and 9 by 21 of the second.
    let octaves = [(0.4, 1.0, [120, 280]), (0.03, -0.5, [9, 21])];
    let settings = NoiseSettings {
        sum: OctaveSum::Raw,
        height_scale: 1.0,
        frequency: 0.01,
        period_x: 3,
        period_y: 7,
        ..Default::default()
    };
    let lattice = HashGradients::new(IntegerHash::Shift, 8);
    let fractal = Fractal::from_octaves(lattice, &octaves.map(|(f, a, _)| (f, a)), &settings);
    let mut rng = NoiseRng::new(4, 0);
    for _ in 0..300 {
        let p = position(&mut rng);
        let octave = |(f, a, [x, y]): (f64, f64, [i64; 2])| {
            let gradient = |node: [i64; 2]| lattice.gradient([node[0].rem_euclid(x), node[1].rem_euclid(y)]);
            a * reference(Fade::Quintic, &gradient, p.map(|x| f * x))
        };
        let (found, expected) = (fractal.value(p), octaves.into_iter().map(octave).sum::<f64>());
        assert!((found - expected).abs() < SLACK, "at {p:?}: {found}, not {expected}");
    }
}

#[test]
fn absurd_octaves_are_no_panic() {
    let absurd = [0.0, -0.0, -1.0, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE];
    for frequency in absurd {
        for amplitude in absurd {
            for shape in SHAPES {
                let settings = NoiseSettings { shape, frequency, period_x: 3, ..NoiseSettings::default() };
                let lattice = HashGradients::new(IntegerHash::Ward, 2);
                let noise = Noise::from_octaves(lattice, &[(frequency, amplitude), (0.1, 1.0)], &settings);
                _ = (noise.value([12.25, -7.5]), noise.sample([12.25, -7.5]), noise.bound());
            }
        }
    }
}

#[test]
fn on_a_line_curvatures_at_nodes_are_the_published_ones() {
    let mut rng = NoiseRng::new(5, 0);
    for _ in 0..100 {
        let [g0, g1] = [0; 2].map(|_| rng.next_in(-1.0, 1.0));
        let line = GridGradients::from_fn([2], |[x]| [[g0, g1][x as usize]]);
        let [cubic, quintic] = [Fade::Cubic, Fade::Quintic].map(|fade| Perlin::new(line.clone(), fade));
        // Just below node 1 the second derivative is still that of the cell before it; it changes by 50 per cell at most.
        let below = 1.0 - 1e-10;
        let [[[start]], [[end]]] = [cubic.curvature([0.0]), cubic.curvature([below])];
        assert!((start + 6.0 * g1).abs() < SLACK && (end - 6.0 * g0).abs() < 1e-8, "{g0}, {g1}: {start}, {end}");
        let [[[start]], [[end]]] = [quintic.curvature([0.0]), quintic.curvature([below])];
        assert!(start.abs() < SLACK && end.abs() < 1e-7, "{g0}, {g1}: {start}, {end}");
        // The second derivatives of equations 16 and 29 within the cell.
        let t = rng.next_unit();
        let of_cubic = 24.0 * (g0 - g1) * t * t - 6.0 * (3.0 * g0 - 5.0 * g1) * t - 6.0 * g1;
        let of_quintic = 30.0 * (6.0 * (g1 - g0)) * t.powi(4)
            + 20.0 * (15.0 * g0 - 21.0 * g1) * t.powi(3)
            + 12.0 * (25.0 * g1 - 10.0 * g0) * t.powi(2)
            - 60.0 * g1 * t;
        for (noise, expected) in [(&cubic, of_cubic), (&quintic, of_quintic)] {
            let [[found]] = noise.curvature([t]);
            // Sums of a few numbers up to 600.
            assert!((found - expected).abs() < 1e-11, "{g0}, {g1} at {t}: {found}, not {expected}");
        }
    }
}

#[test]
fn octaves_of_the_minimal_cubic_add_up_as_published() {
    let lattice = HashGradients::new(IntegerHash::Shift, 3);
    let octaves = [(1.0, 1.0), (2.0, -0.5), (0.3, 4.0)];
    let settings = NoiseSettings { fade: Fade::MinimalCubic, sum: OctaveSum::Raw, ..NoiseSettings::unit() };
    let noise = Fractal::<_, 1>::from_octaves(lattice, &octaves, &settings);
    let mut rng = NoiseRng::new(6, 0);
    for _ in 0..300 {
        let [x] = position(&mut rng);
        let octave = |(f, a): (f64, f64)| {
            let (p, t) = ((f * x).floor(), (f * x).rem_euclid(1.0));
            let [[g0], [g1]] = [p, p + 1.0].map(|node| lattice.gradient([node as i64]));
            // Equation 13.
            a * ((g0 + g1) * t.powi(3) - (2.0 * g0 + g1) * t.powi(2) + g0 * t)
        };
        let (found, expected) = (noise.value([x]), octaves.into_iter().map(octave).sum::<f64>());
        assert!((found - expected).abs() < SLACK, "at {x}: {found}, not {expected}");
    }
}

#[test]
fn the_minimal_cubic_is_zero_at_nodes_and_rises_by_their_gradients_in_every_dimension() {
    fn test<const N: usize>()
    where
        HashGradients: Lattice<N>,
    {
        let lattice = HashGradients::new(IntegerHash::Ward, 8);
        let noise = Perlin::new(lattice, Fade::MinimalCubic);
        let mut rng = NoiseRng::new(N as u64, 0);
        for _ in 0..200 {
            let node = position::<N>(&mut rng).map(f64::round);
            let sample = noise.sample(node);
            assert_eq!((sample.value, sample.gradient), (0.0, lattice.gradient(node.map(|c| c as i64))), "{node:?}");
        }
    }
    test::<1>();
    test::<2>();
    test::<3>();
    test::<4>();
}

#[test]
fn the_minimal_cubic_stays_within_half_the_bound_and_reaches_it() {
    // All gradients point to the middle of the cell.
    let inward = GridGradients::from_fn([2, 2], |node| node.map(|c| if c == 0 { 1.0 } else { -1.0 }));
    let [cubic, minimal] = [Fade::Cubic, Fade::MinimalCubic].map(|fade| Perlin::new(inward.clone(), fade));
    assert!((minimal.bound::<2>() - cubic.bound::<2>() / 2.0).abs() < SLACK);
    assert!((minimal.value([0.5, 0.5]) - minimal.bound::<2>()).abs() < SLACK);
}

#[test]
fn seeded_sums_in_the_plane_are_what_noise_compiles() {
    for preset in NoisePreset::ALL {
        let (noise, fractal) = (preset.noise(5), preset.fractal::<2>(5));
        let settings = preset.settings();
        let seeded = (Noise::seeded(&settings, 5, 3), Fractal::<_, 2>::seeded(&settings, 5, 3));
        let mut rng = NoiseRng::new(1, 0);
        for _ in 0..50 {
            let p: [f64; 2] = position(&mut rng);
            assert_eq!(noise.sample([p[0], p[1]]), fractal.sample(p), "{} at {p:?}", preset.name);
            assert_eq!(seeded.0.sample([p[0], p[1]]), seeded.1.sample(p), "{} at {p:?}", preset.name);
        }
    }
}

#[test]
fn presets_exist_in_every_dimension_within_their_bounds() {
    fn test<const N: usize>()
    where
        AnyLattice<N>: Lattice<N>,
    {
        for preset in NoisePreset::ALL {
            let [one, other] = [1, 2].map(|seed| preset.fractal::<N>(seed));
            let (mut rng, mut differ, mut largest) = (NoiseRng::new(3, 0), false, 0.0_f64);
            for _ in 0..200 {
                let p: [f64; N] = position(&mut rng);
                let (value, bound) = (one.value(p), one.bound());
                assert!(value.abs() <= bound, "{} in {N} dimensions at {p:?}: {value}, bound {bound}", preset.name);
                differ |= value != other.value(p);
                largest = largest.max(value.abs() / bound);
            }
            assert!(largest > 0.1, "{} in {N} dimensions is nearly flat: {largest}", preset.name);
            assert_eq!(differ, preset.settings().has_seed(), "{} in {N} dimensions", preset.name);
        }
    }
    in_every_dimension!(test);
}

#[test]
fn seeds_of_hashes_are_those_of_the_preset_in_every_dimension() {
    let preset = NoisePreset::find("ward").expect("the name of a preset");
    let single = Perlin::new(HashGradients::new(IntegerHash::Ward, 6), Fade::Quintic);
    let fractal = preset.fractal::<4>(6);
    let mut rng = NoiseRng::new(4, 0);
    for _ in 0..100 {
        let p: [f64; 4] = position(&mut rng);
        let octave = |n: i32| single.value(p.map(|x| x * 0.01 * 2.0_f64.powi(n))) * 0.5_f64.powi(n);
        let (found, expected) = (fractal.value(p), (0..6).map(octave).sum::<f64>());
        assert!((found - expected).abs() < SLACK, "at {p:?}: {found}, not {expected}");
    }
}
