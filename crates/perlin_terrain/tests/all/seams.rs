//! Chunks that touch agree bit for bit.

use perlin_terrain::chunk::{
    ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, ChunkSettings, ChunkVertex, StitchMask,
};
use perlin_terrain::field::{
    Blend, Carve, Constant, Curve, CurvePoint, Dunes, ErosionSettings, FieldSettings, Group, HeightField, HeightRange,
    HillShape, Layer, LayerKind, LayerMask, Mask, NoiseMask, PointMask, Scatter, SegmentMask, SlopeMask, Terrace,
    ValleyShape,
};
use perlin_terrain::noise::{Fade, FractalShape, LatticeKind, NoiseSettings, OctaveSum};
use perlin_terrain::settings::TerrainSettings;
use proptest::array::{uniform4, uniform5};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use testing::{any_magnitude, for_all};

const LATTICES: [LatticeKind; 4] =
    [LatticeKind::FastHash, LatticeKind::FastHash, LatticeKind::Table, LatticeKind::Shift];
const FADES: [Fade; 4] = [Fade::Linear, Fade::Cubic, Fade::Quintic, Fade::MinimalCubic];
const SHAPES: [FractalShape; 5] =
    [FractalShape::Fbm, FractalShape::Ridged, FractalShape::Billow, FractalShape::Hybrid, FractalShape::Damped];
const SUMS: [OctaveSum; 3] = [OctaveSum::Normalized, OctaveSum::Raw, OctaveSum::Clamped];

fn any_noise() -> impl Strategy<Value = NoiseSettings> {
    let kinds = (select(&LATTICES), select(&FADES), select(&SHAPES), select(&SUMS));
    let axes = (select(&[0, 0, 7]), select(&[0, 0, 12]), select(&[1.0, 1.0, 5.0]), select(&[0.0, 0.0, 0.7]));
    let warp = (prop_oneof![3 => Just(0.0), 1 => Just(120.0)], any_magnitude(-5.0, -1.0));
    let octaves = (1..=16_u32, any_magnitude(-6.0, 0.0), 1.0..4.0, 0.0..1.0, 0.001..1000.0, any::<bool>());
    let shaping = (prop_oneof![Just(1.0), 0.1..8.0], -10_000.0..10_000.0);
    (kinds, axes, warp, octaves, shaping).prop_map(
        |(
            (lattice, fade, shape, sum),
            (period_x, period_y, stretch_y, rotation),
            warp,
            octaves,
            (exponent, height_scale),
        )| {
            let (warp_strength, warp_frequency) = warp;
            let (octaves, frequency, lacunarity, persistence, amplitude, offset_octaves) = octaves;
            let noise = NoiseSettings {
                lattice,
                period_x,
                period_y,
                stretch_y,
                rotation,
                fade,
                shape,
                sum,
                warp_strength,
                warp_frequency,
                octaves,
                frequency,
                lacunarity,
                persistence,
                amplitude,
                exponent,
                height_scale,
                offset_octaves,
                ..Default::default()
            };
            // A mask takes no height scale.
            let highest = NoiseSettings { height_scale: height_scale.abs().max(1.0), ..noise.clone() };
            if highest.check().is_ok() { noise } else { NoiseSettings { sum: OctaveSum::Clamped, ..noise } }
        },
    )
}

