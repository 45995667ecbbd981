//! The ways in which a message spells out a rename.

use super::super::Rename;
use super::super::references::{
    is_identifier, kind_of, last_part, marked, meant, naming_kind_of, shape, without_possessive,
};
use super::super::tokens::{Kind, Token};
use super::super::vocabulary::{ORDINALS, RENAME_ENDS, RENAME_FILLERS};
use super::parameter::{is_own_kind, possessor};
use super::{antecedents, antecedents_of_kind};

/// How far the new name may be from the old one, in tokens.
const DISTANCE_MAX: usize = 12;
/// Pairs of one list.
const PAIRS_MAX: usize = 50;

/// The renames that start with the token at a place, and where they end.
pub(super) fn rename_at(
    sentence: &[Token<'_>],
    at: usize,
    before: &[Token<'_>],
) -> Option<(Vec<Rename>, usize)> {
    let token = sentence.get(at)?;
    match token.lower.as_str() {
        _ if token.kind != Kind::Word => None,
        "rename" | "renaming" => active(sentence, at, before),
        "renamed" => passive(sentence, at, before),
        "called" | "named" => called(sentence, at, before),
        "name" => name_of(sentence, at),
        "call" => call_it(sentence, at, before),
        "give" => give_name(sentence, at, before),
        "replace" | "use" => by_name(sentence, at),
        _ => None,
    }
}

fn rename(from: &str, to: &str) -> Rename {
    Rename { from: from.to_owned(), to: last_part(to).to_owned(), path: None }
}

/// "rename `a` to `b`, `c` to `d`"
fn active(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Option<(Vec<Rename>, usize)> {
    let old = skip(sentence, at + 1);
    let token = sentence.get(old)?;
    let pronoun = token.is_one_of(&["it", "this", "that"]);
    if pronoun || token.is("to") {
        // "rename the function to b"
        let kind = sentence.get(at + 1..old).unwrap_or_default().iter().find_map(kind_of);
        let names = antecedents_of_kind(sentence, at, before, kind);
        let [from] = names.as_slice() else { return None };
        let connector = connector(sentence, if pronoun { old + 1 } else { old })?;
        let (to, end) = new_name(sentence, connector)?;
        return Some((vec![rename(from, to)], end));
    }
    pairs(sentence, at + 1).or_else(|| announced(sentence, at, before))
}

/// "`a` is a bad name. rename: `b`"
fn announced(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Option<(Vec<Rename>, usize)> {
    let to = marked(sentence.get(at + 2)?)?.0;
    let is_alone = sentence.get(at + 1)?.is_mark(":") && is_last(sentence, at + 3);
    let from = antecedent(sentence, at, before).filter(|from| is_alone && from != to)?;
    Some((vec![rename(&from, to)], at + 3))
}

/// "`a` to `b`, `c` to `d` and `e` -> `f`"
pub(super) fn pairs(sentence: &[Token<'_>], at: usize) -> Option<(Vec<Rename>, usize)> {
    let (first, mut end) = pair(sentence, at)?;
    let mut renames = vec![first];
    while renames.len() < PAIRS_MAX {
        let next = (end..sentence.len()).find(|at| !is_separator(sentence, *at)).unwrap_or(end);
        let is_next = next > end && sentence.get(skip(sentence, next) + 1).is_some_and(is_connector);
        match pair(sentence, next).filter(|_| is_next) {
            Some((rename, after)) => {
                renames.push(rename);
                end = after;
            }
            None => break,
        }
    }
    Some((renames, end))
}

fn is_separator(sentence: &[Token<'_>], at: usize) -> bool {
    sentence.get(at).is_some_and(|token| {
        matches!(token.kind, Kind::Mark) && matches!(token.text, "," | ";" | "\n" | "&")
            || token.is_one_of(&["and", "also", "then", "rename"])
    })
}

fn pair(sentence: &[Token<'_>], at: usize) -> Option<(Rename, usize)> {
    let mut old = skip(sentence, at);
    // "band's argument `f`", "Store's method get": the kind says that the name behind it is meant.
    let mut owner = None;
    if let Some((name, next)) = possessor(sentence, old)
        && sentence.get(next).is_some_and(|token| naming_kind_of(token).is_some() || is_own_kind(token))
    {
        owner = Some(name).filter(|name| name.starts_with(|sign: char| sign.is_uppercase()));
        old = skip(sentence, next);
    }
    let connector = connector(sentence, old + 1)?;
    let mut from = old_name(sentence, old);
    if let Some(behind) =
        (old + 1..connector).find(|at| sentence.get(*at).is_some_and(|token| token.is("from")))
    {
        // "rename the function in cart.py from a to b"
        old = skip(sentence, behind + 1);
        from = old_name(sentence, old).filter(|_| old < connector).or(from);
    }
    let (to, end) = new_name(sentence, connector)?;
    let from = &match owner {
        Some(owner) => format!("{owner}.{}", from?),
        None => owned(sentence, old, from?),
    };
    // Two plain words in quotation marks may be texts that a user of the program sees.
    let is_quoted = |at: usize| sentence.get(at).is_some_and(|token| token.kind == Kind::Quoted);
    let is_text = is_quoted(old) && is_quoted(end - 1) && shape(from).is_none() && shape(to).is_none();
    let is_kinded =
        old.checked_sub(1).and_then(|at| sentence.get(at)).is_some_and(|token| kind_of(token).is_some());
    (is_kinded || !is_text).then(|| (rename(from, to), end))
}

/// The name with the type that the words behind it say it belongs to: `Store.get` for "get of Store".
fn owned(sentence: &[Token<'_>], at: usize, name: &str) -> String {
    let is_of = sentence.get(at + 1).is_some_and(|token| token.is_one_of(&["of", "in"]));
    let owner = sentence.get(skip(sentence, at + 2)).filter(|token| token.kind != Kind::Call).and_then(meant);
    let is_type = |owner: &&str| owner.starts_with(|sign: char| sign.is_uppercase());
    match owner.filter(is_type).filter(|_| is_of && !name.contains(['.', ':'])) {
        Some(owner) => format!("{owner}.{name}"),
        None => name.to_owned(),
    }
}

fn old_name<'a>(sentence: &[Token<'a>], at: usize) -> Option<&'a str> {
    let token = sentence.get(at)?;
    let is_letter =
        token.kind == Kind::Word && token.text.len() == 1 && token.text.chars().all(char::is_alphabetic);
    // "the method get": a kind in front makes a name of any word.
    let is_kinded = token.kind == Kind::Word
        && at
            .checked_sub(1)
            .and_then(|at| sentence.get(at))
            .is_some_and(|before| naming_kind_of(before).is_some());
    let is_name =
        is_letter || is_kinded && is_identifier(token.text) && !is_connector(token) && !token.is("in");
    meant(token).or_else(|| is_name.then_some(token.text))
}

/// "shell" in "the shell function clean": a plain word in front of a kind that a name follows.
fn is_adjective(sentence: &[Token<'_>], at: usize) -> bool {
    let is_plain = |at: usize| {
        sentence.get(at).is_some_and(|token| {
            token.kind == Kind::Word && is_identifier(token.text) && !is_connector(token)
        })
    };
    let is_kind = sentence.get(at + 1).is_some_and(|token| naming_kind_of(token).is_some());
    let is_name = is_plain(at + 2)
        && sentence
            .get(at + 2)
            .is_some_and(|token| !token.is_one_of(&["in", "of", "from", "inside", "at", "and"]));
    is_plain(at) && is_kind && is_name && sentence.get(at).is_some_and(|token| marked(token).is_none())
}

/// Past articles, adjectives and kinds.
fn skip(sentence: &[Token<'_>], mut at: usize) -> usize {
    while let Some(token) = sentence.get(at) {
        let is_filler = token.is_in(&RENAME_FILLERS)
            || token.is_mark(":")
            || token.is_mark("\n")
            || kind_of(token).is_some() && !is_name_itself(sentence, at);
        let is_filler = is_filler || is_adjective(sentence, at);
        // In "rename a to b" the article is a name.
        let is_article =
            token.is_one_of(&["a", "an"]) && sentence.get(at + 1).is_none_or(|next| !is_connector(next));
        if !is_filler && !is_article {
            break;
        }
        at += 1;
    }
    at
}

/// A word such as `key` or `type` is a name if the new name follows at once.
fn is_name_itself(sentence: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| sentence.get(at));
    let is_led =
        before.is_some_and(|before| kind_of(before).is_some() || before.is_one_of(&["rename", "renaming"]));
    let is_marked = before.is_some_and(is_connector);
    is_led && sentence.get(at + 1).is_some_and(is_connector) || is_marked && is_last(sentence, at + 1)
}

fn is_connector(token: &Token<'_>) -> bool {
    token.is_one_of(&["to", "into", "as"]) || token.is_mark("->")
}

/// The place behind "to", unless another old name stands before it.
fn connector(sentence: &[Token<'_>], from: usize) -> Option<usize> {
    for at in from..(from + DISTANCE_MAX).min(sentence.len()) {
        let token = sentence.get(at)?;
        if is_connector(token) {
            return Some(at);
        }
        let is_end = token.kind == Kind::Mark && !matches!(token.text, "\n" | "(" | ")" | ",");
        let is_list = token.is("and") && sentence.get(at + 1).is_some_and(|next| marked(next).is_some());
        if is_end || is_list {
            return None;
        }
    }
    None
}

/// The new name behind "to", and where it ends.
fn new_name<'a>(sentence: &[Token<'a>], connector: usize) -> Option<(&'a str, usize)> {
    let mut at = skip(sentence, connector + 1);
    while sentence.get(at).is_some_and(|token| token.is_one_of(&["be", "called", "named", "simply"])) {
        at = skip(sentence, at + 1);
    }
    let token = sentence.get(at)?;
    let name = old_name(sentence, at)?;
    let is_plain = token.kind == Kind::Word && marked(token).is_none();
    (!is_plain || is_last(sentence, at + 1)).then_some((name, at + 1))
}

/// Whether a plain word can be a new name by what follows it: "rename load to match the specification" has none.
fn is_last(sentence: &[Token<'_>], at: usize) -> bool {
    sentence
        .get(at)
        .is_none_or(|token| token.kind == Kind::Mark || kind_of(token).is_some() || token.is_in(&RENAME_ENDS))
}

/// "`a` should be renamed to `b`", "have `a` renamed to `b`"
fn passive(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Option<(Vec<Rename>, usize)> {
    let from = subject(sentence, at, before).or_else(|| object(sentence, at))?;
    let next = sentence.get(at + 1)?;
    let connector = if is_connector(next) { at + 1 } else { at };
    let (to, end) = new_name(sentence, connector)?;
    Some((vec![rename(&from, to)], end))
}

/// What is to be "renamed" in "have `a` renamed".
fn object(sentence: &[Token<'_>], verb: usize) -> Option<String> {
    let name = meant(sentence.get(verb.checked_sub(1)?)?)?;
    let lead = sentence.get(verb.saturating_sub(5)..verb - 1).unwrap_or_default();
    let is_wish = lead.iter().any(|token| token.is_one_of(&["have", "get", "want", "like", "need"]));
    is_wish.then(|| name.to_owned())
}

/// "`a` should be called `b`", but not "`a` should be called once".
fn called(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Option<(Vec<Rename>, usize)> {
    let from = subject(sentence, at, before)?;
    let token = sentence.get(at + 1)?;
    let (name, is_name) = match token.kind {
        Kind::Word => {
            let is_plain = || is_last(sentence, at + 2) && !is_adverb(&token.lower);
            (meant(token)?, marked(token).is_some() || sentence.get(at)?.is("named") || is_plain())
        }
        Kind::Backticks | Kind::Quoted => (meant(token)?, true),
        Kind::Call | Kind::Mark => return None,
    };
    is_name.then(|| (vec![rename(&from, name)], at + 2))
}

/// Whether a word says how or when something is called.
fn is_adverb(word: &str) -> bool {
    word.ends_with("ly")
        || matches!(word, "once" | "twice" | "first" | "again" | "later" | "often" | "always" | "everywhere")
}

/// "give `a` a better name: `b`"
fn give_name(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Option<(Vec<Rename>, usize)> {
    let old = skip(sentence, at + 1);
    let name = (old..(old + DISTANCE_MAX).min(sentence.len()))
        .find(|at| sentence.get(*at).is_some_and(|token| token.is("name")))?;
    let from = match sentence.get(old)? {
        token if token.is("it") => antecedent(sentence, at, before)?,
        token => meant(token)?.to_owned(),
    };
    let is_lead = |token: &Token<'_>| {
        token.kind == Kind::Mark
            || token.is_one_of(&["like", "such", "as", "e.g", "eg", "maybe", "perhaps", "say"])
    };
    let new = (name + 1..(name + 5).min(sentence.len()))
        .find(|at| sentence.get(*at).is_some_and(|token| !is_lead(token)))?;
    let to = meant(sentence.get(new)?)?;
    Some((vec![rename(&from, to)], new + 1))
}

/// "replace the name `a` by `b`", "use the name `b` instead of `a`"
fn by_name(sentence: &[Token<'_>], at: usize) -> Option<(Vec<Rename>, usize)> {
    let mut first = at + 1;
    if sentence.get(first)?.is("the") {
        first += 1;
    }
    if !sentence.get(first)?.is("name") {
        return None;
    }
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let (one, next) = (old_name(sentence, first + 1)?, first + 2);
    if sentence.get(at)?.is("use") {
        let is_instead = word(next) == "instead" && word(next + 1) == "of";
        let old = skip(sentence, next + 2);
        return is_instead.then(|| Some((vec![rename(old_name(sentence, old)?, one)], old + 1))).flatten();
    }
    let new = skip(sentence, next + 1);
    let is_pair = matches!(word(next), "by" | "with");
    is_pair.then(|| Some((vec![rename(one, old_name(sentence, new)?)], new + 1))).flatten()
}

/// The one name that "it" can mean.
fn antecedent(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Option<String> {
    match antecedents(sentence, at, before).as_slice() {
        [name] => Some(name.clone()),
        _ => None,
    }
}

/// What "should be" is said of.
fn subject(sentence: &[Token<'_>], verb: usize, before: &[Token<'_>]) -> Option<String> {
    let be = verb.checked_sub(1)?;
    if !sentence.get(be)?.is("be") {
        return None;
    }
    let is_modal = |token: &Token<'_>| {
        token.is_one_of(&[
            "should", "must", "to", "needs", "has", "is", "ought", "shall", "better", "rather", "can",
        ])
    };
    let mut at = be;
    while at > 0 && sentence.get(at - 1).is_some_and(is_modal) {
        at -= 1;
    }
    if at == be {
        return None;
    }
    let mut name = without_places(sentence, at.checked_sub(1)?);
    if sentence.get(name)?.is("it") {
        return antecedent(sentence, name, before);
    }
    if kind_of(sentence.get(name)?).is_some() {
        name = name.checked_sub(1)?;
    }
    meant(sentence.get(name)?).map(str::to_owned)
}

/// Before "in cart.py", "of the class Cart" and the like, which stand behind a name.
fn without_places(sentence: &[Token<'_>], mut at: usize) -> usize {
    let is_place = |token: &Token<'_>| token.is_one_of(&["in", "of", "from", "inside", "at"]);
    let lead =
        |at: usize| (at.saturating_sub(3)..at).rev().find(|at| sentence.get(*at).is_some_and(is_place));
    while let Some(start) = lead(at) {
        let between = sentence.get(start + 1..at).unwrap_or_default();
        let is_phrase = between
            .iter()
            .all(|token| token.is_in(&RENAME_FILLERS) || token.is("the") || kind_of(token).is_some());
        match start.checked_sub(1) {
            Some(before) if is_phrase => at = before,
            _ => break,
        }
    }
    at
}

/// "change the name of `a` to `b`", "the name of `a` should be `b`", "change `a`'s name to `b`"
fn name_of(sentence: &[Token<'_>], at: usize) -> Option<(Vec<Rename>, usize)> {
    let (from, next) = if sentence.get(at + 1).is_some_and(|token| token.is("of")) {
        let old = skip(sentence, at + 2);
        (meant(sentence.get(old)?)?, old + 1)
    } else {
        let mut owner = sentence.get(at.checked_sub(1)?)?;
        if owner.is_mark("'s") {
            owner = sentence.get(at.checked_sub(2)?)?;
        } else if without_possessive(owner.text) == owner.text {
            return None;
        }
        (meant(owner)?, at + 1)
    };
    let is_should = sentence.get(next).is_some_and(|token| token.is_one_of(&["should", "must", "shall"]));
    let connector = if is_should { next } else { connector(sentence, next)? };
    let (to, end) = new_name(sentence, connector)?;
    Some((vec![rename(from, to)], end))
}

/// "call it `b` instead of `a`", "`a` is a bad name, call it `b`"
fn call_it(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Option<(Vec<Rename>, usize)> {
    let mut new = at + 1;
    // "call the new `fetch_all` instead of `fetch`" is about a call, "call the function `a` instead of `b`" about a name.
    let first = sentence.get(new)?;
    // "call the second parameter mhz instead of f"
    let is_counted = sentence.get(new + 1).is_some_and(|token| token.is_in(&ORDINALS));
    if is_counted && sentence.get(new + 2).is_some_and(is_own_kind) {
        new += 1;
    }
    let is_kind = sentence.get(new + 1).is_some_and(|token| naming_kind_of(token).is_some());
    let is_named = first.is_one_of(&["it", "this", "that"]) || first.is("the") && is_kind;
    if !is_named {
        return None;
    }
    new = skip(sentence, new + 1);
    let to = meant(sentence.get(new)?)?;
    let word = |offset: usize| sentence.get(new + offset).map_or("", |token| token.lower.as_str());
    let old = match (word(1), word(2)) {
        ("instead", "of") | ("rather", "than") => new + 3,
        ("not", _) => new + 2,
        _ => {
            let is_name = marked(sentence.get(new)?).is_some() || is_last(sentence, new + 1);
            let from = antecedent(sentence, at, before)
                .filter(|_| is_name && sentence.get(at + 1).is_some_and(|token| token.is("it")))?;
            return Some((vec![rename(&from, to)], new + 1));
        }
    };
    let from = old_name(sentence, old)?;
    Some((vec![rename(from, to)], old + 1))
}
