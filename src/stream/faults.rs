//! Faults that are logged once for as long as they last.

use std::collections::HashSet;
use std::hash::Hash;

/// The things that have a fault now. A system that looks for a fault in every frame keeps one of these, so that it logs a line when the fault
/// begins and not in every frame.
#[derive(Debug)]
pub(crate) struct Faults<K>(HashSet<K>);

impl<K> Default for Faults<K> {
    fn default() -> Self {
        Self(HashSet::new())
    }
}

impl<K: Eq + Hash> Faults<K> {
    /// Notes whether `what` has the fault now. Returns whether the fault is new, so that it should be logged.
    pub fn begins(&mut self, what: K, has_fault: bool) -> bool {
        if has_fault {
            return self.0.insert(what);
        }
        // Mostly nothing has a fault, and this runs for each body in each frame.
        if !self.0.is_empty() {
            self.0.remove(&what);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_new_once_until_it_ends() {
        let mut faults = Faults::default();
        let frames = [("a", true), ("a", true), ("b", true), ("a", false), ("b", true), ("a", true)];
        assert_eq!(frames.map(|(what, is)| faults.begins(what, is)), [true, false, true, false, false, true]);
    }
}
