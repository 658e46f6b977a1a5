//! Names that fields and variants had in earlier versions, and fields that have moved.
//!
//! A new rename takes a serde alias and a line in one of these tables.

use crate::chunk::StreamSettings;
use crate::param::first_items;

/// A field beside those that [moved](StreamSettings::MOVED).
const BESIDE: &str = "look_ahead";

/// Whether `name` is a field that moved, among the `names` of the fields of one struct.
fn is_moved(name: &str, names: &[&'static str]) -> bool {
    StreamSettings::MOVED.contains(&name) && names.contains(&BESIDE)
}

/// A name that changed.
pub(super) struct Renamed {
    /// The path of the struct with the field, or of the field with the variant. List indices are 0.
    pub within: &'static str,
    pub old: &'static str,
    pub new: &'static str,
}

const fn renamed(within: &'static str, old: &'static str, new: &'static str) -> Renamed {
    Renamed { within, old, new }
}

pub(super) const FIELDS: &[Renamed] = &[
    renamed("field.layers[0]", "size", "height_scale"),
    renamed("field.layers[0]", "contrast", "exponent"),
    renamed("field.layers[0]", "highest_frequency", "max_frequency"),
    renamed("field.layers[0]", "scattered", "offset_octaves"),
    renamed("field.layers[0]", "warp", "warp_strength"),
    renamed("look", "water_colour", "water_color"),
];

pub(super) const VARIANTS: &[Renamed] = &[
    renamed("field.layers[0].shape", "Smooth", "Fbm"),
    renamed("field.layers[0].lattice", "Mixed", "FastHash"),
    renamed("field.layers[0].lattice", "Bits", "PermutationBits"),
    renamed("field.layers[0].lattice", "Edges", "Perlin2002"),
    renamed("field.layers[0].sum", "Normalised", "Normalized"),
];

/// The current name of the field or variant `name` within `path`, if `name` is an old one.
pub(super) fn new_name(table: &'static [Renamed], path: &str, name: &str) -> Option<&'static str> {
    // Most names are in no table, which is quicker to find out than a path.
    let mut known = table.iter().filter(|renamed| renamed.old == name).peekable();
    known.peek()?;
    let within = first_items(path);
    known.find(|renamed| renamed.within == within).map(|renamed| renamed.new)
}

/// The current name of the field `name` of the struct at `path`: `name` itself, except for an old name.
pub(super) fn current_field<'a>(path: &str, name: &'a str) -> &'a str {
    new_name(FIELDS, path, name).unwrap_or(name)
}

/// `names`, which are the fields of one struct, without the old ones and those that moved.
pub(super) fn without_old_fields(names: &[&'static str]) -> Vec<&'static str> {
    let is_old = |name: &str| FIELDS.iter().any(|renamed| renamed.old == name && names.contains(&renamed.new));
    names.iter().copied().filter(|name| !is_old(name) && !is_moved(name, names)).collect()
}
