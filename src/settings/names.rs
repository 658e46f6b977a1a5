//! Tables of the names that fields and variants had in earlier versions.
//!
//! To rename a field or a variant, add a serde alias and a line in one of these tables.

use crate::chunk::StreamSettings;
use crate::param::first_items;

/// A current field of [`StreamSettings`]. It identifies that struct in a list of field names.
const STREAM_FIELD: &str = "look_ahead";

/// Whether `name` is a [moved](StreamSettings::MOVED) field. `names` are all fields of its struct.
fn is_moved(name: &str, names: &[&'static str]) -> bool {
    StreamSettings::MOVED.contains(&name) && names.contains(&STREAM_FIELD)
}

/// A field or a variant that got a new name.
pub(super) struct Renamed {
    /// The path of the struct that has the field, or of the field that has the variant. List indices are 0.
    pub within: &'static str,
    pub old: &'static str,
    pub new: &'static str,
}

const fn renamed(within: &'static str, old: &'static str, new: &'static str) -> Renamed {
    Renamed { within, old, new }
}

pub(super) const FIELDS: &[Renamed] = &[
    renamed("field.layers[0].kind", "size", "height_scale"),
    renamed("field.layers[0].kind", "contrast", "exponent"),
    renamed("field.layers[0].kind", "highest_frequency", "max_frequency"),
    renamed("field.layers[0].kind", "scattered", "offset_octaves"),
    renamed("field.layers[0].kind", "warp", "warp_strength"),
    renamed("look", "water_colour", "water_color"),
];

pub(super) const VARIANTS: &[Renamed] = &[
    renamed("field.layers[0].kind.shape", "Smooth", "Fbm"),
    renamed("field.layers[0].kind.lattice", "Mixed", "FastHash"),
    renamed("field.layers[0].kind.lattice", "Bits", "PermutationBits"),
    renamed("field.layers[0].kind.lattice", "Edges", "Perlin2002"),
    renamed("field.layers[0].kind.sum", "Normalised", "Normalized"),
];

/// The current name of the field or variant `name` within `path`, if `name` is an old name.
pub(super) fn new_name(table: &'static [Renamed], path: &str, name: &str) -> Option<&'static str> {
    // Most names are in no table. Looking for the name first avoids building a path.
    let mut known = table.iter().filter(|renamed| renamed.old == name).peekable();
    known.peek()?;
    // A layer in a group has the fields of any layer, and the noise of a mask those of any noise.
    let within = first_items(path).replace(".kind.layers[0]", "").replace(".masks[0].noise", ".kind");
    known.find(|renamed| renamed.within == within).map(|renamed| renamed.new)
}

/// The current name of the field `name` of the struct at `path`. Returns `name` itself unless it is an old name.
pub(super) fn current_field<'a>(path: &str, name: &'a str) -> &'a str {
    new_name(FIELDS, path, name).unwrap_or(name)
}

/// The fields of one struct, without old names and moved fields.
pub(super) fn without_old_fields(names: &[&'static str]) -> Vec<&'static str> {
    let is_old = |name: &str| FIELDS.iter().any(|renamed| renamed.old == name && names.contains(&renamed.new));
    names.iter().copied().filter(|name| !is_old(name) && !is_moved(name, names)).collect()
}
