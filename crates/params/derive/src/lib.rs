//! The attribute macro of `perlin_params`, which documents it.

mod choice;
mod fields;
mod text;
mod words;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Result};

/// See `perlin_params`.
#[proc_macro_attribute]
pub fn params(words: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(words.into(), item.into()).into()
}

/// The item and its impls, or the item as it is and an error: without the item, all its uses would be errors too.
fn expand(words: TokenStream, item: TokenStream) -> TokenStream {
    let mut item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let impls = impls(words, &mut item).unwrap_or_else(Error::into_compile_error);
    quote!(#item #impls)
}

fn impls(words: TokenStream, item: &mut DeriveInput) -> Result<TokenStream> {
    let DeriveInput { ident, generics, data, .. } = item;
    if !generics.params.is_empty() {
        return Err(Error::new_spanned(generics, "settings have no generics"));
    }
    match data {
        Data::Struct(data) => fields::impls(ident, words::manual_visit(words)?, &mut data.fields),
        Data::Enum(data) => choice::impls(ident, words, data),
        Data::Union(data) => Err(Error::new_spanned(data.union_token, "settings are structs or enums")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages of the errors of an item.
    fn errors(item: &str) -> Vec<String> {
        let expanded = expand(TokenStream::new(), item.parse().expect("it is Rust")).to_string();
        let messages = expanded.split("compile_error ! { \"").skip(1);
        messages.map(|rest| rest.split("\" }").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn mistakes_have_clear_errors() {
        let no_help = "a doc comment is missing; its first paragraph is the help text";
        for (item, expected) in [
            (
                "#[param(rnge = 0..=1)] a: f64",
                "unknown word `rnge`, allowed: default, detail, max_length, range, scale, unit",
            ),
            ("a: f64", "a number needs `range = min..=max`"),
            ("a: Option<u32>", "a number needs `range = min..=max`"),
            ("a: String", "a text needs `max_length = characters`"),
            ("#[param(max_length = 9)] a: bool", "only a text, `String`, has a length"),
            ("#[param(range = 0..=1)] a: bool", "only a number, `f64` or `u32`, has a range"),
            ("#[param(unit = \"m\")] a: bool", "only a number, `f64` or `u32`, has a unit or a scale"),
            ("#[param(range = 1..=0)] a: f64", "the range is empty"),
            ("#[param(range = 0..1)] a: f64", "expected `..=`"),
            ("#[param(range = 0..=1, default = 2.0)] a: f64", "the default is not in the range"),
        ] {
            assert_eq!(errors(&format!("struct S {{ /// A.\n {item} }}")), [expected], "{item}");
        }
        for (item, expected) in [
            ("struct S { a: bool }", no_help),
            ("enum E { A }", no_help),
            ("enum E { /// A.\n A { b: f64 } }", "a variant has no data or one unnamed struct"),
            ("struct S(f64);", "settings have named fields"),
            ("struct S<T> { /// A.\n a: T }", "settings have no generics"),
        ] {
            assert_eq!(errors(item), [expected], "{item}");
        }
    }

    #[test]
    fn the_documentation_of_a_field_says_what_is_allowed_and_the_default() {
        for (field, expected) in [
            (
                "#[param(default = -1e3, range = -10_000.0..=1, unit = \"1/m\")] a: f64",
                "Allowed: -10000 to 1 per m. Default: -1000.",
            ),
            (
                "#[param(default = 64, range = 8..=128, scale = PowersOfTwo)] a: u32",
                "Allowed: a power of two, 8 to 128. Default: 64.",
            ),
            ("#[param(range = 0..=9)] a: Option<u32>", "Allowed: 0 to 9."),
            ("#[param(max_length = 64)] a: String", "Allowed: 0 to 64 characters."),
            ("#[param(default = [0.30, 1.0, 0.25])] a: [f32; 3]", "Default: (0.3, 1, 0.25)."),
            ("#[param(default = true)] a: bool", "Default: true."),
            ("#[param(default = Side::Left)] a: Side", "Default: `Left`."),
            ("#[param(default = Kind::Leaf(Leaf::default()))] a: Kind", "Default: `Leaf`."),
        ] {
            let item = format!("struct S {{ /// A.\n {field} }}");
            let expanded = expand(TokenStream::new(), item.parse().expect("it is Rust")).to_string();
            let expected = format!("# [doc = \"\"] # [doc = \" {expected}\"] a :");
            assert!(expanded.contains(&expected), "{expected} is not in {expanded}");
        }
        let unknown = expand(
            TokenStream::new(),
            quote!(
                struct S {
                    #[doc = "A."]
                    #[param(default = vec![A::b()])]
                    a: Vec<A>,
                }
            ),
        );
        assert!(!unknown.to_string().contains("Default: "), "{unknown}");
    }
}
