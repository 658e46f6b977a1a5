use super::*;
use crate::field::{EditCircle, EditId, EditShape, FieldSettings, TerrainEdit};
use crate::stream::TerrainOrigin;
use bevy::transform::components::GlobalTransform;

const SIZE: u32 = 1024;

fn view() -> FarView {
    FarView {
        field: Arc::new(HeightField::new(&FieldSettings::default())),
        water: f32::MIN,
        center: [500.0, -200.0],
        view_distance: 16_000.0,
        spacing: 4.0,
        sun: Vec3::new(0.8, 0.36, 0.48),
    }
}

/// The highest number of a map.
fn newest(shown: &[Option<Subject>]) -> u32 {
    shown.iter().flatten().map(|subject| subject.number).max().unwrap_or_default()
}

/// The maps that are made for `view`, in this order, until all are current.
fn made(shown: &mut [Option<Subject>], view: &FarView) -> Vec<usize> {
    let mut made = Vec::new();
    while let Some(number) = next_map(shown, view, SIZE, true) {
        shown[number] = Some(Subject::new(view, newest(shown) + 1));
        made.push(number);
    }
    made
}

#[test]
fn coarse_maps_are_made_first_and_only_those_in_view() {
    let mut shown = [const { None }; TEXELS.len()];
    let near = FarView { view_distance: 1000.0, ..view() };
    assert_eq!(made(&mut shown, &near), [0]);
    assert_eq!(made(&mut shown, &FarView { view_distance: 8000.0, ..near.clone() }), [3, 2, 1]);
    assert_eq!(made(&mut shown, &FarView { view_distance: 1e6, ..near }), [4]);
}

#[test]
fn a_map_is_made_again_when_the_viewer_is_a_sixteenth_of_its_side_away() {
    let mut shown = [const { None }; TEXELS.len()];
    let mut here = view();
    made(&mut shown, &here);
    here.center[0] += 255.0;
    assert!(made(&mut shown, &here).is_empty());
    here.center[0] += 2.0;
    assert_eq!(made(&mut shown, &here), [0]);
    here.center[1] -= 1025.0;
    assert_eq!(made(&mut shown, &here), [2, 1, 0]);
}

#[test]
fn new_ground_and_another_direction_of_the_sun_need_new_maps_and_its_height_does_not() {
    let mut shown = [const { None }; TEXELS.len()];
    let before = view();
    made(&mut shown, &before);
    let with_sun = |x: f32, y: f32, z: f32| FarView { sun: Vec3::new(x, y, z).normalize(), ..before.clone() };
    assert!(made(&mut shown, &with_sun(0.8, 0.05, 0.48)).is_empty());
    assert!(made(&mut shown, &with_sun(0.8, 0.36, 0.49)).is_empty());
    assert_eq!(made(&mut shown, &with_sun(0.8, 0.36, 0.52)), [4, 3, 2, 1, 0]);
    // The azimuth of a sun in the zenith does not matter.
    made(&mut shown, &with_sun(0.0, 1.0, 0.0));
    assert!(made(&mut shown, &with_sun(0.0, 1.0, -0.1)).is_empty());
    let other = FieldSettings { seed: 5, ..FieldSettings::default() };
    let reloaded = FarView { field: Arc::new(HeightField::new(&other)), ..with_sun(0.0, 1.0, 0.0) };
    assert!(!shown[0].as_ref().is_some_and(|subject| subject.has_ground_of(&reloaded)));
    assert_eq!(made(&mut shown, &reloaded), [4, 3, 2, 1, 0]);
}

#[test]
fn edited_ground_keeps_its_maps_until_there_are_others() {
    let mut shown = [const { None }; TEXELS.len()];
    let before = view();
    made(&mut shown, &before);
    let mut field = HeightField::clone(&before.field);
    let shape = EditShape::Circle(EditCircle { x: 5500.0, z: -200.0, radius: 25.0 });
    field.replace_edit(EditId::Game(0), None, Some(&TerrainEdit { shape, ..TerrainEdit::default() }));
    let after = FarView { field: Arc::new(field), ..before };
    for (subject, texel) in shown.iter_mut().zip(TEXELS) {
        assert!(subject.as_mut().is_some_and(|subject| subject.follow(&after, texel * f64::from(SIZE))));
    }
    assert_eq!(next_map(&shown, &after, SIZE, false), None, "they are good enough for now");
    // The finer ones end before the edit.
    assert_eq!(made(&mut shown, &after), [4, 3, 2]);
    // While somebody goes on, each has its turn.
    let turns: Vec<usize> = (0..6)
        .map(|_| {
            [2, 3, 4].into_iter().for_each(|map: usize| shown[map].as_mut().expect("it is there").is_edited = true);
            let next = next_map(&shown, &after, SIZE, true).expect("maps are old");
            shown[next] = Some(Subject::new(&after, newest(&shown) + 1));
            next
        })
        .collect();
    assert_eq!(turns, [4, 3, 2, 4, 3, 2]);
    let other = FarView { field: Arc::new(HeightField::new(&FieldSettings::default())), ..after };
    assert!(shown.iter_mut().flatten().all(|subject| !subject.follow(&other, 1.0)), "other ground has other maps");
}

#[test]
fn each_map_has_its_turn_under_a_sun_that_never_rests() {
    let mut shown = [const { None }; TEXELS.len()];
    let mut view = view();
    made(&mut shown, &view);
    let turns: Vec<usize> = (1..=10)
        .map(|step| {
            let azimuth = 0.54 + 0.1 * step as f32;
            view.sun = Vec3::new(0.9 * azimuth.cos(), 0.4, 0.9 * azimuth.sin());
            let next = next_map(&shown, &view, SIZE, true).expect("the sun has moved");
            shown[next] = Some(Subject::new(&view, newest(&shown) + 1));
            next
        })
        .collect();
    assert_eq!(turns, [4, 3, 2, 1, 0, 4, 3, 2, 1, 0]);
}

#[test]
fn a_map_has_the_same_position_on_the_ground_after_an_origin_shift_and_far_away() {
    let frame = |x, z| TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::new(x, z));
    let here = map_uniform([1000.0, -3000.0], 4096.0, 2, &frame(0.0, 0.0));
    assert_eq!(here, Vec4::new(1000.0, -3000.0, 1.0 / 4096.0, 2.0));
    assert_eq!(map_uniform([1000.0, -3000.0], 4096.0, 2, &frame(512.0, 0.0)), here - 512.0 * Vec4::X);
    assert_eq!(map_uniform([1000.0 + 1e9, -3000.0 - 1e9], 4096.0, 2, &frame(1e9, -1e9)), here);
}

#[test]
fn a_map_is_made_in_a_task() {
    let task = view();
    bevy::tasks::AsyncComputeTaskPool::get_or_init(bevy::tasks::TaskPool::new);
    let mut making = task.start(2, 128);
    making.finish();
    let map = making.take().expect("the task is done");
    assert_eq!((map.normals.len(), map.shape.len()), (4 * 128 * 128, 4 * 128 * 128));
    assert_eq!(map.corner, [(32.0 - 64.0) * 16.0, (-16.0 - 64.0) * 16.0]);
}
