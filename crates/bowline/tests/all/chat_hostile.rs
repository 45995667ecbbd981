//! What a model or a command prints can't take over the terminal of the chat: every kind of sequence, one by one.
//!
//! Two looks at each: no control byte but those of the chat's own screen is among what was written, and a terminal that
//! obeys everything has done nothing but show text.

use crate::harness::World;
use crate::screen::{CTRL_D, Screen};

/// All of them in one text, for the places where text can come from.
pub(crate) const ATTACKS: [&str; 20] = [
    "\x1b[2J",
    "\x1b[H\x1b[10A",
    "\x1bc",
    "\x1b]0;owned\x07",
    "\x1b]2;owned\x1b\\",
    "\x1b]52;c;b3duZWQ=\x07",
    "\x1b]8;;http://owned.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1bPowned\x1b\\",
    "\x1b_owned\x1b\\",
    "\u{9b}2J",
    "\u{9d}0;owned\u{9c}",
    "\x07",
    "\x08\x08\x08",
    "\rover",
    "\x1b[201~",
    "\x1b[6n",
    "\x1b[c",
    "\u{202e}desrever\u{202c}",
    "\u{2066}isolated\u{2069}\u{61c}",
    "\x1b[?1049h\x1b[?1000h\x7f\x00",
];

/// What the chat itself tells the terminal; colours apart.
const OWN: [&str; 9] = ["[?2026h", "[?2026l", "[?25h", "[?25l", "[?2004h", "[?2004l", "[>1u", "[<u", "[0m"];

/// Nothing but text, colours and the chat's own drawing was written, and the terminal was not told to do anything else.
pub(crate) fn check_own(screen: &Screen) {
    let text = String::from_utf8(screen.raw.clone()).expect("UTF-8");
    let mut rest = text.as_str();
    while let Some(at) = rest.find(|c: char| c.is_control() || is_turning(c)) {
        let (c, behind) = (rest[at..].chars().next().unwrap(), &rest[at..]);
        rest = match c {
            '\r' | '\n' => &behind[1..],
            '\x1b' => own(&behind[1..]).unwrap_or_else(|| panic!("came through: {}", near(&text, behind))),
            _ => panic!("{c:?} came through: {}", near(&text, behind)),
        };
    }
    assert!(screen.obeyed().is_empty(), "{:?}", screen.obeyed());
}

fn is_turning(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What stands behind a sequence of the chat's own.
fn own(behind: &str) -> Option<&str> {
    if let Some(own) = OWN.iter().find(|own| behind.starts_with(**own)) {
        return Some(&behind[own.len()..]);
    }
    let parameters = behind.strip_prefix('[')?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    // The whole screen is drawn anew on Ctrl-L only.
    let is_own = match &parameters[end..=end] {
        "m" => true,
        "K" | "J" => end == 0,
        "A" | "C" => end > 0,
        _ => false,
    };
    is_own.then(|| &parameters[end + 1..])
}

fn near(text: &str, behind: &str) -> String {
    let at = text.len() - behind.len();
    let start = text.floor_char_boundary(at.saturating_sub(60));
    let end = text.floor_char_boundary((at + 60).min(text.len()));
    format!("{:?}", &text[start..end])
}

pub(crate) fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A model that says it, thinks it, and runs a command that prints it and fails.
async fn attack(sequence: &str) {
    let bytes: String = sequence.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    let command = json(&format!("printf 'printed {bytes} by a command\\n'; exit 3"));
    let text = json(&format!("said {sequence} in words\n\n```\ncode {sequence} too\n```\n"));
    let scenario = format!(
        "=== server llamacpp window=16384\n=== reply\nreasoning {}\ntext {text}\ncall run_command {{\"command\":{command}}}\n=== reply\ntext \"The end.\"\n",
        json(&format!("thought {sequence} over"))
    );
    let world = World::play(&scenario).await;
    let mut screen = Screen::ready(&world, &["--yes", "-v"], 100, 30).await;
    screen.send("Do it.");
    screen.until("The end.").await;
    screen.send(&format!("!printf 'mine {bytes} shown\\n'"));
    screen.until("will be sent with your next message").await;
    let history = screen.history();
    for words in ["said ", " in words", "code ", "thought ", "printed ", " by a command", "mine ", " shown"] {
        assert!(history.contains(words), "{words:?} is missing:\n{history}");
    }
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    check_own(&screen);
    world.check_played();
}

macro_rules! attacks {
    ($($name:ident: $at:literal,)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                attack(ATTACKS[$at]).await;
            }
        )*
    };
}

attacks! {
    a_cleared_screen: 0,
    a_moved_cursor: 1,
    a_reset: 2,
    a_title: 3,
    a_title_ended_by_a_string_terminator: 4,
    a_clipboard: 5,
    a_hyperlink: 6,
    a_device_control_string: 7,
    an_application_command: 8,
    an_eight_bit_sequence: 9,
    an_eight_bit_title: 10,
    a_bell: 11,
    backspaces: 12,
    a_carriage_return_that_overwrites: 13,
    the_end_of_a_paste: 14,
    a_question_where_the_cursor_is: 15,
    a_question_what_the_terminal_is: 16,
    text_turned_around: 17,
    text_isolated: 18,
    another_screen_and_the_mouse: 19,
}
