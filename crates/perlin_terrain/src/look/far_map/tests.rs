use super::*;
use crate::field::{ErosionSettings, FieldSettings, Layer, LayerKind};
use crate::half::from_half;
use crate::noise::NoiseSettings;

const SIZE: usize = 256;

fn made(mut maker: FarMapMaker) -> FarMap {
    let mut steps = 0;
    loop {
        steps += 1;
        if let Some(map) = maker.step() {
            // Each step is short.
            assert!(steps > SIZE / 8, "{steps} steps");
            return map;
        }
    }
}

/// A map of this ground, with texels of 16 m, around the origin.
fn map_of(sun: [f32; 2], height: impl Fn(f32, f32) -> f32) -> FarMap {
    let mut maker = FarMapMaker::new(Arc::new(HeightField::new(&FieldSettings::default())), [0.0; 2], 16.0, SIZE, sun);
    for relief in [&mut maker.near, &mut maker.far] {
        let (side, step) = (relief.side, relief.step);
        let position = |index: usize| (index as f32 - (side - 1) as f32 / 2.0) * step;
        relief.heights = (0..side * side).map(|i| height(position(i % side), position(i / side))).collect();
    }
    maker.drainage = vec![0.0; maker.near.heights.len()];
    loop {
        if let Some(map) = maker.step() {
            return map;
        }
    }
}

/// The four bytes of a position, in metres.
fn shape(map: &FarMap, x: f32, z: f32) -> [u8; 4] {
    let index = |metres: f32| (metres / 16.0 + SIZE as f32 / 2.0) as usize;
    let at = 4 * (index(z) * SIZE + index(x));
    map.shape[at..at + 4].try_into().expect("four bytes")
}

fn tangent(byte: u8) -> f32 {
    f32::from(byte) / (255.0 - f32::from(byte))
}

fn normal(map: &FarMap, texel: usize) -> [f32; 2] {
    [0, 2].map(|at| from_half([map.normals[4 * texel + at], map.normals[4 * texel + at + 1]]))
}

fn field(kinds: Vec<LayerKind>) -> Arc<HeightField> {
    let layers = kinds.into_iter().map(Layer::from).collect();
    Arc::new(HeightField::new(&FieldSettings { layers, ..FieldSettings::default() }))
}

fn mountains() -> LayerKind {
    LayerKind::Noise(NoiseSettings { frequency: 0.0005, height_scale: 800.0, octaves: 6, ..NoiseSettings::default() })
}

#[test]
fn a_wall_stands_in_the_sky_as_high_as_it_is_near_or_far() {
    // 320 m high, at x = 800 m.
    let map = map_of([1.0, 0.0], |x, _| if (800.0..1100.0).contains(&x) { 320.0 } else { 0.0 });
    for (x, expected) in [(640.0, 2.0), (480.0, 1.0), (160.0, 0.5), (-480.0, 0.25), (-1200.0, 0.16)] {
        let found = tangent(shape(&map, x, 0.0)[1]);
        // The farther, the longer the steps between the positions that are looked at.
        assert!((found / expected - 1.0).abs() < 0.12, "{found} for {expected} at {x}");
    }
    assert_eq!(shape(&map, 1200.0, 0.0)[1], 0, "beyond the wall");
    let open = |x| shape(&map, x, 0.0)[0];
    assert!(open(780.0) < open(700.0) && open(700.0) < open(400.0) && open(400.0) < open(-1600.0));
    // Half of the directions are nearly closed.
    assert!((128..180).contains(&open(784.0)), "{}", open(784.0));
}

#[test]
fn mountains_outside_of_the_map_hide_the_sun_and_the_sky_too() {
    // The map ends at 2048 m.
    let map = map_of([1.0, 0.0], |x, _| if (4000.0..8000.0).contains(&x) { 1600.0 } else { 0.0 });
    for (x, expected) in [(1600.0, 1600.0 / 2400.0), (0.0, 0.4), (-1600.0, 1600.0 / 5600.0)] {
        let found = tangent(shape(&map, x, 0.0)[1]);
        assert!((found / expected - 1.0).abs() < 0.12, "{found} for {expected} at {x}");
    }
    assert!(shape(&map, 1600.0, 0.0)[0] < 245);
    let other = map_of([-1.0, 0.0], |x, _| if (4000.0..8000.0).contains(&x) { 1600.0 } else { 0.0 });
    assert_eq!(shape(&other, 0.0, 0.0)[1], 0, "they stand on the other side");
    let without = map_of([0.0, 0.0], |x, _| if x > 1000.0 { 1600.0 } else { 0.0 });
    assert_eq!(shape(&without, 0.0, 0.0)[1], 0, "the sun is in the zenith");
}

