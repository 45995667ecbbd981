//! What a cleaning says about its place beside the text of the needle.

use std::ops::Range;

use super::dashes;
use crate::page::{Page, is_blank};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    None,
    /// The needle is whole lines: what was taken off stood at their beginnings.
    Lines,
    /// The same, and the model gave the first one that is not blank this number, from 1. It counts only between places
    /// that the needle fits alike: the file may have moved on since the model saw it.
    Numbered(usize),
    /// The same where the needle alone says too little: it has to be that line.
    At(usize),
    /// Where the needle has an em dash, the file has one or an en dash.
    Dashes,
}

impl Claim {
    /// Which of the places that the needle `old` fits are meant.
    pub(crate) fn holds(self, page: &Page<'_>, old: &str, spans: &[Range<usize>]) -> Vec<bool> {
        let numbered = |number: usize, span: &Range<usize>| first_line(page, span) + 1 == number;
        let each = |holds: &dyn Fn(&Range<usize>) -> bool| spans.iter().map(holds).collect::<Vec<bool>>();
        match self {
            Claim::None => vec![true; spans.len()],
            Claim::Lines => each(&|span| is_lines(page, span)),
            Claim::At(number) => each(&|span| is_lines(page, span) && numbered(number, span)),
            Claim::Dashes => each(&|span| dashes::are_there(old, &page.text[span.clone()])),
            Claim::Numbered(number) => {
                let lines = each(&|span| is_lines(page, span));
                let said = each(&|span| is_lines(page, span) && numbered(number, span));
                let is_said = said.iter().filter(|said| **said).count() == 1;
                if is_said { said } else { lines }
            }
        }
    }
}

/// Whether nothing but white space stands beside a span on its lines.
fn is_lines(page: &Page<'_>, span: &Range<usize>) -> bool {
    let before = &page.text[page.start(page.line_at(span.start))..span.start];
    let ends = page.text[..span.end].ends_with(b"\n");
    let after = page.text[span.end..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    is_blank(before) && (ends || is_blank(after))
}

/// The first line of a span that is not blank, from 0.
fn first_line(page: &Page<'_>, span: &Range<usize>) -> usize {
    let first = page.line_at(span.start);
    (first..page.len()).find(|line| !is_blank(page.line(*line))).unwrap_or(first)
}
