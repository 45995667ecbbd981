//! `/undo`, `/redo` and `/diff` in the chat.

use crate::harness::World;
use crate::screen::{CTRL_U, ENTER, Screen};

/// Draws anew.
const CTRL_L: &str = "\x0c";

const WRITES: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call edit_file {"path":"a.txt","old":"alpha","new":"beta"}
=== reply
text "Now it is beta."
=== reply
text "Sent once more."
=== reply
text "It is beta already."
"#;

#[tokio::test]
async fn a_turn_is_undone_redone_and_its_text_sent_again() {
    let world = World::play(WRITES).await;
    let mut screen = Screen::ready(&world, &["--yes"], 80, 30).await;
    screen.send("/undo");
    screen.until("there is nothing to undo yet").await;
    screen.send("Make it beta.");
    screen.until("Now it is beta.").await;
    screen.until("a.txt +1").await;
    screen.send("/diff");
    screen.until("t1: Make it beta.").await;
    screen.send("/undo");
    screen.until("/redo restores it").await;
    assert_eq!(world.read("a.txt"), "alpha\n");
    assert!(screen.shown().contains("undid: Make it beta."), "{}", screen.shown());
    // The text is in the input, and is not sent by the next command.
    screen.press(CTRL_U);
    screen.send("/redo");
    screen.until("/undo undoes it again").await;
    assert_eq!(world.read("a.txt"), "beta\n");
    screen.press(CTRL_L);
    screen.until_gone("Enter sends the text again").await;
    screen.send("/undo");
    screen.until("Enter sends the text again").await;
    screen.press(ENTER);
    screen.until("Sent once more.").await;
    let asked = world.model_requests().pop().unwrap();
    let texts = asked["messages"].to_string();
    assert_eq!(texts.matches("Make it beta.").count(), 1, "{texts}");
    assert!(!texts.contains("Now it is beta."), "{texts}");
    screen.leave().await;
    world.check_played();
}
