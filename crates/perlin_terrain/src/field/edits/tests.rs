//! Properties of random edits.

use super::apply::Joined;
use super::piece::Piece;
use super::*;
use crate::field::stack_tests::any_field;
use crate::field::{Constant, FieldArea, FieldSettings, HeightField, HillShape, LayerKind, NodeGrid};
use crate::noise::NoiseScratch;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use testing::for_all;

/// Edits within 300 m of `far` along x and along z.
fn any_edit(far: f64) -> impl Strategy<Value = TerrainEdit> {
    let at = move || (-300.0..300.0).prop_map(move |offset| far + offset);
    let circle = (at(), at(), 0.1..200.0).prop_map(|(x, z, radius)| EditShape::Circle(EditCircle { x, z, radius }));
    let rectangle = (at(), at(), 0.1..300.0, 0.1..300.0, -6.3..6.3)
        .prop_map(|(x, z, width, length, turn)| EditShape::Box(EditBox { x, z, width, length, turn }));
    let path = (vec([at(), at()], 2..6), 0.1..50.0).prop_map(|(points, width)| {
        EditShape::Path(EditPath { points: points.into_iter().map(PathPoint::from).collect(), width })
    });
    let height = || {
        (-200.0..200.0, any::<bool>()).prop_map(|(height, is_above_zero)| EditHeight {
            height,
            above: if is_above_zero { HeightBase::Zero } else { HeightBase::Ground },
        })
    };
    let hill = (select(&[HillShape::Cone, HillShape::Dome, HillShape::Crater]), -50.0..50.0)
        .prop_map(|(shape, height)| EditChange::Hill(EditHill { shape, height }));
    let change = prop_oneof![
        height().prop_map(EditChange::Flatten),
        height().prop_map(EditChange::Fill),
        height().prop_map(EditChange::Cut),
        (-20.0..20.0).prop_map(|height| EditChange::Raise(Raise { height })),
        hill,
    ];
    let fade = prop_oneof![Just(0.0), 0.0..100.0];
    let strength = prop_oneof![Just(1.0), 0.0..=1.0];
    (prop_oneof![circle, rectangle, path], change, fade, strength, 0..3_u32)
        .prop_map(|(shape, change, fade, strength, priority)| TerrainEdit { shape, change, fade, strength, priority })
}

const FAR: [f64; 5] = [0.0, 1e6, -1e7, 9.9e8, -9.9e8];

/// A place, and edits around it.
fn any_edits(count: std::ops::Range<usize>) -> impl Strategy<Value = (f64, Vec<TerrainEdit>)> {
    select(&FAR).prop_flat_map(move |far| (Just(far), vec(any_edit(far), count.clone())))
}

/// The id of edit number `index`: some of the settings, some of a game.
fn id(index: usize) -> EditId {
    if index.is_multiple_of(3) { EditId::Settings(index as u32) } else { EditId::Game(index as u64) }
}

fn edited(settings: &FieldSettings, edits: &[TerrainEdit]) -> HeightField {
    let mut field = HeightField::new(settings);
    edits.iter().enumerate().for_each(|(index, edit)| field.replace_edit(id(index), None, Some(edit)));
    field
}

/// Level ground at a height.
fn level(height: f64) -> FieldSettings {
    FieldSettings { base_height: height, layers: Vec::new(), ..FieldSettings::default() }
}

fn circle(change: EditChange) -> TerrainEdit {
    let shape = EditShape::Circle(EditCircle { x: 0.0, z: 0.0, radius: 20.0 });
    TerrainEdit { shape, change, fade: 10.0, ..TerrainEdit::default() }
}

