//! The integration tests. Those beside this folder need a process of their own.
//!
//! They are one binary, because linking Bevy takes long. `cargo test --test all jumps::` runs the tests of one subject.

mod any_order;
mod budgets;
mod collider_tiles;
mod docs;
mod edits;
mod far;
mod flight;
mod ground;
#[cfg(feature = "hot_reload")]
mod hot_reload;
#[cfg(feature = "inspector")]
mod inspector;
mod jumps;
mod messages;
mod module_order;
#[cfg(feature = "picking")]
mod picking;
mod plants;
mod readiness;
mod reload;
#[cfg(feature = "render")]
mod render;
mod reports;
#[cfg(all(feature = "sky", feature = "hot_reload"))]
mod sky;
mod streaming;
