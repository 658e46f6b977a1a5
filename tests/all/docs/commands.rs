//! The commands in the pages, and what runs them: every line of every `sh` block, and every `cargo run` and `cargo bench` in the prose.

use super::{Page, pages_and_examples, read};
use std::collections::BTreeSet;

/// The beginning of the lines that a test of the tool runs.
const NOISE_MAP: &str = "cargo run -p noise_map -- ";

/// The program of a command.
enum Cover {
    /// A script has the same line.
    Verbatim { script: &'static str },
    /// `.ci/run` runs the program in a virtual screen, with this command.
    InScreen { command: &'static str },
    /// A step of a script does the same.
    Step { script: &'static str, step: &'static str },
    /// A step of `.ci/run` builds the program, and nothing runs it, for this reason.
    Built { step: &'static str, reason: &'static str },
    /// Nothing runs it, for this reason.
    ByHand { reason: &'static str },
}

use Cover::{Built, ByHand, InScreen, Step, Verbatim};

const PAGE_IN_A_BROWSER: Cover = Step { script: ".ci/other-targets", step: "the page in a browser" };
const BEVY_IN_A_BROWSER: Cover = ByHand { reason: "Bevy takes a quarter of an hour to build for another target" };

const TESTED: Cover = Step { script: ".ci/run", step: "tests, as the README runs them" };

const THIRD_PERSON: Cover = Step { script: ".ci/physics", step: "third person" };

const BENCH: Cover = Built { step: "lints", reason: "it measures for minutes" };

/// Every command that does not begin with [`NOISE_MAP`], up to the options that it passes to a program.
const COMMANDS: &[(&str, Cover)] = &[
    // The tests, and the examples.
    ("cargo test --all-features", Verbatim { script: ".ci/run" }),
    (
        "cargo run --example fly_through",
        InScreen { command: "DISPLAY=\":$number\" timeout 600 \"$bin/examples/fly_through\" \\\n" },
    ),
    ("cargo run --example walker", TESTED),
    ("cargo run --example forest", TESTED),
    ("cargo run --example server", Step { script: ".ci/run", step: "a flight without a window" }),
    ("cargo run --example minimal", Built { step: "examples and programs", reason: "it has no end" }),
    (
        "cargo run --example click --features picking",
        Built { step: "examples and programs", reason: "it has no end; its tests click without a window" },
    ),
    (
        "cargo run --example dig --features picking",
        Built { step: "examples and programs", reason: "it has no end; its tests play it without a window" },
    ),
    (
        "cargo run --example far_away --features big_space",
        Built { step: "examples and programs", reason: "it has no end" },
    ),
    (
        "cargo run --example marble",
        Built { step: "examples and programs", reason: "it has no end; its test draws it without a window" },
    ),
    ("cargo run --release -p perlin_fbm --example noise", Step { script: ".ci/run", step: "noise on its own" }),
    ("cargo run --release --package studio", Step { script: ".ci/run", step: "the studio" }),
    ("cargo run --example character", TESTED),
    ("cargo run --example rolling", TESTED),
    ("cargo run --example character_controller", TESTED),
    ("cargo run --example vehicle", TESTED),
    ("cargo run -p third_person", THIRD_PERSON),
    ("cargo run --example walk_path", TESTED),
    ("cargo run -p terrain", TESTED),
    ("cargo install --path crates/terrain", ByHand { reason: "it installs a tool" }),
    ("terrain check assets", TESTED),
    ("terrain pin-streams assets/terrain/alps.terrain.ron", TESTED),
    ("terrain map assets/terrain/alps.terrain.ron", TESTED),
    // Measurements.
    ("cargo bench -p benches", BENCH),
    ("cargo run --release -p benches --bin draft_table", BENCH),
    ("cargo run --release -p benches --bin edit_table", BENCH),
    ("cargo run --release -p benches --bin ground_table", BENCH),
    ("cargo run --release -p benches --bin plants_table", BENCH),
    ("cargo run --release -p benches --bin noise_table", BENCH),
    ("cargo run --release -p benches --bin plan_table", BENCH),
    // Examples in a browser.
    ("rustup target add wasm32-unknown-unknown", ByHand { reason: "it installs a part of Rust" }),
    ("cargo install wasm-bindgen-cli --version 0.2.130", ByHand { reason: "it installs a tool" }),
    ("cargo build --target wasm32-unknown-unknown --example minimal --example fly_through", BEVY_IN_A_BROWSER),
    ("for example in minimal fly_through; do", BEVY_IN_A_BROWSER),
    (
        "wasm-bindgen --target web --out-dir target/web target/wasm32-unknown-unknown/debug/examples/$example.wasm",
        BEVY_IN_A_BROWSER,
    ),
    ("done", BEVY_IN_A_BROWSER),
    ("python3 -m http.server --bind 127.0.0.1 8000", BEVY_IN_A_BROWSER),
    ("cargo build --profile web --target wasm32-unknown-unknown --example fly_through", BEVY_IN_A_BROWSER),
    (
        "wasm-bindgen --target web --remove-name-section --out-dir target/web \
         target/wasm32-unknown-unknown/web/examples/fly_through.wasm",
        BEVY_IN_A_BROWSER,
    ),
    ("gzip -9 --keep target/web/fly_through_bg.wasm", BEVY_IN_A_BROWSER),
    ("node examples/web/check.mjs fly_through", BEVY_IN_A_BROWSER),
    ("node examples/web/check.mjs fly_through 3", BEVY_IN_A_BROWSER),
    // The noise in a browser.
    ("cd examples/web/noise", PAGE_IN_A_BROWSER),
    ("cargo rustc --profile page --lib --crate-type cdylib --target wasm32-unknown-unknown", PAGE_IN_A_BROWSER),
    ("cp ../../../target/wasm32-unknown-unknown/page/noise_page.wasm page/noise.wasm", PAGE_IN_A_BROWSER),
    ("python3 -m http.server --bind 127.0.0.1 --directory page 8000", PAGE_IN_A_BROWSER),
    ("cargo build --bin page_values", PAGE_IN_A_BROWSER),
    ("node test/page.mjs page/noise.wasm ../../../target/debug/page_values screenshots", PAGE_IN_A_BROWSER),
];

/// The commands of a page, without comments.
fn commands(page: &Page) -> Vec<String> {
    let mut lines: Vec<String> = page.blocks("sh").concat().replace("\\\n", " ").lines().map(plain).collect();
    for line in page.prose() {
        let code = line.split('`').skip(1).step_by(2);
        lines.extend(code.filter(|code| code.starts_with("cargo run ") || code.starts_with("cargo bench ")).map(plain));
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// A line without its comment, without spaces beyond one, and without flags that do not change what runs.
fn plain(line: &str) -> String {
    let command = line.split(" # ").next().unwrap_or_default();
    let command = if command.trim_start().starts_with('#') { "" } else { command };
    let words =
        command.split_whitespace().filter(|word| !matches!(*word, "--ignore-rust-version" | "--locked" | "--quiet"));
    words.collect::<Vec<_>>().join(" ")
}

/// The command up to the options that Cargo passes to the program, and these options.
fn program_and_options(command: &str) -> (&str, &str) {
    command.split_once(" -- ").unwrap_or((command, ""))
}

#[test]
fn every_command_in_the_pages_is_listed_with_what_runs_it() {
    let found: Vec<String> = pages_and_examples().iter().flat_map(commands).collect();
    let found = found.iter().filter(|command| !command.starts_with(NOISE_MAP));
    let found: BTreeSet<&str> = found.map(|command| program_and_options(command).0).collect();
    let listed: BTreeSet<&str> = COMMANDS.iter().map(|(command, _)| *command).collect();
    let unlisted: Vec<_> = found.difference(&listed).collect();
    assert!(unlisted.is_empty(), "no list says what runs these commands of the pages: {unlisted:#?}");
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "no page has these commands any more: {gone:#?}");
}

#[test]
fn ci_runs_what_the_list_says() {
    let has_line = |script: &str, wanted: &str| read(script).lines().any(|line| plain(line) == wanted);
    let has_step = |script: &str, step: &str| has_line(script, &format!("step \"{step}\""));
    for (command, cover) in COMMANDS {
        let is_covered = match cover {
            Verbatim { script } => has_line(script, command),
            InScreen { command } => read(".ci/run").contains(command),
            Step { script, step } => has_step(script, step),
            Built { step, reason } => has_step(".ci/run", step) && !reason.is_empty(),
            ByHand { reason } => !reason.is_empty(),
        };
        assert!(is_covered, "CI does not run `{command}` as listed");
    }
    // `.ci/run` starts the others.
    for script in [".ci/features", ".ci/other-targets"] {
        assert!(has_line(".ci/run", script));
    }
}

#[test]
fn the_programs_know_the_options_in_the_pages() {
    const SHOTS: &str = "crates/studio/src/shot.rs";
    const STAGE: &str = "crates/studio/src/stage.rs";
    let known: [(&str, &[&str]); 5] = [
        ("--example fly_through --", &["examples/fly_through/main.rs"]),
        ("--package studio -- gauges", &[]),
        ("--package studio -- render", &["crates/studio/src/render.rs", SHOTS, STAGE]),
        ("--package studio -- stills", &["crates/studio/src/stills.rs", SHOTS, STAGE]),
        ("--package studio -- stream", &["crates/studio/src/stream/options.rs"]),
    ];
    for command in pages_and_examples().iter().flat_map(commands) {
        let (_, options) = program_and_options(&command);
        let options = options.split_whitespace().filter_map(|word| word.strip_prefix("--"));
        let options: Vec<&str> = options.map(|word| word.split('=').next().unwrap_or_default()).collect();
        let Some((program, files)) = known.iter().find(|(program, _)| command.contains(program)) else {
            assert!(options.is_empty() || command.starts_with(NOISE_MAP), "who knows the options of `{command}`?");
            continue;
        };
        for option in options {
            let field = format!(" {}: ", option.replace('-', "_"));
            let is_known = files.iter().any(|file| read(file).contains(&field));
            assert!(is_known, "`{command}`: {program} has no option --{option}");
        }
    }
}

#[test]
fn the_version_of_wasm_bindgen_is_the_one_in_the_lock_file() {
    let lock = read("Cargo.lock").replace("\r\n", "\n");
    let (_, rest) = lock.split_once("name = \"wasm-bindgen\"\nversion = \"").expect("Bevy needs it");
    let (version, _) = rest.split_once('"').expect("the version ends");
    let command = format!("cargo install wasm-bindgen-cli --version {version}");
    assert!(commands(&Page::read("examples/README.md")).contains(&command), "the page does not say: {command}");
}
