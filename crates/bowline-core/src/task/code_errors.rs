//! What a compiler or an interpreter says about one line of code, cut out of an output: the message, the line, what is wrong with
//! it, and what the tool suggests.
//!
//! A failed assertion is none of these: what is wrong then is somewhere in what the test called.

use super::traces::compiler::is_headline;
use super::{Frame, Location, Severity};

/// An error with the line of code that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeError {
    pub path: String,
    pub line: u32,
    /// As the tool prints it, in a few lines.
    pub text: String,
    pub source: ErrorSource,
}

/// Who found an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorSource {
    Compiler,
    /// The program ran, and ended with an exception.
    Program,
}

const ERRORS_MAX: usize = 20;
/// Lines of one error.
const LINES_MAX: usize = 8;
/// Lines below an error that may suggest something.
const HELP_LINES_MAX: usize = 24;
const LINE_CHARS_MAX: usize = 200;
/// How an assertion that failed reads, in lower case.
const ASSERTIONS: [&str; 6] = ["assert", "expected", "left == right", "left: ", "right: ", "!=="];

/// The errors of an output: those of compilers, and the last exception of an interpreter.
pub(super) fn code_errors(
    text: &str,
    locations: &[Location],
    frames: &[Frame],
    error: Option<&str>,
) -> Vec<CodeError> {
    let lines: Vec<&str> = text.lines().collect();
    let of_compiler = locations.iter().filter(|at| at.severity == Severity::Error).take(ERRORS_MAX);
    let mut errors: Vec<CodeError> = Vec::new();
    let mut from = 0;
    for at in of_compiler {
        let Some(found) = find(&lines, from, at) else { continue };
        from = found + 1;
        errors.push(CodeError {
            path: at.path.clone(),
            line: at.line,
            text: block(&lines, found),
            source: ErrorSource::Compiler,
        });
    }
    let is_assertion = |error: &str| {
        let error = error.to_lowercase();
        ASSERTIONS.iter().any(|word| error.contains(word))
    };
    let exception = error.and_then(|error| error.lines().next()).filter(|error| !is_assertion(error));
    if let (Some(error), Some(frame)) = (exception, frames.last()) {
        errors.push(CodeError {
            path: frame.path.clone(),
            line: frame.line,
            text: error.trim().to_owned(),
            source: ErrorSource::Program,
        });
    }
    errors
}

/// The line of the output that names a location, from a line on.
fn find(lines: &[&str], from: usize, at: &Location) -> Option<usize> {
    let names = [format!("{}:{}", at.path, at.line), format!("{}({}", at.path, at.line)];
    let is_it = |line: &&str| names.iter().any(|name| line.contains(name.as_str()));
    lines.iter().skip(from).position(is_it).map(|position| from + position)
}

/// The lines of an error: its headline, the place, the code with its marks, and a suggestion.
fn block(lines: &[&str], at: usize) -> String {
    let is_headed =
        at.checked_sub(1).and_then(|above| lines.get(above)).is_some_and(|line| is_headline(line.trim()));
    let first = if is_headed { at - 1 } else { at };
    let rest = || lines.iter().skip(first + 1).enumerate();
    let is_other = |(index, line): &(usize, &&str)| {
        let is_own_place = is_headed && *index == 0;
        // rustc prints the numbers of the lines in front of them, from the first column on.
        let is_code = line.trim_start_matches(|sign: char| sign.is_ascii_digit()).starts_with([' ', '\t']);
        line.trim().is_empty() || is_headline(line.trim()) || !is_own_place && !is_code
    };
    let mut kept: Vec<&str> = vec![lines.get(first).copied().unwrap_or_default()];
    kept.extend(rest().take_while(|line| !is_other(line)).map(|(_, line)| *line).take(LINES_MAX - 1));
    // A suggestion may follow behind long notes.
    let below: Vec<&str> = rest()
        .map(|(_, line)| *line)
        .take(HELP_LINES_MAX)
        .take_while(|line| !line.trim().is_empty() && !is_headline(line.trim()))
        .collect();
    let help = below.iter().position(|line| line.starts_with("help: "));
    for line in help.into_iter().flat_map(|help| below.iter().skip(help)) {
        if !kept.contains(line) {
            kept.push(line);
        }
    }
    let short = |line: &&str| line.chars().take(LINE_CHARS_MAX).collect::<String>();
    let is_frame = |line: &&&str| matches!(line.trim(), "|" | "...");
    kept.iter().filter(|line| !is_frame(line)).map(short).collect::<Vec<_>>().join("\n")
}
