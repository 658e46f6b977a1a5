//! Shared by the benches: the work, the contenders and the clock.
//!
//! For the noise, the work is the same for everyone: fill a square of `f32` with two-dimensional gradient noise, of one octave
//! or of eight.
//!
//! ```text
//! cargo run --release -p benches --bin noise_table    a Markdown table, in half a minute
//! cargo run --release -p benches --bin plan_table    what a viewer costs, in half a minute
//! cargo run --release -p benches --bin ground_table    what ground queries cost, in half a minute
//! cargo run --release -p benches --bin plants_table    how long it takes to find plants, in half a minute
//! cargo run --release -p benches --bin edit_table    what edits of the ground cost, in ten seconds
//! cargo run --release -p benches --bin draft_table    what drafts of settings cost, in ten seconds
//! cargo bench -p benches                              the same with criterion's statistics
//! ```
//!
//! Everything is built as a user's game is: the plain release profile, for the oldest processor of the target. A peer that
//! profits from `RUSTFLAGS="-C target-cpu=native"` shows it in the same command under that setting.

pub mod chunk_work;
pub mod clock;
pub mod contender;
pub mod ground_work;
pub mod machine;
pub mod ours;
pub mod peers;
pub mod plan_work;
pub mod slopes;
pub mod space;
pub mod work;

use contender::Contender;

/// Everyone, ready to fill squares of `octaves` octaves; ours first, and of ours the default one.
#[must_use]
pub fn contenders(octaves: u32) -> Vec<Box<dyn Contender>> {
    ours::contenders(octaves).into_iter().chain(peers::contenders(octaves)).collect()
}
