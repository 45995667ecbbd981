//! What one change did to one file, kept so that it can be taken back later, or be made later.
//!
//! A [`Patch`] holds, hunk by hunk, the bytes that went, the bytes that came and the lines around them, and the hashes of
//! the file before and after. It is made from the two contents, whoever wrote them, byte for byte, also where they are not
//! UTF-8. Where the file is as the change left it, [`Patch::rewind`] gives back every byte of what was there before; where
//! it moved on, the inserted text is looked for with its neighbours, white space and look-alikes forgiven: one place, or
//! the rewind is refused. Nearness decides nothing. [`Patch::apply`] is the same the other way round.

mod between;
mod context;
mod put;
mod seek;
mod stray;

use sha2::{Digest as _, Sha256};

use crate::endings::Equalised;
use crate::ladder::Sheet;
use put::Put;
use seek::Seek;

pub use stray::Stray;

/// A hash of a file's content: SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    pub fn of(content: &[u8]) -> Digest {
        Digest(Sha256::digest(content).into())
    }
}

/// What one change did to one file.
///
/// ```
/// use bowline_edit::Patch;
///
/// let before = b"fn main() {\n    run(1);\n}\n";
/// let after = b"fn main() {\n    run(2);\n    stop();\n}\n";
/// let patch = Patch::between(Some(before), after);
/// assert_eq!(patch.rewind(Some(after)).unwrap(), Some(before.to_vec()));
///
/// // Somebody wrote a line above it and had the file formatted; the change can still be taken back, and only that.
/// let later = b"// The program.\nfn main() {\n\trun(2);\n\tstop();\n}\n";
/// let rewound = patch.rewind(Some(later)).unwrap();
/// assert_eq!(rewound, Some(b"// The program.\nfn main() {\n\trun(1);\n}\n".to_vec()));
///
/// let refused = patch.rewind(Some(b"fn main() {}\n")).unwrap_err();
/// assert!(refused.to_string().contains("is no longer there with the lines around it"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// Of the file before the change; none where there was none.
    pub before: Option<Digest>,
    pub after: Digest,
    /// In the order of the file. None overlaps another.
    pub hunks: Vec<Hunk>,
}

/// One stretch of lines that a change replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Where `old` stood in the file before. Bytes.
    pub at: usize,
    /// The line of it, from 1.
    pub line: usize,
    /// Unchanged lines right before it.
    pub lead: Vec<u8>,
    pub old: Vec<u8>,
    pub new: Vec<u8>,
    /// Unchanged lines right after it.
    pub trail: Vec<u8>,
    /// Whether `old` stood nowhere else in the file before, white space aside.
    pub old_is_alone: bool,
    /// Whether `new` stood nowhere else in the file after, white space aside.
    pub new_is_alone: bool,
}

/// Which way a patch is put to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Forward,
    Back,
}

impl Hunk {
    /// What is to be found in the file, and whether it stood there once only.
    fn from(&self, way: Way) -> (&[u8], bool) {
        match way {
            Way::Forward => (&self.old, self.old_is_alone),
            Way::Back => (&self.new, self.new_is_alone),
        }
    }

    /// What takes its place.
    fn to(&self, way: Way) -> &[u8] {
        if way == Way::Forward { &self.new } else { &self.old }
    }

    fn bytes(&self) -> usize {
        self.lead.len() + self.old.len() + self.new.len() + self.trail.len()
    }
}

impl Patch {
    /// What leads from one content to the other; `before` is none for a file that did not exist.
    pub fn between(before: Option<&[u8]>, after: &[u8]) -> Patch {
        Patch {
            before: before.map(Digest::of),
            after: Digest::of(after),
            hunks: between::hunks(before.unwrap_or_default(), after),
        }
    }

    /// How much it holds. Bytes.
    pub fn bytes(&self) -> usize {
        self.hunks.iter().map(Hunk::bytes).sum()
    }

