//! The settings of a noise, from a file.

use crate::stop::Stop;
use perlin_terrain::field;
use perlin_terrain::noise::NoiseSettings;
use perlin_terrain::settings::{SettingsProblem, TerrainSettings, settings_text};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A layer of noise from a file.
#[derive(Debug, PartialEq)]
pub struct Layer {
    /// The noise.
    pub settings: NoiseSettings,
    /// The seed of the terrain. A layer alone has none.
    pub seed: Option<u64>,
    /// Which layer it is.
    pub index: usize,
    /// The random stream of the layer.
    pub stream: u32,
}

/// Reads a layer from a RON file: of a terrain, whose layer `index` is taken (0 if none is given), of one layer alone, or of its
/// noise alone. Layers are counted from the first, the layers of a group after it.
pub fn read(path: &Path, index: Option<usize>) -> Result<Layer, Stop> {
    let bytes = read_bytes(path).map_err(|error| Stop::failed(&format!("cannot read {}", path.display()), error))?;
    let text = settings_text(&bytes).map_err(|error| error.problems);
    text.and_then(|text| parse(text, index)).map_err(|problems| {
        let problems = problems.into_iter().map(|problem| problem.in_file(path.display()).to_string());
        Stop::Failure(problems.collect::<Vec<_>>().join("\n"))
    })
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let length = File::open(path)?.take(TerrainSettings::MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    if length as u64 > TerrainSettings::MAX_FILE_SIZE {
        let max = TerrainSettings::MAX_FILE_SIZE >> 20;
        return Err(io::Error::other(format!("it is larger than {max} MiB, so it is no settings file")));
    }
    Ok(bytes)
}

/// The fields of a terrain, and the one that every layer has. A file without any of them is taken for a noise.
#[derive(Default, Deserialize)]
#[serde(default)]
struct AnyFile {
    kind: IsThere,
    field: IsThere,
    version: IsThere,
    chunks: IsThere,
    lod: IsThere,
    stream: IsThere,
    look: IsThere,
}

/// Whether a field is there, whatever its value.
#[derive(Default)]
struct IsThere(bool);

impl<'de> Deserialize<'de> for IsThere {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self(true))
    }
}

/// The text before and after a layer that makes it a terrain.
const LAYER: [&str; 2] = ["(field:(layers:[", "\n]))"];
/// The text before and after a noise that makes it a terrain.
const NOISE: [&str; 2] = ["(field:(layers:[(kind:Noise", "\n)]))"];
/// The path of that layer.
const PATH: &str = "field.layers[0].kind";

fn parse(text: &str, index: Option<usize>) -> Result<Layer, Vec<SettingsProblem>> {
    // Some editors begin a file with an invisible mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // What can't be read is a terrain with a mistake.
    let AnyFile { kind, field, version, chunks, lod, stream, look } =
        ron::from_str(text).unwrap_or_else(|_| AnyFile { field: IsThere(true), ..AnyFile::default() });
    // A layer may have a `stream` too, but no terrain has a `kind`.
    let is_part_of_terrain = !kind.0 && [version, chunks, lod, stream, look].iter().any(|field| field.0);
    if !field.0 && !is_part_of_terrain {
        if let Some(index @ 1..) = index {
            let wrong = format!("is one layer alone, so there is no layer {index}: drop --layer");
            return Err(vec![SettingsProblem::new(wrong)]);
        }
        // The reader of terrains knows best how to say what is wrong.
        let [before, after] = if kind.0 { LAYER } else { NOISE };
        let of_layer = |problem| of_layer(problem, before);
        let terrain = TerrainSettings::from_ron(&format!("{before}{text}{after}"))
            .map_err(|error| error.problems.into_iter().map(of_layer).collect::<Vec<_>>())?;
        return noise_of(&terrain.field.layers[0], None, 0);
    }
    let terrain = TerrainSettings::from_ron(text).map_err(|error| error.problems)?;
    let layers = terrain.field.all_layers();
    let (index, count) = (index.unwrap_or(0), layers.len());
    let (_, layer) = layers.get(index).ok_or_else(|| {
        let wrong = match count {
            0 => "has no layers".to_owned(),
            1 => format!("has one layer, so there is no layer {index}: type --layer 0"),
            _ => format!("has {count} layers, so there is no layer {index}: type --layer with 0 to {}", count - 1),
        };
        vec![SettingsProblem::new(wrong)]
    })?;
    noise_of(layer, Some(terrain.field.seed), index)
}

