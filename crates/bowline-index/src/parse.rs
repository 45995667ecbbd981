//! Parsing within bounds.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, ParseState, Parser, Tree, TreeCursor};

use crate::language::Language;

/// Larger files are not looked at.
pub const BYTES_MAX: usize = 1024 * 1024;
/// Nor those that take longer to parse than this. Milliseconds.
pub const PARSE_MS_MAX: u64 = 500;

/// The tree of a file; none where it is too large or takes too long.
pub(crate) fn parse(language: Language, content: &[u8]) -> Option<Tree> {
    if content.len() > BYTES_MAX {
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
