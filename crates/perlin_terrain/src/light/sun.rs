//! Where the sun stands, and how much of its light reaches the ground.
//!
//! Atmospheric coefficients are those of Hillaire (2020), per metre for red, green and blue. Those of dust are Bruneton's and Neyret's
//! (2008) for a clear sky, of which 0.9 is scattered: five times as much, for the glow around the sun.
//!
//! A server may ask where the sun stands and how light it is, and must find what its players find. So sines, powers and the like are
//! those of `libm`, which have the same bits on every machine, and not those of the platform.

use super::settings::{SkySettings, Sun, SunAngles, SunTime};
use std::f64::consts::{PI, TAU};

/// Scattering by air at sea level.
pub const RAYLEIGH: [f64; 3] = [5.802e-6, 13.558e-6, 33.1e-6];
/// Scattering and absorption by fine dust at sea level, in clear air.
pub const DUST_SCATTERING: f64 = 20e-6;
pub const DUST_ABSORPTION: f64 = 2.2e-6;
/// Absorption by ozone where it is densest.
pub const OZONE: [f64; 3] = [0.65e-6, 1.881e-6, 0.085e-6];
/// The heights over which air and dust thin out by a factor of e, in metres.
pub const AIR_HEIGHT: f64 = 8000.0;
pub const DUST_HEIGHT: f64 = 1200.0;
/// The optical depth of dust toward the zenith. Dust sends much of the light on in nearly its own direction, as if it had not met it.
pub const DUST_DEPTH: f64 = DUST_SCATTERING * DUST_HEIGHT * 0.6;
/// The asymmetry of the phase function of dust: 0 is even, 1 straight on. Source: Henyey and Greenstein, Diffuse radiation in the galaxy, 1941.
pub const DUST_ASYMMETRY: f64 = 0.76;
/// Ozone lies in a layer 15 km thick, as dense as its middle.
const OZONE_THICKNESS: f64 = 15_000.0;

/// The sun's light above the air, in lux.
pub const SUNLIGHT: f64 = 130_000.0;

impl Sun {
    /// The unit vector toward the sun: x is east, y is up, and z is south.
    #[must_use]
    pub fn direction(&self) -> [f64; 3] {
        match *self {
            Self::Angles(SunAngles { azimuth, elevation }) => {
                let (across, up) = (libm::cos(elevation), libm::sin(elevation));
                [libm::sin(azimuth) * across, up, -libm::cos(azimuth) * across]
            }
            Self::Time(SunTime { hour, day, latitude }) => {
                // The tilt of the Earth's axis is 23.44 degrees. The shortest day in the north is about ten days before the
                // year ends.
                let declination = -23.44_f64.to_radians() * libm::cos(TAU / 365.24 * (day + 10.0));
                let turn = (hour - 12.0) * PI / 12.0;
                let [(sin_latitude, cos_latitude), (sin_declination, cos_declination), (sin_turn, cos_turn)] =
                    [latitude, declination, turn].map(libm::sincos);
                let up = sin_latitude * sin_declination + cos_latitude * cos_declination * cos_turn;
                let north = cos_latitude * sin_declination - sin_latitude * cos_declination * cos_turn;
                [-cos_declination * sin_turn, up, -north]
            }
        }
    }

    /// The height of the sun above the horizon, in radians.
    #[must_use]
    pub fn elevation(&self) -> f64 {
        libm::asin(self.direction()[1].clamp(-1.0, 1.0))
    }
}

impl SkySettings {
    /// How far one can see, in metres, for a camera that sees the ground up to `view_distance`.
    #[must_use]
    pub fn visibility_for(&self, view_distance: f64) -> f64 {
        const MAX_DISTANCE: f64 = 40_000.0;
        if self.visibility > 0.0 { 1000.0 * self.visibility } else { view_distance.clamp(100.0, MAX_DISTANCE) }
    }

