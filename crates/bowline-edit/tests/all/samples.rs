//! Edits that are right: a file, the text replaced, and what takes its place.

use std::fs;
use std::path::{Path, PathBuf};

use super::operators::{Draw, Sample};

pub(crate) fn all() -> Vec<Sample> {
    drawn().into_iter().filter(Sample::is_clear).collect()
}

fn drawn() -> Vec<Sample> {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus"), &mut files);
    files.sort();
    let mut samples = Vec::new();
    let texts: Vec<String> = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for (number, before) in texts.iter().enumerate() {
        let other = &texts[(number + 1) % texts.len()];
        for round in 0..8 {
            samples.extend(draw(before, other, &mut Draw::new((number * 8 + round) as u64 + 7)));
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
fn draw(before: &str, other: &str, draw: &mut Draw) -> Option<Sample> {
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
    let (old, new) = (old.join("\n") + "\n", new.join("\n") + "\n");
    Some(Sample { before: before.to_owned(), old, new, other: Some(other.to_owned()) })
}
