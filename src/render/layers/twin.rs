//! Tests that `layers.wgsl` computes what [`PlacedLayer::cover`](super::PlacedLayer::cover) computes.
//!
//! The function has no branches and no loops, so a small interpreter runs it as it stands in the file.

use super::tests::{layer_of, place_of};
use super::{GroundLayers, GroundPlace, LookSettings, PlacedLayer};
use crate::property::for_all;
use proptest::collection::vec;
use std::collections::HashMap;

const SHADER: &str = include_str!("../draw/layers.wgsl");

/// The values of a vector, or the single one of a number.
type Value = Vec<f32>;

/// Runs the statements of a function: `let name = expression;` and `return expression;`.
struct Interpreter<'a> {
    words: std::iter::Peekable<std::vec::IntoIter<&'a str>>,
    names: HashMap<String, Value>,
}

impl<'a> Interpreter<'a> {
    /// The value that a function of the shader returns. `names` are its parameters, as `layer.scale`.
    fn run(function: &str, names: HashMap<String, Value>) -> Value {
        let start = SHADER.find(&format!("fn {function}(")).expect("the shader has the function");
        let (_, rest) = SHADER[start..].split_once("{\n").expect("it has a body");
        let (body, _) = rest.split_once("\n}").expect("the body ends");
        let mut interpreter = Interpreter { words: words(body).into_iter().peekable(), names };
        loop {
            match interpreter.words.next().expect("the function returns") {
                "let" => {
                    let name = interpreter.words.next().expect("a name").to_owned();
                    interpreter.expect("=");
                    let value = interpreter.sum();
                    interpreter.names.insert(name, value);
                }
                "return" => return interpreter.sum(),
                word => panic!("the interpreter does not know the statement {word}"),
            }
            interpreter.expect(";");
        }
    }

    fn expect(&mut self, word: &str) {
        assert_eq!(self.words.next(), Some(word));
    }

    fn takes(&mut self, word: &str) -> bool {
        self.words.next_if_eq(&word).is_some()
    }

    fn sum(&mut self) -> Value {
        let mut value = self.product();
        loop {
            if self.takes("+") {
                value = both(&value, &self.product(), |a, b| a + b);
            } else if self.takes("-") {
                value = both(&value, &self.product(), |a, b| a - b);
            } else {
                return value;
            }
        }
    }

    fn product(&mut self) -> Value {
        let mut value = self.member();
        while self.takes("*") {
            value = both(&value, &self.member(), |a, b| a * b);
        }
        value
    }

    /// A value with components, such as `layer.ends.zw`.
    fn member(&mut self) -> Value {
        let word = self.words.next().expect("a value");
        if word == "(" {
            let value = self.sum();
            self.expect(")");
            return value;
        }
        if let Ok(number) = word.parse() {
            return vec![number];
        }
        if self.takes("(") {
            let mut values = vec![self.sum()];
            while self.takes(",") {
                values.push(self.sum());
            }
            self.expect(")");
            return call(word, &values);
        }
        let mut name = word.to_owned();
        while self.takes(".") {
            let member = self.words.next().expect("a member");
            match self.names.get(&name) {
                Some(value) => {
                    let component = |c| value["xyzw".find(c).expect("a component")];
                    return member.chars().map(component).collect();
                }
                None => name = format!("{name}.{member}"),
            }
        }
        self.names.get(&name).unwrap_or_else(|| panic!("no {name}")).clone()
    }
}

/// The names, numbers and signs of a text without comments.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || (is_number && c == '.');
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len()).max(1);
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

/// An operation on each component. A number counts for all components of a vector.
fn both(a: &Value, b: &Value, operation: impl Fn(f32, f32) -> f32) -> Value {
    let part = |value: &Value, i: usize| if value.len() == 1 { value[0] } else { value[i] };
    (0..a.len().max(b.len())).map(|i| operation(part(a, i), part(b, i))).collect()
}

fn call(function: &str, values: &[Value]) -> Value {
    match (function, values) {
        ("min", [a, b]) => both(a, b, f32::min),
        ("clamp", [value, low, high]) => both(&both(value, low, f32::max), high, f32::min),
        ("dot", [a, b]) => {
            vec![both(a, b, |a, b| a * b).into_iter().reduce(|a, b| a + b).expect("a vector has components")]
        }
        ("vec2", values) => values.concat(),
        _ => panic!("the interpreter does not know the function {function}"),
    }
}

/// What the shader returns for a layer and a place.
fn cover_in_shader(layer: &PlacedLayer, place: &GroundPlace) -> f32 {
    let slope = place.normal[1].clamp(-1.0, 1.0).acos();
    let names = [
        ("layer.scale", layer.scale.to_vec()),
        ("layer.low", layer.from.to_vec()),
        ("layer.high", layer.to.to_vec()),
        ("layer.ends", layer.ends.to_vec()),
        ("layer.toward", layer.toward.to_vec()),
        ("layer.patches", layer.patches.to_vec()),
        ("layer.ragged", layer.ragged.to_vec()),
        ("place.form", vec![place.height, slope, place.curvature, place.drainage]),
        ("place.lean", vec![place.normal[0], place.normal[2]]),
        ("place.noise", place.noise.to_vec()),
    ];
    let names = names.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let [cover] = Interpreter::run("cover", names)[..] else { panic!("the shader returns a number") };
    cover
}

#[test]
fn the_shader_covers_as_much_as_the_layers_in_rust() {
    // Most random layers with six ranges lie nowhere, so most of their ranges are open.
    let inputs = (vec(0.0..1.0, 25), vec(0.0..1.0, 9), vec(proptest::bool::weighted(0.3), 6));
    let partly = std::cell::Cell::new(0);
    for_all(2000, inputs, |(layer, place, closed)| {
        let mut layer = layer_of(&layer);
        let open = crate::render::GroundLayer::default();
        let [height, slope, aspect, curvature, drainage, noise] = closed[..] else { panic!("six switches") };
        layer.height = if height { layer.height } else { open.height };
        layer.slope = if slope { layer.slope } else { open.slope };
        layer.aspect = if aspect { layer.aspect } else { open.aspect };
        layer.curvature = if curvature { layer.curvature } else { open.curvature };
        layer.drainage = if drainage { layer.drainage } else { open.drainage };
        layer.noise = if noise { layer.noise } else { open.noise };
        let look = LookSettings { layers: vec![layer], ..LookSettings::default() };
        let (placed, place) = (GroundLayers::new(&look).placed()[0], place_of(&place));
        let (rust, shader) = (placed.cover(&place), cover_in_shader(&placed, &place));
        assert!((rust - shader).abs() < 1e-6, "{rust} in Rust, {shader} in the shader, for {look:?} at {place:?}");
        partly.set(partly.get() + u32::from(rust > 0.0 && f64::from(rust) < look.layers[0].opacity));
    });
    assert!(partly.get() > 200, "only {} of the layers cover a part of their places", partly.get());
}

#[test]
fn the_shader_has_room_for_all_layers() {
    let most = LookSettings::MAX_LAYERS;
    assert!(SHADER.contains(&format!("layers: array<Layer, {most}>,")));
}
