//! Earlier sessions: gone on with, chosen, left for a new one, and after a `kill -9`.

use rustix::process::Signal;

use crate::harness::World;
use crate::screen::{ENTER, Screen};

const THREE: &str = r#"
=== server llamacpp window=16384
=== reply
text "First answer."
=== reply
text "Second answer."
=== reply
text "Third answer."
"#;

async fn first(world: &World) {
    let mut screen = Screen::ready(world, &[], 60, 24).await;
    screen.send("The 1st message.");
    screen.until("First answer.").await;
    screen.leave().await;
}

#[tokio::test]
async fn the_last_session_is_resumed() {
    let world = World::play(THREE).await;
    first(&world).await;
    let mut screen = Screen::chat(&world, &["-c"], 60, 24);
    screen.until("First answer.").await;
    screen.until("scripted-coder:7b").await;
    screen.send("The 2nd message.");
    screen.until("Second answer.").await;
    let asked = world.model_requests().pop().unwrap().to_string();
    assert!(asked.contains("The 1st message.") && asked.contains("The 2nd message."), "{asked}");
    screen.leave().await;
}

#[tokio::test]
async fn what_is_typed_before_the_session_is_open_goes_to_it() {
    let world = World::play(THREE).await;
    first(&world).await;
    let mut screen = Screen::chat(&world, &["-c"], 60, 24);
    screen.until("bowline in").await;
    screen.send("The 2nd message.");
    screen.until("Second answer.").await;
    let asked = world.model_requests().pop().unwrap().to_string();
    assert!(asked.contains("The 1st message.") && asked.contains("The 2nd message."), "{asked}");
    screen.leave().await;
}

#[tokio::test]
async fn a_session_is_chosen_by_its_number() {
    let world = World::play(THREE).await;
    first(&world).await;
    let mut screen = Screen::ready(&world, &[], 60, 24).await;
    screen.send("/sessions");
    screen.until("/sessions NUMBER resumes one").await;
    // The title has a 1 in it too.
    screen.send("/sessions 1");
    screen.until("First answer.").await;
    screen.send("The 2nd message.");
    screen.until("Second answer.").await;
    screen.until_gone("type ahead").await;
    let asked = world.model_requests().pop().unwrap().to_string();
    assert!(asked.contains("The 1st message."), "{asked}");
    screen.send("/new");
    screen.until("new session; /sessions lists earlier ones").await;
    screen.send("The 3rd message.");
    screen.until("Third answer.").await;
    let asked = world.model_requests().pop().unwrap().to_string();
    assert!(!asked.contains("The 1st message."), "{asked}");
    screen.leave().await;
    world.check_played();
}

#[tokio::test]
async fn there_is_no_earlier_session() {
    let world = World::play(THREE).await;
    let mut screen = Screen::chat(&world, &["-c"], 60, 24);
    screen.until("there is no session in this folder yet").await;
    screen.until("scripted-coder:7b").await;
    screen.send("/sessions");
    screen.until("there is no earlier session in this folder").await;
    screen.send("/sessions 3");
    screen.until("there is no such session").await;
    screen.send("The 1st message.");
    screen.until("First answer.").await;
    screen.leave().await;
}

#[tokio::test]
async fn a_killed_turn_is_continued() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
text "I am at it"
hang
=== reply
text "Done after all."
"#;
    let world = World::play(scenario).await;
    let mut screen = Screen::ready(&world, &[], 60, 24).await;
    screen.send("Do it.");
    screen.until("I am at it").await;
    screen.signal(Signal::KILL);
    assert_eq!(screen.end().await.code(), None);
    let mut screen = Screen::chat(&world, &["-c"], 60, 24);
    screen.until("Enter continues it").await;
    screen.until("scripted-coder:7b").await;
    screen.until("› Enter continues").await;
    let shown = screen.shown();
    assert_eq!(shown.matches("› Do it.").count(), 1, "{shown}");
    assert!(!shown.contains("Ctrl-D leaves"), "there is something to go on with:\n{shown}");
    screen.press(ENTER);
    screen.until("Done after all.").await;
    screen.leave().await;
    world.check_played();
}

#[tokio::test]
async fn a_killed_command_is_not_repeated() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call run_command {"command":"echo once >>count; sleep 600"}
=== reply
text "Done after all."
"#;
    let world = World::play(scenario).await;
    let mut screen = Screen::ready(&world, &["--yes"], 60, 24).await;
    screen.send("Do it.");
    crate::harness::written(&world, "count").await;
    screen.signal(Signal::KILL);
    assert_eq!(screen.end().await.code(), None);
    let mut screen = Screen::chat(&world, &["-c"], 60, 24);
    screen.until("Enter continues it").await;
    screen.until("scripted-coder:7b").await;
    screen.press(ENTER);
    screen.until("Done after all.").await;
    screen.leave().await;
    assert_eq!(world.read("count"), "once\n");
    world.check_played();
}

#[tokio::test]
async fn a_long_session_is_shown_from_its_end() {
    let lines: Vec<String> = (1..=300).map(|number| format!("line {number} of it")).collect();
    let scenario = format!(
        "=== server llamacpp window=16384\n=== reply\ntext {}\n=== reply\ntext \"Second answer.\"\n",
        serde_json::json!(lines.join("\n\n"))
    );
    let world = World::play(&scenario).await;
    world.run(&["Say much."]).end().await.expect(0);
    let mut screen = Screen::chat(&world, &["-c"], 60, 24);
    screen.until("line 300 of it").await;
    screen.until("· llamacpp/scripted").await;
    let history = screen.history();
    assert!(history.contains("earlier rows: bowline sessions show"), "{history}");
    assert!(!history.contains("line 200 of it"), "{history}");
    screen.leave().await;
}
