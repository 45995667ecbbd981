//! Typing into the chat: editing, lines, history, files, commands.

use crate::harness::{HELLO, World};
use crate::screen::{
    CTRL_A, CTRL_C, CTRL_E, CTRL_J, CTRL_R, CTRL_U, CTRL_W, DOWN, ENTER, ESCAPE, LEFT, Screen, TAB, UP,
};

const TWICE: &str =
    "=== server llamacpp window=16384\n=== reply\ntext \"First.\"\n=== reply\ntext \"Second.\"\n";

const FILES: &str = "=== server llamacpp window=16384\n=== file src/main.rs\nfn main() {}\n=== file notes.md\nn\n=== reply\ntext \"Hello.\"\n";

#[tokio::test]
async fn what_is_typed_can_be_edited() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.press("tow three four");
    screen.press(CTRL_W);
    screen.until("› tow three").await;
    screen.until_gone("four").await;
    screen.press(CTRL_A);
    screen.press("one ");
    screen.until("› one tow three").await;
    // To the end of the second word, whose letters are swapped.
    screen.press(CTRL_E);
    screen.press(&LEFT.repeat(7));
    screen.press("\x7f\x7fwo");
    screen.until("› one two three").await;
    screen.press(ENTER);
    screen.until("Hello.").await;
    assert!(world.last_user_message().contains("one two three"), "{}", world.last_user_message());
    screen.leave().await;
}

#[tokio::test]
async fn a_message_can_have_lines() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.press("one");
    screen.press(CTRL_J);
    screen.press("two\\");
    screen.press(ENTER);
    screen.press("three");
    screen.until("  three").await;
    screen.check("lines-60").await;
    // Up goes to the line above, not into the history.
    screen.press(UP);
    screen.press("!");
    screen.until("two!").await;
    screen.press(ENTER);
    screen.until("Hello.").await;
    assert!(world.last_user_message().contains("one\ntwo!\nthree"), "{}", world.last_user_message());
    screen.leave().await;
}

#[tokio::test]
async fn earlier_messages_come_back() {
    let world = World::play(TWICE).await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.send("the first message");
    screen.until("First.").await;
    screen.leave().await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.press("!echo");
    screen.press(CTRL_C);
    screen.until_gone("› !echo").await;
    screen.press(UP);
    screen.until("› !echo").await;
    screen.press(UP);
    screen.until("› the first message").await;
    screen.press(DOWN);
    screen.until("› !echo").await;
    screen.press(CTRL_U);
    screen.until_gone("› !echo").await;
    screen.press(CTRL_R);
    screen.press("fir");
    screen.until("search: fir  the first message").await;
    screen.press(ESCAPE);
    screen.until_gone("search:").await;
    screen.press(CTRL_R);
    screen.press("mess");
    screen.until("search: mess  the first message").await;
    screen.press(ENTER);
    screen.until("› the first message").await;
    screen.press(" again");
    screen.press(ENTER);
    screen.until("Second.").await;
    assert!(world.last_user_message().contains("the first message again"), "{}", world.last_user_message());
    screen.leave().await;
}

#[tokio::test]
async fn files_are_completed_and_named_plainly() {
    let world = World::play(FILES).await;
    std::fs::write(world.project().join("src/my file.txt"), "x\n").unwrap();
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.press("read @mai");
    screen.until("› read @mai").await;
    screen.until("› src/main.rs").await;
    screen.check("files-60").await;
    screen.press(TAB);
    screen.until("read @src/main.rs ").await;
    screen.press("and @my");
    screen.until("› src/my file.txt").await;
    screen.press(ENTER);
    screen.until("@\"src/my file.txt\"").await;
    screen.press("not @nobody");
    screen.press(ENTER);
    screen.until("Hello.").await;
    assert!(
        world.last_user_message().contains("read src/main.rs and src/my file.txt not @nobody"),
        "{}",
        world.last_user_message()
    );
    screen.leave().await;
}

#[tokio::test]
async fn a_menu_has_the_commands() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.press("/");
    screen.until("/help").await;
    screen.check("commands-100").await;
    screen.press("he");
    screen.until_gone("/sessions").await;
    screen.press(ENTER);
    screen.until("› /help").await;
    screen.press(ENTER);
    screen.until("Ctrl-R").await;
    screen.until("redraw").await;
    screen.leave().await;
}

#[tokio::test]
async fn a_menu_goes_with_escape() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.press("/mo");
    screen.until("› /model").await;
    screen.press(ESCAPE);
    screen.until_gone("› /model").await;
    screen.press("d");
    screen.until("› /mod").await;
    assert!(!screen.shown().contains("› /model"), "{}", screen.shown());
    screen.press(CTRL_C);
    screen.until_gone("/mod").await;
    screen.leave().await;
}

#[tokio::test]
async fn an_unknown_command_is_no_message() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.send("/sesions");
    screen.until("there is no /sesions: did you mean /sessions?").await;
    // It is still there to be mended.
    screen.until("› /sesions").await;
    assert!(world.model_requests().is_empty());
    screen.press(CTRL_C);
    screen.until_gone("› /sesions").await;
    screen.leave().await;
}

#[tokio::test]
async fn a_path_begins_a_message() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    screen.send("/etc/hosts is wrong");
    screen.until("Hello.").await;
    assert!(world.last_user_message().contains("/etc/hosts is wrong"), "{}", world.last_user_message());
    screen.leave().await;
}

#[tokio::test]
async fn a_long_paste_is_one_thing_and_sent_whole() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    let lines: Vec<String> = (1..=500).map(|number| format!("pasted line {number}")).collect();
    screen.press("look: ");
    screen.paste(&lines.join("\n"));
    screen.until("› look: [pasted 500 lines]").await;
    assert!(!screen.shown().contains("pasted line"), "{}", screen.shown());
    screen.press(" please");
    screen.press(ENTER);
    screen.until("Hello.").await;
    assert!(
        world.last_user_message().contains(&format!("look: {} please", lines.join("\n"))),
        "{}",
        world.last_user_message()
    );
    screen.leave().await;
}

#[tokio::test]
async fn a_paste_without_end_is_sent_too() {
    let world = World::play("=== server llamacpp window=1048576\n=== reply\ntext \"Hello.\"\n").await;
    let mut screen = Screen::ready(&world, &[], 60, 20).await;
    let long = "x".repeat(400_000);
    screen.paste(&long);
    screen.until("[pasted 400000 characters]").await;
    screen.press(ENTER);
    screen.until("Hello.").await;
    assert!(world.last_user_message().contains(&long));
    screen.leave().await;
}

#[tokio::test]
async fn a_chat_that_is_not_kept_leaves_nothing_behind() {
    let world = World::play(HELLO).await;
    let mut screen = Screen::ready(&world, &["--ephemeral"], 60, 20).await;
    screen.send("between you and me");
    screen.until("Hello.").await;
    screen.leave().await;
    let home = std::fs::read_dir(world.home()).map_or_else(|_| Vec::new(), |files| files.flatten().collect());
    for file in home {
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        let words = b"between you and me";
        assert!(!bytes.windows(words.len()).any(|found| found == words), "{:?}", file.path());
    }
}
