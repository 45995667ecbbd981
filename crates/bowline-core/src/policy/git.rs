//! `git` that only looks. Its own flags come first and can make it run anything (`-c core.pager=…`), so hardly any of them
//! is known; each command has a list of the flags that are known to only read.

mod flags;

use super::command::{Part, Word};
use super::options::{self, Given};
use super::paths::{Refused, RunsIn};
use super::project_checks::{Kind, ProjectChecks};

/// Flags before the command that change nothing but how git prints.
const GLOBAL: &[&str] = &["--no-pager", "-P", "--no-optional-locks"];
/// Commands whose second word says what they do.
const DOUBLE: &[(&str, &[&str])] =
    &[("stash", &["show", "list"]), ("worktree", &["list"]), ("remote", &["get-url"])];

pub(super) fn judge(part: &Part, project_checks: &ProjectChecks, here: &RunsIn<'_>) -> Result<(), Refused> {
    // A folder may hold the files of a repository, with settings that start programs.
    if !project_checks.kinds.contains(&Kind::Git) || !here.is_at_root() {
        return Err(Refused::ask("git would look for its settings elsewhere than in this project"));
    }
    if let Some(word) = part.arguments().iter().find(|word| word.known().is_none()) {
        return Err(Refused::dynamic(word));
    }
    let is_global = |word: &&Word| word.known().is_some_and(|word| GLOBAL.contains(&word));
    let skipped = part.arguments().iter().take_while(is_global).count();
    let words = part.arguments().get(skipped..).unwrap_or_default();
    let texts: Vec<&str> = words.iter().filter_map(Word::known).collect();
    let (command, taken) = match texts.as_slice() {
        [] | ["--version" | "-v" | "--help"] => return Ok(()),
        [first, second, ..] if is_double(first, second) => (format!("{first} {second}"), 2),
        ["reflog", "show", ..] => ("reflog".to_owned(), 2),
        [first, ..] => ((*first).to_owned(), 1),
    };
    if command.starts_with('-') {
        return Err(Refused::ask(format!(
            "{command} is not among the flags of git that are known to be harmless"
        )));
    }
    let Some(lists) = flags::of(&command) else { return Err(changes(&command)) };
    let name = format!("git {command}");
    let given = options::read(&name, lists, words.get(taken..).unwrap_or_default(), here);
    let is_mixed = matches!(command.as_str(), "branch" | "tag");
    let given = if is_mixed { given.map_err(|_| changes(&command))? } else { given? };
    let is_making = match command.as_str() {
        // Names are only asked for where a flag says that it is a list; without one they would be made.
        "branch" | "tag" => !given.operands.is_empty() && !given.has(flags::LISTING),
        "remote" => !given.operands.is_empty(),
        // A first word other than `show` may be a command: `expire`, `delete`.
        "reflog" => taken == 1 && given.operands.iter().any(|word| word.known() != Some("HEAD")),
        _ => false,
    };
    if is_making {
        return Err(changes(&command));
    }
    starts_no_signature_check(&name, &given)?;
    may_read(&command, &given, here)
}

fn is_double(first: &str, second: &str) -> bool {
    DOUBLE.iter().any(|(command, more)| *command == first && more.contains(&second))
}

fn changes(command: &str) -> Refused {
    Refused::ask(format!("git {command} changes the repository or reaches elsewhere"))
}

/// A format that asks for a signature starts the program that checks it.
fn starts_no_signature_check(name: &str, given: &Given<'_>) -> Result<(), Refused> {
    let mut formats = given.values(&["--format", "--pretty", "--sort", "--batch-check"]);
    // Between the sign and its letter may stand one that moves what is around it.
    let is_check = |format: &str| {
        let mut fields = format.split('%').skip(1).map(|field| field.trim_start_matches(['+', '-', ' ']));
        fields.any(|field| field.starts_with('G')) || format.contains("signature")
    };
    match formats.find(|format| is_check(format)) {
        Some(format) => Err(Refused::ask(format!("{name} starts a program for `{format}`"))),
        None => Ok(()),
    }
}

/// The paths among the words. A revision is taken for a path that leads nowhere; after a colon stands the path of a file
/// in it.
fn may_read(command: &str, given: &Given<'_>, here: &RunsIn<'_>) -> Result<(), Refused> {
    let is_pattern = command == "grep" && !given.has(&["-e"]);
    let operands = given.operands.iter().filter_map(|word| word.known()).skip(usize::from(is_pattern));
    // `-L 1,10:src/main.rs` names a file, too.
    let ranges = given.values(&["-L"]);
    for text in operands.chain(ranges) {
        let path = text.rsplit_once(':').map_or(text, |(_, path)| path);
        here.may_read(&Word::Known(path.to_owned()))?;
    }
    Ok(())
}

/// Whether it is a command that only looks with the right flags, so that more than these words is not to be allowed.
pub(super) fn looks(part: &Part) -> bool {
    const ASKED: &[&str] =
        &["config", "reset", "clean", "checkout", "restore", "bisect", "submodule", "filter-branch"];
    const MIXED: &[&str] = &["branch", "tag", "remote"];
    let mut words = part.arguments().iter().map(|word| word.known().unwrap_or_default());
    let (command, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_reader = flags::of(command).is_some() && !MIXED.contains(&command) || is_double(command, second);
    part.program() == Some("git") && (is_reader || ASKED.contains(&command))
}
