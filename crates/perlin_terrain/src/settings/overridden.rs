//! Warnings about values that a rule of the settings overrides: they count as another value, or not at all.
//!
//! The field of each rule has it in its docs. Without a warning, a designer who moves such a value sees nothing change.

use super::{SettingsWarning, TerrainSettings};
use crate::field::{Blend, Carve, Dunes, FieldSettings, HillShape, Layer, LayerKind, Mask, Scatter};
use crate::noise::{LatticeKind, NoiseSettings, OctaveSum};
use crate::param::Choice;

/// The warnings about visible layers and their masks, and about filters of nothing.
pub(super) fn warnings(settings: &TerrainSettings) -> Vec<SettingsWarning> {
    let layers = &settings.field.layers;
    // Comparing the names takes time that grows with the square of the number of layers.
    if settings.field.all_layers().len() > FieldSettings::MAX_LAYERS {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (path, layer) in settings.visible_layers() {
        of_layer(&mut Found { path: format!("field.{path}"), warnings: &mut found }, layer);
    }
    of_list("field.layers", layers, &mut found);
    found
}

/// The warnings about what is at a path.
struct Found<'a> {
    path: String,
    warnings: &'a mut Vec<SettingsWarning>,
}

impl Found<'_> {
    /// Adds a warning about a field below the path, if it `is_overridden`.
    fn add(&mut self, is_overridden: bool, field: &str, message: impl FnOnce() -> String) {
        if is_overridden {
            let path = format!("{}.{field}", self.path);
            self.warnings.push(SettingsWarning { path, message: message() });
        }
    }

    /// Adds a warning if a value is above what it counts as at most, which `of` says in words. `other` is what gives the limit.
    fn add_above(&mut self, field: &str, value: f64, max: f64, of: &str, other: &str) {
        // A limit that is a product of a written number may be rounded down.
        self.add(value > max * (1.0 + 1e-9), field, || {
            format!("{value:?} is above {of}, so it counts as {max:.1}; lower it, or raise `{other}`")
        });
    }

    /// Adds a warning if a value differs from its default but has no effect. `remedy` gives it one.
    fn add_unused<T: PartialEq>(&mut self, field: &str, [value, default]: [T; 2], why: &str, remedy: &str) {
        self.add(value != default, field, || format!("has no effect {why}; {remedy}"));
    }

    /// Does `work` at a path below this one.
    fn below(&mut self, path: &str, work: impl FnOnce(&mut Found<'_>)) {
        work(&mut Found { path: format!("{}.{path}", self.path), warnings: self.warnings });
    }
}

fn of_layer(found: &mut Found<'_>, layer: &Layer) {
    if !matches!(layer.blend, Blend::Min | Blend::Max) {
        let why = format!("with the blend {}", layer.blend.name());
        found.add_unused("blend_radius", [layer.blend_radius, 0.0], &why, "remove it, or choose Min or Max");
    }
    for (index, mask) in layer.masks.iter().enumerate() {
        if let Mask::Noise(mask) = mask {
            found.below(&format!("masks[{index}].noise"), |found| of_noise(found, &mask.noise));
        }
    }
    found.below("kind", |found| match &layer.kind {
        LayerKind::Noise(noise) => of_noise(found, noise),
        LayerKind::Scatter(scatter) => of_scatter(found, scatter),
        LayerKind::Dunes(dunes) => of_dunes(found, dunes),
        LayerKind::Carve(carve) => of_carve(found, carve),
        _ => {}
    });
}

fn of_noise(found: &mut Found<'_>, noise: &NoiseSettings) {
    let unset = NoiseSettings::default();
    if noise.wavelength > 0.0 {
        let remedy = "remove one of them";
        found.add_unused("frequency", [noise.frequency, unset.frequency], "beside `wavelength`", remedy);
    }
    if noise.sum == OctaveSum::Normalized {
        let remedy = "remove it, or choose the sum Raw or Clamped";
        found.add_unused("amplitude", [noise.amplitude, unset.amplitude], "with the sum Normalized", remedy);
    }
    let why = format!("with the lattice {}", noise.lattice.name());
    if noise.lattice != LatticeKind::Bit {
        let remedy = "remove it, or choose the lattice Bit";
        found.add_unused("bits", [noise.bits, unset.bits], &why, remedy);
    }
    if !matches!(noise.lattice, LatticeKind::Table | LatticeKind::Grid) {
        found.add_unused("flow", [noise.flow, unset.flow], &why, "remove it, or choose the lattice Table or Grid");
    }
    let beyond = |noise: &NoiseSettings| {
        [f64::from(noise.period_z), f64::from(noise.period_w), noise.stretch_z, noise.stretch_w]
    };
    for ((param, value), unset) in NoiseSettings::BEYOND_PLANE.iter().zip(beyond(noise)).zip(beyond(&unset)) {
        found.add_unused(param.name, [value, unset], "on the ground, which has two axes", "remove it");
    }
    let is_permuted = matches!(noise.lattice, LatticeKind::Diagonal | LatticeKind::Bit | LatticeKind::Edge);
    if !is_permuted {
        let remedy = "remove it, or choose the lattice Diagonal, Bit or Edge";
        found.add_unused("permutation", [noise.permutation, unset.permutation], &why, remedy);
    }
}

