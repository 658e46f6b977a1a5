//! Clouds: one flat deck above the ground, whose pattern moves with the wind.
//!
//! The pattern is a texture of the crate's own noise that repeats. Its values are spread evenly from 0 to 1, so the part of the sky that is
//! above a threshold is known, and `cover` needs no search. `clouds.wesl` of `bevy_perlin_terrain` draws them.

use super::settings::{Clouds, SkySettings};
use super::sun::{SUNLIGHT, luminance};
use crate::half::half;
use crate::noise::FractalShape;
use crate::period::PERIOD;
use crate::tile_noise::tile_noise;
use std::f64::consts::PI;

/// The side of the texture in texels.
pub const TEXELS: usize = 512;

/// How many times the fine scale of the pattern repeats while the coarse one does once.
pub const FINE: f32 = 5.0;

/// How much the fine scale counts, compared with the coarse one.
pub const DETAIL: f32 = 0.4;

/// From the edge of a cloud to where it is densest, in values of the pattern.
pub const EDGE: f32 = 0.3;

/// The optical depth of a cloud where it is densest.
pub const DEPTH: f32 = 3.5;

/// A part of the pattern: for each texel, row by row, a value from 0 to 1. The values are spread evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Coarse,
    Fine,
}

impl Scale {
    /// Computes the values.
    #[must_use]
    pub fn values(self) -> Vec<f32> {
        even(&match self {
            Self::Coarse => tile_noise(TEXELS, FractalShape::Fbm, 5, 6, 0.55, 71),
            Self::Fine => tile_noise(TEXELS, FractalShape::Billow, 8, 6, 0.6, 72),
        })
    }
}

/// The texture with all its mip levels, from the largest: for each texel, the coarse and the fine values as `f16`.
#[must_use]
pub fn texture(coarse: Vec<f32>, fine: Vec<f32>) -> Vec<u8> {
    let mut levels = [coarse, fine];
    let mut bytes = Vec::new();
    let mut side = TEXELS;
    loop {
        bytes
            .extend(levels[0].iter().zip(&levels[1]).flat_map(|(&coarse, &fine)| [half(coarse), half(fine)]).flatten());
        if side == 1 {
            return bytes;
        }
        levels = levels.map(|level| halved(&level, side));
        side /= 2;
    }
}

/// The next mip level of one with this side.
fn halved(level: &[f32], side: usize) -> Vec<f32> {
    let texel = |row: usize, column: usize| level[row * side + column];
    let mean = |i: usize| {
        let (row, column) = (i / (side / 2) * 2, i % (side / 2) * 2);
        0.25 * (texel(row, column) + texel(row, column + 1) + texel(row + 1, column) + texel(row + 1, column + 1))
    };
    (0..side * side / 4).map(mean).collect()
}

/// Replaces each value by the part of all values that are lower.
fn even(values: &[f32]) -> Vec<f32> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut parts = vec![0.0; values.len()];
    for (rank, index) in order.into_iter().enumerate() {
        parts[index as usize] = (rank as f32 + 0.5) / values.len() as f32;
    }
    parts
}

impl Clouds {
    /// The part of daylight that is left below them: a quarter with full cover. Source: Kasten and Czeplak, Solar and terrestrial radiation
    /// dependent on the amount and type of cloud, 1980.
    #[must_use]
    pub fn daylight(&self) -> f64 {
        1.0 - 0.75 * libm::pow(self.cover, 3.4)
    }

    /// The side of a tile of the pattern in metres: about four times the size of a cloud. It repeats a whole number of times in the period of
    /// the ground's pattern.
    #[must_use]
    pub fn tile(&self) -> f64 {
        PERIOD / (PERIOD / (4.0 * self.size)).round().max(1.0)
    }

    /// Where a position lies on the pattern, in tiles from 0 to 1. The position is in metres along x and z, less the way that the wind has
    /// moved the clouds.
    #[must_use]
    pub fn offset(&self, position: [f64; 2]) -> [f64; 2] {
        let tile = self.tile();
        position.map(|metres| {
            let part = if metres.is_finite() { metres.rem_euclid(tile) / tile } else { 0.0 };
            // Rounding may give 1.
            if part < 1.0 { part } else { 0.0 }
        })
    }

