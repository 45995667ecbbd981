//! Permission questions in the chat.

use bowline_core::entry::{Answer, Body, PermissionAnswered, Scope};

use crate::harness::{World, is};
use crate::screen::{CTRL_D, ENTER, ESCAPE, Screen};

const ASKS: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
text "I delete it."
call run_command {"command":"rm -f a.txt"}
=== reply
text "The end."
"#;

async fn asked(world: &World, columns: u16) -> Screen {
    let mut screen = Screen::ready(world, &[], columns, 24).await;
    screen.send("Delete it.");
    screen.until("[r]").await;
    screen
}

/// One key, and what was answered.
async fn answer(keys: &str) -> (World, serde_json::Value) {
    let world = World::play(ASKS).await;
    let mut screen = asked(&world, 100).await;
    screen.press(keys);
    screen.until("The end.").await;
    screen.until_gone("[r]").await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    world.check_played();
    let log = world.log().await;
    let answered = log.iter().find(|frame| is(frame, "permission.answered")).unwrap().clone();
    (world, answered)
}

fn is_there(world: &World) -> bool {
    world.project().join("a.txt").exists()
}

#[tokio::test]
async fn y_is_yes_once() {
    let (world, answered) = answer("y").await;
    assert_eq!((&answered["answer"], &answered["scope"]), (&"yes".into(), &serde_json::Value::Null));
    assert!(!is_there(&world));
}

#[tokio::test]
async fn s_is_for_the_session() {
    let (world, answered) = answer("s").await;
    assert_eq!((&answered["answer"], &answered["scope"]), (&"yes".into(), &"session".into()));
    assert!(!is_there(&world));
}

#[tokio::test]
async fn p_is_for_the_project() {
    let (world, answered) = answer("p").await;
    assert_eq!((&answered["answer"], &answered["scope"]), (&"yes".into(), &"project".into()));
    assert!(!is_there(&world));
}

#[tokio::test]
async fn n_is_no() {
    let (world, answered) = answer("n").await;
    assert_eq!((&answered["answer"], &answered["reason"]), (&"no".into(), &serde_json::Value::Null));
    assert!(is_there(&world));
}

#[tokio::test]
async fn r_has_a_reason_that_the_model_is_told() {
    let (world, answered) = answer("rnot yours, sorry\r").await;
    assert_eq!((&answered["answer"], &answered["reason"]), (&"no".into(), &"not yours, sorry".into()));
    assert!(is_there(&world));
    let last = world.model_requests().pop().unwrap().to_string();
    assert!(last.contains("not yours, sorry"), "{last}");
}

#[tokio::test]
async fn a_reason_can_be_given_up() {
    let world = World::play(ASKS).await;
    let mut screen = asked(&world, 100).await;
    screen.press("rno wa");
    screen.until("no, because: no wa").await;
    screen.press(ESCAPE);
    screen.until("[r]").await;
    screen.press("y");
    screen.until("The end.").await;
    assert!(!is_there(&world));
}

#[tokio::test]
async fn a_question_looks_like_this() {
    for columns in [60, 100] {
        let world = World::play(ASKS).await;
        let mut screen = asked(&world, columns).await;
        screen.check(&format!("question-{columns}")).await;
    }
}

#[tokio::test]
async fn enter_and_other_letters_are_no_answer() {
    let world = World::play(ASKS).await;
    let mut screen = asked(&world, 100).await;
    screen.press("\rxq");
    screen.press("n");
    screen.until("The end.").await;
    assert!(is_there(&world));
    let log = world.log().await;
    assert_eq!(log.iter().filter(|frame| is(frame, "permission.answered")).count(), 1);
}

#[tokio::test]
async fn what_is_being_typed_is_no_answer() {
    let scenario = ASKS.replace("call run", "wait 700ms\ncall run");
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("Delete it.");
    screen.until("I delete it.").await;
    // Somebody types on and on, and does not look: every letter would be an answer.
    while !screen.shown().contains("pause typing to answer") {
        assert!(!screen.shown().contains("[y]es"), "{}", screen.shown());
        screen.press("y");
        screen.until("› y").await;
        screen.press("\x7f");
        screen.until_gone("› y").await;
    }
    screen.press("yns");
    screen.until("› yns").await;
    // The pause.
    screen.until("[r]").await;
    screen.press("n");
    screen.until("The end.").await;
    screen.until("› yns").await;
    assert!(is_there(&world));
}

#[tokio::test]
async fn a_long_command_is_shown_whole() {
    let lines: Vec<String> = (1..=120).map(|number| format!("echo step number {number}")).collect();
    let command = format!("rm -f a.txt\n{}\nrm -f {}", lines.join("\n"), "x".repeat(300));
    let scenario = format!(
        "=== server llamacpp window=16384\n=== reply\ncall run_command {}\n=== reply\ntext \"The end.\"\n",
        serde_json::json!({ "command": command })
    );
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &[], 60, 12).await;
    screen.send("Do it.");
    screen.until("[r]").await;
    let history = screen.history();
    for line in &lines {
        assert!(history.lines().any(|shown| shown.trim() == line), "{line:?} is missing:\n{history}");
    }
    let joined: String = history.lines().map(str::trim).collect();
    assert!(joined.contains(&"x".repeat(300)), "{history}");
    screen.press("n");
    screen.until("The end.").await;
}

#[tokio::test]
async fn an_answer_from_elsewhere_takes_it_away() {
    let world = World::play(ASKS).await;
    let mut screen = asked(&world, 100).await;
    screen.press("rhalf a rea");
    screen.until("no, because: half a rea").await;
    let log = world.log().await;
    let question = log.iter().find(|frame| is(frame, "permission.asked")).unwrap();
    let answered = PermissionAnswered {
        item: question["item"].as_str().unwrap().to_owned(),
        answer: Answer::Yes,
        scope: Scope::Once,
        reason: None,
        by: "web".to_owned(),
    };
    world.say(question, Body::PermissionAnswered(answered)).await;
    screen.until("The end.").await;
    screen.until_gone("no, because").await;
    assert!(!is_there(&world));
    screen.press(ENTER);
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    world.check_played();
}

#[tokio::test]
async fn a_question_can_be_stopped() {
    let world = World::play(ASKS).await;
    let mut screen = asked(&world, 100).await;
    screen.press(ESCAPE);
    screen.until("Enter continues; or say").await;
    screen.until_gone("[y]es").await;
    assert!(is_there(&world));
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
}
