//! The manners of the tool `noise_map`, found out by running it.

use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use testing::Folder;

/// An image that takes hours to draw. A tool that draws before it checks exceeds the time limit.
const ENDLESS: [&str; 4] = ["--preset", "ridged", "--size", "10000000x10000000"];

/// The tool in a folder. It ends after a minute of computing, so that a test of what is endless fails.
fn tool(folder: &Folder) -> Command {
    limited(folder, "ulimit -t 60")
}

/// The tool in a folder, under a limit of the system.
#[cfg(unix)]
fn limited(folder: &Folder, limit: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit} && exec \"$@\""), "sh", env!("CARGO_BIN_EXE_noise_map")]);
    command.current_dir(folder.path(""));
    command
}

#[cfg(not(unix))]
fn limited(folder: &Folder, _: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noise_map"));
    command.current_dir(folder.path(""));
    command
}

fn run(folder: &Folder, line: &str) -> Output {
    tool(folder).args(line.split_whitespace()).output().expect("the tool starts")
}

/// The output of the tool when all goes well.
fn said(folder: &Folder, line: &str) -> String {
    let Output { status, stdout, stderr } = run(folder, line);
    assert!(status.success(), "{line}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("it says plain text")
}

/// The output of the tool when it fails with an exit code.
fn complaint(output: Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(output.stdout.is_empty() && text.starts_with("error: "), "{text}");
    text
}

/// Refused without an image, with any file in the way.
fn refusal(folder: &Folder, path: &Path) -> String {
    let [_, text] = [&["--force"][..], &[]]
        .map(|force| complaint(tool(folder).args(ENDLESS).args(force).arg(path).output().expect("the tool starts"), 1));
    text
}

#[test]
fn images_without_a_name_get_a_new_one_in_the_folder_output() {
    let folder = Folder::new();
    let line = "--preset ridged --size 40x30";
    assert_eq!(said(&folder, line), "wrote output/ridged_42.png: 40 by 30 pixels of ridged, seed 42\n");
    assert!(said(&folder, line).starts_with("wrote output/ridged_42_2.png: "));
    assert!(said(&folder, "40 30 8 7").starts_with("wrote output/PerlinNoise_7.pgm: 40 by 30 pixels of grid, seed 7"));
    assert!(said(&folder, "--preset ridged --compare octaves=1,2").starts_with("wrote output/ridged_octaves.png: "));
    assert!(said(&folder, "--preset ridged --graph").starts_with("wrote output/ridged_42_graph.svg: "));
    let mut names: Vec<_> = fs::read_dir(folder.path("output")).expect("it is there").flatten().collect();
    names.sort_by_key(fs::DirEntry::file_name);
    assert_eq!(names.len(), 5);
    let [one, other] = ["ridged_42.png", "ridged_42_2.png"].map(|name| fs::read(folder.path("output").join(name)).ok());
    assert_eq!(one, other);
}

#[test]
fn a_file_that_is_there_needs_force_and_keeps_its_mode() {
    let folder = Folder::new();
    let path = folder.write("a.pgm", "old");
    let text = complaint(tool(&folder).args(ENDLESS).arg("a.pgm").output().expect("the tool starts"), 1);
    assert!(text.contains("type --force to replace it"), "{text}");
    assert_eq!(folder.read("a.pgm"), "old");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("the file is ours");
        said(&folder, "8 8 4 1 a.pgm --force");
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o640);
    }
    #[cfg(not(unix))]
    said(&folder, "8 8 4 1 a.pgm --force");
    assert!(fs::read(path).expect("it is there").starts_with(b"P5\n8 8\n255\n"));
    assert_eq!(folder.names(), ["a.pgm"]);
}

#[test]
fn what_is_no_file_is_refused_before_anything_is_drawn() {
    let folder = Folder::new();
    fs::create_dir(folder.path("a.png")).expect("the folder can be written");
    assert!(refusal(&folder, Path::new("a.png")).contains("it is a folder; name a file in it"));
    assert!(refusal(&folder, Path::new("missing/b.png")).contains("create it first: mkdir -p missing"));
    assert!(refusal(&folder, Path::new("a.png/missing/b.png")).contains("mkdir -p a.png/missing"));
    assert_eq!(folder.names(), ["a.png"]);
}

#[cfg(target_os = "linux")]
#[test]
fn links_fifos_and_devices_are_refused_before_anything_is_drawn() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("elsewhere.png", folder.path("link.png")).expect("the folder can be written");
    let made = Command::new("mkfifo").arg(folder.path("pipe.png")).status().expect("there is mkfifo");
    assert!(made.success());
    assert!(refusal(&folder, Path::new("link.png")).contains("it is a link to elsewhere.png"));
    assert!(refusal(&folder, Path::new("pipe.png")).contains("it is a FIFO, not a file"));
    let device = complaint(
        tool(&folder).args(ENDLESS).args(["--format", "png", "/dev/null"]).output().expect("the tool starts"),
        1,
    );
    assert!(device.contains("it is a device, not a file"), "{device}");
    // A folder that no file can be made in.
    assert!(refusal(&folder, Path::new("/proc/a.png")).contains("cannot write /proc/a.png: "));
    assert_eq!(folder.names(), ["link.png", "pipe.png"]);
}

