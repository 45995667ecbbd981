//! Which lines and bytes a place takes: with the comments in front of it, to the end of its line where it has the line to
//! itself. Ranges stay nested: a place inside another never reaches out of it, and neighbors do not overlap.

use std::ops::{Range, RangeInclusive};

use crate::grammar::Found;
use crate::kinds::Kind;
use crate::language::Language;
use crate::lines::Lines;
use crate::place::Place;
use crate::survey::{Seen, Survey};

/// A longer signature is cut.
const HEAD_BYTES_MAX: usize = 2_000;

pub(crate) fn extents(language: Language, survey: &Survey, lines: &Lines<'_>) -> Vec<Place> {
    let mut measure = Measure { language, survey, lines, bounds: Vec::new(), top_end: 0 };
    let measured = survey.seen.iter().filter_map(|seen| {
        let node = measure.node_range(&seen.found);
        let bytes = measure.bytes(seen, &node);
        // Where the grammar is lost, a node may be white space.
        (!node.is_empty()).then(|| measure.place(seen, &node, bytes))
    });
    measured.collect()
}

struct Measure<'a> {
    language: Language,
    survey: &'a Survey,
    lines: &'a Lines<'a>,
    /// Of each seen place so far.
    bounds: Vec<Bound>,
    /// Where the last place that is in no other ends.
    top_end: usize,
}

struct Bound {
    end: usize,
    /// Where the last place inside it ends so far.
    inner_end: usize,
}

impl Measure<'_> {
    /// The node without white space around it, and without comments there that are indented no further than it: those
    /// belong to what follows, though languages without an end mark count them in.
    fn node_range(&self, found: &Found) -> Range<usize> {
        let mut range = self.lines.trimmed(found.range.clone());
        if !matches!(self.language, Language::Python | Language::Toml | Language::Yaml) {
            return range;
        }
        let column = range.start - self.lines.start(self.lines.row(range.start)).min(range.start);
        while let Some(start) = self.survey.fronts.get(&range.end) {
            let row = self.lines.row(*start);
            let indent = self.lines.indent(row);
            let is_alone = self.lines.start(row) + indent == *start;
            if *start <= range.start || !is_alone || indent > column {
                break;
            }
            range = self.lines.trimmed(range.start..*start);
        }
        range
    }

    fn bytes(&mut self, seen: &Seen, node: &Range<usize>) -> Range<usize> {
        let parent = seen.parent.and_then(|parent| self.bounds.get(parent));
        let (from, to) = match parent {
            Some(parent) => (parent.inner_end, parent.end),
            None => (self.top_end, self.lines.content().len()),
        };
        let start = self.front_start(node.start);
        let fits = |range: &Range<usize>| range.start >= from && range.end <= to;
        let whole = |start| self.whole_lines(start..node.end).filter(fits);
        let bytes = whole(start).or_else(|| whole(node.start)).unwrap_or_else(|| node.clone());
        match seen.parent.and_then(|parent| self.bounds.get_mut(parent)) {
            Some(parent) => parent.inner_end = bytes.end,
            None => self.top_end = bytes.end,
        }
        self.bounds.push(Bound { end: bytes.end, inner_end: bytes.start });
        bytes
    }

    /// Where the comments, attributes and decorators directly above begin, or those before it on its own line.
    fn front_start(&self, start: usize) -> usize {
        let column = |offset: usize| offset - self.lines.start(self.lines.row(offset)).min(offset);
        let (mut first, own_column) = (start, column(start));
        loop {
            let row = self.lines.row(first);
            let before = self.lines.slice(self.lines.start(row)..first);
            let same_line = self.lines.start(row) + before.trim_ascii_end().len();
            if !before.trim_ascii().is_empty() {
                match self.survey.fronts.get(&same_line) {
                    Some(front) if *front < first => first = *front,
                    _ => return first,
                }
                continue;
            }
            let Some(above) = row.checked_sub(1).filter(|above| !self.lines.is_blank(*above)) else {
                return first;
            };
            let end = self.lines.start(above) + self.lines.text(above).trim_ascii_end().len();
            match self.survey.fronts.get(&end) {
                Some(front) if *front < first && self.begins_its_line(*front) => {
                    if column(*front) != own_column && column(first) != column(*front) {
                        return first;
                    }
                    first = *front;
                }
                _ => return first,
            }
        }
    }

    fn begins_its_line(&self, offset: usize) -> bool {
        let row = self.lines.row(offset);
        self.lines.start(row) + self.lines.indent(row) == offset
    }

    /// The range as whole lines, if nothing else stands on them but separators and a comment behind it.
    fn whole_lines(&self, range: Range<usize>) -> Option<Range<usize>> {
        let (first, last) = (self.lines.row(range.start), self.lines.row(range.end.max(range.start + 1) - 1));
        let before = self.lines.slice(self.lines.start(first)..range.start);
        if !before.trim_ascii().is_empty() {
            return None;
        }
        let line_end = self.lines.end(last);
        let mut at = range.end;
        loop {
            let rest = self.lines.slice(at..line_end);
            let skipped =
                rest.iter().take_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';'));
            at += skipped.count();
            if at >= line_end {
                return Some(self.lines.start(first)..line_end);
            }
            match self.survey.comments.get(&at) {
                Some(end) if *end <= line_end && *end > at => at = *end,
                _ => return None,
            }
        }
    }

    fn place(&self, seen: &Seen, node: &Range<usize>, bytes: Range<usize>) -> Place {
        let found = &seen.found;
        let own_start = found.own_start.clamp(node.start, node.end);
        let body = found.body.clone().map(|body| {
            let end = body.end.min(node.end).max(bytes.start);
            body.start.clamp(bytes.start, end)..end
        });
        Place {
            name: found.name.clone(),
            container: seen.container.clone(),
            kind: found.kind,
            lines: self.numbers(&bytes),
            own_lines: self.numbers(&(own_start..node.end)),
            body,
            head: self.head(found, own_start..node.end),
            bytes,
        }
    }

    fn numbers(&self, range: &Range<usize>) -> RangeInclusive<usize> {
        let last = range.end.max(range.start + 1) - 1;
        self.lines.row(range.start) + 1..=self.lines.row(last) + 1
    }

    fn head(&self, found: &Found, own: Range<usize>) -> String {
        let end = match found.head_end {
            Some(end) if found.kind != Kind::Block => end.clamp(own.start, own.end),
            _ => own.end.min(self.lines.end(self.lines.row(own.start))),
        };
        head(self.lines, own.start..end)
    }
}

/// A text for `Place::head`: cut where it is long, at a character.
pub(crate) fn head(lines: &Lines<'_>, range: Range<usize>) -> String {
    let mut end = range.end.min(range.start + HEAD_BYTES_MAX);
    let is_within = |at: usize| lines.content().get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    while end < range.end && end > range.start && is_within(end) {
        end -= 1;
    }
    lines.shown(range.start..end)
}
