//! What the nodes of each grammar mean for the places of a file. Each language has a function that looks at one node and
//! says its role; `survey.rs` walks the tree and asks for it. No function here looks further than a few nodes, so that the
//! walk stays linear.

mod bash;
mod c;
mod data;
mod go;
mod java;
mod lua;
mod markup;
mod php;
mod python;
mod ruby;
mod rust;
mod script;

use std::ops::Range;

use tree_sitter::Node;

use crate::blocks::is_worded;
use crate::kinds::Kind;
use crate::language::Language;

const NAME_CHARS_MAX: usize = 120;
/// Of a block without a name, so many characters of its first line are its name.
const FIRST_WORDS_CHARS_MAX: usize = 60;
/// Among so many lines the first one with words is looked for.
const FIRST_LINES_MAX: usize = 8;

/// Where a node stands, which decides what it is: `x = 1` is a constant in a module, a field in a class and nothing to
/// point at in a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    /// The top of a file, or of a module or a namespace.
    Module,
    Type,
    /// A type whose values are listed: an enum.
    Enumeration,
    /// One declaration of several names, each of this kind.
    Group(Kind),
    /// An object or a table whose functions are places.
    Object,
    /// An object that a constant or a module's export is: its functions and its plain values are places.
    Record,
    /// A `case` of a shell whose arms are the options or commands of a script.
    Options,
    /// Keys of JSON, TOML or YAML at this depth.
    Data(u8),
    /// The elements of a list of data at this depth.
    Elements(u8),
    /// Everywhere else: a body, a statement, an expression.
    Function,
}

/// What a node is for the places of its file.
pub(crate) enum Role {
    Place(Found),
    /// A comment, an attribute or a decorator: it belongs to what follows it directly.
    Front,
    /// A comment that belongs to what is around it, not to what follows: `//!`, `#!/bin/sh`.
    Comment,
    /// It brings in names from elsewhere.
    Import,
    /// No place. What is inside it stands there.
    Into(Within),
    /// No place, and what is inside stands in a [`Within::Function`].
    Statement,
}

impl Role {
    /// The place if it has a name.
    pub(crate) fn place(found: Option<Found>) -> Role {
        found.map_or(Role::Statement, Role::Place)
    }
}

/// A place as the grammar shows it, before lines and comments are looked at.
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// The name of the type it belongs to where that does not stand around it: `func (s *Shop) Total()`.
    pub(crate) owner: Option<String>,
    pub(crate) range: Range<usize>,
    /// Where it begins without its decorators and annotations.
    pub(crate) own_start: usize,
    /// Where the head ends, if there is a body.
    pub(crate) head_end: Option<usize>,
    pub(crate) body: Option<Range<usize>>,
    pub(crate) inner: Within,
    /// Nodes inside that are part of this place and not places of their own: what `export` exports.
    pub(crate) claimed: Vec<usize>,
}

impl Found {
    /// A place that is all of `node`, without a body so far. None if it has no name.
    pub(crate) fn new(kind: Kind, name: Option<String>, node: &Node<'_>) -> Option<Found> {
        Some(Found {
            kind,
            name: name.filter(|name| !name.is_empty())?,
            owner: None,
            range: node.byte_range(),
            own_start: after_annotations(node),
            head_end: None,
            body: None,
            inner: Within::Function,
            claimed: Vec::new(),
        })
    }

    pub(crate) fn inner(mut self, inner: Within) -> Found {
        self.inner = inner;
        self
    }

    pub(crate) fn owner(mut self, owner: Option<String>) -> Found {
        self.owner = owner.filter(|owner| !owner.is_empty());
        self
    }

    pub(crate) fn claim(mut self, node: &Node<'_>) -> Found {
        self.claimed.push(node.id());
        self
    }

    /// With a body in brackets, or one that is a single expression.
    pub(crate) fn bracketed(mut self, body: Option<Node<'_>>, source: Source<'_>) -> Found {
        if let Some(body) = body {
            let range = body.byte_range();
            self.head_end = Some(range.start);
            let is_bracketed = match source.bytes(&body) {
                [b'{', .., b'}'] => true,
                // Elsewhere these brackets are part of an expression: `(a) + (b)`.
                [b'[', .., b']'] | [b'(', .., b')'] => matches!(body.kind(), "array" | "subshell"),
                _ => false,
            };
            self.body = Some(if is_bracketed { range.start + 1..range.end - 1 } else { range });
        }
        self
    }

    /// With a body that goes from the end of the head to another offset.
    pub(crate) fn between(mut self, head_end: usize, end: usize, source: Source<'_>) -> Found {
        let text = source.content.get(head_end..end).unwrap_or_default();
        let trimmed = text.trim_ascii_start();
        let start = head_end + text.len() - trimmed.len();
        let length = trimmed.trim_ascii_end().len();
        self.head_end = Some(head_end);
        self.body = Some(if length > 0 { start..start + length } else { head_end..head_end });
        self
    }
}

