//! The content words of a message, and how many of them a name of code contains.

use std::collections::HashSet;

use super::asks::{clause_ranges, sentences};
use super::excluded::stays::says_what_stays;
use super::lines::parts;
use super::tokens::{Kind, tokens};
use super::vocabulary::STOP_WORDS;

/// Words of one message that are kept: the first ones.
const WORDS_MAX: usize = 300;
/// A word or a part of a name. Bytes.
const WORD_BYTES_MAX: usize = 60;

/// The content words of what the user typed about the work, each once: in lower case, split where a name is joined, without the words
/// that every message has.
pub fn words(text: &str) -> Vec<String> {
    let parts = parts(text);
    let mut words = Vec::new();
    let mut known = HashSet::new();
    let tokens = tokens(&parts.lines);
    // What stays as it is says nothing about what is to be changed.
    let clauses = sentences(&tokens).flat_map(|sentence| {
        clause_ranges(sentence)
            .filter_map(|(from, to)| sentence.get(from..to))
            .filter(|clause| !says_what_stays(clause))
    });
    for token in clauses.flatten().filter(|token| token.kind != Kind::Mark) {
        let plain = token.lower.as_str();
        if token.kind == Kind::Word && STOP_WORDS.has(plain) {
            continue;
        }
        for word in split(token.text) {
            let is_content = word.chars().nth(1).is_some()
                && !word.chars().all(|sign| sign.is_ascii_digit())
                && !STOP_WORDS.has(&word);
            if words.len() < WORDS_MAX && is_content && known.insert(word.clone()) {
                words.push(word);
            }
        }
    }
    words
}

/// How many of the words a name contains, whatever their endings.
pub fn score(words: &[String], name: &str) -> u32 {
    let parts: HashSet<String> = split(name).iter().map(|part| stem(part)).collect();
    let mut counted = HashSet::new();
    for word in words {
        let stem = stem(word);
        if parts.contains(&stem) {
            counted.insert(stem);
        }
    }
    u32::try_from(counted.len()).unwrap_or(u32::MAX)
}

/// Whether every word that a name is joined from is one of these, whatever their endings.
pub fn consists_of(name: &str, words: &[String]) -> bool {
    let stems: HashSet<String> = words.iter().map(|word| stem(word)).collect();
    let parts = split(name);
    !parts.is_empty() && parts.iter().all(|part| stems.contains(&stem(part)))
}

/// The words that a name is joined from: `loadRows2_csv` is `load`, `rows2`, `csv`.
fn split(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for run in text.split(|sign: char| !sign.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let signs: Vec<(usize, char)> = run.char_indices().collect();
        let mut start = 0;
        for (at, pair) in signs.windows(2).enumerate() {
            let (_, before) = pair[0];
            let (offset, sign) = pair[1];
            let next = signs.get(at + 2).map(|(_, next)| *next);
            let is_turn = before.is_lowercase() && sign.is_uppercase();
            let ends_acronym =
                before.is_uppercase() && sign.is_uppercase() && next.is_some_and(char::is_lowercase);
            if is_turn || ends_acronym {
                parts.push(run.get(start..offset).unwrap_or(""));
                start = offset;
            }
        }
        parts.push(run.get(start..).unwrap_or(""));
    }
    parts.retain(|part| !part.is_empty() && part.len() <= WORD_BYTES_MAX);
    parts.into_iter().map(str::to_lowercase).collect()
}

/// A word without its ending: "entries", "removing", "removed" and "remove" give `entr` and `remov`.
fn stem(word: &str) -> String {
    let is_long = |rest: &&str| rest.chars().count() >= 3;
    let strip = |ending: &str| word.strip_suffix(ending).filter(is_long);
    let base = strip("ies")
        .or_else(|| strip("ing"))
        .or_else(|| strip("ied"))
        .or_else(|| strip("ed"))
        .or_else(|| strip("es").filter(|rest| rest.ends_with(['s', 'x', 'h', 'z'])))
        .or_else(|| strip("s").filter(|rest| !rest.ends_with('s')))
        .unwrap_or(word);
    let base = if base.chars().count() > 3 { base.strip_suffix(['e', 'y']).unwrap_or(base) } else { base };
    let mut signs = base.chars().rev();
    let doubled = matches!((signs.next(), signs.next()), (Some(one), Some(two)) if one == two && one != 's' && one != 'l');
    let cut = base.chars().next_back().map_or(0, char::len_utf8);
    if doubled { base[..base.len() - cut].to_owned() } else { base.to_owned() }
}
