//! The environment: which variables a command may show, and which it may set.
//!
//! What always holds: the value of a variable that may be a secret, or of all of them at once, is shown to nobody without
//! approval, and a variable that may change what a program does is not set without it.

use super::command::{Assignment, Part, Word};
use super::paths::Refused;

/// Variables that change how a program speaks, not what it does. All others may make it run something else.
const HARMLESS: &[&str] = &[
    "RUST_BACKTRACE",
    "RUST_LOG",
    "CI",
    "NODE_ENV",
    "FORCE_COLOR",
    "NO_COLOR",
    "CLICOLOR",
    "LC_ALL",
    "LANG",
    "TZ",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "CARGO_TERM_COLOR",
    "TERM",
    "COLUMNS",
    "LINES",
    "CARGO_INCREMENTAL",
];
/// Variables that hold no secret, beside those above.
const SHOWN: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "PWD",
    "OLDPWD",
    "SHELL",
    "HOSTNAME",
    "TMPDIR",
    "LANGUAGE",
    "PAGER",
    "EDITOR",
    "VISUAL",
    "RANDOM",
    "SECONDS",
    "LINENO",
    "UID",
    "EUID",
    "PPID",
    "OPTIND",
    "OPTARG",
    "REPLY",
    "IFS",
    "BASH_VERSION",
    "OSTYPE",
    "HOSTTYPE",
    "MACHTYPE",
    "SHLVL",
    "CARGO_HOME",
    "CARGO_TARGET_DIR",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "JAVA_HOME",
    "GOPATH",
    "GOROOT",
    "GOBIN",
    "GOFLAGS",
    "NVM_DIR",
    "NODE_PATH",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYTHONPATH",
    "PYTHONHOME",
    "LD_LIBRARY_PATH",
    "CC",
    "CXX",
    "CFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
];
/// What the name of a variable has in it that is none of the command's own.
const TELLING: &[&str] = &["key", "token", "secret", "pass", "auth", "proxy", "credential", "npm_config"];

/// Whether the value of a variable may be shown: it is one of the command's own, or known to hold no secret.
fn is_shown(name: &str) -> bool {
    let is_special = name.chars().all(|c| !c.is_ascii_alphabetic() && c != '_');
    is_special
        || is_small(name)
        || HARMLESS.contains(&name)
        || SHOWN.contains(&name)
        || name.starts_with("LC_")
}

/// A small name that nothing in the environment is likely to have.
pub(super) fn is_small(name: &str) -> bool {
    let is_small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    !name.is_empty() && name.chars().all(is_small) && !TELLING.iter().any(|word| name.contains(word))
}

/// Whether what goes into a part's words may be seen.
pub(super) fn shows(part: &Part) -> Result<(), Refused> {
    match part.expands.iter().find(|name| !is_shown(name)) {
        Some(name) => Err(Refused::ask(format!("it may show the variable {name} of the environment"))),
        None => Ok(()),
    }
}

/// `printenv PATH`; alone it shows all.
pub(super) fn printenv(part: &Part) -> Result<(), Refused> {
    let is_fine = |word: &&Word| word.known().is_some_and(|name| !name.starts_with('-') && is_shown(name));
    match part.arguments().iter().find(|word| !is_fine(word)) {
        Some(word) => {
            Err(Refused::ask(format!("it may show the variable {} of the environment", word.shown())))
        }
        None if part.arguments().is_empty() => Err(Refused::ask("it shows the whole environment")),
        None => Ok(()),
    }
}

/// An assignment that may make a program do something else, as a word. A variable with a small name that stands alone is
/// the shell's own.
pub(super) fn matters(set: &Assignment, part: &Part) -> Option<String> {
    let is_alone = part.words.is_empty();
    let is_harmless =
        HARMLESS.contains(&set.name.as_str()) && is_plain(set) || (is_alone && is_small(&set.name));
    (!is_harmless).then(|| format!("{}={}", set.name, set.value.shown()))
}

/// Locales and time zones may be read from files: a value must not lead to one of another's.
fn is_plain(set: &Assignment) -> bool {
    let is_zone = set.name == "TZ";
    set.value.known().is_some_and(|value| {
        !value.starts_with([':', '/', '.', '~']) && !value.contains("..") && (is_zone || !value.contains('/'))
    })
}

/// A variable that is exported reaches programs, whoever set it; alone it shows all.
pub(super) fn exports_are_harmless(part: &Part) -> Result<(), Refused> {
    let is_harmless = |word: &&Word| word.known().is_some_and(|name| HARMLESS.contains(&name));
    names(part, is_harmless)
}

/// For `read`, `unset` and `readonly`.
pub(super) fn names_are_small(part: &Part) -> Result<(), Refused> {
    names(part, |word| word.known().is_some_and(|name| is_small(name) || matches!(name, "-r" | "-f" | "-v")))
}

fn names(part: &Part, is_harmless: impl Fn(&&Word) -> bool) -> Result<(), Refused> {
    if part.arguments().is_empty() && matches!(part.program(), Some("export" | "readonly")) {
        return Err(Refused::ask("it shows all variables"));
    }
    let wrong = part.arguments().iter().find(|word| !is_harmless(word));
    wrong.map_or(Ok(()), |word| Err(Refused::ask(format!("{} may change what programs do", word.shown()))))
}
