//! Examples in the user's words: `f("x")` should be 4, `f(2)` returns 3 instead of 4.

use super::Example;
use super::asks::sentences;
use super::names::ENTRIES_MAX;
use super::tokens::{Kind, Token};

/// How far the value may be from the call, in tokens.
const DISTANCE_MAX: usize = 10;
/// A value that is written out. Bytes.
const VALUE_BYTES_MAX: usize = 200;

pub(super) fn examples(tokens: &[Token<'_>]) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for sentence in sentences(tokens) {
        for (at, token) in sentence.iter().enumerate() {
            let Some(call) = call(token) else { continue };
            let rest = sentence.get(at + 1..).unwrap_or(&[]);
            let lead = sentence.get(at.saturating_sub(4)..at).unwrap_or(&[]);
            let is_led = lead.iter().any(|token| token.is_one_of(&["e.g", "eg", "example", "examples"]));
            let Some(expected) = expected(rest).or_else(|| stated(rest).filter(|_| is_led)) else { continue };
            let example = Example { call: call.to_owned(), expected };
            if examples.len() < ENTRIES_MAX && !examples.contains(&example) {
                examples.push(example);
            }
        }
    }
    examples
}

/// The value behind "is" or "returns", which is wanted only where the words announce an example.
fn stated(rest: &[Token<'_>]) -> Option<String> {
    rest.first()
        .filter(|token| token.is_one_of(&["is", "returns", "gives", "equals", "yields"]))
        .and_then(value)
}

/// A call with arguments, alone in its token. Without arguments its value depends on what happened before.
fn call<'a>(token: &Token<'a>) -> Option<&'a str> {
    let is_call = match token.kind {
        Kind::Call => true,
        Kind::Backticks => token.text.ends_with(')') && token.text.find('(').is_some_and(|at| at > 0),
        Kind::Word | Kind::Quoted | Kind::Mark => false,
    };
    (is_call && !token.text.ends_with("()")).then_some(token.text)
}

/// The value that the tokens behind a call say it is to have.
fn expected(rest: &[Token<'_>]) -> Option<String> {
    let end = rest.iter().position(|token| call(token).is_some()).unwrap_or(rest.len()).min(DISTANCE_MAX);
    let rest = rest.get(..end)?;
    // "returns 3 instead of 4", "is 3, should be 4": what comes last is wanted.
    let word = |at: usize| rest.get(at).map_or("", |token| token.lower.as_str());
    let instead = (0..rest.len()).find(|at| {
        word(*at) == "instead" && word(at + 1) == "of" || word(*at) == "rather" && word(at + 1) == "than"
    });
    let should =
        (0..rest.len()).find(|at| matches!(word(*at), "should" | "must" | "shall" | "expected" | "to"));
    if let (Some(at), None) = (instead, should) {
        return value(rest.get(at + 1)?);
    }
    if let Some(at) = should {
        let is_negated = matches!(word(at + 1), "not" | "never");
        let verb = (at..rest.len()).find(|at| {
            matches!(word(*at), "be" | "return" | "give" | "equal" | "yield" | "become" | "print" | "produce")
        });
        return match verb {
            Some(verb) if !is_negated => value(rest.get(verb)?),
            None if word(at) == "expected" => value(rest.get(at)?),
            _ => None,
        };
    }
    let first = rest.first()?;
    if first.is_mark("->") || first.is_mark("=") && rest.get(1).is_some_and(|token| token.is_mark("=")) {
        let last = if first.is_mark("=") { rest.get(1)? } else { first };
        return value(last);
    }
    None
}

/// The literal that follows a token on its line.
fn value(token: &Token<'_>) -> Option<String> {
    let text = token.after.trim_start();
    let text = ["back ", "exactly ", "the string ", "the value ", "to "]
        .iter()
        .find_map(|filler| text.strip_prefix(filler))
        .unwrap_or(text);
    let literal = literal(text)?;
    Some(literal.trim_matches('`').to_owned())
}

fn literal(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let mut end = text.len().min(VALUE_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text.get(..end)?;
    if let '"' | '\'' | '`' = first {
        let close = text.get(1..)?.find(first)?;
        return text.get(..close + 2);
    }
    if let '[' | '{' | '(' = first {
        let mut depth = 0_usize;
        for (at, sign) in text.char_indices() {
            match sign {
                '[' | '{' | '(' => depth += 1,
                ']' | '}' | ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return text.get(..=at);
            }
        }
        return None;
    }
    let word = text.split(|sign: char| sign.is_whitespace() || ",;()!?".contains(sign)).next()?;
    let word = word.trim_end_matches(['.', ':']);
    let is_number = word.trim_start_matches(['-', '+']).starts_with(|sign: char| sign.is_ascii_digit());
    let is_constant = matches!(
        word,
        "True" | "False" | "None" | "true" | "false" | "null" | "nil" | "undefined" | "NaN" | "Infinity"
    );
    (is_number || is_constant).then_some(word)
}
