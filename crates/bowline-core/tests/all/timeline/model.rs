//! The same by a model that keeps a whole copy of everything at each stand, and never looks at a log.

use std::collections::BTreeMap;

use bowline_core::restore_entry::{RestoreKind, RestoreWhat};
use bowline_core::timeline::Timeline;
use proptest::prelude::*;

use super::book::{Book, Does};
use super::{in_force, seen, sound};

#[derive(Debug, Clone)]
enum Op {
    Turn(Does),
    Continue,
    Edit,
    Undo,
    Redo,
    /// The n-th checkpoint there ever was, counted round.
    Restore(usize, RestoreWhat),
}

#[derive(Debug, Clone)]
enum Part {
    Turn {
        text: String,
        answers: Vec<String>,
        checkpoint: Option<String>,
        before: u32,
    },
    /// Here something was taken back; how it was with this mark on it.
    Mark {
        anchor: String,
        stand: Box<Stand>,
    },
}

#[derive(Debug, Clone, Default)]
struct Stand {
    parts: Vec<Part>,
    /// The text that can be sent again.
    request: Option<String>,
}

#[derive(Default)]
struct Model {
    stand: Stand,
    files: u32,
    /// What each `uN` brings back.
    saved: BTreeMap<String, (Stand, u32)>,
    /// Which `kN` is which anchor's, with its files.
    taken: BTreeMap<String, (String, u32)>,
    undone: Vec<String>,
    restores: usize,
}

impl Stand {
    fn seen(&self) -> String {
        let mut words = Vec::new();
        for part in &self.parts {
            if let Part::Turn { text, answers, checkpoint, .. } = part {
                words.push(text.clone());
                let mark = checkpoint.as_ref().map_or(String::new(), |id| format!("({id})"));
                words.extend(
                    answers.iter().enumerate().map(
                        |(at, id)| {
                            if at == 0 { format!("{id}{mark}") } else { id.clone() }
                        },
                    ),
                );
            }
        }
        words.extend(self.request.as_ref().map(|text| format!("[{text}]")));
        words.join(" ")
    }

    fn asked(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Turn { text, .. } => Some(text.as_str()),
            Part::Mark { .. } => None,
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    /// As it is when the turn of this anchor is taken back; none where that is not to be seen.
    fn back_to(&self, anchor: &str) -> Option<Stand> {
        let at = self.parts.iter().position(
            |part| matches!(part, Part::Turn { answers, .. } if answers.first().is_some_and(|id| id == anchor)),
        );
        if let Some(at) = at {
            let Part::Turn { text, .. } = &self.parts[at] else { return None };
            return Some(Stand { parts: self.parts[..at].to_vec(), request: Some(text.clone()) });
        }
        self.parts.iter().rev().find_map(|part| match part {
            Part::Mark { anchor: marked, stand } if marked == anchor => Some(stand.as_ref().clone()),
            _ => None,
        })
    }

    fn marked(mut self, anchor: &str) -> Stand {
        let stand = Box::new(Stand { parts: self.parts.clone(), request: self.request.clone() });
        self.parts.push(Part::Mark { anchor: anchor.to_owned(), stand });
        // The mark itself is part of what it remembers.
        let whole = self.clone();
        if let Some(Part::Mark { stand, .. }) = self.parts.last_mut() {
            **stand = whole;
        }
        self
    }
}

impl Model {
    fn save(&mut self) -> String {
        self.restores += 1;
        let id = format!("u{}", self.restores);
        self.saved.insert(id.clone(), (self.stand.clone(), self.files));
        id
    }

    fn go_back(&mut self, anchor: &str, files: Option<u32>, what: RestoreWhat) -> Option<String> {
        let stand = self.stand.back_to(anchor)?;
        let id = self.save();
        if what.has_conversation() {
            self.stand = stand.marked(anchor);
        }
        if what.has_files() {
            self.files = files.unwrap_or(self.files);
        }
        Some(id)
    }

    fn bring_back(&mut self, id: &str, what: RestoreWhat) {
        let (stand, files) = self.saved[id].clone();
        self.save();
        if what.has_conversation() {
            self.stand = stand;
        }
        if what.has_files() {
            self.files = files;
        }
    }

