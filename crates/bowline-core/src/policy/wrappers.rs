//! Programs that only start another program (`timeout`, `env`, `nice`): the rules judge the program that is started.

use super::command::{Assignment, Part, Word};

/// What a part really runs.
pub(super) enum Inner {
    /// It starts nothing else.
    None,
    /// The part it starts.
    Part(Part),
    /// It starts something, and its own flags are not understood.
    Unclear,
}

pub(super) fn unwrap(part: &Part) -> Inner {
    let skipped = match part.program() {
        Some("timeout") => timeout(part.arguments()),
        Some("builtin") => Some(0),
        Some("time" | "nohup" | "exec") => Some(count_flags(part.arguments(), &["-p"])),
        Some("command") => match part.arguments().first().and_then(Word::known) {
            Some("-v" | "-V") => return Inner::None,
            _ => Some(count_flags(part.arguments(), &["-p"])),
        },
        Some("nice") => nice(part.arguments()),
        Some("env") => return env(part),
        _ => return Inner::None,
    };
    match skipped {
        Some(skipped) => started(part, skipped, Vec::new()),
        None => Inner::Unclear,
    }
}

/// Whether it starts a `cd`. Some of these programs are the shell's own, so that the folder of what follows is another one.
pub(super) fn enters(part: &Part) -> Option<Part> {
    match unwrap(part) {
        Inner::Part(inner) if inner.program() == Some("cd") => Some(inner),
        Inner::Part(inner) if !inner.words.is_empty() => enters(&inner),
        _ => None,
    }
}

fn started(part: &Part, skipped: usize, mut more: Vec<Assignment>) -> Inner {
    let words: Vec<Word> = part.arguments().iter().skip(skipped).cloned().collect();
    let is_flag = words.first().and_then(Word::known).is_some_and(|word| word.starts_with('-'));
    if is_flag {
        return Inner::Unclear;
    }
    let mut assignments = part.assignments.clone();
    assignments.append(&mut more);
    // The redirects are judged with the part they stand at.
    Inner::Part(Part { assignments, words, redirects: Vec::new(), ..part.clone() })
}

fn count_flags(arguments: &[Word], flags: &[&str]) -> usize {
    let is_flag = |word: &&Word| word.known().is_some_and(|word| flags.contains(&word));
    arguments.iter().take_while(is_flag).count()
}

/// `timeout [-k 5] [-s TERM] 60 program`: flags, their values, the time.
fn timeout(arguments: &[Word]) -> Option<usize> {
    let mut at = 0;
    loop {
        match arguments.get(at).and_then(Word::known)? {
            "-k" | "-s" | "--kill-after" | "--signal" => {
                arguments.get(at + 1).and_then(Word::known)?;
                at += 2;
            }
            "-v" | "--foreground" | "--preserve-status" | "--verbose" => at += 1,
            flag if flag.starts_with("--kill-after=") || flag.starts_with("--signal=") => at += 1,
            time => {
                let number = time.trim_end_matches(['s', 'm', 'h', 'd']);
                let is_time = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.');
                return is_time.then_some(at + 1);
            }
        }
    }
}

fn nice(arguments: &[Word]) -> Option<usize> {
    match arguments.first().and_then(Word::known) {
        Some("-n") => arguments.get(1).and_then(Word::known).map(|_| 2),
        Some(flag) if flag.starts_with('-') => None,
        _ => Some(0),
    }
}

/// `env A=1 B=2 program`. Alone it prints the environment, as `printenv` does.
fn env(part: &Part) -> Inner {
    let mut set = Vec::new();
    let arguments = part.arguments();
    for word in arguments {
        match word.known().and_then(|word| word.split_once('=')) {
            Some((name, value)) if !name.starts_with('-') => {
                set.push(Assignment { name: name.to_owned(), value: Word::Known(value.to_owned()) });
            }
            _ => break,
        }
    }
    let skipped = set.len();
    if skipped == arguments.len() {
        return Inner::Part(Part { words: vec![Word::Known("printenv".to_owned())], ..Part::default() });
    }
    started(part, skipped, set)
}
