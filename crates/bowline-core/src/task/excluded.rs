//! Which names and files of a message are to stay as they are: "don't touch `main`", "leave `load` alone", "`load` stays".

pub(super) mod stays;

use super::asks::{Wish, sentences, wish};
use super::names::ENTRIES_MAX;
use super::references::{last_part, marked, meant, without_possessive};
use super::tokens::{Kind, Token};
use super::vocabulary::PROPERTIES;
use super::{Removal, Rename};
use stays::{How, Stay};

#[derive(Debug, Default)]
pub(super) struct Excluded {
    pub texts: Vec<String>,
    /// For each token, whether it names something that is to stay as it is.
    is_excluded: Vec<bool>,
    /// For each token, whether it is part of what has to go on as before, which is not what is to be changed.
    is_aside: Vec<bool>,
}

impl Excluded {
    pub(super) fn has(&self, at: usize) -> bool {
        self.is_excluded.get(at).copied().unwrap_or(false)
    }

    pub(super) fn is_aside(&self, at: usize) -> bool {
        self.is_aside.get(at).copied().unwrap_or(false)
    }

    fn add(&mut self, at: usize, text: &str) {
        if let Some(flag) = self.is_excluded.get_mut(at) {
            *flag = true;
        }
        if self.texts.len() < ENTRIES_MAX && !self.texts.iter().any(|other| other == text) {
            self.texts.push(text.to_owned());
        }
    }

    /// What is spelled out as an order is not excluded: what was said about the same word is about another place.
    pub(super) fn allow(&mut self, renames: &[Rename], removals: &[Removal]) {
        let is_ordered = |text: &str| {
            let is_it = |name: &str| name == text || last_part(name) == text;
            renames.iter().any(|rename| is_it(&rename.from) || rename.to == text)
                || removals.iter().any(|removal| is_it(&removal.name))
        };
        self.texts.retain(|text| !is_ordered(text));
    }
}

pub(super) fn excluded(tokens: &[Token<'_>]) -> Excluded {
    let none = vec![false; tokens.len()];
    let mut excluded = Excluded { texts: Vec::new(), is_excluded: none.clone(), is_aside: none };
    // What "must still" work is a condition on something else, unless it is all that the message says.
    let asks = |sentence: &[Token<'_>]| matches!(wish(sentence), Wish::Change | Wish::Norm | Wish::Complaint);
    let has_wish = sentences(tokens).any(asks);
    let mut start = 0;
    for sentence in sentences(tokens) {
        for Stay { from, to, how } in stays::stays(sentence) {
            match how {
                How::GoesOn if has_wish => set_aside(&mut excluded, start + from, start + to),
                How::GoesOn => {}
                How::Object | How::Subject => exclude(&mut excluded, tokens, (start + from, start + to), how),
            }
        }
        start += sentence.len();
    }
    excluded
}

fn set_aside(excluded: &mut Excluded, from: usize, to: usize) {
    if let Some(flags) = excluded.is_aside.get_mut(from..to) {
        flags.fill(true);
    }
}

fn exclude(excluded: &mut Excluded, tokens: &[Token<'_>], (from, to): (usize, usize), how: How) {
    let Some(range) = tokens.get(from..to) else { return };
    // "don't change how `load` works" is about a property of it.
    let is_property = range.iter().any(|token| token.is_in(&PROPERTIES));
    let is_all = range.iter().any(|token| token.is_one_of(&["anything", "nothing", "everything"]));
    if is_property && !is_all {
        if how == How::Subject {
            set_aside(excluded, from, to);
        }
        return;
    }
    for (offset, token) in range.iter().enumerate() {
        let is_owner = without_possessive(token.text) != token.text
            || range.get(offset + 1).is_some_and(|next| next.is_mark("'s"));
        let path = super::paths::is_path(token.text).then_some(token.text);
        let name = super::names::name_at(tokens, from + offset).map(|name| name.text);
        let quoted = || meant(token).filter(|_| token.kind == Kind::Quoted).map(str::to_owned);
        let text = path.map(str::to_owned).or(name).or_else(quoted);
        if let Some(text) = text.filter(|_| !is_owner) {
            excluded.add(from + offset, &text);
        }
    }
}

/// Files that have something of their own by the name that is to be renamed or removed: "b.py has its own `load`".
pub(super) fn exclude_namesakes(
    excluded: &mut Excluded,
    tokens: &[Token<'_>],
    renames: &[Rename],
    removals: &[Removal],
) {
    let orders = renames.iter().map(|rename| (rename.from.as_str(), rename.path.as_deref()));
    let orders =
        orders.chain(removals.iter().map(|removal| (removal.name.as_str(), removal.path.as_deref())));
    let orders: Vec<(&str, Option<&str>)> = orders.collect();
    if orders.is_empty() {
        return;
    }
    let mut start = 0;
    for sentence in sentences(tokens) {
        for (from, to) in super::asks::clause_ranges(sentence) {
            let clause = sentence.get(from..to).unwrap_or_default();
            let is_other = clause
                .iter()
                .any(|token| token.is_one_of(&["own", "another", "different", "unrelated", "other"]));
            let is_named = clause.iter().any(|token| {
                let name = marked(token).map(|(name, _)| name).or_else(|| meant(token));
                name.is_some_and(|name| orders.iter().any(|(from, _)| last_part(from) == last_part(name)))
                    || token.is_one_of(&["one", "name", "namesake"])
            });
            if !is_other || !is_named {
                continue;
            }
            for (offset, token) in clause.iter().enumerate() {
                let is_ordered = orders.iter().any(|(_, path)| *path == Some(token.text));
                if super::paths::is_path(token.text) && !is_ordered {
                    excluded.add(start + from + offset, token.text);
                }
            }
        }
        start += sentence.len();
    }
}
