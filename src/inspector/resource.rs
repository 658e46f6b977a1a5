//! The inspector as a game sees it.

use super::{InspectorModel, PanelAction, PanelState};
use crate::chunk::LodCost;
use crate::settings::TerrainSettings;
use bevy::asset::AssetId;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

/// The inspector: open or closed, which terrain it shows, and whether it uses the pointer and the keyboard.
///
/// A game opens and closes it, with any key it likes, and keeps its camera still while [`wants_input`](Self::wants_input).
#[derive(Resource, Default)]
pub struct TerrainInspector {
    /// Whether the panel is shown. A closed panel costs nothing; edits that were made stay. Default: false.
    pub open: bool,
    /// The terrain that is shown; the first one where it is none or gone.
    pub(super) terrain: Option<Entity>,
    /// A draft for every settings asset that was loaded or shown.
    pub(super) models: HashMap<AssetId<TerrainSettings>, InspectorModel>,
    /// The asset of the terrain that is shown.
    pub(super) asset: Option<AssetId<TerrainSettings>>,
    pub(super) panel: PanelState,
    pub(super) actions: Vec<PanelAction>,
    pub(super) message: Option<Result<String, String>>,
    /// The settings files beside the current one.
    pub(super) files: Vec<String>,
    /// What the draft that is shown will cost.
    pub(super) expected_cost: Option<LodCost>,
    pub(super) pointer: bool,
    pub(super) keyboard: bool,
}

impl TerrainInspector {
    /// Opens the panel if it is closed, and closes it if it is open.
    pub const fn toggle(&mut self) {
        self.open = !self.open;
    }

    /// Whether the pointer is over the panel or drags something in it. A drag that began elsewhere and passes over the panel
    /// does not count.
    #[must_use]
    pub const fn wants_pointer(&self) -> bool {
        self.open && self.pointer
    }

    /// Whether a widget of the panel has the keyboard.
    #[must_use]
    pub const fn wants_keyboard(&self) -> bool {
        self.open && self.keyboard
    }

    /// Whether the panel uses the pointer or the keyboard, so that a camera should keep still.
    #[must_use]
    pub const fn wants_input(&self) -> bool {
        self.wants_pointer() || self.wants_keyboard()
    }

    /// The terrain that is shown. `None` while there is no terrain, or the inspector was never open.
    #[must_use]
    pub const fn terrain(&self) -> Option<Entity> {
        self.terrain
    }

    /// The draft of the settings that are shown. `None` until they are loaded and the inspector was open.
    #[must_use]
    pub fn model(&self) -> Option<&InspectorModel> {
        self.models.get(&self.asset?)
    }

    /// The draft of the settings that are shown, to edit as the panel does.
    pub fn model_mut(&mut self) -> Option<&mut InspectorModel> {
        self.models.get_mut(&self.asset?)
    }

    /// What the draft that is shown will cost for the first viewer, also before the terrain has followed it. Found in the
    /// background while the panel is open. `None` until then, while there is no viewer, and while a value is out of range.
    #[must_use]
    pub const fn expected_cost(&self) -> Option<LodCost> {
        self.expected_cost
    }

    /// Asks for what a button of the panel would do; it is done later in the same frame or in the next.
    pub fn request(&mut self, action: PanelAction) {
        self.actions.push(action);
    }

    /// How the last request that touches files went, in words.
    #[must_use]
    pub fn message(&self) -> Option<Result<&str, &str>> {
        self.message.as_ref().map(|message| message.as_deref().map_err(String::as_str))
    }

    /// The settings files that the panel offers, by name.
    #[must_use]
    pub fn files(&self) -> &[String] {
        &self.files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_panel_wants_no_input() {
        let mut inspector = TerrainInspector { pointer: true, keyboard: true, ..Default::default() };
        assert!(!inspector.wants_input());
        inspector.toggle();
        assert!(inspector.wants_pointer() && inspector.wants_keyboard());
    }
}
