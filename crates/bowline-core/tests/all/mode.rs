//! In which mode a session begins.

use bowline_core::mode::{Binding, Calling, Known, Mode, Size, choose};

#[test]
fn the_first_rule_that_applies_decides() {
    crate::cases::check("mode.cases", |input| {
        let line = |line: &str| {
            let word = |key: &str| {
                line.split(' ')
                    .find_map(|word| word.strip_prefix(key).and_then(|word| word.strip_prefix('=')))
            };
            let mode = |key: &str| word(key).map(|word| Mode::of(word).unwrap());
            let known = Known {
                calling: Calling {
                    set: mode("set"),
                    size: word("size").map_or(Size::LargeOrUnknown, |_| Size::Small),
                    binding: word("binding").map_or(Binding::Possible, |_| Binding::Refused),
                },
                remembered: mode("remembered"),
                is_without_tools: word("tools") == Some("no"),
            };
            choose(known).word().to_owned()
        };
        input.lines().map(line).collect::<Vec<_>>().join("\n")
    });
}
