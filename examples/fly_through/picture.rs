//! Takes pictures of 3840 by 2160 pixels, without the text.

use bevy::camera::{Exposure, RenderTarget};
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy_perlin_terrain::prelude::*;

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
    *pictures += 1;
    let target = images.add(Image::new_target_texture(3840, 2160, TextureFormat::Rgba8UnormSrgb, None));
    let path = format!("terrain-{}.png", *pictures);
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