#[test]
fn standard_output_gets_the_image_and_nothing_else() {
    let folder = Folder::new();
    for line in ["--preset mixed --size 30x20", "30 20 8 1", "--preset mixed --graph", "--gallery"] {
        let Output { status, stdout, stderr } = run(&folder, &format!("{line} -"));
        assert!(status.success() && stderr.is_empty(), "{line}");
        let name = if line.contains("graph") {
            "a.svg"
        } else if line.starts_with('3') {
            "a.pgm"
        } else {
            "a.png"
        };
        said(&folder, &format!("{line} {name} --force"));
        assert!(stdout == fs::read(folder.path(name)).expect("it is there"), "{line}");
    }
}

#[test]
fn a_random_seed_is_printed_and_draws_the_same_image_again() {
    let folder = Folder::new();
    let Output { stderr, .. } = run(&folder, "--preset mixed --size 30x20 --seed random a.png");
    let text = String::from_utf8(stderr).expect("plain text");
    let seed = text.strip_prefix("seed: ").expect("the seed is printed").trim();
    said(&folder, &format!("--preset mixed --size 30x20 --seed {seed} b.png"));
    let [one, other] = ["a.png", "b.png"].map(|name| fs::read(folder.path(name)).expect("it is there"));
    assert_eq!(one, other);
}

#[test]
fn terrains_of_the_project_are_drawn_layer_by_layer() {
    let folder = Folder::new();
    let presets =
        fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/terrain")).expect("the folder exists");
    for name in ["alps", "islands", "rolling_hills"] {
        let path = format!("{}/{name}.terrain.ron", presets.display());
        let text = said(&folder, &format!("--layer-of {path} --size 20x20"));
        assert!(text.starts_with(&format!("wrote output/{name}_layer0_")), "{text}");
        let text = complaint(run(&folder, &format!("--layer-of {path} --layer 99")), 1);
        assert!(text.contains("so there is no layer 99: type --layer"), "{text}");
    }
    folder.write("bad.ron", "(warp_octaves: 40)");
    let text = complaint(run(&folder, "--layer-of bad.ron"), 1);
    assert!(text.starts_with("error: bad.ron:1:16: `warp_octaves` is 40"), "{text}");
    assert!(complaint(run(&folder, "--layer-of missing.ron"), 1).starts_with("error: cannot read missing.ron: "));
}

#[test]
fn mistakes_say_what_to_type_and_help_is_none() {
    let folder = Folder::new();
    let text = complaint(run(&folder, "--preset ridged --size -5x5"), 2);
    assert!(text.contains("such as 640x480") || text.contains("as in 640x480"), "{text}");
    let text = complaint(run(&folder, "--preset ridged 640 480 20 7"), 2);
    assert!(text.contains("noise_map --preset ridged --size 640x480 --cell 20 --seed 7"), "{text}");
    let text = complaint(
        run(&folder, "--preset mixed --compare seed=0..63 --compare octaves=1..16 --size 5000x5000 a.png"),
        2,
    );
    assert!(text.contains("larger than 1 GiB"), "{text}");
    assert!(said(&folder, "--help").contains("Examples:"));
    assert!(folder.names().is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn text_that_cannot_be_written_is_a_failure_and_a_reader_who_leaves_is_not() {
    let folder = Folder::new();
    for argument in ["--list", "--help"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let output = tool(&folder).arg(argument).stdout(full).output().expect("the tool starts");
        assert!(complaint(output, 1).contains("cannot write to standard output: No space left"));
        let mut child =
            tool(&folder).arg(argument).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the tool starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && output.stderr.is_empty());
    }
    // An image cut short is a failure.
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let output = tool(&folder).args(ENDLESS).arg("-").stdout(full).output().expect("the tool starts");
    complaint(output, 1);
}

#[cfg(unix)]
#[test]
fn a_signal_removes_the_temporary_file() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        for line in [
            "--preset ridged --size 10000000x10000000 a.pgm",
            "--preset ridged --size 10000000x10000000 a.png",
            "--preset ridged --size 500x500 --frames 10000 --move 1,0 a.png",
            // Space is slow.
            "--preset ridged --size 2000x2000 --slice 0 --compare seed=0..63 a.png",
            "--preset ridged --size 10000000x10000000 --stretch a.pgm",
        ] {
            let folder = Folder::new();
            let mut child = tool(&folder).args(line.split_whitespace()).spawn().expect("the tool starts");
            // It exists as soon as the drawing begins.
            while folder.names().is_empty() {
                assert!(child.try_wait().expect("it can be asked").is_none(), "the tool has ended");
                std::thread::yield_now();
            }
            let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("there is kill");
            assert!(sent.success());
            assert_eq!(child.wait().expect("it ends").code(), Some(code), "{signal}: {line}");
            assert!(folder.names().is_empty(), "{signal}: {line}: {:?}", folder.names());
        }
    }
}