    /// The value of the pattern at which clouds begin. None reach it without cover, and all are dense with full cover.
    #[must_use]
    pub fn threshold(&self) -> f32 {
        // The pattern is the sum of two numbers that are spread evenly. The part of it above this middle of an edge is `cover`.
        let tail = |part: f32| 0.5 * DETAIL - (2.0 * DETAIL * part).sqrt();
        let cover = self.cover as f32;
        let few = (cover / (0.5 * DETAIL)).min(1.0);
        let most = ((cover - 1.0) / (0.5 * DETAIL) + 1.0).max(0.0);
        let middle = if few < 1.0 {
            1.0 + tail(cover)
        } else if most > 0.0 {
            -tail(1.0 - cover)
        } else {
            1.0 - cover
        };
        middle - 0.5 * EDGE * (few + most)
    }

    /// How dense the clouds are where the texture has these values, from 0 to 1. `clouds.wesl` has its twin.
    #[must_use]
    pub fn density(&self, coarse: f32, fine: f32) -> f32 {
        let above = (coarse + DETAIL * (fine - 0.5) - self.threshold()) / EDGE;
        let part = above.clamp(0.0, 1.0);
        part * part * (3.0 - 2.0 * part)
    }
}

/// The colors of clouds in cd/m², for red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudRadiance {
    /// Where the sun shines on them.
    pub lit: [f64; 3],
    /// In the shade, as seen from below.
    pub shaded: [f64; 3],
}

impl CloudRadiance {
    /// The mean of what is seen of clouds.
    #[must_use]
    pub fn mean(&self) -> [f64; 3] {
        std::array::from_fn(|i| (self.lit[i] + self.shaded[i]) / 2.0)
    }
}