/// The noise of layer number `index`.
fn noise_of(layer: &field::Layer, seed: Option<u64>, index: usize) -> Result<Layer, Vec<SettingsProblem>> {
    let Some(settings) = layer.noise().cloned() else {
        return Err(vec![SettingsProblem::new(format!("has a layer {index} that is no noise"))]);
    };
    Ok(Layer { settings, seed, index, stream: layer.stream_at(index) })
}

/// A problem in the terrain around a layer, as one of the layer alone, which stands after `before`.
fn of_layer(mut problem: SettingsProblem, before: &str) -> SettingsProblem {
    if let Some(position) = &mut problem.position
        && position.line == 1
    {
        position.column = position.column.saturating_sub(before.len()).max(1);
    }
    problem.path = problem.path.replacen(&format!("{PATH}."), "", 1);
    problem.wrong = problem.wrong.replacen(&format!("`{PATH}."), "`", 1);
    problem
}

#[cfg(test)]
mod tests {
    use super::*;
    use perlin_terrain::noise::FractalShape;

    fn problems(text: &str, index: Option<usize>) -> Vec<String> {
        parse(text, index).expect_err("the text is wrong").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_layer_of_a_terrain_has_the_terrain_s_seed() {
        let text = "(field: (seed: 7, layers: [(kind: Noise(octaves: 3)), (kind: Noise(octaves: 5, shape: Ridged))]), look: (water: true))";
        let layer = parse(text, Some(1)).expect("the text is good");
        assert_eq!((layer.settings.octaves, layer.settings.shape), (5, FractalShape::Ridged));
        assert_eq!((layer.seed, layer.index, layer.stream), (Some(7), 1, 1));
        assert_eq!(parse(text, None).expect("the text is good").settings.octaves, 3);
        let expected = ["has 2 layers, so there is no layer 2: type --layer with 0 to 1"];
        assert_eq!(problems(text, Some(2)), expected);
        assert_eq!(problems("(field: (layers: []))", None), ["has no layers"]);
        let text = "(version: 2, field: (layers: [(kind: Group(layers: [(stream: 9, kind: Noise(octaves: 2))]))]))";
        let layer = parse(text, Some(1)).expect("the text is good");
        assert_eq!((layer.settings.octaves, layer.stream), (2, 9));
        assert_eq!(problems(text, None), ["has a layer 0 that is no noise"]);
    }

    #[test]
    fn a_layer_can_stand_alone() {
        for text in ["(octaves: 3, fade: Linear)", "\u{feff}// my noise\n(octaves: 3, fade: Linear) // the end"] {
            let layer = parse(text, None).expect("the text is good");
            assert_eq!((layer.settings.octaves, layer.seed), (3, None));
        }
        assert_eq!(parse("(stream: 4, kind: Noise(octaves: 3))", None).expect("the text is good").stream, 4);
        assert_eq!(parse("(octaves: 3)", Some(0)).expect("it is the only layer").settings.octaves, 3);
        assert_eq!(problems("(octaves: 3)", Some(1)), ["is one layer alone, so there is no layer 1: drop --layer"]);
        assert_eq!(parse("()", None).expect("the text is good").settings, NoiseSettings::default());
    }

    #[test]
    fn what_is_wrong_with_a_layer_is_named_by_its_position() {
        assert_eq!(problems("(warp_octaves: 40)", None), ["1:16: `warp_octaves` is 40, allowed: 1 to 8"]);
        assert_eq!(problems("(\n  warp_octaves: 40,\n)", None), ["2:17: `warp_octaves` is 40, allowed: 1 to 8"]);
        let unknown = &problems("(octave: 4)", None)[0];
        assert!(unknown.starts_with("1:2: unknown field `octave`, did you mean `octaves`?"), "{unknown}");
    }

    #[test]
    fn what_is_wrong_with_a_terrain_is_named_too() {
        assert_eq!(
            problems("(chunks: (quads: 65))", None),
            ["1:18: `chunks.quads` is 65, allowed: a power of two, 8 to 128"]
        );
        assert!(!problems("", None).is_empty() && !problems("(field: (", None).is_empty());
    }
}
