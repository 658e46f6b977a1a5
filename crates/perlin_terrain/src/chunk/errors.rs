//! The geometric error of each level: the distance of its surface from the ground at full detail.

use super::{ChunkLayout, LEVELS, quad_height};
use crate::field::{HeightField, NodeGrid};
use crate::noise::{NoiseRng, NoiseScratch};

/// The geometric error of each level: the height difference, in metres, between its surface and the vertices of level 0.
///
/// The error is a quantile: for 99.9 % of the level-0 vertices ([`QUANTILE`](Self::QUANTILE)), the difference is at most the error.
/// Vertices that the level shares with level 0 have no difference and do not count. The error of a level is never smaller than
/// that of a finer level.
///
/// Edits of the field do not count, so an edit changes no level of detail.
///
/// Errors are measured at random positions with a fixed seed, up to 10 000 km from the origin. So they are a function of the field and
/// the layout alone: the same bits on every machine, and independent of the viewers.
///
/// # Why a quantile
///
/// The largest difference grows with the number of vertices that are measured, up to the bounds of the field. A single spike would
/// decide the detail of the whole world. A quantile converges: two measurements at different positions agree within about 15 %.
///
/// # Cost
///
/// A level takes 48 to 176 [steps](Self::measure_step) of about 10 µs each, on one core with AVX-512. For a field with 14 octaves,
/// that is 4 ms for 6 levels and 8 ms for 12 levels; for 8 octaves, half of that.
///
/// ```
/// use perlin_terrain::chunk::{ChunkLayout, ChunkSettings, LevelErrors};
/// use perlin_terrain::field::{FieldSettings, HeightField};
///
/// let field = HeightField::new(&FieldSettings::default());
/// let mut errors = LevelErrors::new();
/// errors.measure(&field, &ChunkLayout::new(&ChunkSettings::default()), 4);
/// assert_eq!(errors.of(0), 0.0);
/// // Quads of 8 m have an error of less than half a metre, quads of 64 m of less than 5 m.
/// assert!(0.2 < errors.of(1) && errors.of(1) < 0.5);
/// assert!(3.0 < errors.of(4) && errors.of(4) < 5.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LevelErrors {
    /// The error of each level, in metres. 0 if it is not measured yet.
    errors: [f32; LEVELS],
    measured: u8,
    /// The unfinished measurement of the next level.
    survey: Option<Box<Survey>>,
}

impl LevelErrors {
    /// The part of all level-0 vertices whose distance from the surface of a level is at most its error.
    pub const QUANTILE: f64 = 0.999;

    /// Creates errors without any measurement: every level has an error of 0.
    #[must_use]
    pub const fn new() -> Self {
        Self { errors: [0.0; LEVELS], measured: 0, survey: None }
    }

    /// Measures the errors of `field` up to `level`, or up to the coarsest level. Measured levels are not measured again.
    pub fn measure(&mut self, field: &HeightField, layout: &ChunkLayout, level: u8) {
        while self.measured < level.min(LEVELS as u8 - 1) {
            self.measure_step(field, layout);
        }
    }

    /// Does one step of the measurement: about 0.1 ms without SIMD. After its last step, a level counts as
    /// [measured](Self::measured). Does nothing if all levels are measured.
    pub fn measure_step(&mut self, field: &HeightField, layout: &ChunkLayout) {
        let level = self.measured + 1;
        if usize::from(level) == LEVELS {
            return;
        }
        let field = &field.without_edits();
        let survey = self.survey.get_or_insert_default();
        let number = (survey.distances.len() / Survey::POINTS) as u64;
        survey.add_patch(field, layout, level, Patch::random(layout, level, number));
        if number + 1 == Survey::patches(level) {
            let min = self.errors[usize::from(self.measured)];
            self.errors[usize::from(level)] = min.max(quantile_of(&mut survey.distances, Self::QUANTILE));
            self.measured = level;
            self.survey = None;
        }
    }

    /// The coarsest measured level. 0 if none is measured.
    #[must_use]
    pub const fn measured(&self) -> u8 {
        self.measured
    }

    /// The error of `level`, in metres. 0 for level 0. For a level that is not measured, the error of the coarsest measured level.
    #[must_use]
    pub fn of(&self, level: u8) -> f64 {
        f64::from(self.errors[usize::from(level.min(self.measured))])
    }

