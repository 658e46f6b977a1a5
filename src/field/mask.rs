//! Masks: where a layer has an effect.

use super::Layer;
use super::interval::Interval;
use crate::noise::NoiseSettings;
use crate::param::{Alternative, Param, ParamMut, ParamVisitor, Params, Scale};
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// Where a layer has an effect: a number from 0 to 1 at each place. The opacity of the layer is multiplied by it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum Mask {
    /// Where the ground below has a height in a range.
    Height(HeightMask),
    /// Where the ground below has a slope in a range.
    Slope(SlopeMask),
    /// Where a noise is high.
    Noise(NoiseMask),
    /// Near a point.
    Point(PointMask),
    /// Near a segment of a line.
    Segment(SegmentMask),
    /// Where a layer below, in the same list, is high.
    Layer(LayerMask),
}

impl Mask {
    /// All kinds of masks.
    pub const KINDS: [Alternative; 6] = [
        Alternative { name: "Height", help: "Where the ground below has a height in a range." },
        Alternative { name: "Slope", help: "Where the ground below has a slope in a range." },
        Alternative { name: "Noise", help: "Where a noise is high: patches." },
        Alternative { name: "Point", help: "Near a point: an island, a town, a crater of your own." },
        Alternative { name: "Segment", help: "Near a segment of a line: a pass, a dam, a runway." },
        Alternative {
            name: "Layer",
            help: "Where a layer below, in the same list, is high: forest on its hills alone.",
        },
    ];

    /// Returns the mask with the name that a file has for it, with default values. `None` if there is no such mask.
    #[must_use]
    pub fn with_defaults(name: &str) -> Option<Self> {
        match name {
            "Height" => Some(Self::Height(HeightMask::default())),
            "Slope" => Some(Self::Slope(SlopeMask::default())),
            "Noise" => Some(Self::Noise(NoiseMask::default())),
            "Point" => Some(Self::Point(PointMask::default())),
            "Segment" => Some(Self::Segment(SegmentMask::default())),
            "Layer" => Some(Self::Layer(LayerMask::default())),
            _ => None,
        }
    }

    /// The name of the mask in a file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Height(_) => "Height",
            Self::Slope(_) => "Slope",
            Self::Noise(_) => "Noise",
            Self::Point(_) => "Point",
            Self::Segment(_) => "Segment",
            Self::Layer(_) => "Layer",
        }
    }

    /// The name of the layer that the mask reads. `None` for a mask of another kind.
    #[must_use]
    pub(crate) const fn named_layer(&self) -> Option<&str> {
        match self {
            Self::Layer(mask) => Some(mask.layer.as_str()),
            _ => None,
        }
    }
}

impl Params for Mask {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        match self {
            Self::Height(mask) => mask.visit(visitor),
            Self::Slope(mask) => mask.visit(visitor),
            Self::Noise(mask) => mask.visit(visitor),
            Self::Point(mask) => mask.visit(visitor),
            Self::Segment(mask) => mask.visit(visitor),
            Self::Layer(mask) => mask.visit(visitor),
        }
    }
}

static INVERT: Param = Param::free("invert", "Exchanges where the layer has an effect and where it has none.");

/// 1 where the ground below has a height in a range, and 0 far from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct HeightMask {
    /// The lowest height with the full effect. \[Limit: -20000 to 20000\] \[Units: m\] Default: -20000.
    pub from: f64,
    /// The highest height with the full effect. \[Limit: -20000 to 20000\] \[Units: m\] Default: 20000.
    pub to: f64,
    /// The effect fades out over this height, below and above the range. \[Limit: 0.1 to 20000\] \[Units: m\] Default: 50.
    pub fade: f64,
    /// Whether the layer has its effect outside of the range instead. Default: false.
    pub invert: bool,
}

impl Default for HeightMask {
    fn default() -> Self {
        Self { from: -20_000.0, to: 20_000.0, fade: 50.0, invert: false }
    }
}

