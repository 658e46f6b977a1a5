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
//! asset. *Save* writes it to the file, keeps the comments, and keeps the old file as `.bak`.
//!
//! Edits are not lost. A changed file is merged into a draft with edits, and so is the draft into an asset that the game has changed.
//! A draft stays when another file is opened. For the case of a crash, edits are in a file beside that of the settings, with `.draft`
//! at the end of its name, until they are saved.
//!
//! If a camera has a [`TerrainSky`](crate::sky), the panel edits its [`SkySettings`](crate::light::SkySettings) too, in the same way.
//!
//! There are three layers, which can be tested separately:
//!
//! - [`draft`](crate::draft) holds the edited settings. It does not depend on Bevy.
//! - The panel draws a draft, and returns everything else as a [`PanelAction`].
//! - The systems of [`TerrainInspectorPlugin`] connect both with assets, files and stats. [`TerrainInspectorCorePlugin`] is the
//!   same without a panel in the window, for tests and for games that draw a [`TerrainPanel`] in a window of their own.

mod actions;
mod all_sections;
mod budget;
mod clipboard;
mod cost_task;
mod edit_section;
mod file_ui;
mod files;
mod graphs;
mod info;
mod latest;
mod layer_section;
mod light;
mod map;
mod map_task;
mod panel;
mod plant_cost_task;
mod plant_section;
mod plugin;
mod ranges;
mod resource;
mod section;
mod stats;
mod style;
mod surface_section;
mod sync;
#[cfg(test)]
mod tests;
mod widgets;

pub use actions::{FileAction, PanelAction};
pub use graphs::{HistoryInfo, history_graphs};
pub use panel::TerrainPanel;
pub use plugin::{TerrainInspectorCorePlugin, TerrainInspectorPlugin};
pub use resource::TerrainInspector;
