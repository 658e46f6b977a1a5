//! How often layers are evaluated for one height.
//!
//! A slope in the field is a difference of heights, so whatever measures one evaluates all that is below it four times more.

use super::{FieldSettings, Layer, LayerKind, Mask};

impl FieldSettings {
    /// How many times a layer may be evaluated for one height. Erosion, and each slope mask, measures the slope of the ground
    /// below, and for that evaluates all layers below four times more. So a layer below two erosions, one on top of the other, is
    /// evaluated 25 times. [Valleys](LayerKind::Carve) measure the slope of their noise, so five times as many count for them. Beyond
    /// the limit, erosions and slope masks may have no effect.
    pub const MAX_EVALUATIONS: u32 = 64;

    /// How many times each layer is evaluated for one height, in the order of [`all_layers`](Self::all_layers). 0 for a layer that is
    /// off, unless a mask reads it.
    #[must_use]
    pub fn evaluations(&self) -> Vec<u32> {
        let mut from_top = from_top(&self.layers, 1);
        from_top.reverse();
        from_top
    }
}

/// The evaluations of all `layers`, the last one first, where the whole stack is evaluated `times`.
fn from_top(layers: &[Layer], mut times: u32) -> Vec<u32> {
    let mut all = Vec::new();
    for (index, layer) in layers.iter().enumerate().rev() {
        let is_computed = layer.has_effect() || Layer::is_read(layers, index);
        let own = if is_computed { times } else { 0 };
        all.extend(from_top(layer.children(), own));
        all.push(own);
        let slope_masks =
            layer.masks.iter().filter(|mask| matches!(mask, Mask::Slope(_)) && layer.has_effect()).count();
        let erosion = is_computed && matches!(layer.kind, LayerKind::Erosion(_));
        let slopes = slope_masks + usize::from(erosion);
        times = times.saturating_mul(1 + 4 * slopes as u32);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Group, LayerMask, SlopeMask};

    fn evaluations(layers: &[Layer]) -> Vec<u32> {
        FieldSettings { layers: layers.to_vec(), ..FieldSettings::default() }.evaluations()
    }

    #[test]
    fn whatever_measures_slopes_evaluates_all_below_it_four_times_more() {
        let noise = Layer::default();
        let erosion = Layer::from(LayerKind::with_defaults("Erosion").expect("it is a kind"));
        let slope = Mask::Slope(SlopeMask::default());
        let masked = |count| Layer { masks: vec![slope.clone(); count], ..noise.clone() };
        let group = |layers: &[Layer]| Layer::from(LayerKind::Group(Group::from(layers.to_vec())));
        let off = |layer: &Layer| Layer { enabled: false, ..layer.clone() };
        assert_eq!(evaluations(&[noise.clone(), erosion.clone(), noise.clone()]), [5, 1, 1]);
        assert_eq!(evaluations(&[noise.clone(), erosion.clone(), erosion.clone()]), [25, 5, 1]);
        assert_eq!(evaluations(&[noise.clone(), masked(1), masked(3)]), [65, 13, 1]);
        assert_eq!(evaluations(&[noise.clone(), off(&erosion), off(&masked(3))]), [1, 0, 0]);
        let mountains = group(&[noise.clone(), erosion.clone()]);
        assert_eq!(evaluations(&[noise.clone(), mountains.clone(), noise.clone()]), [1, 1, 5, 1, 1]);
        assert_eq!(evaluations(&[noise.clone(), mountains, erosion.clone()]), [5, 5, 25, 5, 1]);
        let named = Layer { name: "gullies".to_owned(), ..off(&erosion) };
        let reads = Mask::Layer(LayerMask { layer: "gullies".to_owned(), ..LayerMask::default() });
        assert_eq!(evaluations(&[noise.clone(), named, Layer { masks: vec![reads], ..noise }]), [5, 1, 1]);
    }
}
