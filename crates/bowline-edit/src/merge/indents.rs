//! How far a new line is indented, where the needle's indentation is not the file's.
//!
//! Either the replacement is written as the file is and only the needle drifted, or both drifted together. Lines that
//! needle, file and replacement share tell which; where nothing tells, there is no answer.

use std::collections::HashMap;

use super::rule::{Anchor, Rule, Sides, Written, is_consistent, is_flat, rule};
use super::step::Step;
use crate::page::{Page, indent};

pub(super) struct Indents<'l> {
    rule: Rule,
    /// From an indentation of the needle to that of the file; none where it is not the same each time.
    table: HashMap<&'l [u8], Option<&'l [u8]>>,
    /// The first line, where it alone lost its indentation: that of the needle and of the file.
    first: Option<(&'l [u8], &'l [u8])>,
    /// Whether the needle's first line has lost its indentation.
    lost_first: bool,
    /// Whether the needle has no nesting at all.
    is_flat: bool,
    /// Whether the lines that all three share stay as far in as they are.
    is_steady: bool,
    /// One level in needle and replacement, and in the file.
    steps: (Step, Step),
}

impl<'l> Indents<'l> {
    /// `drift` has the indentation of each line of the needle beside that of the file, `written` those of the
    /// replacement; blank lines have none.
    pub(super) fn new(
        page: &Page<'l>,
        drift: &[(&'l [u8], &'l [u8])],
        anchors: &[Anchor<'l>],
        written: &[&'l [u8]],
        is_nested: bool,
    ) -> Indents<'l> {
        let mut drift = drift;
        let mut first = None;
        let lost_first = drift.first().is_some_and(|(needle, file)| needle.is_empty() && !file.is_empty());
        if let [head, rest @ ..] = drift
            && head.0.is_empty()
            && !head.1.is_empty()
            && !rest.is_empty()
            && (rest.iter().all(|(needle, file)| needle == file)
                || !is_consistent(drift) && is_consistent(rest))
        {
            first = Some(*head);
            drift = rest;
        }
        let mut table: HashMap<&'l [u8], Option<&'l [u8]>> = HashMap::new();
        for (needle, file) in drift {
            let known = table.entry(needle).or_insert(Some(file));
            *known = known.filter(|known| known == file);
        }
        let needle = drift.iter().map(|pair| pair.0);
        let sides = Sides {
            needle: Step::of(needle.clone()),
            file: Step::of(drift.iter().map(|pair| pair.1)),
            new: Step::of(written.iter().copied()),
        };
        let first_apart = first.is_some();
        let rule = rule(drift, anchors, Written { indents: written, is_nested, first_apart }, sides);
        let model = Step::of(needle.chain(written.iter().copied()));
        let file = if rule == Rule::AsNeedle { Step::of_page(page) } else { Step::default() };
        let is_steady = anchors
            .iter()
            .filter(|anchor| anchor.needle == anchor.file)
            .all(|anchor| anchor.new == anchor.file);
        let is_flat = is_flat(drift);
        Indents { rule, table, first, lost_first, is_flat, is_steady, steps: (model, file) }
    }

    /// Nothing is known.
    pub(super) fn unknown() -> Indents<'l> {
        Indents {
            rule: Rule::Unknown,
            table: HashMap::new(),
            first: None,
            lost_first: false,
            is_flat: false,
            is_steady: true,
            steps: (Step::None, Step::None),
        }
    }

    /// The indentation of a line of the replacement that is indented by `new`; `pair` is that of the line it goes back to,
    /// in needle and file. None if it is not clear.
    pub(super) fn place(&self, is_first: bool, new: &[u8], pair: Option<(&[u8], &[u8])>) -> Option<Vec<u8>> {
        if let Some((needle, file)) = self.first {
            if is_first {
                let stays = self.is_steady || new == file;
                return (stays && (new == needle || new == file)).then(|| file.to_vec());
            }
            // New, and as far out as the first line: that may have been dropped like it.
            // Unless others of the file stand there too.
            if pair.is_none() && new == needle && self.table.get(new) != Some(&Some(new)) {
                return None;
            }
        }
        // An indentation of the needle that stands for two of the file's says nothing, unless there is only one.
        let tells = |needle: &[u8]| self.is_flat || self.table.get(needle) != Some(&None);
        let own = pair.filter(|(needle, _)| *needle == new && tells(needle)).map(|(_, file)| file.to_vec());
        match self.rule {
            // The needle's first line lost its indentation, and so may the replacement's have done.
            Rule::AsWritten if is_first && new.is_empty() && self.lost_first => {
                pair.filter(|(needle, _)| !needle.is_empty()).map(|_| Vec::new())
            }
            Rule::AsWritten => Some(new.to_vec()),
            _ if own.is_some() => own,
            Rule::AsNeedle => self.mapped(new),
            Rule::PerLine => match pair {
                Some((needle, _)) if !tells(needle) => None,
                Some((needle, file)) if new == needle || new == file => Some(file.to_vec()),
                Some((needle, file)) if needle != file => None,
                // The needle has this indentation for another one of the file's.
                _ if self.table.get(new).is_some_and(|known| *known != Some(new)) => None,
                _ => Some(new.to_vec()),
            },
            Rule::Unknown => None,
        }
    }

