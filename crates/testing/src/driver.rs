//! The driver that tests draw with. One that draws on the processor suffices.

use bevy::render::renderer::initialize_renderer;
use bevy::render::settings::{RenderResources, WgpuSettings};
use bevy::tasks::block_on;
use std::env;
use std::io::{Write, stderr};
use std::panic::catch_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// The variable that lets tests pass without a driver.
const ALLOW: &str = "ALLOW_MISSING_DRIVER";

/// The device of this machine, which all tests share. `None` on a machine without a driver, if it may be missing: then the caller
/// has nothing to test, and the terminal says so.
///
/// # Panics
///
/// Without a driver, unless `ALLOW` is set.
pub fn driver() -> Option<RenderResources> {
    static DEVICE: OnceLock<Option<RenderResources>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| {
        let settings = WgpuSettings::default();
        // Bevy panics without a driver.
        catch_unwind(|| block_on(initialize_renderer(settings.backends?, None, &settings)).into()).ok().flatten()
    });
    if device.is_none() {
        let is_allowed = env::var_os(ALLOW).is_some_and(|value| !value.is_empty() && value != "0");
        assert!(
            is_allowed,
            "there is no driver to draw with: install one, such as `mesa-vulkan-drivers`, or set {ALLOW}=1 to skip what needs one"
        );
        skip("there is no driver");
    }
    device.clone()
}

/// Says on the terminal that something is not tested, and how much that is by now.
pub fn skip(reason: &str) {
    static SKIPPED: AtomicU32 = AtomicU32::new(0);
    let skipped = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    // Not by `eprintln!`, whose output is shown only of tests that fail. Nobody reads a closed terminal.
    let _ = writeln!(stderr(), "skipped {test}: {reason} ({skipped} skipped)");
}
