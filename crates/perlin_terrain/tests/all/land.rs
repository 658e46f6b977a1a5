//! The presets look like the land that they are named after, in numbers.
//!
//! The limits lie around what the presets have, so that a change which spoils one is seen. What they have was compared with real
//! land: mean slopes of about 30 degrees in young mountains (Burbank et al. 1996), hypsometric integrals of 0.35 to 0.6 for mature
//! land and below for plains with single mountains (Strahler 1952), and profiles with a spectral exponent near 2, higher where
//! slopes are smooth (Pelletier 1997; Perron et al. 2008). Two things differ: the valley floors of `alps` lower its hypsometric
//! integral, and real land has hardly a pit, while a function of the position alone can't drain all of its valleys.

use perlin_terrain::chunk::{ChunkLayout, LodCost, ViewerPoint};
use perlin_terrain::field::{HeightField, NodeGrid};
use perlin_terrain::noise::NoiseScratch;
use perlin_terrain::settings::TerrainSettings;
use std::ops::RangeInclusive;

/// The limits of the land of a preset.
struct Land {
    preset: &'static str,
    text: &'static str,
    /// The mean slope, in degrees.
    slope: RangeInclusive<f64>,
    /// The slope that a tenth of the ground exceeds, in degrees.
    steep: RangeInclusive<f64>,
    /// The smallest share of ground below five degrees, in percent: ground to build on.
    level: f64,
    /// The mean height above the lowest point, divided by the difference between the highest and the lowest.
    hypsometric: RangeInclusive<f64>,
    /// The median difference between the highest and the lowest point in a square of a kilometre, in metres.
    relief: RangeInclusive<f64>,
    /// The largest number of pits in a square kilometre: vertices below all their neighbors.
    pits: f64,
    /// The spectral exponent of profiles: 1 + 2 H, where heights that are d apart differ by d^H.
    exponent: RangeInclusive<f64>,
}

const LANDS: [Land; 8] = [
    Land {
        preset: "alps",
        text: include_str!("../../../../assets/terrain/alps.terrain.ron"),
        slope: 22.0..=36.0,
        steep: 40.0..=55.0,
        level: 8.0,
        hypsometric: 0.2..=0.5,
        relief: 350.0..=800.0,
        pits: 120.0,
        exponent: 2.1..=2.9,
    },
    Land {
        preset: "badlands",
        text: include_str!("../../../../assets/terrain/badlands.terrain.ron"),
        slope: 25.0..=40.0,
        steep: 45.0..=62.0,
        level: 5.0,
        hypsometric: 0.2..=0.5,
        relief: 60.0..=140.0,
        pits: 2500.0,
        exponent: 1.4..=2.2,
    },
    Land {
        preset: "canyon",
        text: include_str!("../../../../assets/terrain/canyon.terrain.ron"),
        slope: 5.0..=15.0,
        steep: 15.0..=45.0,
        level: 60.0,
        hypsometric: 0.6..=0.85,
        relief: 180.0..=450.0,
        // Stones on level treads.
        pits: 700.0,
        exponent: 2.3..=3.0,
    },
    Land {
        preset: "dunes",
        text: include_str!("../../../../assets/terrain/dunes.terrain.ron"),
        slope: 7.0..=14.0,
        steep: 17.0..=30.0,
        level: 20.0,
        hypsometric: 0.35..=0.55,
        relief: 60.0..=120.0,
        pits: 150.0,
        exponent: 2.1..=2.9,
    },
    Land {
        preset: "fjords",
        text: include_str!("../../../../assets/terrain/fjords.terrain.ron"),
        slope: 22.0..=36.0,
        steep: 42.0..=60.0,
        level: 8.0,
        hypsometric: 0.3..=0.5,
        relief: 350.0..=800.0,
        pits: 100.0,
        exponent: 2.2..=3.0,
    },
    Land {
        preset: "islands",
        text: include_str!("../../../../assets/terrain/islands.terrain.ron"),
        slope: 8.0..=20.0,
        steep: 25.0..=42.0,
        level: 25.0,
        hypsometric: 0.2..=0.55,
        relief: 60.0..=300.0,
        pits: 80.0,
        exponent: 2.2..=3.0,
    },
    Land {
        preset: "rolling_hills",
        text: include_str!("../../../../assets/terrain/rolling_hills.terrain.ron"),
        slope: 6.0..=13.0,
        steep: 15.0..=25.0,
        level: 15.0,
        hypsometric: 0.3..=0.5,
        relief: 60.0..=150.0,
        pits: 80.0,
        exponent: 2.1..=2.9,
    },
    Land {
        preset: "savanna",
        text: include_str!("../../../../assets/terrain/savanna.terrain.ron"),
        slope: 1.5..=5.0,
        steep: 1.5..=8.0,
        level: 80.0,
        hypsometric: 0.1..=0.4,
        relief: 15.0..=60.0,
        pits: 80.0,
        exponent: 2.2..=3.0,
    },
];

