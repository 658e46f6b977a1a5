// Noise and textures on the ground. Both use the lattices of `terrain_morph.pattern`, which stay on the ground when the terrain
// or the world origin moves.

#define_import_path bevy_perlin_terrain::pattern

#import bevy_perlin_terrain::morph::terrain_morph

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

// A random number in [0, 1) for a lattice point. Integer arithmetic gives the same number on every device.
fn random(cell: vec3<i32>) -> f32 {
    let p = vec3<u32>(cell);
    var h = p.x * 0x9E3779B1u ^ p.y * 0xC2B2AE35u ^ p.z * 0x85EBCA77u;
    h = (h ^ (h >> 15u)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12u)) * 0x297A2D39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}

// A vector of the terrain along the axes of a lattice, in cells.
fn to_lattice(number: u32, v: vec3<f32>) -> vec3<f32> {
    let axes = terrain_morph.pattern[number].axes;
    let turned = mat2x2(axes.x, axes.y, -axes.y, axes.x) * v.xz;
    return vec3(turned.x, v.y / axes.z + axes.w * turned.x, turned.y);
}

// A gradient along the axes of a lattice, which has the same length in the terrain's coordinates. The shear is too small to
// matter.
fn from_lattice(number: u32, v: vec3<f32>) -> vec3<f32> {
    let axes = terrain_morph.pattern[number].axes;
    let turned = (v.xz * mat2x2(axes.x, axes.y, -axes.y, axes.x)) * axes.z;
    return vec3(turned.x, v.y, turned.y);
}

// 3D value noise on a lattice of the pattern, from -0.5 to 0.5.
//
// 3D noise does not stretch on cliffs, as 2D noise on the ground plane would. It fades out where a pixel is too large to show
// it. The lattices have different rotations, which hides their axes.
fn noise(place: vec3<f32>, number: u32, pixel: f32) -> f32 {
    let lattice = terrain_morph.pattern[number];
    let visible = 1.0 - smoothstep(0.3, 0.9, pixel / lattice.axes.z);
    if visible <= 0.0 {
        return 0.0;
    }
    let p = to_lattice(number, place) + lattice.fraction.xyz;
    let first = floor(p);
    let d = p - first;
    let low = vec3<i32>(first) + lattice.cell.xyz;
    let mask = lattice.mask.xyz;
    let cell = low & mask;
    let next = (low + vec3(1)) & mask;
    let s = d * d * (3.0 - 2.0 * d);
    let a = mix(random(cell), random(vec3(next.x, cell.y, cell.z)), s.x);
    let b = mix(random(vec3(cell.x, next.y, cell.z)), random(vec3(next.x, next.y, cell.z)), s.x);
    let c = mix(random(vec3(cell.x, cell.y, next.z)), random(vec3(next.x, cell.y, next.z)), s.x);
    let e = mix(random(vec3(cell.x, next.y, next.z)), random(next), s.x);
    return (mix(mix(a, b, s.y), mix(c, e, s.y), s.z) - 0.5) * visible;
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
    if variant >= 0.0 && most == 1u {
        plane = fetch_shifted(kind, p, dx, dy, variant);
    } else {
        plane = fetch_plane(kind, most, p, dx, dy);
    }
    if part > 0.0 {
        let other = fetch_plane(kind, second, p, dx, dy);
        plane = Plane(mixed(plane.fetched, other.fetched, part), mix(plane.slope, other.slope, part));
    }
    let result = plane.fetched;
    return Texel(
        result.color.rgb * (255.0 / 128.0),
        result.color.a,
        from_lattice(number, plane.slope),
        result.relief.z,
        result.relief.w,
    );
}
