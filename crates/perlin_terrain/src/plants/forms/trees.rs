//! Trees and bushes: a trunk, branches, and a crown of cards.

use super::builder::{Card, FormBuilder};
use super::vector::{GOLDEN_ANGLE, Vec3, add, cross, mix, scaled, unit, unit_or};
use super::{CardTexture, PlantForm};
use crate::plants::PlantKind;
use libm::{powf, sincosf};
use std::f32::consts::TAU;

const BARK: Vec3 = [0.085, 0.062, 0.045];

/// A direction along the ground, at an angle in radians.
fn outward(angle: f32) -> Vec3 {
    let (sine, cosine) = sincosf(angle);
    [cosine, 0.0, sine]
}

/// A trunk up to this height, which leans a little. Returns its top.
fn trunk(form: &mut FormBuilder, kind: PlantKind, height: f32, top: f32) -> Vec3 {
    let radius = kind.trunk_radius(1.0);
    let lean = [form.random(-1.0, 1.0), 0.0, form.random(-1.0, 1.0)];
    // The axis goes through the foot.
    let [bottom, tip] = [-PlantForm::BELOW, height].map(|y| add([0.0, y, 0.0], scaled(lean, 0.03 * y)));
    // It narrows all the way up, and has about the radius of the collider at the height of a body.
    form.trunk([bottom, tip], [radius * 1.45, top], 7, BARK);
    tip
}

/// A crown of round lobes.
struct Crown {
    center: Vec3,
    /// Half of its width and half of its height.
    radii: [f32; 2],
    lobes: usize,
    cards: usize,
    /// Half the side of a card.
    card: f32,
    texture: CardTexture,
    color: Vec3,
    /// The light at its lowest leaves, as a part of that at the highest ones.
    shade: f32,
}

impl Crown {
    fn add_to(&self, form: &mut FormBuilder) {
        let [width, height] = self.radii;
        let lobes: Vec<(Vec3, f32)> = (0..self.lobes)
            .map(|lobe| {
                let part = lobe as f32 / (self.lobes - 1).max(1) as f32;
                let rise = (part - 0.45) * 1.3;
                let away = (1.0 - rise * rise * 0.5).max(0.2) * form.random(0.45, 0.65);
                let direction = outward(lobe as f32 * GOLDEN_ANGLE + form.random(-0.4, 0.4));
                let place = [direction[0] * width * away, rise * height * 0.62, direction[2] * width * away];
                (place, form.random(0.5, 0.7))
            })
            .collect();
        for number in 0..self.cards {
            let (lobe, size) = lobes[number % self.lobes];
            let mut direction = form.direction();
            // Few leaves look to the ground.
            if direction[1] < -0.45 {
                direction[1] = -direction[1];
            }
            let depth = size * form.random(0.6, 0.95);
            let place =
                add(lobe, [direction[0] * width * depth, direction[1] * height * depth, direction[2] * width * depth]);
            let of_crown = unit([place[0] / width, place[1] / height + 0.25, place[2] / width]);
            let normal = unit(add(of_crown, scaled(direction, 0.5)));
            let random = form.direction();
            let u = unit_or(cross(normal, random), [1.0, 0.0, 0.0]);
            let v = unit(cross(u, unit(add(normal, scaled(random, 1.4)))));
            let rise = (place[1] / height * 0.5 + 0.5).clamp(0.0, 1.0);
            // Leaves within the crown get less light.
            let inside = (1.0 - depth / 0.65).clamp(0.0, 1.0);
            let light = (self.shade + (1.0 - self.shade) * rise) * (1.0 - 0.45 * inside) * form.random(0.85, 1.15);
            let side = self.card * form.random(0.85, 1.15);
            form.card(&Card {
                center: add(self.center, place),
                normal,
                axes: [scaled(u, side), scaled(v, side)],
                texture: self.texture,
                color: scaled(self.color, light),
                round: 0.3,
            });
        }
    }
}

/// An oak or a beech.
pub(super) fn broadleaf(form: &mut FormBuilder) {
    let crown = Crown {
        center: [0.0, form.random(0.57, 0.61), 0.0],
        radii: [form.random(0.35, 0.43), form.random(0.36, 0.39)],
        lobes: 7,
        cards: 165,
        card: 0.104,
        texture: CardTexture::Leaves,
        color: PlantKind::Broadleaf.color(),
        shade: 0.5,
    };
    let top = trunk(form, PlantKind::Broadleaf, crown.center[1] - 0.12, 0.017);
    for branch in 0..5_u8 {
        let direction = outward(f32::from(branch) * GOLDEN_ANGLE + form.random(-0.3, 0.3));
        let rise = form.random(0.10, 0.2);
        let end = add(top, [direction[0] * 0.19, rise, direction[2] * 0.19]);
        let start = mix([0.0, 0.3, 0.0], top, f32::from(branch + 2) / 6.0);
        form.branch([start, end], [0.011, 0.004], BARK);
    }
    crown.add_to(form);
}

