//! The noise against published values, against itself, and against its exact definition.

mod accuracy;
mod dimensions;
mod gradient;
mod kernel;
mod noise;
mod space;
