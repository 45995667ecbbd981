//! Whether a change has broken a file, and where.

use tree_sitter::{Node, Tree};

use crate::brackets;
use crate::language::Language;
use crate::parse::{Next, parse, walk};

const EXCERPT_CHARS_MAX: usize = 60;

/// The place from which on a file can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// What is wrong there, in a few words.
    pub what: String,
}

/// Where `after` does not parse although `before` did. None for a file of an unknown language, for one that did not parse
/// before, and for one that is too large to know. Of C, C++ and CSS only brackets are told.
///
/// ```
/// use bowline_index::check;
///
/// assert_eq!(check("a.json", b"{\"a\": 1}", b"{\"a\": 1").unwrap().what, "`{` is not closed");
/// // It was a template before, and no plain JSON.
/// assert_eq!(check("a.json", b"{{% if x %}\"a\": 1}", b"{{% if x %}\"a\": 1"), None);
/// ```
pub fn check(path: &str, before: &[u8], after: &[u8]) -> Option<Broken> {
    let language = Language::of(path)?;
    let tree = parse(language, after)?;
    if !tree.root_node().has_error() || parse(language, before)?.root_node().has_error() {
        return None;
    }
    let broken = open_tag(language, &tree, after).or_else(|| brackets::unbalanced(language, &tree, after));
    // Macros and what browsers take make half of all headers and many style sheets wrong to a grammar: brackets are sure.
    let is_loose = matches!(language, Language::C | Language::Cpp | Language::Css);
    broken.or_else(|| (!is_loose).then(|| first_error(&tree, before, after)))
}

/// A tag of JSX that is not closed, or by another's end, the innermost of them: what follows it is text, brackets and all.
fn open_tag(language: Language, tree: &Tree, content: &[u8]) -> Option<Broken> {
    if !matches!(language, Language::JavaScript | Language::Tsx) {
        return None;
    }
    let name = |tag: &Node<'_>| tag.child_by_field_name("name").map_or("", |name| text_of(&name, content));
    let mut found = None;
    walk(tree, |cursor| {
        let node = cursor.node();
        let element = node.parent().filter(|parent| parent.kind() == "jsx_element");
        let end = element.and_then(|element| element.child_by_field_name("close_tag"));
        if node.kind() == "jsx_opening_element" && end.is_none_or(|end| name(&end) != name(&node)) {
            found = Some(node);
        }
        Next::Within
    });
    let tag = found?;
    Some(at(content, tag.start_byte(), format!("`<{}>` is not closed", name(&tag))))
}

/// A parser may call wrong all that stands before the fault. It parsed before, so the fault is not above the first line
/// that changed.
fn first_error(tree: &Tree, before: &[u8], after: &[u8]) -> Broken {
    let mut found = None;
    walk(tree, |cursor| {
        let node = cursor.node();
        if found.is_some() || !node.has_error() {
            return Next::Past;
        }
        if node.is_missing() || (node.is_error() && !has_error_within(&node)) {
            found = Some(node);
        }
        Next::Within
    });
    let same = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let changed = line_start(after, same);
    let is_blank = |from: usize| after.get(from..changed).unwrap_or_default().trim_ascii().is_empty();
    match found {
        Some(node) if node.is_missing() && is_blank(node.start_byte()) => {
            let what = if node.is_named() { "something".to_owned() } else { format!("`{}`", node.kind()) };
            at(after, node.start_byte(), format!("{what} is missing"))
        }
        Some(node) => wrong(after, node.start_byte().max(changed)),
        None => wrong(after, changed),
    }
}

/// Whether a smaller error lies in it, which says more of the place.
fn has_error_within(node: &Node<'_>) -> bool {
    let children = (0..node.child_count()).filter_map(|index| node.child(index));
    children.into_iter().any(|child| child.has_error())
}

fn text_of<'a>(node: &Node<'_>, content: &'a [u8]) -> &'a str {
    content.get(node.byte_range()).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
}

fn wrong(content: &[u8], offset: usize) -> Broken {
    let rest = content.get(offset..).unwrap_or_default();
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line.trim_ascii());
    let excerpt: String = line.chars().take(EXCERPT_CHARS_MAX).collect();
    let what = if excerpt.is_empty() { String::new() } else { format!(" at `{excerpt}`") };
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    at(content, offset + blanks, format!("the syntax is wrong{what}"))
}

pub(crate) fn line_start(content: &[u8], offset: usize) -> usize {
    let before = content.get(..offset).unwrap_or(content);
    before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

pub(crate) fn at(content: &[u8], offset: usize, what: String) -> Broken {
    let before = content.get(..offset).unwrap_or(content);
    let start = line_start(content, offset);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = String::from_utf8_lossy(before.get(start..).unwrap_or_default()).chars().count() + 1;
    Broken { line, column, what }
}
