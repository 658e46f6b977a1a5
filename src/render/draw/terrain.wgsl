// The fragment shader of the ground: layers by height, slope and more, with textures.
//
// It works in the terrain's own coordinates. So the colors and the textures stay on the ground when the terrain is moved, rotated
// or scaled, and when the world origin is shifted.

#import bevy_pbr::{
    mesh_functions::{get_tag, get_world_from_local},
    mesh_view_bindings::view,
    pbr_fragment::pbr_input_from_vertex_output,
    pbr_types::STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT,
}
#import bevy_perlin_terrain::far_ground::{FarGround, far_ground}
#import bevy_perlin_terrain::layers::{Place, look, strongest}
#import bevy_perlin_terrain::morph::{VIEW_LEVELS, VIEW_LOOK, VIEW_MORPH, morph_factor, terrain_morph}
#import bevy_perlin_terrain::noise::noise
#import bevy_perlin_terrain::pattern::{FIRST_AFAR, Footprint, Texel, mixed, sample_afar, sample_close_up}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::{
    prepass_io::{VertexOutput, FragmentOutput},
    pbr_deferred_functions::deferred_output,
}
#else
#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    mesh_view_bindings::lights,
    mesh_view_types::DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#endif

#ifdef SCREEN_SPACE_AMBIENT_OCCLUSION
#ifndef PREPASS_PIPELINE
#import bevy_pbr::mesh_view_bindings::screen_space_ambient_occlusion_texture
#endif
#endif

// The numbers of textures, as in src/render/textures.rs. The last two are seen from afar.
const SAND: u32 = 0u;
const STONES: u32 = 3u;
const ROCK: u32 = 4u;
const SNOW: u32 = 5u;
const TUSSOCKS: u32 = 6u;
const CRAGS: u32 = 7u;

// The scales of textures that are seen from afar: of 190 m, and of 24 m.
#ifdef TERRAIN_QUALITY_LOW
const SCALES_AFAR: u32 = 1u;
#else
const SCALES_AFAR: u32 = 2u;
#endif

struct Ground {
    color: vec3<f32>,
    roughness: f32,
    // How open to the sky, from 0 to 1.
    open: f32,
    // Added to the normal, in the terrain's coordinates.
    bump: vec3<f32>,
}

