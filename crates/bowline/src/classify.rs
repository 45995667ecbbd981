//! `bowline classify`: names failures for other programs. Each line of standard input is a command that has ended, each line of
//! standard output what came of it.
//!
//! No session, no model, no settings: the same line gives the same answer everywhere.

use std::io::{self, BufRead, Write};

use bowline_core::failure::{self, End, Outcome, Run};
use serde_json::{Map, Value, json};

use crate::exit::Exit;
use crate::json_lines::{LINE_BYTES_MAX, Line, next};
use crate::output::eprint_line;

pub(crate) fn classify() -> Exit {
    match answer(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => Exit::Done,
        Err(error) => {
            eprint_line(&format!("bowline: not every line was answered: {error}"));
            Exit::Failed
        }
    }
}

fn answer(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let answer = match next(&mut input, &mut line)? {
            Line::End => return Ok(()),
            Line::Read if line.trim_ascii().is_empty() => continue,
            Line::Read => one(&line),
            Line::TooLong => {
                let words =
                    format!("the line has more than {LINE_BYTES_MAX} bytes: leave out a part of the output.");
                json!({ "id": null, "error": words })
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
}

fn one(line: &[u8]) -> Value {
    let fields: Map<String, Value> = match serde_json::from_slice(line) {
        Ok(fields) => fields,
        Err(error) => return json!({ "id": null, "error": format!("this is no JSON object: {error}.") }),
    };
    let id = fields.get("id").cloned().unwrap_or_default();
    match read(&fields) {
        Ok(run) => named(&id, &failure::read(&run)),
        Err(words) => json!({ "id": id, "error": words }),
    }
}

fn read(fields: &Map<String, Value>) -> Result<Run<'_>, String> {
    let text = |name: &str| match fields.get(name) {
        None | Some(Value::Null) => Ok(""),
        Some(Value::String(text)) => Ok(text.as_str()),
        Some(_) => Err(format!("`{name}` must be a text.")),
    };
    if !fields.contains_key("command") {
        return Err("`command` is missing: the command line as it was run.".to_owned());
    }
    let code = fields.get("exit_code").and_then(Value::as_i64);
    // Windows has exit codes beyond the range.
    let code = code.map(|code| i32::try_from(code).unwrap_or(i32::MAX));
    let end = match code {
        // Python gives the number of a signal as a negative exit code.
        Some(code) if code < 0 => End::Signal(code.saturating_neg()),
        Some(code) => End::Exit(code),
        None => return Err("`exit_code` is missing or not a whole number.".to_owned()),
    };
    Ok(Run { command: text("command")?, end, stdout: text("stdout")?, stderr: text("stderr")? })
}

fn named(id: &Value, outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Failed(failure) => json!({
            "id": id,
            "kind": failure.kind.name(),
            "subkind": failure.subkind.map(failure::Subkind::name),
            "summary": failure.summary,
        }),
        Outcome::Passed(counts) => {
            let summary = counts.as_ref().and_then(failure::Counts::row);
            let summary = summary.unwrap_or_else(|| "passed".to_owned());
            json!({ "id": id, "kind": null, "subkind": null, "summary": summary })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::answer;

    fn answered(input: &str) -> Vec<String> {
        let mut output = Vec::new();
        answer(input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn every_line_has_an_answer() {
        let lines = answered(concat!(
            r#"{"id": 7, "command": "pytest -q", "exit_code": 1, "stdout": "FAILED test_cart.py::test_last - assert 1 == 2\n1 failed, 3 passed in 0.1s\n"}"#,
            "\n\n",
            r#"{"id": "a", "command": "nosuchtool", "exit_code": 127, "stderr": "sh: 1: nosuchtool: not found\n"}"#,
            "\n",
            r#"{"command": "true", "exit_code": 0}"#,
            "\n",
            r#"{"id": 1, "command": "sleep 9", "exit_code": -9}"#,
            "\n",
            r#"{"id": 2, "exit_code": 1}"#,
            "\n",
            r#"{"id": 3, "command": "make", "exit_code": "one"}"#,
            "\nnonsense\n",
        ));
        assert_eq!(lines.len(), 7);
        assert!(
            lines[0].starts_with(r#"{"id":7,"kind":"test_failure","subkind":"assertion","summary":""#),
            "{}",
            lines[0]
        );
        assert!(lines[0].contains("test_last"), "{}", lines[0]);
        assert!(
            lines[1].starts_with(r#"{"id":"a","kind":"tooling_error","subkind":"missing_tool""#),
            "{}",
            lines[1]
        );
        assert_eq!(lines[2], r#"{"id":null,"kind":null,"subkind":null,"summary":"passed"}"#);
        assert!(lines[3].contains(r#""subkind":"signal""#), "{}", lines[3]);
        assert_eq!(lines[4], r#"{"id":2,"error":"`command` is missing: the command line as it was run."}"#);
        assert!(lines[5].contains("`exit_code` is missing or not a whole number."));
        assert!(lines[6].contains("this is no JSON object"), "{}", lines[6]);
    }
}
