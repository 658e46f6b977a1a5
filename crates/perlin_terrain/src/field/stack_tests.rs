//! Properties of random stacks of layers.

use super::*;
use crate::noise::{FractalShape, LatticeKind, NoiseScratch, NoiseSettings, OctaveSum};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use testing::for_all;

fn any_noise() -> impl Strategy<Value = LayerKind> {
    let shape = select(&[
        FractalShape::Fbm,
        FractalShape::Ridged,
        FractalShape::Billow,
        FractalShape::Hybrid,
        FractalShape::Damped,
    ]);
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
        .prop_map(|(from, range, fade, invert)| Mask::Height(HeightRange { from, to: from + range, fade, invert }));
    let slope = (0.0..1.5, 0.0..1.5, 0.01..0.5, 0.5..50.0, any::<bool>())
        .prop_map(|(from, to, fade, distance, invert)| Mask::Slope(SlopeMask { from, to, fade, distance, invert }));
    let noise = (-0.5..0.5, -0.5..0.5, 0.001..1.0, any::<bool>())
        .prop_map(|(from, to, fade, invert)| Mask::Noise(NoiseMask { from, to, fade, invert, ..NoiseMask::default() }));
    let point = (-2000.0..2000.0, -2000.0..2000.0, 0.0..2000.0, 0.1..2000.0, any::<bool>())
        .prop_map(|(x, z, radius, fade, invert)| Mask::Point(PointMask { x, z, radius, fade, invert }));
    let segment = ([-2000.0..2000.0, -2000.0..2000.0, -2000.0..2000.0, -2000.0..2000.0], 0.0..2000.0).prop_map(
        |([x, z, end_x, end_z], radius)| {
            Mask::Segment(SegmentMask { x, z, end_x, end_z, radius, ..SegmentMask::default() })
        },
    );
    let layer = (select(&["a", "b"]), -200.0..200.0, 0.0..300.0, 0.1..300.0, any::<bool>()).prop_map(
        |(name, from, range, fade, invert)| {
            Mask::Layer(LayerMask { layer: name.to_owned(), from, to: from + range, fade, invert })
        },
    );
    prop_oneof![height, slope, noise, point, segment, layer]
}

/// A layer with up to `depth` groups in one another.
fn any_layer(depth: usize) -> BoxedStrategy<Layer> {
    let constant = (-300.0..300.0).prop_map(|height| LayerKind::Constant(Constant { height }));
    let terrace = (1.0..100.0, 0.01..=1.0).prop_map(|(height, riser)| LayerKind::Terrace(Terrace { height, riser }));
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
    let name = select(&["", "a", "b"]);
    let masks = prop_oneof![3 => vec(any_mask(), 0..2), 1 => vec(any_mask(), 2..=3)];
    (kind, blend, select(&[0.0, 50.0]), opacity, prop::bool::weighted(0.9), masks, name)
        .prop_map(|(kind, blend, blend_radius, opacity, enabled, masks, name)| Layer {
            name: name.to_owned(),
            blend,
            blend_radius,
            opacity,
            enabled,
            masks,
            ..kind.into()
        })
        .boxed()
}

/// Any stack of layers. Some are not allowed, but all have heights.
pub(crate) fn any_field() -> impl Strategy<Value = FieldSettings> {
    (any::<u64>(), -100.0..100.0, vec(any_layer(FieldSettings::MAX_DEPTH), 0..4))
        .prop_map(|(seed, base_height, layers)| FieldSettings { seed, base_height, layers, edits: vec![] })
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
        let (mut same_heights, mut drainage) = (Vec::new(), vec![9.0]);
        field.fill_with_drainage(&grid, &mut NoiseScratch::default(), &mut same_heights, &mut drainage);
        assert!(heights.iter().map(|height| height.to_bits()).eq(same_heights.iter().map(|height| height.to_bits())));
        assert_eq!(drainage.len(), 35);
        for (i, &drainage) in drainage.iter().enumerate() {
            let [x, z] = grid.position(i % 7, i / 7);
            assert_eq!(drainage.to_bits(), field.drainage(x, z).to_bits(), "drainage at {x}, {z}");
            assert!((-1.001..=1.001).contains(&drainage));
        }
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
        // Masks read the nearest layer with a name, so the new one has a name that none reads.
        layer.name = "new".into();
        settings.layers.insert(at, layer.clone());
        assert_eq!(heights(&settings), before, "a layer that is off");
        settings.layers[at] = Layer { enabled: true, opacity: 0.0, ..layer };
        assert_eq!(heights(&settings), before, "a transparent layer");
    });
}

/// Gives the layers streams from `stream` on.
fn with_streams(layers: &mut [Layer], mut stream: u32) {
    for layer in layers {
        layer.for_each_mut(&mut |layer| {
            layer.stream = Some(stream);
            stream += 1;
        });
    }
}

