//! Changes of settings in words: `Ranges: octaves 5 to 6`.

use super::EditableSettings;
use crate::param::{Param, ParamValue, ParamVisitor, parent_path};

/// The parameters of settings, in their order.
fn parameters<T: EditableSettings>(settings: &T) -> Vec<(String, &'static Param, ParamValue)> {
    let mut all = Vec::new();
    settings.clone().visit(&mut ParamVisitor::new(&mut |path, param, value| {
        all.push((path.to_owned(), param, value.get()));
    }));
    all
}

/// The changes from `before` to `after`, in words.
pub(super) fn changes<T: EditableSettings>(before: &T, after: &T) -> Vec<String> {
    let old = parameters(before);
    let mut changes = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for (path, param, value) in parameters(after) {
        match old.iter().find(|(old_path, ..)| *old_path == path) {
            Some((.., old)) if *old == value => {}
            Some((.., old)) => changes.push(format!("{}{}", prefix(after, &path), change(param, old, &value))),
            // The parameters of another kind, or of an item that was added.
            None => {
                let of = prefix(after, &path);
                let of = of.trim_end_matches(": ");
                if !others.iter().any(|other| other == of) {
                    others.push(of.to_owned());
                }
            }
        }
    }
    changes.extend(others);
    changes
}

/// A parameter or an item in words: `Ranges: octaves`.
pub(super) fn name_of<T: EditableSettings>(settings: &T, path: &str) -> String {
    let prefix = prefix(settings, path);
    match path.rsplit(['.', ']']).next().unwrap_or_default() {
        "" => prefix.trim_end_matches(": ").to_owned(),
        name => format!("{prefix}{}", name.replace('_', " ")),
    }
}

/// The label of an edit of the parameters at `paths`.
pub(super) fn label_of<T: EditableSettings>(before: &T, after: &T, paths: &[String]) -> String {
    let (old, new) = (parameters(before), parameters(after));
    let value = |all: &[(String, &'static Param, ParamValue)], path: &str| {
        all.iter().find(|(found, ..)| found == path).map(|(_, param, value)| (*param, value.clone()))
    };
    let mut labels = paths.iter().filter_map(|path| {
        let ((param, old), (_, new)) = (value(&old, path)?, value(&new, path)?);
        (old != new).then(|| format!("{}{}", prefix(before, path), change(param, &old, &new)))
    });
    let first = labels.next().unwrap_or_else(|| "Edit".to_owned());
    match labels.count() {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// `octaves 5 to 6`.
fn change(param: &Param, old: &ParamValue, new: &ParamValue) -> String {
    let has_unit = !param.unit.is_empty() && !matches!(new, ParamValue::Text(_));
    let unit = if has_unit { format!(" {}", param.unit) } else { String::new() };
    format!("{} {old} to {new}{unit}", param.name.replace('_', " "))
}

/// The layer of a parameter, or its section: `Ranges: `.
fn prefix<T: EditableSettings>(settings: &T, path: &str) -> String {
    let title = settings.item_titles(path).into_iter().next().unwrap_or_else(|| {
        let section = path.split('.').next().filter(|_| !parent_path(path).is_empty()).unwrap_or_default();
        let mut letters = section.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    if title.is_empty() { title } else { format!("{title}: ") }
}