fn of_scatter(found: &mut Found<'_>, scatter: &Scatter) {
    let Scatter { spacing, radius_min, radius_max, .. } = *scatter;
    let of = format!("`spacing`, which is {spacing:?}");
    for (field, radius) in [("radius_min", radius_min), ("radius_max", radius_max)] {
        found.add_above(field, radius, spacing, &of, "spacing");
    }
    found.add(radius_min > radius_max, "radius_min", || {
        format!(
            "{radius_min:?} is above `radius_max`, which is {radius_max:?}, so the narrowest hills have the height `height_max`; \
             exchange them"
        )
    });
    if scatter.shape != HillShape::Crater {
        let (unset, why) = (Scatter::default(), format!("with the shape {}", scatter.shape.name()));
        let remedy = "remove it, or choose the shape Crater";
        found.add_unused("crater_radius", [scatter.crater_radius, unset.crater_radius], &why, remedy);
        found.add_unused("crater_depth", [scatter.crater_depth, unset.crater_depth], &why, remedy);
    }
}

fn of_dunes(found: &mut Found<'_>, dunes: &Dunes) {
    let of = format!("a fifth of `wavelength`, which is {:?}", dunes.wavelength);
    found.add_above("height", dunes.height, dunes.max_height(), &of, "wavelength");
}

fn of_carve(found: &mut Found<'_>, carve: &Carve) {
    let of = format!("98 % of `width`, which is {:?}", carve.width);
    found.add_above("bed_width", carve.bed_width, carve.max_bed_width(), &of, "width");
}

