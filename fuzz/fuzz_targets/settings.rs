//! Any text as a settings file: no panic, and every error has a place in the text.

#![no_main]

#[path = "../../tests/common/hostile.rs"]
mod hostile;

libfuzzer_sys::fuzz_target!(|text: &str| hostile::check(text));
