//! Tests that the documentation of each setting states the limit, the unit and the default of the code.

use super::TerrainSettings;
use crate::field::{Curve, CurvePoint, FieldSettings, Layer, LayerKind, Mask};
use crate::light::{SkySettings, Sun};
use crate::look::{GroundLayer, LookSettings};
use crate::param::{Alternative, Choice, Param, ParamValue, ParamVisitor, Params, Scale};
use std::collections::BTreeMap;

/// The source file of each settings struct, its name, and its path in the settings.
const SOURCES: [(&str, &str, &str); 7] = [
    (include_str!("../field/settings.rs"), "FieldSettings", "field"),
    (include_str!("../field/layer.rs"), "Layer", "field.layers[0]"),
    (include_str!("../chunk/settings.rs"), "ChunkSettings", "chunks"),
    (include_str!("../chunk/settings.rs"), "LodSettings", "lod"),
    (include_str!("../chunk/settings.rs"), "StreamSettings", "stream"),
    (include_str!("../render/settings.rs"), "LookSettings", "look"),
    (include_str!("../render/ground_pictures.rs"), "GroundPictures", "look.pictures"),
];

/// The source file of the settings struct of each kind of layer, and its name.
const KINDS: [(&str, &str, &str); 9] = [
    ("Noise", include_str!("../noise/settings.rs"), "NoiseSettings"),
    ("Carve", include_str!("../field/carve.rs"), "Carve"),
    ("Constant", include_str!("../field/kind.rs"), "Constant"),
    ("Scatter", include_str!("../field/scatter.rs"), "Scatter"),
    ("Dunes", include_str!("../field/dunes.rs"), "Dunes"),
    ("Group", include_str!("../field/kind.rs"), "Group"),
    ("Terrace", include_str!("../field/terrace.rs"), "Terrace"),
    ("Curve", include_str!("../field/curve.rs"), "Curve"),
    ("Erosion", include_str!("../field/erosion/settings.rs"), "ErosionSettings"),
];

/// The facts in the documentation of a field.
#[derive(Debug, PartialEq)]
struct Documented {
    limit: Option<String>,
    units: Option<String>,
    default: String,
}

impl Documented {
    fn read(text: &str) -> Self {
        let tag = |name: &str| {
            let (_, rest) = text.split_once(&format!("\\[{name}: "))?;
            Some(rest.split_once("\\]").expect("the bracket is closed").0.to_owned())
        };
        let (_, default) = text.split_once("Default: ").unwrap_or_else(|| panic!("no default: {text}"));
        let default = default.split(". ").next().unwrap_or_default().split(", ").next().unwrap_or_default();
        // A color has commas.
        let color = text.split_once("Default: (").and_then(|(_, rest)| rest.split_once(')')).map(|(rgb, _)| rgb);
        let default = color.map_or_else(|| default.trim_end_matches('.').to_owned(), |rgb| format!("({rgb})"));
        Self { limit: tag("Limit"), units: tag("Units"), default }
    }
}

/// The documentation of every field of the struct, by its path.
fn documentation(source: &str, name: &str, parent: &str) -> BTreeMap<String, Documented> {
    let (_, rest) = source.split_once(&format!("pub struct {name} {{\n")).expect("the struct is there");
    let (body, _) = rest.split_once("\n}").expect("the struct ends");
    let (mut fields, mut text) = (BTreeMap::new(), String::new());
    for line in body.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            text.push_str(words);
        } else if let Some((field, _)) = line.strip_prefix("pub ").and_then(|field| field.split_once(':')) {
            let separator = if parent.is_empty() { "" } else { "." };
            fields.insert(format!("{parent}{separator}{field}"), Documented::read(&std::mem::take(&mut text)));
        }
    }
    fields
}

/// The facts that the documentation should state, with numbers written as in a RON file.
fn expected(param: &Param, value: ParamValue) -> Documented {
    let kind = if param.scale == Scale::PowersOfTwo { "a power of two, " } else { "" };
    let range = || Some(format!("{kind}{:?} to {:?}", param.min, param.max));
    Documented {
        limit: match value {
            ParamValue::Float(_) | ParamValue::Count(_) => range(),
            ParamValue::Seed(_) => Some("0 to 2^64 - 1".to_owned()),
            ParamValue::Text(_) => Some(format!("up to {} characters", param.max)),
            ParamValue::Switch(_) | ParamValue::Color(_) | ParamValue::Choice(_) => None,
        },
        units: Some(param.unit.to_owned()).filter(|unit| !["", "sRGB", "characters"].contains(&unit.as_str())),
        default: match value {
            ParamValue::Choice(_) | ParamValue::Text(_) => format!("`{value}`"),
            ParamValue::Count(count) => format!("{:?}", f64::from(count)),
            ParamValue::Seed(seed) => format!("{:?}", seed as f64),
            value => value.to_string(),
        },
    }
}

/// Writes every number in `text` as in a RON file, so that `4` and `4.0` compare equal.
fn with_plain_numbers(text: &str) -> String {
    let is_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '^' | '`');
    let plain = |word: &str| word.parse::<f32>().map_or_else(|_| word.to_owned(), |number| format!("{number:?}"));
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_number) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c| !is_number(c)).unwrap_or(word.len());
        out.push_str(before);
        out.push_str(&plain(&word[..end]));
        rest = &word[end..];
    }
    out + rest
}

