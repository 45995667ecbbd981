//! What is changed by a merge: the needle's lines, each with the file's, and what needle and replacement share.

use crate::diff::heaviest;
use crate::merge::Lined;
use crate::page::{Page, ink, is_blank, is_telling};

/// A line of the needle, or one of the file that the replacement has and the needle has not.
pub(super) struct Slot<'l> {
    pub(super) text: &'l [u8],
    pub(super) file: Option<usize>,
    pub(super) mentioned: bool,
}

impl Slot<'_> {
    /// Whether one side alone has it: a line that the needle left out, or a blank one that the file has not.
    fn is_doubtful(&self) -> bool {
        !self.mentioned || (self.file.is_none() && is_blank(self.text))
    }
}

/// The needle's lines with those of the file that only the replacement mentions, the lines nobody mentions by what they
/// stand before, and which lines of base and replacement are the same.
pub(super) type Base<'l> = (Vec<Slot<'l>>, Vec<Vec<usize>>, Vec<(usize, usize)>);

pub(super) fn base<'l>(page: &Page<'l>, lined: &'l Lined<'l>) -> Base<'l> {
    let mut slots: Vec<Slot<'l>> = Vec::new();
    let mut next: Option<usize> = None;
    for (text, file) in lined.needle.iter().zip(&lined.pairs) {
        if let Some(file) = file {
            let skipped = next.unwrap_or(*file)..*file;
            slots.extend(skipped.map(|line| Slot {
                text: page.line(line),
                file: Some(line),
                mentioned: false,
            }));
            next = Some(file + 1);
        }
        slots.push(Slot { text, file: *file, mentioned: true });
    }
    let bare = |line: &[u8]| -> Vec<u8> { ink(line).copied().collect() };
    // A line that says little is not taken for one that was left out: an item that is equal to nothing.
    let key = |slot: &Slot<'_>| {
        let text = bare(slot.text);
        let telling = slot.mentioned || text.is_empty() || is_telling(slot.text);
        telling.then_some(text)
    };
    let wanted: Vec<Option<Vec<u8>>> = slots.iter().map(key).collect();
    let written: Vec<Vec<u8>> = lined.replacement.iter().map(|line| bare(line)).collect();
    // A line that says something weighs more than a brace, and one that is the same to the byte a little more still.
    let pairs = heaviest((slots.len(), written.len()), |at, new| {
        let same = wanted[at].as_ref() == Some(&written[new]);
        let weight = [2, 4, 4, 8][written[new].len().min(3)];
        match (same, slots[at].mentioned) {
            // A blank line that only the needle has gives way to one of the file.
            (true, true) if slots[at].is_doubtful() => 1,
            (true, true) => weight + u32::from(*slots[at].text == *lined.replacement[new]),
            (true, false) => 1,
            _ => 0,
        }
    });
    // Such a one is recognised beside its neighbours only.
    let beside = |pair: &(usize, usize)| {
        let before = pair.0.checked_sub(1).zip(pair.1.checked_sub(1));
        before.is_some_and(|before| pairs.contains(&before)) || pairs.contains(&(pair.0 + 1, pair.1 + 1))
    };
    let pairs: Vec<(usize, usize)> =
        pairs.iter().filter(|pair| !slots[pair.0].is_doubtful() || beside(pair)).copied().collect();
    let mut base = Vec::new();
    let mut gaps: Vec<Vec<usize>> = vec![Vec::new()];
    let mut kept = Vec::new();
    for (index, slot) in slots.into_iter().enumerate() {
        let partner = pairs.iter().find(|pair| pair.0 == index).map(|pair| pair.1);
        if let (false, None, Some(line)) = (slot.mentioned, partner, slot.file) {
            if let Some(gap) = gaps.last_mut() {
                gap.push(line);
            }
            continue;
        }
        kept.extend(partner.map(|partner| (base.len(), partner)));
        base.push(slot);
        gaps.push(Vec::new());
    }
    (base, gaps, kept)
}