static HEIGHT_FROM: Param = Param::new("from", "m", -2e4, 2e4, "The lowest height with the full effect.");
static HEIGHT_TO: Param = Param::new("to", "m", -2e4, 2e4, "The highest height with the full effect.");
static HEIGHT_FADE: Param =
    Param::new("fade", "m", 0.1, 2e4, "The effect fades out over this height, below and above the range.")
        .scale(Scale::Logarithmic);

impl Params for HeightMask {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&HEIGHT_FROM, ParamMut::Float(&mut self.from));
        visitor.param(&HEIGHT_TO, ParamMut::Float(&mut self.to));
        visitor.param(&HEIGHT_FADE, ParamMut::Float(&mut self.fade));
        visitor.param(&INVERT, ParamMut::Switch(&mut self.invert));
    }
}

/// 1 where the ground below has a slope in a range, and 0 far from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SlopeMask {
    /// The lowest slope with the full effect. \[Limit: 0 to 1.5\] \[Units: rad\] Default: 0.
    pub from: f64,
    /// The highest slope with the full effect. \[Limit: 0 to 1.5\] \[Units: rad\] Default: 1.5.
    pub to: f64,
    /// The effect fades out over this angle, below and above the range, evenly in rise over run. \[Limit: 0.01 to 1.5\] \[Units: rad\] Default: 0.2.
    pub fade: f64,
    /// The slope is measured over this distance to each side. A longer distance ignores smaller bumps.
    /// \[Limit: 0.5 to 1000\] \[Units: m\] Default: 20.
    pub distance: f64,
    /// Whether the layer has its effect outside of the range instead. Default: false.
    pub invert: bool,
}

impl Default for SlopeMask {
    fn default() -> Self {
        Self { from: 0.0, to: 1.5, fade: 0.2, distance: 20.0, invert: false }
    }
}

static SLOPE_FROM: Param = Param::new("from", "rad", 0.0, 1.5, "The lowest slope with the full effect.");
static SLOPE_TO: Param = Param::new("to", "rad", 0.0, 1.5, "The highest slope with the full effect.");
static SLOPE_FADE: Param =
    Param::new("fade", "rad", 0.01, 1.5, "The effect fades out over this angle, below and above the range.");
static SLOPE_DISTANCE: Param = Param::new(
    "distance",
    "m",
    0.5,
    1000.0,
    "The slope is measured over this distance to each side. A longer distance ignores smaller bumps.",
)
.scale(Scale::Logarithmic);

impl Params for SlopeMask {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&SLOPE_FROM, ParamMut::Float(&mut self.from));
        visitor.param(&SLOPE_TO, ParamMut::Float(&mut self.to));
        visitor.param(&SLOPE_FADE, ParamMut::Float(&mut self.fade));
        visitor.param(&SLOPE_DISTANCE, ParamMut::Float(&mut self.distance));
        visitor.param(&INVERT, ParamMut::Switch(&mut self.invert));
    }
}

/// 1 where a noise is high, and 0 where it is low.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct NoiseMask {
    /// The layer has no effect at and below this value of the noise. \[Limit: -10 to 10\] Default: -0.1.
    pub from: f64,
    /// The layer has its full effect at and above this value of the noise. \[Limit: -10 to 10\] Default: 0.1.
    pub to: f64,
    /// Whether the layer has its effect where the noise is low instead. Default: false.
    pub invert: bool,
    /// The noise. Its height scale counts as 1, so its values are about -0.5 to 0.5. Default: the default noise.
    pub noise: NoiseSettings,
}

impl NoiseMask {
    /// The noise that the mask reads.
    pub(crate) fn noise_of_values(&self) -> NoiseSettings {
        NoiseSettings { height_scale: 1.0, ..self.noise.clone() }
    }
}

impl Default for NoiseMask {
    fn default() -> Self {
        Self { from: -0.1, to: 0.1, invert: false, noise: NoiseSettings::default() }
    }
}

static NOISE_FROM: Param = Param::new("from", "", -10.0, 10.0, "No effect at and below this value of the noise.");
static NOISE_TO: Param = Param::new("to", "", -10.0, 10.0, "The full effect at and above this value of the noise.");

