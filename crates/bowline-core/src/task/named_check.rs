//! The check that a message names: "python3 tests.py fails", "run `cargo test`".
//!
//! Only a command that is plainly a check counts: a known test runner, linter or build tool, or an interpreter with a file whose
//! name marks it as a check. Nothing in a fence, in an indented block, behind a prompt or in a negated sentence counts.

use crate::policy::project_checks::{is_check, is_check_stem};

/// Tools that do nothing but check.
const ALONE: [&str; 19] = [
    "pytest",
    "py.test",
    "tox",
    "nox",
    "jest",
    "vitest",
    "mocha",
    "ctest",
    "rspec",
    "phpunit",
    "eslint",
    "tsc",
    "mypy",
    "flake8",
    "pylint",
    "pyright",
    "ava",
    "vendor/bin/phpunit",
    "./vendor/bin/phpunit",
];
/// Tools with the words behind them that make them checks.
const WITH: [(&str, &[&str]); 16] = [
    ("cargo", &["test", "check", "clippy", "build", "nextest"]),
    ("go", &["test", "vet", "build"]),
    ("npm", &["test", "t"]),
    ("pnpm", &["test", "t"]),
    ("yarn", &["test"]),
    ("bun", &["test"]),
    ("deno", &["test", "check", "lint"]),
    ("mvn", &["test", "verify", "compile"]),
    ("./mvnw", &["test", "verify", "compile"]),
    ("gradle", &["test", "check", "build"]),
    ("./gradlew", &["test", "check", "build"]),
    ("dotnet", &["test", "build"]),
    ("ruff", &["check"]),
    ("rake", &["test", "spec"]),
    ("composer", &["test"]),
    ("node", &["--test"]),
];
/// Tools that start what stands behind them by its name.
const RUNNERS: [&str; 7] = ["make", "just", "npm run", "pnpm run", "yarn run", "bun run", "npm run-script"];
/// Words before another command.
const PREFIXES: [&str; 5] = ["npx", "bundle exec", "poetry run", "uv run", "pipenv run"];
const INTERPRETERS: [&str; 9] = ["python", "python3", "node", "ruby", "php", "sh", "bash", "deno run", "bun"];
const MODULES: [&str; 7] = ["pytest", "unittest", "mypy", "flake8", "pylint", "tox", "nox"];
/// Words that forbid, or speak of something that is not to be run.
const NEGATED: [&str; 12] = [
    "don't", "dont", "not", "never", "without", "no", "avoid", "skip", "nobody", "cannot", "stop", "instead",
];
/// Signs that make a command more than one command.
const OPERATORS: [char; 10] = [';', '|', '&', '$', '`', '>', '<', '(', ')', '\n'];
/// What a single word has to be followed by, or stand behind, to be a command outside backticks.
const SAYS: [&str; 12] = [
    "fails",
    "fail",
    "failed",
    "passes",
    "is",
    "says",
    "reports",
    "complains",
    "crashes",
    "shows",
    "prints",
    "gives",
];
const RUNS: [&str; 6] = ["run", "running", "runs", "via", "using", "rerun"];
/// Words that a command can need before it is known to be a check: `bundle exec rake test`.
const HEAD_WORDS_MAX: usize = 4;
/// "Do not run the tests": what is forbidden, of what, and how far that may be apart.
const FORBIDDEN: [&str; 5] = ["run", "running", "execute", "executing", "start"];
const CHECKS: [&str; 9] =
    ["test", "tests", "suite", "check", "checks", "pytest", "unittest", "jest", "vitest"];
const RUN_WORDS_MAX: usize = 5;
/// A message is looked at as far as this. Characters.
const CHARS_MAX: usize = 4_000;

/// The first command of a typed message that is plainly a check, as it stands there.
pub fn named_check(text: &str) -> Option<String> {
    let mut is_fence = false;
    let end = text.char_indices().nth(CHARS_MAX).map_or(text.len(), |(at, _)| at);
    for line in text.get(..end).unwrap_or_default().lines() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            is_fence = !is_fence;
            continue;
        }
        let is_pasted =
            line.starts_with("    ") || line.starts_with('\t') || line.starts_with(['$', '>', '#']);
        if is_fence || is_pasted {
            continue;
        }
        // A negation in front of a clause holds for the clauses behind it, up to the end of the sentence.
        let mut is_negated_before = false;
        for (clause, is_last) in sentences(line) {
            if !is_negated_before && let Some(command) = in_sentence(clause) {
                return Some(command);
            }
            is_negated_before = !is_last && (is_negated_before || is_negated(clause));
        }
    }
    None
}

/// A line's clauses, each with whether it ends a sentence. A full stop inside a word or in backticks ends none. What stands in
/// parentheses is a clause of its own: "the tests are in test.js (node test.js)".
fn sentences(line: &str) -> Vec<(&str, bool)> {
    let mut sentences = Vec::new();
    let (mut from, mut is_quoted, mut is_aside) = (0, false, false);
    let mut signs = line.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        if sign == '`' {
            is_quoted = !is_quoted;
        }
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let is_opening = sign == '(' && !is_aside && before.is_none_or(char::is_whitespace);
        let is_bracket = is_opening || sign == ')' && is_aside;
        if is_bracket && !is_quoted {
            sentences.push((line.get(from..at).unwrap_or_default(), false));
            from = at + sign.len_utf8();
            is_aside = sign == '(';
            continue;
        }
        let is_dots = sign == '.' && line.get(..at).is_some_and(|before| before.ends_with(['.', '/']));
        let is_end = matches!(sign, '.' | '!' | '?' | ';' | ':' | ',') && !is_dots;
        let is_last = signs.peek().is_none_or(|(_, next)| next.is_whitespace());
        if is_end && is_last && !is_quoted {
            sentences.push((line.get(from..at).unwrap_or_default(), !matches!(sign, ',' | ':')));
            from = at + sign.len_utf8();
        }
    }
    sentences.push((line.get(from..).unwrap_or_default(), true));
    sentences
}

