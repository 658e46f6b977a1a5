//! Tests that no part of a plant pops as the plant goes away, and of what vertices hold. They need a driver; one that draws on the processor suffices.

use super::look::PlantUniform;
use super::rings::{Ring, Rings};
use super::tile_mesh::packed_normal;
use crate::render::gpu::Gpu;
use crate::render::quality::TerrainQuality;
use bevy::prelude::*;
use perlin_terrain::plants::forms::{PartRole, PlantForm};

/// The size of a part, from its ring, its role, its distance, and whether a finer tile is there.
const MAIN: &str = "
import bevy_perlin_terrain::plant_vertex::{size_in_shadows, size_of_part};

const IN_SHADOWS: f32 = 2.0;

@group(0) @binding(1) var<storage, read> parts: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&parts) {
        let part = parts[id.x];
        found[id.x] = size_of_part(u32(part.x), u32(part.y), part.z, part.w == 1.0);
        if part.w == IN_SHADOWS {
            found[id.x] = size_in_shadows(u32(part.x), u32(part.y), part.z);
        }
    }
}
";

/// A step of the distance, in metres.
const STEP: f32 = 0.1;

fn rings(quality: TerrainQuality) -> Rings {
    Rings::new(quality, f64::INFINITY)
}

/// The sizes of a part at each step of the distance, with a finer tile or without one.
fn sizes(gpu: &Gpu, quality: TerrainQuality, ring: Ring, role: PartRole, has_finer: bool) -> Vec<f32> {
    ask(gpu, quality, ring, role, f32::from(u8::from(has_finer)))
}

/// The sizes of a part in shadow maps.
fn sizes_in_shadows(gpu: &Gpu, quality: TerrainQuality, ring: Ring, role: PartRole) -> Vec<f32> {
    ask(gpu, quality, ring, role, 2.0)
}

fn ask(gpu: &Gpu, quality: TerrainQuality, ring: Ring, role: PartRole, what: f32) -> Vec<f32> {
    let inputs: Vec<Vec4> = (0..13_000_u16)
        .map(|step| Vec4::new(ring as u32 as f32, role as u32 as f32, f32::from(step) * STEP, what))
        .collect();
    gpu.compute(MAIN, 0, &PlantUniform::of_rings(rings(quality)), &inputs)
}

#[test]
fn no_part_changes_by_more_than_a_thirtieth_of_its_largest_size_in_a_step() {
    let Some(gpu) = Gpu::find() else { return };
    for quality in TerrainQuality::ALL {
        let has_near = rings(quality).ends()[0] > 0.0;
        for role in [PartRole::Rigid, PartRole::Kept, PartRole::Detail] {
            let near = sizes(&gpu, quality, Ring::Near, role, false);
            // Middle tiles have no details.
            let middle = match role {
                PartRole::Detail => vec![0.0; near.len()],
                _ => sizes(&gpu, quality, Ring::Middle, role, has_near),
            };
            let drawn: Vec<f32> = near.iter().zip(&middle).map(|(near, middle)| near + middle).collect();
            let first = if has_near || role != PartRole::Detail { 1.0 } else { 0.0 };
            let wider = if has_near || role != PartRole::Kept { first } else { PlantForm::WIDER };
            assert_eq!((drawn[0], drawn.last()), (wider, Some(&0.0)), "{quality:?}, {role:?}");
            let largest = drawn.iter().copied().fold(0.0, f32::max).max(1.0);
            for (step, pair) in drawn.windows(2).enumerate() {
                let distance = step as f32 * STEP;
                assert!((pair[1] - pair[0]).abs() < largest / 30.0, "{quality:?}, {role:?}: {pair:?} at {distance} m");
            }
        }
        let pictures = sizes(&gpu, quality, Ring::Far, PartRole::Picture, true);
        assert_eq!((pictures[0], pictures.last()), (0.0, Some(&0.0)));
        assert!(pictures.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 1.0 / 30.0), "{quality:?}");
        // Before the last card is gone, the pictures have their full size.
        let kept = sizes(&gpu, quality, Ring::Middle, PartRole::Kept, true);
        let going = kept.iter().zip(&pictures).position(|(kept, picture)| *kept < 0.5 && *kept > 0.0 && *picture < 1.0);
        assert_eq!(going, None, "{quality:?}");
    }
}

#[test]
fn the_shader_reads_normals_as_they_are_written() {
    const MAIN: &str = "
        import bevy_perlin_terrain::{plant::plants, plant_vertex::unpacked_normal};

        @group(0) @binding(1) var<storage, read> packed: array<f32>;
        @group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x < arrayLength(&packed) {
                found[id.x] = vec4(unpacked_normal(packed[id.x]), plants.ends.x);
            }
        }";
    let Some(gpu) = Gpu::find() else { return };
    // Evenly over all directions, and along each axis.
    let around = (0..5000_u16).map(|number| {
        let y = 1.0 - 2.0 * (f32::from(number) + 0.5) / 5000.0;
        (Vec2::from_angle(f32::from(number) * 2.4) * (1.0 - y * y).sqrt()).extend(y).xzy()
    });
    let normals: Vec<Vec3> = around.chain(Vec3::AXES).chain(Vec3::AXES.map(|axis| -axis)).collect();
    let packed: Vec<f32> = normals.iter().map(|normal| f32::from(packed_normal(*normal)) / 32_767.0).collect();
    let uniform = PlantUniform::of_rings(rings(TerrainQuality::High));
    let found: Vec<Vec4> = gpu.compute(MAIN, 0, &uniform, &packed);
    for (normal, found) in normals.iter().zip(found) {
        let angle = normal.angle_between(found.xyz());
        assert!(angle < 0.025 && found.w == 48.0, "{normal} becomes {found}: {angle} rad apart");
    }
}

#[test]
fn shadows_pass_from_cards_to_pictures_without_a_gap() {
    let Some(gpu) = Gpu::find() else { return };
    for quality in TerrainQuality::ALL {
        let [end, _, last] = rings(quality).ends();
        let pictures = sizes_in_shadows(&gpu, quality, Ring::Far, PartRole::Picture);
        for role in [PartRole::Rigid, PartRole::Kept, PartRole::Detail] {
            let cards = sizes_in_shadows(&gpu, quality, Ring::Near, role);
            for (step, (card, picture)) in cards.iter().zip(&pictures).enumerate().skip(1) {
                let distance = step as f64 * f64::from(STEP);
                assert!(
                    card.max(*picture) > 0.5 || distance > 0.75 * last,
                    "{quality:?}: {card}, {picture} at {distance} m"
                );
                assert!(*card == 0.0 || distance < end, "{quality:?}: {card} at {distance} m");
            }
            let is_smooth = |sizes: &[f32]| sizes[1..].windows(2).all(|pair| (pair[1] - pair[0]).abs() < 1.0 / 30.0);
            assert!(is_smooth(&cards) && is_smooth(&pictures), "{quality:?}");
            assert!(sizes_in_shadows(&gpu, quality, Ring::Middle, role).iter().all(|size| *size == 0.0));
        }
    }
}

#[test]
fn a_coarse_tile_draws_what_no_finer_one_draws() {
    let Some(gpu) = Gpu::find() else { return };
    let quality = TerrainQuality::High;
    assert_eq!(sizes(&gpu, quality, Ring::Middle, PartRole::Kept, false)[..480], [PlantForm::WIDER; 480]);
    assert_eq!(sizes(&gpu, quality, Ring::Middle, PartRole::Kept, true)[..480], [0.0; 480]);
    assert_eq!(sizes(&gpu, quality, Ring::Far, PartRole::Picture, false)[..2000], [1.0; 2000]);
}
