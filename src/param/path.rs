//! Paths such as `field.layers[2].octaves`.

/// The path of what contains `path`: `field.layers[2]` for `field.layers[2].octaves`, `field.layers` for
/// `field.layers[2]`, and the empty path, which is the whole, for `field`.
#[must_use]
pub fn parent_path(path: &str) -> &str {
    path.rfind(['.', '[']).map_or("", |end| &path[..end])
}

/// Whether `path` names an item of a list rather than a field.
#[must_use]
pub fn path_ends_with_index(path: &str) -> bool {
    path.ends_with(']')
}

/// `path` with every list index replaced by 0.
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
        let mut path = "field.layers[2].octaves";
        let mut seen = Vec::new();
        while !path.is_empty() {
            path = parent_path(path);
            seen.push(path);
        }
        assert_eq!(seen, ["field.layers[2]", "field.layers", "field", ""]);
        assert!(path_ends_with_index(seen[0]) && !path_ends_with_index(seen[1]));
    }
}
