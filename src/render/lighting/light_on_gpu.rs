//! Tests of `light.wesl`. They need a driver; one that draws on the processor suffices.

use super::uniform::TerrainUniform;
use crate::render::TerrainView;
use crate::render::gpu::Gpu;
use crate::stream::{TerrainFrame, TerrainOrigin};
use bevy::prelude::*;

/// The position along the terrain's axes, and the light of the sun on level ground.
const MAIN: &str = "
import bevy_perlin_terrain::far_maps::FarShape;
import bevy_perlin_terrain::light::{along_terrain, light_of};

@group(0) @binding(1) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&places) {
        let light = light_of(FarShape(1.0, places[id.x].w, 0.0, 0.0));
        found[id.x] = vec4(along_terrain(places[id.x].xyz), light.sunlit);
    }
}
";

#[test]
fn places_lie_on_a_terrain_that_is_turned_scaled_and_moved_and_its_sun_shines_where_no_hill_is() {
    let Some(gpu) = Gpu::find() else { return };
    for (turn, scale) in [(0.0, 1.0), (1.1, 2.5), (-2.0, 0.25)] {
        let transform = Transform::from_xyz(40.0, -3.0, 7.0)
            .with_rotation(Quat::from_rotation_y(turn))
            .with_scale(Vec3::splat(scale));
        let frame = TerrainFrame::new(&transform.into(), TerrainOrigin::new(1e6, -1e6));
        let mut uniform = TerrainUniform::new(&[], &frame, TerrainView::Look);
        let places = [Vec3::ZERO, Vec3::new(300.0, 20.0, -70.0), Vec3::new(-5.0, 0.0, 900.0)];
        let with_horizon = |horizon: f32| places.map(|place| place.extend(horizon));
        let found: Vec<Vec4> = gpu.compute(MAIN, 101, &uniform, &with_horizon(0.0));
        for (place, found) in places.into_iter().zip(found) {
            let wanted = (frame.to_terrain(place) - frame.to_terrain(Vec3::ZERO)).as_vec3();
            assert!(found.truncate().distance(wanted) < 1e-2, "{found} for {wanted}");
            assert_eq!(found.w, 1.0, "without maps, the sun is above all hills");
        }
        uniform.set_far_view(4.0, 0.5);
        for (horizon, sunlit) in [(0.0, 1.0), (0.5, 0.5), (1.0, 0.0)] {
            let found: Vec<Vec4> = gpu.compute(MAIN, 101, &uniform, &with_horizon(horizon));
            assert!(found.iter().all(|found| (found.w - sunlit).abs() < 1e-5), "{found:?} behind {horizon}");
        }
    }
}
