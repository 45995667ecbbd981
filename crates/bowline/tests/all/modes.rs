//! Calling modes from end to end: what is sent, what is remembered for the next session, what the user is told.

use serde_json::Value;

use crate::harness::{World, is};

const REFUSED: &str = r#"Refuses tools, then reads a file as text, then answers; a second session answers.
=== server llamacpp
=== file a.txt
alpha
=== task
What is in a.txt?
=== reply
status 500 {"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}
=== reply
text "```json\n{\"name\": \"view_file\", \"arguments\": {\"path\": \"a.txt\"}}\n```"
=== reply
text "It says alpha."
=== reply
text "Still alpha."
=== reply
text "Alpha, natively."
"#;

fn has_tools(request: &Value) -> bool {
    request.get("tools").is_some()
}

fn modes(frames: &[Value]) -> Vec<&str> {
    frames.iter().filter_map(|frame| frame["mode"].as_str()).collect()
}

#[tokio::test]
async fn what_a_server_refused_is_remembered_and_can_be_overridden() {
    let world = World::play(REFUSED).await;
    world.run(&["What is in a.txt?"]).end().await.expect(0).says(&["takes no tools", "text mode"]);
    assert_eq!(world.model_requests().iter().map(has_tools).collect::<Vec<_>>(), [true, false, false]);
    let ended = world.run(&["--json", "And now?"]).end().await.expect(0);
    assert_eq!(modes(&ended.frames()), ["text"]);
    assert!(!has_tools(&world.model_requests()[3]), "the second session does not ask in vain");
    world.run(&["--mode", "native", "And now?"]).end().await.expect(0);
    assert!(has_tools(&world.model_requests()[4]));
    let url = world.server.base_url();
    let ended = world.bowline(&["doctor", "--base-url", &url]).end().await.expect(0);
    assert!(ended.stdout.contains("start llama-server with --jinja"), "{ended}");
    world.check_played();
}

/// Allocates too little, as an Ollama whose card is full.
const SMALL: &str = r#"Ollama allocates less than a turn needs, each time.
=== server ollama window=4096 train=32768
=== reply repeat
call list_dir {}
"#;

#[tokio::test]
async fn a_window_that_was_too_small_is_looked_at_again() {
    let world = World::play(SMALL).await;
    let few = "allocated a window of 4096 tokens, and a turn needs 6144";
    world.run(&["Look."]).end().await.expect(3).says(&[few, "OLLAMA_CONTEXT_LENGTH"]);
    let asked = world.model_requests().len();
    world.run(&["-c"]).end().await.expect(3).says(&[few]);
    world.run(&["Look."]).end().await.expect(3).says(&[few]);
    assert!(world.model_requests().len() > asked + 1, "it may have more by now");
    let url = world.server.base_url();
    let ended = world.bowline(&["doctor", "--base-url", &url]).end().await.expect(0);
    assert!(ended.stdout.contains("last had no more than 4096 tokens"), "{ended}");
}

const WRITTEN: &str = r#"Writes its calls as text twice.
=== server llamacpp
=== file a.txt
alpha
=== task
Look.
=== reply
text "```json\n{\"name\": \"view_file\", \"arguments\": {\"path\": \"a.txt\"}}\n```"
=== reply
text "```json\n{\"name\": \"list_dir\", \"arguments\": {}}\n```"
=== reply
text "It says alpha."
=== reply
text "Still alpha."
=== reply
text "Alpha once more."
"#;

#[tokio::test]
async fn a_model_that_writes_its_calls_twice_is_asked_that_way_from_then_on() {
    let world = World::play(WRITTEN).await;
    world.run(&["Look."]).end().await.expect(0).says(&["writes its calls into the text", "text mode"]);
    assert_eq!(world.model_requests().iter().map(has_tools).collect::<Vec<_>>(), [true, true, false]);
    world.run(&["-c", "Again."]).end().await.expect(0);
    let ended = world.run(&["--json", "Anew."]).end().await.expect(0);
    assert_eq!(modes(&ended.frames()), ["text"]);
    assert!(!world.model_requests().iter().skip(2).any(has_tools), "the mode is kept, and remembered");
    world.check_played();
}

const UNBOUND: &str = r#"A small model on a server that binds no answer to a schema.
=== server openai model=coder-1.5b schema=refused
=== file a.txt
alpha
=== reply
text "It says alpha."
=== reply
text "Still alpha."
=== reply
text "Alpha, whatever the mode."
"#;

#[tokio::test]
async fn a_server_that_refuses_a_schema_is_asked_otherwise_and_that_is_remembered() {
    let world = World::play(UNBOUND).await;
    let is_bound = |request: &Value| request.get("response_format").is_some();
    let refused = ["refuses to bind an answer to a schema", "text mode"];
    world.run(&["What is in a.txt?"]).end().await.expect(0).says(&refused);
    assert_eq!(world.model_requests().iter().map(is_bound).collect::<Vec<_>>(), [true, false]);
    let ended = world.run(&["--json", "And now?"]).end().await.expect(0);
    assert_eq!(modes(&ended.frames()), ["native"]);
    assert!(!is_bound(&world.model_requests()[2]), "the second session does not ask in vain");
    // A flag asks once more, and its run ends well all the same.
    world.run(&["--mode", "constrained", "And now?"]).end().await.expect(0).says(&refused);
    let url = world.server.base_url();
    let ended = world.bowline(&["doctor", "--base-url", &url]).end().await.expect(0);
    assert!(ended.stdout.contains("did not bind an answer to a schema"), "{ended}");
    world.check_played();
}

const SMALL_MODEL: &str = r#"A small model is bound to a schema from its first request on.
=== server llamacpp params=1.5B
=== file a.txt
alpha
=== reply
text "{\"name\": \"view_file\", \"arguments\": {\"path\": \"a.txt\"}}"
=== reply
text "{\"message\": \"It says alpha.\"}"
"#;

#[tokio::test]
async fn a_small_model_begins_in_constrained_mode() {
    let world = World::play(SMALL_MODEL).await;
    world.run(&["What is in a.txt?"]).end().await.expect(0).says(&["constrained mode"]);
    let is_bound = |request: &Value| request["response_format"]["type"] == "json_schema";
    assert!(world.model_requests().iter().all(is_bound));
    world.check_played();
}

const BOUND: &str = r#"Bound to a schema.
=== server ollama
=== file a.txt
alpha
=== task
What is in a.txt?
=== reply
text "{\"name\": \"view_file\", \"arguments\": {\"path\": \"a.txt\"}}"
=== reply
text/6 "{\"message\": \"It says alpha.\"}"
"#;

#[tokio::test]
async fn constrained_mode_shows_the_message_and_not_its_json() {
    let world = World::play(BOUND).await;
    let flags = ["--mode", "constrained", "--thinking", "off", "What is in a.txt?"];
    let ended = world.run(&flags).end().await.expect(0);
    assert_eq!(ended.stdout, "It says alpha.\n");
    let asked = world.model_requests();
    assert!(asked.iter().all(|request| request["format"]["anyOf"].is_array() && request["think"] == false));
    assert!(
        !world
            .log()
            .await
            .iter()
            .any(|frame| is(frame, "text.delta") && frame.to_string().contains("message\\\""))
    );
    world.check_played();
}

#[tokio::test]
async fn a_mode_or_thinking_there_is_none_of_is_wrong_usage() {
    let world = World::play(BOUND).await;
    world.run(&["--mode", "magic", "Hi."]).end().await.expect(2).says(&["native, text, constrained"]);
    world.run(&["--thinking", "hard", "Hi."]).end().await.expect(2).says(&["auto, off, low, high"]);
}

const SMALLER: &str = r#"Reads much with a large window, then goes on with a small one.
=== server openai
=== file a.txt
LINES
=== task
Read a.txt.
=== reply
call view_file {"path":"a.txt"}
=== reply
text "Read."
=== reply repeat
text "It was long."
"#;

#[tokio::test]
async fn a_smaller_window_between_turns_folds_the_conversation() {
    let long: String = (0..150)
        .map(|n| format!("line {n} of a file that is long enough for this, and then some\n"))
        .collect();
    let world = World::play(&SMALLER.replace("LINES\n", &long)).await;
    world.run(&["--window", "32768", "Read a.txt."]).end().await.expect(0);
    let ended = world.run(&["-c", "--window", "6144", "--json", "And?"]).end().await.expect(0);
    let frames = ended.frames();
    let folded = frames.iter().find(|frame| is(frame, "compacted")).expect("it was folded");
    assert!(folded["summary"].as_str().unwrap().contains("## Files Read\n- a.txt"), "{folded}");
    let last = world.model_requests().pop().unwrap().to_string();
    assert!(last.contains("And?") && last.len() < 9_000, "{} bytes", last.len());
}