impl Params for NoiseMask {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&NOISE_FROM, ParamMut::Float(&mut self.from));
        visitor.param(&NOISE_TO, ParamMut::Float(&mut self.to));
        visitor.param(&INVERT, ParamMut::Switch(&mut self.invert));
        visitor.nested("noise", &mut self.noise);
    }
}

/// 1 near a point, and 0 far from it. A group with a warp moves its places, and so the point too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct PointMask {
    /// Position of the point along x. \[Limit: -1e9 to 1e9\] \[Units: m\] Default: 0.
    pub x: f64,
    /// Position of the point along z. \[Limit: -1e9 to 1e9\] \[Units: m\] Default: 0.
    pub z: f64,
    /// The full effect up to this distance. \[Limit: 0 to 1000000\] \[Units: m\] Default: 500.
    pub radius: f64,
    /// The effect fades out over this distance beyond the radius. \[Limit: 0.1 to 1000000\] \[Units: m\] Default: 500.
    pub fade: f64,
    /// Whether the layer has its effect far from the point instead. Default: false.
    pub invert: bool,
}

impl Default for PointMask {
    fn default() -> Self {
        Self { x: 0.0, z: 0.0, radius: 500.0, fade: 500.0, invert: false }
    }
}

static X: Param = Param::new("x", "m", -1e9, 1e9, "Position of the point, or of the start of the segment, along x.");
static Z: Param = Param::new("z", "m", -1e9, 1e9, "Position of the point, or of the start of the segment, along z.");
static END_X: Param = Param::new("end_x", "m", -1e9, 1e9, "Position of the end of the segment along x.");
static END_Z: Param = Param::new("end_z", "m", -1e9, 1e9, "Position of the end of the segment along z.");
static RADIUS: Param = Param::new("radius", "m", 0.0, 1e6, "The full effect up to this distance.");
static DISTANCE_FADE: Param =
    Param::new("fade", "m", 0.1, 1e6, "The effect fades out over this distance beyond the radius.")
        .scale(Scale::Logarithmic);

impl Params for PointMask {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&X, ParamMut::Float(&mut self.x));
        visitor.param(&Z, ParamMut::Float(&mut self.z));
        visitor.param(&RADIUS, ParamMut::Float(&mut self.radius));
        visitor.param(&DISTANCE_FADE, ParamMut::Float(&mut self.fade));
        visitor.param(&INVERT, ParamMut::Switch(&mut self.invert));
    }
}

/// 1 near a segment of a line, and 0 far from it. A group with a warp moves its places, and so the segment too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct SegmentMask {
    /// Position of the start along x. \[Limit: -1e9 to 1e9\] \[Units: m\] Default: -1000.
    pub x: f64,
    /// Position of the start along z. \[Limit: -1e9 to 1e9\] \[Units: m\] Default: 0.
    pub z: f64,
    /// Position of the end along x. \[Limit: -1e9 to 1e9\] \[Units: m\] Default: 1000.
    pub end_x: f64,
    /// Position of the end along z. \[Limit: -1e9 to 1e9\] \[Units: m\] Default: 0.
    pub end_z: f64,
    /// The full effect up to this distance. \[Limit: 0 to 1000000\] \[Units: m\] Default: 200.
    pub radius: f64,
    /// The effect fades out over this distance beyond the radius. \[Limit: 0.1 to 1000000\] \[Units: m\] Default: 200.
    pub fade: f64,
    /// Whether the layer has its effect far from the segment instead. Default: false.
    pub invert: bool,
}

impl Default for SegmentMask {
    fn default() -> Self {
        Self { x: -1000.0, z: 0.0, end_x: 1000.0, end_z: 0.0, radius: 200.0, fade: 200.0, invert: false }
    }
}

impl Params for SegmentMask {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&X, ParamMut::Float(&mut self.x));
        visitor.param(&Z, ParamMut::Float(&mut self.z));
        visitor.param(&END_X, ParamMut::Float(&mut self.end_x));
        visitor.param(&END_Z, ParamMut::Float(&mut self.end_z));
        visitor.param(&RADIUS, ParamMut::Float(&mut self.radius));
        visitor.param(&DISTANCE_FADE, ParamMut::Float(&mut self.fade));
        visitor.param(&INVERT, ParamMut::Switch(&mut self.invert));
    }
}

