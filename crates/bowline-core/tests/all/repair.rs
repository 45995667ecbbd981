//! Calls as models write them, and what is made of them. A case holds calls: `tool`, a space, the arguments verbatim; a
//! line `...` ends a call whose arguments span lines.

use bowline_core::entry::Access;
use bowline_core::repair::repair;
use bowline_core::tools::{self, ToolSpec};
use proptest::prelude::*;
use serde_json::{Value, json};

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
            for line in repaired.note.iter().flat_map(|note| note.lines()) {
                text.push_str(&format!("  | {line}\n"));
            }
            if let Some(why) = &repaired.refused {
                text.push_str(&format!("  refused: {why}\n"));
            }
        }
        text
    });
}

/// A valid call without unknown names, of any tool, also with optional arguments that are filled in with nothing.
fn valid_call() -> impl Strategy<Value = (&'static str, Value)> {
    let text = || "(?s).{0,60}";
    let path = || "[a-z/.]{1,20}";
    // Left out, `null`, empty, or given.
    let optional = |given: BoxedStrategy<Value>, empty: Value| {
        prop_oneof![Just(None), Just(Some(Value::Null)), Just(Some(empty)), given.prop_map(Some),]
    };
    let optional_path = move || optional(path().prop_map(Value::from).boxed(), json!(""));
    let edit = (text(), text()).prop_map(|(old, new)| json!({"old": old, "new": new}));
    let edits = optional(proptest::collection::vec(edit, 1..4).prop_map(Value::from).boxed(), json!([]));
    let flag = optional(any::<bool>().prop_map(Value::from).boxed(), Value::Null);
    prop_oneof![
        (path(), 1..500_i64, 0..500_i64).prop_map(|(path, start, more)| {
            ("view_file", json!({"path": path, "start_line": start, "end_line": start + more}))
        }),
        optional_path().prop_map(|path| ("list_dir", object([("path", path)]))),
        ("[a-z*.]{1,9}", optional_path()).prop_map(|(pattern, path)| {
            ("find_files", object([("pattern", Some(json!(pattern))), ("path", path)]))
        }),
        (text(), optional_path(), optional_path(), 0..9_i64).prop_map(|(pattern, path, glob, context)| {
            let context = Some(json!(context));
            (
                "grep",
                object([
                    ("pattern", Some(json!(pattern))),
                    ("path", path),
                    ("glob", glob),
                    ("context", context),
                ]),
            )
        }),
        (path(), text(), text(), edits, flag).prop_map(|(path, old, new, edits, all)| {
            let [path, old, new] = [path, old, new].map(|text| Some(json!(text)));
            let fields = [("path", path), ("old", old), ("new", new), ("replace_all", all), ("edits", edits)];
            ("edit_file", object(fields))
        }),
        (path(), text())
            .prop_map(|(path, content)| ("write_file", json!({"path": path, "content": content}))),
        ("[a-z][a-z ]{0,9}", 1..2000_i64).prop_map(|(command, timeout_s)| {
            ("run_command", json!({"command": command, "timeout_s": timeout_s * 10}))
        }),
    ]
}

fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

proptest! {
    #[test]
    fn a_valid_call_is_never_changed((tool, arguments) in valid_call()) {
        let repaired = repair(tool, &arguments.to_string(), &specs());
        prop_assert_eq!(repaired.arguments, Some(arguments));
        prop_assert!(repaired.repairs.is_empty());
        prop_assert_eq!(repaired.note, None);
        prop_assert_eq!(repaired.refused, None);
        prop_assert_eq!(repaired.tool, tool);
    }

    #[test]
    fn an_unknown_argument_changes_no_other((tool, arguments) in valid_call(), extra in "(?s).{1,20}") {
        let mut given = arguments.clone();
        given["wholly_unknown"] = json!(format!("x{extra}"));
        let repaired = repair(tool, &given.to_string(), &specs());
        let kept = tools::parse(tool, &repaired.arguments.unwrap());
        prop_assert_eq!(kept, tools::parse(tool, &arguments));
        prop_assert!(repaired.repairs.contains(&"argument wholly_unknown ignored".to_owned()));
        prop_assert!(repaired.note.unwrap().contains("`wholly_unknown` was ignored"));
    }

    #[test]
    fn an_edits_text_comes_through_other_names_unchanged(old in "(?s).{0,60}", new in "(?s).{0,60}") {
        let edit = json!({"oldString": old, "newString": new, "replaceAll": false, "filePath": "a"});
        let single = json!({"filePath": "a", "old_str": old, "new_str": new, "expected_replacements": 1});
        let list = json!({"filePath": "a", "edits": [edit]});
        let due = tools::parse("edit_file", &json!({"path": "a", "edits": [{"old": old, "new": new}]}));
        // An edit without any text is no edit.
        prop_assume!(!old.is_empty() || !new.is_empty());
        for given in [single, list] {
            let repaired = repair("edit_file", &given.to_string(), &specs());
            prop_assert_eq!(&tools::parse("edit_file", &repaired.arguments.unwrap()), &due);
        }
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
    // Names that all mean the same, and names that mean nothing.
    for (tool, mark) in [("grep", "c"), ("edit_file", "x")] {
        let many: String = (0..1_000).map(|n| format!(", \"{}{mark}\": 1", "-".repeat(n))).collect();
        let text = format!("{{\"pattern\": \"x\", \"path\": \"a\", \"old\": \"x\", \"new\": \"y\"{many}}}");
        assert!(repair(tool, &text, &specs()).repairs.len() <= 32);
    }
}
