//! The values that the terrain without Bevy must give in every release, on every target and at every optimization level.
//!
//! Plain code without Bevy, threads or a test harness: besides the tests, the program of this package runs it on 64-bit Arm and on
//! wasm32.

use perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, ChunkSettings};
use perlin_terrain::field::{FieldSettings, HeightField, NodeGrid};
use perlin_terrain::ground::Ground;
use perlin_terrain::light::{Clouds, SkySettings, Sun, SunAngles, SunTime};
use perlin_terrain::look::{ReliefRange, SurfaceLayers, SurfaceSample};
use perlin_terrain::noise::{
    AnyLattice, EdgeGradients, Fade, FastHashGradients, FixedCoord, Fractal, FractalShape, HashGradients, IntegerHash,
    Lattice, LatticeKind, Noise, NoiseRng, NoiseScratch, NoiseSettings, PermutationKind, SampleGrid,
};
use perlin_terrain::param::Choice;
use perlin_terrain::plants::forms::{CardTexture, FormPart, PlantForm, PlantTexture};
use perlin_terrain::plants::{PlantKind, PlantLayer, Plants};
use perlin_terrain::settings::TerrainSettings;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// The remedy for a difference.
pub const REMEDY: &str = "If that is on purpose, and the same on every target, say in CHANGELOG.md under *Value-breaking* \
    that the same seed gives new terrain, and write the new values into tests/values/src/lib.rs.";

