//! The components whose settings the inspector edits.

use super::drafts::Drafts;
use super::panel_state::FileState;
use super::{PanelState, TerrainInspector};
use crate::draft::InspectedSettings;
#[cfg(feature = "sky")]
use crate::light::SkySettings;
use crate::settings::TerrainSettings;
#[cfg(feature = "sky")]
use crate::sky::TerrainSky;
use crate::stream::Terrain;
use bevy::ecs::component::Mutable;
use bevy::prelude::*;

/// A component with settings that the inspector edits.
pub(super) trait Inspected: Component<Mutability = Mutable> {
    /// The settings.
    type Settings: InspectedSettings + Asset;

    fn handle(&self) -> &Handle<Self::Settings>;

    fn set_handle(&mut self, handle: Handle<Self::Settings>);

    /// The drafts of these settings.
    fn drafts(inspector: &mut TerrainInspector) -> &mut Drafts<Self::Settings>;

    /// The state of the buttons of their file.
    fn file_state(panel: &mut PanelState) -> &mut FileState;
}

impl Inspected for Terrain {
    type Settings = TerrainSettings;

    fn handle(&self) -> &Handle<TerrainSettings> {
        &self.0
    }

    fn set_handle(&mut self, handle: Handle<TerrainSettings>) {
        self.0 = handle;
    }

    fn drafts(inspector: &mut TerrainInspector) -> &mut Drafts<TerrainSettings> {
        &mut inspector.terrains
    }

    fn file_state(panel: &mut PanelState) -> &mut FileState {
        &mut panel.file
    }
}

#[cfg(feature = "sky")]
impl Inspected for TerrainSky {
    type Settings = SkySettings;

    fn handle(&self) -> &Handle<SkySettings> {
        &self.0
    }

    fn set_handle(&mut self, handle: Handle<SkySettings>) {
        self.0 = handle;
    }

    fn drafts(inspector: &mut TerrainInspector) -> &mut Drafts<SkySettings> {
        &mut inspector.skies
    }

    fn file_state(panel: &mut PanelState) -> &mut FileState {
        &mut panel.sky
    }
}
