//! Keeps maps of shade around the camera of each terrain.

use crate::field::HeightField;
use crate::render::shade::ShadeMap;
use crate::stream::{TerrainFrame, TerrainPlace, TerrainState, TerrainStats, TerrainSystems};
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};
use std::sync::Arc;

/// The near and the far map of a terrain, once they are made.
pub(super) type ShadeMaps = [Option<Arc<ShadeMap>>; 2];

/// The width of a texel of each map, in metres: they are 8 km and 33 km wide.
const TEXELS: [f64; 2] = [16.0, 64.0];

/// The shade of far ground. The plugin adds this component to every [`Terrain`](crate::stream::Terrain).
///
/// Two maps around the camera say how open each place is to the sky, and whether hills hide the sun. They are made in the
/// background.
#[derive(Component, Default)]
pub struct TerrainShade {
    pub(super) maps: ShadeMaps,
    making: [Making; 2],
}

impl TerrainShade {
    /// Whether both maps are made.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.maps, [Some(_), Some(_)])
    }
}

/// How a map is made.
#[derive(Default)]
struct Making {
    /// What the newest map is for, also if it is not yet made.
    subject: Option<Subject>,
    task: Option<Task<ShadeMap>>,
}

/// What a map depends on.
struct Subject {
    field: Arc<HeightField>,
    center: [f64; 2],
    sun: Vec3,
}

/// The direction toward the brightest light, along the axes of a terrain. `None` if the light has no place yet.
fn sun_of(lights: &Query<(&DirectionalLight, Ref<GlobalTransform>)>, frame: &TerrainFrame) -> Option<Vec3> {
    let brightest = lights.iter().max_by(|(a, _), (b, _)| a.illuminance.total_cmp(&b.illuminance));
    let toward = match brightest {
        Some((_, place)) if place.is_added() => return None,
        Some((_, place)) => place.back().as_vec3(),
        None => Vec3::Y,
    };
    Some((frame.to_terrain(1000.0 * toward) - frame.to_terrain(Vec3::ZERO)).as_vec3().normalize_or(Vec3::Y))
}

/// Makes a new map where the camera, the sun or the ground moved too far from those of the last one.
pub(super) fn update_shade(
    mut terrains: Query<(&TerrainState, TerrainPlace, &mut TerrainShade)>,
    lights: Query<(&DirectionalLight, Ref<GlobalTransform>)>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |_| {
        for (state, place, mut shade) in &mut terrains {
            let (Some(field), Some(viewer)) = (state.field(), state.first_viewer()) else { continue };
            let Some(sun) = sun_of(&lights, &place.frame()) else { continue };
            let center = viewer.place();
            let TerrainShade { maps, making } = shade.bypass_change_detection();
            for ((map, making), texel) in maps.iter_mut().zip(making).zip(TEXELS) {
                if let Some(task) = &mut making.task {
                    let Some(made) = block_on(poll_once(task)) else { continue };
                    making.task = None;
                    *map = Some(Arc::new(made));
                }
                let limit = ShadeMap::SIZE as f64 * texel / 16.0;
                let is_current = making.subject.as_ref().is_some_and(|subject| {
                    Arc::ptr_eq(&subject.field, field)
                        && (0..2).all(|axis| (subject.center[axis] - center[axis]).abs() < limit)
                        // Half a degree, as wide as the sun.
                        && subject.sun.angle_between(sun) < 0.01
                });
                if !is_current {
                    let field = field.clone();
                    making.subject = Some(Subject { field: field.clone(), center, sun });
                    let make = async move { ShadeMap::new(&field, center, texel, sun.to_array()) };
                    making.task = Some(AsyncComputeTaskPool::get().spawn(make));
                }
            }
        }
    });
}