/// The measured values of [`Land`].
#[derive(Debug)]
struct Measured {
    slope: f64,
    steep: f64,
    level: f64,
    hypsometric: f64,
    relief: f64,
    pits: f64,
    exponent: f64,
}

/// Vertices along each side of the measured squares.
const SIDE: usize = 640;

impl Measured {
    /// Measures three squares that are far apart.
    fn of(settings: &TerrainSettings) -> Self {
        let field = HeightField::new(&settings.field);
        let spacing = settings.chunks.spacing;
        let mut scratch = NoiseScratch::default();
        let squares: Vec<Square> = [[0, 0], [40_000, -30_000], [-70_000, 90_000]]
            .into_iter()
            .map(|origin| {
                let mut heights = Vec::new();
                let grid = NodeGrid { origin, stride: 1, size: [SIDE; 2], spacing };
                field.fill(&grid, &mut scratch, &mut heights);
                Square { heights, spacing }
            })
            .collect();
        let slopes = sorted(squares.iter().flat_map(Square::slopes).collect());
        let reliefs = sorted(squares.iter().flat_map(Square::reliefs).collect());
        let mean = |of: fn(&Square) -> f64| squares.iter().map(of).sum::<f64>() / squares.len() as f64;
        Self {
            slope: slopes.iter().sum::<f64>() / slopes.len() as f64,
            steep: quantile(&slopes, 0.9),
            level: 100.0 * slopes.partition_point(|&slope| slope < 5.0) as f64 / slopes.len() as f64,
            hypsometric: mean(Square::hypsometric),
            relief: quantile(&reliefs, 0.5),
            pits: mean(Square::pits),
            exponent: mean(Square::exponent),
        }
    }
}

/// Heights of a square, row by row.
struct Square {
    heights: Vec<f32>,
    spacing: f64,
}

impl Square {
    fn at(&self, column: usize, row: usize) -> f64 {
        self.heights[row * SIDE + column].into()
    }

    /// In degrees, at every vertex that is not on the border.
    fn slopes(&self) -> Vec<f64> {
        let rise = |along: f64, across: f64| along.hypot(across) / (2.0 * self.spacing);
        inner()
            .map(|(x, z)| rise(self.at(x + 1, z) - self.at(x - 1, z), self.at(x, z + 1) - self.at(x, z - 1)))
            .map(|slope| slope.atan().to_degrees())
            .collect()
    }

    /// Of all squares of a kilometre in the square, or of itself if it is smaller.
    fn reliefs(&self) -> Vec<f64> {
        let side = ((1000.0 / self.spacing) as usize).min(SIDE);
        let starts = || (0..=SIDE - side).step_by(side);
        let relief = |x: usize, z: usize| {
            let heights = || (z..z + side).flat_map(|row| &self.heights[row * SIDE + x..][..side]);
            let (low, high) = range(heights());
            high - low
        };
        starts().flat_map(|z| starts().map(move |x| (x, z))).map(|(x, z)| relief(x, z)).collect()
    }

