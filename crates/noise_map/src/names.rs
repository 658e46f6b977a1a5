//! The name that was meant.

/// Names less similar than this are not suggested.
const MIN_SIMILAR: f64 = 0.8;

/// Returns the name of `names` that `typed` is most similar to, whatever its case. `None` if it is similar to none.
pub fn nearest<'a>(names: impl IntoIterator<Item = &'a str>, typed: &str) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let similar = |name: &str| strsim::jaro_winkler(&name.to_lowercase(), &typed);
    let rated = names.into_iter().map(|name| (similar(name), name));
    let best = rated.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|&(similarity, _)| similarity > MIN_SIMILAR).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn names_are_found_in_another_case_and_with_typing_mistakes() {
        let names = ["Linear", "Cubic", "Quintic", "MinimalCubic"];
        for (typed, expected) in [
            ("linear", Some("Linear")),
            ("QUINTIC", Some("Quintic")),
            ("minimalcubic", Some("MinimalCubic")),
            ("minimal_cubic", Some("MinimalCubic")),
            ("Quitnic", Some("Quintic")),
            ("smooth", None),
            ("", None),
        ] {
            assert_eq!(nearest(names, typed), expected, "{typed}");
        }
        assert_eq!(nearest([], "linear"), None);
    }
}
