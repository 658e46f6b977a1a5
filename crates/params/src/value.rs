//! The values of parameters.

use std::fmt::{self, Write};

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// A number.
    Float(f64),
    /// A whole number.
    Count(u32),
    /// A seed: any 64 bits.
    Seed(u64),
    /// On or off.
    Switch(bool),
    /// Red, green and blue in sRGB, each from 0 to 1.
    Color([f32; 3]),
    /// One of a few named alternatives.
    Choice(&'static str),
    /// A text.
    Text(String),
}

/// Writes the value as in a RON file.
impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // `{:?}` keeps the `.0` of whole numbers and writes the fewest digits that parse to the same number.
            Self::Float(value) if value.is_infinite() => f.write_str(if *value > 0.0 { "inf" } else { "-inf" }),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Count(value) => write!(f, "{value}"),
            Self::Seed(value) => write!(f, "{value}"),
            Self::Switch(value) => write!(f, "{value}"),
            Self::Color([r, g, b]) => write!(f, "({r:?}, {g:?}, {b:?})"),
            Self::Choice(name) => f.write_str(name),
            Self::Text(text) => {
                // As `{:?}`, but without the tables of Unicode, which a web page would have to load.
                f.write_char('"')?;
                for c in text.chars() {
                    match c {
                        '"' | '\\' => write!(f, "\\{c}")?,
                        c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                        c => f.write_char(c)?,
                    }
                }
                f.write_char('"')
            }
        }
    }
}

/// One alternative of a [`Choice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The name, as in a file.
    pub name: &'static str,
    /// One line for a designer.
    pub help: &'static str,
}

/// One of a few named alternatives. [`params`](crate::params) implements it for enums.
pub trait Choice {
    /// All alternatives.
    fn alternatives(&self) -> &'static [Alternative];

    /// The index of the current alternative in [`alternatives`](Self::alternatives).
    fn chosen(&self) -> usize;

    /// Sets the alternative by its index, with default data if it is another one. Ignores an index that does not exist.
    fn choose(&mut self, index: usize);

    /// The name of the current alternative, as in a file.
    fn name(&self) -> &'static str {
        self.alternatives()[self.chosen()].name
    }
}

