//! Terminals that can do little, or are none: no escape byte, no colour, no chat.

use crate::harness::{HELLO, World, written};
use crate::screen::{CTRL_D, ENTER, Screen};

const CLEAN: &str = include_str!("../../../../scenarios/clean.scenario");

fn dumb(world: &World, args: &[&str]) -> Screen {
    let url = world.server.base_url();
    let program = world.bowline(&[&["--base-url", &url], args].concat()).env("TERM", "dumb");
    Screen::start(world, program, 80, 40)
}

fn check_plain(screen: &Screen) {
    let text = String::from_utf8(screen.raw.clone()).unwrap();
    let strange: Vec<char> = text.chars().filter(|c| c.is_control() && !matches!(c, '\r' | '\n')).collect();
    assert!(strange.is_empty(), "{strange:?}:\n{text}");
}

#[tokio::test]
async fn a_whole_task() {
    let world = World::play(CLEAN).await;
    let mut screen = dumb(&world, &[]);
    screen.until("> ").await;
    screen.send(&world.task.clone());
    screen.until("app.sh +1").await;
    screen.until_screen("the next prompt", |screen| screen.ends_with('>')).await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    assert!(screen.shown().contains("bowline -c resumes session"), "{}", screen.shown());
    check_plain(&screen);
    world.check_played();
}

#[tokio::test]
async fn a_question_is_answered_by_a_line() {
    let scenario = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call run_command {"command":"rm -f a.txt"}
=== reply
call run_command {"command":"rm -rf b.txt"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    let mut screen = dumb(&world, &[]);
    screen.until("> ").await;
    screen.send("Delete it.");
    screen.until("run `rm -f a.txt`").await;
    screen.until("\n?").await;
    // At once: a line that is typed out is an answer, however soon it comes.
    screen.send("y");
    screen.until("run `rm -rf b.txt`").await;
    screen.until_screen("a second question", |screen| screen.matches("\n?").count() == 2).await;
    screen.send("keep that one");
    screen.until("Done.").await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    assert!(!world.project().join("a.txt").exists());
    let asked = world.model_requests().pop().unwrap().to_string();
    assert!(asked.contains("keep that one"), "{asked}");
    check_plain(&screen);
    world.check_played();
}

#[tokio::test]
async fn commands_need_no_menu() {
    let world = World::play(HELLO).await;
    let mut screen = dumb(&world, &[]);
    screen.until("> ").await;
    screen.send("/sessions");
    screen.until("there is no earlier session").await;
    screen.send("/mod");
    screen.until("did you mean /model?").await;
    screen.send("");
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    check_plain(&screen);
}

#[tokio::test]
async fn the_end_of_input_leaves_whatever_stands_there() {
    let world = World::play(HELLO).await;
    let mut screen = dumb(&world, &[]);
    screen.until("> ").await;
    screen.send("half a line \\");
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    assert!(world.model_requests().is_empty());
}

#[tokio::test]
async fn hostile_text_is_tame_there_too() {
    let hostile = crate::chat_hostile::ATTACKS.concat();
    let scenario = format!(
        "=== server llamacpp window=16384\n=== reply\nreasoning {0}\ntext {0}\ncall run_command {1}\n=== reply\ntext \"The end.\"\n",
        serde_json::json!(hostile),
        serde_json::json!({ "command": format!("rm {hostile}") })
    );
    let world = World::play(&scenario).await;
    let mut screen = dumb(&world, &["-v"]);
    screen.until("> ").await;
    screen.send("Do it.");
    screen.until("\n?").await;
    screen.send("n");
    screen.until("The end.").await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    check_plain(&screen);
    assert!(screen.obeyed().is_empty(), "{:?}", screen.obeyed());
}

#[tokio::test]
async fn no_colour_where_none_is_wanted() {
    let world = World::play(CLEAN).await;
    let url = world.server.base_url();
    let program = world.bowline(&["--base-url", &url]).env("NO_COLOR", "1");
    let mut screen = Screen::start(&world, program, 100, 40);
    screen.until("Ctrl-D leaves").await;
    screen.send(&world.task.clone());
    screen.until("app.sh +1").await;
    screen.until("of the prompt cached").await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    let raw = String::from_utf8_lossy(&screen.raw).into_owned();
    let colours = raw.split("\x1b[").skip(1).filter(|behind| {
        let end = behind.find(|c: char| !c.is_ascii_digit() && c != ';');
        end.is_some_and(|end| behind[end..].starts_with('m'))
    });
    assert_eq!(colours.count(), 0, "{raw:?}");
}

#[tokio::test]
async fn without_a_terminal_there_is_no_chat() {
    let world = World::play(HELLO).await;
    world.bowline(&[]).end().await.expect(2).says(&["the chat needs a terminal", "bowline run \"task\""]);
}

#[tokio::test]
async fn control_c_stops_there_too() {
    let scenario = "=== server llamacpp window=16384\n=== reply\ncall run_command {\"command\":\"echo begun >begun; sleep 600\"}\n=== reply\ntext \"Done.\"\n";
    let world = World::play(scenario).await;
    let mut screen = dumb(&world, &["--yes"]);
    screen.until("> ").await;
    screen.send("Do it.");
    written(&world, "begun").await;
    // The line is no controlling terminal here, so the signal comes by itself.
    screen.signal(rustix::process::Signal::INT);
    screen.until("Enter continues; or say").await;
    screen.press(ENTER);
    screen.until("Done.").await;
    screen.signal(rustix::process::Signal::TERM);
    assert_eq!(screen.end().await.code(), Some(143));
    world.check_played();
}
