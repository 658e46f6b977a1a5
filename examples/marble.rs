//! A ball of marble that turns: noise of the crate `perlin_fbm` in the shader of a material.
//!
//! Look at: the veins lead through the stone and turn with it, and they are equally thin everywhere, because the shader knows the
//! gradient of the noise.

use bevy::asset::uuid_handle;
use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;
use bevy_perlin_terrain::noise::{Noise, NoiseSettings};

/// The shader of the material.
const MARBLE: Handle<Shader> = uuid_handle!("2a1c9b5e-51f3-4c7e-9f39-6a1f4b8f2d10");
/// The noise that it imports as `marble::noise`.
const NOISE: Handle<Shader> = uuid_handle!("8d7a4c0f-0f5e-4a9f-8a54-5a9c3f3f7b21");

const SHADER: &str = "
import bevy_pbr::render::{
    forward_io::{VertexOutput, FragmentOutput},
    mesh_functions::get_world_from_local,
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
};
import marble::noise::noise_with_gradient;

@group(constants::MATERIAL_BIND_GROUP) @binding(100) var<uniform> vein: vec4<f32>;

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    // The position in the stone, which is turned but not scaled.
    let stone = get_world_from_local(in.instance_index);
    let p = (in.world_position - stone[3]).xyz * mat3x3(stone[0].xyz, stone[1].xyz, stone[2].xyz);
    let n = noise_with_gradient(p);
    // Veins lie where the noise is zero. Divided by its slope, the value is nearly the distance from there.
    let distance = abs(n.x) / max(length(n.yzw), 0.2);
    let strength = exp(-40.0 * distance) + 0.25 * smoothstep(0.3, 0.0, distance);
    var pbr_input = pbr_input_from_standard_material(in, is_front);
    pbr_input.material.base_color = mix(pbr_input.material.base_color, vein, min(strength, 1.0));
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
}
";

type Marble = ExtendedMaterial<StandardMaterial, Veins>;

/// Adds veins to a material.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
struct Veins {
    #[uniform(100)]
    color: LinearRgba,
}

impl MaterialExtension for Veins {
    fn fragment_shader() -> ShaderRef {
        MARBLE.into()
    }
}

#[derive(Component)]
struct Turning;

fn main() {
    App::new().add_plugins((DefaultPlugins, marble)).add_systems(Startup, add_camera).run();
}

/// The ball and its light.
fn marble(app: &mut App) {
    app.add_plugins(MaterialPlugin::<Marble>::default())
        .add_systems(Startup, (add_shaders, add_ball))
        .add_systems(Update, turn);
}

fn add_shaders(mut shaders: ResMut<Assets<Shader>>) -> Result {
    let cells = NoiseSettings { frequency: 1.2, warp_frequency: 1.5, warp_strength: 0.4, ..NoiseSettings::unit() };
    let noise = Noise::<3>::seeded(&NoiseSettings { octaves: 4, ..cells }, 42, 0).wesl()?;
    shaders.insert(&NOISE, Shader::from_wesl(noise, "embedded://marble/noise.wesl"))?;
    shaders.insert(&MARBLE, Shader::from_wesl(SHADER, "embedded://marble/marble.wesl"))?;
    Ok(())
}

fn add_ball(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<Marble>>) {
    let base = StandardMaterial { base_color: Color::srgb(0.9, 0.88, 0.84), perceptual_roughness: 0.25, ..default() };
    let extension = Veins { color: LinearRgba::rgb(0.03, 0.035, 0.05) };
    let ball = Mesh3d(meshes.add(Sphere::new(1.0).mesh().uv(96, 48)));
    commands.spawn((Turning, ball, MeshMaterial3d(materials.add(Marble { base, extension }))));
    let sun = DirectionalLight { illuminance: 8000.0, ..default() };
    commands.spawn((sun, Transform::default().looking_to(Vec3::new(1.0, -1.0, -1.0), Vec3::Y)));
}

fn turn(time: Res<Time>, mut stones: Query<&mut Transform, With<Turning>>) {
    for mut stone in &mut stones {
        stone.rotation = Quat::from_rotation_y(0.4 * time.elapsed_secs());
    }
}

fn add_camera(mut commands: Commands) {
    commands.spawn((Camera3d::default(), Transform::from_xyz(0.0, 0.0, 3.2).looking_at(Vec3::ZERO, Vec3::Y)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_perlin_terrain::render::TerrainRenderPlugin;
    use testing::app::{pump, render::*};

    #[test]
    fn the_veins_turn_with_the_ball() {
        let Some(mut app) = drawing_app_with(TerrainRenderPlugin::default(), marble) else { return };
        let camera = testing::app::render::add_camera(&mut app, 1.0, Transform::from_xyz(0.0, 0.0, 3.2));
        let images = [(); 2].map(|()| {
            pump(&mut app, 30);
            screenshot(&mut app, camera)
        });
        let is_ball = |pixel: &&[u8; 3]| **pixel != [255, 0, 255];
        assert!(images[0].iter().filter(is_ball).count() > 1000, "the ball is drawn");
        // A plain ball that turns looks the same.
        let changed = images[0].iter().zip(&images[1]).filter(|(a, b)| a[0].abs_diff(b[0]) > 30).count();
        assert!(changed > 100, "{changed} pixels change");
    }
}
