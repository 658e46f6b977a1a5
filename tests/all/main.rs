//! The integration tests, but for those beside this folder, each of which needs a process of its own.
//!
//! They are one binary, since every binary links Bevy anew. `cargo test --test all jumps::` runs those of one subject;
//! `cargo test --test all --no-default-features` runs those of the pure core.

#[cfg(feature = "bevy")]
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/property.rs"]
mod property;

#[cfg(feature = "bevy")]
mod budgets;
mod docs;
#[cfg(feature = "bevy")]
mod far;
#[cfg(feature = "bevy")]
mod flight;
#[cfg(feature = "bevy")]
mod ground;
#[cfg(feature = "bevy")]
mod hooks;
mod hostile_settings;
#[cfg(feature = "hot_reload")]
mod hot_reload;
#[cfg(feature = "inspector")]
mod inspector;
#[cfg(feature = "bevy")]
mod jumps;
#[cfg(feature = "bevy")]
mod messages;
mod noise;
mod noise_accuracy;
mod noise_dimensions;
mod noise_kernel;
#[cfg(feature = "tools")]
mod noise_map;
mod old_settings;
#[cfg(feature = "bevy")]
mod readiness;
#[cfg(feature = "bevy")]
mod reload;
#[cfg(feature = "render")]
mod render;
#[cfg(feature = "bevy")]
mod reports;
mod seams;
#[cfg(feature = "bevy")]
mod streaming;
mod values;
