use super::*;
use crate::field::{Constant, Curve, CurvePoint, LayerKind, Mask};
use crate::look::SurfaceLayer;
use crate::noise::NoiseSettings;
use crate::param::{ParamValue, ParamVisitor, Params};
use proptest::collection::vec;
use proptest::prelude::*;
use testing::for_all;

const FILE: &str = r#"(
    field: (
        seed: 7,
        layers: [
            (name: "hills", kind: Noise(octaves: 3, height_scale: 100.0)),
            (name: "dunes", kind: Dunes(), masks: [Layer(layer: "hills"), Height(from: 5.0)]),
            (kind: Group(layers: [(kind: Noise(octaves: 2)), (name: "inner", kind: Scatter())])),
            (kind: Curve(points: [(from: 0.0, to: 0.0), (from: 50.0, to: 20.0), (from: 100.0, to: 100.0)])),
        ],
    ),
)"#;

fn file() -> TerrainSettings {
    TerrainSettings::from_ron(FILE).expect("the file is valid")
}

fn pinned(mut settings: TerrainSettings) -> TerrainSettings {
    settings.field.pin_streams();
    settings
}

fn edited(edit: impl FnOnce(&mut TerrainSettings)) -> TerrainSettings {
    let mut settings = pinned(file());
    edit(&mut settings);
    settings
}

fn merged(mine: &TerrainSettings, theirs: &TerrainSettings) -> SettingsMerge<TerrainSettings> {
    TerrainSettings::merge(&file(), mine, theirs)
}

/// A layer of constant height with a stream.
fn constant(stream: u32, height: f64) -> Layer {
    Layer { stream: Some(stream), ..LayerKind::Constant(Constant { height }).into() }
}

fn streams(settings: &TerrainSettings) -> Vec<u32> {
    settings.field.layers.iter().filter_map(|layer| layer.stream).collect()
}

#[test]
fn edits_of_both_sides_are_in_the_result() {
    let mine = edited(|settings| {
        settings.field.layers[0].opacity = 0.5;
        settings.field.layers.insert(1, constant(90, 3.0));
        settings.look.water = true;
    });
    let theirs = edited(|settings| {
        settings.field.base_height = 77.0;
        settings.field.layers[1].name = "sand".to_owned();
        settings.field.layers.push(constant(91, 4.0));
        settings.look.layers.remove(0);
    });
    let merge = merged(&mine, &theirs);
    let expected = edited(|settings| {
        settings.look = theirs.look.clone();
        settings.look.water = true;
        settings.field.base_height = 77.0;
        settings.field.layers[0].opacity = 0.5;
        settings.field.layers[1].name = "sand".to_owned();
        settings.field.layers.insert(1, constant(90, 3.0));
        settings.field.layers.push(constant(91, 4.0));
    });
    assert_eq!(merge, SettingsMerge { settings: expected, conflicts: Vec::new() });
}

#[test]
fn where_both_changed_a_parameter_mine_wins_and_its_path_is_reported() {
    let octaves = |settings: &mut TerrainSettings, octaves| {
        settings.field.layers[0].noise_mut().expect("a layer of noise").octaves = octaves;
    };
    let mine = edited(|settings| octaves(settings, 5));
    let theirs = edited(|settings| {
        octaves(settings, 6);
        settings.field.layers.insert(0, constant(90, 3.0));
    });
    let merge = merged(&mine, &theirs);
    assert_eq!(merge.conflicts, ["field.layers[1].kind.octaves"]);
    assert_eq!(merge.settings.get("field.layers[1].kind.octaves"), Some(ParamValue::Count(5)));
    // The same change is no conflict.
    assert_eq!(merged(&mine, &mine), SettingsMerge { settings: mine, conflicts: Vec::new() });
    // Another kind is another value, whatever the other side did inside.
    let mine = edited(|settings| settings.field.layers[0].kind = constant(0, 1.0).kind);
    let merge = merged(&mine, &theirs);
    assert_eq!(merge.conflicts, ["field.layers[1].kind"]);
    assert_eq!(merge.settings.field.layers[1], mine.field.layers[0]);
}

#[test]
fn an_item_that_one_side_removed_stays_if_the_other_one_changed_it() {
    let removed = edited(|settings| drop(settings.field.layers.remove(0)));
    let changed = edited(|settings| settings.field.layers[0].opacity = 0.25);
    for (mine, theirs) in [(&removed, &changed), (&changed, &removed)] {
        let merge = merged(mine, theirs);
        assert_eq!(merge, SettingsMerge { settings: changed.clone(), conflicts: vec!["field.layers[0]".to_owned()] });
    }
    let unchanged = edited(|settings| settings.field.base_height = 1.0);
    for (mine, theirs) in [(&removed, &unchanged), (&unchanged, &removed)] {
        assert_eq!(streams(&merged(mine, theirs).settings), streams(&removed));
    }
}

