//! Tests of `light.wesl`. They need a driver; one that draws on the processor suffices.

use super::super::cloud_texture::CloudTexture;
use super::super::clouds::{CloudDrift, CloudLook};
use super::uniform::TerrainUniform;
use crate::light::Clouds;
use crate::light::clouds::{CloudRadiance, DEPTH, Scale, TEXELS, texture};
use crate::render::TerrainView;
use crate::render::gpu::Gpu;
use crate::stream::{TerrainFrame, TerrainOrigin};
use bevy::prelude::*;
use bevy::render::render_resource::BindingResource;

/// Runs a shader that needs the pattern of clouds.
fn compute(gpu: &Gpu, clouds: &CloudTexture, main: &str, uniform: &TerrainUniform, places: &[Vec4]) -> Vec<Vec4> {
    let (view, sampler) = clouds.bindings();
    let resources = [(105, BindingResource::TextureView(view)), (106, BindingResource::Sampler(sampler))];
    gpu.compute_with(&resources, main, 101, uniform, places)
}

/// The position along the terrain's axes, and the light of the sun on level ground.
const MAIN: &str = "
import bevy_perlin_terrain::far_maps::FarShape;
import bevy_perlin_terrain::light::{along_terrain, light_of};

@group(0) @binding(1) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&places) {
        let light = light_of(places[id.x].xyz, FarShape(1.0, places[id.x].w, 0.0, 0.0));
        found[id.x] = vec4(along_terrain(places[id.x].xyz), light.sunlit);
    }
}
";

#[test]
fn places_lie_on_a_terrain_that_is_turned_scaled_and_moved_and_its_sun_shines_where_no_hill_is() {
    let Some(gpu) = Gpu::find() else { return };
    let clouds = CloudTexture::with(vec![0; TEXELS * TEXELS * 6], &gpu.device, &gpu.queue);
    for (turn, scale) in [(0.0, 1.0), (1.1, 2.5), (-2.0, 0.25)] {
        let transform = Transform::from_xyz(40.0, -3.0, 7.0)
            .with_rotation(Quat::from_rotation_y(turn))
            .with_scale(Vec3::splat(scale));
        let frame = TerrainFrame::new(&transform.into(), TerrainOrigin::new(1e6, -1e6));
        let mut uniform = TerrainUniform::new(&[], &frame, TerrainView::Look);
        let places = [Vec3::ZERO, Vec3::new(300.0, 20.0, -70.0), Vec3::new(-5.0, 0.0, 900.0)];
        let with_horizon = |horizon: f32| places.map(|place| place.extend(horizon));
        let found: Vec<Vec4> = compute(&gpu, &clouds, MAIN, &uniform, &with_horizon(0.0));
        for (place, found) in places.into_iter().zip(found) {
            let wanted = (frame.to_terrain(place) - frame.to_terrain(Vec3::ZERO)).as_vec3();
            assert!(found.truncate().distance(wanted) < 1e-2, "{found} for {wanted}");
            assert_eq!(found.w, 1.0, "without maps, the sun is above all hills");
        }
        uniform.set_far_view(4.0, 0.5);
        for (horizon, sunlit) in [(0.0, 1.0), (0.5, 0.5), (1.0, 0.0)] {
            let found: Vec<Vec4> = compute(&gpu, &clouds, MAIN, &uniform, &with_horizon(horizon));
            assert!(found.iter().all(|found| (found.w - sunlit).abs() < 1e-5), "{found:?} behind {horizon}");
        }
    }
}

/// How much of the sun clouds let through, and how dense they are where the pattern has these values.
const CLOUDS: &str = "
import bevy_perlin_terrain::{clouds::{density, thickness}, light::cloudless, terrain_uniform::terrain};

@group(0) @binding(1) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&places) {
        let place = places[id.x];
        found[id.x] = vec4(cloudless(place.xyz), density(thickness(terrain.clouds, place.x, place.y)), 0.0, 0.0);
    }
}
";

#[test]
fn clouds_are_as_dense_as_in_rust_and_shade_what_is_below_them_toward_the_sun() {
    let Some(gpu) = Gpu::find() else { return };
    let coarse = Scale::Coarse.values();
    let texture = CloudTexture::with(texture(coarse.clone(), Scale::Fine.values()), &gpu.device, &gpu.queue);
    let frame = TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::default());
    for (cover, sun) in
        [(0.0, [0.0, 1.0, 0.0]), (0.4, [0.0, 1.0, 0.0]), (0.4, [0.6, 0.8, 0.0]), (0.9, [0.0, 0.6, -0.8])]
    {
        let settings = Clouds { cover, ..Clouds::default() };
        let radiance = CloudRadiance { lit: [2.0; 3], shaded: [1.0; 3] };
        let look = CloudLook { settings: settings.clone(), radiance, toward_sun: sun, mirrored: 1.0 };
        let mut uniform = TerrainUniform::new(&[], &frame, TerrainView::Look);
        uniform.clouds = look.uniform(&CloudDrift::default(), 1.0);
        // Below the middles of texels, where the light of the sun comes from there.
        let texels: Vec<(usize, usize)> = (0..300).map(|i| (i * 37 % TEXELS, i * 101 % TEXELS)).collect();
        let ground = 200.0;
        let metres = |texel: usize| (texel as f64 + 0.5) / TEXELS as f64 * settings.tile();
        let below = |along: f64, sun_along: f64| (along - sun_along / sun[1] * (settings.height - ground)) as f32;
        let places: Vec<Vec4> = (texels.iter())
            .map(|&(x, z)| Vec4::new(below(metres(x), sun[0]), ground as f32, below(metres(z), sun[2]), 0.0))
            .collect();
        let found = compute(&gpu, &texture, CLOUDS, &uniform, &places);
        let mut shaded = 0;
        for (&(x, z), found) in texels.iter().zip(&found) {
            let density = settings.density(coarse[z * TEXELS + x], 0.5);
            let passed = if cover > 0.0 { (-DEPTH * density).exp() } else { 1.0 };
            assert!((found.x - passed).abs() < 0.03, "{} for {passed} at {x}, {z}", found.x);
            shaded += usize::from(passed < 0.5);
        }
        assert_eq!(shaded > 60, cover > 0.0);
        let above: Vec<Vec4> = places.iter().map(|place| place.with_y(1501.0)).collect();
        assert!(compute(&gpu, &texture, CLOUDS, &uniform, &above).iter().all(|found| found.x == 1.0), "above the deck");
        let pairs: Vec<Vec4> = (0..400).map(|i| Vec4::new((i % 20) as f32, (i / 20) as f32, 0.0, 0.0) / 19.0).collect();
        for (pair, found) in pairs.iter().zip(compute(&gpu, &texture, CLOUDS, &uniform, &pairs)) {
            assert!((found.y - settings.density(pair.x, pair.y)).abs() < 1e-5, "{pair}");
        }
    }
}
