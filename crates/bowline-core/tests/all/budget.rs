//! The prompt and the schemas are small: every token of them is read before the first word of every session.

use bowline_core::entry::Access;
use bowline_core::payload::{Payload, Said};
use bowline_core::wire::{Dialect, Protocol, Request};
use bowline_core::{prompts, tools};

#[test]
fn prompt_and_schemas_are_under_1500_tokens() {
    let tokenizer = bpe_openai::o200k_base();
    let schemas = serde_json::to_string(&tools::specs(Access::Write)).unwrap();
    let (prompt, schemas) = (tokenizer.count(prompts::DEFAULT), tokenizer.count(schemas.as_str()));
    assert!(prompt + schemas < 1500, "prompt {prompt} + schemas {schemas} tokens");
}

#[test]
fn the_first_request_is_at_most_6_kb() {
    for protocol in [Protocol::OpenAi, Protocol::Ollama] {
        let request = Request {
            dialect: Dialect {
                protocol,
                model: "qwen2.5-coder:7b".to_owned(),
                window: 32_768,
                reserve: 8192,
                tells_progress: true,
            },
            payload: Payload {
                system: prompts::DEFAULT.to_owned(),
                tools: tools::specs(Access::Write),
                said: vec![Said::User { text: "rename the config field and fix its callers".to_owned() }],
            },
            note: None,
        };
        let bytes = request.body().len();
        assert!(bytes <= 6 * 1024, "{protocol:?}: {bytes} bytes");
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
