//! Properties of random inputs: the same inputs in every run, and of those that break a property the smallest.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `check` on so many inputs.
///
/// # Panics
///
/// If it panics for one of them, with the smallest input for which it does.
#[track_caller]
pub fn for_all<S: Strategy>(cases: u32, inputs: S, check: impl Fn(S::Value)) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 500, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[1; 32]);
    let result = TestRunner::new_with_rng(config, rng).run(&inputs, |input| {
        // Without `std`, proptest does not catch panics itself.
        catch_unwind(AssertUnwindSafe(|| check(input))).map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            TestCaseError::fail(text.unwrap_or("a panic without a text").to_owned())
        })
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}
