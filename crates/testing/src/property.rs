//! Properties of random inputs. The inputs are the same in every run. A failure is reported for the smallest input that fails.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `check` on this number of `inputs`. `CASES_TIMES` in the environment multiplies it, for a longer search.
///
/// # Panics
///
/// If `check` panics. The message has the smallest input for which it does.
#[track_caller]
pub fn for_all<S: Strategy>(cases: u32, inputs: S, check: impl Fn(S::Value)) {
    let times = std::env::var("CASES_TIMES").map_or(1, |times| times.parse().expect("CASES_TIMES is a number"));
    let config = Config { cases: cases * times, failure_persistence: None, max_shrink_iters: 500, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[1; 32]);
    let result = TestRunner::new_with_rng(config, rng).run(&inputs, |input| {
        // Without its feature `std`, proptest does not catch panics itself.
        catch_unwind(AssertUnwindSafe(|| check(input))).map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            TestCaseError::fail(text.unwrap_or("a panic without a message").to_owned())
        })
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}

/// A number between powers of ten, with equal probability for every order of magnitude.
pub fn any_magnitude(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low..high).prop_map(|exponent| libm::pow(10.0, exponent))
}
