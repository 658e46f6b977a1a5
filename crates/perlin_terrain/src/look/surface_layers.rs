//! How much of the ground each layer covers. `layers.wesl` has the same arithmetic for the GPU, and takes all
//! its numbers from here.

use super::pattern::noises;
use super::{LookSettings, SurfaceLayer};
use crate::field::{Band, smooth};

/// The properties of the ground at a position that layers depend on. [`SurfaceSample::new`] has all but the form of the ground around it.
///
/// `SurfaceSample { height, normal, ..SurfaceSample::default() }` leaves out what the game does not know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSample {
    /// The height in metres.
    pub height: f32,
    /// The normal of the ground, with a length of 1. Default: straight up.
    pub normal: [f32; 3],
    /// From -1, a ridge, to 1, a hollow. Default: 0.
    pub curvature: f32,
    /// From -1, a crest, to 1, the bottom of a gully: what [`HeightField::drainage`](crate::field::HeightField::drainage) returns.
    /// Default: 0.
    pub drainage: f32,
    /// Noise from -0.5 to 0.5 with cells of 175 m, 54 m, 17 m and 5.5 m, which makes patches and ragged borders. Default: 0, which
    /// gives the layers without it.
    pub noise: [f32; 4],
}

impl Default for SurfaceSample {
    fn default() -> Self {
        Self { height: 0.0, normal: [0.0, 1.0, 0.0], curvature: 0.0, drainage: 0.0, noise: [0.0; 4] }
    }
}

impl SurfaceSample {
    /// The sample at a position of the terrain, in metres, where the ground has this normal, with the noise that is drawn there. Far away, the
    /// image has less of it: what is smaller than a pixel is missing.
    #[must_use]
    pub fn new(position: [f64; 3], normal: [f32; 3]) -> Self {
        Self { height: position[1] as f32, normal, noise: noises(position), ..Self::default() }
    }

    /// The angle between the ground and a level plane, in radians.
    #[must_use]
    pub fn slope(&self) -> f32 {
        // A server and its players must agree on what covers the ground, so this is not the arc cosine of the platform.
        libm::acosf(self.normal[1].clamp(-1.0, 1.0))
    }
}

/// The layers of the ground in the form in which they are evaluated.
///
/// ```
/// use perlin_terrain::look::{SurfaceLayers, SurfaceSample, LookSettings};
///
/// let layers = SurfaceLayers::new(&LookSettings::default());
/// let summit = SurfaceSample { height: 1500.0, ..SurfaceSample::default() };
/// assert_eq!(layers.strongest(&summit).name, "snow");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceLayers {
    layers: Vec<SurfaceLayer>,
    placed: Vec<PlacedLayer>,
}

/// Where a layer lies, in numbers for the arithmetic of [`cover`](Self::cover).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedLayer {
    /// Of height, slope, aspect, curvature, drainage and noise.
    pub bands: [Band; 6],
    /// The direction of the aspect along x and z.
    pub toward: [f32; 2],
    /// The opacity of the layer.
    pub opacity: f32,
    /// The weight of each of the four noises for the patches.
    pub patches: [f32; 4],
    /// The weight of each of the four noises for the borders.
    pub ragged: [f32; 4],
}

impl SurfaceLayers {
    /// The largest number of layers.
    pub(crate) const MAX: usize = LookSettings::MAX_LAYERS;

    /// Prepares the layers of a look. Of a list that is too long, the first ones count. An empty list counts as one default layer.
    #[must_use]
    pub fn new(look: &LookSettings) -> Self {
        let mut layers = look.layers.clone();
        layers.truncate(Self::MAX);
        if layers.is_empty() {
            layers.push(SurfaceLayer::default());
        }
        let placed = layers.iter().map(PlacedLayer::new).collect();
        Self { layers, placed }
    }

