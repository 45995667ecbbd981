//! Cuts the typed part of a message into tokens: words, calls, code in backticks, quoted texts and punctuation.
//!
//! It does not know what a word means. Each byte is looked at a bounded number of times, and there are at most
//! `TOKENS_MAX` tokens.

use super::lines::Line;
use super::vocabulary::Words;

/// Tokens of one message; the rest of it is not read.
const TOKENS_MAX: usize = 4_000;
/// A longer number in front of a full stop is no ordinal.
const ORDINAL_CHARS_MAX: usize = 2;
/// Tokens of one sentence; a longer one is read as two, so that rules may look at a whole sentence.
const SENTENCE_TOKENS_MAX: usize = 120;
/// How far a closing backtick, quotation mark or parenthesis may be from its opening one. Bytes.
const SPAN_BYTES_MAX: usize = 300;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// A name with its arguments: `total([1, 2])`.
    Call,
    Backticks,
    Quoted,
    /// One sign of punctuation, or `->`. The end of a line is a mark, too.
    Mark,
}

#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    /// The text without its quotation marks or backticks.
    pub text: &'a str,
    /// The text in lower case, with straight apostrophes.
    pub lower: String,
    pub sentence: usize,
    /// What follows it on its line.
    pub after: &'a str,
}

impl Token<'_> {
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.lower == word
    }

    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        self.kind == Kind::Word && words.contains(&self.lower.as_str())
    }

    pub(super) fn is_in(&self, words: &Words) -> bool {
        self.kind == Kind::Word && words.has(&self.lower)
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }
}

/// The tokens of the typed lines.
pub(super) fn tokens<'a>(lines: &[Line<'a>]) -> Vec<Token<'a>> {
    let mut scanner = Scanner { tokens: Vec::new(), sentence: 0, start: 0 };
    for line in lines {
        if !line.is_typed() || line.text.trim().is_empty() {
            scanner.end_sentence();
            continue;
        }
        scanner.line(line.text);
        if scanner.tokens.len() >= TOKENS_MAX {
            break;
        }
    }
    scanner.tokens.truncate(TOKENS_MAX);
    scanner.tokens
}

struct Scanner<'a> {
    tokens: Vec<Token<'a>>,
    sentence: usize,
    /// Where the sentence starts.
    start: usize,
}

impl<'a> Scanner<'a> {
    fn push(&mut self, kind: Kind, text: &'a str, after: Option<&'a str>) {
        if self.tokens.len() - self.start >= SENTENCE_TOKENS_MAX {
            self.end_sentence();
        }
        let lower = text.to_lowercase().replace('\u{2019}', "'");
        self.tokens.push(Token { kind, text, lower, sentence: self.sentence, after: after.unwrap_or("") });
    }

    fn end_sentence(&mut self) {
        if self.tokens.last().is_some_and(|token| token.sentence == self.sentence) {
            self.sentence += 1;
            self.start = self.tokens.len();
        }
    }

    fn line(&mut self, line: &'a str) {
        let mut rest = line.trim();
        if let Some(item) = without_bullet(rest) {
            self.end_sentence();
            rest = item;
        }
        let mut is_apart = true;
        while let Some(sign) = rest.chars().next() {
            if sign.is_whitespace() {
                rest = rest.trim_start();
                is_apart = true;
                continue;
            }
            if self.tokens.len() >= TOKENS_MAX {
                return;
            }
            let taken = self.token(rest, sign, is_apart);
            rest = rest.get(taken..).unwrap_or("");
            is_apart = self.tokens.last().is_some_and(|token| {
                token.kind == Kind::Mark && matches!(token.text, "(" | "[" | "," | "/" | "|")
            });
        }
        self.push(Kind::Mark, "\n", None);
    }

    /// Takes one token off the front of `rest` and says how many bytes it had.
    fn token(&mut self, rest: &'a str, sign: char, is_apart: bool) -> usize {
        if sign == '`' {
            if let Some((text, taken)) = in_backticks(rest) {
                self.push(Kind::Backticks, text, rest.get(taken..));
                return taken;
            }
        } else if let Some((text, taken)) = in_quotes(rest, sign, is_apart) {
            self.push(Kind::Quoted, text, rest.get(taken..));
            return taken;
        }
        if let Some(arrow) = ["->", "=>", "\u{2192}"].into_iter().find(|arrow| rest.starts_with(arrow)) {
            self.push(Kind::Mark, "->", rest.get(arrow.len()..));
            return arrow.len();
        }
        if let Some(possessive) = ["'s", "\u{2019}s"].into_iter().find(|end| rest.starts_with(end)) {
            let follows = rest.get(possessive.len()..).and_then(|rest| rest.chars().next());
            if follows.is_none_or(|sign| !sign.is_alphanumeric()) {
                self.push(Kind::Mark, "'s", rest.get(possessive.len()..));
                return possessive.len();
            }
        }
        if sign == '*' {
            // Emphasis.
            return 1;
        }
        let taken = word_len(rest, is_apart);
        let Some(word) = rest.get(..taken).filter(|word| !word.is_empty()) else {
            return self.mark(rest, sign);
        };
        let arguments = arguments_len(rest, taken);
        if arguments > 0 {
            let taken = taken + arguments;
            self.push(Kind::Call, rest.get(..taken).unwrap_or(word), rest.get(taken..));
            return taken;
        }
        self.push(Kind::Word, word, rest.get(taken..));
        taken
    }

