//! The measured work: which squares, and of which noise.

/// Samples along each side of a square: a chunk, a large chunk, and an image that leaves the second-level cache.
pub const SIDES: [usize; 3] = [65, 257, 1024];

/// Octaves in a sum.
pub const OCTAVES: [u32; 2] = [1, 8];

/// Cycles per sample of the first octave.
pub const FREQUENCY: f64 = 1.0 / 256.0;

/// Frequency ratio of an octave to the one before it.
pub const LACUNARITY: f64 = 2.0;

/// Amplitude ratio of an octave to the one before it.
pub const PERSISTENCE: f64 = 0.5;

/// The seed that everyone gets.
pub const SEED: u32 = 7;

/// Where the first sample lies, in samples: off the lattice of every octave, so that no one is spared a corner, and far
/// enough from zero that no square crosses it.
pub const ORIGIN: [f64; 2] = [137.3, 911.7];
