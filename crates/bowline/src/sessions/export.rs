//! `bowline sessions export`: a session as Markdown that people can read, or its frames as JSON lines.
//!
//! In Markdown a call is one line; what it printed, and the diff of what it changed, are folded below it. Thoughts are
//! left out. A running session is exported as far as it has come.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use bowline_core::changes::Changes;
use bowline_core::entry::{Change, Entry, Role};
use bowline_core::frame::frame;
use bowline_core::item::{CallResult, Item, ItemKind};
use bowline_core::outcome::Outcome;
use bowline_core::view::{MessageView, View};
use bowline_core::visible::visible;
use bowline_host::store::{Session, Store};

use super::{failed, find, open};
use crate::exit::{Exit, Refusal};
use crate::output::print_line;
use crate::paint::{one_line, tame};
use crate::render::{ending, sentinel_line, verb};

/// Entries of one page of frames.
const PAGE: i64 = 500;
/// The columns of a title. A cut title is of little use, so this is generous.
const TITLE_COLUMNS: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Markdown,
    Json,
}

impl Format {
    pub(super) fn of(word: &str) -> Format {
        if word == "json" { Format::Json } else { Format::Markdown }
    }
}

pub(super) async fn export(id: &str, output: Option<&Path>, format: Format) -> Result<(), Refusal> {
    let store = open().await?;
    let session = find(&store, id).await?;
    let unwritten = |path: &Path, error: &std::io::Error| {
        let words = format!("{} cannot be written: {error}. Name another file with -o", path.display());
        Refusal::new(Exit::Failed, words)
    };
    let Some(path) = output else {
        return match write(&store, &session, format, &mut std::io::stdout()).await? {
            // A reader that has seen enough is no failure.
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(failed(error)),
            _ => Ok(()),
        };
    };
    let file = File::create(path).map_err(|error| unwritten(path, &error))?;
    let mut writer = BufWriter::new(file);
    let written = write(&store, &session, format, &mut writer).await?;
    written.and_then(|()| writer.flush()).map_err(|error| unwritten(path, &error))?;
    print_line(&path.display().to_string());
    Ok(())
}

/// The outer error is the store's, the inner one the file's.
async fn write(
    store: &Store,
    session: &Session,
    format: Format,
    out: &mut impl Write,
) -> Result<std::io::Result<()>, Refusal> {
    if format == Format::Markdown {
        let log = store.log(&session.id).await.map_err(failed)?;
        return Ok(out.write_all(markdown(session, &log).as_bytes()));
    }
    let mut after = 0;
    loop {
        let page = store.entries(&session.id, after, PAGE).await.map_err(failed)?;
        let Some(last) = page.last() else { return Ok(Ok(())) };
        after = last.seq;
        for entry in &page {
            if let Err(error) = writeln!(out, "{}", frame(entry)) {
                return Ok(Err(error));
            }
        }
    }
}

fn markdown(session: &Session, log: &[Entry]) -> String {
    let view = View::of(log);
    let (title, model) = (one_line(&session.title, TITLE_COLUMNS), one_line(&session.model, TITLE_COLUMNS));
    let folder = one_line(&session.project_root, TITLE_COLUMNS);
    let mut text = format!("# {title}\n\n{} · {} · session {}\n", code(&model), code(&folder), session.id);
    let mut role = None;
    for message in &view.messages {
        let is_answer = message.message.role == Role::Assistant;
        if message.message.role != Role::System && (role != Some(message.message.role) || !is_answer) {
            text.push_str(if is_answer { "\n## Answer\n" } else { "\n## User\n" });
        }
        role = Some(message.message.role);
        text.push_str(&block(message));
    }
    if let Some(reason) = view.end.as_ref().and_then(|end| end.reason.as_deref()) {
        text.push_str(&format!("\n> **{}**\n", tame(reason.trim())));
    }
    text.push_str(&changed(log));
    text
}

fn block(view: &MessageView) -> String {
    match (&view.sentinel, view.message.role) {
        (Some(sentinel), _) => format!("\n> **{}**\n", sentinel_line(sentinel)),
        (None, Role::User) => format!("\n{}\n", tame(view.text.trim())),
        (None, _) => view.items.iter().map(item).collect(),
    }
}

fn item(item: &Item) -> String {
    match (item.kind, &item.result) {
        (ItemKind::Reasoning, _) => String::new(),
        (kind, _) if !kind.is_call() => match tame(item.text.trim()) {
            text if text.is_empty() => text,
            text => format!("\n{text}\n"),
        },
        (_, None) => format!("\n- {} (running)\n", line(item)),
        (_, Some(result)) => call(item, result),
    }
}

fn line(item: &Item) -> String {
    format!("{} {}", verb(item), code(&one_line(&item.title, TITLE_COLUMNS)))
}

fn call(item: &Item, result: &CallResult) -> String {
    let mut head = line(item);
    for edit in &result.edits {
        head.push_str(&format!(" +{} −{}", edit.added, edit.removed));
    }
    if let Some(code) = result.exit_code.filter(|code| *code != 0) {
        head.push_str(&format!(" · exit {code}"));
    } else if result.outcome != Outcome::Success {
        head.push_str(&format!(" · {}", ending(result.outcome)));
    }
    let mut text = format!("\n- {head}\n");
    // A diff says what an edit's result says, and more.
    for edit in &result.edits {
        text.push_str(&collapsed("diff", "diff", &edit.diff));
    }
    if result.edits.is_empty() && !result.text.trim().is_empty() {
        text.push_str(&collapsed("result", "", &result.text));
    }
    text
}

/// What opens on a click; indented, so that it belongs to the line above.
fn collapsed(summary: &str, language: &str, body: &str) -> String {
    let body = tame(body.trim_end());
    let fence = fence(&body);
    let block = format!(
        "<details><summary>{summary}</summary>\n\n{fence}{language}\n{body}\n{fence}\n\n</details>\n"
    );
    let indented =
        block.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") });
    indented.collect()
}

/// More back quotes in a row than there are in the text.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}

/// Text in a line as it stands, whatever marks it has.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    // A blank on both sides is no part of it, and keeps its own back quotes from the marks.
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{marks}{blank}{text}{blank}{marks}")
}

/// What the edits of all turns did; the model's commands may have done more.
fn changed(log: &[Entry]) -> String {
    let mut changes = Changes::default();
    visible(log).into_iter().for_each(|entry| changes.apply(&entry.body));
    let line = |change: &Change| {
        let path = code(&one_line(&change.path, TITLE_COLUMNS));
        format!("- {path} +{} −{}\n", change.added, change.removed)
    };
    let lines: String = changes.list().iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("\n## Changes\n\n{lines}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_fence() {
        assert_eq!(fence("plain"), "```");
        assert_eq!(fence("a\n````\nb"), "`````");
        assert_eq!(code("src/a.rs"), "`src/a.rs`");
        assert_eq!(code("`x`"), "`` `x` ``");
        let due = "  <details><summary>result</summary>\n\n  ```\n  one\n\n  two\n  ```\n\n  </details>\n";
        assert_eq!(collapsed("result", "", "one\n\ntwo\n"), due);
    }
}
