//! Drafts of settings: what an editor changes before it is written to an asset or to a file.
//!
//! A [`SettingsModel`] holds the draft of one file and refuses values that are not allowed; [`InspectorModel`] is that of a terrain. It
//! adds, moves and removes layers ([`LayerChange`]). [`save_settings`] writes a draft into its file, keeps the comments, and keeps the old
//! file as `.bak`. Nothing here needs an engine or a window: the inspector of `bevy_perlin_terrain` draws it.

mod checks;
mod files;
mod kinds;
mod layer_change;
mod layers;
mod model;
mod preview;
#[doc(hidden)]
pub mod replace_file;
mod settings;
mod surface_layers;

#[doc(hidden)]
pub use checks::{BAR, DraftChecks};
pub use files::{SaveError, save_settings};
#[doc(hidden)]
pub use files::{list_settings_files, sanitize_file_name, save_new_settings};
pub use layer_change::LayerChange;
#[doc(hidden)]
pub use layers::{curve, layers_at};
pub use model::{InspectorModel, Row, SettingsModel, SkyModel};
pub use preview::HeightMap;
pub use settings::InspectedSettings;
#[doc(hidden)]
pub use surface_layers::{SURFACE_LAYERS, is_of_surface};