fn ground(place: vec3<f32>, height: f32, normal: vec3<f32>, far: FarGround, footprint: Footprint) -> Ground {
    let variation = look.detail.x;
    // At a grazing angle a pixel is long and narrow, and the sampler resolves more than its length tells.
    let pixel = sqrt(length(footprint.dx) * length(footprint.dy));
    let patches = vec4(noise(place, 0u, pixel), noise(place, 1u, pixel), noise(place, 2u, pixel), noise(place, 3u, pixel));
    let slope = acos(clamp(normal.y, -1.0, 1.0));
    let pair = strongest(Place(vec4(height, slope, far.curvature, far.drainage), normal.xz, patches));
    let colors = array<vec4<f32>, 2>(look.layers[pair.first].color, look.layers[pair.second].color);
    let kinds = vec2<u32>(vec2(colors[0].w, colors[1].w));

    // Close up, a layer has blades, stones or grains. From afar, they would show as a grid.
    let near = 1.0 - smoothstep(0.03, 0.16, pixel);
    var part = pair.part;
    var texel = Texel(vec3(1.0), 0.5, vec3(0.0), 0.92, 1.0);
    if near > 0.0 {
        // Smooth noise moves the texture about, so that it does not repeat.
        let variant = 24.0 * (patches.w + patches.z) + 24.0;
#ifdef TERRAIN_QUALITY_LOW
        // One of the two layers, chosen pixel by pixel.
        texel = sample_close_up(select(kinds.y, kinds.x, footprint.dither < part), footprint, normal, variant);
#else
        texel = sample_close_up(kinds.x, footprint, normal, variant);
        if part < 0.999 {
            let second = sample_close_up(kinds.y, footprint, normal, variant);
            // The higher texture covers the lower one, so borders are ragged: grass grows between stones.
            let first_height = part + 0.7 * (texel.height - 0.5) * near;
            let second_height = 1.0 - part + 0.7 * (second.height - 0.5) * near;
            let lower = max(first_height, second_height) - 0.12;
            let heights = max(vec2(first_height, second_height) - lower, vec2(0.0));
            let ragged = heights.x / (heights.x + heights.y);
            part = mix(part, ragged, near);
            texel = mixed(second, texel, part);
        }
#endif
    }
    var color = mix(colors[1].rgb, colors[0].rgb, part);
    color *= mix(vec3(1.0), texel.color, near);
    var roughness = mix(0.92, texel.roughness, near);
    let open = mix(1.0, texel.open, near);
    var slopes = texel.slope * near;

    // From afar, ground is either rocky or overgrown. Sand and snow are smooth.
    let both = vec2(part, 1.0 - part);
    let even = dot(both, select(vec2(0.0), vec2(1.0), (kinds == vec2(SAND)) | (kinds == vec2(SNOW))));
    let rocky = dot(both, select(vec2(0.0), vec2(1.0), (kinds == vec2(ROCK)) | (kinds == vec2(STONES))));
    let kind = select(TUSSOCKS, CRAGS, rocky > 0.5);
    let strength = smoothstep(0.0, 0.6, abs(2.0 * rocky - 1.0)) * (0.4 + 0.6 * variation) * (1.0 - 0.8 * even);
    // Tiles of 190 m and of 24 m, each as far as a pixel is small enough for it.
    let visible = (1.0 - vec2(smoothstep(5.0, 30.0, pixel), smoothstep(0.2, 1.1, pixel))) * strength;
    for (var i = 0u; i < SCALES_AFAR; i++) {
        if visible[i] > 0.0 {
            let afar = sample_afar(kind, FIRST_AFAR + i, footprint, normal);
            color *= mix(vec3(1.0), afar.color, visible[i]);
            slopes += afar.slope * visible[i] * 0.7;
        }
    }
    color *= 1.0 + 0.35 * variation * (patches.x + 0.5 * patches.y) * (1.0 - 0.7 * even);

    // Water absorbs light with depth.
    let depth = max(look.detail.z - height, 0.0) * look.detail.y;
    color *= exp(-depth * vec3(0.28, 0.12, 0.10));

    // Only what leads along the ground bends its normal.
    let bump = -(slopes - normal * dot(slopes, normal));
    return Ground(max(color, vec3(0.0)), roughness, open, bump);
}

// The color of the ground in a debug view.
fn debug_view(look: Ground, level: u32, place: vec2<f32>) -> Ground {
    var color = look.color;
    if terrain_morph.view == VIEW_LEVELS {
        // Steps of the golden ratio: hues of neighboring levels are nearly opposite, and no hue repeats.
        let hue = fract(f32(level) * 0.618034);
        let tint = 0.5 + 0.5 * cos(6.2831853 * (hue + vec3(0.0, 0.33, 0.67)));
        // Dark colors, so that bright light does not wash them out.
        color = mix(look.color * 0.5, tint * tint * 0.6, 0.85);
    } else if terrain_morph.view == VIEW_MORPH {
        color = mix(vec3(0.0, 0.01, 0.15), vec3(0.6, 0.45, 0.01), morph_factor(level, place));
    }
    // No bump: use the normal of the vertices.
    return Ground(color, 0.95, 1.0, vec3(0.0));
}

#ifndef PREPASS_PIPELINE
// How far blades and grains that are smaller than a pixel tilt the ground, as a slope. Some of them face the sun where the ground
// just does not, so the edge of its light is soft.
const ROUGH: f32 = 0.2;

