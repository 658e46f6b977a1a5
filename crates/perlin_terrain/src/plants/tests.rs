//! Tests of where plants stand.

use super::*;
use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkLayout, ChunkSettings};
use crate::field::{ErosionSettings, FieldSettings, HeightField, HeightRange, Layer, LayerKind};
use crate::look::far_map::FarMapMaker;
use crate::look::{NoiseRange, ReliefRange, SlopeRange, SurfaceLayer, SurfaceSample};
use crate::noise::NoiseSettings;
use proptest::sample::select;
use std::collections::BTreeSet;
use std::sync::Arc;
use testing::for_all;

/// How far from the origin to test, in metres.
const POSITIONS: [f64; 3] = [0.0, -1e7, 1e9];

/// Hills with gullies.
fn ground() -> Ground {
    let hills = NoiseSettings { octaves: 4, frequency: 0.004, height_scale: 120.0, ..NoiseSettings::default() };
    let erosion = LayerKind::Erosion(ErosionSettings::default());
    let layers = vec![hills.into(), Layer { stream: Some(9), ..erosion.into() }];
    let settings = FieldSettings { layers, seed: 5, ..FieldSettings::default() };
    Ground::new(Arc::new(HeightField::new(&settings)), ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 4.0 }))
}

fn layer(name: &str, spacing: f64) -> PlantLayer {
    PlantLayer { name: name.to_owned(), spacing, ragged: 0.0, ..PlantLayer::default() }
}

pub(super) fn plants(layers: &[PlantLayer]) -> Plants {
    Plants::new(ground(), 5, layers, &LookSettings::default())
}

fn in_square(plants: &Plants, layer: usize, corner: [f64; 2], side: f64) -> Vec<Plant> {
    plants.in_box(layer, corner, corner.map(|along| along + side)).expect("a valid box")
}

fn ids(plants: &[Plant]) -> BTreeSet<PlantId> {
    let ids: BTreeSet<PlantId> = plants.iter().map(|plant| plant.id).collect();
    assert_eq!(ids.len(), plants.len(), "no plant is listed twice");
    ids
}

fn distance(a: &Plant, b: &Plant) -> f64 {
    (a.position[0] - b.position[0]).hypot(a.position[2] - b.position[2])
}

#[test]
fn plants_keep_their_distance_and_leave_no_gap() {
    for (spacing, corner) in [(5.0, 0.0), (0.5, 1e9), (33.3, -1e7)] {
        let plants = plants(&[layer("tree", spacing)]);
        let side = 30.0 * spacing;
        let found = in_square(&plants, 0, [corner, -corner], side);
        let nearest = |plant: &Plant| {
            let others = found.iter().filter(|other| other.id != plant.id);
            others.map(|other| distance(plant, other)).fold(f64::INFINITY, f64::min)
        };
        // Rounding of coordinates.
        let least = spacing * (1.0 - 1e-9) - 1e-6;
        assert!(found.iter().all(|plant| nearest(plant) >= least), "{spacing}");
        // Of 30 by 30 spacings: 0.56 each, as the documentation says.
        let density = found.len() as f64 / 900.0;
        assert!((0.5..0.6).contains(&density), "{density}");
        // Each cell has a candidate, which is kept, or is nearer than the spacing to one that is.
        for step in 0..400 {
            let [x, z] = [step % 20, step / 20].map(|step| (5.0 + f64::from(step)) * spacing);
            let reach = 1.8 * spacing;
            assert!(!plants.near(0, [corner + x, z - corner], reach).expect("valid").is_empty(), "at {x}, {z}");
        }
    }
}

