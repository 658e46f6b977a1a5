//! Paths of parameters, such as `field.layers[2].kind.octaves`.

/// Returns the path of the value that contains `path`.
///
/// The parent of `field.layers[2].kind` is `field.layers[2]`, whose parent is `field.layers`. The parent of `field` is the
/// empty path: the settings themselves.
#[must_use]
pub fn parent_path(path: &str) -> &str {
    path.rfind(['.', '[']).map_or("", |end| &path[..end])
}

/// Whether `path` names an item of a list, not a field.
#[must_use]
pub fn path_ends_with_index(path: &str) -> bool {
    path.ends_with(']')
}

/// Returns `path` with every list index replaced by 0.
#[must_use]
pub fn first_items(path: &str) -> String {
    let mut parts = path.split('[');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("[0");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_strip_one_step() {
        let mut path = "field.layers[2].kind";
        let mut seen = Vec::new();
        while !path.is_empty() {
            path = parent_path(path);
            seen.push(path);
        }
        assert_eq!(seen, ["field.layers[2]", "field.layers", "field", ""]);
        assert!(path_ends_with_index(seen[0]) && !path_ends_with_index(seen[1]));
    }
}
