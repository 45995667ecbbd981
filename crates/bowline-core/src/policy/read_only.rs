//! Programs that only read: with flags that are known, nothing of theirs writes, starts a program or reaches the network.
//!
//! What is not in the table is asked about, a program as well as a flag. A word that the shell expands is asked about where
//! it could become a flag or shift the meaning of the words after it.

mod shell_own;
mod table;

use super::command::{Part, Word};
use super::options::{self, Given};
use super::paths::{Refused, RunsIn, TakesIn};
use super::{awk, environment};
use table::{FIND, READERS, Reader, Takes};

/// Whether the part only reads, and reads nothing it should not. `None`: the program is not in the table.
pub(super) fn judge(part: &Part, here: &RunsIn<'_>) -> Option<Result<(), Refused>> {
    let program = part.program()?;
    if let Err(refused) = lists_only_here(part, here) {
        return Some(Err(refused));
    }
    match program {
        "find" => return Some(find(part, here)),
        "awk" | "gawk" | "mawk" | "nawk" => return Some(awk::judge(part, here)),
        "printf" => return Some(shell_own::printf(part)),
        "[" | "test" => return Some(shell_own::test(part)),
        "set" => return Some(shell_own::set(part)),
        "wait" => return Some(shell_own::wait(part)),
        "printenv" => return Some(environment::printenv(part)),
        "ps" => return Some(ps(part)),
        "date" => return Some(date(part, here)),
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
            if is_recursive { here.may_search(files, TakesIn::Everything) } else { Ok(()) }
        }
        "rg" => searched(&given, files, here),
        // Of two folders it compares all files, and shows a file that only one of them has with `-N`.
        "diff" => here.may_search(files, TakesIn::Everything),
        "ls" | "du" => follows_nothing(program, &given),
        "strings" => no_response_file(arguments),
        "jq" => no_module(&given),
        _ => Ok(()),
    }
}

/// A pattern shows the names of files to a program that reads none, too.
fn lists_only_here(part: &Part, here: &RunsIn<'_>) -> Result<(), Refused> {
    const PRINTING: &[&str] = &["echo", "printf", ":", "[", "test", "expr", "basename", "dirname"];
    let is_far = |word: &&Word| matches!(word, Word::Glob(pattern) if pattern.contains('/'));
    if !part.program().is_some_and(|program| PRINTING.contains(&program)) {
        return Ok(());
    }
    part.arguments().iter().filter(is_far).try_for_each(|word| here.may_read(word))
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

fn searched(given: &Given<'_>, files: &[&Word], here: &RunsIn<'_>) -> Result<(), Refused> {
    if given.has(&["--files", "--type-list"]) { Ok(()) } else { takes_in(given, files, here) }
}

/// What `rg` reads, or lists. A glob that is no exclusion also takes in hidden files: it must end like a source file, or there must be
/// no secret where it searches. So may a type that is not known to be of source files.
pub(super) fn takes_in(given: &Given<'_>, files: &[&Word], here: &RunsIn<'_>) -> Result<(), Refused> {
    const TYPES: &str = "rust py python js ts go java kotlin c cpp ruby php lua perl sh md markdown toml html css sql swift scala \
        haskell elixir make cmake proto svelte vue";
    let mut types = given.values(&["-t", "--type"]).peekable();
    let has_types = types.peek().is_some();
    let are_sources = types.all(|name| TYPES.split_ascii_whitespace().any(|known| known == name));
    if !are_sources {
        return here.may_search(files, TakesIn::Everything);
    }
    let globs: Vec<&str> =
        given.values(&["-g", "--glob", "--iglob"]).filter(|glob| !glob.starts_with('!')).collect();
    if globs.is_empty() {
        return if has_types { Ok(()) } else { here.may_search(files, TakesIn::Visible) };
    }
    match globs.iter().map(|glob| endings(glob)).collect::<Option<Vec<_>>>() {
        Some(endings) => here.may_search(files, TakesIn::Endings(&endings.concat())),
        None => here.may_search(files, TakesIn::Everything),
    }
}

/// The endings of the files a glob takes in, where all of them are those of source files.
pub(super) fn endings(glob: &str) -> Option<Vec<&str>> {
    const ENDINGS: &str = "rs py pyi js jsx mjs cjs ts tsx go java kt c h cc cpp hpp cs rb php lua pl sh bash md txt toml yaml yml \
        json html css scss sql swift vue svelte proto xml lock cfg ini tf ex exs hs ml scala dart r zig nix";
    let (_, endings) = glob.rsplit_once('.')?;
    let endings = endings.strip_prefix('{').and_then(|list| list.strip_suffix('}')).unwrap_or(endings);
    let endings: Vec<&str> = endings.split(',').collect();
    endings
        .iter()
        .all(|ending| ENDINGS.split_ascii_whitespace().any(|known| known == *ending))
        .then_some(endings)
}

/// Going through folders, it would come to other places where it follows links.
fn follows_nothing(program: &str, given: &Given<'_>) -> Result<(), Refused> {
    const FOLLOWS: &[&str] = &["-L", "--dereference"];
    let is_recursive = program == "du" || given.has(&["-R", "--recursive"]);
    if is_recursive && given.has(FOLLOWS) {
        return Err(Refused::ask(format!("{program} would follow links that lead outside the project")));
    }
    Ok(())
}

/// `@file` stands for the words in that file, also where the value of a flag stands.
fn no_response_file(arguments: &[Word]) -> Result<(), Refused> {
    let is_one = |word: &&Word| word.shown().starts_with('@') || options::may_be_flag(word);
    match arguments.iter().find(is_one) {
        Some(word) => Err(Refused::ask(format!("strings reads its words from {}", word.shown()))),
        None => Ok(()),
    }
}

/// A filter of `jq` can load other files as modules, and knows the environment.
fn no_module(given: &Given<'_>) -> Result<(), Refused> {
    let filter = given.operands.first().and_then(|word| word.known()).unwrap_or_default();
    let mut words = filter.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    match words.find(|word| matches!(*word, "import" | "include" | "modulemeta" | "env" | "ENV")) {
        Some(word @ ("env" | "ENV")) => Err(Refused::ask(format!("`{word}` of jq shows the environment"))),
        Some(word) => Err(Refused::ask(format!("`{word}` of jq reads other files"))),
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

fn find(part: &Part, here: &RunsIn<'_>) -> Result<(), Refused> {
    let (mut is_expression, mut follows) = (false, false);
    let mut starts = Vec::new();
    for word in part.arguments() {
        let text = match word {
            Word::Known(text) => text.as_str(),
            Word::Glob(_) if !is_expression && !options::may_be_flag(word) => {
                here.may_read(word)?;
                starts.push(word);
                continue;
            }
            Word::Glob(_) if !is_expression => return Err(Refused::like_flag(word)),
            Word::Glob(_) | Word::Unknown(_) => return Err(Refused::dynamic(word)),
        };
        if text.starts_with('-') && text.len() > 1 {
            let is_number = text.get(1..).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
            if !is_number && !FIND.split_ascii_whitespace().any(|known| known == text) {
                return Err(Refused::ask(format!("find {text} may do more than look")));
            }
            is_expression = !matches!(text, "-L" | "-H" | "-P") || is_expression;
            follows |= matches!(text, "-L" | "-follow");
        } else if matches!(text, "(" | ")" | "!" | ",") {
            is_expression = true;
        } else if !is_expression {
            here.may_read(word)?;
            starts.push(word);
        }
    }
    // It would list what stands behind links that lead outside.
    if follows { here.may_search(&starts, TakesIn::Everything) } else { Ok(()) }
}
