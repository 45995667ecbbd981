//! `--jsonl`: a line in, a line out, in the same order, each answer on its way before the next line is read.

use std::io::{self, BufRead, Write};

use bowline_core::tool_output::Grant;
use bowline_edit::Mode;
use bowline_host::workspace::Workspace;
use serde_json::{Map, Value};

use super::answer::{Answer, Status, apply};
use super::file::{self, Intent};
use super::request::{Request, Target, read};
use crate::json_lines::{LINE_BYTES_MAX, Line, next};

pub(super) fn answer(
    workspace: &Workspace,
    mode: Mode,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let answer = match next(&mut input, &mut line)? {
            Line::End => return Ok(()),
            Line::Read if line.trim_ascii().is_empty() => continue,
            Line::Read => one(workspace, mode, &line),
            Line::TooLong => {
                let words = format!("the line has more than {LINE_BYTES_MAX} bytes: edit a file by `path`.");
                answered(None, &Answer::refused(words), None)
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
}

fn one(workspace: &Workspace, otherwise: Mode, line: &[u8]) -> Value {
    let (id, request) = read(line);
    let request = match request {
        Ok(request) => request,
        Err(wrong) => return answered(id, &Answer::refused(wrong), None),
    };
    let Request { target, mode, .. } = &request;
    let (edit, mode) = (request.edit(), mode.unwrap_or(otherwise));
    match target {
        Target::Content(content) => {
            let (mut answer, made) = apply(Some(content.as_bytes()), &edit, mode);
            let made = made.filter(|_| answer.status == Status::Applied).map(String::from_utf8).transpose();
            let made = made.unwrap_or_else(|_| {
                answer = Answer::refused("the result would not be UTF-8.".to_owned());
                None
            });
            answered(id, &answer, made.as_deref())
        }
        Target::Path(path) => {
            let done = file::edit(workspace, path, Grant::Inside, &edit, mode, Intent::Write);
            answered(id, &done.answer, None)
        }
    }
}

fn answered(id: Option<Value>, answer: &Answer, content: Option<&str>) -> Value {
    let mut fields = Map::new();
    fields.insert("id".to_owned(), id.unwrap_or_default());
    if let Value::Object(rest) = answer.json(content) {
        fields.extend(rest);
    }
    Value::Object(fields)
}
