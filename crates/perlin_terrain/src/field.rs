//! The height field: a function from a position to a height, compiled from the settings.
//!
//! Use it on a server, in a tool or in a task for the heights, normals and bounds of the smooth ground. It needs no Bevy and no
//! loaded chunk. For the height of the drawn triangles, see [`surface_height`](crate::chunk::surface_height).
//!
//! The settings are a stack of [layers](Layer). Each layer changes the height below it, from the
//! [base height](FieldSettings::base_height) up to the ground. A [`HeightField`] is compiled from [`FieldSettings`] once and is
//! read-only after that, so tasks can share it. It returns a height at any finite coordinate.
//!
//! The 2D noise is sampled on the ground plane: noise x is x of the terrain, noise y is z of the terrain.

mod area;
mod band;
mod blend;
mod carve;
mod check;
mod compile;
mod curve;
mod distance;
mod dunes;
mod edits;
mod erosion;
mod evaluations;
mod grid;
mod interval;
mod kind;
mod layer;
mod mask;
mod positions;
mod program;
mod scatter;
mod scattered;
mod settings;
mod slope;
#[cfg(test)]
pub(crate) mod stack_tests;
mod stream;
mod terrace;
mod warp;

pub use area::FieldArea;
pub use blend::Blend;
pub use carve::{Carve, ValleyShape};
pub use curve::{Curve, CurvePoint};
pub use dunes::Dunes;
pub use edits::{
    EditBox, EditChange, EditCircle, EditHeight, EditHill, EditId, EditMap, EditPath, EditShape, GroundHash,
    HeightBase, PathPoint, Raise, SavedEdits, TerrainEdit,
};
pub use erosion::{Eroded, Erosion, ErosionSettings};
pub use grid::NodeGrid;
pub use kind::{Constant, Group, LayerKind};
pub use layer::Layer;
pub use mask::{HeightRange, LayerMask, Mask, NoiseMask, PointMask, SegmentMask, SlopeMask};
pub use scatter::{HillShape, Scatter};
pub use settings::FieldSettings;
pub use terrace::Terrace;

#[doc(hidden)]
pub use band::{Band, PlainRange};
pub(crate) use band::{plain_ranges, smooth};
pub(crate) use compile::WithoutEffect;
pub(crate) use stream::stream_of_name;

use edits::EditTree;
use positions::{MAX_PLANES, OnePosition};
use program::{DRAINAGE, Program};
use std::sync::Arc;

/// The heights of an endless plane, in metres.
///
/// The same settings and [edits](TerrainEdit) give the same bits on every machine and with any number of threads. Clones share what they
/// have in common, so a clone is cheap.
///
/// ```
/// use perlin_terrain::field::{FieldSettings, HeightField};
///
/// let field = HeightField::new(&FieldSettings::default());
/// let (lowest, highest) = field.bounds();
/// let height = field.height(1200.0, -350.0);
/// assert!(lowest <= height && height <= highest);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    program: Arc<Program>,
    edits: EditTree,
}

impl HeightField {
    /// Compiles `settings`.
    ///
    /// The lattice of a layer comes from the random [stream](Layer::stream) of the layer and from the seed. So two layers with
    /// different streams never have the same noise.
    ///
    /// Settings out of their ranges never panic, but their heights may be useless, or not even numbers. Layers that nest or stack
    /// deeper than [`FieldSettings`] allows may have no effect, or take very long. Check settings from code with
    /// [`TerrainSettings::validate`](crate::settings::TerrainSettings::validate).
    #[must_use]
    pub fn new(settings: &FieldSettings) -> Self {
        let mut field = Self { program: Arc::new(Program::compile(settings)), edits: EditTree::default() };
        for (index, edit) in settings.edits.iter().take(FieldSettings::MAX_EDITS).enumerate() {
            field.replace_edit(EditId::Settings(index as u32), None, Some(edit));
        }
        field
    }

    /// The height at `(x, z)`. All lengths are in metres.
    #[must_use]
    pub fn height(&self, x: f64, z: f64) -> f32 {
        self.planes(x, z)[0]
    }

    /// The drainage at `(x, z)`, for color and plants: 1 where water would gather, in the creases that the last
    /// [erosion](LayerKind::Erosion) of the stack makes, and -1 on its crests. Nearer to 0 where the ground is less steep, and where
    /// the opacity or the masks of the erosion weaken it. 0 on level ground and without an erosion.
    ///
    /// [`SurfaceSample::drainage`](crate::look::SurfaceSample::drainage) has the same sign, and so do the ranges `drainage` of a look.
    ///
    /// ```
    /// use perlin_terrain::field::{ErosionSettings, FieldSettings, HeightField, Layer, LayerKind};
    ///
    /// let gullies = LayerKind::Erosion(ErosionSettings::default());
    /// let layers = vec![Layer::default(), gullies.into()];
    /// let field = HeightField::new(&FieldSettings { layers, ..FieldSettings::default() });
    /// assert!((-1.0..=1.0).contains(&field.drainage(1200.0, -350.0)));
    /// ```
    #[must_use]
    pub fn drainage(&self, x: f64, z: f64) -> f32 {
        if self.program.has_drainage() { self.planes(x, z)[DRAINAGE] } else { 0.0 }
    }

