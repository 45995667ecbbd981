//! Calls written into the text. A case is the whole text of an answer.

use bowline_core::entry::Access;
use bowline_core::repair::lift;
use bowline_core::tools;
use proptest::prelude::*;

#[test]
fn texts() {
    crate::cases::check("lift.cases", |input| match lift(input, &tools::specs(Access::Write)) {
        None => "nothing\n".to_owned(),
        Some(lifted) => {
            let calls = lifted.calls.iter().map(|(name, arguments)| format!("call {name} {arguments}\n"));
            let text =
                if lifted.text.is_empty() { String::new() } else { format!("text {:?}\n", lifted.text) };
            text + &calls.collect::<String>()
        }
    });
}

proptest! {
    #[test]
    fn any_text_is_a_value(text in "(?s)(<tool_call>|<function=|\\[TOOL_CALLS\\]|```|\\{|\\[|to=functions\\.|.){0,40}") {
        lift(&text, &tools::specs(Access::Write));
    }
}

#[test]
fn a_long_text_is_answered_at_once() {
    for piece in ["```\n{}\n", "<tool_call>", "[\n{\n", "<function=a><parameter=b>", "to=functions.grep"] {
        lift(&piece.repeat(100_000), &tools::specs(Access::Write));
    }
}
