//! What a name is to a message: what is to be changed, something to work with, or where a fault shows.
//!
//! "Use it in toc.js with `WIDTH`" asks for no other `WIDTH`, and in "when I move a part, quantity() says 16 instead of
//! 10" the fault is as likely in what moves parts. The rules look at the words beside the name only.

use super::tokens::{Kind, Token};
use super::{Role, references};

/// Words behind which something stands that is only used: "with `WIDTH`", "like `total`".
const MEANS: [&str; 7] = ["with", "using", "via", "like", "than", "reusing", "unlike"];
/// The same in two words: "similar to `total`", "instead of `total`".
const MEANS_PAIRS: [(&str, &str); 18] = [
    ("similar", "to"),
    ("same", "as"),
    ("such", "as"),
    ("instead", "of"),
    ("rather", "than"),
    ("as", "in"),
    ("like", "in"),
    ("next", "to"),
    ("just", "as"),
    ("compared", "to"),
    ("based", "on"),
    ("analogous", "to"),
    ("identical", "to"),
    ("way", "as"),
    ("replaced", "by"),
    ("superseded", "by"),
    ("favor", "of"),
    ("favour", "of"),
];
/// Words in front of what makes something else needless: "since we have `total`", "now that there is `total`".
const REASONS: [&str; 5] = ["since", "because", "that", "as", "now"];
/// Before "with" and "like", these make the name what the message is about: "something is wrong with `total`".
const ABOUT: [&str; 16] = [
    "wrong", "problem", "problems", "issue", "issues", "trouble", "bug", "bugs", "help", "deal", "happens",
    "do", "would", "i'd", "we'd", "should",
];
/// Words between such a word and the name.
const FILLERS: [&str; 8] = ["the", "our", "my", "a", "its", "constant", "function", "method"];
/// What a name does where a fault shows in it.
const SHOWS: [&str; 18] = [
    "says", "returns", "shows", "prints", "gives", "reports", "displays", "outputs", "is", "grows", "stays",
    "has", "contains", "becomes", "keeps", "lists", "counts", "yields",
];
const ADVERBS: [&str; 8] = ["still", "then", "now", "always", "also", "suddenly", "sometimes", "only"];
/// Words that begin what leads to a fault.
const WHEN: [&str; 6] = ["when", "whenever", "after", "if", "once", "while"];
/// A word behind one of these is no verb.
const BEFORE_NOUNS: [&str; 32] = [
    "a", "an", "the", "my", "our", "your", "this", "that", "these", "those", "some", "any", "no", "another",
    "each", "every", "all", "to", "in", "of", "from", "into", "with", "without", "for", "on", "at", "by",
    "is", "are", "was", "has",
];
/// Words of such a clause that name no action of the program.
const NOT_ACTIONS: [&str; 34] = [
    "i", "we", "you", "they", "he", "she", "it", "one", "there", "is", "are", "was", "were", "do", "does",
    "did", "don't", "doesn't", "have", "has", "had", "can", "could", "try", "tries", "trying", "want",
    "wants", "not", "only", "just", "then", "and", "or",
];
const CAUSES_MAX: usize = 20;

/// What the name at this place is to the message.
pub(super) fn role(tokens: &[Token<'_>], at: usize) -> Role {
    if is_means(tokens, at) {
        Role::Means
    } else if is_symptom(tokens, at) {
        Role::Symptom
    } else {
        Role::Subject
    }
}

fn is_means(tokens: &[Token<'_>], at: usize) -> bool {
    let sentence = tokens.get(at).map(|token| token.sentence);
    let mut before = tokens.get(..at).unwrap_or_default().iter().rev().skip_while(|token| {
        Some(token.sentence) == sentence
            && (token.is_one_of(&FILLERS) || references::kind_of(token).is_some())
    });
    let mut previous = || before.next().filter(|token| Some(token.sentence) == sentence);
    let (Some(last), earlier) = (previous(), previous()) else { return false };
    if let Some(first) = earlier
        && MEANS_PAIRS.iter().any(|(one, other)| first.is(one) && last.is(other))
    {
        return true;
    }
    let is_at_hand = last.is_one_of(&["have", "use", "got", "is", "call"])
        && earlier.is_some_and(|token| token.is_one_of(&["we", "there", "i", "they"]));
    if is_at_hand && previous().is_some_and(|token| token.is_one_of(&REASONS)) {
        return true;
    }
    last.is_one_of(&MEANS) && !earlier.is_some_and(|token| token.is_one_of(&ABOUT))
}

fn is_symptom(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(name) = tokens.get(at) else { return false };
    let behind = tokens.get(at + 1..).unwrap_or_default();
    let verb = behind.iter().find(|token| !token.is_one_of(&ADVERBS));
    verb.is_some_and(|token| token.sentence == name.sentence && token.is_one_of(&SHOWS))
}

/// The verbs of what leads to a fault: "move" in "when I move a part".
pub(super) fn causes(tokens: &[Token<'_>]) -> Vec<String> {
    let mut causes: Vec<String> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let starts = at.checked_sub(1).and_then(|at| tokens.get(at)).is_none_or(|before| {
            before.kind == Kind::Mark
                || before.sentence != token.sentence
                || before.is_one_of(&["but", "and"])
        });
        if !(starts && token.is_one_of(&WHEN)) {
            continue;
        }
        let clause = tokens.get(at..).unwrap_or_default().iter();
        let clause: Vec<&Token<'_>> =
            clause.take_while(|other| other.kind != Kind::Mark && other.sentence == token.sentence).collect();
        let verbs = clause.windows(2).filter_map(|pair| {
            let (before, word) = (pair.first()?, pair.get(1)?);
            let is_verb = word.kind == Kind::Word
                && !word.is_one_of(&NOT_ACTIONS)
                && !word.is_one_of(&BEFORE_NOUNS)
                && !word.is_one_of(&ADVERBS)
                && !before.is_one_of(&BEFORE_NOUNS)
                && word.lower.chars().all(char::is_alphabetic);
            is_verb.then(|| word.lower.clone())
        });
        for verb in verbs {
            if causes.len() < CAUSES_MAX && !causes.contains(&verb) {
                causes.push(verb);
            }
        }
    }
    causes
}