    /// The layers, from the lowest to the topmost. There is at least one.
    #[must_use]
    pub fn layers(&self) -> &[SurfaceLayer] {
        &self.layers
    }

    #[doc(hidden)]
    #[must_use]
    pub fn placed(&self) -> &[PlacedLayer] {
        &self.placed
    }

    /// How much of the ground each layer covers, in the order of [`layers`](Self::layers). The sum is 1; missing layers have 0.
    ///
    /// Each layer lies on those before. The first one has what the others leave, wherever its own ranges say that it lies.
    #[must_use]
    pub fn weights(&self, sample: &SurfaceSample) -> [f32; LookSettings::MAX_LAYERS] {
        let mut weights = [0.0; Self::MAX];
        let mut free = 1.0;
        for (index, layer) in self.placed.iter().enumerate().rev() {
            weights[index] = if index > 0 { free * layer.cover(sample) } else { free };
            free -= weights[index];
        }
        weights
    }

    /// The layer that covers most of the ground there: for the sound of steps, or for plants.
    #[must_use]
    pub fn strongest(&self, sample: &SurfaceSample) -> &SurfaceLayer {
        let weights = self.weights(sample);
        let first = &self.layers[0];
        let stronger = |a: (usize, _), b: (usize, _)| if weights[b.0] > weights[a.0] { b } else { a };
        self.layers.iter().enumerate().reduce(stronger).map_or(first, |(_, layer)| layer)
    }
}

/// The sizes of the cells of the four noises, in metres.
const CELLS: [f64; 4] = [175.0, 54.0, 17.0, 5.5];

/// The weight of each noise for ragged borders.
const RAGGED: [f64; 4] = [1.0, 0.55, 1.3, 0.8];

/// `weights` such that the weighted sum of the noises has half of its values between -0.3 and 0.3. A single noise has half of
/// them between -0.12 and 0.12.
fn normalized(weights: [f64; 4]) -> [f64; 4] {
    let length = weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
    weights.map(|weight| 2.5 * weight / length)
}

/// The weight of each noise for patches of a size: more, the nearer its cells are to it.
fn patches_of(size: f64) -> [f64; 4] {
    let share = |cell| {
        let distance = libm::log(size / cell);
        1.0 / (1.0 + distance * distance)
    };
    normalized(CELLS.map(share))
}

impl PlacedLayer {
    /// Compiles a layer.
    pub fn new(layer: &SurfaceLayer) -> Self {
        let azimuth = layer.aspect.toward;
        Self {
            bands: layer.ranges().map(Band::new),
            toward: [libm::sin(azimuth), -libm::cos(azimuth)].map(|part| part as f32),
            opacity: layer.opacity.clamp(0.0, 1.0) as f32,
            patches: patches_of(layer.noise.size.max(1.0)).map(|weight| weight as f32),
            ragged: normalized(RAGGED).map(|weight| (weight * layer.ragged) as f32),
        }
    }

    /// Whether the layer covers anything where the ground has this height, normal and drainage, whatever else it has there.
    pub(crate) fn may_cover(&self, sample: &SurfaceSample) -> bool {
        // A noise is at most a half, and a weighted sum of them has rounding errors.
        let reach = 0.5 * self.ragged.iter().fold(0.0, |sum, weight| sum + weight) + 1e-3;
        let known = [(0, sample.height), (1, sample.slope()), (2, self.lean(sample)), (4, sample.drainage)];
        known.into_iter().all(|(range, value)| self.bands[range].ramp(value) + reach > 0.0)
    }

    /// How far the ground leans toward the direction of the aspect.
    fn lean(&self, sample: &SurfaceSample) -> f32 {
        self.toward[0] * sample.normal[0] + self.toward[1] * sample.normal[2]
    }

