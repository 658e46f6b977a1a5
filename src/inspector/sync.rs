//! Synchronizes drafts with their assets, and performs the actions of the panel.

use super::drafts::Drafts;
use super::inspected::Inspected;
use super::{AssetFolder, FileAction, PanelAction, TerrainInspector};
use crate::asset::TerrainSettingsLoadError;
use crate::draft::{InspectedSettings, SettingsModel};
use crate::draft::{list_settings_files, sanitize_file_name, save_new_settings, save_settings};
use crate::settings::SettingsProblem;
use crate::stream::TerrainBudget;
use bevy::asset::{AssetLoadFailedEvent, AssetPath};
use bevy::prelude::*;
use bevy::time::Real;

/// Selects the entity whose settings are shown, and creates a draft of them.
pub(super) fn select<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    users: Query<(Entity, &C)>,
    assets: Res<Assets<C::Settings>>,
) {
    if !inspector.open {
        return;
    }
    let inspector = &mut *inspector;
    let drafts = C::drafts(inspector);
    let chosen = drafts.shown.and_then(|entity| users.get(entity).ok());
    // The entity with the lowest index: stable between frames, and usually the first spawned.
    let shown = chosen.or_else(|| users.iter().min_by_key(|(entity, _)| entity.index()));
    drafts.shown = shown.map(|(entity, _)| entity);
    let asset = shown.map(|(_, user)| user.handle().id());
    if drafts.asset != asset {
        drafts.asset = asset;
        drafts.actions.push(FileAction::List);
        C::file_state(&mut inspector.panel).unconfirmed = None;
    }
    if let Some(id) = asset
        && let Some(settings) = assets.get(id)
    {
        // `handle_loads` creates the drafts of files, so this one comes from code.
        let models = &mut C::drafts(inspector).models;
        models.entry(id).or_insert_with(|| SettingsModel::new(settings.clone())).asset_seen(settings);
    }
}

/// Updates drafts when their files load or fail to load, and removes the drafts of removed assets.
pub(super) fn handle_loads<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    mut events: MessageReader<AssetEvent<C::Settings>>,
    mut failures: MessageReader<AssetLoadFailedEvent<C::Settings>>,
    assets: Res<Assets<C::Settings>>,
) {
    if events.is_empty() && failures.is_empty() {
        return;
    }
    let Drafts { models, failed, .. } = C::drafts(&mut inspector);
    for event in events.read() {
        match *event {
            AssetEvent::LoadedWithDependencies { id } => {
                let Some(settings) = assets.get(id) else {
                    continue;
                };
                failed.remove(&id);
                models
                    .entry(id)
                    .and_modify(|model| model.file_loaded(settings))
                    .or_insert_with(|| SettingsModel::from_file(settings.clone()));
            }
            AssetEvent::Removed { id } => {
                models.remove(&id);
                failed.remove(&id);
            }
            _ => {}
        }
    }
    for failure in failures.read() {
        // The text of the asset server would name the loader and print a backtrace.
        let problems = TerrainSettingsLoadError::of(&failure.error)
            .map_or_else(|| vec![SettingsProblem::new(failure.error.to_string())], TerrainSettingsLoadError::problems);
        failed.insert(failure.id, problems);
        if let Some(model) = models.get_mut(&failure.id) {
            model.file_failed();
        }
    }
}

/// Writes edited drafts to their assets, at most once per [`SettingsModel::WRITE_INTERVAL`].
pub(super) fn write_drafts<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    mut assets: ResMut<Assets<C::Settings>>,
    time: Res<Time<Real>>,
) {
    let now = time.elapsed();
    // The loop below marks the inspector as changed, so check first.
    if !C::drafts(inspector.bypass_change_detection()).models.values().any(|model| model.pending) {
        return;
    }
    for (id, model) in &mut C::drafts(&mut inspector).models {
        if let Some(draft) = model.take_write(now)
            && let Some(mut settings) = assets.get_mut(*id)
        {
            *settings = draft;
        }
    }
}

