//! Walks a tree once and collects what the grammar says about places: what is one, what is a comment, what is an import.
//! Which lines and bytes each takes is the work of `extent.rs`.

use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::grammar::{Found, Role, Source, Within, role, top};
use crate::kinds::Kind;
use crate::language::Language;

/// More places are not listed.
pub(crate) const PLACES_MAX: usize = 20_000;
/// Places inside so many others are not listed. It bounds the length of a container's name.
const DEPTH_MAX: usize = 16;

/// What was seen of a file.
#[derive(Default)]
pub(crate) struct Survey {
    /// Outer before inner, in the order of the text.
    pub(crate) seen: Vec<Seen>,
    /// Comments, attributes and decorators: the end of each, without white space, and its start.
    pub(crate) fronts: HashMap<usize, usize>,
    /// Comments alone: the start of each and its end.
    pub(crate) comments: HashMap<usize, usize>,
    pub(crate) imports: Vec<Range<usize>>,
}

pub(crate) struct Seen {
    pub(crate) found: Found,
    /// The place directly around it.
    pub(crate) parent: Option<usize>,
    pub(crate) container: Option<String>,
}

/// What holds for the children of a node.
#[derive(Clone, Copy)]
struct Frame {
    within: Within,
    /// The index of the innermost place around.
    place: Option<usize>,
    depth: usize,
}

pub(crate) fn survey(language: Language, tree: &Tree, content: &[u8]) -> Survey {
    let mut walker = Walker {
        language,
        source: Source { content },
        survey: Survey::default(),
        claimed: Vec::new(),
        frames: vec![Frame { within: top(language), place: None, depth: 0 }],
    };
    let mut cursor = tree.walk();
    loop {
        let frame = walker.enter(&cursor.node());
        if cursor.goto_first_child() {
            walker.frames.push(frame);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return walker.survey;
            }
            walker.frames.pop();
        }
    }
}

struct Walker<'a> {
    language: Language,
    source: Source<'a>,
    survey: Survey,
    /// Nodes further down that belong to a place already seen.
    claimed: Vec<usize>,
    frames: Vec<Frame>,
}

impl Walker<'_> {
    /// Notes what a node is. Returns what holds inside of it.
    fn enter(&mut self, node: &Node<'_>) -> Frame {
        let outside = Frame { within: Within::Function, place: None, depth: 0 };
        let frame = self.frames.last().copied().unwrap_or(outside);
        let inside = Frame { within: Within::Function, ..frame };
        if !node.is_named() {
            return inside;
        }
        if let Some(at) = self.claimed.iter().rposition(|id| *id == node.id()) {
            self.claimed.remove(at);
            return frame;
        }
        let is_top = frame.place.is_none() && frame.within == top(self.language);
        match role(self.language, node, frame.within, self.source) {
            Role::Place(mut found) => {
                found.claimed.retain(|id| *id != node.id());
                self.place(found, frame).unwrap_or(inside)
            }
            Role::Into(within) => Frame { within, ..frame },
            Role::Front => {
                self.front(node);
                inside
            }
            Role::Comment => {
                let range = self.trimmed(node);
                self.survey.comments.insert(range.start, range.end);
                inside
            }
            Role::Import if is_top => {
                self.survey.imports.push(self.trimmed(node));
                inside
            }
            // A statement of several lines is a block. Those of one line go together, in `blocks.rs`.
            Role::Statement if is_top && is_long(node) => {
                let found = Found::new(Kind::Block, self.source.first_words(node), node);
                found.and_then(|found| self.place(found, frame)).unwrap_or(inside)
            }
            Role::Import | Role::Statement => inside,
        }
    }

    fn place(&mut self, mut found: Found, frame: Frame) -> Option<Frame> {
        if frame.depth >= DEPTH_MAX || self.survey.seen.len() >= PLACES_MAX {
            return None;
        }
        let within = found.inner;
        self.claimed.append(&mut found.claimed);
        let around = frame.place.and_then(|place| self.survey.seen.get(place)).and_then(Seen::path_inside);
        let container = match (around, found.owner.take()) {
            (Some(around), Some(owner)) => Some(format!("{around}.{owner}")),
            (around, owner) => around.or(owner),
        };
        self.survey.seen.push(Seen { found, parent: frame.place, container });
        Some(Frame { within, place: Some(self.survey.seen.len() - 1), depth: frame.depth + 1 })
    }

    fn front(&mut self, node: &Node<'_>) {
        let range = self.trimmed(node);
        self.survey.fronts.insert(range.end, range.start);
        if node.kind().ends_with("comment") {
            self.survey.comments.insert(range.start, range.end);
        }
    }

    /// Some grammars count the line break after a comment or a directive as part of it.
    fn trimmed(&self, node: &Node<'_>) -> Range<usize> {
        node.start_byte()..node.start_byte() + self.source.bytes(node).trim_ascii_end().len()
    }
}

/// Whether a node goes over several lines, even without a line break that it counts as its own.
fn is_long(node: &Node<'_>) -> bool {
    let (start, end) = (node.start_position(), node.end_position());
    let last = if end.column == 0 { end.row.saturating_sub(1) } else { end.row };
    last > start.row
}

impl Seen {
    /// What the names of places inside begin with. A block has no name that code would use.
    fn path_inside(&self) -> Option<String> {
        match (&self.container, self.found.kind) {
            (container, Kind::Block) => container.clone(),
            // `namespace a::b`
            (Some(container), _) => Some(format!("{container}.{}", self.found.name.replace("::", "."))),
            (None, _) => Some(self.found.name.replace("::", ".")),
        }
    }
}