    /// How much of the layers below a layer covers there. `cover` in `layers.wesl` is its twin.
    ///
    /// The band with the lowest ramp counts, and noise moves its border.
    pub fn cover(&self, sample: &SurfaceSample) -> f32 {
        let patches = dot(self.patches, sample.noise);
        let values = [sample.height, sample.slope(), self.lean(sample), sample.curvature, sample.drainage, patches];
        let ramps = self.bands.iter().zip(values).map(|(band, value)| band.ramp(value));
        let lowest = ramps.fold(f32::INFINITY, f32::min);
        self.opacity * smooth(lowest + dot(self.ragged, sample.noise))
    }
}

fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{ErosionSettings, FieldSettings, HeightField, HeightRange, Layer, LayerKind};
    use crate::look::{AspectRange, NoiseRange, ReliefRange, SlopeRange};
    use crate::noise::NoiseSettings;

    const EAST: SurfaceSample =
        SurfaceSample { height: 300.0, normal: [0.6, 0.8, 0.0], curvature: 0.0, drainage: 0.0, noise: [0.0; 4] };

    fn cover(layer: &SurfaceLayer, sample: &SurfaceSample) -> f32 {
        PlacedLayer::new(layer).cover(sample)
    }

    #[test]
    fn each_range_places_a_layer() {
        let layer = SurfaceLayer { ragged: 0.0, ..SurfaceLayer::default() };
        assert_eq!(cover(&layer, &EAST), 1.0);
        let height = |from, to| HeightRange { from, to, fade: 100.0, invert: false };
        let slope = |from, to| SlopeRange { from, to, ..SlopeRange::default() };
        let east = |from, to| AspectRange { toward: 1.57, from, to, ..AspectRange::default() };
        let relief = |from, to| ReliefRange { from, to, fade: 0.5, invert: false };
        let noise = |from, to| NoiseRange { from, to, ..NoiseRange::default() };
        let (hollow, gully) = (SurfaceSample { curvature: 0.5, ..EAST }, SurfaceSample { drainage: 0.5, ..EAST });
        let (patch, west) =
            (SurfaceSample { noise: [0.3; 4], ..EAST }, SurfaceSample { normal: [-0.6, 0.8, 0.0], ..EAST });
        for (layer, sample, expected) in [
            (SurfaceLayer { height: height(300.0, 400.0), ..layer.clone() }, EAST, 1.0),
            (SurfaceLayer { height: height(350.0, 400.0), ..layer.clone() }, EAST, 0.5),
            (SurfaceLayer { height: height(0.0, 250.0), ..layer.clone() }, EAST, 0.5),
            (SurfaceLayer { height: height(0.0, 200.0), ..layer.clone() }, EAST, 0.0),
            (SurfaceLayer { slope: slope(0.9, 1.5), ..layer.clone() }, EAST, 0.0),
            (SurfaceLayer { slope: slope(0.5, 1.5), ..layer.clone() }, EAST, 1.0),
            (SurfaceLayer { aspect: east(0.5, 1.0), ..layer.clone() }, EAST, 1.0),
            (SurfaceLayer { aspect: east(0.5, 1.0), ..layer.clone() }, west, 0.0),
            (SurfaceLayer { aspect: east(-1.0, -0.5), ..layer.clone() }, west, 1.0),
            (SurfaceLayer { curvature: relief(0.5, 1.0), ..layer.clone() }, EAST, 0.0),
            (SurfaceLayer { curvature: relief(0.5, 1.0), ..layer.clone() }, hollow, 1.0),
            (SurfaceLayer { drainage: relief(0.75, 1.0), ..layer.clone() }, gully, 0.5),
            (SurfaceLayer { noise: noise(0.3, 1.0), ..layer.clone() }, EAST, 0.0),
            (SurfaceLayer { noise: noise(0.3, 1.0), ..layer.clone() }, patch, 1.0),
            (SurfaceLayer { height: HeightRange { invert: true, ..height(350.0, 400.0) }, ..layer.clone() }, EAST, 0.5),
            (SurfaceLayer { slope: SlopeRange { invert: true, ..slope(0.9, 1.5) }, ..layer.clone() }, EAST, 1.0),
            (SurfaceLayer { slope: SlopeRange { invert: true, ..slope(0.0, 1.5) }, ..layer.clone() }, EAST, 0.0),
            (SurfaceLayer { opacity: 0.25, ..layer.clone() }, EAST, 0.25),
            // The lowest range counts.
            (SurfaceLayer { height: height(350.0, 400.0), slope: slope(0.9, 1.5), ..layer.clone() }, EAST, 0.0),
        ] {
            assert!((cover(&layer, &sample) - expected).abs() < 2e-3, "{layer:?} at {sample:?}");
        }
        // Noise moves a border, and nothing else.
        let ragged = SurfaceLayer { ragged: 1.0, height: height(350.0, 400.0), ..layer.clone() };
        assert!(cover(&ragged, &patch) > 0.9);
        assert_eq!(cover(&SurfaceLayer { ragged: 4.0, ..layer }, &patch), 1.0);
    }

    #[test]
    fn a_layer_for_gullies_lies_where_the_erosion_of_the_field_lowers_the_ground() {
        let hills = NoiseSettings { octaves: 3, frequency: 0.0006, height_scale: 800.0, ..NoiseSettings::default() };
        let ground = Layer { stream: Some(0), ..hills.into() };
        let erosion = LayerKind::Erosion(ErosionSettings::default());
        let layers = vec![ground.clone(), Layer { stream: Some(1), ..erosion.into() }];
        let field = |layers| HeightField::new(&FieldSettings { layers, ..FieldSettings::default() });
        let (smooth, eroded) = (field(vec![ground]), field(layers));
        let gullies = SurfaceLayer {
            ragged: 0.0,
            drainage: ReliefRange { from: 0.5, fade: 0.1, ..ReliefRange::default() },
            ..SurfaceLayer::default()
        };
        // The mean change of the heights where the layer lies, and on the crests.
        let (mut lowered, mut raised, mut counts) = (0.0, 0.0, [0; 2]);
        for i in 0..2000 {
            let [x, z] = [f64::from(i) * 37.7, f64::from(i) * -91.3];
            let sample = SurfaceSample { drainage: eroded.drainage(x, z), ..SurfaceSample::default() };
            let change = eroded.height(x, z) - smooth.height(x, z);
            if cover(&gullies, &sample) == 1.0 {
                (lowered, counts[0]) = (lowered + change, counts[0] + 1);
            } else if sample.drainage < -0.5 {
                assert_eq!(cover(&gullies, &sample), 0.0);
                (raised, counts[1]) = (raised + change, counts[1] + 1);
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
        let [lowered, raised] = [lowered / counts[0] as f32, raised / counts[1] as f32];
        assert!(lowered < -5.0 && raised > 5.0, "{lowered} m in gullies, {raised} m on crests");
    }

    #[test]
    fn the_first_layer_has_what_the_others_leave() {
        let first =
            SurfaceLayer { height: HeightRange { to: -900.0, ..HeightRange::default() }, ..SurfaceLayer::default() };
        let layers = vec![first, SurfaceLayer { opacity: 0.25, ..SurfaceLayer::default() }];
        let layers = SurfaceLayers::new(&LookSettings { layers, ..LookSettings::default() });
        assert_eq!(layers.weights(&EAST)[..3], [0.75, 0.25, 0.0]);
        assert_eq!(layers.strongest(&EAST), &layers.layers()[0]);
    }

    #[test]
    fn without_layers_all_ground_has_the_default_layer() {
        let layers = SurfaceLayers::new(&LookSettings { layers: Vec::new(), ..LookSettings::default() });
        assert_eq!((layers.layers().len(), layers.strongest(&EAST)), (1, &SurfaceLayer::default()));
        assert_eq!(layers.weights(&EAST)[..2], [1.0, 0.0]);
    }
}
