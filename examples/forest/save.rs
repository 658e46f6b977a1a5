//! Saves what the player removed in a file, and loads it.

use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use std::path::PathBuf;

/// The file of the save.
#[derive(Resource)]
pub struct SaveFile(pub PathBuf);

impl Default for SaveFile {
    fn default() -> Self {
        Self("forest.save.ron".into())
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<SaveFile>().add_systems(
        Update,
        (
            // An error is one for the player: the game goes on.
            save.pipe(report).run_if(input_just_pressed(KeyCode::F5)),
            load.pipe(report).run_if(input_just_pressed(KeyCode::F9)),
        ),
    );
}

fn save(file: Res<SaveFile>, removed: Single<&RemovedPlants>) -> Result<String> {
    std::fs::write(&file.0, ron::to_string(*removed)?)?;
    Ok(format!("saved in {}", file.0.display()))
}

fn load(file: Res<SaveFile>, terrain: Single<(&TerrainState, &mut RemovedPlants)>) -> Result<String> {
    let (state, mut removed) = terrain.into_inner();
    state.plants().ok_or("the wood is not there yet")?;
    *removed = ron::from_str(&std::fs::read_to_string(&file.0)?)?;
    Ok(format!("loaded from {}", file.0.display()))
}

fn report(In(result): In<Result<String>>) {
    match result {
        Ok(what) => info!("{what}"),
        Err(error) => error!("{error}"),
    }
}
