//! An egui panel that edits the settings of a running terrain.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_perlin_terrain::inspector::{TerrainInspector, TerrainInspectorPlugin};
//! use bevy_perlin_terrain::prelude::*;
//!
//! fn toggle_inspector(keys: Res<ButtonInput<KeyCode>>, mut inspector: ResMut<TerrainInspector>) {
//!     if keys.just_pressed(KeyCode::F1) {
//!         inspector.toggle();
//!     }
//! }
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, TerrainPlugins, TerrainInspectorPlugin::default()))
//!     .add_systems(Update, toggle_inspector)
//!     .run();
//! ```
//!
//! The panel shows every parameter that [`Params`](crate::param::Params) lists, so no field of the file is missing. Edits change a
//! *draft*, which the panel shows at once. The draft is written to the [`TerrainSettings`](crate::settings::TerrainSettings)
//! asset at most ten times per second; the last edit is always written. From there, an edit is like any other change of the
//! asset. Only *save* writes to disk. It keeps the comments of the file, and keeps the old file as `.bak`.
//!
//! If a camera has a [`TerrainSky`](crate::sky), the panel edits its [`SkySettings`](crate::sky::SkySettings) too, in the same way.
//!
//! There are three layers, which can be tested separately:
//!
//! - [`SettingsModel`] holds the draft. It does not depend on egui. [`InspectorModel`] is that of a terrain.
//! - [`panel_ui`] draws the model. It does not access Bevy's world.
//! - The systems of [`TerrainInspectorPlugin`] connect both with assets, files and stats. [`TerrainInspectorCorePlugin`] is the
//!   same without the panel, for tests and for a game's own panel.

mod all_sections;
mod budget;
mod cost;
mod cost_task;
mod draft_checks;
mod drafts;
mod file_ui;
mod files;
mod folder;
mod graphs;
mod ground_layers;
mod ground_section;
mod info;
mod inspected;
mod latest;
mod layer_change;
mod layer_section;
mod layers;
mod light;
mod map;
mod map_task;
mod model;
mod numbers;
mod panel;
mod panel_action;
mod panel_state;
mod plugin;
mod preview;
mod replace_file;
mod resource;
mod seam_watch;
mod seams_info;
mod section;
mod stats;
mod style;
mod sync;
mod widgets;

pub use files::{SaveError, save_settings};
pub use folder::AssetFolder;
pub use graphs::{HistoryInfo, history_graphs};
pub use info::{FileInfo, MapInfo, PanelInfo, StatsInfo};
pub use inspected::InspectedSettings;
pub use layer_change::LayerChange;
pub use model::{InspectorModel, Row, SettingsModel, SkyModel};
pub use panel::{PanelModels, panel_ui};
pub use panel_action::{FileAction, PanelAction};
pub use panel_state::PanelState;
pub use plugin::{TerrainInspectorCorePlugin, TerrainInspectorPlugin};
pub use preview::HeightMap;
pub use resource::TerrainInspector;
pub use seams_info::SeamsInfo;
