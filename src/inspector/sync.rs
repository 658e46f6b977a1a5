//! Synchronizes drafts with their assets, and performs the actions of the panel.

use super::files::{list_settings_files, sanitize_file_name, save_new_settings, save_settings};
use super::{AssetFolder, InspectorModel, PanelAction, TerrainInspector};
use crate::settings::TerrainSettings;
use crate::stream::{Terrain, TerrainBudget};
use bevy::asset::{AssetLoadFailedEvent, AssetPath};
use bevy::prelude::*;
use bevy::time::Real;

/// Selects the terrain to show, and creates a draft of its settings.
pub(super) fn select_terrain(
    mut inspector: ResMut<TerrainInspector>,
    terrains: Query<(Entity, &Terrain)>,
    assets: Res<Assets<TerrainSettings>>,
    mut listed: Local<Option<AssetId<TerrainSettings>>>,
) {
    if !inspector.open {
        return;
    }
    let chosen = inspector.terrain.and_then(|entity| terrains.get(entity).ok());
    // The entity with the lowest index: stable between frames, and usually the first spawned.
    let shown = chosen.or_else(|| terrains.iter().min_by_key(|(entity, _)| entity.index()));
    inspector.terrain = shown.map(|(entity, _)| entity);
    let asset = shown.map(|(_, terrain)| terrain.0.id());
    if inspector.asset != asset {
        inspector.asset = asset;
        inspector.panel.unconfirmed = None;
    }
    if let Some(id) = asset
        && let Some(settings) = assets.get(id)
    {
        // `handle_loads` creates the drafts of files, so this one comes from code.
        let model = inspector.models.entry(id).or_insert_with(|| InspectorModel::new(settings.clone()));
        model.asset_seen(settings);
    }
    if *listed != asset {
        *listed = asset;
        inspector.request(PanelAction::ListFiles);
    }
}

/// Updates drafts when their files load, and removes the drafts of removed assets.
pub(super) fn handle_loads(
    mut inspector: ResMut<TerrainInspector>,
    mut events: MessageReader<AssetEvent<TerrainSettings>>,
    mut failures: MessageReader<AssetLoadFailedEvent<TerrainSettings>>,
    assets: Res<Assets<TerrainSettings>>,
) {
    for event in events.read() {
        match *event {
            AssetEvent::LoadedWithDependencies { id } => {
                let Some(settings) = assets.get(id) else {
                    continue;
                };
                inspector
                    .models
                    .entry(id)
                    .and_modify(|model| model.file_loaded(settings))
                    .or_insert_with(|| InspectorModel::from_file(settings.clone()));
            }
            AssetEvent::Removed { id } => drop(inspector.models.remove(&id)),
            _ => {}
        }
    }
    for failure in failures.read() {
        if let Some(model) = inspector.models.get_mut(&failure.id) {
            model.file_failed();
        }
    }
}

/// Writes edited drafts to their assets, at most once per [`InspectorModel::WRITE_INTERVAL`].
pub(super) fn write_drafts(
    mut inspector: ResMut<TerrainInspector>,
    mut assets: ResMut<Assets<TerrainSettings>>,
    time: Res<Time<Real>>,
) {
    let now = time.elapsed();
    // The loop below marks the inspector as changed, so check first.
    if !inspector.models.values().any(|model| model.pending) {
        return;
    }
    for (id, model) in &mut inspector.models {
        if let Some(draft) = model.take_write(now)
            && let Some(mut settings) = assets.get_mut(*id)
        {
            *settings = draft;
        }
    }
}