/// A layer of noise, of a constant height, of hills, dunes or valleys, or a group of them, with any blend.
fn any_layer() -> impl Strategy<Value = Layer> {
    let noise = || any_noise().prop_map(LayerKind::Noise);
    let constant = || (-1000.0..1000.0).prop_map(|height| LayerKind::Constant(Constant { height }));
    let scatter = || {
        let shape = select(&[HillShape::Cone, HillShape::Dome, HillShape::Crater]);
        (shape, 10.0..5000.0, 0.0..=1.0).prop_map(|(shape, spacing, chance)| {
            LayerKind::Scatter(Scatter { shape, spacing, chance, ..Default::default() })
        })
    };
    let dunes = || {
        (1.0..5000.0, 0.0..500.0, 0.0..6.3).prop_map(|(wavelength, height, direction)| {
            LayerKind::Dunes(Dunes { wavelength, height, direction, ..Default::default() })
        })
    };
    let carve = || {
        let shape = select(&[ValleyShape::V, ValleyShape::U]);
        (shape, -500.0..500.0, 1.0..2000.0, 20.0..20_000.0).prop_map(|(shape, bed, width, wavelength)| {
            LayerKind::Carve(Carve { shape, bed, width, wavelength, ..Default::default() })
        })
    };
    let leaf = || prop_oneof![6 => noise(), 1 => constant(), 1 => scatter(), 1 => dunes(), 1 => carve()];
    let group = (vec(blended(leaf()), 0..3), select(&[0.0, 300.0]))
        .prop_map(|(layers, warp_strength)| LayerKind::Group(Group { layers, warp_strength, ..Default::default() }));
    blended(prop_oneof![4 => leaf(), 1 => group])
}

fn blended(kind: impl Strategy<Value = LayerKind>) -> impl Strategy<Value = Layer> {
    let blend = select(&[Blend::Add, Blend::Replace, Blend::Min, Blend::Max]);
    let opacity = prop_oneof![Just(1.0), 0.0..=1.0];
    let masks = vec(any_mask(), 0..=3);
    (kind, blend, select(&[0.0, 40.0]), opacity, masks).prop_map(|(kind, blend, blend_radius, opacity, masks)| Layer {
        blend,
        blend_radius,
        opacity,
        masks,
        ..kind.into()
    })
}

/// A mask that does not evaluate the ground below once more.
fn any_mask() -> impl Strategy<Value = Mask> {
    let height = (-1000.0..1000.0, 0.0..500.0, any::<bool>()).prop_map(|(from, range, invert)| {
        Mask::Height(HeightRange { from, to: from + range, invert, ..Default::default() })
    });
    let noise = (any_noise(), any::<bool>())
        .prop_map(|(noise, invert)| Mask::Noise(NoiseMask { noise, invert, ..Default::default() }));
    let radius = || prop_oneof![any_magnitude(0.0, 6.0), Just(0.0)];
    let fade = || any_magnitude(-1.0, 6.0);
    let point = (any_position(), radius(), fade(), any::<bool>())
        .prop_map(|([x, z], radius, fade, invert)| Mask::Point(PointMask { x, z, radius, fade, invert }));
    let segment = (any_position(), any_position(), radius(), fade(), any::<bool>()).prop_map(
        |([x, z], [end_x, end_z], radius, fade, invert)| {
            Mask::Segment(SegmentMask { x, z, end_x, end_z, radius, fade, invert })
        },
    );
    prop_oneof![height, noise, point, segment]
}

/// Terraces, a curve or erosion of the ground below, everywhere or where a mask allows it.
fn any_filter() -> impl Strategy<Value = Layer> {
    let terrace = (1.0..200.0, 0.01..=1.0).prop_map(|(height, riser)| LayerKind::Terrace(Terrace { height, riser }));
    let erosion = (20.0..2000.0, 0.0..0.5, 1..4_u32).prop_map(|(gully_length, strength, octaves)| {
        LayerKind::Erosion(ErosionSettings { gully_length, strength, octaves, ..Default::default() })
    });
    let curve = (-300.0..300.0, -300.0..300.0).prop_map(|(low, high)| {
        let points = [(-100.0, low), (0.0, 0.0), (400.0, high)].map(|(from, to)| CurvePoint { from, to });
        LayerKind::Curve(Curve { points: points.to_vec() })
    });
    let masks = select(vec![
        vec![],
        vec![Mask::Height(HeightRange { from: 0.0, to: 300.0, ..Default::default() })],
        vec![Mask::Slope(SlopeMask { to: 0.4, ..Default::default() })],
        vec![Mask::Noise(NoiseMask::default())],
        vec![Mask::Point(PointMask { radius: 1e4, fade: 1e5, ..Default::default() })],
        vec![Mask::Segment(SegmentMask { end_x: 1e8, fade: 1e6, invert: true, ..Default::default() })],
        vec![Mask::Layer(LayerMask { layer: "named".to_owned(), from: 100.0, fade: 200.0, ..Default::default() })],
    ]);
    (prop_oneof![terrace, curve, erosion], masks).prop_map(|(kind, masks)| Layer { masks, ..kind.into() })
}

