//! What is on cards: leaves, needles, bark and the grain of stone.

use super::CardTexture;
use super::PlantTexture;
use super::texture::{EMPTY, Texel, Texels};
use super::vector::{GOLDEN_ANGLE, unit};
use crate::noise::NoiseRng;
use libm::sincosf;
use std::f32::consts::TAU;

/// Texels in the making, in coordinates from -1 to 1, where y is up.
struct Painter {
    rng: NoiseRng,
    texels: Texels,
}

/// A leaf, a needle or a spot.
struct Leaf {
    center: [f32; 2],
    /// The angle of its length, in radians counterclockwise from x.
    angle: f32,
    /// Half of its length and half of its width.
    half: [f32; 2],
    brightness: f32,
    /// Whether it has pointed ends.
    is_pointed: bool,
}

pub(super) fn card(texture: CardTexture) -> Texels {
    let cover = match texture {
        CardTexture::Leaves | CardTexture::Tufts | CardTexture::Spray => EMPTY,
        CardTexture::Bark | CardTexture::Grain => {
            Texel { color: [1.0 / PlantTexture::CARD_SCALE; 3], cover: 1.0, ..EMPTY }
        }
    };
    let mut painter = Painter {
        rng: NoiseRng::new(0x6c65_6176_6573, texture as u64),
        texels: Texels::filled(PlantTexture::CARD_SIZE, cover),
    };
    match texture {
        CardTexture::Leaves => painter.leaves(58, 0.18, 0.46),
        CardTexture::Tufts => painter.leaves(190, 0.1, 0.42),
        CardTexture::Spray => painter.spray(),
        CardTexture::Bark => painter.bark(),
        CardTexture::Grain => painter.grain(),
    }
    painter.texels
}

impl Painter {
    fn random(&mut self, from: f32, to: f32) -> f32 {
        self.rng.next_in(f64::from(from), f64::from(to)) as f32
    }

    /// Leaves that look away from the middle.
    fn leaves(&mut self, count: usize, half: f32, width: f32) {
        for number in 0..count {
            // They are spread evenly, and the outer ones lie below.
            let turn = number as f32 * GOLDEN_ANGLE + self.random(-0.5, 0.5);
            let away = 0.05 + (0.93 - half) * (1.0 - number as f32 / count as f32).sqrt();
            let (sine, cosine) = sincosf(turn);
            let leaf = Leaf {
                center: [cosine * away, sine * away],
                angle: turn + self.random(-0.9, 0.9),
                half: [half * self.random(0.8, 1.1), half * width * self.random(0.85, 1.1)],
                brightness: self.random(0.7, 1.3),
                is_pointed: true,
            };
            self.paint(&leaf);
        }
    }

    /// A twig from the bottom to the top, with twigs and needles to its sides.
    fn spray(&mut self) {
        const TWIGS: usize = 15;
        let needle = |painter: &mut Self, from: [f32; 2], angle: f32, long: f32| {
            let (sine, cosine) = sincosf(angle);
            let brightness = painter.random(0.65, 1.35);
            painter.paint(&Leaf {
                center: [from[0] + cosine * long * 0.5, from[1] + sine * long * 0.5],
                angle,
                half: [long * 0.5, 0.016],
                brightness,
                is_pointed: false,
            });
        };
        for twig in 0..TWIGS {
            let along = twig as f32 / TWIGS as f32;
            let start = [0.0, -0.95 + 1.75 * along];
            for side in [-1.0, 1.0] {
                let upright = 0.62 + 0.3 * along + self.random(-0.12, 0.12);
                let angle = TAU / 4.0 - side * (TAU / 4.0 - upright);
                let long = (0.92 - 0.74 * along) * self.random(0.8, 1.05);
                let (sine, cosine) = sincosf(angle);
                let needles = (long * 22.0) as usize;
                for number in 0..needles {
                    let part = number as f32 / needles as f32;
                    let place = [start[0] + cosine * long * part, start[1] + sine * long * part];
                    for lean in [-0.75, 0.75] {
                        let angle = angle + lean + self.random(-0.2, 0.2);
                        let long = self.random(0.09, 0.14);
                        needle(self, place, angle, long);
                    }
                }
                needle(self, start, angle, long);
            }
        }
        needle(self, [0.0, -1.0], TAU / 4.0, 1.9);
    }

    /// Long ridges and cracks.
    fn bark(&mut self) {
        for _ in 0..260 {
            let leaf = Leaf {
                center: [self.random(-1.05, 1.05), self.random(-1.1, 1.1)],
                angle: TAU / 4.0 + self.random(-0.12, 0.12),
                half: [self.random(0.1, 0.35), self.random(0.012, 0.035)],
                brightness: self.random(0.6, 1.3),
                is_pointed: true,
            };
            self.paint(&leaf);
        }
    }

    /// Spots of all sizes.
    fn grain(&mut self) {
        for number in 0..420_u16 {
            let half = 0.5 / (1.0 + 0.035 * f32::from(number));
            let leaf = Leaf {
                center: [self.random(-1.2, 1.2), self.random(-1.2, 1.2)],
                angle: self.random(0.0, TAU),
                half: [half, half * self.random(0.4, 0.9)],
                brightness: self.random(0.8, 1.18),
                is_pointed: false,
            };
            self.paint(&leaf);
        }
    }

    /// Paints a leaf over what is there.
    fn paint(&mut self, leaf: &Leaf) {
        // Leaves look in different directions. Halves of a leaf do too.
        let lean = [self.random(-0.45, 0.45), self.random(-0.3, 0.5)];
        let (sine, cosine) = sincosf(leaf.angle);
        let size = self.texels.size;
        let [long, wide] = leaf.half;
        let texel = |along: f32| (along + 1.0) * 0.5 * size as f32;
        let span = |middle: f32| {
            let [first, last] =
                [middle - long, middle + long].map(|along| texel(along).clamp(0.0, size as f32) as usize);
            first..(last + 1).min(size)
        };
        for row in span(-leaf.center[1]) {
            for column in span(leaf.center[0]) {
                let [x, down] = [column, row].map(|index| (index as f32 + 0.5) / size as f32 * 2.0 - 1.0);
                let [x, y] = [x - leaf.center[0], -down - leaf.center[1]];
                let [along, across] = [(x * cosine + y * sine) / long, (y * cosine - x * sine) / wide];
                let width = if leaf.is_pointed { 1.0 - along * along } else { (1.0 - along * along).max(0.0).sqrt() };
                if along.abs() < 1.0 && across.abs() < width {
                    let half = if across > 0.0 { 1.06 } else { 0.94 };
                    let side = 0.25 * across.signum();
                    let normal = unit([lean[0] - side * sine, lean[1] + side * cosine, 1.0]);
                    self.texels.texels[row * size + column] =
                        Texel { color: [leaf.brightness * half / PlantTexture::CARD_SCALE; 3], normal, cover: 1.0 };
                }
            }
        }
    }
}
