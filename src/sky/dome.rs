//! A dome around each camera: all of the sky for devices that can't compute, such as a browser with WebGL 2, and elsewhere the clouds and the
//! haze before Bevy's atmosphere. So ground that fades into haze ends in the same color, and no edge of the world shows.

use super::camera::{CurrentSky, SkyOf};
use super::dome_look::DomeLook;
use super::method::SkyMethod;
use crate::render::TerrainQuality;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers, VisibleEntities};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use std::any::TypeId;

/// The part of a sky that is a mesh.
type IsDome = With<Mesh3d>;

/// Gives each camera that has a sky a dome.
pub(super) fn spawn_domes(
    mut commands: Commands,
    cameras: Query<Entity, Added<CurrentSky>>,
    method: Res<SkyMethod>,
    quality: Option<Res<TerrainQuality>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<DomeLook>>,
) {
    for camera in &cameras {
        let quality = quality.as_deref().copied().unwrap_or_default();
        let material = materials.add(DomeLook { camera, method: *method, quality });
        let look = (Mesh3d(meshes.add(Sphere::new(1.0).mesh().uv(32, 16))), MeshMaterial3d(material));
        let without_shadow = (NotShadowCaster, NotShadowReceiver);
        commands.spawn((Name::new("Sky"), SkyOf(camera), look, NoFrustumCulling, without_shadow));
    }
}

/// Draws all domes with another quality.
pub(super) fn update_quality(quality: Res<TerrainQuality>, mut materials: ResMut<Assets<DomeLook>>) {
    for (_, look) in materials.iter_mut() {
        look.quality = *quality;
    }
}

/// Keeps each dome on the layers of its camera.
pub(super) fn update_layers(
    mut commands: Commands,
    cameras: Query<Option<&RenderLayers>, Without<SkyOf>>,
    domes: Query<(Entity, &SkyOf, Option<&RenderLayers>), IsDome>,
) {
    for (dome, of, layers) in &domes {
        let Ok(seen) = cameras.get(of.0) else { continue };
        if layers.cloned().unwrap_or_default() != seen.cloned().unwrap_or_default() {
            commands.entity(dome).try_insert(seen.cloned().unwrap_or_default());
        }
    }
}

/// Keeps each dome around its camera, beyond all ground.
pub(super) fn follow_cameras(
    cameras: Query<(&GlobalTransform, &CurrentSky), Without<SkyOf>>,
    mut domes: Query<(&SkyOf, &mut GlobalTransform), IsDome>,
) {
    for (of, mut dome) in &mut domes {
        if let Ok((camera, sky)) = cameras.get(of.0) {
            let transform =
                Transform::from_translation(camera.translation()).with_scale(Vec3::splat(1.5 * sky.view_distance));
            dome.set_if_neq(transform.into());
        }
    }
}

/// Hides each dome from all cameras but its own. To another one that is far away, it would be a wall.
pub(super) fn hide_from_others(
    mut cameras: Query<(Entity, &mut VisibleEntities)>,
    domes: Query<(Entity, &SkyOf), IsDome>,
) {
    for (camera, mut visible) in &mut cameras {
        for (dome, _) in domes.iter().filter(|(_, of)| of.0 != camera) {
            visible.get_mut(TypeId::of::<Mesh3d>()).retain(|&entity| entity != dome);
        }
    }
}