#[test]
fn kept_candidates_are_those_of_throwing_darts_in_the_order_of_hashes() {
    let pattern = pattern::Pattern::new(3, 14, 2.0);
    let reach = 40_i64;
    let cells: Vec<[i64; 2]> = (-reach..=reach).flat_map(|z| (-reach..=reach).map(move |x| [x, z])).collect();
    let mut darts: Vec<(u64, [i64; 2])> = cells.iter().map(|&cell| (pattern.hash(cell), cell)).collect();
    darts.sort_unstable();
    let mut kept: Vec<([i64; 2], [f64; 2])> = Vec::new();
    for (_, cell) in darts {
        let [x, z] = pattern.position(cell);
        let is_free = |(_, there): &([i64; 2], [f64; 2])| (there[0] - x).powi(2) + (there[1] - z).powi(2) >= 4.0;
        if kept.iter().all(is_free) {
            kept.push((cell, [x, z]));
        }
    }
    let kept: BTreeSet<[i64; 2]> = kept.into_iter().map(|(cell, _)| cell).collect();
    // The border is decided by cells that were left out.
    let inner = |cell: &&[i64; 2]| cell.iter().all(|along| along.abs() <= reach - 16);
    let mut whole = KeptCells::new(&pattern, [16 - reach; 2], [reach - 16; 2]);
    for cell in cells.iter().filter(inner) {
        assert_eq!(whole.is_kept(*cell), kept.contains(cell), "{cell:?}");
        assert_eq!(KeptCells::new(&pattern, *cell, *cell).is_kept(*cell), kept.contains(cell), "{cell:?} alone");
    }
}

#[test]
fn boxes_of_any_size_have_the_plants_of_the_whole_once() {
    let layers = [layer("tree", 6.0), layer("bush", 2.5), layer("stone", 6.0)];
    let plants = plants(&layers);
    for_all(
        30,
        (0..3_usize, select(&POSITIONS), 1.0..40.0, (-50.0..50.0, -50.0..50.0)),
        |(layer, far, side, (x, z)): (usize, f64, f64, (f64, f64))| {
            let corner = [far + x, z - far];
            let count = 3;
            let whole = in_square(&plants, layer, corner, side * f64::from(count));
            let along = |axis: usize, step: i32| corner[axis] + side * f64::from(step);
            // The last box comes first.
            let mut parts = Vec::new();
            for (row, column) in (0..count).rev().flat_map(|row| (0..count).map(move |column| (row, column))) {
                let min = [along(0, column), along(1, row)];
                let max = [along(0, column + 1), along(1, row + 1)];
                parts.extend(plants.in_box(layer, min, max).expect("a valid box"));
            }
            parts.sort_unstable_by(Plant::by_rank);
            // The last borders may be rounded.
            let end = [along(0, count), along(1, count)];
            let is_inside = |plant: &&Plant| plant.position[0] < end[0] && plant.position[2] < end[1];
            let whole: Vec<&Plant> = whole.iter().filter(is_inside).collect();
            let parts: Vec<&Plant> =
                parts.iter().filter(|plant| whole.iter().any(|other| other.id == plant.id)).collect();
            assert_eq!(parts, whole);
        },
    );
}

#[test]
fn a_lower_chance_takes_plants_away_and_moves_none() {
    let with_chance = |chance| plants(&[PlantLayer { chance, ..layer("tree", 5.0) }]);
    let all = in_square(&with_chance(1.0), 0, [0.0; 2], 300.0);
    for chance in [0.7, 0.3, 0.0] {
        let some = in_square(&with_chance(chance), 0, [0.0; 2], 300.0);
        // Those with the lowest ranks.
        assert_eq!(some, all[..some.len()], "{chance}");
        assert!((some.len() as f64 / all.len() as f64 - chance).abs() < 0.05, "{} of {}", some.len(), all.len());
    }
}