fn is_negated(clause: &str) -> bool {
    words(clause)
        .any(|word| NEGATED.contains(&word.as_str()) || word.ends_with("n't") || word.ends_with("n\u{2019}t"))
}

/// The words of a text in lower case, without the punctuation around them.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let plain = |word: &str| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(plain)
}

/// Whether a message forbids to run the tests: "never run the tests", "do it without running pytest".
pub fn forbids_check(text: &str) -> bool {
    let end = text.char_indices().nth(CHARS_MAX).map_or(text.len(), |(at, _)| at);
    let typed = text.get(..end).unwrap_or_default();
    typed.split(['.', '!', '?', ';', '\n']).filter(|sentence| is_negated(sentence)).any(|sentence| {
        let all: Vec<String> = words(sentence).collect();
        let run = all.iter().position(|word| FORBIDDEN.contains(&word.as_str()));
        let rest = run.and_then(|run| all.get(run + 1..)).unwrap_or_default();
        let is_before = run.is_some_and(|run| is_negated(&all.get(..run).unwrap_or_default().join(" ")));
        is_before && rest.iter().take(RUN_WORDS_MAX).any(|word| CHECKS.contains(&word.as_str()))
    })
}

fn in_sentence(sentence: &str) -> Option<String> {
    if is_negated(sentence) {
        return None;
    }
    let quoted =
        sentence.split('`').skip(1).step_by(2).map(|text| text.strip_prefix("$ ").unwrap_or(text).trim());
    quoted.into_iter().find(|command| is_command(command)).map(str::to_owned).or_else(|| bare(sentence))
}

/// A command that stands in the sentence without backticks: its first words, and what looks like arguments behind them.
fn bare(sentence: &str) -> Option<String> {
    if sentence.contains('`') {
        return None;
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let looks_like_argument =
        |word: &&&str| word.starts_with('-') || word.contains(['/', '.', '=']) || word.contains("::");
    for at in 0..words.len() {
        for length in 1..=HEAD_WORDS_MAX {
            let Some(head) = words.get(at..at + length) else { continue };
            let command = head.join(" ");
            if !is_command(&command) {
                continue;
            }
            let rest = words.get(at + length..).unwrap_or_default();
            let arguments: Vec<&str> = rest.iter().take_while(looks_like_argument).copied().collect();
            let next = rest.get(arguments.len()).map(|word| word.to_lowercase());
            let before = at.checked_sub(1).and_then(|at| words.get(at)).map(|word| word.to_lowercase());
            let is_said = next.is_some_and(|word| SAYS.contains(&word.as_str()))
                || before.is_some_and(|word| RUNS.contains(&word.as_str()));
            if length == 1 && arguments.is_empty() && !is_said {
                break;
            }
            let whole = std::iter::once(command.as_str()).chain(arguments).collect::<Vec<_>>().join(" ");
            return is_command(&whole).then_some(whole);
        }
    }
    None
}

/// Whether a text is one command, or several in a row, that plainly check something.
fn is_command(text: &str) -> bool {
    !text.is_empty() && text.split(" && ").all(|part| !part.contains(OPERATORS) && is_one_check(part.trim()))
}

fn is_one_check(command: &str) -> bool {
    let command =
        PREFIXES.iter().find_map(|prefix| command.strip_prefix(prefix)?.strip_prefix(' ')).unwrap_or(command);
    let mut words = command.split_whitespace();
    let (Some(first), second) = (words.next(), words.next()) else { return false };
    let is_with = WITH
        .iter()
        .any(|(tool, verbs)| *tool == first && second.is_some_and(|second| verbs.contains(&second)));
    let started = RUNNERS.iter().find_map(|runner| command.strip_prefix(runner)?.strip_prefix(' '));
    let is_started = started.is_some_and(|rest| rest.split_whitespace().next().is_some_and(is_check));
    let run = INTERPRETERS.iter().find_map(|one| command.strip_prefix(one)?.strip_prefix(' '));
    let is_run = run.is_some_and(|rest| {
        let mut words = rest.split_whitespace();
        match words.next() {
            Some("-m") => words.next().is_some_and(|module| MODULES.contains(&module)),
            Some(file) => is_check_file(file),
            None => false,
        }
    });
    let is_script = first.starts_with("./") && is_check_file(first);
    ALONE.contains(&first) || is_with || is_started || is_run || is_script
}

/// Whether a file's name marks it as a check: `tests.py`, `test_cart.py`, `cart.test.js`, `check.sh`.
fn is_check_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let (stem, end) = name.rsplit_once('.').unwrap_or((&name, ""));
    let is_marked = is_check_stem(stem);
    let is_program = matches!(end, "" | "py" | "js" | "mjs" | "cjs" | "ts" | "rb" | "php" | "sh" | "bash");
    is_marked && is_program && !path.starts_with('-')
}