    /// Creates `errors` for the levels 1, 2 and so on, in metres.
    #[doc(hidden)]
    #[must_use]
    pub fn known(errors: &[f32]) -> Self {
        let mut known = Self { measured: errors.len() as u8, ..Self::new() };
        known.errors[1..=errors.len()].copy_from_slice(errors);
        known
    }
}

impl Default for LevelErrors {
    fn default() -> Self {
        Self::new()
    }
}

/// The `quantile` of `distances`: this part of them is not larger.
fn quantile_of(distances: &mut [f32], quantile: f64) -> f32 {
    let rank = (distances.len() as f64 * quantile).ceil() as usize;
    let (_, &mut distance, _) = distances.select_nth_unstable_by(rank.max(1) - 1, f32::total_cmp);
    distance
}

/// A square of quads of one level, and the level-0 vertex that is measured in each quad. It has the same position in all quads.
#[derive(Clone, Copy, Debug)]
struct Patch {
    /// Index of the north-west corner.
    corner: [i64; 2],
    /// Index of the vertex, relative to the north-west corner of its quad. Never that corner, because it belongs to the level too.
    vertex: [i64; 2],
}

impl Patch {
    /// The seed of all random positions.
    const SEED: u64 = 0;
    /// The largest distance of patches from the origin along x and z, in metres. Games rarely go farther.
    const SPREAD: f64 = 1e7;
    /// The minimum of this distance for coarse levels, in quads, so that their patches rarely overlap.
    const MIN_SPREAD: f64 = 4096.0;

    /// Patch number `number` of `level`, from level 1 on.
    fn random(layout: &ChunkLayout, level: u8, number: u64) -> Self {
        let mut rng = NoiseRng::new(Self::SEED, (u64::from(level) << 32) | number);
        let quads = (Self::SPREAD / layout.spacing(level)).max(Self::MIN_SPREAD);
        let corner = [(); 2].map(|()| ((2.0 * rng.next_unit() - 1.0) * quads).floor() as i64 * stride(level));
        // Each patch picks from its own part of the vertices, so that all vertices of a fine level are measured equally often.
        let count = Survey::patches(level);
        let part = ((number % count) as f64 + rng.next_unit()) / count as f64;
        let vertex = 1 + (part * (stride(level).pow(2) - 1) as f64) as i64;
        Self { corner, vertex: [vertex % stride(level), vertex / stride(level)] }
    }
}

/// The number of level-0 quads along a quad of `level`.
const fn stride(level: u8) -> i64 {
    1 << level
}

/// The measured distances between the surface of a level and level-0 vertices, in metres, and scratch memory.
#[derive(Clone, Debug, Default)]
struct Survey {
    distances: Vec<f32>,
    noise: NoiseScratch,
    corners: Vec<f32>,
    vertices: Vec<f32>,
}

impl Survey {
    /// The number of patches for `level`: from 176 for level 1 down to 48. Fine levels need more, because their errors vary more from
    /// place to place. Fewer and larger patches would be cheaper per vertex, but neighboring vertices have similar errors.
    const fn patches(level: u8) -> u64 {
        48 + (256_u64 >> level)
    }

    /// Quads along each side of a patch. So a row has 16 corners, which fill a SIMD vector.
    const QUADS: usize = 15;
    /// Measured vertices in a patch.
    const POINTS: usize = Self::QUADS * Self::QUADS;

    /// Adds the distances between the surface of `level` and the vertices of `patch`.
    fn add_patch(&mut self, field: &HeightField, layout: &ChunkLayout, level: u8, patch: Patch) {
        let (stride, spacing) = (stride(level), layout.spacing(0));
        let grid = |origin, side| NodeGrid { origin, stride, size: [side; 2], spacing };
        let [x, z] = [0, 1].map(|axis| patch.corner[axis] + patch.vertex[axis]);
        field.fill(&grid(patch.corner, Self::QUADS + 1), &mut self.noise, &mut self.corners);
        field.fill(&grid([x, z], Self::QUADS), &mut self.noise, &mut self.vertices);
        let [u, v] = patch.vertex.map(|index| index as f64 / stride as f64);
        let rows = self.corners.windows(2 * (Self::QUADS + 1)).step_by(Self::QUADS + 1);
        for (corners, vertices) in rows.zip(self.vertices.chunks(Self::QUADS)) {
            let (north, south) = corners.split_at(Self::QUADS + 1);
            for ((north, south), &vertex) in north.windows(2).zip(south.windows(2)).zip(vertices) {
                let surface = quad_height([north[0], north[1], south[0], south[1]].map(f64::from), u, v);
                // If heights overflow, the distance is 0 instead of NaN.
                self.distances.push((surface - f64::from(vertex)).abs().max(0.0) as f32);
            }
        }
    }
}