#[test]
fn a_layer_leaves_room_for_plants_with_a_larger_spacing_and_for_layers_before_it() {
    let layers = [layer("bush", 2.0), layer("tree", 7.0), layer("stone", 2.0)];
    let crowded = plants(&layers);
    let all: Vec<Vec<Plant>> = (0..3).map(|layer| in_square(&crowded, layer, [1e7, 40.0], 200.0)).collect();
    for (smaller, larger) in [(0, 1), (2, 1), (2, 0)] {
        for plant in &all[smaller] {
            assert!(all[larger].iter().all(|other| distance(plant, other) >= 1.0 - 1e-6));
        }
    }
    // The largest stand as if they were alone, and no plant moves.
    assert_eq!(all[1], in_square(&plants(&layers[1..2]), 0, [1e7, 40.0], 200.0));
    let alone = ids(&in_square(&plants(&layers[..1]), 0, [1e7, 40.0], 200.0));
    assert!(ids(&all[0]).is_subset(&alone) && all[0].len() > alone.len() * 3 / 4);
    // Plants that the chance takes away leave the room that they had.
    let without_trees = [layers[0].clone(), PlantLayer { chance: 0.0, ..layers[1].clone() }];
    assert_eq!(in_square(&plants(&without_trees), 0, [1e7, 40.0], 200.0), all[0]);
}

#[test]
fn a_plant_is_found_by_its_id_and_by_no_other() {
    let layers = [layer("tree", 5.0), PlantLayer { chance: 0.5, ..layer("bush", 2.0) }];
    let plants = plants(&layers);
    for far in POSITIONS {
        for number in 0..2 {
            let found = in_square(&plants, number, [far, far], 60.0);
            let known = ids(&found);
            assert!(found.iter().all(|plant| plants.find(plant.id) == Some((number, *plant))));
            let place = |plant: &Plant| Some([plant.position[0], plant.position[2]]);
            assert!(found.iter().all(|plant| plants.place(plant.id) == place(plant)));
            let cells = found.iter().flat_map(|plant| (-2..=2).map(|step| (plant.id, step)));
            for (id, step) in cells {
                let other = PlantId { cell: [id.cell[0] + step, id.cell[1] - 2 * step], ..id };
                let plant = plants.get(other);
                let is_inside = plant
                    .is_some_and(|plant| [0, 2].iter().all(|&axis| (far..far + 60.0).contains(&plant.position[axis])));
                assert!(known.contains(&other) == is_inside, "{other:?}");
            }
            let of_others = PlantId { stream: 99, ..found[0].id };
            assert_eq!(plants.get(of_others), None);
        }
    }
    for index in [i64::MIN, i64::MAX] {
        assert_eq!(plants.get(PlantId { stream: layers[0].stream_at(0), cell: [index, 3] }), None);
    }
}

#[test]
fn seeds_streams_and_names_move_plants_and_nothing_else_does() {
    let places = |seed, layer: PlantLayer| {
        let plants = Plants::new(ground(), seed, &[layer], &LookSettings::default());
        let found = in_square(&plants, 0, [0.0; 2], 100.0);
        found.iter().map(|plant| plant.position.map(f64::to_bits)).collect::<BTreeSet<_>>()
    };
    let base = places(5, layer("tree", 5.0));
    let stream = Some(crate::field::stream_of_name("tree"));
    assert_eq!(places(5, PlantLayer { stream, ..layer("other", 5.0) }), base);
    let kind = PlantKind::Stone;
    let size = PlantSize { from: 1.0, to: 2.0 };
    assert_eq!(places(5, PlantLayer { kind, size, ..layer("tree", 5.0) }), base);
    for other in [places(6, layer("tree", 5.0)), places(5, layer("tree2", 5.0)), places(5, layer("tree", 5.1))] {
        assert!(base.intersection(&other).count() < 5);
    }
}

