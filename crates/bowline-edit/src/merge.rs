//! Three ways into one: what the needle says, what the file has, what the replacement wants.
//!
//! Only lines that the model really changed change. A line that needle and replacement share keeps the file's bytes, a
//! changed one keeps them where it only repeats them, and a line of the file that the model never mentioned survives, or
//! is in the way and the merge a [`Conflict`].

mod base;
mod conflict;
mod dialect;
mod edges;
mod indents;
mod line;
mod lined;
mod rule;
mod step;
mod versions;

use std::borrow::Cow;
use std::ops::Range;

use crate::page::{Fold, Page, indent, is_blank, is_telling};
use base::{Slot, base};
pub use conflict::Conflict;
use dialect::Dialect;
use edges::{doubled, lost_edge};
use indents::Indents;
pub(crate) use indents::placed;
pub(crate) use lined::{Lined, is_indented_as_file};
use rule::{Anchor, is_as_file, is_vague, opens};

/// Whose word counts where needle and file differ within a line that changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Both: what they do not agree on is a conflict.
    Both,
    /// The replacement is taken as it is.
    Replacement,
}

/// A line of the outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Out {
    Keep(usize),
    New(Vec<u8>),
}

/// The lines that take the place of `lined.lines`.
pub(crate) fn merge(page: &Page<'_>, lined: &Lined<'_>, trust: Trust) -> Result<Vec<Out>, Conflict> {
    let (base, gaps, pairs) = base(page, lined);
    let beside = doubled(page, lined, &pairs).or_else(|| lost_edge(page, lined, &pairs, base.len()));
    if let Some(line) = beside.filter(|_| trust == Trust::Both) {
        return Err(Conflict::Unmentioned { line: line + 1 });
    }
    let merge = Merge { trust, ..Merge::new(page, lined, &base, &pairs) };
    let followed = merge.followed(&pairs);
    let mut out = Vec::new();
    let (mut from_base, mut from_new) = (0, 0);
    let end = (base.len(), lined.replacement.len());
    for (at_base, at_new) in pairs.iter().copied().chain([end]) {
        let is_changed = from_base < at_base || from_new < at_new;
        let gap = |at: usize| gaps.get(at).map(Vec::as_slice).unwrap_or_default();
        if is_changed {
            let partners = merge.partners(from_base..at_base, from_new..at_new);
            let one_for_one =
                at_base - from_base == at_new - from_new && partners.iter().all(Option::is_some);
            let in_the_way = (from_base..=at_base).flat_map(gap).next();
            if let Some(line) = in_the_way.filter(|_| !one_for_one) {
                return Err(Conflict::Unmentioned { line: line + 1 });
            }
            for (index, partner) in partners.iter().enumerate() {
                if one_for_one {
                    out.extend(gap(from_base + index).iter().map(|line| Out::Keep(*line)));
                }
                out.push(Out::New(merge.changed(from_new + index, *partner)?));
            }
        }
        if let (Some(line), false) = (gap(at_base).first(), merge.is_settled(&followed, at_base)) {
            return Err(Conflict::Unmentioned { line: line + 1 });
        }
        out.extend(gap(at_base).iter().map(|line| Out::Keep(*line)));
        if at_base < base.len() {
            out.extend(merge.repeated(at_base, at_new)?);
        }
        (from_base, from_new) = (at_base + 1, at_new + 1);
    }
    Ok(out)
}

/// Whether the first line is the outermost, and each that is deeper than the one before follows one that opens a block.
fn is_nested(lines: &[Cow<'_, [u8]>]) -> bool {
    let inked: Vec<&[u8]> = lines.iter().map(|line| &**line).filter(|line| !is_blank(line)).collect();
    let width = |line: &&[u8]| indent(line).len();
    inked.iter().map(width).min() == inked.first().map(width)
        && inked.windows(2).all(|pair| indent(pair[1]).len() <= indent(pair[0]).len() || opens(pair[0]))
}

/// What all lines of one merge have in common.
struct Merge<'m> {
    page: &'m Page<'m>,
    lined: &'m Lined<'m>,
    base: &'m [Slot<'m>],
    indents: Indents<'m>,
    dialect: Dialect,
    trust: Trust,
}

