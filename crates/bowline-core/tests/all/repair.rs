//! Calls as models write them, and what is made of them. A case holds calls: `tool`, a space, the arguments verbatim; a
//! line `...` ends a call whose arguments span lines.

use bowline_core::entry::Access;
use bowline_core::repair::repair;
use bowline_core::tools::{self, ToolSpec};
use proptest::prelude::*;

fn specs() -> Vec<ToolSpec> {
    tools::specs(Access::Write)
}

#[test]
fn calls() {
    crate::cases::check("repair.cases", |input| {
        let mut text = String::new();
        for call in
            input.split("...\n").map(|call| call.trim_end_matches('\n')).filter(|call| !call.is_empty())
        {
            let (name, arguments) = call.split_once(' ').unwrap_or((call, ""));
            let repaired = repair(name, arguments, &specs());
            match &repaired.arguments {
                Some(arguments) => text.push_str(&format!("{} {arguments}\n", repaired.tool)),
                None => text.push_str(&format!("{} not mended\n", repaired.tool)),
            }
            for mended in &repaired.repairs {
                text.push_str(&format!("  {mended}\n"));
            }
        }
        text
    });
}

proptest! {
    #[test]
    fn a_valid_call_is_never_changed(old in "(?s).{0,60}", new in "(?s).{0,60}", path in "[a-z/.]{1,20}") {
        let arguments = serde_json::json!({"path": path, "old": old, "new": new});
        let repaired = repair("edit_file", &arguments.to_string(), &specs());
        prop_assert_eq!(repaired.arguments, Some(arguments));
        prop_assert!(repaired.repairs.is_empty());
        prop_assert_eq!(repaired.tool, "edit_file");
    }

    #[test]
    fn an_edits_text_comes_through_a_mended_form_unchanged(old in "[^\\\\\"]{0,60}", new in "[^\\\\\"]{0,60}") {
        // Raw line breaks, a trailing comma, keys without quotes: the text is what stands between the quotes.
        let text = format!("{{path: \"a\", \"old\": \"{old}\", 'new': \"{new}\",}}");
        let arguments = repair("edit_file", &text, &specs()).arguments.unwrap();
        prop_assert_eq!(arguments["old"].as_str(), Some(old.as_str()));
        prop_assert_eq!(arguments["new"].as_str(), Some(new.as_str()));
    }

    #[test]
    fn any_text_is_a_value(name in ".{0,20}", text in "(?s).{0,200}") {
        repair(&name, &text, &specs());
    }
}

#[test]
fn deep_and_long_input_is_answered_at_once() {
    for text in [
        "[".repeat(200_000),
        "{\"a\":".repeat(100_000),
        "\\".repeat(1_000_001),
        format!("\"{}", "\\\"".repeat(500_000)),
    ] {
        assert_eq!(repair("view_file", &text, &specs()).arguments, None);
    }
}
