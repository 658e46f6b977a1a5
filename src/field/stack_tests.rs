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

fn any_mask() -> impl Strategy<Value = Mask> {
    let height = (-200.0..200.0, 0.0..300.0, 0.1..100.0, any::<bool>())
        .prop_map(|(from, range, fade, invert)| Mask::Height(HeightMask { from, to: from + range, fade, invert }));
    let slope = (0.0..1.5, 0.0..1.5, 0.01..0.5, 0.5..50.0, any::<bool>())
        .prop_map(|(from, to, fade, distance, invert)| Mask::Slope(SlopeMask { from, to, fade, distance, invert }));
    let noise = (-0.5..0.5, -0.5..0.5, any::<bool>())
        .prop_map(|(from, to, invert)| Mask::Noise(NoiseMask { from, to, invert, ..NoiseMask::default() }));
    let point = (-2000.0..2000.0, -2000.0..2000.0, 0.0..2000.0, 0.1..2000.0, any::<bool>())
        .prop_map(|(x, z, radius, fade, invert)| Mask::Point(PointMask { x, z, radius, fade, invert }));
    let segment = ([-2000.0..2000.0, -2000.0..2000.0, -2000.0..2000.0, -2000.0..2000.0], 0.0..2000.0).prop_map(
        |([x, z, end_x, end_z], radius)| {
            Mask::Segment(SegmentMask { x, z, end_x, end_z, radius, ..SegmentMask::default() })
        },
    );
    prop_oneof![height, slope, noise, point, segment]
}

