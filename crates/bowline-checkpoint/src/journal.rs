//! The write-ahead of a restore: which files are about to become which. It stands until the files are done.

use std::path::PathBuf;

use crate::atomic_file::{read, remove, write_whole};
use crate::failure::Failure;
use crate::work::Work;

/// How many outcomes are remembered.
const OUTCOMES_MAX: usize = 64;

/// A restore under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Journal {
    pub(crate) restore: String,
    /// The commit the files were, and the one they become.
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) way: Way,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Forward,
    /// It could not be done, and is being taken back.
    Back,
}

fn place(work: &Work<'_>) -> PathBuf {
    work.folder.join("journal")
}

fn outcomes(work: &Work<'_>) -> PathBuf {
    work.folder.join("outcomes")
}

impl Journal {
    pub(crate) fn open(work: &Work<'_>) -> Result<Option<Journal>, Failure> {
        let path = place(work);
        let Some(text) = read(&path) else { return Ok(None) };
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let [restore, from, to, way] = lines.as_slice() else {
            let why = "the note of a restore cannot be read. Look at your files, then remove it".to_owned();
            return Err(Failure::Damaged { path, why });
        };
        let way = if *way == "back" { Way::Back } else { Way::Forward };
        let (restore, from, to) = ((*restore).to_owned(), (*from).to_owned(), (*to).to_owned());
        Ok(Some(Journal { restore, from, to, way }))
    }

    pub(crate) fn write(&self, work: &Work<'_>) -> Result<(), Failure> {
        let way = if self.way == Way::Back { "back" } else { "forward" };
        let text = format!("{}\n{}\n{}\n{way}\n", self.restore, self.from, self.to);
        write_whole(&place(work), text.as_bytes())
    }

    /// The files are done: `from` again where it was taken back, else `to`.
    pub(crate) fn close(&self, work: &Work<'_>) -> Result<(), Failure> {
        let word = if self.way == Way::Back { "back" } else { "done" };
        let known = read(&outcomes(work)).unwrap_or_default();
        let known = String::from_utf8_lossy(&known).into_owned();
        let mut lines: Vec<String> = known.lines().map(str::to_owned).collect();
        lines.push(format!("{word} {}", self.restore));
        let first = lines.len().saturating_sub(OUTCOMES_MAX);
        write_whole(&outcomes(work), (lines[first..].join("\n") + "\n").as_bytes())?;
        remove(&place(work))
    }
}

/// Whether a restore that ended left the files as it wanted them; none where nothing is known of it.
pub(crate) fn outcome(work: &Work<'_>, restore: &str) -> Option<bool> {
    let known = read(&outcomes(work))?;
    let known = String::from_utf8_lossy(&known).into_owned();
    let line = known.lines().rev().find_map(|line| line.split_once(' ').filter(|(_, id)| *id == restore));
    line.map(|(word, _)| word == "done")
}