#[test]
fn a_grid_has_the_bits_of_its_points_and_all_heights_are_within_the_bounds() {
    for_all(
        150,
        (any_field(), any_edits(0..12), 0..7_u32, [-300_i64..300, -300..300]),
        |(settings, (far, edits), level, at)| {
            let field = edited(&settings, &edits);
            let stride = 1 << level;
            let origin = at.map(|offset| (far / 2.5) as i64 + offset - 12 * stride);
            let grid = NodeGrid { origin, stride, size: [25, 23], spacing: 2.5 };
            let (mut heights, mut drainage) = (Vec::new(), Vec::new());
            field.fill_with_drainage(&grid, &mut NoiseScratch::default(), &mut heights, &mut drainage);
            let positions: Vec<_> = (0..heights.len()).map(|i| grid.position(i % 25, i / 25)).collect();
            let mut scattered = vec![0.0; heights.len()];
            field.heights_at(&positions, &mut scattered);
            let (lowest, highest) = field.bounds();
            for (i, &[x, z]) in positions.iter().enumerate() {
                assert_eq!(heights[i].to_bits(), field.height(x, z).to_bits(), "at {x}, {z}");
                assert_eq!(heights[i].to_bits(), scattered[i].to_bits(), "at {x}, {z}");
                assert_eq!(drainage[i].to_bits(), field.drainage(x, z).to_bits(), "at {x}, {z}");
                assert!((lowest..=highest).contains(&heights[i]), "{} is not within {lowest} to {highest}", heights[i]);
            }
        },
    );
}

#[test]
fn the_tree_finds_all_that_has_an_effect() {
    let offset = || [-600.0..600.0, -600.0..600.0];
    for_all(500, (any_edits(1..12), vec(offset(), 20)), |((far, edits), offsets)| {
        let settings = level(5.0);
        let field = edited(&settings, &edits);
        let plain = HeightField::new(&settings);
        let mut pieces: Vec<_> =
            edits.iter().enumerate().map(|(index, edit)| Piece::all_of(id(index), edit, &|_| 5.0)).collect();
        pieces.retain(|pieces| !pieces.is_empty());
        pieces.sort_by_key(|pieces| pieces[0].order);
        for offset in offsets {
            let [x, z] = offset.map(|offset: f64| far + offset);
            let mut height = [plain.height(x, z)];
            for pieces in &pieces {
                let pieces: Vec<_> = pieces.iter().collect();
                Joined::default().apply(&pieces, &[[x.into(), z.into()]], &mut height, None);
            }
            assert_eq!(field.height(x, z).to_bits(), height[0].to_bits(), "at {x}, {z}");
        }
    });
}

#[test]
fn edits_give_the_same_ground_in_any_order_and_leave_nothing_behind() {
    let order = any::<u64>();
    for_all(
        200,
        (any_field(), any_edits(1..12), any_edits(12..13), order),
        |(settings, (_, edits), (_, others), seed)| {
            let all = edited(&settings, &edits);
            let mut indices: Vec<usize> = (0..edits.len()).collect();
            indices.sort_by_key(|&index| (index as u64 + 1).wrapping_mul(seed | 1));
            let mut field = HeightField::new(&settings);
            // Each is another edit first.
            for &index in &indices {
                field.replace_edit(id(index), None, Some(&others[index]));
            }
            let held = field.clone();
            let at = |field: &HeightField| [0.0, 33.3, -200.7].map(|x| field.height(x, x / 3.0).to_bits());
            let before = at(&held);
            for &index in &indices {
                field.replace_edit(id(index), Some(&others[index]), Some(&edits[index]));
            }
            assert_eq!(field, all);
            assert_eq!(at(&held), before, "a clone keeps its edits");
            for &index in &indices {
                field.replace_edit(id(index), Some(&edits[index]), None);
            }
            assert_eq!(field, HeightField::new(&settings));
            assert_eq!(field, all.without_edits());
        },
    );
}

#[test]
fn heights_change_only_where_edits_did() {
    let edits = (any_edits(0..8), vec(any::<prop::sample::Index>(), 0..4), vec([-0.5..0.5, -0.5..0.5], 40));
    for_all(300, edits, |((far, edits), changed, positions)| {
        let before = edited(&FieldSettings::default(), &edits);
        let mut after = before.clone();
        for index in changed.iter().filter(|_| !edits.is_empty()).map(|index| index.index(edits.len())) {
            let TerrainEdit { strength, priority, .. } = edits[index];
            // Some are removed, and others are weaker or come at another time.
            let new = TerrainEdit { strength: strength / 2.0, priority: priority + 1, ..edits[index].clone() };
            after.replace_edit(id(index), Some(&edits[index]), (index % 2 == 0).then_some(&new));
        }
        let areas = after.edited_since(&before).expect("the ground below is the same");
        assert_eq!(areas.is_empty(), after == before);
        let back = before.edited_since(&after).expect("the ground below is the same");
        assert_eq!(areas.len(), back.len());
        for [x, z] in positions.into_iter().map(|position| position.map(|offset| far + 1200.0 * offset)) {
            let is_edited = areas.iter().any(|area| area.meets(&FieldArea::around([x, z], 0.0)));
            assert!(is_edited || after.height(x, z).to_bits() == before.height(x, z).to_bits(), "at {x}, {z}");
        }
    });
    let [one, other] = [(); 2].map(|()| HeightField::new(&FieldSettings::default()));
    assert_eq!(one.edited_since(&other), None, "it may be other ground");
}

