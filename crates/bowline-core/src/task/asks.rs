//! Whether a message asks for files to be changed, or for tests: one list of rules.
//!
//! A question, a review, an explanation and "don't change anything" do not ask for a change. The rules go from the
//! plainest sign to the weakest; where the signs disagree, the plainer one decides.

mod brief;
mod statement;
mod taken;

use super::excluded::stays::says_what_stays;
use super::lines::parts;
use super::tokens::{Kind, Token, tokens};
use super::vocabulary::{
    AFTER_NOUNS, ANSWER_NOUNS, CHANGE_VERBS, CODE_NOUNS, GENERAL_VERBS, INQUIRY_VERBS, LEAD_INS, NEGATIONS,
    OPENERS, PLAIN_CHANGE_VERBS, QUESTION_WORDS, QUESTION_WORDS_MARKED, SUBJECTS, TELLING_VERBS,
};

pub(super) use statement::statement;

/// Openers and lead-ins that are skipped before the verb of a clause.
const SKIPPED_MAX: usize = 8;
/// A message of thanks that is longer may ask for something, too.
const THANKS_TOKENS_MAX: usize = 8;
/// Words of a message that says what is to be changed.
const WHAT_WORDS_MIN: usize = 3;
/// How far an object may be from its verb, in tokens.
const OBJECT_DISTANCE_MAX: usize = 8;

/// What one sentence wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// "Rename X", "can you add Y": a change.
    Change,
    /// "Explain X", "review Y": an answer.
    Answer,
    /// "X should return 4": a statement of what has to be.
    Norm,
    /// "Why does X fail?"
    Question,
    /// "X crashes".
    Complaint,
    /// "X must still work": a condition on what is asked for elsewhere.
    Constraint,
    Nothing,
}

/// Whether the message plainly asks for files to be changed.
pub fn asks_for_change(text: &str) -> bool {
    let parts = parts(text);
    let tokens = tokens(&parts.lines);
    let sentences: Vec<&[Token<'_>]> = sentences(&tokens).collect();
    if sentences.iter().any(|sentence| forbids_changes(sentence)) {
        return false;
    }
    let wishes: Vec<Wish> = sentences.iter().map(|sentence| wish(sentence)).collect();
    let has = |wish| wishes.contains(&wish);
    if has(Wish::Change) {
        return true;
    }
    // A rename or a removal that is spelled out, in whatever words: "there never was one, so it can go".
    let wording = super::read(text);
    let is_ordered = !wording.renames.is_empty() || !wording.removals.is_empty();
    // "Can you look at it?" below a traceback, and what should happen instead, is no question.
    let is_report = parts.traces.error.is_some() && !parts.traces.frames.is_empty() && has(Wish::Norm);
    let is_inquiry = |sentence: &&[Token<'_>]| {
        wish(sentence) == Wish::Answer && !(is_report && taken::only_looks(sentence))
    };
    if sentences.iter().any(is_inquiry) && !is_ordered {
        return false;
    }
    if has(Wish::Norm) {
        return true;
    }
    let traces = &parts.traces;
    let has_failed = traces.error.is_some() || !traces.frames.is_empty() || !traces.locations.is_empty();
    !has(Wish::Question) && (has(Wish::Complaint) || has(Wish::Constraint) || has_failed || is_ordered)
}

/// Whether the message says itself what is to be changed, in three words at least. "Do it" and "Change them" go by what was said before.
pub fn says_what_to_change(text: &str) -> bool {
    let parts = parts(text);
    let tokens = tokens(&parts.lines);
    let words = || tokens.iter().filter(|token| token.kind != Kind::Mark);
    let is_vague = words().next().is_some_and(|token| token.is_one_of(&["do", "go", "try", "continue"]));
    let has_request = sentences(&tokens).any(|sentence| wish(sentence) == Wish::Change);
    words().count() >= WHAT_WORDS_MIN && !is_vague && has_request && asks_for_change(text)
}

/// Whether the message rules out every change: "don't change anything".
pub fn forbids_change(text: &str) -> bool {
    let parts = parts(text);
    let tokens = tokens(&parts.lines);
    sentences(&tokens).any(forbids_changes)
}

/// Whether the message leaves open that files are to be changed: it neither asks for an answer nor forbids changes. What the
/// rules do not recognize as a request may still be one.
pub fn may_ask_for_change(text: &str) -> bool {
    let parts = parts(text);
    let tokens = tokens(&parts.lines);
    let is_thanks = tokens.len() <= THANKS_TOKENS_MAX
        && tokens.iter().any(|token| token.is_one_of(&["thanks", "thank", "thx", "cheers"]));
    !is_thanks
        && sentences(&tokens).all(|sentence| {
            !forbids_changes(sentence) && !matches!(wish(sentence), Wish::Question | Wish::Answer)
        })
}

pub(super) fn sentences<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    tokens.chunk_by(|one, other| one.sentence == other.sentence)
}

