//! Warnings about layers and masks without an effect.

use super::warning::empty_range;
use super::{SettingsWarning, TerrainSettings};
use crate::field::{FieldSettings, HeightField, Mask, WithoutEffect};
use crate::look::{LookSettings, SurfaceLayer};
use crate::noise::NoiseSettings;

pub(super) fn warnings(settings: &TerrainSettings) -> Vec<SettingsWarning> {
    let mut found = layers(&settings.field);
    found.extend(scales_of_masks(settings));
    found.extend(look(settings));
    found
}

/// Warnings about masks that are 0 everywhere, and about layers that change nothing.
fn layers(field: &FieldSettings) -> Vec<SettingsWarning> {
    let layers = field.all_layers();
    if layers.len() > FieldSettings::MAX_LAYERS {
        return Vec::new();
    }
    let warning = |found: WithoutEffect| {
        let (path, layer) = &layers[found.layer];
        let (low, high) = (found.reads.low, found.reads.high);
        let (part, message) = match found.mask {
            Some(mask) => {
                let reads = match layer.masks[mask] {
                    Mask::Height(_) if layer.masks[..mask].iter().any(|other| matches!(other, Mask::Height(_))) => {
                        format!("the masks before it leave heights from {low:.1} to {high:.1} m")
                    }
                    Mask::Height(_) => format!("the ground below has heights from {low:.1} to {high:.1} m"),
                    Mask::Slope(_) => format!("the ground below has slopes up to {:.2} rad", libm::atan(high)),
                    Mask::Noise(_) => format!("the noise has values from {low:.2} to {high:.2}"),
                    _ => format!("that layer has heights from {low:.1} to {high:.1} m"),
                };
                (format!(".masks[{mask}]"), format!("the mask is 0 everywhere, so the layer has no effect: {reads}"))
            }
            None => (String::new(), "the layer has no effect: it changes no height".to_owned()),
        };
        SettingsWarning { path: format!("field.{path}{part}"), message }
    };
    field.without_effect().into_iter().map(warning).collect()
}

/// A warning for each height scale in a mask.
fn scales_of_masks(settings: &TerrainSettings) -> Vec<SettingsWarning> {
    let mut found = Vec::new();
    let unset = NoiseSettings::default().height_scale;
    for (path, layer) in settings.visible_layers() {
        for (index, mask) in layer.masks.iter().enumerate() {
            if let Mask::Noise(mask) = mask
                && ![unset, 1.0].contains(&mask.noise.height_scale)
            {
                let path = format!("field.{path}.masks[{index}].noise.height_scale");
                let message =
                    "has no effect in a mask, where the height scale is always 1; change `from` and `to`".to_owned();
                found.push(SettingsWarning { path, message });
            }
        }
    }
    found
}

