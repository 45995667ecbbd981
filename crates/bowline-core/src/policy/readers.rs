//! Programs that under no flag write, start a program or reach the network, and the flags that take that away.
//!
//! What is not in this table is asked about. A program gets a line only after its manual has been read for every flag
//! that writes a file, runs a command or opens a connection. Long flags may be shortened, as GNU programs allow, and
//! short ones may stand together: both are looked through.

use super::command::{Part, Word};
use super::ground::{Here, Refused};

/// What the arguments without a dash are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Words, whatever they are.
    Words,
    Files,
    /// A pattern first, unless a flag brings it.
    PatternThenFiles,
    /// One file at most: the second would be written.
    OneFile,
}

struct Reader {
    names: &'static [&'static str],
    takes: Takes,
    /// Letters of short flags that take the allow away.
    letters: &'static str,
    /// And long ones.
    longs: &'static [&'static str],
}

const fn reader(
    names: &'static [&'static str],
    takes: Takes,
    letters: &'static str,
    longs: &'static [&'static str],
) -> Reader {
    Reader { names, takes, letters, longs }
}

const READERS: &[Reader] = &[
    reader(
        &[
            "echo", "true", "false", ":", "pwd", "seq", "sleep", "basename", "dirname", "expr", "uname",
            "whoami", "id", "nproc", "arch", "printenv", "which", "type", "exit", "return", "break",
            "continue", "shift", "wait", "set", "uptime", "free", "ps", "lscpu", "locale", "getconf", "tr",
            "times", "groups", "tty",
        ],
        Takes::Words,
        "",
        &[],
    ),
    reader(&["date"], Takes::Words, "sf", &["--set", "--file"]),
    reader(
        &[
            "cat",
            "head",
            "tail",
            "nl",
            "tac",
            "rev",
            "cut",
            "paste",
            "comm",
            "join",
            "fold",
            "expand",
            "unexpand",
            "fmt",
            "pr",
            "od",
            "hexdump",
            "strings",
            "cmp",
            "stat",
            "ls",
            "df",
            "readlink",
            "realpath",
            "md5sum",
            "sha1sum",
            "sha256sum",
            "sha512sum",
            "cksum",
            "b2sum",
            "base64",
            "tsort",
        ],
        Takes::Files,
        "",
        &[],
    ),
    reader(&["wc"], Takes::Files, "", &["--files0-from"]),
    reader(&["du"], Takes::Files, "X", &["--files0-from", "--exclude-from"]),
    reader(&["diff"], Takes::Files, "l", &["--paginate", "--from-file", "--to-file"]),
    reader(&["file"], Takes::Files, "Cmfz", &["--compile", "--magic-file", "--files-from", "--uncompress"]),
    reader(&["tree"], Takes::Files, "oR", &["--fromfile", "--output"]),
    reader(
        &["sort"],
        Takes::Files,
        "oTS",
        &["--output", "--compress-program", "--temporary-directory", "--files0-from"],
    ),
    reader(&["shuf"], Takes::OneFile, "o", &["--output", "--random-source"]),
    reader(&["uniq"], Takes::OneFile, "", &[]),
    reader(&["jq"], Takes::PatternThenFiles, "fL", &["--from-file", "--slurpfile", "--rawfile", "--argfile"]),
    reader(&["grep", "egrep", "fgrep"], Takes::PatternThenFiles, "f", &["--file"]),
    reader(
        &["rg"],
        Takes::PatternThenFiles,
        "fzuL.",
        &[
            "--hidden",
            "--no-ignore",
            "--unrestricted",
            "--follow",
            "--file",
            "--pre",
            "--pre-glob",
            "--hostname-bin",
            "--search-zip",
            "--ignore-file",
        ],
    ),
    reader(
        &["fd", "fdfind"],
        Takes::PatternThenFiles,
        "xXlC",
        &["--exec", "--exec-batch", "--list-details", "--base-directory", "--search-path", "--ignore-file"],
    ),
];

/// Flags of `find` that only look. Everything else with a dash is asked about: `-exec`, `-delete`, `-fprint`, `-ok` …
const FIND: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-xtype",
    "-maxdepth",
    "-mindepth",
    "-size",
    "-mtime",
    "-mmin",
    "-ctime",
    "-cmin",
    "-atime",
    "-amin",
    "-newer",
    "-empty",
    "-not",
    "-a",
    "-o",
    "-and",
    "-or",
    "-print",
    "-print0",
    "-printf",
    "-prune",
    "-perm",
    "-user",
    "-group",
    "-links",
    "-depth",
    "-mount",
    "-xdev",
    "-follow",
    "-L",
    "-H",
    "-P",
    "-ls",
    "-true",
    "-false",
    "-readable",
    "-writable",
    "-executable",
    "-samefile",
    "-inum",
    "-daystart",
    "-quit",
];

