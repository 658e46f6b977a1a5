// Noise on the ground. It uses the lattices of `terrain_morph.pattern`, which stay on the ground when the terrain or the world
// origin moves; so do textures. `noises` of src/render/pattern.rs computes the same.

#define_import_path bevy_perlin_terrain::noise

#import bevy_perlin_terrain::morph::terrain_morph

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
