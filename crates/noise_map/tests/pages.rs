//! The commands in the pages of the repository succeed.

use std::fs;
use std::path::Path;
use std::process::Command;
use testing::Folder;

/// The beginning of the commands.
const COMMAND: &str = "cargo run -p noise_map -- ";

#[test]
fn the_commands_with_noise_map_succeed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = ["README.md", "docs/designers.md", "crates/perlin_fbm/README.md", "crates/perlin_fbm/docs/noise.md"];
    let text = pages.map(|page| fs::read_to_string(root.join(page)).expect("the page exists")).concat();
    let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(COMMAND)).collect();
    assert!(commands.len() > 4, "the pages show what the tool can do");
    // The commands name files below the root of the repository and write others.
    let folder = Folder::new();
    fs::create_dir_all(folder.path("assets/terrain")).expect("the folder can be written");
    for preset in fs::read_dir(root.join("assets/terrain")).expect("there are presets") {
        let preset = preset.expect("it can be read");
        fs::copy(preset.path(), folder.path("assets/terrain").join(preset.file_name())).expect("it can be copied");
    }
    for command in commands {
        let command = command.split('#').next().unwrap_or_default();
        let words = command.split_whitespace().map(|word| word.trim_matches('\''));
        let output = Command::new(env!("CARGO_BIN_EXE_noise_map")).args(words).current_dir(folder.path("")).output();
        let output = output.expect("the tool starts");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
