//! How much of a place each layer of the ground covers. `layers.wesl` has the same arithmetic for the graphics card, and takes all
//! its numbers from here.

use super::pattern::noises;
use super::{GroundLayer, LookSettings};

/// What the layers of a place depend on. [`GroundPlace::new`] has all but the form of the ground around the place.
///
/// `GroundPlace { height, normal, ..GroundPlace::default() }` leaves out what the game does not know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPlace {
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

impl Default for GroundPlace {
    fn default() -> Self {
        Self { height: 0.0, normal: [0.0, 1.0, 0.0], curvature: 0.0, drainage: 0.0, noise: [0.0; 4] }
    }
}

impl GroundPlace {
    /// A place of the terrain, in metres, where the ground has this normal, with the noise that is drawn there. Far away, the
    /// picture has less of it: what is smaller than a pixel is missing.
    #[must_use]
    pub fn new(place: [f64; 3], normal: [f32; 3]) -> Self {
        Self { height: place[1] as f32, normal, noise: noises(place), ..Self::default() }
    }

    /// The angle between the ground and a level plane, in radians.
    pub(crate) fn slope(&self) -> f32 {
        // A server and its players must agree on what covers a place, so this is not the arc cosine of the platform.
        libm::acosf(self.normal[1].clamp(-1.0, 1.0))
    }
}

/// The layers of the ground in the form in which they are evaluated.
///
/// ```
/// use bevy_perlin_terrain::look::{GroundLayers, GroundPlace, LookSettings};
///
/// let layers = GroundLayers::new(&LookSettings::default());
/// let summit = GroundPlace { height: 1500.0, ..GroundPlace::default() };
/// assert_eq!(layers.strongest(&summit).name, "snow");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GroundLayers {
    layers: Vec<GroundLayer>,
    placed: Vec<PlacedLayer>,
}

/// Where a layer lies, in numbers for the arithmetic of [`cover`](Self::cover). All ends of ranges are divided by their fades.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlacedLayer {
    /// One divided by the fade, of height, slope, curvature and drainage.
    pub scale: [f32; 4],
    /// The lower ends of height, slope, curvature and drainage.
    pub from: [f32; 4],
    /// The upper ends of height, slope, curvature and drainage.
    pub to: [f32; 4],
    /// The lower ends of aspect and noise, then their upper ends.
    pub ends: [f32; 4],
    /// The direction of the aspect along x and z, divided by the fade; the opacity; unused.
    pub toward: [f32; 4],
    /// What each of the four noises counts for the patches, divided by the fade.
    pub patches: [f32; 4],
    /// What each of the four noises counts for the borders.
    pub ragged: [f32; 4],
}

impl GroundLayers {
    /// The largest number of layers.
    pub(crate) const MAX: usize = LookSettings::MAX_LAYERS;

    /// Prepares the layers of a look. Of a list that is too long, the first ones count.
    #[must_use]
    pub fn new(look: &LookSettings) -> Self {
        let mut layers = look.ground_layers();
        layers.truncate(Self::MAX);
        let placed = layers.iter().map(PlacedLayer::new).collect();
        Self { layers, placed }
    }

    /// The layers, from the lowest to the topmost. There is at least one.
    #[must_use]
    pub fn layers(&self) -> &[GroundLayer] {
        &self.layers
    }

    #[cfg(feature = "render")]
    pub(crate) fn placed(&self) -> &[PlacedLayer] {
        &self.placed
    }

    /// How much of a place each layer covers, in the order of [`layers`](Self::layers). The sum is 1; missing layers have 0.
    ///
    /// Each layer lies on those before. The first one has what the others leave, wherever its own ranges say that it lies.
    #[must_use]
    pub fn weights(&self, place: &GroundPlace) -> [f32; LookSettings::MAX_LAYERS] {
        let mut weights = [0.0; Self::MAX];
        let mut free = 1.0;
        for (index, layer) in self.placed.iter().enumerate().rev() {
            weights[index] = if index > 0 { free * layer.cover(place) } else { free };
            free -= weights[index];
        }
        weights
    }

