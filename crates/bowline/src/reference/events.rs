//! Every frame, in a table that is kept by hand and holds exactly the kinds there are.

use std::fmt::Write as _;

use bowline_core::entry::Body;
use serde_json::json;

use super::{cell, head};

const WORDS: &str = "What `bowline run --json` and `bowline sessions show --json` print: one object a line. Every frame has `v` (1), `seq` (a \
number that grows, with gaps), `session`, `turn` (null outside of one), `at_ms` (milliseconds since 1970) and `type`. Fields marked with `?` are \
left out where there is nothing to say. New types and fields may come with any version; a change of meaning raises `v`.";

/// Kind, when it comes, its fields.
const FRAMES: [(&str, &str, &str); 27] = [
    (
        "session.started",
        "first of all, once",
        "project, work_tree, title, agent, access (`write` or `read_only`), model, base_url, window (tokens), mode (`native`, `text` or `constrained`), instructions? (files in the prompt)",
    ),
    (
        "session.updated",
        "when one of these changes",
        "title?, model?, base_url?, window?, mode?, notice? (what was found out about the model)",
    ),
    ("turn.started", "a user's message", "text, message (its id), access, queued? (the queued text it was)"),
    (
        "run.started",
        "the loop begins, anew after *Continue*",
        "run (from 1 in the turn), message (the assistant's), access, edits? (`review`: they wait for the user), hint?",
    ),
    ("message.started", "a message opens", "message: id, role (`user`, `assistant`, `system`), status"),
    (
        "message.completed",
        "it is closed",
        "message: id, role, status (`complete`, `failed`, `cancelled`), checkpoint? (what a restore to here goes back to)",
    ),
    ("input", "somebody outside said something", "kind (`stop` or `steer`), text?, by"),
    ("queued", "a message waits for the turn's end", "id, text, by"),
    (
        "step.started",
        "the model is asked",
        "message, step (from 1 in the run), purpose (`work`, `summary`, `compaction`), note?, inputs_through, thinking?, answers? (item, text: what the model reads in place of a result)",
    ),
    (
        "step.completed",
        "it has answered",
        "message, step, usage: prompt_new, prompt_cached, output (tokens), load_ms, prefill_ms, decode_ms",
    ),
    (
        "item.started",
        "a text, a thought or a call begins",
        "item: id, message, kind (`text`, `reasoning`, `read`, `search`, `edit`, `command`, `tool`), status, title, text?, field?, call? (tool, arguments, raw?, repairs?)",
    ),
    ("item.updated", "more is known of it", "item: the same"),
    (
        "item.completed",
        "it is whole; what came before it was provisional",
        "item: the same, result? (outcome, text, duration_ms, edits? (path, added, removed, diff, rung, state? (`pending`)), output?, exit_code?)",
    ),
    ("text.delta", "more of a text", "item (its id), text (since the last)"),
    ("reasoning.delta", "more of a thought", "item, text"),
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
        "the conversation was folded",
        "summary, messages, task?, tokens_before, tokens_after, by (`model` or `code`)",
    ),
    (
        "change",
        "somebody decided about changes",
        "state (`applied`, `rejected` or `rewound`), changes (id, path, hunks?, line, quote), by",
    ),
    (
        "checkpoint",
        "the files were kept, or could not be",
        "id, moment (`before` or `after` what writes), message (the turn's first answer), commit?, label, changes? (of `after`: what the run did), not_captured? (path, why), not_captured_more?, error?",
    ),
    ("restoring", "a restore is announced, or given up", "nothing more"),
    (
        "restored",
        "a turn or more was taken back, or brought forward",
        "id, kind (`restore`, `undo` or `redo`), what (`both`, `files` or `conversation`), checkpoint?, commit?, message? (it and all after it went), undoes? (the `seq` of a `restored`), undo_checkpoint, undo_commit?, after_commit?, written?, deleted?, kept?, messages_deleted, worktree_reset, backend_reset, by",
    ),
    (
        "turn.completed",
        "the turn is done",
        "stop (`done`), text (the answer), changes (path, added, removed), checkpoint?, waiting? (changes that wait for the user), denied? (refused for want of anybody), usage, reason?, hint?",
    ),
    ("turn.paused", "it stopped and can go on", "the same; stop: `guard`, `limit` or `cancelled`"),
    ("turn.failed", "the world failed", "the same; stop: `failed`"),
    ("error", "something went wrong", "what, hint"),
];

/// Frames that are told and not stored.
const UNSTORED: &str = "Two more have no `seq`, since they are not stored and do not come again:\n\n\
- `waiting`: what is waited for: `for` (`load`, `slot`, `prompt`, `retry`), `percent`?, `since_ms`;\n\
- `error` without a session: the run could not begin: `what`, `exit` (the code it ends with).\n";

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
