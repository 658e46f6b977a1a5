//! Compiles the Rust code of README.md and of the pages in docs/. Only `cargo test --doc` sees this module.

#[cfg(feature = "render")]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "inspector")]
#[doc = include_str!("../docs/designers.md")]
struct Designers;
