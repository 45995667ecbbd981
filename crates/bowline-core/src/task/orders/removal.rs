//! The ways in which a message spells out the removal of a whole definition.

use super::super::Form;
use super::super::names::name_at;
use super::super::references::{kind_of, meant};
use super::super::tokens::{Kind, Token};
use super::super::vocabulary::{REMOVAL_ENDS, REMOVAL_FILLERS, UNUSED};
use super::antecedents;

/// Names of one list.
const NAMES_MAX: usize = 50;

/// Whether each name must show by its own form that it is one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Marked {
    Yes,
    No,
}

/// The removals that start with the token at a place, and where they end.
pub(super) fn removal_at(
    sentence: &[Token<'_>],
    at: usize,
    before: &[Token<'_>],
) -> Option<(Vec<String>, usize)> {
    let token = sentence.get(at)?;
    let word = |offset: usize| sentence.get(at + offset).map_or("", |token| token.lower.as_str());
    match token.lower.as_str() {
        _ if token.kind != Kind::Word => None,
        "remove" | "delete" | "drop" | "removing" | "deleting" | "dropping" => {
            active(sentence, at + 1, before)
        }
        "get" if word(1) == "rid" && word(2) == "of" => active(sentence, at + 3, before),
        "removed" | "deleted" | "dropped" => passive(sentence, at),
        _ => None,
    }
}

/// A part of a definition, whose removal changes the definition.
pub(super) fn is_part(token: &Token<'_>) -> bool {
    kind_of(token).is_some_and(|kind| {
        matches!(
            kind,
            "parameter"
                | "argument"
                | "param"
                | "arg"
                | "field"
                | "variant"
                | "property"
                | "attribute"
                | "column"
                | "key"
                | "member"
                | "import"
                | "flag"
                | "option"
                | "package"
                | "module"
                | "file"
                | "case"
                | "route"
                | "endpoint"
        )
    })
}

fn active(sentence: &[Token<'_>], from: usize, before: &[Token<'_>]) -> Option<(Vec<String>, usize)> {
    let mut at = from;
    let mut marked = Marked::Yes;
    while let Some(token) = sentence.get(at) {
        let is_file = sentence.get(at + 1).is_some_and(|next| super::super::paths::is_path(next.text));
        if token.is_one_of(&["from", "in"]) && is_file {
            at += 2;
            continue;
        }
        if is_part(token) {
            return None;
        }
        let is_kind = kind_of(token).is_some() && name_at(sentence, at).is_none();
        let is_filler = token.is_in(&REMOVAL_FILLERS)
            || token.is_in(&UNUSED)
            || token.is_mark("\n")
            || token.is_mark(":");
        if is_kind {
            marked = Marked::No;
        } else if !is_filler {
            break;
        }
        at += 1;
    }
    if sentence.get(at)?.is_one_of(&["it", "them"]) {
        let names = antecedents(sentence, from.checked_sub(1)?, before);
        let is_one = sentence.get(at)?.is("it");
        let is_unused = |tokens: &[Token<'_>]| tokens.iter().any(|token| token.is_in(&UNUSED));
        let is_clear = if is_one { names.len() == 1 } else { names.len() > 1 };
        let is_meant = is_clear && (is_unused(sentence) || is_unused(before)) && ends(sentence, at + 1);
        return is_meant.then_some((names, at + 1));
    }
    let (names, end) = names(sentence, at, marked)?;
    ends(sentence, end).then_some((names, end))
}

/// "`a`, `b` and the function `c`"
pub(super) fn names(sentence: &[Token<'_>], from: usize, marked: Marked) -> Option<(Vec<String>, usize)> {
    let mut names = Vec::new();
    let mut end = from;
    let mut at = from;
    while names.len() < NAMES_MAX {
        while sentence.get(at).is_some_and(|token| {
            token.is("the")
                || token.is_mark("\n")
                || kind_of(token).is_some() && name_at(sentence, at).is_none()
        }) {
            if sentence.get(at).is_some_and(is_part) {
                return None;
            }
            at += 1;
        }
        let Some(name) = one(sentence, at, marked) else { break };
        names.push(name);
        at += 1;
        if sentence.get(at).is_some_and(is_part) {
            return None;
        }
        while sentence.get(at).is_some_and(|token| kind_of(token).is_some()) {
            at += 1;
        }
        end = at;
        let is_list = |at: usize| {
            sentence.get(at).is_some_and(|token| {
                token.is_mark(",") || token.is_mark("&") || token.is_one_of(&["and", "or", "plus"])
            })
        };
        if !is_list(at) {
            break;
        }
        while is_list(at) {
            at += 1;
        }
    }
    (!names.is_empty()).then_some((names, end))
}

fn one(sentence: &[Token<'_>], at: usize, marked: Marked) -> Option<String> {
    if let Some(name) = name_at(sentence, at) {
        // `console.log` is a use of it, `Cart.clear` is a definition.
        let is_use = name.form == Form::Qualified
            && name.kind.is_none()
            && marked == Marked::Yes
            && name.text.contains('.')
            && name.text.starts_with(|sign: char| sign.is_lowercase());
        return (!is_use).then_some(name.text);
    }
    let token = sentence.get(at).filter(|_| marked == Marked::No)?;
    let is_letter =
        token.kind == Kind::Word && token.text.len() == 1 && token.text.chars().all(char::is_alphabetic);
    meant(token).or(is_letter.then_some(token.text)).map(str::to_owned)
}

/// Whether a removal can end here: "remove `x` from the list" and "remove `print` calls" are about something else.
fn ends(sentence: &[Token<'_>], at: usize) -> bool {
    let Some(token) = sentence.get(at) else { return true };
    if token.kind == Kind::Mark {
        return true;
    }
    if token.is_one_of(&["from", "in"]) {
        let mut rest =
            sentence.iter().skip(at + 1).filter(|token| !token.is_one_of(&["the", "our", "this", "my"]));
        let is_whole = |token: &Token<'_>| {
            super::super::paths::is_path(token.text)
                || kind_of(token)
                    .is_some_and(|kind| matches!(kind, "class" | "struct" | "module" | "file" | "trait"))
                || token.is_in(&REMOVAL_ENDS)
        };
        return rest.next().is_some_and(is_whole)
            || rest.next().is_some_and(|token| {
                kind_of(token).is_some_and(|kind| matches!(kind, "class" | "struct" | "module" | "file"))
            });
    }
    token.is_one_of(&[
        "since",
        "because",
        "as",
        "it",
        "it's",
        "they",
        "nothing",
        "nobody",
        "none",
        "no",
        "which",
        "that",
        "everywhere",
        "completely",
        "entirely",
        "altogether",
        "too",
        "please",
        "and",
        "then",
        "but",
        "again",
        "now",
        "both",
        "is",
        "are",
        "we",
        "pls",
        "if",
    ])
}

/// "`a` and `b` can be removed"
fn passive(sentence: &[Token<'_>], at: usize) -> Option<(Vec<String>, usize)> {
    let mut start = at.checked_sub(1)?;
    if sentence.get(start)?.is("safely") {
        start = start.checked_sub(1)?;
    }
    if !sentence.get(start)?.is("be") || !ends(sentence, at + 1) {
        return None;
    }
    let is_modal = |token: &Token<'_>| {
        token.is_one_of(&[
            "can", "should", "must", "may", "could", "to", "needs", "need", "has", "have", "safely", "both",
        ])
    };
    let modals = start;
    while start > 0 && sentence.get(start - 1).is_some_and(is_modal) {
        start -= 1;
    }
    if start == modals {
        return None;
    }
    let is_part_of_list = |at: usize| {
        let token = sentence.get(at);
        name_at(sentence, at).is_some()
            || token.is_some_and(|token| {
                token.is_mark(",")
                    || token.is_one_of(&["and", "the"])
                    || kind_of(token).is_some()
                    || token.is_in(&UNUSED)
            })
    };
    let end = start;
    while start > 0 && is_part_of_list(start - 1) {
        start -= 1;
    }
    let before = start.checked_sub(1).and_then(|at| sentence.get(at));
    let is_other = before.is_some_and(|token| {
        token.is_one_of(&[
            "of", "in", "from", "to", "for", "with", "by", "call", "calls", "line", "check", "on",
        ])
    });
    let names: Vec<String> =
        (start..end).filter_map(|at| name_at(sentence, at)).map(|name| name.text).collect();
    let has_part = sentence.get(start..end).is_some_and(|range| range.iter().any(is_part));
    (!is_other && !has_part && !names.is_empty()).then_some((names, at + 1))
}