/// Any valid field and layout. The chunks are small, so that hundreds can be built.
fn any_settings() -> impl Strategy<Value = TerrainSettings> {
    // One filter at most: each erosion computes all that is below it five times.
    let layers =
        (vec(any_layer(), 0..4), vec(any_filter(), 0..2), any::<bool>()).prop_map(|(mut layers, filter, enabled)| {
            // A mask may read the first layer, which may be off.
            match layers.first_mut() {
                Some(layer) => (layer.name, layer.enabled) = ("named".to_owned(), enabled),
                None => return layers,
            }
            [layers, filter].concat()
        });
    let field = (any::<u64>(), -10_000.0..10_000.0, layers);
    let spacing = prop_oneof![5 => select(&[0.1, 0.25, 1.0, 4.0, 100.0]), 1 => 0.1..100.0];
    let chunks = (select(&[8, 16, 32]), spacing).prop_map(|(quads, spacing)| ChunkSettings { quads, spacing });
    (field, chunks).prop_map(|((seed, base_height, layers), chunks)| {
        let field = FieldSettings { seed, base_height, layers, edits: vec![] };
        TerrainSettings { field, chunks, ..Default::default() }
    })
}

/// A position at the origin, or up to a billion metres from it on either side.
fn any_position() -> impl Strategy<Value = [f64; 2]> {
    let along = || (-1.0..1.0, select(&[0.0, 100.0, 1e4, 1e7, 1e8, 1e9])).prop_map(|(part, far)| part * far);
    (along(), along()).prop_map(|(x, z)| [x, z])
}

/// The values at a vertex on which neighbors must agree: height and normal.
fn vertex_bits(geometry: &ChunkGeometry, column: i64, row: i64) -> [u32; 4] {
    let at = (row * i64::from(geometry.side) + column) as usize;
    let [nx, ny, nz] = geometry.normals[at];
    [geometry.positions[at][1], nx, ny, nz].map(f32::to_bits)
}

/// The position of a vertex: the corner of its chunk plus its position in the chunk.
fn world_position(
    layout: &ChunkLayout,
    chunk: ChunkCoord,
    geometry: &ChunkGeometry,
    column: i64,
    row: i64,
) -> [f64; 2] {
    let [x, _, z] = geometry.positions[(row * i64::from(geometry.side) + column) as usize];
    let [west, north] = layout.origin(chunk);
    [west + f64::from(x), north + f64::from(z)]
}

/// The number of random settings for each property.
const CASES: u32 = 40;

#[test]
fn all_eight_neighbors_share_their_border_bit_for_bit_at_every_level() {
    for_all(CASES, (any_settings(), uniform5(any_position())), |(settings, positions)| {
        let (field, layout) = (&HeightField::new(&settings.field), &ChunkLayout::new(&settings.chunks));
        let quads = i64::from(layout.quads());
        let mut builder = ChunkBuilder::default();
        for (level, [x, z]) in (0..).zip(positions) {
            let chunk = layout.chunk_at(level, x, z);
            let here = builder.build(field, layout, chunk);
            for (dx, dz) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                let neighbor = chunk.neighbor(dx, dz);
                let there = builder.build(field, layout, neighbor);
                let shared = |d: i64| (0..=quads).filter(move |i| (0..=quads).contains(&(i - d * quads)));
                let mut vertices = 0;
                for (row, column) in shared(dz).flat_map(|row| shared(dx).map(move |column| (row, column))) {
                    let (row_there, column_there) = (row - dz * quads, column - dx * quads);
                    let what = || format!("{chunk:?} at {column}, {row} and {neighbor:?}");
                    let (a, b) = (vertex_bits(&here, column, row), vertex_bits(&there, column_there, row_there));
                    assert_eq!(a, b, "height and normal of {}", what());
                    let grids = [layout.grid(chunk, 0), layout.grid(neighbor, 0)];
                    let position = grids[0].position(column as usize, row as usize);
                    assert_eq!(position, grids[1].position(column_there as usize, row_there as usize), "{}", what());
                    // Spacings are multiples of 2^-10 m. So a position in a chunk is exact in `f32`, and the sum in `f64`.
                    for (chunk, geometry, column, row) in
                        [(chunk, &here, column, row), (neighbor, &there, column_there, row_there)]
                    {
                        let drawn = world_position(layout, chunk, geometry, column, row);
                        assert_eq!(drawn, position, "position of {}", what());
                    }
                    vertices += 1;
                }
                assert_eq!(vertices, if dx != 0 && dz != 0 { 1 } else { quads + 1 });
            }
        }
    });
}