/// Warnings about filters of nothing in a list of layers, and in the lists of its groups.
fn of_list(list: &str, layers: &[Layer], warnings: &mut Vec<SettingsWarning>) {
    let mut has_ground = false;
    for (index, layer) in layers.iter().enumerate().filter(|(_, layer)| layer.has_effect()) {
        let found = &mut Found { path: format!("{list}[{index}]"), warnings };
        let is_filter = layer.kind.is_filter();
        found.add(is_filter && !has_ground, "kind", || {
            "this filter has no ground below it in its list, so it only changes a height that is the same everywhere; move it above \
             the layers that it should change"
                .to_owned()
        });
        has_ground |= !is_filter;
        of_list(&format!("{list}[{index}].kind.layers"), layer.children(), warnings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_layers(layers: &str) -> Vec<String> {
        let text = format!("(field: (base_height: 10.0, layers: [{layers}]))");
        let settings = TerrainSettings::from_ron(&text).unwrap_or_else(|error| panic!("{error}"));
        settings.warnings().iter().map(ToString::to_string).collect()
    }

    /// Asserts that a layer above a constant one gives this warning below its path, or none.
    #[track_caller]
    fn check(layer: &str, expected: &str) {
        let expected = if expected.is_empty() { vec![] } else { vec![format!("`field.layers[1].{expected}")] };
        assert_eq!(of_layers(&format!("(kind: Constant(height: 1.0)), ({layer})")), expected, "{layer}");
    }

    #[test]
    fn values_above_what_they_count_as_are_reported() {
        for (layer, expected) in [
            (
                "kind: Scatter(spacing: 700.0)",
                "kind.radius_max`: 1500.0 is above `spacing`, which is 700.0, so it counts as 700.0; lower it, or raise `spacing`",
            ),
            ("kind: Scatter(spacing: 1500.0)", ""),
            (
                "kind: Dunes(height: 60.0)",
                "kind.height`: 60.0 is above a fifth of `wavelength`, which is 200.0, so it counts as 40.0; lower it, or raise \
                 `wavelength`",
            ),
            ("kind: Dunes(height: 40.0)", ""),
            ("kind: Dunes(wavelength: 33.3, height: 6.66)", ""),
            (
                "kind: Carve(bed_width: 300.0)",
                "kind.bed_width`: 300.0 is above 98 % of `width`, which is 300.0, so it counts as 294.0; lower it, or raise `width`",
            ),
            ("kind: Carve(bed_width: 294.0)", ""),
            ("enabled: false, kind: Dunes(height: 60.0)", ""),
        ] {
            check(layer, expected);
        }
        let both = "(kind: Constant(height: 1.0)), (kind: Scatter(spacing: 400.0))";
        assert_eq!(of_layers(both).len(), 2, "one warning for each radius");
    }

    #[test]
    fn radii_in_the_wrong_order_are_reported() {
        check(
            "kind: Scatter(radius_min: 900.0, radius_max: 500.0)",
            "kind.radius_min`: 900.0 is above `radius_max`, which is 500.0, so the narrowest hills have the height `height_max`; \
             exchange them",
        );
        check("kind: Scatter(radius_min: 500.0, radius_max: 500.0)", "");
    }

    #[test]
    fn values_that_another_value_switches_off_are_reported() {
        for (layer, expected) in [
            (
                "kind: Noise(amplitude: 2.0)",
                "kind.amplitude`: has no effect with the sum Normalized; remove it, or choose the sum Raw or Clamped",
            ),
            ("kind: Noise(amplitude: 2.0, sum: Raw)", ""),
            ("kind: Noise(amplitude: 2.0, sum: Clamped)", ""),
            (
                "kind: Noise(frequency: 0.002, wavelength: 900.0)",
                "kind.frequency`: has no effect beside `wavelength`; remove one of them",
            ),
            ("kind: Noise(wavelength: 900.0)", ""),
            (
                "kind: Noise(bits: 3)",
                "kind.bits`: has no effect with the lattice FastHash; remove it, or choose the lattice Bit",
            ),
            ("kind: Noise(bits: 3, lattice: Bit)", ""),
            (
                "kind: Noise(permutation: Shuffled, lattice: Grid)",
                "kind.permutation`: has no effect with the lattice Grid; remove it, or choose the lattice Diagonal, Bit \
                 or Edge",
            ),
            ("kind: Noise(permutation: Shuffled, lattice: Diagonal)", ""),
            (
                "kind: Noise(flow: 0.3)",
                "kind.flow`: has no effect with the lattice FastHash; remove it, or choose the lattice Table or Grid",
            ),
            ("kind: Noise(flow: 0.3, lattice: Table)", ""),
            (
                "kind: Noise(stretch_z: 2.0)",
                "kind.stretch_z`: has no effect on the ground, which has two axes; remove it",
            ),
            ("kind: Noise(period_w: 4)", "kind.period_w`: has no effect on the ground, which has two axes; remove it"),
            ("kind: Noise(stretch_x: 2.0, rotation: 0.5, period_y: 4)", ""),
            (
                "masks: [Noise(noise: (amplitude: 2.0))], kind: Constant(height: 5.0)",
                "masks[0].noise.amplitude`: has no effect with the sum Normalized; remove it, or choose the sum Raw or Clamped",
            ),
            (
                "kind: Scatter(crater_depth: 0.3)",
                "kind.crater_depth`: has no effect with the shape Cone; remove it, or choose the shape Crater",
            ),
            ("kind: Scatter(crater_depth: 0.3, shape: Crater)", ""),
            (
                "blend_radius: 5.0, kind: Noise()",
                "blend_radius`: has no effect with the blend Add; remove it, or choose Min or Max",
            ),
            ("blend_radius: 5.0, blend: Max, kind: Noise()", ""),
            ("opacity: 0.0, blend_radius: 5.0, kind: Noise()", ""),
        ] {
            check(layer, expected);
        }
    }

    #[test]
    fn filters_of_nothing_are_reported() {
        let expected = |path: &str| {
            format!(
                "`field.{path}.kind`: this filter has no ground below it in its list, so it only changes a height that is the same \
                 everywhere; move it above the layers that it should change"
            )
        };
        for (layers, paths) in [
            ("(kind: Terrace())", &["layers[0]"][..]),
            ("(kind: Terrace()), (kind: Noise())", &["layers[0]"]),
            ("(kind: Erosion()), (kind: Terrace())", &["layers[0]", "layers[1]"]),
            ("(enabled: false, kind: Noise()), (kind: Terrace())", &["layers[1]"]),
            (
                "(kind: Noise()), (kind: Group(layers: [(kind: Terrace()), (kind: Noise())]))",
                &["layers[1].kind.layers[0]"],
            ),
            ("(kind: Noise()), (kind: Terrace())", &[]),
            ("(enabled: false, kind: Terrace()), (kind: Noise())", &[]),
            ("(kind: Group(layers: [(kind: Noise())])), (kind: Terrace())", &[]),
            ("(enabled: false, kind: Group(layers: [(kind: Terrace())])), (kind: Noise())", &[]),
        ] {
            let expected: Vec<String> = paths.iter().map(|path| expected(path)).collect();
            assert_eq!(of_layers(layers), expected, "{layers}");
        }
    }
}
