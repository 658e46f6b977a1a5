//! The parameters that `#[params]` makes of structs and enums, and the checks that use them.

use perlin_params::{
    Alternative, Choice, Param, ParamError, ParamMut, ParamValue, ParamVisitor, Params, Scale, check, params,
};

/// One of each kind of field.
#[params]
#[derive(Clone, Debug, PartialEq)]
struct Tree {
    /// A name, see [`Leaf`]. At most three
    /// letters.
    ///
    /// This is not for designers.
    #[param(max_length = 3)]
    name: String,
    /// The size.
    #[param(default = 5.0, range = 1.0..=10.0, unit = "m", scale = Logarithmic)]
    size: f64,
    /// The frequency.
    #[param(default = 1e-3, range = 1e-6..=1, unit = "1/m", detail)]
    frequency: f64,
    /// The quads.
    #[param(default = 64, range = 8..=128, scale = PowersOfTwo)]
    quads: u32,
    /// The stream.
    #[param(range = 0..=4_294_967_295)]
    stream: Option<u32>,
    /// The seed.
    seed: u64,
    /// Whether it grows.
    #[param(default = true)]
    grows: bool,
    /// The color.
    #[param(default = [0.5, 1.0, 0.25])]
    color: [f32; 3],
    /// The side.
    #[param(default = Side::Right)]
    side: Side,
    /// The kind.
    kind: Kind,
    /// A leaf.
    leaf: Leaf,
    /// The leaves.
    #[param(default = vec![Leaf::default(), Leaf { width: 2.0 }])]
    leaves: Vec<Leaf>,
}

/// A leaf.
#[params]
#[derive(Clone, Debug, PartialEq)]
struct Leaf {
    /// The width.
    #[param(default = 1.0, range = -2.0..=2.0)]
    width: f64,
}

/// A side.
#[params]
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    /// Keeps left.
    Left,
    /// Keeps \[right\].
    ///
    /// This is not for designers.
    Right,
}

/// The kind of a tree.
#[params]
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// It has no leaves.
    Bare,
    /// It has a leaf.
    #[default]
    Leafy(Leaf),
}

/// Written by hand: the name only.
#[params(manual_visit)]
struct Named {
    /// The name.
    #[param(max_length = 3)]
    name: String,
}

impl Params for Named {
    fn visit(&mut self, visitor: &mut ParamVisitor<'_>) {
        visitor.param(Self::NAME, ParamMut::Text(&mut self.name));
    }
}

fn visited(params: &mut impl Params) -> Vec<(String, String)> {
    let mut visited = Vec::new();
    params
        .visit(&mut ParamVisitor::new(&mut |path, _, value| visited.push((path.to_owned(), value.get().to_string()))));
    visited
}

