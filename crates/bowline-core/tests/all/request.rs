//! A whole request on the wire, in both protocols, as numbered lines: one for each message, then the rest.

use std::fmt::Write as _;

use bowline_core::item::ReasoningField;
use bowline_core::payload::{Payload, Said, SaidCall};
use bowline_core::tools::ToolSpec;
use bowline_core::wire::{Dialect, Protocol, Request};
use serde_json::{Value, json};

fn request(protocol: Protocol, field: ReasoningField) -> Request {
    let call = SaidCall {
        id: "i00000002".to_owned(),
        tool: "grep".to_owned(),
        arguments: json!({"pattern": "x", "context": 1}),
        text: "{\"pattern\": \"x\", \"context\": 1}".to_owned(),
    };
    let tool = |text: &str| Said::Tool {
        call: "i00000002".to_owned(),
        tool: "grep".to_owned(),
        text: text.to_owned(),
    };
    Request {
        dialect: Dialect {
            protocol,
            model: "coder".to_owned(),
            window: 16_384,
            reserve: 4096,
            tells_progress: protocol == Protocol::OpenAi,
        },
        payload: Payload {
            system: "You are bowline.".to_owned(),
            tools: vec![ToolSpec {
                name: "grep".to_owned(),
                description: "Search.".to_owned(),
                parameters: json!({"type": "object"}),
            }],
            said: vec![
                Said::User { text: "Find x.".to_owned() },
                Said::Assistant {
                    text: "I look.".to_owned(),
                    reasoning: Some((field, "Where is it?".to_owned())),
                    calls: vec![call],
                },
                tool("a:1: x"),
            ],
        },
        note: Some("Note: ten steps are left.".to_owned()),
    }
}

fn lines(request: &Request) -> String {
    let mut body: Value = serde_json::from_slice(&request.body()).unwrap();
    let messages = body.as_object_mut().unwrap().shift_remove("messages").unwrap();
    let mut text = String::new();
    for (n, message) in messages.as_array().unwrap().iter().enumerate() {
        let _ = writeln!(text, "{} {message}", n + 1);
    }
    for (key, value) in body.as_object().unwrap() {
        let _ = writeln!(text, "{key} {value}");
    }
    text
}

#[test]
fn requests() {
    crate::cases::check("request.cases", |input| match input.trim() {
        "openai" => lines(&request(Protocol::OpenAi, ReasoningField::ReasoningContent)),
        "ollama" => lines(&request(Protocol::Ollama, ReasoningField::Thinking)),
        other => panic!("unknown protocol {other}"),
    });
}

#[test]
fn a_note_is_in_no_stable_piece() {
    let with = request(Protocol::OpenAi, ReasoningField::Reasoning);
    let without = Request { note: None, ..with.clone() };
    assert_eq!(with.stable_pieces(), without.stable_pieces());
    assert_ne!(with.body(), without.body());
}