// The normal for the light of the sun, of which hills hide a part. `sunlit` is the rest.
//
// Bevy multiplies the sun's light by the cosine between its direction and the normal. So a normal that turns toward the sun or away
// from it gives or takes light, and leaves that of the sky. Shadow maps hide the sun near the camera; this shade begins where the
// last one ends.
fn sunlit_normal(normal: vec3<f32>, position: vec3<f32>, sunlit: f32) -> vec3<f32> {
    if lights.n_directional_lights == 0u {
        return normal;
    }
    // The maps are made for the brightest light.
    var brightest = 0u;
    for (var i = 1u; i < lights.n_directional_lights; i++) {
        if length(lights.directional_lights[i].color.rgb) > length(lights.directional_lights[brightest].color.rgb) {
            brightest = i;
        }
    }
    let sun = &lights.directional_lights[brightest];
    var end = 0.0;
    if ((*sun).flags & DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT) != 0u {
        end = (*sun).cascades[(*sun).num_cascades - 1u].far_bound;
    }
    let beyond = smoothstep(0.6, 0.95, length(position - view.world_position) / max(end, 1e-3));
    let cosine = dot(normal, (*sun).direction_to_light);
    // The mean over slopes of this deviation, nearly: it grows from 0, and is the cosine where the ground faces the sun.
    let mean = 0.5 * (cosine + sqrt(cosine * cosine + ROUGH * ROUGH));
    let turned = normal + (*sun).direction_to_light * (mean * mix(1.0, sunlit, beyond) - cosine);
    // Where the ground faces the sun, nothing is left.
    return turned * inverseSqrt(max(dot(turned, turned), 1e-6));
}
#endif

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr_input = pbr_input_from_vertex_output(in, is_front, false);

    let chunk = get_world_from_local(in.instance_index);
    // A terrain must have the same scale on all axes.
    let scale = length(chunk[1].xyz);
    let turn = mat3x3(chunk[0].xyz, chunk[1].xyz, chunk[2].xyz) * (1.0 / scale);
    let local = transpose(turn) * (in.world_position.xyz - chunk[3].xyz) / scale;
    let normal = transpose(turn) * normalize(in.world_normal);
    // Relative to the world origin, not to the chunk's, so that the pattern continues across chunks.
    let across = transpose(turn) * in.world_position.xyz / scale;
    let place = vec3(across.x, local.y, across.z);
    // Interleaved gradient noise: Jimenez, Next Generation Post Processing in Call of Duty, 2014.
    let dither = fract(52.9829189 * fract(dot(in.position.xy, vec2(0.06711056, 0.00583715))));
    // A camera that adds up several frames wants textures that are sharper than its pixels.
    let bias = exp2(view.mip_bias);
    let footprint = Footprint(place, dpdx(place) * bias, dpdy(place) * bias, dither);
    let far = far_ground(footprint, normal, get_tag(in.instance_index), in.world_position.xz);
    var ground = ground(place, local.y, far.normal, far, footprint);
    if terrain_morph.view != VIEW_LOOK {
        ground = debug_view(ground, get_tag(in.instance_index), in.world_position.xz);
    }

    pbr_input.material.base_color = vec4(ground.color, 1.0);
    pbr_input.material.perceptual_roughness = ground.roughness;
    pbr_input.material.reflectance = vec3(0.25);
    pbr_input.material.flags |= STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT;
    // Ground that closes the sky reflects light itself, so less than that part is lost.
    var open = ground.open * sqrt(far.open);
#ifndef PREPASS_PIPELINE
#ifdef SCREEN_SPACE_AMBIENT_OCCLUSION
    open = min(open, textureLoad(screen_space_ambient_occlusion_texture, vec2<i32>(in.position.xy), 0i).r);
#endif
#endif
    pbr_input.diffuse_occlusion = vec3(open);
    pbr_input.specular_occlusion = open;
    pbr_input.N = normalize(turn * (far.normal + ground.bump));
#ifndef PREPASS_PIPELINE
    pbr_input.N = sunlit_normal(pbr_input.N, in.world_position.xyz, far.sunlit);
#endif

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr_input);
#else
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
#endif
}
