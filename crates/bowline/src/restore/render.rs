//! Renders what a restore did, or would do, as rows: one per path, with the user's own files listed separately.

use bowline_checkpoint::{Action, Cause, Kept, Plan, Planned, WhyKept};
use bowline_core::restore_entry::RestoreKind;
use bowline_host::restore::RestoreReport;

use crate::paint::one_line;
use crate::render::YELLOW;
use crate::rows::{Colour, Row, Style};

/// The most paths in one list.
const PATHS_MAX: usize = 30;
/// A path is padded to at most this, so that one long name does not push the figures off the screen.
const PATH_COLUMNS_MAX: usize = 48;

/// The columns of the user's text.
const TEXT_COLUMNS: usize = 60;

/// Whether the restore was carried out or is only planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tense {
    Done,
    Planned,
}

/// Who reads the rows: the command that reverts a restore differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader<'r> {
    /// `of` is the flag that names the session, if one is needed.
    CommandLine {
        of: &'r str,
    },
    Chat,
}

/// The whole report: what was undone, the files, the messages, and how to revert it.
pub(crate) fn done(done: &RestoreReport, tense: Tense, reader: Reader<'_>) -> Vec<Row> {
    let mut rows = vec![head(done, tense)];
    match &done.plan {
        Some(plan) if plan.changes.is_empty() && plan.kept.is_empty() => {
            rows.push(Row::plain("  no file differs"));
        }
        Some(shown) => rows.extend(plan(shown, tense)),
        None => {}
    }
    rows.extend(done.untouched.as_ref().map(|why| Row::of(why, YELLOW)));
    if done.answer.messages_deleted > 0 {
        rows.push(Row::plain(&messages(done.answer.messages_deleted, tense)));
    }
    rows.extend(back(done, reader).map(|words| Row::dim(&words)));
    rows
}

fn head(done: &RestoreReport, tense: Tense) -> Row {
    let text = done.text.as_ref().map_or(String::new(), |text| format!(": {}", one_line(text, TEXT_COLUMNS)));
    let id = done.answer.checkpoint_id.as_deref().unwrap_or_default();
    let words = match (done.kind, tense) {
        (RestoreKind::Undo, Tense::Done) => format!("undid{text}"),
        (RestoreKind::Undo, Tense::Planned) => format!("would undo{text}"),
        (RestoreKind::Redo, Tense::Done) => "redid what was undone".to_owned(),
        (RestoreKind::Redo, Tense::Planned) => "would redo what was undone".to_owned(),
        (RestoreKind::Restore, Tense::Done) => format!("restored {id}"),
        (RestoreKind::Restore, Tense::Planned) => format!("would restore {id}"),
    };
    Row::of(&words, Style::BOLD)
}

/// The command that reverts the restore. None if nothing was changed.
fn back(done: &RestoreReport, reader: Reader<'_>) -> Option<String> {
    let id = done.answer.undo_checkpoint_id.as_deref()?;
    Some(match (done.kind, reader) {
        (RestoreKind::Undo, Reader::CommandLine { of }) => format!("bowline redo{of} restores it"),
        (RestoreKind::Undo, Reader::Chat) => "/redo restores it; Enter sends the text again".to_owned(),
        (RestoreKind::Redo, Reader::CommandLine { of }) => format!("bowline undo{of} undoes it again"),
        (RestoreKind::Redo, Reader::Chat) => "/undo undoes it again".to_owned(),
        (RestoreKind::Restore, Reader::CommandLine { of }) => {
            format!("bowline restore {id}{of} undoes this restore")
        }
        (RestoreKind::Restore, Reader::Chat) => {
            format!("bowline restore {id} undoes this restore")
        }
    })
}

/// Which files change, and which are left alone.
pub(crate) fn plan(plan: &Plan, tense: Tense) -> Vec<Row> {
    let paths: Vec<String> = plan.changes.iter().map(|change| path(&change.path)).collect();
    let width = paths.iter().map(|path| path.chars().count()).max().unwrap_or(0).min(PATH_COLUMNS_MAX);
    let mut rows: Vec<Row> = plan
        .changes
        .iter()
        .zip(&paths)
        .take(PATHS_MAX)
        .map(|(change, path)| changed(change, path, width, tense))
        .collect();
    rows.extend(more(plan.changes.len()));
    let of = |why: WhyKept| plan.kept.iter().filter(|kept| kept.why == why).collect::<Vec<_>>();
    rows.extend(kept("left alone: your own changes (--all reverts them):", &of(WhyKept::User)));
    rows.extend(kept("left alone: files in no checkpoint:", &of(WhyKept::NotCaptured)));
    rows
}

