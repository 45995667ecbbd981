//! What a model says in words: prose, soup, thoughts in odd places, calls written as text, and what only we should say.

use serde_json::{Value, json};

use super::arguments;
use crate::sim::random::Random;

const PIECES: [&str; 34] = [
    "I look at it. ",
    "Done",
    "\n",
    "\n\n",
    " ",
    "`",
    "```",
    "```json\n",
    "\"",
    "'",
    "\\",
    "\\u0000",
    "\u{0}",
    "\u{feff}",
    "\u{2028}",
    "\u{202e}",
    "e\u{301}",
    "👩‍👩‍👧",
    "𝕏",
    "<",
    "<think>",
    "</think>",
    "<thi",
    "</",
    "<tool_call>",
    "</tool_call>",
    "<|im_end|>",
    "[TOOL_CALLS]",
    "data: [DONE]\n\n",
    "{\"name\":",
    "{",
    "}",
    "Continue.",
    "<|channel|>final<|message|>",
];

/// The wire form of what bowline tells the user about a turn: never for the model, unless it says so itself.
pub(super) const SENTINELS: [&str; 4] = [
    "{\"kind\":\"cap_hit\",\"limit\":\"steps\",\"can_continue\":true}",
    "{\"kind\":\"no_answer\",\"reason\":\"empty\",\"can_continue\":true}",
    "{\"kind\":\"doom_loop\",\"pattern\":\"exact\",\"count\":3,\"escalated\":false}",
    "{\"kind\":\"mistake_recovery\",\"failure_kinds\":[\"exec_error\",\"exec_error\",\"exec_error\"],\"count\":3,\"escalated\":false}",
];

/// Anything, up to so many pieces.
pub(super) fn soup(random: &mut Random, pieces: usize) -> String {
    (0..random.below(pieces + 1)).map(|_| *random.pick(&PIECES)).collect()
}

pub(super) fn short(random: &mut Random) -> String {
    if random.chance(80) { format!("line {}", random.below(9)) } else { soup(random, 6) }
}

/// Text of an answer.
pub(super) fn text(random: &mut Random) -> String {
    match random.below(8) {
        0..4 => (*random.pick(&["All is done.", "I will look at the file.", "Let me see:\n\n1. a\n2. b"]))
            .to_owned(),
        4 => soup(random, 12),
        5 => format!("<think>{}</think>{}", soup(random, 4), soup(random, 4)),
        6 => format!("{}</think>\n{}", soup(random, 4), soup(random, 4)),
        _ => repeated(random),
    }
}

/// The same again and again.
pub(super) fn repeated(random: &mut Random) -> String {
    let piece = *random.pick(&["I will now look. ", "a", "\n", "| a | b |\n", "🙂"]);
    piece.repeat(*random.pick(&[5, 20, 60, 600]))
}

/// A call that stands in the text, in one of the forms models know.
pub(super) fn written(random: &mut Random) -> String {
    let (name, value) = arguments::fitting(random);
    let name = if random.chance(15) { arguments::odd_name(random) } else { name };
    let given = if random.chance(25) { arguments::broken(random, &value) } else { value.to_string() };
    let object = match random.below(3) {
        0 => format!("{{\"name\":{},\"arguments\":{given}}}", json!(name)),
        1 => json!({ "function": { "name": name, "arguments": given } }).to_string(),
        _ => format!("{{\"tool\": {}, \"parameters\": {given}}}", json!(name)),
    };
    let call = match random.below(10) {
        0 => format!("<tool_call>\n{object}\n</tool_call>"),
        1 => format!("<tool_call>{object}"),
        2 => format!("<tool_call>{object}</tool_call>\n<tool_call>{object}</tool_call>"),
        3 => functions(&name, &value),
        4 => format!("<tool_call>\n{}\n</tool_call>", functions(&name, &value)),
        5 => format!("[TOOL_CALLS][{object}]"),
        6 => format!("[TOOL_CALLS]{name}[ARGS]{given}"),
        7 => format!("<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{given}<|call|>"),
        8 => format!("```json\n{object}\n```"),
        _ => format!("[{object}, {object}]"),
    };
    let call = if random.chance(10) { arguments::cut(random, &call) } else { call };
    match random.below(5) {
        0 => format!("{}\n{call}", text(random)),
        1 => format!("{call}\n{}", text(random)),
        2 => format!("<think>\n{call}\n</think>\n\n{call}"),
        _ => call,
    }
}

fn functions(name: &str, arguments: &Value) -> String {
    let mut text = format!("<function={name}>\n");
    for (key, value) in arguments.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.push_str(&format!("<parameter={key}>\n{value}\n</parameter>\n"));
    }
    text + "</function>"
}
