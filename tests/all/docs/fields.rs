//! The table of every field in docs/designers.md, printed from the parameters.

use super::read;
use bevy_perlin_terrain::field::{
    Curve, CurvePoint, EditChange, EditPath, EditShape, FieldSettings, Layer, LayerKind, Mask, TerrainEdit,
};
use bevy_perlin_terrain::light::{SkySettings, Sun};
use bevy_perlin_terrain::look::{LookSettings, SurfaceLayer};
use bevy_perlin_terrain::param::{
    Alternative, Choice, Param, ParamMut, ParamValue, ParamVisitor, Params, parent_path, path_ends_with_index,
};
use bevy_perlin_terrain::plants::PlantLayer;
use bevy_perlin_terrain::settings::TerrainSettings;
use std::fmt::Write;
use std::fs;

const PAGE: &str = "docs/designers.md";
const BEGIN: &str = "<!-- fields: begin -->\n";
const END: &str = "<!-- fields: end -->\n";

/// The ranges of a layer of the ground.
const SURFACE_RANGES: [(&str, &str); 6] = [
    ("height", "heights"),
    ("slope", "slopes"),
    ("aspect", "sides of hills"),
    ("curvature", "ridges and hollows"),
    ("drainage", "crests and gullies of erosion"),
    ("noise", "values of noise"),
];

/// The shape and the change of edits that have all fields.
const EDITS: [[&str; 2]; 4] = [["Circle", "Flatten"], ["Box", "Raise"], ["Path", "Flatten"], ["Circle", "Hill"]];

/// The heading above the fields at `parent` of those edits. `None` if others have the same fields.
fn edit_heading(parent: &str) -> Option<String> {
    let (index, rest) = parent.strip_prefix("field.edits[")?.split_once(']')?;
    let [shape, change] = EDITS[index.parse::<usize>().ok()?];
    match (index, rest) {
        ("0", "") => Some("Each edit".to_owned()),
        ("0" | "1" | "2", ".shape") => Some(format!("The shape `{shape}` of an edit")),
        ("0", ".change") => Some("The changes `Flatten`, `Fill` and `Cut`".to_owned()),
        ("1" | "3", ".change") => Some(format!("The change `{change}`")),
        ("2", ".shape.points[0]") => Some("Each point of a path".to_owned()),
        _ => None,
    }
}

/// A field of a file.
struct Field {
    path: String,
    param: &'static Param,
    default: ParamValue,
    alternatives: &'static [Alternative],
}

/// The names of the kinds of layers.
fn kinds() -> impl Iterator<Item = &'static str> {
    Layer::default().kind.alternatives().iter().map(|kind| kind.name)
}

/// Settings with a layer of each kind, a mask of each kind, a point of a curve, and a layer of the ground.
fn settings() -> TerrainSettings {
    let mut settings = TerrainSettings::default();
    let layer = |(stream, kind)| Layer {
        stream: Some(stream),
        ..LayerKind::with_defaults(kind).expect("it is the name of a kind").into()
    };
    settings.field.layers = (0..).zip(kinds()).map(layer).collect();
    settings.field.layers[0].masks =
        Mask::ALTERNATIVES.iter().filter_map(|mask| Mask::with_defaults(mask.name)).collect();
    for layer in &mut settings.field.layers {
        if let LayerKind::Curve(curve) = &mut layer.kind {
            curve.points = vec![CurvePoint::default()];
        }
    }
    let edit = |[shape, change]: [&str; 2]| TerrainEdit {
        shape: EditShape::with_defaults(shape).expect("it is the name of a shape"),
        change: EditChange::with_defaults(change).expect("it is the name of a change"),
        ..TerrainEdit::default()
    };
    settings.field.edits = EDITS.into_iter().map(edit).collect();
    settings.look.layers = vec![SurfaceLayer::default()];
    settings.plants = vec![PlantLayer { stream: Some(0), color: Some([0.5; 3]), ..PlantLayer::default() }];
    settings
}

