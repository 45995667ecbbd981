//! Keys that come too early or all at once, and two chats beside each other.

use crate::harness::World;
use crate::screen::{ALT_ENTER, CTRL_C, ENTER, ESCAPE, Screen};

const TWO: &str =
    "=== server llamacpp window=16384\n=== reply\ntext \"First.\"\n=== reply\ntext \"Second.\"\n";

#[tokio::test]
async fn two_messages_at_once() {
    let world = World::play(TWO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.press("one\rtwo\r");
    screen.until("Second.").await;
    screen.until_gone("queued:").await;
    assert!(world.last_user_message().contains("two"), "{}", world.last_user_message());
    let history = screen.history();
    assert_eq!((history.matches("› one").count(), history.matches("› two").count()), (1, 1), "{history}");
    screen.leave().await;
    world.check_played();
}

#[tokio::test]
async fn steering_before_there_is_a_turn_is_not_lost() {
    let world = World::play(TWO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.press("one\rtwo");
    screen.press(ALT_ENTER);
    screen.until("› two").await;
    screen
        .until_screen("both were said", |_| {
            world.model_requests().iter().any(|asked| asked.to_string().contains("two"))
        })
        .await;
    screen.until_gone("queued:").await;
    screen.leave().await;
}

#[tokio::test]
async fn a_stop_before_there_is_a_turn() {
    let world = World::play(
        "=== server llamacpp window=16384\n=== reply\ntext \"So far.\"\nhang\n=== reply\ntext \"Second.\"\n",
    )
    .await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("one");
    screen.press(ESCAPE);
    screen.until("stopped").await;
    screen.until("› Enter continues").await;
    screen.leave().await;
}

#[tokio::test]
async fn leaving_before_there_is_a_turn() {
    let world = World::play("=== server llamacpp window=16384\n=== reply\nhang\n").await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("one");
    screen.press(CTRL_C);
    screen.press(CTRL_C);
    screen.press(CTRL_C);
    let code = screen.end().await.code();
    assert!(matches!(code, Some(0 | 130)), "{code:?}");
}

#[tokio::test]
async fn a_message_before_the_model_is_found() {
    let world = World::play(TWO).await;
    let mut screen = Screen::chat(&world, &[], 100, 24);
    screen.until("›").await;
    screen.send("one");
    screen.until("First.").await;
    assert_eq!(screen.history().matches("› one").count(), 1, "{}", screen.history());
    screen.leave().await;
}

#[tokio::test]
async fn another_chat_in_the_same_session() {
    let world =
        World::play("=== server llamacpp window=16384 slots=2\n=== reply\ntext \"So far.\"\nhang\n=== reply\ntext \"Second.\"\n").await;
    let mut first = Screen::ready(&world, &[], 100, 24).await;
    first.send("one");
    first.until("So far.").await;
    let mut second = Screen::chat(&world, &["-c"], 100, 24);
    second.until("› one").await;
    second.until("window 16384").await;
    second.send("two");
    // It can't have a turn of its own there, and what was typed is not lost.
    second.until("› two\n  llamacpp").await;
    first.press(ESCAPE);
    first.until("Enter continues; or say").await;
    first.leave().await;
    second.press(ENTER);
    second.until("Second.").await;
    second.leave().await;
}
