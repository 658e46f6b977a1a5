//! Colors for values from 0 to 1.

use clap::ValueEnum;

/// A way to color a noise. The values of an image, from its lowest to its highest, run through all of its colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ramp {
    /// White on a blue sky
    Clouds,
    /// Rings of light and dark wood
    Wood,
    /// Dark veins in white stone
    Marble,
    /// From black over red and yellow to white
    Fire,
    /// Sea, sand, grass, rock and snow, in the light of an evening
    Land,
}

type Rgb = [f32; 3];

/// Values and their sRGB colors, from 0 to 1, with even passages between them.
type Stops = &'static [(f32, Rgb)];

const fn rgb(hex: u32) -> Rgb {
    [(hex >> 16 & 255) as f32, (hex >> 8 & 255) as f32, (hex & 255) as f32]
}

const CLOUDS: Stops = &[
    (0.0, rgb(0x2f_6c_b3)),
    (0.40, rgb(0x5d_97_d3)),
    (0.52, rgb(0x9d_c1_e6)),
    (0.66, rgb(0xe4_ec_f4)),
    (0.82, rgb(0xff_ff_ff)),
    (1.0, rgb(0xe6_e9_ee)),
];

const WOOD: Stops = &[
    (0.0, rgb(0x6b_41_20)),
    (0.12, rgb(0x8f_5d_31)),
    (0.45, rgb(0xbd_87_4d)),
    (0.80, rgb(0xd3_a2_66)),
    (0.93, rgb(0xa8_72_3c)),
    (1.0, rgb(0x6b_41_20)),
];

/// Rings of wood from the lowest to the highest value.
const RINGS: f32 = 9.0;

const MARBLE: Stops = &[
    (0.0, rgb(0xf6_f3_ee)),
    (0.45, rgb(0xee_ea_e4)),
    (0.68, rgb(0xcf_cc_ca)),
    (0.84, rgb(0x8c_8d_93)),
    (1.0, rgb(0x3a_3d_46)),
];

const FIRE: Stops = &[
    (0.0, rgb(0x05_02_04)),
    (0.25, rgb(0x3f_06_05)),
    (0.45, rgb(0xa6_1a_05)),
    (0.62, rgb(0xec_5b_06)),
    (0.78, rgb(0xfd_ae_1c)),
    (0.90, rgb(0xff_e9_78)),
    (1.0, rgb(0xff_ff_ee)),
];

/// The value of the shore.
const SHORE: f32 = 0.42;

const LAND: Stops = &[
    (0.0, rgb(0x0b_2a_4a)),
    (0.25, rgb(0x16_4d_78)),
    (0.40, rgb(0x35_86_a8)),
    (SHORE, rgb(0x5f_ae_bd)),
    (0.425, rgb(0xd9_c9_94)),
    (0.455, rgb(0xc9_b8_7c)),
    (0.48, rgb(0x7d_9a_4e)),
    (0.60, rgb(0x4b_74_35)),
    (0.70, rgb(0x63_6b_42)),
    (0.78, rgb(0x7c_70_62)),
    (0.87, rgb(0x93_8a_82)),
    (0.91, rgb(0xe9_ec_f0)),
    (1.0, rgb(0xff_ff_ff)),
];

impl Ramp {
    /// The color of a value from 0 to 1. `slope` is how much values rise toward the light, per cell: it shades the land.
    pub fn color(self, value: f32, slope: f32) -> [u8; 3] {
        let value = value.clamp(0.0, 1.0);
        let color = match self {
            Self::Clouds => between(CLOUDS, value),
            Self::Wood => {
                let rings = value * RINGS;
                between(WOOD, rings - rings.floor())
            }
            Self::Marble => between(MARBLE, value),
            Self::Fire => between(FIRE, value),
            Self::Land => {
                // Water is flat; what shines through of its ground is little.
                let strength = if value < SHORE { 0.12 } else { 0.55 };
                let light = 1.0 - strength * slope / (1.0 + slope * slope).sqrt();
                between(LAND, value).map(|channel| channel * light)
            }
        };
        color.map(|channel| channel.round().clamp(0.0, 255.0) as u8)
    }

    /// Whether the slope matters.
    pub const fn is_shaded(self) -> bool {
        matches!(self, Self::Land)
    }
}

fn between(stops: Stops, value: f32) -> Rgb {
    let after = stops.iter().position(|&(at, _)| at >= value).unwrap_or(stops.len() - 1).max(1);
    let [(low, from), (high, to)] = [stops[after - 1], stops[after]];
    let t = (value - low) / (high - low);
    std::array::from_fn(|channel| from[channel] + t * (to[channel] - from[channel]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_run_from_0_to_1_and_colors_meet_at_them() {
        for stops in [CLOUDS, WOOD, MARBLE, FIRE, LAND] {
            assert_eq!((stops[0].0, stops[stops.len() - 1].0), (0.0, 1.0));
            assert!(stops.is_sorted_by(|a, b| a.0 < b.0));
            for &(at, color) in stops {
                let apart = between(stops, at).iter().zip(color).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(apart < 0.01, "at {at}");
            }
        }
    }

    #[test]
    fn rings_of_wood_close() {
        assert_eq!(WOOD[0].1, WOOD[WOOD.len() - 1].1);
        assert_eq!(Ramp::Wood.color(0.0, 0.0), Ramp::Wood.color(2.0 / RINGS, 0.0));
    }

    #[test]
    fn slopes_toward_the_light_are_darker_behind_it_and_only_on_land() {
        let brightness =
            |ramp: Ramp, slope| ramp.color(0.6, slope).iter().map(|&channel| u32::from(channel)).sum::<u32>();
        assert!(brightness(Ramp::Land, 0.5) < brightness(Ramp::Land, 0.0));
        assert!(brightness(Ramp::Land, 0.0) < brightness(Ramp::Land, -0.5));
        for ramp in Ramp::value_variants().iter().filter(|ramp| !ramp.is_shaded()) {
            assert_eq!(ramp.color(0.6, 0.5), ramp.color(0.6, -0.5));
        }
    }

    #[test]
    fn values_beyond_the_ends_have_the_colors_of_the_ends() {
        for &ramp in Ramp::value_variants() {
            assert_eq!(ramp.color(-3.0, 0.0), ramp.color(0.0, 0.0));
            assert_eq!(ramp.color(3.0, 0.0), ramp.color(1.0, 0.0));
        }
    }
}
