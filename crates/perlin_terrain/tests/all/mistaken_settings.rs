//! Messages about mistakes in a settings file: each message says what was written, where, and what to write.

use perlin_terrain::light::SkySettings;
use perlin_terrain::settings::{SettingsError, TerrainSettings, settings_text};
use std::fmt::Write;

/// Mistaken texts, and all messages about each but [`LATER`].
type Table<'a> = &'a [(&'a str, &'a [&'a str])];

/// A message about each text with `quads: 65`: no mistake hides those after it.
const LATER: &str = "`chunks.quads` is 65, allowed: a power of two, 8 to 128";

#[track_caller]
fn check(table: Table<'_>, read: impl Fn(&str) -> Result<(), SettingsError>) {
    let mut differences = String::new();
    for (text, expected) in table {
        let error = read(text).expect_err(text);
        let is_position = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let has_position = |path: &str| !path.is_empty() && path.split('.').any(is_position);
        assert!(!error.problems.iter().any(|problem| has_position(&problem.path)), "{error:?}");
        let error = error.to_string();
        let mut found: Vec<&str> = error.lines().collect();
        if text.contains("quads: 65") {
            let later = found.iter().position(|message| message.ends_with(LATER));
            found.remove(later.unwrap_or_else(|| panic!("{text} hides a later mistake:\n{error}")));
        }
        // Names of the code tell a designer nothing.
        for name in ["f64", "u32", "Option", "struct", "enum", "Settings", "RON"] {
            assert!(!error.contains(name), "{error}");
        }
        if found != *expected {
            writeln!(differences, "({text:?}, &{found:?}),").expect("a text takes any text");
        }
    }
    assert!(differences.is_empty(), "new messages:\n{differences}");
}

fn terrain(text: &str) -> Result<(), SettingsError> {
    TerrainSettings::from_ron(text).map(drop)
}

fn sky(text: &str) -> Result<(), SettingsError> {
    SkySettings::from_ron(text).map(drop)
}

#[test]
fn a_field_in_the_wrong_place_says_where_it_belongs() {
    let table: Table<'_> = &[
        (
            "(field: (layers: [(masks: [Noise(octaves: 3)], kind: Noise())]), chunks: (quads: 65))",
            &["1:34: unknown field `octaves`; it belongs in `noise: (octaves: ...)`"],
        ),
        ("(seed: 3, chunks: (quads: 65))", &["1:2: unknown field `seed`; it belongs in `field: (seed: ...)`"]),
        (
            "(octaves: 3, chunks: (quads: 65))",
            &["1:2: unknown field `octaves`; it belongs in `field: (layers: [(kind: Noise(octaves: ...))])`"],
        ),
        (
            "(water: true, layers: [])",
            &[
                "1:2: unknown field `water`; it belongs in `look: (water: ...)`",
                "1:15: unknown field `layers`; it belongs in `field: (layers: ...)`",
            ],
        ),
        (
            "(field: (layers: [(octaves: 3, kind: Noise())]))",
            &["1:20: unknown field `octaves`; it belongs in `kind: Noise(octaves: ...)`"],
        ),
        (
            "(field: (layers: [(octaves: 3, kind: Terrace())]))",
            &["1:20: unknown field `octaves`; `Terrace` has no such field, but `Noise`, `Carve`, `Erosion` have it"],
        ),
        (
            "(field: (layers: [(kind: Noise(blend: Max, name: \"x\"))]), chunks: (quads: 65))",
            &[
                "1:32: unknown field `blend`; it belongs one level higher, beside `kind`",
                "1:44: unknown field `name`; it belongs one level higher, beside `kind`",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(masks: []))]), chunks: (quads: 65))",
            &["1:32: unknown field `masks`; it belongs one level higher, beside `kind`"],
        ),
        (
            "(field: (layers: [(kind: Terrace(octaves: 3))]), chunks: (quads: 65))",
            &["1:34: unknown field `octaves`; `Terrace` has no such field, but `Noise`, `Carve`, `Erosion` have it"],
        ),
        (
            "(field: (height_scale: 3.0, octaves: 3, chunks: (quads: 64)))",
            &[
                "1:10: unknown field `height_scale`; it belongs in `layers: [(kind: Noise(height_scale: ...))]`",
                "1:29: unknown field `octaves`; it belongs in `layers: [(kind: Noise(octaves: ...))]`",
                "1:41: unknown field `chunks`; it belongs one level higher, beside `field`",
            ],
        ),
        (
            "(look: (seed: 4), field: (quads: 64))",
            &[
                "1:9: unknown field `seed`; it belongs in `field: (seed: ...)`, beside `look`",
                "1:27: unknown field `quads`; it belongs in `chunks: (quads: ...)`, beside `field`",
            ],
        ),
        (
            "(field: (layers: [(masks: [Slope(opacity: 0.5)], kind: Noise())]), chunks: (quads: 65))",
            &["1:34: unknown field `opacity`; it belongs one level higher, beside `masks`"],
        ),
        (
            "(field: (layers: [(kind: Noise(), octaves: 3)]), chunks: (quads: 65))",
            &["1:35: unknown field `octaves`; it belongs in `kind: Noise(octaves: ...)`"],
        ),
        (
            "(field: (layers: [(blend: Max, octaves: 3)]))",
            &["1:32: unknown field `octaves`; it belongs in `kind: Noise(octaves: ...)`"],
        ),
        (
            "(field: (layers: [(kind: Group(kind: Noise()))]), chunks: (quads: 65))",
            &["1:32: unknown field `kind`; it belongs in `layers: [(kind: ...)]`"],
        ),
        (
            "(field: (layers: [(octaves: 3)]), chunks: (quads: 65))",
            &["1:20: unknown field `octaves`; it belongs in `kind: Noise(octaves: ...)`"],
        ),
        (
            "(field: (layers: [(kind: Noise, octaves: 3)]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is Noise without its parentheses, did you mean `Noise()`?",
                "1:33: unknown field `octaves`; it belongs in `kind: Noise(octaves: ...)`",
            ],
        ),
        (
            "(field.seed: 3, chunks: (quads: 65))",
            &["1:2: unknown field `field.seed`; it belongs in `field: (seed: ...)`"],
        ),
        (
            "(look: (height: 3.0), chunks: (quads: 65))",
            &["1:9: unknown field `height`; it belongs in `layers: [(height: ...)]`"],
        ),
        (
            "(field: (layers: [(kind: Group(opacity: 0.5))]), chunks: (quads: 65))",
            &["1:32: unknown field `opacity`; it belongs one level higher, beside `kind`"],
        ),
    ];
    check(table, terrain);
}

