//! Random settings within their ranges. Whatever a valid settings file says, heights are finite and within their bounds.

use perlin_terrain::field::{Blend, CurvePoint, FieldSettings, Group, HeightField, Layer, LayerKind, Mask, NodeGrid};
use perlin_terrain::noise::{NoiseRng, NoiseScratch};
use perlin_terrain::param::{Param, ParamMut, ParamVisitor, Params, Scale};
use perlin_terrain::settings::TerrainSettings;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::cell::Cell;
use testing::for_all;

/// A layer in short: the name of its kind, those of its masks, and a seed for its numbers.
type Sketch = (&'static str, Vec<&'static str>, u64);

const KINDS: [&str; 9] = ["Noise", "Carve", "Constant", "Scatter", "Dunes", "Group", "Terrace", "Curve", "Erosion"];

fn any_sketch() -> impl Strategy<Value = Sketch> {
    // Most ground is noise, and half of the layers filter it.
    let kind = prop_oneof![2 => Just("Noise"), 2 => select(&["Terrace", "Curve", "Erosion"]), 3 => select(&KINDS)];
    let mask = select(&["Height", "Slope", "Noise", "Point", "Segment", "Layer"]);
    (kind, prop_oneof![2 => vec(mask.clone(), 0..1), 1 => vec(mask, 1..3)], any::<u64>())
}

/// A number in the range of `param`, often at one of its ends.
fn number(rng: &mut NoiseRng, param: &Param) -> f64 {
    // A grid of 1024 by 1024 nodes takes long.
    let max = if param.name.starts_with("period") { 16.0 } else { param.max };
    match rng.next_u32() % 8 {
        0 => param.min,
        1 | 2 => max,
        // Across many orders of magnitude.
        3 if param.min >= 0.0 => param.min.max(max * 0.1_f64.powi((rng.next_u32() % 7) as i32)),
        4 if param.scale == Scale::Logarithmic => param.min * (max / param.min).sqrt(),
        _ => rng.next_in(param.min, max).clamp(param.min, max),
    }
}

/// Gives every parameter but the kind of the layer another value that is allowed.
fn randomize(params: &mut impl Params, rng: &mut NoiseRng) {
    params.visit(&mut ParamVisitor::new(&mut |_, param, value| match value {
        ParamMut::Float(value) => *value = number(rng, param),
        ParamMut::Count(value) => *value = number(rng, param).round() as u32,
        ParamMut::Switch(value) => *value = rng.next_u32().is_multiple_of(2),
        ParamMut::Choice(choice) if param.name != "kind" => {
            choice.choose(rng.next_u32() as usize % choice.alternatives().len());
        }
        ParamMut::Text(text) => *text = ["a", "b"][rng.next_u32() as usize % 2].to_owned(),
        _ => {}
    }));
}

fn layer((kind, masks, seed): Sketch) -> Layer {
    let mut rng = NoiseRng::new(seed, 0);
    let mut layer = Layer::from(LayerKind::with_defaults(kind).expect("it is a kind"));
    layer.masks = masks.into_iter().map(|mask| Mask::with_defaults(mask).expect("it is a mask")).collect();
    randomize(&mut layer, &mut rng);
    layer.enabled = !rng.next_u32().is_multiple_of(8);
    if rng.next_u32().is_multiple_of(2) {
        layer.opacity = 1.0;
    }
    if let LayerKind::Curve(curve) = &mut layer.kind {
        curve.points.clear();
        let mut from = -20_000.0;
        for _ in 0..rng.next_u32() % 6 {
            from += [0.1, 1.0, 500.0, 20_000.0][rng.next_u32() as usize % 4] * (1.0 + rng.next_unit());
            if from <= 20_000.0 {
                let to = [-20_000.0, 0.0, 20_000.0, from][rng.next_u32() as usize % 4];
                curve.points.push(CurvePoint { from, to });
            }
        }
    }
    if matches!(layer.kind, LayerKind::Terrace(_) | LayerKind::Curve(_) | LayerKind::Erosion(_)) {
        (layer.blend, layer.blend_radius) = (Blend::default(), 0.0);
    }
    layer
}

/// Layers whose masks read only layers that there are, without a name that is taken. The layers of `inside` are those of each group.
fn layers(sketches: Vec<Sketch>, inside: &[Sketch], taken: &mut Vec<String>) -> Vec<Layer> {
    let mut layers: Vec<Layer> = Vec::new();
    for sketch in sketches {
        let mut layer = layer(sketch);
        if taken.contains(&layer.name) {
            layer.name.clear();
        }
        taken.push(layer.name.clone());
        if let LayerKind::Group(group) = &mut layer.kind {
            *group = Group { layers: self::layers(inside.to_vec(), &[], taken), ..group.clone() };
        }
        let is_below = |name: &str| layers.iter().any(|layer| layer.name == name);
        layer.masks.retain(|mask| if let Mask::Layer(mask) = mask { is_below(&mask.layer) } else { true });
        layers.push(layer);
    }
    layers
}

#[test]
fn heights_of_valid_settings_are_finite_and_within_their_bounds() {
    let inputs = (vec(any_sketch(), 1..5), vec(any_sketch(), 0..3), any::<u64>());
    let (valid, refused) = (Cell::new(0), Cell::new(0));
    for_all(500, inputs, |(sketches, inside, seed)| {
        let mut settings = TerrainSettings::default();
        let base_height = [0.0, -10_000.0, 10_000.0, 3.7][seed as usize % 4];
        settings.field =
            FieldSettings { seed, base_height, layers: layers(sketches, &inside, &mut Vec::new()), edits: vec![] };
        if settings.validate().is_err() {
            refused.set(refused.get() + 1);
            return;
        }
        valid.set(valid.get() + 1);
        let field = HeightField::new(&settings.field);
        let (lowest, highest) = field.bounds();
        assert!(lowest.is_finite() && highest.is_finite(), "from {lowest} to {highest}");
        let check = |height: f32, position: [f64; 2]| {
            assert!(
                (lowest..=highest).contains(&height),
                "{height} at {position:?} is not within {lowest} to {highest}"
            );
        };
        for [x, z] in [[0.0, 0.0], [0.25, -0.5], [1e9, -1e9], [-3e5, 1e4], [f64::MAX, f64::MIN]] {
            check(field.height(x, z), [x, z]);
            assert!((-1.001..=1.001).contains(&field.drainage(x, z)), "the drainage at {x}, {z}");
            assert!(field.normal(x, z, 1.0).iter().all(|part| part.is_finite()), "the normal at {x}, {z}");
        }
        let grid = NodeGrid { origin: [-7, 12_345], stride: 40, size: [5, 4], spacing: 4.0 };
        let mut heights = Vec::new();
        field.fill(&grid, &mut NoiseScratch::default(), &mut heights);
        for (index, &height) in heights.iter().enumerate() {
            check(height, grid.position(index % 5, index / 5));
        }
    });
    let (valid, refused) = (valid.get(), refused.get());
    assert!(valid > refused && refused > 0, "{valid} valid settings, {refused} refused");
}
