//! Runs `tests/cases/failure/TOOL/*.case`: what real tools printed, and how the failure is named. A case is a line of
//! description and sections that open with `=== name`:
//!
//! - `command`;
//! - `exit`: the exit code, `signal N` or `timeout`;
//! - `stdout` and `stderr`, where there are any. `␛` stands for an escape, `␍` for a carriage return;
//! - `expected`: what comes of it, which `UPDATE_EXPECT=1` rewrites.

use bowline_core::failure::{self, Counts, End, Failure, Outcome, Run};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Other lines may begin with `===` too, as those of pytest and go do.
const SECTIONS: &[&str] = &["command", "exit", "stdout", "stderr", "expected"];

struct Case {
    command: String,
    end: End,
    stdout: String,
    stderr: String,
}

fn case(source: &str) -> Case {
    let mut case =
        Case { command: String::new(), end: End::Exit(0), stdout: String::new(), stderr: String::new() };
    let mut section = "";
    for line in source.lines() {
        let named = line.strip_prefix("=== ").filter(|name| SECTIONS.contains(name));
        if let Some(name) = named {
            section = name;
            continue;
        }
        let line = line.replace('␛', "\u{1b}").replace('␍', "\r") + "\n";
        match section {
            "command" => case.command.push_str(&line),
            "exit" => case.end = end(line.trim()),
            "stdout" => case.stdout.push_str(&line),
            "stderr" => case.stderr.push_str(&line),
            _ => {}
        }
    }
    case
}

fn end(text: &str) -> End {
    match text.strip_prefix("signal ") {
        Some(signal) => End::Signal(signal.parse().unwrap()),
        None if text == "timeout" => End::Timeout,
        None => End::Exit(text.parse().unwrap()),
    }
}

fn named(case: &Case) -> String {
    let run = Run { command: &case.command, end: case.end, stdout: &case.stdout, stderr: &case.stderr };
    match failure::read(&run) {
        Outcome::Passed(counts) => {
            let counts = counts.and_then(|counts| counts.row()).unwrap_or_default();
            format!("passed {counts}").trim_end().to_owned() + "\n"
        }
        Outcome::Failed(failure) => told(&failure),
    }
}

fn told(failure: &Failure) -> String {
    let mut told = String::new();
    let subkind = failure.subkind.map_or("-", failure::Subkind::name);
    let _ = writeln!(told, "kind: {} {subkind}, {}", failure.kind.name(), failure.stage.name());
    let _ = writeln!(told, "summary: {}", failure.summary);
    if failure.row() != failure.summary {
        let _ = writeln!(told, "row: {}", failure.row());
    }
    for test in &failure.tests {
        let _ = writeln!(told, "test: {test}");
    }
    if failure.counts != Counts::default() {
        let shown = |count: Option<u32>| count.map_or("-".to_owned(), |count| count.to_string());
        let Counts { failed, passed, skipped, collected } = failure.counts;
        let _ = writeln!(
            told,
            "counts: {} failed, {} passed, {} skipped, {} collected",
            shown(failed),
            shown(passed),
            shown(skipped),
            shown(collected)
        );
    }
    if let Some(place) = &failure.place {
        let _ = writeln!(told, "place: {}:{}", place.path, place.line);
    }
    if let Some(assertion) = &failure.assertion {
        let _ = writeln!(told, "expected: {}\nactual: {}", assertion.expected, assertion.actual);
    }
    told
}

fn paths(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            paths.extend(self::paths(&path));
        } else if path.extension().is_some_and(|extension| extension == "case") {
            paths.push(path);
        }
    }
    paths.sort();
    paths
}

/// The folder of the cases, or another one that is named in the environment.
fn folder() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/failure");
    std::env::var_os("BOWLINE_FAILURE_CASES").map_or(own, PathBuf::from)
}