#[test]
fn a_coarse_chunk_has_the_heights_of_its_children() {
    for_all(CASES, (any_settings(), uniform4(any_position())), |(settings, positions)| {
        let (field, layout) = (&HeightField::new(&settings.field), &ChunkLayout::new(&settings.chunks));
        let quads = i64::from(layout.quads());
        let mut builder = ChunkBuilder::default();
        for (level, [x, z]) in (0..).zip(positions) {
            let coarse_chunk = layout.chunk_at(level + 1, x, z);
            let coarse = builder.build(field, layout, coarse_chunk);
            for (right, down) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let fine_chunk = ChunkCoord { level, x: 2 * coarse_chunk.x + right, z: 2 * coarse_chunk.z + down };
                let fine = builder.build(field, layout, fine_chunk);
                for row in 0..=quads / 2 {
                    for column in 0..=quads / 2 {
                        let above = vertex_bits(&coarse, right * quads / 2 + column, down * quads / 2 + row);
                        let below = vertex_bits(&fine, 2 * column, 2 * row);
                        assert_eq!(above[0], below[0], "{coarse_chunk:?} and its child {fine_chunk:?}");
                    }
                }
            }
        }
    });
}

#[test]
fn all_random_settings_are_valid() {
    for_all(200, any_settings(), |settings| assert_eq!(settings.validate(), Ok(())));
}

/// Every number of quads and levels 0 to 8, near the origin and far from it.
#[test]
fn a_vertex_that_is_made_of_heights_has_the_bits_of_the_geometry() {
    let presets = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/terrain")).expect("a folder");
    let mut builder = ChunkBuilder::default();
    let mut presets_seen = 0;
    for (preset, path) in presets.enumerate() {
        let text = std::fs::read_to_string(path.expect("a file").path()).expect("text");
        let field = HeightField::new(&TerrainSettings::from_ron(&text).expect("it is valid").field);
        for level in 0..9_u8 {
            let number = preset + usize::from(level);
            let quads = [8, 16, 32, 64, 128][number % 5];
            let layout = ChunkLayout::new(&ChunkSettings { quads, spacing: 4.0 });
            let away = [0.0, 1e6, -1e9][number % 3];
            let chunk = layout.chunk_at(level, away + 300.0, -away);
            let heights = builder.heights(&field, &layout, chunk);
            let geometry = builder.build(&field, &layout, chunk);
            assert_eq!((heights.side, heights.height_range), (geometry.side, geometry.height_range));
            for at in 0..(heights.side * heights.side) as usize {
                let vertex = [at as u32 % heights.side, at as u32 / heights.side];
                let expected = ChunkVertex {
                    position: geometry.positions[at],
                    normal: geometry.normals[at],
                    coarse_height: geometry.coarse_heights[at],
                    coarse_normal: geometry.coarse_normals[at],
                };
                // As text: zeros have a sign.
                let found = heights.vertex(vertex, StitchMask::NONE);
                assert!(format!("{found:?}") == format!("{expected:?}"), "{found:?} for {expected:?} of {chunk:?}");
            }
        }
        presets_seen += 1;
    }
    assert!(presets_seen >= 8);
}
