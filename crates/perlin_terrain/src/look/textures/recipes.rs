//! How each texture is made. Lengths are in sides of the tile.

use super::TextureKind;
use super::surface::{Piece, Surface};
use crate::look::SurfaceTexture;
use crate::noise::{FractalShape, NoiseRng};

/// The recipe of a kind.
pub(super) fn of(kind: TextureKind) -> fn(&mut Surface) {
    match kind {
        TextureKind::CloseUp(SurfaceTexture::Sand) => sand,
        TextureKind::CloseUp(SurfaceTexture::Grass) => grass,
        TextureKind::CloseUp(SurfaceTexture::Leaves) => leaves,
        TextureKind::CloseUp(SurfaceTexture::Stones) => stones,
        TextureKind::CloseUp(SurfaceTexture::Rock) => rock,
        TextureKind::CloseUp(SurfaceTexture::Snow) => snow,
        TextureKind::Tussocks => tussocks,
        TextureKind::Crags => crags,
    }
}

use FractalShape::{Billow, Fbm, Ridged};

/// A random number.
fn random(rng: &mut NoiseRng, min: f32, max: f32) -> f32 {
    rng.next_in(f64::from(min), f64::from(max)) as f32
}

fn gray(value: f32) -> [f32; 3] {
    [value; 3]
}

/// A tint between two.
fn between(a: [f32; 3], b: [f32; 3], part: f32) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + part * (b[i] - a[i]))
}

fn scaled(tint: [f32; 3], factor: f32) -> [f32; 3] {
    tint.map(|part| part * factor)
}

