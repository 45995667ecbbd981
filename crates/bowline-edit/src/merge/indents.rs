//! How far a new line is indented, where the needle's indentation is not the file's.
//!
//! Either the replacement is written as the file is and only the needle drifted, or both drifted together. Lines that
//! needle, file and replacement share tell which; where nothing tells, there is no answer.

use std::collections::HashMap;

use crate::page::{Page, indent, is_blank};

/// The indentation of a line that all three share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Anchor<'l> {
    pub(super) needle: &'l [u8],
    pub(super) file: &'l [u8],
    pub(super) new: &'l [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// The replacement is indented as the file is.
    AsWritten,
    /// It is indented as the needle is.
    AsNeedle,
    /// Single lines of the needle drifted.
    PerLine,
    Unknown,
}

pub(super) struct Indents<'l> {
    rule: Rule,
    /// From an indentation of the needle to that of the file; none where it is not the same each time.
    table: HashMap<&'l [u8], Option<&'l [u8]>>,
    /// The first line, where it alone lost its indentation: that of the needle and of the file.
    first: Option<(&'l [u8], &'l [u8])>,
    /// Whether the needle's first line has lost its indentation.
    lost_first: bool,
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
        let rule = if is_as_file(anchors) {
            Rule::AsWritten
        } else {
            rule(drift, anchors, written, first.is_some(), sides)
        };
        let model = Step::of(needle.chain(written.iter().copied()));
        let file = if rule == Rule::AsNeedle { Step::of_page(page) } else { Step::default() };
        let is_steady = anchors
            .iter()
            .filter(|anchor| anchor.needle == anchor.file)
            .all(|anchor| anchor.new == anchor.file);
        Indents { rule, table, first, lost_first, is_steady, steps: (model, file) }
    }

    /// Nothing is known.
    pub(super) fn unknown() -> Indents<'l> {
        Indents {
            rule: Rule::Unknown,
            table: HashMap::new(),
            first: None,
            lost_first: false,
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
        match self.rule {
            // The needle's first line lost its indentation, and so may the replacement's have done.
            Rule::AsWritten if is_first && new.is_empty() && self.lost_first => {
                pair.filter(|(needle, _)| !needle.is_empty()).map(|_| Vec::new())
            }
            Rule::AsWritten => Some(new.to_vec()),
            Rule::AsNeedle => self.mapped(new),
            Rule::PerLine => match pair {
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

/// Whether every line that all three share stands in the replacement as it does in the file, and otherwise in the needle.
pub(super) fn is_as_file(anchors: &[Anchor<'_>]) -> bool {
    anchors.iter().any(|anchor| anchor.needle != anchor.file)
        && anchors.iter().all(|anchor| anchor.new == anchor.file)
}

/// Whether a line that says little stands further in or out than the rule of the others has it: it may be another one.
pub(super) fn is_vague(drift: &[(&[u8], &[u8], bool)]) -> bool {
    let tab = tab_width(drift);
    let width =
        |indent: &[u8]| -> usize { indent.iter().map(|byte| if *byte == b'\t' { tab } else { 1 }).sum() };
    let drift: Vec<(usize, usize, bool)> =
        drift.iter().map(|(needle, file, telling)| (width(needle), width(file), *telling)).collect();
    let fits = |rule: &dyn Fn(usize, usize) -> bool| -> usize {
        drift.iter().filter(|(needle, file, _)| rule(*needle, *file)).count()
    };
    let rules = drift.iter().flat_map(|(needle, file, _)| {
        let (needle, file) = (*needle, *file);
        let moved: Box<dyn Fn(usize, usize) -> bool> = Box::new(move |a, b| a + file == b + needle);
        let scaled: Box<dyn Fn(usize, usize) -> bool> =
            Box::new(move |a, b| a * file == b * needle && (a == 0) == (b == 0));
        [Some(moved), Some(scaled).filter(|_| needle > 0 && file > 0)].into_iter().flatten()
    });
    let Some(best) = rules.max_by_key(|rule| fits(&**rule)) else { return false };
    // The first line may have lost its indentation on its own.
    drift.iter().skip(1).any(|(needle, file, telling)| !telling && !best(*needle, *file))
}

/// How many spaces a tab is, by a line that has tabs on one side and spaces on the other.
fn tab_width(drift: &[(&[u8], &[u8], bool)]) -> usize {
    let is_all = |indent: &[u8], kind: u8| !indent.is_empty() && indent.iter().all(|byte| *byte == kind);
    let widths = drift.iter().filter_map(|(needle, file, _)| {
        let (tabs, spaces) = match (is_all(needle, b'\t'), is_all(file, b'\t')) {
            (true, false) if is_all(file, b' ') => (needle.len(), file.len()),
            (false, true) if is_all(needle, b' ') => (file.len(), needle.len()),
            _ => return None,
        };
        spaces.is_multiple_of(tabs).then_some(spaces / tabs)
    });
    widths.min().unwrap_or(1)
}

fn is_consistent(drift: &[(&[u8], &[u8])]) -> bool {
    drift.iter().all(|one| drift.iter().all(|other| one.0 != other.0 || one.1 == other.1))
}

#[derive(Clone, Copy)]
struct Sides {
    needle: Step,
    file: Step,
    new: Step,
}

fn rule(
    drift: &[(&[u8], &[u8])],
    anchors: &[Anchor<'_>],
    written: &[&[u8]],
    first_apart: bool,
    sides: Sides,
) -> Rule {
    if drift.iter().all(|(needle, file)| needle == file) {
        return Rule::AsWritten;
    }
    // One line that lost its indentation: did the others, or are they as they should be?
    if let ([(needle, file)], [_, _, ..]) = (drift, written)
        && needle.is_empty()
        && !file.is_empty()
    {
        return Rule::Unknown;
    }
    let written = if first_apart { written.get(1..).unwrap_or_default() } else { written };
    let least = |indents: &mut dyn Iterator<Item = usize>| indents.min();
    let new = least(&mut written.iter().map(|indent| indent.len()));
    let needle = least(&mut drift.iter().map(|pair| pair.0.len()));
    let file = least(&mut drift.iter().map(|pair| pair.1.len()));
    // The outermost line tells, and where it tells nothing the width of a level.
    let (mut like_file, mut like_needle) = (new == file, new == needle);
    if like_file == like_needle && sides.needle != sides.file {
        (like_file, like_needle) =
            (like_file && sides.new == sides.file, like_needle && sides.new == sides.needle);
    }
    let telling: Vec<&Anchor<'_>> = anchors.iter().filter(|anchor| anchor.needle != anchor.file).collect();
    let as_file = telling.iter().filter(|anchor| anchor.new == anchor.file).count();
    let as_needle = telling.iter().filter(|anchor| anchor.new == anchor.needle).count();
    // Tabs for spaces, or spaces for tabs, in needle and replacement alike.
    let kinds = [sides.needle, sides.file, sides.new].map(|step| step == Step::Tab);
    if telling.is_empty() && kinds[0] != kinds[1] && kinds[0] == kinds[2] && sides.new != Step::None {
        return Rule::AsNeedle;
    }
    match (as_file, as_needle) {
        (0, 0)
            if telling.is_empty()
                && !anchors.is_empty()
                && anchors.iter().all(|anchor| anchor.new == anchor.file) =>
        {
            Rule::PerLine
        }
        // Some as the file, some as the needle: no one rule.
        (1.., 1..) => Rule::Unknown,
        (0, 0) => match (like_file, like_needle) {
            (true, false) => Rule::AsWritten,
            (false, true) => Rule::AsNeedle,
            _ => Rule::Unknown,
        },
        (1.., 0) if like_file || !like_needle && as_file == telling.len() => Rule::AsWritten,
        (0, 1..) if like_needle || !like_file && as_needle == telling.len() => Rule::AsNeedle,
        _ => Rule::Unknown,
    }
}

/// One level of indentation: a tab, or so many spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
enum Step {
    #[default]
    None,
    Tab,
    Spaces(usize),
}

impl Step {
    /// The step between indentations, by the smallest difference of two.
    fn of<'i>(indents: impl Iterator<Item = &'i [u8]>) -> Step {
        let mut widths: Vec<usize> = vec![0];
        for indent in indents {
            if indent.contains(&b'\t') {
                return Step::Tab;
            }
            widths.push(indent.len());
        }
        widths.sort_unstable();
        widths.dedup();
        let step = widths.iter().zip(widths.iter().skip(1)).map(|(one, next)| next - one).min();
        step.map_or(Step::None, Step::Spaces)
    }

    /// The step a whole file takes mostly from one line to the next.
    fn of_page(page: &Page<'_>) -> Step {
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

    fn fits(self, indent: &[u8]) -> bool {
        match self {
            Step::None => false,
            Step::Tab => indent.iter().all(|byte| *byte == b'\t'),
            Step::Spaces(_) => indent.iter().all(|byte| *byte == b' '),
        }
    }

    /// How many levels an indentation is; none if it is not whole ones.
    fn count(self, indent: &[u8]) -> Option<usize> {
        match self {
            _ if !self.fits(indent) => None,
            Step::None => None,
            Step::Tab => Some(indent.len()),
            Step::Spaces(width) => indent.len().is_multiple_of(width).then(|| indent.len() / width),
        }
    }

    fn levels(self, count: usize) -> Option<Vec<u8>> {
        match self {
            Step::None => None,
            Step::Tab => Some(vec![b'\t'; count]),
            Step::Spaces(width) => Some(vec![b' '; width * count]),
        }
    }
}
