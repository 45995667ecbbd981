//! Which words of a message the user typed: only they can name a check.

use serde_json::Value;
use tokio::time::Instant;

use crate::chat_queue::{GATED, gated, open};
use crate::harness::{PATIENCE, World, is};
use crate::screen::{ALT_ENTER, CTRL_U, ENTER, Screen, UP};

const ANSWERS: &str = "=== server llamacpp window=16384\n=== reply repeat\ntext \"Hello.\"\n";

/// A log that names a check at its beginning.
fn paste() -> String {
    format!("make test is green here\n{}", "one line of output\n".repeat(12))
}

/// The checks that the turns' messages name.
async fn checks(world: &World) -> Vec<Option<String>> {
    let log = world.log().await;
    let turns = log.iter().filter(|frame| is(frame, "turn.started"));
    turns.map(|turn| turn["check"].as_str().map(str::to_owned)).collect()
}

/// The typed words of an entry's text.
fn typed(entry: &Value) -> String {
    let text = entry["text"].as_str().unwrap();
    let ranges = entry["typed"].as_array().cloned().unwrap_or_default();
    let at = |range: &Value, end: usize| usize::try_from(range[end].as_u64().unwrap()).unwrap();
    ranges.iter().map(|range| &text[at(range, 0)..at(range, 1)]).collect()
}

#[tokio::test]
async fn a_long_paste_names_no_check() {
    let world = World::play(ANSWERS).await;
    let mut screen = Screen::ready(&world, &[], 70, 60).await;
    screen.press("Why? ");
    screen.paste(&paste());
    screen.until("› Why? [pasted 13 lines]").await;
    screen.press(ENTER);
    screen.until("Hello.").await;
    // What comes back from the history is as little typed as it was.
    screen.press(UP);
    screen.until("› Why? [pasted 13 lines]").await;
    screen.press(" and run pytest");
    screen.press(ENTER);
    screen
        .until_screen("two turns are over", |shown| {
            shown.lines().filter(|line| line.trim_start().starts_with("0:0")).count() == 2
        })
        .await;
    screen.send("/undo");
    screen.until("› Why? [pasted 13 lines] and run pytest").await;
    screen.press(CTRL_U);
    screen.leave().await;
    assert_eq!(checks(&world).await, [None, Some("pytest".to_owned())]);
}

#[tokio::test]
async fn what_is_queued_and_what_steers_say_what_was_typed() {
    let (world, mut screen) = gated(GATED, 100, 30).await;
    screen.paste(&paste());
    screen.press(" is in the log.");
    screen.press(ENTER);
    screen.until("queued: make test is").await;
    screen.press(UP);
    screen.until("› [pasted 13 lines] is in the log.").await;
    screen.press(ENTER);
    screen.until("queued: make test is").await;
    screen.send("Is make test green?");
    screen.until_screen("two are queued", |shown| shown.matches("queued: ").count() == 2).await;
    screen.press("Look at ");
    screen.paste(&paste());
    screen.press(ALT_ENTER);
    // What steers is read behind the command only if it is on the log before the command ends.
    let deadline = Instant::now() + PATIENCE;
    while !world.log().await.iter().any(|entry| is(entry, "input")) {
        assert!(Instant::now() < deadline, "the steering never came");
    }
    open(&world);
    screen.until("Third answer.").await;
    screen.leave().await;
    assert_eq!(checks(&world).await, [None, None, Some("make test".to_owned())]);
    let log = world.log().await;
    let steering = log.iter().find(|entry| is(entry, "input")).unwrap();
    assert_eq!(typed(steering), "Look at ");
    let queued = log.iter().filter(|entry| is(entry, "queued") && entry["withdrawn"] != true);
    assert_eq!(
        queued.map(typed).collect::<Vec<_>>(),
        [" is in the log.", " is in the log.", "Is make test green?"]
    );
}

#[tokio::test]
async fn what_a_command_printed_names_no_check() {
    let world = World::play(ANSWERS).await;
    let mut screen = Screen::ready(&world, &[], 70, 20).await;
    screen.send("!echo make test fails");
    screen.until("will be sent with your next message").await;
    screen.send("Why is that?");
    screen.until("Hello.").await;
    screen.leave().await;
    let log = world.log().await;
    let turn = log.iter().find(|frame| is(frame, "turn.started")).unwrap();
    assert!(turn["text"].as_str().unwrap().contains("make test fails"), "{turn}");
    assert_eq!(typed(turn), "Why is that?");
    assert_eq!(checks(&world).await, [None]);
}

#[tokio::test]
async fn the_argument_of_run_is_typed_and_nothing_else() {
    let world = World::play(ANSWERS).await;
    let log = "`make test` fails\n";
    std::fs::write(world.project().join("task.md"), log).unwrap();
    world.run(&["-f", "task.md"]).end().await.expect(0);
    assert_eq!(checks(&world).await, [None]);
    for (task, check) in [("Why?", None), ("  pytest fails, see:\n", Some("pytest")), ("-", None)] {
        world.run(&[task]).input(log).end().await.expect(0);
        assert_eq!(checks(&world).await, [check.map(str::to_owned)], "{task}");
    }
}
