// The layers of the ground, and how much of each a place has. The same arithmetic as in src/render/layers.rs, which gives all
// numbers.

#define_import_path bevy_perlin_terrain::layers

struct Layer {
    // The linear color, and the number of the texture.
    color: vec4<f32>,
    // One divided by the fade, the lower ends and the upper ends, of height, slope, curvature and drainage. All ends are divided
    // by their fades.
    scale: vec4<f32>,
    low: vec4<f32>,
    high: vec4<f32>,
    // The lower ends of aspect and noise, then their upper ends.
    ends: vec4<f32>,
    // The direction of the aspect along x and z, divided by the fade; the opacity; unused.
    toward: vec4<f32>,
    // What each noise counts for the patches, divided by the fade, and for the borders.
    patches: vec4<f32>,
    ragged: vec4<f32>,
}

struct Look {
    layers: array<Layer, 8>,
    // Variation; 1 with a sea, 0 without; height of the sea in metres; the number of layers.
    detail: vec4<f32>,
}

// What the layers of a place depend on.
struct Place {
    // Height in metres, slope in radians, curvature, drainage.
    form: vec4<f32>,
    // The normal along x and z.
    lean: vec2<f32>,
    // Noise with cells of 175 m, 54 m, 17 m and 5.5 m.
    noise: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> look: Look;

// How much of the layers below a layer covers at a place.
fn cover(layer: Layer, place: Place) -> f32 {
    let form = place.form * layer.scale;
    let ranges = min(form - layer.low, layer.high - form);
    let more = vec2(dot(layer.toward.xy, place.lean), dot(layer.patches, place.noise));
    let others = min(more - layer.ends.xy, layer.ends.zw - more);
    let lowest = min(min(min(ranges.x, ranges.y), min(ranges.z, ranges.w)), min(others.x, others.y));
    let t = clamp(1.0 + lowest + dot(layer.ragged, place.noise), 0.0, 1.0);
    return layer.toward.z * t * t * (3.0 - 2.0 * t);
}

// Two layers of a place, and how much of it the first one covers.
struct Pair {
    first: u32,
    second: u32,
    part: f32,
}

// The two layers that cover most, from the topmost to the lowest, which has what the others leave. The third is subtracted from
// both, so that nothing jumps where the second and the third change places.
fn strongest(place: Place) -> Pair {
    var index = vec2(0u);
    var weight = vec3(-1.0, -1.0, 0.0);
    var free = 1.0;
    for (var i = i32(look.detail.w) - 1; i >= 0; i--) {
        var w = free;
        if i > 0 {
            w *= cover(look.layers[i], place);
        }
        free -= w;
        if w > weight.x {
            index = vec2(u32(i), index.x);
            weight = vec3(w, weight.xy);
        } else if w > weight.y {
            index.y = u32(i);
            weight = vec3(weight.x, w, weight.y);
        } else {
            weight.z = max(weight.z, w);
        }
    }
    let least = max(weight.z, 0.0);
    let first = weight.x - least;
    let second = max(weight.y - least, 0.0);
    return Pair(index.x, index.y, first / max(first + second, 1e-6));
}
