//! Renders what happens in a turn as rows: calls, guards, checkpoints and the summary at the end. `bowline run` and the
//! chat share it.

use bowline_core::change_decision::ChangeDecisions;
use bowline_core::check::{CheckAccount, CheckMoment, CheckResult, Checked};
use bowline_core::checkpoint::{Checkpoint, Moment};
use bowline_core::entry::{Change, Compacted, CompactedBy, TurnEnd, Usage};
use bowline_core::failure::{self, End, Kind, Run};
use bowline_core::frame::{WaitCause, Waiting};
use bowline_core::item::{CallResult, ChangeState, Item, ItemKind};
use bowline_core::outcome::Outcome;
use bowline_core::sentinel::{Cap, LoopPattern, NoAnswer, Sentinel};
use bowline_core::servers::Runs;
use bowline_core::tool_output::REFUSED;
use bowline_host::servers::Choice;

use crate::diff;
use crate::paint::one_line;
use crate::rows::{Colour, Row, Style};
use crate::time::clock;

/// The columns of a row besides its title or reason.
const MARGIN_COLUMNS: usize = 34;
/// A title is at least this long, however narrow the terminal.
const TITLE_COLUMNS_MIN: usize = 20;
/// The most rows of one file's diff.
const DIFF_ROWS_MAX: usize = 24;
/// How a command failed has so many characters, however long the command is.
const FAILURE_CHARS_MIN: usize = 30;
/// Rungs that are not mentioned, because the edit matched as it was written.
const PLAIN_RUNGS: [&str; 4] = ["place", "exact", "created", "whole file"];

const RED: Style = Style::coloured(Colour::Red);
const GREEN: Style = Style::coloured(Colour::Green);
pub(crate) const YELLOW: Style = Style::coloured(Colour::Yellow);

/// Room for a title or a reason in a row of so many columns.
pub(crate) fn room(columns: usize) -> usize {
    columns.saturating_sub(MARGIN_COLUMNS).max(TITLE_COLUMNS_MIN)
}

/// Which model answers, and why it is that one.
pub(crate) fn model(choice: &Choice) -> Row {
    let elsewhere = if choice.runs == Runs::Elsewhere { " (leaves this machine)" } else { "" };
    let unknown = if choice.is_window_known { "" } else { " (not reported by the server; --window sets it)" };
    let about = format!("{elsewhere} · {} · window {}{unknown}", choice.why, choice.window);
    Row::of(&choice.full_name, Style::BOLD).with(&about, Style::PLAIN)
}

/// What a call does, in one word.
pub(crate) fn verb(item: &Item) -> &'static str {
    let tool = item.call.as_ref().map(|call| call.tool.as_str()).unwrap_or_default();
    match (item.kind, tool) {
        (ItemKind::Read, "list_dir") => "list",
        (ItemKind::Read, _) => "read",
        (ItemKind::Search, "find_files") => "find",
        (ItemKind::Search, _) => "search",
        (ItemKind::Edit, "write_file") => "write",
        (ItemKind::Edit, _) => "edit",
        (ItemKind::Command, _) => "run",
        _ => "call",
    }
}

/// A running call, in a few words.
pub(crate) fn doing(item: &Item, columns: usize) -> String {
    format!("{} {}", verb(item), one_line(&item.title, room(columns)))
}

/// A finished call: what it did, and how it ended unless it simply succeeded.
pub(crate) fn call(item: &Item, columns: usize) -> Row {
    let Some(result) = &item.result else { return Row::default() };
    let room = room(columns);
    let title = one_line(&item.title, room);
    let mut row = Row::plain(&format!("  {:<7}{title}", verb(item)));
    for edit in &result.edits {
        row.append(&lines_changed(edit.added, edit.removed));
        if !PLAIN_RUNGS.contains(&edit.rung.as_str()) {
            row.push(&format!(" · landed: {}", edit.rung), Style::DIM);
        }
        if edit.state == ChangeState::Pending {
            row.push(" · pending", YELLOW);
        }
    }
    if let Some(code) = result.exit_code.filter(|code| *code != 0) {
        let left = room.saturating_sub(title.chars().count()).max(FAILURE_CHARS_MIN);
        row.push(&format!(" · {}", one_line(&failed(item, result, code), left)), RED);
    }
    if let Some(refused) = refused(result) {
        row.push(&format!(" · sandbox: {}", one_line(refused, room)), YELLOW);
    }
    if result.duration_ms >= 1000 {
        row.push(&format!(" · {}", clock(result.duration_ms)), Style::DIM);
    }
    if let Some(call) = item.call.as_ref().filter(|call| !call.repairs.is_empty()) {
        row.push(&format!(" · repaired: {}", one_line(&call.repairs.join(", "), room)), Style::DIM);
    }
    if let Some(why) = unusual(result, room.saturating_sub(title.chars().count())) {
        row.push(&why, YELLOW);
    }
    row
}