#[test]
fn feet_stand_on_the_triangles_and_normals_are_those_of_the_chunks() {
    let plants = plants(&[layer("tree", 1.0)]);
    for (x, z) in [(0, 0), (-3, 250_000_000 / 16)] {
        let chunk =
            ChunkBuilder::default().build(plants.ground().field(), plants.ground().layout(), ChunkCoord::finest(x, z));
        let corner = [x, z].map(|index| index as f64 * 64.0);
        let found = in_square(&plants, 0, corner, 64.0);
        assert!(found.len() > 2000);
        for plant in &found {
            let [x, y, z] = plant.position;
            assert_eq!(y, plants.ground().height(x, z));
            let length: f32 = plant.normal.iter().map(|part| part * part).sum();
            assert!((length - 1.0).abs() < 1e-6);
            // As the rasterizer does it: those of the vertices of the triangle, by area.
            let along = [x - corner[0], z - corner[1]].map(|along| along / 4.0);
            let [column, row] = along.map(f64::floor);
            let [u, v] = [along[0] - column, along[1] - row];
            let vertex = |x: usize, z: usize| chunk.normals[column as usize + x + (row as usize + z) * 17];
            let weighted = if u + v <= 1.0 {
                [(vertex(0, 0), 1.0 - u - v), (vertex(1, 0), u), (vertex(0, 1), v)]
            } else {
                [(vertex(1, 1), u + v - 1.0), (vertex(0, 1), 1.0 - u), (vertex(1, 0), 1.0 - v)]
            };
            let sum = [0, 1, 2].map(|axis| weighted.iter().map(|(normal, part)| f64::from(normal[axis]) * part).sum());
            let length = sum.iter().map(|part: &f64| part * part).sum::<f64>().sqrt();
            assert!((0..3).all(|axis| (sum[axis] / length - f64::from(plant.normal[axis])).abs() < 1e-5), "{plant:?}");
        }
    }
}

#[test]
fn plants_see_the_same_ground_as_the_picture() {
    let ground = ground();
    let field = ground.field().clone();
    let mut maker = FarMapMaker::new(field.clone(), [0.0; 2], 4.0, 128, [0.0; 2]);
    let map = loop {
        if let Some(map) = maker.step() {
            break map;
        }
    };
    // At its border, the map does not see all around.
    let is_inner = |texel: &usize| [texel % 128, texel / 128].iter().all(|index| (16..112).contains(index));
    let texels: Vec<usize> = (0..128 * 128).step_by(97).filter(is_inner).collect();
    let corner_of = |texel: usize| [texel % 128, texel / 128].map(|index| index as f64 * 4.0);
    let positions: Vec<[f64; 2]> =
        texels.iter().map(|&texel| [0, 1].map(|axis| map.corner[axis] + corner_of(texel)[axis])).collect();
    let mut extremes = [[0.0_f32; 2]; 2];
    let feet = Feet::new(&field, ground.layout(), &positions, Needs::ALL);
    for (index, &position) in positions.iter().enumerate() {
        let mut site = feet.site(index, position, 4.0);
        site.ask_noise();
        ask_curvature(&field, std::slice::from_mut(&mut site));
        let shape = &map.shape[4 * texels[index]..][..4];
        let signed = |byte: u8| (f32::from(byte) - 128.0) / 127.0;
        // The map rounds the eight directions to texels, and numbers to bytes.
        for (number, (found, byte, tolerance)) in
            [(site.sample.curvature, shape[2], 0.06), (site.sample.drainage, shape[3], 0.005)].into_iter().enumerate()
        {
            assert!((found - signed(byte)).abs() < tolerance, "{number}: {found} against {}", signed(byte));
            extremes[number] = [extremes[number][0].min(found), extremes[number][1].max(found)];
        }
        let drawn = SurfaceSample::new(site.position, site.sample.normal);
        assert_eq!((site.sample.noise, site.sample.height), (drawn.noise, drawn.height));
    }
    assert!(extremes.iter().all(|[low, high]| *low < -0.2 && *high > 0.2), "{extremes:?}");
}

#[test]
fn vertices_of_a_grid_and_single_ones_tell_the_same() {
    let ground = ground();
    for_all(50, (select(&POSITIONS), 1.0..300.0, 1..60_usize), |(far, reach, count): (f64, f64, usize)| {
        let mut random = crate::noise::NoiseRng::new(count as u64, 3);
        let mut along = || far + random.next_in(-reach, reach);
        let positions: Vec<[f64; 2]> = (0..count).map(|_| [along(), along()]).collect();
        let (field, layout) = (ground.field(), ground.layout());
        let grid = site::grid_around(layout, &positions).expect("a small grid");
        let [mut of_grid, mut single] = [Feet::default(), Feet::default()];
        of_grid.ask_grid(field, layout, &positions, &grid);
        single.ask_each(field, layout, &positions, Needs::ALL);
        assert!(of_grid == single);
    });
}

