//! The edits of a game in a save.

use super::{EditMap, TerrainEdit};
use crate::field::FieldSettings;
use crate::param::ParamError;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};

/// The edits of a game, for a save or for another machine, in any format of serde.
///
/// ```
/// use perlin_terrain::field::{EditMap, FieldSettings, SavedEdits, TerrainEdit};
///
/// let (field, mut edits) = (FieldSettings::default(), EditMap::default());
/// edits.set(3, TerrainEdit::default())?;
/// let text = ron::to_string(&SavedEdits::new(&edits, &field)).expect("RON can write them");
///
/// let saved: SavedEdits = ron::from_str(&text).expect("they were written");
/// assert!(saved.is_of(&field));
/// assert_eq!(saved.edits()?, edits);
/// # Ok::<(), perlin_terrain::param::ParamError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedEdits {
    /// First, so that another format is refused for its version.
    #[serde(deserialize_with = "read_version")]
    version: u32,
    ground: GroundHash,
    edits: Vec<(u64, TerrainEdit)>,
}

/// Recognizes the settings of the ground below edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GroundHash(u64);

/// The version that this crate reads and writes.
const VERSION: u32 = 1;

fn read_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        version if version > VERSION => {
            Err(D::Error::custom(format!("the edits have version {version}, of a newer release than this one")))
        }
        version => Err(D::Error::custom(format!("the edits have version {version}, allowed: {VERSION}"))),
    }
}

impl SavedEdits {
    /// The edits of ground with these settings.
    #[must_use]
    pub fn new(edits: &EditMap, field: &FieldSettings) -> Self {
        let edits = edits.iter().map(|(id, edit)| (id, edit.clone())).collect();
        Self { version: VERSION, ground: GroundHash::of(field), edits }
    }

    /// What recognizes the ground that was edited.
    #[must_use]
    pub const fn ground(&self) -> GroundHash {
        self.ground
    }

    /// Whether the ground had these settings. On other ground, the edits are at the same places, but they may look wrong there.
    ///
    /// It may be false for the same ground after an update of this crate that adds a setting.
    #[must_use]
    pub fn is_of(&self, field: &FieldSettings) -> bool {
        self.ground.is_of(field)
    }

    /// The edits.
    ///
    /// # Errors
    ///
    /// If something about an edit is not allowed, or if two have the same number. The path has the index of the edit.
    pub fn edits(&self) -> Result<EditMap, ParamError> {
        let mut edits = EditMap::default();
        for (index, (id, edit)) in self.edits.iter().enumerate() {
            let before = edits.set(*id, edit.clone()).map_err(|error| match &*error.path {
                "edits" => error,
                path => ParamError { path: format!("edits[{index}].{path}"), ..error },
            })?;
            if before.is_some() {
                let path = format!("edits[{index}]");
                return Err(ParamError { path, found: format!("{id} again"), allowed: "each number once".to_owned() });
            }
        }
        Ok(edits)
    }
}

impl GroundHash {
    /// That of the ground with these settings, whatever their edits.
    ///
    /// The 64-bit FNV-1a hash of their text. Source: Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo, RFC 9923, *The FNV
    /// Non-Cryptographic Hash Algorithm*.
    fn of(field: &FieldSettings) -> Self {
        let ground = FieldSettings { edits: Vec::new(), ..field.clone() };
        let text = ron::to_string(&ground).expect("settings can be written");
        let add = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(text.bytes().fold(0xcbf2_9ce4_8422_2325, add))
    }

    /// Whether the ground has these settings.
    #[must_use]
    pub fn is_of(self, field: &FieldSettings) -> bool {
        self == Self::of(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved() -> String {
        let mut edits = EditMap::default();
        for id in [2, 9] {
            edits.set(id, TerrainEdit::default()).expect("it is allowed");
        }
        ron::to_string(&SavedEdits::new(&edits, &FieldSettings::default())).expect("it can be written")
    }

    fn read(text: &str) -> Result<EditMap, String> {
        let saved: SavedEdits = ron::from_str(text).map_err(|error| error.to_string())?;
        saved.edits().map_err(|error| error.to_string())
    }

    #[test]
    fn damaged_saves_say_where() {
        let text = saved();
        assert_eq!(read(&text).map(|edits| edits.len()), Ok(2));
        for (from, to, expected) in [
            ("version:1", "version:2", "the edits have version 2, of a newer release than this one"),
            ("version:1", "version:0", "the edits have version 0, allowed: 1"),
            ("(9,", "(2,", "`edits[1]` is 2 again, allowed: each number once"),
            ("radius:25.0", "radius:-1.0", "`edits[0].shape.radius` is -1.0, allowed: 0.1 to 10000 m"),
            ("Circle", "Square", "1:"),
        ] {
            let damaged = text.replacen(from, to, 1);
            assert_ne!(damaged, text, "{from}");
            let error = read(&damaged).expect_err("it is damaged");
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn other_ground_is_recognized() {
        let saved: SavedEdits = ron::from_str(&saved()).expect("it can be read");
        assert!(saved.is_of(&FieldSettings::default()));
        assert!(!saved.is_of(&FieldSettings { seed: 1, ..FieldSettings::default() }));
        let edits = vec![TerrainEdit::default()];
        assert!(saved.is_of(&FieldSettings { edits, ..FieldSettings::default() }), "the ground below is the same");
    }
}
