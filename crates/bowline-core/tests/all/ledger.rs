//! The file ledger through many compactions: whole paths, a number for those that had no room, nothing lost and nothing
//! counted twice.

use std::collections::BTreeSet;

use bowline_core::compact::{Compaction, Extent, Room, compact, prompt};
use bowline_core::entry::{
    Access, Body, Compacted, CompactedBy, RunStarted, StepPurpose, StepStarted, TurnStarted,
};
use bowline_core::item::{Call, CallResult, ChangeState, FileEdit, Item, ItemKind, ItemStatus};
use bowline_core::mode::Mode;
use bowline_core::outcome::Outcome;
use bowline_core::payload::{Conversation, Message};
use bowline_core::sampling::Sampling;
use bowline_core::thinking::{Thinking, ThinkingField};
use bowline_core::typed::Typed;
use bowline_core::window::{Meter, reserve};
use bowline_core::wire::{Dialect, Protocol};
use serde_json::json;

use crate::context_usage::start;

const WINDOW: i64 = 8_192;
const FIXED_BYTES: usize = 4_000;
const WORDS: &str = "## Goal\nTo rename it everywhere.\n\n## Done so far\nMost of it.";

struct Session {
    conversation: Conversation,
    seq: i64,
    dialect: Dialect,
    read: BTreeSet<String>,
    modified: BTreeSet<String>,
}

impl Session {
    fn new() -> Session {
        let dialect = Dialect {
            protocol: Protocol::OpenAi,
            model: "scripted".to_owned(),
            window: WINDOW,
            reserve: reserve(WINDOW),
            tells_progress: false,
            thinking: Thinking::Off,
            thinking_field: ThinkingField::Effort,
            sampling: Sampling::default(),
            temperature_set: None,
            slot: None,
        };
        let conversation = Conversation::default();
        let (read, modified) = (BTreeSet::new(), BTreeSet::new());
        let mut session = Session { conversation, seq: 0, dialect, read, modified };
        session.push(&start(700, 0, 0, Mode::Native));
        let (message, access) = ("m1".to_owned(), Access::Write);
        let text = "Rename it in every file.".to_owned();
        session.push(&Body::TurnStarted(TurnStarted {
            text,
            typed: Typed::nothing(),
            message: message.clone(),
            access,
            queued: None,
            check: None,
        }));
        let edits = Default::default();
        session.push(&Body::RunStarted(RunStarted {
            run: 1,
            message,
            access,
            edits,
            hint: None,
            check: None,
        }));
        session
    }

    fn push(&mut self, body: &Body) {
        self.seq += 1;
        self.conversation.apply(self.seq, body);
    }

    /// A step with one call that reads a file, or changes it.
    fn step(&mut self, path: &str, is_read: bool) {
        let inputs_through = self.seq;
        let started = StepStarted::new("m2", 1, StepPurpose::Work);
        self.push(&Body::StepStarted(StepStarted { inputs_through, ..started }));
        let tool = if is_read { "view_file" } else { "edit_file" };
        let item = Item {
            id: format!("i{}", self.seq),
            message: "m2".to_owned(),
            kind: ItemKind::Read,
            status: ItemStatus::Running,
            title: String::new(),
            text: String::new(),
            field: None,
            call: Some(Call {
                tool: tool.to_owned(),
                arguments: json!({ "path": path }),
                raw: None,
                repairs: Vec::new(),
            }),
            result: None,
        };
        self.push(&Body::ItemStarted { item: item.clone() });
        let (changed, state) = (path.to_owned(), ChangeState::default());
        let edit = FileEdit {
            path: changed,
            added: 1,
            removed: 1,
            diff: String::new(),
            rung: String::new(),
            state,
            patch: None,
        };
        let result = CallResult {
            outcome: Outcome::Success,
            text: "A line of the file that was looked at.\n".repeat(9),
            duration_ms: 1,
            edits: if is_read { Vec::new() } else { vec![edit] },
            output: None,
            exit_code: None,
        };
        self.push(&Body::ItemCompleted {
            item: Item { status: ItemStatus::Complete, result: Some(result), ..item },
        });
        let list = if is_read { &mut self.read } else { &mut self.modified };
        list.insert(path.to_owned());
    }