#[test]
fn a_bracket_or_quote_that_is_missing_is_named_with_its_position() {
    let table: Table<'_> = &[
        (
            "(field: (layers: [(kind: Noise[octaves: 3])]), chunks: (quads: 65))",
            &["1:31: `kind: Noise[`: fields are in parentheses; write `kind: Noise(` and `)`"],
        ),
        (
            "(\n  version: 2,\n  field: (\n    seed: 3,\n  chunks: (quads: 65),\n)\n",
            &["3:10: `field: (` is not closed: `)` is missing before line 5"],
        ),
        (
            "(\n  version: 2,\n  field: (\n    layers: [\n      (kind: Noise(octaves: 3),\n      (kind: Noise(octaves: 99)),\n    ],\n  ),\n  chunks: (quads: 65),\n)\n",
            &[
                "5:7: `(` is not closed: `)` is missing before line 6",
                "6:29: `field.layers[1].kind.octaves` is 99, allowed: 0 to 32",
            ],
        ),
        (
            "(\n  version: 2,\n  field: (\n    layers: [\n      (kind: Noise()),\n  ),\n  chunks: (quads: 65),\n)\n",
            &["4:13: `layers: [` is not closed: `]` is missing before the `)` in line 6"],
        ),
        (
            "(\n  field: (seed: 3)),\n  chunks: (quads: 65),\n)\n",
            &["2:19: `)` closes the whole file, but more follows; remove it"],
        ),
        ("(field: (seed: 3), chunks: (quads: 65)", &["1:1: `(` is not closed: `)` is missing at the end of the file"]),
        (
            "(field: (layers: [(kind: Noise())), seed: 3), chunks: (quads: 65))",
            &["1:34: `)` in place of `]`: it closes `layers: [` of line 1"],
        ),
        (
            "(field: (layers: [(name: \"Hills, kind: Noise()),\n(name: \"b\", kind: Noise())]), chunks: (quads: 65))",
            &["1:26: the text that begins with \"Hills, kind: No... has no closing quote in its line"],
        ),
        (
            "(\n  /* field: (seed: 3),\n  chunks: (quads: 65))",
            &["2:3: the comment `/*` is not closed; write `*/` at its end"],
        ),
        (
            "{\"field\": {\"seed\": 3, \"layers\": [{\"kind\": \"Noise\"}]}, \"chunks\": {\"quads\": 65}}",
            &[
                "1:1: `{`: settings are in parentheses; write `(` and `)` in place of braces (8 places)",
                "1:2: the name \"field\" is in quotes; write it without them (6 places)",
                "1:43: `field.layers[0].kind` is \"Noise\", did you mean `Noise()`? allowed: Noise, Carve, Dunes, Curve, Group or 4 more",
                "1:75: `chunks.quads` is 65, allowed: a power of two, 8 to 128",
            ],
        ),
        (
            "{ field: { seed: 3 }, chunks: { quads: 65 } }",
            &["1:1: `{`: settings are in parentheses; write `(` and `)` in place of braces (6 places)"],
        ),
        (
            "field: (seed: 3),\nchunks: (quads: 65)",
            &["1:1: the file lacks its outer parentheses; write `(` before `field` and `)` at the end of the file"],
        ),
        (
            "field:\n  seed: 3\nchunks:\n  quads: 65\n",
            &[
                "1:1: the file lacks its outer parentheses; write `(` before `field` and `)` at the end of the file",
                "1:1: `field:` has no parentheses; write `field: (` before its fields and `)` after them",
                "3:1: `chunks:` has no parentheses; write `chunks: (` before its fields and `)` after them",
                "3:1: a comma is missing before `chunks`",
            ],
        ),
        (
            "(field: (seed: 3)) chunks: (quads: 64)",
            &["1:20: more text after the bracket that closes the file; move it before that bracket"],
        ),
        (
            "(\n  field: (\n    layers: [\n      (kind: Noise())),\n    ],\n  ),\n  chunks: (quads: 65),\n)\n",
            &["4:22: `)` is one too many; remove it"],
        ),
        (
            "(\n  field: (\n    layers: [\n      (kind: Noise(),\n      (kind: Dunes()),\n    ],\n  ),\n  chunks: (quads: 65),\n)\n",
            &["4:7: `(` is not closed: `)` is missing before line 5"],
        ),
        (
            "(\n  field: (\n    layers: [\n      kind: Noise()),\n    ],\n  ),\n  chunks: (quads: 65),\n)\n",
            &[
                "4:7: `kind:` in a list; write `(` before it and `)` after the last field",
                "4:20: `)` is one too many; remove it",
            ],
        ),
        (
            "(\n  field: (\n    layers: [\n      (kind: Noise octaves: 3)),\n    ],\n  ),\n  chunks: (quads: 65),\n)\n",
            &["4:8: `(` is missing after `kind: Noise`; the `)` in line 4 closes it"],
        ),
        (
            "(\n  field:\n    seed: 3,\n  ),\n  chunks: (quads: 65),\n)\n",
            &["2:3: `(` is missing after `field:`; the `)` in line 4 closes it"],
        ),
        (
            "(\n  field: (\n    layers:\n      (kind: Noise()),\n    ],\n  ),\n  chunks: (quads: 65),\n)\n",
            &["3:5: `[` is missing after `layers:`; the `]` in line 5 closes it"],
        ),
        (
            "(field: seed: 3), chunks: (quads: 65))",
            &["1:2: `(` is missing after `field:`; the `)` in line 1 closes it"],
        ),
        ("(field: (seed: 3), chunks: (quads: 65)))", &["1:40: `)` closes nothing; remove it"]),
        ("((field: (seed: 3), chunks: (quads: 65)))", &["1:1: the file has two pairs of parentheses; write `(...)`"]),
        (
            "(field: (layers: [(name: Hills\", kind: Noise())]), chunks: (quads: 65))",
            &["1:31: the text that ends with Hills\" has no opening quote"],
        ),
        (
            "(field: (layers: [kind: Noise()]), chunks: (quads: 65))",
            &["1:19: `kind:` in a list; write `(` before it and `)` after the last field"],
        ),
        (
            "(field: (layers: [(kind: Group[(kind: Noise())])]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is Group[(kind: Noise())], did you mean `Group(layers: [...])`? allowed: named fields in parentheses: warp_strength, warp_frequency, warp_octaves, layers",
                "1:31: `kind: Group[`: fields are in parentheses; write `kind: Group(` and `)`",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(octaves: 3), (kind: Dunes())]), chunks: (quads: 65))",
            &["1:19: `(` is not closed: `)` is missing before `(` in line 1"],
        ),
        (
            "(field: (layers: [(kind: Noise(octaves: 3, name: \"x\")]), chunks: (quads: 65))",
            &["1:31: `kind: Noise(` is not closed: `)` is missing before `name` in line 1"],
        ),
        (
            "(field: (seed: 3, chunks: (quads: 65))",
            &["1:9: `field: (` is not closed: `)` is missing before `chunks` in line 1"],
        ),
        (
            "(field: (layers: [kind: Noise()), (kind: Dunes())]), chunks: (quads: 65))",
            &[
                "1:19: `kind:` in a list; write `(` before it and `)` after the last field",
                "1:32: `)` is one too many; remove it",
            ],
        ),
    ];
    check(table, terrain);
}