fn fields_of(mut settings: impl Params) -> Vec<Field> {
    let mut fields = Vec::new();
    settings.visit(&mut ParamVisitor::new(&mut |path, param, value: ParamMut<'_>| {
        let (default, alternatives) = (value.get(), value.alternatives());
        fields.push(Field { path: path.to_owned(), param, default, alternatives });
    }));
    fields
}

/// The fields of a sky file, with those of each kind of sun.
fn sky_fields() -> Vec<Field> {
    let with_sun = |number: usize| {
        let mut settings = SkySettings::default();
        settings.sun.choose(number);
        fields_of(settings)
    };
    let mut fields = with_sun(0);
    for (number, sun) in Sun::ALTERNATIVES.iter().enumerate() {
        let of_sun = with_sun(number).into_iter().filter(|field| parent_path(&field.path) == "sun");
        let named = of_sun.map(|field| Field { path: format!("sun.{}.{}", sun.name, field.param.name), ..field });
        fields.extend(named);
    }
    fields.retain(|field| parent_path(&field.path) != "sun");
    fields.sort_by_key(|field| !parent_path(&field.path).is_empty());
    fields
}

/// The fields of a sky file as Markdown.
fn sky_markdown() -> String {
    let mut page = String::new();
    for group in sky_fields().chunk_by(|a, b| parent_path(&a.path) == parent_path(&b.path)) {
        let parent = parent_path(&group[0].path);
        let heading = match parent.strip_prefix("sun.") {
            _ if parent.is_empty() => "A sky file".to_owned(),
            Some(sun) => format!("The sun `{sun}` of a sky file"),
            None => format!("`{parent}` of a sky file"),
        };
        write!(page, "\n### {heading}\n\n").expect("a string takes any text");
        let all: Vec<&Field> = group.iter().collect();
        page += &table(&all);
        if parent.is_empty() {
            page += "| `clouds` | see below | see below | The clouds. |\n";
            page += "| `wind` | see below | see below | The wind. |\n";
        }
        page += &choices(&all);
    }
    page
}

