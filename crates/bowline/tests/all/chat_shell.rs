//! `!` lines: the user's own commands in the chat.

use crate::harness::{HELLO, World, eventually, is_alive, written};
use crate::screen::{CTRL_C, Screen};

#[tokio::test]
async fn output_and_exit_code_go_with_the_next_message() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("!echo out; echo err >&2; exit 7");
    screen.until("exit 7 · will be sent with your next message").await;
    screen.until("output attached").await;
    assert!(screen.shown().contains("  out\n") && screen.shown().contains("  err\n"), "{}", screen.shown());
    assert!(world.model_requests().is_empty());
    screen.send("What went wrong?");
    screen.until("Hello.").await;
    let said = world.last_user_message();
    for words in ["What went wrong?", "echo out; echo err", "exit 7", "\nout", "\nerr"] {
        assert!(said.contains(words), "{words:?}: {said}");
    }
    screen.until_gone("output attached").await;
    screen.leave().await;
}

#[tokio::test]
async fn control_c_ends_a_command_that_waits() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("!sleep 600 & echo $! >pid; echo waiting; wait");
    screen.until("  waiting").await;
    let pid = written(&world, "pid").await;
    screen.press(CTRL_C);
    screen.until("stopped by you").await;
    eventually("the command is gone", || !is_alive(&pid)).await;
    screen.send("Go on.");
    screen.until("Hello.").await;
    assert!(world.last_user_message().contains("stopped by you"), "{}", world.last_user_message());
    screen.leave().await;
}

#[tokio::test]
async fn leaving_ends_a_command_too() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("!sleep 600 & echo $! >pid; echo waiting; wait");
    screen.until("  waiting").await;
    let pid = written(&world, "pid").await;
    screen.leave().await;
    eventually("the command is gone", || !is_alive(&pid)).await;
}

#[tokio::test]
async fn a_command_that_ignores_being_asked_is_ended_too() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("!trap '' TERM; echo $$ >pid; echo waiting; while :; do sleep 1; done");
    screen.until("  waiting").await;
    let pid = written(&world, "pid").await;
    screen.press(CTRL_C);
    screen.until("stopped by you").await;
    eventually("the command is gone", || !is_alive(&pid)).await;
    screen.leave().await;
}

#[tokio::test]
async fn bytes_that_are_no_text_are_shown_as_such() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 60, 24).await;
    screen.send("!head -c 5000 /dev/urandom; echo; echo the end");
    screen.until("exit 0 · will be sent with your next message").await;
    screen.until("the end").await;
    screen.send("Look.");
    screen.until("Hello.").await;
    screen.leave().await;
    world.check_played();
}

#[tokio::test]
async fn a_hundred_thousand_lines() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 60, 24).await;
    screen.send("!seq 100000");
    screen.until("exit 0 · will be sent with your next message").await;
    let raw = String::from_utf8_lossy(&screen.raw).into_owned();
    let numbers: Vec<usize> = raw
        .lines()
        .filter_map(|line| line.trim_end().trim_end_matches("\x1b[K").rsplit_once("  ")?.1.parse().ok())
        .collect();
    assert_eq!(numbers.len(), 100_000);
    assert!(numbers.is_sorted());
    screen.send("Look.");
    screen.until("Hello.").await;
    let said = world.last_user_message();
    assert!(said.contains("\n100000") && said.len() < 10_000, "{}", said.len());
    screen.leave().await;
}

#[tokio::test]
async fn a_line_without_end_is_not_held() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 60, 24).await;
    screen.send("!head -c 200000000 /dev/zero | tr '\\0' x; echo; echo after");
    screen.until("exit 0 · will be sent with your next message").await;
    screen.until("  after").await;
    screen.leave().await;
}

#[tokio::test]
async fn one_command_at_a_time() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("!echo begun; until test -e go; do sleep 0.05; done");
    screen.until("  begun").await;
    screen.send("!echo another");
    screen.until("another shell command is still running").await;
    screen.until("› !echo another").await;
    std::fs::write(world.project().join("go"), "").unwrap();
    screen.until("exit 0").await;
    screen.press("\r");
    screen.until("  another").await;
    screen.leave().await;
}

#[tokio::test]
async fn what_it_started_is_ended_with_it() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("!trap '' TERM; sleep 600 & echo $! >pid; echo waiting; wait");
    screen.until("  waiting").await;
    let pid = written(&world, "pid").await;
    screen.press(CTRL_C);
    screen.until("stopped by you").await;
    eventually("the command is gone", || !is_alive(&pid)).await;
    screen.leave().await;
}

#[tokio::test]
async fn one_that_prints_nothing_any_more_is_ended_too() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("!exec >&- 2>&-; echo $$ >pid; exec sleep 600");
    let pid = written(&world, "pid").await;
    screen.press(CTRL_C);
    screen.until("stopped by you").await;
    eventually("the command is gone", || !is_alive(&pid)).await;
    screen.leave().await;
}
