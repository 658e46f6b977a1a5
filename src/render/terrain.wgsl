// The ground: coloured by height and slope, with enough variation to look grown.
//
// Everything is measured in the chunk's own coordinates, so a terrain that is moved, turned or scaled keeps its look.

#import bevy_pbr::{
    mesh_functions::get_world_from_local,
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::alpha_discard,
}

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
    // Variation; the rest is unused.
    detail: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> look: Look;

// A random number in [0, 1) for a lattice point, by integer arithmetic: the same on every device.
fn random(cell: vec2<f32>) -> f32 {
    let p = vec2<u32>(vec2<i32>(cell));
    var h = p.x * 0x9E3779B1u ^ (p.y * 0x85EBCA77u);
    h = (h ^ (h >> 15u)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12u)) * 0x297A2D39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}

// Value noise in [0, 1].
fn patches(p: vec2<f32>) -> f32 {
    let cell = floor(p);
    let d = p - cell;
    let s = d * d * (3.0 - 2.0 * d);
    let bottom = mix(random(cell), random(cell + vec2(1.0, 0.0)), s.x);
    let top = mix(random(cell + vec2(0.0, 1.0)), random(cell + vec2(1.0, 1.0)), s.x);
    return mix(bottom, top, s.y);
}

// Noise of a wavelength in metres around zero, which fades out where a pixel is too large to show it.
fn detail(place: vec2<f32>, wavelength: f32, pixel: f32) -> f32 {
    let visible = 1.0 - smoothstep(0.25, 0.75, pixel / wavelength);
    if visible <= 0.0 {
        return 0.0;
    }
    return (patches(place / wavelength) - 0.5) * visible;
}

struct Ground {
    colour: vec3<f32>,
    roughness: f32,
    // What to add to the normal, in the chunk's coordinates.
    bump: vec3<f32>,
}

fn ground(place: vec2<f32>, height: f32, normal: vec3<f32>, pixel: f32) -> Ground {
    let variation = look.detail.x;
    let broad = detail(place, 170.0, pixel) + 0.5 * detail(place + 71.0, 61.0, pixel);
    let middle = detail(place, 23.0, pixel) + 0.5 * detail(place + 33.0, 9.0, pixel);
    let fine = detail(place, 2.7, pixel) + 0.6 * detail(place + 5.0, 0.9, pixel);

    let blend = look.bands.z;
    let wobble = variation * (middle * 1.5 + broad);
    let slope = acos(clamp(normal.y, -1.0, 1.0));
    let bare = smoothstep(-0.10, 0.10, slope - look.bands.w + wobble * 0.16);

    // Grass in two shades, drier where it is steep and high.
    let dry = smoothstep(-0.35, 0.35, (broad + middle * 0.4) * (0.4 + variation) + 0.12);
    var colour = mix(look.grass.rgb, look.meadow.rgb, dry);
    var roughness = 0.95;

    let shore = look.bands.x + wobble * blend * 0.5;
    let sandy = 1.0 - smoothstep(shore - blend * 0.25, shore + blend * 0.25, height);
    colour = mix(colour, look.sand.rgb * (1.0 + 0.12 * middle), sandy);

    // Rock lies in beds that follow the height, broken by the same noise.
    let bed = sin(height * 0.16 + broad * 5.0 + middle * 1.5) * 0.5 + sin(height * 0.47 + middle * 4.0) * 0.3;
    let rock = look.rock.rgb * (1.0 + variation * (0.28 * bed + 0.5 * middle + 0.35 * fine));
    colour = mix(colour, rock, bare * (1.0 - 0.6 * sandy));

    // Snow holds on steeper ground the higher it lies.
    let above = height - look.bands.y + wobble * blend * 2.0;
    let hold = smoothstep(look.bands.w + 0.30, look.bands.w - 0.05, slope - clamp(above / (blend * 40.0), 0.0, 0.2));
    let snowy = smoothstep(-blend, blend, above) * hold;
    colour = mix(colour, look.snow.rgb, snowy);
    roughness = mix(roughness, 0.6, snowy);

    colour *= 1.0 + variation * (0.35 * fine + 0.22 * middle) * (1.0 - 0.75 * snowy);

    let rough = variation * mix(0.35, 0.8, bare) * (1.0 - 0.7 * snowy);
    let bump = rough * vec3(
        detail(place + 11.0, 3.1, pixel) + 0.7 * detail(place + 17.0, 1.1, pixel),
        0.0,
        detail(place + 47.0, 3.1, pixel) + 0.7 * detail(place + 53.0, 1.1, pixel),
    );
    return Ground(max(colour, vec3(0.0)), roughness, bump);
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr_input = pbr_input_from_standard_material(in, is_front);

#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    let chunk = get_world_from_local(in.instance_index);
    // A terrain may be scaled, but not squeezed: one scale for all axes.
    let scale = length(chunk[1].xyz);
    let turn = mat3x3(chunk[0].xyz, chunk[1].xyz, chunk[2].xyz) * (1.0 / scale);
    let local = transpose(turn) * (in.world_position.xyz - chunk[3].xyz) / scale;
    let normal = transpose(turn) * normalize(in.world_normal);
    // Detail continues across chunks: its place is the world's, not the chunk's.
    let place = (transpose(turn) * in.world_position.xyz).xz / scale;
#else
    let turn = mat3x3(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0));
    let local = in.world_position.xyz;
    let normal = normalize(in.world_normal);
    let place = local.xz;
#endif
    let pixel = max(length(dpdx(place)), length(dpdy(place)));
    let ground = ground(place, local.y, normal, pixel);

    pbr_input.material.base_color = vec4(ground.colour, 1.0);
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