fn changed(change: &Planned, path: &str, width: usize, tense: Tense) -> Row {
    let verb = verb(change.action, tense);
    let style = match change.action {
        Action::Create | Action::MakeFolder => Style::coloured(Colour::Green),
        Action::Write => Style::PLAIN,
        Action::Delete | Action::RemoveFolder => Style::coloured(Colour::Red),
    };
    let mut row = Row::of(&format!("  {verb:<9}"), style).with(&format!("{path:<width$}"), Style::PLAIN);
    let sign =
        |sign: &str, lines: Option<u64>| lines.filter(|lines| *lines > 0).map(|n| format!(" {sign}{n}"));
    if let Some(added) = sign("+", change.added) {
        row.push(&added, Style::coloured(Colour::Green));
    }
    if let Some(removed) = sign("−", change.removed) {
        row.push(&removed, Style::coloured(Colour::Red));
    }
    match change.cause {
        Cause::Turn => {}
        Cause::Both => row.push("  changed by the turn and by you", YELLOW),
        Cause::User => row.push("  changed only by you", YELLOW),
    }
    row
}

fn verb(action: Action, tense: Tense) -> &'static str {
    match (tense, action) {
        (Tense::Done, Action::Create | Action::MakeFolder) => "created",
        (Tense::Done, Action::Write) => "wrote",
        (Tense::Done, Action::Delete | Action::RemoveFolder) => "deleted",
        (Tense::Planned, Action::Create | Action::MakeFolder) => "create",
        (Tense::Planned, Action::Write) => "write",
        (Tense::Planned, Action::Delete | Action::RemoveFolder) => "delete",
    }
}

fn kept(head: &str, kept: &[&Kept]) -> Vec<Row> {
    if kept.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![Row::dim(head)];
    rows.extend(kept.iter().take(PATHS_MAX).map(|kept| Row::plain(&format!("  {}", path(&kept.path)))));
    rows.extend(more(kept.len()));
    rows
}

fn more(count: usize) -> Option<Row> {
    let more = count.saturating_sub(PATHS_MAX);
    (more > 0).then(|| Row::dim(&format!("  and {more} more")))
}

fn path(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}

/// `1 message removed`, `3 messages removed`.
pub(crate) fn messages(count: i64, tense: Tense) -> String {
    let messages = if count == 1 { "1 message".to_owned() } else { format!("{count} messages") };
    match tense {
        Tense::Done => format!("{messages} removed"),
        Tense::Planned => format!("{messages} would be removed"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn planned(path: &str, action: Action, cause: Cause) -> Planned {
        Planned { path: PathBuf::from(path), action, cause, added: Some(2), removed: Some(0) }
    }

    #[test]
    fn a_plan_is_one_row_per_path_with_the_users_files_apart() {
        let kept = |path: &str, why| Kept { path: PathBuf::from(path), why };
        let shown = Plan {
            now: String::new(),
            target: String::new(),
            goal: String::new(),
            changes: vec![
                planned("a.txt", Action::Write, Cause::Turn),
                planned("src/long.rs", Action::Create, Cause::Both),
                Planned { added: None, removed: None, ..planned("b", Action::Delete, Cause::User) },
            ],
            kept: vec![kept("mine.txt", WhyKept::User), kept("data.bin", WhyKept::NotCaptured)],
        };
        let text: Vec<String> = plan(&shown, Tense::Done).iter().map(Row::text).collect();
        let due = [
            "  wrote    a.txt       +2",
            "  created  src/long.rs +2  changed by the turn and by you",
            "  deleted  b            changed only by you",
            "left alone: your own changes (--all reverts them):",
            "  mine.txt",
            "left alone: files in no checkpoint:",
            "  data.bin",
        ];
        assert_eq!(text.iter().map(|row| row.trim_end()).collect::<Vec<_>>(), due);
        let many = Plan {
            changes: (0..40).map(|n| planned(&format!("f{n}"), Action::Write, Cause::Turn)).collect(),
            ..shown
        };
        let text: Vec<String> = plan(&many, Tense::Planned).iter().map(Row::text).collect();
        assert_eq!(text[0], "  write    f0  +2");
        assert_eq!(text[PATHS_MAX], "  and 10 more");
    }
}
