//! Stopping, going on, leaving.

use rustix::process::Signal;

use crate::harness::{World, eventually, is_alive, written};
use crate::screen::{CTRL_C, CTRL_D, ENTER, ESCAPE, Screen};

const STREAM: &str = "=== server llamacpp window=16384\n=== reply\ntext \"So far, so good.\"\nhang\n=== reply\ntext \"And on.\"\n";
const ENDLESS: &str = include_str!("../../../../scenarios/endless-same-call.scenario");

/// As the shell expects it: a cursor, no pasting in brackets, keys as they were, no live region.
fn check_restored(screen: &Screen) {
    let raw = String::from_utf8_lossy(&screen.raw);
    let restored = raw.rfind("\x1b[<u\x1b[?2004l\x1b[?25h").expect("the terminal is restored");
    let behind = &raw[restored..];
    assert!(!behind.contains("\x1b[?25l") && !behind.contains("\x1b[?2004h"), "{behind:?}");
    assert!(!screen.shown().contains("type ahead"), "{}", screen.shown());
}

async fn streaming(world: &World) -> Screen {
    let mut screen = Screen::ready(world, &[], 100, 20).await;
    screen.send("Do it.");
    screen.until("So far, so good.").await;
    screen.until("type ahead").await;
    screen
}

#[tokio::test]
async fn escape_stops_and_enter_continues() {
    let world = World::play(STREAM).await;
    let mut screen = streaming(&world).await;
    screen.press(ESCAPE);
    world.until_aborted().await;
    screen.until("Enter continues; or say").await;
    screen.check("stopped-100").await;
    screen.press(ENTER);
    screen.until("And on.").await;
    screen.until_gone("› Enter continues").await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    check_restored(&screen);
    world.check_played();
}

#[tokio::test]
async fn control_c_stops_and_says_what_to_do_instead() {
    let world = World::play(STREAM).await;
    let mut screen = streaming(&world).await;
    screen.press(CTRL_C);
    world.until_aborted().await;
    screen.until("Enter continues; or say").await;
    screen.send("Do that instead.");
    screen.until("And on.").await;
    assert!(world.last_user_message().contains("Do that instead."), "{}", world.last_user_message());
    world.check_played();
}

#[tokio::test]
async fn control_c_twice_leaves_at_rest() {
    let world = World::play(STREAM).await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.press("a draft");
    screen.until("› a draft").await;
    screen.press(CTRL_C);
    screen.until_gone("a draft").await;
    screen.press(CTRL_C);
    screen.until("Ctrl-C again leaves").await;
    screen.press("x");
    screen.until("› x").await;
    screen.press("\x7f");
    screen.until_gone("› x").await;
    screen.press(CTRL_C);
    screen.until("Ctrl-C again leaves").await;
    screen.press(CTRL_C);
    assert_eq!(screen.end().await.code(), Some(0));
    check_restored(&screen);
}

#[tokio::test]
async fn control_c_twice_leaves_a_turn_that_does_not_stop() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call run_command {"command":"trap '' TERM; echo $$ >pid; while :; do sleep 1; done"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    let mut screen = Screen::ready(&world, &["--yes", "--no-sandbox"], 100, 20).await;
    screen.send("Do it.");
    let pid = written(&world, "pid").await;
    // At once: a moment later the command is killed, and the turn has stopped after all.
    screen.press(&CTRL_C.repeat(2));
    assert_eq!(screen.end().await.code(), Some(130));
    check_restored(&screen);
    eventually("the command is gone", || !is_alive(&pid)).await;
}

#[tokio::test]
async fn control_d_leaves_an_empty_input_only() {
    let world = World::play(STREAM).await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.press("ab\x1b[D");
    screen.press(CTRL_D);
    screen.until_gone("› ab").await;
    screen.until("› a").await;
    screen.press("\x7f");
    screen.until_gone("› a").await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    check_restored(&screen);
}

#[tokio::test]
async fn a_termination_restores_the_terminal() {
    let world = World::play(STREAM).await;
    let mut screen = streaming(&world).await;
    screen.press("a draft");
    screen.until("› a draft").await;
    screen.signal(Signal::TERM);
    assert_eq!(screen.end().await.code(), Some(143));
    check_restored(&screen);
    world.until_aborted().await;
}

#[tokio::test]
async fn a_hangup_ends_it() {
    let world = World::play(STREAM).await;
    let mut screen = streaming(&world).await;
    screen.signal(Signal::HUP);
    assert_eq!(screen.end().await.code(), Some(143));
    check_restored(&screen);
    world.until_aborted().await;
}

#[tokio::test]
async fn a_guard_stops_and_enter_continues() {
    let world = World::play(ENDLESS).await;
    let mut screen = Screen::ready(&world, &[], 100, 50).await;
    screen.send(&world.task.clone());
    screen.until("type a hint first").await;
    screen.check("guard-100").await;
    let asked = world.model_requests().len();
    screen.press(ENTER);
    screen.until_screen("a second stop", |screen| screen.matches("type a hint first").count() == 2).await;
    let again = world.model_requests().len();
    assert!(again > asked);
    screen.send("read b.txt instead");
    screen
        .until_screen("a third stop", |screen| {
            let hinted = screen.split("› read b.txt instead").nth(1).unwrap_or_default();
            hinted.contains("type a hint first")
        })
        .await;
    let hinted = world.model_requests().get(again).unwrap().to_string();
    assert!(hinted.contains("read b.txt instead"), "{hinted}");
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
}
