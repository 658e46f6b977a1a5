//! Writing JSON.

use std::fmt::Write;

/// `text` as a JSON string.
pub fn string(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => write!(out, "\\u{:04x}", u32::from(c)).expect("a string takes any text"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// `number` in JSON, which has no infinities: they become `null`.
pub fn number(number: f64) -> String {
    if number.is_finite() { number.to_string() } else { "null".to_owned() }
}

/// A list of values that are JSON already.
pub fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// An object of values that are JSON already.
pub fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fields = fields.into_iter().map(|(name, value)| format!("{}:{value}", string(name)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_infinities_are_null() {
        assert_eq!(string("a \"b\" \\ é\n"), r#""a \"b\" \\ é\u000a""#);
        assert_eq!([number(0.5), number(f64::INFINITY)], ["0.5", "null"]);
        assert_eq!(object([("a", list([number(1.0), string("b")]))]), r#"{"a":[1,"b"]}"#);
    }
}
