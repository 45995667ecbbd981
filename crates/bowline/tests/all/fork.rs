//! `bowline run --fork` and `--ephemeral`.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::harness::{HELLO, World, is, written};
use crate::log::{check_numbers, check_whole, ends, outcomes};

const FORKED: &str = r#"
=== server llamacpp window=16384 slots=2
=== file a.txt
alpha
=== reply
reasoning "Thinking about it."
call view_file {"path":"a.txt"}
call run_command {"command":"seq 1 20000"}
=== reply
text "It says alpha."
=== reply
text "It is a Greek letter."
=== reply
text "The first one."
=== reply
text "Omega."
"#;

async fn sessions(world: &World) -> Vec<Value> {
    world.bowline(&["sessions", "list", "--json"]).end().await.expect(0).frames()
}

async fn log(world: &World, session: &Value) -> Vec<Value> {
    let id = session["id"].as_str().unwrap();
    world.bowline(&["sessions", "show", "--json", id]).end().await.expect(0).frames()
}

/// The messages of a request, each by itself as it went over the wire.
fn messages(request: &Value) -> Vec<String> {
    request["messages"].as_array().unwrap().iter().map(Value::to_string).collect()
}

#[tokio::test]
async fn a_fork_continues_and_the_original_stays() {
    let world = World::play(FORKED).await;
    world.run(&["What is in a.txt?"]).end().await.expect(0);
    let original = sessions(&world).await.remove(0);
    let before = log(&world, &original).await;
    let ended = world.run(&["--json", "--fork", "-c", "What is alpha?"]).end().await.expect(0);
    let frames = ended.frames();
    check_numbers(&frames);
    assert!(is(&frames[0], "session.started"), "{}", frames[0]);
    assert_ne!(frames[0]["session"], original["id"]);
    let notice = format!("forked from session {}", original["id"].as_str().unwrap());
    assert_eq!(frames[1]["notice"], notice.as_str(), "{}", frames[1]);
    assert_eq!(log(&world, &original).await, before, "the original changed");

    let list = sessions(&world).await;
    assert_eq!(list.len(), 2);
    assert_eq!(list[0]["title"], "What is in a.txt? (fork)");
    assert_eq!(list[1], original);
    let copy = log(&world, &list[0]).await;
    check_whole(&copy);
    assert_eq!(ends(&copy), ["turn.completed done", "turn.completed done"]);
    assert_eq!(outcomes(&copy), ["view_file success", "run_command success"]);

    // What the server has read it reads again, byte for byte.
    let asked = world.model_requests();
    let (first, forked) = (&asked[1], &asked[2]);
    assert_eq!(first["tools"].to_string(), forked["tools"].to_string());
    let (first, forked) = (messages(first), messages(forked));
    assert_eq!(forked[..first.len()], first);
    assert_eq!(forked.len(), first.len() + 2);

    // Both go on, each for itself.
    let id = original["id"].as_str().unwrap();
    world.run(&["-s", id, "Which one?"]).end().await.expect(0);
    let last = messages(world.model_requests().last().unwrap());
    assert!(!last.iter().any(|message| message.contains("What is alpha?")), "{last:?}");
    world.run(&["--fork", "-s", id, "And the last?"]).end().await.expect(0);
    world.check_played();
    assert_eq!(sessions(&world).await.len(), 3);
}

#[tokio::test]
async fn a_fork_has_the_outputs_of_its_original() {
    let scenario = r#"
=== server llamacpp window=16384 slots=2
=== reply
call run_command {"command":"seq 1 20000"}
=== reply
text "Many."
=== reply
call view_file {"path":"output:i00000001","start_line":15000}
=== reply
text "There."
"#;
    let world = World::play(scenario).await;
    world.run(&["Count."]).end().await.expect(0);
    let original = sessions(&world).await.remove(0);
    let id = original["id"].as_str().unwrap();
    let ended = world.run(&["--json", "--fork", "-s", id, "What is in the middle?"]).end().await.expect(0);
    world.check_played();
    let frames = ended.frames();
    let read =
        frames.iter().rfind(|frame| is(frame, "item.completed") && frame["item"]["kind"] == "read").unwrap();
    let text = read["item"]["result"]["text"].as_str().unwrap();
    assert!(text.contains("15000| 15000\n"), "{}", &text[..200]);
}