impl SkySettings {
    /// The colors of the clouds.
    #[must_use]
    pub fn cloud_radiance(&self) -> CloudRadiance {
        /// The part of the sun's light that the lit side of a cloud sends on, in all directions.
        const ALBEDO: f64 = 0.55;
        /// How far the horizon is lowered up there, in radians.
        const DIP: f64 = 0.02;
        let sky = self.radiance([0.0, 1.0, 0.0]);
        let brightness = luminance(sky).max(1e-9);
        // Clouds mix the light of the sky with that of the ground and of other clouds, so they are a third as blue.
        let shaded = sky.map(|part| self.skylight() / PI * (0.7 + 0.3 * part / brightness));
        let sun = self.sunlight_at(self.sun.elevation() + DIP);
        CloudRadiance { lit: std::array::from_fn(|i| shaded[i] + ALBEDO * SUNLIGHT / PI * sun[i]), shaded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::half::from_half;
    use crate::light::{Sun, SunAngles};

    fn values() -> Vec<[f32; 2]> {
        let texture = texture(Scale::Coarse.values(), Scale::Fine.values());
        let of_texel = |texel: &[u8]| [from_half([texel[0], texel[1]]), from_half([texel[2], texel[3]])];
        texture.chunks(4).take(TEXELS * TEXELS).map(of_texel).collect()
    }

    #[test]
    fn cover_is_the_part_of_the_sky_that_clouds_hide() {
        let values = values();
        for cover in [0.0, 0.1, 0.25, 0.4, 0.6, 0.8, 1.0] {
            let clouds = Clouds { cover, ..Clouds::default() };
            // The fine pattern lies on the coarse one as often as it repeats, so take it from elsewhere.
            let densities = values.iter().zip(values.iter().rev()).map(|(a, b)| clouds.density(a[0], b[1]));
            // Where they take more than half of the light.
            let hidden =
                densities.filter(|&density| (-DEPTH * density).exp() < 0.5).count() as f64 / values.len() as f64;
            assert!((hidden - cover).abs() < 0.01 + 0.35 * cover * (1.0 - cover), "{hidden} for {cover}");
        }
        let clear = Clouds { cover: 0.0, ..Clouds::default() };
        assert_eq!(clear.density(1.0, 1.0), 0.0);
    }

    #[test]
    fn the_pattern_goes_on_at_its_borders() {
        let values = values();
        let step = |a: usize, b: usize| (values[a][0] - values[b][0]).abs();
        let within = (0..TEXELS).map(|row| step(row * TEXELS + 100, row * TEXELS + 101)).fold(0.0, f32::max);
        let across = (0..TEXELS).map(|row| step(row * TEXELS, row * TEXELS + TEXELS - 1)).fold(0.0, f32::max);
        assert!(across < 2.0 * within, "{across} across the border and {within} within");
    }

    #[test]
    fn each_mip_level_is_the_mean_of_the_one_before() {
        let (coarse, fine) = (Scale::Coarse.values(), vec![0.25; TEXELS * TEXELS]);
        let texture = texture(coarse.clone(), fine);
        let texels = TEXELS * TEXELS;
        assert_eq!(texture.len() / 4, (4 * texels - 1) / 3);
        let at = |texel: usize, byte: usize| from_half([texture[4 * texel + byte], texture[4 * texel + byte + 1]]);
        let mean = (coarse[2] + coarse[3] + coarse[TEXELS + 2] + coarse[TEXELS + 3]) / 4.0;
        assert!((at(texels + 1, 0) - mean).abs() < 1e-3);
        let last = texture.len() / 4 - 1;
        assert!((at(last, 0) - 0.5).abs() < 1e-3 && at(last, 2) == 0.25);
    }

    #[test]
    fn clouds_are_the_same_far_away_and_after_an_hour() {
        let gap = |a: f64, b: f64| {
            let gap = (a - b).rem_euclid(1.0);
            gap.min(1.0 - gap)
        };
        for size in [500.0, 3000.0, 17_000.0] {
            let clouds = Clouds { size, ..Clouds::default() };
            assert!((clouds.tile() / (4.0 * size) - 1.0).abs() < 0.5);
            for far in [0.0, 1e7, -1e9] {
                for moved in [0.0, 7.3 * 3600.0, 1e6] {
                    let here = clouds.offset([far - moved, -far]);
                    let there = clouds.offset([far + 350.0 - moved, -far]);
                    assert!(gap(there[0] - here[0], 350.0 / clouds.tile()) < 1e-4);
                    assert!(gap(clouds.offset([far - (moved % PERIOD), -far])[0], here[0]) < 1e-4);
                }
                let [a, b] = [far, far + PERIOD].map(|x| clouds.offset([x, 0.0]));
                assert!(gap(a[0], b[0]) < 1e-6);
            }
        }
        assert_eq!(Clouds::default().offset([f64::NAN, f64::INFINITY]), [0.0; 2]);
    }

    fn sky(elevation: f64, cover: f64) -> SkySettings {
        let sun = Sun::Angles(SunAngles { azimuth: 1.0, elevation });
        SkySettings { sun, clouds: Clouds { cover, ..Clouds::default() }, ..SkySettings::default() }
    }

    #[test]
    fn clouds_are_bright_in_the_sun_gray_below_and_red_in_the_evening() {
        let noon = sky(1.0, 0.4);
        let CloudRadiance { lit, shaded } = noon.cloud_radiance();
        let zenith = noon.radiance([0.0, 1.0, 0.0]);
        assert!(luminance(lit) > 2.0 * luminance(shaded) && luminance(lit) > 3.0 * luminance(zenith));
        assert!(lit[2] / lit[0] < 1.2 && shaded[2] / shaded[0] < zenith[2] / zenith[0]);
        // The sun has set on the ground, but not up there.
        let evening = sky(-0.012, 0.4);
        assert_eq!(evening.sunlight(), [0.0; 3]);
        let CloudRadiance { lit, shaded } = evening.cloud_radiance();
        assert!(lit[0] > 1.5 * lit[2] && luminance(lit) > luminance(shaded), "{lit:?} {shaded:?}");
        let CloudRadiance { lit, shaded } = sky(-0.2, 0.4).cloud_radiance();
        assert_eq!(lit, shaded, "by night, nothing shines on them");
    }

    #[test]
    fn clouds_dim_the_sun_and_brighten_the_sky_until_they_close() {
        for elevation in [1.2, 0.3, 0.05] {
            let skies = [0.0, 0.2, 0.5, 0.8, 1.0].map(|cover| sky(elevation, cover));
            for pair in skies.windows(2) {
                assert!(pair[0].sunlight()[1] > pair[1].sunlight()[1]);
                assert!(pair[0].illuminance() > pair[1].illuminance());
                assert!(pair[0].exposure_value() > pair[1].exposure_value());
                assert_eq!(pair[0].radiance([0.0, 0.6, 0.8]), pair[1].radiance([0.0, 0.6, 0.8]), "between clouds");
            }
            let [clear, _, broken, _, overcast] = skies;
            assert!(elevation < 0.1 || broken.skylight() > 1.2 * clear.skylight());
            // No sun is left, and a quarter of the light.
            assert!((overcast.illuminance() / clear.illuminance() - 0.25).abs() < 1e-9);
            assert!((overcast.skylight() / overcast.illuminance() - 1.0).abs() < 1e-9);
        }
    }
}
