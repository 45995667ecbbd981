//! How many tokens a request has, and how many of them a slot has seen before.
//!
//! An estimate of its own, bytes / 3.5 of the prompt as a template would render it: the same for the same request,
//! longer for a longer one, and reused only as far as the beginning is the same to the byte.

use serde_json::Value;

/// Whether the template has a place for tools. One without drops them and says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tools {
    Rendered,
    Dropped,
}

/// What a reply costs, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    /// The whole prompt, what was reused included.
    pub prompt: u64,
    pub cached: u64,
    pub output: u64,
}

/// Bytes / 3.5, rounded up.
pub(super) fn tokens(bytes: usize) -> u64 {
    (bytes as u64 * 2).div_ceil(7)
}

/// The prompt as a template would put it: tools first, then the messages.
pub(super) fn prompt(body: &Value, tools: Tools) -> String {
    let mut prompt = String::new();
    if tools == Tools::Rendered {
        for tool in body["tools"].as_array().into_iter().flatten() {
            prompt.push_str(&tool.to_string());
            prompt.push('\n');
        }
    }
    for message in body["messages"].as_array().into_iter().flatten() {
        prompt.push_str("<|");
        prompt.push_str(message["role"].as_str().unwrap_or_default());
        prompt.push_str("|>\n");
        for field in ["reasoning_content", "reasoning", "thinking"] {
            prompt.push_str(message[field].as_str().unwrap_or_default());
        }
        push_content(&mut prompt, &message["content"]);
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let function = &call["function"];
            prompt.push_str(function["name"].as_str().unwrap_or_default());
            match &function["arguments"] {
                Value::String(text) => prompt.push_str(text),
                other => prompt.push_str(&other.to_string()),
            }
        }
        prompt.push('\n');
    }
    prompt.push_str("<|assistant|>\n");
    prompt
}

fn push_content(prompt: &mut String, content: &Value) {
    match content {
        Value::String(text) => prompt.push_str(text),
        Value::Array(parts) => {
            for part in parts {
                prompt.push_str(part["text"].as_str().unwrap_or_default());
            }
        }
        _ => {}
    }
}

/// The slots' memories of their last prompt.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    prompts: Vec<String>,
}

impl Slots {
    pub(super) fn new(count: usize) -> Self {
        Self { prompts: vec![String::new(); count.max(1)] }
    }

    pub(super) fn len(&self) -> usize {
        self.prompts.len()
    }

    /// Puts a prompt into the slot that was asked for, or else into the one that remembers most of it, and tells how
    /// many tokens of it were there.
    pub(super) fn take(&mut self, prompt: &str, asked: Option<u64>) -> (usize, u64) {
        let shared = |slot: &String| common_bytes(slot, prompt);
        let asked = asked.map(|slot| slot as usize).filter(|slot| *slot < self.prompts.len());
        let mut best = asked.unwrap_or(0);
        if asked.is_none() {
            for (at, slot) in self.prompts.iter().enumerate() {
                if shared(slot) > shared(&self.prompts[best]) {
                    best = at;
                }
            }
        }
        let cached = shared(&self.prompts[best]) as u64 * 2 / 7;
        prompt.clone_into(&mut self.prompts[best]);
        (best, cached)
    }
}

fn common_bytes(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_reuses_what_begins_alike() {
        let mut slots = Slots::new(2);
        assert_eq!(slots.take("aaaaaaabbbbbbb", None), (0, 0));
        assert_eq!(slots.take("aaaaaaaccccccc", None), (0, 2));
        assert_eq!(slots.take("ddddddd", Some(1)), (1, 0));
        assert_eq!(slots.take("dddddddccccccc", None), (1, 2));
    }

    #[test]
    fn tokens_round_up() {
        assert_eq!((tokens(0), tokens(1), tokens(7), tokens(8)), (0, 1, 2, 3));
    }
}
