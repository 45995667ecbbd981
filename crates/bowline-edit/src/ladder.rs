//! The rungs one to four: all places of the first rung that has any.
//!
//! A rung that has more than one place ends the search: a weaker one is never asked to escape an ambiguity.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;

use crate::artefacts::{Cleaning, cleanings, is_patch};
use crate::canonical::Canonical;
use crate::joined;
use crate::lenient::{Budget, Lenient, lenient};
use crate::page::{Fold, Page, is_blank};
use crate::rung::{Mode, Rung};
use crate::search::occurrences;
use crate::similar::{careful, starts};
use crate::within::within;

/// The body of a file, and what is worked out of it once.
pub(crate) struct Sheet<'a> {
    pub(crate) page: Page<'a>,
    canonical: OnceCell<Canonical>,
    /// The last needle whose likeliest places were asked for, and these.
    voted: RefCell<(Vec<u8>, Vec<usize>)>,
    /// Whether there was too much to compare for the similarity rung.
    pub(crate) is_skipped: Cell<bool>,
}

/// A place of an edit. Spans and lines are those of the body; lines count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The needle stands there byte for byte.
    Exact(Range<usize>),
    /// It stands there in another form, perhaps within a line.
    Within(Range<usize>),
    /// As many whole lines as the needle has, from this one on.
    Window(usize),
    /// Whole lines, some of which the needle does not mention: for each of its lines the one of the file.
    Aligned(Vec<Option<usize>>),
}

/// Where an edit fits, and its texts as they were compared.
#[derive(Debug, Clone)]
pub(crate) struct Found<'e> {
    pub(crate) rung: Rung,
    pub(crate) old: Cow<'e, str>,
    pub(crate) new: Cow<'e, str>,
    pub(crate) edges: Edges,
    pub(crate) fits: Vec<Fit>,
    pub(crate) similarity: f64,
}

/// What is done with blank lines at both ends of the needle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edges {
    Kept,
    Ignored,
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(body: &'a [u8]) -> Sheet<'a> {
        let (voted, is_skipped) = (RefCell::default(), Cell::new(false));
        Sheet { page: Page::new(body), canonical: OnceCell::new(), voted, is_skipped }
    }

    /// The likeliest first lines of a needle, the best first.
    pub(crate) fn starts(&self, needle: &[&[u8]]) -> Vec<usize> {
        let needle = core(needle);
        let text = needle.join(&b'\n');
        let mut voted = self.voted.borrow_mut();
        if voted.0 != text {
            *voted = (text, starts(&self.page, needle));
        }
        voted.1.clone()
    }

    pub(crate) fn canonical(&self) -> &Canonical {
        self.canonical.get_or_init(|| Canonical::new(self.page.text))
    }

    /// The bytes of the body that a place covers.
    pub(crate) fn span(&self, found: &Found<'_>, fit: &Fit) -> Range<usize> {
        match fit {
            Fit::Exact(span) | Fit::Within(span) => span.clone(),
            Fit::Window(first) => {
                let lines = split(found.old.as_bytes());
                let count = if found.edges == Edges::Kept { lines.len() } else { core(&lines).len() };
                self.page.span(&(*first..first + count))
            }
            Fit::Aligned(pairs) => {
                let first = pairs.iter().flatten().min().copied().unwrap_or(0);
                let last = pairs.iter().flatten().max().map_or(first, |last| last + 1);
                self.page.span(&(first..last))
            }
        }
    }

    /// The exact rung alone.
    pub(crate) fn exact<'e>(&self, old: &'e str, new: &'e str) -> Option<Found<'e>> {
        if old.trim().is_empty() {
            return None;
        }
        let starts = occurrences(self.page.text, old.as_bytes());
        let fits: Vec<Fit> = starts.into_iter().map(|start| Fit::Exact(start..start + old.len())).collect();
        found(Rung::Exact, (old, new), Edges::Kept, fits)
    }

    /// The rungs one to four.
    pub(crate) fn climb<'e>(&self, old: &'e str, new: &'e str) -> Option<Found<'e>> {
        if old.trim().is_empty() {
            return None;
        }
        self.plain(old, new).or_else(|| self.cleaned(old, new))
    }

    /// The rungs one to three.
    pub(crate) fn plain<'e>(&self, old: &'e str, new: &'e str) -> Option<Found<'e>> {
        let exact = self.exact_first(old, new);
        if exact.is_some() || is_patch(old, new) {
            return exact;
        }
        spaced(&self.page, Rung::Space, (old, new), old.as_bytes())
            .or_else(|| self.within(old, new))
            .or_else(|| self.unicode(old, new))
    }

    /// A part of a line, with other white space.
    fn within<'e>(&self, old: &'e str, new: &'e str) -> Option<Found<'e>> {
        let fits = within(&self.page, old).into_iter().map(Fit::Within).collect();
        found(Rung::Space, (old, new), Edges::Kept, fits)
    }

    /// A needle that begins with a part of the line's indentation is meant as whole lines, indented otherwise.
    /// One of a patch, which has a space of its own, is not meant like this.
    fn whole<'e>(&self, exact: Found<'e>, old: &'e str, new: &'e str) -> Option<Found<'e>> {
        let [Fit::Exact(span)] = exact.fits.as_slice() else { return Some(exact) };
        let before = &self.page.text[self.page.start(self.page.line_at(span.start))..span.start];
        if before.is_empty() || !is_blank(before) || !old.starts_with([' ', '\t']) {
            return Some(exact);
        }
        if is_patch(old, new) {
            return None;
        }
        let lines = spaced(&self.page, Rung::Space, (old, new), old.as_bytes());
        Some(lines.filter(|lines| lines.fits.len() == 1).unwrap_or(exact))
    }

    /// The exact rung as the first step of the ladder.
    pub(crate) fn exact_first<'e>(&self, old: &'e str, new: &'e str) -> Option<Found<'e>> {
        self.exact(old, new).and_then(|exact| self.whole(exact, old, new))
    }

    /// The similarity rung.
    pub(crate) fn alike<'e>(&self, old: &'e str, new: &'e str, mode: Mode) -> Option<Found<'e>> {
        if old.trim().is_empty() {
            return None;
        }
        match mode {
            Mode::Exact => None,
            Mode::Careful => careful(self, old, new),
            Mode::Lenient => match lenient(self, old, new, Budget::EDIT) {
                Lenient::Found(found) => Some(found),
                Lenient::None | Lenient::Skipped => None,
            },
        }
    }

    fn unicode<'e>(&self, old: &'e str, new: &'e str) -> Option<Found<'e>> {
        if self.page.text.is_ascii() && old.is_ascii() {
            return None;
        }
        let canonical = self.canonical();
        let needle = Canonical::new(old.as_bytes()).text;
        if is_blank(&needle) {
            return None;
        }
        let starts = occurrences(&canonical.text, &needle).into_iter();
        let spans = starts.filter_map(|start| canonical.original_span(&(start..start + needle.len())));
        found(Rung::Unicode, (old, new), Edges::Kept, spans.map(Fit::Within).collect())
            .or_else(|| spaced(&Page::new(&canonical.text), Rung::Unicode, (old, new), &needle))
    }

    fn cleaned<'e>(&self, old: &'e str, new: &'e str) -> Option<Found<'e>> {
        let cleaned = cleanings(old, new).into_iter().find_map(|cleaning| self.after(&cleaning));
        cleaned.or_else(|| self.swapped(old, new)).or_else(|| joined::find(self, old, new))
    }

    fn after<'e>(&self, cleaning: &Cleaning<'e>) -> Option<Found<'e>> {
        let found = self.plain(&cleaning.old, &cleaning.new)?;
        let spans: Vec<Range<usize>> = found.fits.iter().map(|fit| self.span(&found, fit)).collect();
        let holds = cleaning.claim.holds(&self.page, &cleaning.old, &spans);
        let edges = found.edges;
        let fits: Vec<Fit> =
            found.fits.into_iter().zip(holds).filter(|(_, holds)| *holds).map(|(fit, _)| fit).collect();
        if fits.is_empty() {
            return None;
        }
        let (old, new) = (cleaning.old.clone(), ended_as(&cleaning.old, cleaning.new.clone()));
        Some(Found { rung: Rung::Artefact, old, new, edges, fits, similarity: 1.0 })
    }

    /// With all kinds of quotes taken for one.
    fn swapped<'e>(&self, old: &'e str, new: &'e str) -> Option<Found<'e>> {
        if !old.contains(['"', '\'', '`']) {
            return None;
        }
        let (text, needle) = (one_quote(self.page.text), one_quote(old.as_bytes()));
        let starts = occurrences(&text, &needle).into_iter();
        let fits = starts.map(|start| Fit::Within(start..start + needle.len())).collect();
        found(Rung::Artefact, (old, new), Edges::Kept, fits)
            .or_else(|| spaced(&Page::new(&text), Rung::Artefact, (old, new), &needle))
    }
}

