//! The short form of a look: the layers that follow from five colors, their textures, two heights and a slope.

use super::ground_layer::{GroundLayer, HeightRange, NoiseRange, SlopeRange};
use super::{GroundTexture, LookSettings};

/// The color of fallen leaves.
const LEAVES: [f32; 3] = [0.30, 0.23, 0.16];

impl LookSettings {
    /// The layers of the ground, from the lowest to the topmost: the list, or without one the seven layers that follow from the
    /// colors, the heights and the slope.
    #[must_use]
    pub fn ground_layers(&self) -> Vec<GroundLayer> {
        if !self.layers.is_empty() {
            return self.layers.clone();
        }
        let variation = self.variation;
        let layer = |name: &str, color, texture| GroundLayer {
            name: name.to_owned(),
            color,
            texture,
            ragged: variation,
            ..GroundLayer::default()
        };
        let patches = |size, from, fade| NoiseRange { size, from, fade, ..NoiseRange::default() };
        // The list must be one that a file may have.
        let slope = |from: f64, fade| SlopeRange { from: from.clamp(0.0, 1.5), fade, ..SlopeRange::default() };
        let dry_from = (0.65 / (0.5 + variation)).min(1.0);
        // Only grass has leaves on it.
        let fertile = if self.grass_texture == GroundTexture::Grass { variation } else { 0.0 };
        // Only rock breaks into stones.
        let brittle = if self.rock_texture == GroundTexture::Rock { 1.0 } else { 0.0 };
        let grass = layer("grass", self.grass, self.grass_texture);
        let dry_grass = GroundLayer {
            noise: patches(60.0, dry_from, 2.0 * dry_from),
            ragged: 0.0,
            ..layer("dry grass", self.meadow, self.meadow_texture)
        };
        let forest_floor = GroundLayer {
            opacity: 0.65 * fertile,
            noise: patches(6.0, 0.6, 0.4),
            ragged: 0.0,
            ..layer("forest floor", between(self.grass, LEAVES, 0.7), GroundTexture::Leaves)
        };
        let sand = GroundLayer {
            height: HeightRange {
                to: self.sand_height - 0.25 * self.blend_height,
                fade: (0.5 * self.blend_height).max(0.1),
                ..HeightRange::default()
            },
            ..layer("sand", self.sand, self.sand_texture)
        };
        let scree = GroundLayer {
            opacity: brittle,
            slope: slope(self.rock_slope - 0.02, 0.1),
            noise: patches(40.0, 0.4, 0.8),
            ..layer("scree", between(self.rock, self.sand, 0.25), GroundTexture::Stones)
        };
        let rock =
            GroundLayer { slope: slope(self.rock_slope + 0.09, 0.18), ..layer("rock", self.rock, self.rock_texture) };
        let snow = GroundLayer {
            height: HeightRange {
                from: self.snow_height + self.blend_height,
                fade: 2.0 * self.blend_height,
                ..HeightRange::default()
            },
            slope: SlopeRange { to: (self.rock_slope + 0.1).min(1.5), fade: 0.27, ..SlopeRange::default() },
            ..layer("snow", self.snow, self.snow_texture)
        };
        vec![grass, dry_grass, forest_floor, sand, scree, rock, snow]
    }
}

/// A color between two.
fn between(a: [f32; 3], b: [f32; 3], part: f32) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + part * (b[i] - a[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::{GroundLayers, GroundPlace};
    use crate::param::{self, ParamMut, ParamVisitor, Params};
    use crate::property::for_all;
    use proptest::collection::vec;

    #[test]
    fn height_slope_and_noise_choose_the_layer() {
        let look = LookSettings::default();
        let most = |look: &LookSettings, height: f32, slope: f32, noise| {
            let place =
                GroundPlace { height, normal: [0.0, slope.cos(), slope.sin()], noise, ..GroundPlace::default() };
            GroundLayers::new(look).strongest(&place).name.clone()
        };
        let at = |height, slope, broad| most(&look, height, slope, [broad, 0.0, 0.0, 0.0]);
        assert_eq!(at(300.0, 0.0, -0.4), "grass");
        assert_eq!(at(300.0, 0.0, 0.4), "dry grass");
        assert_eq!(at(-5.0, 0.0, 0.0), "sand");
        assert_eq!(at(300.0, 1.0, 0.0), "rock");
        assert_eq!(at(1500.0, 0.2, 0.0), "snow");
        assert_eq!(at(1500.0, 1.3, 0.0), "rock", "snow slides off");
        assert_eq!(most(&look, 300.0, 0.55, [0.0, 0.3, 0.0, 0.0]), "scree");
        let smooth = LookSettings { rock_texture: GroundTexture::Sand, ..look.clone() };
        assert_ne!(most(&smooth, 300.0, 0.55, [0.0, 0.3, 0.0, 0.0]), "scree", "no stones below steep sand");
        let leaves = [-0.4, 0.0, 0.2, 0.4];
        let look = LookSettings { variation: 1.0, ..look };
        assert_eq!(most(&look, 300.0, 0.0, leaves), "forest floor");
        let barren = LookSettings { grass_texture: GroundTexture::Sand, ..look };
        assert_eq!(most(&barren, 300.0, 0.0, leaves), "grass", "no leaves on sand");
    }

    #[test]
    fn the_layers_of_any_short_form_may_stand_in_a_file() {
        for_all(300, vec(0.0..=1.0, 8), |parts| {
            let mut look = LookSettings::default();
            let mut parts = parts.into_iter().cycle();
            look.visit(&mut ParamVisitor::new(&mut |_, param, value| {
                if let ParamMut::Float(value) = value {
                    *value = param.min + (param.max - param.min) * parts.next().unwrap_or_default();
                }
            }));
            let layers = look.ground_layers();
            assert_eq!(param::check(&mut LookSettings { layers: layers.clone(), ..look.clone() }), []);
            assert_eq!(LookSettings { layers: layers.clone(), ..look }.ground_layers(), layers);
        });
    }
}
