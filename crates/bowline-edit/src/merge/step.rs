//! One level of indentation.

use std::collections::HashMap;

use crate::page::{Page, indent, is_blank};

/// One level of indentation: a tab, or so many spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum Step {
    #[default]
    None,
    Tab,
    Spaces(usize),
}

impl Step {
    /// The step between indentations, by the smallest difference of two; where all are the same, from none to it.
    pub(super) fn of<'i>(indents: impl Iterator<Item = &'i [u8]>) -> Step {
        let mut widths: Vec<usize> = Vec::new();
        for indent in indents {
            if indent.contains(&b'\t') {
                return Step::Tab;
            }
            widths.push(indent.len());
        }
        widths.sort_unstable();
        widths.dedup();
        if widths.len() == 1 {
            widths.insert(0, 0);
            widths.dedup();
        }
        let step = widths.iter().zip(widths.iter().skip(1)).map(|(one, next)| next - one).min();
        step.map_or(Step::None, Step::Spaces)
    }

    /// The step a whole file takes mostly from one line to the next.
    pub(super) fn of_page(page: &Page<'_>) -> Step {
        let mut counts: HashMap<Step, usize> = HashMap::new();
        let mut last: &[u8] = b"";
        for line in page.lines().filter(|line| !is_blank(line)) {
            let here = indent(line);
            match here.strip_prefix(last) {
                Some(b"\t") => *counts.entry(Step::Tab).or_default() += 1,
                Some(more) if !more.is_empty() && more.iter().all(|byte| *byte == b' ') => {
                    *counts.entry(Step::Spaces(more.len())).or_default() += 1;
                }
                _ => {}
            }
            last = here;
        }
        let wide = |step: Step| if let Step::Spaces(width) = step { width } else { 0 };
        counts
            .into_iter()
            .max_by_key(|(step, count)| (*count, wide(*step)))
            .map_or(Step::None, |(step, _)| step)
    }

    pub(super) fn fits(self, indent: &[u8]) -> bool {
        match self {
            Step::None => false,
            Step::Tab => indent.iter().all(|byte| *byte == b'\t'),
            Step::Spaces(_) => indent.iter().all(|byte| *byte == b' '),
        }
    }

    /// How many levels an indentation is; none if it is not whole ones.
    pub(super) fn count(self, indent: &[u8]) -> Option<usize> {
        match self {
            _ if !self.fits(indent) => None,
            Step::None => None,
            Step::Tab => Some(indent.len()),
            Step::Spaces(width) => indent.len().is_multiple_of(width).then(|| indent.len() / width),
        }
    }

    pub(super) fn levels(self, count: usize) -> Option<Vec<u8>> {
        match self {
            Step::None => None,
            Step::Tab => Some(vec![b'\t'; count]),
            Step::Spaces(width) => Some(vec![b' '; width * count]),
        }
    }
}
