//! What a message says nothing needs any more, and whether what only that needs is to go with it.

use super::super::asks::clause_ranges;
use super::super::names::name_at;
use super::super::references::kind_of;
use super::super::tokens::{Kind, Token};
use super::super::vocabulary::NEGATIONS;
use super::removal::{self, Marked};

/// Words that speak of everything of a kind.
const ALL: [&str; 8] = ["everything", "whatever", "anything", "all", "what", "any", "things", "stuff"];
/// Words that say that there is no other reason for it.
const ONLY: [&str; 8] = ["only", "just", "solely", "purely", "exclusively", "merely", "alone", "nothing"];
/// Words for what was removed, behind the others.
const IT: [&str; 12] =
    ["it", "them", "they", "that", "those", "this", "these", "its", "their", "either", "both", "one"];
/// Words of why something is there.
const THERE: [&str; 19] = [
    "there", "for", "by", "use", "uses", "used", "using", "need", "needs", "needed", "exist", "exists",
    "existed", "require", "requires", "required", "call", "calls", "called",
];
/// Words in front of helpers.
const OWN: [&str; 6] = ["its", "their", "all", "any", "the", "every"];
/// Words in front of such a phrase.
const JOINTS: [&str; 12] =
    ["and", "with", "together", "along", "as", "well", "plus", "also", "including", "too", "then", "remove"];

/// Where a phrase ends that starts here and says that what only the removed code needs goes, too: "and whatever is only there
/// for it", "together with its helpers".
pub(super) fn helpers_end(sentence: &[Token<'_>], at: usize) -> Option<usize> {
    let is_joint = |token: &Token<'_>| token.is_mark(",") || token.is_one_of(&JOINTS);
    let start = (at..sentence.len()).find(|at| sentence.get(*at).is_some_and(|token| !is_joint(token)))?;
    let is_end = |token: &Token<'_>| {
        token.kind == Kind::Mark || token.is_one_of(&["and", "but", "so", "then", "since", "because"])
    };
    let rest = sentence.get(start..)?;
    let length = rest.iter().position(is_end).unwrap_or(rest.len());
    // "with the helper and the constant that only it needs"
    let is_list = rest.get(length).is_some_and(|token| token.is("and"));
    let is_far_end = |token: &Token<'_>| is_end(token) && !token.is("and");
    let whole = rest.iter().position(is_far_end).unwrap_or(rest.len());
    let lengths = [Some(length), is_list.then_some(whole)];
    let mut found = lengths.into_iter().flatten();
    found.find(|length| rest.get(..*length).is_some_and(says)).map(|length| start + length)
}

/// Whether a clause of the message asks for it in a sentence of its own: "Take everything out that existed just for them."
pub(super) fn wants_helpers(sentence: &[Token<'_>]) -> bool {
    let mut clauses = clause_ranges(sentence).filter_map(|(from, to)| sentence.get(from..to));
    clauses.any(|clause| {
        let stays = clause.iter().any(|token| {
            token.is_in(&NEGATIONS) || token.is_one_of(&["leave", "keep", "except", "stays", "stay"])
        });
        !stays && (0..clause.len()).any(|at| starts(clause, at) && says(clause.get(at..).unwrap_or_default()))
    })
}

/// Whether "all" or the like stands here, or what is somebody's own.
fn starts(clause: &[Token<'_>], at: usize) -> bool {
    clause.get(at).is_some_and(|token| token.is_one_of(&ALL) || token.is_one_of(&OWN))
}

/// Whether a clause speaks of what is there only for something: it starts with "whatever", "its helpers" or the like.
fn says(clause: &[Token<'_>]) -> bool {
    let has = |words: &[&str]| clause.iter().skip(1).any(|token| token.is_one_of(words));
    let Some(first) = clause.first() else { return false };
    let is_only =
        has(&ONLY) && has(&THERE) && (has(&IT) || (1..clause.len()).any(|at| name_at(clause, at).is_some()));
    if first.is_one_of(&ALL) && is_only {
        return true;
    }
    // "its helpers", "all private helper functions", but not "the helper `b`".
    let is_helper =
        |token: &Token<'_>| token.is_one_of(&["helper", "helpers"]) || is_only && kind_of(token).is_some();
    let helper = clause.iter().take(5).position(is_helper);
    let Some(helper) = helper.filter(|_| first.is_one_of(&OWN)) else { return false };
    let behind = (helper + 1..).find(|at| clause.get(*at).is_none_or(|token| kind_of(token).is_none()));
    let names_one =
        behind.is_some_and(|at| name_at(clause, at).is_some_and(|name| name.kind.is_some()) && !is_only);
    let is_marked = (helper..clause.len()).any(|at| name_at(clause, at).is_some());
    let is_own = first.is_one_of(&["its", "their"]) && !is_marked;
    !names_one && (is_own || is_only)
}

/// The names of which a sentence says that nothing needs them: "`a` isn't used any more since we have `b`", "nobody calls
/// `a`", "`a` was replaced by `b`". None if it says so of nothing.
pub(super) fn unneeded(sentence: &[Token<'_>]) -> Option<Vec<String>> {
    // "Since we have `b`, `a` is not needed."
    let is_reason = sentence.first().is_some_and(|first| first.is_one_of(&["since", "because", "as", "now"]));
    let comma = sentence.iter().position(|token| token.is_mark(",")).filter(|_| is_reason);
    let sentence = sentence.get(comma.map_or(0, |comma| comma + 1)..)?;
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let is_need = |word: &str| {
        matches!(word, "used" | "needed" | "called" | "required" | "referenced" | "imported" | "in")
    };
    let is_adverb = |word: &str| {
        matches!(
            word,
            "now" | "really" | "actually" | "even" | "being" | "all" | "both" | "longer" | "anywhere"
        )
    };
    for at in 0..sentence.len() {
        let mut next = at + 1;
        let is_negated = match word(at) {
            "isn't" | "aren't" | "isnt" | "arent" | "wasn't" => true,
            "is" | "are" if matches!(word(next), "no" | "not" | "never") => {
                next += 1;
                true
            }
            _ => false,
        };
        while is_adverb(word(next)) {
            next += 1;
        }
        if is_negated && is_need(word(next)) {
            return removal::subjects(sentence, at);
        }
        let is_replaced = matches!(word(at), "replaced" | "superseded") && word(at + 1) == "by";
        let is_passive = |at: usize| {
            matches!(word(at), "is" | "are" | "was" | "were" | "been" | "got" | "now" | "has" | "have")
        };
        if is_replaced {
            let start = (0..at).rev().take_while(|at| is_passive(*at)).last()?;
            return removal::subjects(sentence, start);
        }
        // "nobody calls `a`", "nothing in the code uses `a`"
        let is_nobody = matches!(word(at), "nobody" | "nothing" | "none" | "noone")
            || word(at) == "no" && matches!(word(at + 1), "one" | "code" | "caller");
        let verb = (at + 1..(at + 6).min(sentence.len())).find(|verb| {
            matches!(word(*verb), "calls" | "uses" | "needs" | "imports" | "references" | "requires")
        });
        if let Some(verb) = verb.filter(|_| is_nobody) {
            return removal::names(sentence, verb + 1, Marked::Yes).map(|(names, _)| names);
        }
    }
    None
}
