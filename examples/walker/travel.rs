//! A black screen until the ground is ready, at the start and after a journey of 50 km.
//!
//! ```text
//!   Placing --the walker has a position--> Loading --the ground is ready--> Playing --T--> Leaving --the screen is black--+
//!      ^                                                                                                               |
//!      +---------------------------------- the walker is 50 km away ---------------------------------------------------+
//! ```

use crate::camera::FollowCamera;
use crate::dry_ground::find_dry_ground;
use crate::walker::Walker;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The way of a journey, in metres.
const JOURNEY: f32 = 50_000.0;
/// The walker starts when the ground within this distance is ready, in metres. The rest of the view follows in the next frames.
pub const READY_RADIUS: f32 = 400.0;
/// How long the screen takes to turn black or clear, in seconds.
const FADE_SECONDS: f32 = 0.5;

#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Game {
    /// The settings are loading, or the walker has just traveled: a place to stand is searched for.
    #[default]
    Placing,
    /// Chunks are loading.
    Loading,
    Playing,
    /// The screen turns black.
    Leaving,
}

/// How black the screen is, from 0 to 1.
#[derive(Resource)]
pub struct Fade(pub f32);

pub fn plugin(app: &mut App) {
    app.init_state::<Game>().insert_resource(Fade(1.0)).add_systems(
        Update,
        (
            place_walker.run_if(in_state(Game::Placing)),
            begin.run_if(in_state(Game::Loading)),
            (clear_screen, begin_journey).run_if(in_state(Game::Playing)),
            (darken_screen, travel).chain().run_if(in_state(Game::Leaving)),
        ),
    );
}

/// Moves the walker to dry land. The heights are known as soon as the settings are loaded: no chunk is needed.
fn place_walker(
    ground: TerrainGround,
    terrain: Single<&TerrainState>,
    mut walker: Single<&mut Transform, With<Walker>>,
    mut game: ResMut<NextState<Game>>,
) {
    if let Some(position) = find_dry_ground(&ground, &terrain, walker.translation) {
        walker.translation = position;
        game.set(Game::Loading);
    }
}

fn begin(
    chunks: TerrainStreamState,
    ground: TerrainGround,
    mut walker: Single<&mut Transform, With<Walker>>,
    mut game: ResMut<NextState<Game>>,
) {
    if chunks.is_ready(walker.translation, READY_RADIUS)
        && let Some(height) = ground.height(walker.translation)
    {
        walker.translation.y = height;
        game.set(Game::Playing);
    }
}

fn begin_journey(keys: Res<ButtonInput<KeyCode>>, mut game: ResMut<NextState<Game>>) {
    if keys.just_pressed(KeyCode::KeyT) {
        game.set(Game::Leaving);
    }
}

/// Moves the walker when the screen is black. The camera follows, and `OriginShiftPlugin` moves the world back.
fn travel(
    fade: Res<Fade>,
    camera: Single<&FollowCamera>,
    mut walker: Single<&mut Transform, With<Walker>>,
    mut game: ResMut<NextState<Game>>,
) {
    if fade.0 >= 1.0 {
        walker.translation += camera.heading() * JOURNEY;
        game.set(Game::Placing);
    }
}

fn darken_screen(mut fade: ResMut<Fade>, time: Res<Time>) {
    fade.0 = (fade.0 + time.delta_secs() / FADE_SECONDS).min(1.0);
}

fn clear_screen(mut fade: ResMut<Fade>, time: Res<Time>) {
    fade.0 = (fade.0 - time.delta_secs() / FADE_SECONDS).max(0.0);
}
