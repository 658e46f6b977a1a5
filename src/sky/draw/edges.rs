//! How the edges of things are smoothed.

use crate::render::TerrainQuality;
use bevy::anti_alias::fxaa::Fxaa;
use bevy::anti_alias::smaa::Smaa;
use bevy::anti_alias::taa::TemporalAntiAliasing;
use bevy::core_pipeline::prepass::{DepthPrepass, MotionVectorPrepass};
use bevy::prelude::*;
use bevy::render::camera::{MipBias, TemporalJitter};

/// A camera whose edges are smoothed by the quality.
#[derive(Component, Default)]
pub(super) struct SmoothedByQuality {
    added: Option<Added>,
}

/// What a camera was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Added {
    Smaa,
    /// With passes for depth and motion, which the camera may have had before.
    Taa {
        depth: bool,
        motion: bool,
    },
}

/// Whether the camera smooths edges in a way of its own.
pub(super) fn has_own_way(camera: EntityRef) -> bool {
    let jitters = camera.contains::<TemporalAntiAliasing>() || camera.contains::<TemporalJitter>();
    jitters || camera.contains::<Smaa>() || camera.contains::<Fxaa>()
}

/// Gives cameras what the quality wants.
pub(super) fn smooth_edges(
    mut commands: Commands,
    quality: Option<Res<TerrainQuality>>,
    mut cameras: Query<(
        Entity,
        &mut SmoothedByQuality,
        Option<&Projection>,
        Has<DepthPrepass>,
        Has<MotionVectorPrepass>,
    )>,
) {
    let quality = quality.map_or_else(TerrainQuality::default, |quality| *quality);
    for (camera, mut smoothed, projection, has_depth, has_motion) in &mut cameras {
        // Bevy shifts the picture of an orthographic camera by more than a pixel where it is deep.
        let wants_taa = quality == TerrainQuality::High && matches!(projection, Some(Projection::Perspective(_)));
        let has_wanted = match smoothed.added {
            Some(Added::Smaa) => !wants_taa,
            Some(Added::Taa { .. }) => wants_taa,
            None => false,
        };
        if has_wanted {
            continue;
        }
        let mut camera = commands.entity(camera);
        if let Some(added) = smoothed.added {
            camera.queue_silenced(move |mut camera: EntityWorldMut| added.take_from(&mut camera));
        }
        smoothed.added = Some(if wants_taa {
            camera.try_insert(TemporalAntiAliasing::default());
            Added::Taa { depth: !has_depth, motion: !has_motion }
        } else {
            camera.try_insert(Smaa::default());
            Added::Smaa
        });
    }
}

impl Added {
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

/// Takes from a camera what smoothed its edges by the quality.
pub(super) fn stop_smoothing(camera: &mut EntityWorldMut) {
    if let Some(SmoothedByQuality { added: Some(added) }) = camera.take::<SmoothedByQuality>() {
        added.take_from(camera);
    }
}