#[test]
fn failures_are_named() {
    let paths = paths(&folder());
    assert!(!paths.is_empty());
    let mut wrong = Vec::new();
    for path in paths {
        let source = fs::read_to_string(&path).unwrap();
        let Some((question, _)) = source.split_once("\n=== expected\n") else {
            panic!("{} has no section expected", path.display());
        };
        let answered = format!("{question}\n=== expected\n{}", named(&case(&source)));
        if answered == source {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, answered).unwrap();
        } else {
            wrong.push(format!("{}\n--- is\n{answered}--- should be\n{source}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Pieces that the parsers look for, so that random texts reach the deep ones.
const PIECES: &[&str] = &[
    "FAILED a.py::b - c\n",
    "____ b ____\n",
    "E   assert 1 == 2\n",
    "== 1 failed in 0.1s ==\n",
    "short test summary info\n",
    "test a ... FAILED\n",
    "---- a stdout ----\n",
    "thread 'a' panicked at a.rs:1:2:\n",
    "test result: FAILED. 1 passed; 2 failed\n",
    "error[E0001]: é\n",
    " --> a.rs:1:2\n",
    "--- FAIL: A (0.0s)\n",
    "FAIL\ta\t0.1s\n",
    "panic: x\n",
    "goroutine 1 [running]:\n",
    "  ● a › b\n",
    "Tests: 1 failed, 2 total\n",
    " FAIL  a > b\n",
    "RUN  v1\n",
    "not ok 1 - a\n",
    "1..2\n",
    "✖ a (1ms)\n",
    "ℹ fail 1\n",
    "  1 failing\n",
    "  1) a\n",
    "Failures:\n",
    "2 examples, 1 failure\n",
    "PHPUnit 9\n",
    "Tests: 1, Failures: 1.\n",
    "[ERROR] a.java:[1,2] b\n",
    "Tests run: 1, Failures: 1\n",
    "a.ts(1,2): error TS1: b\n",
    "  1:2  error  a  b\n",
    "a.c:1:2: error: b\n",
    "Traceback (most recent call last):\n",
    "  File \"a.py\", line 1, in b\n",
    "KeyError: 'a'\n",
    "    at a (b.js:1:2)\n",
    "a: command not found\n",
    "\u{1b}[31m",
    "\r",
    "é",
    "…",
    ": ",
    "'",
    "(",
    "/tmp/a1 12.5s 0x7ffe ",
    "\n",
];
const COMMANDS: &[&str] = &[
    "pytest",
    "cargo test",
    "make test | tail",
    "sh -c 'npm test' || true",
    "timeout 3 x",
    "",
    "'\"",
    "go test",
];

proptest! {
    #[test]
    fn any_output_has_a_name(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60),
        command in proptest::sample::select(COMMANDS),
        code in 0..140_i32,
    ) {
        let text = pieces.concat();
        let run = Run { command, end: End::Exit(code), stdout: &text, stderr: "" };
        if let Outcome::Failed(failure) = failure::read(&run) {
            prop_assert!(failure.summary.chars().count() <= failure::SUMMARY_CHARS_MAX);
            prop_assert!(!failure.summary.contains('\n'));
            prop_assert!(!failure.summary.is_empty());
            prop_assert!(failure.tests.len() <= failure::TESTS_MAX);
        }
    }

    #[test]
    fn any_text_has_a_name(text in "(?s).{0,400}", command in "(?s).{0,80}") {
        named(&Case { command, end: End::Exit(1), stdout: text, stderr: String::new() });
    }
}

/// An output of a mebibyte takes no longer in relation to its length than a short one; a quadratic rule would take hours.
#[test]
fn long_outputs_are_read_in_linear_time() {
    for piece in PIECES {
        let text = piece.repeat(1024 * 1024 / piece.len());
        for command in COMMANDS {
            named(&Case {
                command: (*command).to_owned(),
                end: End::Exit(1),
                stdout: text.clone(),
                stderr: String::new(),
            });
        }
    }
}

/// What changes by itself does not change the fingerprint; another failure does.
#[test]
fn the_fingerprint_is_steady() {
    let fingerprint = |text: &str| {
        let run = Run { command: "pytest", end: End::Exit(1), stdout: text, stderr: "" };
        match failure::read(&run) {
            Outcome::Failed(failure) => failure.fingerprint,
            Outcome::Passed(_) => panic!("it failed"),
        }
    };
    let text = |what: &str, time: &str| {
        format!("=== short test summary info ===\nFAILED a.py::b - {what}\n=== 1 failed in {time} ===\n")
    };
    let first = fingerprint(&text("OSError: /tmp/pytest-12/a.txt at 0x7f2285f76750 after 1.23s", "0.12s"));
    assert_eq!(
        first,
        fingerprint(&text("OSError: /tmp/pytest-13/a.txt at 0x7f1111f76750 after 4.56s", "9.12s"))
    );
    assert_ne!(first, fingerprint(&text("OSError: no such file", "0.12s")));
    assert_ne!(fingerprint(&text("assert 1 == 2", "1s")), fingerprint(&text("assert 1 == 3", "1s")));
}