#[test]
fn moved_items_take_along_what_the_other_side_changed_in_them() {
    let moved = edited(|settings| settings.field.layers.rotate_right(1));
    let changed = edited(|settings| {
        settings.field.layers[3].opacity = 0.75;
        settings.field.layers.insert(2, constant(90, 3.0));
        let Mask::Height(mask) = &mut settings.field.layers[1].masks[1] else { panic!("a mask of height") };
        mask.from = 6.0;
    });
    for (mine, theirs) in [(&moved, &changed), (&changed, &moved)] {
        let merge = merged(mine, theirs);
        let [curve, hills, dunes, group] = [0, 1, 2, 3].map(|index| moved.field.layers[index].stream.expect("pinned"));
        assert_eq!(streams(&merge.settings), [curve, hills, dunes, 90, group], "{merge:?}");
        assert_eq!(merge.settings.field.layers[0].opacity, 0.75);
        assert_eq!(merge.settings.field.layers[2].masks, changed.field.layers[1].masks);
        assert!(merge.conflicts.is_empty());
    }
}

#[test]
fn items_without_streams_merge_by_value_and_position() {
    let points = |settings: &mut TerrainSettings, points: &[(f64, f64)]| {
        let LayerKind::Curve(Curve { points: old, .. }) = &mut settings.field.layers[3].kind else { panic!("a curve") };
        *old = points.iter().map(|&(from, to)| CurvePoint { from, to }).collect();
    };
    let mine = edited(|settings| points(settings, &[(0.0, 0.0), (50.0, 30.0), (100.0, 100.0)]));
    let theirs = edited(|settings| points(settings, &[(0.0, 0.0), (25.0, 5.0), (50.0, 20.0), (100.0, 100.0)]));
    let expected = edited(|settings| points(settings, &[(0.0, 0.0), (25.0, 5.0), (50.0, 30.0), (100.0, 100.0)]));
    assert_eq!(merged(&mine, &theirs), SettingsMerge { settings: expected, conflicts: Vec::new() });
}

#[test]
fn layers_that_both_sides_added_stay_and_get_streams_of_their_own() {
    let mine = edited(|settings| settings.field.layers.push(constant(90, 3.0)));
    let theirs = edited(|settings| settings.field.layers.push(constant(90, 4.0)));
    let merge = merged(&mine, &theirs);
    let [own, other] = &merge.settings.field.layers[4..] else { panic!("both are there: {merge:?}") };
    assert_eq!((&own.kind, other), (&mine.field.layers[4].kind, &theirs.field.layers[4]));
    assert!(!streams(&theirs).contains(&own.stream.expect("pinned")), "{merge:?}");
    // The same layer is added once.
    assert_eq!(merged(&mine, &mine).settings, mine);
}

#[test]
fn a_mask_whose_layer_is_gone_makes_the_result_invalid() {
    let mine = edited(|settings| settings.field.layers[1].opacity = 0.5);
    let theirs = edited(|settings| {
        settings.field.layers.remove(0);
        settings.field.layers[0].masks.remove(0);
    });
    assert_eq!(
        [mine.validate(), theirs.validate(), merged(&mine, &theirs).settings.validate()],
        [Ok(()), Ok(()), Ok(())]
    );
    let reads = edited(|settings| {
        let masks = settings.field.layers[1].masks.clone();
        settings.field.layers[3].masks = masks;
    });
    assert_eq!(reads.validate(), Ok(()));
    assert!(merged(&reads, &theirs).settings.validate().is_err());
}

#[test]
fn skies_merge_too() {
    let [base, mine, theirs] = ["(visibility: 30.0)", "(visibility: 30.0, air: 2.0)", "(visibility: 12.0)"]
        .map(|text| SkySettings::from_ron(text).expect("it is valid"));
    let merge = SkySettings::merge(&base, &mine, &theirs);
    assert_eq!(merge.settings, SkySettings { air: 2.0, ..theirs });
    assert!(merge.conflicts.is_empty());
}

/// An edit: what it does, and where.
type Edit = (u8, usize, usize, f64);

fn any_edits() -> impl Strategy<Value = Vec<Edit>> {
    vec((0..12_u8, 0..1000_usize, 0..1000_usize, 0.0..1.0), 0..6)
}

/// Sets parameter `index` among those of numbers to `part` of its range.
fn set(settings: &mut TerrainSettings, index: usize, part: f64) {
    let mut count = 0;
    for pass in 0..2 {
        let mut at = 0;
        settings.visit(&mut ParamVisitor::new(&mut |_, param, mut value| {
            if matches!(value.get(), ParamValue::Float(_)) && param.min.is_finite() {
                if pass == 1 && at == index % count {
                    value.set(ParamValue::Float(param.min + (param.max - param.min) * part));
                }
                at += 1;
            }
        }));
        count = at;
    }
}

