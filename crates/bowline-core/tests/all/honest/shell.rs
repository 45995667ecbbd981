//! The commands of an honest session: a small test suite whose failures change as the code does, and servers that come up
//! after a few tries.
//!
//! What always holds: a failing command says the same at most six times, since whoever sees it so often does something
//! else then.

use std::collections::HashMap;
use std::fmt::Write as _;

use bowline_core::outcome::Outcome;
use bowline_core::tool_output::ToolOutput;

use crate::sim::random::Random;

pub(super) const TESTS: [&str; 8] = [
    "config::empty",
    "config::merge",
    "parse::number",
    "parse::string",
    "parse::nested",
    "render::table",
    "render::width",
    "store::reopen",
];
const WORDS: [&str; 12] = [
    "left", "right", "missing", "twice", "empty", "closed", "early", "late", "wide", "narrow", "first",
    "last",
];
/// Equal failures after which a developer is sure to try something else.
const EQUAL_MAX: usize = 4;

pub(super) struct Shell {
    /// The tests that fail, and in which words.
    broken: HashMap<usize, [usize; 2]>,
    /// By command: what it said last, and how often in a row.
    said: HashMap<String, (String, usize)>,
    /// By command: how many more tries fail.
    coming_up: HashMap<String, usize>,
}

impl Shell {
    pub(super) fn new(random: &mut Random) -> Shell {
        let mut shell = Shell { broken: HashMap::new(), said: HashMap::new(), coming_up: HashMap::new() };
        for _ in 0..random.between(1, 4) {
            shell.break_one(random);
        }
        shell
    }

    fn break_one(&mut self, random: &mut Random) {
        let words = [random.below(WORDS.len()), random.below(WORDS.len())];
        self.broken.insert(random.below(TESTS.len()), words);
    }

    /// The code changed: mostly so that the tests say something else.
    pub(super) fn changed(&mut self, random: &mut Random) {
        let is_stuck = self.said.values().any(|(_, times)| *times >= EQUAL_MAX);
        let mut tests: Vec<usize> = self.broken.keys().copied().collect();
        tests.sort_unstable();
        if is_stuck {
            tests.into_iter().for_each(|test| self.reword(test, random));
            return;
        }
        match (random.below(8), tests.first()) {
            (0 | 1, _) => {}
            (2..=4, Some(test)) => {
                self.broken.remove(test);
            }
            (5, _) => self.break_one(random),
            (_, Some(_)) => {
                let test = *random.pick(&tests);
                self.reword(test, random);
            }
            (_, None) => {}
        }
    }

    fn reword(&mut self, test: usize, random: &mut Random) {
        if let Some([first, second]) = self.broken.get_mut(&test) {
            *first = (*first + 1 + random.below(WORDS.len() - 1)) % WORDS.len();
            *second = random.below(WORDS.len());
        }
    }

    /// Whether a command that fails may be tried once more as it is.
    pub(super) fn may_repeat(&self, command: &str) -> bool {
        self.said.get(command).is_none_or(|(_, times)| *times < EQUAL_MAX)
    }

    /// A server will answer this command at the try after so many.
    pub(super) fn start_server(&mut self, command: &str, tries: usize) {
        self.coming_up.insert(command.to_owned(), tries);
    }

    pub(super) fn is_up(&self, command: &str) -> bool {
        self.coming_up.get(command).is_none_or(|tries| *tries == 0)
    }

    /// Runs a command; how long it takes is said in its output too.
    pub(super) fn run(&mut self, command: &str, ms: i64) -> ToolOutput {
        let (code, text) = self.output(command, ms);
        let said = self.said.entry(command.to_owned()).or_default();
        if code == 0 {
            *said = (String::new(), 0);
        } else if without_times(&said.0) == without_times(&text) {
            said.1 += 1;
        } else {
            *said = (text.clone(), 1);
        }
        assert!(said.1 <= 6, "not honest: {command} failed in the same way {} times", said.1);
        let outcome = match code {
            0 => Outcome::Success,
            127 => Outcome::ExecError,
            _ => Outcome::NoResult,
        };
        ToolOutput { exit_code: Some(code), ..ToolOutput::new(outcome, format!("{text}exit code {code}")) }
    }

    fn output(&mut self, command: &str, ms: i64) -> (i64, String) {
        if let Some(tries) = self.coming_up.get_mut(command) {
            let is_up = *tries == 0;
            *tries = tries.saturating_sub(1);
            return if is_up {
                (0, "{\"status\":\"ok\"}\n".to_owned())
            } else {
                (7, "curl: connection refused\n".to_owned())
            };
        }
        match command.split(' ').collect::<Vec<_>>().as_slice() {
            ["cargo", "test", filter @ ..] => self.tests(filter.first().copied().unwrap_or_default(), ms),
            ["cargo", "build"] => (0, format!("Finished dev in {}.{:02}s\n", ms / 1000, ms % 1000 / 10)),
            ["pytest", file] => {
                // Each of them fails for a reason of its own.
                let number = file
                    .bytes()
                    .filter(u8::is_ascii_digit)
                    .fold(0, |number, digit| number * 10 + usize::from(digit - b'0'));
                let (first, second) = (number % WORDS.len(), number / WORDS.len() % WORDS.len());
                (1, format!("{file}: {} where {} is due\n", WORDS[first], WORDS[second]))
            }
            ["curl", "-sf", address] => (7, format!("curl: (7) no answer from {address} after {ms} ms\n")),
            ["sleep", _] => (0, String::new()),
            ["git", "status"] => (0, format!("{} tests fail\n", self.broken.len())),
            _ => (127, format!("sh: {command}: not found\n")),
        }
    }

    fn tests(&self, filter: &str, ms: i64) -> (i64, String) {
        let mut text = String::new();
        let (mut passed, mut failed) = (0, 0);
        for (at, name) in TESTS.iter().enumerate().filter(|(_, name)| name.contains(filter)) {
            match self.broken.get(&at) {
                None => passed += 1,
                Some([first, second]) => {
                    failed += 1;
                    let (first, second) = (WORDS[*first], WORDS[*second]);
                    let _ =
                        writeln!(text, "{name} FAILED at line {}: {first} where {second} is due", ms % 90);
                }
            }
        }
        let _ = writeln!(
            text,
            "{passed} passed; {failed} failed; finished in {}.{:02}s",
            ms / 1000,
            ms % 1000 / 10
        );
        (i64::from(failed > 0), text)
    }
}

/// Times and places differ from run to run: the same failure all the same.
fn without_times(text: &str) -> String {
    text.lines()
        .map(|line| line.split(" at line ").next().unwrap_or(line).to_owned() + words_of(line))
        .collect()
}

fn words_of(line: &str) -> &str {
    match line.split_once(": ") {
        Some((_, words)) => words,
        None => line.split("; finished").next().unwrap_or(line),
    }
}
