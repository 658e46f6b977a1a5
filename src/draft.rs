//! Drafts of settings: what an editor changes before it is written to an asset or to a file.
//!
//! A [`SettingsModel`] holds the draft of one file and refuses values that are not allowed; [`InspectorModel`] is that of a terrain. It
//! adds, moves and removes layers ([`LayerChange`]). [`save_settings`] writes a draft into its file, keeps the comments, and keeps the old
//! file as `.bak`. Nothing here needs an engine or a window: [`inspector`](crate::inspector) draws it.

mod checks;
mod files;
mod ground_layers;
mod kinds;
mod layer_change;
mod layers;
mod model;
mod preview;
mod replace_file;
mod settings;

pub(crate) use checks::{BAR, DraftChecks};
pub use files::{SaveError, save_settings};
pub(crate) use files::{list_settings_files, sanitize_file_name, save_new_settings};
pub(crate) use ground_layers::{GROUND_LAYERS, is_of_ground};
pub use layer_change::LayerChange;
pub(crate) use layers::{curve, layers_at};
pub use model::{InspectorModel, Row, SettingsModel, SkyModel};
pub use preview::HeightMap;
pub use settings::InspectedSettings;