impl<'m> Merge<'m> {
    fn new(
        page: &'m Page<'m>,
        lined: &'m Lined<'m>,
        base: &'m [Slot<'m>],
        pairs: &[(usize, usize)],
    ) -> Merge<'m> {
        let there = |slot: &Slot<'m>| slot.file.map(|line| page.line(line)).filter(|line| !is_blank(line));
        let drift: Vec<(&[u8], &[u8], bool)> = base
            .iter()
            .filter(|slot| slot.mentioned && !is_blank(slot.text))
            .filter_map(|slot| Some((indent(slot.text), indent(there(slot)?), is_telling(slot.text))))
            .collect();
        let anchors: Vec<Anchor<'_>> = pairs
            .iter()
            .filter(|(at, _)| base[*at].mentioned)
            .filter_map(|(at, new)| {
                let file = indent(there(&base[*at])?);
                Some(Anchor { needle: indent(base[*at].text), file, new: indent(&lined.replacement[*new]) })
            })
            .collect();
        let written: Vec<&[u8]> =
            lined.replacement.iter().filter(|line| !is_blank(line)).map(|line| indent(line)).collect();
        let vague = is_vague(&drift) && !is_as_file(&anchors);
        let drift: Vec<(&[u8], &[u8])> = drift.into_iter().map(|(needle, file, _)| (needle, file)).collect();
        let indents = if vague {
            Indents::unknown()
        } else {
            Indents::new(page, &drift, &anchors, &written, is_nested(&lined.replacement))
        };
        let spelt: Vec<(&[u8], &[u8])> =
            base.iter().filter_map(|slot| Some((slot.text, there(slot)?))).collect();
        let dialect = Dialect::new(page, &spelt, &lined.replacement);
        Merge { page, lined, base, indents, dialect, trust: Trust::Both }
    }

    /// The lines of base and replacement that are the same, and those that are one line in two versions where a change has
    /// as many lines after it as before.
    fn followed(&self, pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let mut followed = Vec::new();
        let (mut from_base, mut from_new) = (0, 0);
        for (at_base, at_new) in
            pairs.iter().copied().chain([(self.base.len(), self.lined.replacement.len())])
        {
            let partners = self.partners(from_base..at_base, from_new..at_new);
            let one_for_one =
                at_base - from_base == at_new - from_new && partners.iter().all(Option::is_some);
            if one_for_one {
                followed.extend((from_base..at_base).zip(from_new..at_new));
            }
            followed.push((at_base, at_new));
            (from_base, from_new) = (at_base + 1, at_new + 1);
        }
        followed.pop();
        followed
    }

    /// Whether what stands on both sides of a gap stays, up to a line that says something: a brace may be another one.
    fn is_settled(&self, followed: &[(usize, usize)], gap: usize) -> bool {
        let stays = |at: usize| {
            let new =
                followed.iter().find(|pair| pair.0 == at).map(|pair| &*self.lined.replacement[pair.1])?;
            (indent(new) == indent(self.base[at].text)).then(|| is_telling(new))
        };
        let mut sides: [Box<dyn Iterator<Item = usize>>; 2] =
            [Box::new((0..gap).rev()), Box::new(gap..self.base.len())];
        sides.iter_mut().all(|side| {
            // The first line that says something settles it; one that changes before that does not.
            side.map(stays).find(|stays| *stays != Some(false)).is_none_or(|stays| stays.is_some())
        })
    }

    fn line_number(&self) -> usize {
        self.lined.lines.start + 1
    }

    /// A line that needle and replacement share.
    fn repeated(&self, at_base: usize, at_new: usize) -> Result<Option<Out>, Conflict> {
        let (slot, new) = (&self.base[at_base], &*self.lined.replacement[at_new]);
        let Some(line) = slot.file else {
            let invented = Conflict::Invented { line: self.line_number() };
            return if is_blank(slot.text) { Ok(None) } else { Err(invented) };
        };
        let there = self.page.line(line);
        let old = (indent(slot.text), indent(there));
        if is_blank(there) || slot.text == new {
            return Ok(Some(Out::Keep(line)));
        }
        let (one, other, third) = (slot.text.trim_ascii(), there.trim_ascii(), new.trim_ascii());
        if self.trust == Trust::Both
            && one != other
            && other != third
            && one != third
            && Fold::Anywhere.same(one, other)
        {
            // Three kinds of white space within the line: nobody knows which is meant.
            return Err(Conflict::Indent { line: line + 1 });
        }
        let text = self.respaced(one, other, third);
        let text = text.as_deref().unwrap_or(there.trim_ascii());
        match self.indents.place(at_new == 0, indent(new), Some(old)) {
            Some(indent) if indent == old.1 && text == there.trim_ascii() => Ok(Some(Out::Keep(line))),
            Some(indent) => {
                let trailing = &new[new.trim_ascii_end().len()..];
                Ok(Some(Out::New([&indent, text, trailing].concat())))
            }
            None if self.trust == Trust::Replacement => Ok(Some(Out::Keep(line))),
            None => Err(Conflict::Indent { line: line + 1 }),
        }
    }

    /// White space within a line that the model changed, and nothing else.
    fn respaced(&self, old: &[u8], there: &[u8], new: &[u8]) -> Option<Vec<u8>> {
        if old == new || Fold::Anywhere.same(old, there) && old != there {
            return None;
        }
        if old == there { Some(new.to_vec()) } else { self.dialect.render(old, there, new) }
    }

    /// For each new line of a change the old one it goes back to, in order.
    fn partners(&self, base: Range<usize>, new: Range<usize>) -> Vec<Option<usize>> {
        let old: Vec<&[u8]> = self.base[base.clone()].iter().map(|slot| slot.text).collect();
        let new: Vec<&[u8]> = self.lined.replacement[new].iter().map(|line| &**line).collect();
        let partners = line::partners(&old, &new);
        partners.into_iter().map(|partner| partner.map(|index| index + base.start)).collect()
    }

    /// A line that the model wrote.
    fn changed(&self, at_new: usize, partner: Option<usize>) -> Result<Vec<u8>, Conflict> {
        let new = &*self.lined.replacement[at_new];
        if is_blank(new) {
            return Ok(new.to_vec());
        }
        let slot = partner.map(|partner| &self.base[partner]);
        let pair = slot.and_then(|slot| Some((slot.text, self.page.line(slot.file?))));
        let text = match pair {
            Some((old, there)) if old.trim_ascii() != there.trim_ascii() => {
                self.dialect.render(old.trim_ascii(), there.trim_ascii(), new.trim_ascii_start())
            }
            _ => match self.moved(new) {
                Some(there) => Some([there.trim_ascii(), &new[new.trim_ascii_end().len()..]].concat()),
                None => self.dialect.translate(new.trim_ascii_start()),
            },
        };
        let line = slot.and_then(|slot| slot.file).map_or(self.line_number(), |line| line + 1);
        let pair = pair.map(|(old, there)| (indent(old), indent(there)));
        let place = self.indents.place(at_new == 0, indent(new), pair);
        if self.trust == Trust::Replacement {
            let text = text.unwrap_or_else(|| new.trim_ascii_start().to_vec());
            return Ok([place.unwrap_or_else(|| indent(new).to_vec()), text].concat());
        }
        let text = text.ok_or(Conflict::Misspelt { line })?;
        Ok([place.ok_or(Conflict::Indent { line })?, text].concat())
    }

    /// The file's form of a line that the replacement has in another place than the needle.
    fn moved(&self, new: &[u8]) -> Option<&[u8]> {
        let mut forms = self
            .base
            .iter()
            .filter(|slot| slot.text.trim_ascii() == new.trim_ascii())
            .filter_map(|slot| slot.file)
            .map(|line| self.page.line(line));
        let first = forms.next()?;
        forms.all(|form| form.trim_ascii() == first.trim_ascii()).then_some(first)
    }
}
