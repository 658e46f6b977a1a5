//! A dome around each camera: all of the sky for devices that can't compute, such as a browser with WebGL 2, and elsewhere the haze
//! before Bevy's atmosphere. So ground that fades into haze ends in the same color, and no edge of the world shows.

use super::camera::{SkyInForce, SkyOf};
use super::color::exposed;
use super::haze::HazeColor;
use super::method::SkyMethod;
use crate::sky::SkySettings;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use std::f32::consts::FRAC_PI_2;

/// Gives each camera with new settings a dome.
pub(super) fn update_domes(
    mut commands: Commands,
    cameras: Query<(Entity, &SkyInForce, Option<&RenderLayers>), Changed<SkyInForce>>,
    domes: Query<(Entity, &SkyOf), With<Mesh3d>>,
    method: Res<SkyMethod>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for (camera, sky, layers) in &cameras {
        for (old, _) in domes.iter().filter(|(_, of)| of.0 == camera) {
            commands.entity(old).despawn();
        }
        // Beyond all ground.
        let radius = sky.view_distance * 1.5;
        let material = StandardMaterial {
            unlit: true,
            fog_enabled: false,
            cull_mode: None,
            alpha_mode: if *method == SkyMethod::Dome { AlphaMode::Opaque } else { AlphaMode::Blend },
            // Behind all else that is transparent.
            depth_bias: -2.0 * radius,
            ..default()
        };
        let mut dome = commands.spawn((
            Name::new("Sky"),
            SkyOf(camera),
            Mesh3d(meshes.add(dome(&sky.settings, *method))),
            MeshMaterial3d(materials.add(material)),
            Transform::from_scale(Vec3::splat(radius)),
            NoFrustumCulling,
            NotShadowCaster,
            NotShadowReceiver,
        ));
        dome.insert(layers.cloned().unwrap_or_default());
    }
}

/// Keeps each dome around its camera.
pub(super) fn follow_cameras(
    cameras: Query<&GlobalTransform, Without<SkyOf>>,
    mut domes: Query<(&SkyOf, &mut Transform)>,
) {
    for (of, mut dome) in &mut domes {
        if let Ok(camera) = cameras.get(of.0)
            && dome.translation != camera.translation()
        {
            dome.translation = camera.translation();
        }
    }
}

/// A sphere with the colors of the sky. Bevy shows them as they are, so they are exposed here.
fn dome(settings: &SkySettings, method: SkyMethod) -> Mesh {
    let mut mesh = Sphere::new(1.0).mesh().uv(96, 64);
    let even = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|positions| positions.as_float3());
    let positions: Vec<[f32; 3]> = even.unwrap_or_default().iter().copied().map(toward_horizon).collect();
    let haze = HazeColor::new(settings);
    let color = |&position: &[f32; 3]| {
        let direction @ [x, y, z] = position.map(f64::from);
        let veil = veil(y);
        let (haze, sky) = (haze.toward(direction), settings.radiance([x, y.max(0.0), z]));
        match method {
            SkyMethod::Atmosphere => exposed(settings, haze).with_alpha(veil as f32),
            SkyMethod::Dome => exposed(settings, std::array::from_fn(|i| sky[i] + veil * (haze[i] - sky[i]))),
        }
    };
    let colors: Vec<[f32; 4]> = positions.iter().map(|position| color(position).to_linear().to_f32_array()).collect();
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, positions);
    mesh.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
}

/// Moves a vertex of a sphere nearer to the horizon, where the color changes most.
fn toward_horizon([x, y, z]: [f32; 3]) -> [f32; 3] {
    let elevation = y.clamp(-1.0, 1.0).asin();
    let (y, across) = (elevation * elevation.abs() / FRAC_PI_2).sin_cos();
    let length = (x * x + z * z).sqrt().max(1e-9);
    [x / length * across, y, z / length * across]
}

/// How much of the sky haze hides, from 0 to 1, in a direction with this sine of its elevation: half at 4 degrees. Haze lies low, so
/// the way through it is shorter the higher one looks.
fn veil(y: f64) -> f64 {
    if y > 0.0 { 1.0 - (-(0.06 / y).powi(2)).exp() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sky::{Sun, SunAngles};
    use bevy::mesh::VertexAttributeValues;

    fn colors(method: SkyMethod) -> Vec<([f32; 3], [f32; 4])> {
        let settings =
            SkySettings { sun: Sun::Angles(SunAngles { azimuth: 0.0, elevation: 0.2 }), ..SkySettings::default() };
        let mesh = dome(&settings, method);
        let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|positions| positions.as_float3());
        let Some(VertexAttributeValues::Float32x4(colors)) = mesh.attribute(Mesh::ATTRIBUTE_COLOR) else {
            panic!("it has colors");
        };
        positions.expect("it has positions").iter().copied().zip(colors.iter().copied()).collect()
    }

    #[test]
    fn the_sky_ends_in_haze_so_no_edge_of_the_world_shows() {
        let below = |([_, y, _], _): &([f32; 3], [f32; 4])| *y <= 0.0;
        for method in [SkyMethod::Atmosphere, SkyMethod::Dome] {
            let colors = colors(method);
            assert!(colors.iter().filter(|vertex| below(vertex)).all(|(_, color)| color[3] == 1.0));
            // The same haze in both, brighter toward the sun.
            let brightest = colors.iter().filter(|vertex| below(vertex)).max_by(|a, b| a.1[1].total_cmp(&b.1[1]));
            let (place, _) = brightest.expect("half of the dome is below");
            assert!(place[2] < -0.9, "{place:?}");
        }
        let [atmosphere, dome] = [SkyMethod::Atmosphere, SkyMethod::Dome].map(colors);
        assert!(atmosphere.iter().zip(&dome).filter(|(vertex, _)| below(vertex)).all(|(a, b)| a == b));
    }

    #[test]
    fn haze_before_an_atmosphere_is_clear_high_up_and_fades_without_a_step() {
        let colors = colors(SkyMethod::Atmosphere);
        assert!(colors.iter().filter(|([_, y, _], _)| *y > 0.5).all(|(_, color)| color[3] < 0.02));
        // Along a meridian, the first vertices of all rings.
        let alphas: Vec<f32> = colors.iter().step_by(97).map(|(_, color)| color[3]).collect();
        assert!(alphas.windows(2).all(|pair| (0.0..0.2).contains(&(pair[1] - pair[0]))), "{alphas:?}");
    }
}