impl PartialEq for Survey {
    fn eq(&self, other: &Self) -> bool {
        self.distances == other.distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkSettings};
    use crate::field::{EditChange, EditCircle, EditHeight, EditId, EditShape, FieldSettings, TerrainEdit};
    use crate::noise::{FractalShape, NoiseSettings};

    const TOP: u8 = 12;

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 })
    }

    fn field(layers: Vec<NoiseSettings>) -> HeightField {
        let layers = layers.into_iter().map(Into::into).collect();
        HeightField::new(&FieldSettings { layers, ..Default::default() })
    }

    /// Smooth valleys between rough crests, so errors vary from place to place.
    fn crests() -> HeightField {
        let crests =
            NoiseSettings { shape: FractalShape::Ridged, height_scale: 600.0, frequency: 0.0003, ..Default::default() };
        field(vec![NoiseSettings::default(), crests])
    }

    #[test]
    fn edits_change_no_error() {
        let mut field = crests();
        let errors = measured(&field, 3);
        // Around the patches that level 1 measures first.
        for number in 0..20 {
            let [x, z] = Patch::random(&layout(), 1, number).corner.map(|index| index as f64 * 4.0);
            let shape = EditShape::Circle(EditCircle { x, z, radius: 1e4 });
            let change = EditChange::Flatten(EditHeight::above_zero(500.0));
            let edit = TerrainEdit { shape, change, ..TerrainEdit::default() };
            field.replace_edit(EditId::Game(number), None, Some(&edit));
        }
        assert_eq!(measured(&field, 3), errors);
    }

    fn measured(field: &HeightField, level: u8) -> LevelErrors {
        let mut errors = LevelErrors::new();
        errors.measure(field, &layout(), level);
        errors
    }

    /// The `quantile` of the distances in the patches with these numbers, each moved by `shift` vertices.
    fn surveyed(field: &HeightField, level: u8, numbers: std::ops::Range<u64>, shift: i64, quantile: f64) -> f64 {
        let mut survey = Survey::default();
        for number in numbers {
            let mut patch = Patch::random(&layout(), level, number);
            patch.corner = patch.corner.map(|index| index + (shift >> level << level));
            survey.add_patch(field, &layout(), level, patch);
        }
        quantile_of(&mut survey.distances, quantile).into()
    }

    fn assert_close(a: f64, b: f64, part: f64, what: &str) {
        assert!((a - b).abs() <= part * a.max(b), "{what}: {a} m and {b} m");
    }

    #[test]
    fn flat_ground_has_no_error() {
        let flat = measured(&field(vec![]), TOP);
        assert_eq!(flat.measured(), TOP);
        assert!((0..LEVELS as u8).all(|level| flat.of(level) == 0.0));
    }

    #[test]
    fn the_error_never_falls_from_one_level_to_the_next() {
        for field in [field(vec![NoiseSettings::default()]), crests()] {
            let errors = measured(&field, LEVELS as u8);
            assert_eq!((errors.of(0), errors.measured()), (0.0, LEVELS as u8 - 1));
            assert!((1..LEVELS as u8).all(|level| errors.of(level) >= errors.of(level - 1)), "{errors:?}");
            // The error stops growing when quads are longer than the longest waves.
            assert!((1..8).all(|level| errors.of(level) > 1.3 * errors.of(level - 1)), "{errors:?}");
            assert_close(errors.of(12), errors.of(LEVELS as u8 - 1), 0.15, "levels 12 and 23");
        }
    }

    #[test]
    fn one_in_a_thousand_vertices_of_chunks_is_beyond_the_error() {
        let (field, mut builder, layout) = (crests(), ChunkBuilder::default(), layout());
        let errors = measured(&field, 3);
        for level in 1..=3 {
            // Compare chunks of level 0 with the quads of `level`, from `ChunkGeometry` alone.
            let mut distances = Vec::new();
            for number in 0..500 {
                let mut rng = NoiseRng::new(77, number);
                let position = [(); 2].map(|()| ((2e4 * rng.next_unit()) as i64) << level);
                let chunk = ChunkCoord { level, x: position[0] >> level, z: position[1] >> level };
                let coarse = builder.build(&field, &layout, chunk);
                let fine = builder.build(&field, &layout, ChunkCoord::finest(position[0], position[1]));
                let coarse_height = |x: usize, z: usize| f64::from(coarse.positions[z * 65 + x][1]);
                for (vertex, position) in fine.positions.iter().enumerate() {
                    let (x, z, quad) = (vertex % 65, vertex / 65, 1_usize << level);
                    if x < 64 && z < 64 && (x % quad, z % quad) != (0, 0) {
                        let (west, north) = (x / quad, z / quad);
                        let corners =
                            [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dz)| coarse_height(west + dx, north + dz));
                        let [u, v] = [x, z].map(|along| (along % quad) as f64 / quad as f64);
                        distances.push((quad_height(corners, u, v) - f64::from(position[1])).abs() as f32);
                    }
                }
            }
            let beyond = distances.iter().filter(|&&distance| f64::from(distance) > errors.of(level)).count();
            let part = beyond as f64 / distances.len() as f64;
            assert!((0.0004..0.0025).contains(&part), "level {level}: {part} of the vertices lie beyond the error");
        }
    }

    #[test]
    fn measurements_at_other_places_agree() {
        for field in [field(vec![NoiseSettings::default()]), crests()] {
            for level in 1..=TOP {
                let [a, b] = [0..Survey::patches(level), Survey::patches(level)..2 * Survey::patches(level)]
                    .map(|numbers| surveyed(&field, level, numbers, 0, LevelErrors::QUANTILE));
                assert_close(a, b, 0.15, &format!("level {level}"));
            }
        }
    }

    #[test]
    fn errors_far_from_the_origin_equal_those_near_it() {
        let field = crests();
        for level in 1..=TOP {
            let errors = [0, 250_000_000_007, -250_000_000].map(|shift| {
                // More vertices and a lower quantile than in a measurement, for less variance.
                surveyed(&field, level, 0..2 * Survey::patches(level), shift, 0.99)
            });
            assert_close(errors[0], errors[1], 0.1, &format!("level {level}, a billion kilometres away"));
            assert_close(errors[0], errors[2], 0.1, &format!("level {level}, a million kilometres away"));
        }
    }

    #[test]
    fn steps_and_levels_in_any_order_measure_the_same() {
        let (field, layout) = (crests(), layout());
        let whole = measured(&field, 6);
        let (mut parts, mut steps) = (measured(&field, 2), 0);
        parts.measure(&field, &layout, 1);
        assert_eq!(parts.measured(), 2, "measured levels stay measured");
        while parts.measured() < 5 {
            let before = parts.of(5);
            parts.measure_step(&field, &layout);
            assert!(parts.of(5) >= before);
            steps += 1;
        }
        assert_eq!(steps, (3..=5).map(Survey::patches).sum::<u64>());
        parts.measure(&field, &layout, 6);
        assert_eq!(parts, whole);
        assert_eq!((whole.of(7), whole.of(u8::MAX)), (whole.of(6), whole.of(6)), "not measured yet");
    }

    #[test]
    fn when_all_levels_are_measured_a_step_does_nothing() {
        let all = measured(&field(vec![]), u8::MAX);
        let mut more = all.clone();
        more.measure_step(&crests(), &layout());
        assert_eq!(more, all);
    }

    #[test]
    fn no_vertex_of_a_patch_belongs_to_the_coarser_level() {
        for level in [1, 2, 7, 23] {
            let stride = stride(level);
            let mut vertices = std::collections::HashSet::new();
            for number in 0..300 {
                let Patch { corner, vertex } = Patch::random(&layout(), level, number);
                assert!(corner.iter().all(|index| index % stride == 0));
                assert!(vertex != [0, 0] && vertex.iter().all(|index| (0..stride).contains(index)));
                vertices.insert(vertex);
            }
            assert!(vertices.len() as i64 >= (stride * stride - 1).min(200), "level {level}: {}", vertices.len());
        }
    }

    #[test]
    fn the_quantile_has_its_part_of_the_distances_below_it() {
        let mut distances: Vec<f32> = (1..=1000_u16).rev().map(f32::from).collect();
        for (quantile, expected) in [(0.0, 1.0), (0.5, 500.0), (0.99, 990.0), (0.999, 999.0), (1.0, 1000.0)] {
            assert_eq!(quantile_of(&mut distances, quantile), expected);
        }
    }
}
