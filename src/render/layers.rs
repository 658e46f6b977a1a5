//! The layers of the ground, and how much of each a place has. `layers.wgsl` has the same arithmetic for the graphics card.

use super::{GroundTexture, LookSettings};

/// The layers of the ground, from the lowest to the topmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum GroundLayer {
    /// Grass.
    Grass,
    /// Dry grass, in patches.
    Meadow,
    /// Fallen leaves, in patches on grass.
    ForestFloor,
    /// Sand or gravel on low ground.
    Sand,
    /// Loose stones, where the ground is nearly steep enough to be rock.
    Scree,
    /// Bare rock on steep ground.
    Rock,
    /// Snow on high ground.
    Snow,
}

impl GroundLayer {
    /// All layers, from the lowest to the topmost.
    pub const ALL: [Self; 7] =
        [Self::Grass, Self::Meadow, Self::ForestFloor, Self::Sand, Self::Scree, Self::Rock, Self::Snow];

    /// The sRGB color of the layer.
    #[must_use]
    pub fn color(self, look: &LookSettings) -> [f32; 3] {
        let between = |a: [f32; 3], b: [f32; 3], part: f32| std::array::from_fn(|i| a[i] + part * (b[i] - a[i]));
        match self {
            Self::Grass => look.grass,
            Self::Meadow => look.meadow,
            Self::ForestFloor => between(look.grass, [0.30, 0.23, 0.16], 0.7),
            Self::Sand => look.sand,
            Self::Scree => between(look.rock, look.sand, 0.25),
            Self::Rock => look.rock,
            Self::Snow => look.snow,
        }
    }

    /// What the layer looks like close up.
    #[must_use]
    pub const fn texture(self, look: &LookSettings) -> GroundTexture {
        match self {
            Self::Grass => look.grass_texture,
            Self::Meadow => look.meadow_texture,
            Self::ForestFloor => GroundTexture::Leaves,
            Self::Sand => look.sand_texture,
            Self::Scree => GroundTexture::Stones,
            Self::Rock => look.rock_texture,
            Self::Snow => look.snow_texture,
        }
    }
}

/// What the layers of a place depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPlace {
    /// The height in metres.
    pub height: f32,
    /// The angle between the ground and the level, in radians.
    pub slope: f32,
    /// Noise from -0.5 to 0.5 with cells of 175 m, 54 m, 17 m and 5.5 m, which makes patches and ragged borders. Zeros give the
    /// layers without it.
    pub noise: [f32; 4],
}

impl LookSettings {
    /// How much of a place each layer covers, in the order of [`GroundLayer::ALL`]. The sum is 1.
    #[must_use]
    pub fn layer_weights(&self, place: &GroundPlace) -> [f32; 7] {
        let GroundPlace { height, slope, noise: [n175, n54, n17, n5] } = *place;
        let [variation, rock_slope] = [self.variation, self.rock_slope].map(|n| n as f32);
        let blend = self.blend_height.max(1e-3) as f32;
        let fertile = if self.grass_texture == GroundTexture::Grass { variation } else { 0.0 };
        let broad = n175 + 0.55 * n54;
        let middle = n17 + 0.6 * n5;
        let wobble = variation * (1.3 * middle + broad);

        let meadow = smoothstep(-0.3, 0.3, (0.8 * broad + 0.6 * middle) * (0.5 + variation));
        let forest = fertile * smoothstep(0.06, 0.26, n5 + 0.5 * n17 - 0.5 * broad) * (1.0 - 0.6 * meadow);
        let shore = self.sand_height as f32 + 0.5 * wobble * blend;
        let sand = 1.0 - smoothstep(shore - 0.25 * blend, shore + 0.25 * blend, height);
        let steep = slope - rock_slope + 0.22 * wobble;
        let rock = smoothstep(-0.09, 0.09, steep) * (1.0 - 0.6 * sand);
        let scree = smoothstep(-0.12, -0.02, steep) * smoothstep(-0.2, 0.2, n54 + 0.7 * n17);
        // The higher the ground, the steeper it may be and still have snow.
        let above = height - self.snow_height as f32 + 2.5 * wobble * blend;
        let too_steep = slope + 0.15 * wobble - (above / (30.0 * blend)).clamp(0.0, 0.25);
        let hold = 1.0 - smoothstep(rock_slope - 0.02, rock_slope + 0.25, too_steep);
        let snow = smoothstep(-blend, blend, above) * hold;

        // Each layer lies on those before.
        let mut weights = [1.0, meadow, forest, sand, scree, rock, snow];
        let mut free = 1.0;
        for weight in weights.iter_mut().rev() {
            *weight *= free;
            free -= *weight;
        }
        weights
    }
}