    /// The layer that covers most of a place: for the sound of steps, or for plants.
    #[must_use]
    pub fn strongest(&self, place: &GroundPlace) -> &GroundLayer {
        let weights = self.weights(place);
        let first = &self.layers[0];
        let stronger = |a: (usize, _), b: (usize, _)| if weights[b.0] > weights[a.0] { b } else { a };
        self.layers.iter().enumerate().reduce(stronger).map_or(first, |(_, layer)| layer)
    }
}

/// The sizes of the cells of the four noises, in metres.
const CELLS: [f64; 4] = [175.0, 54.0, 17.0, 5.5];

/// What each noise counts for ragged borders.
const RAGGED: [f64; 4] = [1.0, 0.55, 1.3, 0.8];

/// `weights` such that the weighted sum of the noises has half of its values between -0.3 and 0.3. A single noise has half of
/// them between -0.12 and 0.12.
fn normalized(weights: [f64; 4]) -> [f64; 4] {
    let length = weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
    weights.map(|weight| 2.5 * weight / length)
}

/// What each noise counts for patches of a size: more, the nearer its cells are to it.
fn patches_of(size: f64) -> [f64; 4] {
    let share = |cell| {
        let distance = libm::log(size / cell);
        1.0 / (1.0 + distance * distance)
    };
    normalized(CELLS.map(share))
}

impl PlacedLayer {
    fn new(layer: &GroundLayer) -> Self {
        // Far beyond all values, and finite, as shaders need it.
        const OPEN: f64 = 1e30;
        let [height, slope, aspect, curvature, drainage, noise] = layer.ranges();
        let four = [height, slope, curvature, drainage];
        // Settings that were never checked may have a fade of 0.
        let scale = |range: super::ground_layer::PlainRange| 1.0 / range.fade.max(1e-6);
        let end = |end: f64, range| (end * scale(range)).clamp(-OPEN, OPEN) as f32;
        let azimuth = layer.aspect.toward;
        let facing = [libm::sin(azimuth), -libm::cos(azimuth)].map(|part| (part * scale(aspect)) as f32);
        Self {
            scale: four.map(|range| scale(range) as f32),
            from: four.map(|range| end(range.from, range)),
            to: four.map(|range| end(range.to, range)),
            ends: [end(aspect.from, aspect), end(noise.from, noise), end(aspect.to, aspect), end(noise.to, noise)],
            toward: [facing[0], facing[1], layer.opacity.clamp(0.0, 1.0) as f32, 0.0],
            patches: patches_of(layer.noise.size.max(1.0)).map(|weight| (weight * scale(noise)) as f32),
            ragged: normalized(RAGGED).map(|weight| (weight * layer.ragged) as f32),
        }
    }

    /// How much of the layers below a layer covers at a place. `cover` in `layers.wesl` is its twin.
    ///
    /// The value of each range is 1 at its ends, lower outside, and higher inside. The lowest of them counts.
    pub fn cover(&self, place: &GroundPlace) -> f32 {
        let form = [place.height, place.slope(), place.curvature, place.drainage];
        let mut lowest = f32::INFINITY;
        for (i, value) in form.into_iter().enumerate() {
            let value = value * self.scale[i];
            lowest = lowest.min((value - self.from[i]).min(self.to[i] - value));
        }
        let lean = self.toward[0] * place.normal[0] + self.toward[1] * place.normal[2];
        let patches = dot(self.patches, place.noise);
        lowest = lowest.min((lean - self.ends[0]).min(self.ends[2] - lean));
        lowest = lowest.min((patches - self.ends[1]).min(self.ends[3] - patches));
        let t = (1.0 + lowest + dot(self.ragged, place.noise)).clamp(0.0, 1.0);
        self.toward[2] * t * t * (3.0 - 2.0 * t)
    }
}

fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::field::{ErosionSettings, FieldSettings, HeightField, Layer, LayerKind};
    use crate::look::{AspectRange, HeightRange, NoiseRange, ReliefRange, SlopeRange};
    use crate::noise::NoiseSettings;
    use crate::param::{ParamMut, ParamVisitor, Params};
    use crate::property::for_all;
    use proptest::collection::vec;
    use std::array::from_fn;

    const EAST: GroundPlace =
        GroundPlace { height: 300.0, normal: [0.6, 0.8, 0.0], curvature: 0.0, drainage: 0.0, noise: [0.0; 4] };

    fn cover(layer: &GroundLayer, place: &GroundPlace) -> f32 {
        PlacedLayer::new(layer).cover(place)
    }

    /// A place from numbers between 0 and 1.
    pub(crate) fn place_of(parts: &[f64]) -> GroundPlace {
        let [height, slope, azimuth, curvature, drainage, noise @ ..] = parts else { panic!("too few numbers") };
        let (slope, azimuth) = (slope * 1.5, azimuth * 6.3);
        let normal = [slope.sin() * azimuth.sin(), slope.cos(), slope.sin() * azimuth.cos()];
        GroundPlace {
            height: (height * 2000.0 - 500.0) as f32,
            normal: normal.map(|part| part as f32),
            curvature: (curvature * 2.0 - 1.0) as f32,
            drainage: (drainage * 2.0 - 1.0) as f32,
            noise: from_fn(|i| noise[i] as f32 - 0.5),
        }
    }

    /// A layer with any ranges, from numbers between 0 and 1.
    pub(crate) fn layer_of(parts: &[f64]) -> GroundLayer {
        let mut layer = GroundLayer::default();
        let mut parts = parts.iter().cycle();
        layer.visit(&mut ParamVisitor::new(&mut |path, param, value| {
            if let (ParamMut::Float(value), Some(part)) = (value, parts.next()) {
                let max = if path.starts_with("height") { 1500.0 } else { param.max };
                let min = if param.name == "fade" { 0.1 * max } else { param.min.max(-500.0) };
                *value = min + (max - min) * part;
            }
        }));
        layer
    }

    #[test]
    fn each_range_places_a_layer() {
        let layer = GroundLayer { ragged: 0.0, ..GroundLayer::default() };
        assert_eq!(cover(&layer, &EAST), 1.0);
        let height = |from, to| HeightRange { from, to, fade: 100.0 };
        let slope = |from, to| SlopeRange { from, to, ..SlopeRange::default() };
        let east = |from, to| AspectRange { toward: 1.57, from, to, fade: 0.3 };
        let relief = |from, to| ReliefRange { from, to, fade: 0.5 };
        let noise = |from, to| NoiseRange { from, to, ..NoiseRange::default() };
        let (hollow, gully) = (GroundPlace { curvature: 0.5, ..EAST }, GroundPlace { drainage: 0.5, ..EAST });
        let (patch, west) = (GroundPlace { noise: [0.3; 4], ..EAST }, GroundPlace { normal: [-0.6, 0.8, 0.0], ..EAST });
        for (layer, place, expected) in [
            (GroundLayer { height: height(300.0, 400.0), ..layer.clone() }, EAST, 1.0),
            (GroundLayer { height: height(350.0, 400.0), ..layer.clone() }, EAST, 0.5),
            (GroundLayer { height: height(0.0, 250.0), ..layer.clone() }, EAST, 0.5),
            (GroundLayer { height: height(0.0, 200.0), ..layer.clone() }, EAST, 0.0),
            (GroundLayer { slope: slope(0.9, 1.5), ..layer.clone() }, EAST, 0.0),
            (GroundLayer { slope: slope(0.5, 1.5), ..layer.clone() }, EAST, 1.0),
            (GroundLayer { aspect: east(0.5, 1.0), ..layer.clone() }, EAST, 1.0),
            (GroundLayer { aspect: east(0.5, 1.0), ..layer.clone() }, west, 0.0),
            (GroundLayer { aspect: east(-1.0, -0.5), ..layer.clone() }, west, 1.0),
            (GroundLayer { curvature: relief(0.5, 1.0), ..layer.clone() }, EAST, 0.0),
            (GroundLayer { curvature: relief(0.5, 1.0), ..layer.clone() }, hollow, 1.0),
            (GroundLayer { drainage: relief(0.75, 1.0), ..layer.clone() }, gully, 0.5),
            (GroundLayer { noise: noise(0.3, 1.0), ..layer.clone() }, EAST, 0.0),
            (GroundLayer { noise: noise(0.3, 1.0), ..layer.clone() }, patch, 1.0),
            (GroundLayer { opacity: 0.25, ..layer.clone() }, EAST, 0.25),
            // The lowest range counts.
            (GroundLayer { height: height(350.0, 400.0), slope: slope(0.9, 1.5), ..layer.clone() }, EAST, 0.0),
        ] {
            assert!((cover(&layer, &place) - expected).abs() < 2e-3, "{layer:?} at {place:?}");
        }
        // Noise moves a border, and nothing else.
        let ragged = GroundLayer { ragged: 1.0, height: height(350.0, 400.0), ..layer.clone() };
        assert!(cover(&ragged, &patch) > 0.9);
        assert_eq!(cover(&GroundLayer { ragged: 4.0, ..layer }, &patch), 1.0);
    }

    #[test]
    fn a_layer_for_gullies_lies_where_the_erosion_of_the_field_lowers_the_ground() {
        let hills = NoiseSettings { octaves: 3, frequency: 0.0006, height_scale: 800.0, ..NoiseSettings::default() };
        let ground = Layer { stream: Some(0), ..hills.into() };
        let erosion = LayerKind::Erosion(ErosionSettings::default());
        let layers = vec![ground.clone(), Layer { stream: Some(1), ..erosion.into() }];
        let field = |layers| HeightField::new(&FieldSettings { layers, ..FieldSettings::default() });
        let (smooth, eroded) = (field(vec![ground]), field(layers));
        let gullies = GroundLayer {
            ragged: 0.0,
            drainage: ReliefRange { from: 0.5, fade: 0.1, ..ReliefRange::default() },
            ..GroundLayer::default()
        };
        // The mean change of the heights where the layer lies, and on the crests.
        let (mut lowered, mut raised, mut places) = (0.0, 0.0, [0; 2]);
        for i in 0..2000 {
            let [x, z] = [f64::from(i) * 37.7, f64::from(i) * -91.3];
            let place = GroundPlace { drainage: eroded.drainage(x, z), ..GroundPlace::default() };
            let change = eroded.height(x, z) - smooth.height(x, z);
            if cover(&gullies, &place) == 1.0 {
                (lowered, places[0]) = (lowered + change, places[0] + 1);
            } else if place.drainage < -0.5 {
                assert_eq!(cover(&gullies, &place), 0.0);
                (raised, places[1]) = (raised + change, places[1] + 1);
            }
        }
        assert!(places.iter().all(|&count| count > 50), "{places:?}");
        let [lowered, raised] = [lowered / places[0] as f32, raised / places[1] as f32];
        assert!(lowered < -5.0 && raised > 5.0, "{lowered} m in gullies, {raised} m on crests");
    }

    #[test]
    fn the_first_layer_has_what_the_others_leave() {
        let first =
            GroundLayer { height: HeightRange { to: -900.0, ..HeightRange::default() }, ..GroundLayer::default() };
        let layers = vec![first, GroundLayer { opacity: 0.25, ..GroundLayer::default() }];
        let layers = GroundLayers::new(&LookSettings { layers, ..LookSettings::default() });
        assert_eq!(layers.weights(&EAST)[..3], [0.75, 0.25, 0.0]);
        assert_eq!(layers.strongest(&EAST), &layers.layers()[0]);
    }

    #[test]
    fn weights_add_up_to_one_and_do_not_jump() {
        for_all(200, (vec(0.0..1.0, 150), vec(0.0..1.0, 9), vec(0.0..1.0, 9)), |(layers, from, to)| {
            let layers = layers.chunks(25).map(layer_of).collect();
            let layers = GroundLayers::new(&LookSettings { layers, ..LookSettings::default() });
            let mut before: Option<[f32; 8]> = None;
            for i in 0..=4000 {
                let part = f64::from(i) / 4000.0;
                let between: Vec<f64> = from.iter().zip(&to).map(|(from, to)| from + (to - from) * part).collect();
                let weights = layers.weights(&place_of(&between));
                assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
                if let Some(before) = before {
                    let jump = (0..8).map(|i| (weights[i] - before[i]).abs()).fold(0.0, f32::max);
                    assert!(jump < 0.05, "{jump} at {between:?}");
                }
                before = Some(weights);
            }
        });
    }
}