/// Performs the requested actions.
pub(super) fn perform_actions(
    mut inspector: ResMut<TerrainInspector>,
    mut terrains: Query<&mut Terrain>,
    server: Res<AssetServer>,
    folder: Res<AssetFolder>,
    mut budget: ResMut<TerrainBudget>,
) {
    if inspector.actions.is_empty() {
        return;
    }
    for action in std::mem::take(&mut inspector.actions) {
        let path = inspector.asset.and_then(|id| server.get_path(id)).map(AssetPath::into_owned);
        match action {
            PanelAction::Select(entity) => {
                inspector.terrain = Some(entity);
                inspector.message = None;
            }
            PanelAction::SetBudget(new) => *budget = new,
            PanelAction::Close => inspector.open = false,
            PanelAction::ListFiles => inspector.files = files_beside(&folder, path.as_ref()),
            PanelAction::Open(name) => {
                inspector.message = None;
                open(&inspector, &mut terrains, &server, path.as_ref(), &name);
            }
            PanelAction::Reset => {
                inspector.message = None;
                if let Some(path) = path
                    && let Some(model) = inspector.model_mut()
                {
                    model.start_reset();
                    server.reload(path);
                }
            }
            PanelAction::Save => {
                let result = save(&mut inspector, &folder, path.as_ref());
                inspector.message = Some(result);
            }
            PanelAction::SaveAs(text) => {
                let result = save_as(&inspector, &folder, path.as_ref(), &text);
                if let Ok(name) = &result {
                    open(&inspector, &mut terrains, &server, path.as_ref(), name);
                    inspector.files = files_beside(&folder, path.as_ref());
                }
                inspector.message = Some(result.map(|name| format!("Saved as {name}")));
            }
        }
    }
}

fn files_beside(folder: &AssetFolder, path: Option<&AssetPath<'_>>) -> Vec<String> {
    let place = folder.locate(path).ok();
    place.and_then(|place| list_settings_files(place.parent()?).ok()).unwrap_or_default()
}

/// The settings file `name` in the folder of `path`.
fn beside(path: &AssetPath<'_>, name: &str) -> AssetPath<'static> {
    let place = path.path().parent().map_or_else(|| name.into(), |folder| folder.join(name));
    AssetPath::from(place).with_source(path.source().clone_owned())
}

fn open(
    inspector: &TerrainInspector,
    terrains: &mut Query<&mut Terrain>,
    server: &AssetServer,
    path: Option<&AssetPath<'_>>,
    name: &str,
) {
    if let Some(path) = path
        && let Some(entity) = inspector.terrain
        && let Ok(mut terrain) = terrains.get_mut(entity)
    {
        terrain.0 = server.load(beside(path, name));
    }
}

fn save(
    inspector: &mut TerrainInspector,
    folder: &AssetFolder,
    path: Option<&AssetPath<'_>>,
) -> Result<String, String> {
    let place = folder.locate(path)?;
    let model = inspector.model_mut().ok_or("no settings are loaded yet")?;
    save_settings(&place, model.draft()).map_err(|error| error.to_string())?;
    model.file_saved();
    Ok("Saved. The old file is kept as .bak".to_owned())
}

/// Returns the name of the new file.
fn save_as(
    inspector: &TerrainInspector,
    folder: &AssetFolder,
    path: Option<&AssetPath<'_>>,
    text: &str,
) -> Result<String, String> {
    let name = sanitize_file_name(text).ok_or("a file name needs a letter or a digit")?;
    let place = folder.locate(path)?.with_file_name(&name);
    let model = inspector.model().ok_or("no settings are loaded yet")?;
    // Copy the comments of the current file into the new one.
    let text = folder.locate(path).ok().and_then(|old| std::fs::read_to_string(old).ok()).unwrap_or_default();
    let saved = save_new_settings(&place, model.draft(), &text).map_err(|error| error.to_string());
    saved.map(|()| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_beside_another_has_the_same_folder_and_source() {
        for (path, expected) in [
            ("terrain/a.terrain.ron", "terrain/b.terrain.ron"),
            ("a.terrain.ron", "b.terrain.ron"),
            ("memory://x/a.terrain.ron", "memory://x/b.terrain.ron"),
        ] {
            assert_eq!(beside(&AssetPath::parse(path), "b.terrain.ron"), AssetPath::parse(expected));
        }
    }
}