/// The replacement with a final line break if the needle has one: a needle that was mangled says nothing about it.
pub(crate) fn ended_as<'e>(old: &str, new: Cow<'e, str>) -> Cow<'e, str> {
    match (old.ends_with('\n'), new.strip_suffix('\n')) {
        (false, Some(rest)) => Cow::Owned(rest.to_owned()),
        (true, None) if !new.is_empty() => Cow::Owned(new.into_owned() + "\n"),
        _ => new,
    }
}

fn one_quote(text: &[u8]) -> Vec<u8> {
    text.iter().map(|byte| if matches!(byte, b'\'' | b'`') { b'"' } else { *byte }).collect()
}

fn found<'e>(rung: Rung, (old, new): (&'e str, &'e str), edges: Edges, fits: Vec<Fit>) -> Option<Found<'e>> {
    let (old, new) = (Cow::Borrowed(old), Cow::Borrowed(new));
    (!fits.is_empty()).then_some(Found { rung, old, new, edges, fits, similarity: 1.0 })
}

/// Windows of whole lines, white space forgiven more and more; `needle` is `old` in the form of the page.
fn spaced<'e>(page: &Page<'_>, rung: Rung, edit: (&'e str, &'e str), needle: &[u8]) -> Option<Found<'e>> {
    let whole: Vec<&[u8]> = split(needle);
    let core = core(&whole);
    for fold in Fold::ALL {
        for (edges, lines) in [(Edges::Kept, whole.as_slice()), (Edges::Ignored, core)] {
            if edges == Edges::Ignored && lines.len() == whole.len() {
                continue;
            }
            let windows = page.windows(lines, fold).into_iter().map(Fit::Window).collect();
            if let Some(found) = found(rung, edit, edges, windows) {
                return Some(found);
            }
        }
    }
    None
}

/// The lines of a text; a final line break opens no further one.
pub(crate) fn split(text: &[u8]) -> Vec<&[u8]> {
    text.strip_suffix(b"\n").unwrap_or(text).split(|byte| *byte == b'\n').collect()
}

/// The lines without the blank ones at both ends.
pub(crate) fn core<'s, 'l>(lines: &'s [&'l [u8]]) -> &'s [&'l [u8]] {
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !is_blank(line)).map_or(first, |last| last + 1);
    &lines[first..last]
}
