//! The asset loader for `.terrain.ron` files.

use super::{LoadedFiles, TerrainSettings, TerrainSettingsLoadError};
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::{FromWorld, World};
use bevy::reflect::TypePath;

/// Loads [`TerrainSettings`] from `.terrain.ron` files of up to [`TerrainSettings::MAX_FILE_SIZE`] bytes.
///
/// Bevy opens the file before it calls the loader, whatever kind of file it is. If the path is a named pipe (FIFO) that no program
/// writes to, opening it blocks one of Bevy's I/O threads for good, and the terrain stays without settings.
#[derive(TypePath)]
pub struct TerrainSettingsLoader {
    loaded: LoadedFiles,
}

impl FromWorld for TerrainSettingsLoader {
    fn from_world(world: &mut World) -> Self {
        Self { loaded: world.get_resource_or_init::<LoadedFiles>().clone() }
    }
}

impl AssetLoader for TerrainSettingsLoader {
    type Asset = TerrainSettings;
    type Settings = ();
    type Error = TerrainSettingsLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        context: &mut LoadContext<'_>,
    ) -> Result<TerrainSettings, TerrainSettingsLoadError> {
        self.loaded.load(reader, context).await
    }

    fn extensions(&self) -> &[&str] {
        &[TerrainSettings::FILE_EXTENSION]
    }
}