/// Recomputes every table and says which are not as committed; empty when all are.
///
/// Another table is another line here. Other values in one mean that the same seed gives new terrain: a value-breaking release.
pub fn differences() -> Vec<String> {
    let mut differences: Vec<String> = [
        differs(
            "the heights of seed 1",
            &heights(1),
            &[92.81056, 65.523575, -12.680603, 15.305738, -30.71639, -2.2752542],
        ),
        differs(
            "the heights of the highest seed",
            &heights(u64::MAX),
            &[32.4105, 29.61266, 29.810902, 37.812927, 45.80026, 56.116524],
        ),
        differs("the bits of 64 chunks", &hash_of_chunks(&chunks()), &Hash(0xeabf_5e02_c440_2efa)),
        differs("the heights of a stack of layers", &stack(STACK), &Hash(0xde1c_7197_8516_8145)),
        differs("the heights of hills, dunes, valleys and curves", &stack(SHAPES), &Hash(0x087c_e6e9_1714_9b97)),
        differs("the drainage of a stack of layers", &drainage(STACK), &Hash(0xaa92_40ef_ffa2_d42c)),
        differs("what covers the ground", &covers(), &Hash(0xe51c_6714_ee27_b29d)),
        differs("where plants stand", &plants(), &Hash(0xbf36_3133_a00d_6c12)),
        differs("what plants look like", &forms(), &Hash(0x2759_b63b_8470_1678)),
        differs("the light of the sun", &light(0.0), &Hash(0x83c3_cf9a_1c33_5e15)),
        differs("the light below clouds", &light(0.6), &Hash(0xc82f_a72f_496e_3114)),
        differs("exact noise in space", &exact::<_, 3>(EdgeGradients::default()), &Hash(0xae07_e8ca_f504_39c8)),
        differs(
            "exact noise in four dimensions",
            &exact::<_, 4>(FastHashGradients::new(9)),
            &Hash(0x6dbc_bb04_87b1_6643),
        ),
        differs(
            "exact noise of hashes",
            &exact::<_, 2>(HashGradients::new(IntegerHash::Shift, 3)),
            &Hash(0x4bb4_d1b4_82b3_d696),
        ),
        differs("every lattice and fade on a line", &every_octave::<1>(), &Hash(0x434a_b0a0_c2cb_961c)),
        differs("every lattice and fade in the plane", &every_octave::<2>(), &Hash(0xf6b6_12f2_4aad_7891)),
        differs("every lattice and fade in space", &every_octave::<3>(), &Hash(0x5602_cbf1_aed8_6528)),
        differs("every lattice and fade in four dimensions", &every_octave::<4>(), &Hash(0xcac6_e09b_9057_0294)),
        differs("a gradient table on a line", &seeded::<1>(LatticeKind::Table), &Hash(0x3910_a15a_50b2_6311)),
        differs("a gradient table in space", &seeded::<3>(LatticeKind::Table), &Hash(0x60d6_5ca6_2d29_c275)),
        differs("a gradient grid in four dimensions", &seeded::<4>(LatticeKind::Grid), &Hash(0x73a7_59f9_ab43_2f63)),
        differs("shuffled edges in four dimensions", &seeded::<4>(LatticeKind::Edge), &Hash(0x0bfe_dbe8_29c8_895b)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let lattices = [
        (LatticeKind::FastHash, 0x65b5_6d44_6e5b_00dd),
        (LatticeKind::Table, 0x9546_b784_0ae8_bc65),
        (LatticeKind::Grid, 0x6454_5b96_a90a_9f37),
        (LatticeKind::Diagonal, 0x8ff2_807f_f97c_9a93),
        (LatticeKind::Bit, 0xac22_e52f_bc31_2b91),
        (LatticeKind::Edge, 0x5f44_906e_05ad_5b74),
        (LatticeKind::Ward, 0x5609_5d6b_3d1b_91c6),
        (LatticeKind::Shift, 0x169f_9158_fab7_7b41),
        (LatticeKind::ShiftMult, 0xe070_5266_0f18_eb66),
    ];
    for (lattice, golden) in lattices {
        let found = grid(&NoiseSettings { lattice, period_y: 77, ..noise_settings() });
        differences.extend(differs(&format!("noise over the lattice {lattice:?}"), &found, &Hash(golden)));
    }
    let shapes = [
        (FractalShape::Fbm, Fade::Linear, 0x4ea6_0d28_9a94_40e4),
        (FractalShape::Ridged, Fade::Quintic, 0x750a_b18d_0814_9beb),
        (FractalShape::Billow, Fade::Cubic, 0x116a_b4cf_b4ab_9715),
        (FractalShape::Hybrid, Fade::Quintic, 0x2926_54b4_17e8_ce7c),
        (FractalShape::Damped, Fade::Quintic, 0xc87b_fe71_888d_2db2),
        (FractalShape::Fbm, Fade::MinimalCubic, 0x22b6_4e02_e1fe_f02e),
        (FractalShape::Damped, Fade::MinimalCubic, 0x4c28_460f_415e_8f03),
    ];
    for (shape, fade, golden) in shapes {
        let found = grid(&NoiseSettings { shape, fade, exponent: 1.4, warp_strength: 30.0, ..noise_settings() });
        differences.extend(differs(&format!("warped {shape:?} noise of {fade:?} fades"), &found, &Hash(golden)));
    }
    differences
}

/// Two layers of plants on the ground of [`STACK`], near the origin and far away.
fn plants() -> Hash {
    let settings = TerrainSettings::from_ron(STACK).expect("the text is valid");
    let ground = Ground::new(Arc::new(HeightField::new(&settings.field)), ChunkLayout::new(&settings.chunks));
    let middle = ReliefRange { from: -0.3, to: 0.5, ..ReliefRange::default() };
    let layers = [
        PlantLayer { name: "bush".to_owned(), spacing: 2.5, drainage: middle.clone(), ..PlantLayer::default() },
        PlantLayer {
            name: "spruce".to_owned(),
            chance: 0.8,
            on: vec!["grass".to_owned(), "dry grass".to_owned()],
            curvature: middle,
            ..PlantLayer::default()
        },
    ];
    let plants = Plants::new(ground, settings.field.seed, &layers, &settings.look);
    let corners = [[0.0, 0.0], [-123_456.75, 1e9], [1e7, -777.5]];
    Hash::of((0..layers.len()).flat_map(|layer| corners.map(|corner| (layer, corner))).flat_map(|(layer, corner)| {
        let found = plants.in_box(layer, corner, corner.map(|along| along + 120.0)).expect("a valid box");
        found.into_iter().flat_map(|plant| {
            let position = plant.position.map(|along| (along.to_bits() >> 32) as u32 ^ along.to_bits() as u32);
            let numbers = plant.normal.into_iter().chain([plant.yaw, plant.size, plant.rank]).map(f32::to_bits);
            position.into_iter().chain(numbers).chain([plant.variant.into()])
        })
    }))
}

/// The triangles of all plants, the textures of their cards, and the pictures of one of each kind.
fn forms() -> Hash {
    let variants =
        || PlantKind::DRAWN.into_iter().flat_map(|kind| (0..PlantForm::VARIANTS).map(move |number| (kind, number)));
    let numbers =
        variants().flat_map(|(kind, number)| PlantForm::parts(kind, number, 10.0)).flat_map(|part: FormPart| {
            let corners = part.vertices.iter().flat_map(|vertex| {
                let parts = [vertex.center, vertex.offset, vertex.normal, vertex.color].into_iter().flatten();
                let tag = (vertex.role as u32) << 8 | u32::from(vertex.texture);
                parts.chain(vertex.uv).map(f32::to_bits).chain([tag])
            });
            corners.chain(part.triangles.iter().flatten().map(|corner| u32::from(*corner)))
        });
    let cards = CardTexture::ALL.map(PlantTexture::card);
    let pictures = PlantKind::DRAWN.map(|kind| PlantTexture::pictures(kind, 0));
    let texels =
        cards.into_iter().chain(pictures.into_iter().flatten()).flat_map(|texture| [texture.color, texture.normal]);
    Hash::of(numbers.chain(texels.flatten().map(u32::from)))
}

/// Octaves from many samples a cell to many cells a sample.
fn noise_settings() -> NoiseSettings {
    NoiseSettings { octaves: 9, frequency: 0.013, lacunarity: 2.3, ..Default::default() }
}

/// Noise on a grid far from the origin, with the fastest instruction set there is.
fn grid(settings: &NoiseSettings) -> Hash {
    let grid = SampleGrid {
        origin: [FixedCoord::from_ticks(-(1 << 44)), FixedCoord::from(12345.678)],
        step_ticks: 777,
        size: [67, 41],
    };
    let mut values = vec![0.0; 67 * 41];
    Noise::seeded(settings, 11, 3).fill(&grid, &mut NoiseScratch::default(), &mut values);
    Hash::of(values.into_iter().map(f32::to_bits))
}

/// A layer of each kind, with each blend and each mask.
const STACK: &str = r#"(
    version: 2,
    field: (seed: 3, base_height: 20.0, layers: [
        (kind: Noise(shape: Ridged, octaves: 4, frequency: 0.0007, height_scale: 300.0, warp_strength: 90.0)),
        (blend: Max, blend_radius: 40.0, opacity: 0.75, kind: Constant(height: 35.0)),
        (blend: Min, masks: [Height(from: 60.0, fade: 30.0), Noise(noise: (frequency: 0.002))], kind: Group(warp_strength: 70.0, layers: [
            (kind: Constant(height: 120.0)),
            (stream: 9, kind: Noise(octaves: 3, frequency: 0.004, height_scale: 60.0)),
            (opacity: 0.5, kind: Terrace(height: 12.0)),
        ])),
        (kind: Erosion(gully_length: 300.0)),
        (blend: Replace, masks: [Slope(to: 0.1, from: 0.0, invert: true)], kind: Noise(octaves: 2, height_scale: 80.0)),
    ]),
)"#;

/// The kinds that [`STACK`] does not have.
const SHAPES: &str = r#"(
    version: 2,
    field: (seed: 4, base_height: 0.0, layers: [
        (name: "dunes", stream: 0, kind: Dunes(wavelength: 170.0, height: 25.0, direction: 2.5, bend_length: 600.0)),
        (masks: [Point(x: -900.0, z: 400.0, radius: 5000.0, fade: 4000.0)], kind: Carve(shape: V, octaves: 3, wavelength: 900.0)),
        (blend: Max, blend_radius: 15.0, kind: Group(warp_strength: 120.0, layers: [
            (kind: Scatter(spacing: 700.0, radius_max: 600.0)),
            (kind: Scatter(shape: Crater, spacing: 900.0, radius_max: 900.0)),
            (blend: Max, kind: Scatter(shape: Dome, spacing: 300.0, radius_max: 150.0)),
        ])),
        (blend: Min, kind: Carve(bed: -20.0, depth: 400.0, width: 900.0)),
        (masks: [Layer(layer: "dunes", from: 20.0, fade: 15.0)], kind: Noise(wavelength: 150.0, octaves: 2, height_scale: 30.0)),
        (masks: [Segment(x: -9000.0, end_z: 700.0, radius: 3000.0, fade: 5000.0)], kind: Curve(points: [
            (from: -20.0, to: -10.0), (from: 10.0, to: 10.0), (from: 60.0, to: 90.0), (from: 200.0, to: 100.0),
        ])),
    ]),
)"#;

