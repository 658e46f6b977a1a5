//! The commands in the pages, and what runs them: every line of every `sh` block, and every `cargo run` and `cargo bench` in the prose.

#[cfg(feature = "tools")]
use crate::folder::Folder;
#[cfg(feature = "tools")]
use std::process::Command;

use super::{Page, is_repository, pages_and_examples, read};
use std::collections::BTreeSet;

/// The beginning of the lines that [`the_commands_with_noise_map_succeed`] runs.
const NOISE_MAP: &str = "cargo run --bin noise_map --no-default-features --features tools -- ";

/// What runs a command.
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

const PHYSICS: Cover = Step { script: ".ci/run", step: "bodies on the ground" };

const THIRD_PERSON: Cover = Step { script: ".ci/physics", step: "third person" };

const NAVIGATION: Cover = Step { script: ".ci/physics", step: "navigation" };

const BENCH: Cover = Built { step: "lints", reason: "it measures for minutes" };

/// Every command that does not begin with [`NOISE_MAP`], up to the options that it passes to a program.
const COMMANDS: &[(&str, Cover)] = &[
    // The tests, and the examples.
    ("cargo test --all-features", Verbatim { script: ".ci/run" }),
    (
        "cargo run --example fly_through",
        InScreen { command: "DISPLAY=\":$number\" timeout 600 \"$bin/examples/fly_through\" \\\n" },
    ),
    ("cargo run --example walker", Step { script: ".ci/run", step: "tests, as the README runs them" }),
    ("cargo run --example server", Step { script: ".ci/run", step: "a flight without a window" }),
    ("cargo run --example minimal", Built { step: "a flight without a window", reason: "it has no end" }),
    (
        "cargo run --example click --features picking",
        Built { step: "a flight without a window", reason: "it has no end; its tests click without a window" },
    ),
    (
        "cargo run --example far_away --features big_space",
        Built { step: "a flight without a window", reason: "it has no end" },
    ),
    (
        "cargo run --release --example stream_bench",
        Built { step: "lints", reason: "a release build of Bevy takes long" },
    ),
    (
        "cargo run --release --manifest-path examples/noise/Cargo.toml",
        Step { script: ".ci/run", step: "noise on its own" },
    ),
    (
        "cargo run --release --example render_bench",
        Built { step: "lints", reason: "it needs a graphics card, or minutes" },
    ),
    (
        "cargo run --release --example fly_through",
        Built { step: "lints", reason: "it needs a graphics card, or minutes; tests check the gauges" },
    ),
    ("cargo run --manifest-path physics/Cargo.toml --example character", PHYSICS),
    ("cargo run --manifest-path physics/Cargo.toml --example rolling", PHYSICS),
    ("cargo run --manifest-path physics/Cargo.toml --example character_controller", PHYSICS),
    ("cargo run --manifest-path physics/Cargo.toml --example vehicle", PHYSICS),
    ("cargo run --manifest-path physics/third_person/Cargo.toml", THIRD_PERSON),
    ("cargo run --manifest-path navigation/Cargo.toml --example walk_path", NAVIGATION),
    // Measurements.
    ("cargo bench --manifest-path benches/Cargo.toml", BENCH),
    ("cargo run --release --manifest-path benches/Cargo.toml --bin ground_table", BENCH),
    ("cargo run --release --manifest-path benches/Cargo.toml --bin noise_table", BENCH),
    ("cargo run --release --manifest-path benches/Cargo.toml --bin plan_table", BENCH),
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
    // The noise in a browser.
    ("cd examples/web/noise", PAGE_IN_A_BROWSER),
    ("cargo rustc --release --lib --crate-type cdylib --target wasm32-unknown-unknown", PAGE_IN_A_BROWSER),
    ("cp target/wasm32-unknown-unknown/release/noise_page.wasm page/noise.wasm", PAGE_IN_A_BROWSER),
    ("python3 -m http.server --bind 127.0.0.1 --directory page 8000", PAGE_IN_A_BROWSER),
    ("cargo build --bin page_values", PAGE_IN_A_BROWSER),
    ("node test/page.mjs page/noise.wasm target/debug/page_values screenshots", PAGE_IN_A_BROWSER),
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
    if !is_repository() {
        return;
    }
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
    if !is_repository() {
        return;
    }
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
fn the_examples_know_the_options_in_the_pages() {
    let known =
        ["fly_through", "stream_bench", "render_bench"].map(|name| (name, read(format!("examples/{name}/options.rs"))));
    for command in pages_and_examples().iter().flat_map(commands) {
        let (program, options) = program_and_options(&command);
        let options = options.split_whitespace().filter_map(|word| word.strip_prefix("--"));
        let options: Vec<&str> = options.map(|word| word.split('=').next().unwrap_or_default()).collect();
        let Some((_, source)) = known.iter().find(|(name, _)| program.ends_with(name)) else {
            assert!(options.is_empty() || command.starts_with(NOISE_MAP), "who knows the options of `{command}`?");
            continue;
        };
        for option in options {
            assert!(
                source.contains(&format!("pub {}: ", option.replace('-', "_"))),
                "`{command}`: there is no option --{option}"
            );
        }
    }
}

#[test]
fn the_version_of_wasm_bindgen_is_the_one_in_the_lock_file() {
    if !is_repository() {
        return;
    }
    let lock = read("Cargo.lock").replace("\r\n", "\n");
    let (_, rest) = lock.split_once("name = \"wasm-bindgen\"\nversion = \"").expect("Bevy needs it");
    let (version, _) = rest.split_once('"').expect("the version ends");
    let command = format!("cargo install wasm-bindgen-cli --version {version}");
    assert!(commands(&Page::read("examples/README.md")).contains(&command), "the page does not say: {command}");
}

#[cfg(feature = "tools")]
#[test]
fn the_commands_with_noise_map_succeed() {
    let commands: Vec<String> = pages_and_examples().iter().flat_map(commands).collect();
    let commands: Vec<&str> = commands.iter().filter_map(|line| line.strip_prefix(NOISE_MAP)).collect();
    assert!(!commands.is_empty());
    // The commands name files below the root of the repository and write others.
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("assets/terrain")).expect("the folder can be written");
    for name in super::names_in("assets/terrain") {
        let path = format!("assets/terrain/{name}");
        folder.write(&path, read(&path));
    }
    for command in commands {
        let words = command.split_whitespace().map(|word| word.trim_matches('\''));
        let output = Command::new(env!("CARGO_BIN_EXE_noise_map")).args(words).current_dir(folder.path("")).output();
        let output = output.expect("the tool starts");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
