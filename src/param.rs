//! Parameters: the numbers, switches and colors of the settings, each with its range, unit and help text.
//!
//! Every settings struct lists its parameters once, in [`Params::visit`]. Validation, error messages, the inspector and saving
//! all use that list, so each parameter has one range, one unit and one help text.

mod path;
mod value;

pub(crate) use path::first_items;
pub use path::{parent_path, path_ends_with_index};
pub(crate) use value::choice;
pub use value::{Alternative, Choice, ParamMut, ParamValue};

use std::fmt;

/// The description of one parameter: name, range, unit and help text.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Param {
    /// The name of the field, as in the file.
    pub name: &'static str,
    /// The unit, such as `m` or `1/m`; empty for a plain number.
    pub unit: &'static str,
    /// The smallest allowed value.
    pub min: f64,
    /// The largest allowed value.
    pub max: f64,
    /// How a slider spreads the values between `min` and `max`, and which of them are allowed.
    pub scale: Scale,
    /// One or two sentences for a designer. The inspector shows them as a tooltip.
    pub help: &'static str,
    /// Whether the inspector shows the parameter in a collapsed group, because it rarely changes.
    pub is_detail: bool,
}

/// How a slider spreads the values of a parameter between its minimum and its maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// Evenly by ratio. For frequencies and sizes that span orders of magnitude.
    Logarithmic,
    /// Only powers of two are allowed.
    PowersOfTwo,
}

impl Param {
    /// Creates a parameter on a linear scale.
    #[must_use]
    pub const fn new(name: &'static str, unit: &'static str, min: f64, max: f64, help: &'static str) -> Self {
        Self { name, unit, min, max, scale: Scale::Linear, help, is_detail: false }
    }

    /// Returns the parameter with another scale.
    #[must_use]
    pub const fn scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// Returns the parameter marked as rarely changed; see [`is_detail`](Self::is_detail).
    #[must_use]
    pub const fn detail(mut self) -> Self {
        self.is_detail = true;
        self
    }

    /// Creates a parameter without a range: a switch, a choice or a seed.
    #[must_use]
    pub const fn free(name: &'static str, help: &'static str) -> Self {
        Self::new(name, "", f64::NEG_INFINITY, f64::INFINITY, help)
    }

    /// Creates a color parameter: red, green and blue in sRGB, each from 0 to 1.
    #[must_use]
    pub const fn color(name: &'static str, help: &'static str) -> Self {
        Self::new(name, "sRGB", 0.0, 1.0, help)
    }

    /// Creates a text parameter of up to `longest` characters.
    #[must_use]
    pub const fn text(name: &'static str, longest: u32, help: &'static str) -> Self {
        Self::new(name, "characters", 0.0, longest as f64, help)
    }

    /// Whether `value` is allowed.
    #[must_use]
    pub fn allows(&self, value: &ParamValue) -> bool {
        let in_range = |number: f64| number.is_finite() && (self.min..=self.max).contains(&number);
        match value {
            ParamValue::Float(number) => in_range(*number),
            ParamValue::Count(number) => {
                in_range(f64::from(*number)) && (self.scale != Scale::PowersOfTwo || number.is_power_of_two())
            }
            ParamValue::Text(text) => in_range(text.chars().count() as f64) && !text.contains(char::is_control),
            ParamValue::Color(channels) => channels.iter().all(|&c| in_range(f64::from(c))),
            ParamValue::Seed(_) | ParamValue::Switch(_) | ParamValue::Choice(_) => true,
        }
    }

    /// The allowed number nearest to `number`. NaN counts as the smallest one.
    pub(crate) const fn nearest(&self, number: f64) -> f64 {
        number.max(self.min).min(self.max)
    }

    /// Returns the allowed range in words, such as `0.1 to 100 m` or `0.000001 to 1 per m`.
    #[must_use]
    pub fn allowed(&self) -> String {
        let unit = match self.unit.strip_prefix("1/") {
            _ if self.unit.is_empty() => String::new(),
            // `1 1/m` would look like a typo.
            Some(unit) => format!(" per {unit}"),
            None => format!(" {}", self.unit),
        };
        let kind = if self.scale == Scale::PowersOfTwo { "a power of two, " } else { "" };
        format!("{kind}{} to {}{unit}", self.min, self.max)
    }

