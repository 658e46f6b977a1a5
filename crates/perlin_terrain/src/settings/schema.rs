//! Which fields each struct of the settings has, to say where a field belongs that is in the wrong place.
//!
//! The structs tell it themselves: a reader of nothing records the fields that each of them asks for. It reads the settings some
//! times, each time with other variants.

use crate::param::first_items;
use std::cell::RefCell;

/// A struct of the settings.
#[derive(Debug, PartialEq)]
pub(super) struct Struct {
    /// Its path, with the list indices 0.
    pub path: String,
    /// The variant that the struct belongs to, such as `Noise`.
    pub variant: Option<&'static str>,
    pub fields: Vec<&'static str>,
}

/// A field that takes one of some names.
#[derive(Debug, PartialEq)]
struct Choice {
    path: String,
    /// The variant whose struct has the field.
    variant: Option<&'static str>,
    names: &'static [&'static str],
}

/// All structs of the settings, and their fields that take a list or one of some names.
#[derive(Debug, Default)]
pub(super) struct Schema {
    structs: RefCell<Vec<Struct>>,
    lists: RefCell<Vec<String>>,
    choices: RefCell<Vec<Choice>>,
}

impl Schema {
    pub fn add_struct(&self, path: &str, variant: Option<&'static str>, fields: &'static [&'static str]) {
        let (path, mut structs) = (first_items(path), self.structs.borrow_mut());
        if !structs.iter().any(|known| known.path == path && known.variant == variant) {
            structs.push(Struct { path, variant, fields: fields.to_vec() });
        }
    }

    pub fn add_list(&self, path: &str) {
        let (path, mut lists) = (first_items(path), self.lists.borrow_mut());
        if !lists.contains(&path) {
            lists.push(path);
        }
    }

    pub fn add_choice(&self, path: &str, variant: Option<&'static str>, names: &'static [&'static str]) {
        let (choice, mut choices) = (Choice { path: first_items(path), variant, names }, self.choices.borrow_mut());
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }

    /// The field of the struct at `path` that takes a list.
    pub fn list_field(&self, path: &str, fields: &[&'static str]) -> Option<&'static str> {
        let lists = self.lists.borrow();
        fields.iter().copied().find(|field| lists.contains(&general_field(path, field)))
    }

    /// The field of the struct at `path` that takes one of some names, one of which is `name`.
    pub fn choice_field(&self, path: &str, fields: &[&'static str], name: &str) -> Option<&'static str> {
        let choices = self.choices.borrow();
        let takes = |path: &str| choices.iter().any(|choice| choice.path == path && choice.names.contains(&name));
        fields.iter().copied().find(|field| takes(&general_field(path, field)))
    }

    /// The first variant of the enum at `path` that has a field which takes `name`, and that field.
    pub fn field_with(&self, path: &str, name: &str) -> Option<(&'static str, String)> {
        let path = general(path) + ".";
        self.choices.borrow().iter().find_map(|choice| {
            let field = choice.path.strip_prefix(&path).filter(|field| !field.contains('.'))?;
            Some((choice.variant.filter(|_| choice.names.contains(&name))?, field.to_owned()))
        })
    }

    /// Whether the variant of the enum at `path` has fields.
    pub fn has_fields(&self, path: &str, variant: &str) -> bool {
        let path = general(path);
        self.structs.borrow().iter().any(|one| one.path == path && one.variant == Some(variant))
    }

    /// The variants of the enum at `path` whose structs have all `names`.
    pub fn variants_with(&self, path: &str, names: &[&str]) -> Vec<&'static str> {
        let path = general(path);
        let structs = self.structs.borrow();
        let fits = |one: &&Struct| one.path == path && names.iter().all(|name| one.fields.contains(name));
        structs.iter().filter(fits).filter_map(|found| found.variant).collect()
    }

    /// Where the field `name` belongs, which the struct at `path` with the fields `names` does not have. `written` returns the variant
    /// that the text has at a path, or an empty name if it has another value there.
    pub fn location_of<'a>(
        &self,
        path: &str,
        name: &str,
        names: &[&'static str],
        written: impl Fn(&str) -> Option<&'a str>,
    ) -> Option<FieldLocation> {
        let here = general(path);
        let structs = self.structs.borrow();
        let owners = structs.iter().filter(|one| one.fields.contains(&name));
        let near = |one: &&Struct| {
            let (up, down) = steps(&here, &one.path);
            // A field of the same name far away is another field.
            (up == 0 || down == 0 || up + down < 3).then_some((up + down, up))
        };
        let owner = owners.clone().filter(|one| near(one).is_some()).min_by_key(near)?;
        let (up, down) = steps(&here, &owner.path);
        let actual = format!("{}{}", ancestor(path, up), below(&owner.path, down));
        // A group has layers itself. If the layer around it has the field, a layer in it was meant.
        if let (0, Some(list)) = (down, self.list_field(path, names))
            && general(&format!("{path}.{list}[0]")) == owner.path
            && written(&field_path(&actual, name)).is_some()
        {
            let words = format!("it belongs in `{list}: [({name}: ...)]`");
            return Some(FieldLocation { words, is_higher: false, inside: Some(list.to_owned()) });
        }
        let with_field = owners.filter(|one| one.path == owner.path).filter_map(|one| one.variant);
        let variants: Vec<&str> = with_field.collect();
        let found =
            owner.variant.and_then(|_| written(actual.trim_start_matches('.'))).filter(|found| !found.is_empty());
        // The variant that the text has, if it has the field.
        let variant = found.map_or(owner.variant, |found| variants.iter().copied().find(|name| *name == found));
        if let (Some(found), None) = (found, variant) {
            let others: Vec<String> = variants.iter().map(|name| format!("`{name}`")).collect();
            let have = if others.len() == 1 { "has it" } else { "have it" };
            return Some(FieldLocation {
                words: format!("`{found}` has no such field, but {} {have}", others.join(", ")),
                ..FieldLocation::default()
            });
        }
        let parts: Vec<&str> = parts(&here);
        let beside = parts.get(parts.len() - up).map(|part| part.split('[').next().unwrap_or(part));
        let words = match (down, beside) {
            (0, Some(beside)) if up == 1 => format!("it belongs one level higher, beside `{beside}`"),
            (0, Some(beside)) => format!("it belongs {up} levels higher, beside `{beside}`"),
            (_, beside) => {
                let deeper = snippet(&structs, &owner.path, down, variant, name);
                let beside = beside.map_or(String::new(), |beside| format!(", beside `{beside}`"));
                format!("it belongs in `{deeper}`{beside}")
            }
        };
        let deeper = below(&owner.path, down);
        let inside =
            (up == 0).then(|| deeper.trim_start_matches('.').split(['.', '[']).next().unwrap_or_default().to_owned());
        Some(FieldLocation { words, is_higher: down == 0, inside })
    }
}

/// Where a field belongs.
#[derive(Default)]
pub(super) struct FieldLocation {
    pub words: String,
    /// Whether it is a struct around the one that has the field.
    pub is_higher: bool,
    /// The field of the struct in whose value it belongs, if there is one.
    pub inside: Option<String>,
}

/// The path of the field `name` of the struct at `path`, as in the schema.
fn general_field(path: &str, name: &str) -> String {
    field_path(&general(path), name)
}

/// The path of the field `name` of the struct at `path`.
pub(super) fn field_path(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// A path in which a layer of a group looks like any layer.
fn general(path: &str) -> String {
    first_items(path).replace(".kind.layers[0]", "")
}

fn parts(path: &str) -> Vec<&str> {
    path.split('.').filter(|part| !part.is_empty()).collect()
}

/// How many steps lead up from one struct, and then down to another.
fn steps(from: &str, to: &str) -> (usize, usize) {
    let (from, to) = (parts(from), parts(to));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    (from.len() - shared, to.len() - shared)
}

/// The last `count` parts of a path, each after a point.
fn below(path: &str, count: usize) -> String {
    let parts = parts(path);
    parts[parts.len() - count..].iter().map(|part| format!(".{part}")).collect()
}

/// `path` without its last `up` parts.
fn ancestor(path: &str, up: usize) -> &str {
    (0..up).fold(path, |path, _| path.rfind('.').map_or("", |end| &path[..end]))
}

/// A text with the field `name` of the struct at `path`, such as `kind: Noise(octaves: ...)`: the last `count` parts of the path.
fn snippet(structs: &[Struct], path: &str, count: usize, variant: Option<&str>, name: &str) -> String {
    let parts = parts(path);
    let (mut variant, mut inner) = (variant, name);
    let mut text = format!("{name}: ...");
    for index in (parts.len() - count..parts.len()).rev() {
        let part = parts[index];
        if index + 1 < parts.len() {
            let path = parts[..=index].join(".");
            let owner = structs.iter().find(|one| one.path == path && one.fields.contains(&inner));
            variant = owner.and_then(|owner| owner.variant);
        }
        let name = variant.unwrap_or_default();
        (inner, text) = match part.split_once('[') {
            Some((list, _)) => (list, format!("{list}: [{name}({text})]")),
            None => (part, format!("{part}: {name}({text})")),
        };
    }
    text
}