    /// Takes the change back: the file's content without it, or none where the change made the file and nobody changed it
    /// since, so that it goes again.
    pub fn rewind(&self, now: Option<&[u8]>) -> Result<Option<Vec<u8>>, Stray> {
        let all: Vec<usize> = (0..self.hunks.len()).collect();
        self.rewind_hunks(now, &all)
    }

    /// The same for some of its hunks, counted from 0. A file that was made goes as a whole.
    pub fn rewind_hunks(&self, now: Option<&[u8]>, which: &[usize]) -> Result<Option<Vec<u8>>, Stray> {
        let Some(now) = now else { return Err(Stray::Missing) };
        let is_as_left = Digest::of(now) == self.after;
        if self.before.is_none() {
            return if is_as_left { Ok(None) } else { Err(Stray::Changed) };
        }
        self.turn(now, which, Way::Back, is_as_left).map(Some)
    }

    /// Makes the change in a file that it was not made in yet; none for one that does not exist.
    ///
    /// ```
    /// use bowline_edit::Patch;
    ///
    /// let patch = Patch::between(Some(b"a = 1\nb = 2\n"), b"a = 1\nb = 3\n");
    /// assert_eq!(patch.apply(Some(b"# new\na = 1\nb = 2\n")).unwrap(), b"# new\na = 1\nb = 3\n");
    /// assert!(patch.apply(None).is_err());
    /// ```
    pub fn apply(&self, now: Option<&[u8]>) -> Result<Vec<u8>, Stray> {
        let all: Vec<usize> = (0..self.hunks.len()).collect();
        self.apply_hunks(now, &all)
    }

    /// The same with some of its hunks, counted from 0. A file is made as a whole.
    pub fn apply_hunks(&self, now: Option<&[u8]>, which: &[usize]) -> Result<Vec<u8>, Stray> {
        match (self.before, now) {
            (None, Some(_)) => Err(Stray::Exists),
            (Some(_), None) => Err(Stray::Missing),
            (None, None) => self.turn(b"", which, Way::Forward, true),
            (Some(before), Some(now)) => self.turn(now, which, Way::Forward, Digest::of(now) == before),
        }
    }

    fn turn(&self, now: &[u8], which: &[usize], way: Way, is_known: bool) -> Result<Vec<u8>, Stray> {
        let mut which: Vec<usize> = which.iter().copied().filter(|at| *at < self.hunks.len()).collect();
        which.sort_unstable();
        which.dedup();
        let puts = if is_known { self.known(now, &which, way) } else { None };
        let puts = match puts {
            Some(puts) => puts,
            None => self.sought(now, &which, way)?,
        };
        put::carry_out(now, puts)
    }

    /// Where the hunks stand in a file that is to the byte what it should be; none if the patch is not of it after all.
    fn known(&self, now: &[u8], which: &[usize], way: Way) -> Option<Vec<Put>> {
        let mut puts = Vec::new();
        let (mut gone, mut come) = (0_usize, 0_usize);
        for (index, hunk) in self.hunks.iter().enumerate() {
            let start = match way {
                Way::Forward => hunk.at,
                Way::Back => hunk.at.checked_add(come)?.checked_sub(gone)?,
            };
            let (from, _) = hunk.from(way);
            let span = start..start.checked_add(from.len())?;
            if now.get(span.clone())? != from {
                return None;
            }
            if which.binary_search(&index).is_ok() {
                puts.push(Put { hunk: index, span, bytes: hunk.to(way).to_vec() });
            }
            gone = gone.checked_add(hunk.old.len())?;
            come = come.checked_add(hunk.new.len())?;
        }
        Some(puts)
    }

    fn sought(&self, now: &[u8], which: &[usize], way: Way) -> Result<Vec<Put>, Stray> {
        let body = Equalised::new(now);
        let sheet = Sheet::new(&body.text);
        let mut puts = Vec::new();
        for index in which {
            let hunk = &self.hunks[*index];
            let seek = Seek::new(&sheet, hunk, *index, way);
            let place = seek.find()?;
            puts.extend(put::puts(now, &body, &sheet, &seek, &place)?);
        }
        Ok(puts)
    }
}
