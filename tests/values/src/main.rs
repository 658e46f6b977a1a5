//! Says whether the terrain without Bevy gives the committed values on the machine that runs this; exits with 1 when it does not.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A wasm32 module has no standard error.
    std::panic::set_hook(Box::new(|panic| say(&panic.to_string())));
    let differences = values::differences();
    for difference in &differences {
        say(difference);
    }
    if differences.is_empty() {
        say("all values are as committed");
        ExitCode::SUCCESS
    } else {
        say(values::REMEDY);
        ExitCode::FAILURE
    }
}

#[cfg(not(target_family = "wasm"))]
fn say(text: &str) {
    println!("{text}");
}

/// Hands `text` to `node.mjs`.
#[cfg(target_family = "wasm")]
#[expect(unsafe_code, reason = "only an extern block names a function that JavaScript hands to a module")]
fn say(text: &str) {
    // SAFETY: the function has this type there. It only reads, within the module's memory, so any arguments are safe.
    #[link(wasm_import_module = "node")]
    unsafe extern "C" {
        safe fn say(text: *const u8, bytes: usize);
    }
    say(text.as_ptr(), text.len());
}
