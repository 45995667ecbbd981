//! The body of a `=== reply`: one directive a line, read into a [`Reply`].
//!
//! What comes over the wire in order becomes a step; the rest describes the whole answer and may stand anywhere.

use super::ScenarioError;
use super::lex;
use super::sections::Section;
use crate::reply::{
    Call, Done, End, Field, Finish, Form, Pieces, Quirk, Reply, Slot, Status, Step, Times, Usage, Wire,
};

const DIRECTIVES: &str = "text, think, reasoning, call, wait, ping, progress, raw, raw-base64, error, refuse, cut, reset, \
                          hang, status, header, finish, usage, no-done, whole, wire or slot";

pub(super) fn reply(section: &Section) -> Result<Reply, ScenarioError> {
    let mut reply = Reply { line: section.line, times: times(section)?, ..Reply::default() };
    for (line, text) in section.lines() {
        if reply.end().is_some() && !text.starts_with("slot") {
            return Err(ScenarioError::new(
                line,
                "a directive after the end of the connection",
                "the next section",
            ));
        }
        directive(&mut reply, text).map_err(|wrong| ScenarioError::said(line, &wrong))?;
    }
    check(&reply)?;
    Ok(reply)
}

fn times(section: &Section) -> Result<Times, ScenarioError> {
    let due = "=== reply, === reply repeat or === reply repeat=3";
    match section.words.as_str() {
        "" => Ok(Times::default()),
        "repeat" => Ok(Times::Ever),
        words => match words.strip_prefix("repeat=").and_then(|count| count.parse().ok()) {
            Some(count) if count > 0 => Ok(Times::Count(count)),
            _ => Err(ScenarioError::new(section.line, format!("`{words}` after reply"), due)),
        },
    }
}

fn check(reply: &Reply) -> Result<(), ScenarioError> {
    let line = reply.line;
    let waits = |step: &Step| matches!(step, Step::WaitMs(_));
    if reply.status.is_some() && !reply.steps.iter().all(waits) {
        return Err(ScenarioError::new(
            line,
            "a reply with a status that also plays",
            "status, header and wait alone",
        ));
    }
    if reply.end() == Some(End::Refuse) && reply.steps.len() > 1 {
        return Err(ScenarioError::new(line, "a refused connection that plays something", "refuse alone"));
    }
    Ok(())
}

/// The name of a directive, its `/N`, its `[options]`, and what follows.
struct Parts<'a> {
    name: &'a str,
    chars: Option<usize>,
    options: Vec<&'a str>,
    rest: &'a str,
}

fn parts(text: &str) -> Result<Parts<'_>, String> {
    let end = text
        .find(|letter: char| letter.is_whitespace() || letter == '/' || letter == '[')
        .unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let (mut chars, mut options) = (None, Vec::new());
    loop {
        if let Some(after) = rest.strip_prefix('/') {
            let end = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
            let count = after[..end].parse().ok().filter(|count| *count > 0);
            chars = Some(count.ok_or_else(|| format!("`{name}/` without a number; due: {name}/5"))?);
            rest = &after[end..];
        } else if let Some(after) = rest.strip_prefix('[') {
            let end = after.find(']').ok_or_else(|| format!("`{name}[` is not closed; due: {name}[…]"))?;
            options = after[..end].split(['|', ',', ' ']).filter(|option| !option.is_empty()).collect();
            rest = &after[end + 1..];
        } else {
            return Ok(Parts { name, chars, options, rest: rest.trim() });
        }
    }
}

fn directive(reply: &mut Reply, text: &str) -> Result<(), String> {
    let parts = parts(text)?;
    let rest = parts.rest;
    if !matches!(parts.name, "text" | "think" | "reasoning" | "call") && parts.chars.is_some() {
        return Err(format!("`{}/…`; due: pieces only for text, think, reasoning and call", parts.name));
    }
    let pieces = |text: String| Pieces { text, chars: parts.chars };
    let step = match parts.name {
        "text" => Step::Text(pieces(lex::quoted(rest)?)),
        "think" => Step::Text(pieces(format!("<think>{}</think>", lex::quoted(rest)?))),
        "reasoning" => {
            Step::Reasoning { pieces: pieces(lex::quoted(rest)?), field: reasoning_field(&parts.options)? }
        }
        "call" => Step::Call(call(&parts)?),
        "wait" => Step::WaitMs(lex::duration_ms(rest)?),
        "ping" => Step::Ping,
        "progress" => Step::ProgressPercent(percent(rest)?),
        "raw" => Step::Raw(lex::quoted(rest)?.into_bytes()),
        "raw-base64" => Step::Raw(lex::base64(rest)?),
        "error" => Step::Error(lex::quoted(rest)?),
        "refuse" => Step::End(End::Refuse),
        "cut" => Step::End(End::Cut),
        "reset" => Step::End(End::Reset),
        "hang" => Step::End(End::Hang),
        name => return describe(reply, name, rest),
    };
    reply.steps.push(step);
    Ok(())
}