#[test]
fn any_layers_give_the_same_ground_wherever_they_stand() {
    let is_source = |layer: &Layer| !layer.kind.is_filter() && !layer.is_group();
    let any_layers = || vec(any_layer(1), 1..3);
    let inputs = (any_layer(0).prop_filter("a source", is_source), any_layers(), any_layers(), any::<u64>());
    for_all(300, inputs, |(ground, mut layers, mut others, seed)| {
        // The ground hides all that is below it.
        let kind = ground.kind;
        let ground = Layer { name: "a".to_owned(), stream: Some(900), blend: Blend::Replace, ..kind.into() };
        with_streams(&mut layers, 100);
        with_streams(&mut others, 500);
        others.iter_mut().for_each(|layer| layer.name.clear());
        let top = [vec![ground], layers].concat();
        let group = Layer { stream: Some(901), ..LayerKind::Group(Group::from(top.clone())).into() };
        let field = |layers: Vec<Layer>| FieldSettings { seed, base_height: 0.0, layers, edits: vec![] };
        let [alone, above, grouped] = [
            field(top.clone()),
            field([others.clone(), top].concat()),
            field(vec![group, Layer { enabled: false, ..others[0].clone() }]),
        ];
        if [&alone, &above, &grouped].into_iter().any(|field| !Program::is_complete(field)) {
            return;
        }
        let [alone, above, grouped] = [alone, above, grouped].map(|settings| HeightField::new(&settings));
        for i in 0..20 {
            let [x, z] = [f64::from(i) * 377.7, f64::from(i * i) * -31.3];
            assert_eq!(above.height(x, z).to_bits(), alone.height(x, z).to_bits(), "above others at {x}, {z}");
            // 0 + the ground may be rounded, and -0 becomes 0.
            assert_eq!(grouped.height(x, z), alone.height(x, z), "in a group at {x}, {z}");
        }
    });
}

#[test]
fn layers_that_are_added_have_the_same_sum_in_any_order() {
    let is_source = |layer: &Layer| !layer.kind.is_filter() && !layer.is_group();
    let inputs = (vec(any_layer(0).prop_filter("a source", is_source), 2..5), any::<u64>());
    for_all(300, inputs, |(sources, seed)| {
        let mut layers: Vec<Layer> = sources.into_iter().map(|layer| layer.kind.into()).collect();
        with_streams(&mut layers, 0);
        let field = |layers: &[Layer]| {
            HeightField::new(&FieldSettings { seed, base_height: 5.0, layers: layers.to_vec(), edits: vec![] })
        };
        let one = field(&layers);
        layers.reverse();
        let other = field(&layers);
        for i in 0..20 {
            let [x, z] = [f64::from(i) * 377.7, f64::from(i * i) * -31.3];
            let [one, other] = [one.height(x, z), other.height(x, z)];
            assert!((one - other).abs() < 1e-3, "{one} and {other} at {x}, {z}");
        }
    });
}

#[test]
fn a_layer_keeps_its_noise_wherever_it_stands() {
    let noise = |stream| Layer { stream: Some(stream), ..Layer::default() };
    let height = |layers: Vec<Layer>| {
        HeightField::new(&FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() }).height(1234.0, 567.0)
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
        let settings = FieldSettings { layers: vec![layer.clone()], base_height: 0.0, ..FieldSettings::default() };
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
        let height = Mask::Height(HeightRange { from: odd, to: odd, fade: odd, invert: false });
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
            LayerKind::Terrace(Terrace { height: odd, riser: odd }).into(),
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
        let field = HeightField::new(&FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() });
        let (lowest, highest) = field.bounds();
        for i in 0..100 {
            let height = field.height(f64::from(i) * 37.0, 5.0);
            assert!((lowest..=highest).contains(&height), "{odd}: {height} is not within {lowest} to {highest}");
        }
        // It has no useful heights, and does not panic.
        let erosion =
            ErosionSettings { gully_length: odd, strength: odd, detail: odd, full_slope: odd, ..Default::default() };
        let layers = vec![Layer::default(), LayerKind::Erosion(erosion).into()];
        let _ = HeightField::new(&FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() })
            .height(10.0, 20.0);
    }
}

#[test]
fn noises_whose_values_could_be_infinite_are_refused() {
    let endless = NoiseSettings {
        sum: OctaveSum::Raw,
        amplitude: 1000.0,
        persistence: 1.0,
        octaves: 32,
        exponent: 8.0,
        height_scale: 10_000.0,
        ..NoiseSettings::default()
    };
    let mask = Mask::Noise(NoiseMask { noise: endless.clone(), ..NoiseMask::default() });
    let group = Group::from(vec![Layer { enabled: false, ..endless.clone().into() }]);
    let layers = vec![LayerKind::Group(group).into(), Layer { masks: vec![mask], ..Layer::default() }];
    let settings = FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() };
    let errors: Vec<String> = settings.check_layers().iter().map(ToString::to_string).collect();
    let remedy = "values up to 1e7; choose Normalized or Clamped, or a lower amplitude, persistence, exponent or height scale, or \
                  fewer octaves";
    assert_eq!(
        errors,
        [
            format!("`field.layers[0].kind.layers[0].kind.sum` is Raw, with values up to 1.1e40, allowed: {remedy}"),
            format!("`field.layers[1].masks[0].noise.sum` is Raw, with values up to 1.1e36, allowed: {remedy}"),
        ]
    );
}

/// The height of `layers` at each of `positions` along a line, and their bounds.
fn heights_and_bounds(layers: Vec<Layer>, positions: impl Iterator<Item = f64>) -> (Vec<f32>, (f32, f32)) {
    let settings = FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() };
    assert_eq!(settings.check_layers(), []);
    let field = HeightField::new(&settings);
    (positions.map(|x| field.height(x, 0.0)).collect(), field.bounds())
}