    fn hypsometric(&self) -> f64 {
        let (low, high) = range(&self.heights);
        let mean = self.heights.iter().map(|&height| f64::from(height)).sum::<f64>() / self.heights.len() as f64;
        (mean - low) / (high - low)
    }

    /// In a square kilometre.
    fn pits(&self) -> f64 {
        let is_pit = |&(x, z): &(usize, usize)| {
            let around = (0..9).filter(|&i| i != 4).map(|i| self.at(x + i % 3 - 1, z + i / 3 - 1));
            around.fold(f64::INFINITY, f64::min) > self.at(x, z)
        };
        let side = SIDE as f64 * self.spacing / 1000.0;
        inner().filter(is_pit).count() as f64 / (side * side)
    }

    /// From differences over 10 and over 40 vertices.
    fn exponent(&self) -> f64 {
        let variance = |lag: usize| {
            let rows = self.heights.chunks_exact(SIDE);
            let differences = rows.flat_map(|row| row.iter().zip(&row[lag..]));
            differences.map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>() / (SIDE * (SIDE - lag)) as f64
        };
        1.0 + (variance(40) / variance(10)).ln() / 4.0_f64.ln()
    }
}

fn inner() -> impl Iterator<Item = (usize, usize)> {
    (1..SIDE - 1).flat_map(|z| (1..SIDE - 1).map(move |x| (x, z)))
}

fn range<'a>(heights: impl IntoIterator<Item = &'a f32>) -> (f64, f64) {
    let heights = heights.into_iter().map(|&height| f64::from(height));
    heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| (low.min(height), high.max(height)))
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn quantile(sorted: &[f64], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part) as usize]
}

#[test]
fn presets_give_no_warnings() {
    for land in LANDS {
        let settings = TerrainSettings::from_ron(land.text).expect("the preset is valid");
        assert_eq!(settings.warnings_in(land.text), [], "{}", land.preset);
    }
}

#[test]
fn presets_cost_no_more_than_a_gpu_of_today_draws() {
    for land in LANDS {
        let settings = TerrainSettings::from_ron(land.text).expect("the preset is valid");
        let (field, layout) = (HeightField::new(&settings.field), ChunkLayout::new(&settings.chunks));
        let viewer = ViewerPoint {
            position: [0.0, f64::from(field.height(0.0, 0.0)) + 1.8, 0.0],
            forward: [1.0, 0.0],
            view_distance: 8000.0,
            projection_scale: ViewerPoint::projection_scale(1080.0, std::f64::consts::FRAC_PI_4),
            is_orthographic: false,
        };
        let cost = LodCost::expected(&field, &layout, &settings.lod, &viewer);
        // All around the viewer, of which a camera sees about a sixth.
        assert!(cost.triangles < 7_000_000, "{}: {} triangles", land.preset, cost.triangles);
    }
}

#[test]
fn presets_have_the_statistics_of_the_land_that_they_imitate() {
    let mut wrong = Vec::new();
    for land in LANDS {
        let settings = TerrainSettings::from_ron(land.text).expect("the preset is valid");
        let measured = Measured::of(&settings);
        println!("{}: {measured:.2?}", land.preset);
        for (range, value, what) in [
            (land.slope, measured.slope, "mean slope"),
            (land.steep, measured.steep, "slope of steep ground"),
            (land.level..=100.0, measured.level, "share of level ground"),
            (land.hypsometric, measured.hypsometric, "hypsometric integral"),
            (land.relief, measured.relief, "relief in a kilometre"),
            (0.0..=land.pits, measured.pits, "number of pits"),
            (land.exponent, measured.exponent, "spectral exponent"),
        ] {
            if !range.contains(&value) {
                wrong.push(format!("{}: the {what} is {value:.2}, expected: {range:?}", land.preset));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
