// Textures on the ground: those of layers close up, and those that are seen from afar.

#define_import_path bevy_perlin_terrain::pattern

#import bevy_perlin_terrain::morph::terrain_morph
#import bevy_perlin_terrain::noise::{from_lattice, random, to_lattice}

// Every texture is a layer of the second array, those close up are also one of the first; see src/render/textures/mips.rs.
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var textures_color: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var textures_relief: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var textures_sampler: sampler;

// What the largest byte means: a slope; and a warmth, the part by which red is stronger than green and blue weaker.
const STEEPEST: f32 = 2.0;
const WARMEST: f32 = 0.5;

// The lattices of the textures: from afar, of 190 m and of 24 m; and close up.
const FIRST_AFAR: u32 = 4u;
const CLOSE_UP: u32 = 6u;

// A place along the terrain's axes, relative to the world origin, with the height as its y; and how far the next pixels are.
struct Footprint {
    place: vec3<f32>,
    dx: vec3<f32>,
    dy: vec3<f32>,
    // A number from 0 to 1 that differs between neighboring pixels.
    dither: f32,
}

// How textures lie on the ground: in the cells of a lattice, projected along the two axes that the ground faces most. After Inigo
// Quilez, Biplanar mapping (2020): the second one fades out before the third takes its place, so nothing jumps. Up to 40 degrees,
// that is from above alone.
struct Projection {
    // The place in the lattice, and how far the next pixels are.
    place: vec3<f32>,
    dx: vec3<f32>,
    dy: vec3<f32>,
    // The axes.
    most: u32,
    second: u32,
    // How much the second one counts: up to a half, and nothing for most pixels.
    part: f32,
}

fn project(number: u32, footprint: Footprint, normal: vec3<f32>) -> Projection {
    let level = to_lattice(number, vec3(normal.x, 0.0, normal.z)) * terrain_morph.pattern[number].axes.z;
    let facing = abs(vec3(level.x, normal.y, level.z));
    let most = select(select(2u, 0u, facing.x > facing.z), 1u, facing.y > max(facing.x, facing.z));
    let least = select(select(2u, 0u, facing.x <= facing.z), 1u, facing.y <= min(facing.x, facing.z));
    let second = 3u - most - least;
    // 0.577 is what all three have where they are equal.
    let weights = max(vec2(facing[most], facing[second]) - 0.577, vec2(0.0));
    var part = max(2.0 * weights.y / max(weights.x + weights.y, 1e-6) - 0.5, 0.0);
    var axis = most;
#ifdef TERRAIN_QUALITY_REDUCED
    // One of the two, chosen pixel by pixel, in place of a mixture.
    axis = select(most, second, footprint.dither < part);
    part = 0.0;
#endif
    return Projection(
        to_lattice(number, footprint.place) + terrain_morph.pattern[number].fraction.xyz,
        to_lattice(number, footprint.dx),
        to_lattice(number, footprint.dy),
        axis,
        second,
        part,
    );
}

// A vector of the lattice on the plane across an axis.
fn on_plane(axis: u32, v: vec3<f32>) -> vec2<f32> {
    return select(select(v.xy, v.xz, axis == 1u), v.zy, axis == 0u);
}

// A gradient on the plane across an axis, along the axes of the lattice.
fn from_plane(axis: u32, v: vec2<f32>) -> vec3<f32> {
    return select(select(vec3(v, 0.0), vec3(v.x, 0.0, v.y), axis == 1u), vec3(0.0, v.yx), axis == 0u);
}

fn fetch_relief(kind: u32, at: Projection, axis: u32, shift: vec2<f32>) -> vec4<f32> {
    let place = on_plane(axis, at.place) + shift;
    return textureSampleGrad(textures_relief, textures_sampler, place, kind, on_plane(axis, at.dx), on_plane(axis, at.dy));
}

// The gradient that a relief has, along the axes of the lattice.
fn gradient(relief: vec4<f32>, axis: u32) -> vec3<f32> {
    return from_plane(axis, (relief.xy * 255.0 - 128.0) * (STEEPEST / 127.0));
}

