//! Bodies of rapier on terrain, without a window.

mod bodies;
mod colliders;
mod common;
mod seams;
mod shifts;
