//! Any bytes as a file and an edit: `cargo +nightly fuzz run apply`.
#![no_main]

#[path = "../../tests/fuzz/checked.rs"]
mod checked;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checked::check(bytes));