pub(super) fn wish(sentence: &[Token<'_>]) -> Wish {
    let whole = head(sentence);
    let first = clause_wish(sentence, whole);
    let rest = clauses(sentence).skip(1);
    match first {
        Wish::Change => return Wish::Change,
        Wish::Question => {
            let is_request = |clause: &[Token<'_>]| {
                clause.first().is_some_and(|token| token.is_one_of(&["please", "pls", "plz", "fix"]))
                    && clause_wish(clause, head(clause)) == Wish::Change
            };
            return if rest.into_iter().any(is_request) { Wish::Change } else { Wish::Question };
        }
        Wish::Answer => {
            let is_how = sentence.iter().any(|token| token.is("how") || token.is("what"))
                && sentence.iter().any(|token| token.is_one_of(&["to", "would", "can", "could", "should"]));
            let is_request = |clause: &[Token<'_>]| {
                let head = head(clause);
                clause.get(head).is_some_and(|token| token.is_in(&PLAIN_CHANGE_VERBS))
                    && clause_wish(clause, head) == Wish::Change
            };
            return if !is_how && rest.into_iter().any(is_request) { Wish::Change } else { Wish::Answer };
        }
        Wish::Norm | Wish::Complaint | Wish::Constraint | Wish::Nothing => {}
    }
    if !is_asked(sentence) && clauses(sentence).any(brief::is_brief_wish) {
        return Wish::Change;
    }
    let mut tells = false;
    for clause in rest {
        let head = head(clause);
        match clause_wish(clause, head) {
            Wish::Change => return Wish::Change,
            // "It should accept numbers only, and else print an error" tells what the program has to do.
            Wish::Answer if clause.iter().take(head).any(|token| token.is_one_of(&["else", "otherwise"])) => {
            }
            Wish::Answer => tells |= clause.get(head).is_some_and(|token| token.is_in(&TELLING_VERBS)),
            _ => {}
        }
    }
    if tells { Wish::Answer } else { statement(sentence) }
}

/// The parts of a sentence that may each start with a verb of their own.
fn clauses<'t, 'a>(sentence: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    clause_ranges(sentence).filter_map(|(from, to)| sentence.get(from..to))
}

/// The same, each as the tokens from and to.
pub(super) fn clause_ranges(sentence: &[Token<'_>]) -> impl Iterator<Item = (usize, usize)> {
    let is_break = |token: &Token<'_>| match token.kind {
        Kind::Mark => matches!(token.text, "," | ";" | ":" | "\n" | "-" | "–" | "—" | "(" | "->" | "."),
        _ => token.is_one_of(&["and", "then", "so", "but", "or"]),
    };
    let mut start = 0;
    sentence.split(is_break).filter_map(move |clause| {
        let range = (start, start + clause.len());
        start = range.1 + 1;
        (!clause.is_empty()).then_some(range)
    })
}

/// What a clause asks for by its verb.
pub(super) fn clause_wish_of(clause: &[Token<'_>]) -> Wish {
    clause_wish(clause, head(clause))
}

/// Whether a clause starts with a verb of a change.
pub(super) fn starts_with_change(clause: &[Token<'_>]) -> bool {
    clause.get(head(clause)).is_some_and(|token| is_change_verb(&token.lower))
}

/// Where the verb of a clause is, behind "please", "can you" and the like.
fn head(clause: &[Token<'_>]) -> usize {
    let mut at = 0;
    for _ in 0..SKIPPED_MAX {
        let Some(rest) = clause.get(at..) else { break };
        let Some(token) = rest.first() else { break };
        if let Some(length) = LEAD_INS.lines().find_map(|phrase| phrase_len(phrase, rest)) {
            at += length;
        } else if token.is_in(&OPENERS) || token.kind == Kind::Mark {
            at += 1;
        } else if let Some(length) = place_len(rest) {
            at += length;
        } else {
            break;
        }
    }
    at
}

/// The words of a place in front of a request: "in app.py" of "in app.py replace X".
fn place_len(clause: &[Token<'_>]) -> Option<usize> {
    clause.first().filter(|token| token.is_one_of(&["in", "inside", "within", "for", "from"]))?;
    let is_led =
        |at: usize| clause.get(at).is_some_and(|token| token.is_one_of(&["the", "our", "in", "inside"]));
    let is_place = |at: usize| {
        clause.get(at).is_some_and(|token| {
            super::paths::is_path(token.text)
                || super::references::marked(token).is_some()
                || at > 0 && is_led(at - 1)
        })
    };
    let is_verb = |at: usize| {
        let is_noun =
            clause.get(at + 1).is_none_or(|token| token.kind == Kind::Mark || token.is_in(&AFTER_NOUNS));
        clause.get(at).is_some_and(|token| token.is_in(&PLAIN_CHANGE_VERBS)) && !is_noun
    };
    (2..=4).find(|at| is_verb(*at) && is_place(at - 1))
}

/// The words of a phrase, if the tokens start with it and go on after it.
fn phrase_len(phrase: &str, tokens: &[Token<'_>]) -> Option<usize> {
    let mut rest = tokens.iter();
    let starts = phrase.split(' ').all(|word| rest.next().is_some_and(|token| token.is(word)));
    let length = tokens.len() - rest.len();
    (starts && rest.len() > 0).then_some(length)
}

fn clause_wish(clause: &[Token<'_>], head: usize) -> Wish {
    let Some(verb) = clause.get(head).filter(|token| token.kind == Kind::Word) else { return Wish::Nothing };
    let rest = clause.get(head + 1..).unwrap_or(&[]);
    let is_asked = clause.iter().any(|token| token.is_mark("?"));
    if verb.is("do")
        && rest.first().is_some_and(|token| token.is_one_of(&["it", "that", "this", "the", "so"]))
    {
        return Wish::Change;
    }
    if verb.is("do") && rest.first().is_some_and(|token| token.is("not")) {
        return Wish::Nothing;
    }
    // "Can you have a look?" is led in, so "have" starts no question.
    let is_led = head
        .checked_sub(1)
        .and_then(|at| clause.get(at))
        .is_some_and(|token| token.is_one_of(&["you", "u", "we", "to", "mind", "and", "please"]));
    // "And which variable do I have to set" goes on with a question.
    let is_asking = verb.is_one_of(&["which", "what", "why", "who", "how"]);
    let is_led = is_led && !is_asking;
    // "What the scripts print must not change" asks nothing.
    let is_subject = || !is_asked && verb.is_one_of(&["what", "which", "how"]) && says_what_stays(clause);
    // "Should print the name." leaves out its subject.
    let is_norm = || {
        let is_verb = |token: &Token<'_>| token.kind == Kind::Word && !token.is_in(&SUBJECTS);
        !is_asked && verb.is("should") && rest.first().is_some_and(is_verb)
    };
    let is_question =
        !is_led && (verb.is_in(&QUESTION_WORDS) || verb.is_in(&QUESTION_WORDS_MARKED) && is_asked);
    if is_question && is_norm() {
        return Wish::Norm;
    }
    if is_question && !is_subject() {
        return Wish::Question;
    }
    // "search ignores upper case"
    let is_noun = !is_led && rest.first().is_some_and(|token| token.is_in(&AFTER_NOUNS));
    if is_noun {
        return Wish::Nothing;
    }
    if taken::is_taken_as(verb, rest) {
        return Wish::Change;
    }
    if verb.is_in(&INQUIRY_VERBS) {
        return Wish::Answer;
    }
    if !is_change_verb(&verb.lower) {
        return Wish::Nothing;
    }
    if wants_an_answer(&verb.lower, rest) { Wish::Answer } else { Wish::Change }
}

/// Whether a word is a change verb, as "rename" or "renaming".
fn is_change_verb(word: &str) -> bool {
    if CHANGE_VERBS.has(word) {
        return true;
    }
    let Some(stem) = word.strip_suffix("ing") else { return false };
    let doubles = |verb: &str| {
        let last = verb.chars().next_back();
        stem.strip_prefix(verb).is_some_and(|rest| rest.chars().eq(last))
    };
    CHANGE_VERBS.iter().any(|verb| verb == stem || verb.strip_suffix('e') == Some(stem) || doubles(verb))
}

/// Whether a verb of a change asks for an answer here: "write a summary", "give me a hint", "use grep to find it".
fn wants_an_answer(verb: &str, rest: &[Token<'_>]) -> bool {
    let is_end = |token: &Token<'_>| token.kind == Kind::Mark || token.is("and") || token.is("or");
    let end = rest.iter().position(is_end).unwrap_or(rest.len()).min(OBJECT_DISTANCE_MAX);
    let near = rest.get(..end).unwrap_or(rest);
    let first = near.first().map_or("", |token| token.lower.as_str());
    let inquires = near.iter().any(|token| token.is_in(&INQUIRY_VERBS));
    match verb {
        "give" | "show" | "get" | "name" => {
            return first == "me" || first == "us" || verb == "show" || verb == "name";
        }
        "have" => return matches!(first, "a" | "you" | "we" | "to"),
        "do" => return true,
        "let" => return first == "me" && inquires,
        "use" => return inquires,
        "make" if first == "sense" => return true,
        "make" if first == "sure" => {
            let by_you = near.iter().skip_while(|token| !token.is("you")).nth(1);
            return by_you.is_some_and(|token| token.is_in(&INQUIRY_VERBS));
        }
        "write" | "make" | "create" | "draft" | "prepare" | "produce" | "generate" => {}
        _ => return false,
    }
    let Some(noun) = near.iter().position(|token| token.is_in(&ANSWER_NOUNS)) else { return false };
    let is_code =
        near.get(noun + 1).is_some_and(|token| token.is_in(&CODE_NOUNS) || token.kind == Kind::Backticks);
    let is_loose_list = near.get(noun).is_some_and(|token| token.is("list"))
        && !near.get(noun + 1).is_some_and(|token| token.is("of"));
    let names_file = rest.iter().any(|token| super::paths::is_path(token.text));
    let is_filtered =
        near.get(..noun).is_some_and(|before| before.iter().any(|token| token.is_in(&CODE_NOUNS)));
    !is_loose_list && !is_code && !names_file && !is_filtered
}

fn is_asked(sentence: &[Token<'_>]) -> bool {
    sentence.iter().any(|token| token.is_mark("?"))
}

/// Whether a sentence rules out every change: "don't change anything", "no changes please".
fn forbids_changes(sentence: &[Token<'_>]) -> bool {
    let words: Vec<&Token<'_>> = sentence.iter().filter(|token| !token.is_mark("\n")).collect();
    let word =
        |at: usize| words.get(at).filter(|token| token.kind == Kind::Word).map_or("", |token| &token.lower);
    let ends = |at: usize| {
        words.get(at).is_none_or(|token| token.kind == Kind::Mark)
            || matches!(
                word(at),
                "yet" | "please" | "just" | "and" | "only" | "but" | "for" | "now" | "at" | "or"
            )
    };
    (0..words.len()).any(|at| {
        if matches!(word(at), "nothing" | "no") {
            let is_passive =
                matches!(word(at + 1), "should" | "must" | "may" | "shall" | "is" | "files" | "file")
                    && (at + 2..at + 6)
                        .any(|at| matches!(word(at), "changed" | "modified" | "edited" | "touched"));
            let noun = if word(at + 1) == "code" || word(at + 1) == "file" { at + 2 } else { at + 1 };
            let is_noun = word(at) == "no" && matches!(word(noun), "changes" | "edits" | "modifications");
            return is_passive
                || is_noun && (ends(noun + 1) || matches!(word(noun + 1), "needed" | "necessary"));
        }
        if !NEGATIONS.has(word(at)) {
            return false;
        }
        // "It should print an error without writing anything" says what the program must not do.
        let is_norm = |at: usize| matches!(word(at), "should" | "must" | "has" | "needs" | "shall");
        if word(at) == "without" && (0..at).any(is_norm) {
            return false;
        }
        let Some(verb) = (at + 1..at + 4).find(|at| GENERAL_VERBS.has(word(*at))) else { return false };
        let mut object = verb + 1;
        while matches!(word(object), "any" | "the" | "my" | "a" | "of" | "single" | "make" | "changes") {
            object += 1;
        }
        let is_all = matches!(word(object), "anything" | "files" | "file" | "code" | "nothing" | "yet");
        let is_bare = object > verb + 1 && word(object - 1) == "changes" && ends(object);
        is_bare || is_all && ends(object + 1)
    })
}

/// Whether the message asks for tests to be written or changed.
pub fn asks_for_tests(text: &str) -> bool {
    let parts = parts(text);
    let tokens = tokens(&parts.lines);
    sentences(&tokens).any(|sentence| {
        let asks = wish(sentence) == Wish::Change;
        clauses(sentence).any(|clause| writes_tests(clause) || asks && adds_tests(clause))
    })
}

/// A clause that goes on with tests: ", with tests", ", including a test".
fn adds_tests(clause: &[Token<'_>]) -> bool {
    let is_test = |token: &Token<'_>| token.is_one_of(&["test", "tests"]);
    clause.first().is_some_and(|token| token.is_one_of(&["with", "including", "plus"]))
        && clause.iter().take(4).any(is_test)
}

fn writes_tests(clause: &[Token<'_>]) -> bool {
    let is_test = |at: usize| {
        let is_test = |token: &Token<'_>| {
            token.is_one_of(&["test", "tests", "testcase", "testcases", "unittest", "unittests", "coverage"])
                || token.kind != Kind::Quoted
                    && super::paths::is_path(token.text)
                    && token.lower.contains("test")
        };
        let is_other = clause.get(at + 1).is_some_and(|token| {
            token.is_in(&CODE_NOUNS)
                || token.is_one_of(&["pass", "passes", "fail", "fails", "run", "runs", "data"])
        });
        clause.get(at).is_some_and(is_test) && !is_other
    };
    let verbs = [
        "add", "write", "create", "extend", "update", "adjust", "change", "include", "cover", "need", "needs",
    ];
    let Some(test) = (0..clause.len()).find(|at| is_test(*at)) else { return false };
    let before = clause.get(..test).unwrap_or(&[]);
    let Some(verb) = before.iter().rposition(|token| token.is_one_of(&verbs)) else {
        let with = before.iter().rev().take(3).any(|token| token.is_one_of(&["with", "including", "plus"]));
        return with && before.iter().any(|token| is_change_verb(&token.lower));
    };
    let is_negated = before.get(..verb).is_some_and(|before| {
        before.iter().any(|token| token.is_in(&NEGATIONS)) || before.iter().any(|token| token.is("not"))
    });
    let between = before.get(verb + 1..).unwrap_or(&[]);
    let into = between.last().is_some_and(|token| token.is_one_of(&["to", "in", "into"]))
        || between.iter().rev().nth(1).is_some_and(|token| token.is_one_of(&["to", "in", "into"]));
    let is_far =
        between.iter().any(|token| token.is_one_of(&["that", "until", "to", "when", "because", "if", "for"]));
    !is_negated && (into || between.len() <= OBJECT_DISTANCE_MAX && !is_far)
}
