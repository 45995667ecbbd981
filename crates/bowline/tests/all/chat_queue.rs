//! Typing ahead while a turn runs: queued, taken back, steering.

use crate::harness::World;
use crate::screen::{ALT_ENTER, CTRL_D, CTRL_U, ENTER, ESCAPE, Screen, UP};

/// A command that ends when the test says so.
pub(crate) const GATED: &str = r#"
=== server llamacpp window=16384
=== reply
call run_command {"command":"until test -e go; do sleep 0.05; done"}
=== reply
text "First answer."
=== reply
text "Second answer."
=== reply
text "Third answer."
"#;

pub(crate) async fn gated(scenario: &str, columns: u16, lines: u16) -> (World, Screen) {
    let world = World::play(scenario).await;
    let mut screen = Screen::ready(&world, &["--yes"], columns, lines).await;
    screen.send("The first.");
    screen.until("run until test").await;
    (world, screen)
}

pub(crate) fn open(world: &World) {
    std::fs::write(world.project().join("go"), "").unwrap();
}

#[tokio::test]
async fn messages_wait_for_their_turn() {
    let (world, mut screen) = gated(GATED, 100, 30).await;
    screen.send("The second.");
    screen.until("queued: The second.").await;
    screen.send("The third.");
    screen.until("queued: The third.").await;
    screen.check("queue-100").await;
    open(&world);
    screen.until("Third answer.").await;
    screen.until_gone("queued:").await;
    let history = screen.history();
    let order: Vec<usize> =
        ["First answer.", "› The second.", "Second answer.", "› The third.", "Third answer."]
            .iter()
            .map(|words| history.find(words).unwrap_or_else(|| panic!("{words}:\n{history}")))
            .collect();
    assert!(order.is_sorted(), "{history}");
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    world.check_played();
}

#[tokio::test]
async fn the_last_one_can_be_recalled() {
    let (world, mut screen) = gated(&GATED.replace("=== reply\ntext \"Third answer.\"\n", ""), 100, 30).await;
    screen.send("The second.");
    screen.until("queued: The second.").await;
    screen.send("A mistake.");
    screen.until("queued: A mistake.").await;
    screen.press(UP);
    screen.until("› A mistake.").await;
    screen.until_gone("queued: A mistake.").await;
    screen.press(CTRL_U);
    screen.until_gone("A mistake.").await;
    open(&world);
    screen.until("Second answer.").await;
    screen.until_gone("queued:").await;
    assert!(world.last_user_message().contains("The second."), "{}", world.last_user_message());
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    assert!(!format!("{:?}", world.model_requests()).contains("A mistake."));
    world.check_played();
}

#[tokio::test]
async fn both_can_be_recalled_and_nothing_runs() {
    let scenario =
        GATED.replace("=== reply\ntext \"Second answer.\"\n=== reply\ntext \"Third answer.\"\n", "");
    let (world, mut screen) = gated(&scenario, 100, 30).await;
    screen.send("One too many.");
    screen.until("queued: One too many.").await;
    screen.press(UP);
    screen.until_gone("queued:").await;
    screen.press(CTRL_U);
    screen.until_gone("One too many.").await;
    open(&world);
    screen.until("First answer.").await;
    screen.until_gone("type ahead").await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    world.check_played();
}

#[tokio::test]
async fn a_steering_message_is_read_at_once() {
    let world = World::play(
        "=== server llamacpp window=16384\n=== reply\ntext \"So far.\"\nhang\n=== reply\ntext \"Turned.\"\n",
    )
    .await;
    let mut screen = Screen::ready(&world, &[], 100, 30).await;
    screen.send("Do it.");
    screen.until("So far.").await;
    screen.press("The other way.");
    screen.until("› The other way.").await;
    screen.press(ALT_ENTER);
    screen.until("Turned.").await;
    assert!(world.last_user_message().contains("The other way."), "{}", world.last_user_message());
    let history = screen.history();
    assert_eq!(history.matches("The other way.").count(), 1, "{history}");
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    world.check_played();
}

#[tokio::test]
async fn a_stopped_turn_keeps_the_queue() {
    let (world, mut screen) = gated(GATED, 100, 30).await;
    screen.send("The second.");
    screen.until("queued: The second.").await;
    screen.press(ESCAPE);
    screen.until("Enter sends the queued message").await;
    screen.until("queued: The second.").await;
    screen.press(ENTER);
    screen.until("First answer.").await;
    let asked = world.model_requests().pop().unwrap().to_string();
    assert!(asked.contains("The second."), "{asked}");
    screen.until_gone("queued:").await;
}
