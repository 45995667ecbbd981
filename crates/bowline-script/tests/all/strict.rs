//! What a strict template refuses: messages in, verdict out.

use bowline_script::strict::{Protocol, check};
use serde_json::{Value, json};

use crate::blocks;

/// A line is a message; lines that begin with `#` are words.
fn verdict(protocol: Protocol, block: &str) -> String {
    let mut body = json!({"messages": []});
    for line in block.lines().filter(|line| !line.starts_with('#')) {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        match value.get("tools") {
            Some(tools) => body["tools"] = tools.clone(),
            None => body["messages"].as_array_mut().unwrap().push(value),
        }
    }
    check(protocol, &body).err().unwrap_or_else(|| "accepted".to_owned())
}

#[test]
fn the_openai_form() {
    blocks::check("strict-openai.cases", |block| verdict(Protocol::OpenAi, block));
}

#[test]
fn the_ollama_form() {
    blocks::check("strict-ollama.cases", |block| verdict(Protocol::Ollama, block));
}

#[test]
fn a_body_without_messages() {
    assert_eq!(check(Protocol::OpenAi, &json!({})), Err("`messages` is not a list".to_owned()));
}
