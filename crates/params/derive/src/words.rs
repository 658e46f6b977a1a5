//! The words of the attributes.

use crate::text::plain_number;
use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Error, Ident, Lit, LitInt, LitStr, Result, Token};

/// The words of `#[param(..)]` of a field.
#[derive(Default)]
pub struct Words {
    pub default: Option<TokenStream>,
    pub range: Option<[Number; 2]>,
    pub unit: Option<LitStr>,
    pub scale: Option<Ident>,
    pub max_length: Option<LitInt>,
    pub detail: bool,
}

/// A number, such as `-1e3` or `10_000`.
pub struct Number {
    pub value: f64,
    /// For errors.
    literal: Lit,
}

impl Number {
    pub fn error(&self, message: &str) -> Error {
        Error::new(self.literal.span(), message)
    }
}

impl Parse for Number {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let sign = if input.parse::<Option<Token![-]>>()?.is_some() { -1.0 } else { 1.0 };
        let literal: Lit = input.parse()?;
        let value = match &literal {
            Lit::Int(number) => number.base10_parse::<f64>()?,
            Lit::Float(number) => number.base10_parse::<f64>()?,
            other => return Err(Error::new(other.span(), "expected a number")),
        };
        Ok(Self { value: sign * value, literal })
    }
}

impl Words {
    /// Takes `#[param(..)]` out of the attributes of a field.
    pub fn take(attributes: &mut Vec<Attribute>) -> Result<Self> {
        let mut words = Self::default();
        for attribute in take(attributes, "param") {
            attribute.parse_args_with(|input: ParseStream<'_>| {
                while !input.is_empty() {
                    words.read(input)?;
                    if !input.is_empty() {
                        input.parse::<Token![,]>()?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(words)
    }

    fn read(&mut self, input: ParseStream<'_>) -> Result<()> {
        let word = input.call(Ident::parse_any)?;
        let name = word.to_string();
        if name == "detail" {
            self.detail = true;
            return Ok(());
        }
        if !["default", "max_length", "range", "scale", "unit"].contains(&name.as_str()) {
            let message = format!("unknown word `{name}`, allowed: default, detail, max_length, range, scale, unit");
            // The rest would be another error.
            input.parse::<TokenStream>()?;
            return Err(Error::new(word.span(), message));
        }
        input.parse::<Token![=]>()?;
        match name.as_str() {
            "default" => self.default = Some(expression(input)?),
            "max_length" => self.max_length = Some(input.parse()?),
            "scale" => self.scale = Some(input.parse()?),
            "unit" => self.unit = Some(input.parse()?),
            _ => {
                let min = input.parse::<Number>()?;
                input.parse::<Token![..=]>()?;
                let max = input.parse::<Number>()?;
                if min.value > max.value {
                    return Err(max.error("the range is empty"));
                }
                self.range = Some([min, max]);
            }
        }
        Ok(())
    }

    /// The default in words, if it is short.
    pub fn default_in_words(&self) -> Option<String> {
        let text = self.default.as_ref()?.to_string().replace([' ', '_'], "");
        let plain = plain_number(&text);
        let list = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        if plain.is_some() || ["true", "false"].contains(&text.as_str()) {
            return plain.or(Some(text));
        }
        if let Some(list) = list {
            let numbers: Option<Vec<String>> = list.split(',').map(plain_number).collect();
            return numbers.map(|numbers| format!("({})", numbers.join(", ")));
        }
        // A variant, with data or without.
        let (path, name) = text.split('(').next()?.rsplit_once("::")?;
        let is_path = path.chars().chain(name.chars()).all(|c| c.is_alphanumeric() || c == ':');
        (is_path && name.starts_with(char::is_uppercase)).then(|| format!("`{name}`"))
    }

    /// The default, if it is a number.
    pub fn default_number(&self) -> Option<Number> {
        syn::parse2(self.default.clone()?).ok()
    }
}

/// The tokens up to the next comma.
fn expression(input: ParseStream<'_>) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    if tokens.is_empty() { Err(input.error("expected a value")) } else { Ok(tokens) }
}

/// Takes the attributes of a name out of a list.
pub fn take(attributes: &mut Vec<Attribute>, name: &str) -> Vec<Attribute> {
    attributes.extract_if(.., |attribute| attribute.path().is_ident(name)).collect()
}

/// Whether the words of `#[params(..)]` on a struct say that its `Params` is written by hand.
pub fn manual_visit(words: TokenStream) -> Result<bool> {
    let word: Option<Ident> = Parse::parse.parse2(words)?;
    match word {
        Some(word) if word != "manual_visit" => {
            Err(Error::new(word.span(), format!("unknown word `{word}`, allowed: manual_visit")))
        }
        word => Ok(word.is_some()),
    }
}
