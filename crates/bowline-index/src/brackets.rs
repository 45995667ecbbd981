//! The bracket that is not closed, or closes nothing.
//!
//! A parser that misses one bracket says so at the end of the file, or calls all of it wrong. Brackets alone tell more, and
//! where they are out of step with the indentation, they tell which one it is.

use tree_sitter::Tree;

use crate::check::{Broken, at, line_start};
use crate::language::Language;
use crate::parse::{Next, walk};

struct Bracket {
    open: u8,
    offset: usize,
}

/// A pair, by the offsets of both.
struct Pair {
    open: u8,
    from: usize,
    to: usize,
}

pub(crate) fn unbalanced(language: Language, tree: &Tree, content: &[u8]) -> Option<Broken> {
    // Their brackets are text as often as not.
    if matches!(language, Language::Bash | Language::Html | Language::Yaml) {
        return None;
    }
    let mut open: Vec<Bracket> = Vec::new();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut stray = None;
    for (bracket, offset) in brackets(tree, content) {
        let Some(due) = opening(bracket) else {
            open.push(Bracket { open: bracket, offset });
            continue;
        };
        match open.pop() {
            Some(Bracket { open, offset: from }) if open == due => {
                pairs.push(Pair { open, from, to: offset });
            }
            other => {
                stray = Some((bracket, offset, other));
                break;
            }
        }
    }
    if stray.is_none() && open.is_empty() {
        return None;
    }
    if let Some(broken) = out_of_step(&pairs, content) {
        return Some(broken);
    }
    Some(match stray {
        Some((bracket, offset, None)) => {
            at(content, offset, format!("`{}` closes nothing", char::from(bracket)))
        }
        Some((_, _, Some(left))) => not_closed(&left, content),
        None => open.last().map(|left| not_closed(left, content))?,
    })
}

fn not_closed(bracket: &Bracket, content: &[u8]) -> Broken {
    at(content, bracket.offset, format!("`{}` is not closed", char::from(bracket.open)))
}

/// The first pair whose lines are indented differently though the closing one begins its line.
fn out_of_step(pairs: &[Pair], content: &[u8]) -> Option<Broken> {
    pairs.iter().find_map(|pair| {
        let (from, to) = (line_start(content, pair.from), line_start(content, pair.to));
        let (outer, inner) = (indent(content, from), indent(content, to));
        if from == to || to + inner != pair.to || outer == inner {
            return None;
        }
        let open = Bracket { open: pair.open, offset: pair.from };
        Some(if inner < outer {
            not_closed(&open, content)
        } else {
            at(content, pair.to, format!("`{}` closes too much", char::from(closing(pair.open))))
        })
    })
}

/// All brackets that are tokens of their own, which those in strings and comments are not.
fn brackets(tree: &Tree, content: &[u8]) -> Vec<(u8, usize)> {
    let mut found = Vec::new();
    walk(tree, |cursor| {
        let node = cursor.node();
        if node.child_count() > 0 || node.is_missing() {
            return Next::Within;
        }
        // An opening one may be part of a longer token: `${`, `#{`.
        if let Some(last) = content.get(node.byte_range()).and_then(<[u8]>::last)
            && !node.is_named()
            && (opening(*last).is_some() && node.byte_range().len() == 1
                || matches!(last, b'(' | b'[' | b'{'))
        {
            found.push((*last, node.end_byte() - 1));
        }
        Next::Past
    });
    found
}

fn opening(closing: u8) -> Option<u8> {
    match closing {
        b')' => Some(b'('),
        b']' => Some(b'['),
        b'}' => Some(b'{'),
        _ => None,
    }
}

fn closing(opening: u8) -> u8 {
    match opening {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

fn indent(content: &[u8], start: usize) -> usize {
    let line = content.get(start..).unwrap_or_default();
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