/// The first thing that the sandbox refused a command, without the rule behind it: "it tried to reach example.org".
fn refused(result: &CallResult) -> Option<&str> {
    result.exit_code.filter(|code| *code != 0)?;
    let line = result.text.lines().rev().take_while(|line| !line.starts_with("exit code "));
    let first = line.filter_map(|line| line.strip_prefix(REFUSED)).last()?;
    Some(first.split_once(": ").map_or(first, |(what, _)| what))
}

/// How a command failed: `2 failed · test_last` where its output says so, else its exit code.
fn failed(item: &Item, result: &CallResult, code: i64) -> String {
    let command = item.call.as_ref().and_then(|call| call.arguments.get("command")?.as_str());
    let end = End::Exit(i32::try_from(code).unwrap_or(i32::MAX));
    let run = Run { command: command.unwrap_or_default(), end, stdout: &result.text, stderr: "" };
    let failure::Outcome::Failed(failure) = failure::read(&run) else { return format!("exit {code}") };
    if failure.kind == Kind::Unknown {
        return format!("exit {code}");
    }
    let row = failure.row();
    // The row has the command already.
    match row.split_once(&format!(" exited with {code}")) {
        Some((head, rest)) if run.command.contains(head) => format!("exit {code}{rest}"),
        _ => row,
    }
}

/// What an edit did to its files, below its row.
pub(crate) fn diffs(result: &CallResult, columns: usize) -> Vec<Row> {
    let columns = columns.saturating_sub(4);
    let rows = result.edits.iter().flat_map(|edit| diff::rows(&edit.diff, columns, DIFF_ROWS_MAX));
    rows.map(|row| {
        let mut indented = Row::plain("    ");
        indented.append(&row);
        indented
    })
    .collect()
}

/// Why a call did not simply succeed.
fn unusual(result: &CallResult, room: usize) -> Option<String> {
    match result.outcome {
        Outcome::Success => None,
        Outcome::NoResult if result.exit_code.is_some() => None,
        outcome => {
            let first = result.text.lines().next().unwrap_or_default();
            let word = ending(outcome);
            // The text may begin with the same word.
            let rest = match first.split_at_checked(word.len()) {
                Some((head, rest)) if head.eq_ignore_ascii_case(word) => rest.to_owned(),
                _ => format!(": {first}"),
            };
            Some(format!(" · {}", one_line(&format!("{word}{rest}"), room.max(TITLE_COLUMNS_MIN))))
        }
    }
}

/// How a call ended, in a word for people.
pub(crate) fn ending(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "done",
        Outcome::NoResult => "nothing found",
        Outcome::SchemaReject => "not understood",
        Outcome::ToolNotFound => "no such tool",
        Outcome::ExecError | Outcome::ApiError => "failed",
        Outcome::PermissionDenied => "refused",
        Outcome::Interrupted => "interrupted",
    }
}

fn lines_changed(added: i64, removed: i64) -> Row {
    Row::plain(" ")
        .with(&format!("+{added}"), GREEN)
        .with(" ", Style::PLAIN)
        .with(&format!("−{removed}"), RED)
}

/// A file with what a turn did to it.
pub(crate) fn change(change: &Change, columns: usize) -> Row {
    let mut row = Row::plain(&one_line(&change.path, room(columns)));
    row.append(&lines_changed(change.added, change.removed));
    row
}

/// The flagged line of a guard.
pub(crate) fn guard(sentinel: &Sentinel) -> Row {
    Row::of(&format!("! {}", sentinel_line(sentinel)), YELLOW)
}

