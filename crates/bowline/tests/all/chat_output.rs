//! Long answers and difficult text: every line is there once, in its order, and nothing else is.

use crate::harness::World;
use crate::screen::Screen;

fn saying(text: &str, directive: &str) -> String {
    let text = serde_json::json!(text);
    format!(
        "=== server llamacpp window=262144\n=== reply\n{directive} {text}\n=== reply\ntext \"The other answer.\"\n"
    )
}

fn check_lines(history: &str, lines: &[String]) {
    let shown: Vec<&str> =
        history.lines().map(str::trim).filter(|line| line.starts_with("numbered ")).collect();
    assert_eq!(shown.len(), lines.len());
    for (shown, line) in shown.iter().zip(lines) {
        assert_eq!(shown, line);
    }
}

#[tokio::test]
async fn five_thousand_lines() {
    let lines: Vec<String> = (1..=5000).map(|number| format!("numbered {number} of five thousand")).collect();
    let world = World::play(&saying(&format!("```\n{}\n```\n", lines.join("\n")), "text/400")).await;
    let mut screen = Screen::ready(&world, &[], 60, 24).await;
    screen.send("Say much.");
    screen.until("numbered 5000 of five thousand").await;
    screen.until("reading 0:").await;
    check_lines(&screen.history(), &lines);
    screen.leave().await;
}

#[tokio::test]
async fn five_thousand_lines_while_typing_ahead() {
    let lines: Vec<String> = (1..=5000).map(|number| format!("numbered {number} of five thousand")).collect();
    let paragraphs = lines.join("\n\n");
    let world = World::play(&saying(&paragraphs, "text/60")).await;
    let mut screen = Screen::ready(&world, &[], 100, 24).await;
    screen.send("Say much.");
    screen.until("numbered ").await;
    let mut draft = String::new();
    for letter in "and when you are done say something else\n in two lines".chars() {
        screen.press(&letter.to_string());
        draft.push(letter);
        let last = draft.lines().last().unwrap().trim().to_owned();
        screen.until(&last).await;
    }
    screen.press("\r");
    screen.until("The other answer.").await;
    let history = screen.history();
    check_lines(&history, &lines);
    assert!(
        world.last_user_message().contains("something else\n in two lines"),
        "{}",
        world.last_user_message()
    );
    screen.leave().await;
}

const DIFFICULT: [&str; 9] = [
    "wide: 日本語のテキストは二倍の幅を取る、ここも折り返す。日本語のテキストは二倍の幅を取る。",
    "emoji: 👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈 🇩🇪 ❤️ done",
    "marks: e\u{301}a\u{308}o\u{302} n\u{303}\u{323} done",
    "hebrew: שלום עולם and back",
    "arabic: مرحبا بالعالم and back",
    "tabs:\tone\ttwo\tthree",
    "zalgo: h\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}i\u{307}\u{308}\u{309}\u{30a} done",
    "zero: a\u{200b}b\u{200c}c\u{feff}d done",
    "halfwidth: ｶﾞｷﾞ ＦＵＬＬ done",
];

#[tokio::test]
async fn difficult_text_stays_within_its_columns() {
    for columns in [60, 40] {
        let world = World::play(&saying(&DIFFICULT.join("\n\n"), "text/3")).await;
        let mut screen = Screen::ready(&world, &[], columns, 40).await;
        screen.send("Say it.");
        screen.until("halfwidth").await;
        screen.until("reading 0:").await;
        let history = screen.history();
        let joined: String = history.split_whitespace().collect();
        for text in DIFFICULT {
            let begin = text.split(':').next().unwrap();
            assert_eq!(history.matches(&format!("{begin}:")).count(), 1, "{text}:\n{history}");
        }
        let wide: String = DIFFICULT[0].split_whitespace().collect();
        assert!(joined.contains(&wide), "{history}");
        // What was typed stands in one row of its own, below all of it.
        screen.press("日本語 👩‍👩‍👧 e\u{301}x");
        screen.until("› 日本語").await;
        screen.until("x").await;
        leave_typed(screen).await;
    }
}

async fn leave_typed(mut screen: Screen) {
    screen.press("\x15");
    screen.until_gone("› 日本語").await;
    screen.leave().await;
}

#[tokio::test]
async fn a_line_of_a_hundred_thousand_characters() {
    // Without a pattern: a model that repeats itself is stopped.
    let mut state: u32 = 1;
    let letter = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'a' + u8::try_from((state >> 16) % 26).unwrap())
    };
    let line: String = (0..100_000).map(letter).collect();
    for fence in ["", "```\n"] {
        let world = World::play(&saying(&format!("{fence}{line}\n{fence}"), "text/1000")).await;
        let mut screen = Screen::ready(&world, &[], 100, 24).await;
        screen.send("Say it.");
        screen.until("reading 0:").await;
        let history = screen.history();
        let answer = history.split("› Say it.").nth(1).unwrap();
        let joined: String = answer.split_whitespace().collect();
        assert!(joined.starts_with(&line), "{} of {}", joined.len(), line.len());
        screen.leave().await;
    }
}

#[tokio::test]
async fn a_table_and_code_are_drawn() {
    let text = "# A heading\n\n| name | what |\n|---|---|\n| one | the first |\n| two | the second |\n\n```rust\nfn main() {}\n```\n\n- a point\n  - below it\n\n> quoted **boldly**\n";
    for columns in [60, 100] {
        let world = World::play(&saying(text, "text/2")).await;
        let mut screen = Screen::ready(&world, &[], columns, 40).await;
        screen.send("Draw it.");
        screen.until("reading 0:").await;
        screen.check(&format!("drawn-{columns}")).await;
        screen.leave().await;
    }
}