    /// The density of the haze per metre, for a camera that sees the ground up to `view_distance` metres.
    ///
    /// The contrast at a distance `d` is `exp(-(density d)²)`: 2 % at the visibility, which is the meteorological range of
    /// Koschmieder (1924), and 78 % at a quarter of it. Real haze starts nearer to the eye, and would hide most of a world that
    /// ends at 8 km.
    #[must_use]
    pub fn haze(&self, view_distance: f64) -> f64 {
        libm::log(50.0).sqrt() / self.visibility_for(view_distance)
    }

    /// The part of the sun's light that reaches the ground, for red, green and blue.
    ///
    /// A low sun shines through more air: the air mass of Kasten and Young (1989). Clouds dim it even between them.
    #[must_use]
    pub fn sunlight(&self) -> [f64; 3] {
        self.sunlight_at(self.sun.elevation())
    }

    /// As [`sunlight`](Self::sunlight), for a sun at this elevation.
    pub(super) fn sunlight_at(&self, elevation: f64) -> [f64; 3] {
        self.clear_sunlight(elevation).map(|part| self.clouds.daylight() * part)
    }

    /// The same without clouds.
    fn clear_sunlight(&self, elevation: f64) -> [f64; 3] {
        // The disc is half a degree wide.
        let risen = (elevation / 0.0093 + 0.5).clamp(0.0, 1.0);
        self.transmittance(elevation).map(|part| risen * part)
    }

    /// The part of light that passes the air from this elevation, or from the horizon if it is below.
    fn transmittance(&self, elevation: f64) -> [f64; 3] {
        let dust = (DUST_SCATTERING + DUST_ABSORPTION) * DUST_HEIGHT;
        std::array::from_fn(|color| {
            let air = self.air * RAYLEIGH[color] * AIR_HEIGHT;
            let ozone = self.ozone * OZONE[color] * OZONE_THICKNESS;
            libm::exp(-(air + dust + ozone) * air_mass(elevation))
        })
    }

    /// The color of the sky in a direction, in cd/m² for red, green and blue, where the sky is a single layer of air and haze.
    /// `[x, y, z]` is a unit vector with y up, at or above the horizon.
    ///
    /// The light of the sun is scattered once. The light of the sky and of the ground comes from all sides, and is scattered once
    /// more: at the horizon that is half of all, so haze is white.
    #[must_use]
    pub fn radiance(&self, direction: [f64; 3]) -> [f64; 3] {
        Sky::new(self).radiance(direction)
    }

    /// The part of the light that the ground all around reflects, for red, green and blue.
    fn ground_albedo(&self) -> [f64; 3] {
        // From sRGB (IEC 61966-2-1).
        self.far_ground.map(|part| libm::pow((f64::from(part) + 0.055) / 1.055, 2.4))
    }

    /// The color of level ground all around, in cd/m² for red, green and blue.
    #[must_use]
    pub fn ground_radiance(&self) -> [f64; 3] {
        let illuminance = self.illuminance();
        self.ground_albedo().map(|albedo| albedo * illuminance / PI)
    }

    /// The light on level ground, in lux: of the sun and of the whole sky. Below clouds it is the mean that Kasten and Czeplak (1980) measured.
    #[must_use]
    pub fn illuminance(&self) -> f64 {
        (self.clouds.daylight() * self.clear_illuminance()).max(NIGHT)
    }

    /// The same without clouds.
    fn clear_illuminance(&self) -> f64 {
        let elevation = self.sun.elevation();
        let sun = SUNLIGHT * luminance(self.clear_sunlight(elevation)) * libm::sin(elevation).max(0.0);
        sun + self.clear_skylight()
    }

