//! Structs: a parameter for each field.

use crate::text;
use crate::words::Words;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Error, Field, Fields, GenericArgument, Ident, LitStr, PathArguments, Result, Type};

/// The words of `#[param(..)]` that a field may have, by the name of its type.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Text,
    Color,
    /// A seed, a switch, a choice, or other settings.
    Other,
}

impl Kind {
    fn of(ty: &Type) -> Self {
        match ty {
            Type::Array(_) => Self::Color,
            Type::Path(path) => match path.path.segments.last() {
                Some(last) if last.ident == "f64" || last.ident == "u32" => Self::Number,
                Some(last) if last.ident == "String" => Self::Text,
                Some(last) if last.ident == "Option" => match &last.arguments {
                    PathArguments::AngleBracketed(inner) => match inner.args.first() {
                        Some(GenericArgument::Type(inner)) => Self::of(inner),
                        _ => Self::Other,
                    },
                    _ => Self::Other,
                },
                _ => Self::Other,
            },
            _ => Self::Other,
        }
    }
}

/// The parameters, `Default`, `Field`, and `Params` unless it is written by hand. Adds to the documentation of the fields.
pub fn impls(name: &Ident, manual_visit: bool, fields: &mut Fields) -> Result<TokenStream> {
    let Fields::Named(fields) = fields else {
        return Err(Error::new_spanned(name, "settings have named fields"));
    };
    // All attributes are taken, whatever is wrong with one of them.
    let words: Vec<Result<Words>> = fields.named.iter_mut().map(|field| Words::take(&mut field.attrs)).collect();
    let (mut consts, mut visits, mut defaults) = (Vec::new(), Vec::new(), Vec::new());
    for (field, words) in fields.named.iter_mut().zip(words) {
        let words = words?;
        let param = param(field, &words)?;
        let (ident, constant) = (&field.ident, format_ident!("{}", field_name(field).to_uppercase()));
        consts.push(quote!(pub(crate) const #constant: &'static ::perlin_params::Param = &#param;));
        visits.push(quote!(::perlin_params::Field::visit_field(&mut self.#ident, Self::#constant, visitor);));
        let default = words.default.unwrap_or_else(|| quote!(::core::default::Default::default()));
        defaults.push(quote!(#ident: #default));
    }
    let params = (!manual_visit).then(|| {
        quote! {
            impl ::perlin_params::Params for #name {
                fn visit(&mut self, visitor: &mut ::perlin_params::ParamVisitor<'_>) {
                    #(#visits)*
                }
            }
        }
    });
    Ok(quote! {
        impl #name {
            #(#consts)*
        }

        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#defaults),* }
            }
        }

        #params

        impl ::perlin_params::Field for #name {
            fn visit_field(
                &mut self,
                param: &'static ::perlin_params::Param,
                visitor: &mut ::perlin_params::ParamVisitor<'_>,
            ) {
                visitor.nested(param.name, self);
            }
        }
    })
}

fn field_name(field: &Field) -> String {
    field.ident.as_ref().map(|ident| ident.to_string().trim_start_matches("r#").to_owned()).unwrap_or_default()
}

/// The parameter of a field, as an expression. Adds what is allowed and the default to the documentation of the field.
fn param(field: &mut Field, words: &Words) -> Result<TokenStream> {
    let (kind, name) = (Kind::of(&field.ty), field_name(field));
    let help = text::help(&field.attrs, &field.ident)?;
    if let (Some([min, _]), Kind::Text | Kind::Color | Kind::Other) = (&words.range, kind) {
        return Err(min.error("only a number, `f64` or `u32`, has a range"));
    }
    if let (Some(max_length), Kind::Number | Kind::Color | Kind::Other) = (&words.max_length, kind) {
        return Err(Error::new(max_length.span(), "only a text, `String`, has a length"));
    }
    if kind != Kind::Number
        && let Some(word) = words.unit.as_ref().map(LitStr::span).or(words.scale.as_ref().map(Ident::span))
    {
        return Err(Error::new(word, "only a number, `f64` or `u32`, has a unit or a scale"));
    }
    let missing = |message| Error::new_spanned(&field.ty, message);
    let (ends, unit) = match kind {
        Kind::Number => {
            let [min, max] = words.range.as_ref().ok_or_else(|| missing("a number needs `range = min..=max`"))?;
            let ends = [min.value, max.value];
            if let Some(default) = words.default_number()
                && !(ends[0]..=ends[1]).contains(&default.value)
            {
                return Err(default.error("the default is not in the range"));
            }
            (Some(ends), words.unit.as_ref().map(LitStr::value).unwrap_or_default())
        }
        Kind::Text => {
            let max_length =
                words.max_length.as_ref().ok_or_else(|| missing("a text needs `max_length = characters`"))?;
            (Some([0.0, max_length.base10_parse()?]), "characters".to_owned())
        }
        Kind::Color => (Some([0.0, 1.0]), "sRGB".to_owned()),
        Kind::Other => (None, String::new()),
    };
    let scale = words.scale.clone().unwrap_or_else(|| format_ident!("Linear"));
    let range = ends.map(|ends| text::range(ends, &unit, scale == "PowersOfTwo")).unwrap_or_default();
    let allowed = [Kind::Number, Kind::Text].contains(&kind).then(|| format!("Allowed: {range}."));
    let default = words.default_in_words().map(|default| format!("Default: {default}."));
    let facts: Vec<String> = allowed.into_iter().chain(default).collect();
    if !facts.is_empty() {
        field.attrs.extend(text::paragraph(&facts.join(" ")));
    }
    let ends = match ends {
        Some([min, max]) => quote!([#min, #max]),
        None => quote!([f64::NEG_INFINITY, f64::INFINITY]),
    };
    let detail = words.detail;
    Ok(quote! {
        ::perlin_params::Param::new(#name, #help, #unit, #ends, #range, ::perlin_params::Scale::#scale, #detail)
    })
}
