//! The ways in which a message spells out the removal of a whole definition.

use super::super::names::name_at;
use super::super::references::{kind_of, meant};
use super::super::tokens::{Kind, Token};
use super::super::vocabulary::{
    DEAD, REMOVAL_END_WORDS, REMOVAL_ENDS, REMOVAL_FILLERS, REMOVAL_VERBS, UNUSED,
};
use super::super::{Form, Removal};
use super::{SENTENCES_BACK_MAX, antecedents, unused};

/// Names of one list.
const NAMES_MAX: usize = 50;

/// Whether each name must show by its own form that it is one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Marked {
    Yes,
    No,
}

/// The removals that start with the token at a place, and where they end. `warned` is what pasted warnings name.
pub(super) fn removal_at(
    sentence: &[Token<'_>],
    at: usize,
    before: &[Token<'_>],
    warned: &[Removal],
) -> Option<(Vec<Removal>, usize)> {
    let (removals, end) = without_helpers(sentence, at, before, warned)?;
    Some((removals, unused::helpers_end(sentence, end).unwrap_or(end)))
}

fn without_helpers(
    sentence: &[Token<'_>],
    at: usize,
    before: &[Token<'_>],
    warned: &[Removal],
) -> Option<(Vec<Removal>, usize)> {
    let token = sentence.get(at)?;
    let plain = |(names, end): (Vec<String>, usize)| {
        (names.into_iter().map(|name| Removal { name, path: None }).collect(), end)
    };
    if token.is_one_of(&["removed", "deleted", "dropped"]) {
        return passive(sentence, at).map(plain);
    }
    if token.is("go") {
        return goes(sentence, at, before).map(plain);
    }
    if let Some(length) = cleaning_len(sentence, at) {
        return pronoun(sentence, at, at + 1, before, warned).map(|(names, _)| (names, at + length));
    }
    let length = verb_len(sentence, at)?;
    let active = active(sentence, at + length).map(plain);
    active.or_else(|| pronoun(sentence, at, at + length, before, warned))
}

/// The tokens of a verb that removes: "delete", "get rid of", "throw out".
fn verb_len(sentence: &[Token<'_>], at: usize) -> Option<usize> {
    let word = |offset: usize| sentence.get(at + offset).map_or("", |token| token.lower.as_str());
    let token = sentence.get(at)?;
    match (token.lower.as_str(), word(1), word(2)) {
        _ if token.kind != Kind::Word => None,
        ("get" | "getting", "rid", "of") => Some(3),
        ("kick" | "throw" | "rip" | "take" | "toss", "out" | "away", _) => Some(2),
        // "throw `a` out"
        ("kick" | "throw" | "rip" | "take" | "toss", _, _) => {
            let rest = sentence.get(at + 1..).unwrap_or_default();
            let end = rest
                .iter()
                .position(|token| token.kind == Kind::Mark && !token.is_mark(","))
                .unwrap_or(rest.len());
            let is_out = |token: &Token<'_>| token.is_one_of(&["out", "away"]);
            rest.get(..end)?.iter().any(is_out).then_some(1)
        }
        _ => token.is_in(&REMOVAL_VERBS).then_some(1),
    }
}

/// The tokens of "clean up", "clean this up", "tidy them up".
fn cleaning_len(sentence: &[Token<'_>], at: usize) -> Option<usize> {
    let token = sentence.get(at)?;
    if token.is("cleanup") {
        return Some(1);
    }
    let word = |offset: usize| sentence.get(at + offset).map_or("", |token| token.lower.as_str());
    let is_up = matches!(word(1), "this" | "it" | "that" | "them" | "these" | "those") && word(2) == "up";
    let length = if is_up { 3 } else { 2 };
    let is_cleaning = token.is_one_of(&["clean", "tidy"]) && (is_up || word(1) == "up");
    (is_cleaning && ends(sentence, at + length)).then_some(length)
}

/// "Delete them", "get rid of these two", "delete": what was named before, or what the warnings name.
fn pronoun(
    sentence: &[Token<'_>],
    verb: usize,
    from: usize,
    before: &[Token<'_>],
    warned: &[Removal],
) -> Option<(Vec<Removal>, usize)> {
    let mut at = from;
    let is_filler = |token: &Token<'_>| {
        token.is_in(&REMOVAL_FILLERS)
            || token.is_in(&UNUSED)
            || token
                .is_one_of(&["it", "them", "of", "up", "out", "away", "stuff", "things", "ones", "either"])
            || kind_of(token).is_some()
    };
    while sentence.get(at).is_some_and(is_filler) {
        if sentence.get(at).is_some_and(is_part) {
            return None;
        }
        at += 1;
    }
    if !ends(sentence, at) || sentence.get(at).is_some_and(|token| token.is_one_of(&["from", "in"])) {
        return None;
    }
    let words = sentence.get(from..at).unwrap_or_default();
    let says = |list: &[&str]| words.iter().any(|token| token.is_one_of(list));
    let fits = |count: usize| match () {
        () if says(&["two", "both"]) => count == 2,
        () if says(&["three"]) => count == 3,
        () if says(&["them", "these", "those", "all"]) => count > 1,
        () if says(&["it", "this", "that"]) => count == 1,
        () => count > 0,
    };
    let unneeded = unneeded(sentence, verb, before);
    let is_said = unneeded.is_some();
    let names = unneeded.unwrap_or_else(|| antecedents(sentence, verb, before));
    let is_unused = |tokens: &[Token<'_>]| tokens.iter().any(|token| token.is_in(&UNUSED));
    let mut earlier =
        before.chunk_by(|one, other| one.sentence == other.sentence).rev().take(SENTENCES_BACK_MAX);
    if fits(names.len()) && (is_said || is_unused(sentence) || earlier.any(is_unused)) {
        // "remove it, and the helper `b`"
        let is_joint =
            |at: usize| sentence.get(at).is_some_and(|token| token.is_mark(",") || token.is("and"));
        let next = (at..sentence.len()).find(|at| !is_joint(*at)).unwrap_or(at);
        let more = if next > at { self::names(sentence, next, Marked::Yes) } else { None };
        let (more, at) = more.unwrap_or((Vec::new(), at));
        let all = names.into_iter().chain(more);
        return Some((all.map(|name| Removal { name, path: None }).collect(), at));
    }
    // "clean this up" may mean several warnings.
    let is_all = warned.len() > 1 && says(&["it", "this", "that"]);
    (!warned.is_empty()
        && (is_all || fits(warned.len()) || says(&["them", "these", "those"]) && !says(&["two", "three"])))
    .then(|| (warned.to_vec(), at))
}

/// What the sentence, or else the last one with names, says is not needed any more.
fn unneeded(sentence: &[Token<'_>], verb: usize, before: &[Token<'_>]) -> Option<Vec<String>> {
    let own = sentence.get(..verb).unwrap_or_default();
    let has_name = |tokens: &[Token<'_>]| (0..tokens.len()).any(|at| name_at(tokens, at).is_some());
    if has_name(own) {
        return unused::unneeded(own);
    }
    let mut earlier =
        before.chunk_by(|one, other| one.sentence == other.sentence).rev().take(SENTENCES_BACK_MAX);
    earlier.find(|sentence| has_name(sentence)).and_then(unused::unneeded)
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

fn active(sentence: &[Token<'_>], from: usize) -> Option<(Vec<String>, usize)> {
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
            || token.is_mark(":")
            || token.text.chars().all(|sign| sign.is_ascii_digit())
            || is_adjective(sentence, at);
        if is_kind {
            marked = Marked::No;
        } else if !is_filler {
            break;
        }
        at += 1;
    }
    let (names, mut end) = names(sentence, at, marked)?;
    if sentence.get(end).is_some_and(|token| token.is_one_of(&["out", "away"])) {
        end += 1;
    }
    ends(sentence, end).then_some((names, end))
}

/// "debug" in "the debug functions `a` and `b`".
fn is_adjective(sentence: &[Token<'_>], at: usize) -> bool {
    let is_plain =
        name_at(sentence, at).is_none() && sentence.get(at).is_some_and(|token| token.kind == Kind::Word);
    let is_before_kind =
        sentence.get(at + 1).is_some_and(|token| kind_of(token).is_some() && !is_part(token));
    is_plain && is_before_kind && name_at(sentence, at + 2).is_some()
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
    if token.kind == Kind::Mark || unused::helpers_end(sentence, at).is_some() {
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
    token.is_in(&REMOVAL_END_WORDS)
}

/// "`a` and `b` can be removed"
fn passive(sentence: &[Token<'_>], at: usize) -> Option<(Vec<String>, usize)> {
    let mut be = at.checked_sub(1)?;
    if sentence.get(be)?.is("safely") {
        be = be.checked_sub(1)?;
    }
    if !sentence.get(be)?.is("be") || !ends(sentence, at + 1) {
        return None;
    }
    let start = without_modals(sentence, be);
    let names = subjects(sentence, start).filter(|_| start < be)?;
    Some((names, at + 1))
}

/// "`a` and `b` can go", "both can go"
fn goes(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Option<(Vec<String>, usize)> {
    let start = without_modals(sentence, at);
    if start == at || !ends(sentence, at + 1) {
        return None;
    }
    if let Some(names) = subjects(sentence, start) {
        return Some((names, at + 1));
    }
    let says = |words: &[&str]| {
        let subject = sentence.get(start.saturating_sub(1)..at).unwrap_or_default();
        subject.iter().any(|token| token.is_one_of(words))
    };
    let names = antecedents(sentence, start.saturating_sub(1), before);
    let is_meant = match names.len() {
        0 => false,
        1 => says(&["it", "that", "this"]),
        _ => says(&["they", "both", "these", "those", "two", "all"]),
    };
    is_meant.then_some((names, at + 1))
}

/// Names of which a sentence says that they are dead: "`a` and `b` are dead", "`a` is no longer needed".
pub(super) fn dead(sentence: &[Token<'_>]) -> Vec<String> {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let is_dead = |at: usize| match (word(at), word(at + 1)) {
        ("no", "longer") => matches!(word(at + 2), "needed" | "used" | "required"),
        ("not", "needed" | "used" | "required") => {
            matches!(word(at + 2), "any" | "anymore") || ends(sentence, at + 2)
        }
        (dead, _) => DEAD.has(dead) && (ends(sentence, at + 1) || word(at + 1) == "code"),
    };
    let is_adverb =
        |at: usize| matches!(word(at), "now" | "both" | "all" | "completely" | "just" | "also" | "totally");
    let names = (0..sentence.len()).filter(|at| matches!(word(*at), "is" | "are")).find_map(|is| {
        let mut at = is + 1;
        while is_adverb(at) {
            at += 1;
        }
        is_dead(at).then(|| subjects(sentence, is)).flatten()
    });
    names.unwrap_or_default()
}

fn without_modals(sentence: &[Token<'_>], mut at: usize) -> usize {
    let is_modal = |token: &Token<'_>| {
        token.is_one_of(&[
            "can", "should", "must", "may", "could", "to", "needs", "need", "has", "have", "safely", "both",
            "all", "now", "also", "probably", "then",
        ])
    };
    let has_verb = |at: usize| {
        sentence.get(at).is_some_and(|token| {
            token.is_one_of(&["can", "should", "must", "may", "could", "needs", "need", "has", "have"])
        })
    };
    let end = at;
    while at > 0 && sentence.get(at - 1).is_some_and(is_modal) {
        at -= 1;
    }
    if (at..end).any(has_verb) { at } else { end }
}

/// The names that a verb says something of, which end where its modals start: "`a` and `b` in cart.py".
pub(super) fn subjects(sentence: &[Token<'_>], end: usize) -> Option<Vec<String>> {
    let end = without_file(sentence, end);
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
    let mut start = end;
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
    (!is_other && !has_part && !names.is_empty()).then_some(names)
}

/// Before "in cart.py".
fn without_file(sentence: &[Token<'_>], end: usize) -> usize {
    let is_file = |at: usize| sentence.get(at).is_some_and(|token| super::super::paths::is_path(token.text));
    let is_in = |at: usize| sentence.get(at).is_some_and(|token| token.is_one_of(&["in", "from", "of"]));
    match end.checked_sub(2) {
        Some(at) if is_file(at + 1) && is_in(at) => at,
        _ => end,
    }
}
