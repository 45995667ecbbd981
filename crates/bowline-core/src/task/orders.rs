//! Renames and removals that a message spells out, and whether they are all that it asks for.
//!
//! Only what is certain from the words counts. "Remove `x` from the list" and "rename it to something better" give
//! nothing.

mod parameter;
mod removal;
mod rename;
mod unused;

use super::asks::{Wish, clause_ranges, clause_wish_of, sentences, statement, wish};
use super::excluded::Excluded;
use super::excluded::stays::says_what_stays;
use super::names::{ENTRIES_MAX, is_identifier, name_at};
use super::paths::is_path;
use super::references::last_part;
use super::tokens::{Kind, Token};
use super::unused::Unused;
use super::vocabulary::{
    FOLLOW_UP_OBJECTS, FOLLOW_UP_VERBS, FURTHER_OBJECTS, NAMING_WORDS, NEGATIONS, UNUSED,
};
use super::{Removal, Rename};

/// How far back "it" may refer, in tokens of one sentence.
const LOOK_BACK_MAX: usize = 40;
/// How far back "it" may refer, in sentences.
const SENTENCES_BACK_MAX: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Orders {
    pub renames: Vec<Rename>,
    pub removals: Vec<Removal>,
    pub is_sole: bool,
    /// Whether comments are spoken of, and not as something that stays.
    pub is_in_comments: bool,
    /// Whether what only the removed definitions need is to go with them.
    pub has_helpers: bool,
}

/// A list that an order announces: "Rename these functions:".
#[derive(Clone, Copy, PartialEq, Eq)]
enum Announced {
    Nothing,
    Renames,
    Removals,
}

pub(super) fn orders(tokens: &[Token<'_>], excluded: &Excluded, unused: &Unused) -> Orders {
    let mut orders = Orders {
        is_in_comments: speaks_of_comments(tokens),
        has_helpers: sentences(tokens).any(unused::wants_helpers),
        ..Orders::default()
    };
    let mut dead: Vec<String> = Vec::new();
    let mut is_sole = true;
    let mut announced = Announced::Nothing;
    let mut start = 0;
    for sentence in sentences(tokens) {
        let before = tokens.get(..start).unwrap_or_default();
        start += sentence.len();
        if let Some(items) = listed(sentence, announced, &mut orders) {
            is_sole &= items;
            continue;
        }
        announced = Announced::Nothing;
        if matches!(wish(sentence), Wish::Question | Wish::Answer) {
            is_sole = false;
            continue;
        }
        let context = Context { sentence, before, unused, excluded };
        let used = context.scan(&mut orders);
        if used.is_empty() {
            announced = announcement(sentence);
            dead.extend(removal::dead(sentence));
        }
        if announced == Announced::Nothing {
            is_sole &= is_about(sentence, &used);
        }
    }
    // "`a` and `b` are dead." asks for their removal if the message asks for nothing else.
    if is_sole && orders.renames.is_empty() && orders.removals.is_empty() {
        for name in dead.into_iter().filter(|name| !excluded.texts.contains(name)) {
            let path = path_of_name(tokens, &name, excluded);
            add_removal(&mut orders.removals, Removal { name, path });
        }
    }
    let is_warned = orders.removals.iter().any(|removal| unused.definitions.contains(removal));
    orders.is_sole = is_sole
        && !(orders.renames.is_empty() && orders.removals.is_empty())
        && !(is_warned && unused.has_others);
    orders
}

/// "the comments too", "including the doc comments", but not "leave the comments as they are".
fn speaks_of_comments(tokens: &[Token<'_>]) -> bool {
    let is_comment = |token: &Token<'_>| {
        token.is_one_of(&["comment", "comments", "docstring", "docstrings", "jsdoc", "rustdoc"])
    };
    sentences(tokens)
        .flat_map(|sentence| clause_ranges(sentence).filter_map(|(from, to)| sentence.get(from..to)))
        .any(|clause| {
            let stays = says_what_stays(clause)
                || clause.iter().any(|token| {
                    token.is_in(&NEGATIONS) || token.is_one_of(&["leave", "keep", "except", "but"])
                });
            clause.iter().any(is_comment) && !stays
        })
}

/// What the rules for one sentence look at.
struct Context<'t, 'a> {
    sentence: &'t [Token<'a>],
    /// All tokens before it.
    before: &'t [Token<'a>],
    unused: &'t Unused,
    excluded: &'t Excluded,
}

