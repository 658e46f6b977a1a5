//! Saves all edits in a file, and loads them.

use crate::tools::Made;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_perlin_terrain::field::SavedEdits;
use bevy_perlin_terrain::prelude::*;
use std::path::PathBuf;

/// The file of the save.
#[derive(Resource)]
pub struct SaveFile(pub PathBuf);

impl Default for SaveFile {
    fn default() -> Self {
        Self("dig.edits.ron".into())
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<SaveFile>().add_systems(
        Update,
        (
            // An error is one for the player: the game goes on.
            save.pipe(report).run_if(input_just_pressed(KeyCode::KeyS)),
            load.pipe(report).run_if(input_just_pressed(KeyCode::KeyL)),
        ),
    );
}

fn save(file: Res<SaveFile>, terrain: Single<(&TerrainEdits, &TerrainState)>) -> Result<String> {
    let (edits, state) = *terrain;
    let settings = state.settings().ok_or("there is no ground yet")?;
    std::fs::write(&file.0, ron::to_string(&edits.save(&settings.field))?)?;
    Ok(format!("saved {} edits in {}", edits.len(), file.0.display()))
}

fn load(file: Res<SaveFile>, mut edits: Single<&mut TerrainEdits>, mut made: ResMut<Made>) -> Result<String> {
    let saved: SavedEdits = ron::from_str(&std::fs::read_to_string(&file.0)?)?;
    edits.load(&saved)?;
    *made = Made { order: edits.iter().map(|(number, _)| number).collect(), road: None };
    Ok(format!("loaded {} edits from {}", edits.len(), file.0.display()))
}

fn report(In(result): In<Result<String>>) {
    match result {
        Ok(what) => info!("{what}"),
        Err(error) => error!("{error}"),
    }
}
