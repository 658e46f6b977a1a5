//! Summer and winter: colors of the terrain, changed from code.

use crate::travel::Game;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_perlin_terrain::look::LookSettings;
use bevy_perlin_terrain::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, change_season.run_if(in_state(Game::Playing).and_then(input_just_pressed(KeyCode::KeyF))));
}

/// Changes the settings asset. The terrain follows in the same frame, and rebuilds no chunk for a color.
fn change_season(
    terrain: Single<&Terrain>,
    mut assets: ResMut<Assets<TerrainSettings>>,
    mut summer: Local<Option<LookSettings>>,
) {
    let Some(mut settings) = assets.get_mut(&terrain.0) else {
        return;
    };
    match summer.take() {
        Some(look) => settings.look = look,
        None => {
            *summer = Some(settings.look.clone());
            for layer in &mut settings.look.layers {
                match layer.name.as_str() {
                    "grass" => layer.color = [0.86, 0.89, 0.94],
                    "dry grass" => layer.color = [0.72, 0.74, 0.76],
                    "forest floor" => layer.color = [0.47, 0.43, 0.40],
                    "scree" | "rock" => layer.slope.from += 0.15,
                    _ => {}
                }
            }
        }
    }
}
