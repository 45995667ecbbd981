//! What a model does with places: it chooses one of those it is offered, or nearly, and writes a text for it, or nearly.

use bowline_core::wire::Request;
use serde_json::json;

use super::words;
use crate::sim::random::Random;

/// Whether the request asks for the new text of a place.
pub(super) fn is_writing(request: &Request) -> bool {
    request.payload.tools.is_empty() && request.payload.messages.len() == 1
}

/// A choice among the places on offer, mostly.
pub(super) fn chosen(random: &mut Random, request: &Request) -> Option<String> {
    let places = request.payload.offer.places();
    let known = places.get(random.below(places.len().max(1)))?;
    let label = if random.chance(90) { known.place.label() } else { "src/gone.py: gone".to_owned() };
    let change = *random.pick(&["rewrite", "rewrite", "add_after", "remove", "rename", "create", "burn"]);
    let arguments =
        json!({ "place": label, "change": change, "to": random.pick(&["fresh", "", "src/new.py"]) });
    Some(json!({ "name": "change", "arguments": arguments }).to_string())
}

/// A text for a place: the same again, another one, one without a fence, with two, cut off, or none at all.
pub(super) fn written(random: &mut Random, request: &Request) -> String {
    let bowline_core::payload::Message::User { text: prompt } = &request.payload.messages[0] else {
        return String::new();
    };
    let shown =
        prompt.split("```").nth(1).and_then(|fence| fence.split_once('\n')).map_or("", |(_, text)| text);
    let other = format!("{shown}    return {}\n", random.below(100));
    match random.below(9) {
        0 => format!("```\n{shown}```"),
        1 => other,
        2 => format!("Here it is:\n```python\n{other}```\nIt is done.\n```\nmore\n```"),
        3 => format!("```python\n{other}"),
        4 => String::new(),
        5 => words::text(random),
        _ => format!("```python\n{other}```"),
    }
}

const TASKS: [&str; 8] = [
    "Do it.",
    "Fix `load` in src/c.py.",
    "Rename `load` to `load_rows`.",
    "Remove `unused`, nothing calls it.",
    "Change LIMIT to 20 and use it in save().",
    "Add a new function `fresh` to src/c.py.",
    "Why does load fail?",
    "Fix the bug.",
];

/// What the user asks for, so that places come into it.
pub(super) fn task(random: &mut Random) -> &'static str {
    TASKS[random.below(TASKS.len())]
}

/// A file with definitions.
pub(super) const SOURCE: &str = "LIMIT = 10\ndef load(path):\n    return path\ndef save(path, rows):\n    load(path)\ndef unused():\n    pass";