/// All fields as Markdown: a section for each struct, with the choices below its table.
fn markdown() -> String {
    let mut fields = fields_of(settings());
    // The fields of an edit follow one another, and then those of its shape and of its change.
    let edits = fields.iter().position(|field| parent_path(&field.path) == "field.edits[0]").expect("there are edits");
    let count = fields.iter().filter(|field| parent_path(&field.path).starts_with("field.edits[0]")).count();
    fields[edits..edits + count].sort_by_key(|field| parent_path(&field.path).len());
    let mut page = String::new();
    for group in fields.chunk_by(|a, b| parent_path(&a.path) == parent_path(&b.path)) {
        let (details, main): (Vec<&Field>, Vec<&Field>) = group.iter().partition(|field| field.param.is_detail);
        let parent = parent_path(&group[0].path);
        let heading = match parent.strip_suffix(".kind") {
            None if parent.contains(".masks[") => {
                let mask =
                    (0..).zip(Mask::ALTERNATIVES).find(|(index, _)| parent.ends_with(&format!(".masks[{index}]")));
                // The noise of a mask has the fields of any noise.
                let Some((_, mask)) = mask else { continue };
                format!("The mask `{}`", mask.name)
            }
            None if parent.starts_with("field.edits[") => {
                let Some(heading) = edit_heading(parent) else { continue };
                heading
            }
            None if parent == "field.layers[0]" => "Each layer".to_owned(),
            None if parent.ends_with(".points[0]") => "A layer of the kind `Curve`".to_owned(),
            None if parent == "look.layers[0]" => "Each layer of the ground".to_owned(),
            None if parent.starts_with("look.layers[0].") => {
                format!("The range `{}` of a layer of the ground", &parent["look.layers[0].".len()..])
            }
            None if parent == "plants[0]" => "Each layer of plants".to_owned(),
            None if parent == "plants[0].size" => "The size of plants".to_owned(),
            // They have the fields of the ranges of the ground.
            None if parent.starts_with("plants[0].") => continue,
            // It has the same fields as the first layer.
            None if path_ends_with_index(parent) => continue,
            None => format!("`{parent}`"),
            Some(layer) => {
                let kind = kinds().enumerate().find(|(index, _)| layer.ends_with(&format!("[{index}]")));
                format!("A layer of the kind `{}`", kind.expect("there is one layer of each kind").1)
            }
        };
        write!(page, "\n### {heading}\n\n").expect("a string takes any text");
        if heading == "A layer of the kind `Curve`" {
            let max = Curve::MAX_POINTS;
            page += &format!(
                "It has a list of up to {max} `points`, from low to high, such as `points: [(from: 0.0, to: 20.0)]`:\n\n"
            );
        }
        page += &table(&main);
        if parent == "field" {
            let max = FieldSettings::MAX_LAYERS;
            page += &format!("| `layers` | up to {max} layers | one layer | The layers, from bottom to top. |\n");
        }
        if parent == "field" {
            let max = FieldSettings::MAX_EDITS;
            page += &format!("| `edits` | up to {max} edits | none | Edits of the ground that the layers make. |\n");
        }
        if heading == "The shape `Path` of an edit" {
            let max = EditPath::MAX_POINTS;
            page += &format!(
                "| `points` | 2 to {max} points, each up to 10 km from the one before | two | Such as `points: [(x: 0.0, z: 0.0), (x: 80.0, z: 20.0)]`. |\n"
            );
        }
        if parent == "field.layers[0]" {
            let max = Layer::MAX_MASKS;
            page += &format!(
                "| `masks` | up to {max} masks | none | Where the layer has an effect. All masks are multiplied. |\n"
            );
        }
        if heading == "The mask `Noise`" {
            page += "| `noise` | the fields of a layer of the kind `Noise` | the default noise | The noise. Its height scale counts as 1. |\n";
        }
        if heading == "A layer of the kind `Group`" {
            let max = FieldSettings::MAX_LAYERS;
            page +=
                &format!("| `layers` | up to {max} layers in the file | none | The layers, from bottom to top. |\n");
        }
        if parent == "look" {
            let max = LookSettings::MAX_LAYERS;
            page += &format!(
                "| `layers` | 1 to {max} layers | [seven layers](#the-ground) | The layers of the ground, from the lowest to the topmost. |\n"
            );
            page += "| `images` | a path for each texture, see below | none | Images that take the place of the crate's own textures. |\n";
        }
        if parent == "look.layers[0]" {
            for (range, of) in SURFACE_RANGES {
                page += &format!("| `{range}` | a range, see below | all | The {of} that have the layer. |\n");
            }
        }
        if parent == "plants[0]" {
            let max = PlantLayer::MAX_ON;
            page += "| `size` | see below | from 6.0 to 12.0 m | How large the plants are. |\n";
            page += &format!(
                "| `on` | up to {max} names | all | The names of the layers of the ground on which the plants grow. |\n"
            );
            for (range, of) in SURFACE_RANGES {
                page += &format!(
                    "| `{range}` | a range, as of a layer of the ground | all | The {of} that have the plants. |\n"
                );
            }
        }
        page += &choices(&main);
        if !details.is_empty() {
            page += "\nThese fields rarely change:\n\n";
            page += &table(&details);
            page += &choices(&details);
        }
    }
    page + &sky_markdown() + "\n"
}