impl Context<'_, '_> {
    /// Finds the orders of the sentence and says which of its tokens they took, as from and to.
    fn scan(&self, orders: &mut Orders) -> Vec<(usize, usize)> {
        let Context { sentence, before, .. } = *self;
        let mut used = Vec::new();
        let mut at = 0;
        while at < sentence.len() {
            if is_negated(sentence, at) {
                at += 1;
                continue;
            }
            if let Some((renames, end)) = rename::rename_at(sentence, at, before) {
                for mut rename in renames {
                    rename.path = self.path(&rename.from, at, end);
                    let its = orders.renames.last().map(|earlier| earlier.from.clone());
                    let its = its.or_else(|| match antecedents(sentence, at, before).as_slice() {
                        [name] => Some(name.clone()),
                        _ => None,
                    });
                    let rename = parameter::placed(sentence, (at, end), rename, its.as_deref());
                    add_rename(&mut orders.renames, rename);
                }
                used.push((at, end));
                at = end.max(at + 1);
            } else if let Some((removals, end)) =
                removal::removal_at(sentence, at, before, &self.unused.definitions)
            {
                for mut removal in removals {
                    removal.path = removal.path.or_else(|| self.path(&removal.name, at, end));
                    add_removal(&mut orders.removals, removal);
                }
                used.push((at, end));
                at = end.max(at + 1);
            } else {
                at += 1;
            }
        }
        used
    }

    /// The file that an order names, in its own words, in its sentence, or where its name was said before.
    fn path(&self, name: &str, at: usize, end: usize) -> Option<String> {
        let own = self.sentence.get(at..end).and_then(|tokens| only_path(tokens, self.excluded));
        own.or_else(|| only_path(self.sentence, self.excluded)).or_else(|| {
            let has_path = self.sentence.iter().any(|token| is_path(token.text));
            if has_path { None } else { path_of_name(self.before, name, self.excluded) }
        })
    }
}

