//! The errors of netlists, their queries, and the injection of faults.

mod cases;
mod checks;
mod faults;
mod kinds;
mod parts;
mod paths;
#[path = "../../../tests/common/samples.rs"]
mod samples;
mod stages;
mod trim;
mod widths;

/// The panic message of a closure.
fn panic_message(run: impl FnOnce()) -> String {
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("it panics");
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => (*payload.downcast::<&str>().expect("a message")).to_owned(),
    }
}
