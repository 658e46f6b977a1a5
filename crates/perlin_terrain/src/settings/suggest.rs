//! Guesses of what the author of a text meant: the names nearest to a wrong one, and a value that can be read in place of one that can't.

use super::file::dialect;
use serde::de::DeserializeOwned;

/// The most names in a list of those that are allowed.
const MAX_NAMES: usize = 5;

/// How many changes of a letter make `name` of what was written. Upper case and underscores do not count.
fn distance(written: &str, name: &str) -> usize {
    let plain =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    strsim::osa_distance(&plain(written), &plain(name))
}

/// The name that was probably meant.
pub(super) fn meant_name<'a>(written: &str, names: &[&'a str]) -> Option<&'a str> {
    if written.len() > 100 {
        return None;
    }
    let nearest = names.iter().map(|name| (distance(written, name), *name)).min_by_key(|(distance, _)| *distance);
    // A third of the letters may differ.
    nearest
        .filter(|(distance, name)| {
            *distance <= written.len().max(name.len()).div_ceil(3).min(2) && *distance < name.len().min(written.len())
        })
        .map(|(_, name)| name)
}

/// All names, or the five that are nearest to what was written and the number of the others.
pub(super) fn allowed_names(written: &str, names: &[&str]) -> String {
    if names.len() <= MAX_NAMES {
        return names.join(", ");
    }
    let mut nearest: Vec<&str> = names.to_vec();
    if written.len() <= 100 && written.contains(char::is_alphabetic) {
        // Names that share a part with what was written come first: `height` is closer to `base_height` than to `right`.
        let shares_part =
            |name: &str| name.split('_').any(|part| part.len() > 2 && written.split('_').any(|own| own == part));
        nearest.sort_by_cached_key(|name| (!shares_part(name), distance(written, name)));
    }
    let others = names.len() - MAX_NAMES;
    format!("{} or {others} more", nearest[..MAX_NAMES].join(", "))
}

/// Whether the RON parser reads `text` as a `T`.
pub(super) fn is_readable<T: DeserializeOwned>(text: &str) -> bool {
    dialect().from_str::<T>(text).is_ok()
}

/// A value that can be read as a `T`, if it is clear that it was meant: with a decimal point, without a unit or quotes, or with quotes.
pub(super) fn meant_value<T: DeserializeOwned>(written: &str) -> Option<String> {
    if written.is_empty() || written.len() > 100 || written.contains('\n') {
        return None;
    }
    let bare = written.strip_prefix("Some").unwrap_or(written).trim_matches(['"', '\'', '(', ')', '[', ']']).trim();
    let number_end = bare.find(|c: char| !c.is_ascii_digit() && !"+-._".contains(c)).unwrap_or(bare.len());
    let (number, unit) = bare.split_at(number_end);
    let is_unit = unit.trim().chars().all(|c| c.is_alphabetic() || "%°/".contains(c));
    let switch = match bare.to_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => "true",
        "false" | "no" | "off" | "0" => "false",
        _ => "",
    };
    let candidates = [
        bare.to_owned(),
        bare.replacen(',', ".", 1),
        // The marks between thousands, and the space after a sign.
        bare.replace([' ', ',', '\''], ""),
        bare.split_once('.')
            .filter(|(_, part)| part.trim_matches('0').is_empty())
            .map_or("", |(whole, _)| whole)
            .to_owned(),
        if is_unit { number.to_owned() } else { String::new() },
        switch.to_owned(),
        format!("{bare:?}"),
    ];
    candidates.into_iter().find(|candidate| candidate != written && is_readable::<T>(candidate))
}