#[test]
fn signs_of_other_formats_are_named_and_what_follows_is_read() {
    let table: Table<'_> = &[
        ("(field: (seed: 3,, base_height: 2.0), chunks: (quads: 65))", &["1:18: two commas; remove one"]),
        (
            "(field: (seed: 3 base_height: 2.0), chunks: (quads: 65))",
            &["1:17: a comma is missing before `base_height`"],
        ),
        (
            "(\n  field: (\n    seed: 3\n    base_height: 2.0\n  )\n  chunks: (quads: 65)\n)",
            &["3:12: a comma is missing before `base_height` (2 places)"],
        ),
        ("(field: (seed: 3; base_height: 2.0), chunks: (quads: 65))", &["1:17: `;` ends no field; write `,`"]),
        (
            "(field: (seed = 3, base_height 2.0), chunks: (quads: 65))",
            &["1:15: `=` after a name; write `:`", "1:31: a colon is missing after `base_height`"],
        ),
        ("# hills\n(field: (seed: 3), chunks: (quads: 65))", &["1:1: `#` begins no comment; write `//`"]),
        (
            "(\n  field: (seed: 3), # hills\n  # more (\n  chunks: (quads: 65))",
            &["2:21: `#` begins no comment; write `//` (2 places)"],
        ),
        (
            "(\n  field: (seed: 3), -- hills\n  -- more\n  chunks: (quads: 65))",
            &["2:21: `--` begins no comment; write `//` (2 places)"],
        ),
        (
            "(\"field\": (\"seed\": 3, 'base_height': 1e9), chunks: (quads: 65))",
            &[
                "1:2: the name \"field\" is in quotes; write it without them (3 places)",
                "1:38: `field.base_height` is 1000000000.0, allowed: -10000 to 10000 m",
            ],
        ),
        (
            "(field: (layers: [(name: “Hills”, kind: Noise())]), chunks: (quads: 65))",
            &["1:26: “ is no quote of settings files; write straight quotes, as in \"Hills\""],
        ),
        (
            "(\n\u{a0}\u{a0}field: (seed:\u{a0}3), chunks: (quads:\u{a0}65))",
            &[
                "2:1: a no-break space (U+00A0); write a plain space (4 places)",
                "2:37: `chunks.quads` is 65, allowed: a power of two, 8 to 128",
            ],
        ),
        (
            "(field： (seed: 3， base_height: −3.0), chunks: (quads: 65))",
            &[
                "1:7: `：` only looks like `:`; write `:`",
                "1:17: `，` only looks like `,`; write `,`",
                "1:32: `−` only looks like `-`; write `-`",
            ],
        ),
        (
            "[field]\nseed = 3\n",
            &[
                "1:1: the file is [field], allowed: named fields in parentheses: version, field, chunks, lod, stream or 2 more",
                "2:6: `=` after a name; write `:`",
            ],
        ),
        ("(field: (base_height := 5.0), chunks: (quads: 65))", &["1:22: `:=` after a name; write `:`"]),
        ("(field: (base_height => 5.0), chunks: (quads: 65))", &["1:22: `=` after a name; write `:`"]),
        (
            "(field: (base height: 5.0), chunks: (quads: 65))",
            &[
                "1:10: unknown field `base height`, did you mean `base_height`? allowed: seed, base_height, layers, edits",
            ],
        ),
        (
            "(field: (base-height: 5.0), chunks: (quads: 65))",
            &[
                "1:10: unknown field `base-height`, did you mean `base_height`? allowed: seed, base_height, layers, edits",
            ],
        ),
        ("; hills\n(field: (seed: 3), chunks: (quads: 65))", &["1:1: `;` begins no comment; write `//`"]),
        ("<!-- hills -->\n(field: (seed: 3), chunks: (quads: 65))", &["1:1: `<!--` begins no comment; write `//`"]),
        ("(field: (seed: 3), % hills\nchunks: (quads: 65))", &["1:20: `%` begins no comment; write `//`"]),
        (
            "(field: (layers: [(kind: Noise: (octaves: 3))]), chunks: (quads: 65))",
            &["1:31: `:` between `Noise` and its parentheses; remove it"],
        ),
        (
            "(field: (layers: [(name: “Hills\", kind: Noise())]), chunks: (quads: 65))",
            &["1:26: “ is no quote of settings files; write straight quotes, as in \"Hills\""],
        ),
        (
            "(field: (layers: [(name: \"Hills”, kind: Noise())]), chunks: (quads: 65))",
            &["1:32: ” is no quote of settings files; write straight quotes, as in \"Hills\""],
        ),
    ];
    check(table, terrain);
}

