//! The machine that the numbers were measured on.

/// One line: the processor, the SIMD levels it has, and the ones that the compiler was allowed to use anywhere.
#[must_use]
pub fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("CPU: {}, {cores} cores; has {}; peers built for {}.", model(), list(&present()), list(&built_for()))
}

fn model() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or_else(|| format!("unknown {}", std::env::consts::ARCH), |(_, name)| name.trim().to_owned())
}

fn list(levels: &[&str]) -> String {
    if levels.is_empty() { "no SIMD known here".to_owned() } else { levels.join(", ") }
}

/// Lists those of `$feature` for which `$has!` says yes.
macro_rules! levels {
    ($has:ident: $($name:literal = $feature:tt),*) => {
        [$(($name, $has!($feature))),*].into_iter().filter_map(|(name, has)| has.then_some(name)).collect()
    };
}

macro_rules! is_built_for {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

#[cfg(target_arch = "x86_64")]
fn present() -> Vec<&'static str> {
    use std::arch::is_x86_feature_detected as has;
    levels!(has: "SSE2" = "sse2", "SSE4.1" = "sse4.1", "AVX2" = "avx2", "FMA" = "fma", "AVX-512F" = "avx512f")
}

#[cfg(target_arch = "aarch64")]
fn present() -> Vec<&'static str> {
    use std::arch::is_aarch64_feature_detected as has;
    levels!(has: "NEON" = "neon", "SVE" = "sve")
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn present() -> Vec<&'static str> {
    Vec::new()
}

fn built_for() -> Vec<&'static str> {
    levels!(is_built_for: "SSE2" = "sse2", "SSE4.1" = "sse4.1", "AVX2" = "avx2", "FMA" = "fma",
        "AVX-512F" = "avx512f", "NEON" = "neon", "SVE" = "sve")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_built_for_is_there() {
        let present = present();
        assert!(built_for().iter().all(|level| present.contains(level)), "{}", describe());
    }
}
