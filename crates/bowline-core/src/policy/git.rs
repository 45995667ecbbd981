//! `git` that only looks. Its own flags come first and can make it run anything (`-c core.pager=…`), so hardly any is
//! let pass; each command has the flags that write, run a program or read elsewhere.

use super::command::{Part, Word};
use super::ground::{Here, Refused};
use super::own::{Kind, Own};

/// Commands that look, whatever is not named in [`TAKEN`].
const LOOKS: &[&str] = &[
    "status",
    "log",
    "show",
    "diff",
    "blame",
    "annotate",
    "shortlog",
    "rev-parse",
    "rev-list",
    "describe",
    "ls-files",
    "ls-tree",
    "cat-file",
    "name-rev",
    "merge-base",
    "grep",
    "whatchanged",
    "for-each-ref",
    "show-ref",
    "diff-tree",
    "diff-files",
    "diff-index",
    "count-objects",
    "check-ignore",
    "version",
];
/// Flags that may be shortened, as git allows it.
const TAKEN: &[&str] = &[
    "--output",
    "--ext-diff",
    "--textconv",
    "--filters",
    "--open-files-in-pager",
    "--no-index",
    "--contents",
    "--exec",
    "--batch-command",
    "--file",
    "--exclude-from",
    "--ignore-revs-file",
    "--stdin-paths",
];

pub(super) fn judge(part: &Part, own: &Own, here: &Here<'_>) -> Result<(), Refused> {
    // A folder may hold the files of a repository, with settings that start programs.
    if !own.kinds.contains(&Kind::Git) || !here.is_at_root() {
        return Err(Refused::ask("git would look for its settings elsewhere than in this project"));
    }
    let mut words = part
        .arguments()
        .iter()
        .skip_while(|word| matches!(word.known(), Some("--no-pager" | "-P" | "--no-optional-locks")));
    let command = match words.next() {
        None => return Ok(()),
        Some(Word::Known(command)) => command.as_str(),
        Some(word) => return Err(Refused::dynamic(word)),
    };
    let arguments: Vec<&Word> = words.collect();
    if let Some(word) = arguments.iter().find(|word| word.known().is_none()) {
        return Err(Refused::dynamic(word));
    }
    let texts: Vec<&str> = arguments.iter().filter_map(|word| word.known()).collect();
    if command == "--version" || command == "--help" {
        return Ok(());
    }
    let only_looks = match command {
        "branch" => lists(&texts, BRANCH_FLAGS, BRANCH_LISTS),
        "tag" => lists(&texts, TAG_FLAGS, TAG_LISTS),
        "remote" => matches!(texts.as_slice(), [] | ["-v" | "--verbose"] | ["get-url", _]),
        "stash" => match texts.split_first() {
            Some((&"list" | &"show", rest)) => !rest.iter().any(|flag| is_taken(flag)),
            _ => false,
        },
        "reflog" => matches!(texts.first(), None | Some(&"show")),
        "worktree" => matches!(texts.as_slice(), ["list"]),
        command if LOOKS.contains(&command) => {
            let taken = texts.iter().find(|flag| is_taken(flag) || command == "grep" && is_grep_taken(flag));
            if let Some(flag) = taken {
                return Err(Refused::ask(format!("git {command} {flag} may do more than look")));
            }
            true
        }
        _ => false,
    };
    if !only_looks {
        return Err(Refused::ask(format!("git {command} changes the repository or reaches elsewhere")));
    }
    // A revision is taken for a path that leads nowhere; after a colon stands the path of a file in it.
    let paths = texts.iter().filter(|text| !text.starts_with('-'));
    let paths = paths.map(|text| text.rsplit_once(':').map_or(*text, |(_, path)| path));
    paths.into_iter().try_for_each(|path| here.may_read(&Word::Known(path.to_owned())))
}

/// Whether it is a command that only looks with the right flags, so that more than these words is not to be allowed.
pub(super) fn looks(part: &Part) -> bool {
    const ASKED: &[&str] =
        &["config", "reset", "clean", "checkout", "restore", "bisect", "submodule", "filter-branch"];
    let command = part.arguments().first().and_then(Word::known).unwrap_or_default();
    part.program() == Some("git") && (LOOKS.contains(&command) || ASKED.contains(&command))
}

const BRANCH_FLAGS: &[&str] = &[
    "-a",
    "-r",
    "-v",
    "-vv",
    "-av",
    "-avv",
    "-rv",
    "--all",
    "--remotes",
    "--verbose",
    "--show-current",
    "--no-color",
    "--no-column",
];
const BRANCH_LISTS: &[&str] =
    &["--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];
const TAG_FLAGS: &[&str] = &["-n", "--no-color", "--no-column"];
const TAG_LISTS: &[&str] =
    &["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];

/// Names are only asked for where a flag says that it is a list; without one they would be made.
fn lists(texts: &[&str], flags: &[&str], listing: &[&str]) -> bool {
    let is_list = texts.iter().any(|text| listing.contains(text));
    texts.iter().all(|text| {
        flags.contains(text)
            || listing.contains(text)
            || text.starts_with("--sort=")
            || text.starts_with("--format=")
            || (is_list && !text.starts_with('-'))
    })
}

fn is_taken(flag: &str) -> bool {
    let name = flag.split('=').next().unwrap_or_default();
    name.len() > 2 && name.starts_with("--") && TAKEN.iter().any(|taken| taken.starts_with(name))
}

/// `-O` opens what was found in a program, `-f` reads patterns from a file.
fn is_grep_taken(flag: &str) -> bool {
    flag.len() > 1 && flag.starts_with('-') && !flag.starts_with("--") && flag.contains(['O', 'f'])
}