/// 1 where a layer below, in the same list, is high, and 0 where it is low.
///
/// The mask reads what the layer makes by itself, before its opacity, its masks and its blend. A layer that is off has a result
/// too. A filter's result is the ground after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct LayerMask {
    /// The [name](super::Layer::name) of the layer. If several have it, the next one below counts. A file must say it.
    /// \[Limit: up to 64 characters\] Default: `""`.
    pub layer: String,
    /// No effect where the result of that layer is at or below this height.
    /// \[Limit: -20000 to 20000\] \[Units: m\] Default: 0.
    pub from: f64,
    /// The full effect where the result of that layer is at or above this height.
    /// \[Limit: -20000 to 20000\] \[Units: m\] Default: 50.
    pub to: f64,
    /// Whether the layer has its effect where the other layer is low instead. Default: false.
    pub invert: bool,
}

impl Default for LayerMask {
    fn default() -> Self {
        Self { layer: String::new(), from: 0.0, to: 50.0, invert: false }
    }
}

static LAYER: Param = Param::text("layer", Layer::MAX_NAME as u32, "The name of a layer below, in the same list.");
static LAYER_FROM: Param = Param::new("from", "m", -2e4, 2e4, "No effect where that layer is at or below this height.");
static LAYER_TO: Param =
    Param::new("to", "m", -2e4, 2e4, "The full effect where that layer is at or above this height.");

impl Params for LayerMask {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(&LAYER, ParamMut::Text(&mut self.layer));
        visitor.param(&LAYER_FROM, ParamMut::Float(&mut self.from));
        visitor.param(&LAYER_TO, ParamMut::Float(&mut self.to));
        visitor.param(&INVERT, ParamMut::Switch(&mut self.invert));
    }
}

/// A smooth band, compiled: 0 below `start`, 1 from `start + rise` to `end`, 0 above `end + fall`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Band {
    start: f32,
    per_rise: f32,
    /// `None` without an upper end.
    end: Option<(f32, f32)>,
    invert: bool,
}

impl Band {
    pub fn of_heights(mask: &HeightMask) -> Self {
        let HeightMask { from, to, fade, invert } = *mask;
        Self {
            start: (from - fade) as f32,
            per_rise: (1.0 / fade) as f32,
            end: Some((to as f32, (1.0 / fade) as f32)),
            invert,
        }
    }

    /// Of slopes as rise over run.
    pub fn of_slopes(mask: &SlopeMask) -> Self {
        let SlopeMask { from, to, fade, invert, .. } = *mask;
        // From the angle to the slope. A quarter turn has none.
        let slope = |angle: f64| if angle < FRAC_PI_2 - 0.01 { libm::tan(angle) } else { f64::INFINITY };
        let ends = (slope(to), slope(to + fade));
        let start = slope(from - fade);
        Self {
            start: start as f32,
            per_rise: (1.0 / (slope(from) - start)) as f32,
            end: ends.1.is_finite().then(|| (ends.0 as f32, (1.0 / (ends.1 - ends.0)) as f32)),
            invert,
        }
    }

    /// Of values of a noise.
    pub fn of_noise(mask: &NoiseMask) -> Self {
        Self::rising(mask.from, mask.to, mask.invert)
    }

    /// Of heights of another layer.
    pub fn of_layer(mask: &LayerMask) -> Self {
        Self::rising(mask.from, mask.to, mask.invert)
    }

    /// 0 at `from` and below, 1 at `to` and above.
    fn rising(from: f64, to: f64, invert: bool) -> Self {
        // A rise of 0 would be a cliff.
        let rise = (to - from).max(1e-3);
        Self { start: from as f32, per_rise: (1.0 / rise) as f32, end: None, invert }
    }

    /// Of distances.
    pub fn of_distances(radius: f64, fade: f64, invert: bool) -> Self {
        // A distance is never below 0, so it is above the lower end.
        Self { start: -1.0, per_rise: 1.0, end: Some((radius as f32, (1.0 / fade) as f32)), invert }
    }

