// How far the vertices of a terrain have moved from one level of detail to the next: the twin of `Morph` in src/chunk/morph.rs.
//
// A vertex stands at its own height where a viewer is near, and moves onto the surface of the next coarser level as the
// nearest viewer goes away. How far it has moved is the factor: a function of its place, its level and the viewers, and of
// nothing else, so two chunks that share a vertex draw it in the same place, in every pass.
//
//     #import bevy_perlin_terrain::morph::morph_factor
//     let level = bevy_pbr::mesh_functions::get_tag(in.instance_index);
//     let factor = morph_factor(level, in.world_position.xz);

#define_import_path bevy_perlin_terrain::morph

// As many viewers fit, and as many levels, as in src/render/morph/uniform.rs.
const MOST_VIEWERS: u32 = 16u;
const LAST_LEVEL: u32 = 23u;

// What the ground is to show: its look, its levels in different colors, or the factor.
const VIEW_LOOK: u32 = 0u;
const VIEW_LEVELS: u32 = 1u;
const VIEW_MORPH: u32 = 2u;

// A viewer, in the coordinates of the world.
struct MorphViewer {
    // Place along x and z in metres; the square of how far the viewer is above or below all ground; the last is unused.
    place: vec4<f32>,
    // Of each level: where its morph band begins, in metres, and one over the width of the band. Two levels in each.
    bands: array<vec4<f32>, 12>,
}

// A lattice of the ground's fine pattern, and where the origin of the world lies on it; see src/render/morph/pattern.rs.
struct PatternLattice {
    // Cells per metre of the terrain along x, on the first axis and on the second; the size of a cell in metres; how far cells
    // lean to the side as they go up.
    axes: vec4<f32>,
    // Where the world's origin lies in its cell, from 0 to 1; the last is unused.
    fraction: vec4<f32>,
    // The cell in which the world's origin lies; the last is unused.
    cell: vec4<i32>,
    // What of a cell's number counts, bit by bit; the last is unused.
    mask: vec4<i32>,
}

struct TerrainMorph {
    viewer_count: u32,
    // In the frame before.
    previous_viewer_count: u32,
    // One of the views above.
    view: u32,
    unused: u32,
    // From the largest cells to the smallest.
    pattern: array<PatternLattice, 6>,
    // From the first on those of this frame, from MOST_VIEWERS on those of the frame before.
    viewers: array<MorphViewer, 32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<uniform> terrain_morph: TerrainMorph;

// The least factor of `count` viewers from `first` on; 0 where there are none.
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

// How far a vertex of `level` has moved onto the next coarser level, from 0, not at all, to 1. `place` is where it stands in
// the world, along x and z.
fn morph_factor(level: u32, place: vec2<f32>) -> f32 {
    return least_factor(0u, terrain_morph.viewer_count, level, place);
}

// The same in the frame before, for motion vectors: `place` is where the vertex stood then.
fn previous_morph_factor(level: u32, place: vec2<f32>) -> f32 {
    return least_factor(MOST_VIEWERS, terrain_morph.previous_viewer_count, level, place);
}

// The height at which a vertex is drawn that has moved by `factor`. Exact at both ends.
fn morphed_height(height: f32, coarse_height: f32, factor: f32) -> f32 {
    return height * (1.0 - factor) + coarse_height * factor;
}

// The normal of such a vertex, from the horizontal parts of both normals: its own along x and z, then the coarser.
fn morphed_normal(normals: vec4<f32>, factor: f32) -> vec3<f32> {
    let level = normals.xy * (1.0 - factor) + normals.zw * factor;
    return vec3(level.x, sqrt(max(1.0 - dot(level, level), 0.0)), level.y);
}
