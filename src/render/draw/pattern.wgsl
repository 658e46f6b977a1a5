// Textures on the ground.

#define_import_path bevy_perlin_terrain::pattern

#import bevy_perlin_terrain::morph::terrain_morph
#import bevy_perlin_terrain::noise::{from_lattice, random, to_lattice}

// Every texture is a layer of both arrays; see src/render/textures/mips.rs.
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var textures_color: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var textures_relief: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var textures_sampler: sampler;

// The slope of the largest byte.
const STEEPEST: f32 = 2.0;

// A place along the terrain's axes, relative to the world origin, with the height as its y; and how far the next pixels are.
struct Footprint {
    place: vec3<f32>,
    dx: vec3<f32>,
    dy: vec3<f32>,
    // A number from 0 to 1 that differs between neighboring pixels.
    dither: f32,
}

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

struct Fetched {
    color: vec4<f32>,
    relief: vec4<f32>,
}

fn fetch(kind: u32, uv: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>) -> Fetched {
    return Fetched(
        textureSampleGrad(textures_color, textures_sampler, uv, kind, dx, dy),
        textureSampleGrad(textures_relief, textures_sampler, uv, kind, dx, dy),
    );
}

fn mixed(a: Fetched, b: Fetched, part: f32) -> Fetched {
    return Fetched(mix(a.color, b.color, part), mix(a.relief, b.relief, part));
}

fn slopes(fetched: Fetched) -> vec2<f32> {
    return (fetched.relief.xy * 255.0 - 128.0) * (STEEPEST / 127.0);
}

// A texture on one of the three planes of a lattice, with its gradient along the axes of the lattice.
struct Plane {
    fetched: Fetched,
    slope: vec3<f32>,
}

// The texture on the plane across an axis of the lattice.
fn fetch_plane(kind: u32, axis: u32, p: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>) -> Plane {
    switch axis {
        case 0u: {
            let fetched = fetch(kind, p.zy, dx.zy, dy.zy);
            return Plane(fetched, vec3(0.0, slopes(fetched).yx));
        }
        case 1u: {
            let fetched = fetch(kind, p.xz, dx.xz, dy.xz);
            let s = slopes(fetched);
            return Plane(fetched, vec3(s.x, 0.0, s.y));
        }
        default: {
            let fetched = fetch(kind, p.xy, dx.xy, dy.xy);
            return Plane(fetched, vec3(slopes(fetched), 0.0));
        }
    }
}

// Two copies of the texture on level ground, shifted by a random amount for each whole number of `variant`, and blended between
// them. So nothing repeats. After Inigo Quilez, Texture repetition (2015).
fn fetch_shifted(kind: u32, p: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>, variant: f32) -> Plane {
    let first = i32(floor(variant));
    let shift = vec2(random(vec3(first, 1, 7)), random(vec3(first, 2, 7)));
    let next = vec2(random(vec3(first + 1, 1, 7)), random(vec3(first + 1, 2, 7)));
    let a = fetch(kind, p.xz + shift, dx.xz, dy.xz);
    let b = fetch(kind, p.xz + next, dx.xz, dy.xz);
    // The higher one wins, so that a stone is not half there.
    let part = smoothstep(0.3, 0.7, fract(variant) + 0.3 * (b.color.a - a.color.a));
    let both = mixed(a, b, part);
    let s = slopes(both);
    return Plane(both, vec3(s.x, 0.0, s.y));
}

// A texture in the cells of a lattice, projected along the two axes that the ground faces most. After Inigo Quilez, Biplanar
// mapping (2020): the second one fades out before the third takes its place, so nothing jumps. Up to 40 degrees, that is from
// above alone.
//
// Where `variant` is not negative, ground that faces up has no repetitions.
fn sample(kind: u32, number: u32, footprint: Footprint, normal: vec3<f32>, variant: f32) -> Texel {
    let p = to_lattice(number, footprint.place) + terrain_morph.pattern[number].fraction.xyz;
    let dx = to_lattice(number, footprint.dx);
    let dy = to_lattice(number, footprint.dy);
    let level = to_lattice(number, vec3(normal.x, 0.0, normal.z)) * terrain_morph.pattern[number].axes.z;
    let facing = abs(vec3(level.x, normal.y, level.z));
    let most = select(select(2u, 0u, facing.x > facing.z), 1u, facing.y > max(facing.x, facing.z));
    let least = select(select(2u, 0u, facing.x <= facing.z), 1u, facing.y <= min(facing.x, facing.z));
    let second = 3u - most - least;
    // 0.577 is what all three have where they are equal.
    let weights = max(vec2(facing[most], facing[second]) - 0.577, vec2(0.0));
    // Half where both are equal. Most pixels need one projection alone.
    let part = max(2.0 * weights.y / max(weights.x + weights.y, 1e-6) - 0.5, 0.0);

    var plane: Plane;
#ifdef TERRAIN_QUALITY_REDUCED
    // One projection and one copy, chosen pixel by pixel, in place of a mixture.
    let axis = select(most, second, footprint.dither < part);
    let chosen = i32(floor(variant + smoothstep(0.3, 0.7, fract(variant)) - fract(variant) + footprint.dither));
    let shift = vec3(random(vec3(chosen, 1, 7)), 0.0, random(vec3(chosen, 2, 7)));
    plane = fetch_plane(kind, axis, p + select(vec3(0.0), shift, variant >= 0.0 && axis == 1u), dx, dy);
#else
    if variant >= 0.0 && most == 1u {
        plane = fetch_shifted(kind, p, dx, dy, variant);
    } else {
        plane = fetch_plane(kind, most, p, dx, dy);
    }
    if part > 0.0 {
        let other = fetch_plane(kind, second, p, dx, dy);
        plane = Plane(mixed(plane.fetched, other.fetched, part), mix(plane.slope, other.slope, part));
    }
#endif
    let result = plane.fetched;
    return Texel(
        result.color.rgb * (255.0 / 128.0),
        result.color.a,
        from_lattice(number, plane.slope),
        result.relief.z,
        result.relief.w,
    );
}
