//! Any text as a settings file: no panic, and every error has a place in the text.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| testing::check_text(text));