/// The directives that hold for the whole answer.
fn describe(reply: &mut Reply, name: &str, rest: &str) -> Result<(), String> {
    match name {
        "status" => reply.status = Some(status(rest)?),
        "header" => {
            let (name, value) =
                rest.split_once(' ').ok_or_else(|| format!("`header {rest}`; due: header NAME VALUE"))?;
            reply.headers.push((name.to_owned(), value.trim().to_owned()));
        }
        "finish" => {
            reply.finish = match rest {
                "" => return Err("finish without a reason; due: finish stop, or finish none".to_owned()),
                "none" => Finish::Absent,
                reason => Finish::Named(reason.to_owned()),
            }
        }
        "usage" => reply.usage = usage(rest)?,
        "no-done" => reply.done = Done::Absent,
        "whole" => reply.form = Form::Whole,
        "wire" => wire(&mut reply.wire, rest)?,
        "slot" => {
            reply.slot = match rest {
                "busy" => Slot::Busy,
                "idle" => Slot::Idle,
                _ => return Err(format!("`slot {rest}`; due: slot busy or slot idle")),
            }
        }
        _ => return Err(format!("unknown directive `{name}`; due: {DIRECTIVES}")),
    }
    Ok(())
}

fn reasoning_field(options: &[&str]) -> Result<Option<Field>, String> {
    match options {
        [] => Ok(None),
        ["reasoning_content"] => Ok(Some(Field::ReasoningContent)),
        ["reasoning"] => Ok(Some(Field::Reasoning)),
        ["thinking"] => Ok(Some(Field::Thinking)),
        _ => Err("unknown field of reasoning; due: one of reasoning_content, reasoning, thinking".to_owned()),
    }
}

fn call(parts: &Parts<'_>) -> Result<Call, String> {
    let (name, arguments) = parts.rest.split_once(char::is_whitespace).unwrap_or((parts.rest, ""));
    if name.is_empty() {
        return Err("a call without a tool; due: call NAME {…}".to_owned());
    }
    let (mut quirks, mut id) = (Vec::new(), None);
    for option in &parts.options {
        if let Some(given) = option.strip_prefix("id=") {
            id = Some(given.to_owned());
            continue;
        }
        match Quirk::ALL.iter().find(|(word, _)| word == option) {
            Some((_, quirk)) => quirks.push(*quirk),
            None => {
                let known: Vec<&str> = Quirk::ALL.iter().map(|(word, _)| *word).collect();
                return Err(format!("unknown quirk `{option}`; due: {} or id=…", known.join(", ")));
            }
        }
    }
    if quirks.contains(&Quirk::Object) && parts.chars.is_some() {
        return Err("an object in pieces; due: call[object] without /N".to_owned());
    }
    let arguments = Pieces { text: arguments_text(arguments.trim())?, chars: parts.chars };
    Ok(Call { name: name.to_owned(), arguments, quirks, id })
}

/// Verbatim; or between backticks, where a quoted string stands for what it says (a raw line break, say).
fn arguments_text(text: &str) -> Result<String, String> {
    match text.strip_prefix('`').and_then(|text| text.strip_suffix('`')) {
        Some(inner) if inner.starts_with('"') => lex::quoted(inner),
        Some(inner) => Ok(inner.to_owned()),
        None => Ok(text.to_owned()),
    }
}

fn percent(text: &str) -> Result<u8, String> {
    text.trim_end_matches('%')
        .parse()
        .ok()
        .filter(|percent| *percent <= 100)
        .ok_or_else(|| format!("`progress {text}`; due: progress 62"))
}

fn status(text: &str) -> Result<Status, String> {
    let (code, body) = text.split_once(' ').unwrap_or((text, ""));
    let code = code.parse().ok().filter(|code| (200..=599).contains(code));
    let code = code.ok_or_else(|| format!("`status {text}`; due: status 503 {{\"error\":…}}"))?;
    let body = if body.starts_with('"') { lex::quoted(body)? } else { body.to_owned() };
    Ok(Status { code, body })
}

fn usage(text: &str) -> Result<Usage, String> {
    if text == "none" {
        return Ok(Usage::Absent);
    }
    let (mut prompt, mut cached, mut output) = (None, None, None);
    let due = "due: usage none, or usage prompt=900 cached=800 output=20";
    for (key, value) in lex::pairs(text)? {
        let number = Some(value.parse::<u64>().map_err(|_| format!("`usage {key}={value}`; {due}"))?);
        match key.as_str() {
            "prompt" => prompt = number,
            "cached" => cached = number,
            "output" => output = number,
            _ => return Err(format!("`usage {key}`; {due}")),
        }
    }
    Ok(Usage::Given { prompt, cached, output })
}

fn wire(wire: &mut Wire, text: &str) -> Result<(), String> {
    for word in text.split_whitespace() {
        match word {
            "crlf" => wire.crlf = true,
            "no-space" => wire.no_space = true,
            "minimal" => wire.minimal = true,
            "usage-each" => wire.usage_each = true,
            "usage-null" => wire.usage_null = true,
            _ => {
                let count = word.strip_prefix("split=").and_then(|count| count.parse().ok());
                let due = "due: crlf, no-space, minimal, usage-each, usage-null or split=3";
                wire.split_bytes = Some(
                    count
                        .filter(|count| *count > 0)
                        .ok_or_else(|| format!("unknown quirk `{word}`; {due}"))?,
                );
            }
        }
    }
    Ok(())
}
