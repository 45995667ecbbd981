//! The doom-loop guard, step by step. A step is a word, its calls are joined by `+`, each `CALL=RESULT`: a capital letter
//! reads, `v12` views from line 12, `!x` is a command that fails, `$x` one that succeeds, `~x` a slow one that fails, `*x` an
//! edit that changes something, `?x` a check of bowline's own that fails. In commands and results `_` stands for a blank. A step
//! with `^` behind it is one in which another guard acts.

use bowline_core::guard::Verdict;
use bowline_core::guard::doom::{CallFingerprint, Doom, Seen};
use serde_json::{Value, json};

fn print(word: &str) -> CallFingerprint {
    let (call, result) = word.split_once('=').unwrap_or((word, "ok"));
    let result = result.replace('_', " ");
    let (sigil, name) = call.split_at(1);
    let command = name.replace('_', " ");
    let (tool, arguments, exit_code, duration_ms): (&str, Value, Option<i64>, i64) = match sigil {
        "!" => ("run_command", json!({"command": command}), Some(1), 10),
        "$" => ("run_command", json!({"command": command}), Some(0), 10),
        "~" => ("run_command", json!({"command": command}), Some(1), 6000),
        "?" => ("run_command", json!({"check": command}), Some(1), 10),
        "*" => ("edit_file", json!({"path": name}), None, 1),
        "v" => ("view_file", json!({"path": "f", "start_line": name.parse::<i64>().unwrap()}), None, 1),
        letter => ("view_file", json!({"path": format!("{letter}{name}")}), None, 1),
    };
    let seen = Seen {
        tool,
        arguments: &arguments,
        result: &result,
        exit_code,
        duration_ms,
        is_change: sigil == "*",
    };
    CallFingerprint::of(&seen, "/project")
}

fn play(steps: &str) -> String {
    let mut doom = Doom::default();
    let mut text = String::new();
    for (n, step) in steps.split_whitespace().enumerate() {
        let n = n + 1;
        let (step, is_silent) = step.strip_suffix('^').map_or((step, false), |step| (step, true));
        let prints: Vec<CallFingerprint> = step.split('+').map(print).collect();
        let again = doom.record(&prints).again;
        if is_silent {
            continue;
        }
        let act = doom.act();
        for (_, words) in &again {
            text.push_str(&format!("{n}: again: {words}\n"));
        }
        if let Some((_, words)) = &act.answer {
            text.push_str(&format!("{n}: answer: {words}\n"));
        }
        match act.verdict {
            Verdict::Pass => {}
            Verdict::Nudge { sentinel, .. } => {
                text.push_str(&format!("{n}: told {}\n", serde_json::to_string(&sentinel).unwrap()));
            }
            Verdict::Stop { sentinel } => {
                text.push_str(&format!("{n}: stop {}\n", serde_json::to_string(&sentinel).unwrap()));
                return text;
            }
        }
    }
    if text.is_empty() { "nothing\n".to_owned() } else { text }
}

#[test]
fn steps() {
    crate::cases::check("doom.cases", play);
}