/// The file of the last sentence that names both.
fn path_of_name(before: &[Token<'_>], name: &str, excluded: &Excluded) -> Option<String> {
    let mut earlier =
        before.chunk_by(|one, other| one.sentence == other.sentence).rev().take(SENTENCES_BACK_MAX);
    let says = |sentence: &&[Token<'_>]| {
        (0..sentence.len())
            .any(|at| name_at(sentence, at).is_some_and(|known| last_part(&known.text) == last_part(name)))
    };
    earlier.find(says).and_then(|sentence| only_path(sentence, excluded))
}

/// The one file that stands behind "in", "from" or the like.
fn only_path(tokens: &[Token<'_>], excluded: &Excluded) -> Option<String> {
    let is_lead = |token: &Token<'_>| {
        token.is_one_of(&["in", "from", "of", "inside", "within", "at", "into"]) || token.is_mark("(")
    };
    let mut paths: Vec<&str> = Vec::new();
    for (at, token) in
        tokens.iter().enumerate().filter(|(_, token)| is_path(token.text) && token.kind != Kind::Mark)
    {
        let before = tokens.get(at.saturating_sub(3)..at).unwrap_or_default();
        let lead = before
            .iter()
            .rev()
            .find(|token| !token.is_one_of(&["the", "our", "file", "module", "my", "script"]));
        // "in a.py, b.py and c.py"
        let is_listed = || {
            let before = before.iter().rev().find(|token| !token.is_mark(",") && !token.is("and"));
            let is_subject = tokens
                .get(at + 1)
                .is_some_and(|token| token.is_one_of(&["has", "is", "uses", "keeps", "needs"]));
            before.is_some_and(|token| paths.last() == Some(&token.text)) && !is_subject
        };
        let is_kept = excluded.texts.iter().any(|text| text == token.text);
        if (lead.is_some_and(is_lead) || is_listed()) && !is_kept && !paths.contains(&token.text) {
            paths.push(token.text);
        }
    }
    match paths.as_slice() {
        [path] => Some((*path).to_owned()),
        _ => None,
    }
}

fn add_rename(renames: &mut Vec<Rename>, rename: Rename) {
    if renames.len() < ENTRIES_MAX && rename.from != rename.to && !renames.contains(&rename) {
        renames.push(rename);
    }
}

fn add_removal(removals: &mut Vec<Removal>, removal: Removal) {
    let is_known = removals.iter().any(|known| known.name == removal.name && known.path == removal.path);
    if removals.len() < ENTRIES_MAX && !is_known {
        removals.push(removal);
    }
}

fn is_negated(sentence: &[Token<'_>], at: usize) -> bool {
    let before = sentence.get(at.saturating_sub(3)..at).unwrap_or(&[]);
    let near = before.rsplit(|token| token.kind == Kind::Mark).next().unwrap_or(before);
    // "No need to keep it" and "nothing" are no negations of the verb behind them.
    let is_passive =
        sentence.get(at).is_some_and(|token| token.is_one_of(&["removed", "deleted", "dropped", "renamed"]));
    let far =
        sentence.get(..at).unwrap_or(&[]).rsplit(|token| token.kind == Kind::Mark || token.is("and")).next();
    let is_unwanted = |pair: &[Token<'_>]| match pair {
        [not, want] => not.is_in(&NEGATIONS) && want.is_one_of(&["want", "like", "wish", "need"]),
        _ => false,
    };
    near.iter().any(|token| token.is_in(&NEGATIONS) && !token.is("no"))
        || is_passive && far.unwrap_or_default().windows(2).any(is_unwanted)
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
            names
                .into_iter()
                .for_each(|name| add_removal(&mut orders.removals, Removal { name, path: None }));
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
        // "Can you rename it, in a.py and in b.py?" asks nothing behind the comma.
        let clause = if used.is_empty() { clause } else { without_question_mark(clause) };
        if let Some((_, end)) = used.iter().find(|(start, end)| *start < to && *end > from) {
            let rest = sentence.get((*end).max(from)..to).unwrap_or(&[]);
            return adds_nothing(rest);
        }
        if unused::wants_helpers(clause) {
            return true;
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
        // "and so does `b`"
        let before = from.checked_sub(1).and_then(|at| sentence.get(at));
        let is_same = before.is_some_and(|token| token.is("so"))
            && clause
                .first()
                .is_some_and(|token| token.is_one_of(&["does", "do", "is", "are", "must", "should"]));
        if is_same || says_what_stays(clause) {
            return true;
        }
        let wish = match clause_wish_of(clause) {
            Wish::Nothing => statement(clause),
            wish => wish,
        };
        match wish {
            Wish::Nothing => true,
            Wish::Complaint | Wish::Constraint => {
                clause.iter().any(|token| token.is_in(&UNUSED)) || is_reason(clause) || is_follow_up(clause)
            }
            Wish::Change | Wish::Norm => is_follow_up(clause),
            Wish::Answer | Wish::Question => false,
        }
    })
}

fn without_question_mark<'t, 'a>(clause: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let end =
        clause.iter().rposition(|token| !token.is_mark("?") && !token.is_mark("\n")).map_or(0, |at| at + 1);
    clause.get(..end).unwrap_or(clause)
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
    let is_free = |token: &Token<'_>| is_path(token.text) && !token.lower.contains("test");
    has_verb && has_object && !adds && !clause.iter().any(is_free)
}

/// Whether a clause says why a name is bad: "it is confusing", "the name is too vague".
fn is_reason(clause: &[Token<'_>]) -> bool {
    let has_value = clause.iter().any(|token| token.text.starts_with(|sign: char| sign.is_ascii_digit()));
    clause.iter().any(|token| token.is_in(&NAMING_WORDS))
        || clause.iter().any(|token| token.is("too")) && !has_value
}

/// The names that "it" or "them" can mean: those before it in its sentence, else those of the last sentence with names.
fn antecedents(sentence: &[Token<'_>], at: usize, before: &[Token<'_>]) -> Vec<String> {
    antecedents_of_kind(sentence, at, before, None)
}

/// The same for "the function" and the like: of several names, those of that kind.
fn antecedents_of_kind(
    sentence: &[Token<'_>],
    at: usize,
    before: &[Token<'_>],
    kind: Option<&str>,
) -> Vec<String> {
    let names_of = |tokens: &[Token<'_>], end: usize| {
        let marked = distinct_names(tokens, end, kind);
        if marked.is_empty() { plain_names(tokens, end) } else { marked }
    };
    let own = names_of(sentence, at);
    if !own.is_empty() {
        return own;
    }
    let earlier = before.chunk_by(|one, other| one.sentence == other.sentence).rev().take(SENTENCES_BACK_MAX);
    earlier
        .map(|sentence| names_of(sentence, sentence.len()))
        .find(|names| !names.is_empty())
        .unwrap_or_default()
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
    let called = tokens.windows(3).filter(|three| match three {
        [is, called, name] => {
            is.is_one_of(&["is", "are"])
                && called.is_one_of(&["called", "named"])
                && name.kind == Kind::Word
                && name.text.starts_with(|sign: char| sign.is_uppercase())
                && is_identifier(name.text)
        }
        _ => false,
    });
    names
        .extend(called.filter_map(|three| three.last()).map(|token| token.text.to_owned()).take(ENTRIES_MAX));
    names.dedup();
    names
}

fn distinct_names(tokens: &[Token<'_>], end: usize, kind: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut of_kind: Vec<String> = Vec::new();
    let end = end.min(tokens.len());
    for name in (end.saturating_sub(LOOK_BACK_MAX)..end).filter_map(|at| name_at(tokens, at)) {
        let is_type = name.text.starts_with(|sign: char| sign.is_uppercase());
        let is_like = match kind {
            Some("class" | "struct" | "enum" | "trait" | "interface" | "type") => is_type,
            Some("constant" | "const") => name.text.chars().all(|sign| !sign.is_lowercase()),
            Some(_) => !is_type && name.kind.is_none(),
            None => false,
        };
        let is_of_kind = kind.is_some() && (name.kind.as_deref() == kind || is_like);
        // A class is no function.
        let is_camel = is_type && name.text.chars().any(char::is_lowercase);
        let is_other =
            matches!(kind, Some("function" | "method" | "variable" | "field")) && is_camel && !is_of_kind;
        if is_other {
            continue;
        }
        for list in [Some(&mut names), is_of_kind.then_some(&mut of_kind)].into_iter().flatten() {
            if list.len() < ENTRIES_MAX && !list.contains(&name.text) {
                list.push(name.text.clone());
            }
        }
    }
    if names.len() > 1 && of_kind.len() == 1 { of_kind } else { names }
}
