//! Bodies of avian on terrain, without a window.

mod common;
mod seams;