#[test]
fn ranges_and_layers_of_the_ground_decide_where_plants_grow() {
    let meadow = SurfaceLayer { name: "meadow".to_owned(), ..SurfaceLayer::default() };
    let rock = SurfaceLayer {
        name: "rock".to_owned(),
        ragged: 0.0,
        slope: SlopeRange { from: 0.25, fade: 0.01, ..SlopeRange::default() },
        ..SurfaceLayer::default()
    };
    let look = LookSettings { layers: vec![meadow, rock], ..LookSettings::default() };
    let everywhere = layer("tree", 5.0);
    let found = |layer: PlantLayer| {
        let plants = Plants::new(ground(), 5, &[layer], &look);
        in_square(&plants, 0, [300.0, -800.0], 500.0)
    };
    let all = found(everywhere.clone());
    let on =
        |names: &[&str]| PlantLayer { on: names.iter().map(|name| (*name).to_owned()).collect(), ..everywhere.clone() };
    let (on_meadow, on_rock) = (ids(&found(on(&["meadow"]))), ids(&found(on(&["rock", "lava"]))));
    assert!(on_meadow.len() > 500 && on_rock.len() > 500, "{} and {}", on_meadow.len(), on_rock.len());
    // At the border, each has a part: a plant may be on both or on none.
    assert!(on_meadow.intersection(&on_rock).count() < all.len() / 20);
    assert!(on_meadow.union(&on_rock).count() > all.len() * 19 / 20);
    assert_eq!(found(on(&["meadow", "rock"])), all);
    assert_eq!(found(on(&["lava"])), []);
    // Of each range, those are left that lie in it.
    let slope = |plant: &Plant| plant.normal[1].acos();
    let level =
        found(PlantLayer { slope: SlopeRange { to: 0.2, fade: 0.01, ..SlopeRange::default() }, ..everywhere.clone() });
    assert!(level.iter().all(|plant| slope(plant) < 0.21) && level.len() > 200);
    assert_eq!(
        level.iter().filter(|plant| slope(plant) < 0.2).count(),
        all.iter().filter(|plant| slope(plant) < 0.2).count()
    );
    let high = found(PlantLayer {
        height: HeightRange { from: 40.0, fade: 1.0, ..HeightRange::default() },
        ..everywhere.clone()
    });
    assert!(high.iter().all(|plant| plant.position[1] > 39.0) && !high.is_empty() && high.len() < all.len());
    let hollow = ReliefRange { from: 0.1, fade: 0.01, ..ReliefRange::default() };
    for part in [
        PlantLayer { curvature: hollow.clone(), ..everywhere.clone() },
        PlantLayer { drainage: hollow, ..everywhere.clone() },
        PlantLayer { noise: NoiseRange { from: 0.0, fade: 0.01, ..NoiseRange::default() }, ..everywhere.clone() },
        PlantLayer { slope: SlopeRange { from: 0.2, to: 0.3, ..SlopeRange::default() }, ragged: 4.0, ..everywhere },
    ] {
        let some = found(part);
        assert!(some.len() > all.len() / 20 && some.len() < all.len() * 9 / 10, "{} of {}", some.len(), all.len());
        assert!(ids(&some).is_subset(&ids(&all)));
    }
}

