//! The noise in a web page: what the page's worker calls.
//!
//! The page and this module exchange text (settings as lines of `name=value`, replies as JSON) and images of 32-bit
//! floating-point numbers. [`exports`] is the border between them, and the only file that knows about memory. All else is
//! plain Rust, which the tests and the program `page_values` run without a browser.

mod describe;
pub mod exports;
mod json;
mod levels;
mod program;
mod request;
mod ron;

pub use program::Program;