    /// Returns what can be typed for `value`, in words, such as `a whole number, 0 to 32` or `Linear, Cubic, Quintic`.
    #[must_use]
    pub fn allowed_text(&self, value: &ParamMut<'_>) -> String {
        match value {
            ParamMut::Float(_) => self.allowed(),
            ParamMut::Count(_) if self.scale == Scale::PowersOfTwo => self.allowed(),
            ParamMut::Count(_) => format!("a whole number, {}", self.allowed()),
            ParamMut::Seed(_) => format!("a whole number, 0 to {}", u64::MAX),
            ParamMut::Switch(_) => "true, false".to_owned(),
            ParamMut::Color(_) => format!("(red, green, blue), each {} to {}", self.min, self.max),
            ParamMut::Choice(_) => value.names().join(", "),
            ParamMut::Text(_) => self.allowed_of_text(),
        }
    }

    /// The allowed texts, in words.
    fn allowed_of_text(&self) -> String {
        format!("a text of up to {} characters without line breaks, tabs and other control characters", self.max)
    }

    /// Reads a value of the kind of `value` from text, written as in a RON file. Does not change `value`.
    ///
    /// ```
    /// use bevy_perlin_terrain::param::{Param, ParamMut, ParamValue};
    ///
    /// let octaves = Param::new("octaves", "", 0.0, 32.0, "How many frequencies are summed.");
    /// assert_eq!(octaves.parse("3", &ParamMut::Count(&mut 7)), Ok(ParamValue::Count(3)));
    /// let error = octaves.parse("33", &ParamMut::Count(&mut 7)).unwrap_err();
    /// assert_eq!(error.to_string(), "`octaves` is 33, allowed: a whole number, 0 to 32");
    /// ```
    ///
    /// # Errors
    ///
    /// If `text` is of another kind, or not allowed. The path of the error is the name of the parameter.
    pub fn parse(&self, text: &str, value: &ParamMut<'_>) -> Result<ParamValue, ParamError> {
        value.parse(text).filter(|value| self.allows(value)).ok_or_else(|| ParamError {
            path: self.name.to_owned(),
            found: text.to_owned(),
            allowed: self.allowed_text(value),
        })
    }
}

/// A settings struct that lists its parameters.
pub trait Params {
    /// Passes every parameter to `visitor`, in the order of the fields.
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>);
}

/// Visits the parameters of nested [`Params`] and tracks the path.
pub struct ParamVisitor<'a> {
    path: String,
    on_param: &'a mut dyn FnMut(&str, &'static Param, ParamMut<'_>),
}

impl<'a> ParamVisitor<'a> {
    /// Creates a visitor that calls `on_param` for each parameter, with its path, such as `field.layers[2].kind.octaves`, its
    /// description, and access to its value.
    pub fn new(on_param: &'a mut dyn FnMut(&str, &'static Param, ParamMut<'_>)) -> Self {
        Self { path: String::new(), on_param }
    }

    /// Visits one parameter.
    pub fn param(&mut self, param: &'static Param, value: ParamMut<'_>) {
        let length = self.enter(param.name);
        (self.on_param)(&self.path, param, value);
        self.path.truncate(length);
    }

    /// Visits the parameters of the struct in field `name`.
    pub fn nested(&mut self, name: &str, params: &mut impl Params) {
        let length = self.enter(name);
        params.visit(self);
        self.path.truncate(length);
    }

    /// Visits the parameters of every item of the list in field `name`.
    pub fn list(&mut self, name: &str, items: &mut [impl Params]) {
        for (index, item) in items.iter_mut().enumerate() {
            self.nested(&format!("{name}[{index}]"), item);
        }
    }

    fn enter(&mut self, name: &str) -> usize {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        length
    }
}

/// The error of a value that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParamError {
    /// The path of the parameter, such as `field.layers[2].kind.octaves`.
    pub path: String,
    /// The value, as written in a file.
    pub found: String,
    /// The allowed values, in words.
    pub allowed: String,
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is {}, allowed: {}", self.path, self.found, self.allowed)
    }
}