fn smooth(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The height of a stone, flat on top.
fn stone(along: f32, across: f32) -> Option<f32> {
    // Corners make it more than an ellipse.
    let r = (along.abs().powf(2.4) + across.abs().powf(2.4)).powf(1.0 / 2.4);
    (r < 1.0).then(|| (1.0 - r.powi(3)).sqrt())
}

/// Ripples of the wind, and grains.
fn sand(surface: &mut Surface) {
    let size = surface.size;
    let bend = surface.noise(Fbm, 3, 3, 0.5);
    let fade = surface.noise(Fbm, 4, 2, 0.5);
    let grain = surface.noise(Fbm, 96, 3, 0.8);
    let patch = surface.noise(Fbm, 6, 4, 0.6);
    surface.paint(|i| {
        let along = (i / size) as f32 / size as f32;
        let phase = std::f32::consts::TAU * (26.0 * along + 1.3 * bend[i]);
        // Steep on one side.
        let ripple = (phase + 0.45 * phase.sin()).sin() * smooth(-0.5, 0.4, fade[i]);
        let height = 0.0016 * ripple + 0.0005 * grain[i] + 0.004 * patch[i];
        (height, scaled([1.0, 0.98, 0.94], 1.0 + 0.05 * ripple + 0.09 * grain[i] + 0.08 * patch[i]), 0.95)
    });
    surface.scatter(
        260,
        |rng| {
            let half = random(rng, 0.001, 0.0035);
            let tint = gray(random(rng, 0.45, 1.15));
            Piece { half: [half, half * 0.8], base: -0.2 * half, tint, roughness: 0.8 }
        },
        stone,
    );
}

/// Soil under blades of many directions.
fn grass(surface: &mut Surface) {
    let soil = surface.noise(Fbm, 12, 6, 0.6);
    surface.paint(|i| (0.006 * soil[i], scaled([0.42, 0.33, 0.30], 1.0 + 0.3 * soil[i]), 0.95));
    for (count, length, base) in [(9000, 0.020, 0.000), (9000, 0.026, 0.004), (6000, 0.030, 0.009)] {
        surface.scatter(
            count,
            |rng| {
                let half = length * random(rng, 0.5, 1.0);
                let dry = random(rng, 0.0, 1.0).powi(4);
                let green = between([0.75, 1.0, 0.55], [1.05, 1.12, 0.75], random(rng, 0.0, 1.0));
                let tint = between(green, [1.5, 1.15, 0.85], dry);
                let shade = random(rng, 0.6, 1.2) * (0.7 + 25.0 * base);
                Piece {
                    half: [half, 0.0009],
                    base: base + random(rng, 0.0, 0.004),
                    tint: scaled(tint, shade),
                    roughness: 0.78,
                }
            },
            // From the root at -1 to the tip at 1: rises, and becomes narrow.
            |along, across| {
                let width = 1.0 - 0.5 * (along + 1.0) * 0.85;
                (across.abs() < width).then_some(3.5 * (along + 1.0) - 2.0 * across * across)
            },
        );
    }
}

/// Leaves and twigs on dark soil, with moss.
fn leaves(surface: &mut Surface) {
    let soil = surface.noise(Fbm, 10, 6, 0.6);
    let moss = surface.noise(Fbm, 5, 5, 0.6);
    surface.paint(|i| {
        let green = smooth(0.1, 0.4, moss[i]);
        let tint = between([0.62, 0.48, 0.40], [0.62, 0.82, 0.36], green);
        (0.006 * soil[i] + 0.003 * green, scaled(tint, 1.0 + 0.35 * soil[i]), 0.95)
    });
    surface.scatter(
        4200,
        |rng| {
            let half = random(rng, 0.006, 0.014);
            let tint = between([1.55, 1.05, 0.66], [0.85, 0.62, 0.48], random(rng, 0.0, 1.0));
            let tint = scaled(tint, random(rng, 0.65, 1.2));
            Piece { half: [half, half * random(rng, 0.4, 0.6)], base: random(rng, 0.0, 0.004), tint, roughness: 0.75 }
        },
        // Curved up at the rim, with a fold along the middle.
        |along, across| {
            let width = (1.0 - along * along).max(0.0).powf(0.7);
            (across.abs() < width).then_some(0.12 * across.abs() + 0.15 * along * along)
        },
    );
    surface.scatter(
        500,
        |rng| Piece {
            half: [random(rng, 0.008, 0.04), 0.0014],
            base: random(rng, 0.002, 0.005),
            tint: scaled([0.75, 0.58, 0.47], random(rng, 0.6, 1.3)),
            roughness: 0.85,
        },
        |_, across| Some((1.0 - across * across).max(0.0).sqrt()),
    );
}

/// Stones of all sizes on gravel.
fn stones(surface: &mut Surface) {
    let dust = surface.noise(Fbm, 10, 7, 0.65);
    surface.paint(|i| (0.006 * dust[i], gray(0.68 + 0.2 * dust[i]), 0.95));
    for (count, min, max) in [(26_000, 0.0012, 0.003), (5200, 0.003, 0.009), (620, 0.009, 0.02), (52, 0.02, 0.042)] {
        surface.scatter(
            count,
            |rng| {
                // Small ones are more frequent.
                let half = min + (max - min) * random(rng, 0.0, 1.0).powi(2);
                let warm = random(rng, -1.0, 1.0);
                let tint = scaled([1.0 + 0.06 * warm, 1.0, 1.0 - 0.07 * warm], random(rng, 0.72, 1.25));
                Piece { half: [half, half * random(rng, 0.55, 0.95)], base: -0.25 * half, tint, roughness: 0.85 }
            },
            stone,
        );
    }
    let grain = surface.noise(Fbm, 64, 4, 0.7);
    for (i, grain) in grain.into_iter().enumerate() {
        surface.height[i] += 0.0006 * grain;
        surface.tint[i] = scaled(surface.tint[i], 1.0 + 0.12 * grain);
    }
}

/// Bare rock: broken blocks, cracks, and a rough grain.
fn rock(surface: &mut Surface) {
    let blocks = surface.cells(5, 0.45);
    let pieces = surface.cells(17, 0.5);
    let bulk = surface.noise(Ridged, 4, 6, 0.55);
    let grain = surface.noise(Fbm, 40, 5, 0.7);
    let patch = surface.noise(Fbm, 5, 6, 0.6);
    surface.paint(|i| {
        // Cracks open and close along their way.
        let crack = (1.0 - smooth(0.0, 0.06, blocks[i].border)) * smooth(-0.3, 0.5, bulk[i]);
        let fine = (1.0 - smooth(0.0, 0.10, pieces[i].border)) * smooth(0.0, 0.6, patch[i]);
        let step = smooth(0.0, 0.12, blocks[i].border) * (blocks[i].random - 0.5);
        let height = 0.026 * bulk[i] + 0.020 * step + 0.005 * pieces[i].random + 0.0024 * grain[i]
            - 0.009 * crack
            - 0.003 * fine;
        let bright = 1.0 + 0.16 * patch[i] + 0.15 * grain[i] + 0.10 * step - 0.3 * crack - 0.15 * fine;
        // Lichen.
        let lichen = smooth(0.35, 0.6, patch[i] * 0.7 + grain[i] * 0.5);
        (height, between(gray(bright), scaled([1.0, 1.05, 0.8], bright * 1.12), lichen), 0.85)
    });
}

/// Soft drifts with a fine grain.
fn snow(surface: &mut Surface) {
    let drifts = surface.noise(Billow, 4, 4, 0.45);
    let crust = surface.noise(Fbm, 14, 4, 0.6);
    let grain = surface.noise(Fbm, 120, 3, 0.8);
    surface.paint(|i| {
        let height = 0.010 * drifts[i] + 0.0022 * crust[i] + 0.0004 * grain[i];
        let shade = 1.0 + 0.015 * drifts[i] + 0.02 * crust[i] + 0.03 * grain[i];
        (height, [shade, shade, shade], 0.62 + 0.06 * crust[i])
    });
}

/// Grassland from afar: tufts, and patches of thin and of lush growth.
fn tussocks(surface: &mut Surface) {
    let tufts = surface.cells(30, 0.5);
    let patch = surface.noise(Fbm, 4, 7, 0.62);
    let dry = surface.noise(Fbm, 6, 6, 0.6);
    let fine = surface.noise(Fbm, 60, 4, 0.75);
    surface.paint(|i| {
        let dense = smooth(-0.4, 0.4, patch[i]);
        let tuft = smooth(0.0, 0.45, tufts[i].border) * smooth(0.3, 0.7, tufts[i].random + 0.4 * dense);
        let height = 0.0025 * tuft + 0.009 * patch[i] + 0.002 * fine[i];
        let bright = 1.0 + 0.22 * patch[i] - 0.12 * tuft + 0.16 * fine[i];
        let yellow = smooth(0.0, 0.7, dry[i] - 0.3 * tuft);
        (height, scaled(between([0.96, 1.0, 0.92], [1.22, 1.08, 0.84], yellow), bright), 0.95)
    });
}

/// Rock from afar: ledges, gullies and fallen blocks.
fn crags(surface: &mut Surface) {
    let size = surface.size;
    let walls = surface.noise(Ridged, 3, 7, 0.6);
    let blocks = surface.cells(8, 0.55);
    let pieces = surface.cells(27, 0.55);
    let bend = surface.noise(Fbm, 3, 5, 0.55);
    let patch = surface.noise(Fbm, 4, 7, 0.65);
    surface.paint(|i| {
        let up = (i / size) as f32 / size as f32;
        // Beds of rock of different strength, bent: a whole number of them fits the tile.
        let bed = 9.0 * up + 1.1 * bend[i];
        let ledge = (std::f32::consts::TAU * bed).sin() * 0.6 + (std::f32::consts::TAU * (2.0 * bed + 0.3)).sin() * 0.4;
        let crack = (1.0 - smooth(0.0, 0.10, blocks[i].border)) * smooth(-0.3, 0.4, patch[i]);
        let step = smooth(0.0, 0.2, blocks[i].border) * (blocks[i].random - 0.5);
        let small = smooth(0.0, 0.3, pieces[i].border) * (pieces[i].random - 0.5);
        let height = 0.040 * walls[i] + 0.008 * ledge + 0.022 * step + 0.007 * small - 0.008 * crack;
        let bright = 1.0 + 0.20 * patch[i] + 0.12 * walls[i] + 0.08 * ledge + 0.14 * step + 0.12 * small - 0.15 * crack;
        let warm = 0.05 * bend[i] + 0.05 * ledge;
        (height, scaled([1.0 + warm, 1.0, 1.0 - warm], bright), 0.9)
    });
}
