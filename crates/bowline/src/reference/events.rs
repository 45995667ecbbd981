//! Every frame, in a table that is kept by hand and holds exactly the kinds there are.

use std::fmt::Write as _;

use bowline_core::entry::Body;
use serde_json::json;

use super::{cell, head};

const WORDS: &str = "What `bowline run --json` and `bowline sessions show --json` print: one object a line. Every frame has `v` (1), `seq` (a \
number that grows, with gaps), `session`, `turn` (null outside a turn), `at_ms` (milliseconds since 1970) and `type`. Fields marked with `?` are \
left out if they are empty. Any version may add types and fields; a change of meaning raises `v`.";

/// Kind, when it comes, its fields.
const FRAMES: [(&str, &str, &str); 29] = [
    (
        "session.started",
        "once, first of all",
        "project, work_tree, title, agent, access (`write` or `read_only`), model, base_url, window (tokens), mode (`native`, `text` or `constrained`), instructions? (files in the prompt)",
    ),
    (
        "session.updated",
        "when one of these changes",
        "title?, model?, base_url?, window?, mode?, notice? (what was learned about the model)",
    ),
    (
        "turn.started",
        "a user's message",
        "text, typed? (its typed parts: pairs of byte offsets; the rest was pasted, piped or read from a file), message (its id), access, queued? (the queued message it came from), check? (the check that its typed words name)",
    ),
    (
        "run.started",
        "the loop begins, again after *Continue*",
        "run (from 1 in the turn), message (the assistant's), access, edits? (`review`: they stay pending), hint?, check? (the check that its typed words name)",
    ),
    ("message.started", "a message opens", "message: id, role (`user`, `assistant`, `system`), status"),
    (
        "message.completed",
        "a message is complete",
        "message: id, role, status (`complete`, `failed`, `cancelled`), checkpoint? (the checkpoint that a restore to here uses)",
    ),
    ("input", "input from outside", "kind (`stop` or `steer`), text?, typed?, by"),
    ("queued", "a message waits for the end of the turn", "id, text, typed?, by"),
    (
        "step.started",
        "the model is asked",
        "message, step (from 1 in the run), purpose (`work`, `summary`, `compaction`), note?, inputs_through, thinking?, answers? (item, text: what the model reads instead of a result), sent_back? (what bowline says to an answer that did not end the turn), sent_back_for? (`no_change`, `no_command` or `check`)",
    ),
    (
        "step.completed",
        "the model has answered",
        "message, step, usage: prompt_new, prompt_cached, output (tokens), load_ms, prefill_ms, decode_ms; request_bytes?: the size of the prompt that was counted",
    ),
    (
        "item.started",
        "a text, a thought or a call begins",
        "item: id, message, kind (`text`, `reasoning`, `read`, `search`, `edit`, `command`, `tool`), status, title, text?, field?, call? (tool, arguments, raw?, repairs?)",
    ),
    ("item.updated", "the item has changed", "item: the same"),
    (
        "item.completed",
        "the item is complete and replaces earlier versions",
        "item: the same, result? (outcome, text, duration_ms, edits? (path, added, removed, diff, rung, state? (`pending`)), output?, exit_code?)",
    ),
    ("text.delta", "more text", "item (its id), text (since the last delta)"),
    ("reasoning.delta", "more reasoning", "item, text"),
    (
        "sentinel",
        "a guard or a limit acted",
        "message, sentinel: kind (`mistake_recovery`, `doom_loop`, `cap_hit`, `no_answer`) and what it saw; escalated: the turn was stopped; can_continue?",
    ),
    (
        "permission.asked",
        "a call waits for an answer",
        "item, tool, what, pattern (what *always* would allow), also?",
    ),
    (
        "permission.answered",
        "somebody has answered",
        "item, answer (`yes` or `no`), scope? (`session` or `project`), reason?, by",
    ),
    (
        "compacted",
        "the conversation was compacted",
        "summary, messages, task?, tokens_before, tokens_after, by (`model` or `code`), kept? (of a fresh start: the first messages, which stay)",
    ),
    (
        "change",
        "somebody decided about changes",
        "state (`applied`, `rejected` or `rewound`), changes (id, path, hunks?, line, quote), by (`bowline` for the program itself), calls? (the calls whose changes the program took back during a turn)",
    ),
    ("rewinding", "bowline is about to take changes back itself, or could not", "no more fields"),
    (
        "checked",
        "bowline ran the project's check",
        "command, exit_code (null if it did not end), kind?, subkind?, summary, row?, duration_ms, moment (`before` the first edit, `after` a step or at the `end`), failures (count, ids), result (`passed`, `failed`, `unfinished` or `flaky`), source (`flag`, `settings`, `message` or `project`), stage?, fingerprint?, state?, is_known? (it was not run: the files are as they were when it ran last)",
    ),
    (
        "checkpoint",
        "a checkpoint was taken, or failed",
        "id, moment (`before` the first write or `after` the last), message (the turn's first answer), commit?, label, changes? (of `after`: what the run did), not_captured? (path, why), not_captured_more?, error?",
    ),
    ("restoring", "a restore is announced, or abandoned", "no more fields"),
    (
        "restored",
        "turns were undone, redone or restored",
        "id, kind (`restore`, `undo` or `redo`), what (`both`, `files` or `conversation`), checkpoint?, commit?, message? (it and all later messages were removed), undoes? (the `seq` of a `restored`), undo_checkpoint, undo_commit?, after_commit?, written?, deleted?, kept?, messages_deleted, worktree_reset, backend_reset, by",
    ),
    (
        "turn.completed",
        "the turn is done",
        "stop (`done`), text (the answer), changes (path, added, removed), check? (command, summary, before, after, is_worse?), is_check_unknown? (files were changed, and no check is known), checkpoint?, waiting? (pending changes), denied? (refused because nobody could be asked), usage, reason?, hint?",
    ),
    (
        "turn.paused",
        "the turn stopped and can be continued",
        "the same; stop: `guard`, `limit`, `check` or `cancelled`",
    ),
    ("turn.failed", "the server or something else outside failed", "the same; stop: `failed`"),
    ("error", "something went wrong", "what, hint"),
];