/// 0 up to `from`, 1 from `to` on, and a smooth curve between.
fn smoothstep(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: GroundPlace = GroundPlace { height: 300.0, slope: 0.0, noise: [0.0; 4] };

    /// The layer that covers most of a place.
    fn most(look: &LookSettings, place: GroundPlace) -> GroundLayer {
        let weights = look.layer_weights(&place);
        let most = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
        GroundLayer::ALL[most.expect("there are layers")]
    }

    #[test]
    fn height_slope_and_noise_choose_the_layer() {
        let look = LookSettings::default();
        let at = |height, slope, n175| most(&look, GroundPlace { height, slope, noise: [n175, 0.0, 0.0, 0.0] });
        assert_eq!(at(300.0, 0.0, -0.4), GroundLayer::Grass);
        assert_eq!(at(300.0, 0.0, 0.4), GroundLayer::Meadow);
        assert_eq!(at(-5.0, 0.0, 0.0), GroundLayer::Sand);
        assert_eq!(at(300.0, 1.0, 0.0), GroundLayer::Rock);
        assert_eq!(at(1500.0, 0.2, 0.0), GroundLayer::Snow);
        assert_eq!(at(1500.0, 1.3, 0.0), GroundLayer::Rock, "snow slides off");
        let stones = GroundPlace { slope: 0.55, noise: [0.0, 0.3, 0.0, 0.0], ..LEVEL };
        assert_eq!(most(&look, stones), GroundLayer::Scree);
        let leaves = GroundPlace { noise: [-0.4, 0.0, 0.2, 0.4], ..LEVEL };
        let look = LookSettings { variation: 1.0, ..look };
        assert_eq!(most(&look, leaves), GroundLayer::ForestFloor);
        let barren = LookSettings { grass_texture: GroundTexture::Sand, ..look };
        assert_eq!(most(&barren, leaves), GroundLayer::Grass, "no leaves on sand");
    }

    #[test]
    fn the_shader_has_the_same_numbers_in_the_same_order() {
        let numbers = |source: &'static str| {
            let start = source.find("    let broad = ").expect("the first line of the arithmetic");
            let end = start + source[start..].find("// Each layer lies").expect("the end of the arithmetic");
            source[start..end]
                .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.' && letter != '_')
                .filter(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))
                .collect::<Vec<_>>()
        };
        let (rust, shader) = (numbers(include_str!("layers.rs")), numbers(include_str!("draw/layers.wgsl")));
        assert!(rust.len() > 30, "{rust:?}");
        assert_eq!(rust, shader);
        let layers = format!("const LAYERS: u32 = {}u;", GroundLayer::ALL.len());
        assert!(include_str!("draw/layers.wgsl").contains(&layers));
    }

    #[test]
    fn weights_add_up_to_one_and_do_not_jump() {
        let look = LookSettings { variation: 1.0, ..LookSettings::default() };
        let mut before = look.layer_weights(&LEVEL);
        for i in 0..40_000_u32 {
            let t = i as f32 / 40_000.0;
            let wave = |turns: f32| 0.5 * (turns * t * std::f32::consts::TAU).sin();
            let place = GroundPlace {
                height: 500.0 + 1400.0 * wave(3.0),
                slope: 0.75 + 1.5 * wave(7.0),
                noise: [wave(5.0), wave(11.0), wave(13.0), wave(17.0)],
            };
            let weights = look.layer_weights(&place);
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
            if i > 0 {
                let jump = (0..7).map(|i| (weights[i] - before[i]).abs()).fold(0.0, f32::max);
                assert!(jump < 0.1, "{jump} at {place:?}");
            }
            before = weights;
        }
    }
}