#[test]
fn equal_edits_are_no_change() {
    let edit = circle(EditChange::Raise(Raise { height: 3.0 }));
    let before = edited(&level(1.0), &[edit.clone(), edit.clone()]);
    let mut after = before.clone();
    after.replace_edit(id(1), Some(&edit), None);
    after.replace_edit(id(1), None, Some(&edit));
    assert_eq!(after.edited_since(&before), Some(vec![]));
    after.replace_edit(id(1), Some(&edit), None);
    let areas = after.edited_since(&before).expect("the ground below is the same");
    let [FieldArea { min, max }] = areas[..] else { panic!("{areas:?}") };
    assert!((0..2).all(|axis| (-30.01..=-30.0).contains(&min[axis]) && (30.0..30.01).contains(&max[axis])));
}

#[test]
fn settings_have_edits_that_come_before_those_of_a_game() {
    let raise = circle(EditChange::Raise(Raise { height: 3.0 }));
    let flatten = circle(EditChange::Flatten(EditHeight::above_zero(5.0)));
    let settings = FieldSettings { edits: vec![raise.clone(), flatten.clone()], ..level(1.0) };
    assert_eq!(HeightField::new(&settings).height(0.0, 0.0), 5.0);
    let mut game = EditMap::default();
    game.set(0, raise).expect("it is allowed");
    assert_eq!(HeightField::new(&settings).with_edits(&game).height(0.0, 0.0), 8.0);
    let many = FieldSettings { edits: vec![circle(EditChange::Raise(Raise { height: 1.0 })); 300], ..level(0.0) };
    assert_eq!(HeightField::new(&many).height(0.0, 0.0), 256.0, "the others are beyond the limit");
}

#[test]
fn the_full_effect_is_exact_and_nothing_changes_outside() {
    let to = |height| EditHeight::above_zero(height);
    let zero = EditHeight::above_ground(0.0);
    for (change, expected) in [
        (EditChange::Flatten(to(0.1)), 0.1),
        (EditChange::Flatten(zero), 7.3),
        (EditChange::Fill(to(0.1)), 7.3),
        (EditChange::Fill(to(9.1)), 9.1),
        (EditChange::Cut(to(0.1)), 0.1),
        (EditChange::Cut(to(9.1)), 7.3),
        (EditChange::Raise(Raise { height: -2.0 }), 5.3),
        (EditChange::Hill(EditHill { shape: HillShape::Dome, height: 2.0 }), 9.3),
        (EditChange::Hill(EditHill { shape: HillShape::Cone, height: -2.0 }), 5.3),
    ] {
        let field = edited(&level(7.3), &[circle(change.clone())]);
        assert_eq!(field.height(0.0, 0.0), expected, "{change:?}");
        for outside in [30.0, 30.001, 500.0] {
            assert_eq!(field.height(outside, 0.0), 7.3, "{change:?} at {outside}");
        }
    }
}

#[test]
fn an_edit_without_effect_keeps_the_sign_of_a_zero() {
    let field = edited(&level(-0.0), &[circle(EditChange::Raise(Raise { height: 0.0 }))]);
    assert_eq!(HeightField::new(&level(-0.0)).height(1.0, 2.0).to_bits(), field.height(1.0, 2.0).to_bits());
}

