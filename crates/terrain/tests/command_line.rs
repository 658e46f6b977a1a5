//! The tool as a user runs it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use testing::Folder;

/// Runs the tool in a folder.
fn terrain(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrain"));
    command.current_dir(folder.path("")).args(arguments).output().expect("the tool is built")
}

/// The same with this standard input.
fn terrain_with(input: &[u8], arguments: &[&str]) -> Output {
    let folder = Folder::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrain"));
    command.current_dir(folder.path("")).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the tool is built");
    // It may have refused its arguments already.
    drop(child.stdin.take().expect("it is piped").write_all(input));
    child.wait_with_output().expect("it ends")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it is text")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

const WARNS: &str = "(field: (layers: [\n  (kind: Noise(octaves: 9, frequency: 0.0005)),\n]))";

#[test]
fn mistakes_and_warnings_have_their_lines() {
    let folder = Folder::new();
    folder.write("good.terrain.ron", "(field: (seed: 3))");
    folder.write("bad.terrain.ron", "(\n  chunks: (spacin: 2.0),\n  field: (seed: -1),\n)");
    folder.write("warns.terrain.ron", WARNS);
    std::fs::create_dir(folder.path("sky")).expect("the folder can be written");
    folder.write("sky/dawn.sky.ron", "(air: 11.0)");
    folder.write("sky/notes.ron", "not settings");
    let output = terrain(&folder, &["check"]);
    let lines = text(&output);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(code(&output), 1);
    assert_eq!(lines.len(), 4, "{lines:?}");
    let begins = [
        "./bad.terrain.ron:2:12: error: unknown field `spacin`, did you mean `spacing`?",
        "./bad.terrain.ron:3:17: error: `field.seed` is -1",
        "./sky/dawn.sky.ron:1:7: error: `air` is 11.0, allowed: 0 to 10",
        "./warns.terrain.ron:2:25: warning: `field.layers[0].kind.octaves`: octave 9",
    ];
    for (line, begin) in lines.iter().zip(begins) {
        assert!(line.starts_with(begin), "{line}");
    }
    let output = terrain(&folder, &["check", "good.terrain.ron", "warns.terrain.ron"]);
    assert_eq!((code(&output), text(&output).lines().count()), (0, 1), "a warning is no mistake");
    let output = terrain(&folder, &["check", "--deny-warnings", "warns.terrain.ron"]);
    assert_eq!(code(&output), 1);
    let output = terrain(&folder, &["check", "good.terrain.ron"]);
    assert_eq!((code(&output), text(&output)), (0, String::new()));
}

#[test]
fn problems_can_be_json() {
    let folder = Folder::new();
    folder.write("bad.terrain.ron", "(chunks: (spacing: -2.0))");
    let output = terrain(&folder, &["check", "--format", "json", "bad.terrain.ron"]);
    let json: serde_json::Value = serde_json::from_str(&text(&output)).expect("it is JSON");
    let expected = serde_json::json!({
        "files": 1, "errors": 1, "warnings": 0,
        "problems": [{
            "file": "bad.terrain.ron", "line": 1, "column": 20, "severity": "error",
            "path": "chunks.spacing", "message": "`chunks.spacing` is -2.0, allowed: 0.1 to 100 m",
        }],
    });
    assert_eq!((code(&output), json), (1, expected));
}

#[test]
fn standard_input_is_a_terrain_or_what_its_name_says() {
    let output = terrain_with(b"(field: (sed: 1))", &["check", "-"]);
    assert_eq!(code(&output), 1);
    assert!(text(&output).starts_with("standard input:1:10: error: unknown field `sed`"), "{}", text(&output));
    let output = terrain_with(b"(field: (layers: [(kind: Dunes())]))", &["pin-streams", "-"]);
    assert_eq!((code(&output), text(&output)), (0, "(field: (layers: [(stream: 0, kind: Dunes())]))".to_owned()));
    let output = terrain_with(b"(air: 2.0)", &["check", "--stdin-name", "dawn.sky.ron", "-"]);
    assert_eq!((code(&output), text(&output)), (0, String::new()));
}

#[test]
fn what_cannot_be_read_and_wrong_arguments_end_with_two() {
    let folder = Folder::new();
    folder.write("a.terrain.ron", "()");
    std::fs::create_dir(folder.path("empty")).expect("the folder can be written");
    for arguments in [
        &["check", "missing.terrain.ron"][..],
        &["check", "empty"],
        &["check", "--format", "xml"],
        &["pin-streams"],
        &["pin-streams", "missing.terrain.ron"],
        &["paint"],
        &[],
    ] {
        let output = terrain(&folder, arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(code(&terrain(&folder, &["help"])), 0);
}

#[test]
fn streams_are_written_once_and_comments_stay() {
    let folder = Folder::new();
    let file = "// Ann's\n(\n    field: (\n        layers: [\n            (name: \"hills\", kind: Noise()), // fine\n            (kind: Group(layers: [(kind: Dunes())])),\n        ],\n    ),\n)\n";
    folder.write("a.terrain.ron", file);
    let output = terrain(&folder, &["pin-streams", "--check", "a.terrain.ron"]);
    assert_eq!((code(&output), text(&output)), (1, "a.terrain.ron: some layers have no stream\n".to_owned()));
    assert_eq!(folder.read("a.terrain.ron"), file);
    let output = terrain(&folder, &["pin-streams", "."]);
    assert_eq!((code(&output), text(&output)), (0, "./a.terrain.ron: wrote the streams of its layers\n".to_owned()));
    let pinned = folder.read("a.terrain.ron");
    assert_eq!(pinned.matches("stream: ").count(), 3, "{pinned}");
    assert!(
        pinned.contains("// Ann's") && pinned.contains("// fine") && pinned.contains("(stream: 1, kind: Group"),
        "{pinned}"
    );
    for arguments in [&["pin-streams", "a.terrain.ron"][..], &["pin-streams", "--check", "a.terrain.ron"]] {
        let output = terrain(&folder, arguments);
        assert_eq!((code(&output), text(&output)), (0, String::new()));
    }
    assert_eq!(folder.read("a.terrain.ron"), pinned);
    folder.write("bad.terrain.ron", "(field: (sed: 1))");
    let output = terrain(&folder, &["pin-streams", "bad.terrain.ron"]);
    assert_eq!(code(&output), 1);
    assert!(text(&output).starts_with("bad.terrain.ron:1:10: error: "), "{}", text(&output));
    assert_eq!(folder.read("bad.terrain.ron"), "(field: (sed: 1))");
}

#[test]
fn a_map_is_a_png_of_the_asked_size_and_replaces_no_file() {
    let folder = Folder::new();
    folder.write("hills.terrain.ron", "(field: (layers: [(name: \"high\", kind: Noise())]))");
    let is_png_of = |bytes: &[u8], size: u32| bytes.starts_with(b"\x89PNG") && bytes[16..20] == size.to_be_bytes();
    let output = terrain(&folder, &["map", "hills.terrain.ron", "--size", "96", "--at", "-1200,350.5"]);
    assert_eq!(code(&output), 0);
    assert_eq!(text(&output), "wrote hills.png: the ground, 8000 m around -1200, 350; north is up\n");
    let image = std::fs::read(folder.path("hills.png")).expect("it is written");
    assert!(is_png_of(&image, 96));
    for show in ["height", "slope", "drainage", "layer=high", "mask=field.layers[0]"] {
        let output =
            terrain(&folder, &["map", "hills.terrain.ron", "-", "--size", "40", "--metres", "500", "--show", show]);
        assert!(code(&output) == 0 && is_png_of(&output.stdout, 40), "{show}");
    }
    let output = terrain(&folder, &["map", "hills.terrain.ron", "side.png", "--size", "64", "--view"]);
    assert_eq!(text(&output), "wrote side.png: the ground, 8000 m around 0, 0; seen from the south\n");
    for arguments in [
        &["map", "hills.terrain.ron", "new.png", "--view", "--metres", "60001"][..],
        &["map", "hills.terrain.ron"],
        &["map", "hills.terrain.ron", "new.png", "--show", "layer=low"],
        &["map", "hills.terrain.ron", "new.png", "--show", "everything"],
        &["map", "hills.terrain.ron", "new.png", "--at", "1200"],
        &["map", "hills.terrain.ron", "new.png", "--metres", "0"],
        &["map", "hills.terrain.ron", "missing/new.png"],
    ] {
        assert_eq!(code(&terrain(&folder, arguments)), 2, "{arguments:?}");
    }
    assert_eq!(std::fs::read(folder.path("hills.png")).ok().as_ref(), Some(&image), "an image is not replaced");
    assert_eq!(code(&terrain(&folder, &["map", "hills.terrain.ron", "--size", "8", "--force"])), 0);
    folder.write("bad.terrain.ron", "(field: (sed: 1))");
    let output = terrain(&folder, &["map", "bad.terrain.ron"]);
    assert_eq!(code(&output), 1);
    assert!(text(&output).starts_with("bad.terrain.ron:1:10: error: "), "{}", text(&output));
}

#[test]
fn the_presets_are_fine() {
    let folder = Folder::new();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let output = terrain(&folder, &["check", "--deny-warnings", &assets.to_string_lossy()]);
    assert_eq!((code(&output), text(&output)), (0, String::new()));
}