#[test]
fn a_steep_curve_above_crests_at_their_bound_stays_within_the_bounds() {
    // Level up to the bound of the crests, and steep from there on.
    let points = [(0.0, 0.0), (10_000.0, 0.0), (10_000.1, 20_000.0)];
    let points = points.map(|(from, to)| CurvePoint { from, to }).to_vec();
    let curve: Layer = LayerKind::Curve(Curve { points }).into();
    let mut beyond = 0;
    for (octaves, persistence) in (1..=32).flat_map(|octaves| [0.3, 0.5, 0.7, 0.9].map(|part| (octaves, part))) {
        let crests = NoiseSettings {
            shape: FractalShape::Ridged,
            octaves,
            persistence,
            height_scale: 10_000.0,
            // At the origin, each octave has a crest.
            offset_octaves: false,
            ..NoiseSettings::default()
        };
        let (crest, _) = heights_and_bounds(vec![crests.clone().into()], [0.0].into_iter());
        beyond += u32::from(crest[0] > 10_000.0);
        let (heights, (lowest, highest)) = heights_and_bounds(vec![crests.into(), curve.clone()], [0.0].into_iter());
        assert!((lowest..=highest).contains(&heights[0]), "{heights:?} is not within {lowest} to {highest}");
    }
    assert!(beyond > 3, "sums are rounded up: {beyond}");
}

#[test]
fn steps_that_are_much_higher_than_the_ground_stay_within_the_bounds() {
    let ground = NoiseSettings { octaves: 1, height_scale: 1e-3, ..NoiseSettings::default() };
    let steps = LayerKind::Terrace(Terrace { height: 10_000.0, riser: 1.0 });
    let positions = (0..500).map(|i| f64::from(i) * 17.3);
    let (heights, (lowest, highest)) = heights_and_bounds(vec![ground.into(), steps.into()], positions);
    for height in heights {
        assert!((lowest..=highest).contains(&height), "{height} is not within {lowest} to {highest}");
    }
}

#[test]
fn a_noise_without_octaves_has_no_range() {
    let nothing = NoiseSettings { octaves: 0, ..NoiseSettings::default() };
    let (heights, bounds) = heights_and_bounds(vec![nothing.into()], [3.0, -777.0].into_iter());
    assert_eq!((heights, bounds), (vec![0.0; 2], (0.0, 0.0)));
}

fn layer(kind: &str) -> Layer {
    LayerKind::with_defaults(kind).expect("it is a kind").into()
}

fn errors(layers: Vec<Layer>) -> Vec<String> {
    let settings = FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() };
    // It has heights all the same.
    assert!(HeightField::new(&settings).height(10.0, 20.0).is_finite());
    settings.check_layers().iter().map(ToString::to_string).collect()
}

#[test]
fn filters_have_no_blend_and_erosions_are_limited() {
    let filters = vec![layer("Noise"), Layer { blend: Blend::Max, ..layer("Terrace") }, layer("Erosion")];
    assert_eq!(
        errors(filters),
        ["`field.layers[1].blend` is Max, allowed: no blend for a filter: it changes the height below"]
    );
    let filters = [-7.0, 5.0].map(|blend_radius| Layer { blend_radius, ..layer("Terrace") });
    let expected = |index: usize, radius: &str| {
        format!(
            "`field.layers[{index}].blend_radius` is {radius}, allowed: no blend radius for a filter: it changes the height below"
        )
    };
    assert_eq!(errors(filters.to_vec()), [expected(0, "-7.0"), expected(1, "5.0")]);
    let too_often = |path: &str| {
        format!(
            "`field.{path}` is a layer that each height evaluates 125 times, allowed: at most 64 evaluations of a layer; an erosion or a slope mask evaluates all below it four times more"
        )
    };
    let on_noise = |erosions| [vec![layer("Noise")], vec![layer("Erosion"); erosions]].concat();
    assert_eq!(errors(on_noise(2)), [""; 0]);
    assert_eq!(errors(on_noise(3)), [too_often("layers[0]")]);
    let group: Layer = LayerKind::Group(Group::from(on_noise(1))).into();
    assert_eq!(errors(vec![layer("Erosion"), group.clone(), layer("Erosion")]), [""; 0]);
    let layers = vec![group, layer("Erosion"), layer("Erosion")];
    assert_eq!(errors(layers), [too_often("layers[0].kind.layers[0]")]);
    assert_eq!(errors(vec![layer("Erosion"); 20]).len(), 1);
    // Valleys ask their noise five times.
    let valleys = |erosions| [vec![layer("Carve")], vec![layer("Erosion"); erosions]].concat();
    assert_eq!(errors(valleys(1)), [""; 0]);
    let expected = "`field.layers[0]` is a layer whose noise each height evaluates 125 times, allowed: at most 64 evaluations of a \
                    layer; an erosion or a slope mask evaluates all below it four times more, and valleys evaluate their noise \
                    five times";
    assert_eq!(errors(valleys(2)), [expected]);
}