    fn compact(&mut self, text: Option<&str>) -> Compaction {
        let room = Room { dialect: &self.dialect, meter: Meter::default() };
        let access = Access::Write;
        let asked = prompt(&self.conversation, room, access);
        assert!(asked.len() < 5_000, "the model is asked with {} bytes", asked.len());
        let folded = compact(&self.conversation, text, FIXED_BYTES, room, access, Extent::Least).unwrap();
        self.push(&Body::Compacted(Compacted {
            summary: folded.summary.clone(),
            messages: i64::try_from(folded.messages).unwrap(),
            task: folded.task.clone(),
            tokens_before: 0,
            tokens_after: folded.tokens_after,
            by: CompactedBy::Model,
            kept: 0,
        }));
        folded
    }

    /// The paths that calls which were not folded have touched, as the list of that name would have them.
    fn kept(&self, is_read: bool) -> BTreeSet<String> {
        let calls = self.conversation.payload().messages.iter().flat_map(|said| match said {
            Message::Assistant { calls, .. } => calls.as_slice(),
            _ => &[],
        });
        let touched = calls.map(|call| &call.touched);
        if is_read {
            touched.flat_map(|touched| touched.read.clone()).collect()
        } else {
            touched.flat_map(|touched| touched.modified.clone()).collect()
        }
    }

    /// Holds a list of a summary against what was touched: whole paths in order, and none lost or counted twice.
    fn check(&self, summary: &str, is_read: bool) -> usize {
        let (heading, touched) =
            if is_read { ("## Files Read", &self.read) } else { ("## Files Modified", &self.modified) };
        let lines = summary.lines().skip_while(|line| *line != heading).skip(1);
        let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        let (paths, more): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.starts_with("- "));
        let listed: Vec<String> = paths.iter().map(|line| line[2..].to_owned()).collect();
        assert!(listed.is_sorted(), "{summary}");
        let listed: BTreeSet<String> = listed.into_iter().collect();
        assert!(listed.is_subset(touched), "{:?} is no path", listed.difference(touched).next());
        let left_out = match more.as_slice() {
            [] => 0,
            [more] => more.strip_prefix("(and ").unwrap().strip_suffix(" more)").unwrap().parse().unwrap(),
            more => panic!("{more:?}"),
        };
        let shown: BTreeSet<String> = listed.union(&self.kept(is_read)).cloned().collect();
        assert_eq!(shown.len() + left_out, touched.len(), "{summary}");
        listed.len()
    }
}

#[test]
fn ten_compactions_with_three_hundred_paths_lose_none() {
    let mut session = Session::new();
    let mut last = 0;
    for round in 0..10 {
        for at in 0..20 {
            session.step(&format!("crates/some-crate/src/part_{round}/read_{at}_of_many.rs"), true);
            if at % 2 == 0 {
                session.step(&format!("crates/some-crate/src/part_{round}/changed_{at}.rs"), false);
            }
        }
        let folded = session.compact((round % 2 == 0).then_some(WORDS));
        let summary = &folded.summary;
        let places = ["## Files Modified", "## Files Read"].map(|heading| summary.find(heading).unwrap());
        assert!(places[0] < places[1], "{summary}");
        assert!(
            summary.contains("To rename it everywhere.") || round % 2 == 1,
            "the words are gone: {summary}"
        );
        last = session.check(summary, false);
        session.check(summary, true);
    }
    assert_eq!((session.read.len(), session.modified.len()), (200, 100));
    assert!(last > 0);
}

#[test]
fn a_path_longer_than_its_room_is_counted_and_never_cut() {
    let mut session = Session::new();
    session.step(&format!("src/{}.rs", "long_".repeat(900)), true);
    (0..4).for_each(|at| session.step(&format!("src/short_{at}.rs"), true));
    (0..30).for_each(|_| session.step("src/again.rs", false));
    let summary = session.compact(Some(WORDS)).summary;
    assert!(summary.contains("- src/short_0.rs\n") && summary.contains("\n(and 1 more)"), "{summary}");
    session.check(&summary, true);
    (0..30).for_each(|_| session.step("src/again.rs", false));
    let summary = session.compact(Some(WORDS)).summary;
    assert!(summary.contains("\n(and 1 more)"), "{summary}");
    session.check(&summary, true);
}