#[test]
fn edits_are_continuous_where_they_fade_out() {
    for_all(300, (any_edits(1..5), [-400.0..400.0, -400.0..400.0], -3.0..3.0), |((far, mut edits), start, angle)| {
        for edit in &mut edits {
            edit.fade = edit.fade.max(5.0);
        }
        let field = edited(&level(10.0), &edits);
        // Hills end at their circle, so they may be steep where these are small.
        let radii =
            edits.iter().map(|edit| if let EditShape::Circle(circle) = &edit.shape { circle.radius } else { 5.0 });
        let steepest = 5000.0 / radii.fold(5.0, f64::min);
        let step = 1.0 / 64.0;
        let height = |i: u32| {
            let along = f64::from(i) * step;
            field.height(far + start[0] + along * f64::cos(angle), far + start[1] + along * f64::sin(angle))
        };
        for i in 0..2000 {
            let difference = f64::from((height(i + 1) - height(i)).abs());
            // Far from the origin, positions are rounded to 1/8192 m.
            assert!(difference < steepest * (step + 0.001), "a step of {difference} m");
        }
    });
}

#[test]
fn a_road_passes_through_the_ground_at_its_points() {
    let settings = FieldSettings::default();
    let points = [[0.0, 0.0], [150.0, 40.0], [180.0, -120.0]];
    let shape = EditShape::Path(EditPath { points: points.map(PathPoint::from).to_vec(), width: 6.0 });
    let road =
        TerrainEdit { shape, change: EditChange::Flatten(EditHeight::above_ground(0.5)), ..TerrainEdit::default() };
    let (field, before) = (edited(&settings, &[road]), HeightField::new(&settings));
    for [x, z] in points {
        assert!((field.height(x, z) - before.height(x, z) - 0.5).abs() < 1e-4);
    }
    let middle = [(points[0][0] + points[1][0]) / 2.0, (points[0][1] + points[1][1]) / 2.0];
    let mean = (field.height(0.0, 0.0) + field.height(150.0, 40.0)) / 2.0;
    assert!((field.height(middle[0], middle[1]) - mean).abs() < 1e-3, "straight from point to point");
    assert!((field.height(middle[0], middle[1] - 2.0) - mean).abs() < 0.2, "level across");
}

#[test]
fn a_road_has_no_step_where_it_bends_on_a_slope() {
    for_all(100, (vec([-100.0..100.0, -100.0..100.0], 3..6), -3.0..3.0), |(points, angle): (Vec<[f64; 2]>, f64)| {
        // From 40 m apart on, and without sharp turns: where a path meets itself at another height, it is steep.
        let points: Vec<[f64; 2]> =
            points.iter().enumerate().map(|(i, [x, z])| [100.0 * i as f64 + x / 4.0, z / 2.0]).collect();
        let shape =
            EditShape::Path(EditPath { points: points.iter().copied().map(PathPoint::from).collect(), width: 8.0 });
        let change = EditChange::Flatten(EditHeight::above_ground(0.0));
        let field = edited(&FieldSettings::default(), &[TerrainEdit { shape, change, ..TerrainEdit::default() }]);
        for [x, z] in points {
            let height = |i: u32| {
                let along = f64::from(i) / 50.0 - 15.0;
                field.height(x + 1.5 * angle.sin() + along * f64::cos(angle), z + 1.5 + along * angle.sin())
            };
            for i in 0..1500 {
                let step = (height(i + 1) - height(i)).abs();
                assert!(step < 0.15, "a step of {step} m in 2 cm beside {x}, {z}");
            }
        }
    });
}

#[test]
fn many_raises_stay_within_the_bounds() {
    let mut field = HeightField::new(&level(1025.0));
    for number in 0..500 {
        field.replace_edit(EditId::Game(number), None, Some(&circle(EditChange::Raise(Raise { height: 0.05 }))));
    }
    let ((lowest, highest), height) = (field.bounds(), field.height(0.0, 0.0));
    assert!(height > 1049.0 && (lowest..=highest).contains(&height), "{height} is not within {lowest} to {highest}");
}

#[test]
fn the_bounds_of_a_path_and_of_a_weak_edit_are_near() {
    let points = (0..200).map(|i| PathPoint { x: f64::from(i) * 0.2, z: 0.0 }).collect();
    let raise = EditChange::Raise(Raise { height: 3.0 });
    let path = TerrainEdit { shape: EditShape::Path(EditPath { points, width: 2.0 }), ..circle(raise.clone()) };
    let weak = TerrainEdit { strength: 0.1, ..circle(raise) };
    for (edit, expected) in [(path, 3.0), (weak, 0.3)] {
        let (_, highest) = edited(&level(10.0), &[edit]).bounds();
        assert!(highest - 10.0 < 2.0 * expected, "{highest} m");
    }
}

