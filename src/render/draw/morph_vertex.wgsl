// The vertex shader of morphing chunks. The main pass and the prepasses (depth, shadows, normals, motion vectors) all use it, so
// they all draw a vertex at the same position.

#import bevy_pbr::{
    mesh_functions,
    view_transformations::position_world_to_clip,
}
#import bevy_perlin_terrain::morph::{morph_factor, morphed_height, morphed_normal, previous_morph_factor}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::VertexOutput
#else
#import bevy_pbr::forward_io::VertexOutput
#endif

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    // Relative to the north-west corner of the chunk; y is the height.
    @location(0) position: vec3<f32>,
    // x and z of the vertex's own normal, then x and z of the normal of the next coarser level.
    @location(1) normals: vec4<f32>,
    // The height of the next coarser level at the vertex.
    @location(2) coarse_height: f32,
}

@vertex
fn vertex(vertex: Vertex) -> VertexOutput {
    var out: VertexOutput;

    let level = mesh_functions::get_tag(vertex.instance_index);
    let world_from_local = mesh_functions::get_world_from_local(vertex.instance_index);
    let place = mesh_functions::mesh_position_local_to_world(world_from_local, vec4(vertex.position, 1.0));
    let factor = morph_factor(level, place.xz);

    let height = morphed_height(vertex.position.y, vertex.coarse_height, factor);
    let position = vec4(vertex.position.x, height, vertex.position.z, 1.0);
    out.world_position = mesh_functions::mesh_position_local_to_world(world_from_local, position);
    out.position = position_world_to_clip(out.world_position.xyz);

#ifdef PREPASS_PIPELINE

#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif

#ifdef NORMAL_PREPASS_OR_DEFERRED_PREPASS
    out.world_normal =
        mesh_functions::mesh_normal_local_to_world(morphed_normal(vertex.normals, factor), vertex.instance_index);
#endif

#ifdef MOTION_VECTOR_PREPASS
    let previous_world_from_local = mesh_functions::get_previous_world_from_local(vertex.instance_index);
    let previous_place =
        mesh_functions::mesh_position_local_to_world(previous_world_from_local, vec4(vertex.position, 1.0));
    let previous_factor = previous_morph_factor(level, previous_place.xz);
    let previous_height = morphed_height(vertex.position.y, vertex.coarse_height, previous_factor);
    let previous_position = vec4(vertex.position.x, previous_height, vertex.position.z, 1.0);
    out.previous_world_position =
        mesh_functions::mesh_position_local_to_world(previous_world_from_local, previous_position);
#endif

#else   // PREPASS_PIPELINE

    out.world_normal =
        mesh_functions::mesh_normal_local_to_world(morphed_normal(vertex.normals, factor), vertex.instance_index);

#endif  // PREPASS_PIPELINE

#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = vertex.instance_index;
#endif

#ifdef VISIBILITY_RANGE_DITHER
    out.visibility_range_dither =
        mesh_functions::get_visibility_range_dither_level(vertex.instance_index, world_from_local[3]);
#endif

    return out;
}
