//! The folder where the inspector lists and saves files.

use crate::asset::asset_folder;
use bevy::asset::AssetPath;
use bevy::asset::io::AssetSourceId;
use bevy::prelude::*;
use std::path::PathBuf;

/// The folder on disk from which assets are loaded, if there is one. The inspector saves settings there.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct AssetFolder(Option<PathBuf>);

impl AssetFolder {
    /// Creates the resource for assets in `folder`.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self(Some(folder))
    }

    /// The folder of the app's default asset source: [`AssetPlugin::file_path`](bevy::asset::AssetPlugin::file_path), relative to
    /// Bevy's base path.
    ///
    /// There is none in a browser, on Android, and in an app without an [`AssetPlugin`].
    pub(super) fn of(app: &App) -> Self {
        Self(asset_folder(app))
    }

    /// Returns the file of the asset `path` on disk.
    ///
    /// # Errors
    ///
    /// Returns the reason, as text for a tooltip, if there is no such file.
    pub fn locate(&self, path: Option<&AssetPath<'_>>) -> Result<PathBuf, String> {
        let Some(path) = path else {
            return Err("these settings come from code, so there is no file to save to".to_owned());
        };
        if let AssetSourceId::Name(source) = path.source() {
            return Err(format!("the file comes from the asset source `{source}`, which is not a folder on disk"));
        }
        match &self.0 {
            Some(folder) => Ok(folder.join(path.path())),
            None => Err("files can't be saved on this platform".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_default_source_are_on_disk() {
        let folder = AssetFolder::new(PathBuf::from("/game/assets"));
        let locate = |path: &'static str| folder.locate(Some(&AssetPath::parse(path)));
        assert_eq!(locate("terrain/a.terrain.ron"), Ok(PathBuf::from("/game/assets/terrain/a.terrain.ron")));
        assert!(locate("memory://a.terrain.ron").is_err_and(|why| why.contains("`memory`")));
        assert!(folder.locate(None).is_err_and(|why| why.contains("come from code")));
        let nowhere = AssetFolder::default().locate(Some(&AssetPath::parse("a.terrain.ron")));
        assert!(nowhere.is_err_and(|why| why.contains("this platform")));
    }

    #[test]
    fn the_folder_is_that_of_the_asset_plugin() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin { file_path: "/elsewhere".to_owned(), ..Default::default() }));
        assert_eq!(AssetFolder::of(&app), AssetFolder::new(PathBuf::from("/elsewhere")));
        assert_eq!(AssetFolder::of(&App::new()), AssetFolder::default());
    }
}
