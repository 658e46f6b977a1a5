// The fragment shader of the ground: colors by height and slope, varied by noise.
//
// It works in the terrain's own coordinates. So the colors and the fine pattern stay on the ground when the terrain is moved,
// rotated or scaled, and when the world origin is shifted.

#import bevy_pbr::{
    mesh_functions::{get_tag, get_world_from_local},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::alpha_discard,
}
#import bevy_perlin_terrain::morph::{VIEW_LEVELS, VIEW_LOOK, VIEW_MORPH, morph_factor, terrain_morph}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::{
    prepass_io::{VertexOutput, FragmentOutput},
    pbr_deferred_functions::deferred_output,
}
#else
#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#endif

struct Look {
    sand: vec4<f32>,
    grass: vec4<f32>,
    meadow: vec4<f32>,
    rock: vec4<f32>,
    snow: vec4<f32>,
    // Sand height, snow height, blend height in metres; rock slope in radians.
    bands: vec4<f32>,
    // Variation; 1 with a sea, 0 without; height of the sea in metres; unused.
    detail: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> look: Look;

// A random number in [0, 1) for a lattice point. Integer arithmetic gives the same number on every device.
fn random(cell: vec3<i32>) -> f32 {
    let p = vec3<u32>(cell);
    var h = p.x * 0x9E3779B1u ^ p.y * 0xC2B2AE35u ^ p.z * 0x85EBCA77u;
    h = (h ^ (h >> 15u)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12u)) * 0x297A2D39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}

// 3D value noise on a lattice of the pattern: its value, from -0.5 to 0.5, and its slope per cell.
//
// 3D noise does not stretch on cliffs, as 2D noise on the ground plane would. It fades out where a pixel is too large to show
// it. The lattices have different rotations, which hides their axes. `place` is along the terrain's axes, relative to the world
// origin; its y is the height.
fn detail(place: vec3<f32>, number: u32, pixel: f32) -> vec4<f32> {
    let lattice = terrain_morph.pattern[number];
    let size = lattice.axes.z;
    let visible = 1.0 - smoothstep(0.3, 0.9, pixel / size);
    if visible <= 0.0 {
        return vec4(0.0);
    }
    let turned = mat2x2(lattice.axes.x, lattice.axes.y, -lattice.axes.y, lattice.axes.x);
    let ground = turned * place.xz;
    let shear = lattice.axes.w;
    let p = vec3(ground.x, place.y / size + shear * ground.x, ground.y) + lattice.fraction.xyz;
    let first = floor(p);
    let d = p - first;
    let low = vec3<i32>(first) + lattice.cell.xyz;
    let mask = lattice.mask.xyz;
    let cell = low & mask;
    let next = (low + vec3(1)) & mask;
    let s = d * d * (3.0 - 2.0 * d);
    let ds = 6.0 * d * (1.0 - d);
    let a = random(cell);
    let b = random(vec3(next.x, cell.y, cell.z));
    let c = random(vec3(cell.x, next.y, cell.z));
    let e = random(vec3(next.x, next.y, cell.z));
    let f = random(vec3(cell.x, cell.y, next.z));
    let g = random(vec3(next.x, cell.y, next.z));
    let h = random(vec3(cell.x, next.y, next.z));
    let i = random(next);
    let value = mix(mix(mix(a, b, s.x), mix(c, e, s.x), s.y), mix(mix(f, g, s.x), mix(h, i, s.x), s.y), s.z) - 0.5;
    let along_x = mix(mix(b - a, e - c, s.y), mix(g - f, i - h, s.y), s.z) * ds.x;
    let along_y = mix(mix(c - a, e - b, s.x), mix(h - f, i - g, s.x), s.z) * ds.y;
    let along_z = mix(mix(f - a, g - b, s.x), mix(h - c, i - e, s.x), s.y) * ds.z;
    let slope = (vec2(along_x + shear * along_y, along_z) * turned) * size;
    return vec4(value, slope.x, along_y, slope.y) * visible;
}

struct Ground {
    color: vec3<f32>,
    roughness: f32,
    // Added to the normal, in the terrain's coordinates.
    bump: vec3<f32>,
}

