//! Input to a running turn from another process: the test, which opens the same database.

use bowline_core::entry::{Answer, Body, Input, InputKind, PermissionAnswered, Queued, Scope};
use bowline_core::typed::Typed;
use serde_json::Value;

use crate::harness::{World, eventually, is, is_alive, written};
use crate::log::{check_whole, ends, outcomes};
use crate::terminal::Terminal;

fn input(kind: InputKind, text: Option<&str>) -> Body {
    Body::Input(Input { kind, text: text.map(str::to_owned), typed: Typed::nothing(), by: "web".to_owned() })
}

#[tokio::test]
async fn a_stop_closes_the_stream() {
    let world = World::play("=== server llamacpp window=16384\n=== reply\ntext \"So far.\"\nhang\n").await;
    let mut running = world.run(&["--json", "Do it."]).start();
    let frame = running.until(|frame| is(frame, "text.delta")).await;
    world.say(&frame, input(InputKind::Stop, None)).await;
    let ended = running.end().await.expect(130);
    world.until_aborted().await;
    let log = world.log().await;
    check_whole(&log);
    assert_eq!(ends(&log), ["turn.paused cancelled"]);
    // The stop stands in the stream of frames, before what it brought about.
    let frames = ended.frames();
    let stop = frames.iter().position(|frame| is(frame, "input")).unwrap();
    let end = frames.iter().position(|frame| is(frame, "turn.paused")).unwrap();
    assert!(stop < end && frames[stop]["by"] == "web" && frames[stop]["kind"] == "stop", "{ended}");
    assert_eq!(frames[end]["text"], "So far.");
}

#[tokio::test]
async fn a_stop_ends_the_command_with_its_whole_group() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call run_command {"command":"trap '' TERM; sleep 600 & echo $$ $! >pids; wait"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    // Its processes are looked for by their numbers, which are others in the sandbox.
    let mut running = world.run(&["--yes", "--no-sandbox", "--json", "Do it."]).start();
    let frame = running.until(|frame| is(frame, "item.started")).await;
    let pids = written(&world, "pids").await;
    world.say(&frame, input(InputKind::Stop, None)).await;
    running.end().await.expect(130);
    for pid in pids.split(' ') {
        eventually("the command is gone", || !is_alive(pid)).await;
    }
    world.run(&["-c"]).end().await.expect(0);
    world.check_played();
    let log = world.log().await;
    check_whole(&log);
    assert_eq!(outcomes(&log), ["run_command interrupted"]);
    assert_eq!(ends(&log), ["turn.paused cancelled", "turn.completed done"]);
}

#[tokio::test]
async fn a_steering_message_turns_the_answer() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
text "I would use tabs."
hang
=== reply
text "Spaces, then."
"#;
    let world = World::play(scenario).await;
    let mut running = world.run(&["--json", "Indent it."]).start();
    let frame = running.until(|frame| is(frame, "text.delta")).await;
    world.say(&frame, input(InputKind::Steer, Some("Use spaces."))).await;
    let ended = running.end().await.expect(0);
    world.until_aborted().await;
    world.check_played();
    assert_eq!(ended.frames().last().unwrap()["text"], "Spaces, then.");
    let messages = world.model_requests().pop().unwrap()["messages"].clone();
    let last = messages.as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["role"], &last["content"]), (&"user".into(), &"Use spaces.".into()));
}

#[tokio::test]
async fn a_queued_message_waits_for_the_next_run() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
text "Hello."
call run_command {"command":"cat fifo"}
=== reply
text "Hello again."
=== reply
text "Goodbye."
"#;
    let world = World::play(scenario).await;
    let fifo = world.project().join("fifo");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
    let mut running = world.run(&["--json", "Say hello."]).start();
    let frame = running.until(|frame| is(frame, "item.started") && frame["item"]["kind"] == "command").await;
    let queued = Queued {
        id: "q1".to_owned(),
        text: "Say goodbye.".to_owned(),
        typed: Typed::nothing(),
        by: "web".to_owned(),
        withdrawn: false,
    };
    world.say(&frame, Body::Queued(queued)).await;
    running.until(|frame| is(frame, "queued")).await;
    // Opening it for writing waits for the command that reads from it.
    tokio::task::spawn_blocking(move || std::fs::write(fifo, "go\n")).await.unwrap().unwrap();
    running.end().await.expect(0);
    let says_goodbye = |body: &Value| body["messages"].to_string().contains("Say goodbye.");
    assert!(!world.model_requests().iter().any(says_goodbye), "it was no part of the running turn");
    let ended = world.run(&["-c"]).end().await.expect(0);
    assert_eq!(ended.stdout, "Goodbye.\n");
    assert!(says_goodbye(&world.model_requests().pop().unwrap()));
    world.check_played();
    let log = world.log().await;
    check_whole(&log);
    let turns: Vec<&str> = log
        .iter()
        .filter(|frame| is(frame, "turn.started"))
        .map(|frame| frame["text"].as_str().unwrap())
        .collect();
    assert_eq!(turns, ["Say hello.", "Say goodbye."]);
}

#[tokio::test]
async fn a_question_on_a_terminal_can_be_answered_elsewhere() {
    let world = World::play(&outside_scenario()).await;
    let file = world.path().join("outside.txt");
    std::fs::write(&file, "beyond\n").unwrap();
    let mut terminal = Terminal::new();
    let mut running = terminal.attach(world.run(&["--json", "Read it."])).start_on_terminal();
    terminal.started();
    let asked = running.until(|frame| is(frame, "permission.asked")).await;
    terminal.until("[n]o, or type a reason").await;
    let item = asked["item"].as_str().unwrap().to_owned();
    let answered = PermissionAnswered {
        item,
        answer: Answer::Yes,
        scope: Scope::Once,
        reason: None,
        by: "web".to_owned(),
    };
    world.say(&asked, Body::PermissionAnswered(answered)).await;
    let ended = running.end().await.expect(0);
    world.check_played();
    let frames = ended.frames();
    assert_eq!(outcomes(&frames), ["view_file success"]);
    let answered = frames.iter().find(|frame| is(frame, "permission.answered")).unwrap();
    assert_eq!((&answered["answer"], &answered["by"]), (&"yes".into(), &"web".into()));
}

/// A model that wants to read a file beside the project.
pub(crate) fn outside_scenario() -> String {
    r#"
=== server llamacpp window=16384
=== reply
call view_file {"path":"../outside.txt"}
=== reply
text "Done."
"#
    .to_owned()
}
