//! Text loops: when a stream counts as one, and what is kept of it. A case is one line of pieces, each a JSON string, maybe
//! repeated: `"abc" x 5`. `code` before it says that it stands in a call's arguments.

use bowline_core::guard::text::{Ground, ground, looping};
use proptest::prelude::*;

fn text(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let mut pieces = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        let piece = pieces.next().unwrap().unwrap();
        rest = rest[pieces.byte_offset()..].trim_start();
        let times = rest.strip_prefix("x ").map_or(1, |after| {
            let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
            rest = after[digits.len()..].trim_start();
            digits.parse().unwrap()
        });
        text.push_str(&piece.repeat(times));
    }
    text
}

#[test]
fn loops() {
    crate::cases::check("text_loop.cases", |input| {
        let check = |line: &str| {
            let (text, ground) = match line.strip_prefix("code ") {
                Some(line) => (text(line), Ground::Code),
                None => (text(line), ground(&text(line))),
            };
            match looping(&text, ground) {
                None => "none\n".to_owned(),
                Some(found) => {
                    let kept = &text[..found.keep_bytes];
                    format!("{} characters, {} times; kept {kept:?}\n", found.period_chars, found.count)
                }
            }
        };
        input.lines().map(check).collect()
    });
}

proptest! {
    /// Any piece said often enough is a loop; what is kept is a beginning of the text; no input panics.
    #[test]
    fn any_piece_said_often_enough_is_a_loop(before in ".{0,60}", piece in ".{1,80}", after in ".{0,20}") {
        let text = format!("{before}{}", piece.repeat(450));
        let found = looping(&text, Ground::Code);
        prop_assert!(found.is_some());
        prop_assert!(text.is_char_boundary(found.unwrap().keep_bytes));
        let _ = looping(&format!("{text}{after}"), ground(&after));
    }
}