    /// Whether the mask is 0 at all `values`.
    pub fn is_zero_on(self, values: Interval) -> bool {
        let (low, high) = (values.low as f32, values.high as f32);
        if self.invert {
            // The band rises and then falls, so it is 1 between two places where it is 1.
            return self.at(low) == 0.0 && self.at(high) == 0.0;
        }
        let is_above = |(end, per_fall): (f32, f32)| smooth((low - end) * per_fall) == 1.0;
        smooth((high - self.start) * self.per_rise) == 0.0 || self.end.is_some_and(is_above)
    }

    /// The part of `values` outside of which the mask is 0. All of them if the mask is inverted or is 0 at all of them.
    pub fn nonzero_part(self, values: Interval) -> Interval {
        if self.invert || self.is_zero_on(values) {
            return values;
        }
        let end = self.end.map_or(f64::INFINITY, |(end, per_fall)| f64::from(end) + 1.0 / f64::from(per_fall));
        Interval::new(values.low.max(self.start.into()), values.high.min(end))
    }

    /// The mask at `value`.
    pub fn at(self, value: f32) -> f32 {
        let mut mask = smooth((value - self.start) * self.per_rise);
        if let Some((end, per_fall)) = self.end {
            mask *= 1.0 - smooth((value - end) * per_fall);
        }
        if self.invert { 1.0 - mask } else { mask }
    }
}

/// 0 below 0, 1 above 1, and smooth between them.
pub(super) fn smooth(t: f32) -> f32 {
    let t = if t > 0.0 { t } else { 0.0 };
    let t = if t < 1.0 { t } else { 1.0 };
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_full_within_their_range_and_fade_outside() {
        let mask = HeightMask { from: 100.0, to: 200.0, fade: 50.0, invert: false };
        let band = Band::of_heights(&mask);
        for (height, expected) in
            [(0.0, 0.0), (50.0, 0.0), (75.0, 0.5), (100.0, 1.0), (200.0, 1.0), (225.0, 0.5), (250.0, 0.0)]
        {
            assert_eq!(band.at(height), expected, "at {height} m");
            assert_eq!(Band::of_heights(&HeightMask { invert: true, ..mask.clone() }).at(height), 1.0 - expected);
        }
        let steep = Band::of_slopes(&SlopeMask { from: 0.6, ..SlopeMask::default() });
        assert_eq!([0.0, 10.0, 1e6].map(|slope| steep.at(slope)), [0.0, 1.0, 1.0], "no upper end");
        assert!((steep.at(0.5_f32.tan()) - 0.5).abs() < 0.1);
        let gentle = Band::of_slopes(&SlopeMask { from: 0.0, to: 0.3, ..SlopeMask::default() });
        assert_eq!([0.0, 0.2, 1.0].map(|slope| gentle.at(slope)), [1.0, 1.0, 0.0]);
        let patches = Band::of_noise(&NoiseMask::default());
        assert_eq!([-0.5, -0.1, 0.0, 0.1, 0.5].map(|noise| patches.at(noise)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn no_mask_jumps() {
        let all = [
            (Band::of_heights(&HeightMask::default()), 100.0),
            (Band::of_slopes(&SlopeMask { from: 0.6, ..SlopeMask::default() }), 4.0),
            (Band::of_slopes(&SlopeMask { from: 1.5, ..SlopeMask::default() }), 40.0),
            (Band::of_slopes(&SlopeMask { from: 0.0, to: 1.0, fade: 0.5, ..SlopeMask::default() }), 40.0),
            (Band::of_noise(&NoiseMask { from: 0.5, to: -0.5, ..NoiseMask::default() }), 2.0),
        ];
        for (band, reach) in all {
            let values: Vec<f32> = (0..100_000).map(|i| band.at((i as f32 / 50_000.0 - 1.0) * reach)).collect();
            assert!(values.iter().all(|mask| (0.0..=1.0).contains(mask)));
            assert!(values.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.2), "{band:?}");
        }
    }
}