/// Returns an error for each value of `params` that is not allowed.
pub fn check(params: &mut impl Params) -> Vec<ParamError> {
    let mut errors = Vec::new();
    params.visit(&mut ParamVisitor::new(&mut |path, param, value| {
        let value = value.get();
        if !param.allows(&value) {
            let allowed = match &value {
                ParamValue::Text(_) => param.allowed_of_text(),
                _ => param.allowed(),
            };
            errors.push(ParamError { path: path.to_owned(), found: value.to_string(), allowed });
        }
    }));
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    static SIZE: Param = Param::new("size", "m", 1.0, 10.0, "");
    static NAME: Param = Param::text("name", 3, "");
    static QUADS: Param = Param::new("quads", "", 8.0, 128.0, "").scale(Scale::PowersOfTwo);

    #[derive(Clone)]
    struct Leaf(f64, u32);

    impl Params for Leaf {
        fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
            visitor.param(&SIZE, ParamMut::Float(&mut self.0));
            visitor.param(&QUADS, ParamMut::Count(&mut self.1));
        }
    }

    struct Tree(Vec<Leaf>);

    impl Params for Tree {
        fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
            visitor.list("leaves", &mut self.0);
        }
    }

    #[test]
    fn every_wrong_value_is_named_with_its_path_and_range() {
        let errors = check(&mut Tree(vec![Leaf(5.0, 64), Leaf(f64::NAN, 65)]));
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "`leaves[1].size` is NaN, allowed: 1 to 10 m",
                "`leaves[1].quads` is 65, allowed: a power of two, 8 to 128",
            ]
        );
    }

    #[test]
    fn a_wrong_text_is_answered_with_the_length_and_the_characters_that_are_allowed() {
        struct Named(String);
        impl Params for Named {
            fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
                visitor.param(&NAME, ParamMut::Text(&mut self.0));
            }
        }
        let found = |name: &str| check(&mut Named(name.to_owned())).iter().map(ToString::to_string).collect::<Vec<_>>();
        let allowed = "a text of up to 3 characters without line breaks, tabs and other control characters";
        assert_eq!(found("a\n"), [format!("`name` is \"a\\u{{a}}\", allowed: {allowed}")]);
        assert_eq!(found("four"), [format!("`name` is \"four\", allowed: {allowed}")]);
        assert_eq!(found("abc"), [""; 0]);
    }

    #[test]
    fn text_that_is_not_allowed_is_answered_with_what_is() {
        let (mut size, mut quads, mut seed, mut color) = (5.0, 16, 7, [0.5; 3]);
        static COLOR: Param = Param::color("color", "");
        static SEED: Param = Param::free("seed", "");
        for (param, value, text, expected) in [
            (&SIZE, ParamMut::Float(&mut size), "10.5", "`size` is 10.5, allowed: 1 to 10 m"),
            (&QUADS, ParamMut::Count(&mut quads), "65", "`quads` is 65, allowed: a power of two, 8 to 128"),
            (
                &SEED,
                ParamMut::Seed(&mut seed),
                "-1",
                "`seed` is -1, allowed: a whole number, 0 to 18446744073709551615",
            ),
            (&SEED, ParamMut::Switch(&mut true), "yes", "`seed` is yes, allowed: true, false"),
            (
                &COLOR,
                ParamMut::Color(&mut color),
                "(2, 0, 0)",
                "`color` is (2, 0, 0), allowed: (red, green, blue), each 0 to 1",
            ),
        ] {
            assert_eq!(param.parse(text, &value).map_err(|error| error.to_string()), Err(expected.to_owned()));
        }
    }

    #[test]
    fn both_ends_of_a_range_are_allowed_and_infinity_is_not() {
        assert!(SIZE.allows(&ParamValue::Float(1.0)) && SIZE.allows(&ParamValue::Float(10.0)));
        assert!(!SIZE.allows(&ParamValue::Float(10.000_001)));
        let free = Param::free("x", "");
        assert!(!free.allows(&ParamValue::Float(f64::INFINITY)));
        let text = |text: &str| ParamValue::Text(text.to_owned());
        assert!(NAME.allows(&text("")) && NAME.allows(&text("äöü")));
        assert!(!NAME.allows(&text("four")) && !NAME.allows(&text("a\nb")));
    }
}
