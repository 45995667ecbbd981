//! Ctrl-C and a request to end.

use rustix::process::Signal;

use crate::harness::{World, eventually, is, is_alive, written};
use crate::log::{check_whole, ends, outcomes};

const COMMAND: &str = r#"
=== server llamacpp window=16384
=== reply
call run_command {"command":"sleep 600 & echo $$ $! >pids; wait"}
=== reply
text "Done."
"#;

async fn check_signal(signal: Signal, code: i32) {
    let world = World::play(COMMAND).await;
    // Its processes are looked for by their numbers, which are others in the sandbox.
    let running = world.run(&["--no-sandbox", "Do it."]).start();
    let pids = written(&world, "pids").await;
    running.signal(signal);
    running.end().await.expect(code).says(&["stopping; Ctrl-C again exits at once", "bowline run -c"]);
    for pid in pids.split(' ') {
        eventually("the command is gone", || !is_alive(pid)).await;
    }
    let list = world.bowline(&["sessions", "list"]).end().await.expect(0);
    assert!(list.stdout.contains(" paused "), "{list}");
    let ended = world.run(&["-c"]).end().await.expect(0);
    assert_eq!(ended.stdout, "Done.\n");
    world.check_played();
    let log = world.log().await;
    check_whole(&log);
    assert_eq!(outcomes(&log), ["run_command interrupted"]);
    assert_eq!(ends(&log), ["turn.paused cancelled", "turn.completed done"]);
}

#[tokio::test]
async fn an_interrupt_pauses_the_turn() {
    check_signal(Signal::INT, 130).await;
}

#[tokio::test]
async fn a_request_to_end_pauses_the_turn() {
    check_signal(Signal::TERM, 143).await;
}

#[tokio::test]
async fn a_second_interrupt_ends_at_once() {
    // The command leaves a process in the background that ignores the request to end, so the first interrupt has to
    // wait for it. The second one is sent during that wait, long before the turn is paused.
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call run_command {"command":"trap '' TERM; sleep 600 >/dev/null 2>&1 & echo $! >left"}
=== reply
text "Waiting."
hang
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    let mut running = world.run(&["--yes", "--no-sandbox", "--json", "Do it."]).start();
    running.until(|frame| is(frame, "text.delta")).await;
    let left = written(&world, "left").await;
    assert!(is_alive(&left));
    running.signal(Signal::INT);
    running.until(|frame| is(frame, "input")).await;
    running.signal(Signal::INT);
    let ended = running.end().await.expect(130).says(&["exited before the turn ended"]);
    assert!(is(ended.frames().last().unwrap(), "error"), "{ended}");
    eventually("what was left is gone", || !is_alive(&left)).await;
    world.run(&["-c"]).end().await.expect(0);
    check_whole(&world.log().await);
}