#[test]
fn the_nodes_of_all_grids_are_limited() {
    let grid = |period| NoiseSettings {
        lattice: LatticeKind::Grid,
        period_x: period,
        period_y: period,
        ..NoiseSettings::default()
    };
    let mask = |period| Mask::Noise(NoiseMask { noise: grid(period), ..NoiseMask::default() });
    let masked = |count, period| Layer { masks: vec![mask(period); count], ..layer("Constant") };
    assert_eq!(errors(vec![masked(3, 1024), grid(1024).into(), layer("Noise")]), [""; 0]);
    assert_eq!(errors(vec![masked(8, 0); 8]), [""; 0], "64 grids of the default size");
    let group = LayerKind::Group(Group::from(vec![masked(3, 1024)]));
    assert_eq!(
        errors(vec![grid(1024).into(), group.into(), masked(8, 1)]),
        [
            "`field.layers[2].masks[0].noise.lattice` is Grid, with 1 nodes, which makes 4194305 in all grids up to here, \
             allowed: up to 4194304 nodes in all grids; give them shorter periods"
        ]
    );
    // Too many to allocate in a test.
    let settings = FieldSettings { layers: vec![masked(8, 1024); 32], ..FieldSettings::default() };
    assert_eq!(settings.check_layers().len(), 1);
}