/// The heights of a settings file, on a grid with the fastest instruction set there is and at single positions.
fn stack(file: &str) -> Hash {
    let settings = TerrainSettings::from_ron(file).unwrap_or_else(|error| panic!("{error}"));
    let field = HeightField::new(&settings.field);
    let grid = NodeGrid { origin: [-4_000_000, 777], stride: 3, size: [67, 41], spacing: 2.5 };
    let mut heights = Vec::new();
    field.fill(&grid, &mut NoiseScratch::default(), &mut heights);
    let single = (0..50).map(|i| field.height(f64::from(i) * 321.09, f64::from(i * i) * -77.7));
    Hash::of(heights.into_iter().chain(single).map(f32::to_bits))
}

/// The drainage of a settings file, on a grid and at single positions.
fn drainage(file: &str) -> Hash {
    let settings = TerrainSettings::from_ron(file).unwrap_or_else(|error| panic!("{error}"));
    let field = HeightField::new(&settings.field);
    let grid = NodeGrid { origin: [-4_000_000, 777], stride: 3, size: [67, 41], spacing: 2.5 };
    let mut drainage = Vec::new();
    field.fill_with_drainage(&grid, &mut NoiseScratch::default(), &mut Vec::new(), &mut drainage);
    let single = (0..50).map(|i| field.drainage(f64::from(i) * 321.09, f64::from(i * i) * -77.7));
    Hash::of(drainage.into_iter().chain(single).map(f32::to_bits))
}

