//! Reads settings from the values of a text, and reports each mistake with what was written and what is allowed.
//!
//! The RON parser is the judge of what is valid. It stops at its first problem, and tells what it expected, not what was written. So
//! a text that it refuses is read again, value by value, by this reader. It is a serde deserializer: serde says which fields, variants
//! and values it expects, and the document says what the text has in their place. A mistake with one clear meaning is reported, and
//! reading goes on with what was meant. Of any other mistake, the value is skipped, and the settings are read again without it.

use super::reading::{Reading, Stop};
use super::schema::Schema;
use super::value::{LIST, PARTS, Value, Written};
use crate::ron_edit::Kind;
use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};

/// The structs of the settings `F`, from readings of nothing, each with other variants.
pub(super) fn schema_of<F: DeserializeOwned>() -> Schema {
    // More than any enum with structs has.
    const MAX_VARIANTS: usize = 12;
    let schema = Schema::default();
    for choice in 0..MAX_VARIANTS {
        let reading = Reading::of_nothing(&schema, choice);
        // The values do not matter.
        let _ = F::deserialize(Value::nothing(&reading));
    }
    schema
}

macro_rules! scalars {
    ($($method:ident: $type:ty, $visit:ident, $what:literal;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
            let value = self.scalar::<$type>($what)?;
            self.visited(visitor.$visit(value), $what)
        })*
    };
}

impl<'de> Deserializer<'de> for Value<'_, '_> {
    type Error = Stop;

    scalars! {
        deserialize_bool: bool, visit_bool, "true or false";
        deserialize_i8: i8, visit_i8, "a whole number";
        deserialize_i16: i16, visit_i16, "a whole number";
        deserialize_i32: i32, visit_i32, "a whole number";
        deserialize_i64: i64, visit_i64, "a whole number";
        deserialize_u8: u8, visit_u8, "a whole number";
        deserialize_u16: u16, visit_u16, "a whole number";
        deserialize_u32: u32, visit_u32, "a whole number";
        deserialize_u64: u64, visit_u64, "a whole number";
        deserialize_f32: f32, visit_f32, "a number";
        deserialize_f64: f64, visit_f64, "a number";
        deserialize_str: String, visit_string, "a text in quotes";
        deserialize_string: String, visit_string, "a text in quotes";
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Stop> {
        let node = match self.written {
            Written::Node(node) => node,
            _ if self.reading.probe.is_some() => return visitor.visit_some(self),
            _ => return visitor.visit_none(),
        };
        if node.value() == "None" {
            return visitor.visit_none();
        }
        if let ("Some", Some(inner)) = (node.variant(), node.children().next()) {
            self.written = Written::Node(inner);
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let fields = match self.written {
            Written::Node(node) => self.fields(node, name, names)?,
            Written::NoFields => Vec::new(),
            Written::Nothing => {
                if self.reading.probe.is_some() {
                    self.reading.schema.add_struct(&self.path, self.variant, names);
                }
                names.iter().map(|name| (*name, self.field_of_nothing(name))).collect()
            }
        };
        let result = visitor.visit_map(MapDeserializer::new(fields.into_iter()));
        match (result, self.written) {
            (Err(Stop::Missing(field)), Written::Node(node)) => Err(self.missing(node, field)),
            (result, _) => self.visited(result, "fields in parentheses"),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let items = match self.written {
            Written::Node(node) => self.items(node)?,
            Written::Nothing if self.reading.probe.is_some() => {
                self.reading.schema.add_list(&self.path);
                // A group has layers, which may be groups.
                let is_deep = self.path.contains(".kind.layers");
                let item = Self::new(self.reading, Written::Nothing, format!("{}[0]", self.path));
                if is_deep { Vec::new() } else { vec![item] }
            }
            Written::NoFields | Written::Nothing => Vec::new(),
        };
        let result = visitor.visit_seq(SeqDeserializer::new(items.into_iter()));
        self.visited(result, LIST)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Stop> {
        let parts: Vec<Self> = match self.written {
            Written::Node(node) => self.parts(node, length)?,
            Written::NoFields | Written::Nothing => vec![self.clone(); length],
        };
        let result = visitor.visit_seq(SeqDeserializer::new(parts.into_iter()));
        self.visited(result, PARTS)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        if self.reading.probe.is_some() {
            self.reading.schema.add_choice(&self.path, self.owner, variants);
        }
        let variant = match self.written {
            Written::Node(node) => {
                let (variant, content) = self.choice(node, variants)?;
                self.written = Written::Node(content);
                variant
            }
            Written::NoFields | Written::Nothing => variants[self.reading.probe.unwrap_or(0) % variants.len()],
        };
        self.variant = Some(variant);
        let result = visitor.visit_enum(self.clone());
        self.visited(result, "another value")
    }

    serde::forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct map identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Stop> for Value<'_, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The variant of an enum. The value is its content.
impl<'de> EnumAccess<'de> for Value<'_, '_> {
    type Error = Stop;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Stop> {
        let name = seed.deserialize(StrDeserializer::<Stop>::new(self.variant.unwrap_or_default()))?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Value<'_, '_> {
    type Error = Stop;

    fn unit_variant(self) -> Result<(), Stop> {
        if let (Written::Node(node), Some(name)) = (self.written, self.variant)
            && node.kind() == Kind::Group
        {
            let allowed = self.expectation("a name without parentheses");
            self.report(node, self.is_written(node, Some(name.to_owned())), Some(allowed));
        }
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value, Stop> {
        if let (Written::Node(node), Some(name)) = (self.written, self.variant)
            && node.kind() == Kind::Leaf
        {
            // Another spelling of the name was reported before.
            if node.value() == name {
                let wrong = format!("is {name} without its parentheses, did you mean `{name}()`?");
                self.report(node, wrong, None);
            }
            self.written = Written::NoFields;
        }
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Stop> {
        self.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, names: &'static [&'static str], visitor: V) -> Result<V::Value, Stop> {
        self.deserialize_struct("", names, visitor)
    }
}
