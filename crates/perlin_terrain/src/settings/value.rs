//! One value of a text: what is written, what is allowed, and what was probably meant.

use super::error::problem_at;
use super::file::dialect;
use super::reading::{Reading, Stop, expectation};
use super::schema::field_path;
use super::suggest::{allowed_names, meant_color, meant_name, meant_value};
use crate::ron_edit::{Fault, Kind, Node, shortened};
use serde::de::DeserializeOwned;

/// A list, in words.
pub(super) const LIST: &str = "a list in square brackets";
/// A tuple, in words.
pub(super) const PARTS: &str = "values in parentheses";

/// The text of a value.
#[derive(Clone, Copy)]
pub(super) enum Written<'a> {
    Node(Node<'a>),
    /// A struct without fields.
    NoFields,
    /// Nothing that can be read. It is read as anything.
    Nothing,
}

/// A value to read.
#[derive(Clone)]
pub(super) struct Value<'a, 'r> {
    pub reading: &'r Reading<'a>,
    pub written: Written<'a>,
    pub path: String,
    /// The variant that the value is the content of.
    pub variant: Option<&'static str>,
    /// The variant that the struct around the value is the content of.
    pub owner: Option<&'static str>,
    /// The value that the value is a part of, if it has no name of its own: the color of a channel.
    pub whole: Option<Node<'a>>,
}