#[tokio::test]
async fn a_fork_of_a_turn_that_runs_or_was_cut_off() {
    let scenario = r#"
=== server llamacpp window=16384 slots=2
=== reply
text "So far."
hang
=== reply repeat=2
text "Done."
"#;
    let world = World::play(scenario).await;
    let mut running = world.run(&["--json", "Do it."]).start();
    let frame = running.until(|frame| is(frame, "text.delta")).await;
    let session = frame["session"].as_str().unwrap();
    // One that writes must wait for the tree, and leaves nothing.
    world.run(&["--fork", "-c", "Me too."]).end().await.expect(1).says(&[session]);
    assert_eq!(sessions(&world).await.len(), 1);
    let ended = world.run(&["--fork", "-c", "--read-only"]).end().await.expect(0);
    assert_eq!(ended.stdout, "Done.\n");
    let list = sessions(&world).await;
    let copy = log(&world, list.iter().find(|row| row["id"] != session).unwrap()).await;
    check_whole(&copy);
    assert_eq!(ends(&copy), ["turn.failed failed", "turn.completed done"]);
    let cut = copy.iter().find(|frame| is(frame, "turn.failed")).unwrap();
    assert!(cut["reason"].as_str().unwrap().contains("forked"), "{cut}");
    assert!(copy.iter().all(|frame| !is(frame, "text.delta")), "{copy:#?}");
    let said = messages(world.model_requests().last().unwrap());
    assert!(said.iter().any(|message| message.contains("So far.")), "{said:?}");
    running.kill().await;
    let id = json!(session);
    let before = log(&world, &json!({ "id": id })).await;
    world.run(&["--fork", "-s", session]).end().await.expect(0);
    assert_eq!(log(&world, &json!({ "id": id })).await, before, "the original was ended by its copy");
    world.check_played();
}

#[tokio::test]
async fn flags_that_do_not_go_together() {
    let world = World::play(HELLO).await;
    let wrong: [&[&str]; 5] = [
        &["--fork", "Hello."],
        &["--ephemeral", "-c", "Hello."],
        &["--ephemeral", "-s", "0123", "Hello."],
        &["--ephemeral", "--fork", "Hello."],
        &["--ephemeral", "--fork", "-c"],
    ];
    for flags in wrong {
        world.run(flags).end().await.expect(2).says(&["Usage:"]);
    }
    assert!(world.server.requests().is_empty() && !world.home().exists(), "something was done all the same");
    world.run(&["--fork", "-c", "Hello."]).end().await.expect(2).says(&["no session in"]);
}

const COMMAND: &str = r#"
=== server llamacpp window=16384 slots=2
=== file a.txt
alpha
=== reply
call edit_file {"path":"a.txt","old":"alpha","new":"beta"}
call run_command {"command":"seq 1 20000"}
=== reply
call view_file {"path":"output:i00000002","start_line":15000}
=== reply
text "Done."
"#;

#[tokio::test]
async fn an_ephemeral_session_does_its_work_and_leaves_no_trace() {
    let world = World::play(COMMAND).await;
    let ended = world.run(&["--ephemeral", "Do it."]).end().await.expect(0);
    assert_eq!((ended.stdout.as_str(), world.read("a.txt").as_str()), ("Done.\n", "beta\n"));
    let ended = ended.says(&["nothing is kept", "nothing was kept"]);
    assert!(!ended.stderr.contains("run -c") && !ended.stderr.contains("session "), "{ended}");
    world.check_played();
    let result = world.model_requests().last().unwrap()["messages"].to_string();
    assert!(result.contains("15000| 15000"), "the output was not read back");
    assert!(!world.home().exists(), "something was kept");
    let list = world.bowline(&["sessions", "list"]).end().await.expect(0);
    assert_eq!(list.stdout, "");
    world.run(&["-c"]).end().await.expect(2).says(&["there is no session in"]);
}

#[tokio::test]
async fn an_ephemeral_session_knows_what_is_remembered_and_adds_nothing() {
    let scenario =
        "=== server ollama models=qwen3:8b,tiny:1b sizes=5G,1G\n=== reply repeat\ntext \"Hello.\"\n";
    let world = World::play(scenario).await;
    world.run(&["-m", "tiny:1b", "Hello."]).end().await.expect(0);
    let before = sessions(&world).await;
    world.run(&["--ephemeral", "Hello."]).end().await.expect(0).says(&["ollama/tiny:1b · last used here"]);
    assert_eq!(sessions(&world).await, before);
}

#[tokio::test]
async fn an_ephemeral_session_waits_for_those_who_write_and_leaves_nothing_after_a_signal() {
    let scenario = r#"
=== server llamacpp window=16384 slots=2
=== reply
call run_command {"command":"echo here >pids; sleep 600"}
=== reply
text "So far."
hang
"#;
    let world = World::play(scenario).await;
    let ephemeral = world.run(&["--ephemeral", "Do it."]).start();
    written(&world, "pids").await;
    ephemeral.signal(Signal::INT);
    let ended = ephemeral.end().await.expect(130).says(&["nothing was kept"]);
    assert!(!ended.stderr.contains("run -c"), "{ended}");
    assert!(!world.home().exists(), "something was kept");
    let mut running = world.run(&["--json", "Do it."]).start();
    let frame = running.until(|frame| is(frame, "text.delta")).await;
    let session = frame["session"].as_str().unwrap();
    world.run(&["--ephemeral", "Me too."]).end().await.expect(1).says(&[session]);
    running.kill().await;
}
