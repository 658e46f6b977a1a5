//! The anti-aliasing of cameras.

use super::camera::{CurrentSky, TerrainSky};
use crate::render::TerrainQuality;
use bevy::anti_alias::fxaa::Fxaa;
use bevy::anti_alias::smaa::Smaa;
use bevy::anti_alias::taa::TemporalAntiAliasing;
use bevy::core_pipeline::prepass::{DepthPrepass, MotionVectorPrepass};
use bevy::prelude::*;
use bevy::render::camera::{MipBias, TemporalJitter};

/// The anti-aliasing of a camera follows the quality.
#[derive(Component, Default)]
pub(super) struct AntiAliasingByQuality {
    added: Option<GivenAntiAliasing>,
}

/// The component that a camera was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GivenAntiAliasing {
    Smaa,
    /// With passes for depth and motion, which the camera may have had before.
    Taa {
        depth: bool,
        motion: bool,
    },
}

/// Gives new cameras what an atmosphere needs. Whether the device can draw one is known once all plugins are built.
pub(super) fn prepare_anti_aliasing(
    mut commands: Commands,
    cameras: Query<(Entity, Has<TemporalAntiAliasing>, Has<TemporalJitter>, Has<Smaa>, Has<Fxaa>), Added<CurrentSky>>,
) {
    for (camera, taa, jitter, smaa, fxaa) in &cameras {
        let mut camera = commands.entity(camera);
        camera.try_insert(Msaa::Off);
        // It keeps its own.
        if ![taa, jitter, smaa, fxaa].contains(&true) {
            camera.try_insert(AntiAliasingByQuality::default());
        }
    }
}

/// Gives cameras what the quality wants.
pub(super) fn update_anti_aliasing(
    mut commands: Commands,
    quality: Option<Res<TerrainQuality>>,
    mut cameras: Query<(
        Entity,
        &mut AntiAliasingByQuality,
        Option<&Projection>,
        Has<DepthPrepass>,
        Has<MotionVectorPrepass>,
    )>,
) {
    let quality = quality.map_or_else(TerrainQuality::default, |quality| *quality);
    for (camera, mut anti_aliasing, projection, has_depth, has_motion) in &mut cameras {
        // Bevy shifts the image of an orthographic camera by more than a pixel where it is deep.
        let wants_taa = quality == TerrainQuality::High && matches!(projection, Some(Projection::Perspective(_)));
        let has_wanted = match anti_aliasing.added {
            Some(GivenAntiAliasing::Smaa) => !wants_taa,
            Some(GivenAntiAliasing::Taa { .. }) => wants_taa,
            None => false,
        };
        if has_wanted {
            continue;
        }
        let mut camera = commands.entity(camera);
        if let Some(added) = anti_aliasing.added {
            camera.queue_silenced(move |mut camera: EntityWorldMut| added.take_from(&mut camera));
        }
        anti_aliasing.added = Some(if wants_taa {
            camera.try_insert(TemporalAntiAliasing::default());
            GivenAntiAliasing::Taa { depth: !has_depth, motion: !has_motion }
        } else {
            camera.try_insert(Smaa::default());
            GivenAntiAliasing::Smaa
        });
    }
}

impl GivenAntiAliasing {
    fn take_from(self, camera: &mut EntityWorldMut) {
        match self {
            Self::Smaa => _ = camera.remove::<Smaa>(),
            Self::Taa { depth, motion } => {
                camera.remove::<(TemporalAntiAliasing, TemporalJitter, MipBias)>();
                if depth {
                    camera.remove::<DepthPrepass>();
                }
                if motion {
                    camera.remove::<MotionVectorPrepass>();
                }
            }
        }
    }
}

/// Takes the anti-aliasing from a camera that lost its sky.
pub(super) fn release_anti_aliasing(sky: On<Remove<TerrainSky>>, mut commands: Commands) {
    commands.entity(sky.entity).queue_silenced(|mut camera: EntityWorldMut| {
        if let Some(AntiAliasingByQuality { added: Some(added) }) = camera.take::<AntiAliasingByQuality>() {
            added.take_from(&mut camera);
        }
    });
}
