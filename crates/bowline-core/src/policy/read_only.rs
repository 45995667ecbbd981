//! Programs that only read: with flags that are known, nothing of theirs writes, starts a program or reaches the network.
//!
//! What is not in the table is asked about, a program as well as a flag. A word that the shell expands is asked about where
//! it could become a flag or shift the meaning of the words after it.

mod table;

use super::command::{Part, Word};
use super::options::{self, Given};
use super::paths::{Refused, RunsIn};
use table::{FIND, READERS, Reader, Takes};

/// Whether the part only reads, and reads nothing it should not. `None`: the program is not in the table.
pub(super) fn judge(part: &Part, here: &RunsIn<'_>) -> Option<Result<(), Refused>> {
    let program = part.program()?;
    match program {
        "find" => return Some(find(part, here)),
        "printf" => return Some(printf(part)),
        "[" | "test" => return Some(test(part)),
        "ps" => return Some(ps(part)),
        "date" => return Some(date(part, here)),
        "set" => return Some(set(part)),
        "wait" => return Some(wait(part)),
        _ => {}
    }
    let reader = READERS.iter().find(|reader| reader.names.contains(&program))?;
    Some(read(reader, program, part.arguments(), here))
}

fn read(reader: &Reader, program: &str, arguments: &[Word], here: &RunsIn<'_>) -> Result<(), Refused> {
    if reader.takes == Takes::Anything {
        return Ok(());
    }
    let given = options::read(program, &[reader.flags], arguments, here)?;
    let files = match reader.takes {
        Takes::Anything | Takes::Text => return Ok(()),
        Takes::Names => return all_known(&given.operands),
        Takes::OneFile => one_file(program, &given.operands)?,
        Takes::Files => given.operands.as_slice(),
        Takes::PatternThenFiles(bringing) if given.has(bringing) => given.operands.as_slice(),
        Takes::PatternThenFiles(_) => after_pattern(&given.operands)?,
    };
    files.iter().try_for_each(|file| here.may_read(file))?;
    match program {
        "grep" | "egrep" | "fgrep" => {
            let is_recursive = given.has(&["-r", "-R", "--recursive", "--dereference-recursive"]);
            if is_recursive { here.may_search(files) } else { Ok(()) }
        }
        "rg" => globs(&given, files, here),
        // Of two folders it compares all files, and shows a file that only one of them has with `-N`.
        "diff" => here.may_search(files),
        "strings" => no_response_file(files),
        "jq" => no_module(&given),
        _ => Ok(()),
    }
}

fn all_known(operands: &[&Word]) -> Result<(), Refused> {
    operands.iter().find(|word| word.known().is_none()).map_or(Ok(()), |word| Err(Refused::dynamic(word)))
}

fn one_file<'o, 'w>(program: &str, operands: &'o [&'w Word]) -> Result<&'o [&'w Word], Refused> {
    match operands {
        [] => Ok(operands),
        // A pattern may stand for several files.
        [word] => word.known().map(|_| operands).ok_or_else(|| Refused::dynamic(word)),
        _ => Err(Refused::ask(format!("{program} writes its second file"))),
    }
}

/// The files after the pattern. A pattern that the shell expands may become several words or none.
fn after_pattern<'o, 'w>(operands: &'o [&'w Word]) -> Result<&'o [&'w Word], Refused> {
    match operands.split_first() {
        None => Ok(operands),
        Some((pattern, files)) => pattern.known().map(|_| files).ok_or_else(|| Refused::dynamic(pattern)),
    }
}

/// A glob of `rg` that is no exclusion also takes in hidden files: it must end like a source file, or there must be no
/// secret where it searches. So may a type whose name says that it is of such files.
fn globs(given: &Given<'_>, files: &[&Word], here: &RunsIn<'_>) -> Result<(), Refused> {
    const ENDINGS: &str = "rs py pyi js jsx mjs cjs ts tsx go java kt c h cc cpp hpp cs rb php lua pl sh bash md txt toml yaml yml \
        json html css scss sql swift vue svelte proto xml lock cfg ini tf ex exs hs ml scala dart r zig nix";
    let is_narrow = |glob: &str| {
        let (_, endings) = glob.rsplit_once('.').unwrap_or_default();
        let endings = endings.strip_prefix('{').and_then(|list| list.strip_suffix('}')).unwrap_or(endings);
        endings.split(',').all(|ending| ENDINGS.split_ascii_whitespace().any(|known| known == ending))
    };
    let has_all = |name: &str| name == "all" || name.contains("env");
    let mut globs = given.values(&["-g", "--glob", "--iglob"]);
    let is_plain = globs.all(|glob| glob.starts_with('!') || is_narrow(glob))
        && !given.values(&["-t", "--type"]).any(has_all);
    if is_plain { Ok(()) } else { here.may_search(files) }
}

/// `@file` stands for the words in that file.
fn no_response_file(files: &[&Word]) -> Result<(), Refused> {
    match files.iter().find(|word| word.shown().starts_with('@')) {
        Some(word) => Err(Refused::ask(format!("strings reads its words from {}", word.shown()))),
        None => Ok(()),
    }
}

/// A filter of `jq` can load other files as modules.
fn no_module(given: &Given<'_>) -> Result<(), Refused> {
    let filter = given.operands.first().and_then(|word| word.known()).unwrap_or_default();
    let words = filter.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut loading = words.filter(|word| matches!(*word, "import" | "include" | "modulemeta"));
    match loading.next() {
        Some(word) => Err(Refused::ask(format!("`{word}` of jq reads other files"))),
        None => Ok(()),
    }
}

