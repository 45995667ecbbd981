//! What the log of each run must tell about its end: nobody is stopped who was not told before, nothing counts as a mistake
//! that was none, and every end has its cause.

use bowline_core::entry::{Body, Entry, InputKind, Stop, TurnEnd};
use bowline_core::outcome::Outcome;
use bowline_core::payload::Message;
use bowline_core::sentinel::Sentinel;
use bowline_core::wire::Request;

/// Checks every run of a log.
pub(super) fn check(log: &[Entry]) {
    let starts: Vec<usize> =
        (0..log.len()).filter(|at| matches!(log[*at].body, Body::RunStarted(_))).collect();
    for (n, start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(log.len());
        run(&log[*start..end]);
    }
}

fn run(log: &[Entry]) {
    let mut told: Vec<&Sentinel> = Vec::new();
    let mut mistakes = 0;
    let mut has_stop = false;
    for entry in log {
        match &entry.body {
            Body::ItemCompleted { item } => {
                mistakes += usize::from(
                    item.result.as_ref().is_some_and(|result| is_mistake(result.outcome, &result.text)),
                );
            }
            Body::Sentinel(sentinel) => {
                sentinel_fits(&sentinel.sentinel, &told, mistakes);
                told.push(&sentinel.sentinel);
            }
            Body::Input(input) => has_stop |= input.kind == InputKind::Stop,
            Body::TurnCompleted(end) | Body::TurnPaused(end) | Body::TurnFailed(end) => {
                end_fits(end, told.last().copied(), has_stop);
            }
            _ => {}
        }
    }
}

/// What the user refused, or nobody could be asked about, is no mistake of the model's.
fn is_mistake(outcome: Outcome, text: &str) -> bool {
    let is_declined = text.contains("the path is outside the project");
    match outcome {
        Outcome::Success | Outcome::NoResult | Outcome::Interrupted => false,
        Outcome::PermissionDenied => !is_declined,
        _ => true,
    }
}

fn sentinel_fits(sentinel: &Sentinel, told: &[&Sentinel], mistakes: usize) {
    match sentinel {
        Sentinel::MistakeRecovery { failure_kinds, count, escalated, can_continue } => {
            assert_eq!((failure_kinds.len(), *can_continue), (*count, escalated.then_some(true)));
            assert!(*count <= mistakes, "{count} mistakes counted, and {mistakes} were made");
            let is_nudge =
                |told: &&&Sentinel| matches!(told, Sentinel::MistakeRecovery { escalated: false, .. });
            assert!(!escalated || told.iter().any(|told| is_nudge(&told)), "stopped without guidance");
        }
        Sentinel::DoomLoop { pattern, escalated, .. } => {
            let is_note = |told: &&Sentinel| matches!(told, Sentinel::DoomLoop { pattern: noted, escalated: false, .. } if noted == pattern);
            assert!(!escalated || told.iter().any(is_note), "stopped for {pattern:?} without a word before");
        }
        _ => {}
    }
}

fn end_fits(end: &TurnEnd, last: Option<&Sentinel>, has_stop: bool) {
    let reason = end.reason.as_deref().unwrap_or_default();
    match end.stop {
        Stop::Done => assert!(!end.text.trim().is_empty() && reason.is_empty(), "done, and nothing was said"),
        Stop::Cancelled => assert!(has_stop, "cancelled, and nobody said stop"),
        Stop::Guard => {
            let is_cause = matches!(
                last,
                Some(
                    Sentinel::MistakeRecovery { escalated: true, .. }
                        | Sentinel::DoomLoop { escalated: true, .. }
                        | Sentinel::NoAnswer { .. }
                )
            );
            assert!(is_cause, "stopped by a guard that says nothing: {last:?}");
        }
        Stop::Limit => {
            let is_cap = matches!(last, Some(Sentinel::CapHit { .. }));
            let words = [
                "conversation has grown",
                "refused the prompt",
                "could not be compacted",
                "dropped part of the prompt",
                "has allocated a window",
            ];
            let is_window = words.iter().any(|words| reason.contains(words));
            assert!(is_cap || is_window, "a limit that is none: {reason}");
        }
        Stop::Check => assert!(end.check.is_some() && reason.contains("check"), "no check to stop for"),
        Stop::Failed => assert!(!reason.is_empty() && end.hint.is_some(), "failed without a word"),
    }
}

/// Names and ids as every server takes them back.
pub(super) fn plain(request: &Request) {
    for said in &request.payload.messages {
        let Message::Assistant { calls, .. } = said else { continue };
        for call in calls {
            let is_id = call.id.len() == 9 && call.id.chars().all(|c| c.is_ascii_alphanumeric());
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
            assert!(is_id, "no id for every template: {}", call.id);
            assert!(
                (1..=64).contains(&call.tool.len()) && call.tool.chars().all(is_name),
                "no name: {}",
                call.tool
            );
        }
    }
}
