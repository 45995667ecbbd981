//! A whole request on the wire, in both protocols, as numbered lines: one for each message, then the rest.

use std::fmt::Write as _;

use std::sync::Arc;

use bowline_core::entry::Access;
use bowline_core::item::ReasoningField;
use bowline_core::mode::Mode;
use bowline_core::payload::{Message, MessageCall, Offer, Payload, Touched};
use bowline_core::servers::ServerKind;
use bowline_core::thinking::Thinking;
use bowline_core::tools;
use bowline_core::wire::{Dialect, Request};
use serde_json::{Value, json};

/// `SERVER [MODE] [answered] [thinking=…] [model=…]`; answered: the model spoke last.
fn request(words: &str) -> Request {
    let mut kind = ServerKind::LlamaCpp;
    let (mut mode, mut thinking, mut model) = (Mode::Native, Thinking::Auto, "coder");
    for word in words.split_whitespace() {
        match (
            ServerKind::ALL.into_iter().find(|kind| kind.word() == word),
            Mode::of(word),
            word.split_once('='),
        ) {
            (Some(named), ..) => kind = named,
            (_, Some(named), _) => mode = named,
            (.., Some(("thinking", word))) => thinking = Thinking::of(word).unwrap(),
            (.., Some(("model", word))) => model = word,
            (.., None) if word == "answered" => {}
            _ => panic!("unknown word {word}"),
        }
    }
    let field =
        if kind == ServerKind::Ollama { ReasoningField::Thinking } else { ReasoningField::ReasoningContent };
    let call = MessageCall {
        id: "i00000002".to_owned(),
        tool: "grep".to_owned(),
        arguments: json!({"pattern": "x", "context": 1}),
        text: "{\"pattern\": \"x\", \"context\": 1}".to_owned(),
        touched: Touched::default(),
    };
    let result =
        Message::Tool { call: "i00000002".to_owned(), tool: "grep".to_owned(), text: "a:1: x".to_owned() };
    let specs = tools::specs(Access::Write).into_iter();
    let answer = Message::Assistant { text: "Here it is.".to_owned(), reasoning: None, calls: Vec::new() };
    let answer = words.contains("answered").then_some(answer);
    Request {
        dialect: Dialect { thinking, ..kind.dialect(model, 16_384) },
        payload: Arc::new(Payload {
            system: "You are bowline.".to_owned(),
            mode,
            tools: specs.filter(|spec| ["grep", "edit_file"].contains(&spec.name.as_str())).collect(),
            messages: [
                Message::User { text: "Find x.".to_owned() },
                Message::Assistant {
                    text: "I look.".to_owned(),
                    reasoning: Some((field, "Where is it?".to_owned())),
                    calls: vec![call],
                },
                result,
            ]
            .into_iter()
            .chain(answer)
            .collect(),
            offer: Offer::default(),
        }),
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
    crate::cases::check("request.cases", |input| {
        let lines = lines(&request(input));
        // A setting changes neither messages nor tools.
        let is_setting = input.contains('=');
        let is_shown = |line: &&str| {
            !is_setting || line.starts_with(|c: char| c.is_alphabetic() && !line.starts_with("tools"))
        };
        lines.lines().filter(is_shown).map(|line| format!("{line}\n")).collect()
    });
}

#[test]
fn a_note_is_in_no_stable_piece() {
    let with = request("llamacpp");
    let without = Request { note: None, ..with.clone() };
    assert_eq!(with.stable_pieces(), without.stable_pieces());
    assert_ne!(with.body(), without.body());
}