/// Layers of the ground with every range.
const LOOK: &str = r#"(
    version: 2,
    look: (layers: [
        (name: "grass"),
        (name: "dry grass", aspect: (toward: 2.1, from: 0.1, fade: 0.4), noise: (size: 30.0, from: -0.2)),
        (name: "scree", slope: (from: 0.3, to: 0.8, fade: 0.5), drainage: (from: 0.1), ragged: 0.6),
        (name: "snow", height: (from: 120.0, fade: 200.0), curvature: (from: -0.1, fade: 0.7), opacity: 0.8),
    ]),
)"#;

/// How much of many positions each layer of [`LOOK`] covers.
fn covers() -> Hash {
    let settings = |file| TerrainSettings::from_ron(file).unwrap_or_else(|error| panic!("{error}"));
    let (field, layers) = (HeightField::new(&settings(STACK).field), SurfaceLayers::new(&settings(LOOK).look));
    let weights = (0..400).flat_map(|i| {
        let [x, z] = [f64::from(i) * 321.09, f64::from(i * i) * -77.7];
        let sample = SurfaceSample::new([x, field.height(x, z).into(), z], field.normal(x, z, 2.0));
        let curvature = (i % 21) as f32 * 0.1 - 1.0;
        layers.weights(&SurfaceSample { curvature, drainage: field.drainage(x, z), ..sample })
    });
    Hash::of(weights.map(f32::to_bits))
}

/// The direction and the light of the sun, at many times and in many directions, below clouds of this cover.
fn light(cover: f64) -> Hash {
    let numbers = (0..200).flat_map(|i| {
        let part = f64::from(i) / 200.0;
        let time = SunTime { hour: 24.0 * part, day: f64::from(i * 37 % 365), latitude: 1.5 - 3.0 * part };
        let angles = SunAngles { azimuth: 6.3 * part, elevation: f64::from(i * 17 % 314) * 0.01 - 1.57 };
        [Sun::Time(time), Sun::Angles(angles)].into_iter().flat_map(|sun| {
            let clouds = Clouds { cover, ..Clouds::default() };
            let sky = SkySettings { sun, clouds, ..SkySettings::default() };
            let ([x, y, z], [red, green, blue]) = (sky.sun.direction(), sky.radiance([0.6, 0.0, 0.8]));
            [x, y, z, sky.sun.elevation(), sky.illuminance(), sky.exposure_value(), sky.haze(8000.0), red, green, blue]
        })
    });
    Hash::of(numbers.flat_map(|number| [number.to_bits() as u32, (number.to_bits() >> 32) as u32]))
}

/// Exact noise of a lattice, and its gradient.
fn exact<L: Lattice<N>, const N: usize>(lattice: L) -> Hash {
    hash_of(&Fractal::new(lattice, &NoiseSettings { warp_strength: 20.0, exponent: 1.2, ..noise_settings() }))
}

/// Exact noise of a seed, and its gradient.
fn seeded<const N: usize>(lattice: LatticeKind) -> Hash
where
    AnyLattice<N>: Lattice<N>,
{
    let permutation = PermutationKind::Shuffled;
    hash_of(&Fractal::<_, N>::seeded(&NoiseSettings { lattice, permutation, ..noise_settings() }, 11, 3))
}

/// Two octaves of exact noise over each lattice with each fade, near the origin and far from it.
fn every_octave<const N: usize>() -> Hash
where
    AnyLattice<N>: Lattice<N>,
{
    let (mut rng, mut words) = (NoiseRng::new(N as u64, 0), Vec::new());
    let (mut lattice, mut fade) = (LatticeKind::default(), Fade::default());
    for (kind, curve) in (0..lattice.alternatives().len()).flat_map(|kind| (0..4).map(move |curve| (kind, curve))) {
        lattice.choose(kind);
        fade.choose(curve);
        // The second has a period in the plane.
        for period_x in [0, 5] {
            let settings = NoiseSettings { lattice, fade, period_x, octaves: 2, frequency: 0.37, ..noise_settings() };
            let fractal = Fractal::<_, N>::seeded(&settings, 11, 3);
            for _ in 0..POINTS_OF_OCTAVES {
                let reach = [3.0, 500.0, 1e6, 1e9][rng.next_u32() as usize % 4];
                let position = [0.0; N].map(|_| rng.next_in(-reach, reach));
                let (value, sample) = (fractal.value(position), fractal.sample(position));
                words.extend(sample.gradient.into_iter().chain([value, sample.value]).map(f64::to_bits));
            }
        }
    }
    Hash::of(words.into_iter().flat_map(|bits| [bits as u32, (bits >> 32) as u32]))
}