/// The tool on a terminal that `script` makes, which passes on what is typed and what is shown.
#[cfg(target_os = "linux")]
fn on_a_terminal(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new("script");
    let line = format!("ulimit -t 60 && exec {} {}", env!("CARGO_BIN_EXE_noise_map"), arguments.join(" "));
    command.env("SHELL", "/bin/sh").args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    command.current_dir(folder.path("")).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

#[cfg(target_os = "linux")]
#[test]
fn an_image_is_not_written_to_a_terminal() {
    let folder = Folder::new();
    let Output { status, stdout, .. } =
        on_a_terminal(&folder, &[&ENDLESS[..], &["-"]].concat()).output().expect("there is script");
    let text = String::from_utf8(stdout).expect("plain text");
    assert_eq!(status.code(), Some(1), "{text}");
    assert!(text.starts_with("error: standard output is a terminal, which shows no images: name a file"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_the_progress_until_the_user_interrupts_it() {
    let folder = Folder::new();
    let mut child = on_a_terminal(&folder, &[&ENDLESS[..], &["a.pgm"]].concat()).spawn().expect("there is script");
    let (mut keyboard, mut screen) =
        (child.stdin.take().expect("it is piped"), child.stdout.take().expect("it is piped"));
    let (mut shown, mut byte) = (Vec::new(), [0]);
    while !shown.ends_with(b"\r[                                        ]   0 %") {
        screen.read_exact(&mut byte).expect("the tool is still drawing");
        shown.push(byte[0]);
    }
    // Ctrl and C.
    keyboard.write_all(b"\x03").expect("the terminal is there");
    screen.read_to_end(&mut shown).expect("the tool ends");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(shown.ends_with(b"\r\x1b[K"), "the line of the bar is cleared: {}", String::from_utf8_lossy(&shown));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

/// The file of an image that the tool draws with 100 MB of memory, of which the program itself takes half.
#[cfg(target_os = "linux")]
fn drawn_with_little_memory(folder: &Folder, line: &str) -> fs::File {
    let mut command = limited(folder, "ulimit -v 100000");
    let output = command.args(line.split_whitespace()).output().expect("the tool starts");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    let name = line.rsplit(' ').next().expect("a line ends with a name");
    fs::File::open(folder.path(name)).expect("it is there")
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_image() {
    let folder = Folder::new();
    for (line, bytes) in [
        // 140 million pixels and more; wide, and narrow.
        ("--preset mixed --set octaves=1 --size 1000000x150 --force a.pgm", 1_000_000 * 150),
        ("--preset mixed --set octaves=1 --size 10x15000000 --force a.pgm", 10 * 15_000_000),
    ] {
        let length = drawn_with_little_memory(&folder, line).metadata().expect("it is open").len();
        assert!((bytes..bytes + 30).contains(&length), "{line}: {length}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_a_compressed_image() {
    let folder = Folder::new();
    let mut file = drawn_with_little_memory(&folder, "--preset mixed --set octaves=1 --size 1000000x120 a.png");
    let mut end = [0; 8];
    file.seek(SeekFrom::End(-8)).expect("it is longer");
    file.read_exact(&mut end).expect("it can be read");
    // The name of the last chunk of a PNG, and its check sum.
    assert_eq!(end, *b"IEND\xae\x42\x60\x82");
}

#[test]
fn a_shader_module_goes_to_standard_output_or_to_its_file() {
    let folder = Folder::new();
    let plane = said(&folder, "--preset warped --wesl 2");
    assert!(plane.contains("fn noise_with_gradient(p: vec2<f32>) -> vec3<f32> {"), "{plane}");
    assert_eq!(said(&folder, "--preset warped --wesl 2 -"), plane);
    let line = "--preset warped --seed 7 --wesl 3 a.wesl";
    assert_eq!(said(&folder, line), "wrote a.wesl: a module of a shader with warped, seed 7\n");
    assert!(folder.read("a.wesl").contains("fn noise(p: vec3<f32>) -> f32 {"));
    let text = complaint(run(&folder, "--preset ward --wesl 2"), 2);
    assert_eq!(text, "error: --wesl: the lattice of a shader is Ward, allowed: FastHash\n");
    assert!(
        complaint(run(&folder, "--preset warped --wesl 2 a.png"), 2).contains("--wesl makes no png: name a file .wesl")
    );
}
