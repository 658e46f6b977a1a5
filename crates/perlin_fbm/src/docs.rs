//! Compiles the Rust code of the pages. Only `cargo test --doc` sees this module.

#[doc = include_str!("../README.md")]
struct Readme;

#[doc = include_str!("../docs/noise.md")]
struct Noise;
