//! Parsing within bounds.

mod hazard;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree, TreeCursor};

use crate::language::Language;

/// Larger files are not looked at.
pub const BYTES_MAX: usize = 1024 * 1024;
/// Nor those that take longer to parse than this. Milliseconds.
pub const PARSE_MS_MAX: u64 = 500;

/// The tree of a file; none where it is too large, takes too long or would end the process.
pub(crate) fn parse(language: Language, content: &[u8]) -> Option<Tree> {
    if content.len() > BYTES_MAX || hazard::is_hazard(language, content) {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&language.grammar().into()).ok()?;
    let until = Instant::now() + Duration::from_millis(PARSE_MS_MAX);
    let mut progress = |_: &ParseState| match Instant::now() < until {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let plain = hazard::plain(language, content);
    let content = plain.as_deref().unwrap_or(content);
    let mut read = |at: usize, _| content.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}

/// What comes after a node on the way through a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Within,
    Past,
}

/// Goes through a tree in the order of the text, without recursion: files nest as deep as they like.
pub(crate) fn walk<'a>(tree: &'a Tree, mut visit: impl FnMut(&TreeCursor<'a>) -> Next) {
    let mut cursor = tree.walk();
    loop {
        if visit(&cursor) == Next::Within && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// Goes through what is inside a node, in the order of the text.
pub(crate) fn walk_node<'a>(node: &Node<'a>, mut visit: impl FnMut(&Node<'a>) -> Next) {
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return;
    }
    loop {
        if visit(&cursor.node()) == Next::Within && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            // The cursor does not leave the node it began at.
            if !cursor.goto_parent() || cursor.depth() == 0 {
                return;
            }
        }
    }
}

/// A node on the way down a tree, and which field of its parent it is.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) field: &'a str,
}

/// Goes through a tree like [`walk`] and hands over each node with all that lie around it, outermost first.
pub(crate) fn walk_steps<'a>(tree: &'a Tree, mut visit: impl FnMut(&[Step<'a>]) -> Next) {
    let mut cursor = tree.walk();
    let mut steps = vec![Step { node: cursor.node(), field: "" }];
    loop {
        if visit(&steps) == Next::Within && cursor.goto_first_child() {
            steps.push(Step { node: cursor.node(), field: cursor.field_name().unwrap_or_default() });
            continue;
        }
        loop {
            steps.pop();
            if cursor.goto_next_sibling() {
                steps.push(Step { node: cursor.node(), field: cursor.field_name().unwrap_or_default() });
                break;
            }
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
