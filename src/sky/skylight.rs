//! Light from all sides: of the sky from above, and of sunlit ground from below.
//!
//! Bevy could filter it from its atmosphere in each frame. This light costs nothing, looks the same with a dome, and is
//! there in the second frame of a camera.

use super::camera::{CurrentSky, GivenBySky};
use super::color::linear;
use super::cube::cube_image;
use super::haze::HazeColor;
use crate::light::sun::{luminance, mixed};
use bevy::light::EnvironmentMapLight;
use bevy::prelude::*;
use std::f64::consts::PI;

/// Shaded ground also gets light that other ground reflected: about this much, compared with the sky's.
const REFLECTED: f64 = 0.6;

/// The gradient of a camera. It stays the same image: a new one would be missing on the GPU for a frame, and all shade would be black.
#[derive(Component)]
pub(super) struct Gradient(Handle<Image>);

/// Gives each camera with new settings light from all sides.
pub(super) fn update_skylight(
    mut commands: Commands,
    cameras: Query<(Entity, &CurrentSky, &GivenBySky, Option<&Gradient>), Changed<CurrentSky>>,
    mut images: ResMut<Assets<Image>>,
) {
    for (camera, sky, _, gradient) in cameras.iter().filter(|(_, _, given, _)| given.environment) {
        let settings = &sky.settings;
        let reflected = settings.ground_radiance();
        let (zenith, horizon) = (settings.radiance([0.0, 1.0, 0.0]), HazeColor::new(settings).base);
        // Level ground sees all of the sky, a wall sees half of it and as much ground. The colors are those of the dome, and
        // the sum is what arrives on level ground.
        let clear = mixed(bright(zenith), bright(horizon), 0.5);
        let clouds = bright(settings.cloud_radiance().mean());
        let (cover, ground) = (settings.clouds.cover, bright(reflected));
        let sky = mixed(clear, clouds, cover);
        let sky = std::array::from_fn(|i| (sky[i] + REFLECTED * ground[i]) * settings.skylight() / PI);
        let sides = [sky, mixed(sky, reflected, 0.5), reflected];
        let [top, middle, bottom] = sides.map(|side| linear(side).to_linear().to_vec3());
        let image = cube_image(1, &[vec![middle, middle, top, bottom, middle, middle]]);
        if let Some(gradient) = gradient {
            // The handle keeps it.
            let _ = images.insert(gradient.0.id(), image);
            continue;
        }
        let image = images.add(image);
        let light = EnvironmentMapLight {
            diffuse_map: image.clone(),
            specular_map: image.clone(),
            intensity: 1.0,
            ..default()
        };
        commands.entity(camera).try_insert((Gradient(image), light));
    }
}

/// The color with a luminance of 1.
fn bright(color: [f64; 3]) -> [f64; 3] {
    let luminance = luminance(color).max(1e-9);
    color.map(|part| part / luminance)
}
