//! Takes pictures of 3840 by 2160 pixels, without the text.

use bevy::camera::{Exposure, RenderTarget};
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy_perlin_terrain::prelude::*;
use std::path::Path;

/// A camera that takes one picture, once the ground has the detail for it.
#[derive(Component)]
pub struct Photographer {
    /// The least number of frames until the picture. Shaders may have to be compiled first.
    frames: u32,
    target: Handle<Image>,
    path: String,
}

/// F12 puts a photographer where the camera is.
pub fn start(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    cameras: Query<(&GlobalTransform, &Projection, &TerrainSky, &TerrainViewer), Without<Photographer>>,
    mut images: ResMut<Assets<Image>>,
    mut pictures: Local<u32>,
) {
    if !keys.just_pressed(KeyCode::F12) {
        return;
    }
    let Some((place, projection, sky, viewer)) = cameras.iter().next() else { return };
    *pictures = free_number(*pictures + 1, |path| Path::new(path).exists());
    let target = images.add(Image::new_target_texture(3840, 2160, TextureFormat::Rgba8UnormSrgb, None));
    let path = path(*pictures);
    commands.spawn((
        Photographer { frames: 30, target: target.clone(), path },
        Camera3d::default(),
        Camera { order: -1, ..default() },
        RenderTarget::from(target),
        projection.clone(),
        place.compute_transform(),
        Exposure::default(),
        sky.clone(),
        *viewer,
    ));
}

/// The file of a picture.
fn path(number: u32) -> String {
    format!("terrain-{number}.png")
}

/// The first number from `first` on without a file, so that no picture of an earlier flight is lost.
fn free_number(first: u32, exists: impl Fn(&str) -> bool) -> u32 {
    (first..).find(|number| !exists(&path(*number))).unwrap_or(first)
}

/// Takes the pictures that are ready.
pub fn take(
    mut commands: Commands,
    mut photographers: Query<(Entity, &mut Photographer)>,
    terrains: Query<&TerrainState>,
) {
    let is_settled = terrains.iter().all(TerrainState::is_settled);
    for (camera, mut photographer) in &mut photographers {
        if photographer.frames > 1 || photographer.frames == 1 && is_settled {
            photographer.frames -= 1;
            if photographer.frames == 0 {
                commands
                    .spawn(Screenshot::image(photographer.target.clone()))
                    .observe(save_to_disk(photographer.path.clone()))
                    .observe(move |_: On<ScreenshotCaptured>, mut commands: Commands| {
                        commands.entity(camera).despawn();
                    });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_earlier_flights_are_kept() {
        let files = ["terrain-1.png", "terrain-2.png", "terrain-4.png"];
        let exists = |path: &str| files.contains(&path);
        assert_eq!(free_number(1, exists), 3);
        assert_eq!(free_number(4, exists), 5);
    }
}