fn texts(errors: &[ParamError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn fields_are_visited_in_their_order_with_their_defaults() {
    let visited = visited(&mut Tree::default());
    let visited: Vec<(&str, &str)> = visited.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect();
    assert_eq!(
        visited,
        [
            ("name", "\"\""),
            ("size", "5.0"),
            ("frequency", "0.001"),
            ("quads", "64"),
            ("seed", "0"),
            ("grows", "true"),
            ("color", "(0.5, 1.0, 0.25)"),
            ("side", "Right"),
            ("kind", "Leafy"),
            ("kind.width", "1.0"),
            ("leaf.width", "1.0"),
            ("leaves[0].width", "1.0"),
            ("leaves[1].width", "2.0"),
        ]
    );
}

#[test]
fn a_parameter_has_what_is_written_beside_its_field() {
    let size = Tree::SIZE;
    assert_eq!((size.name, size.help, size.unit, size.min, size.max), ("size", "The size.", "m", 1.0, 10.0));
    assert_eq!((size.scale, size.is_detail, size.allowed().as_str()), (Scale::Logarithmic, false, "1 to 10 m"));
    assert!(Tree::FREQUENCY.is_detail);
    assert_eq!(Tree::FREQUENCY.allowed(), "0.000001 to 1 per m");
    assert_eq!(Tree::NAME.help, "A name, see Leaf. At most three letters.");
    assert_eq!((Tree::SEED.min, Tree::SEED.allowed().as_str()), (f64::NEG_INFINITY, ""));
    assert_eq!(Tree::STREAM.max, f64::from(u32::MAX));
}

#[test]
fn an_optional_field_is_visited_if_it_is_there() {
    let mut tree = Tree { stream: Some(7), ..Tree::default() };
    assert!(visited(&mut tree).contains(&("stream".to_owned(), "7".to_owned())));
}

#[test]
fn an_enum_is_a_choice_that_gives_default_data() {
    assert_eq!(
        Side::ALTERNATIVES,
        [Alternative { name: "Left", help: "Keeps left." }, Alternative { name: "Right", help: "Keeps [right]." }]
    );
    let mut kind = Kind::Leafy(Leaf { width: -1.0 });
    kind.choose(1);
    assert_eq!(kind, Kind::Leafy(Leaf { width: -1.0 }), "it is chosen already");
    kind.choose(0);
    assert_eq!((kind.name(), visited(&mut kind).len()), ("Bare", 0));
    kind.choose(1);
    assert_eq!(kind, Kind::default());
    kind.choose(2);
    assert_eq!(kind.chosen(), 1);
    assert_eq!(Kind::with_defaults("Leafy"), Some(Kind::Leafy(Leaf { width: 1.0 })));
    assert_eq!(Kind::with_defaults("leafy"), None);
}

#[test]
fn every_wrong_value_is_named_with_its_path_and_range() {
    let leaves = vec![Leaf::default(), Leaf { width: f64::NAN }];
    let errors = check(&mut Tree { size: 0.5, quads: 65, leaves, ..Tree::default() });
    assert_eq!(
        texts(&errors),
        [
            "`size` is 0.5, allowed: 1 to 10 m",
            "`quads` is 65, allowed: a power of two, 8 to 128",
            "`leaves[1].width` is NaN, allowed: -2 to 2",
        ]
    );
}

#[test]
fn a_wrong_text_is_answered_with_the_length_and_the_characters_that_are_allowed() {
    let found = |name: &str| texts(&check(&mut Named { name: name.to_owned() }));
    let allowed = "a text of up to 3 characters without line breaks, tabs and other control characters";
    assert_eq!(found("a\n"), [format!("`name` is \"a\\u{{a}}\", allowed: {allowed}")]);
    assert_eq!(found("four"), [format!("`name` is \"four\", allowed: {allowed}")]);
    assert_eq!(found("abc"), [""; 0]);
}

#[test]
fn text_that_is_not_allowed_is_answered_with_what_is() {
    let mut tree = Tree::default();
    let mut answer = |param: &'static Param, text: &str| {
        let mut answer = None;
        tree.visit(&mut ParamVisitor::new(&mut |path, here, value| {
            if path == param.name {
                answer = Some(here.parse(text, &value).map_err(|error| error.to_string()));
            }
        }));
        answer.expect("it is a field")
    };
    for (param, text, expected) in [
        (Tree::SIZE, "10.5", "`size` is 10.5, allowed: 1 to 10 m"),
        (Tree::QUADS, "65", "`quads` is 65, allowed: a power of two, 8 to 128"),
        (Tree::SEED, "-1", "`seed` is -1, allowed: a whole number, 0 to 18446744073709551615"),
        (Tree::GROWS, "yes", "`grows` is yes, allowed: true, false"),
        (Tree::COLOR, "(2, 0, 0)", "`color` is (2, 0, 0), allowed: (red, green, blue), each 0 to 1"),
        (Tree::SIDE, "right", "`side` is right, allowed: Left, Right"),
    ] {
        assert_eq!(answer(param, text), Err(expected.to_owned()));
    }
    assert_eq!(answer(Tree::QUADS, "16"), Ok(ParamValue::Count(16)));
}

#[test]
fn both_ends_of_a_range_are_allowed_and_infinity_is_not() {
    assert!(Tree::SIZE.allows(&ParamValue::Float(1.0)) && Tree::SIZE.allows(&ParamValue::Float(10.0)));
    assert!(!Tree::SIZE.allows(&ParamValue::Float(10.000_001)));
    assert!(!Tree::SEED.allows(&ParamValue::Float(f64::INFINITY)));
    let text = |text: &str| ParamValue::Text(text.to_owned());
    assert!(Tree::NAME.allows(&text("")) && Tree::NAME.allows(&text("äöü")));
    assert!(!Tree::NAME.allows(&text("four")) && !Tree::NAME.allows(&text("a\nb")));
    assert_eq!([0.0, 3.0, f64::NAN].map(|number| Tree::SIZE.nearest(number)), [1.0, 3.0, 1.0]);
}
