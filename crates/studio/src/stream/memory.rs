//! The memory of this process, as reported by Linux.

/// The peak resident memory, in bytes.
pub fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// The resident memory, in bytes.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// Formats megabytes of 10^6 bytes, or `-` if the number is unknown.
pub fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "-".to_owned(), |bytes| format!("{:.0} MB", bytes as f64 / 1e6))
}

fn status(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
