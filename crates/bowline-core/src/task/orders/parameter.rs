//! Whether a rename is about a parameter or a local variable, and of which function.
//!
//! Such a name is written behind its function, `band.f`, or behind a dot alone if the message does not say whose it is: `.f`.

use super::super::Rename;
use super::super::paths::is_path;
use super::super::references::{is_identifier, kind_of, marked, meant, without_possessive};
use super::super::tokens::{Kind, Token};

/// How far the kind may be from the name, and the function from the kind, in tokens.
const DISTANCE_MAX: usize = 4;
const OWN_KINDS: [&str; 6] = ["parameter", "argument", "param", "arg", "variable", "var"];
const FUNCTIONS: [&str; 5] = ["function", "method", "helper", "fn", "func"];

/// Whether a word says that a name is one of a function's own.
pub(super) fn is_own_kind(token: &Token<'_>) -> bool {
    kind_of(token).is_some_and(|kind| OWN_KINDS.contains(&kind)) || token.is_one_of(&["local", "locals"])
}

/// The rename with its old name behind the function that the sentence names for it. `its` is what "its parameter" can mean.
pub(super) fn placed(
    sentence: &[Token<'_>],
    (from, to): (usize, usize),
    rename: Rename,
    its: Option<&str>,
) -> Rename {
    if !is_identifier(&rename.from) {
        return rename;
    }
    let is_old = |at: &usize| sentence.get(*at).and_then(name_of) == Some(rename.from.as_str());
    // The subject of "should be renamed" stands in front of the order.
    let old = (from..to).find(is_old).or_else(|| (0..from).rev().find(is_old));
    let Some(old) = old else { return rename };
    let Some(kind) = kind(sentence, old, (from, to)) else { return rename };
    let is_other = |name: &&str| *name != rename.from && *name != rename.to;
    let first = kind.min(old);
    let is_its = sentence.get(first.wrapping_sub(1)).is_some_and(|token| token.is("its"));
    let owner = match its.filter(|_| is_its) {
        Some(its) => Some(its),
        None => owner(sentence, first, kind.max(old)).filter(is_other),
    };
    // A variable of no function may be one of the file.
    let is_variable =
        sentence.get(kind).and_then(kind_of).is_some_and(|kind| matches!(kind, "variable" | "var"));
    let is_local = sentence.get(kind.wrapping_sub(1)).is_some_and(|token| token.is("local"));
    if owner.is_none() && is_variable && !is_local {
        return rename;
    }
    Rename { from: format!("{}.{}", owner.unwrap_or_default(), rename.from), ..rename }
}

/// The name that a token can be, also one letter.
fn name_of<'a>(token: &Token<'a>) -> Option<&'a str> {
    let is_letter = token.kind == Kind::Word && token.text.len() == 1 && is_identifier(token.text);
    meant(token).or_else(|| is_letter.then_some(token.text))
}

/// Where the sentence says that the old name is one of a function's own: "the parameter f", "the f argument", "call the second
/// parameter mhz instead of f".
fn kind(sentence: &[Token<'_>], old: usize, (from, to): (usize, usize)) -> Option<usize> {
    let is_kind = |at: &usize| sentence.get(*at).is_some_and(is_own_kind);
    let is_near = |at: &usize| {
        let between = sentence.get(at + 1..old).unwrap_or_default();
        between.iter().all(|token| is_own_kind(token) || token.is_one_of(&["called", "named", "the"]))
    };
    let before = (old.saturating_sub(DISTANCE_MAX)..old).rev().find(|at| is_kind(at) && is_near(at));
    let behind = Some(old + 1).filter(is_kind);
    let says_instead = |token: &Token<'_>| token.is_one_of(&["instead", "rather", "not"]);
    let is_instead = sentence.get(from..old).is_some_and(|tokens| tokens.iter().any(says_instead));
    let of_new = || (from..to).find(|at| is_instead && is_kind(at));
    before.or(behind).or_else(of_new)
}

/// The function that is named around the kind and the name: "band's argument f", "the parameter f of band()", "in total(), …".
fn owner<'a>(sentence: &[Token<'a>], first: usize, last: usize) -> Option<&'a str> {
    let near = (first.saturating_sub(DISTANCE_MAX)..first).rev();
    let possessive = near.into_iter().find_map(|at| possessor(sentence, at)).map(|(name, _)| name);
    let is_lead = |at: &usize| {
        let leads = ["of", "in", "from", "for", "inside", "within"];
        sentence.get(*at).is_some_and(|token| token.is_one_of(&leads))
    };
    let behind =
        || (last + 1..sentence.len()).filter(is_lead).find_map(|lead| function_behind(sentence, lead));
    let before = || (0..first).rev().filter(is_lead).find_map(|lead| function_behind(sentence, lead));
    possessive.or_else(behind).or_else(before)
}

/// The name in "band's", and what follows it.
pub(super) fn possessor<'a>(sentence: &[Token<'a>], at: usize) -> Option<(&'a str, usize)> {
    let token = sentence.get(at)?;
    let is_mark = sentence.get(at + 1).is_some_and(|next| next.is_mark("'s"));
    let is_inside = without_possessive(token.text) != token.text;
    let next = if is_mark { at + 2 } else { at + 1 };
    meant(token).filter(|_| is_mark || is_inside).map(|name| (name, next))
}

/// The function behind "of", "in" and the like.
fn function_behind<'a>(sentence: &[Token<'a>], lead: usize) -> Option<&'a str> {
    let is_function = |token: &Token<'_>| kind_of(token).is_some_and(|kind| FUNCTIONS.contains(&kind));
    let is_filler = |token: &Token<'_>| token.is_one_of(&["the", "our", "my"]) || is_function(token);
    let at =
        (lead + 1..sentence.len()).find(|at| sentence.get(*at).is_some_and(|token| !is_filler(token)))?;
    let token = sentence.get(at).filter(|token| !is_path(token.text) && token.kind != Kind::Quoted)?;
    let has_kind = sentence.get(lead + 1..at).is_some_and(|between| between.iter().any(is_function))
        || sentence.get(at + 1).is_some_and(is_function);
    // "the parameter f of band", but not "rename f to mhz".
    let is_plain = sentence.get(lead).is_some_and(|lead| lead.is_one_of(&["of", "in", "inside", "within"]));
    if has_kind || is_plain { meant(token) } else { marked(token).map(|(name, _)| name) }
}
