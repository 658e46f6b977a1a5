//! Drafts of settings: what an editor changes before it is written to an asset or to a file.
//!
//! A [`Draft`] holds the edited settings of one file and refuses values that are not allowed. It undoes and redoes edits ([`History`]), and
//! keeps them when the file or the asset changes meanwhile ([`Draft::file_loaded`], [`Draft::asset_seen`]). A [`ListEdit`] adds, moves,
//! copies or removes layers, masks and points. [`save_draft`] writes a draft into its file, keeps the comments, and keeps the old file as
//! `.bak`. Nothing here needs an engine or a window: the inspector of `bevy_perlin_terrain` draws it.

mod checks;
mod clipboard;
#[expect(clippy::module_inception, reason = "the draft is what this module is about")]
mod draft;
mod files;
mod history;
mod labels;
mod list_edit;
mod lists;
mod names;
mod news;
mod preview;
#[doc(hidden)]
pub mod replace_file;
mod settings;

#[doc(hidden)]
pub use checks::{BAR, Checks};
pub use draft::{Draft, Row};
#[doc(hidden)]
pub use files::{Recovery, read_recovery, recovery_path, remove_recovery, write_recovery};
pub use files::{SaveError, Saved, save_draft, save_settings};
#[doc(hidden)]
pub use files::{list_settings_files, sanitize_file_name, save_new_settings};
pub use history::History;
pub use list_edit::ListEdit;
pub use lists::ListItem;
#[doc(hidden)]
pub use lists::{EDITS, LAYERS, PLANTS, SURFACE_LAYERS, curve, edit_path, layers_at};
pub use news::FileNews;
pub use preview::HeightMap;
pub use settings::EditableSettings;
