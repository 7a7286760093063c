//! What a netlist refuses, what can be asked of it, and how faults are put into it.

mod cases;
mod checks;
mod faults;
mod parts;
mod paths;
mod widths;

/// What a closure panics with.
fn panic_message(run: impl FnOnce()) -> String {
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("it panics");
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => (*payload.downcast::<&str>().expect("a message")).to_owned(),
    }
}
