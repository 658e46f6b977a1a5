//! The period of everything that is drawn as a pattern.

/// The period of the pattern of the ground, of waves and of clouds along x and z, in metres.
///
/// A round number, so that ground with a period can have the same look in every repetition.
pub const PERIOD: f64 = 100_000.0;