#[test]
fn documented_limits_units_and_defaults_match_the_code() {
    let all: Vec<&str> = Layer::default().kind.alternatives().iter().map(|kind| kind.name).collect();
    assert_eq!(all, KINDS.map(|(kind, ..)| kind));
    for (kind, source, name) in KINDS {
        let parts = SOURCES.into_iter().chain([(source, name, "field.layers[0].kind")]);
        let mut documented: BTreeMap<String, Documented> =
            parts.flat_map(|(source, name, parent)| documentation(source, name, parent)).collect();
        let layers = documented.remove("field.layers").expect("the list of layers is documented");
        assert_eq!(layers.limit, Some(format!("up to {} layers", FieldSettings::MAX_LAYERS)));
        let layers = documented.remove("look.layers").expect("the list of layers is documented");
        assert_eq!(layers.limit, Some(format!("up to {} layers", LookSettings::MAX_LAYERS)));
        documented.remove("look.pictures").expect("the pictures are documented");
        documented.remove("field.layers[0].kind.layers");
        let masks = documented.remove("field.layers[0].masks").expect("the list of masks is documented");
        assert_eq!(masks.limit, Some(format!("up to {} masks", Layer::MAX_MASKS)));
        if let Some(points) = documented.remove("field.layers[0].kind.points") {
            assert_eq!(points.limit, Some(format!("up to {} points", Curve::MAX_POINTS)));
        }
        // It has no fixed default.
        documented.remove("field.layers[0].stream");
        let mut settings = TerrainSettings::default();
        settings.field.layers = vec![LayerKind::with_defaults(kind).expect("it is a kind").into()];
        if let LayerKind::Curve(curve) = &mut settings.field.layers[0].kind {
            // Points are tested by themselves.
            curve.points.clear();
        }
        // Its default is tested with the first kind.
        documented.get_mut("field.layers[0].kind").expect("it is documented").default = format!("`{kind}`");
        if settings.field.layers[0].kind.is_filter() {
            // A filter has no blend.
            documented.retain(|path, _| !path.starts_with("field.layers[0].blend"));
        }
        assert_documented(settings, documented);
    }
}

#[test]
fn documented_limits_units_and_defaults_of_masks_match_the_code() {
    let source = include_str!("../field/mask.rs");
    for Alternative { name, .. } in Mask::KINDS {
        let mut documented = documentation(source, &format!("{name}Mask"), "");
        if name == "Noise" {
            documented.remove("noise");
            // Its noise is tested as a layer.
            documented.extend(documentation(include_str!("../noise/settings.rs"), "NoiseSettings", "noise"));
        }
        assert_documented(Mask::with_defaults(name).expect("it is a mask"), documented);
    }
}

#[test]
fn documented_limits_units_and_defaults_of_ground_layers_match_the_code() {
    let mut documented = documentation(include_str!("../render/ground_layer.rs"), "GroundLayer", "");
    let source = include_str!("../render/ground_layer/ranges.rs");
    for range in GroundLayer::RANGES {
        let documented_range = documented.remove(range).expect("the range is documented");
        assert_eq!(documented_range.default, "all");
        let name = match range {
            "curvature" | "drainage" => "ReliefRange".to_owned(),
            _ => format!("{}{}Range", range[..1].to_uppercase(), &range[1..]),
        };
        documented.extend(documentation(source, &name, range));
    }
    assert_documented(GroundLayer::default(), documented);
}

#[test]
fn documented_limits_units_and_defaults_of_points_match_the_code() {
    let source = include_str!("../field/curve.rs");
    assert_documented(CurvePoint::default(), documentation(source, "CurvePoint", ""));
}

#[test]
fn documented_limits_units_and_defaults_of_the_sky_match_the_code() {
    let source = include_str!("../sky/settings.rs");
    for (sun, name) in [("Angles", "SunAngles"), ("Time", "SunTime")] {
        let mut documented = documentation(source, "SkySettings", "");
        documented.get_mut("sun").expect("it is documented").default = format!("`{sun}`");
        documented.extend(documentation(source, name, "sun"));
        let sun = Sun::with_defaults(sun).expect("it is a sun");
        assert_documented(SkySettings { sun, ..SkySettings::default() }, documented);
    }
}

#[cfg(feature = "bevy")]
#[test]
fn documented_limits_units_and_defaults_of_the_budget_match_the_code() {
    let source = include_str!("../stream/budget.rs");
    assert_documented(crate::stream::TerrainBudget::default(), documentation(source, "TerrainBudget", ""));
}

/// Asserts that `documented` has the right facts for every parameter of `params`, and has nothing else.
#[track_caller]
fn assert_documented(mut params: impl Params, mut documented: BTreeMap<String, Documented>) {
    let mut wrong = Vec::new();
    params.visit(&mut ParamVisitor::new(&mut |path, param, value| {
        let expected = expected(param, value.get());
        let Some(found) = documented.remove(path) else {
            wrong.push(format!("{path} is not documented"));
            return;
        };
        let plain = |text: &Option<String>| text.as_deref().map(with_plain_numbers);
        if plain(&found.limit) != plain(&expected.limit)
            || found.units != expected.units
            || with_plain_numbers(&found.default) != with_plain_numbers(&expected.default)
        {
            wrong.push(format!("{path}: the documentation has {found:?}, the code {expected:?}"));
        }
    }));
    wrong.extend(documented.keys().map(|path| format!("{path} is documented but is not a parameter")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
