//! The prompt and the schemas are small: every token of them is read before the first word of every session.

use std::sync::Arc;

use bowline_core::entry::Access;
use bowline_core::mode::Mode;
use bowline_core::payload::{Message, Offer, Payload};
use bowline_core::servers::ServerKind;
use bowline_core::wire::Request;
use bowline_core::{prompts, tools};

fn first_request(kind: ServerKind, mode: Mode) -> Request {
    Request {
        dialect: kind.dialect("qwen2.5-coder:7b", 32_768),
        payload: Arc::new(Payload {
            system: prompts::DEFAULT.trim().to_owned(),
            mode,
            tools: tools::specs(Access::Write),
            messages: vec![Message::User { text: "rename the config field and fix its callers".to_owned() }],
            offer: Offer::default(),
        }),
        note: None,
    }
}

/// What stands before the task, as the model reads it.
#[test]
fn prompt_and_schemas_are_under_1500_tokens() {
    let tokenizer = bpe_openai::o200k_base();
    for mode in Mode::ALL {
        let pieces = first_request(ServerKind::LlamaCpp, mode).stable_pieces();
        let tokens: usize = pieces.iter().take(2).map(|piece| tokenizer.count(piece.as_str())).sum();
        println!("{}: {tokens} tokens", mode.word());
        assert!(tokens < 1500, "{}: {tokens} tokens", mode.word());
    }
}

/// A small model reads fifty tokens a second on a processor without a graphics card.
#[test]
fn constrained_mode_has_a_prompt_of_at_most_300_tokens() {
    let pieces = first_request(ServerKind::LlamaCpp, Mode::Constrained).stable_pieces();
    let tokens = bpe_openai::o200k_base().count(pieces[1].as_str());
    assert!(tokens <= 300, "{tokens} tokens: {}", pieces[1]);
}

#[test]
fn the_first_request_is_at_most_6_kb() {
    for (kind, mode) in [ServerKind::LlamaCpp, ServerKind::Ollama].into_iter().zip(Mode::ALL) {
        let bytes = first_request(kind, mode).body().len();
        assert!(bytes <= 6 * 1024, "{kind:?}, {mode:?}: {bytes} bytes");
    }
}

#[test]
fn a_read_only_session_has_only_tools_that_read() {
    let names: Vec<String> = tools::specs(Access::ReadOnly).into_iter().map(|spec| spec.name).collect();
    assert_eq!(names, ["view_file", "list_dir", "find_files", "grep"]);
}

#[test]
fn every_schema_is_an_object_with_words() {
    for spec in tools::specs(Access::Write) {
        assert_eq!(spec.parameters["type"], "object", "{}", spec.name);
        assert!(!spec.description.is_empty(), "{}", spec.name);
        let example = serde_json::from_str(tools::example(&spec.name).unwrap()).unwrap();
        assert!(
            matches!(tools::parse(&spec.name, &example), Some(Ok(_))),
            "the example of {} does not fit",
            spec.name
        );
    }
}
