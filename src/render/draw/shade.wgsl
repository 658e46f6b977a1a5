// Maps of shade around the viewer; see src/render/shade.rs.

#define_import_path bevy_perlin_terrain::shade

#import bevy_perlin_terrain::morph::{PLACE_PERIOD, terrain_morph}

@group(#{MATERIAL_BIND_GROUP}) @binding(102) var near_shade: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(103) var far_shade: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(104) var shade_sampler: sampler;

// Where a place lies on a map, from 0 to 1 inside of it.
fn on_map(number: u32, place: vec2<f32>) -> vec2<f32> {
    let map = terrain_morph.shade[number];
    let away = place + terrain_morph.place.xy - map.xy;
    // The nearest of all copies of the map.
    let middle = 0.5 / max(map.z, 1e-9);
    return (away - PLACE_PERIOD * round((away - middle) / PLACE_PERIOD)) * map.z;
}

// How much a map counts: all of it inside, and less toward its border.
fn weight(number: u32, uv: vec2<f32>) -> f32 {
    let border = max(abs(uv.x - 0.5), abs(uv.y - 0.5));
    return (1.0 - smoothstep(0.38, 0.48, border)) * terrain_morph.shade[number].w;
}

// What the maps know of a place.
struct FarGround {
    // How open it is to the sky, from 0 to 1.
    open: f32,
    // How much of the sun it sees, from 0 to 1.
    sunlit: f32,
    // From -1, a ridge, to 1, a hollow. 0 where no map is.
    curvature: f32,
    // From -1, a crest between gullies, to 1, the bottom of a gully. 0 where there are none, and where no map is.
    drainage: f32,
}

// `place` is along the terrain's axes, relative to the world origin.
fn far_ground(place: vec2<f32>) -> FarGround {
    var result = vec2(1.0);
    let far = on_map(1u, place);
    let far_weight = weight(1u, far);
    if far_weight > 0.0 {
        result = mix(result, textureSampleLevel(far_shade, shade_sampler, far, 0.0).xy, far_weight);
    }
    let near = on_map(0u, place);
    let near_weight = weight(0u, near);
    if near_weight > 0.0 {
        result = mix(result, textureSampleLevel(near_shade, shade_sampler, near, 0.0).xy, near_weight);
    }
    return FarGround(result.x, result.y, 0.0, 0.0);
}
