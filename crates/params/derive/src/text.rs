//! Texts: doc comments as help texts, and what is allowed in words.

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Attribute, Error, Expr, Lit, Meta, Result};

/// The first paragraph of a doc comment as plain text: without links and backticks.
pub fn help(attributes: &[Attribute], item: &impl ToTokens) -> Result<String> {
    let mut help = String::new();
    for line in attributes.iter().filter_map(doc_line) {
        let line = line.trim();
        if line.is_empty() && !help.is_empty() {
            break;
        }
        if !help.is_empty() {
            help.push(' ');
        }
        help.push_str(line);
    }
    if help.is_empty() {
        return Err(Error::new_spanned(item, "a doc comment is missing; its first paragraph is the help text"));
    }
    Ok(plain(&help))
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else { return None };
    match &meta.value {
        Expr::Lit(expr) if meta.path.is_ident("doc") => match &expr.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// An attribute that adds a paragraph to a doc comment.
pub fn paragraph(text: &str) -> [Attribute; 2] {
    // With the space that a line after `///` has: rustdoc takes away the indentation that all lines share.
    ["", &format!(" {text}")].map(|line| {
        let line = Lit::new(proc_macro2::Literal::string(line));
        syn::parse_quote_spanned!(Span::call_site()=> #[doc = #line])
    })
}

/// Markdown without the signs of links, code and escapes.
fn plain(markdown: &str) -> String {
    let (mut out, mut rest) = (String::new(), markdown);
    while let Some(at) = rest.find(['\\', '`', '[', ']']) {
        out.push_str(&rest[..at]);
        let (sign, after) = rest[at..].split_at(1);
        rest = after;
        match sign {
            "\\" => {
                let length = rest.chars().next().map_or(0, char::len_utf8);
                out.push_str(&rest[..length]);
                rest = &rest[length..];
            }
            // The target of a link.
            "]" => rest = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, after)| after),
            _ => {}
        }
    }
    out + rest
}

/// A range in words, such as `0.1 to 100 m` or `0.000001 to 1 per m`.
pub fn range(ends: [f64; 2], unit: &str, is_power_of_two: bool) -> String {
    let kind = if is_power_of_two { "a power of two, " } else { "" };
    let unit = match unit.strip_prefix("1/") {
        _ if unit.is_empty() => String::new(),
        // `1 1/m` would look like a typo.
        Some(unit) => format!(" per {unit}"),
        None => format!(" {unit}"),
    };
    format!("{kind}{} to {}{unit}", ends[0], ends[1])
}

/// A number as it is written in the documentation: `10_000.0` is `10000`.
pub fn plain_number(text: &str) -> Option<String> {
    Some(text.replace('_', "").parse::<f64>().ok()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_texts_have_no_markdown() {
        assert_eq!(plain("The [name](super::Layer::name) of `a`, see [`B`](B::b)."), "The name of a, see B.");
        assert_eq!(plain(r"In \[-1, 1\], a [`B`]."), "In [-1, 1], a B.");
    }

    #[test]
    fn ranges_have_their_units() {
        assert_eq!(range([0.1, 100.0], "m", false), "0.1 to 100 m");
        assert_eq!(range([1e-6, 1.0], "1/m", false), "0.000001 to 1 per m");
        assert_eq!(range([8.0, 128.0], "", true), "a power of two, 8 to 128");
    }
}
