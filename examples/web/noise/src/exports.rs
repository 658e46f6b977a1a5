//! The functions that the page calls, with addresses in this module's memory.
//!
//! The page writes a request at [`request`] and calls [`compile`]. A function that answers in JSON leaves the text at
//! [`reply`]. One that answers in numbers leaves them at [`values`]. Both are valid until the next call.
#![expect(unsafe_code, reason = "a page can call only unmangled names, and two of the same name would clash")]

use crate::Program;
use std::cell::RefCell;

thread_local! {
    /// A worker has one thread, so this is one program.
    static PROGRAM: RefCell<Program> = RefCell::default();
}

// SAFETY, of this and all names below: nothing else that is linked into this module exports the same name.

/// Makes room for a request of `bytes` bytes and returns its address. The page writes UTF-8 there.
#[unsafe(no_mangle)]
pub extern "C" fn request(bytes: usize) -> *mut u8 {
    PROGRAM.with_borrow_mut(|program| {
        program.request.clear();
        program.request.resize(bytes, 0);
        program.request.as_mut_ptr()
    })
}

/// Replies with all parameters and presets: see [`Program::describe`].
#[unsafe(no_mangle)]
pub extern "C" fn describe() {
    PROGRAM.with_borrow_mut(Program::describe);
}

/// Compiles the noise of the request and replies with what the page shows about it: see [`Program::compile`].
#[unsafe(no_mangle)]
pub extern "C" fn compile() {
    PROGRAM.with_borrow_mut(Program::compile);
}

/// Computes an image of the plane: see [`Program::fill`].
#[unsafe(no_mangle)]
pub extern "C" fn fill(x: f64, y: f64, step_ticks: i32, columns: usize, rows: usize) {
    PROGRAM.with_borrow_mut(|program| program.fill([x, y], step_ticks, [columns, rows]));
}

/// Computes a slice through space: see [`Program::fill_slice`].
#[unsafe(no_mangle)]
pub extern "C" fn fill_slice(x: f64, y: f64, z: f64, step_ticks: i32, columns: usize, rows: usize) {
    PROGRAM.with_borrow_mut(|program| program.fill_slice([x, y, z], step_ticks, [columns, rows]));
}

/// Finds the darkest and the lightest shade of slices: see [`Program::find_slice_levels`].
#[unsafe(no_mangle)]
pub extern "C" fn find_slice_levels() {
    PROGRAM.with_borrow_mut(Program::find_slice_levels);
}

/// Lists lattice nodes: see [`Program::list_nodes`].
#[unsafe(no_mangle)]
pub extern "C" fn list_nodes(min_x: f64, min_y: f64, max_x: f64, max_y: f64) {
    PROGRAM.with_borrow_mut(|program| program.list_nodes([min_x, min_y], [max_x, max_y]));
}

/// The address of the last reply.
#[unsafe(no_mangle)]
pub extern "C" fn reply() -> *const u8 {
    PROGRAM.with_borrow(|program| program.reply.as_ptr())
}

/// The length of the last reply, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reply_bytes() -> usize {
    PROGRAM.with_borrow(|program| program.reply.len())
}

/// The address of the last numbers.
#[unsafe(no_mangle)]
pub extern "C" fn values() -> *const f32 {
    PROGRAM.with_borrow(|program| program.values.as_ptr())
}

/// How many numbers there are.
#[unsafe(no_mangle)]
pub extern "C" fn values_length() -> usize {
    PROGRAM.with_borrow(|program| program.values.len())
}
