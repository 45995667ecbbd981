//! Escapes that went through one encoder too many: `\n` written out, quotes with a backslash.

use std::borrow::Cow;

use super::Cleaning;

/// With `\n` and `\t` that are written out made real, where the needle has no real ones: outside quotes first, because
/// there they are never code, then everywhere.
pub(super) fn broken_again<'e>(edit: &Cleaning<'e>) -> Vec<Cleaning<'e>> {
    let breaks = !edit.old.trim_matches('\n').contains('\n') && edit.old.contains("\\n");
    let tabs = !edit.old.contains('\t') && edit.old.contains("\\t");
    if !breaks && !tabs {
        return Vec::new();
    }
    let made = |quoted| {
        // A replacement with real line breaks was not written out.
        let broken = breaks && !edit.new.trim_matches('\n').contains('\n');
        let tabbed = tabs && !edit.new.contains('\t');
        let old = real(&edit.old, breaks, tabs, quoted)?;
        let new = real(&edit.new, broken, tabbed, quoted)?;
        let new = if broken { unescaped_beside(&edit.old, new)? } else { new };
        Some(Cleaning::new(old, new))
    };
    [made(Quoted::Kept), made(Quoted::Real)].into_iter().flatten().collect()
}

/// A replacement that was written out as the needle was, with a backslash before each quote, where the needle has none to show
/// it; none if that is not clear.
fn unescaped_beside(old: &str, new: String) -> Option<String> {
    if old.contains('"') || !new.contains("\\\"") || has_plain_quote(&new) {
        return Some(new);
    }
    is_escaped(&new).then(|| without_level(&new, Level::All))
}

/// A text with line breaks that are written out outside quotes made real; none if a quote is left open.
pub(crate) fn broken(text: &str) -> Option<String> {
    real(text, true, false, Quoted::Kept)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    Kept,
    Real,
}

/// None if a quote is left open, and with it what stands in quotes.
fn real(text: &str, breaks: bool, tabs: bool, quoted: Quoted) -> Option<String> {
    let mut made = String::with_capacity(text.len());
    let mut open: Option<char> = None;
    let (mut before, mut last) = (' ', ' ');
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let kept = quoted == Quoted::Kept && open.is_some();
        match (char, chars.peek().copied()) {
            ('\\', Some('n' | 'r')) if breaks && !kept && is_break(chars.clone()) => {
                // `\r\n` is one.
                while chars.next().is_some_and(|char| char != 'n') {}
                made.push('\n');
                open = None;
            }
            ('\\', Some('t')) if tabs && !kept => {
                chars.next();
                made.push('\t');
            }
            ('\\', Some(next)) => {
                made.push('\\');
                made.push(next);
                chars.next();
            }
            _ => {
                // An apostrophe within a word opens nothing.
                let within = last.is_alphanumeric() && before.is_alphanumeric();
                if matches!(char, '"' | '\'' | '`') && !(char == '\'' && within && open.is_none()) {
                    open = match open {
                        None => Some(char),
                        Some(quote) if quote == char => None,
                        other => other,
                    };
                }
                made.push(char);
            }
        }
        (before, last) = (last, char);
    }
    (open.is_none() || quoted == Quoted::Real).then_some(made)
}

/// Whether what follows a backslash makes it a line break: `n` or `r\n`.
fn is_break(mut rest: impl Iterator<Item = char>) -> bool {
    match rest.next() {
        Some('r') => rest.next() == Some('\\') && rest.next() == Some('n'),
        next => next == Some('n'),
    }
}

/// With one level of backslashes before quotes taken off: everywhere, or from the quotes alone.
pub(super) fn unquoted<'e>(edit: &Cleaning<'e>) -> Vec<Cleaning<'e>> {
    let doubled = edit.old.contains("\\\\");
    if !(edit.old.contains("\\\"") || edit.old.contains("\\'") || doubled) {
        return Vec::new();
    }
    // One that opens with an escaped quote and has a plain one: nobody knows what it was.
    if has_plain_quote(&edit.new) && opens_escaped(&edit.new) {
        return Vec::new();
    }
    let both = is_escaped(&edit.new) && is_escaped(&edit.old);
    // One that has a plain quote was not escaped as a whole.
    let new: Cow<'e, str> = match has_plain_quote(&edit.new) {
        true => edit.new.clone(),
        false => without_level(&edit.new, if both { Level::All } else { Level::Quotes }).into(),
    };
    let made = |level| Cleaning::new(without_level(&edit.old, level), new.clone());
    let quotes = made(Level::Quotes);
    let all = made(Level::All);
    if doubled && is_escaped(&edit.old) { vec![all, quotes] } else { vec![quotes] }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Quotes,
    All,
}

fn without_level(text: &str, level: Level) -> String {
    let mut made = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some(next)) if matches!(next, '"' | '\'') || (level == Level::All && *next == '\\') => {
                made.push(*next);
                chars.next();
            }
            // One that stands for itself escapes nothing.
            ('\\', Some('\\')) => {
                made.push_str("\\\\");
                chars.next();
            }
            _ => made.push(char),
        }
    }
    made
}

fn has_plain_quote(text: &str) -> bool {
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            '"' => return true,
            _ => {}
        }
    }
    false
}

/// Whether the first quote of a text has a backslash before it.
fn opens_escaped(text: &str) -> bool {
    let before = text.split('"').next().unwrap_or_default();
    before.len() < text.len() && before.ends_with('\\') && !before.contains('\'')
}

/// Whether each backslash stands before a quote or another backslash, and each double quote after one.
fn is_escaped(text: &str) -> bool {
    let mut chars = text.chars();
    let mut any = false;
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                any = true;
                if !matches!(chars.next(), Some('"' | '\'' | '\\')) {
                    return false;
                }
            }
            '"' => return false,
            _ => {}
        }
    }
    any
}