/// An acacia, or a pine by the sea.
pub(super) fn umbrella(form: &mut FormBuilder) {
    let crown = Crown {
        center: [0.0, 0.86, 0.0],
        radii: [form.random(0.44, 0.52), 0.12],
        lobes: 11,
        cards: 150,
        card: 0.088,
        texture: CardTexture::Tufts,
        color: PlantKind::Umbrella.color(),
        shade: 0.45,
    };
    let height = form.random(0.44, 0.52);
    let top = trunk(form, PlantKind::Umbrella, height, 0.02);
    for branch in 0..7_u8 {
        let direction = outward(f32::from(branch) * GOLDEN_ANGLE + form.random(-0.3, 0.3));
        let reach = form.random(0.2, 0.34);
        let end = [top[0] + direction[0] * reach, form.random(0.8, 0.86), top[2] + direction[2] * reach];
        // They show at any distance.
        form.trunk([top, end], [0.014, 0.004], 3, BARK);
    }
    crown.add_to(form);
}

/// Leaves down to the ground.
pub(super) fn bush(form: &mut FormBuilder) {
    let crown = Crown {
        center: [0.0, 0.33, 0.0],
        radii: [form.random(0.48, 0.6), 0.46],
        lobes: 5,
        cards: 54,
        card: 0.2,
        texture: CardTexture::Tufts,
        color: PlantKind::Bush.color(),
        shade: 0.4,
    };
    for branch in 0..4_u8 {
        let direction = outward(f32::from(branch) * GOLDEN_ANGLE);
        let end = add(scaled(direction, 0.25), [0.0, 0.5, 0.0]);
        form.branch([[0.0, -PlantForm::BELOW, 0.0], end], [0.03, 0.01], BARK);
    }
    crown.add_to(form);
}

/// A spruce or a fir.
pub(super) fn conifer(form: &mut FormBuilder) {
    const WHORLS: usize = 20;
    const BRANCHES: usize = 8;
    let color = PlantKind::Conifer.color();
    trunk(form, PlantKind::Conifer, 0.97, 0.004);
    let widest = form.random(0.19, 0.24);
    let lowest = form.random(0.09, 0.14);
    for whorl in 0..WHORLS {
        let rise = (whorl as f32 + 0.3) / WHORLS as f32;
        let reach = widest * powf(1.0 - rise, 0.85) + 0.016;
        let height = lowest + rise * (0.985 - lowest);
        for branch in 0..BRANCHES {
            let turn = (branch as f32 + form.random(0.0, 0.7)) / BRANCHES as f32;
            let away = outward(turn * TAU + whorl as f32 * GOLDEN_ANGLE);
            let long = reach * form.random(0.75, 1.1);
            // Low branches hang, high ones rise.
            let droop = 0.55 - 0.75 * rise + form.random(-0.12, 0.12);
            let along = unit([away[0], -droop, away[2]]);
            // A spray is turned about its twig, so that it is never seen from its edge alone.
            let (sine, cosine) = sincosf(form.random(-0.95, 0.95));
            let side = cross([0.0, 1.0, 0.0], away);
            let flat = unit(add(scaled(side, cosine), scaled(cross(along, side), sine)));
            let half = 0.56 * long;
            let center = add([0.0, height, 0.0], scaled(along, 0.5 * long));
            let light = (0.62 + 0.38 * rise) * form.random(0.8, 1.2);
            form.card(&Card {
                center,
                normal: unit([away[0], 0.6, away[2]]),
                axes: [scaled(flat, 0.62 * half + 0.012), scaled(along, half)],
                texture: CardTexture::Spray,
                color: scaled(color, light),
                round: 0.15,
            });
        }
    }
    // The tip.
    for turn in [0.0, 1.1, 2.2] {
        form.card(&Card {
            center: [0.0, 0.955, 0.0],
            normal: unit([0.2, 1.0, 0.1]),
            axes: [scaled(outward(turn), 0.022), [0.0, 0.05, 0.0]],
            texture: CardTexture::Spray,
            color,
            round: 0.3,
        });
    }
}