/// A run of the check by bowline itself, and why it ran if that is not plain.
pub(crate) fn checked(checked: &Checked, columns: usize) -> Row {
    let command = one_line(&checked.command, room(columns) / 2);
    let style = match checked.result {
        CheckResult::Passed => GREEN,
        CheckResult::Failed => RED,
        CheckResult::Unfinished | CheckResult::Flaky => YELLOW,
    };
    let when = match checked.moment {
        CheckMoment::Before if checked.is_known => " (at the end of the last run, on the same files)",
        CheckMoment::Before => " (before the first edit)",
        CheckMoment::After | CheckMoment::End => "",
    };
    Row::plain(&format!("  {:<7}{command} · ", "check"))
        .with(&one_line(&checked.row(), room(columns)), style)
        .with(when, Style::DIM)
}

/// What the check says about a turn.
fn check_line(check: &CheckAccount, columns: usize) -> Row {
    let (words, style) = match (check.before, check.after) {
        (Some(CheckResult::Failed), CheckResult::Passed) => ("check passes now", GREEN),
        (_, CheckResult::Passed) => ("check passes", GREEN),
        (Some(CheckResult::Passed), CheckResult::Failed) => ("check fails, and passed before this turn", RED),
        (Some(CheckResult::Failed), CheckResult::Failed) if check.is_worse => {
            ("check is worse than before", RED)
        }
        (Some(CheckResult::Failed), CheckResult::Failed) => ("check still fails", RED),
        (_, CheckResult::Failed) => ("check fails", RED),
        (_, CheckResult::Unfinished) => ("check did not finish", YELLOW),
        (_, CheckResult::Flaky) => ("check fails and passes on the same files", YELLOW),
    };
    let rest = format!(": {} · {}", check.command, check.summary);
    let undo = if check.is_worse { " (bowline undo takes the turn back)" } else { "" };
    Row::of(words, style).with(&one_line(&rest, room(columns)), Style::PLAIN).with(undo, Style::DIM)
}

pub(crate) fn compacted(compacted: &Compacted) -> Row {
    if compacted.is_fresh_start() {
        return Row::dim("  the attempt was set aside; the model starts again from the files as they are");
    }
    let by = if compacted.by == CompactedBy::Model { "" } else { ", without the model" };
    Row::dim(&format!(
        "  conversation compacted{by}: {} messages, {} → {} tokens",
        compacted.messages, compacted.tokens_before, compacted.tokens_after
    ))
}

/// Changes of the running turn that bowline has undone itself.
pub(crate) fn undone(decided: &ChangeDecisions, columns: usize) -> Option<Row> {
    let mut paths: Vec<&str> = decided.changes.iter().map(|change| change.path.as_str()).collect();
    paths.dedup();
    let words = format!("  undone {}: the check was no better with it", paths.join(", "));
    decided.is_programs_rewind().then(|| Row::dim(&one_line(&words, room(columns))))
}

/// Whether the checkpoint shows what the run did to the files, commands included.
pub(crate) fn is_known(checkpoint: &Checkpoint) -> bool {
    checkpoint.moment == Moment::After && checkpoint.commit.is_some()
}

/// What a checkpoint that failed or left something out means; nothing where all is well.
pub(crate) fn checkpoint(checkpoint: &Checkpoint) -> Option<Row> {
    if let Some(error) = &checkpoint.error {
        let so = match checkpoint.moment {
            Moment::Before => "Writing needs approval, and bowline undo leaves this turn's files alone",
            Moment::After => "bowline undo will treat your later changes as this turn's",
        };
        return Some(Row::of(&format!("! no checkpoint could be taken: {error}. {so}"), YELLOW));
    }
    let named: Vec<String> =
        checkpoint.not_captured.iter().take(3).map(|one| format!("{} ({})", one.path, one.why)).collect();
    let all = i64::try_from(checkpoint.not_captured.len()).unwrap_or(i64::MAX);
    let more = all.saturating_add(checkpoint.not_captured_more) - i64::try_from(named.len()).unwrap_or(0);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let so = match checkpoint.moment {
        Moment::Before => "not in the checkpoint, so a restore leaves it alone",
        Moment::After => "made in this turn and in no checkpoint, so bowline undo leaves it",
    };
    (!named.is_empty()).then(|| Row::dim(&format!("  {so}: {}{more}", named.join(", "))))
}