#[test]
fn a_value_of_another_kind_says_what_is_allowed() {
    let table: Table<'_> = &[
        (
            "(field: (layers: [(name: Hills, kind: Noise())]))",
            &[
                "1:26: `field.layers[0].name` is Hills, did you mean `\"Hills\"`? allowed: a text in quotes, 0 to 64 characters",
            ],
        ),
        (
            "(field: (layers: [(name: 'Hills', kind: Noise())]))",
            &[
                "1:26: `field.layers[0].name` is 'Hills', did you mean `\"Hills\"`? allowed: a text in quotes, 0 to 64 characters",
            ],
        ),
        (
            "(look: (water_color: (0,5, 0,4, 0,3)), chunks: (quads: 65))",
            &[
                "1:22: `look.water_color` is (0,5, 0,4, 0,3), did you mean `(0.5, 0.4, 0.3)`? allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ],
        ),
        (
            "(look: (water_color: (0.5 0.4 0.3)), chunks: (quads: 65))",
            &[
                "1:22: `look.water_color` is (0.5 0.4 0.3), did you mean `(0.5, 0.4, 0.3)`? allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ],
        ),
        (
            "(look: (water_color: #C2AE80), chunks: (quads: 65))",
            &[
                "1:22: `look.water_color` is #C2AE80, did you mean `(0.76, 0.68, 0.50)`? allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ],
        ),
        (
            "(look: (water_color: [0.5, 0.4, 0.3]), chunks: (quads: 65))",
            &[
                "1:22: `look.water_color` is [0.5, 0.4, 0.3], did you mean `(0.5, 0.4, 0.3)`? allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ],
        ),
        (
            "(look: (water_color: (r: 0.5, g: 0.4, b: 0.3)), chunks: (quads: 65))",
            &[
                "1:22: `look.water_color` is (r: 0.5, g: 0.4, b: 0.3), did you mean `(0.5, 0.4, 0.3)`? allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ],
        ),
        (
            "(look: (water_color: (0.5, green, 0.3)), chunks: (quads: 65))",
            &[
                "1:22: `look.water_color` is (0.5, green, 0.3), allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ],
        ),
        (
            "(look: (water_color: \"red\"))",
            &[
                "1:22: `look.water_color` is \"red\", allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ],
        ),
        (
            "(field: (seed: ), chunks: (quads: 65))",
            &["1:16: `field.seed` has no value, allowed: a whole number, 0 to 18446744073709551615"],
        ),
        (
            "(field: (seed: 3 m, base_height: 200 m), chunks: (quads: 65))",
            &[
                "1:16: `field.seed` is 3 m, did you mean `3`? allowed: a whole number, 0 to 18446744073709551615",
                "1:34: `field.base_height` is 200 m, did you mean `200`? allowed: a number, -10000 to 10000 m",
            ],
        ),
        (
            "(field: (base_height: 200m), chunks: (quads: 65))",
            &["1:23: `field.base_height` is 200m, did you mean `200`? allowed: a number, -10000 to 10000 m"],
        ),
        (
            "(field: (base_height: 1 + 2), chunks: (quads: 65))",
            &["1:23: `field.base_height` is 1 + 2, allowed: a number, -10000 to 10000 m"],
        ),
        (
            "(look: (water: yes), chunks: (quads: 65))",
            &["1:16: `look.water` is yes, did you mean `true`? allowed: true or false"],
        ),
        (
            "(look: (water: True), chunks: (quads: 65))",
            &["1:16: `look.water` is True, did you mean `true`? allowed: true or false"],
        ),
        (
            "(look: (images: (sand: sand.png)))",
            &[
                "1:24: `look.images.sand` is sand.png, did you mean `\"sand.png\"`? allowed: a text in quotes, 0 to 256 characters",
            ],
        ),
        (
            "(plants: [(kind: Spruce, spacing: -1, on: \"grass\"), (nam: 3, on: [grass, 7])], chunks: (quads: 65))",
            &[
                "1:18: `plants[0].kind` is Spruce, allowed: Stone, Bush, Conifer, Empty, Umbrella or 1 more",
                "1:35: `plants[0].spacing` is -1.0, allowed: 0.5 to 1000 m",
                "1:43: `plants[0].on` is \"grass\", allowed: a list in square brackets",
                "1:54: unknown field `nam`, did you mean `name`? allowed: name, own, on, stream, kind or 13 more",
                "1:67: `plants[1].on[0]` is grass, did you mean `\"grass\"`? allowed: a text in quotes",
                "1:74: `plants[1].on[1]` is 7, did you mean `\"7\"`? allowed: a text in quotes",
            ],
        ),
        (
            "(plants: [(name: \"a\"), (name: \"a\"), (stream: 7), (stream: 7)])",
            &[
                "1:31: `plants[1].name` is \"a\", as that of `plants[0]`, allowed: a name that no other layer of plants has",
                "1:59: `plants[3].stream` is 7, as that of `plants[2]`, allowed: a stream that no other layer of plants has",
            ],
        ),
        (
            "(plants: (kind: Bush), chunks: (quads: 65))",
            &["1:10: `plants` is (kind: Bush), did you mean `[(kind: Bush)]`? allowed: a list in square brackets"],
        ),
        (
            "(look: (plants: [(kind: Bush)]), chunks: (quads: 65))",
            &["1:9: unknown field `plants`; it belongs one level higher, beside `look`"],
        ),
        (
            "(plants: [(kind: Bush, height: 30.0, size: 4.0)])",
            &[
                "1:32: `plants[0].height` is 30.0, allowed: named fields in parentheses: from, to, fade, invert",
                "1:44: `plants[0].size` is 4.0, allowed: named fields in parentheses: from, to",
            ],
        ),
        (
            "(look: (layers: [(texture: sand, color: (2.0, 0.0))]))",
            &[
                "1:28: `look.layers[0].texture` is sand, did you mean `Sand`? allowed: Sand, Snow, Grass, Stones, Rock or 1 more",
                "1:41: `look.layers[0].color` is (2.0, 0.0), allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ],
        ),
        (
            "(look: 3, chunks: (quads: 65))",
            &[
                "1:8: `look` is 3, allowed: named fields in parentheses: variation, water, water_height, water_color, water_clarity or 3 more",
            ],
        ),
        (
            "(look: [1, 2], chunks: (quads: 65))",
            &[
                "1:8: `look` is [1, 2], allowed: named fields in parentheses: variation, water, water_height, water_color, water_clarity or 3 more",
            ],
        ),
        (
            "(field: Field(seed: -1), chunks: (quads: 65))",
            &[
                "1:9: `field` has the name `Field` before its parentheses; remove it",
                "1:21: `field.seed` is -1, allowed: a whole number, 0 to 18446744073709551615",
            ],
        ),
        ("(field: (seed: 3, seed: 4))", &["1:19: `field.seed` is set twice; remove one of them"]),
        (
            "(field: (seed: Some(3), layers: None))",
            &[
                "1:16: `field.seed` is Some(3), did you mean `3`? allowed: a whole number, 0 to 18446744073709551615",
                "1:33: `field.layers` is None, allowed: a list in square brackets",
            ],
        ),
        (
            "Terrain(field: (seed: -1))",
            &[
                "1:1: the file has the name `Terrain` before its parentheses; remove it",
                "1:23: `field.seed` is -1, allowed: a whole number, 0 to 18446744073709551615",
            ],
        ),
        (
            "(fields: (seed: -1))",
            &[
                "1:2: unknown field `fields`, did you mean `field`? allowed: field, chunks, lod, plants, stream or 2 more",
                "1:17: `field.seed` is -1, allowed: a whole number, 0 to 18446744073709551615",
            ],
        ),
        ("(version: \"2\")", &["1:11: `version` is \"2\", allowed: 2"]),
        (
            "(field: (layers: [(stream: -1, kind: Noise()), (stream: \"a\", kind: Noise()), (stream: 1.5, kind: Noise())]))",
            &[
                "1:28: `field.layers[0].stream` is -1, allowed: a whole number, 0 to 4294967295",
                "1:57: `field.layers[1].stream` is \"a\", allowed: a whole number, 0 to 4294967295",
                "1:87: `field.layers[2].stream` is 1.5, allowed: a whole number, 0 to 4294967295",
            ],
        ),
        (
            "(field: (base_height: 1,000.0), chunks: (quads: 65))",
            &["1:23: `field.base_height` is 1,000.0, did you mean `1000.0`? allowed: a number, -10000 to 10000 m"],
        ),
        (
            "(field: (base_height: 1'000), chunks: (quads: 65))",
            &["1:23: `field.base_height` is 1'000, did you mean `1000`? allowed: a number, -10000 to 10000 m"],
        ),
        (
            "(field: (base_height: 1/2), chunks: (quads: 65))",
            &["1:23: `field.base_height` is 1/2, allowed: a number, -10000 to 10000 m"],
        ),
        (
            "(field: (base_height: - 5), chunks: (quads: 65))",
            &["1:23: `field.base_height` is - 5, did you mean `-5`? allowed: a number, -10000 to 10000 m"],
        ),
        (
            "(field: (base_height: (5.0)), chunks: (quads: 65))",
            &["1:23: `field.base_height` is (5.0), did you mean `5.0`? allowed: a number, -10000 to 10000 m"],
        ),
        (
            "(field: (seed: 3.0), chunks: (quads: 65))",
            &["1:16: `field.seed` is 3.0, did you mean `3`? allowed: a whole number, 0 to 18446744073709551615"],
        ),
        (
            "(look: (water_color: rgb(0.5, 0.4, 0.3)), chunks: (quads: 65))",
            &[
                "1:22: `look.water_color` is rgb(0.5, 0.4, 0.3), did you mean `(0.5, 0.4, 0.3)`? allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ],
        ),
    ];
    check(table, terrain);
}

#[test]
fn points_and_masks_and_kinds_say_what_their_parentheses_need() {
    let table: Table<'_> = &[
        (
            "(field: (layers: [(kind: Noise)]), chunks: (quads: 65))",
            &["1:26: `field.layers[0].kind` is Noise without its parentheses, did you mean `Noise()`?"],
        ),
        (
            "(field: (layers: [(kind: Group)]), chunks: (quads: 65))",
            &["1:26: `field.layers[0].kind` is Group without its parentheses, did you mean `Group()`?"],
        ),
        (
            "(field: (layers: [(kind: noise(octaves: 99))]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is noise(octaves: 99), did you mean `Noise(...)`? allowed: Noise, Carve, Dunes, Curve, Group or 4 more",
                "1:41: `field.layers[0].kind.octaves` is 99, allowed: 0 to 32",
            ],
        ),
        (
            "(field: (layers: [(kind: Noize())]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is Noize(), did you mean `Noise()`? allowed: Noise, Carve, Curve, Dunes, Group or 4 more",
            ],
        ),
        (
            "(field: (layers: [(kind: \"Noise\")]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is \"Noise\", did you mean `Noise()`? allowed: Noise, Carve, Dunes, Curve, Group or 4 more",
            ],
        ),
        (
            "(field: (layers: [(kind: 5)]), chunks: (quads: 65))",
            &["1:26: `field.layers[0].kind` is 5, allowed: Noise, Carve, Constant, Scatter, Dunes or 4 more"],
        ),
        (
            "(field: (layers: [(kind: (octaves: 3))]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is (octaves: 3), without a name before its parentheses, allowed: Noise, Carve, Erosion",
            ],
        ),
        (
            "(field: (layers: [(kind: [Noise()])]), chunks: (quads: 65))",
            &["1:26: `field.layers[0].kind` is [Noise()], did you mean `Noise()`?"],
        ),
        (
            "(field: (layers: [(kind: Noise((octaves: 3)))]), chunks: (quads: 65))",
            &["1:26: `field.layers[0].kind` has two pairs of parentheses; write `Noise(...)`"],
        ),
        (
            "(field: (layers: [(kind: Noise(3))]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is Noise(3), allowed: named fields in parentheses: shape, octaves, frequency, lacunarity, persistence or 24 more",
            ],
        ),
        (
            "(field: (layers: [(kind: Group([(kind: Noise()), (kind: Noise(octaves: 99))]))]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is Group([(kind: Noise()), (kind: Noise(oct..., did you mean `Group(layers: [...])`?",
                "1:72: `field.layers[0].kind.layers[1].kind.octaves` is 99, allowed: 0 to 32",
            ],
        ),
        (
            "(field: (layers: [(kind: Curve([(from: 1.0)]))]), chunks: (quads: 65))",
            &["1:26: `field.layers[0].kind` is Curve([(from: 1.0)]), did you mean `Curve(points: [...])`?"],
        ),
        (
            "(field: (layers: [(kind: Group(layers: (kind: Noise())))]), chunks: (quads: 65))",
            &[
                "1:40: `field.layers[0].kind.layers` is (kind: Noise()), did you mean `[(kind: Noise())]`? allowed: a list in square brackets",
            ],
        ),
        (
            "(field: (layers: [(kind: Group(layers: [(kind: Noise)]))]), chunks: (quads: 65))",
            &["1:48: `field.layers[0].kind.layers[0].kind` is Noise without its parentheses, did you mean `Noise()`?"],
        ),
        (
            "(field: (layers: [(kind: Group(layers: [(kind: Group([(kind: Noise())]))]))]), chunks: (quads: 65))",
            &[
                "1:48: `field.layers[0].kind.layers[0].kind` is Group([(kind: Noise())]), did you mean `Group(layers: [...])`?",
            ],
        ),
        (
            "(field: (layers: [(masks: [Noise], kind: Noise())]), chunks: (quads: 65))",
            &["1:28: `field.layers[0].masks[0]` is Noise without its parentheses, did you mean `Noise()`?"],
        ),
        (
            "(field: (layers: [(masks: [slope()], kind: Noise())]), chunks: (quads: 65))",
            &[
                "1:28: `field.layers[0].masks[0]` is slope(), did you mean `Slope()`? allowed: Slope, Noise, Layer, Point, Segment or 1 more",
            ],
        ),
        (
            "(field: (layers: [(masks: [(from: 3.0)], kind: Noise())]), chunks: (quads: 65))",
            &[
                "1:28: `field.layers[0].masks[0]` is (from: 3.0), without a name before its parentheses, allowed: Height, Slope, Noise, Layer",
            ],
        ),
        (
            "(field: (layers: [(masks: [Slope], kind: Noise())]), chunks: (quads: 65))",
            &["1:28: `field.layers[0].masks[0]` is Slope without its parentheses, did you mean `Slope()`?"],
        ),
        (
            "(field: (layers: [(masks: [\"Slope\"], kind: Noise())]), chunks: (quads: 65))",
            &[
                "1:28: `field.layers[0].masks[0]` is \"Slope\", did you mean `Slope()`? allowed: Slope, Noise, Layer, Point, Segment or 1 more",
            ],
        ),
        (
            "(field: (layers: [(masks: [Slope(1.0, 2.0)], kind: Noise())]), chunks: (quads: 65))",
            &[
                "1:28: `field.layers[0].masks[0]` is Slope(1.0, 2.0), allowed: named fields in parentheses: from, to, fade, distance, invert",
            ],
        ),
        (
            "(field: (layers: [(masks: [Noise(noise: Noise(octaves: 3))], kind: Noise())]), chunks: (quads: 65))",
            &["1:41: `field.layers[0].masks[0].noise` has the name `Noise` before its parentheses; remove it"],
        ),
        (
            "(field: (layers: [(kind: Curve(points: [(0.0, 5.0)]))]), chunks: (quads: 65))",
            &[
                "1:41: `field.layers[0].kind.points[0]` is (0.0, 5.0), did you mean `(from: 0.0, to: 5.0)`? allowed: named fields in parentheses: from, to",
            ],
        ),
        (
            "(field: (layers: [(kind: Curve(points: [[0.0, 5.0], [1.0, 6.0]]))]), chunks: (quads: 65))",
            &[
                "1:41: `field.layers[0].kind.points[0]` is [0.0, 5.0], did you mean `(from: 0.0, to: 5.0)`? allowed: named fields in parentheses: from, to",
                "1:53: `field.layers[0].kind.points[1]` is [1.0, 6.0], did you mean `(from: 1.0, to: 6.0)`? allowed: named fields in parentheses: from, to",
            ],
        ),
        (
            "(field: (layers: [(kind: Curve(points: [0.0, 5.0]))]), chunks: (quads: 65))",
            &[
                "1:41: `field.layers[0].kind.points[0]` is 0.0, allowed: named fields in parentheses: from, to",
                "1:46: `field.layers[0].kind.points[1]` is 5.0, allowed: named fields in parentheses: from, to",
            ],
        ),
        (
            "(field: (layers: [(kind: Curve(points: [(0.0, 5.0, 6.0)]))]), chunks: (quads: 65))",
            &[
                "1:41: `field.layers[0].kind.points[0]` is (0.0, 5.0, 6.0), allowed: named fields in parentheses: from, to",
            ],
        ),
        (
            "(field: (layers: [(kind: Curve(points: [(x: 0.0, y: 5.0)]))]), chunks: (quads: 65))",
            &["1:42: unknown field `x`, allowed: from, to", "1:50: unknown field `y`, allowed: from, to"],
        ),
        (
            "(field: (layers: [(kind: Noise(frequency: 0,5))]), chunks: (quads: 65))",
            &[
                "1:43: `field.layers[0].kind.frequency` is 0,5, did you mean `0.5`? allowed: a number, 0.000001 to 1 per m",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(frequency: 0,5, octaves: 99))]), chunks: (quads: 65))",
            &[
                "1:43: `field.layers[0].kind.frequency` is 0,5, did you mean `0.5`? allowed: a number, 0.000001 to 1 per m",
                "1:57: `field.layers[0].kind.octaves` is 99, allowed: 0 to 32",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(shape: \"fbm\"))]), chunks: (quads: 65))",
            &[
                "1:39: `field.layers[0].kind.shape` is \"fbm\", did you mean `Fbm`? allowed: Fbm, Ridged, Billow, Hybrid, Damped",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(shape: fbm))]), chunks: (quads: 65))",
            &[
                "1:39: `field.layers[0].kind.shape` is fbm, did you mean `Fbm`? allowed: Fbm, Ridged, Billow, Hybrid, Damped",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(shape: \"Fbm\"))]), chunks: (quads: 65))",
            &[
                "1:39: `field.layers[0].kind.shape` is \"Fbm\", did you mean `Fbm`? allowed: Fbm, Ridged, Billow, Hybrid, Damped",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(shape: Rigged))]), chunks: (quads: 65))",
            &[
                "1:39: `field.layers[0].kind.shape` is Rigged, did you mean `Ridged`? allowed: Fbm, Ridged, Billow, Hybrid, Damped",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(shape: Fbm()))]), chunks: (quads: 65))",
            &[
                "1:39: `field.layers[0].kind.shape` is Fbm(), did you mean `Fbm`? allowed: Fbm, Ridged, Billow, Hybrid, Damped",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(shape: 3))]), chunks: (quads: 65))",
            &["1:39: `field.layers[0].kind.shape` is 3, allowed: Fbm, Ridged, Billow, Hybrid, Damped"],
        ),
        (
            "(field: (layers: [(kind: Noise(shape: noise))]), chunks: (quads: 65))",
            &["1:39: `field.layers[0].kind.shape` is noise, allowed: Fbm, Ridged, Billow, Hybrid, Damped"],
        ),
        (
            "(field: (layers: [(kind: Noise(sum: normalized))]), chunks: (quads: 65))",
            &[
                "1:37: `field.layers[0].kind.sum` is normalized, did you mean `Normalized`? allowed: Normalized, Raw, Clamped",
            ],
        ),
        (
            "(field: (layers: [(kind: Noise(), nme: \"x\")]))",
            &["1:35: unknown field `nme`, did you mean `name`? allowed: name, blend, kind, stream, enabled or 3 more"],
        ),
        (
            "(field: (layers: [(kind: Ridged(octaves: 3))]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is Ridged(octaves: 3), did you mean `Noise(shape: Ridged)`? allowed: Noise, Carve, Dunes, Curve, Scatter or 4 more",
            ],
        ),
        (
            "(field: (layers: [(kind: Dome())]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is Dome(), did you mean `Scatter(shape: Dome)`? allowed: Noise, Dunes, Carve, Group, Curve or 4 more",
            ],
        ),
        (
            "(field: (layers: [Noise(octaves: 99)]), chunks: (quads: 65))",
            &[
                "1:19: `field.layers[0]` is Noise(octaves: 99), did you mean `(kind: Noise(...))`?",
                "1:34: `field.layers[0].kind.octaves` is 99, allowed: 0 to 32",
            ],
        ),
        (
            "(field: (layers: [Noise]), chunks: (quads: 65))",
            &[
                "1:19: `field.layers[0]` is Noise, did you mean `(kind: Noise())`?",
                "1:19: `field.layers[0].kind` is Noise without its parentheses, did you mean `Noise()`?",
            ],
        ),
        (
            "(field: (layers: [(masks: Slope, kind: Noise())]), chunks: (quads: 65))",
            &[
                "1:27: `field.layers[0].masks` is Slope, did you mean `[Slope]`? allowed: a list in square brackets",
                "1:27: `field.layers[0].masks[0]` is Slope without its parentheses, did you mean `Slope()`?",
            ],
        ),
        (
            "(field: (layers: [(kind: Group((kind: Noise()), (kind: Dunes())))]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is Group((kind: Noise()), (kind: Dunes())), did you mean `Group(layers: [...])`? allowed: named fields in parentheses: warp_strength, warp_frequency, warp_octaves, layers",
            ],
        ),
        (
            "(field: (layers: [(kind: Curve(points: (0.0, 5.0)))]), chunks: (quads: 65))",
            &[
                "1:40: `field.layers[0].kind.points` is (0.0, 5.0), did you mean `[(0.0, 5.0)]`? allowed: a list in square brackets",
                "1:40: `field.layers[0].kind.points[0]` is (0.0, 5.0), did you mean `(from: 0.0, to: 5.0)`? allowed: named fields in parentheses: from, to",
            ],
        ),
        (
            "(field: (layers: [(kind: Curve((0.0, 5.0), (1.0, 6.0)))]), chunks: (quads: 65))",
            &[
                "1:26: `field.layers[0].kind` is Curve((0.0, 5.0), (1.0, 6.0)), did you mean `Curve(points: [...])`? allowed: named fields in parentheses: points",
            ],
        ),
        (
            "(field: (layers: [(kind: Curve(points: [from: 0.0, to: 5.0]))]), chunks: (quads: 65))",
            &["1:41: `from:` in a list; write `(` before it and `)` after the last field"],
        ),
    ];
    check(table, terrain);
}