    fn mark(&mut self, rest: &'a str, sign: char) -> usize {
        let taken = sign.len_utf8();
        let mark = rest.get(..taken).unwrap_or("");
        self.push(Kind::Mark, mark, rest.get(taken..));
        let after = rest.get(taken..).and_then(|rest| rest.chars().next());
        let is_abbreviation = sign == '.' && {
            let before = self.tokens.iter().rev().nth(1).map(|token| token.lower.as_str());
            matches!(before, Some("e.g" | "i.e" | "etc" | "vs" | "cf" | "approx"))
        };
        // "items 1. to 9. are fine"
        let is_ordinal = sign == '.' && {
            let is_number = |token: &Token<'_>| {
                token.text.len() <= ORDINAL_CHARS_MAX && token.text.chars().all(|sign| sign.is_ascii_digit())
            };
            let next = rest.get(taken..).unwrap_or_default().trim_start().chars().next();
            self.tokens.iter().rev().nth(1).is_some_and(is_number) && next.is_some_and(char::is_lowercase)
        };
        let ends = matches!(sign, '.' | '!' | '?' | '\u{2026}') && !is_abbreviation && !is_ordinal;
        if ends && after.is_none_or(|after| !after.is_alphanumeric() || after.is_uppercase()) {
            self.end_sentence();
        }
        taken
    }
}

/// A line of a list without its bullet or number.
fn without_bullet(line: &str) -> Option<&str> {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    if (1..=3).contains(&digits) {
        let rest = line.get(digits..)?;
        return rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    }
    let item = line.strip_prefix(['-', '*', '+', '\u{2022}']).or_else(|| line.strip_prefix("#"))?;
    let item = item.trim_start_matches('#');
    let rest = item.strip_prefix(' ')?;
    Some(rest.strip_prefix("[ ] ").unwrap_or(rest).trim_start())
}

fn in_backticks(rest: &str) -> Option<(&str, usize)> {
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    let fence = rest.get(..ticks)?;
    let body = within(rest.get(ticks..)?);
    let end = body.find(fence)?;
    let text = body.get(..end)?.trim();
    (!text.is_empty()).then_some((text, end + 2 * ticks))
}

fn in_quotes(rest: &str, sign: char, is_apart: bool) -> Option<(&str, usize)> {
    let close = match sign {
        '"' => '"',
        '\'' if is_apart => '\'',
        '\u{201c}' | '\u{201e}' => '\u{201d}',
        '\u{2018}' => '\u{2019}',
        '\u{ab}' => '\u{bb}',
        _ => return None,
    };
    let open = sign.len_utf8();
    let body = within(rest.get(open..)?);
    let closes = |at: usize| {
        let after = body.get(at + close.len_utf8()..).and_then(|rest| rest.chars().next());
        close == '"' || after.is_none_or(|after| !after.is_alphanumeric())
    };
    let end = body.char_indices().find(|&(at, sign)| sign == close && closes(at))?.0;
    let text = body.get(..end)?;
    (!text.trim().is_empty()).then_some((text, end + open + close.len_utf8()))
}

/// The part of a text in which a closing sign is looked for.
fn within(text: &str) -> &str {
    let mut end = text.len().min(SPAN_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or("")
}

/// The bytes of the word at the front, without the punctuation behind it.
fn word_len(rest: &str, is_apart: bool) -> usize {
    let is_option = is_apart && rest.starts_with('-');
    let is_inner = |sign: char| sign.is_alphanumeric() || "_$/\\.:-'\u{2019}@#+=*~<>&%!?".contains(sign);
    let is_first = |sign: char| sign.is_alphanumeric() || "_$/.@~#\\".contains(sign) || is_option;
    if !rest.chars().next().is_some_and(is_first) {
        return 0;
    }
    let run = rest.find(|sign: char| !is_inner(sign)).unwrap_or(rest.len());
    let run = rest.get(..run).unwrap_or("");
    let run = run.find("->").and_then(|at| run.get(..at)).unwrap_or(run);
    let run = joint(run).and_then(|at| run.get(..at)).unwrap_or(run);
    let run = run.trim_end_matches(|sign: char| !sign.is_alphanumeric() && !"_$/".contains(sign));
    run.len()
}

/// Where a sentence ends inside a run because no space follows its full stop: "wrong.Fix it".
fn joint(run: &str) -> Option<usize> {
    let starts =
        ["Then", "It", "The", "This", "Please", "Also", "But", "And", "If", "When", "Fix", "Now", "Can", "I"];
    run.match_indices('.').map(|(at, _)| at).find(|at| {
        run.get(at + 1..).is_some_and(|rest| {
            let end = rest.find(|sign: char| !sign.is_alphanumeric()).unwrap_or(rest.len());
            rest.get(..end).is_some_and(|word| starts.contains(&word))
        })
    })
}

/// The bytes of the arguments that follow a name without a space, or 0.
fn arguments_len(rest: &str, name: usize) -> usize {
    let Some(after) = rest.get(name..).filter(|after| after.starts_with('(')) else { return 0 };
    if after.starts_with("(s)") || after.starts_with("(es)") || after.starts_with("(n't)") {
        return 0;
    }
    let mut depth = 0_usize;
    for (at, sign) in within(after).char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + sign.len_utf8();
        }
    }
    0
}
