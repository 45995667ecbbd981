//! `xargs` that hands names of the project's files to a program that only reads.
//!
//! What always holds: the names come from a program of the same pipeline that only lists names, none of them is that of a
//! secret or reads like several words or a flag, and the program that gets them would be allowed with any of them.

use super::command::{Part, Word};
use super::options::{self, Given};
use super::paths::{Refused, RunsIn, TakesIn};
use super::{read_only, sed};

/// Programs that take any number of files, of which none is written.
const READERS: &[&str] = &[
    "cat",
    "head",
    "tail",
    "wc",
    "nl",
    "ls",
    "stat",
    "file",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "cksum",
    "b2sum",
    "grep",
    "egrep",
    "fgrep",
    "sort",
    "cut",
    "rev",
    "tac",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "awk",
    "gawk",
    "mawk",
    "sed",
    "du",
];
/// Programs between the two that only choose among lines, with the flags that do no more than that.
const CHOOSING: &[(&str, &str)] = &[
    ("sort", "-ruVz --reverse --unique --zero-terminated"),
    ("uniq", "-u --unique"),
    ("head", "-n# -# -z --lines#"),
    ("tail", "-n# -# -z --lines#"),
];
const RG: &str =
    "-liwFISs0 -e: -g: -t: -T: --files --files-with-matches --glob: --type: --type-not: --null --sort:";
const GREP: &str =
    "-lrniwxEFGPIsZ -e: --files-with-matches --include: --exclude: --exclude-dir: --recursive --null";
/// Stands for the names that are only known when it runs: a pattern that fits nothing in the project.
const ANY_NAME: &str = "./a-name-from-the-input-of-xargs-*";
/// Programs that only choose among lines, in a row.
const STAGES_MAX: usize = 4;

pub(super) fn judge(part: &Part, here: &RunsIn<'_>) -> Result<(), Refused> {
    let source = part.reads_from.as_deref().ok_or_else(not_clear)?;
    lists_names(source, here, STAGES_MAX)?;
    let (skipped, placeholder) = flags(part.arguments())?;
    let words = part.arguments().get(skipped..).unwrap_or_default();
    let any = Word::Glob(ANY_NAME.to_owned());
    let mut started: Vec<Word> = Vec::new();
    for word in words {
        match (&placeholder, word.known()) {
            (Some(sign), Some(text)) if text == sign => started.push(any.clone()),
            (Some(sign), Some(text)) if text.contains(sign.as_str()) => return Err(Refused::dynamic(word)),
            _ => started.push(word.clone()),
        }
    }
    if placeholder.is_none() {
        started.push(any);
    }
    let started = Part { words: started, expands: part.expands.clone(), ..Part::default() };
    let program = started.program().unwrap_or_default();
    if !READERS.contains(&program) {
        return Err(Refused::ask(format!("xargs starts {program} with what it reads")));
    }
    match program {
        "sed" => sed::judge(&started, here),
        _ => read_only::judge(&started, here).unwrap_or_else(|| Err(not_clear())),
    }
}

fn not_clear() -> Refused {
    Refused::ask("what xargs starts its program with is not clear")
}

/// The flags of `xargs` itself: how many words they are, and what stands for a name.
fn flags(arguments: &[Word]) -> Result<(usize, Option<String>), Refused> {
    let unknown = |flag: &str| {
        Refused::ask(format!("{flag} is not among the flags of xargs that are known to be harmless"))
    };
    let (mut at, mut placeholder) = (0, None);
    while let Some(flag) = arguments.get(at).and_then(Word::known).filter(|word| word.starts_with('-')) {
        let value = |from: usize| match flag.get(from..).filter(|rest| !rest.is_empty()) {
            Some(joined) => Some((joined, 1)),
            None => arguments.get(at + 1).and_then(Word::known).map(|next| (next, 2)),
        };
        match flag {
            "-0" | "-r" | "-t" | "-0r" | "-r0" | "--null" | "--no-run-if-empty" => at += 1,
            _ if flag.starts_with("-I") => {
                let (sign, words) =
                    value(2).filter(|(sign, _)| *sign == "{}").ok_or_else(|| unknown(flag))?;
                placeholder = Some(sign.to_owned());
                at += words;
            }
            _ if flag.starts_with("-n") || flag.starts_with("-L") || flag.starts_with("-P") => {
                let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
                let (_, words) = value(2).filter(|(text, _)| is_number(text)).ok_or_else(|| unknown(flag))?;
                at += words;
            }
            _ => return Err(unknown(flag)),
        }
    }
    Ok((at, placeholder))
}

