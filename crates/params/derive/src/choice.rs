//! Enums: one of a few named alternatives, with data or without.

use crate::{text, words};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, Error, Fields, Ident, Result, Variant};

/// `Choice` and `Field`, `Params` if a variant has data, and `Default` if a variant is marked as the default.
pub fn impls(name: &Ident, words: TokenStream, data: &mut DataEnum) -> Result<TokenStream> {
    if !words.is_empty() {
        return Err(Error::new_spanned(words, "an enum takes no words"));
    }
    let (mut alternatives, mut values, mut visits) = (Vec::new(), Vec::new(), Vec::new());
    let mut default = None;
    for variant in &mut data.variants {
        let is_default = !words::take(&mut variant.attrs, "default").is_empty();
        let help = text::help(&variant.attrs, &variant.ident)?;
        let Variant { ident, fields, .. } = &*variant;
        let text = ident.to_string();
        alternatives.push(quote!(::perlin_params::Alternative { name: #text, help: #help }));
        let value = match fields {
            Fields::Unit => quote!(Self::#ident),
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                visits.push(quote!(Self::#ident(data) => ::perlin_params::Params::visit(data, visitor),));
                quote!(Self::#ident(::core::default::Default::default()))
            }
            _ => return Err(Error::new_spanned(ident, "a variant has no data or one unnamed struct")),
        };
        if is_default {
            default = Some(value.clone());
        }
        values.push(value);
    }
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let indices: Vec<usize> = (0..variants.len()).collect();
    let count = variants.len();
    let default = default.map(|value| {
        quote! {
            impl ::core::default::Default for #name {
                fn default() -> Self {
                    #value
                }
            }
        }
    });
    let has_data = !visits.is_empty();
    let nested = has_data.then(|| quote!(visitor.nested(param.name, self);));
    let params = has_data.then(|| {
        let others = (visits.len() < count).then(|| quote!(_ => {}));
        quote! {
            impl ::perlin_params::Params for #name {
                fn visit(&mut self, visitor: &mut ::perlin_params::ParamVisitor<'_>) {
                    match self {
                        #(#visits)*
                        #others
                    }
                }
            }
        }
    });
    Ok(quote! {
        impl #name {
            /// All alternatives, in the order of the variants.
            pub const ALTERNATIVES: [::perlin_params::Alternative; #count] = [#(#alternatives),*];

            /// Returns the alternative with the name that a file has for it, with default data. `None` if there is no such name.
            #[must_use]
            pub fn with_defaults(name: &str) -> Option<Self> {
                let index = Self::ALTERNATIVES.iter().position(|alternative| alternative.name == name)?;
                match index {
                    #(#indices => Some(#values),)*
                    _ => None,
                }
            }
        }

        impl ::perlin_params::Choice for #name {
            fn alternatives(&self) -> &'static [::perlin_params::Alternative] {
                &Self::ALTERNATIVES
            }

            fn chosen(&self) -> usize {
                match self {
                    #(Self::#variants { .. } => #indices,)*
                }
            }

            fn choose(&mut self, index: usize) {
                let other = Self::ALTERNATIVES.get(index).filter(|_| index != self.chosen());
                if let Some(value) = other.and_then(|other| Self::with_defaults(other.name)) {
                    *self = value;
                }
            }
        }

        #default

        #params

        impl ::perlin_params::Field for #name {
            fn visit_field(
                &mut self,
                param: &'static ::perlin_params::Param,
                visitor: &mut ::perlin_params::ParamVisitor<'_>,
            ) {
                visitor.param(param, ::perlin_params::ParamMut::Choice(self));
                #nested
            }
        }
    })
}