/// What the turn is waiting for.
pub(crate) fn waiting(waiting: &Waiting) -> String {
    let percent = waiting.percent.map_or(String::new(), |percent| format!(" {percent} %"));
    match waiting.cause {
        WaitCause::Load => "loading the model".to_owned(),
        WaitCause::Slot => "waiting for another session".to_owned(),
        WaitCause::Prompt => format!("reading the prompt{percent}"),
        WaitCause::Retry => "the server failed; retrying".to_owned(),
    }
}

/// Why a turn stopped before its end, and what to do about it.
pub(crate) fn reason(end: &TurnEnd, is_hinted: bool) -> Option<Row> {
    let reason = end.reason.as_deref()?;
    let hint = end.hint.as_deref().filter(|_| is_hinted);
    let hint = hint.map_or(String::new(), |hint| format!(" {}.", capital(hint)));
    Some(Row::of(&format!("{reason}{hint}"), YELLOW))
}

/// The files a turn changed, or that it changed none.
pub(crate) fn changes(end: &TurnEnd, commands: usize, columns: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = end.changes.iter().map(|one| change(one, columns)).collect();
    if rows.is_empty() {
        let doubt = if commands > 0 { " by an edit; git status shows what commands did" } else { "" };
        rows.push(Row::plain(&format!("no file was changed{doubt}")));
    }
    rows.extend(end.check.as_ref().map(|check| check_line(check, columns)));
    if end.is_check_unknown {
        rows.push(Row::of(
            "not checked: no check is known; name one with --check CMD or checks.test",
            YELLOW,
        ));
    }
    rows.extend(waiting_changes(end.waiting));
    let refused =
        |denied: &String| Row::of(&format!("refused, because nobody could be asked: {denied}"), YELLOW);
    rows.extend(end.denied.iter().map(refused));
    rows
}

/// How many changes are pending, and what to do about them.
fn waiting_changes(count: i64) -> Option<Row> {
    let pending = if count == 1 { "1 change is pending" } else { &format!("{count} changes are pending") };
    let words = format!("{pending}: bowline changes diff · bowline changes apply --all");
    (count > 0).then(|| Row::of(&words, YELLOW))
}

/// Where the time of a run went.
pub(crate) fn figures(usage: Usage, took_ms: i64, command_ms: i64) -> String {
    parts(usage, took_ms, command_ms, 0)
}

/// The same without parts that took less than a second.
pub(crate) fn figures_in_short(usage: Usage, took_ms: i64, command_ms: i64) -> String {
    parts(usage, took_ms, command_ms, 1000)
}

fn parts(usage: Usage, took_ms: i64, command_ms: i64, ms_min: i64) -> String {
    let reading_ms = usage.prefill_ms + usage.load_ms;
    let times = [("reading", reading_ms), ("writing", usage.decode_ms), ("commands", command_ms)];
    let times = times.into_iter().filter(|(_, ms)| *ms >= ms_min);
    let mut parts = vec![clock(took_ms)];
    parts.extend(times.map(|(what, ms)| format!("{what} {}", clock(ms))));
    // None may also mean that the server does not tell (Ollama).
    if usage.prompt() > 0 && usage.prompt_cached > 0 {
        parts.push(format!("{} % of the prompt cached", usage.prompt_cached * 100 / usage.prompt()));
    }
    parts.join(" · ")
}

