//! Mistakes in the punctuation of a text.

/// The most mistakes of one kind that are looked for. Each costs a pass over the text.
pub(super) const MAX_FAULTS: usize = 20;

/// A mistake in the punctuation of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The byte where it is.
    pub at: usize,
    /// The mistake and its remedy, in words.
    pub wrong: String,
    /// Whether the value at the position can't be read because of it, so that nothing more needs to be said about the value.
    pub hides_value: bool,
}

impl Fault {
    pub const fn new(at: usize, wrong: String) -> Self {
        Self { at, wrong, hides_value: false }
    }
}