/// The bytes of a file, by node.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) content: &'a [u8],
}

impl<'a> Source<'a> {
    pub(crate) fn bytes(self, node: &Node<'_>) -> &'a [u8] {
        self.content.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a node on one line, cut if it is long. None if there is no text.
    pub(crate) fn name(self, node: &Node<'_>) -> Option<String> {
        self.words(node.byte_range(), NAME_CHARS_MAX)
    }

    pub(crate) fn field_name(self, node: &Node<'_>, field: &str) -> Option<String> {
        self.name(&node.child_by_field_name(field)?)
    }

    /// As [`name`](Self::name), without quotes around it.
    pub(crate) fn unquoted(self, node: &Node<'_>) -> Option<String> {
        let name = self.name(node)?;
        let bare = name.trim_matches(['"', '\'', '`']);
        Some(if bare.is_empty() { name } else { bare.to_owned() })
    }

    /// The first words of a node, which name a block that has no other name.
    pub(crate) fn first_words(self, node: &Node<'_>) -> Option<String> {
        let mut start = node.start_byte();
        let mut lines = self.bytes(node).split_inclusive(|byte| *byte == b'\n').take(FIRST_LINES_MAX);
        let line = lines.find(|line| {
            let is_found = is_worded(line);
            start += if is_found { 0 } else { line.len() };
            is_found
        });
        match line {
            Some(line) => self.words(start..start + line.len(), FIRST_WORDS_CHARS_MAX),
            None => self.words(node.byte_range(), FIRST_WORDS_CHARS_MAX),
        }
    }

    pub(crate) fn words(self, range: Range<usize>, chars_max: usize) -> Option<String> {
        let text = self.content.get(range)?;
        // A character has at most four bytes; what is cut off anyway need not be read.
        let text = String::from_utf8_lossy(text.get(..chars_max * 8).unwrap_or(text));
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let cut: String = joined.chars().take(chars_max).collect();
        (!cut.is_empty()).then_some(cut)
    }
}

/// The role of a node of this language that stands there.
pub(crate) fn role(language: Language, node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    if node.is_error() {
        return Role::Into(within);
    }
    match node.kind() {
        "comment" | "line_comment" | "block_comment" | "js_comment" | "html_comment" => {
            let text = source.bytes(node);
            let is_inner = [&b"//!"[..], b"/*!", b"#!"].iter().any(|mark| text.starts_with(mark));
            return if is_inner { Role::Comment } else { Role::Front };
        }
        "decorator" | "attribute_item" => return Role::Front,
        _ => {}
    }
    match language {
        Language::Rust => rust::role(node, within, source),
        Language::Python => python::role(node, within, source),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::role(node, within, source),
        Language::Go => go::role(node, within, source),
        Language::Java => java::role(node, within, source),
        Language::C | Language::Cpp => c::role(node, within, source),
        Language::Ruby => ruby::role(node, within, source),
        Language::Php => php::role(node, within, source),
        Language::Lua => lua::role(node, within, source),
        Language::Bash => bash::role(node, within, source),
        Language::Css => markup::css(node, within, source),
        Language::Html => markup::html(node, within, source),
        Language::Json | Language::Toml | Language::Yaml => data::role(node, within, source),
    }
}

/// Where the top of a file of this language stands.
pub(crate) fn top(language: Language) -> Within {
    match language {
        Language::Json | Language::Toml | Language::Yaml => Within::Data(0),
        _ => Within::Module,
    }
}

/// The named children of a node that are of one of these kinds.
pub(crate) fn children<'a>(node: &Node<'a>, kinds: &[&str]) -> Vec<Node<'a>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| kinds.contains(&child.kind())).collect()
}

/// The last child that is this token.
pub(crate) fn last_token<'a>(node: &Node<'a>, token: &str) -> Option<Node<'a>> {
    let last = node.child_count().checked_sub(1)?;
    node.child(last).filter(|child| child.kind() == token)
}

/// Where a node begins without the decorators, annotations and attributes that the grammar counts as part of it.
fn after_annotations(node: &Node<'_>) -> usize {
    let mut cursor = node.walk();
    let mut has_more = cursor.goto_first_child();
    while has_more {
        let child = cursor.node();
        match child.kind() {
            "decorator"
            | "annotation"
            | "marker_annotation"
            | "attribute_list"
            | "attribute_declaration"
            | "comment"
            | "line_comment"
            | "block_comment" => {}
            // Java has annotations and words such as `public` in one node.
            "modifiers" => {
                let inner = after_annotations(&child);
                if inner < child.end_byte() {
                    return inner;
                }
            }
            _ => return child.start_byte(),
        }
        has_more = cursor.goto_next_sibling();
    }
    if node.kind() == "modifiers" { node.end_byte() } else { node.start_byte() }
}

/// The last named child.
pub(crate) fn last_named<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    let count = u32::try_from(node.named_child_count()).ok()?;
    node.named_child(count.checked_sub(1)?)
}