// Ground close up.
struct Texel {
    // A factor of the layer's color.
    color: vec3<f32>,
    // From 0 to 1.
    height: f32,
    // The gradient of the height, in the terrain's coordinates.
    slope: vec3<f32>,
    roughness: f32,
    // How open to the sky, from 0 to 1.
    open: f32,
}

fn mixed(a: Texel, b: Texel, part: f32) -> Texel {
    return Texel(
        mix(a.color, b.color, part),
        mix(a.height, b.height, part),
        mix(a.slope, b.slope, part),
        mix(a.roughness, b.roughness, part),
        mix(a.open, b.open, part),
    );
}

// A texture on the plane across an axis.
fn fetch(kind: u32, at: Projection, axis: u32, shift: vec2<f32>) -> Texel {
    let place = on_plane(axis, at.place) + shift;
    let color = textureSampleGrad(textures_color, textures_sampler, place, kind, on_plane(axis, at.dx), on_plane(axis, at.dy));
    let relief = fetch_relief(kind, at, axis, shift);
    return Texel(color.rgb * (255.0 / 128.0), color.a, gradient(relief, axis), relief.z, relief.w);
}

// How far a copy of a texture is shifted.
fn shift(copy: i32) -> vec2<f32> {
    return vec2(random(vec3(copy, 1, 7)), random(vec3(copy, 2, 7)));
}

// A texture on the plane across an axis. On that of level ground, it has copies that are shifted by random amounts: `variant` is
// between the numbers of two of them, which are blended. So nothing repeats. After Inigo Quilez, Texture repetition (2015).
fn fetch_variant(kind: u32, at: Projection, axis: u32, variant: f32, dither: f32) -> Texel {
    if axis != 1u {
        return fetch(kind, at, axis, vec2(0.0));
    }
    let copy = i32(floor(variant));
    let between = fract(variant);
#ifdef TERRAIN_QUALITY_REDUCED
    // One of the two, chosen pixel by pixel, in place of a mixture.
    return fetch(kind, at, 1u, shift(copy + select(0, 1, dither > 1.0 - smoothstep(0.3, 0.7, between))));
#else
    let a = fetch(kind, at, 1u, shift(copy));
    let b = fetch(kind, at, 1u, shift(copy + 1));
    // The higher one wins, so that a stone is not half there.
    return mixed(a, b, smoothstep(0.3, 0.7, between + 0.3 * (b.height - a.height)));
#endif
}

// What the texture of a layer is like close up.
fn sample_close_up(kind: u32, footprint: Footprint, normal: vec3<f32>, variant: f32) -> Texel {
    let at = project(CLOSE_UP, footprint, normal);
    var texel = fetch_variant(kind, at, at.most, variant, footprint.dither);
    if at.part > 0.0 {
        texel = mixed(texel, fetch_variant(kind, at, at.second, variant, footprint.dither), at.part);
    }
    texel.slope = from_lattice(CLOSE_UP, texel.slope);
    return texel;
}

// Ground seen from afar.
struct Afar {
    // A factor of the color of the ground.
    color: vec3<f32>,
    // The gradient of the height, in the terrain's coordinates.
    slope: vec3<f32>,
}

// What a texture from afar is like, on a lattice: its relief has brightness and warmth in place of roughness and openness.
fn sample_afar(kind: u32, number: u32, footprint: Footprint, normal: vec3<f32>) -> Afar {
    let at = project(number, footprint, normal);
    var relief = fetch_relief(kind, at, at.most, vec2(0.0));
    var slope = gradient(relief, at.most);
    if at.part > 0.0 {
        let other = fetch_relief(kind, at, at.second, vec2(0.0));
        relief = mix(relief, other, at.part);
        slope = mix(slope, gradient(other, at.second), at.part);
    }
    let warmth = (relief.w * 255.0 - 128.0) * (WARMEST / 127.0);
    let color = relief.z * (255.0 / 128.0) * vec3(1.0 + warmth, 1.0, 1.0 - warmth);
    return Afar(color, from_lattice(number, slope));
}
