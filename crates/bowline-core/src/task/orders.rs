//! Renames and removals that a message spells out, and whether they are all that it asks for.
//!
//! Only what is certain from the words counts. "Remove `x` from the list" and "rename it to something better" give
//! nothing.

mod removal;
mod rename;

use super::Rename;
use super::asks::{Wish, clause_ranges, clause_wish_of, sentences, statement, wish};
use super::excluded::Excluded;
use super::names::{ENTRIES_MAX, is_identifier, name_at};
use super::tokens::{Kind, Token};
use super::vocabulary::{FOLLOW_UP_OBJECTS, FOLLOW_UP_VERBS, FURTHER_OBJECTS, NEGATIONS, UNUSED};

/// How far back "it" may refer, in tokens.
const LOOK_BACK_MAX: usize = 40;

#[derive(Debug, Default)]
pub(super) struct Orders {
    pub renames: Vec<Rename>,
    pub removals: Vec<String>,
    pub is_sole: bool,
}

/// A list that an order announces: "Rename these functions:".
#[derive(Clone, Copy, PartialEq, Eq)]
enum Announced {
    Nothing,
    Renames,
    Removals,
}

pub(super) fn orders(tokens: &[Token<'_>], excluded: &Excluded) -> Orders {
    let mut orders = Orders::default();
    let mut is_sole = true;
    let mut announced = Announced::Nothing;
    let mut before: &[Token<'_>] = &[];
    for sentence in sentences(tokens) {
        if let Some(items) = listed(sentence, announced, &mut orders) {
            is_sole &= items;
            before = sentence;
            continue;
        }
        announced = Announced::Nothing;
        let wish = wish(sentence);
        if matches!(wish, Wish::Question | Wish::Answer) {
            is_sole = false;
            before = sentence;
            continue;
        }
        let used = scan(sentence, before, &mut orders);
        if used.is_empty() {
            announced = announcement(sentence);
        }
        if announced == Announced::Nothing {
            is_sole &= is_about(sentence, &used);
        }
        before = sentence;
    }
    let is_kept = |name: &str| excluded.texts.iter().any(|other| other == name);
    orders.renames.retain(|rename| !is_kept(&rename.from));
    orders.removals.retain(|name| !is_kept(name));
    orders.is_sole = is_sole && !(orders.renames.is_empty() && orders.removals.is_empty());
    orders
}

/// Finds the orders of one sentence and says which of its tokens they took, as from and to.
fn scan(sentence: &[Token<'_>], before: &[Token<'_>], orders: &mut Orders) -> Vec<(usize, usize)> {
    let mut used = Vec::new();
    let mut at = 0;
    while at < sentence.len() {
        if is_negated(sentence, at) {
            at += 1;
            continue;
        }
        if let Some((renames, end)) = rename::rename_at(sentence, at, before) {
            for rename in renames {
                add_rename(&mut orders.renames, rename);
            }
            used.push((at, end));
            at = end.max(at + 1);
        } else if let Some((names, end)) = removal::removal_at(sentence, at, before) {
            for name in names {
                add_removal(&mut orders.removals, name);
            }
            used.push((at, end));
            at = end.max(at + 1);
        } else {
            at += 1;
        }
    }
    used
}

fn add_rename(renames: &mut Vec<Rename>, rename: Rename) {
    if renames.len() < ENTRIES_MAX && rename.from != rename.to && !renames.contains(&rename) {
        renames.push(rename);
    }
}

fn add_removal(removals: &mut Vec<String>, name: String) {
    if removals.len() < ENTRIES_MAX && !removals.contains(&name) {
        removals.push(name);
    }
}

fn is_negated(sentence: &[Token<'_>], at: usize) -> bool {
    let before = sentence.get(at.saturating_sub(3)..at).unwrap_or(&[]);
    let near = before.rsplit(|token| token.kind == Kind::Mark).next().unwrap_or(before);
    // "No need to keep it" and "nothing" are no negations of the verb behind them.
    near.iter().any(|token| token.is_in(&NEGATIONS) && !token.is("no"))
}

/// Takes one item of an announced list. The answer says whether it is an order and nothing else.
fn listed(sentence: &[Token<'_>], announced: Announced, orders: &mut Orders) -> Option<bool> {
    match announced {
        Announced::Nothing => None,
        Announced::Renames => {
            let (renames, end) = rename::pairs(sentence, 0)?;
            renames.into_iter().for_each(|rename| add_rename(&mut orders.renames, rename));
            Some(is_end(sentence, end))
        }
        Announced::Removals => {
            let (names, end) = removal::names(sentence, 0, removal::Marked::Yes)?;
            names.into_iter().for_each(|name| add_removal(&mut orders.removals, name));
            Some(is_end(sentence, end))
        }
    }
}

fn is_end(sentence: &[Token<'_>], at: usize) -> bool {
    sentence.get(at..).is_none_or(|rest| rest.iter().all(|token| token.kind == Kind::Mark))
}

fn announcement(sentence: &[Token<'_>]) -> Announced {
    let ends =
        sentence.iter().rev().find(|token| !token.is_mark("\n")).is_some_and(|token| token.is_mark(":"));
    let verb = sentence.iter().find(|token| token.is_one_of(&["rename", "remove", "delete", "drop"]));
    let is_part = sentence.iter().any(removal::is_part);
    match verb {
        Some(verb) if ends && verb.is("rename") => Announced::Renames,
        Some(_) if ends && !is_part => Announced::Removals,
        _ => Announced::Nothing,
    }
}

/// Whether a sentence says nothing beyond the orders in it and what belongs to them.
fn is_about(sentence: &[Token<'_>], used: &[(usize, usize)]) -> bool {
    clause_ranges(sentence).all(|(from, to)| {
        let Some(clause) = sentence.get(from..to) else { return true };
        if let Some((_, end)) = used.iter().find(|(start, end)| *start < to && *end > from) {
            let rest = sentence.get((*end).max(from)..to).unwrap_or(&[]);
            return adds_nothing(rest);
        }
        // "and everything that uses it", "and its tests" go further.
        let goes_further = |pair: &[Token<'_>]| match pair {
            [first, second] => {
                first.is("everything") || first.is_one_of(&["its", "their"]) && second.is_in(&FURTHER_OBJECTS)
            }
            _ => false,
        };
        if clause.windows(2).any(goes_further) {
            return false;
        }
        let wish = match clause_wish_of(clause) {
            Wish::Nothing => statement(clause),
            wish => wish,
        };
        match wish {
            Wish::Nothing => true,
            Wish::Complaint => clause.iter().any(|token| token.is_in(&UNUSED)) || is_follow_up(clause),
            Wish::Change | Wish::Norm => is_follow_up(clause),
            Wish::Answer | Wish::Question => false,
        }
    })
}

/// Whether what follows an order in its clause leaves it as it is: "everywhere", "in cart.py".
fn adds_nothing(rest: &[Token<'_>]) -> bool {
    let adds = |pair: &[Token<'_>]| match pair {
        [with, next] if with.is("with") => !next.is_one_of(&["all", "its", "their"]),
        [token, ..] => token.is_one_of(&["returning", "taking", "accepting", "using", "by"]),
        [] => false,
    };
    !rest.windows(2).any(adds)
}

/// Whether a clause asks for what a rename or a removal includes: "update all callers", "make sure the tests pass".
fn is_follow_up(clause: &[Token<'_>]) -> bool {
    let has_verb = clause.iter().any(|token| token.is_in(&FOLLOW_UP_VERBS));
    let has_object = clause.iter().any(|token| token.is_in(&FOLLOW_UP_OBJECTS));
    let adds = clause
        .iter()
        .any(|token| token.is_one_of(&["add", "write", "new", "docs", "documentation", "changelog"]));
    let is_free = |token: &Token<'_>| super::paths::is_path(token.text) && !token.lower.contains("test");
    has_verb && has_object && !adds && !clause.iter().any(is_free)
}

/// The names that "it" or "them" can mean: those before it in its sentence, else those of the sentence before.
fn antecedents(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Vec<String> {
    let own = distinct_names(sentence, at);
    let own = if own.is_empty() { plain_names(sentence, at) } else { own };
    let earlier = || {
        let marked = distinct_names(before, before.len());
        if marked.is_empty() { plain_names(before, before.len()) } else { marked }
    };
    if own.is_empty() { earlier() } else { own }
}

/// Plain words that the sentence speaks of as names: "calc" in quotation marks, "foo is a bad name".
fn plain_names(tokens: &[Token<'_>], end: usize) -> Vec<String> {
    let tokens = tokens.get(..end.min(tokens.len())).unwrap_or_default();
    let quoted = tokens.iter().filter(|token| token.kind == Kind::Quoted && is_identifier(token.text));
    let mut names: Vec<String> = quoted.map(|token| token.text.to_owned()).take(ENTRIES_MAX).collect();
    if let Some([word, is, ..]) = tokens.get(..2)
        && word.kind == Kind::Word
        && is_identifier(word.text)
        && is.is_one_of(&["is", "isn't"])
        && tokens.iter().any(|token| token.is("name"))
    {
        names.push(word.text.to_owned());
    }
    names.dedup();
    names
}

fn distinct_names(tokens: &[Token<'_>], end: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let end = end.min(tokens.len());
    for name in (end.saturating_sub(LOOK_BACK_MAX)..end).filter_map(|at| name_at(tokens, at)) {
        if names.len() < ENTRIES_MAX && !names.contains(&name.text) {
            names.push(name.text);
        }
    }
    names
}