fn apply(settings: &mut TerrainSettings, edits: &[Edit], first_stream: u32) {
    for (added, &(kind, at, to, part)) in edits.iter().enumerate() {
        let mut new = constant(first_stream + added as u32, (part * 100.0).round());
        let layers = &mut settings.field.layers;
        let (index, end) = (at % layers.len().max(1), layers.len());
        match kind {
            0 => layers.insert(at % (end + 1), new),
            1 if end > 0 => drop(layers.remove(index)),
            2 if end > 0 => {
                let layer = layers.remove(index);
                layers.insert(to % end, layer);
            }
            3 if end > 0 => layers[index].name = format!("name {to}"),
            4 if end > 0 => layers[index].masks.push(Mask::with_defaults("Height").expect("it is a mask")),
            5 if end > 0 && !layers[index].masks.is_empty() => drop(layers[index].masks.remove(0)),
            6 if end > 0 => {
                new = NoiseSettings { octaves: to as u32 % 8, ..NoiseSettings::default() }.into();
                layers[index].kind = new.kind;
            }
            7 if end > 0 => {
                let inner = layers[index].children_mut();
                inner.into_iter().for_each(|inner| inner.insert(to % (inner.len() + 1), new.clone()));
            }
            8 => {
                let layers = &mut settings.look.layers;
                layers
                    .insert(at % (layers.len() + 1), SurfaceLayer { name: format!("{to}"), ..SurfaceLayer::default() });
            }
            9 if settings.look.layers.len() > 1 => {
                let layer = settings.look.layers.remove(at % settings.look.layers.len());
                if to % 2 == 0 {
                    settings.look.layers.insert(to % (settings.look.layers.len() + 1), layer);
                }
            }
            _ => set(settings, at, part),
        }
    }
}

/// The file with `edits`, as a text of it is read: each layer has its stream.
fn with(edits: &[Edit], first_stream: u32) -> TerrainSettings {
    edited(|settings| apply(settings, edits, first_stream))
}

#[test]
fn a_side_without_changes_has_no_effect() {
    let base = pinned(file());
    for_all(60, any_edits(), |edits| {
        let changed = with(&edits, 100);
        let alone = SettingsMerge { settings: changed.clone(), conflicts: Vec::new() };
        assert_eq!(TerrainSettings::merge(&base, &changed, &base), alone, "mine alone");
        assert_eq!(TerrainSettings::merge(&base, &base, &changed), alone, "theirs alone");
        assert_eq!(TerrainSettings::merge(&base, &changed, &changed), alone, "both alike");
    });
}

#[test]
fn no_edit_is_lost() {
    for_all(60, (any_edits(), any_edits()), |(mine, theirs)| {
        let [mine, theirs] = [with(&mine, 100), with(&theirs, 200)];
        let merge = merged(&mine, &theirs);
        let base = streams(&pinned(file()));
        let all = streams(&merge.settings);
        for stream in streams(&mine).into_iter().chain(streams(&theirs)).filter(|stream| !base.contains(stream)) {
            assert_eq!(all.iter().filter(|&&other| other == stream).count(), 1, "{stream} of {all:?}");
        }
        for stream in base {
            let [in_mine, in_theirs] = [&mine, &theirs].map(|side| streams(side).contains(&stream));
            if in_mine && in_theirs {
                assert!(all.contains(&stream), "{stream} of {all:?}");
            }
        }
        // A merge with its own result changes nothing more.
        let again = TerrainSettings::merge(&theirs, &merge.settings, &theirs);
        assert_eq!(again.settings, merge.settings);
    });
}

#[test]
fn edits_of_different_parameters_are_both_kept() {
    // For each parameter with a range: whether it is set, by which side, and where in its range.
    let edits = vec(proptest::option::weighted(0.2, (any::<bool>(), 0.0..1.0)), 97);
    for_all(100, edits, |edits| {
        let set = |sides: &[bool]| {
            edited(|settings| {
                let mut edits = edits.iter().cycle();
                settings.visit(&mut ParamVisitor::new(&mut |_, param, mut value| {
                    let Some((is_mine, part)) = edits.next().copied().flatten() else { return };
                    if param.min.is_finite() && sides.contains(&is_mine) {
                        value.set(ParamValue::Float(param.min + (param.max - param.min) * part));
                        value.set(ParamValue::Switch(part > 0.5));
                    }
                }));
            })
        };
        let merge = merged(&set(&[true]), &set(&[false]));
        assert_eq!(merge, SettingsMerge { settings: set(&[true, false]), conflicts: Vec::new() });
    });
}
