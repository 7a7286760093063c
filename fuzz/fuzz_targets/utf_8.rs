#![no_main]

#[path = "../../codec/tests/fuzz/bodies.rs"]
#[allow(dead_code)]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::utf_8(data));