    /// The light of the sky on level ground, in lux: 16 000 below a high sun, 800 at sunset, and 3 when the sun is 6 degrees
    /// below the horizon, at the end of civil twilight. Nights keep that, ten times the light of a full moon, so that something is seen.
    ///
    /// By day, it grows about as in the handbook of the Illuminating Engineering Society of North America (1984), with the root
    /// of the sine of the sun's height. The root starts without a jump here. Clouds add the light of the sun that they scatter: all of it
    /// below a closed deck, after Kasten and Czeplak (1980).
    #[must_use]
    pub fn skylight(&self) -> f64 {
        let (clear, cover) = (self.clear_skylight(), self.clouds.cover);
        let scattered = (self.clear_illuminance() - clear) * cover * cover;
        (self.clouds.daylight() * (clear + scattered)).max(NIGHT)
    }

    /// The same without clouds.
    fn clear_skylight(&self) -> f64 {
        let elevation = self.sun.elevation();
        let day = 17_000.0 * ((libm::sin(elevation).max(0.0) + 0.01).sqrt() - 0.1);
        day + (800.0 * twilight(elevation)).max(NIGHT)
    }

    /// The exposure value at ISO 100 of a camera that makes the ground as bright as a photographer would.
    ///
    /// A light meter says `EV = log2(E / 2.5)`, with the usual calibration of 250. In the dark, the image stays darker than
    /// by day.
    #[must_use]
    pub fn exposure_value(&self) -> f64 {
        let metered = libm::log2(self.illuminance() / 2.5) - BRIGHTER;
        let noon = libm::log2(100_000.0 / 2.5) - BRIGHTER;
        noon - DARK_ADAPTATION * (noon - metered) - self.exposure
    }
}

/// The parameters of the radiance of the sky, besides the direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Sky {
    /// The unit vector toward the sun.
    pub sun: [f64; 3],
    /// How far the sun is below the horizon, in degrees, up to 3.
    pub below: f64,
    /// The optical depth of air toward the zenith, for each color.
    pub air: [f64; 3],
    /// What of the sun's light gets into the air, in lux.
    pub sunlight: [f64; 3],
    /// The mean radiance of sky and ground, in cd/m².
    pub around: f64,
    /// After sunset, the light from high air, in cd/m².
    pub dusk: [f64; 3],
}

impl Sky {
    pub fn new(settings: &SkySettings) -> Self {
        const ARRIVING: f64 = 0.75;
        let elevation = settings.sun.elevation();
        // Between clouds, the sky is as clear as without them.
        let skylight = settings.clear_skylight();
        let reflected = luminance(settings.ground_albedo()) * settings.clear_illuminance();
        Self {
            sun: settings.sun.direction(),
            air: RAYLEIGH.map(|scattering| settings.air * scattering * AIR_HEIGHT),
            // The light that scatters high in the air passed less of it: about half.
            sunlight: settings
                .transmittance(elevation)
                .map(|part| ARRIVING * SUNLIGHT * libm::pow(part, 0.25) * twilight(elevation)),
            below: (-elevation).to_degrees().clamp(0.0, 3.0),
            around: (skylight + reflected) / (2.0 * PI),
            // It is blue.
            dusk: [0.05, 0.08, 0.15].map(|part| part * skylight / PI),
        }
    }

    /// As [`SkySettings::radiance`]. The twin of `clear_sky` in `sky_dome.wesl`.
    pub fn radiance(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [sun_x, sun_y, sun_z] = self.sun;
        let cos = (x * sun_x + y * sun_y + z * sun_z).clamp(-1.0, 1.0);
        let air_phase = 3.0 / (16.0 * PI) * (1.0 + cos * cos);
        let g = DUST_ASYMMETRY;
        let dust_phase = (1.0 - g * g) / (4.0 * PI * libm::pow(1.0 + g * g - 2.0 * g * cos, 1.5));
        // After sunset, the shadow of the Earth rises opposite the sun, and covers the dust, which lies low.
        let shadow = libm::pow(0.55 + 0.45 * cos, self.below);
        let dust_phase = air_phase + (dust_phase - air_phase) * libm::exp(-self.below);
        let dust = DUST_DEPTH;
        let mass = air_mass(libm::asin(y.clamp(0.0, 1.0)));
        std::array::from_fn(|color| {
            let air = self.air[color];
            let scattered = 1.0 - libm::exp(-(air + dust) * mass);
            let phase = (air * air_phase + dust * dust_phase) / (air + dust);
            (self.sunlight[color] * shadow * phase + self.around) * scattered + self.dusk[color]
        })
    }
}

