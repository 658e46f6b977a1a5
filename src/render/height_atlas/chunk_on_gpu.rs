//! Tests that `chunk.wesl` makes of an atlas what [`ChunkHeights::vertex`] makes of a chunk. They need a driver; one that draws on the
//! processor suffices.

use super::{HeightAtlas, HeightTexture};
use crate::chunk::{ChunkBuilder, ChunkHeights, ChunkLayout, ChunkSettings, ChunkVertex, StitchMask};
use crate::field::HeightField;
use crate::render::TerrainView;
use crate::render::gpu::Gpu;
use crate::render::grid::tag;
use crate::render::lighting::TerrainUniform;
use crate::settings::TerrainSettings;
use crate::stream::{TerrainFrame, TerrainOrigin};
use bevy::prelude::*;
use bevy::render::render_resource::BindingResource;
use bevy::render::render_resource::ShaderType;

/// What the shader makes of a vertex.
#[derive(ShaderType, Clone, Copy, Default)]
struct Found {
    /// The position and the coarse height.
    position: Vec4,
    /// x and z of both normals.
    normals: Vec4,
    level: u32,
}

const MAIN: &str = "
import bevy_perlin_terrain::chunk::{chunk_of_tag, coarse_height_at, coarse_normal_at, height_at, moved, normal_at};

struct Found {
    position: vec4<f32>,
    normals: vec4<f32>,
    level: u32,
}

@group(0) @binding(1) var<storage, read> vertices: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> found: array<Found>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&vertices) {
        let vertex = vertices[id.x];
        let chunk = chunk_of_tag(vertex.x);
        let at = moved(chunk, vertex.yz);
        let position = vec2<f32>(at) * chunk.spacing;
        found[id.x] = Found(
            vec4(position.x, height_at(chunk, at), position.y, coarse_height_at(chunk, at)),
            vec4(normal_at(chunk, at, 1), coarse_normal_at(chunk, at)),
            chunk.level,
        );
    }
}
";

/// The vertices of the chunks of an atlas: what the shader makes of each, beside what Rust does.
fn vertices(gpu: &Gpu, layout: ChunkLayout, chunks: &[(u8, StitchMask, ChunkHeights)]) -> Vec<(Found, ChunkVertex)> {
    let (atlas, texture) = (HeightAtlas::new(2, true), HeightTexture::new(&gpu.device, 2));
    // The slots of earlier chunks. The last chunk reaches into the second page.
    let of_page = 49 * super::slots_of_block(&layout) as usize;
    let others: Vec<_> = (chunks.len()..of_page + 1).map(|_| atlas.place(&layout, Vec::new())).collect();
    assert!(others.iter().all(Option::is_some));
    atlas.take_writes();
    let mut inputs = Vec::new();
    let mut expected = Vec::new();
    for (level, edges, heights) in chunks {
        let bytes = heights.heights.iter().map(|height| height.to_ne_bytes()).collect();
        let slot = atlas.place(&layout, bytes).expect("there is room");
        let all = (0..heights.side).flat_map(|row| (0..heights.side).map(move |column| [column, row]));
        for [column, row] in all {
            inputs.push(UVec4::new(*tag(*level, *edges, slot.slot), column, row, 0));
            expected.push(heights.vertex([column, row], *edges));
        }
    }
    atlas.take_writes().iter().for_each(|heights| texture.write(heights, &gpu.queue));
    let frame = TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::default());
    let mut uniform = TerrainUniform::new(&[], &frame, TerrainView::Look);
    (uniform.quads, uniform.spacing) = (layout.quads(), layout.spacing(0) as f32);
    let found = gpu.compute_with(&[(110, BindingResource::TextureView(texture.view()))], MAIN, 101, &uniform, &inputs);
    found.into_iter().zip(expected).collect()
}

#[test]
fn the_shader_makes_the_vertices_of_rust() {
    let Some(gpu) = Gpu::find() else { return };
    let settings = TerrainSettings::from_ron(include_str!("../../../assets/terrain/alps.terrain.ron"));
    let field = HeightField::new(&settings.expect("the preset is valid").field);
    for quads in [8, 16, 32, 64, 128] {
        let layout = ChunkLayout::new(&ChunkSettings { quads, spacing: 3.7 });
        let masks: Vec<_> = StitchMask::all().collect();
        let kinds = (0..6_u8).map(|number| (4 * number, masks[(5 * usize::from(number) + 3) % 16]));
        let chunks: Vec<_> = kinds
            .map(|(level, edges)| {
                let chunk = layout.chunk_at(level, 1e6 * f64::from(level), -300.0);
                (level, edges, ChunkBuilder::default().heights(&field, &layout, chunk))
            })
            .collect();
        let mut vertices = vertices(&gpu, layout, &chunks).into_iter();
        for (level, edges, heights) in &chunks {
            for (found, expected) in vertices.by_ref().take(heights.side.pow(2) as usize) {
                let [x, height, z] = expected.position;
                let wanted = Vec4::new(x, height, z, expected.coarse_height);
                assert_eq!(found.position, wanted, "{quads} quads, level {level}, {edges:?}");
                assert_eq!(found.level, u32::from(*level));
                let ([x, _, z], [coarse_x, coarse_z]) = (expected.normal, expected.coarse_normal);
                let error = (found.normals - Vec4::new(x, z, coarse_x, coarse_z)).abs().max_element();
                assert!(error < 1e-5, "{error} for {expected:?}, {quads} quads, level {level}, {edges:?}");
            }
        }
        assert!(vertices.next().is_none());
    }
}

#[test]
fn all_masks_move_the_vertices_of_rust() {
    let Some(gpu) = Gpu::find() else { return };
    let field = HeightField::new(&TerrainSettings::default().field);
    let layout = ChunkLayout::new(&ChunkSettings { quads: 8, ..ChunkSettings::default() });
    let heights = ChunkBuilder::default().heights(&field, &layout, layout.chunk_at(1, 0.0, 0.0));
    let chunks: Vec<_> = StitchMask::all().map(|edges| (1, edges, heights.clone())).collect();
    for (found, ChunkVertex { position: [x, height, z], .. }) in vertices(&gpu, layout, &chunks) {
        assert_eq!(found.position.truncate(), Vec3::new(x, height, z));
    }
}