fn table(fields: &[&Field]) -> String {
    let mut table = "| field | allowed | default | what it does |\n| --- | --- | --- | --- |\n".to_owned();
    for Field { path, param, default, .. } in fields {
        // The layers of these settings have streams, so that their fields are listed.
        let written = if path.ends_with(".stream") {
            "from the name or the index of the layer".to_owned()
        } else if path == "plants[0].color" {
            "that of the kind".to_owned()
        } else {
            format!("`{default}`")
        };
        let allowed = match default {
            ParamValue::Float(_) | ParamValue::Count(_) => param.allowed(),
            ParamValue::Seed(_) => "0 to 2^64 - 1".to_owned(),
            ParamValue::Switch(_) => "true or false".to_owned(),
            ParamValue::Color(_) => format!("(red, green, blue), each {}", param.allowed()),
            ParamValue::Choice(_) => "a name from the list below".to_owned(),
            ParamValue::Text(_) => format!("a text in quotes, {}", param.allowed()),
        };
        assert!(!param.help.contains(['|', '\n']), "{}: its help does not fit into a table", param.name);
        writeln!(table, "| `{}` | {allowed} | {written} | {} |", param.name, param.help)
            .expect("a string takes any text");
    }
    table
}

fn choices(fields: &[&Field]) -> String {
    let mut lists = String::new();
    for Field { param, alternatives, .. } in fields.iter().filter(|field| !field.alternatives.is_empty()) {
        write!(lists, "\nChoices of `{}`:\n\n", param.name).expect("a string takes any text");
        for Alternative { name, help } in *alternatives {
            writeln!(lists, "- `{name}`: {help}").expect("a string takes any text");
        }
    }
    lists
}

/// The lines that differ between two texts, those of `old` with a minus and those of `new` with a plus.
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let shortest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(shortest).take_while(|(a, b)| a == b).count();
    let lines = |mark: &str, lines: &[&str]| -> String {
        lines[start..lines.len() - end].iter().map(|line| format!("{mark} {line}\n")).collect()
    };
    lines("-", &old) + &lines("+", &new)
}

#[test]
fn the_page_for_designers_lists_every_field_as_the_code_has_it() {
    let page = read(PAGE);
    let (before, rest) = page.split_once(BEGIN).expect("the page has the marker of the beginning");
    let (found, after) = rest.split_once(END).expect("the page has the marker of the end");
    let expected = markdown();
    if found == expected {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(PAGE, [before, BEGIN, &expected, END, after].concat()).expect("the page can be written");
        return;
    }
    panic!("{PAGE} is not up to date; `UPDATE_DOCS=1 cargo test docs` rewrites it:\n{}", difference(found, &expected));
}

#[test]
fn the_page_for_designers_has_the_default_layers_of_the_ground() {
    let page = read(PAGE);
    let file =
        page.split("```ron\n").find(|file| file.contains("forest floor")).and_then(|file| file.split("```").next());
    let settings = TerrainSettings::from_ron(file.expect("the page has the list")).expect("it is valid");
    assert_eq!(settings, TerrainSettings::default());
}

#[test]
fn every_field_and_every_choice_has_a_help_text() {
    for Field { path, param, alternatives, .. } in fields_of(settings()).into_iter().chain(sky_fields()) {
        let texts = alternatives.iter().map(|alternative| alternative.help).chain([param.help]);
        for text in texts {
            assert!(text.ends_with('.') && text.len() > 10, "`{path}`: {text:?}");
        }
    }
}

#[test]
fn every_field_of_a_file_is_listed() {
    let page = markdown();
    let sky = ron::to_string(&SkySettings::default()).expect("it can be written");
    for name in sky.split(['(', ',']).filter_map(|part| Some(part.split_once(':')?.0)) {
        assert!(page.contains(&format!("| `{name}` |")), "`{name}` of a sky file is not listed");
    }
    for name in settings().to_ron().lines().filter_map(|line| Some(line.trim().split_once(':')?.0)) {
        let is_struct = ["version", "field", "chunks", "lod", "stream", "look", "plants"].contains(&name);
        assert!(is_struct || page.contains(&format!("| `{name}` |")) || name == "points", "`{name}` is not listed");
    }
}

#[test]
fn a_difference_shows_the_lines_that_changed() {
    assert_eq!(difference("a\nb\nc\n", "a\nB\nb2\nc\n"), "- b\n+ B\n+ b2\n");
    assert_eq!(difference("a\na\n", "a\n"), "- a\n");
    assert_eq!(difference("", "a\n"), "+ a\n");
}
