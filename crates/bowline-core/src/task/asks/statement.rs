//! What a sentence says that neither asks nor orders anything: what has to be, what is wrong, or nothing at all.

use super::super::excluded::stays::{How, says_what_stays, stays};
use super::super::tokens::{Kind, Token};
use super::super::vocabulary::{COMPLAINT_WORDS, DEAD, EXCESSES, INQUIRY_VERBS, NORM_WORDS, SHOWING_VERBS};
use super::{Wish, clause_ranges, is_asked};

/// What a sentence says that neither asks nor orders anything.
pub(in super::super) fn statement(sentence: &[Token<'_>]) -> Wish {
    let is_kept = |range: &(usize, usize)| sentence.get(range.0..range.1).is_some_and(says_what_stays);
    let kept: Vec<(usize, usize)> = clause_ranges(sentence).filter(is_kept).collect();
    let is_free = |at: usize| !kept.iter().any(|(from, to)| (*from..*to).contains(&at));
    let free: Vec<&Token<'_>> =
        sentence.iter().enumerate().filter(|(at, _)| is_free(*at)).map(|(_, token)| token).collect();
    let text: Vec<&str> =
        free.iter().filter(|token| token.kind == Kind::Word).map(|token| token.lower.as_str()).collect();
    let has = |phrase: &[&str]| text.windows(phrase.len()).any(|words| words == phrase);
    let is_unsure = has(&["not", "sure"]) || has(&["don't", "know"]) || has(&["don't", "understand"]);
    // It takes back what was asked for before.
    if matches!(text.as_slice(), ["never", "mind", ..] | ["nevermind", ..]) {
        return Wish::Nothing;
    }
    if is_unsure || has(&["i", "wonder"]) || has(&["wondering"]) || has(&["curious"]) || is_asked(sentence) {
        return Wish::Question;
    }
    if has(&["want"])
        || has(&["i'd", "like"])
        || has(&["would", "like"])
        || has(&["i", "need"])
        || has(&["we", "need"])
    {
        let is_inquiry = text.windows(2).any(|pair| pair[0] == "to" && INQUIRY_VERBS.has(pair[1]));
        return if is_inquiry { Wish::Question } else { Wish::Norm };
    }
    let is_passive = |pair: &[&str]| {
        pair.first() == Some(&"be")
            && matches!(
                pair.last(),
                Some(&("removed" | "deleted" | "dropped" | "renamed" | "replaced" | "fixed"))
            )
    };
    if text.windows(2).any(is_passive)
        || has(&["would", "be"])
        || has(&["supposed", "to"])
        || has(&["has", "to"])
        || has(&["have", "to"])
        || goes_away(sentence)
    {
        return Wish::Norm;
    }
    if let Some(wish) = norm(&text) {
        return wish;
    }
    let is_error = |token: &Token<'_>| {
        matches!(token.kind, Kind::Quoted | Kind::Backticks)
            && (token.lower.contains("error") || token.lower.contains("exception"))
    };
    let is_wrong = sentence.iter().any(is_error)
        || text.iter().any(|word| COMPLAINT_WORDS.has(word)) && !has(&["nothing", "to"])
        || has(&["instead", "of"])
        || has(&["does", "not"])
        || has(&["is", "not"])
        || has(&["not", "working"])
        || has(&["off", "by"])
        || text
            .windows(2)
            .any(|pair| matches!(pair, ["still", verb] if verb.ends_with('s') && !is_state(verb)))
        || is_report(sentence);
    if is_wrong || is_excessive(&text) || is_dead(sentence, &text) {
        return Wish::Complaint;
    }
    let goes_on = |range: &(usize, usize)| {
        let clause = sentence.get(range.0..range.1).unwrap_or_default();
        stays(clause).iter().any(|stay| stay.how == How::GoesOn)
            && clause.iter().any(|token| token.is("still"))
    };
    if kept.iter().any(goes_on) { Wish::Constraint } else { Wish::Nothing }
}

/// What "should" and the like say: what has to be, unless it says what stays or what the speaker should do.
fn norm(text: &[&str]) -> Option<Wish> {
    let at = text.iter().position(|word| NORM_WORDS.has(word))?;
    let speaker = at.checked_sub(1).and_then(|at| text.get(at)).copied().unwrap_or("");
    let after = text.get(at + 1..).unwrap_or(&[]);
    let near = after.get(..after.len().min(3)).unwrap_or(after);
    let keeps = near.iter().any(|word| matches!(*word, "stay" | "remain" | "know" | "touched" | "untouched"))
        || near.contains(&"not")
            && near.iter().any(|word| matches!(*word, "changed" | "change" | "modified"));
    Some(if speaker == "i" || keeps { Wish::Nothing } else { Wish::Norm })
}

fn is_state(verb: &str) -> bool {
    matches!(verb, "is" | "needs" | "has" | "was" | "exists" | "works")
}

/// "When I save twice, list() shows the note two times."
fn is_report(sentence: &[Token<'_>]) -> bool {
    let mut words = sentence.iter();
    let is_when = words.any(|token| token.is_one_of(&["when", "whenever", "if", "after", "once"]));
    let is_done =
        words.next().is_some_and(|token| token.is_one_of(&["i", "we", "you", "someone", "a", "the"]));
    let is_shown = |pair: &[Token<'_>]| match pair {
        [name, verb] => name.kind == Kind::Call && verb.is_in(&SHOWING_VERBS),
        _ => false,
    };
    is_when && is_done && sentence.windows(2).any(is_shown)
}

/// "the limit is way too small"
fn is_excessive(text: &[&str]) -> bool {
    text.windows(3).any(|three| match three {
        [before, "too", excess] => {
            EXCESSES.has(excess)
                && before.chars().all(|sign| sign.is_alphabetic() || sign == '\'')
                && !matches!(*before, "not" | "isn't" | "aren't" | "never" | "none" | "nothing")
        }
        _ => false,
    }) || matches!(text, ["too", excess, ..] if EXCESSES.has(excess))
}

/// "`load` is dead", "`load` is not needed any more"
fn is_dead(sentence: &[Token<'_>], text: &[&str]) -> bool {
    let is_said = text.windows(2).any(|pair| match pair {
        ["is" | "are" | "both" | "all" | "now", dead] => DEAD.has(dead),
        ["longer" | "not", "needed" | "used" | "required"] => true,
        _ => false,
    });
    is_said && sentence.iter().any(|token| super::super::references::marked(token).is_some())
}

/// "`load` and `save` can go."
fn goes_away(sentence: &[Token<'_>]) -> bool {
    (1..sentence.len()).any(|at| {
        let is_modal = |token: &Token<'_>| {
            token.is_one_of(&["can", "may", "should", "must", "could", "to", "both", "all", "now", "safely"])
        };
        sentence.get(at).is_some_and(|token| token.is("go"))
            && sentence.get(at - 1).is_some_and(is_modal)
            && sentence.get(at + 1).is_none_or(|token| {
                token.kind == Kind::Mark
                    || token.is_one_of(&[
                        "now", "too", "as", "since", "because", "away", "and", "please", "they", "it",
                        "nobody",
                    ])
            })
    })
}
