//! Calls as models make them: right ones, ones that will fail, and arguments broken in every way that was seen.

use serde_json::{Value, json};

use super::words;
use crate::sim::random::Random;

const PATHS: [&str; 8] = [
    "src/a.rs",
    "src/b.rs",
    "README.md",
    "./src/a.rs",
    "/project/src/b.rs",
    "/etc/hosts",
    "../above",
    "src/gone.rs",
];
const COMMANDS: [&str; 6] = ["true", "make test", "slow", "soup", "gone", "true; false"];
const NAMES: [&str; 16] = [
    "web_search",
    "",
    " ",
    "view_fil",
    "VIEW-FILE",
    "functions.view_file",
    "mcp__files__read_file",
    "read",
    "bash",
    "view_file\n",
    "\"view_file\"",
    "view file",
    "视图",
    "<function=grep>",
    "a.b:c/d",
    "\u{0}\u{202e}",
];

/// A call that fits its tool's schema; it may fail all the same.
pub(super) fn fitting(random: &mut Random) -> (String, Value) {
    let path = *random.pick(&PATHS);
    let (name, arguments) = match random.below(10) {
        0 | 1 => ("view_file", json!({ "path": path })),
        2 => (
            "view_file",
            json!({ "path": path, "start_line": random.between(1, 9), "end_line": random.between(9, 99) }),
        ),
        3 => ("list_dir", json!({ "path": random.pick(&[".", "src", "gone"]) })),
        4 => ("find_files", json!({ "pattern": random.pick(&["*.rs", "*.none"]) })),
        5 => ("grep", json!({ "pattern": random.pick(&["fn", "nowhere", "1", "["]), "path": path })),
        6 => (
            "edit_file",
            json!({ "path": path, "old": format!("line {}", random.below(9)), "new": words::short(random) }),
        ),
        7 => ("write_file", json!({ "path": path, "content": words::short(random) })),
        8 => (
            "edit_file",
            json!({ "path": path, "edits": [{ "old": "line 1", "new": "line 2" }, { "old": "x", "new": "x" }] }),
        ),
        _ => ("run_command", json!({ "command": random.pick(&COMMANDS) })),
    };
    (name.to_owned(), arguments)
}

/// A call that fails, each time in another way.
pub(super) fn failing(random: &mut Random, n: usize) -> (String, Value) {
    let (name, arguments) = match random.below(5) {
        0 => ("view_file", json!({ "path": format!("gone{n}") })),
        1 => ("edit_file", json!({ "path": "src/a.rs", "old": format!("gone {n}"), "new": "" })),
        2 => ("edit_file", json!({ "path": n })),
        3 => ("no_such_tool", json!({ "n": n })),
        _ => ("run_command", json!({ "command": format!("gone {n}") })),
    };
    (name.to_owned(), arguments)
}

pub(super) fn odd_name(random: &mut Random) -> String {
    match random.below(20) {
        0 => "long_".repeat(random.below(400)),
        1 => words::soup(random, 40),
        _ => (*random.pick(&NAMES)).to_owned(),
    }
}

/// Arguments other than they should be.
pub(super) fn broken(random: &mut Random, arguments: &Value) -> String {
    let text = arguments.to_string();
    match random.below(12) {
        0 => cut(random, &text),
        1 => text.replace('"', "'"),
        2 => text.replace("}", ", \"replace_all\": True, \"path2\": None}"),
        3 => text.replace(' ', "\n").replace("\\n", "\n"),
        4 => format!("```json\n{text}\n```"),
        5 => serde_json::to_string(&text).unwrap(),
        6 => text.replace("\":", ":").replace(['{', ','], "{").replace("{\"", "{"),
        7 => text.replace('}', ",}"),
        8 => text.trim_end_matches('}').to_owned(),
        9 => odd_values(random),
        10 => odd_texts(random, &text),
        _ => large(random),
    }
}

/// JSON all of it, and nothing a tool could take; or something that only looks like it.
fn odd_values(random: &mut Random) -> String {
    const VALUES: [&str; 16] = [
        "[]",
        "null",
        "3",
        "true",
        "\"src/a.rs\"",
        "{}",
        "[{\"path\":\"src/a.rs\"}]",
        "{\"path\":null}",
        "{\"path\":[\"src/a.rs\"]}",
        "{\"path\":\"src/a.rs\",\"start_line\":\"2\",\"end_line\":3.0}",
        "{\"path\":\"src/a.rs\",\"start_line\":1e999}",
        "{\"path\":\"src/a.rs\",\"start_line\":0.30000000000000004,\"end_line\":1.7976931348623157e308}",
        "{\"path\":\"src/a.rs\",\"weight\":123456789.12345678912345e-7}",
        "{\"path\":\"src/a.rs\",\"start_line\":18446744073709551615}",
        "{\"path\":\"src/a.rs\",\"start_line\":-9223372036854775809}",
        "{\"path\":\"src/a.rs\",\"path\":\"src/b.rs\",\"start_line\":-0.0}",
    ];
    if random.chance(20) {
        let number = f64::from_bits(random.next());
        let (whole, exponent) = (random.next(), random.between(-30, 30));
        return format!(
            "{{\"path\":\"src/a.rs\",\"weight\":{number:e},\"more\":[{whole}.{whole}e{exponent}]}}"
        );
    }
    (*random.pick(&VALUES)).to_owned()
}

fn odd_texts(random: &mut Random, text: &str) -> String {
    match random.below(8) {
        0 => String::new(),
        1 => " \n\t".to_owned(),
        2 => format!("{text}{text}"),
        3 => format!("Here you are: {text} Done."),
        4 => "{\"path\":\"\\ud800\\udc00\\ud800\"}".to_owned(),
        5 => "{\"pattern\":\"\\d+\\s\\.rs\",\"path\":\"C:\\new\\table\"}".to_owned(),
        6 => format!("{{\"path\":\"{}\"}}", words::soup(random, 30)),
        _ => words::soup(random, 60),
    }
}

fn large(random: &mut Random) -> String {
    let depth = random.between(1, 140) as usize;
    let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    match random.below(4) {
        0 => format!("{{\"path\":\"{}\"}}", "x".repeat(20_000)),
        1 => format!("{{\"path\":\"src/a.rs\",\"content\":\"{}", "ab\\n".repeat(3_000)),
        2 => "[".repeat(depth * 9),
        _ => format!("{{\"path\":\"src/a.rs\",\"more\":{nested}}}"),
    }
}

/// The beginning of a text.
pub(super) fn cut(random: &mut Random, text: &str) -> String {
    let chars = text.chars().count();
    text.chars().take(random.below(chars.max(1))).collect()
}