/// Frames that are told and not stored.
const UNSTORED: &str = "Two more have no `seq`, because they are not stored and not replayed:\n\n\
- `waiting`: what bowline is waiting for: `for` (`load`, `slot`, `prompt`, `retry`), `percent`?, `since_ms`;\n\
- `error` without a session: the run could not start: `what`, `exit` (its exit code).\n";

pub(super) fn page() -> String {
    let kinds = kinds();
    let mut page = head("Events", WORDS);
    page.push_str("| type | when | carries |\n|---|---|---|\n");
    for kind in &kinds {
        let told = FRAMES.iter().find(|(known, ..)| known == kind);
        assert!(told.is_some(), "say what {kind} carries, in crates/bowline/src/reference/events.rs");
        let (_, when, fields) = told.unwrap_or(&("", "", ""));
        let _ = writeln!(page, "| `{kind}` | {when} | {} |", cell(fields));
    }
    for (kind, ..) in FRAMES {
        assert!(kinds.iter().any(|known| known == kind), "there is no {kind} any more");
    }
    let _ = write!(page, "\n{UNSTORED}");
    page
}

/// All kinds of entries: who reads one that is none says which there are.
fn kinds() -> Vec<String> {
    let refused = serde_json::from_value::<Body>(json!({ "type": "none of them" }));
    let said = refused.map_or_else(|error| error.to_string(), |_| String::new());
    let (_, known) = said.split_once("expected one of ").unwrap_or_default();
    let kinds: Vec<String> = known.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(kinds.len() > 20, "{said}");
    kinds
}
