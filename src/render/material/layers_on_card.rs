//! Tests that `layers.wesl` computes on the graphics card what [`GroundLayers`] computes. They need a driver; one that draws on the
//! processor suffices.

use super::LookUniform;
use crate::look::layers::tests::{layer_of, place_of};
use crate::look::{GroundLayers, GroundPlace, LookSettings};
use crate::noise::NoiseRng;
use crate::render::card::Card;
use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

/// Runs `strongest` for every place.
const MAIN: &str = "
import bevy_perlin_terrain::layers::{Pair, Place, strongest};

@group(0) @binding(1) var<storage, read> places: array<Place>;
@group(0) @binding(2) var<storage, read_write> pairs: array<Pair>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&places) {
        pairs[id.x] = strongest(places[id.x]);
    }
}
";

/// `Place` of the shader.
#[derive(ShaderType)]
struct PlaceUniform {
    form: Vec4,
    lean: Vec2,
    noise: Vec4,
}

impl From<&GroundPlace> for PlaceUniform {
    fn from(place: &GroundPlace) -> Self {
        Self {
            form: Vec4::new(place.height, place.slope(), place.curvature, place.drainage),
            lean: Vec2::new(place.normal[0], place.normal[2]),
            noise: place.noise.into(),
        }
    }
}

/// `Pair` of the shader.
#[derive(ShaderType, Clone, Copy, Debug, Default)]
struct Pair {
    first: u32,
    second: u32,
    part: f32,
}

/// The two strongest layers of every place, as the shader computes them.
fn strongest_on_card(card: &Card, look: &LookSettings, places: &[GroundPlace]) -> Vec<Pair> {
    let places: Vec<PlaceUniform> = places.iter().map(PlaceUniform::from).collect();
    card.compute(MAIN, 0, &LookUniform::from(look), &places)
}

#[test]
fn the_shader_finds_the_strongest_layers_of_rust() {
    let Some(card) = Card::find() else { return };
    let mut random = NoiseRng::new(7, 0);
    let (mut mixed, mut of_three) = (0, 0);
    for count in (1..=LookSettings::MAX_LAYERS).cycle().take(64) {
        let mut numbers = |count: usize| -> Vec<f64> { (0..count).map(|_| random.next_unit()).collect() };
        // A layer with six random ranges lies nearly nowhere, so most of them are open.
        let layers = (0..count).map(|_| {
            let (mut layer, open, closed) = (layer_of(&numbers(25)), crate::look::GroundLayer::default(), numbers(6));
            let is_open = |range: usize| closed[range] < 0.7;
            layer.height = if is_open(0) { open.height } else { layer.height };
            layer.slope = if is_open(1) { open.slope } else { layer.slope };
            layer.aspect = if is_open(2) { open.aspect } else { layer.aspect };
            layer.curvature = if is_open(3) { open.curvature } else { layer.curvature };
            layer.drainage = if is_open(4) { open.drainage } else { layer.drainage };
            layer.noise = if is_open(5) { open.noise } else { layer.noise };
            layer
        });
        let look = LookSettings { layers: layers.collect(), ..LookSettings::default() };
        let ground = GroundLayers::new(&look);
        let places: Vec<GroundPlace> = (0..256).map(|_| place_of(&numbers(9))).collect();
        let found = strongest_on_card(&card, &look, &places);
        assert_eq!(found.len(), places.len());
        for (place, pair) in places.iter().zip(found) {
            let weights = ground.weights(place);
            let mut sorted = weights;
            sorted.sort_by(|a, b| b.total_cmp(a));
            let [first, second, third, ..] = sorted;
            let at = |index: u32| weights[index as usize];
            // Layers that cover the same may change places.
            let order = (at(pair.first) - first).abs().max((at(pair.second) - second).abs());
            assert!(count == 1 || order < 1e-4, "{pair:?} of {weights:?}");
            let rest = (first - third) + (second - third);
            if rest > 1e-2 {
                let part = (first - third) / rest;
                assert!((pair.part - part).abs() < 1e-3, "{pair:?} of {weights:?}, expected {part}");
                mixed += usize::from(part < 0.99);
                of_three += usize::from(third > 0.01);
            }
        }
    }
    assert!(mixed > 1000 && of_three > 300, "{mixed} places have two layers, {of_three} three");
}