#[test]
fn edits_of_a_game_replace_those_before() {
    let mut edits = EditMap::default();
    let raise = |x, height| TerrainEdit {
        shape: EditShape::Circle(EditCircle { x, ..EditCircle::default() }),
        ..circle(EditChange::Raise(Raise { height }))
    };
    let mut field = HeightField::new(&level(0.0));
    field.replace_edit(EditId::Settings(0), None, Some(&raise(0.0, 1.0)));
    edits.set(7, raise(0.0, 10.0)).expect("it is allowed");
    let first = field.with_edits(&edits);
    edits.set(7, raise(200.0, 20.0)).expect("it is allowed");
    let second = first.with_edits(&edits);
    assert_eq!(second, field.with_edits(&edits));
    assert_eq!([0.0, 200.0].map(|x| first.height(x, 0.0)), [11.0, 0.0]);
    assert_eq!([0.0, 200.0].map(|x| second.height(x, 0.0)), [1.0, 20.0]);
}

#[test]
fn higher_priorities_come_later_and_those_beyond_the_limit_are_equal() {
    let mut field = HeightField::new(&level(0.0));
    let flat =
        |height, priority| TerrainEdit { priority, ..circle(EditChange::Flatten(EditHeight::above_zero(height))) };
    for (number, height, priority, expected) in
        [(5, 1.0, 7, 1.0), (9, 2.0, 6, 1.0), (1, 3.0, 8, 3.0), (7, 4.0, 5000, 4.0), (8, 5.0, 1500, 5.0)]
    {
        field.replace_edit(EditId::Game(number), None, Some(&flat(height, priority)));
        assert_eq!(field.height(0.0, 0.0), expected, "edit {number}");
    }
}

#[test]
fn grids_in_any_direction_have_the_edits_of_their_points() {
    let field = edited(&level(3.0), &[circle(EditChange::Raise(Raise { height: 50.0 }))]);
    for (origin, stride) in [(20, -1), (3, 0), (0, 1 << 50), (i64::MIN + 5, -1), (-7, 3)] {
        let grid = NodeGrid { origin: [origin; 2], stride, size: [33, 9], spacing: 2.0 };
        let mut heights = Vec::new();
        field.fill(&grid, &mut NoiseScratch::default(), &mut heights);
        for (i, height) in heights.iter().enumerate() {
            let [x, z] = grid.position(i % 33, i / 33);
            // Positions beyond 2^53 ticks are rounded.
            if x.abs() < 1e12 && z.abs() < 1e12 {
                assert_eq!(height.to_bits(), field.height(x, z).to_bits(), "stride {stride} at {x}, {z}");
            }
        }
    }
}

#[test]
fn a_turned_box_turns_as_an_object_does() {
    // A long box along x, turned by a quarter: a rotation around y takes +x to -z.
    let shape = EditShape::Box(EditBox { width: 80.0, length: 4.0, turn: 1.0, ..EditBox::default() });
    let edit =
        TerrainEdit { shape, fade: 0.0, change: EditChange::Raise(Raise { height: 3.0 }), ..TerrainEdit::default() };
    let field = edited(&level(0.0), &[edit]);
    let [x, z] = [39.0 * 1.0_f64.cos(), -39.0 * 1.0_f64.sin()];
    assert_eq!(field.height(x, z), 3.0);
    assert_eq!(field.height(x, -z), 0.0);
}