/// A color that can be read, if it is clear that it was meant: with decimal points, with commas, without names, in parentheses.
pub(super) fn meant_color(written: &str) -> Option<String> {
    if let Some(hex) = written.trim_matches('"').strip_prefix('#').filter(|hex| hex.len() == 6 && hex.is_ascii()) {
        let channel = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).ok().map(|byte| f32::from(byte) / 255.0);
        let (red, green, blue) = (channel(0)?, channel(2)?, channel(4)?);
        return Some(format!("({red:.2}, {green:.2}, {blue:.2})"));
    }
    // As in `rgb(0.5, 0.4, 0.3)`.
    let bare = written.trim_start_matches(char::is_alphanumeric);
    if written.len() > 100 || !bare.starts_with(['(', '[']) {
        return None;
    }
    let inner = bare.trim_matches(['(', ')', '[', ']']);
    let numbers = |separators: &[char], point: &str| -> Vec<String> {
        let parts = inner.split(separators).map(|part| part.rsplit(':').next().unwrap_or_default().trim());
        parts.filter(|part| !part.is_empty()).map(|part| part.replace(',', point)).collect()
    };
    // The commas that a space follows are those between the channels, and the others are decimal commas.
    let spaced = inner.replace(", ", ";");
    let decimal: Vec<String> = spaced.split(';').map(|part| part.trim().replace(',', ".")).collect();
    [numbers(&[','], "."), decimal, numbers(&[',', ' '], ".")]
        .into_iter()
        .map(|channels| format!("({})", channels.join(", ")))
        .find(|color| color != written && is_readable::<[f32; 3]>(color))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_few_other_letters_are_meant() {
        let names = ["seed", "base_height", "layers", "to", "x"];
        for (written, expected) in [
            ("sed", Some("seed")),
            ("Seed", Some("seed")),
            ("baseHeight", Some("base_height")),
            ("layer", Some("layers")),
            ("color", None),
            ("y", None),
            ("a", None),
        ] {
            assert_eq!(meant_name(written, &names), expected, "{written}");
        }
    }

    #[test]
    fn long_lists_of_names_show_the_nearest() {
        let names = ["a", "b", "sand", "snow", "base_height", "water_height", "water"];
        assert_eq!(allowed_names("height", &names), "base_height, water_height, a, b, sand or 2 more");
        assert_eq!(allowed_names("height", &names[..3]), "a, b, sand");
    }

    #[test]
    fn values_that_are_clear_are_suggested() {
        assert_eq!(meant_value::<f64>("0,5").as_deref(), Some("0.5"));
        assert_eq!(meant_value::<f64>("200 m").as_deref(), Some("200"));
        assert_eq!(meant_value::<f64>("\"3\"").as_deref(), Some("3"));
        assert_eq!(meant_value::<f64>("1 + 2"), None);
        assert_eq!(meant_value::<f64>("6:30"), None);
        assert_eq!(meant_value::<f64>("high"), None);
        for number in ["1,000.0", "1 000.0", "1'000.0", "(1000.0)"] {
            assert_eq!(meant_value::<f64>(number).as_deref(), Some("1000.0"), "{number}");
        }
        assert_eq!(meant_value::<f64>("- 5").as_deref(), Some("-5"));
        assert_eq!(meant_value::<u32>("30.0").as_deref(), Some("30"));
        assert_eq!(meant_value::<u32>("2.5"), None);
        assert_eq!(meant_value::<bool>("Yes").as_deref(), Some("true"));
        assert_eq!(meant_value::<String>("'Hills'").as_deref(), Some("\"Hills\""));
        for color in
            ["(0,5, 0,4, 0,3)", "[0.5, 0.4, 0.3]", "(0.5 0.4 0.3)", "(r: 0.5, g: 0.4, b: 0.3)", "rgb(0.5, 0.4, 0.3)"]
        {
            assert_eq!(meant_color(color).as_deref(), Some("(0.5, 0.4, 0.3)"), "{color}");
        }
        assert_eq!(meant_color("#C2AE80").as_deref(), Some("(0.76, 0.68, 0.50)"));
        assert_eq!(meant_color("(1.0, 0.5)"), None);
    }
}
