//! `kill -9` in each state a turn can be in, and what `bowline run -c` makes of it.

use serde_json::Value;

use crate::harness::{World, eventually, is, is_alive, written};
use crate::log::{check_whole, ends, outcomes};

/// Goes on after a crash and checks the whole log: every call has one outcome, every message an end, and the strict
/// server has accepted what was sent.
async fn go_on(world: &World) -> Vec<Value> {
    let ended = world.run(&["-c"]).end().await.expect(0);
    assert_eq!(ended.stdout, "Done.\n");
    world.check_played();
    let log = world.log().await;
    check_whole(&log);
    assert_eq!(ends(&log), ["turn.failed failed", "turn.completed done"]);
    log
}

#[tokio::test]
async fn while_the_model_streams() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
text "So far."
hang
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    let mut running = world.run(&["--json", "Do it."]).start();
    running.until(|frame| is(frame, "text.delta")).await;
    running.kill().await;
    world.until_aborted().await;
    let log = go_on(&world).await;
    // What had come of the text is kept, and the model reads it.
    let text =
        log.iter().find(|frame| is(frame, "item.completed") && frame["item"]["kind"] == "text").unwrap();
    assert_eq!(
        (text["item"]["text"].as_str(), text["item"]["status"].as_str()),
        (Some("So far."), Some("failed"))
    );
    let asked = world.model_requests().pop().unwrap();
    let roles: Vec<&str> = asked["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"], "{asked}");
}

#[tokio::test]
async fn while_a_command_runs_and_another_call_waits_for_it() {
    let scenario = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call run_command {"command":"echo $$ >shell; exec sleep 600"}
call edit_file {"path":"a.txt","old":"alpha","new":"beta"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    // Its processes are looked for by their numbers, which are others in the sandbox.
    let running = world.run(&["--no-sandbox", "--json", "Do it."]).start();
    let shell = written(&world, "shell").await;
    running.kill().await;
    let log = go_on(&world).await;
    assert_eq!(outcomes(&log), ["run_command interrupted", "edit_file interrupted"]);
    assert_eq!(world.read("a.txt"), "alpha\n", "what was interrupted is not repeated by itself");
    eventually("the command is gone", || !is_alive(&shell)).await;
}

#[tokio::test]
async fn right_after_a_call_was_announced() {
    let scenario = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call edit_file {"path":"a.txt","old":"alpha","new":"beta"}
=== reply repeat
text "Done."
"#;
    // How far it came before the signal is for chance to say: the log and the file agree in any case.
    let world = World::play(scenario).await;
    let mut running = world.run(&["--json", "Do it."]).start();
    running.until(|frame| is(frame, "item.started")).await;
    running.kill().await;
    let ended = world.run(&["-c"]).end().await.expect(0);
    assert_eq!(ended.stdout, "Done.\n");
    world.check_played();
    let log = world.log().await;
    check_whole(&log);
    match &outcomes(&log)[..] {
        [outcome] if outcome == "edit_file success" => assert_eq!(world.read("a.txt"), "beta\n"),
        [outcome] if outcome == "edit_file interrupted" => {}
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn while_it_waits_to_ask_again() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
status 429 {"error":{"message":"too many requests"}}
header retry-after 100
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    let mut running = world.run(&["--json", "Do it."]).start();
    running.until(|frame| is(frame, "waiting") && frame["for"] == "retry").await;
    running.kill().await;
    go_on(&world).await;
    assert_eq!(world.model_requests().len(), 2);
}

#[tokio::test]
async fn while_a_new_task_comes_after_the_crash() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call run_command {"command":"echo $$ >shell; exec sleep 600"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    // Its processes are looked for by their numbers, which are others in the sandbox.
    let running = world.run(&["--no-sandbox", "--json", "Do it."]).start();
    let shell = written(&world, "shell").await;
    running.kill().await;
    world.run(&["-c", "Do something else."]).end().await.expect(0);
    world.check_played();
    let log = world.log().await;
    check_whole(&log);
    assert_eq!(log.iter().filter(|frame| is(frame, "turn.started")).count(), 2);
    assert_eq!(outcomes(&log), ["run_command interrupted"]);
    eventually("the command is gone", || !is_alive(&shell)).await;
}