fn ground(place: vec3<f32>, height: f32, normal: vec3<f32>, pixel: f32) -> Ground {
    let variation = look.detail.x;
    let n170 = detail(place, 0u, pixel).x;
    let n53 = detail(place, 1u, pixel).x;
    let n17 = detail(place, 2u, pixel);
    let n5 = detail(place, 3u, pixel);
    let n2 = detail(place, 4u, pixel);
    let n05 = detail(place, 5u, pixel);
    let broad = n170 + 0.55 * n53;
    let middle = n17.x + 0.6 * n5.x;
    let fine = n2.x + 0.7 * n05.x;

    let blend = look.bands.z;
    let wobble = variation * (middle * 1.3 + broad);
    let slope = acos(clamp(normal.y, -1.0, 1.0));
    let bare = smoothstep(-0.09, 0.09, slope - look.bands.w + wobble * 0.22 + variation * fine * 0.05);

    // Patches of two grass colors, with darker tufts and bushes.
    let dry = smoothstep(-0.30, 0.30, (broad * 0.8 + middle * 0.6 + fine * 0.25) * (0.5 + variation));
    var color = mix(look.grass.rgb, look.meadow.rgb, dry);
    let bush = smoothstep(0.16, 0.30, n5.x + 0.30 * n17.x - 0.5 * broad * variation) * (1.0 - dry * 0.5);
    color *= 1.0 - variation * 0.75 * bush;
    var roughness = 0.95;

    let shore = look.bands.x + wobble * blend * 0.5;
    let sandy = 1.0 - smoothstep(shore - blend * 0.25, shore + blend * 0.25, height);
    color = mix(color, look.sand.rgb * (1.0 + 0.15 * middle + 0.1 * fine), sandy);

    // Horizontal rock layers, disturbed by the same noise.
    let bed = sin(height * 0.16 + broad * 5.0 + n17.x * 2.0) * 0.5 + sin(height * 0.53 + n17.x * 5.0 + n5.x * 2.0) * 0.35;
    let rock = look.rock.rgb * (1.0 + variation * (0.26 * bed + 0.35 * middle + 0.5 * fine));
    color = mix(color, rock, bare * (1.0 - 0.6 * sandy));

    // The higher the ground, the steeper it may be and still have snow.
    let above = height - look.bands.y + wobble * blend * 2.5;
    let hold = 1.0 - smoothstep(look.bands.w - 0.02, look.bands.w + 0.25, slope + wobble * 0.15 - clamp(above / (blend * 30.0), 0.0, 0.25));
    let snowy = smoothstep(-blend, blend, above) * hold;
    color = mix(color, look.snow.rgb, snowy);
    roughness = mix(roughness, 0.6, snowy);

    color *= 1.0 + variation * (0.5 * fine + 0.2 * middle) * (1.0 - 0.8 * snowy);

    // Water absorbs light with depth.
    let depth = max(look.detail.z - height, 0.0) * look.detail.y;
    color *= exp(-depth * vec3(0.28, 0.12, 0.10));

    let rough = variation * mix(0.30, 0.75, bare) * (1.0 - 0.75 * snowy) * (1.0 - 0.5 * sandy);
    let slopes = n17.yzw * 0.35 + n5.yzw * 0.6 + n2.yzw * 0.8 + n05.yzw * 0.6;
    let bump = -rough * slopes;
    return Ground(max(color, vec3(0.0)), roughness, bump);
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
    return Ground(color, 0.95, vec3(0.0));
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr_input = pbr_input_from_standard_material(in, is_front);

#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    let chunk = get_world_from_local(in.instance_index);
    // A terrain must have the same scale on all axes.
    let scale = length(chunk[1].xyz);
    let turn = mat3x3(chunk[0].xyz, chunk[1].xyz, chunk[2].xyz) * (1.0 / scale);
    let local = transpose(turn) * (in.world_position.xyz - chunk[3].xyz) / scale;
    let normal = transpose(turn) * normalize(in.world_normal);
    // Relative to the world origin, not to the chunk's, so that the pattern continues across chunks.
    let across = transpose(turn) * in.world_position.xyz / scale;
    let place = vec3(across.x, local.y, across.z);
#else
    let turn = mat3x3(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0));
    let local = in.world_position.xyz;
    let normal = normalize(in.world_normal);
    let place = local;
#endif
    let pixel = max(length(dpdx(place)), length(dpdy(place)));
    var ground = ground(place, local.y, normal, pixel);
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    if terrain_morph.view != VIEW_LOOK {
        ground = debug_view(ground, get_tag(in.instance_index), in.world_position.xz);
    }
#endif

    pbr_input.material.base_color = vec4(ground.color, 1.0);
    pbr_input.material.perceptual_roughness = ground.roughness;
    pbr_input.N = normalize(pbr_input.N + turn * ground.bump);

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr_input);
#else
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
#endif
}
