//! Edits that are right: a file, the text replaced, and what takes its place.

use std::fs;
use std::path::{Path, PathBuf};

use super::Draw;

pub(crate) struct Sample {
    pub(crate) before: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

impl Sample {
    pub(crate) fn after(&self) -> String {
        self.before.replacen(&self.old, &self.new, 1)
    }
}

pub(crate) fn all() -> Vec<Sample> {
    let samples = match std::env::var_os("BOWLINE_DRIFT") {
        Some(folder) => stored(Path::new(&folder)),
        None => drawn(),
    };
    samples.into_iter().filter(is_clear).collect()
}

/// Whole lines that stand in the file once, and say something.
fn is_clear(sample: &Sample) -> bool {
    let whole = format!("\n{}", sample.before);
    whole.matches(&format!("\n{}", sample.old)).count() == 1
        && sample.before.matches(&sample.old).count() == 1
        && sample.old != sample.new
        && sample.old.trim().len() >= 10
}

fn stored(folder: &Path) -> Vec<Sample> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let read = |folder: &Path, name: &str| fs::read_to_string(folder.join(name)).unwrap();
    folders
        .iter()
        .map(|folder| Sample {
            before: read(folder, "before"),
            old: read(folder, "old"),
            new: read(folder, "new"),
        })
        .collect()
}

fn drawn() -> Vec<Sample> {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus"), &mut files);
    files.sort();
    let mut samples = Vec::new();
    for (number, path) in files.iter().enumerate() {
        let before = fs::read_to_string(path).unwrap();
        for round in 0..8 {
            samples.extend(draw(&before, &mut Draw::new((number * 8 + round) as u64 + 7)));
        }
    }
    samples
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// A few lines of a file, of which one changes, goes or gets a neighbour, or all are put under a condition.
fn draw(before: &str, draw: &mut Draw) -> Option<Sample> {
    let lines: Vec<&str> = before.lines().collect();
    let count = 3 + draw.below(8);
    let first = draw.below(lines.len().saturating_sub(count));
    let old = &lines[first..(first + count).min(lines.len())];
    let mut new: Vec<String> = old.iter().map(|line| (*line).to_owned()).collect();
    let inner: Vec<usize> = (1..new.len().checked_sub(1)?).filter(|at| new[*at].trim().len() > 4).collect();
    let at = *inner.get(draw.below(inner.len()))?;
    let indent = new[at][..new[at].len() - new[at].trim_start().len()].to_owned();
    match draw.below(5) {
        0 | 1 => {
            let word =
                new[at].split(|char: char| !char.is_alphanumeric()).max_by_key(|word| word.len())?.to_owned();
            new[at] = new[at].replacen(&word, "something_else", 1);
        }
        2 => drop(new.remove(at)),
        3 => new.insert(at + 1, format!("{indent}let inserted = compute(first, \"second\");")),
        _ => {
            new.insert(at, format!("{indent}if condition_holds {{"));
            new[at + 1] = format!("    {}", new[at + 1]);
            new.insert(at + 2, format!("{indent}}}"));
        }
    }
    Some(Sample { before: before.to_owned(), old: old.join("\n") + "\n", new: new.join("\n") + "\n" })
}