#[test]
fn curvature_tells_hollows_from_crests() {
    // A valley along z, 16 m deeper for each 64 m: half of the largest number.
    let valley = map_of([1.0, 0.0], |x, _| x.abs() / 4.0);
    let of = |map: &FarMap, x| f32::from(shape(map, x, 0.0)[2]) - 128.0;
    // Six of the eight positions around are higher, four of them by 11 m.
    let expected = 127.0 * (2.0 * 16.0 + 4.0 * 12.0) / 8.0 / 32.0;
    assert!((of(&valley, 0.0) - expected).abs() < 2.0, "{} for {expected}", of(&valley, 0.0));
    assert_eq!(of(&valley, 500.0), 0.0, "an even slope");
    let crest = map_of([1.0, 0.0], |x, _| -x.abs() / 4.0);
    assert_eq!(of(&crest, 0.0), -of(&valley, 0.0));
}

#[test]
fn normals_are_those_of_the_ground_between_the_corners_of_a_texel() {
    let map = map_of([1.0, 0.0], |x, z| 0.5 * x - 0.25 * z);
    let scale = 1.0 / (0.25 + 0.0625 + 1.0_f32).sqrt();
    for texel in [0, 77, SIZE * SIZE - 1] {
        let [x, z] = normal(&map, texel);
        assert!((x + 0.5 * scale).abs() < 5e-4 && (z - 0.25 * scale).abs() < 5e-4, "{x}, {z}");
    }
    let field = field(vec![mountains()]);
    let map = made(FarMapMaker::new(field.clone(), [3e6, -5e5], 8.0, SIZE, [1.0, 0.0]));
    for texel in [5 * SIZE + 9, 100 * SIZE + 130, 200 * SIZE + 30] {
        let position = |axis: usize, index: usize| map.corner[axis] + (index as f64 + 0.5) * 8.0;
        let expected = field.normal(position(0, texel % SIZE), position(1, texel / SIZE), 4.0);
        let [x, z] = normal(&map, texel);
        assert!((x - expected[0]).abs() < 0.02 && (z - expected[2]).abs() < 0.02, "{x}, {z} for {expected:?}");
    }
}

#[test]
fn drainage_is_that_of_the_field() {
    let field = field(vec![mountains(), LayerKind::Erosion(ErosionSettings::default())]);
    let map = made(FarMapMaker::new(field.clone(), [100.0, 200.0], 16.0, SIZE, [1.0, 0.0]));
    let mut largest = 0.0_f32;
    for texel in (0..SIZE * SIZE).step_by(97) {
        let position = |axis: usize, index: usize| map.corner[axis] + index as f64 * 16.0;
        let expected = field.drainage(position(0, texel % SIZE), position(1, texel / SIZE));
        let found = (f32::from(map.shape[4 * texel + 3]) - 128.0) / 127.0;
        assert!((found - expected).abs() < 0.005, "{found} for {expected}");
        largest = largest.max(expected.abs());
    }
    assert!(largest > 0.2, "{largest}");
    let without = made(FarMapMaker::new(self::field(vec![mountains()]), [0.0; 2], 16.0, SIZE, [1.0, 0.0]));
    assert!(without.shape.chunks_exact(4).all(|texel| texel[3] == 128));
}

#[test]
fn a_position_has_the_same_values_wherever_the_map_lies() {
    let field = field(vec![mountains()]);
    let at = |center| made(FarMapMaker::new(field.clone(), center, 16.0, SIZE, [0.8, 0.6]));
    let (here, there) = (at([1000.0, -500.0]), at([1000.0 + 256.0, -500.0]));
    assert_eq!(there.corner, [here.corner[0] + 256.0, here.corner[1]]);
    // Near a border, a map sees less of its surroundings.
    for (row, column) in (64..192).flat_map(|row| (64..192).map(move |column| (row, column))) {
        let texel = |map: &FarMap, column: usize| {
            let at = 4 * (row * SIZE + column);
            (map.normals[at..at + 4].to_vec(), map.shape[at..at + 4].to_vec())
        };
        assert_eq!(texel(&here, column), texel(&there, column - 16), "{row}, {column}");
    }
}

#[test]
fn parts_are_rounded_to_bytes() {
    assert_eq!((byte(0.0), byte(1.0)), (0, 255));
    assert_eq!([-2.0, -1.0, 0.0, 1.0, 2.0].map(signed_byte), [1, 1, 128, 255, 255]);
}
