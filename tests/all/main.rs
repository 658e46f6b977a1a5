//! The integration tests. Those beside this folder need a process of their own.
//!
//! They are one binary, because linking Bevy takes long. `cargo test --test all jumps::` runs the tests of one subject.
//! `cargo test --test all --no-default-features` runs the tests of the pure core.

#[cfg(feature = "bevy")]
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/property.rs"]
mod property;

#[cfg(feature = "bevy")]
mod any_order;
#[cfg(feature = "bevy")]
mod budgets;
mod defaults;
mod docs;
#[cfg(feature = "bevy")]
mod far;
#[cfg(feature = "bevy")]
mod flight;
#[cfg(feature = "bevy")]
mod ground;
mod hostile_settings;
#[cfg(feature = "hot_reload")]
mod hot_reload;
#[cfg(feature = "inspector")]
mod inspector;
#[cfg(feature = "bevy")]
mod jumps;
mod land;
#[cfg(feature = "bevy")]
mod messages;
mod mistaken_settings;
mod noise;
mod noise_accuracy;
mod noise_dimensions;
mod noise_kernel;
#[cfg(feature = "tools")]
mod noise_map;
#[cfg(feature = "picking")]
mod picking;
mod planner;
#[cfg(feature = "bevy")]
mod readiness;
#[cfg(feature = "bevy")]
mod reload;
#[cfg(feature = "render")]
mod render;
#[cfg(feature = "bevy")]
mod reports;
mod seams;
#[cfg(all(feature = "sky", feature = "hot_reload"))]
mod sky;
#[cfg(feature = "bevy")]
mod squares;
#[cfg(feature = "bevy")]
mod streaming;
mod valid_settings;
mod values;