/// Flags whose value is the next word. A flag that only seems to have one would hide a path.
const GREP_VALUED: &[&str] = &["-A", "-B", "-C", "-m", "-d", "-D", "--include", "--exclude", "--exclude-dir"];
const RG_VALUED: &[&str] = &["-A", "-B", "-C", "-m", "-g", "-t", "-T", "-M", "-j", "--glob", "--type"];

/// Whether the part only reads, and reads nothing it should not. `None`: the program is not in the table.
pub(super) fn judge(part: &Part, here: &Here<'_>) -> Option<Result<(), Refused>> {
    let program = part.program()?;
    match program {
        "find" => return Some(find(part, here)),
        "printf" => return Some(printf(part)),
        "[" | "test" => return Some(test(part)),
        _ => {}
    }
    let reader = READERS.iter().find(|reader| reader.names.contains(&program))?;
    Some(read(reader, program, part.arguments(), here))
}

fn read(reader: &Reader, program: &str, arguments: &[Word], here: &Here<'_>) -> Result<(), Refused> {
    let brings_pattern = |word: &Word| {
        word.known().is_some_and(|flag| {
            is_short(flag) && flag.contains(['e', 'f']) && program != "jq"
                || flag == "-e"
                || flag.starts_with("--reg")
                || flag.starts_with("--fil")
        })
    };
    let mut skips =
        usize::from(reader.takes == Takes::PatternThenFiles && !arguments.iter().any(brings_pattern));
    let (mut flags_end, mut files, mut flag_before) = (false, 0, None);
    for word in arguments {
        if flag_before.take().is_some_and(|flag| is_value(program, flag, word)) {
            continue;
        }
        if let Some(flag) = word.known().filter(|text| !flags_end && text.len() > 1 && text.starts_with('-'))
        {
            flags_end = flag == "--" && reader.takes != Takes::Words;
            check_flag(reader, program, flag, here)?;
            flag_before = Some(flag);
            continue;
        }
        if reader.takes == Takes::Words {
            if !reader.letters.is_empty() && word.known().is_none() {
                return Err(Refused::dynamic(word));
            }
            continue;
        }
        if skips > 0 && word.known().is_some() {
            skips -= 1;
            continue;
        }
        files += 1;
        if files > 1 && reader.takes == Takes::OneFile {
            return Err(Refused::ask(format!("{program} writes its second file")));
        }
        here.may_read(word)?;
    }
    if matches!(program, "grep" | "egrep" | "fgrep") && arguments.iter().any(is_recursive) {
        here.may_search(arguments, 1)?;
    }
    if program == "diff" && arguments.iter().any(is_recursive) {
        here.may_search(arguments, 0)?;
    }
    Ok(())
}

/// Whether a word is the value of the flag before it. Where a number is due, another word is none: to some programs such
/// a flag has no value, and the word would be a path.
fn is_value(program: &str, flag: &str, word: &Word) -> bool {
    let valued = match program {
        "grep" | "egrep" | "fgrep" => GREP_VALUED,
        "rg" => RG_VALUED,
        _ => return false,
    };
    let is_number = matches!(flag, "-A" | "-B" | "-C" | "-m" | "-M" | "-j");
    let fits = |value: &str| !is_number || value.chars().all(|c| c.is_ascii_digit());
    valued.contains(&flag) && word.known().is_some_and(fits)
}

fn is_short(flag: &str) -> bool {
    flag.len() > 1 && flag.starts_with('-') && !flag.starts_with("--")
}

fn is_recursive(word: &Word) -> bool {
    word.known().is_some_and(|flag| {
        is_short(flag) && flag.contains(['r', 'R'])
            || flag.starts_with("--rec")
            || flag.starts_with("--deref")
    })
}

fn check_flag(reader: &Reader, program: &str, flag: &str, here: &Here<'_>) -> Result<(), Refused> {
    let taken = || Refused::ask(format!("{program} {flag} may do more than read"));
    if let Some(long) = flag.strip_prefix("--").filter(|long| !long.is_empty()) {
        let name = long.split('=').next().unwrap_or_default();
        if reader.longs.iter().any(|bad| bad.get(2..).unwrap_or_default().starts_with(name)) {
            return Err(taken());
        }
        if let Some((_, value)) = long.split_once('=')
            && reader.takes != Takes::Words
            && is_far(value)
        {
            here.may_read(&Word::Known(value.to_owned()))?;
        }
        return Ok(());
    }
    if is_short(flag) && flag.contains(|letter| reader.letters.contains(letter)) {
        return Err(taken());
    }
    if reader.takes == Takes::Files && flag.contains('/') {
        return Err(taken());
    }
    Ok(())
}

/// Whether a flag's value looks like a path that leaves the folder.
fn is_far(value: &str) -> bool {
    value.starts_with(['/', '~']) || value.contains("..")
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

fn find(part: &Part, here: &Here<'_>) -> Result<(), Refused> {
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
            if !is_number && !FIND.contains(&text) {
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