pub(crate) fn sentinel_line(sentinel: &Sentinel) -> String {
    match sentinel {
        Sentinel::MistakeRecovery { failure_kinds, escalated, .. } => {
            let kinds: Vec<&str> = failure_kinds.iter().map(|kind| kind.word()).collect();
            let done = if *escalated { "stopped the turn" } else { "warned the model; continuing" };
            format!("several errors in a row ({}): {done}", kinds.join(", "))
        }
        Sentinel::DoomLoop { pattern, escalated, .. } => {
            let what = match pattern {
                LoopPattern::Exact => "the same call with the same result again",
                LoopPattern::Cycle => "the same calls in rotation",
                LoopPattern::Near => "the same call with other numbers and the same result",
                LoopPattern::Stall => "the same command fails in the same way",
                LoopPattern::Text => "the answer repeats itself",
            };
            let done = match (escalated, pattern) {
                (true, _) => "stopped the turn",
                (false, LoopPattern::Text) => "cut off; asking the model again",
                (false, _) => "warned the model; continuing",
            };
            format!("{what}: {done}")
        }
        Sentinel::CapHit { limit: Cap::Steps, .. } => "the run has used up its steps".to_owned(),
        Sentinel::CapHit { limit: Cap::Time, .. } => "the run has used up its time".to_owned(),
        Sentinel::NoAnswer { reason: NoAnswer::Empty, .. } => "the model answered nothing".to_owned(),
        Sentinel::NoAnswer { reason: NoAnswer::Reasoning, .. } => {
            "the model thought and answered nothing".to_owned()
        }
        Sentinel::NoAnswer { reason: NoAnswer::TextLoop, .. } => "no usable answer".to_owned(),
    }
}

/// The hint of a stopped turn, adapted to the chat: Enter continues there, so no command has to be typed.
pub(crate) fn in_chat(hint: &str) -> Option<String> {
    let ends = [" and continue with: bowline", ", then continue with: bowline", ": bowline run"];
    let end = ends.iter().filter_map(|end| hint.find(end)).min().unwrap_or(hint.len());
    let hint = hint.get(..end).filter(|hint| !hint.starts_with("bowline run"))?;
    Some(format!("{}.", capital(hint)))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // A command stays as it is typed.
        Some(first) if !text.starts_with("bowline") => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_the_chat_no_command_has_to_be_typed() {
        let shown = [
            ("start the server and continue with: bowline run -c", Some("Start the server.")),
            ("look at its log (-v), then continue with: bowline run -c", Some("Look at its log (-v).")),
            ("update the server: bowline run -c continues from here", Some("Update the server.")),
            ("check --base-url and --model", Some("Check --base-url and --model.")),
            ("bowline run -c continues from here", None),
        ];
        for (hint, expected) in shown {
            assert_eq!(in_chat(hint).as_deref(), expected);
        }
    }

    #[test]
    fn a_failed_command_says_what_failed() {
        let row = |command: &str, code: i64, text: &str| {
            let call = serde_json::json!({ "tool": "run_command", "arguments": { "command": command } });
            let result = serde_json::json!({
                "outcome": "no_result", "text": text, "duration_ms": 0, "exit_code": code
            });
            let item = serde_json::json!({
                "id": "i1", "message": "m1", "kind": "command", "status": "complete", "title": command,
                "text": "", "call": call, "result": result
            });
            let item: Item = serde_json::from_value(item).unwrap();
            failed(&item, item.result.as_ref().unwrap(), code)
        };
        let red = "FAILED test_cart.py::test_last - assert 1 == 2\nFAILED test_cart.py::test_sum - assert 3 == 4\n2 failed, 3 passed in 0.1s\n";
        assert!(row("pytest -q", 1, red).starts_with("2 failed · "), "{}", row("pytest -q", 1, red));
        assert_eq!(row("grep x y", 1, ""), "exit 1");
    }

    #[test]
    fn how_a_call_ended_is_said_once_and_in_words() {
        let why = |outcome, text: &str| {
            let result = CallResult {
                outcome,
                text: text.to_owned(),
                duration_ms: 0,
                edits: Vec::new(),
                output: None,
                exit_code: None,
            };
            unusual(&result, 60).unwrap_or_default()
        };
        assert_eq!(why(Outcome::Success, "a.txt"), "");
        assert_eq!(why(Outcome::ExecError, "There is no a.txt.\nLook."), " · failed: There is no a.txt.");
        assert_eq!(why(Outcome::PermissionDenied, "Refused (no): run `x`"), " · refused (no): run `x`");
        assert_eq!(why(Outcome::Interrupted, "Interrupted: cut off."), " · interrupted: cut off.");
        assert_eq!(why(Outcome::ExecError, "„ä"), " · failed: „ä");
    }
}