/// Mutable access to the value of a parameter.
pub enum ParamMut<'a> {
    /// A number.
    Float(&'a mut f64),
    /// A whole number.
    Count(&'a mut u32),
    /// A seed: any 64 bits.
    Seed(&'a mut u64),
    /// On or off.
    Switch(&'a mut bool),
    /// Red, green and blue in sRGB, each from 0 to 1.
    Color(&'a mut [f32; 3]),
    /// One of a few named alternatives.
    Choice(&'a mut dyn Choice),
    /// A text.
    Text(&'a mut String),
}

impl ParamMut<'_> {
    /// The current value.
    #[must_use]
    pub fn get(&self) -> ParamValue {
        match self {
            Self::Float(value) => ParamValue::Float(**value),
            Self::Count(value) => ParamValue::Count(**value),
            Self::Seed(value) => ParamValue::Seed(**value),
            Self::Switch(value) => ParamValue::Switch(**value),
            Self::Color(value) => ParamValue::Color(**value),
            Self::Choice(choice) => ParamValue::Choice(choice.name()),
            Self::Text(text) => ParamValue::Text((*text).clone()),
        }
    }

    /// The alternatives of a choice. Empty for other kinds.
    #[must_use]
    pub fn alternatives(&self) -> &'static [Alternative] {
        match self {
            Self::Choice(choice) => choice.alternatives(),
            _ => &[],
        }
    }

    /// The names of the [`alternatives`](Self::alternatives).
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.alternatives().iter().map(|alternative| alternative.name).collect()
    }

    /// The value of the same kind that `text` says. It may be out of its range.
    pub(crate) fn parse(&self, text: &str) -> Option<ParamValue> {
        Some(match self {
            Self::Float(_) => ParamValue::Float(text.parse().ok()?),
            Self::Count(_) => ParamValue::Count(text.parse().ok()?),
            Self::Seed(_) => ParamValue::Seed(text.parse().ok()?),
            Self::Switch(_) => ParamValue::Switch(text.parse().ok()?),
            Self::Color(_) => ParamValue::Color(parse_color(text)?),
            Self::Choice(_) => ParamValue::Choice(self.names().into_iter().find(|name| *name == text)?),
            Self::Text(_) => ParamValue::Text(text.to_owned()),
        })
    }

    /// Stores `value`. Returns `false` and stores nothing if `value` is of another kind or names an unknown alternative.
    pub fn set(&mut self, value: ParamValue) -> bool {
        match (self, value) {
            (Self::Float(slot), ParamValue::Float(value)) => **slot = value,
            (Self::Count(slot), ParamValue::Count(value)) => **slot = value,
            (Self::Seed(slot), ParamValue::Seed(value)) => **slot = value,
            (Self::Switch(slot), ParamValue::Switch(value)) => **slot = value,
            (Self::Color(slot), ParamValue::Color(value)) => **slot = value,
            (Self::Text(slot), ParamValue::Text(value)) => **slot = value,
            (Self::Choice(choice), ParamValue::Choice(name)) => {
                let Some(index) = choice.alternatives().iter().position(|alternative| alternative.name == name) else {
                    return false;
                };
                choice.choose(index);
            }
            _ => return false,
        }
        true
    }
}

/// Reads `(0.5, 1.0, 0.25)`.
fn parse_color(text: &str) -> Option<[f32; 3]> {
    let channels = text.strip_prefix('(')?.strip_suffix(')')?.split(',').map(|channel| channel.trim().parse().ok());
    channels.collect::<Option<Vec<f32>>>()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[crate::params]
    enum Side {
        /// Keeps left.
        Left,
        /// Keeps right.
        Right,
    }

    #[test]
    fn values_are_written_as_ron_reads_them() {
        assert_eq!(ParamValue::Float(4.0).to_string(), "4.0");
        assert_eq!(ParamValue::Float(0.0007).to_string(), "0.0007");
        assert_eq!(ParamValue::Color([0.5, 1.0, 0.25]).to_string(), "(0.5, 1.0, 0.25)");
        for text in ["", "a \"b\" \\ c", "tab\t, line\n, \u{7f}", "ä 🎲"] {
            let written = ParamValue::Text(text.to_owned()).to_string();
            assert_eq!(ron::from_str::<String>(&written).as_deref(), Ok(text), "{written}");
        }
        for text in ["inf", "-inf"] {
            let value: f64 = ron::from_str(text).expect("ron reads infinities");
            assert_eq!(ParamValue::Float(value).to_string(), text);
        }
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        let (mut float, mut count, mut seed, mut switch, mut color) = (0.1 + 0.2, 7, u64::MAX, true, [0.5, 1.0, 1e-9]);
        let mut side = Side::Right;
        for value in [
            ParamMut::Float(&mut float),
            ParamMut::Count(&mut count),
            ParamMut::Seed(&mut seed),
            ParamMut::Switch(&mut switch),
            ParamMut::Color(&mut color),
            ParamMut::Choice(&mut side),
        ] {
            assert_eq!(value.parse(&value.get().to_string()), Some(value.get()));
            for text in ["", "x", "right", "(0.5, 1.0)", "(0, 0, 0, 0)", "0x7"] {
                assert_eq!(value.parse(text), None, "'{text}' is no {:?}", value.get());
            }
        }
    }

    #[test]
    fn a_value_of_another_kind_is_refused() {
        let mut number = 1.0;
        assert!(!ParamMut::Float(&mut number).set(ParamValue::Count(3)));
        assert!(ParamMut::Float(&mut number).set(ParamValue::Float(3.0)));
        assert_eq!(number, 3.0);
    }
}
