//! The random stream of a layer that states none.

/// The stream that a name gives a layer: the 32-bit FNV-1a hash of its bytes in UTF-8.
///
/// Source: Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo, RFC 9923, *The FNV Non-Cryptographic Hash Algorithm*.
pub(crate) const fn stream_of_name(name: &str) -> u32 {
    let (bytes, mut hash, mut index) = (name.as_bytes(), 0x811c_9dc5_u32, 0);
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u32).wrapping_mul(0x0100_0193);
        index += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_names_are_the_published_hashes() {
        // From the test vectors of the RFC.
        for (name, hash) in [("", 0x811c_9dc5), ("a", 0xe40c_292c), ("foobar", 0xbf9c_f968)] {
            assert_eq!(stream_of_name(name), hash, "{name}");
        }
    }
}
