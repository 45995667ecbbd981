//! Where the comments and doc strings of a file mention a definition by its name.
//!
//! A comment is prose: `load` in it can be the function or the verb. What always holds: a mention is a whole word in a comment or
//! a doc string and never a part of another name; strings that the program uses are left out.

use std::ops::Range;

use tree_sitter::Node;

use crate::parse::{Next, walk};
use crate::uses::{Reading, text_at};

/// Which mentions of a definition in comments get its new name, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mentions {
    /// Those that can't be a plain word: in backticks, in front of a parenthesis, or with a form that only names have
    /// (`load_rows`, `NodeId`).
    #[default]
    Certain,
    /// Every whole word.
    All,
}

/// A mention: its bytes and its line, counted from 1.
pub(super) type Mention = (Range<usize>, usize);

pub(super) fn mentions(reading: &Reading<'_>, name: &str, which: Mentions, is_member: bool) -> Vec<Mention> {
    let mut found = Vec::new();
    walk(&reading.tree, |cursor| {
        let node = cursor.node();
        if !is_prose(&node) {
            return Next::Within;
        }
        let text = reading.text(&node);
        for (at, _) in text.match_indices(name) {
            if is_meant(text, at, name, which, is_member) {
                let start = node.start_byte() + at;
                let before = text_at(reading.content, node.start_byte()..start);
                let line = node.start_position().row + 1 + before.matches('\n').count();
                found.push((start..start + name.len(), line));
            }
        }
        Next::Past
    });
    found
}

/// The same for a parameter, in the comments of its function: where they document it by its name, too.
pub(super) fn of_parameter(
    reading: &Reading<'_>,
    within: &Range<usize>,
    name: &str,
    which: Mentions,
) -> Vec<Mention> {
    let mut found = mentions(reading, name, Mentions::All, false);
    found.retain(|(bytes, _)| {
        let is_certain = || {
            let text = text_at(reading.content, 0..reading.content.len());
            is_meant(text, bytes.start, name, Mentions::Certain, false) || is_documented(text, bytes)
        };
        within.start <= bytes.start && bytes.end <= within.end && (which == Mentions::All || is_certain())
    });
    found
}

/// Whether a line is about the parameter: `:param f: …`, `@param {number} f`, and `f: …` or `f (int): …` on a line of its own.
fn is_documented(text: &str, bytes: &Range<usize>) -> bool {
    let before = text.get(..bytes.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let rest = text.get(bytes.end..).unwrap_or_default().trim_start_matches([' ', ']']);
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_tag = |word: &&str| {
        matches!(
            word.trim_start_matches(['@', ':', '\\']),
            "param" | "arg" | "parameter" | "argument" | "type:" | "type"
        ) && word.starts_with(['@', ':', '\\'])
    };
    // Between the tag and the name there is only a type.
    let tag = words.iter().position(is_tag);
    let is_typed = |at: usize| {
        let between = words.get(at + 1..).unwrap_or_default().join(" ");
        let is_type = between.starts_with('{') && between.ends_with(['}', '[']);
        between.is_empty() || between == "[" || is_type || rest.starts_with(':') && !between.contains(':')
    };
    let is_alone =
        words.iter().all(|word| word.chars().all(|sign| matches!(sign, '*' | '/' | '#' | '-' | '"' | '\'')));
    tag.is_some_and(is_typed) || is_alone && rest.starts_with([':', '(']) && tag.is_none()
}

/// Whether a node is a comment, or a string that documents what it stands in.
fn is_prose(node: &Node<'_>) -> bool {
    if node.kind().contains("comment") {
        return true;
    }
    let parent = node.parent().filter(|parent| parent.kind() == "expression_statement");
    let around = parent.and_then(|parent| parent.parent());
    node.kind() == "string" && around.is_some_and(|around| matches!(around.kind(), "module" | "block"))
}

fn is_meant(text: &str, at: usize, name: &str, which: Mentions, is_member: bool) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let mut rest = text.get(at + name.len()..).unwrap_or_default().chars();
    let (after, next) = (rest.next(), rest.next());
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$' | '-');
    // "load.py" is a file, and "shop.load" something of a shop.
    let is_joined = after == Some('.') && next.is_some_and(char::is_alphanumeric)
        || matches!(before, Some('.' | ':')) && !is_member;
    if before.is_some_and(is_part) || after.is_some_and(is_part) || is_joined {
        return false;
    }
    let is_quoted = before == Some('`') && after == Some('`');
    which == Mentions::All || is_quoted || after == Some('(') || is_form_of_names(name)
}

/// Whether plain prose has no such word.
fn is_form_of_names(name: &str) -> bool {
    let signs: Vec<char> = name.chars().collect();
    let has_turn =
        signs.windows(2).any(|pair| matches!(pair, [one, two] if one.is_lowercase() && two.is_uppercase()));
    has_turn || name.trim_matches('_').contains('_') || name.contains(|sign: char| sign.is_ascii_digit())
}
