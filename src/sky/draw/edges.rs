//! How the edges of things are smoothed.

use crate::render::TerrainQuality;
use bevy::anti_alias::fxaa::Fxaa;
use bevy::anti_alias::smaa::Smaa;
use bevy::anti_alias::taa::TemporalAntiAliasing;
use bevy::core_pipeline::prepass::DepthPrepass;
use bevy::prelude::*;

/// A camera whose edges are smoothed by the quality.
#[derive(Component)]
pub(super) struct SmoothedByQuality {
    /// Whether the camera draws depth first for another reason too.
    has_own_depth: bool,
}

impl SmoothedByQuality {
    /// Nothing for a camera that smooths edges in a way of its own.
    pub fn new(camera: EntityRef) -> Option<Self> {
        let has_own_way =
            camera.contains::<Smaa>() || camera.contains::<Fxaa>() || camera.contains::<TemporalAntiAliasing>();
        (!has_own_way).then(|| Self { has_own_depth: camera.contains::<DepthPrepass>() })
    }
}

/// Changes the cameras to what a new quality wants.
pub(super) fn smooth_edges(
    mut commands: Commands,
    quality: Option<Res<TerrainQuality>>,
    cameras: Query<(Entity, Ref<SmoothedByQuality>, &Projection)>,
) {
    let is_changed = quality.as_ref().is_some_and(DetectChanges::is_changed);
    let quality = quality.map_or_else(TerrainQuality::default, |quality| *quality);
    for (camera, smoothed, projection) in &cameras {
        if !is_changed && !smoothed.is_added() {
            continue;
        }
        let mut camera = commands.entity(camera);
        // Bevy reprojects past frames of perspective cameras alone.
        if quality == TerrainQuality::High && matches!(projection, Projection::Perspective(_)) {
            camera.remove::<Smaa>().insert_if_new(TemporalAntiAliasing::default());
        } else {
            camera.remove_with_requires::<TemporalAntiAliasing>().insert_if_new(Smaa::default());
            if smoothed.has_own_depth {
                camera.insert_if_new(DepthPrepass);
            }
        }
    }
}
