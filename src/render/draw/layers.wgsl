// The layers of the ground, and how much of each a place has. The same arithmetic as in src/render/layers.rs.

#define_import_path bevy_perlin_terrain::layers

const LAYERS: u32 = 7u;

struct Look {
    // The linear color of each layer, and the number of its texture.
    layers: array<vec4<f32>, 7>,
    // Sand height, snow height, blend height in metres; rock slope in radians.
    bands: vec4<f32>,
    // Variation; 1 with a sea, 0 without; height of the sea in metres; 1 with fallen leaves, 0 without.
    detail: vec4<f32>,
}

// How much of a place each layer covers. `noise` has cells of 175 m, 54 m, 17 m and 5.5 m.
fn layer_weights(look: Look, height: f32, slope: f32, noise: vec4<f32>) -> array<f32, 7> {
    let variation = look.detail.x;
    let rock_slope = look.bands.w;
    let blend = look.bands.z;
    let broad = noise.x + 0.55 * noise.y;
    let middle = noise.z + 0.6 * noise.w;
    let wobble = variation * (1.3 * middle + broad);

    let meadow = smoothstep(-0.3, 0.3, (0.8 * broad + 0.6 * middle) * (0.5 + variation));
    let forest = variation * look.detail.w * smoothstep(0.06, 0.26, noise.w + 0.5 * noise.z - 0.5 * broad) * (1.0 - 0.6 * meadow);
    let shore = look.bands.x + 0.5 * wobble * blend;
    let sand = 1.0 - smoothstep(shore - 0.25 * blend, shore + 0.25 * blend, height);
    let steep = slope - rock_slope + 0.22 * wobble;
    let rock = smoothstep(-0.09, 0.09, steep) * (1.0 - 0.6 * sand);
    let scree = smoothstep(-0.12, -0.02, steep) * smoothstep(-0.2, 0.2, noise.y + 0.7 * noise.z);
    // The higher the ground, the steeper it may be and still have snow.
    let above = height - look.bands.y + 2.5 * wobble * blend;
    let too_steep = slope + 0.15 * wobble - clamp(above / (30.0 * blend), 0.0, 0.25);
    let hold = 1.0 - smoothstep(rock_slope - 0.02, rock_slope + 0.25, too_steep);
    let snow = smoothstep(-blend, blend, above) * hold;

    // Each layer lies on those before.
    var weights = array<f32, 7>(1.0, meadow, forest, sand, scree, rock, snow);
    var free = 1.0;
    for (var i = 6; i >= 0; i--) {
        weights[i] *= free;
        free -= weights[i];
    }
    return weights;
}
