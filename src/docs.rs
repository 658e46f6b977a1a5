//! Compiles the Rust code of README.md and of the pages in docs/. Only `cargo test --doc` sees this module.

#[cfg(feature = "render")]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "inspector")]
#[doc = include_str!("../docs/designers.md")]
struct Designers;

#[cfg(all(feature = "inspector", feature = "picking"))]
#[doc = include_str!("../docs/games.md")]
struct Games;

#[cfg(feature = "render")]
#[doc = include_str!("../docs/how-it-works.md")]
struct HowItWorks;

#[cfg(feature = "render")]
#[doc = include_str!("../docs/performance.md")]
struct Performance;

#[cfg(all(feature = "render", feature = "big_space"))]
#[doc = include_str!("../docs/worlds.md")]
struct Worlds;