#[test]
fn plants_differ_and_their_numbers_are_in_range() {
    let plants = plants(&[PlantLayer { size: PlantSize { from: 4.0, to: 9.0 }, ..layer("tree", 5.0) }]);
    let found = in_square(&plants, 0, [-1e9, 1e9], 300.0);
    let means = found.iter().fold([0.0; 4], |sum, plant| {
        let numbers =
            [(plant.size - 4.0) / 5.0, plant.yaw / std::f32::consts::TAU, plant.rank, f32::from(plant.variant) / 255.0];
        assert!(numbers.iter().all(|number| (0.0..=1.0).contains(number)), "{plant:?}");
        std::array::from_fn(|index| sum[index] + numbers[index] / found.len() as f32)
    });
    assert!(means.iter().all(|mean| (0.45..0.55).contains(mean)), "{means:?}");
    assert!(found.is_sorted_by(|a, b| a.rank <= b.rank));
}

#[test]
fn an_edit_of_the_ground_moves_feet_and_no_place() {
    use crate::field::{EditChange, EditCircle, EditHeight, EditId, EditShape, TerrainEdit};
    let plants = plants(&[PlantLayer { slope: SlopeRange { to: 0.5, ..SlopeRange::default() }, ..layer("tree", 5.0) }]);
    let before = in_square(&plants, 0, [0.0; 2], 200.0);
    let mut field = HeightField::clone(plants.ground().field());
    let raise = TerrainEdit {
        shape: EditShape::Circle(EditCircle { x: 100.0, z: 100.0, radius: 30.0 }),
        change: EditChange::Flatten(EditHeight::above_zero(300.0)),
        ..TerrainEdit::default()
    };
    field.replace_edit(EditId::Settings(0), None, Some(&raise));
    let edited = plants.on_ground(Ground::new(Arc::new(field), *plants.ground().layout()));
    let after = in_square(&edited, 0, [0.0; 2], 200.0);
    let far = |plants: &[Plant]| -> Vec<Plant> {
        let is_far = |plant: &&Plant| (plant.position[0] - 100.0).hypot(plant.position[2] - 100.0) > 60.0;
        plants.iter().filter(is_far).copied().collect()
    };
    assert_eq!(far(&before), far(&after));
    let raised = after
        .iter()
        .filter(|plant| before.iter().any(|old| old.id == plant.id) && (plant.position[1] - 300.0).abs() < 1e-3);
    assert!(raised.count() > 20);
}

#[test]
fn boxes_that_cannot_be_answered_for_are_errors() {
    let plants = plants(&[layer("bush", 0.5)]);
    for number in [f64::NAN, f64::INFINITY, -1e13] {
        assert_eq!(plants.in_box(0, [number, 0.0], [1.0, 1.0]), Err(PlantAreaError::Invalid));
        assert_eq!(plants.near(0, [number, 0.0], 3.0), Err(PlantAreaError::Invalid));
    }
    assert_eq!(plants.in_box(0, [2.0, 0.0], [1.0, 1.0]), Err(PlantAreaError::Invalid));
    let large = plants.in_box(0, [0.0; 2], [1e9; 2]).expect_err("a large box");
    assert!(
        large.to_string().contains("16000000104000000000 cells for plants, at most 4194304 are allowed"),
        "{large}"
    );
    assert_eq!(plants.in_box(0, [3.0; 2], [3.0; 2]), Ok(Vec::new()));
    assert!(plants.in_box(0, [7.9e12; 2], [7.9e12 + 8.0; 2]).is_ok_and(|plants| !plants.is_empty()));
}

#[test]
fn settings_out_of_range_do_not_panic() {
    for number in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
        let size = PlantSize { from: number, to: -number };
        let height = HeightRange { from: number, fade: number, ..HeightRange::default() };
        let layer = PlantLayer { spacing: number, chance: number, size, height, ragged: number, ..layer("tree", 1.0) };
        let plants = plants(&vec![layer; 20]);
        assert_eq!(plants.layers().len(), Plants::MAX_LAYERS);
        let found = in_square(&plants, 15, [0.0; 2], 20.0);
        assert!(
            found.iter().all(|plant| plant.position.iter().all(|along| along.is_finite()) && plant.size.is_finite())
        );
    }
}