/// A layer with up to `depth` groups in one another.
fn any_layer(depth: usize) -> BoxedStrategy<Layer> {
    let constant = (-300.0..300.0).prop_map(|height| LayerKind::Constant(Constant { height }));
    let terrace =
        (1.0..100.0, 0.0..=1.0).prop_map(|(height, sharpness)| LayerKind::Terrace(Terrace { height, sharpness }));
    let erosion = (20.0..2000.0, 0.0..0.5, 1..4_u32).prop_map(|(gully_length, strength, octaves)| {
        LayerKind::Erosion(ErosionSettings { gully_length, strength, octaves, ..ErosionSettings::default() })
    });
    let shape = select(&[HillShape::Cone, HillShape::Dome, HillShape::Crater]);
    let scatter = (shape, 20.0..2000.0, 0.0..=1.0, 10.0..1000.0, 0.0..500.0).prop_map(
        |(shape, spacing, chance, radius_max, height_max)| {
            LayerKind::Scatter(Scatter { shape, spacing, chance, radius_max, height_max, ..Scatter::default() })
        },
    );
    let dunes = (10.0..2000.0, 0.0..200.0, 0.0..6.3, 0.0..2.0, 0.0..=1.0).prop_map(
        |(wavelength, height, direction, bending, variation)| {
            LayerKind::Dunes(Dunes { wavelength, height, direction, bending, variation, ..Dunes::default() })
        },
    );
    let valley_shape = select(&[ValleyShape::V, ValleyShape::U]);
    let carve = (valley_shape, -500.0..500.0, 0.0..500.0, 1.0..2000.0, 20.0..5000.0, 1..=4_u32).prop_map(
        |(shape, bed, depth, width, wavelength, octaves)| {
            LayerKind::Carve(Carve { shape, bed, depth, width, wavelength, octaves, ..Carve::default() })
        },
    );
    let curve = vec((1.0..200.0, -300.0..300.0), 0..5).prop_map(|points| {
        let mut from = -300.0;
        let points = points.into_iter().map(|(distance, to)| {
            from += distance;
            CurvePoint { from, to }
        });
        LayerKind::Curve(Curve { points: points.collect() })
    });
    let constant = prop_oneof![
        2 => constant,
        1 => terrace,
        1 => curve,
        2 => erosion,
        2 => scatter,
        2 => dunes,
        2 => carve,
    ];
    let kind = if depth == 0 {
        prop_oneof![2 => any_noise(), 1 => constant].boxed()
    } else {
        let group = (vec(any_layer(depth - 1), 0..3), select(&[0.0, 0.0, 150.0]))
            .prop_map(|(layers, warp_strength)| LayerKind::Group(Group { layers, warp_strength, ..Group::default() }));
        prop_oneof![2 => any_noise(), 1 => constant, 1 => group].boxed()
    };
    let blend = select(&[Blend::Replace, Blend::Add, Blend::Min, Blend::Max]);
    let opacity = prop_oneof![Just(1.0), 0.0..=1.0];
    (kind, blend, select(&[0.0, 50.0]), opacity, prop::bool::weighted(0.9), vec(any_mask(), 0..2))
        .prop_map(|(kind, blend, blend_radius, opacity, enabled, masks)| Layer {
            blend,
            blend_radius,
            opacity,
            enabled,
            masks,
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
    let group = LayerKind::Group(Group::from(vec![noise(7)]));
    assert_eq!(height(vec![group.into()]), second);
    // Without streams, layers take their indices, the layers of groups after their group.
    let free = Layer::default;
    let group = LayerKind::Group(Group::from(vec![free(), free()]));
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
    let group = |layers, blend| Layer { blend, ..LayerKind::Group(Group::from(layers)).into() };
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
fn groups_that_are_nested_too_deep_are_reported_and_break_nothing() {
    let mut layer: Layer = LayerKind::Constant(Constant { height: 50.0 }).into();
    for depth in 1..40 {
        layer = LayerKind::Group(Group::from(vec![layer])).into();
        let settings = FieldSettings { layers: vec![layer.clone()], ..FieldSettings::default() };
        let is_allowed = depth <= FieldSettings::MAX_DEPTH;
        let height = HeightField::new(&settings).height(0.0, 0.0);
        assert!(height == 50.0 || !is_allowed && height == 0.0, "{height} m at depth {depth}");
        let error = settings.check_layers().first().map(ToString::to_string);
        if is_allowed {
            assert_eq!(error, None);
        } else if depth == 4 {
            let expected = "`field.layers` is a list with 4 levels of groups, allowed: up to 3";
            assert_eq!(error.as_deref(), Some(expected));
        }
    }
}

#[test]
fn numbers_out_of_their_ranges_keep_heights_within_their_bounds() {
    let constant = |height| Layer::from(LayerKind::Constant(Constant { height }));
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -3.0, 0.0, 5.0, 1e300] {
        let height = Mask::Height(HeightMask { from: odd, to: odd, fade: odd, invert: false });
        let slope = Mask::Slope(SlopeMask { from: odd, to: odd, fade: odd, distance: odd, invert: true });
        let scatter = |shape| {
            LayerKind::Scatter(Scatter {
                shape,
                spacing: odd,
                chance: odd,
                radius_min: odd,
                radius_max: odd,
                height_min: odd,
                height_max: odd,
                crater_radius: odd,
                crater_depth: odd,
            })
        };
        let dunes =
            Dunes { wavelength: odd, height: odd, direction: odd, bending: odd, bend_length: odd, variation: odd };
        let layers = vec![
            scatter(HillShape::Dome).into(),
            scatter(HillShape::Crater).into(),
            LayerKind::Scatter(Scatter { chance: 1.0, spacing: odd, ..Scatter::default() }).into(),
            LayerKind::Dunes(dunes).into(),
            constant(50.0),
            Layer { opacity: odd, blend: Blend::Replace, ..constant(-20.0) },
            Layer { blend_radius: odd, blend: Blend::Max, ..Layer::default() },
            Layer { blend_radius: odd, blend: Blend::Min, ..constant(70.0) },
            LayerKind::Terrace(Terrace { height: odd, sharpness: odd }).into(),
            LayerKind::Curve(Curve { points: vec![CurvePoint { from: odd, to: odd }; 3] }).into(),
            LayerKind::Carve(Carve {
                bed: odd,
                depth: odd,
                width: odd,
                bed_width: odd,
                wavelength: odd,
                ..Carve::default()
            })
            .into(),
            Layer { masks: vec![slope], ..constant(3.0) },
            Layer { masks: vec![height], ..constant(3.0) },
            Layer {
                masks: vec![Mask::Point(PointMask { x: odd, z: odd, radius: odd, fade: odd, invert: true })],
                ..constant(3.0)
            },
            Layer {
                masks: vec![Mask::Segment(SegmentMask {
                    end_x: odd,
                    radius: odd,
                    fade: odd,
                    ..SegmentMask::default()
                })],
                ..constant(3.0)
            },
        ];
        let field = HeightField::new(&FieldSettings { layers, ..FieldSettings::default() });
        let (lowest, highest) = field.bounds();
        for i in 0..100 {
            let height = field.height(f64::from(i) * 37.0, 5.0);
            assert!((lowest..=highest).contains(&height), "{odd}: {height} is not within {lowest} to {highest}");
        }
        // It has no useful heights, and does not panic.
        let erosion =
            ErosionSettings { gully_length: odd, strength: odd, relief: odd, full_slope: odd, ..Default::default() };
        let layers = vec![Layer::default(), LayerKind::Erosion(erosion).into()];
        let _ = HeightField::new(&FieldSettings { layers, ..FieldSettings::default() }).height(10.0, 20.0);
    }
}

#[test]
fn filters_have_no_blend_and_erosions_are_limited() {
    let layer = |kind: &str| Layer::from(LayerKind::with_defaults(kind).expect("it is a kind"));
    let errors = |layers| {
        let settings = FieldSettings { layers, ..FieldSettings::default() };
        // It has heights all the same.
        assert!(HeightField::new(&settings).height(10.0, 20.0).is_finite());
        settings.check_layers().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let filters = vec![layer("Noise"), Layer { blend: Blend::Max, ..layer("Terrace") }, layer("Erosion")];
    assert_eq!(
        errors(filters),
        ["`field.layers[1].blend` is Max, allowed: no blend for a filter: it changes the height below"]
    );
    let three = "`field.layers` is a list with 3 layers that measure slopes, allowed: up to 2 layers of erosion or with a slope mask on top of one another";
    assert_eq!(errors(vec![layer("Erosion"); 2]), [""; 0]);
    assert_eq!(errors(vec![layer("Erosion"); 3]), [three]);
    let group = LayerKind::Group(Group::from(vec![layer("Noise"), layer("Erosion")]));
    assert_eq!(errors(vec![layer("Erosion"), group.clone().into(), layer("Erosion")]), [""; 0]);
    assert_eq!(errors(vec![group.into(), layer("Erosion"), layer("Erosion")]), [three]);
    assert_eq!(errors(vec![layer("Erosion"); 20]).len(), 1);
}

#[test]
fn layers_of_scattered_hills_are_limited() {
    let layer = |kind: &str| Layer::from(LayerKind::with_defaults(kind).expect("it is a kind"));
    let errors = |layers| FieldSettings { layers, ..FieldSettings::default() }.check_layers();
    let most = FieldSettings::MAX_SCATTERS;
    assert_eq!(errors([vec![layer("Scatter"); most], vec![layer("Dunes"); 3]].concat()), []);
    let group = LayerKind::Group(Group::from(vec![layer("Scatter"); most]));
    let errors: Vec<String> = errors(vec![layer("Scatter"), group.into()]).iter().map(ToString::to_string).collect();
    assert_eq!(errors, ["`field.layers` is a list with 17 layers of scattered hills, allowed: up to 16"]);
}

#[test]
fn hills_and_dunes_are_as_smooth_far_from_the_origin_as_near_it() {
    for (kind, steepest) in [("Scatter", 0.9), ("Dunes", 1.2)] {
        let settings = FieldSettings {
            layers: vec![LayerKind::with_defaults(kind).expect("it is a kind").into()],
            ..FieldSettings::default()
        };
        let field = HeightField::new(&settings);
        for origin in [0.0, 1e6, -1e9, 1e9] {
            // Eight places of 500 m each, in steps of an eighth of a metre.
            let highest = (0..8).map(|place| {
                let start = origin + 1000.0 * f64::from(place);
                let heights: Vec<f32> =
                    (0..4000).map(|i| field.height(start + f64::from(i) * 0.125, -origin)).collect();
                let step = heights.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
                assert!(step < 0.125 * steepest, "{kind}: a step of {step} m at {start}");
                heights.into_iter().fold(0.0, f32::max)
            });
            assert!(highest.fold(0.0, f32::max) > 5.0, "{kind}: no hills at {origin}");
        }
    }
}

#[test]
fn streams_and_seeds_move_hills_and_dunes() {
    for kind in ["Scatter", "Dunes"] {
        let heights = |seed, stream| {
            let layer = Layer { stream: Some(stream), ..LayerKind::with_defaults(kind).expect("it is a kind").into() };
            let field = HeightField::new(&FieldSettings { seed, layers: vec![layer], ..FieldSettings::default() });
            (0..100).map(|i| field.height(f64::from(i) * 333.0, 50.0)).collect::<Vec<f32>>()
        };
        assert_eq!(heights(1, 1), heights(1, 1));
        let [first, stream, seed] = [heights(1, 1), heights(1, 2), heights(2, 1)];
        for other in [stream, seed] {
            let same = first.iter().zip(&other).filter(|(a, b)| a == b && **a > 0.0).count();
            assert!(same < 5, "{kind}: {same} heights are the same");
        }
    }
}

#[test]
fn curves_have_ascending_points_and_not_too_many() {
    let errors = |points: &[[f64; 2]]| {
        let points = points.iter().map(|&[from, to]| CurvePoint { from, to }).collect();
        let layers = vec![Layer::default(), LayerKind::Curve(Curve { points }).into()];
        let settings = FieldSettings { layers, ..FieldSettings::default() };
        // It has heights all the same.
        assert!(HeightField::new(&settings).height(10.0, 20.0).is_finite());
        settings.check_layers().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(errors(&[]), [""; 0]);
    assert_eq!(errors(&[[0.1, 9.0], [0.2, 3.0], [0.3, 3.0], [19_999.9, 7.0], [2e4, -2e4]]), [""; 0]);
    assert_eq!(
        errors(&[[0.0, 1.0], [5.0, 2.0], [5.0, 3.0], [-2.5, 4.0]]),
        [
            "`field.layers[1].kind.points[2].from` is 5.0, allowed: at least 0.1 m above 5.0, the `from` of the point before",
            "`field.layers[1].kind.points[3].from` is -2.5, allowed: at least 0.1 m above 5.0, the `from` of the point before",
        ]
    );
    assert_eq!(errors(&[[0.0, 1.0], [f64::NAN, 2.0]]).len(), 1);
    let many: Vec<[f64; 2]> = (0..33).map(|i| [f64::from(i), 0.0]).collect();
    assert_eq!(errors(&many[1..]), [""; 0]);
    assert_eq!(errors(&many), ["`field.layers[1].kind.points` is a list of 33, allowed: up to 32 points"]);
}

/// Erosion follows the slope of crests and of sharp edges. Where a slope jumps, it must not.
#[test]
fn erosion_over_sharp_edges_has_no_cliffs() {
    let noise = |shape, height_scale| NoiseSettings {
        shape,
        octaves: 3,
        frequency: 1.0 / 900.0,
        height_scale,
        ..NoiseSettings::default()
    };
    let eroded = |layers: Vec<Layer>| {
        let erosion = LayerKind::Erosion(ErosionSettings { gully_length: 200.0, ..ErosionSettings::default() });
        let layers = layers.into_iter().chain([erosion.into()]).collect();
        HeightField::new(&FieldSettings { layers, ..FieldSettings::default() })
    };
    let fields = [
        eroded(vec![noise(FractalShape::Ridged, 300.0).into()]),
        eroded(vec![noise(FractalShape::Billow, 300.0).into()]),
        eroded(vec![
            noise(FractalShape::Fbm, 300.0).into(),
            Layer { blend: Blend::Max, ..LayerKind::Constant(Constant { height: 10.0 }).into() },
            Layer { blend: Blend::Min, ..noise(FractalShape::Fbm, 200.0).into() },
        ]),
    ];
    for (index, field) in fields.iter().enumerate() {
        // The steepest of many places, looked at ever more closely.
        let mut places: Vec<(f32, f64)> = (0..10_000)
            .map(|i| {
                let x = f64::from(i) * 1.37;
                ((field.height(x + 0.25, 0.3 * x) - field.height(x, 0.3 * x)).abs(), x)
            })
            .collect();
        places.sort_by(|a, b| b.0.total_cmp(&a.0));
        for &(_, x) in &places[..100] {
            let z = 0.3 * x;
            let (mut x, mut width) = (x, 0.25);
            for _ in 0..8 {
                width /= 2.0;
                let jump = |x: f64| (field.height(x + width, z) - field.height(x, z)).abs();
                if jump(x + width) > jump(x) {
                    x += width;
                }
            }
            let jump = (field.height(x + width, z) - field.height(x, z)).abs();
            assert!(jump < 0.06, "a cliff of {jump} m within {width} m, in field {index}");
        }
    }
}

#[test]
fn masks_see_the_ground_below_their_layer() {
    let constant = |height| Layer::from(LayerKind::Constant(Constant { height }));
    let height = |layers| {
        HeightField::new(&FieldSettings { base_height: 100.0, layers, ..FieldSettings::default() }).height(5.0, 6.0)
    };
    let within = |from, to, invert| Mask::Height(HeightMask { from, to, fade: 1.0, invert });
    let masked = |masks| Layer { masks, ..constant(10.0) };
    assert_eq!(height(vec![masked(vec![within(90.0, 110.0, false)])]), 110.0);
    assert_eq!(height(vec![masked(vec![within(120.0, 130.0, false)])]), 100.0);
    assert_eq!(height(vec![masked(vec![within(120.0, 130.0, true)])]), 110.0);
    assert_eq!(height(vec![masked(vec![within(90.0, 110.0, false), within(120.0, 130.0, false)])]), 100.0, "a product");
    assert_eq!(height(vec![constant(25.0), masked(vec![within(120.0, 130.0, false)])]), 135.0);
    let group = LayerKind::Group(Group::from(vec![masked(vec![within(-5.0, 5.0, false)])]));
    assert_eq!(height(vec![group.into()]), 110.0, "in a group, the ground below starts at 0");
    let level = |from, to| Mask::Slope(SlopeMask { from, to, ..SlopeMask::default() });
    assert_eq!(height(vec![masked(vec![level(0.0, 0.1)])]), 110.0);
    assert_eq!(height(vec![masked(vec![level(0.6, 1.5)])]), 100.0);
    let terrace = LayerKind::Terrace(Terrace { height: 30.0, sharpness: 1.0 });
    let terrace = |masks| Layer { masks, ..terrace.clone().into() };
    let flat = height(vec![terrace(vec![])]);
    assert!(flat < 98.0, "{flat}");
    assert_eq!(height(vec![terrace(vec![within(0.0, 50.0, false)])]), 100.0, "a filter has masks too");
    assert_eq!(height(vec![terrace(vec![within(0.0, 150.0, false)])]), flat);
}

#[test]
fn the_noise_of_a_mask_is_not_that_of_its_layer() {
    let field = |noise: NoiseSettings| {
        let patches = Mask::Noise(NoiseMask { noise, from: 0.0, to: 0.0, invert: false });
        let layers = vec![Layer { masks: vec![patches], ..NoiseSettings { octaves: 3, ..Default::default() }.into() }];
        HeightField::new(&FieldSettings { layers, ..FieldSettings::default() })
    };
    let field = field(NoiseSettings { octaves: 3, ..Default::default() });
    let heights: Vec<f32> = (0..1000).map(|i| field.height(f64::from(i) * 50.0, 0.0)).collect();
    // With the same noise, the layer would be masked wherever it is negative.
    assert!(heights.iter().any(|&height| height < -1.0));
    let masked = heights.iter().filter(|&&height| height == 0.0).count();
    assert!((300..700).contains(&masked), "{masked}");
}

#[test]
fn a_warped_group_is_the_group_at_moved_places() {
    let group = |warp_strength, layers| Group { warp_strength, layers, ..Group::default() };
    let field = |group: Group| {
        HeightField::new(&FieldSettings { layers: vec![LayerKind::Group(group).into()], ..FieldSettings::default() })
    };
    let hills = || Layer { stream: Some(3), ..NoiseSettings { octaves: 2, ..NoiseSettings::default() }.into() };
    let (plain, warped) = (field(group(0.0, vec![hills()])), field(group(300.0, vec![hills()])));
    let twice = field(group(300.0, vec![hills(), Layer { opacity: 0.5, ..hills() }]));
    let mut moved = 0;
    for i in 0..500 {
        let [x, z] = [f64::from(i) * 97.0, f64::from(i) * -31.0];
        assert!((twice.height(x, z) - 1.5 * warped.height(x, z)).abs() < 1e-3, "all layers move alike");
        moved += usize::from((plain.height(x, z) - warped.height(x, z)).abs() > 1.0);
        // It moves by less than the strength: the height is one of those nearby.
        let nearby = (-40..=40).flat_map(|dx| (-40..=40).map(move |dz| (f64::from(dx) * 10.0, f64::from(dz) * 10.0)));
        if i % 50 == 0 {
            let found = nearby.map(|(dx, dz)| (plain.height(x + dx, z + dz) - warped.height(x, z)).abs());
            assert!(found.fold(f32::MAX, f32::min) < 1.0, "no such height near {x}, {z}");
        }
    }
    assert!(moved > 250, "only {moved} places were moved");
}

#[test]
fn a_grid_without_samples_has_no_heights() {
    let grid = NodeGrid { origin: [0, 0], stride: 1, size: [0, 5], spacing: 1.0 };
    let mut heights = vec![1.0];
    HeightField::new(&FieldSettings::default()).fill(&grid, &mut NoiseScratch::default(), &mut heights);
    assert!(heights.is_empty());
}
