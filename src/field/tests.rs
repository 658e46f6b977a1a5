//! Properties of random stacks of layers.

use super::*;
use crate::noise::{FractalShape, NoiseScratch, NoiseSettings};
use crate::property::for_all;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn any_noise() -> impl Strategy<Value = LayerKind> {
    let shape = select(&[FractalShape::Fbm, FractalShape::Ridged, FractalShape::Billow, FractalShape::Hybrid]);
    (shape, 0..5_u32, 1e-4..0.05, -500.0..500.0, select(&[0.0, 80.0])).prop_map(
        |(shape, octaves, frequency, height_scale, warp_strength)| {
            LayerKind::Noise(NoiseSettings {
                shape,
                octaves,
                frequency,
                height_scale,
                warp_strength,
                ..NoiseSettings::default()
            })
        },
    )
}

/// A layer with up to `depth` groups in one another.
fn any_layer(depth: usize) -> BoxedStrategy<Layer> {
    let constant = (-300.0..300.0).prop_map(|height| LayerKind::Constant(Constant { height }));
    let kind = if depth == 0 {
        prop_oneof![2 => any_noise(), 1 => constant].boxed()
    } else {
        let group = vec(any_layer(depth - 1), 0..3).prop_map(|layers| LayerKind::Group(Group { layers }));
        prop_oneof![2 => any_noise(), 1 => constant, 1 => group].boxed()
    };
    let blend = select(&[Blend::Replace, Blend::Add, Blend::Min, Blend::Max]);
    let opacity = prop_oneof![Just(1.0), 0.0..=1.0];
    (kind, blend, select(&[0.0, 50.0]), opacity, prop::bool::weighted(0.9))
        .prop_map(|(kind, blend, blend_radius, opacity, enabled)| Layer {
            blend,
            blend_radius,
            opacity,
            enabled,
            ..kind.into()
        })
        .boxed()
}

pub(super) fn any_field() -> impl Strategy<Value = FieldSettings> {
    (any::<u64>(), -100.0..100.0, vec(any_layer(FieldSettings::MAX_DEPTH), 0..4))
        .prop_map(|(seed, base_height, layers)| FieldSettings { seed, base_height, layers })
}

#[test]
fn a_grid_has_the_bits_of_its_points_and_all_heights_are_within_the_bounds() {
    for_all(300, (any_field(), [-1_000_000..1_000_000_i64, -1_000_000..1_000_000]), |(settings, origin)| {
        let field = HeightField::new(&settings);
        let (lowest, highest) = field.bounds();
        let grid = NodeGrid { origin, stride: 3, size: [7, 5], spacing: 2.5 };
        let mut heights = vec![f32::NAN; 3];
        field.fill(&grid, &mut NoiseScratch::default(), &mut heights);
        assert_eq!(heights.len(), 35);
        for (i, &height) in heights.iter().enumerate() {
            let [x, z] = grid.position(i % 7, i / 7);
            assert_eq!(height.to_bits(), field.height(x, z).to_bits(), "at {x}, {z}");
            assert!((lowest..=highest).contains(&height), "{height} is not within {lowest} to {highest}");
        }
    });
}

#[test]
fn layers_without_effect_change_nothing() {
    for_all(100, (any_field(), any_layer(1), 0..4_usize), |(mut settings, mut layer, at)| {
        settings.pin_streams();
        let heights = |settings: &FieldSettings| {
            let field = HeightField::new(settings);
            [0.0, 777.7, -31_234.5].map(|x| field.height(x, x / 3.0).to_bits())
        };
        let before = heights(&settings);
        let at = at.min(settings.layers.len());
        layer.enabled = false;
        settings.layers.insert(at, layer.clone());
        assert_eq!(heights(&settings), before, "a layer that is off");
        settings.layers[at] = Layer { enabled: true, opacity: 0.0, ..layer };
        assert_eq!(heights(&settings), before, "a transparent layer");
    });
}

#[test]
fn a_layer_keeps_its_noise_wherever_it_stands() {
    let noise = |stream| Layer { stream: Some(stream), ..Layer::default() };
    let height = |layers: Vec<Layer>| {
        HeightField::new(&FieldSettings { layers, ..FieldSettings::default() }).height(1234.0, 567.0)
    };
    let (first, second) = (height(vec![noise(0)]), height(vec![noise(7)]));
    assert_ne!(first, second);
    assert_eq!(height(vec![noise(7), noise(0)]), second + first);
    assert_eq!(height(vec![noise(0), noise(7)]), first + second);
    let group = LayerKind::Group(Group { layers: vec![noise(7)] });
    assert_eq!(height(vec![group.into()]), second);
    // Without streams, layers take their indices, the layers of groups after their group.
    let free = Layer::default;
    let group = LayerKind::Group(Group { layers: vec![free(), free()] });
    let mut settings = FieldSettings { layers: vec![free(), group.into(), free()], ..FieldSettings::default() };
    let before = HeightField::new(&settings).height(1234.0, 567.0);
    settings.pin_streams();
    let streams: Vec<Option<u32>> = settings.all_layers().iter().map(|(_, layer)| layer.stream).collect();
    assert_eq!(streams, [0, 1, 2, 3, 4].map(Some));
    assert_eq!(HeightField::new(&settings).height(1234.0, 567.0), before);
}

#[test]
fn groups_start_at_zero_and_are_blended_as_one() {
    let constant = |height, blend| Layer { blend, ..LayerKind::Constant(Constant { height }).into() };
    let group = |layers, blend| Layer { blend, ..LayerKind::Group(Group { layers }).into() };
    let height = |layers| {
        HeightField::new(&FieldSettings { base_height: 100.0, layers, ..FieldSettings::default() }).height(5.0, 6.0)
    };
    let floor = |at| constant(at, Blend::Max);
    assert_eq!(height(vec![floor(40.0)]), 100.0);
    assert_eq!(height(vec![group(vec![floor(40.0)], Blend::Replace)]), 40.0, "the group does not see the base height");
    assert_eq!(height(vec![group(vec![floor(40.0), constant(2.0, Blend::Add)], Blend::Add)]), 142.0);
    assert_eq!(height(vec![Layer { opacity: 0.25, ..constant(20.0, Blend::Replace) }]), 80.0);
    assert_eq!(height(vec![group(vec![], Blend::Replace)]), 0.0);
}

#[test]
fn groups_that_are_nested_too_deep_have_no_effect_and_are_reported() {
    let mut layer: Layer = LayerKind::Constant(Constant { height: 50.0 }).into();
    for depth in 1..40 {
        layer = LayerKind::Group(Group { layers: vec![layer] }).into();
        let settings = FieldSettings { layers: vec![layer.clone()], ..FieldSettings::default() };
        let is_allowed = depth <= FieldSettings::MAX_DEPTH;
        assert_eq!(HeightField::new(&settings).height(0.0, 0.0), if is_allowed { 50.0 } else { 0.0 });
        let error = settings.check_size().map(|error| error.to_string());
        if is_allowed {
            assert_eq!(error, None);
        } else if depth == 4 {
            let expected = "`field.layers` is a list with 4 levels of groups, allowed: up to 3";
            assert_eq!(error.as_deref(), Some(expected));
        }
    }
}

#[test]
fn a_grid_without_samples_has_no_heights() {
    let grid = NodeGrid { origin: [0, 0], stride: 1, size: [0, 5], spacing: 1.0 };
    let mut heights = vec![1.0];
    HeightField::new(&FieldSettings::default()).fill(&grid, &mut NoiseScratch::default(), &mut heights);
    assert!(heights.is_empty());
}
