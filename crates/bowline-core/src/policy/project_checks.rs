//! The project's own build, test, lint and format commands: allowed, with the flags that are known to stay in the
//! project. Which of them a project has, the host finds in its files.
//!
//! They run the project's code, which a user lets an agent work on; a flag that makes them run or write something else
//! (`--config`, `--logfile`, `-exec`, `-o`) is asked about, and so is every flag nobody looked at.

mod subfolder;
mod table;

use std::collections::BTreeSet;

use super::command::{Part, Word};
use super::options;
use super::paths::{Refused, RunsIn};
use table::{GRADLE, KNOWN, Known, MAVEN, MAVEN_GOALS};

/// The checks that were found in a project's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectChecks {
    pub kinds: BTreeSet<Kind>,
    /// Scripts of package.json, targets of the Makefile, recipes of the justfile: only those that are checks by name.
    pub scripts: BTreeSet<String>,
    pub targets: BTreeSet<String>,
    pub recipes: BTreeSet<String>,
    /// Scripts at the root that are checks by name: `test.sh`, `tests.py`.
    pub files: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Git,
    Cargo,
    Go,
    Python,
    Node,
    Make,
    Just,
    CMake,
    Gradle,
    Maven,
}

/// Words with which the name of a check begins.
const CHECKS: &[&str] = &[
    "test",
    "tests",
    "check",
    "checks",
    "lint",
    "format",
    "fmt",
    "build",
    "typecheck",
    "type-check",
    "types",
    "tsc",
    "compile",
    "verify",
    "unit",
    "spec",
    "prettier",
    "eslint",
    "clippy",
    "run-tests",
    "run_tests",
    "runtests",
    "mypy",
    "ruff",
    "coverage",
    "assemble",
    "vet",
];
/// A name with one of these in it is no check, whatever it begins with.
const NO_CHECKS: &[&str] = &[
    "deploy", "publish", "release", "push", "upload", "install", "serve", "start", "docker", "clean", "watch",
];

/// Whether a script's name says that it builds, tests, lints or formats.
pub fn is_check(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_word = |rest: &str| rest.is_empty() || rest.starts_with(['-', '_', ':', '.']);
    CHECKS.iter().any(|check| name.strip_prefix(check).is_some_and(is_word)) && !is_other(&name)
}

/// Whether a file's name, without its ending, marks it as a check: `tests`, `test_cart`, `cart_test`, `cart.test`.
pub fn is_check_stem(stem: &str) -> bool {
    let stem = stem.to_lowercase();
    const STARTS: [&str; 9] =
        ["test", "tests", "check", "checks", "spec", "verify", "run_tests", "run-tests", "runtests"];
    const ENDS: [&str; 7] = ["_test", "_tests", "_spec", ".test", ".spec", "-test", "_check"];
    let is_word = |rest: &str| rest.is_empty() || rest.starts_with(['-', '_', '.']);
    let starts = STARTS.iter().any(|start| stem.strip_prefix(start).is_some_and(is_word));
    (starts || ENDS.iter().any(|end| stem.ends_with(end))) && !is_other(&stem)
}

/// Whether a script's name says that it does something else, such as `deploy`.
pub fn is_other(name: &str) -> bool {
    let name = name.to_lowercase();
    NO_CHECKS.iter().any(|word| name.contains(word))
}

/// Whether a part of a command is one of the project's checks. `None` if it is not.
pub(super) fn judge(part: &Part, own: &ProjectChecks, here: &RunsIn<'_>) -> Option<Result<(), Refused>> {
    let program = part.program()?;
    let arguments = part.arguments();
    if let Some(judged) = subfolder::judge(program, arguments, here) {
        return Some(judged);
    }
    // Scripts were only looked at where the project begins.
    let is_script = program.contains('/')
        || matches!(program, "sh" | "bash" | "dash" | "npm" | "pnpm" | "yarn" | "make" | "just");
    if is_script && !here.is_at_root() {
        return None;
    }
    match program {
        "sh" | "bash" | "dash" => shell_script(own, arguments),
        "python" | "python3" | "ruby" if is_own_file(program, own, arguments) && here.is_at_root() => {
            Some(all_known(arguments))
        }
        "node" if is_own_file(program, own, arguments) && here.is_at_root() => Some(all_known(arguments)),
        "python" | "python3" if own.kinds.contains(&Kind::Python) => module(arguments, here),
        "npm" | "pnpm" | "yarn" if own.kinds.contains(&Kind::Node) => script(program, own, arguments, here),
        "make" if own.kinds.contains(&Kind::Make) => {
            Some(names(arguments, &own.targets, &["-j:", "-k", "-s", "-B", "-n", "--silent", "--quiet"]))
        }
        "just" if own.kinds.contains(&Kind::Just) => Some(names(arguments, &own.recipes, &[])),
        "gradle" | "./gradlew" if own.kinds.contains(&Kind::Gradle) => {
            Some(tasks(arguments, GRADLE, |task| is_check(task) || task.starts_with("compile")))
        }
        "mvn" | "./mvnw" if own.kinds.contains(&Kind::Maven) => {
            Some(tasks(arguments, MAVEN, |task| MAVEN_GOALS.contains(&task)))
        }
        _ => {
            if let Some(file) = program.strip_prefix("./")
                && own.files.contains(file)
            {
                return Some(all_known(arguments));
            }
            let known: Vec<&Known> = KNOWN
                .iter()
                .filter(|known| known.program == program && own.kinds.contains(&known.kind))
                .collect();
            fits(&known, arguments, here)
        }
    }
}

