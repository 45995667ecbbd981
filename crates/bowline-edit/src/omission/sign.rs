//! One line, looked at alone: whether it could be a mark, and how clearly it is one.

use super::words::{Claim, claim};

/// What could be a mark.
pub(super) struct Sign {
    /// The same for marks that say the same.
    pub(super) key: String,
    pub(super) weight: Weight,
    /// What begins the comment; empty where there is none.
    pub(super) marker: String,
    pub(super) is_comment: bool,
    /// Dots and nothing else.
    pub(super) is_dots: bool,
    /// Dots on both sides, or brackets around it.
    pub(super) is_enclosed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Clear,
    /// Only where text is lost.
    Doubtful,
}

const LINE_CHARS_MAX: usize = 200;
const BLOCKS: [(&str, &str); 7] = [
    ("<!--", "-->"),
    ("{{!--", "--}}"),
    ("{/*", "*/}"),
    ("/*", "*/"),
    ("{#", "#}"),
    ("(*", "*)"),
    ("\"\"\"", "\"\"\""),
];
const LINES: [&str; 7] = ["//", "#", "--", ";", "%", "*", "REM "];

pub(super) fn sign(line: &str) -> Option<Sign> {
    let line = line.trim();
    if line.is_empty() || line.len() > LINE_CHARS_MAX {
        return None;
    }
    match comment(line) {
        Some((marker, text)) => in_comment(marker, text),
        None => bare(line).or_else(|| behind_code(line)),
    }
}

/// A line that is nothing but a comment: what begins it, and its words.
fn comment(line: &str) -> Option<(&'static str, &str)> {
    for (open, close) in BLOCKS {
        if let Some(text) = line.strip_prefix(open) {
            return Some((open, text.strip_suffix(close).unwrap_or(text)));
        }
    }
    let marker = LINES.into_iter().find(|marker| line.starts_with(marker))?;
    Some((marker, line.get(marker.len()..)?))
}

fn in_comment(marker: &'static str, text: &str) -> Option<Sign> {
    // A heading or a list of Markdown is as likely.
    let is_plain = (marker == "#" && text.starts_with('#')) || marker == "*";
    let core = Core::of(text.trim_start_matches(['/', '!', '#', ';', '%']));
    if core.words.is_empty() {
        return core.is_short_dots(text).then(|| core.sign("...".to_owned(), Weight::Doubtful, marker));
    }
    let claim = claim(&core.words, core.names())?;
    let weight = match claim {
        Claim::Whole { is_code: true } => Weight::Clear,
        Claim::Whole { .. } | Claim::Same if core.has_dots() => Weight::Clear,
        // A sentence may trail off.
        Claim::Part { .. } if core.leads || core.is_wrapped => Weight::Clear,
        _ if is_plain => return None,
        Claim::Whole { .. } | Claim::Part { is_code: true } | Claim::Same => Weight::Doubtful,
        Claim::Noun if core.leads && core.trails => Weight::Doubtful,
        Claim::Part { .. } | Claim::Noun => return None,
    };
    Some(core.sign(core.words.join(" "), weight, marker))
}

/// Words or dots without a comment around them: `... existing code ...`, `[rest of the file unchanged]`, `...`.
fn bare(line: &str) -> Option<Sign> {
    let is_code = |c: char| {
        matches!(c, ',' | '=' | ';' | '"' | '\'' | '`' | '{' | '}' | '<' | '>' | '|' | '@' | '$' | '&')
    };
    if line.contains(is_code) {
        return None;
    }
    let core = Core::of(line);
    if !core.has_dots() {
        return None;
    }
    if core.words.is_empty() {
        // Two dots are Rust.
        let is_dots = line.contains("...") || line.contains('…');
        return (is_dots && core.is_short_dots(line))
            .then(|| core.sign("...".to_owned(), Weight::Doubtful, ""));
    }
    if core.words.len() < 2 {
        return None;
    }
    let is_spaced = line.starts_with("... ") || line.starts_with("… ") || line.ends_with(" ...");
    let weight = match claim(&core.words, core.names())? {
        Claim::Whole { .. } | Claim::Part { .. } | Claim::Same if core.is_enclosed() || is_spaced => {
            Weight::Clear
        }
        Claim::Whole { .. } | Claim::Part { .. } => Weight::Doubtful,
        Claim::Same | Claim::Noun => return None,
    };
    Some(core.sign(core.words.join(" "), weight, ""))
}