/// Points of each noise of [`every_octave`].
const POINTS_OF_OCTAVES: u32 = 50;

fn hash_of<L: Lattice<N>, const N: usize>(fractal: &Fractal<L, N>) -> Hash {
    let samples = (0..200).map(|i| {
        fractal.sample([0.3, 0.7, -1.9, 0.1].map(|step| step * f64::from(i))[..N].try_into().expect("N numbers"))
    });
    let numbers = samples.flat_map(|sample| sample.gradient.into_iter().chain([sample.value]));
    Hash::of(numbers.flat_map(|number| [number.to_bits() as u32, (number.to_bits() >> 32) as u32]))
}

/// The message when the values found are not the committed ones, to the bit.
fn differs<T: Debug>(name: &str, found: &T, golden: &T) -> Option<String> {
    // Compared as text: two numbers are written alike only when they have the same bits, whereas 0 == -0.
    let (found, golden) = (format!("{found:?}"), format!("{golden:?}"));
    let here = std::env::consts::ARCH;
    (found != golden).then(|| format!("{name} are new on {here}:\n    committed {golden}\n    now       {found}"))
}

/// The hash of many values, written as in source code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash(pub u64);

impl Hash {
    /// FNV-1a over 32-bit words.
    fn of(words: impl Iterator<Item = u32>) -> Self {
        let bytes = words.flat_map(u32::to_le_bytes);
        Self(
            bytes
                .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)),
        )
    }
}

impl Debug for Hash {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = [48, 32, 16, 0].map(|shift| self.0 >> shift & 0xffff);
        write!(f, "Hash(0x{a:04x}_{b:04x}_{c:04x}_{d:04x})")
    }
}

/// One layer of every shape, with everything on.
pub fn settings(seed: u64) -> TerrainSettings {
    let layer = |shape, exponent, height_scale| NoiseSettings {
        shape,
        exponent,
        height_scale,
        octaves: 5,
        frequency: 0.004,
        lacunarity: 2.1,
        ..Default::default()
    };
    let layers = vec![
        layer(FractalShape::Fbm, 1.3, 300.0),
        layer(FractalShape::Ridged, 1.0, 120.0),
        NoiseSettings { offset_octaves: false, ..layer(FractalShape::Billow, 1.0, -15.0) },
    ];
    TerrainSettings {
        field: FieldSettings {
            seed,
            base_height: 12.5,
            layers: layers.into_iter().map(Into::into).collect(),
            edits: vec![],
        },
        chunks: ChunkSettings { quads: 16, spacing: 2.5 },
        ..Default::default()
    }
}

/// Heights near the origin and up to a billion metres from it.
fn heights(seed: u64) -> [f32; 6] {
    let field = HeightField::new(&settings(seed).field);
    [(0.0, 0.0), (17.25, -3.5), (-1234.5, 678.9), (1e5, 2e5), (-1e7, 1e7 + 0.125), (1e9, -1e9)]
        .map(|(x, z)| field.height(x, z))
}

/// Where the 64 chunks are, of many levels and positions.
pub fn positions_of_chunks() -> Vec<ChunkCoord> {
    (0..64).map(|i: i64| ChunkCoord { level: (i % 5) as u8, x: i * 7 - 200, z: 90 - i * i * i * 4001 }).collect()
}

fn chunks() -> Vec<ChunkGeometry> {
    let settings = settings(42);
    let (field, layout) = (HeightField::new(&settings.field), ChunkLayout::new(&settings.chunks));
    let mut builder = ChunkBuilder::default();
    positions_of_chunks().into_iter().map(|chunk| builder.build(&field, &layout, chunk)).collect()
}

/// Everything about the vertices of `chunks`: positions, heights and normals.
pub fn hash_of_chunks(chunks: &[ChunkGeometry]) -> Hash {
    let vectors = chunks.iter().flat_map(|chunk| chunk.positions.iter().chain(&chunk.normals));
    Hash::of(vectors.flat_map(|vector| vector.map(f32::to_bits)))
}