/// Warnings about heights of the look outside of all heights of the ground, and about ranges of its layers without an effect.
fn look(settings: &TerrainSettings) -> Vec<SettingsWarning> {
    let (lowest, highest) = HeightField::new(&settings.field).bounds();
    let look = &settings.look;
    let [below, above] =
        [format!("no ground is higher than {highest:.1} m"), format!("no ground is lower than {lowest:.1} m")];
    let (lowest, highest) = (f64::from(lowest), f64::from(highest));
    let warning = |is_wrong: bool, path: &str, message: String| {
        is_wrong.then(|| SettingsWarning { path: path.to_owned(), message })
    };
    let (has_water, water, path) = (look.water, look.water_height, "look.water_height");
    let mut found = Vec::new();
    found.extend(warning(has_water && water > highest, path, format!("{below}, so all of it is under water")));
    found.extend(warning(has_water && water < lowest, path, format!("{above}, so no water is seen")));
    let defaults = LookSettings::default().layers;
    for (index, layer) in look.layers.iter().take(LookSettings::MAX_LAYERS).enumerate() {
        let layer_path = format!("look.layers[{index}]");
        for (name, range) in SurfaceLayer::RANGES.into_iter().zip(layer.ranges()) {
            let path = format!("{layer_path}.{name}");
            found.extend(empty_range(&path, range));
            let message = "the range has no effect: the first layer covers what the others leave".to_owned();
            found.extend(warning(index == 0 && !range.is_everything(), &path, message));
        }
        let height = layer.height.plain();
        // It is normal that a ground has no snow or no sand.
        if index == 0 || height.invert || defaults.contains(layer) {
            continue;
        }
        // Noise moves the border by about this height.
        let reach = height.fade * (1.0 + layer.ragged);
        let path = format!("{layer_path}.height");
        let nowhere = |why: &str| format!("{why}, so the layer is nowhere");
        found.extend(warning(height.from - reach > highest, &format!("{path}.from"), nowhere(&below)));
        found.extend(warning(height.to + reach < lowest, &format!("{path}.to"), nowhere(&above)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let settings = TerrainSettings::from_ron(text).expect("the text is valid");
        settings.warnings().iter().map(ToString::to_string).collect()
    }

    fn of_layers(layers: &str) -> Vec<String> {
        texts(&format!("(field: (base_height: 10.0, layers: [{layers}]))"))
    }

    #[test]
    fn masks_that_are_zero_everywhere_are_reported() {
        let masked = |mask: &str| {
            of_layers(&format!("(name: \"flat\", kind: Constant(height: 5.0)), (masks: [{mask}], kind: Noise())"))
        };
        let zero = "`field.layers[1].masks[0]`: the mask is 0 everywhere, so the layer has no effect:";
        let ground = format!("{zero} the ground below has heights from 15.0 to 15.0 m");
        for (mask, expected) in [
            ("Height(from: 70.0)", Some(&ground)),
            ("Height(to: -40.0)", Some(&ground)),
            ("Height(from: 0.0, to: 30.0, invert: true)", Some(&ground)),
            ("Height(from: 40.0)", None),
            ("Height(to: -20.0)", None),
            ("Height(from: 0.0, to: 14.0, fade: 5.0, invert: true)", None),
            ("Noise(from: 2.0, fade: 0.5)", Some(&format!("{zero} the noise has values from -0.71 to 0.71"))),
            ("Noise(from: 2.0, fade: 1.8)", None),
            ("Layer(layer: \"flat\", from: 56.0)", Some(&format!("{zero} that layer has heights from 5.0 to 5.0 m"))),
            ("Layer(layer: \"flat\", from: 54.0)", None),
            ("Slope(from: 1.0)", Some(&format!("{zero} the ground below has slopes up to 0.00 rad"))),
            ("Slope(to: 0.5)", None),
            (
                "Slope(to: 0.0, fade: 0.1, invert: true)",
                Some(&format!("{zero} the ground below has slopes up to 0.00 rad")),
            ),
            ("Slope(from: 0.1, fade: 0.2)", None),
            ("Point(radius: 1.0)", None),
        ] {
            let found = masked(mask);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>(), "{mask}");
        }
        assert_eq!(of_layers("(enabled: false, masks: [Height(from: 900.0)], kind: Noise())"), [""; 0]);
    }

    #[test]
    fn masks_of_which_one_is_zero_where_the_other_is_not_are_reported() {
        // Heights of the ground below are from -40 to 60 m.
        let masked = |masks: &str| {
            of_layers(&format!(
                "(kind: Noise(octaves: 1, height_scale: 70.6)), (masks: [{masks}], kind: Constant(height: 5.0))"
            ))
        };
        let low = "Height(to: 0.0, fade: 10.0)";
        assert_eq!(
            masked(&format!("{low}, Noise(), Height(from: 30.0, fade: 10.0)")),
            [
                "`field.layers[1].masks[2]`: the mask is 0 everywhere, so the layer has no effect: the masks before it leave heights from \
              -39.9 to 10.0 m"
            ]
        );
        for masks in [
            format!("{low}, Height(from: 15.0, fade: 10.0)"),
            format!("{low}, Height(to: -10.0, invert: true)"),
            "Height(to: 0.0, invert: true), Height(from: 30.0)".to_owned(),
        ] {
            assert_eq!(masked(&masks), [""; 0], "{masks}");
        }
    }

    #[test]
    fn layers_that_change_no_height_are_reported() {
        let nothing = ["`field.layers[0]`: the layer has no effect: it changes no height"];
        for layer in [
            "kind: Constant(height: 0.0)",
            "kind: Noise(height_scale: 0.0)",
            "kind: Group()",
            "kind: Curve(points: [])",
            "kind: Erosion(strength: 0.0)",
            "blend: Max, kind: Constant(height: 9.0)",
            "blend: Max, blend_radius: 2.0, kind: Constant(height: 7.0)",
            "blend: Min, kind: Constant(height: 11.0)",
            "blend: Min, blend_radius: 2.0, kind: Constant(height: 13.0)",
            "blend: Max, kind: Noise(height_scale: 14.0)",
        ] {
            assert_eq!(of_layers(&format!("({layer})")), nothing, "{layer}");
        }
        for layer in [
            "kind: Constant(height: 1.0)",
            "kind: Group(layers: [(kind: Noise())])",
            "blend: Replace, kind: Constant(height: 10.0)",
            "blend: Max, blend_radius: 2.0, kind: Constant(height: 9.0)",
            "blend: Min, blend_radius: 2.0, kind: Constant(height: 11.0)",
            "blend: Max, kind: Noise(height_scale: 15.0)",
            "kind: Noise()), (kind: Terrace()",
            "enabled: false, kind: Constant()",
            "opacity: 0.0, kind: Constant()",
        ] {
            assert_eq!(of_layers(&format!("({layer})")), [""; 0], "{layer}");
        }
    }

    #[test]
    fn a_height_scale_in_a_mask_is_reported() {
        let of_mask =
            |scale: f64| of_layers(&format!("(masks: [Noise(noise: (height_scale: {scale:?}))], kind: Noise())"));
        let expected = "`field.layers[0].masks[0].noise.height_scale`: has no effect in a mask, where the height scale is always 1; change `from` and `to`";
        assert_eq!([of_mask(50.0), of_mask(1.0)], [vec![expected.to_owned()], vec![]]);
    }

    #[test]
    fn heights_of_the_look_outside_of_the_ground_are_reported() {
        // From -30 to 70 m.
        let layers = "(masks: [Noise()], kind: Constant(height: 100.0))";
        let of_look = |look: &str| texts(&format!("(field: (base_height: -30.0, layers: [{layers}]), look: ({look}))"));
        let high = "no ground is higher than 70.1 m, so all of it is";
        assert_eq!(of_look("water: true, water_height: 80.0"), [format!("`look.water_height`: {high} under water")]);
        let low = "no ground is lower than -30.1 m, so";
        let dry = format!("`look.water_height`: {low} no water is seen");
        assert_eq!(of_look("water: true, water_height: -40.0"), [dry]);
        for look in ["", "water_height: 80.0", "water: true"] {
            assert_eq!(of_look(look), [""; 0], "{look}");
        }
    }

    #[test]
    fn ranges_of_surface_layers_without_an_effect_are_reported() {
        // From -30 to 70 m.
        let layers = "(masks: [Noise()], kind: Constant(height: 100.0))";
        let of_layer = |layer: &str| {
            texts(&format!("(field: (base_height: -30.0, layers: [{layers}]), look: (layers: [(), ({layer})]))"))
        };
        for (layer, expected) in [
            (
                "height: (from: 200.0)",
                "`look.layers[1].height.from`: no ground is higher than 70.1 m, so the layer is nowhere",
            ),
            (
                "height: (to: -200.0)",
                "`look.layers[1].height.to`: no ground is lower than -30.1 m, so the layer is nowhere",
            ),
            (
                "slope: (from: 0.6, to: 0.5)",
                "`look.layers[1].slope.from`: 0.6 is above `to`, which is 0.5, so the range is empty; set both",
            ),
        ] {
            assert_eq!(of_layer(layer), [expected], "{layer}");
        }
        for layer in ["", "height: (from: 120.0)", "height: (from: 0.0)", "curvature: (from: 0.5)"] {
            assert_eq!(of_layer(layer), [""; 0], "{layer}");
        }
        assert_eq!(
            texts("(look: (layers: [(slope: (from: 0.5))]))"),
            ["`look.layers[0].slope`: the range has no effect: the first layer covers what the others leave"]
        );
    }
}
