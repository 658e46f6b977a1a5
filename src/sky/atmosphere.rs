//! The sky as Bevy's atmosphere.

use super::camera::{CurrentSky, GivenBySky, SkyOf};
use crate::light::SkySettings;
use crate::light::sun::{AIR_HEIGHT, DUST_ABSORPTION, DUST_HEIGHT, DUST_SCATTERING, OZONE, RAYLEIGH};
use crate::render::CloudDrift;
use bevy::light::Atmosphere;
use bevy::light::atmosphere::{Falloff, PhaseFunction, ScatteringMedium, ScatteringTerm};
use bevy::pbr::{AtmosphereSettings, ExtractedAtmosphere};
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::sync_world::RenderEntity;

/// The radius of the Earth, and of its air, in metres.
const INNER_RADIUS: f32 = 6_360_000.0;
const OUTER_RADIUS: f32 = 6_460_000.0;
const AIR_THICKNESS: f64 = 100_000.0;

/// How much air and ozone the medium of an atmosphere has. Bevy makes new tables for each new medium, which takes long.
#[derive(Component, Clone, Copy, PartialEq)]
pub(super) struct Air([f64; 2]);

/// Gives each camera with new settings an atmosphere.
pub(super) fn update_atmospheres(
    mut commands: Commands,
    mut cameras: Query<(Entity, &CurrentSky, &mut GivenBySky, &mut Camera), Changed<CurrentSky>>,
    mut atmospheres: Query<(&SkyOf, &mut Atmosphere, &mut Air)>,
    mut media: ResMut<Assets<ScatteringMedium>>,
) {
    for (entity, sky, mut given, mut camera) in &mut cameras {
        let settings = &sky.settings;
        let air = Air([settings.air, settings.ozone]);
        let mut own = atmospheres.iter_mut().find(|(of, ..)| of.0 == entity);
        let same = own.as_ref().filter(|(_, _, own)| **own == air).map(|(_, own, _)| own.medium.clone());
        let medium = same.unwrap_or_else(|| media.add(medium(settings)));
        let [red, green, blue] = settings.far_ground;
        let far_ground = Color::srgb(red, green, blue).to_linear();
        let atmosphere = Atmosphere {
            inner_radius: INNER_RADIUS,
            outer_radius: OUTER_RADIUS,
            ground_albedo: Vec3::new(far_ground.red, far_ground.green, far_ground.blue),
            medium,
        };
        match &mut own {
            Some((_, own, of)) => (**own, **of) = (atmosphere, air),
            None => drop(commands.spawn((Name::new("Atmosphere"), SkyOf(entity), atmosphere, air))),
        }
        // The air lets through what is behind it, and by night that is all one sees.
        if matches!(camera.clear_color, ClearColorConfig::Default) {
            camera.clear_color = Color::BLACK.into();
            given.clear_color = true;
        }
        if !given.atmosphere {
            continue;
        }
        let slices = AtmosphereSettings {
            // The light that air scatters has 32 slices up to this distance.
            aerial_view_lut_max_distance: sky.view_distance,
            // With Bevy's 16, the edge of the Earth's shadow shows as arcs at dusk.
            sky_view_lut_samples: 32,
            ..default()
        };
        commands.entity(entity).try_insert(slices);
    }
}

/// Keeps the planet below its camera: the terrain is flat, and would leave a round planet. The planet's ground is at the height 0 of the first
/// terrain.
pub(super) fn follow_cameras(
    drift: Res<CloudDrift>,
    cameras: Query<&GlobalTransform, Without<Atmosphere>>,
    mut atmospheres: Query<(&SkyOf, &mut GlobalTransform), With<Atmosphere>>,
) {
    for (of, mut planet) in &mut atmospheres {
        if let Ok(camera) = cameras.get(of.0) {
            let Vec3 { x, z, .. } = camera.translation();
            planet.set_if_neq(GlobalTransform::from_xyz(x, -INNER_RADIUS - drift.height() as f32, z));
        }
    }
}

/// Draws each camera's own atmosphere. Bevy draws the nearest one, and those of cameras nearby are equally near in `f32`.
pub(super) fn extract_own_atmospheres(
    mut commands: Commands,
    atmospheres: Extract<Query<(&SkyOf, &Atmosphere, &GlobalTransform)>>,
    cameras: Extract<Query<RenderEntity, With<AtmosphereSettings>>>,
) {
    for (of, atmosphere, planet) in &atmospheres {
        let Ok(camera) = cameras.get(of.0) else { continue };
        commands.entity(camera).insert(ExtractedAtmosphere {
            inner_radius: atmosphere.inner_radius,
            outer_radius: atmosphere.outer_radius,
            ground_albedo: atmosphere.ground_albedo,
            medium: atmosphere.medium.id(),
            world_to_atmosphere: planet.to_matrix().inverse(),
        });
    }
}

/// The air of the Earth on a clear day.
///
/// Bevy's own `ScatteringMedium::earth` exchanges scattering and absorption of dust, and its scale heights are those of air 60 km
/// thick.
fn medium(settings: &SkySettings) -> ScatteringMedium {
    let color = |factor: f64, parts: [f64; 3]| Vec3::from_array(parts.map(|part| (factor * part) as f32));
    let exponential = |height: f64| Falloff::Exponential { scale: (height / AIR_THICKNESS) as f32 };
    let air = ScatteringTerm {
        absorption: Vec3::ZERO,
        scattering: color(settings.air, RAYLEIGH),
        falloff: exponential(AIR_HEIGHT),
        phase: PhaseFunction::Rayleigh,
    };
    let dust = ScatteringTerm {
        absorption: Vec3::splat(DUST_ABSORPTION as f32),
        scattering: Vec3::splat(DUST_SCATTERING as f32),
        falloff: exponential(DUST_HEIGHT),
        phase: PhaseFunction::Mie { asymmetry: 0.8 },
    };
    let ozone = ScatteringTerm {
        absorption: color(settings.ozone, OZONE),
        scattering: Vec3::ZERO,
        // From 10 to 40 km above the ground, where 1 is the ground and 0 the end of the air.
        falloff: Falloff::Tent { center: 0.75, width: 0.3 },
        phase: PhaseFunction::Isotropic,
    };
    // A step every 200 m of height. Bevy fills its table right only if both numbers are equal.
    ScatteringMedium::new(512, 512, [air, dust, ozone]).with_label("terrain sky")
}