#[test]
fn layers_of_scattered_hills_are_limited() {
    let max = FieldSettings::MAX_SCATTERS;
    assert_eq!(errors([vec![layer("Scatter"); max], vec![layer("Dunes"); 3]].concat()), [""; 0]);
    let group = LayerKind::Group(Group::from(vec![layer("Scatter"); max]));
    assert_eq!(
        errors(vec![layer("Scatter"), group.into()]),
        ["`field.layers` is a list with 17 layers of scattered hills, allowed: up to 16"]
    );
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
            // Eight positions of 500 m each, in steps of an eighth of a metre.
            let highest = (0..8).map(|position| {
                let start = origin + 1000.0 * f64::from(position);
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
            let field = HeightField::new(&FieldSettings { seed, layers: vec![layer], base_height: 0.0, edits: vec![] });
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
        let settings = FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() };
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

#[test]
fn layers_with_names_keep_their_noise_wherever_they_stand() {
    let named = |name: &str| Layer { name: name.to_owned(), ..layer("Noise") };
    let field = |layers| HeightField::new(&FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() });
    let height = |layers| field(layers).height(123.0, 456.0);
    let flat = || LayerKind::Constant(Constant { height: 0.0 }).into();
    let one = height(vec![named("a")]);
    assert_eq!(height(vec![flat(), named("a")]), one);
    assert_eq!(height(vec![LayerKind::Group(Group::from(vec![flat(), named("a")])).into()]), one);
    assert_ne!(height(vec![named("b")]), one);
    assert_eq!(height(vec![Layer { stream: Some(stream_of_name("a")), ..named("b") }]), one);
    let errors = errors(vec![named("a"), named(""), named(""), LayerKind::Group(vec![named("a")].into()).into()]);
    assert_eq!(errors, ["`field.layers[3].kind.layers[0].name` is \"a\", allowed: a name that no other layer has"]);
}

/// Any erosion, with any opacity, behind any mask or none, alone or in a group.
fn any_erosion() -> impl Strategy<Value = Layer> {
    let settings = (10.0..3000.0, 0.0..=1.0, 1..=8_u32, 0.0..=1.0, 0.01..4.0);
    let mask = prop_oneof![
        Just(vec![]),
        Just(vec![Mask::Noise(NoiseMask::default())]),
        Just(vec![Mask::Point(PointMask { radius: 500.0, fade: 700.0, ..PointMask::default() })]),
    ];
    (settings, 0.1..=1.0, mask).prop_map(|((gully_length, strength, octaves, detail, full_slope), opacity, masks)| {
        let erosion = ErosionSettings { gully_length, strength, octaves, detail, full_slope, ..Default::default() };
        Layer { opacity, masks, ..LayerKind::Erosion(erosion).into() }
    })
}

#[test]
fn erosion_leaves_plains_where_they_are() {
    for_all(
        100,
        (any_erosion(), -3000.0..3000.0, any::<bool>(), any::<u64>()),
        |(erosion, height, is_in_group, seed)| {
            let plain = LayerKind::Constant(Constant { height }).into();
            let layers = vec![plain, erosion];
            let layers = if is_in_group { vec![LayerKind::Group(Group::from(layers)).into()] } else { layers };
            let field = HeightField::new(&FieldSettings { seed, base_height: 0.0, layers, edits: vec![] });
            for x in [0.0, 77.7, -1234.5, 1e6] {
                assert_eq!((field.height(x, x * 0.3), field.drainage(x, x * 0.3)), (height as f32, 0.0), "at {x}");
            }
        },
    );
}

#[test]
fn erosion_leaves_a_floor_level_up_to_the_foot_of_the_hills() {
    for_all(60, (any_erosion(), -300.0..300.0, any::<u64>()), |(erosion, height, seed)| {
        let hills = NoiseSettings { octaves: 3, height_scale: 500.0, ..NoiseSettings::default() };
        let floor = Layer { blend: Blend::Max, ..LayerKind::Constant(Constant { height }).into() };
        let ground = vec![hills.into(), floor];
        let field = |layers| HeightField::new(&FieldSettings { seed, base_height: height, layers, edits: vec![] });
        let (below, eroded) = (field(ground.clone()), field([ground, vec![erosion]].concat()));
        let mut level = 0;
        for i in 0..200 {
            let [x, z] = [f64::from(i) * 63.1, f64::from(i) * -17.3];
            if below.height(x, z) == height as f32 {
                assert_eq!(eroded.height(x, z), height as f32, "at {x}, {z}");
                level += 1;
            }
        }
        assert!(level > 10, "{level} positions");
    });
}

#[test]
fn erosion_keeps_the_mean_height() {
    for (seed, gully_length) in [(1, 150.0), (2, 400.0), (3, 900.0)] {
        let hills = NoiseSettings { octaves: 3, frequency: 0.0003, height_scale: 900.0, ..NoiseSettings::default() };
        let erosion = ErosionSettings { gully_length, ..ErosionSettings::default() };
        let bound = f64::from(Erosion::new(&erosion, seed, 1).bound());
        let field = |layers| HeightField::new(&FieldSettings { seed, base_height: 0.0, layers, edits: vec![] });
        let (below, eroded) =
            (field(vec![hills.clone().into()]), field(vec![hills.into(), LayerKind::Erosion(erosion).into()]));
        let (mut sum, mut squares) = (0.0, 0.0);
        for i in 0..10_000 {
            let [x, z] = [f64::from(i % 100) * 517.3, f64::from(i / 100) * 391.7];
            let change = f64::from(eroded.height(x, z) - below.height(x, z));
            (sum, squares) = (sum + change, squares + change * change);
        }
        let (mean, typical) = (sum / 10_000.0, (squares / 10_000.0).sqrt());
        assert!(typical > 0.1 * bound, "gullies: {typical} m of {bound} m");
        assert!(mean.abs() < 0.04 * bound, "{mean} m of {bound} m");
    }
}

#[test]
fn terraces_have_cliffs_and_level_treads() {
    let hills = NoiseSettings { octaves: 2, height_scale: 300.0, ..NoiseSettings::default() };
    let steps = LayerKind::Terrace(Terrace { height: 40.0, riser: 0.03 });
    let field =
        HeightField::new(&FieldSettings { layers: vec![hills.into(), steps.into()], ..FieldSettings::default() });
    let slopes = |step: f64| {
        let slope = |i: u32| {
            let [_, up, _] = field.normal(f64::from(i) * 7.7, f64::from(i) * 2.9, step);
            libm::acosf(up).to_degrees()
        };
        let mut slopes: Vec<f32> = (0..20_000).map(slope).collect();
        slopes.sort_by(f32::total_cmp);
        slopes
    };
    let fine = slopes(0.1);
    assert!(fine[19_980] > 80.0, "walls: {}", fine[19_980]);
    assert_eq!(fine[16_000], 0.0, "four fifths of the ground are treads");
    // A mesh with 4 m between vertices.
    let mesh = slopes(4.0);
    assert!(mesh[19_980] > 70.0, "walls of the mesh: {}", mesh[19_980]);
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
        HeightField::new(&FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() })
    };
    let fields = [
        eroded(vec![noise(FractalShape::Ridged, 300.0).into()]),
        eroded(vec![noise(FractalShape::Billow, 300.0).into()]),
        eroded(vec![
            noise(FractalShape::Fbm, 300.0).into(),
            Layer { blend: Blend::Max, ..LayerKind::Constant(Constant { height: 10.0 }).into() },
            Layer { blend: Blend::Min, ..noise(FractalShape::Fbm, 200.0).into() },
        ]),
        eroded(vec![LayerKind::Scatter(Scatter { radius_max: 400.0, height_max: 200.0, ..Scatter::default() }).into()]),
        eroded(vec![LayerKind::Dunes(Dunes { wavelength: 300.0, height: 40.0, ..Dunes::default() }).into()]),
    ];
    for (index, field) in fields.iter().enumerate() {
        // The steepest of many positions, looked at ever more closely.
        let mut positions: Vec<(f32, f64)> = (0..20_000)
            .map(|i| {
                let x = f64::from(i) * 1.37;
                ((field.height(x + 0.25, 0.3 * x) - field.height(x, 0.3 * x)).abs(), x)
            })
            .collect();
        positions.sort_by(|a, b| b.0.total_cmp(&a.0));
        for &(_, x) in &positions[..100] {
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

/// Settings without the edges that a designer can make as steep as a cliff: those of masks, of curves and of valleys.
fn without_cliffs(mut settings: FieldSettings) -> FieldSettings {
    let soften = |mask: &mut Mask| match mask {
        Mask::Height(mask) => mask.fade = mask.fade.max(10.0),
        Mask::Slope(mask) => (mask.fade, mask.distance) = (mask.fade.max(0.1), mask.distance.max(10.0)),
        Mask::Noise(mask) => mask.to = mask.to.max(mask.from + 0.2),
        Mask::Point(mask) => mask.fade = mask.fade.max(20.0),
        Mask::Segment(mask) => mask.fade = mask.fade.max(20.0),
        Mask::Layer(mask) => mask.to = mask.to.max(mask.from + 20.0),
    };
    for layer in &mut settings.layers {
        layer.for_each_mut(&mut |layer| {
            layer.masks.iter_mut().for_each(soften);
            match &mut layer.kind {
                LayerKind::Carve(carve) => carve.width = carve.width.max(150.0),
                LayerKind::Curve(curve) => {
                    (-3..).zip(&mut curve.points).for_each(|(i, point)| point.from = f64::from(i) * 150.0);
                }
                _ => {}
            }
        });
    }
    settings
}

/// Height differences over an eighth of a metre and over two ticks of the coordinates, where a line from `(x, z)` to 8 m further
/// along x is steepest.
fn steepest(field: &HeightField, mut x: f64, z: f64) -> [f32; 2] {
    let mut width = 8.0;
    let mut ends = [x, x + width].map(|x| field.height(x, z));
    let mut differences = [0.0; 2];
    while width > 1.0 / 512.0 {
        width /= 2.0;
        let middle = field.height(x + width, z);
        if (middle - ends[0]).abs() > (ends[1] - middle).abs() {
            ends[1] = middle;
        } else {
            ends[0] = middle;
            x += width;
        }
        differences[1] = (ends[1] - ends[0]).abs();
        if width == 0.125 {
            differences[0] = differences[1];
        }
    }
    differences
}

#[test]
fn random_stacks_have_no_cliffs() {
    for_all(1000, (any_field(), [-100_000..100_000, -100_000..100_000]), |(settings, position)| {
        let field = HeightField::new(&without_cliffs(settings));
        let [start, z] = position.map(f64::from);
        // The steepest positions of a line of 1.6 km.
        let heights: Vec<f32> = (0..=200).map(|i| field.height(start + f64::from(8 * i), z)).collect();
        let mut steps: Vec<(f32, i32)> =
            (0..).zip(heights.windows(2)).map(|(i, pair)| ((pair[1] - pair[0]).abs(), i)).collect();
        steps.sort_by(|a, b| b.0.total_cmp(&a.0));
        let highest = heights.iter().fold(0.0_f32, |highest, height| highest.max(height.abs()));
        for &(_, i) in &steps[..4] {
            let x = start + f64::from(8 * i);
            let [wide, narrow] = steepest(&field, x, z);
            // Over a distance that is 64 times shorter, a slope gives a 64th, and a cliff all of it. Heights are rounded.
            assert!(narrow < 0.25 * wide + 0.02 + 1e-5 * highest, "a cliff of {narrow} m near {x}, {z}: {wide} m");
        }
    });
}

#[test]
fn masks_see_the_ground_below_their_layer() {
    let constant = |height| Layer::from(LayerKind::Constant(Constant { height }));
    let height = |layers| {
        HeightField::new(&FieldSettings { base_height: 100.0, layers, ..FieldSettings::default() }).height(5.0, 6.0)
    };
    let within = |from, to, invert| Mask::Height(HeightRange { from, to, fade: 1.0, invert });
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
    let terrace = LayerKind::Terrace(Terrace { height: 30.0, riser: 1.0 });
    let terrace = |masks| Layer { masks, ..terrace.clone().into() };
    let flat = height(vec![terrace(vec![])]);
    assert!(flat < 98.0, "{flat}");
    assert_eq!(height(vec![terrace(vec![within(0.0, 50.0, false)])]), 100.0, "a filter has masks too");
    assert_eq!(height(vec![terrace(vec![within(0.0, 150.0, false)])]), flat);
}

#[test]
fn the_drainage_is_that_of_the_last_erosion_times_its_mask() {
    let ground = || Layer { stream: Some(1), ..layer("Noise") };
    let erosion = |stream| Layer { stream: Some(stream), ..layer("Erosion") };
    let group = |warp_strength, layers: &[Layer]| {
        let group = Group { warp_strength, layers: layers.to_vec(), ..Group::default() };
        Layer { stream: Some(50), ..LayerKind::Group(group).into() }
    };
    let drainage = |layers: &[Layer]| {
        let field =
            HeightField::new(&FieldSettings { layers: layers.to_vec(), base_height: 0.0, ..FieldSettings::default() });
        (0..200).map(|i| field.drainage(f64::from(i) * 37.0, f64::from(i) * -11.0)).collect::<Vec<f32>>()
    };
    let none = vec![0.0; 200];
    let one = drainage(&[ground(), erosion(2)]);
    assert!(one.iter().any(|&value| value > 0.3) && one.iter().any(|&value| value < -0.3), "{one:?}");
    assert_eq!(drainage(&[ground()]), none);
    assert_eq!(drainage(&[ground(), Layer { enabled: false, ..erosion(2) }]), none);
    // What lies above, or is off, changes nothing.
    let off = Layer { enabled: false, ..erosion(3) };
    let slope = Mask::Slope(SlopeMask::default());
    let above = Layer { masks: vec![slope], stream: Some(9), ..layer("Dunes") };
    assert_eq!(drainage(&[ground(), erosion(2), above.clone(), off.clone()]), one);
    let two = drainage(&[ground(), erosion(2), erosion(3)]);
    assert!(two != one && two != none);
    // In groups, it is the drainage there.
    assert_eq!(drainage(&[group(0.0, &[ground(), erosion(2), above.clone()]), above.clone()]), one);
    assert_eq!(drainage(&[layer("Dunes"), group(0.0, &[group(0.0, &[ground(), erosion(2)])])]), one);
    let hidden = Layer { enabled: false, ..group(0.0, &[ground(), erosion(3)]) };
    assert_eq!(drainage(&[ground(), erosion(2), hidden]), one);
    assert_eq!(
        drainage(&[group(0.0, &[ground(), erosion(3)]), Layer { blend: Blend::Replace, ..ground() }, erosion(2)]),
        one
    );
    // A warp moves it with its heights.
    let warped = drainage(&[group(300.0, &[ground(), erosion(2), above.clone()]), above.clone()]);
    assert!(warped != one && warped.iter().any(|&value| value < -0.2));
    let twice = group(300.0, &[group(0.0, &[group(0.0, &[ground(), erosion(2)]), layer("Noise")])]);
    assert_eq!(drainage(&[twice]), warped);
    // The mask and the opacity weaken it.
    let half = drainage(&[ground(), Layer { opacity: 0.5, ..erosion(2) }]);
    assert!(half.iter().zip(&one).all(|(half, one)| *half == 0.5 * one));
    let far = Mask::Point(PointMask { x: 0.0, z: 0.0, radius: 500.0, fade: 1.0, invert: true });
    let masked = drainage(&[ground(), Layer { masks: vec![far], opacity: 0.5, ..erosion(2) }]);
    assert_eq!(masked[..12], none[..12]);
    assert_eq!(masked[14..], half[14..]);
}

/// A layer above the layers, with the height 1 where the layer with this name is above 10 m and 0 elsewhere.
fn where_high(layers: &[Layer], name: &str) -> HeightField {
    let mask = Mask::Layer(LayerMask { layer: name.to_owned(), from: 10.0, fade: 0.1, ..LayerMask::default() });
    let floor = Layer { blend: Blend::Replace, ..LayerKind::Constant(Constant { height: 0.0 }).into() };
    let marks = Layer { masks: vec![mask], ..LayerKind::Constant(Constant { height: 1.0 }).into() };
    let layers = [layers, &[floor, marks]].concat();
    let settings = FieldSettings { base_height: 5.0, layers, ..FieldSettings::default() };
    assert_eq!(settings.check_layers(), []);
    HeightField::new(&settings)
}

#[test]
fn a_mask_reads_the_own_result_of_a_layer_below_it() {
    let named = |name: &str, kind: LayerKind| Layer { name: name.to_owned(), ..kind.into() };
    let constant = |name: &str, height| named(name, LayerKind::Constant(Constant { height }));
    let at = |layers: &[Layer], name| where_high(layers, name).height(12.0, 34.0);
    let (low, high) = (constant("low", 6.0), constant("high", 20.0));
    let alone = |layer: &Layer, name| at(std::slice::from_ref(layer), name);
    assert_eq!([alone(&low, "low"), alone(&high, "high")], [0.0, 1.0], "before its blend: 5 + 6 is 11");
    assert_eq!(at(&[low.clone(), high.clone()], "low"), 0.0);
    assert_eq!(at(&[high.clone(), low.clone()], "high"), 1.0);
    // Neither its opacity nor its masks nor a switch change what a layer makes by itself.
    let nowhere = Mask::Height(HeightRange { from: 500.0, to: 600.0, ..HeightRange::default() });
    for hidden in [
        Layer { enabled: false, ..high.clone() },
        Layer { opacity: 0.0, ..high.clone() },
        Layer { masks: vec![nowhere.clone()], ..high.clone() },
    ] {
        assert_eq!(at(&[hidden.clone(), low.clone()], "high"), 1.0, "{hidden:?}");
        assert_eq!(at(&[Layer { blend: Blend::Min, ..hidden }, low.clone()], "high"), 1.0);
    }
    // A filter's own result is the ground after it, wherever it has an effect.
    let raised = LayerKind::Curve(Curve { points: vec![CurvePoint { from: 0.0, to: 30.0 }] });
    for enabled in [true, false] {
        let filter = Layer { enabled, ..named("raised", raised.clone()) };
        assert_eq!(alone(&filter, "raised"), 1.0);
        assert_eq!(at(&[Layer { opacity: 0.5, ..filter }], "raised"), 1.0);
        let nothing = Layer { enabled, ..named("nothing", LayerKind::Curve(Curve { points: vec![] })) };
        assert_eq!([alone(&nothing, "nothing"), at(&[high.clone(), nothing], "nothing")], [0.0, 1.0]);
    }
    // A group is one layer, and its layers have a list of their own.
    let group = |layers: &[Layer]| named("group", LayerKind::Group(Group::from(layers.to_vec())));
    let more = constant("more", 6.0);
    assert_eq!(at(&[group(&[low.clone(), more.clone()])], "group"), 1.0);
    let off = Layer { enabled: false, ..group(&[low.clone(), more]) };
    assert_eq!(at(&[off], "group"), 1.0);
}

#[test]
fn what_a_mask_reads_is_the_height_of_that_layer_alone() {
    let named = |kind| Layer { name: "named".to_owned(), stream: Some(9), ..layer(kind) };
    for kind in ["Noise", "Carve", "Scatter", "Dunes", "Erosion", "Terrace"] {
        let hills = NoiseSettings { height_scale: 2000.0, ..NoiseSettings::default() };
        let ground = Layer { stream: Some(3), ..hills.into() };
        let alone = HeightField::new(&FieldSettings {
            base_height: 5.0,
            layers: if named(kind).kind.is_filter() {
                vec![ground.clone(), named(kind)]
            } else {
                vec![Layer { blend: Blend::Replace, ..named(kind) }]
            },
            ..FieldSettings::default()
        });
        let mut found = [0; 2];
        for enabled in [true, false] {
            let marks = where_high(&[ground.clone(), Layer { enabled, ..named(kind) }, layer("Dunes")], "named");
            for i in 0..500 {
                let [x, z] = [f64::from(i) * 97.0, f64::from(i) * -31.0];
                let is_high = alone.height(x, z) > 10.0;
                // The mask fades there.
                if !(9.899..10.001).contains(&alone.height(x, z)) {
                    assert_eq!(marks.height(x, z), f32::from(u8::from(is_high)), "{kind} at {x}, {z}");
                    found[usize::from(is_high)] += 1;
                }
            }
        }
        assert!(found[0] > 50 && found[1] > 50 || kind == "Carve", "{kind}: {found:?}");
    }
}

#[test]
fn a_mask_that_names_no_layer_below_it_is_an_error() {
    let named = |name: &str| Layer { name: name.to_owned(), ..layer("Constant") };
    let reads = |name: &str| {
        let mask = LayerMask { layer: name.to_owned(), ..LayerMask::default() };
        Layer { masks: vec![Mask::Layer(mask)], ..layer("Constant") }
    };
    let what = "the name of a layer below it in the same list";
    let path = "`field.layers[2].masks[0].layer`";
    let errors_of = |name: &str| errors(vec![named("crests"), named("hills"), reads(name), named("later")]);
    assert_eq!(errors_of("hills"), [""; 0]);
    assert_eq!(errors_of("hils"), [format!("{path} is \"hils\", allowed: {what}: \"hills\", \"crests\"")]);
    assert_eq!(errors_of("later").len(), 1);
    assert_eq!(errors_of("").len(), 1);
    let none = errors(vec![named(""), reads("")]);
    assert_eq!(
        none,
        [format!("`field.layers[1].masks[0].layer` is \"\", allowed: {what}, and none of them has a name")]
    );
    let group = LayerKind::Group(Group::from(vec![reads("crests")]));
    assert_eq!(errors(vec![named("crests"), group.into()]).len(), 1, "a group has a list of its own");
    let many = |count: usize| {
        let names: Vec<String> = (0..count).map(|i| format!("layer {i}")).collect();
        let named = names.iter().map(|name| named(name));
        errors(named.chain(names.iter().map(|name| reads(name))).collect())
    };
    assert_eq!(many(8), [""; 0]);
    assert_eq!(many(9), ["`field.layers` is a list with 9 layers that masks read, allowed: up to 8"]);
}

#[test]
fn settings_that_pass_the_checks_never_run_out_of_planes() {
    let is_complete = |settings: &FieldSettings| Program::is_complete(settings);
    // The most planes: slopes over slopes, in groups in groups, with all the layers that masks may read.
    let eroded = |below: Vec<Layer>| [below, vec![layer("Erosion")]].concat();
    let slope = Mask::Slope(SlopeMask::default());
    for read in 0..=FieldSettings::MAX_NAMED_LAYERS {
        for group_of_read in 0..=FieldSettings::MAX_DEPTH {
            for eroded_group in 0..=FieldSettings::MAX_DEPTH {
                let names = (0..read).map(|i| format!("layer {i}"));
                let named: Vec<Layer> = names.clone().map(|name| Layer { name, ..layer("Carve") }).collect();
                let masks = names.map(|layer| Mask::Layer(LayerMask { layer, ..LayerMask::default() }));
                let reads = Layer { masks: masks.collect(), ..layer("Dunes") };
                let read = [named, vec![reads]].concat();
                let mut layers = vec![Layer { masks: vec![slope.clone()], ..layer("Carve") }];
                for depth in 0..=FieldSettings::MAX_DEPTH {
                    if depth == group_of_read {
                        layers.extend(read.clone());
                    }
                    if depth == eroded_group {
                        layers = eroded(layers);
                    }
                    if depth < FieldSettings::MAX_DEPTH {
                        layers = vec![LayerKind::Group(Group::from(layers)).into()];
                    }
                }
                let settings = FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() };
                assert_eq!(settings.check_layers(), []);
                assert!(is_complete(&settings), "{read:?}");
            }
        }
    }
    for_all(300, any_field(), |settings| {
        assert!(is_complete(&settings) || !settings.check_layers().is_empty());
    });
}

#[test]
fn the_noise_of_a_mask_is_not_that_of_its_layer() {
    let field = |noise: NoiseSettings| {
        let patches = Mask::Noise(NoiseMask { noise, from: 0.0, fade: 0.001, ..NoiseMask::default() });
        let layers = vec![Layer { masks: vec![patches], ..NoiseSettings { octaves: 3, ..Default::default() }.into() }];
        HeightField::new(&FieldSettings { layers, base_height: 0.0, ..FieldSettings::default() })
    };
    let field = field(NoiseSettings { octaves: 3, ..Default::default() });
    let heights: Vec<f32> = (0..1000).map(|i| field.height(f64::from(i) * 50.0, 0.0)).collect();
    // With the same noise, the layer would be masked wherever it is negative.
    assert!(heights.iter().any(|&height| height < -1.0));
    let masked = heights.iter().filter(|&&height| height == 0.0).count();
    assert!((300..700).contains(&masked), "{masked}");
}

#[test]
fn a_warped_group_is_the_group_at_moved_positions() {
    let group = |warp_strength, layers| Group { warp_strength, layers, ..Group::default() };
    let field = |group: Group| {
        HeightField::new(&FieldSettings {
            layers: vec![LayerKind::Group(group).into()],
            base_height: 0.0,
            ..FieldSettings::default()
        })
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
    assert!(moved > 250, "only {moved} positions were moved");
}

#[test]
fn a_grid_without_samples_has_no_heights() {
    let grid = NodeGrid { origin: [0, 0], stride: 1, size: [0, 5], spacing: 1.0 };
    let mut heights = vec![1.0];
    HeightField::new(&FieldSettings::default()).fill(&grid, &mut NoiseScratch::default(), &mut heights);
    assert!(heights.is_empty());
}
