//! Terminals of another size, also in the middle of an answer.

use crate::chat_queue::{GATED, gated, open};
use crate::harness::World;
use crate::screen::{CTRL_D, CTRL_U, ENTER, ESCAPE, LEFT, Screen};

const SIZES: [(u16, u16); 6] = [(40, 20), (120, 20), (120, 8), (40, 8), (100, 30), (60, 24)];

/// What a terminal does with the rows it has.
#[derive(Clone, Copy)]
enum Rows {
    Kept,
    WrappedAnew,
}

/// Resizes in the middle of a stream: every line of the answer stays there once, and the draft is kept.
async fn check_resized(lines: &[String], last: &str, sizes: &[(u16, u16)], rows: Rows) {
    let text = format!("{}\n\n{last}", lines.join("\n\n"));
    let scenario = format!(
        "=== server llamacpp window=16384\n=== reply\ntext {}\nhang\n=== reply\ntext \"After it.\"\n",
        serde_json::json!(text)
    );
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &[], 100, 20).await;
    screen.send("Do it.");
    screen.until(last.split(' ').next_back().unwrap()).await;
    let mut draft = "a draft to keep".to_owned();
    screen.press(&draft);
    screen.until(&format!("› {draft}")).await;
    for (at, (columns, lines)) in sizes.iter().enumerate() {
        match rows {
            Rows::Kept => screen.resize(*columns, *lines).await,
            Rows::WrappedAnew => screen.resize_wrapping(*columns, *lines).await,
        }
        // Drawn in the new size.
        let key = char::from(b'A' + u8::try_from(at).unwrap());
        screen.press(&key.to_string());
        draft.push(key);
        screen.until_typed(&format!("› {draft}")).await;
        let shown = screen.shown();
        assert_eq!(shown.matches("› a draft to keep").count(), 1, "{columns} {lines}:\n{shown}");
        assert_eq!(shown.matches("  writing").count(), 1, "{columns} {lines}:\n{shown}");
        assert_eq!(shown.matches("  llamacpp/").count(), 1, "{columns} {lines}:\n{shown}");
    }
    screen.press(ESCAPE);
    screen.until("stopped").await;
    screen.until(&format!("› {draft}")).await;
    screen.press(ENTER);
    screen.until("After it.").await;
    assert!(world.last_user_message().contains(&draft), "{}", world.last_user_message());
    let history = screen.history();
    for line in lines {
        assert_eq!(history.lines().filter(|shown| shown.trim() == line).count(), 1, "{line}:\n{history}");
    }
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
}

fn numbered() -> Vec<String> {
    (1..=30).map(|number| format!("line {number} of what is said")).collect()
}

#[tokio::test]
async fn another_size_in_the_middle() {
    check_resized(&numbered(), "and the last", &SIZES, Rows::Kept).await;
}

#[tokio::test]
async fn another_size_on_a_terminal_that_wraps_anew() {
    check_resized(&numbered(), "and the last", &SIZES, Rows::WrappedAnew).await;
}

#[tokio::test]
async fn what_is_not_final_may_be_wider_than_the_new_size() {
    let last = "a paragraph that is not at its end and stands in the live region, as wide as it goes, \
                in more than one row of it, until it is finished";
    check_resized(&numbered(), last, &[(40, 20), (120, 20), (60, 20)], Rows::WrappedAnew).await;
}

#[tokio::test]
async fn another_size_that_comes_with_a_key_is_seen() {
    let world = World::play(crate::harness::HELLO).await;
    let mut screen = Screen::ready(&world, &[], 100, 20).await;
    for number in 0..40 {
        screen.press("x");
        screen.resize(if number % 2 == 0 { 60 } else { 100 }, 20).await;
        screen.press("\x7f");
    }
    screen.press("the end");
    screen.until_typed("› the end").await;
    screen.press(CTRL_U);
    screen.until_gone("the end").await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
}

#[tokio::test]
async fn a_low_terminal_shows_what_is_typed() {
    let (world, mut screen) = gated(GATED, 40, 8).await;
    screen.press("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine");
    screen.until("nine").await;
    assert_eq!(screen.shown().matches("nine").count(), 1, "{}", screen.shown());
    screen.press(ENTER);
    screen.until("queued: one two three").await;
    open(&world);
    screen.until("Second answer.").await;
    assert!(world.last_user_message().contains("eight\nnine"), "{}", world.last_user_message());
}

#[tokio::test]
async fn the_cursor_stands_where_is_typed() {
    let world = World::play(crate::harness::HELLO).await;
    let mut screen = Screen::ready(&world, &[], 40, 20).await;
    let input = |screen: &Screen| {
        let shown = screen.shown();
        u16::try_from(shown.lines().position(|line| line.starts_with('›')).unwrap()).unwrap()
    };
    screen.press("日本語x");
    screen.until("› 日本語x").await;
    assert_eq!(screen.cursor(), (input(&screen), 9));
    screen.press(LEFT);
    screen.press(LEFT);
    screen.press("-");
    screen.until("› 日本-語x").await;
    assert_eq!(screen.cursor(), (input(&screen), 7));
    screen.press(CTRL_U);
    screen.until("› 語x").await;
    assert_eq!(screen.cursor(), (input(&screen), 2));
    // Over the edge: the row goes on below.
    screen.press(&"ab ".repeat(12));
    screen.press("abcd");
    screen.until("abcd").await;
    assert_eq!(screen.cursor().0, input(&screen) + 1);
}