/// Performs the requested actions, or passes them on to `perform_file_actions`.
pub(super) fn perform_actions(mut inspector: ResMut<TerrainInspector>, mut budget: ResMut<TerrainBudget>) {
    if inspector.actions.is_empty() {
        return;
    }
    let TerrainInspector { actions, terrains, skies, open, .. } = &mut *inspector;
    for action in std::mem::take(actions) {
        match action {
            PanelAction::Select(entity) => {
                terrains.shown = Some(entity);
                terrains.message = None;
            }
            PanelAction::SetBudget(new) => *budget = new,
            PanelAction::Close => *open = false,
            PanelAction::ListFiles => terrains.actions.push(FileAction::List),
            PanelAction::Open(name) => terrains.actions.push(FileAction::Open(name)),
            PanelAction::Reset => terrains.actions.push(FileAction::Reset),
            PanelAction::Save => terrains.actions.push(FileAction::Save),
            PanelAction::SaveAs(text) => terrains.actions.push(FileAction::SaveAs(text)),
            PanelAction::Sky(action) => skies.actions.push(action),
        }
    }
}

/// Performs the requested actions with files.
pub(super) fn perform_file_actions<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    mut users: Query<&mut C>,
    server: Res<AssetServer>,
    folder: Res<AssetFolder>,
) {
    if C::drafts(inspector.bypass_change_detection()).actions.is_empty() {
        return;
    }
    let drafts = C::drafts(&mut inspector);
    for action in std::mem::take(&mut drafts.actions) {
        let path = drafts.asset.and_then(|id| server.get_path(id)).map(AssetPath::into_owned);
        let path = path.as_ref();
        let mut open = |name: &str| {
            if let Some(path) = path
                && let Some(entity) = drafts.shown
                && let Ok(mut user) = users.get_mut(entity)
            {
                user.set_handle(server.load(beside(path, name)));
            }
        };
        match action {
            FileAction::List => drafts.files = files_beside::<C::Settings>(&folder, path),
            FileAction::Open(name) => {
                open(&name);
                drafts.message = None;
            }
            FileAction::Reset => {
                drafts.message = None;
                if let Some(path) = path
                    && let Some(model) = drafts.model_mut()
                {
                    model.start_reset();
                    server.reload(path);
                }
            }
            FileAction::Save => drafts.message = Some(save(drafts.model_mut(), &folder, path)),
            FileAction::SaveAs(text) => {
                let result = save_as(drafts.model(), &folder, path, &text);
                if let Ok(name) = &result {
                    open(name);
                    drafts.files = files_beside::<C::Settings>(&folder, path);
                }
                drafts.message = Some(result.map(|name| format!("Saved as {name}")));
            }
        }
    }
}

fn files_beside<T: InspectedSettings>(folder: &AssetFolder, path: Option<&AssetPath<'_>>) -> Vec<String> {
    let file = folder.locate(path).ok();
    file.and_then(|file| list_settings_files::<T>(file.parent()?).ok()).unwrap_or_default()
}

/// The settings file `name` in the folder of `path`.
fn beside(path: &AssetPath<'_>, name: &str) -> AssetPath<'static> {
    let file = path.path().parent().map_or_else(|| name.into(), |folder| folder.join(name));
    AssetPath::from(file).with_source(path.source().clone_owned())
}

fn save<T: InspectedSettings>(
    model: Option<&mut SettingsModel<T>>,
    folder: &AssetFolder,
    path: Option<&AssetPath<'_>>,
) -> Result<String, String> {
    let file = folder.locate(path)?;
    let model = model.ok_or("no settings are loaded yet")?;
    save_settings(&file, model.draft()).map_err(|error| error.to_string())?;
    model.file_saved();
    Ok("Saved. The old file is kept as .bak".to_owned())
}

/// Returns the name of the new file.
fn save_as<T: InspectedSettings>(
    model: Option<&SettingsModel<T>>,
    folder: &AssetFolder,
    path: Option<&AssetPath<'_>>,
    text: &str,
) -> Result<String, String> {
    let name = sanitize_file_name::<T>(text).ok_or("a file name needs a letter or a digit")?;
    let file = folder.locate(path)?.with_file_name(&name);
    let model = model.ok_or("no settings are loaded yet")?;
    // Copy the comments of the current file into the new one.
    let text = folder.locate(path).ok().and_then(|old| std::fs::read_to_string(old).ok()).unwrap_or_default();
    let saved = save_new_settings(&file, model.draft(), &text).map_err(|error| error.to_string());
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
