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
    fn errors(item: TokenStream) -> Vec<String> {
        let expanded = expand(TokenStream::new(), item).to_string();
        let messages = expanded.split("compile_error ! { \"").skip(1);
        messages.map(|rest| rest.split("\" }").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn mistakes_have_clear_errors() {
        for (item, expected) in [
            (
                quote!(
                    struct S {
                        #[param(rnge = 0..=1)]
                        a: f64,
                    }
                ),
                "unknown word `rnge`, allowed: default, detail, longest, range, scale, unit",
            ),
            (
                quote!(
                    struct S {
                        /** A. */
                        a: f64,
                    }
                ),
                "a number needs `range = min..=max`",
            ),
            (
                quote!(
                    struct S {
                        /** A. */
                        a: Option<u32>,
                    }
                ),
                "a number needs `range = min..=max`",
            ),
            (
                quote!(
                    struct S {
                        /** A. */
                        a: String,
                    }
                ),
                "a text needs `longest = characters`",
            ),
            (
                quote!(
                    struct S {
                        #[doc = "A."]
                        #[param(range = 0..=1)]
                        a: bool,
                    }
                ),
                "only a number, `f64` or `u32`, has a range",
            ),
            (
                quote!(
                    struct S {
                        #[doc = "A."]
                        #[param(range = 1..=0)]
                        a: f64,
                    }
                ),
                "the range is empty",
            ),
            (
                quote!(
                    struct S {
                        #[doc = "A."]
                        #[param(range = 0..1)]
                        a: f64,
                    }
                ),
                "expected `..=`",
            ),
            (
                quote!(
                    struct S {
                        #[doc = "A."]
                        #[param(range = 0..=MAX)]
                        a: f64,
                    }
                ),
                "expected literal",
            ),
            (
                quote!(
                    struct S {
                        #[doc = "A."]
                        #[param(range = 0..=1, default = 2.0)]
                        a: f64,
                    }
                ),
                "the default is not in the range",
            ),
            (
                quote!(
                    struct S {
                        #[param(range = 0..=1)]
                        a: f64,
                    }
                ),
                "a doc comment is missing; its first paragraph is the help text",
            ),
            (
                quote!(
                    enum E {
                        A,
                    }
                ),
                "a doc comment is missing; its first paragraph is the help text",
            ),
            (
                quote!(
                    enum E {
                        #[doc = "A."]
                        A { b: f64 },
                    }
                ),
                "a variant has no data or one unnamed struct",
            ),
            (
                quote!(
                    struct S(f64);
                ),
                "settings have named fields",
            ),
            (
                quote!(
                    struct S<T> {
                        a: T,
                    }
                ),
                "settings have no generics",
            ),
        ] {
            // Doc comments come as attributes from the compiler, but not from `quote`.
            let item: TokenStream =
                item.to_string().replace("/** A. */", "#[doc = \"A.\"]").parse().expect("it is Rust");
            assert_eq!(errors(item.clone()), [expected], "{item}");
        }
    }
}
