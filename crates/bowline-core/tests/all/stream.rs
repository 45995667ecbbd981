//! What of an answer is shown while it comes in, and what it is when it is whole. A case has the mode, then pieces as JSON
//! strings, one a line; after each stands what can be shown if that changed, in the end the text and the calls.

use bowline_core::entry::Access;
use bowline_core::mode::Mode;
use bowline_core::stream::Assembly;
use bowline_core::tools;
use bowline_core::wire::Delta;
use proptest::prelude::*;

fn play(input: &str) -> String {
    let mut lines = input.lines();
    let mut assembly = Assembly::new(Mode::of(lines.next().unwrap()).unwrap());
    let (mut text, mut shown) = (String::new(), String::new());
    for line in lines {
        assembly.push(Delta::Text(serde_json::from_str(line).unwrap()));
        if assembly.visible() != shown {
            shown = assembly.visible().into_owned();
            text.push_str(&format!("shown {shown:?}\n"));
        }
    }
    assembly.close();
    assembly.lift(&tools::specs(Access::Write));
    text.push_str(&format!("text {:?}\n", assembly.text()));
    for call in assembly.calls() {
        text.push_str(&format!("call {} {}\n", call.name, call.arguments));
    }
    text
}

#[test]
fn answers() {
    crate::cases::check("stream.cases", play);
}

proptest! {
    /// Whatever is said, in whatever pieces: what is shown is a beginning of the text, and nothing panics.
    #[test]
    fn what_is_shown_is_a_beginning_of_the_text(
        pieces in prop::collection::vec("[a`{\\[\"<:,}\\\\ \n]{0,6}|```json\n|<tool_call>|\\{\"message\": \"", 0..12),
        mode in prop::sample::select(Mode::ALL.to_vec()),
    ) {
        let mut assembly = Assembly::new(mode);
        for piece in pieces {
            assembly.push(Delta::Text(piece));
            if mode != Mode::Constrained {
                prop_assert!(assembly.text().starts_with(&*assembly.visible()));
            }
            let _ = assembly.is_pure_text();
        }
        assembly.take_cut_call();
        assembly.close();
    }
}