/// A field of a struct: its name and its value.
pub(super) type Field<'a, 'r> = (&'static str, Value<'a, 'r>);

impl<'a, 'r> Value<'a, 'r> {
    /// The outermost value of a text.
    pub fn root(reading: &'r Reading<'a>, node: Node<'a>) -> Self {
        Self::new(reading, Written::Node(node), String::new())
    }

    pub fn nothing(reading: &'r Reading<'a>) -> Self {
        Self::new(reading, Written::Nothing, String::new())
    }

    pub fn new(reading: &'r Reading<'a>, written: Written<'a>, path: String) -> Self {
        if let Written::Node(node) = written {
            reading.state.borrow_mut().offsets.insert(path.clone(), node.range().start);
        }
        Self { reading, written, path, variant: None, owner: None, whole: None }
    }

    /// The value at `path` in this one. Nothing if it is skipped.
    fn part(&self, path: String, node: Node<'a>) -> Self {
        let is_skipped = self.reading.state.borrow().skipped.contains(&node.start());
        if is_skipped {
            self.reading.state.borrow_mut().replaced.insert(path.clone());
        }
        let written = if is_skipped { Written::Nothing } else { Written::Node(node) };
        Self { owner: self.variant, ..Self::new(self.reading, written, path) }
    }

    /// The field `name` of this struct.
    fn field(&self, name: &str, node: Node<'a>) -> Self {
        self.part(self.path_of(name), node)
    }

    /// The field `name` of this struct, if the text has none.
    pub fn field_of_nothing(&self, name: &str) -> Self {
        Self { owner: self.variant, ..Self::new(self.reading, Written::Nothing, self.path_of(name)) }
    }

    /// The item of this list at `index`.
    pub fn item(&self, index: usize, node: Node<'a>) -> Self {
        self.part(format!("{}[{index}]", self.path), node)
    }

    /// Skips this value when the settings are read again.
    fn skip(&self, node: Node<'a>) -> Stop {
        self.reading.state.borrow_mut().skipped.insert(node.start());
        Stop::Reported
    }

    /// Reports that this value is wrong.
    pub fn report(&self, node: Node<'a>, wrong: String, allowed: Option<String>) {
        let range = node.field_range();
        let is_hidden = |fault: &Fault| fault.hides_value && range.start <= fault.at && fault.at <= range.end;
        if node.kind() != Kind::Leaf || !self.reading.faults.iter().any(is_hidden) {
            self.reading.report(node.range().start, &self.path, wrong, allowed);
        }
    }

    /// Reports a value that is not of the kind that is allowed, and skips it. `meant` is what was probably meant.
    pub fn wrong(&self, node: Node<'a>, meant: Option<String>, allowed: String) -> Stop {
        self.report(node, self.is_written(node, meant), Some(allowed));
        self.skip(node)
    }

    /// The text, as part of a sentence.
    pub fn is_written(&self, node: Node<'a>, meant: Option<String>) -> String {
        let found = match self.reading.written(node) {
            "" => "has no value".to_owned(),
            value => format!("is {}", shortened(value)),
        };
        found + &meant.map_or_else(String::new, |meant| format!(", did you mean `{meant}`?"))
    }

    /// The values that the parameter at the path takes. `otherwise` says it if there is no parameter.
    pub fn expectation(&self, otherwise: &str) -> String {
        let found = self.reading.param(&self.path);
        found.map_or_else(|| otherwise.to_owned(), |(param, allowed)| expectation(param, &allowed))
    }

    /// Reads a value without parts.
    pub fn scalar<T: DeserializeOwned + Default>(&self, otherwise: &str) -> Result<T, Stop> {
        let Written::Node(node) = self.written else { return Ok(T::default()) };
        let value = node.value();
        if let Ok(value) = dialect().from_str(value) {
            return Ok(value);
        }
        if let Some(whole) = self.whole {
            let meant = meant_color(self.reading.written(whole));
            return Err(self.wrong(whole, meant, self.expectation(otherwise)));
        }
        let meant = meant_value::<T>(value);
        Err(self.wrong(node, meant, self.expectation(otherwise)))
    }

    /// The result of a visitor. A value that it refused is reported.
    pub fn visited<T>(&self, result: Result<T, Stop>, otherwise: &str) -> Result<T, Stop> {
        match (result, self.written) {
            (Err(Stop::Refused), Written::Node(node)) => {
                Err(self.wrong(self.whole.unwrap_or(node), None, self.expectation(otherwise)))
            }
            (result, _) => result,
        }
    }

    /// The fields of this struct, which has the name `name` in code and may have the fields `names`.
    pub fn fields(
        &self,
        node: Node<'a>,
        name: &str,
        names: &'static [&'static str],
    ) -> Result<Vec<Field<'a, 'r>>, Stop> {
        if let Some((field, meant)) = self.only_field(node, names) {
            self.report(node, self.is_written(node, Some(meant)), None);
            return Ok(vec![field]);
        }
        let children: Vec<Node<'a>> = node.children().collect();
        if let (Kind::Group, [only]) = (node.kind(), &children[..])
            && (only.kind() == Kind::Group && only.variant().is_empty() && only.name().is_none())
            && only.children().any(|field| names.contains(&field.name().unwrap_or_default()))
        {
            let wrong = format!("has two pairs of parentheses; write `{}(...)`", self.variant.unwrap_or_default());
            self.report(node, wrong, None);
            return self.fields(*only, name, names);
        }
        let has_names = children.is_empty() || children.iter().any(|child| child.name().is_some());
        if node.kind() != Kind::Group || !has_names {
            let meant = self.with_names(&children, names).or_else(|| self.with_list(&children, names));
            return Err(self.wrong(node, meant, format!("named fields in parentheses: {}", allowed_names("", names))));
        }
        let word = node.variant();
        if self.variant.is_none() && !word.is_empty() && word != name {
            self.report(node, format!("has the name `{word}` before its parentheses; remove it"), None);
        }
        Ok(self.named_fields(&children, names))
    }

    /// The field whose value stands alone in place of this struct, and what was meant: `Group(layers: [...])` in place of
    /// `Group([...])`, or `(kind: Noise())` in place of `Noise()`.
    fn only_field(&self, node: Node<'a>, names: &'static [&'static str]) -> Option<(Field<'a, 'r>, String)> {
        let schema = self.reading.schema;
        let variant = self.variant.unwrap_or_default();
        let word = word_of(node);
        if variant.is_empty()
            && let Some(field) = schema.choice_field(&self.path, names, word)
        {
            let value = self.shown(&self.path_of(field), word, node);
            return Some(((field, self.field(field, node)), format!("({field}: {value})")));
        }
        let mut children = node.children();
        let list = match (node.kind(), children.next(), children.next()) {
            (Kind::List, ..) => node,
            (Kind::Group, Some(only), None) if only.kind() == Kind::List && only.name().is_none() => only,
            _ => return None,
        };
        let field = schema.list_field(&self.path, names)?;
        let is_meant = !variant.is_empty() || list.children().any(|item| item.kind() == Kind::Group);
        is_meant.then(|| ((field, self.field(field, list)), format!("{variant}({field}: [...])")))
    }

    /// The fields among `children`. Reports those that the struct does not have.
    fn named_fields(&self, children: &[Node<'a>], names: &'static [&'static str]) -> Vec<Field<'a, 'r>> {
        let mut found: Vec<Field<'a, 'r>> = Vec::new();
        for &child in children {
            let written = child.name().unwrap_or_default();
            if child.name().is_none() {
                self.unnamed(child, names);
            } else if let Some(name) = names.iter().copied().find(|name| *name == written) {
                if found.iter().any(|(known, _)| *known == name) {
                    let wrong = "is set twice; remove one of them".to_owned();
                    self.reading.report(child.start(), &self.path_of(name), wrong, None);
                } else {
                    found.push((name, self.field(name, child)));
                }
            } else if let Some(meant) = self.unknown(child, written, names)
                && child.kind() != Kind::Leaf
                && children.iter().all(|other| other.name().unwrap_or_default() != meant)
            {
                found.push((meant, self.field(meant, child)));
            }
        }
        // Those that are skipped are as if they were not written, and get their defaults.
        found.retain(|(_, value)| !matches!(value.written, Written::Nothing));
        for name in names {
            let path = self.path_of(name);
            if self.reading.state.borrow().missing.contains(&path) && found.iter().all(|(known, _)| known != name) {
                self.reading.state.borrow_mut().replaced.insert(path);
                found.push((name, self.field_of_nothing(name)));
            }
        }
        found
    }

    /// The items of this list. One item may lack its brackets, and the brackets may be parentheses.
    pub fn items(&self, node: Node<'a>) -> Result<Vec<Self>, Stop> {
        let is_item = match node.kind() {
            Kind::List => false,
            Kind::Group => {
                let is_part = |child: Node<'_>| child.name().is_some() || child.kind() == Kind::Leaf;
                !node.variant().is_empty() || node.children().all(is_part)
            }
            Kind::Leaf if node.value().starts_with(|c: char| c.is_ascii_uppercase()) && node.value() != "None" => true,
            Kind::Leaf => return Err(self.wrong(node, None, LIST.to_owned())),
        };
        if node.kind() != Kind::List {
            let item = if is_item { shortened(self.reading.written(node)) } else { "...".to_owned() };
            self.report(node, self.is_written(node, Some(format!("[{item}]"))), Some(LIST.to_owned()));
        }
        let items: Vec<Node<'a>> = if is_item { vec![node] } else { node.children().collect() };
        Ok(items.into_iter().enumerate().map(|(index, item)| self.item(index, item)).collect())
    }

    /// The parts of this tuple, such as the channels of a color.
    pub fn parts(&self, node: Node<'a>, length: usize) -> Result<Vec<Self>, Stop> {
        let parts: Vec<Node<'a>> = node.children().collect();
        let is_tuple = node.kind() == Kind::Group && node.variant().is_empty();
        if !is_tuple || parts.len() != length || parts.iter().any(|part| part.name().is_some()) {
            let meant = meant_color(self.reading.written(node)).filter(|_| length == 3);
            return Err(self.wrong(node, meant, self.expectation(PARTS)));
        }
        let part = |part| Self { whole: Some(node), ..Self::new(self.reading, Written::Node(part), self.path.clone()) };
        Ok(parts.into_iter().map(part).collect())
    }

    fn path_of(&self, name: &str) -> String {
        field_path(&self.path, name)
    }

    /// Values with the names of all fields, if there is one value for each field.
    fn with_names(&self, values: &[Node<'a>], names: &[&str]) -> Option<String> {
        let are_plain = values.iter().all(|value| value.kind() == Kind::Leaf && value.value().len() < 20);
        if values.len() != names.len() || !are_plain {
            return None;
        }
        let fields: Vec<String> =
            names.iter().zip(values).map(|(name, value)| format!("{name}: {}", value.value())).collect();
        Some(format!("{}({})", self.variant.unwrap_or_default(), fields.join(", ")))
    }

    /// The list that the structs `values` should be, if this struct has one.
    fn with_list(&self, values: &[Node<'a>], names: &[&'static str]) -> Option<String> {
        let are_structs = !values.is_empty() && values.iter().all(|value| value.kind() == Kind::Group);
        let field = self.reading.schema.list_field(&self.path, names).filter(|_| are_structs)?;
        Some(format!("{}({field}: [...])", self.variant.unwrap_or_default()))
    }

    /// Reports a value without a name in a struct.
    fn unnamed(&self, child: Node<'a>, names: &[&str]) {
        if self.reading.is_full() {
            return;
        }
        if let (true, Kind::Group, Written::Node(node)) = (self.reading.is_guess, child.kind(), self.written)
            && let Some(open) = node.bracket()
        {
            // An item of the list around this struct.
            self.reading.state.borrow_mut().misplaced.get_or_insert((open, child.start()));
            return;
        }
        let text = self.reading.written(child);
        let (wrong, allowed) = if names.contains(&text) {
            (format!("`{text}` has no value; write `{text}: ` and the value"), None)
        } else {
            let wrong = format!("a value without the name of a field: {}", shortened(text));
            (wrong, Some(allowed_names(text, names)))
        };
        self.reading.add(problem_at(self.reading.text, child.range().start, &self.path, wrong, allowed));
    }

    /// Reports a field that the struct does not have, and returns the one that was probably meant.
    fn unknown(&self, child: Node<'a>, written: &str, names: &[&'static str]) -> Option<&'static str> {
        let reading = self.reading;
        if reading.is_full() {
            return None;
        }
        // As in `field.seed: 3`.
        let name = written.rsplit('.').next().unwrap_or(written);
        let variant_of = |path: &str| reading.file?.find(path).map(Node::first_word);
        let is_near = names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let location = reading.schema.location_of(&self.path, name, names, variant_of).filter(|_| !is_near);
        if let (true, Some(location)) = (reading.is_guess, &location) {
            if let (true, Written::Node(node)) = (location.is_higher, self.written)
                && let Some(open) = node.bracket()
            {
                reading.state.borrow_mut().misplaced.get_or_insert((open, child.start()));
            }
            return None;
        }
        let mut wrong = format!("unknown field `{}`", shortened(written));
        let mut meant = None;
        let mut allowed = None;
        if let Some(location) = location {
            wrong = format!("{wrong}; {}", location.words);
            let inside = location.inside.map(|field| self.path_of(&field));
            reading.state.borrow_mut().hinted.extend(inside);
        } else {
            meant = meant_name(name, names);
            if let Some(meant) = meant {
                wrong = format!("{wrong}, did you mean `{meant}`?");
            }
            allowed = Some(allowed_names(name, names));
        }
        let path = self.path_of(name);
        reading.add(problem_at(reading.text, child.start(), &path, wrong, allowed));
        meant
    }

    /// Reports a field that the struct needs and the text does not have.
    pub fn missing(&self, node: Node<'a>, field: &'static str) -> Stop {
        let path = self.path_of(field);
        let was_written = node.children().any(|child| child.name().unwrap_or_default() == field);
        let is_new = self.reading.state.borrow_mut().missing.insert(path.clone());
        let is_known = was_written || self.reading.is_guess || self.reading.state.borrow().hinted.contains(&path);
        if is_new && !is_known {
            let allowed = self.reading.param(&path).map(|(param, allowed)| expectation(param, &allowed));
            self.reading.report(node.range().start, &path, "is missing".to_owned(), allowed);
        }
        Stop::Reported
    }

    /// The variant that the text has for this enum, and its content. Reports one that is written wrong.
    pub fn choice(&self, node: Node<'a>, names: &'static [&'static str]) -> Result<(&'static str, Node<'a>), Stop> {
        let word = word_of(node);
        let find = |name: &str| names.iter().copied().find(|variant| *variant == name);
        if let Some(variant) = find(word)
            && (word == node.value() || node.kind() == Kind::Group)
        {
            return Ok((variant, node));
        }
        let schema = self.reading.schema;
        let parts: Vec<Node<'a>> = node.children().take(50).collect();
        if let ("", [only]) = (word, &parts[..]) {
            // In a list, or as in JSON, where the variant is the name of a field.
            let name = only.name().unwrap_or(only.variant());
            if let Some(variant) = find(name) {
                self.report(node, self.is_written(node, Some(self.shown(&self.path, variant, *only))), None);
                return Ok((variant, *only));
            }
        }
        if word.is_empty() && node.kind() == Kind::Group {
            let fields: Vec<&str> = parts.iter().map(|part| part.name().unwrap_or_default()).collect();
            let fitting = schema.variants_with(&self.path, &fields);
            let wrong = format!("is {}, without a name before its parentheses", shortened(self.reading.written(node)));
            let allowed = allowed_names("", if fitting.is_empty() { names } else { &fitting });
            self.report(node, wrong, Some(allowed));
            return match fitting[..] {
                [only] => Ok((only, node)),
                _ => Err(self.skip(node)),
            };
        }
        let allowed = allowed_names(word, names);
        if let Some(meant) = meant_name(word, names) {
            self.report(node, self.is_written(node, Some(self.shown(&self.path, meant, node))), Some(allowed));
            return Ok((meant, node));
        }
        // The name of a shape in place of the kind that has it.
        let meant = schema.field_with(&self.path, word).map(|(variant, field)| format!("{variant}({field}: {word})"));
        Err(self.wrong(node, meant, allowed))
    }

    /// The variant of the enum at `path` as it should be written for `content`.
    fn shown(&self, path: &str, variant: &str, content: Node<'_>) -> String {
        if !self.reading.schema.has_fields(path, variant) {
            variant.to_owned()
        } else if content.children().next().is_none() {
            format!("{variant}()")
        } else {
            format!("{variant}(...)")
        }
    }
}

/// The name of the variant that is written: before parentheses, or alone, maybe in quotes.
fn word_of(node: Node<'_>) -> &str {
    match node.kind() {
        Kind::Leaf => node.value().trim_matches(['"', '\'']),
        Kind::Group => node.variant(),
        Kind::List => "",
    }
}