    fn last_turn(&self) -> Option<(String, Option<u32>)> {
        self.stand.parts.iter().rev().find_map(|part| match part {
            Part::Turn { answers, checkpoint, before, .. } => {
                Some((answers.first()?.clone(), checkpoint.as_ref().map(|_| *before)))
            }
            Part::Mark { .. } => None,
        })
    }
}

/// The ids the log gives are the model's too: only which of them are seen is the question.
fn run(model: &mut Model, book: &Book, text: Option<&str>, does: Does, before: u32) {
    model.undone.clear();
    model.stand.request = None;
    let mut ids = book.log.iter().rev().filter_map(|entry| match &entry.body {
        bowline_core::entry::Body::RunStarted(run) => Some(run.message.clone()),
        _ => None,
    });
    let answer = ids.next().unwrap();
    if let Some(text) = text {
        let (text, answers) = (text.to_owned(), vec![answer]);
        model.stand.parts.push(Part::Turn { text, answers, checkpoint: None, before });
    } else {
        let turn = model.stand.parts.iter_mut().rev().find_map(|part| match part {
            Part::Turn { answers, .. } => Some(answers),
            Part::Mark { .. } => None,
        });
        turn.unwrap().push(answer);
    }
    if does != Does::Reads {
        let taken = Timeline::of(&book.log).turns().pop().unwrap();
        let last = model.stand.parts.iter_mut().rev().find_map(|part| match part {
            Part::Turn { answers, checkpoint, before, .. } => Some((answers[0].clone(), checkpoint, before)),
            Part::Mark { .. } => None,
        });
        let (anchor, checkpoint, files) = last.unwrap();
        if checkpoint.is_none() {
            *checkpoint = taken.checkpoint.clone();
            *files = before;
            model.taken.insert(taken.checkpoint.unwrap(), (anchor, before));
        }
    }
    model.files = book.files;
}

fn step(model: &mut Model, book: &mut Book, op: &Op, n: usize) {
    let before = book.files;
    match op {
        Op::Turn(does) => {
            let text = format!("t{n}");
            book.turn(&text, *does, None);
            run(model, book, Some(&text), *does, before);
        }
        Op::Continue => {
            if model.last_turn().is_some() {
                book.go_on(Does::Writes);
                run(model, book, None, Does::Writes, before);
            }
        }
        Op::Edit => {
            book.edit();
            model.files = book.files;
        }
        Op::Undo => {
            let last = model.last_turn();
            assert_eq!(book.undo(), last.is_some());
            if let Some((anchor, files)) = last {
                let id = model.go_back(&anchor, files, RestoreWhat::Both).unwrap();
                model.undone.push(id);
            }
        }
        Op::Redo => {
            assert_eq!(book.redo(), !model.undone.is_empty());
            if let Some(id) = model.undone.pop() {
                model.bring_back(&id, RestoreWhat::Both);
            }
        }
        Op::Restore(at, what) => restore(model, book, *at, *what),
    }
}

fn restore(model: &mut Model, book: &mut Book, at: usize, what: RestoreWhat) {
    let ids: Vec<String> = model.taken.keys().chain(model.saved.keys()).cloned().collect();
    let Some(id) = ids.get(at % ids.len().max(1)) else { return };
    let target = book.target(id);
    if let Some((anchor, files)) = model.taken.get(id).cloned() {
        let is_there = model.go_back(&anchor, Some(files), what).is_some();
        assert_eq!(target.is_some(), is_there, "{id}");
    } else {
        model.bring_back(id, what);
        assert!(target.is_some(), "{id}");
    }
    if let Some(target) = target {
        model.undone.clear();
        book.restore(&target, RestoreKind::Restore, what);
    }
}

fn op() -> impl Strategy<Value = Op> {
    let what =
        prop_oneof![Just(RestoreWhat::Both), Just(RestoreWhat::Files), Just(RestoreWhat::Conversation)];
    let does = prop_oneof![
        3 => Just(Does::Writes), 1 => Just(Does::Idles), 1 => Just(Does::Reads), 1 => Just(Does::Dies)
    ];
    prop_oneof![
        4 => does.prop_map(Op::Turn),
        1 => Just(Op::Continue),
        1 => Just(Op::Edit),
        4 => Just(Op::Undo),
        3 => Just(Op::Redo),
        3 => (0..64_usize, what).prop_map(|(at, what)| Op::Restore(at, what)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_stand_is_as_a_copy_of_it_would_be(ops in proptest::collection::vec(op(), 1..40)) {
        let (mut model, mut book) = (Model::default(), Book::default());
        for (n, op) in ops.iter().enumerate() {
            step(&mut model, &mut book, op, n);
            prop_assert_eq!(seen(&book), model.stand.seen(), "after {:?}", op);
            prop_assert_eq!(book.files, model.files, "after {:?}", op);
            let mut conversation = bowline_core::payload::Conversation::default();
            in_force(&book.log).into_iter().for_each(|entry| conversation.apply(entry.seq, &entry.body));
            prop_assert_eq!(conversation.user_texts().join(" "), model.stand.asked(), "after {:?}", op);
        }
        sound(&book);
    }
}
