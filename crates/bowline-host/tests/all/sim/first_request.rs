//! How much a small model reads before its first word in constrained mode, in the small projects of `tasks/`.
//!
//! The request is the one that the program really sends: the system prompt, the tools, the project's files, the places that can be
//! chosen and the task.

use bowline_script::Scenario;
use serde_json::Value;

use super::world::World;

/// A small model reads fifty tokens a second on a processor without a graphics card: half a minute is too long.
const TOKENS_MAX: usize = 1_200;
/// The project of a task and its message as a scenario, in which the model looks once and then answers.
fn scenario(task: &str) -> Scenario {
    let mut text = "A task.\n=== server llamacpp\n=== options mode=constrained glimpse=yes\n".to_owned();
    for section in task.split("\n=== ").skip(1) {
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        match head.split_once(' ').map_or(head, |(kind, _)| kind) {
            "file" => text.push_str(&format!("=== {head}\n{body}\n")),
            "message" => text.push_str(&format!("=== task\n{body}\n")),
            _ => {}
        }
    }
    text.push_str("=== reply repeat\ntext \"{\\\"name\\\": \\\"list_dir\\\", \\\"arguments\\\": {}}\"\n");
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

/// What the model reads of a request. The schema that binds its answer is not part of it.
fn tokens(request: &Value) -> usize {
    let messages = request["messages"].as_array().unwrap();
    let texts = messages.iter().filter_map(|message| message["content"].as_str());
    texts.map(|text| bpe_openai::o200k_base().count(text)).sum()
}

#[test]
fn the_first_request_of_a_small_project_is_at_most_1200_tokens() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tasks");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut with_places = Vec::new();
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "task")) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let played = World::new(&scenario(&std::fs::read_to_string(&path).unwrap())).play(None);
        // A task that the program carries out alone asks for nothing.
        let Some(first) = played.requests.first() else { continue };
        let tokens = tokens(first);
        println!("{name}: {tokens} tokens");
        assert!(tokens <= TOKENS_MAX, "{name}: {tokens} tokens: {first:#}");
        if first.to_string().contains("Places that can be changed:") {
            with_places.push(name);
        }
    }
    // Where the words decide the place, the first request is a short prompt. These have all there is.
    assert!(with_places.iter().any(|name| name == "constant-upload-timeout"), "{with_places:?}");
}
