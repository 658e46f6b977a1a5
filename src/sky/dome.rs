//! A dome around each camera: all of the sky for devices that can't compute, such as a browser with WebGL 2, and elsewhere the haze
//! before Bevy's atmosphere. So ground that fades into haze ends in the same color, and no edge of the world shows.

use super::camera::{CurrentSky, SkyOf};
use super::color::exposed;
use super::haze::HazeColor;
use super::method::SkyMethod;
use crate::light::sun::Sky;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers, VisibleEntities};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use std::any::TypeId;
use std::f32::consts::FRAC_PI_2;

/// The part of a sky that is a mesh.
type IsDome = With<Mesh3d>;

/// Gives each camera with new settings a dome.
pub(super) fn update_domes(
    mut commands: Commands,
    cameras: Query<(Entity, &CurrentSky), Changed<CurrentSky>>,
    domes: Query<(&SkyOf, &Mesh3d)>,
    method: Res<SkyMethod>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for (camera, sky) in &cameras {
        let mesh = dome(sky, *method);
        match domes.iter().find(|(of, _)| of.0 == camera) {
            Some((_, Mesh3d(handle))) => {
                if let Some(mut old) = meshes.get_mut(handle) {
                    *old = mesh;
                }
            }
            None => {
                let look = (Mesh3d(meshes.add(mesh)), MeshMaterial3d(materials.add(material(*method))));
                let without_shadow = (NotShadowCaster, NotShadowReceiver);
                commands.spawn((Name::new("Sky"), SkyOf(camera), look, NoFrustumCulling, without_shadow));
            }
        }
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

fn material(method: SkyMethod) -> StandardMaterial {
    let unlit = StandardMaterial { unlit: true, fog_enabled: false, cull_mode: None, ..default() };
    match method {
        SkyMethod::Dome => unlit,
        // Farther than all else that is transparent, which is drawn over it.
        SkyMethod::Atmosphere => StandardMaterial { alpha_mode: AlphaMode::Blend, depth_bias: -1e6, ..unlit },
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

/// A sphere with the colors of the sky. Bevy shows them as they are, so they are exposed here.
fn dome(CurrentSky { settings, view_distance }: &CurrentSky, method: SkyMethod) -> Mesh {
    // Bevy's sphere has its poles at -z and z.
    let mut mesh = Sphere::new(1.0).mesh().uv(48, 96).rotated_by(Quat::from_rotation_x(-FRAC_PI_2));
    let even = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|positions| positions.as_float3());
    let positions: Vec<[f32; 3]> = even.unwrap_or_default().iter().copied().map(toward_horizon).collect();
    let (haze, sky) = (HazeColor::new(settings), Sky::new(settings));
    let visibility = settings.visibility_for(f64::from(*view_distance));
    let color = |&position: &[f32; 3]| {
        let direction @ [x, y, z] = position.map(f64::from);
        let (haze, opacity) = (haze.toward(direction), haze_opacity(y, visibility));
        match method {
            SkyMethod::Atmosphere => exposed(settings, haze).with_alpha(opacity as f32),
            SkyMethod::Dome => {
                let sky = sky.radiance([x, y.max(0.0), z]);
                exposed(settings, std::array::from_fn(|i| sky[i] + opacity * (haze[i] - sky[i])))
            }
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

/// How much of the sky haze hides, from 0 to 1, in a direction with this sine of its elevation: with a visibility of 40 km or less,
/// half at 4 degrees. Haze lies low, so the way through it is shorter the higher one looks.
fn haze_opacity(y: f64, visibility: f64) -> f64 {
    let half = 0.05 * (40_000.0 / visibility).min(1.0);
    if y > 0.0 { 1.0 - (-(1.2 * half / y).powi(2)).exp() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::{SkySettings, Sun, SunAngles};
    use bevy::mesh::VertexAttributeValues;

    fn sky() -> CurrentSky {
        let sun = Sun::Angles(SunAngles { azimuth: 0.0, elevation: 0.2 });
        CurrentSky { settings: SkySettings { sun, ..SkySettings::default() }, view_distance: 8000.0 }
    }

    /// The vertices with their colors, from the nadir to the zenith.
    fn vertices(method: SkyMethod) -> Vec<(Vec3, [f32; 4])> {
        let mesh = dome(&sky(), method);
        let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|positions| positions.as_float3());
        let Some(VertexAttributeValues::Float32x4(colors)) = mesh.attribute(Mesh::ATTRIBUTE_COLOR) else {
            panic!("it has colors");
        };
        let positions = positions.expect("it has positions").iter().map(|&position| Vec3::from(position));
        let mut vertices: Vec<_> = positions.zip(colors.iter().copied()).collect();
        vertices.sort_by(|(a, _), (b, _)| a.y.total_cmp(&b.y));
        vertices
    }

    #[test]
    fn the_sky_ends_in_the_haze_of_the_ground_so_no_edge_of_the_world_shows() {
        for method in [SkyMethod::Atmosphere, SkyMethod::Dome] {
            let CurrentSky { settings, .. } = sky();
            let fog = HazeColor::new(&settings).fog(&settings, method);
            let sun = Vec3::from(settings.sun.direction().map(|part| part as f32));
            let light = exposed(&settings, method.sunlight(&settings)).to_linear().to_vec3();
            let mut darkest_and_brightest = [f32::MAX, 0.0];
            for (direction, color) in vertices(method).into_iter().filter(|(direction, _)| direction.y <= 0.0) {
                // The formula of Bevy's shader, where the ground is as far as one can see.
                let part = direction.normalize().dot(sun).max(0.0).powf(fog.directional_light_exponent);
                let glow = fog.directional_light_color.to_linear().to_vec3() * light * part;
                let ground = fog.color.to_linear().to_vec3() + glow;
                let sky = Vec3::from_slice(&color[..3]);
                assert!(sky.distance(ground) < 1e-3 * ground.length(), "{sky} beside {ground} at {direction}");
                assert_eq!(color[3], 1.0);
                darkest_and_brightest = [darkest_and_brightest[0].min(sky.y), darkest_and_brightest[1].max(sky.y)];
            }
            assert!(darkest_and_brightest[1] > 1.2 * darkest_and_brightest[0], "{darkest_and_brightest:?}");
        }
    }

    #[test]
    fn haze_before_an_atmosphere_is_clear_high_up_and_fades_in_small_steps() {
        let alphas: Vec<f32> = vertices(SkyMethod::Atmosphere).iter().map(|(_, color)| color[3]).collect();
        assert!(alphas.windows(2).all(|pair| (-1e-3..0.2).contains(&(pair[0] - pair[1]))), "{alphas:?}");
        assert!(alphas[0] == 1.0 && alphas[alphas.len() - 1] < 0.01);
    }

    #[test]
    fn the_clearer_the_air_the_lower_the_haze() {
        assert!((0.45..0.55).contains(&haze_opacity(0.07, 8000.0)));
        assert!((0.45..0.55).contains(&haze_opacity(0.007, 400_000.0)));
    }
}
