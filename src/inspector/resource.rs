//! The resource with which a game controls the inspector.

use super::actions::PanelAction;
use super::panel::PanelState;
use super::sync::Drafts;
use crate::chunk::LodCost;
use crate::draft::Draft;
use crate::light::SkySettings;
use crate::plants::PlantCost;
use crate::settings::{SettingsProblem, TerrainSettings};
use bevy::prelude::*;

/// The state of the inspector: whether it is open, its terrain, and whether it uses the pointer or the keyboard.
///
/// A game opens and closes the inspector with a key of its choice, and stops its camera while
/// [`wants_input`](Self::wants_input) is true.
#[derive(Resource)]
pub struct TerrainInspector {
    /// Whether the panel is open. A closed panel costs next to no time. Edits stay. Default: false.
    pub open: bool,
    /// Whether the panel takes keys while no text has the focus: Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo, and Ctrl+S saves. Over the
    /// panel, Ctrl+C copies the layer, mask, point or layer of the ground under the pointer, and Ctrl+V pastes one after it, or a whole
    /// file. Default: true.
    pub shortcuts: bool,
    /// The settings of terrains.
    pub(super) terrains: Drafts<TerrainSettings>,
    /// The light of cameras.
    pub(super) skies: Drafts<SkySettings>,
    pub(super) panel: PanelState,
    pub(super) actions: Vec<PanelAction>,
    /// The estimated cost of the current draft.
    pub(super) expected_cost: Option<LodCost>,
    /// The estimated cost of each layer of plants.
    pub(super) plant_costs: Vec<PlantCost>,
    pub(super) pointer: bool,
    pub(super) keyboard: bool,
    /// Whether a button or a key is down, or a text has the focus: an edit may go on.
    pub(super) is_editing: bool,
}

impl Default for TerrainInspector {
    fn default() -> Self {
        Self {
            open: false,
            shortcuts: true,
            terrains: Drafts::default(),
            skies: Drafts::default(),
            panel: PanelState::default(),
            actions: Vec::new(),
            expected_cost: None,
            plant_costs: Vec::new(),
            pointer: false,
            keyboard: false,
            is_editing: false,
        }
    }
}

impl TerrainInspector {
    /// Opens the panel if it is closed, and closes it if it is open.
    pub const fn toggle(&mut self) {
        self.open = !self.open;
    }

    /// Whether the pointer is over the panel, or drags something in it. A drag that began outside the panel does not count.
    #[must_use]
    pub const fn wants_pointer(&self) -> bool {
        self.open && self.pointer
    }

    /// Whether a widget of the panel has the keyboard focus, or a key such as Ctrl is down that begins a
    /// [shortcut](Self::shortcuts).
    #[must_use]
    pub const fn wants_keyboard(&self) -> bool {
        self.open && self.keyboard
    }

    /// Whether the panel uses the pointer or the keyboard. A camera should not move meanwhile.
    #[must_use]
    pub const fn wants_input(&self) -> bool {
        self.wants_pointer() || self.wants_keyboard()
    }

    /// The selected terrain. `None` if there is no terrain, or if the inspector was never open.
    #[must_use]
    pub const fn terrain(&self) -> Option<Entity> {
        self.terrains.shown
    }

    /// The draft of the selected terrain's settings. `None` until they are loaded and the inspector was open.
    #[must_use]
    pub fn draft(&self) -> Option<&Draft<TerrainSettings>> {
        self.terrains.draft()
    }

    /// The draft of the selected terrain's settings, for edits like those of the panel.
    pub fn draft_mut(&mut self) -> Option<&mut Draft<TerrainSettings>> {
        self.terrains.draft_mut()
    }

    /// The estimated cost of the current draft for the first viewer. Computed in the background while the panel is open.
    ///
    /// `None` until it is known, without a viewer, and while a value is out of range.
    #[must_use]
    pub const fn expected_cost(&self) -> Option<LodCost> {
        self.expected_cost
    }

    /// The estimated cost of each layer of plants for the first viewer, in the order of the settings. Computed in the background while the
    /// panel is open.
    ///
    /// Empty until it is known, and without a viewer.
    #[must_use]
    pub fn plant_costs(&self) -> &[PlantCost] {
        &self.plant_costs
    }

    /// Requests an action, as a button of the panel does. It is performed later in this frame or in the next one.
    pub fn request(&mut self, action: PanelAction) {
        self.actions.push(action);
    }

    /// The result of the last file action, as text.
    #[must_use]
    pub fn message(&self) -> Option<Result<&str, &str>> {
        self.terrains.message.as_ref().map(|message| message.as_deref().map_err(String::as_str))
    }

    /// The names of the settings files that the panel lists.
    #[must_use]
    pub fn files(&self) -> &[String] {
        &self.terrains.files
    }

    /// The draft of the light of the selected camera with a [`TerrainSky`](crate::sky). `None` until its settings are loaded and the
    /// inspector was open.
    #[must_use]
    pub fn sky_draft(&self) -> Option<&Draft<SkySettings>> {
        self.skies.draft()
    }

    /// The draft of the light of the selected camera with a sky, for edits like those of the panel.
    pub fn sky_draft_mut(&mut self) -> Option<&mut Draft<SkySettings>> {
        self.skies.draft_mut()
    }

    /// The result of the last action with the file of the light, as text.
    #[must_use]
    pub fn sky_message(&self) -> Option<Result<&str, &str>> {
        self.skies.message.as_ref().map(|message| message.as_deref().map_err(String::as_str))
    }

    /// The problems of the file of the light. Empty if it is valid.
    #[must_use]
    pub fn sky_problems(&self) -> &[SettingsProblem] {
        self.skies.problems()
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
