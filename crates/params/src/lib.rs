//! Parameters: the numbers, switches and colors of settings, each with its range, unit and help text.
//!
//! [`params`] reads them from the fields of a struct, so each fact has one place. Validation, error messages, an inspector and
//! saving all use the list that [`Params::visit`] passes on.
//!
//! ```
//! use perlin_params::{Params, check, params};
//!
//! /// A hill.
//! #[params]
//! #[derive(Clone, Debug, PartialEq)]
//! struct Hill {
//!     /// The height of the top.
//!     #[param(default = 100.0, range = 0.0..=10_000.0, unit = "m")]
//!     height: f64,
//!     /// What the hill looks like from the side.
//!     #[param(default = Shape::Cone)]
//!     shape: Shape,
//! }
//!
//! /// The shape of a hill.
//! #[params]
//! #[derive(Clone, Copy, Debug, PartialEq)]
//! enum Shape {
//!     /// Steep at the top: a volcano.
//!     Cone,
//!     /// Round at the top: an inselberg.
//!     Dome,
//! }
//!
//! let mut hill = Hill { height: -1.0, ..Hill::default() };
//! assert_eq!(check(&mut hill)[0].to_string(), "`height` is -1.0, allowed: 0 to 10000 m");
//! ```
//!
//! Other crates describe fields too: garde checks them, schemars writes a JSON schema, facet and `bevy_reflect` reflect on their
//! types. None has units, scales of sliders and help texts for a panel without a second description beside the field or the build
//! time of a large dependency.

// For the code that `params` writes in this crate.
extern crate self as perlin_params;

mod field;
mod path;
mod value;

pub use field::Field;
pub use path::{first_items, parent_path, path_ends_with_index};
pub use value::{Alternative, Choice, ParamMut, ParamValue};

/// Makes parameters of the fields of a struct, or a choice of the variants of an enum.
///
/// Write it above the derives. It leaves the item as it is, except for its own attributes and for what it adds to the documentation.
///
/// # Structs
///
/// The first paragraph of the doc comment of a field is its help text, without links and backticks. What is allowed and the default
/// are added to the documentation. The words of `#[param(..)]`:
///
/// | word | meaning |
/// | --- | --- |
/// | `default = 1.0` | The value in [`Default`]. Without it, the default of the type. |
/// | `range = 0.0..=1.0` | The smallest and the largest value of a number: `f64`, `u32`, or an `Option` of one. Required for it. |
/// | `unit = "m"` | The unit of a number. |
/// | `scale = Logarithmic` | The [`Scale`] of a number, if it is not linear. |
/// | `max_length = 64` | The largest number of characters of a text, `String`. Required for it. |
/// | `detail` | The parameter rarely changes: [`Param::is_detail`]. |
///
/// The struct gets [`Default`], [`Params`] in the order of the fields, and [`Field`], so that other settings may contain it. Each
/// field gets a constant for its crate, with its name in capitals: `Hill::HEIGHT` is the [`Param`] of `height`.
///
/// With `#[params(manual_visit)]`, [`Params`] is written by hand, with these constants.
///
/// # Enums
///
/// Each variant has no data or one struct with parameters. The first paragraph of its doc comment is the help text. The enum gets
/// [`Choice`], [`Field`], an array `ALTERNATIVES` and a function `with_defaults`; with data also [`Params`], which visits the data.
/// `#[default]` marks the variant for [`Default`], as it does for the derive of the standard library.
///
/// # Errors
///
/// Mistakes are errors at their place when the crate is compiled:
///
/// ```compile_fail
/// #[perlin_params::params]
/// struct Hill {
///     /// The height of the top.
///     #[param(default = 100.0, range = 0.0..=10.0)]
///     height: f64,
/// }
/// ```
pub use perlin_params_derive::params;

use std::fmt;

/// The description of one parameter: name, range, unit and help text.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Param {
    /// The name of the field, as in the file.
    pub name: &'static str,
    /// One or two sentences for a designer. The inspector shows them as a tooltip.
    pub help: &'static str,
    /// The unit, such as `m` or `1/m`; empty for a plain number.
    pub unit: &'static str,
    /// The smallest allowed value.
    pub min: f64,
    /// The largest allowed value.
    pub max: f64,
    /// The range in words.
    range: &'static str,
    /// How a slider spreads the values between `min` and `max`, and which of them are allowed.
    pub scale: Scale,
    /// Whether the inspector shows the parameter in a collapsed group, because it rarely changes.
    pub is_detail: bool,
}

/// How a slider spreads the values of a parameter between its minimum and its maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// The parameter that [`params`] makes of a field. `range` has the ends and the unit in words.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        name: &'static str,
        help: &'static str,
        unit: &'static str,
        [min, max]: [f64; 2],
        range: &'static str,
        scale: Scale,
        is_detail: bool,
    ) -> Self {
        Self { name, help, unit, min, max, range, scale, is_detail }
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
    #[must_use]
    pub const fn nearest(&self, number: f64) -> f64 {
        number.max(self.min).min(self.max)
    }

    /// Returns the allowed range in words, such as `0.1 to 100 m` or `0.000001 to 1 per m`, as in the documentation of the field. Empty
    /// without a range.
    #[must_use]
    pub fn allowed(&self) -> String {
        self.range.to_owned()
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
    /// use perlin_params::{ParamMut, ParamValue, params};
    ///
    /// #[params]
    /// struct Sum {
    ///     /// How many octaves are summed.
    ///     #[param(default = 7, range = 0..=32)]
    ///     octaves: u32,
    /// }
    ///
    /// let octaves = Sum::OCTAVES;
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

impl std::error::Error for ParamError {}

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