/// The luminance of linear red, green and blue.
#[must_use]
pub fn luminance([red, green, blue]: [f64; 3]) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// The color between two: 0 is the first one, 1 the second.
#[must_use]
pub fn mixed(first: [f64; 3], second: [f64; 3], part: f64) -> [f64; 3] {
    std::array::from_fn(|i| first[i] + part * (second[i] - first[i]))
}

/// The light of the sky after sunset, as a part of that at sunset.
fn twilight(elevation: f64) -> f64 {
    libm::exp(0.93 * elevation.to_degrees().min(0.0))
}

/// The light of the sky by night, in lux.
const NIGHT: f64 = 3.0;

/// Stops above the meter, for an image as bright as people like it.
const BRIGHTER: f64 = 1.8;

/// How much of a loss of light the exposure makes up for.
const DARK_ADAPTATION: f64 = 0.6;

/// How much air light from the sun passes, as a multiple of that from the zenith. Source: Kasten and Young, *Revised optical
/// air mass tables*, 1989.
fn air_mass(elevation: f64) -> f64 {
    let degrees = elevation.to_degrees().max(0.0);
    1.0 / (libm::sin(degrees.to_radians()) + 0.505_72 * libm::pow(degrees + 6.079_95, -1.6364))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::Clouds;

    fn at(hour: f64, day: f64, latitude: f64) -> Sun {
        Sun::Time(SunTime { hour, day, latitude })
    }

    /// A clear sky.
    fn clear(sun: Sun) -> SkySettings {
        let clouds = Clouds { cover: 0.0, ..Clouds::default() };
        SkySettings { sun, clouds, ..SkySettings::default() }
    }

    fn is_near(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() < tolerance
    }

    #[test]
    fn the_sun_moves_as_on_earth() {
        let berlin = 52.5_f64.to_radians();
        // Highest at noon, in the south: 90 - 52.5 + 23.44 degrees at midsummer, and 46.88 less at midwinter.
        let [x, _, z] = at(12.0, 172.0, berlin).direction();
        assert!(is_near(x, 0.0, 1e-9) && z > 0.0);
        assert!(is_near(at(12.0, 172.0, berlin).elevation().to_degrees(), 60.9, 0.2));
        assert!(is_near(at(12.0, 355.0, berlin).elevation().to_degrees(), 14.1, 0.2));
        // It rises in the east and sets in the west.
        assert!(at(8.0, 80.0, berlin).direction()[0] > 0.8 && at(16.0, 80.0, berlin).direction()[0] < -0.8);
        // At the equinox it rises at six everywhere, due east.
        for latitude in [-1.0, 0.0, 0.7] {
            let [x, up, _] = at(6.0, 81.3, latitude).direction();
            assert!(is_near(x, 1.0, 0.01) && is_near(up, 0.0, 0.01), "{latitude}");
        }
        // In the south it is in the north at noon, and at the pole it does not set.
        assert!(at(12.0, 172.0, -0.6).direction()[2] < 0.0);
        assert!(at(0.0, 172.0, 1.57).elevation() > 0.4);
        for sun in [at(3.3, 200.0, 0.4), Sun::default()] {
            assert!(is_near(sun.direction().map(|n| n * n).iter().sum::<f64>(), 1.0, 1e-12));
        }
    }

    #[test]
    fn angles_are_clockwise_from_north() {
        let direction = |azimuth, elevation| Sun::Angles(SunAngles { azimuth, elevation }).direction();
        let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| is_near(*a, b, 1e-9));
        assert!(near(direction(0.0, 0.0), [0.0, 0.0, -1.0]));
        assert!(near(direction(PI / 2.0, 0.0), [1.0, 0.0, 0.0]));
        assert!(near(direction(1.0, PI / 2.0), [0.0, 1.0, 0.0]));
    }

    #[test]
    fn a_low_sun_is_weak_and_red() {
        let at = |elevation| clear(Sun::Angles(SunAngles { azimuth: 0.0, elevation }));
        let [red, green, blue] = at(PI / 2.0).sunlight();
        // Hillaire's atmosphere keeps 0.94, 0.87 and 0.76 of the light from the zenith. The rest of the dust takes 2 % of that.
        assert!(
            is_near(red, 0.92, 0.01) && is_near(green, 0.85, 0.01) && is_near(blue, 0.745, 0.01),
            "{red} {green} {blue}"
        );
        let [red, _, blue] = at(0.05).sunlight();
        assert!(red > 4.0 * blue && red < 0.6, "{red} {blue}");
        assert_eq!(at(-0.05).sunlight(), [0.0; 3]);
        // Daylight: about 100 000 lux at noon; 400 to 900 at sunset; about 3 at the end of civil twilight, and at night.
        for (elevation, from, to) in [(1.5, 9e4, 1.3e5), (0.0, 400.0, 900.0), (-0.105, 2.0, 5.0), (-1.0, 2.9, 3.1)] {
            let found = at(elevation).illuminance();
            assert!((from..to).contains(&found), "{found} lux at {elevation}");
        }
        // The exposure never jumps, and the image is darker in the evening.
        let mut before = at(1.5).exposure_value();
        assert!((12.5..14.0).contains(&before), "{before}");
        for i in 0..3000 {
            let now = at(1.5 - f64::from(i) * 0.001).exposure_value();
            assert!((before - now).abs() < 0.12 && now <= before + 1e-9, "{before} {now}");
            before = now;
        }
    }

    #[test]
    fn dusk_is_red_toward_the_sun_and_grows_dark_without_a_jump() {
        let at = |degrees: f64| {
            let sun = Sun::Angles(SunAngles { azimuth: 0.0, elevation: degrees.to_radians() });
            Sky::new(&SkySettings { sun, ..SkySettings::default() })
        };
        let [toward, across, away] = [[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let dusk = at(-2.0);
        let [red, _, blue] = dusk.radiance(toward);
        assert!(red > 4.0 * blue, "{red} {blue}");
        let reds = [toward, across, away].map(|direction| dusk.radiance(direction)[0]);
        assert!(reds[0] > 4.0 * reds[1] && reds[1] > 3.0 * reds[2], "{reds:?}");
        for direction in [toward, across, away, [0.0, 1.0, 0.0]] {
            let mut before = at(3.0).radiance(direction);
            for i in 1..300 {
                let now = at(3.0 - f64::from(i) * 0.05).radiance(direction);
                for (now, before) in now.iter().zip(before) {
                    assert!((now / before - 1.0).abs() < 0.25, "{i}: {now} after {before} toward {direction:?}");
                }
                before = now;
            }
        }
    }

    #[test]
    fn haze_hides_the_ground_at_the_visibility() {
        let clear = SkySettings { visibility: 30.0, ..SkySettings::default() };
        assert_eq!(clear.visibility_for(8000.0), 30_000.0);
        assert_eq!(SkySettings::default().visibility_for(8000.0), 8000.0);
        assert_eq!(SkySettings::default().visibility_for(1e6), 40_000.0);
        let contrast = |distance: f64| (-(clear.haze(8000.0) * distance).powi(2)).exp();
        assert!(is_near(contrast(30_000.0), 0.02, 1e-9));
        assert!(is_near(contrast(7500.0), 0.783, 1e-3));
    }
}