#[test]
fn a_wrong_name_says_which_names_are_near() {
    let table: Table<'_> = &[
        (
            "(field: (layers: [(Kind: Noise())]))",
            &["1:20: unknown field `Kind`, did you mean `kind`? allowed: kind, blend, name, masks, stream or 3 more"],
        ),
        (
            "(field: (layers: [(name: \"x\")]))",
            &["1:19: `field.layers[0].kind` is missing, allowed: Noise, Carve, Constant, Scatter, Dunes or 4 more"],
        ),
        (
            "(field: , chunks: (quads: 65))",
            &["1:9: `field` has no value, allowed: named fields in parentheses: seed, base_height, layers, edits"],
        ),
        (
            "(field: (seed: 3, Seed: 4, SEED: 5))",
            &[
                "1:19: unknown field `Seed`, did you mean `seed`? allowed: seed, base_height, layers, edits",
                "1:28: unknown field `SEED`, did you mean `seed`? allowed: seed, base_height, layers, edits",
            ],
        ),
        (
            "[]",
            &[
                "1:1: the file is [], allowed: named fields in parentheses: version, field, chunks, lod, stream or 2 more",
            ],
        ),
        (
            "3",
            &[
                "1:1: the file is 3, allowed: named fields in parentheses: version, field, chunks, lod, stream or 2 more",
            ],
        ),
        ("(lod: (pixel_error: 3.0, pixels: 2))", &["1:26: unknown field `pixels`, allowed: pixel_error, morph"]),
        ("(stream: (max_task: 3))", &["1:11: unknown field `max_task`, allowed: look_ahead"]),
    ];
    check(table, terrain);
}

