//! Hunks of a repository's commits: each file as it was before a commit, and what that commit did to it.

use super::cut::{Pair, cut};
use super::hunk::Hunk;
use super::language::{Language, readable};
use super::operators::Draw;
use crate::command::output_of;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Commits that are looked at, newest first.
const COMMITS_MAX: &str = "--max-count=20000";

/// A file that one commit changed, with its content before and after by git's name for it.
struct Changed {
    path: String,
    before: String,
    after: String,
}

/// As many hunks as are wanted of each language, if there are as many.
pub(crate) fn hunks(repository: &Path, wanted: usize, seed: u64) -> Result<Vec<Hunk>> {
    let mut changed = changed(repository)?;
    let mut draw = Draw::new(seed);
    draw.shuffle(&mut changed);
    let mut objects = Objects::open(repository)?;
    let mut counts: BTreeMap<Language, usize> = BTreeMap::new();
    let mut others: BTreeMap<Language, (String, String)> = BTreeMap::new();
    let mut hunks = Vec::new();
    let name = repository.canonicalize().unwrap_or_else(|_| repository.to_owned());
    let name = name.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    for file in &changed {
        let Some(language) = Language::of(&file.path) else { continue };
        let count = counts.entry(language).or_default();
        if *count >= wanted {
            continue;
        }
        let (Some(before), Some(after)) =
            (objects.read(&file.before)?.and_then(readable), objects.read(&file.after)?.and_then(readable))
        else {
            continue;
        };
        let other =
            others.get(&language).filter(|(path, _)| *path != file.path).map(|(_, text)| text.as_str());
        let origin = format!("{name}@{}", file.after.get(..10).unwrap_or(&file.after));
        let pair = Pair { path: &file.path, origin: &origin, before: &before, after: &after, other };
        let cut = cut(&pair, &mut draw);
        *count += cut.len();
        hunks.extend(cut);
        others.insert(language, (file.path.clone(), before));
    }
    Ok(hunks)
}

fn changed(repository: &Path) -> Result<Vec<Changed>> {
    let mut log = Command::new("git");
    log.arg("-C").arg(repository);
    log.args([
        "log",
        "--no-merges",
        "--no-renames",
        "--diff-filter=M",
        "--raw",
        "--no-abbrev",
        "--format=",
        COMMITS_MAX,
    ]);
    let lines = output_of(&mut log)?;
    let changed = lines.lines().filter_map(|line| {
        let (about, path) = line.split_once('\t')?;
        let mut words = about.split(' ').skip(2);
        let (before, after) = (words.next()?.to_owned(), words.next()?.to_owned());
        Some(Changed { path: path.to_owned(), before, after })
    });
    Ok(changed.collect())
}

/// `git cat-file --batch`, which gives contents as they are asked for.
struct Objects {
    git: Child,
    asked: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    fn open(repository: &Path) -> Result<Objects> {
        let mut command = Command::new("git");
        command.arg("-C").arg(repository).args(["cat-file", "--batch"]);
        let mut git =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("git cannot be started")?;
        let asked = git.stdin.take();
        let answers = BufReader::new(git.stdout.take().context("git has no output")?);
        Ok(Objects { git, asked, answers })
    }

    /// A content by its name; none if the repository does not have it.
    fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let asked = self.asked.as_mut().context("git is not asked any more")?;
        writeln!(asked, "{name}")?;
        asked.flush()?;
        let mut head = String::new();
        self.answers.read_line(&mut head)?;
        let Some(length) = head.trim().rsplit_once(' ').and_then(|(_, length)| length.parse::<u64>().ok())
        else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        self.answers.by_ref().take(length + 1).read_to_end(&mut bytes)?;
        bytes.pop();
        Ok(Some(bytes))
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // Without more to read it ends by itself.
        self.asked.take();
        let _ = self.git.wait();
    }
}
