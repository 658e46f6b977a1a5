//! Prints the hash of an image, for the test of the page: the same request has the same hash in a browser.
//!
//! `page_values REQUEST X Y [Z] STEP_TICKS COLUMNS ROWS`, where `&` separates the lines of the request. With `Z`, it is a slice
//! through space.

use noise_page::Program;
use std::env;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |i: usize| arguments[i].parse::<f64>().expect("a number");
    let count = |i: usize| arguments[i].parse::<usize>().expect("a whole number");
    let mut program = Program::default();
    program.request = arguments[0].replace('&', "\n").into();
    program.compile();
    let last = arguments.len() - 3;
    let (step, size) = (count(last) as i32, [count(last + 1), count(last + 2)]);
    match last {
        3 => program.fill([number(1), number(2)], step, size),
        _ => program.fill_slice([number(1), number(2), number(3)], step, size),
    }
    println!("{:016x}", hash(&program.values));
}

/// FNV-1a over the bits of the values.
fn hash(values: &[f32]) -> u64 {
    let bytes = values.iter().flat_map(|value| value.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