    fn mapped(&self, new: &[u8]) -> Option<Vec<u8>> {
        if let Some(known) = self.table.get(new) {
            return known.map(<[u8]>::to_vec);
        }
        let known = self.table.iter().filter_map(|(needle, file)| Some((*needle, (*file)?)));
        if let Some(spaced) = spaces_for_tabs(known.clone(), new) {
            return Some(spaced);
        }
        let (model, file) = self.steps;
        if let Some((needle, there)) =
            known.clone().filter(|(needle, _)| new.starts_with(needle)).max_by_key(|(needle, _)| needle.len())
        {
            let deeper = &new[needle.len()..];
            // The same kind and width, or moved as a whole: nothing to convert, also where a line is aligned to something.
            let one_kind = |kind: u8| new.iter().chain(there).all(|byte| *byte == kind);
            let moved =
                known.clone().all(|(other, file)| file.len() + needle.len() == other.len() + there.len());
            let is_moved = known.count() > 1 && moved && (one_kind(b' ') || one_kind(b'\t'));
            if is_moved || (model == file && file.fits(deeper)) {
                return Some([there, deeper].concat());
            }
            let levels = file.levels(model.count(deeper)?)?;
            // One level alone does not tell whether the others are wider too.
            let told = self.table.len() > 1;
            let other_kind = needle.contains(&b'\t') != there.contains(&b'\t');
            return (told || other_kind || levels == deeper).then(|| [there, &levels].concat());
        }
        let (needle, there) =
            known.filter(|(needle, _)| needle.starts_with(new)).min_by_key(|(needle, _)| needle.len())?;
        let less = file.levels(model.count(&needle[new.len()..])?)?;
        there.strip_suffix(less.as_slice()).map(<[u8]>::to_vec)
    }
}

/// A text of several lines that is written on its own, at the indentation of the lines it takes the place of and in the
/// file's levels; as it is where it repeats one of them, or is indented as the first. None if it is not clear.
pub(crate) fn placed(page: &Page<'_>, place: &str, text: &str) -> Option<String> {
    let there = indent(place.as_bytes());
    let lines: Vec<&str> = text.split('\n').collect();
    let inked = || lines.iter().filter(|line| !line.trim().is_empty());
    let first = indent(inked().next()?.as_bytes());
    let repeats =
        |line: &&str| !indent(line.as_bytes()).is_empty() && place.split('\n').any(|there| there == *line);
    if first == there || inked().any(repeats) {
        return Some(text.to_owned());
    }
    let model = Step::of(inked().map(|line| indent(line.as_bytes())));
    let file = Step::of_page(page);
    let mut made = Vec::new();
    for line in &lines {
        let own = indent(line.as_bytes());
        if line.trim().is_empty() {
            made.push((*line).to_owned());
            continue;
        }
        let deeper = own.strip_prefix(first)?;
        let levels = if deeper.is_empty() {
            Vec::new()
        } else if model == file && file.fits(deeper) {
            deeper.to_vec()
        } else {
            file.levels(model.count(deeper)?)?
        };
        let indent = String::from_utf8_lossy(there).into_owned() + &String::from_utf8_lossy(&levels);
        made.push(indent + line.trim_start());
    }
    Some(made.join("\n"))
}

/// Spaces for tabs, where the needle has tabs and the file as many spaces for each every time.
fn spaces_for_tabs<'l>(known: impl Iterator<Item = (&'l [u8], &'l [u8])>, new: &[u8]) -> Option<Vec<u8>> {
    let is_all = |indent: &[u8], kind: u8| !indent.is_empty() && indent.iter().all(|byte| *byte == kind);
    let tabbed: Vec<(usize, usize)> = known
        .filter(|(needle, _)| is_all(needle, b'\t'))
        .map(|(needle, file)| is_all(file, b' ').then_some((needle.len(), file.len())))
        .collect::<Option<_>>()?;
    let (tabs, spaces) = *tabbed.first()?;
    let width = spaces.is_multiple_of(tabs).then_some(spaces / tabs)?;
    let steady = tabbed.iter().all(|(tabs, spaces)| tabs * width == *spaces);
    (steady && is_all(new, b'\t')).then(|| vec![b' '; new.len() * width])
}
