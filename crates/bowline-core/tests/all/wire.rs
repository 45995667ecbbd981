//! What servers send, put together: each quirk a case, whole and byte by byte.

use std::fmt::Write as _;

use bowline_core::limits::CALLS_PER_ANSWER_MAX;
use bowline_core::stream::Assembly;
use bowline_core::wire::{CallPiece, Decoder, Delta};
use proptest::prelude::*;

fn assemble(bytes: &[u8], chunk: usize) -> String {
    let mut decoder = Decoder::new();
    let mut assembly = Assembly::default();
    for piece in bytes.chunks(chunk.max(1)) {
        for delta in decoder.push(piece) {
            assembly.push(delta);
        }
    }
    for delta in decoder.finish() {
        assembly.push(delta);
    }
    assembly.close();
    describe(&assembly)
}

fn describe(assembly: &Assembly) -> String {
    let mut text = String::new();
    if !assembly.reasoning().is_empty() {
        let field = assembly.field().map_or("tags", |field| field.name());
        let _ = writeln!(text, "reasoning ({field}) {:?}", assembly.reasoning());
    }
    if !assembly.text().is_empty() {
        let _ = writeln!(text, "text {:?}", assembly.text());
    }
    for call in assembly.calls() {
        let open = if call.is_complete() { "" } else { " (open)" };
        let _ = writeln!(text, "call {} {}{open}", call.name, call.arguments);
    }
    if let Some(finish) = assembly.finish() {
        let _ = writeln!(text, "finish {finish:?}");
    }
    let usage = assembly.usage();
    if usage != bowline_core::entry::Usage::default() {
        let _ = writeln!(
            text,
            "usage new {} cached {} output {} load {} prefill {} decode {}",
            usage.prompt_new,
            usage.prompt_cached,
            usage.output,
            usage.load_ms,
            usage.prefill_ms,
            usage.decode_ms
        );
    }
    if let Some(error) = assembly.error() {
        let _ = writeln!(text, "error {error:?}");
    }
    if let Some(percent) = assembly.percent() {
        let _ = writeln!(text, "read {percent} %");
    }
    text
}

#[test]
fn quirks_of_the_wire() {
    crate::cases::check("wire.cases", |input| {
        // A case can't hold a carriage return as such.
        let bytes = input.replace("<CR>", "\r").into_bytes();
        let whole = assemble(&bytes, bytes.len());
        for chunk in 1..8 {
            assert_eq!(assemble(&bytes, chunk), whole, "in chunks of {chunk}:\n{input}");
        }
        whole
    });
}

/// A model that calls without end is not followed without end, and what comes late is put into no other call.
#[test]
fn calls_have_a_bound() {
    let mut assembly = Assembly::default();
    for _ in 0..100_000 {
        for piece in [("list_dir", "{"), ("", "}")] {
            let name = Some(piece.0.to_owned()).filter(|name| !name.is_empty());
            assembly.push(Delta::Call(CallPiece {
                name,
                arguments: piece.1.to_owned(),
                ..CallPiece::default()
            }));
        }
    }
    assert_eq!(assembly.calls().len(), CALLS_PER_ANSWER_MAX);
    assert!(assembly.calls().iter().all(|call| call.arguments == "{}"));
}

proptest! {
    #[test]
    fn any_bytes_are_a_value(bytes in proptest::collection::vec(any::<u8>(), 0..600), chunk in 1usize..50) {
        assemble(&bytes, chunk);
    }

    #[test]
    fn any_json_is_a_value(text in "(data: ?)?\\{\"(choices|message|error|usage|timings|done)\": ?(\\[\\{\"delta\":\\{\"(content|tool_calls|reasoning)\": ?(\"a\"|1|null|\\[\\{\\}\\])\\}\\}\\]|\\{\"content\": ?\"x\"\\}|true|-1)\\}\n") {
        assemble(text.as_bytes(), 3);
    }
}