#[test]
fn flat_ground_does_not_drain() {
    let gullies = LayerKind::Erosion(crate::field::ErosionSettings::default());
    let layers = vec![crate::field::Layer::default(), gullies.into()];
    let settings = FieldSettings { layers, ..FieldSettings::default() };
    let field = edited(&settings, &[circle(EditChange::Flatten(EditHeight::default()))]);
    let before = HeightField::new(&settings);
    let drains = |from: f64, to: f64| {
        let positions = (0..100).map(|i| [(from + (to - from) * f64::from(i) / 100.0), 0.0]);
        positions.filter(|&[x, z]| before.drainage(x, z) != 0.0).collect::<Vec<_>>()
    };
    let inside = drains(0.0, 19.9);
    assert!(inside.len() > 10);
    assert!(inside.iter().all(|&[x, z]| field.drainage(x, z) == 0.0));
    let fading = drains(22.0, 28.0);
    assert!(fading.len() > 10);
    let (after, before) = (|[x, z]: [f64; 2]| field.drainage(x, z), |[x, z]: [f64; 2]| before.drainage(x, z));
    assert!(fading.iter().all(|&at| after(at).abs() < before(at).abs() && after(at) != 0.0));
    assert!(drains(31.0, 60.0).iter().all(|&at| after(at) == before(at)));
}

#[test]
fn layers_do_not_see_edits() {
    let masked = crate::field::Layer {
        masks: vec![crate::field::Mask::Height(crate::field::HeightRange {
            from: 40.0,
            fade: 1.0,
            ..Default::default()
        })],
        ..LayerKind::Constant(Constant { height: 10.0 }).into()
    };
    let settings = FieldSettings { layers: vec![masked], ..level(0.0) };
    let field = edited(&settings, &[circle(EditChange::Raise(Raise { height: 100.0 }))]);
    assert_eq!(field.height(0.0, 0.0), 100.0);
}

#[test]
fn edits_say_what_is_not_allowed() {
    let flatten = circle(EditChange::Flatten(EditHeight::default()));
    assert!(flatten.check().is_empty());
    let first = |edit: &TerrainEdit| edit.check()[0].to_string();
    let far = TerrainEdit {
        shape: EditShape::Circle(EditCircle { radius: 1e5, ..EditCircle::default() }),
        ..flatten.clone()
    };
    assert_eq!(first(&far), "`shape.radius` is 100000.0, allowed: 0.1 to 10000 m");
    let nan = TerrainEdit { change: EditChange::Raise(Raise { height: f64::NAN }), ..flatten.clone() };
    assert_eq!(first(&nan), "`change.height` is NaN, allowed: -20000 to 20000 m");
    let path = |points: &[[f64; 2]]| TerrainEdit {
        shape: EditShape::Path(EditPath { points: points.iter().copied().map(PathPoint::from).collect(), width: 4.0 }),
        ..flatten.clone()
    };
    assert_eq!(first(&path(&[[0.0, 0.0]])), "`shape.points` is a list of 1, allowed: 2 to 256 points");
    assert_eq!(
        first(&path(&[[0.0, 0.0], [5.0, 0.0], [5.0, 2e4]])),
        "`shape.points[2]` is 20000 m from the point before, allowed: up to 10000 m along x and along z"
    );
    let hill = TerrainEdit { change: EditChange::Hill(EditHill::default()), ..path(&[[0.0, 0.0], [5.0, 0.0]]) };
    assert_eq!(first(&hill), "`shape` is not a circle, allowed: a circle, for a hill");
}

#[test]
fn numbers_that_were_never_checked_do_no_harm() {
    let odd = || {
        select(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 0.0, -1.0, 1e12])
    };
    for_all(
        300,
        ([odd(), odd(), odd(), odd(), odd(), odd()], any_edit(0.0)),
        |([x, z, size, height, fade, strength], edit)| {
            let mut edit = TerrainEdit { fade, strength, ..edit };
            match &mut edit.shape {
                EditShape::Circle(circle) => *circle = EditCircle { x, z, radius: size },
                EditShape::Box(rectangle) => *rectangle = EditBox { x, z, width: size, length: height, turn: fade },
                EditShape::Path(path) => (path.points[0], path.width) = (PathPoint { x, z }, size),
            }
            match &mut edit.change {
                EditChange::Flatten(to) | EditChange::Fill(to) | EditChange::Cut(to) => to.height = height,
                EditChange::Raise(raise) => raise.height = height,
                EditChange::Hill(hill) => hill.height = height,
            }
            let field = edited(&FieldSettings::default(), std::slice::from_ref(&edit));
            for position in [0.0, x, z] {
                assert!(field.height(position, 10.0).is_finite() || !position.is_finite());
            }
            let mut field = field;
            field.replace_edit(id(0), Some(&edit), None);
            assert_eq!(field, HeightField::new(&FieldSettings::default()));
        },
    );
}