#[test]
fn mistakes_in_sky_files_have_the_same_messages() {
    let table: Table<'_> = &[
        ("(sun: Time)", &["1:7: `sun` is Time without its parentheses, did you mean `Time()`?"]),
        (
            "(sun: time(hour: 99.0))",
            &[
                "1:7: `sun` is time(hour: 99.0), did you mean `Time(...)`? allowed: Angles, Time",
                "1:18: `sun.hour` is 99.0, allowed: 0 to 24 h",
            ],
        ),
        ("(sun: (hour: 3.0))", &["1:7: `sun` is (hour: 3.0), without a name before its parentheses, allowed: Time"]),
        ("(sun: Angles(hour: 3.0))", &["1:14: unknown field `hour`; `Angles` has no such field, but `Time` has it"]),
        ("(hour: 3.0)", &["1:2: unknown field `hour`; it belongs in `sun: Time(hour: ...)`"]),
        (
            "(sun: Time(hour: 3.0, visibility: 4.0))",
            &["1:23: unknown field `visibility`; it belongs one level higher, beside `sun`"],
        ),
        (
            "{\"sun\": {\"Time\": {\"hour\": 3}}}",
            &[
                "1:1: `{`: settings are in parentheses; write `(` and `)` in place of braces (6 places)",
                "1:2: the name \"sun\" is in quotes; write it without them (3 places)",
                "1:9: `sun` is {\"Time\": {\"hour\": 3}}, did you mean `Time(...)`?",
            ],
        ),
        ("(sun: \"Time\")", &["1:7: `sun` is \"Time\", did you mean `Time()`? allowed: Angles, Time"]),
        (
            "(far_ground: (0,5, 0,4, 0,3), air: 0,5)",
            &[
                "1:14: `far_ground` is (0,5, 0,4, 0,3), did you mean `(0.5, 0.4, 0.3)`? allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
                "1:36: `air` is 0,5, did you mean `0.5`? allowed: a number, 0 to 10",
            ],
        ),
        (
            "(sun: Time(hour: 6.5, air: -1.0)",
            &[
                "1:11: `sun: Time(` is not closed: `)` is missing before `air` in line 1",
                "1:28: `air` is -1.0, allowed: 0 to 10",
            ],
        ),
        ("(seed: 3)", &["1:2: unknown field `seed`, allowed: sun, wind, air, ozone, clouds or 5 more"]),
        (
            "(sun: Time(6.5, 172.0, 0.8))",
            &[
                "1:7: `sun` is Time(6.5, 172.0, 0.8), did you mean `Time(hour: 6.5, day: 172.0, latitude: 0.8)`? allowed: named fields in parentheses: hour, day, latitude",
            ],
        ),
        (
            "(sun: Time(hour: “6”), air: -1.0)",
            &[
                "1:18: “ is no quote of settings files; write straight quotes, as in \"Hills\"",
                "1:19: `sun.hour` is “6”, did you mean `6`? allowed: a number, 0 to 24 h",
                "1:29: `air` is -1.0, allowed: 0 to 10",
            ],
        ),
        (
            "sun: Time(hour: 6:30)",
            &[
                "1:1: the file lacks its outer parentheses; write `(` before `sun` and `)` at the end of the file",
                "1:17: `sun.hour` is 6:30, allowed: a number, 0 to 24 h",
            ],
        ),
    ];
    check(table, sky);
}

#[test]
fn bytes_that_are_no_utf_8_are_named_with_their_position() {
    let message = |bytes: &[u8]| settings_text(bytes).expect_err("the bytes are no UTF-8").to_string();
    assert_eq!(
        message(b"(\n  // H\xfcgel\n)"),
        "2:7: the byte 0xFC, which may mean `ü`, is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(message(b"(\n) // \x93"), "2:6: the byte 0x93 is not UTF-8; save the file as UTF-8");
    assert_eq!(message(b"\xff\xfe(\0)\0"), "1:1: the file is UTF-16; save it as UTF-8");
}
