//! The parts of a sentence that say what stays as it is: "`load` stays", "leave `load` alone", "so does main.rs".
//!
//! It finds ranges of tokens only. What in them is a name or a file is decided elsewhere.

use super::super::asks::starts_with_change;
use super::super::references::marked;
use super::super::tokens::{Kind, Token};
use super::super::vocabulary::{PARTICIPLES, STAY_ENDS, TOUCH_VERBS};

/// How far back the words that qualify a verb may be, in tokens.
const NEAR: usize = 5;

/// In which way something stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum How {
    /// The object of a verb: "don't touch `load`", "leave `load` alone".
    Object,
    /// What the sentence is about: "`load` stays as it is", "`load` must not change".
    Subject,
    /// What has to go on as before: "`load` must still return 4".
    GoesOn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Stay {
    pub from: usize,
    pub to: usize,
    pub how: How,
}

/// What a sentence says about what stays.
pub(in super::super) fn stays(sentence: &[Token<'_>]) -> Vec<Stay> {
    let mut stays = Vec::new();
    for (at, token) in sentence.iter().enumerate() {
        if token.kind != Kind::Word {
            continue;
        }
        let word = |offset: usize| sentence.get(at + offset).map_or("", |token| token.lower.as_str());
        let mut push = |from: usize, to: usize, how: How| stays.push(Stay { from, to, how });
        match token.lower.as_str() {
            "don't" | "dont" | "never" | "without" | "not" | "mustn't" | "shouldn't" | "doesn't"
            | "won't" | "needn't" => negated(sentence, at, &mut push),
            "no" if word(1) == "need" && word(2) == "to" && TOUCH_VERBS.has(word(3)) => {
                push(at + 4, end_of_list(sentence, at + 4), How::Object);
            }
            "nothing" if is_nothing_to_do(sentence, at) => nothing_to_do(sentence, at, &mut push),
            "no" if is_no_change(sentence, at) => unchanged_in(sentence, at, &mut push),
            "leave" | "keep" | "leaving" | "keeping" => kept(sentence, at, &mut push),
            "keeps" | "retains" if names_itself(sentence, at) => {
                push(start_of_clause(sentence, at), at, How::Subject);
            }
            "except" | "besides" => push(at + 1, end_of_list(sentence, at + 1), How::Object),
            "other" if word(1) == "than" => push(at + 2, end_of_list(sentence, at + 2), How::Object),
            "apart" if word(1) == "from" => push(at + 2, end_of_list(sentence, at + 2), How::Object),
            "hands" if word(1) == "off" => push(at + 2, end_of_list(sentence, at + 2), How::Object),
            "stay" | "stays" | "remain" | "remains" | "staying" => remains(sentence, at, &mut push),
            "fine" | "ok" | "okay" | "good" | "correct" | "right" if matches!(word(1), "as" | "the") => {
                let is_as = matches!(word(2), "it" | "they" | "is" | "way" | "that");
                let is_said = near(sentence, at).iter().any(|token| token.is_one_of(&["is", "are"]));
                if is_as && is_said {
                    push(start_of_clause(sentence, at), at, How::Subject);
                }
            }
            "still" if is_needed(sentence, at) => push(start_of_clause(sentence, at), at, How::Subject),
            "still" | "continue" if goes_on_as_before(sentence, at) => {
                push(start_of_clause(sentence, at), end_of_clause(sentence, at), How::GoesOn);
            }
            _ => {}
        }
    }
    also(sentence, &mut stays);
    stays
}

/// Whether a clause says nothing but what stays or has to go on as before.
pub(in super::super) fn says_what_stays(clause: &[Token<'_>]) -> bool {
    stays(clause).iter().any(|stay| stay.how != How::Object)
}

/// "don't touch X", "X must not be changed", "X must not change", "X, which I don't want touched".
fn negated(sentence: &[Token<'_>], at: usize, push: &mut impl FnMut(usize, usize, How)) {
    let word = |offset: usize| sentence.get(at + offset).map_or("", |token| token.lower.as_str());
    if matches!(word(1), "want" | "need") {
        let done = (at + 2..(at + 2 + NEAR).min(sentence.len()))
            .find(|at| sentence.get(*at).is_some_and(|token| token.is_in(&PARTICIPLES)));
        let is_any = matches!(word(2), "any" | "a") && matches!(word(3), "change" | "changes" | "update");
        let is_verb = word(2) == "to" && TOUCH_VERBS.has(word(3)) && ends(sentence, at + 4);
        let is_change = word(1) == "need" && (is_any || is_verb);
        if let Some(done) = done {
            let from = start_of_clause(sentence, at);
            push(from, done, How::Subject);
        } else if is_change {
            push(start_of_clause(sentence, at), at, How::Subject);
        }
        return;
    }
    let is_done = |offset: usize| TOUCH_VERBS.has(word(offset)) || PARTICIPLES.has(word(offset));
    let follows_comma = at > 0 && sentence.get(at - 1).is_some_and(|token| token.kind == Kind::Mark);
    if word(1) == "be" {
        if is_done(2) {
            push(start_of_clause(sentence, at), at, How::Subject);
        }
    } else if is_intransitive(sentence, at) {
        push(start_of_clause(sentence, at), at, How::Subject);
    } else if let Some(verb) = (1..=2).find(|offset| TOUCH_VERBS.has(word(*offset))) {
        let object = at + verb + 1;
        let end = end_of_list(sentence, object);
        push(object, end, How::Object);
        if is_pronoun_alone(sentence, object, end) {
            spoken_of(sentence, at, push);
        }
    } else if word(0) == "not" && follows_comma {
        push(at + 1, end_of_list(sentence, at + 1), How::Object);
    }
}

/// "nothing needs to be done there", "nothing has to change in main.js"
fn is_nothing_to_do(sentence: &[Token<'_>], at: usize) -> bool {
    let word = |offset: usize| sentence.get(at + offset).map_or("", |token| token.lower.as_str());
    let is_needed = matches!(word(1), "needs" | "has" | "needed" | "had") && word(2) == "to";
    let verb = if word(3) == "be" { word(4) } else { word(3) };
    is_needed && (verb == "done" || TOUCH_VERBS.has(verb) || PARTICIPLES.has(verb))
}

fn nothing_to_do(sentence: &[Token<'_>], at: usize, push: &mut impl FnMut(usize, usize, How)) {
    let end = end_of_clause(sentence, at);
    let is_there = |token: &Token<'_>| token.is_one_of(&["there", "here"]);
    if sentence.get(at..end).unwrap_or_default().iter().any(is_there) {
        spoken_of(sentence, at, push);
    } else {
        unchanged_in(sentence, at, push);
    }
}

/// "no changes are needed in write.py", "no change to write.py is necessary"
fn is_no_change(sentence: &[Token<'_>], at: usize) -> bool {
    let is_change = |token: &Token<'_>| token.is_one_of(&["change", "changes", "edit", "edits"]);
    let clause = sentence.get(at..end_of_clause(sentence, at)).unwrap_or_default();
    let is_needed = |token: &Token<'_>| token.is_one_of(&["needed", "necessary", "required", "need"]);
    clause.iter().skip(1).take(2).any(is_change) && clause.iter().any(is_needed)
}

/// What stands behind "in", "to" or "for" in the clause.
fn unchanged_in(sentence: &[Token<'_>], at: usize, push: &mut impl FnMut(usize, usize, How)) {
    let end = end_of_clause(sentence, at);
    let is_lead = |at: &usize| sentence.get(*at).is_some_and(|token| token.is_one_of(&["in", "to", "for"]));
    let Some(lead) = (at..end).rev().find(is_lead) else { return };
    push(lead + 1, end_of_list(sentence, lead + 1), How::Object);
}

fn is_pronoun_alone(sentence: &[Token<'_>], from: usize, to: usize) -> bool {
    let mut words =
        sentence.get(from..to).unwrap_or_default().iter().filter(|token| token.kind != Kind::Mark);
    let is_end =
        |token: &Token<'_>| token.is_one_of(&["one", "ones", "alone", "be", "please", "as", "is", "it"]);
    words.next().is_some_and(|token| token.is_one_of(&["it", "them", "that", "this", "those", "these"]))
        && words.all(is_end)
}

/// The clause before this one, which says what "it" is: "`load` is right, don't change it".
fn spoken_of(sentence: &[Token<'_>], at: usize, push: &mut impl FnMut(usize, usize, How)) {
    let before = sentence.get(..at).unwrap_or_default();
    let Some(end) = before.iter().rposition(|token| token.is_mark(",") || token.is_mark(";")) else { return };
    let from = start_of_clause(sentence, end);
    if !starts_with_change(sentence.get(from..end).unwrap_or_default()) {
        push(from, end, How::Subject);
    }
}

/// "X must not change", "X shouldn't change".
fn is_intransitive(sentence: &[Token<'_>], at: usize) -> bool {
    let is_modal =
        |token: &Token<'_>| token.is_one_of(&["must", "should", "may", "shall", "can", "do", "does"]);
    let has_modal =
        sentence.get(at).is_some_and(|token| token.is_one_of(&["mustn't", "shouldn't", "doesn't", "won't"]))
            || at.checked_sub(1).and_then(|at| sentence.get(at)).is_some_and(is_modal);
    let is_first = at < 2;
    has_modal
        && !is_first
        && sentence.get(at + 1).is_some_and(|token| token.is_one_of(&["change", "break", "move"]))
        && ends(sentence, at + 2)
}

/// "leave X alone", "keep X as it is", "keep X".
fn kept(sentence: &[Token<'_>], at: usize, push: &mut impl FnMut(usize, usize, How)) {
    if names_itself(sentence, at) {
        push(start_of_clause(sentence, at), at, How::Subject);
        return;
    }
    let end = end_of_list(sentence, at + 1);
    if is_pronoun_alone(sentence, at + 1, end) {
        spoken_of(sentence, at, push);
    }
    let is_kept = |token: &Token<'_>| {
        token.is_one_of(&["alone", "as", "unchanged", "untouched", "same", "intact", "be"])
    };
    let range = sentence.get(at + 1..end).unwrap_or_default();
    let is_list = |token: &Token<'_>| {
        marked(token).is_some()
            || token.is_mark(",")
            || token.is_one_of(&["the", "our", "and", "both", "old"])
            || super::super::references::kind_of(token).is_some()
    };
    let is_bare = !range.is_empty() && range.iter().all(is_list);
    if is_bare || range.iter().any(is_kept) {
        push(at + 1, end, How::Object);
    }
}

/// "X keeps its name", "they keep their names".
fn names_itself(sentence: &[Token<'_>], at: usize) -> bool {
    let mut rest = sentence.iter().skip(at + 1);
    rest.next().is_some_and(|token| token.is_one_of(&["its", "their", "his", "the"]))
        && rest
            .find(|token| !token.is_one_of(&["old", "current", "own", "same", "present"]))
            .is_some_and(|token| token.is_one_of(&["name", "names", "spelling"]))
}

/// "X stays", "X has to stay the way it is", "X must stay green".
fn remains(sentence: &[Token<'_>], at: usize, push: &mut impl FnMut(usize, usize, How)) {
    let is_as_it_is = sentence.get(at + 1).is_some_and(|token| {
        token.is_one_of(&[
            "as",
            "unchanged",
            "the",
            "untouched",
            "intact",
            "same",
            "like",
            "there",
            "put",
            "where",
        ])
    });
    // "when I close the window it stays" is a fault.
    let is_conditional = sentence.iter().take(at).any(|token| {
        token.is_one_of(&["when", "whenever", "after", "if", "once", "even", "still", "although"])
    });
    let is_same = sentence.get(at + 2).is_some_and(|token| token.is("same"));
    let from = start_of_clause(sentence, at);
    if is_as_it_is && !(is_same && is_conditional) || ends(sentence, at + 1) && !is_conditional {
        push(with_antecedent(sentence, from, at), at, How::Subject);
    } else if near(sentence, at).iter().any(is_modal) {
        push(from, end_of_clause(sentence, at), How::GoesOn);
    }
}

/// Where the range starts if its subject is a pronoun: "the key is read by the app, so that stays".
fn with_antecedent(sentence: &[Token<'_>], from: usize, at: usize) -> usize {
    let subject = sentence.get(from..at).unwrap_or_default();
    if from == 0 || subject.is_empty() || !subject.iter().all(is_pronoun) {
        return from;
    }
    let start = start_of_clause(sentence, from - 1);
    let clause = sentence.get(start..from).unwrap_or_default();
    if starts_with_change(clause) { from } else { start }
}

fn is_pronoun(token: &Token<'_>) -> bool {
    token.is_one_of(&["that", "this", "it", "they", "them", "these", "those", "both", "which", "and"])
        || is_modal(token)
}

fn is_modal(token: &Token<'_>) -> bool {
    token.is_one_of(&[
        "must", "should", "shall", "has", "have", "needs", "need", "to", "can", "may", "will", "ought",
        "please", "also", "all", "just",
    ])
}

/// "X is still needed", "X is still in use".
fn is_needed(sentence: &[Token<'_>], at: usize) -> bool {
    let is_said = at
        .checked_sub(1)
        .and_then(|at| sentence.get(at))
        .is_some_and(|token| token.is_one_of(&["is", "are"]));
    let word = |offset: usize| sentence.get(at + offset).map_or("", |token| token.lower.as_str());
    let is_asked = sentence.iter().any(|token| token.is_mark("?"));
    let is_use = word(1) == "in" && word(2) == "use";
    is_said && !is_asked && (matches!(word(1), "needed" | "used" | "required") || is_use)
}

/// "X must still work", "X should continue to work".
fn goes_on_as_before(sentence: &[Token<'_>], at: usize) -> bool {
    let is_norm =
        |token: &Token<'_>| token.is_one_of(&["must", "should", "shall", "has", "have", "needs", "need"]);
    let before = at.checked_sub(1).and_then(|at| sentence.get(at));
    let is_led = before.is_some_and(|token| token.is_one_of(&["must", "should", "shall", "to"]));
    let is_followed =
        sentence.get(at + 1).is_some_and(is_norm) && sentence.get(at).is_some_and(|token| token.is("still"));
    is_led && near(sentence, at).iter().any(is_norm) || is_followed
}

/// "…, and so does X", "same for X": what holds for what was named before.
fn also(sentence: &[Token<'_>], stays: &mut Vec<Stay>) {
    let Some(first) = stays.iter().filter(|stay| stay.how != How::GoesOn).map(|stay| stay.to).min() else {
        return;
    };
    // "Everything" holds for what is enumerated, too.
    let is_all = |token: &Token<'_>| token.is_one_of(&["everything", "anything", "nothing"]);
    let all = sentence.get(..first).unwrap_or_default().iter().rposition(is_all);
    for at in first..sentence.len() {
        if let Some(from) = enumerated(sentence, at) {
            let to = end_of_list(sentence, from);
            stays.push(Stay { from: all.unwrap_or(from), to, how: How::Subject });
            continue;
        }
        let word = |offset: usize| sentence.get(at + offset).map_or("", |token| token.lower.as_str());
        let length = match (word(0), word(1), word(2)) {
            (
                "so" | "as" | "neither" | "nor",
                "does" | "do" | "is" | "are" | "must" | "should" | "will",
                _,
            ) => 2,
            ("same", "for" | "with", _) => 2,
            ("same", "goes" | "holds", "for") => 3,
            _ => continue,
        };
        let end = end_of_clause(sentence, at + length);
        stays.push(Stay { from: at + length, to: end, how: How::Subject });
    }
}

/// Where the examples of what stays begin: "(also the default in b.sh)", ", including b.sh".
fn enumerated(sentence: &[Token<'_>], at: usize) -> Option<usize> {
    let mark = sentence.get(at).filter(|token| token.kind == Kind::Mark)?;
    let lead = sentence.get(at + 1)?;
    let is_aside = mark.text == "(" && lead.is_one_of(&["also", "even", "and", "especially"]);
    let is_listed = matches!(mark.text, "(" | "," | "-" | "–" | "—")
        && lead.is_one_of(&["including", "incl", "particularly"]);
    let begins = at + 2;
    let is_order = starts_with_change(sentence.get(begins..).unwrap_or_default());
    ((is_aside || is_listed) && !is_order).then_some(begins)
}

fn near<'t, 'a>(sentence: &'t [Token<'a>], at: usize) -> &'t [Token<'a>] {
    sentence.get(at.saturating_sub(NEAR)..at).unwrap_or_default()
}

/// Whether a clause ends here.
fn ends(sentence: &[Token<'_>], at: usize) -> bool {
    sentence
        .get(at)
        .is_none_or(|token| token.kind == Kind::Mark && !token.is_mark("'s") || token.is_in(&STAY_ENDS))
}

fn end_of_clause(sentence: &[Token<'_>], from: usize) -> usize {
    let is_end = |token: &Token<'_>| {
        token.kind == Kind::Mark && !matches!(token.text, "," | "'s" | "\n" | "(" | ")")
            || token.is_one_of(&["but", "because"])
    };
    let rest = sentence.get(from..).unwrap_or_default();
    from + rest.iter().position(is_end).unwrap_or(rest.len())
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
    let is_object = |token: &Token<'_>| marked(token).is_some() || super::super::paths::is_path(token.text);
    let is_article =
        |token: &Token<'_>| token.is_one_of(&["the", "and", "or", "function", "file", "class", "method"]);
    sentence.iter().skip(at).take(4).find(|token| !is_article(token)).is_some_and(is_object)
}

fn start_of_clause(sentence: &[Token<'_>], at: usize) -> usize {
    let before = sentence.get(..at).unwrap_or(&[]);
    let is_start = |token: &Token<'_>| {
        token.kind == Kind::Mark && !token.is_mark(",") && !token.is_mark("'s")
            || token.is_one_of(&["but", "so", "while", "then", "because"])
    };
    let start = before.iter().rposition(is_start).map_or(0, |at| at + 1);
    let Some(comma) = before.iter().rposition(|token| token.is_mark(",")).filter(|comma| *comma >= start)
    else {
        return start;
    };
    // "`a`, `b` and `c` must stay" is one list, "rename `a` to `b`, `c` must stay" is not.
    let is_listed = |token: &Token<'_>| {
        marked(token).is_some()
            || super::super::paths::is_path(token.text)
            || super::super::references::kind_of(token).is_some()
            || token.is_mark(",")
            || token.is_one_of(&["and", "or", "the", "our"])
            || is_modal(token)
    };
    let is_list = before.get(start..).is_some_and(|rest| rest.iter().all(is_listed));
    let is_own = before.get(comma + 1..).is_some_and(|rest| rest.iter().any(|token| !is_pronoun(token)));
    if is_own && !is_list { comma + 1 } else { start }
}
