//! The asset loader of settings files.

use super::content::SettingsAsset;
use super::{LoadedFiles, TerrainSettingsLoadError};
use crate::settings::TerrainSettings;
use bevy::asset::io::Reader;
use bevy::asset::{Asset, AssetLoader, LoadContext};
use bevy::prelude::{FromWorld, World};
use bevy::reflect::TypePath;
use std::marker::PhantomData;

/// Loads [`TerrainSettings`] from `.terrain.ron` files of up to [`TerrainSettings::MAX_FILE_SIZE`] bytes.
///
/// Bevy opens the file before it calls the loader, whatever kind of file it is. If the path is a named pipe (FIFO) that no program
/// writes to, opening it blocks one of Bevy's I/O threads for good, and the terrain stays without settings.
pub type TerrainSettingsLoader = SettingsLoader<TerrainSettings>;

/// Loads settings `T` from files with the extension of that kind.
#[derive(TypePath)]
pub struct SettingsLoader<T: Asset> {
    loaded: LoadedFiles,
    settings: PhantomData<fn() -> T>,
}

impl<T: Asset> FromWorld for SettingsLoader<T> {
    fn from_world(world: &mut World) -> Self {
        Self { loaded: world.get_resource_or_init::<LoadedFiles>().clone(), settings: PhantomData }
    }
}

impl<T: SettingsAsset> AssetLoader for SettingsLoader<T> {
    type Asset = T;
    type Settings = ();
    type Error = TerrainSettingsLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        context: &mut LoadContext<'_>,
    ) -> Result<T, TerrainSettingsLoadError> {
        self.loaded.load(reader, context).await
    }

    fn extensions(&self) -> &[&str] {
        const { &[T::FILE_EXTENSION] }
    }
}
