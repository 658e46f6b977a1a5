//! The texts are like a settings file with layers in layers.

use super::Streams;
use crate::ron_edit::{self, Document};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use testing::for_all;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct World {
    seed: u32,
    field: Field,
    limit: Option<f32>,
    sea: Sea,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Field {
    scale: f32,
    layers: Vec<Layer>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Sea {
    is_visible: bool,
    color: [f32; 3],
    waves: Waves,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Waves {
    height: f32,
    lengths: Vec<f32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Layer {
    stream: i64,
    name: String,
    kind: Kind,
    masks: Vec<Mask>,
    points: Vec<(f32, f32)>,
    layers: Vec<Self>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Flat,
    Noise { octaves: u32, gain: f32 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Mask {
    Height { from: f32 },
    Slope { to: f32 },
}

const NO_STREAM: i64 = -1;

impl Default for Layer {
    fn default() -> Self {
        Self {
            stream: NO_STREAM,
            name: String::new(),
            kind: Kind::Flat,
            masks: Vec::new(),
            points: Vec::new(),
            layers: Vec::new(),
        }
    }
}

fn named(stream: i64, name: &str) -> Layer {
    Layer { stream, name: name.to_owned(), ..Layer::default() }
}

/// All layers, each before those in it.
fn for_each_layer(layers: &mut [Layer], check: &mut impl FnMut(&mut Layer)) {
    for layer in layers {
        check(layer);
        for_each_layer(&mut layer.layers, check);
    }
}

fn read(text: &str) -> World {
    let mut world: World = ron::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut index = 0;
    for_each_layer(&mut world.field.layers, &mut |layer| {
        if layer.stream == NO_STREAM {
            let by_name = i64::from(crate::field::stream_of_name(&layer.name));
            layer.stream = if layer.name.is_empty() { index } else { by_name };
        }
        index += 1;
    });
    world
}

fn write(world: &World) -> String {
    ron::ser::to_string_pretty(world, ron::ser::PrettyConfig::new()).expect("plain data")
}

fn merged(text: &str, old: &str, new: &str) -> String {
    let [text, old, new] = [text, old, new].map(Document::parse);
    ron_edit::merged(&text, &old, &new, &Streams::of(&old, &new))
}

/// Saves `world` into `text`.
#[track_caller]
fn saved(text: &str, world: &World) -> String {
    let (old, new) = (write(&read(text)), write(world));
    let saved = merged(text, &old, &new);
    assert_eq!(read(&saved), *world, "{saved}");
    assert_eq!(merged(&saved, &new, &new), saved, "a second time changes nothing");
    saved
}

/// Saves an edit of `text`.
#[track_caller]
fn edited(text: &str, edit: impl FnOnce(&mut World)) -> String {
    let mut world = read(text);
    edit(&mut world);
    saved(text, &world)
}

/// Saves an edit of the list of layers of a text.
#[track_caller]
fn with_layers(layers: &str, edit: impl FnOnce(&mut Vec<Layer>)) -> String {
    let saved = edited(&format!("(field: (layers: {layers}))"), |world| edit(&mut world.field.layers));
    let layers = saved.strip_prefix("(field: (layers: ").and_then(|rest| rest.strip_suffix("))"));
    layers.unwrap_or_else(|| panic!("{saved}")).to_owned()
}

const FILE: &str = r#"// The world
(
    seed: 7, // lucky
    field: (
        layers: [ // from the top
            // All hills
            // and more

            // about a
            (stream: 0, name: "a ] \" // b" /* the name */), // a

            // Heights in meters

            /* about b */
            (
                stream: 1, // never change
                name: r"b\",
                kind: Noise(octaves: 3, gain: 0.5 /* half */),
                masks: [Height(from: 1.0), /* steep */ Slope(to: 0.5)],
                points: [(0.0, 0.0), (1.0, 2.0)], // a curve
                layers: [
                    (stream: 2, name: "inner"), // in b
                ],
            ),
            // about c
            (stream: 3, name: "c") // c
            // the end
        ],
    ),
    limit: Some( /* why */ 3.0),
)
"#;

/// `FILE` without the lines that contain one of `parts`.
fn without(parts: &[&str]) -> String {
    FILE.split_inclusive('\n').filter(|line| !parts.iter().any(|part| line.contains(part))).collect()
}

#[test]
fn equal_values_leave_the_text_as_it_is() {
    assert_eq!(edited(FILE, |_| ()), FILE);
    let text = "World(field: Field(layers: [(),(name: r#\"b\"#),( ) , ]))";
    assert_eq!(edited(text, |_| ()), text);
}

#[test]
fn only_the_values_that_differ_are_replaced() {
    let saved = edited(FILE, |world| {
        world.seed = 8;
        world.limit = Some(4.0);
        let [a, b, _] = &mut world.field.layers[..] else { panic!("three layers") };
        a.name = "\n\"".to_owned();
        b.kind = Kind::Noise { octaves: 4, gain: 0.5 };
        b.points[1].0 = 1.5;
        b.masks[1] = Mask::Slope { to: 0.75 };
        b.layers[0].name.clear();
    });
    let expected = [
        ("seed: 7", "seed: 8"),
        ("3.0", "4.0"),
        ("\"a ] \\\" // b\"", "\"\\n\\\"\""),
        ("octaves: 3", "octaves: 4"),
        ("(1.0, 2.0)", "(1.5, 2.0)"),
        ("to: 0.5", "to: 0.75"),
        ("\"inner\"", "\"\""),
    ];
    assert_eq!(saved, expected.iter().fold(FILE.to_owned(), |text, (from, to)| text.replace(from, to)));
}

#[test]
fn another_variant_replaces_the_whole_value() {
    let saved = edited(FILE, |world| {
        world.limit = None;
        world.field.layers[1].kind = Kind::Flat;
        world.field.layers[1].masks[0] = Mask::Slope { to: 0.25 };
    });
    let expected = FILE
        .replace("Some( /* why */ 3.0)", "None")
        .replace("Noise(octaves: 3, gain: 0.5 /* half */)", "Flat")
        .replace("Height(from: 1.0)", "Slope(\n                    to: 0.25,\n                )");
    assert_eq!(saved, expected);
    assert_eq!(
        edited("(limit: None)", |world| world.limit = Some(2.0)),
        "(limit: Some(2.0))",
        "the value of an optional field can be set"
    );
    let implicit = "#![enable(implicit_some)]\n(limit: 3.0 /* a */)";
    assert_eq!(edited(implicit, |world| world.limit = None), implicit.replace("3.0", "None"));
}

#[test]
fn missing_fields_are_added_with_the_structs_around_them() {
    let change = |world: &mut World| {
        world.sea.is_visible = true;
        world.sea.waves.height = 0.5;
        world.sea.waves.lengths = vec![1.0];
    };
    let waves = "waves: (height: 0.5, lengths: [\n    1.0,\n])";
    assert_eq!(edited("()", change), format!("(sea: (is_visible: true, {waves}))"));
    assert_eq!(edited("( /* a */ )", change), format!("( /* a */ sea: (is_visible: true, {waves}) )"));
    assert_eq!(edited("(seed: 3)", change), format!("(sea: (is_visible: true, {waves}), seed: 3)"));
    assert_eq!(
        edited("(\n\tsea: ( // blue\n\t\t// the color\n\t\tcolor: (0.0, 0.5, 1.0)\n\t)\n)", change),
        format!(
            "(\n\tsea: ( // blue\n\t\tis_visible: true,\n\t\t{},\n\t\t// the color\n\t\tcolor: (0.0, 0.5, 1.0)\n\t)\n)",
            waves.replace('\n', "\n\t\t")
        )
    );
    assert_eq!(
        edited("(\n    sea: (\n    ),\n)", change),
        format!("(\n    sea: (\n        is_visible: true,\n        {},\n    ),\n)", waves.replace('\n', "\n        "))
    );
    assert_eq!(edited("(// a\n)", |world| world.seed = 1), "(// a\n    seed: 1,\n)");
    assert_eq!(
        edited("(sea: (), seed: 3)", |world| world.sea.color[1] = 1.0),
        "(sea: (color: (0.0, 1.0, 0.0)), seed: 3)"
    );
}

#[test]
fn a_removed_item_takes_only_its_own_comments_along() {
    let saved = edited(FILE, |world| {
        world.field.layers.remove(0);
    });
    assert_eq!(saved, without(&["about a", "a ]"]).replace("\n\n\n", "\n\n"));
    let saved = edited(FILE, |world| {
        world.field.layers.remove(2);
    });
    assert_eq!(saved, without(&["about c", "// c"]));
    let saved = edited(FILE, |world| {
        world.field.layers.remove(1);
    });
    let (start, end) =
        (FILE.find("            /* about b").expect("there"), FILE.find("            // about c").expect("there"));
    assert_eq!(saved, format!("{}{}", &FILE[..start], &FILE[end..]));
    let saved = edited(FILE, |world| world.field.layers.clear());
    let comments: Vec<&str> = saved.lines().map(str::trim).filter(|line| line.contains("//")).collect();
    let expected = [
        "// The world",
        "seed: 7, // lucky",
        "layers: [ // from the top",
        "// All hills",
        "// and more",
        "// Heights in meters",
        "// the end",
    ];
    assert_eq!(comments, expected);
}

#[test]
fn moved_items_keep_their_comments() {
    let saved = edited(FILE, |world| world.field.layers.rotate_right(1));
    let (c, a) = (saved.find("// about c").expect("kept"), saved.find("// about a").expect("kept"));
    assert!(
        c < a && saved.contains("// and more\n\n            // about c\n            (stream: 3, name: \"c\"), // c\n")
    );
    assert!(
        saved.contains("layers: [ // from the top\n") && saved.contains("        ),\n            // the end\n"),
        "{saved}"
    );
}

#[test]
fn new_items_are_indented_for_their_position() {
    let saved = edited(FILE, |world| {
        world.field.layers.push(named(9, "d"));
        world.field.layers[1].layers.insert(0, named(8, "e"));
        world.field.layers[1].points.insert(1, (0.5, 0.5));
    });
    let lines = |first: &str, name: &str, indent: &str| {
        let fields = [first, name, "kind: Flat", "masks: []", "points: []", "layers: []"];
        let fields: String = fields.iter().map(|field| format!("{indent}    {field},\n")).collect();
        format!("{indent}(\n{fields}{indent})")
    };
    let d = lines("stream: 9", "name: \"d\"", "            ");
    let e = lines("stream: 8", "name: \"e\"", "                    ");
    let expected = FILE
        .replace("name: \"c\") // c\n", &format!("name: \"c\"), // c\n{d}\n"))
        .replace("layers: [\n", &format!("layers: [\n{e},\n"))
        .replace("(0.0, 0.0), ", "(0.0, 0.0), (0.5, 0.5), ");
    assert_eq!(saved, expected);
}

#[test]
fn lists_on_one_line_and_empty_lists_can_change() {
    let saved = |lengths: &str, new: &[f32]| {
        let text = format!("(sea: (waves: (lengths: {lengths})))");
        let saved = edited(&text, |world| world.sea.waves.lengths = new.to_vec());
        saved["(sea: (waves: (lengths: ".len()..saved.len() - 3].to_owned()
    };
    for (lengths, new, expected) in [
        ("[1.0, 2.0]", &[2.0][..], "[2.0]"),
        ("[1.0, 2.0]", &[1.0], "[1.0]"),
        ("[1.0, 2.0,]", &[1.0], "[1.0,]"),
        ("[1.0,2.0]", &[2.0, 1.0], "[2.0, 1.0]"),
        ("[1.0, 2.0 /* two */]", &[1.0, 2.0, 3.0], "[1.0, 2.0, /* two */ 3.0]"),
        ("[1.0 /* one */ , /* two */ 2.0]", &[2.0, 1.0], "[/* two */ 2.0, 1.0 /* one */ ]"),
        ("[1.0, 2.0 // two\n]", &[2.0, 1.0], "[2.0, // two\n    1.0,\n]"),
        ("[1.0, // one\n 2.0]", &[2.0, 1.0], "[2.0,\n    1.0, // one\n    ]"),
        ("[// all\n1.0]", &[], "[// all\n]"),
        ("[1.0, // one\n]", &[], "[]"),
        ("[1.0, 2.0]", &[], "[]"),
        ("[\n  /* none */\n]", &[3.0], "[\n  /* none */\n    3.0,\n]"),
        ("[ // none\n]", &[3.0], "[ // none\n    3.0,\n]"),
        ("[ ]", &[3.0, 4.0], "[\n    3.0,\n    4.0,\n]"),
        ("[1.0, 2.0, 3.0]", &[1.0, 4.0, 3.0], "[1.0, 4.0, 3.0]"),
        ("[1.0,\n\n// a\n\n2.0]", &[1.0], "[1.0,\n\n// a\n    ]"),
        ("[1.0,\n\n// a\n\n2.0,\n// b\n\n3.0]", &[3.0], "[// a\n// b\n\n3.0]"),
    ] {
        assert_eq!(saved(lengths, new), expected, "{lengths}");
    }
}

#[test]
fn items_without_streams_are_matched_by_value_and_then_by_their_variant() {
    let text = "(field: (layers: [(masks: [\n  Height(from: 1.0), // one\n  Slope(to: 2.0), // two\n  Height(from: 3.0), // three\n])]))";
    let saved = edited(text, |world| {
        world.field.layers[0].masks = vec![Mask::Height { from: 3.0 }, Mask::Slope { to: 4.0 }];
    });
    assert!(saved.contains("[\n  Height(from: 3.0), // three\n  Slope(to: 4.0), // two\n]"), "{saved}");
}

#[test]
fn a_new_stream_keeps_the_comments_of_its_item() {
    let layers = "[\n(stream: 4, name: \"a\"), // a\n(stream: 5, name: \"b\"), // b\n]";
    let edit = |layers: &mut Vec<Layer>| layers[1].stream = 6;
    assert_eq!(with_layers(layers, edit), layers.replace('5', "6"));
}

#[test]
fn missing_streams_are_written_only_if_the_positions_change() {
    let layers = "[(name: \"a\"), (name: \"b\", layers: [()]), (stream: 0x9)]";
    let edit = |layers: &mut Vec<Layer>| layers[1].layers[0].name = "c".to_owned();
    assert_eq!(with_layers(layers, edit), layers.replace("[()]", "[(stream: 2, name: \"c\")]"));
    assert_eq!(
        with_layers(layers, |layers| {
            layers.remove(0);
        }),
        "[(name: \"b\", layers: [(stream: 2)]), (stream: 0x9)]"
    );
}

#[test]
fn layers_can_move_into_a_new_group() {
    let saved = edited(FILE, |world| {
        let layers = world.field.layers.drain(..2).collect();
        world.field.layers.insert(0, Layer { layers, ..named(4, "group") });
    });
    assert!(saved.contains("// All hills") && saved.contains("// about c") && saved.contains("// the end"), "{saved}");
}

/// Random numbers that are drawn one after the other.
struct Dice<'a>(std::iter::Cycle<std::slice::Iter<'a, u16>>);

impl<'a> Dice<'a> {
    fn new(numbers: &'a [u16]) -> Self {
        Self(numbers.iter().cycle())
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        usize::from(*self.0.next().expect("there are numbers")) % end
    }
}

/// The owner of a comment. The comment stays as long as its owner does.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    /// The layer with this stream.
    Layer(i64),
    /// The mask, or the point, with this number, in the layer around it.
    Item(f32),
    /// The kind of the layer around it, which is a noise.
    Noise,
}

impl Owner {
    /// Whether the last of these owners, each inside the one before, is in a changed world.
    fn is_in(owners: &[Self], world: &mut World) -> bool {
        let mut layers = vec![Layer { stream: NO_STREAM, ..Layer::default() }];
        for_each_layer(&mut world.field.layers, &mut |layer| layers.push(layer.clone()));
        let mut layer = &layers[0];
        owners.iter().all(|owner| match *owner {
            Self::Layer(stream) => {
                let found = layers.iter().find(|layer| layer.stream == stream);
                layer = found.unwrap_or(layer);
                found.is_some()
            }
            Self::Item(number) => {
                let is_mask =
                    |mask: &Mask| matches!(*mask, Mask::Height { from: n } | Mask::Slope { to: n } if n == number);
                layer.masks.iter().any(is_mask) || layer.points.iter().any(|point| point.0 == number)
            }
            Self::Noise => matches!(layer.kind, Kind::Noise { .. }),
        })
    }
}

/// A comment, and what is around it.
struct Comment {
    text: String,
    within: Vec<Owner>,
}

/// Writes a file with random layout and comments.
struct Designer<'a> {
    dice: Dice<'a>,
    text: String,
    comments: Vec<Comment>,
    within: Vec<Owner>,
    next_stream: i64,
    next_number: i16,
}

impl Designer<'_> {
    /// Writes a comment. On a line with values after it, it is a block.
    fn comment(&mut self, is_last_on_line: bool) {
        let text = format!("<{} ] \" ( ,>", self.comments.len());
        self.text += &match self.dice.below(3) {
            0 if is_last_on_line => format!("// {text}"),
            1 => format!("/* {text} */"),
            _ if is_last_on_line => format!("/* {text}\n*/ // and"),
            _ => format!("/* /* {text} */ */"),
        };
        self.comments.push(Comment { text, within: self.within.clone() });
    }

    fn maybe(&mut self, write: impl FnOnce(&mut Self)) {
        if self.dice.below(3) == 0 {
            write(self);
        }
    }

    fn layers(&mut self, depth: usize) {
        let max = 4_usize.saturating_sub(depth / 2);
        self.list(depth, max, |this| {
            let stream = this.next_stream;
            this.next_stream += 1;
            (Owner::Layer(stream), Box::new(move |this| this.layer(depth + 1, stream)))
        });
    }

    /// Writes a list of up to `max` items. `next` returns what the next item is, and what writes it.
    fn list(&mut self, depth: usize, max: usize, next: impl Fn(&mut Self) -> (Owner, Box<dyn Fn(&mut Self)>)) {
        let is_multiline = self.dice.below(4) > 0;
        let line = if is_multiline { format!("\n{}", "  ".repeat(depth)) } else { " ".to_owned() };
        self.text += "[";
        if is_multiline {
            self.maybe(|this| this.comment(true));
        }
        let count = self.dice.below(max + 1);
        for i in 0..count {
            if is_multiline {
                self.maybe(|this| {
                    this.text += &line;
                    this.comment(true);
                    this.text += "\n";
                });
            }
            let (owner, write) = next(self);
            self.within.push(owner);
            self.text += &line;
            self.maybe(|this| {
                this.comment(is_multiline);
                this.text += &line;
            });
            write(self);
            self.maybe(|this| this.comment(false));
            let has_comma = i + 1 < count || self.dice.below(2) == 0;
            self.text += if has_comma { "," } else { "" };
            if is_multiline {
                self.maybe(|this| this.comment(true));
            }
            self.within.pop();
        }
        if is_multiline {
            self.maybe(|this| {
                this.text += "\n\n";
                this.comment(true);
            });
            self.text += "\n";
        }
        self.text += "]";
    }

    fn layer(&mut self, depth: usize, stream: i64) {
        self.text += "(";
        let has_stream = self.dice.below(3) == 0;
        if has_stream {
            self.text += &format!("stream: {stream}, ");
        }
        self.maybe(|this| this.comment(false));
        self.maybe(|this| {
            this.within.push(Owner::Noise);
            this.values("kind: Noise(", ["octaves: 2", "gain: 0.5"]);
            this.within.pop();
            this.text += ", ";
        });
        self.maybe(|this| this.items("masks", depth));
        // A name without a stream would give the layer another stream.
        if has_stream {
            self.text += &format!("name: \"{stream}\", ");
        }
        self.maybe(|this| this.items("points", depth));
        self.maybe(|this| {
            this.text += "layers: ";
            this.layers(depth + 1);
        });
        self.text += ")";
    }

    /// Writes a list of masks or points, each with a number of its own.
    fn items(&mut self, field: &'static str, depth: usize) {
        self.text += &format!("{field}: ");
        self.list(depth + 1, 3, |this| {
            let number = f32::from(this.next_number);
            this.next_number += 1;
            let write = move |this: &mut Self| match (field, this.dice.below(2)) {
                ("points", _) => this.values("(", [&format!("{number:?}"), "0.5"]),
                (_, 0) => this.values("Height(", [&format!("from: {number:?}")]),
                _ => this.values("Slope(", [&format!("to: {number:?}")]),
            };
            (Owner::Item(number), Box::new(write))
        });
        self.text += ", ";
    }

    /// Writes values in brackets, with comments around them.
    fn values<const N: usize>(&mut self, open: &str, values: [&str; N]) {
        self.text += open;
        for (i, value) in values.into_iter().enumerate() {
            self.text += if i > 0 { ", " } else { "" };
            self.maybe(|this| this.comment(false));
            self.text += value;
            self.maybe(|this| this.comment(false));
        }
        self.text += ")";
    }
}

fn lists_of(layers: &mut Vec<Layer>, number: usize) -> &mut Vec<Layer> {
    if number == 0 || layers.is_empty() {
        return layers;
    }
    let index = number % layers.len();
    lists_of(&mut layers[index].layers, number / 3)
}

/// Changes a random list.
fn change(world: &mut World, next_stream: &mut i64, dice: &mut Dice) {
    let layers = lists_of(&mut world.field.layers, dice.below(40));
    let (from, to) = (dice.below(layers.len().max(1)), dice.below(layers.len() + 1));
    let number = -(*next_stream as f32);
    match (dice.below(12), layers.get_mut(from)) {
        (0, _) => layers.insert(to, named(*next_stream, "new")),
        (1, Some(_)) => {
            layers.remove(from);
        }
        (2, Some(_)) => {
            let layer = layers.remove(from);
            layers.insert(to.min(layers.len()), layer);
        }
        (3, Some(layer)) => layer.kind = Kind::Noise { octaves: 7, gain: 0.5 },
        (4, Some(layer)) => layer.kind = Kind::Flat,
        (5, Some(layer)) => layer.name += " ] \" //",
        (6, Some(layer)) => layer.points.insert(dice.below(layer.points.len() + 1), (number, 1.0)),
        (7, Some(layer)) => layer.masks.insert(dice.below(layer.masks.len() + 1), Mask::Height { from: number }),
        (8, Some(layer)) if !layer.masks.is_empty() => {
            layer.masks.remove(dice.below(layer.masks.len()));
        }
        (9, Some(layer)) if !layer.points.is_empty() => {
            layer.points.remove(dice.below(layer.points.len()));
        }
        (10, Some(layer)) => {
            layer.masks.reverse();
            layer.points.reverse();
        }
        _ => world.seed += 1,
    }
    *next_stream += 1;
}

#[test]
fn random_changes_keep_every_comment_of_what_stays() {
    let numbers = || vec(any::<u16>(), 1..200);
    for_all(2000, (numbers(), numbers(), 0..12_usize, any::<bool>()), |(layout, changes, count, is_windows)| {
        let (dice, text) = (Dice::new(&layout), "(field: (layers: ".to_owned());
        let mut designer =
            Designer { dice, text, comments: Vec::new(), within: Vec::new(), next_stream: 0, next_number: 1 };
        designer.layers(1);
        let Designer { mut text, comments, mut next_stream, .. } = designer;
        text += "))";
        if is_windows {
            text = text.replace('\n', "\r\n");
        }
        let before = read(&text);
        let mut world = before.clone();
        let mut dice = Dice::new(&changes);
        for _ in 0..count {
            change(&mut world, &mut next_stream, &mut dice);
        }
        let saved = saved(&text, &world);
        for Comment { text: comment, within } in comments {
            let found = saved.matches(&comment).count();
            let in_layers: Vec<Owner> =
                within.iter().copied().filter(|owner| matches!(owner, Owner::Layer(_))).collect();
            if Owner::is_in(&within, &mut world) {
                assert_eq!(found, 1, "{comment}\n{text}\n{saved}");
            } else if Owner::is_in(&in_layers, &mut world) {
                // A new mask or point may take the place of a removed one, and its comments.
                assert!(found <= 1, "{comment}\n{text}\n{saved}");
            } else {
                assert_eq!(found, 0, "{comment}\n{text}\n{saved}");
            }
        }
        if text.contains("\r\n") {
            assert_eq!(saved.matches('\n').count(), saved.matches("\r\n").count(), "{saved:?}");
        }
        let back = merged(&saved, &write(&world), &write(&before));
        assert_eq!(read(&back), before, "{back}");
    });
}

/// Random changes that break a text.
pub(in crate::settings) fn any_damage() -> impl Strategy<Value = Vec<(prop::sample::Index, &'static str)>> {
    const PARTS: [&str; 20] =
        ["", "(", ")", "[", "]", "{", ",", ":", "\"", "/", "/*", "*/", "//", "\\", "r#", "'", "é", "\n", "a", "1"];
    vec((any::<prop::sample::Index>(), prop::sample::select(&PARTS[..])), 0..6)
}

pub(in crate::settings) fn damaged(text: &str, damage: &[(prop::sample::Index, &str)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, new) in damage {
        let at = at.index(chars.len());
        chars.splice(at..(at + 2).min(chars.len()), new.chars());
    }
    chars.into_iter().collect()
}

#[test]
fn a_comment_that_does_not_end_does_not_panic() {
    // Its last bracket looks like the end of each value that the comment is in.
    let (file, canonical) = (FILE.trim_end(), write(&read(FILE)));
    for at in file.char_indices().map(|(at, _)| at) {
        for damage in ["/*", "(/*", "[/*", ")/*", "]/*", "//"] {
            let text = [&file[..at], damage, &file[at..]].concat();
            for old in [&text, &canonical] {
                merged(&text, old, &canonical);
                merged(&text, old, "(field: (layers: [(stream: 3)]))");
            }
        }
    }
}

#[test]
fn broken_texts_do_not_panic() {
    let canonical = write(&read(FILE));
    for_all(3000, (any_damage(), any_damage(), any_damage()), |(text, old, new)| {
        merged(&damaged(FILE, &text), &damaged(&canonical, &old), &damaged(&canonical, &new));
    });
}
