//! An egui panel over the settings of a running terrain.
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
//! The panel lists what [`Params`](crate::param::Params) lists, so it can't fall behind the file. Values are edited in a
//! *draft*, which the panel shows at once and which reaches the [`TerrainSettings`](crate::settings::TerrainSettings) asset
//! at most ten times a second, and always in its last state. From there on an edit is like any other change of the asset.
//! Nothing is written to disk before *save*, which keeps the comments of the file, and the old file as `.bak`.
//!
//! Three layers, so that each can be tested without the next: [`InspectorModel`] knows nothing of egui,
//! [`panel_ui`] draws it and knows nothing of Bevy's world, and the systems of [`TerrainInspectorPlugin`] connect the two
//! with assets, files and stats. [`TerrainInspectorCorePlugin`] is the last without a window, for tests and for a panel of
//! one's own.

mod budget;
mod cost;
mod cost_task;
mod files;
mod folder;
mod graphs;
mod info;
mod latest;
mod layers;
mod map;
mod map_task;
mod model;
mod numbers;
mod panel;
mod plugin;
mod preview;
mod resource;
mod seams;
mod section;
mod stats;
mod style;
mod sync;
mod widgets;

pub use files::{SaveError, list_settings_files, sanitise_file_name, save_settings};
pub use folder::AssetFolder;
pub use graphs::{HistoryInfo, history_graphs};
pub use info::{MapInfo, PanelInfo, StatsInfo};
pub use layers::LayerChange;
pub use model::{InspectorModel, Row};
pub use panel::{PanelAction, PanelState, panel_ui};
pub use plugin::{TerrainInspectorCorePlugin, TerrainInspectorPlugin};
pub use preview::HeightMap;
pub use resource::TerrainInspector;
pub use seams::SeamsInfo;