/// One of the entries of a program: by its command, or the only one.
fn fits(known: &[&Known], arguments: &[Word], here: &RunsIn<'_>) -> Option<Result<(), Refused>> {
    let first = arguments.first().and_then(Word::known);
    let by_command = |known: &&&Known| first.is_some_and(|first| known.commands.contains(&first));
    if let Some(known) = known.iter().find(by_command) {
        return Some(flags(known.flags, known.after, arguments.get(1..).unwrap_or_default(), here));
    }
    let known = known.iter().find(|known| known.commands.is_empty())?;
    Some(flags(known.flags, known.after, arguments, here))
}

/// Known flags, and paths or names that stay in the project.
fn flags(flags: &[&str], after: &[&str], arguments: &[Word], here: &RunsIn<'_>) -> Result<(), Refused> {
    let mut allowed = flags;
    let (mut is_value, mut is_after) = (false, false);
    for word in arguments {
        let Some(text) = word.known() else {
            if options::may_be_flag(word) {
                return Err(Refused::like_flag(word));
            }
            here.may_write(word)?;
            continue;
        };
        if std::mem::take(&mut is_value) {
            stays(text, here)?;
        } else if text == "--" && !is_after {
            (allowed, is_after) = (after, true);
        } else if text.starts_with('-') && text.len() > 1 {
            match flag(allowed, text) {
                Flag::Alone => {}
                Flag::With(value) => stays(value, here)?,
                Flag::Before => is_value = true,
                Flag::Unknown => {
                    return Err(Refused::ask(format!("nobody looked at what {text} may do here")));
                }
            }
        } else {
            stays(text, here)?;
        }
    }
    Ok(())
}

enum Flag<'a> {
    Alone,
    /// Its value is part of it.
    With(&'a str),
    /// Its value is the next word.
    Before,
    Unknown,
}

fn flag<'a>(allowed: &[&str], text: &'a str) -> Flag<'a> {
    if allowed.contains(&text) {
        return Flag::Alone;
    }
    for name in allowed.iter().filter_map(|name| name.strip_suffix(':')) {
        match text.strip_prefix(name) {
            Some("") => return Flag::Before,
            Some(value) if value.starts_with('=') => return Flag::With(value.get(1..).unwrap_or_default()),
            // `-j4`, `-Dwarnings`: only where no longer flag of one dash begins like it.
            Some(value) if name.len() == 2 && value.starts_with(|c: char| c.is_ascii_alphanumeric()) => {
                let is_joined = matches!(name, "-j" | "-n" | "-D" | "-W" | "-A" | "-l");
                return if is_joined { Flag::With(value) } else { Flag::Unknown };
            }
            _ => {}
        }
    }
    Flag::Unknown
}

/// A path in the project that may be written, or a name. `@file` stands for the words in that file, to many.
fn stays(text: &str, here: &RunsIn<'_>) -> Result<(), Refused> {
    if text.starts_with('@') {
        return Err(Refused::ask(format!("its words may be read from {text}")));
    }
    match here.may_write(&Word::Known(text.to_owned())) {
        // The folder a build goes to is ignored by git, and the build's own.
        Err(refused) if !refused.why.starts_with("git ignores") => Err(refused),
        _ => Ok(()),
    }
}

fn all_known(arguments: &[Word]) -> Result<(), Refused> {
    arguments
        .iter()
        .find(|word| matches!(word, Word::Unknown(_)))
        .map_or(Ok(()), |word| Err(Refused::dynamic(word)))
}

