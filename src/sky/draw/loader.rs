//! The asset loader for `.sky.ron` files.

use crate::settings::{LoadedFiles, SettingsAsset, SettingsError, TerrainSettingsLoadError};
use crate::sky::SkySettings;
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;

/// Loads [`SkySettings`] from `.sky.ron` files.
#[derive(TypePath)]
pub struct SkySettingsLoader {
    loaded: LoadedFiles,
}

impl FromWorld for SkySettingsLoader {
    fn from_world(world: &mut World) -> Self {
        Self { loaded: world.get_resource_or_init::<LoadedFiles>().clone() }
    }
}

impl AssetLoader for SkySettingsLoader {
    type Asset = SkySettings;
    type Settings = ();
    type Error = TerrainSettingsLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        context: &mut LoadContext<'_>,
    ) -> Result<SkySettings, TerrainSettingsLoadError> {
        self.loaded.load(reader, context).await
    }

    fn extensions(&self) -> &[&str] {
        &[SkySettings::FILE_EXTENSION]
    }
}

impl SettingsAsset for SkySettings {
    fn from_text(text: &str) -> Result<Self, SettingsError> {
        Self::from_ron(text)
    }
}
