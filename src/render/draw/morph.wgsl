// The geomorph of a terrain's vertices. Uses the same arithmetic as `Morph` in src/chunk/morph.rs.
//
// A vertex has its own height near a viewer, and moves onto the surface of the next coarser level as the nearest viewer moves
// away. The morph factor says how far. It depends only on the position and the level of the vertex and on the viewers. So two
// chunks that share a vertex draw it at the same position, in every pass.
//
//     #import bevy_perlin_terrain::morph::morph_factor
//     let level = bevy_pbr::mesh_functions::get_tag(in.instance_index);
//     let factor = morph_factor(level, in.world_position.xz);

#define_import_path bevy_perlin_terrain::morph

// The same numbers as in src/render/draw/morph/uniform.rs.
const MAX_VIEWERS: u32 = 16u;
const LAST_LEVEL: u32 = 23u;
const FAR_MAPS: u32 = 5u;

// The values of `TerrainMorph::view`: the normal look, one color per level, or the morph factor.
const VIEW_LOOK: u32 = 0u;
const VIEW_LEVELS: u32 = 1u;
const VIEW_MORPH: u32 = 2u;

// A viewer, in world coordinates.
struct MorphViewer {
    // x and z in metres; square of the viewer's height above or below all ground; unused.
    place: vec4<f32>,
    // Start of the morph band in metres and one over its width, for two levels each.
    bands: array<vec4<f32>, 12>,
}

// A lattice of the ground's fine pattern or of its textures, and the world origin on it; see src/render/draw/morph/pattern.rs.
struct PatternLattice {
    // Cells per metre along x of the terrain, on the first axis and on the second; cell size in metres; shear.
    axes: vec4<f32>,
    // The position of the world origin in its cell, from 0 to 1; unused.
    fraction: vec4<f32>,
    // The cell that contains the world origin; unused.
    cell: vec4<i32>,
    // The bits of a cell index that count; unused.
    mask: vec4<i32>,
}

struct TerrainMorph {
    viewer_count: u32,
    // In the previous frame.
    previous_viewer_count: u32,
    // One of the VIEW constants above.
    view: u32,
    unused: u32,
    // The distance between the vertices of the finest level in metres; the tangent of the sun's height; unused.
    far: vec4<f32>,
    // Of each map of far ground, from the finest to the coarsest: x and z of its corner, relative to the world origin, and one over
    // its side, in metres along the terrain's axes; its layer, or -1 without a map.
    maps: array<vec4<f32>, 5>,
    // Four of noise, then three of textures, each from the largest cells to the smallest.
    pattern: array<PatternLattice, 7>,
    // The viewers of this frame, then, from index MAX_VIEWERS, those of the previous frame.
    viewers: array<MorphViewer, 32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<uniform> terrain_morph: TerrainMorph;

// The smallest factor of the `count` viewers from index `first`. 0 without viewers.
fn least_factor(first: u32, count: u32, level: u32, place: vec2<f32>) -> f32 {
    if count == 0u {
        return 0.0;
    }
    let known = min(level, LAST_LEVEL);
    var least = 1.0;
    for (var i = first; i < first + count; i++) {
        let viewer = terrain_morph.viewers[i].place;
        let away = place - viewer.xy;
        let distance = sqrt(away.x * away.x + away.y * away.y + viewer.z);
        let pair = terrain_morph.viewers[i].bands[known / 2u];
        let band = select(pair.xy, pair.zw, (known & 1u) == 1u);
        least = min(least, clamp((distance - band.x) * band.y, 0.0, 1.0));
    }
    return least;
}

// The morph factor of a vertex of `level`: 0 is its own height, 1 is the surface of the next coarser level. `place` is its
// world x and z.
fn morph_factor(level: u32, place: vec2<f32>) -> f32 {
    return least_factor(0u, terrain_morph.viewer_count, level, place);
}

// The morph factor of the previous frame, for motion vectors. `place` is the previous world x and z of the vertex.
fn previous_morph_factor(level: u32, place: vec2<f32>) -> f32 {
    return least_factor(MAX_VIEWERS, terrain_morph.previous_viewer_count, level, place);
}

// The drawn height of a vertex. Exact for the factors 0 and 1.
fn morphed_height(height: f32, coarse_height: f32, factor: f32) -> f32 {
    return height * (1.0 - factor) + coarse_height * factor;
}

// The drawn normal of a vertex, from x and z of its own normal and x and z of the coarser one.
fn morphed_normal(normals: vec4<f32>, factor: f32) -> vec3<f32> {
    let level = normals.xy * (1.0 - factor) + normals.zw * factor;
    return vec3(level.x, sqrt(max(1.0 - dot(level, level), 0.0)), level.y);
}