/// A mark after code or in a body: `pass  # existing code`, `{ /* ... */ }`, `fn load() { ... }`.
fn behind_code(line: &str) -> Option<Sign> {
    let inner = line.strip_suffix('}').map_or(line, str::trim_end);
    let is_body = inner.len() < line.len();
    if is_body
        && !line.contains(['"', '\'', '`'])
        && let Some(before) = inner.strip_suffix("...").or_else(|| inner.strip_suffix('…'))
        && before.trim_end().ends_with('{')
    {
        return Some(Core::of("...").sign("...".to_owned(), Weight::Doubtful, "{"));
    }
    let (code, marker, text) = tail(inner)?;
    let core = Core::of(text);
    if core.words.is_empty() {
        let is_mark = is_body && code.ends_with('{') && core.is_short_dots(text);
        return is_mark.then(|| core.sign("...".to_owned(), Weight::Doubtful, "{"));
    }
    let is_stand_in = matches!(code, "pass" | "..." | "…") || (is_body && code.ends_with('{'));
    let weight = match claim(&core.words, core.names())? {
        Claim::Whole { is_code: true } if is_stand_in => Weight::Clear,
        Claim::Part { is_code: true } | Claim::Whole { .. } if is_stand_in => Weight::Doubtful,
        Claim::Whole { .. } | Claim::Part { .. } if core.is_enclosed() => Weight::Clear,
        _ => return None,
    };
    Some(core.sign(core.words.join(" "), weight, marker))
}

/// A comment at the end of a line: the code, what begins the comment, its words.
fn tail(line: &str) -> Option<(&str, &'static str, &str)> {
    for (open, close) in [("/*", "*/"), ("<!--", "-->")] {
        if let Some((code, text)) = line.rsplit_once(open)
            && let Some(text) = text.strip_suffix(close)
        {
            return Some((code.trim_end(), open, text));
        }
    }
    [" //", " #", " --"].into_iter().find_map(|marker| {
        let (code, text) = line.rsplit_once(marker)?;
        Some((code.trim_end(), marker.trim_start(), text))
    })
}

/// The words of a line without what stands around them.
struct Core {
    words: Vec<String>,
    leads: bool,
    trails: bool,
    is_wrapped: bool,
}

impl Core {
    fn of(text: &str) -> Core {
        let mut core = Core { words: Vec::new(), leads: false, trails: false, is_wrapped: false };
        let mut rest = text.trim();
        loop {
            let before = rest.len();
            rest = rest
                .trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '=' | '*' | '~' | '_' | '#'));
            if let Some(after) = dots(rest) {
                (rest, core.leads) = (after, true);
            }
            let end = rest.trim_end_matches(['.', '…']);
            if rest.len() - end.len() >= 2 || rest.ends_with('…') {
                (rest, core.trails) = (end, true);
            }
            for (open, close) in [('(', ')'), ('[', ']'), ('<', '>'), ('{', '}')] {
                if let Some(inner) = rest.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
                    (rest, core.is_wrapped) = (inner, true);
                }
            }
            if rest.len() == before {
                break;
            }
        }
        core.words = rest.split(|c: char| c.is_whitespace() || c == '/').filter_map(word).collect();
        core
    }

    fn has_dots(&self) -> bool {
        self.leads || self.trails || self.is_wrapped
    }

    /// Dots that stand for something, not a line drawn with them.
    fn is_short_dots(&self, text: &str) -> bool {
        const DOTS_MAX: usize = 5;
        (self.leads || self.trails) && text.matches(['.', '…']).count() <= DOTS_MAX
    }

    /// Whether it may name other things: what has dots on both sides is a mark anyway.
    fn names(&self) -> bool {
        self.leads && self.trails
    }

    fn is_enclosed(&self) -> bool {
        (self.leads && self.trails) || self.is_wrapped
    }

    fn sign(&self, key: String, weight: Weight, marker: &str) -> Sign {
        Sign {
            is_dots: self.words.is_empty(),
            is_comment: !marker.is_empty(),
            marker: marker.to_owned(),
            is_enclosed: self.is_enclosed(),
            key,
            weight,
        }
    }
}

/// What follows two dots or more.
fn dots(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(['.', '…']);
    (text.len() - rest.len() >= 2).then_some(rest)
}

fn word(text: &str) -> Option<String> {
    let is_around =
        |c: char| matches!(c, '.' | ',' | ':' | ';' | '!' | '(' | ')' | '[' | ']' | '"' | '\'' | '`' | '…');
    let text = text.trim_matches(is_around);
    (!text.is_empty()).then(|| text.to_lowercase())
}