/// Whether what a part prints are names of files that may be read.
fn lists_names(part: &Part, here: &RunsIn<'_>, stages: usize) -> Result<(), Refused> {
    let program = part.program().unwrap_or_default();
    if let Some((_, flags)) = CHOOSING.iter().find(|(name, _)| *name == program) {
        let given = options::read(program, &[flags], part.arguments(), here)?;
        return match part.reads_from.as_deref() {
            Some(source) if given.operands.is_empty() && stages > 0 => lists_names(source, here, stages - 1),
            _ => Err(not_clear()),
        };
    }
    match program {
        "find" => found(part, here),
        "rg" => {
            read_only::judge(part, here).unwrap_or_else(|| Err(not_clear()))?;
            let given = options::read("rg", &[RG], part.arguments(), here)?;
            let is_listing = given.has(&["--files"]);
            let has_pattern = is_listing || given.has(&["-e"]);
            let files = after_pattern(&given, has_pattern);
            if !is_listing && !given.has(&["-l", "--files-with-matches"]) {
                return Err(not_clear());
            }
            read_only::takes_in(&given, files, here).and_then(|()| here.has_plain_names(files))
        }
        "grep" => {
            read_only::judge(part, here).unwrap_or_else(|| Err(not_clear()))?;
            let given = options::read("grep", &[GREP], part.arguments(), here)?;
            let files = after_pattern(&given, given.has(&["-e"]));
            if !given.has(&["-l", "--files-with-matches"]) {
                return Err(not_clear());
            }
            here.may_search(files, TakesIn::Everything).and_then(|()| here.has_plain_names(files))
        }
        "git" => match part.arguments().split_first() {
            Some((command, paths)) if command.known() == Some("ls-files") => {
                let paths: Vec<&Word> = paths.iter().filter(|word| word.known() != Some("-z")).collect();
                if paths.iter().any(|word| {
                    word.known().is_none_or(|path| path.starts_with(['-', ':']) || path.contains('*'))
                }) {
                    return Err(not_clear());
                }
                here.may_search(&paths, TakesIn::Everything).and_then(|()| here.has_plain_names(&paths))
            }
            _ => Err(not_clear()),
        },
        _ => Err(not_clear()),
    }
}

fn after_pattern<'g, 'w>(given: &'g Given<'w>, has_pattern: bool) -> &'g [&'w Word] {
    given.operands.get(usize::from(!has_pattern)..).unwrap_or_default()
}

/// `find src -name '*.rs'`: tests that all have to hold, and printing at the end at most. One of them may be that the name
/// ends like a source file; otherwise there must be no secret where it looks.
fn found(part: &Part, here: &RunsIn<'_>) -> Result<(), Refused> {
    const UNCLEAR: &[&str] =
        &["-o", "-or", ",", "(", ")", "-printf", "-ls", "-L", "-follow", "-prune", "-quit"];
    read_only::judge(part, here).unwrap_or_else(|| Err(not_clear()))?;
    let texts: Option<Vec<&str>> = part.arguments().iter().map(Word::known).collect();
    let texts = texts.ok_or_else(not_clear)?;
    let prints = |text: &&str| matches!(*text, "-print" | "-print0");
    let is_early = texts.iter().rev().skip(1).any(prints);
    if is_early || texts.iter().any(|text| UNCLEAR.contains(text)) {
        return Err(not_clear());
    }
    let count = texts.iter().take_while(|text| !text.starts_with('-') && **text != "!").count();
    let starts: Vec<&Word> = part.arguments().iter().take(count).collect();
    here.has_plain_names(&starts)?;
    let mut named = None;
    for (at, text) in texts.iter().enumerate().skip(count) {
        let before = at.checked_sub(1).and_then(|before| texts.get(before)).copied().unwrap_or_default();
        let is_without = matches!(before, "!" | "-not");
        if matches!(*text, "-name" | "-iname") && !is_without {
            named = named.or_else(|| texts.get(at + 1).and_then(|glob| read_only::endings(glob)));
        }
    }
    match named {
        Some(endings) => here.may_search(&starts, TakesIn::Endings(&endings)),
        None => here.may_search(&starts, TakesIn::Everything),
    }
}
