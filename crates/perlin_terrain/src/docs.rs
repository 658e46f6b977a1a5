//! Compiles the Rust code of the README. Only `cargo test --doc` sees this module.

#[doc = include_str!("../README.md")]
struct Readme;