/// `-v` sets a variable, to some shells.
fn printf(part: &Part) -> Result<(), Refused> {
    match part.arguments().first() {
        Some(word @ (Word::Unknown(_) | Word::Glob(_))) => Err(Refused::dynamic(word)),
        Some(Word::Known(word)) if word.starts_with('-') && word != "--" => {
            Err(Refused::ask(format!("printf {word} may set a variable")))
        }
        _ => Ok(()),
    }
}

/// Some shells look into a variable's name for commands.
fn test(part: &Part) -> Result<(), Refused> {
    let is_odd = |word: &&str| word.contains("$(") || word.contains('`');
    match part.arguments().iter().filter_map(Word::known).find(is_odd) {
        Some(word) => Err(Refused::ask(format!("`{word}` may be looked into for commands"))),
        None => Ok(()),
    }
}

/// `ps` reads letters without a dash as flags, too, and one of them shows the environment of every process.
fn ps(part: &Part) -> Result<(), Refused> {
    const FLAGS: &str = "-e -f -ef -F -eF -A -a -l -el -efl -w -ww -efw -efww -x -ax -axf -aux -auxw -auxww aux auxw auxww \
        auxf ax axu axuf axf x ux u a --forest --no-headers --headers --version";
    const FIELDS: &str = "pid ppid pgid sid tid user uid group gid comm cmd args command stat state s time etime etimes lstart start \
        rss vsz size pcpu pmem %cpu %mem cpu tty tt nice ni pri nlwp psr";
    let is_field = |field: &str| {
        let name = field.strip_prefix(['+', '-']).unwrap_or(field);
        let name = name.split('=').next().unwrap_or_default();
        FIELDS.split_ascii_whitespace().any(|known| known == name)
    };
    let mut words = part.arguments().iter();
    while let Some(word) = words.next() {
        let text = word.known().ok_or_else(|| Refused::dynamic(word))?;
        let mut value = || words.next().and_then(Word::known).unwrap_or_default();
        let is_known = match text {
            "-o" | "-eo" | "o" | "axo" | "-axo" | "--sort" => value().split(',').all(is_field),
            "-p" | "--pid" | "--ppid" => value().split(',').all(|pid| pid.parse::<u32>().is_ok()),
            _ => match text.strip_prefix("--sort=") {
                Some(fields) => fields.split(',').all(is_field),
                None => FLAGS.split_ascii_whitespace().any(|flag| flag == text),
            },
        };
        if !is_known {
            return Err(Refused::ask(format!("ps {text} may show the environment of other programs")));
        }
    }
    Ok(())
}

/// A word without `+` would set the clock.
fn date(part: &Part, here: &RunsIn<'_>) -> Result<(), Refused> {
    const FLAGS: &str = "-uR -d: -I? -r< --utc --universal --rfc-email --date: --iso-8601? --rfc-3339: --reference< --version";
    let given = options::read("date", &[FLAGS], part.arguments(), here)?;
    match given.operands.iter().find(|word| !word.known().is_some_and(|text| text.starts_with('+'))) {
        Some(word) => Err(Refused::ask(format!("date {} may set the clock", word.shown()))),
        None => Ok(()),
    }
}

/// How the shell reacts to errors. Other settings of it (`-a`, `-k`) and its arguments can change what programs do.
fn set(part: &Part) -> Result<(), Refused> {
    let mut words = part.arguments().iter().map(Word::known);
    while let Some(word) = words.next() {
        let letters = word.and_then(|word| word.strip_prefix(['-', '+'])).unwrap_or("?");
        let takes_name = letters.ends_with('o');
        let is_known =
            !letters.is_empty() && letters.trim_end_matches('o').chars().all(|c| "efuvx".contains(c));
        let mut is_named = || {
            matches!(
                words.next().flatten(),
                Some("pipefail" | "errexit" | "nounset" | "xtrace" | "noglob" | "verbose")
            )
        };
        if !is_known || letters.contains("oo") || takes_name && !is_named() {
            return Err(Refused::ask("set may change what programs do"));
        }
    }
    Ok(())
}

/// `-p` sets a variable.
fn wait(part: &Part) -> Result<(), Refused> {
    let is_process = |word: &&Word| match word {
        Word::Known(text) => text == "-n" || text.chars().all(|c| c.is_ascii_digit() || c == '%'),
        Word::Unknown(source) => matches!(source.as_str(), "$!" | "\"$!\""),
        Word::Glob(_) => false,
    };
    match part.arguments().iter().find(|word| !is_process(word)) {
        Some(word) => Err(Refused::ask(format!("wait {} may set a variable", word.shown()))),
        None => Ok(()),
    }
}

fn find(part: &Part, here: &RunsIn<'_>) -> Result<(), Refused> {
    let mut is_expression = false;
    for word in part.arguments() {
        let text = match word {
            Word::Known(text) => text.as_str(),
            Word::Glob(_) if !is_expression => {
                here.may_read(word)?;
                continue;
            }
            // Files may be named like the flags that run programs.
            Word::Glob(_) | Word::Unknown(_) => return Err(Refused::dynamic(word)),
        };
        if text.starts_with('-') && text.len() > 1 {
            let is_number = text.get(1..).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
            if !is_number && !FIND.split_ascii_whitespace().any(|known| known == text) {
                return Err(Refused::ask(format!("find {text} may do more than look")));
            }
            is_expression = !matches!(text, "-L" | "-H" | "-P") || is_expression;
        } else if matches!(text, "(" | ")" | "!" | ",") {
            is_expression = true;
        } else if !is_expression {
            here.may_read(word)?;
        }
    }
    Ok(())
}
