//! A settings file as the RON parser sees it: the settings and the version.

use super::TerrainSettings;
use crate::chunk::{ChunkSettings, LodSettings, StreamSettings};
use crate::field::FieldSettings;
use crate::look::LookSettings;
use crate::plants::PlantLayer;
use ron::Options;
use ron::error::SpannedError;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::{Deserialize, Serialize};

/// Everything that a file may have.
#[derive(Default, Deserialize)]
#[serde(rename = "TerrainSettings", deny_unknown_fields, default)]
pub(super) struct SettingsFile {
    #[serde(rename = "version")]
    _version: u32,
    field: FieldSettings,
    chunks: ChunkSettings,
    lod: LodSettings,
    stream: StreamSettings,
    look: LookSettings,
    plants: Vec<PlantLayer>,
}

/// Everything that is written to a file.
#[derive(Serialize)]
struct SettingsFileRef<'a> {
    version: u32,
    field: &'a FieldSettings,
    chunks: &'a ChunkSettings,
    lod: &'a LodSettings,
    stream: &'a StreamSettings,
    look: &'a LookSettings,
    plants: &'a [PlantLayer],
}

/// The dialect of RON: `Noise(octaves: 3)` for a variant with a struct in it, and optional values without `Some`.
pub(crate) fn dialect() -> Options {
    Options::default().with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES | Extensions::IMPLICIT_SOME)
}

/// Parses a text of the current version.
pub(super) fn parse(text: &str) -> Result<TerrainSettings, SpannedError> {
    dialect().from_str::<SettingsFile>(text).map(Into::into)
}

impl From<SettingsFile> for TerrainSettings {
    fn from(file: SettingsFile) -> Self {
        let SettingsFile { field, chunks, lod, stream, look, plants, .. } = file;
        Self { field, chunks, lod, stream, look, plants }
    }
}

/// Writes all fields, also those with their default values, and no comments.
pub(super) fn write(settings: &TerrainSettings, version: u32) -> String {
    let TerrainSettings { field, chunks, lod, stream, look, plants } = settings;
    let file = SettingsFileRef { version, field, chunks, lod, stream, look, plants };
    pretty(&file)
}

/// Writes all fields of plain data, and no comments.
pub(crate) fn pretty(file: &impl Serialize) -> String {
    let pretty = PrettyConfig::new().indentor("    ".to_owned());
    let text = dialect().to_string_pretty(file, pretty);
    text.expect("plain data of numbers and names is always written") + "\n"
}
