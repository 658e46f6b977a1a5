// What the maps around the viewer know of far ground; see src/render/far_map.rs.
//
// The maps do not depend on chunks, so far ground looks the same at any level of detail.

#define_import_path bevy_perlin_terrain::far_ground

#import bevy_perlin_terrain::morph::{FAR_MAPS, VIEW_LOOK, morph_factor, terrain_morph}
#import bevy_perlin_terrain::pattern::Footprint

@group(#{MATERIAL_BIND_GROUP}) @binding(102) var far_normals: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(103) var far_shape: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(104) var far_sampler: sampler;

// The width of the edge of a shadow: the tangent of the angle over which the sun sets. More than in nature, where it is 0.01,
// because the heights are coarse.
const SUNSET: f32 = 0.03;

struct FarGround {
    // The unit normal, in the terrain's coordinates: that of the maps where their texels are finer than the vertices.
    normal: vec3<f32>,
    // How open the ground is to the sky, from 0 to 1.
    open: f32,
    // How much of the sun it sees, from 0 to 1.
    sunlit: f32,
    // From -1, a ridge, to 1, a hollow: 1 where the ground 64 m around is 32 m higher. 0 where no map is.
    curvature: f32,
    // From -1, a crest between gullies, to 1, the bottom of a gully. 0 where there are none, and where no map is.
    drainage: f32,
}

// What the maps know of the place of `footprint`, where the vertices have this normal and belong to a chunk of `level`. `world` is
// the place's x and z in the world.
fn far_ground(footprint: Footprint, normal: vec3<f32>, level: u32, world: vec2<f32>) -> FarGround {
    // Vertices that have morphed are those of the next level.
    let spacing = terrain_morph.far.x * exp2(f32(level)) * (1.0 + morph_factor(level, world));
    let pixel = sqrt(length(footprint.dx.xz) * length(footprint.dy.xz));
    let side = f32(textureDimensions(far_shape).x);
    var slope = vec3(0.0);
    var sloped = 0.0;
    var shape = vec4(0.0);
    var missing = 1.0;
    // From the finest map to the coarsest, until the place is known. Mostly, that is the first one.
    for (var i = 0u; i < FAR_MAPS; i++) {
        let map = terrain_morph.maps[i];
        let uv = (footprint.place.xz - map.xy) * map.z;
        let border = max(abs(uv.x - 0.5), abs(uv.y - 0.5));
        if missing < 0.004 || map.w < 0.0 || border > 0.48 {
            continue;
        }
        let texel = 1.0 / (map.z * side);
        var weight = missing * (1.0 - smoothstep(0.38, 0.48, border));
        if i + 1u < FAR_MAPS {
            // Texels that are smaller than pixels would glitter.
            weight *= 1.0 - smoothstep(1.0, 2.0, pixel / texel);
        }
#ifndef TERRAIN_QUALITY_LOW
        let tilt = textureSampleLevel(far_normals, far_sampler, uv, i32(map.w), 0.0).xy;
        let finer = weight * smoothstep(1.0, 2.0, spacing / texel);
        slope += finer * vec3(tilt.x, sqrt(max(1.0 - dot(tilt, tilt), 0.0)), tilt.y);
        sloped += finer;
#endif
        // A normal is of the middle of a texel, and a shape of its corner.
        shape += weight * textureSampleLevel(far_shape, far_sampler, uv + 0.5 / side, i32(map.w), 0.0);
        missing -= weight;
    }
    // Open and level ground.
    shape += missing * vec4(1.0, 0.0, 128.0 / 255.0, 128.0 / 255.0);
    if terrain_morph.view != VIEW_LOOK {
        sloped = 0.0;
        slope = vec3(0.0);
    }
    let horizon = shape.y / max(1.0 - shape.y, 0.002);
    let signed = (shape.zw * 255.0 - 128.0) / 127.0;
    return FarGround(
        normalize(normal * (1.0 - sloped) + slope),
        shape.x,
        clamp((terrain_morph.far.y - horizon) / SUNSET + 0.5, 0.0, 1.0),
        signed.x,
        signed.y,
    );
}
