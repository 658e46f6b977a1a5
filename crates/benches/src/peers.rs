//! The peers a user would pick, each in its own best idiom.
//!
//! Whoever has a sum of octaves of its own uses it, and is asked for plain noise where one octave is wanted. All are
//! gradient noise on the square lattice with Perlin's quintic fade, except where a peer's file says otherwise.

mod bracket_noise;
mod fastnoise_lite;
mod libnoise;
mod noise;
mod noise_functions;
mod noiz;

use crate::contender::Contender;

/// Every peer, ready to fill squares of `octaves` octaves.
#[must_use]
pub fn contenders(octaves: u32) -> Vec<Box<dyn Contender>> {
    vec![
        noise::contender(octaves),
        fastnoise_lite::contender(octaves),
        noise_functions::contender(octaves),
        noiz::contender(octaves),
        libnoise::contender(octaves),
        bracket_noise::contender(octaves),
    ]
}

/// The crate's name and the version that this build uses.
pub(crate) fn titled(name: &str) -> String {
    let lock = include_str!("../../../Cargo.lock");
    let version = lock
        .split_once(&format!("name = \"{name}\"\nversion = \""))
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or("", |(version, _)| version);
    format!("{name} {version}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_carry_the_version_of_this_build() {
        assert!(titled("noiz").starts_with("noiz 0."), "{}", titled("noiz"));
        assert_eq!(titled("no such crate"), "no such crate ");
    }
}
