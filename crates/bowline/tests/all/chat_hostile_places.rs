//! Wherever text can come from: arguments, names of files, models and sessions, questions, errors, history. It is shown
//! and never obeyed.

use crate::chat_hostile::{ATTACKS, check_own, json};
use crate::harness::World;
use crate::screen::{CTRL_C, CTRL_D, CTRL_R, ENTER, ESCAPE, Screen, TAB, UP};

/// All at once, with words around them.
fn hostile() -> String {
    format!("before{}after", ATTACKS.concat())
}

async fn leave(mut screen: Screen) {
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    check_own(&screen);
}

#[tokio::test]
async fn in_arguments_and_their_results() {
    let scenario = format!(
        "=== server llamacpp window=16384\n=== reply\ncall view_file {{\"path\":{0}}}\n=== reply\ncall search {{\"pattern\":{0}}}\n=== reply\ncall {1} {{}}\n=== reply\ntext \"The end.\"\n",
        json(&hostile()),
        "no_such_tool",
    );
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &["--yes"], 100, 30).await;
    screen.send("Do it.");
    screen.until("The end.").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_thoughts_as_they_come() {
    let scenario = format!(
        "=== server llamacpp window=16384\n=== reply\nreasoning {}\nhang\n",
        json(&format!("{} pondered", hostile()))
    );
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &[], 100, 30).await;
    screen.send("Do it.");
    screen.until("thinking").await;
    screen.until("pondered").await;
    screen.press(ESCAPE);
    screen.until("stopped").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_an_answer_that_is_not_finished() {
    let scenario =
        format!("=== server llamacpp window=16384\n=== reply\ntext/1 {}\nhang\n", json(&hostile()));
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &[], 100, 30).await;
    screen.send("Do it.");
    screen.until("after").await;
    screen.press(ESCAPE);
    screen.until("stopped").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_names_of_files() {
    let scenario = "=== server llamacpp window=16384\n=== reply\ncall list_dir {\"path\":\".\"}\n=== reply\ncall find_files {\"pattern\":\"**/before*\"}\n=== reply\ntext \"The end.\"\n";
    let world = World::play(scenario).await;
    for attack in ATTACKS {
        let name = format!("before{}after.txt", attack.replace(['/', '\0'], ""));
        std::fs::write(world.project().join(name), "x\n").unwrap();
    }
    let mut screen = Screen::ready(&world, &["--yes"], 100, 30).await;
    screen.press("look at @bef");
    screen.until("› before").await;
    screen.press(TAB);
    screen.until("look at @before").await;
    screen.press(ENTER);
    screen.until("The end.").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_a_folder() {
    let world = World::play("=== server llamacpp window=16384\n").await;
    let folder = world.project().join(hostile().replace(['/', '\0'], ""));
    std::fs::create_dir(&folder).unwrap();
    let screen = Screen::ready(&world, &[folder.to_str().unwrap()], 100, 30).await;
    leave(screen).await;
}

#[tokio::test]
async fn in_a_question() {
    let command = json(&format!("rm -f '{}'\necho {}", hostile(), hostile()));
    let scenario = format!(
        "=== server llamacpp window=16384\n=== reply\ncall run_command {{\"command\":{command}}}\n=== reply\ntext \"The end.\"\n"
    );
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &[], 100, 30).await;
    screen.send("Do it.");
    screen.until("[r]").await;
    screen.press("n");
    screen.until("The end.").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_the_title_of_a_session() {
    let world = World::play(crate::harness::HELLO).await;
    let task = hostile().replace('\0', "");
    world.run(&[&task]).end().await.expect(0);
    let mut screen = Screen::ready(&world, &[], 100, 40).await;
    screen.send("/sessions");
    screen.until("NUMBER resumes one").await;
    screen.send("/sessions 1");
    screen.until("Hello.").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_the_name_of_a_model() {
    let name: String = ATTACKS.concat().chars().filter(|c| !c.is_whitespace() && *c != '\0').collect();
    let name = name.replace([',', '=', '#', '/', ';'], "");
    let scenario = format!("=== server openai models=m{name}n\n=== reply\ntext \"Hello.\"\n");
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &["--window", "16384"], 100, 30).await;
    screen.send("/model");
    screen.until("/model NAME switches").await;
    screen.press("/model m");
    screen.until("› /model m").await;
    screen.press(CTRL_C);
    screen.send("Do it.");
    screen.until("Hello.").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_an_error_of_the_server() {
    let error = json(&hostile());
    let scenario = format!(
        "=== server llamacpp window=16384\n=== reply repeat\nstatus 400 {{\"error\":{{\"code\":400,\"message\":{error},\"type\":\"invalid_request_error\"}}}}\n"
    );
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &[], 100, 30).await;
    screen.send("Do it.");
    screen.until("Enter continues").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_an_error_within_the_stream() {
    let scenario =
        format!("=== server llamacpp window=16384\n=== reply repeat\nerror {}\n", json(&hostile()));
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &[], 100, 30).await;
    screen.send("Do it.");
    screen.until("retrying").await;
    screen.press(ESCAPE);
    screen.until("stopped").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_the_history() {
    let world = World::play("=== server llamacpp window=16384\n").await;
    std::fs::create_dir_all(world.home()).unwrap();
    std::fs::write(world.home().join("history"), format!("{}\n", json(&hostile()))).unwrap();
    let mut screen = Screen::ready(&world, &[], 100, 30).await;
    screen.press(UP);
    screen.until("› before").await;
    screen.press(CTRL_C);
    screen.until_gone("› before").await;
    screen.press(CTRL_R);
    screen.press("fore");
    screen.until("search: fore  before").await;
    screen.press(ENTER);
    screen.until("› before").await;
    screen.press(CTRL_C);
    screen.until_gone("› before").await;
    leave(screen).await;
}

#[tokio::test]
async fn in_what_is_pasted() {
    let world = World::play(crate::harness::HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 30).await;
    // A terminal takes the end of a paste out of what is pasted.
    screen.paste(&hostile().replace("\x1b[201~", ""));
    screen.until("after").await;
    screen.press(ENTER);
    screen.until("Hello.").await;
    leave(screen).await;
    let said = world.last_user_message();
    assert!(said.contains("before") && said.contains("after"), "{said:?}");
    assert!(!said.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{said:?}");
}
