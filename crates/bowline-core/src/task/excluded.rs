//! Which names and files of a message are to stay as they are: "don't touch `main`", "leave `load` alone".

use super::asks::sentences;
use super::names::ENTRIES_MAX;
use super::references::{marked, meant, without_possessive};
use super::tokens::{Kind, Token};
use super::vocabulary::{PROPERTIES, TOUCH_VERBS};

#[derive(Debug, Default)]
pub(super) struct Excluded {
    pub texts: Vec<String>,
    /// For each token, whether it names something that is to stay as it is.
    is_excluded: Vec<bool>,
}

impl Excluded {
    pub(super) fn has(&self, at: usize) -> bool {
        self.is_excluded.get(at).copied().unwrap_or(false)
    }
}

pub(super) fn excluded(tokens: &[Token<'_>]) -> Excluded {
    let mut excluded = Excluded { texts: Vec::new(), is_excluded: vec![false; tokens.len()] };
    let mut start = 0;
    for sentence in sentences(tokens) {
        for (from, to) in ranges(sentence) {
            exclude(&mut excluded, tokens, start + from, start + to);
        }
        start += sentence.len();
    }
    excluded
}

fn exclude(excluded: &mut Excluded, tokens: &[Token<'_>], from: usize, to: usize) {
    let Some(range) = tokens.get(from..to) else { return };
    // "don't change how `load` works" is about a property of it.
    let is_property = range.iter().any(|token| token.is_in(&PROPERTIES));
    let is_all = range.iter().any(|token| token.is_one_of(&["anything", "nothing", "everything"]));
    if is_property && !is_all {
        return;
    }
    for (offset, token) in range.iter().enumerate() {
        let is_owner = without_possessive(token.text) != token.text
            || range.get(offset + 1).is_some_and(|next| next.is_mark("'s"));
        let path = super::paths::is_path(token.text).then_some(token.text);
        let name = marked(token).map(|(name, _)| name).or_else(|| {
            let behind_kind = offset > 0 && super::references::naming_kind_of(&range[offset - 1]).is_some();
            if behind_kind || token.kind == Kind::Quoted { meant(token) } else { None }
        });
        let Some(text) = path.or(name).filter(|_| !is_owner) else { continue };
        if let Some(flag) = excluded.is_excluded.get_mut(from + offset) {
            *flag = true;
        }
        if excluded.texts.len() < ENTRIES_MAX && !excluded.texts.iter().any(|other| other == text) {
            excluded.texts.push(text.to_owned());
        }
    }
}

/// The parts of a sentence, as tokens from and to, in which what is named is to stay as it is.
fn ranges(sentence: &[Token<'_>]) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    for (at, token) in sentence.iter().enumerate() {
        let word = |offset: usize| sentence.get(at + offset).map_or("", |token| token.lower.as_str());
        match token.lower.as_str() {
            _ if token.kind != Kind::Word => {}
            "don't" | "dont" | "never" | "without" | "not" | "mustn't" | "shouldn't" => {
                let verb = (1..=2).find(|offset| TOUCH_VERBS.has(word(*offset)));
                let follows_comma = at > 0 && sentence[at - 1].kind == Kind::Mark;
                if let Some(verb) = verb.filter(|_| word(1) != "be") {
                    ranges.push((at + verb + 1, end_of_list(sentence, at + verb + 1)));
                } else if word(1) == "be" && TOUCH_VERBS.has(word(2))
                    || word(1) == "be" && word(2) == "touched"
                {
                    ranges.push((start_of_clause(sentence, at), at));
                } else if token.is("not") && follows_comma {
                    ranges.push((at + 1, end_of_list(sentence, at + 1)));
                }
            }
            "leave" | "keep" | "leaving" | "keeping" => {
                let end = end_of_list(sentence, at + 1);
                let is_kept = |token: &Token<'_>| {
                    token.is_one_of(&["alone", "as", "unchanged", "untouched", "same", "intact", "be"])
                };
                if sentence.get(at + 1..end).is_some_and(|range| range.iter().any(is_kept)) {
                    ranges.push((at + 1, end));
                }
            }
            "except" | "besides" => ranges.push((at + 1, end_of_list(sentence, at + 1))),
            "other" if word(1) == "than" => ranges.push((at + 2, end_of_list(sentence, at + 2))),
            "stay" | "stays" | "remain" | "remains" => {
                let is_kept = matches!(word(1), "as" | "unchanged" | "the" | "untouched" | "intact" | "same");
                if is_kept {
                    ranges.push((start_of_clause(sentence, at), at));
                }
            }
            _ => {}
        }
    }
    ranges
}

/// Where the objects of a verb end: at a stop, at "but", or at a comma or "and" that no further object follows.
fn end_of_list(sentence: &[Token<'_>], from: usize) -> usize {
    let mut at = from;
    while let Some(token) = sentence.get(at) {
        let ends = match token.kind {
            Kind::Mark if token.text == "," => !goes_on(sentence, at + 1),
            Kind::Mark => !matches!(token.text, "\n" | "'s"),
            Kind::Word if token.is("and") || token.is("or") => !goes_on(sentence, at + 1),
            _ => token.is_one_of(&["but", "just", "only", "because", "since", "so", "while", "when", "then"]),
        };
        if ends {
            return at;
        }
        at += 1;
    }
    at
}

/// Whether a further name follows a comma or "and".
fn goes_on(sentence: &[Token<'_>], at: usize) -> bool {
    let is_object = |token: &Token<'_>| marked(token).is_some() || super::paths::is_path(token.text);
    let is_article =
        |token: &Token<'_>| token.is_one_of(&["the", "and", "or", "function", "file", "class", "method"]);
    sentence.iter().skip(at).take(4).find(|token| !is_article(token)).is_some_and(is_object)
}

fn start_of_clause(sentence: &[Token<'_>], at: usize) -> usize {
    let before = sentence.get(..at).unwrap_or(&[]);
    let is_start = |token: &Token<'_>| {
        token.kind == Kind::Mark && !token.is_mark(",")
            || token.is_one_of(&["but", "so", "while", "then", "because"])
    };
    let start = before.iter().rposition(is_start).map_or(0, |at| at + 1);
    // "rename a to b, c must stay as it is": the comma ends the list unless a name stands on both its sides.
    let comma = before.iter().rposition(|token| token.is_mark(","));
    match comma {
        Some(comma)
            if comma >= start
                && before.get(comma + 1..).is_some_and(|rest| rest.iter().any(|t| marked(t).is_some())) =>
        {
            comma + 1
        }
        _ => start,
    }
}