/// `sh test.sh`, and never `sh -c`.
fn shell_script(own: &ProjectChecks, arguments: &[Word]) -> Option<Result<(), Refused>> {
    let is_option = |word: &&Word| matches!(word.known(), Some("-e" | "-u" | "-x" | "-eu" | "-ex" | "-eux"));
    let skipped = arguments.iter().take_while(is_option).count();
    let file = arguments.get(skipped).and_then(Word::known)?;
    let is_own = own.files.contains(file.strip_prefix("./").unwrap_or(file));
    is_own.then(|| all_known(arguments))
}

/// `python3 tests.py`, `node test.js`: an interpreter that is given a check of the project as its program.
fn is_own_file(program: &str, own: &ProjectChecks, arguments: &[Word]) -> bool {
    let Some(file) = arguments.first().and_then(Word::known) else { return false };
    let end = file.rsplit_once('.').map_or("", |(_, end)| end);
    let is_its = match program {
        "node" => matches!(end, "js" | "mjs" | "cjs"),
        "ruby" => end == "rb",
        _ => end == "py",
    };
    is_its && own.files.contains(file.strip_prefix("./").unwrap_or(file))
}

/// `python -m pytest`, `python -m unittest`.
fn module(arguments: &[Word], here: &RunsIn<'_>) -> Option<Result<(), Refused>> {
    let [first, name, rest @ ..] = arguments else { return None };
    if first.known() != Some("-m") {
        return None;
    }
    match name.known()? {
        "unittest" => Some(flags(&["-v", "-q", "-f", "-k:", "discover"], &[], rest, here)),
        name @ ("pytest" | "mypy" | "ruff" | "black" | "flake8") => {
            let known: Vec<&Known> = KNOWN.iter().filter(|known| known.program == name).collect();
            fits(&known, rest, here)
        }
        _ => None,
    }
}

/// `npm test`, `npm run lint -- src`, `yarn build`.
fn script(
    program: &str,
    own: &ProjectChecks,
    arguments: &[Word],
    here: &RunsIn<'_>,
) -> Option<Result<(), Refused>> {
    let words: Vec<&str> = arguments.iter().map_while(Word::known).collect();
    let (name, skipped) = match words.as_slice() {
        ["run" | "run-script", name, ..] => (*name, 2),
        ["test" | "t" | "tst", ..] if program != "yarn" => ("test", 1),
        [name, ..] if program != "npm" => (*name, 1),
        _ => return None,
    };
    if !own.scripts.contains(name) {
        return None;
    }
    const PASSED: &[&str] = &[
        "--watch:",
        "--watchAll:",
        "--run",
        "--coverage",
        "--silent",
        "-s",
        "-t:",
        "--verbose",
        "--ci",
        "--fix",
        "--write",
        "--check",
    ];
    let passed = arguments.get(skipped..).unwrap_or_default();
    Some(flags(PASSED, PASSED, passed, here))
}

/// Names that were found, and flags that change nothing else.
fn names(arguments: &[Word], found: &BTreeSet<String>, allowed: &[&str]) -> Result<(), Refused> {
    let mut count = 0;
    for word in arguments {
        let text = word.known().ok_or_else(|| Refused::dynamic(word))?;
        let is_number = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        let is_flag = text.starts_with('-') && !matches!(flag(allowed, text), Flag::Unknown);
        count += usize::from(found.contains(text));
        if !is_flag && !is_number && !found.contains(text) {
            return Err(Refused::ask(format!("`{text}` is no check of this project by its name")));
        }
    }
    if count == 0 {
        return Err(Refused::ask("what it does without a name is not clear"));
    }
    Ok(())
}

/// Tasks that are checks, and flags that change nothing else.
fn tasks(arguments: &[Word], flags: &[&str], is_task: impl Fn(&str) -> bool) -> Result<(), Refused> {
    let mut count = 0;
    for word in arguments {
        let text = word.known().ok_or_else(|| Refused::dynamic(word))?;
        if flags.contains(&text) {
            continue;
        }
        // `:module:test` is the task of one module; in `plugin:goal` the plugin could be anything.
        let task = text.strip_prefix(':').and_then(|path| path.rsplit(':').next()).unwrap_or(text);
        if text.starts_with('-') || !is_task(task) {
            return Err(Refused::ask(format!("`{text}` is no check of this project by its name")));
        }
        count += 1;
    }
    if count == 0 { Err(Refused::ask("what it does without a task is not clear")) } else { Ok(()) }
}