    /// All planes of the program at one position, with the edits.
    fn planes(&self, x: f64, z: f64) -> [f32; MAX_PLANES] {
        let mut planes = self.planes_without_edits(x, z);
        let [heights, drainage, ..] = planes.each_mut().map(std::slice::from_mut);
        let drainage = self.program.has_drainage().then_some(drainage);
        self.edits.apply_at(&[[x.into(), z.into()]], heights, drainage);
        planes
    }

    /// All planes of the program at one position.
    fn planes_without_edits(&self, x: f64, z: f64) -> [f32; MAX_PLANES] {
        let mut planes = [0.0; MAX_PLANES];
        self.program.run(&mut OnePosition([x.into(), z.into()]), &mut planes);
        planes
    }

    /// A lower and an upper bound of [`height`](Self::height), in metres. No height lies outside; most terrain stays well inside.
    #[must_use]
    pub fn bounds(&self) -> (f32, f32) {
        let bounds = self.edits.bounds(self.program.bounds());
        (bounds.low as f32, bounds.high as f32)
    }

    /// The unit normal at `(x, z)`, from central differences of the heights `step` metres to each side.
    #[must_use]
    pub fn normal(&self, x: f64, z: f64, step: f64) -> [f32; 3] {
        normal_from_neighbors(
            [self.height(x - step, z), self.height(x + step, z), self.height(x, z - step), self.height(x, z + step)],
            step as f32,
        )
    }
}

/// The unit normal of a point, from the heights of its four neighbors at `step` metres: -x, +x, -z and +z.
///
/// Depends on those heights and `step` only: the same arguments give the same bits.
#[inline]
#[must_use]
pub fn normal_from_neighbors([west, east, north, south]: [f32; 4], step: f32) -> [f32; 3] {
    let (x, y, z) = (west - east, 2.0 * step, north - south);
    let scale = 1.0 / (x * x + y * y + z * z).sqrt();
    [x * scale, y * scale, z * scale]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{FractalShape, NoiseRng, NoiseSettings};

    fn layered(seed: u64) -> FieldSettings {
        FieldSettings {
            seed,
            base_height: 25.0,
            layers: vec![
                Layer::default(),
                NoiseSettings {
                    shape: FractalShape::Ridged,
                    height_scale: 300.0,
                    frequency: 0.002,
                    ..Default::default()
                }
                .into(),
            ],
            edits: vec![],
        }
    }

    #[test]
    fn heights_stay_within_the_bounds() {
        for seed in 0..10 {
            let field = HeightField::new(&layered(seed));
            let (lowest, highest) = field.bounds();
            let mut rng = NoiseRng::new(seed, 77);
            for _ in 0..5000 {
                let height = field.height(rng.next_unit() * 1e5, rng.next_unit() * -1e5);
                assert!((lowest..=highest).contains(&height), "seed {seed}: {height}");
            }
        }
    }

    #[test]
    fn without_layers_the_ground_is_flat_at_the_base_height() {
        let field = HeightField::new(&FieldSettings { layers: vec![], ..layered(1) });
        assert_eq!(field.height(123.0, 456.0), 25.0);
        assert_eq!(field.normal(123.0, 456.0, 1.0), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn equal_layers_do_not_repeat_one_another() {
        let layer = Layer::from(NoiseSettings { offset_octaves: false, ..Default::default() });
        let one =
            HeightField::new(&FieldSettings { base_height: 0.0, layers: vec![layer.clone()], seed: 3, edits: vec![] });
        let two = HeightField::new(&FieldSettings {
            base_height: 0.0,
            layers: vec![layer.clone(), layer],
            seed: 3,
            edits: vec![],
        });
        assert_ne!(one.height(321.0, 654.0) * 2.0, two.height(321.0, 654.0));
    }

    #[test]
    fn seeds_change_the_ground() {
        let at = |seed| HeightField::new(&layered(seed)).height(55.5, 66.6);
        assert_eq!(at(1), at(1));
        assert_ne!(at(1), at(2));
    }

    #[test]
    fn normals_point_away_from_higher_ground() {
        // Rising toward +x: the normal leans toward -x.
        let [x, y, z] = normal_from_neighbors([0.0, 2.0, 1.0, 1.0], 1.0);
        assert!((x + std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
        assert!((y - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
        assert_eq!(z, 0.0);
    }

    #[test]
    fn far_from_the_origin_the_ground_is_as_smooth_as_near_it() {
        let field = HeightField::new(&layered(4));
        let roughness = |origin: f64| {
            let heights: Vec<f64> =
                (0..2000).map(|i| f64::from(field.height(origin + f64::from(i) * 0.125, 0.0))).collect();
            // Second differences: rounding to f32 coordinates would make them large.
            heights.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).fold(0.0, f64::max)
        };
        let near = roughness(0.0);
        for far in [1e6, 1e7, 1e9] {
            assert!(roughness(far) < 10.0 * near, "at {far}: {} against {near}", roughness(far));
        }
    }
}
