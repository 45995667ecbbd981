//! The changes of a session as a list, and as diffs: drawn for a person, plain for a program.

use std::io::IsTerminal as _;

use bowline_core::item::ChangeState;
use bowline_core::review::{ChangeView, Review};
use bowline_host::changes::{Named, SessionChanges, hunk_diffs};
use serde_json::{Value, json};

use super::{PATH_COLUMNS, refusal};
use crate::diff;
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::{Paint, one_line, tame};
use crate::print::json_line;
use crate::time::ago;

/// The width of a terminal that does not report one.
const COLUMNS: usize = 100;
/// The most rows of one hunk.
const ROWS_MAX: usize = 2_000;

pub(super) async fn list(session_changes: &SessionChanges<'_>, is_json: bool) -> Result<(), Refusal> {
    let review = session_changes.review().await.map_err(|error| refusal(&error))?;
    let now = session_changes.clock.now_ms();
    for change in &review.changes {
        if is_json {
            json_line(&to_json(change));
        } else {
            print_line(&line(change, now));
        }
    }
    if review.changes.is_empty() && !is_json {
        eprint_line("no edit changed a file in this session");
    }
    Ok(())
}

fn to_json(change: &ChangeView) -> Value {
    let hunks: Vec<&str> = change.hunks.iter().map(|state| state.word()).collect();
    json!({
        "id": change.id,
        "state": change.state().word(),
        "path": change.edit.path,
        "kind": if change.is_new_file() { "create" } else { "edit" },
        "added": change.edit.added,
        "removed": change.edit.removed,
        "rung": change.edit.rung,
        "hunks": hunks,
        "can_rewind": !change.landed.is_empty(),
        "turn": change.turn,
        "at_ms": change.at_ms,
    })
}

fn line(change: &ChangeView, now: i64) -> String {
    let edit = &change.edit;
    let lines = format!("+{} −{}", edit.added, edit.removed);
    let mut about = vec![edit.rung.clone()];
    about.extend(change.turn.clone());
    about.push(ago(now - change.at_ms));
    let so = change.hunks.iter().filter(|state| **state == change.state()).count();
    if so < change.hunks.len() {
        about.push(format!("{so} of {} hunks", change.hunks.len()));
    }
    if edit.patch.is_none() && change.state() == ChangeState::Applied {
        about.push("not kept, can't be reverted".to_owned());
    }
    let path = one_line(&edit.path, PATH_COLUMNS);
    format!("{:<4} {:<8}  {path}  {lines}  {}", change.id, change.state().word(), about.join(" · "))
}

pub(super) async fn diff(
    session_changes: &SessionChanges<'_>,
    named: &[Named],
    is_plain: bool,
) -> Result<(), Refusal> {
    let review = session_changes.review().await.map_err(|error| refusal(&error))?;
    let picked = picked(&review, named)?;
    if picked.is_empty() {
        eprint_line("no edit changed a file in this session");
    }
    let is_drawn = std::io::stdout().is_terminal();
    let paint = Paint::new(&std::io::stdout(), is_plain);
    for (change, hunks) in picked {
        if is_drawn {
            draw(change, &hunks, paint);
        } else {
            print(change, &hunks);
        }
    }
    Ok(())
}

/// Changes, and which of their hunks are to be shown.
type Picked<'r> = Vec<(&'r ChangeView, Vec<usize>)>;

fn picked<'r>(review: &'r Review, named: &[Named]) -> Result<Picked<'r>, Refusal> {
    if named.is_empty() {
        let waiting: Picked<'_> = review.pending().map(|change| (change, change.pending())).collect();
        let last = review.changes.last().and_then(|change| change.turn.clone());
        let of_last = review.changes.iter().filter(|change| change.turn == last);
        return Ok(match waiting.is_empty() {
            true => of_last.map(|change| (change, all(change))).collect(),
            false => waiting,
        });
    }
    let find = |named: &Named| {
        let found = review.changes.iter().find(|change| change.id == named.id);
        let is_there = |change: &&ChangeView| named.hunk.is_none_or(|hunk| hunk <= change.hunks.len());
        let words = || format!("there is no {}: see bowline changes list", name(&named.id, named.hunk));
        let found = found.filter(is_there).ok_or_else(|| Refusal::new(Exit::Usage, words()))?;
        Ok((found, named.hunk.map_or_else(|| all(found), |hunk| vec![hunk - 1])))
    };
    named.iter().map(find).collect()
}

fn all(change: &ChangeView) -> Vec<usize> {
    (0..change.hunks.len()).collect()
}

fn name(id: &str, hunk: Option<usize>) -> String {
    hunk.map_or(id.to_owned(), |hunk| format!("{id}:{hunk}"))
}

/// What a hunk is called, and how it stands: `c3:2  pending`.
fn label(change: &ChangeView, hunk: usize) -> String {
    let state = change.hunks.get(hunk).map_or("", |state| state.word());
    let number = (change.hunks.len() > 1).then_some(hunk + 1);
    format!("{}  {state}", name(&change.id, number))
}

/// As `git apply` and `patch` read it, who pass over what stands behind the head of a hunk.
fn print(change: &ChangeView, hunks: &[usize]) {
    let path = &change.edit.path;
    let old = if change.is_new_file() { "/dev/null".to_owned() } else { format!("a/{path}") };
    if change.edit.patch.is_none() {
        print_line(tame(&change.edit.diff).trim_end_matches('\n'));
        return;
    }
    print_line(&format!("--- {old}\n+++ b/{path}"));
    for (hunk, text) in hunks.iter().zip(hunk_diffs(change, hunks)) {
        let (head, body) = text.split_once('\n').unwrap_or((&text, ""));
        print_line(&format!("{head} {}\n{}", label(change, *hunk), body.trim_end_matches('\n')));
    }
}

fn draw(change: &ChangeView, hunks: &[usize], paint: Paint) {
    let columns = rustix::termios::tcgetwinsize(std::io::stdout());
    let columns = columns.map_or(COLUMNS, |size| usize::from(size.ws_col)).max(40);
    let head = format!("{}  {}  {}", change.id, change.state().word(), one_line(&change.edit.path, columns));
    print_line(&paint.bold(&head));
    if change.edit.patch.is_none() {
        diff::rows(&change.edit.diff, columns, ROWS_MAX).iter().for_each(|row| print_line(&row.paint(paint)));
        return;
    }
    for (hunk, text) in hunks.iter().zip(hunk_diffs(change, hunks)) {
        if change.hunks.len() > 1 {
            print_line(&paint.dim(&label(change, *hunk)));
        }
        diff::rows(&text, columns, ROWS_MAX).iter().for_each(|row| print_line(&row.paint(paint)));
    }
}
