//! One layer of the stack: what it adds to the height below, and how.

use super::blend::Blend;
use super::kind::LayerKind;
use super::mask::{LayerMask, Mask};
use super::stream::stream_of_name;
use crate::noise::NoiseSettings;
use crate::param::{Field, ParamMut, ParamVisitor, Params, params};
use serde::{Deserialize, Serialize};

/// One layer of a stack of layers.
///
/// The default is a layer of rolling hills, which is added to the height below.
#[params(manual_visit)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// A name, for you, for [masks](super::LayerMask) that read this layer, and for its random numbers.
    ///
    /// The name gives the layer a random [stream](Self::stream). No other layer may have the same one, also not in another group.
    #[param(max_length = 64)]
    #[serde(default)]
    pub name: String,
    /// Selects the random numbers of the layer. A layer that moves keeps its noise with its stream.
    ///
    /// Two layers with the same settings and different streams have different noise. Without a stream, the layer takes the 32-bit
    /// FNV-1a hash of its name in UTF-8, which is the same on every machine. Without a name it takes its index among all layers,
    /// counted from the first, with the layers of groups after their group.
    #[param(range = 0..=4_294_967_295, detail)]
    #[serde(default)]
    pub stream: Option<u32>,
    /// Whether the layer has an effect.
    #[param(default = true)]
    #[serde(default = "enabled")]
    pub enabled: bool,
    /// How the layer changes the height below it.
    ///
    /// A filter can't have another one than the default.
    #[param(default = Blend::Add)]
    #[serde(default)]
    pub blend: Blend,
    /// Rounds the edge where the layer meets the ground below, for `Min` and `Max`. 0 gives a sharp edge.
    ///
    /// Heights that differ by less than this are blended. A filter can't have another radius than 0.
    #[param(default = 0.0, range = 0.0..=10_000.0, unit = "m")]
    #[serde(default)]
    pub blend_radius: f64,
    /// How much of the layer's effect there is. 0 means no effect.
    #[param(default = 1.0, range = 0.0..=1.0)]
    #[serde(default = "opaque")]
    pub opacity: f64,
    /// Where the layer has an effect: up to 8 masks, which are multiplied. Without any, it has its effect everywhere.
    #[serde(default)]
    pub masks: Vec<Mask>,
    /// The kind of the layer.
    ///
    /// A file must say it.
    #[param(default = LayerKind::Noise(NoiseSettings::default()))]
    pub kind: LayerKind,
}

fn enabled() -> bool {
    Layer::default().enabled
}

fn opaque() -> f64 {
    Layer::default().opacity
}

impl Layer {
    /// The largest number of masks.
    pub const MAX_MASKS: usize = 8;

    /// The largest number of characters of a name.
    pub const MAX_NAME: usize = Self::NAME.max as usize;

    /// The settings of the layer's noise. `None` for a layer of another kind.
    #[must_use]
    pub const fn noise(&self) -> Option<&NoiseSettings> {
        match &self.kind {
            LayerKind::Noise(noise) => Some(noise),
            _ => None,
        }
    }

    /// The settings of the layer's noise, to change them. `None` for a layer of another kind.
    pub const fn noise_mut(&mut self) -> Option<&mut NoiseSettings> {
        match &mut self.kind {
            LayerKind::Noise(noise) => Some(noise),
            _ => None,
        }
    }

    /// The layers inside the layer. Empty unless it is a group.
    #[must_use]
    pub fn children(&self) -> &[Self] {
        match &self.kind {
            LayerKind::Group(group) => &group.layers,
            _ => &[],
        }
    }

    /// The list of the layers inside the layer. `None` unless it is a group.
    pub const fn children_mut(&mut self) -> Option<&mut Vec<Self>> {
        match &mut self.kind {
            LayerKind::Group(group) => Some(&mut group.layers),
            _ => None,
        }
    }

    /// Whether the layer is a group.
    #[must_use]
    pub const fn is_group(&self) -> bool {
        matches!(self.kind, LayerKind::Group(_))
    }

    /// The stream of the layer, which is number `index` of [all layers](super::FieldSettings::all_layers): its own one, or that of its
    /// name, or else its number.
    #[must_use]
    pub fn stream_at(&self, index: usize) -> u32 {
        self.stream.unwrap_or_else(|| if self.name.is_empty() { index as u32 } else { stream_of_name(&self.name) })
    }

    /// The opacity, from 0 to 1. Settings that were never checked may have any, and NaN stays NaN: no effect.
    pub(super) const fn checked_opacity(&self) -> f32 {
        (self.opacity as f32).clamp(0.0, 1.0)
    }

    /// Whether the layer is on and not transparent.
    pub(crate) fn has_effect(&self) -> bool {
        self.enabled && self.checked_opacity() > 0.0
    }

    /// The index of the layer that a mask of the next layer in the list reads by this name.
    pub(crate) fn find(below: &[Self], name: &str) -> Option<usize> {
        below.iter().rposition(|layer| layer.name == name && !name.is_empty())
    }

    /// Whether a mask of the layer at `above` reads the own result of the layer at `index`.
    pub(crate) fn reads(layers: &[Self], above: usize, index: usize) -> bool {
        let mut names = layers[above].masks.iter().filter_map(Mask::named_layer);
        names.any(|name| Self::find(&layers[..above], name) == Some(index))
    }

    /// Whether a mask with an effect reads the own result of the layer at `index`.
    pub(crate) fn is_read(layers: &[Self], index: usize) -> bool {
        (index + 1..layers.len()).any(|above| layers[above].has_effect() && Self::reads(layers, above, index))
    }

    /// Calls `visit` for the layer and for all layers in it, a group before its layers.
    pub(crate) fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        for child in self.children() {
            child.for_each(visit);
        }
    }

    /// Calls `visit` for the layer and for all layers in it, a group before its layers.
    pub(crate) fn for_each_mut(&mut self, visit: &mut impl FnMut(&mut Self)) {
        visit(self);
        for child in self.children_mut().into_iter().flatten() {
            child.for_each_mut(visit);
        }
    }
}

// A mask can name any layer.
const _: () = assert!(LayerMask::LAYER.max == Layer::NAME.max);

impl From<LayerKind> for Layer {
    fn from(kind: LayerKind) -> Self {
        Self { kind, ..Self::default() }
    }
}

impl From<NoiseSettings> for Layer {
    fn from(noise: NoiseSettings) -> Self {
        LayerKind::Noise(noise).into()
    }
}

impl Params for Layer {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        self.name.visit_field(Self::NAME, visitor);
        self.stream.visit_field(Self::STREAM, visitor);
        self.enabled.visit_field(Self::ENABLED, visitor);
        if !self.kind.is_filter() {
            self.blend.visit_field(Self::BLEND, visitor);
            self.blend_radius.visit_field(Self::BLEND_RADIUS, visitor);
        }
        self.opacity.visit_field(Self::OPACITY, visitor);
        visitor.param(Self::KIND, ParamMut::Choice(&mut self.kind));
        visitor.list(Self::MASKS.name, &mut self.masks);
        visitor.nested(Self::KIND.name, &mut self.kind);
    }
}
