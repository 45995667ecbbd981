//! Programs that ended with a traceback, a panic or an uncaught exception, in any language.

mod native;

use super::log::Log;
use super::programs::{self, Program, Purpose};
use super::report::{Problem, Report, assertion};
use super::{Assertion, End, Kind, Place, Stage, Subkind, places, shell};
use crate::task::traces::{frame, traces};

/// What was raised, and where.
struct Raised {
    error: String,
    place: Option<Place>,
    assertion: Option<Assertion>,
    subkind: Option<Subkind>,
}

pub(super) fn report(log: &Log<'_>, programs: &[Program], end: End) -> Option<Report> {
    let raised = native::sanitizer(log)
        .or_else(|| native::c_assertion(log))
        .or_else(|| panic(log))
        .or_else(|| go(log))
        .or_else(|| python(log))
        .or_else(|| sorry(log))
        .or_else(|| native::cpp(log))
        .or_else(|| uncaught(log))
        .or_else(|| script(log))
        .or_else(|| told(log, programs))?;
    let message = raised.error.as_str();
    if is_no_script(log, message) {
        return Some(Report::tooling(Some(Subkind::Usage), "", message));
    }
    let tooling = environment(message);
    let is_syntax = syntax(message).is_some();
    let kind = match (tooling, programs::purpose(programs)) {
        (Some(_), _) => Kind::ToolingError,
        (None, Purpose::Test) => Kind::TestFailure,
        (None, Purpose::Lint | Purpose::Build) if is_syntax => Kind::LintFailure,
        _ => Kind::RuntimeError,
    };
    let signal = shell::signal(end).map(|_| Subkind::Signal);
    let subkind = tooling.or(raised.subkind).or(syntax(message)).or(signal).or(asserted(message));
    let stage = match subkind {
        Some(Subkind::Compile) => Stage::Compile,
        _ if kind == Kind::ToolingError => Stage::Setup,
        _ => Stage::Run,
    };
    let problem = Problem::new("", raised.place, message).with(raised.assertion);
    Some(Report::of_one(kind, subkind, stage, problem))
}

/// `node nothing.js`: the file to run is not there, and nothing required it.
fn is_no_script(log: &Log<'_>, message: &str) -> bool {
    message.contains("Cannot find module '/") && log.contains("requireStack: []")
}

/// What `py_compile` says: `Sorry: TabError: … (tabs.py, line 3)`.
fn sorry(log: &Log<'_>) -> Option<Raised> {
    let error = log.lines.iter().find_map(|line| line.strip_prefix("Sorry: "))?;
    let at = error.rsplit_once('(').and_then(|(_, at)| at.trim_end_matches(')').split_once(", line "));
    let place = at.and_then(|(path, line)| places::place(path, line.parse().ok()?));
    Some(Raised { error: error.to_owned(), place, assertion: None, subkind: None })
}

fn asserted(message: &str) -> Option<Subkind> {
    message.starts_with("AssertionError").then_some(Subkind::Assertion)
}

fn syntax(message: &str) -> Option<Subkind> {
    if message.contains("does not provide an export named") {
        return Some(Subkind::Import);
    }
    // What is not JSON is data.
    if message.contains(" JSON") {
        return None;
    }
    let class = message.split(':').next().unwrap_or(message);
    let is_named = ["SyntaxError", "IndentationError", "TabError", "ParseError", "Parse error"]
        .iter()
        .any(|name| class.ends_with(name));
    let is_syntax = is_named || message.starts_with("syntax error");
    is_syntax.then_some(Subkind::Compile)
}

/// What is wrong with the machine rather than with the program.
fn environment(message: &str) -> Option<Subkind> {
    let has = |signs: &[&str]| signs.iter().any(|sign| message.contains(sign));
    if has(&["ddress already in use", "EADDRINUSE"]) {
        return Some(Subkind::Port);
    }
    if has(&["No space left on device", "ENOSPC"]) {
        return Some(Subkind::Disk);
    }
    has(&["PermissionError", "EACCES", "Permission denied", "EPERM"]).then_some(Subkind::Permission)
}

/// The lines after a place, bounded.
fn after<'a, 'b>(log: &'b Log<'a>, at: usize) -> &'b [&'a str] {
    log.between(at, at + 400)
}

fn python(log: &Log<'_>) -> Option<Raised> {
    let at =
        log.lines.iter().rposition(|line| line.trim_start().starts_with("Traceback (most recent call last)"));
    let at = at.or_else(|| log.position(|line| line.starts_with("  File \"") && line.contains(", line ")))?;
    let lines = after(log, at);
    let error = lines.iter().skip(1).find(|line| {
        !line.starts_with([' ', '\t']) && !line.trim().is_empty() && frame::is_exception(line.trim())
    })?;
    let told = assertion_in(error);
    Some(Raised {
        error: error.trim().to_owned(),
        place: places::innermost(lines),
        assertion: told,
        subkind: error.starts_with("AssertionError").then_some(Subkind::Assertion),
    })
}

/// `AssertionError: 4 != 5`.
fn assertion_in(error: &str) -> Option<Assertion> {
    let message = error.strip_prefix("AssertionError: ")?;
    let (actual, expected) = message.split_once(" != ").or_else(|| message.split_once(" !== "))?;
    assertion(expected, actual)
}

fn panic(log: &Log<'_>) -> Option<Raised> {
    let at =
        log.position(|line| line.trim_start().starts_with("thread '") && line.contains("panicked at "))?;
    let lines = after(log, at);
    let (panicked, message) = frame::panicked(lines.first()?.trim())?;
    let next = lines.iter().skip(1).find(|line| !line.trim().is_empty()).map(|line| line.trim());
    let error = message.or(next).unwrap_or("panicked");
    let value = |label: &str| lines.iter().take(12).find_map(|line| line.trim().strip_prefix(label));
    let told = value("left: ").zip(value("right: ")).and_then(|(left, right)| assertion(right, left));
    let place = places::place(&panicked.path, panicked.line).or_else(|| places::innermost(lines));
    Some(Raised {
        error: format!("panicked: {error}"),
        place,
        assertion: told,
        subkind: Some(Subkind::Panic),
    })
}

fn go(log: &Log<'_>) -> Option<Raised> {
    let is_start = |line: &str| line.starts_with("panic: ") || line.starts_with("fatal error: ");
    let at = log.position(|line| is_start(line))?;
    let lines = after(log, at);
    let has_routine = lines.iter().take(12).any(|line| line.starts_with("goroutine "));
    if !has_routine {
        return None;
    }
    // The innermost frame of the first goroutine.
    let end = lines.iter().position(|line| line.starts_with("created by ")).unwrap_or(lines.len());
    let place = places::innermost(lines.get(..end).unwrap_or(lines));
    let error = lines.first()?.trim_end_matches(" [recovered]").to_owned();
    Some(Raised { error, place, assertion: None, subkind: Some(Subkind::Panic) })
}

/// Node, Java, C#, Ruby and PHP: an error with frames below it.
fn uncaught(log: &Log<'_>) -> Option<Raised> {
    let mut traces = traces(&log.lines);
    // A shell that speaks of itself has no file.
    traces.frames.retain(|frame| frame.path.contains(['.', '/']));
    let has_own_form =
        ["Uncaught", "UnhandledPromiseRejection", "Node.js v", "PHP Fatal error:", "Fatal error: Uncaught"]
            .iter()
            .any(|start| log.has(start))
            || log.lines.iter().any(|line| is_ruby(line));
    if traces.frames.is_empty() && !has_own_form {
        return None;
    }
    let error = error_line(log).or(traces.error)?;
    let place = node_place(log)
        .or_else(|| traces.frames.iter().rev().find_map(|frame| places::place(&frame.path, frame.line)));
    let is_bash = error.ends_with("command not found");
    let subkind = if is_bash { Some(Subkind::MissingTool) } else { None };
    Some(Raised { error, place, assertion: None, subkind })
}

/// The first line that is an error, in the words of Node, Java, C# or Ruby.
fn error_line(log: &Log<'_>) -> Option<String> {
    for (at, line) in log.lines.iter().enumerate() {
        let text = line.trim();
        if let Some(rest) = text.strip_prefix("Uncaught:") {
            let next = log.lines.get(at + 1).map(|line| line.trim()).unwrap_or_default();
            return Some(format!("Uncaught {}", if rest.trim().is_empty() { next } else { rest.trim() }));
        }
        if let Some((_, reason)) = text.split_once("The promise rejected with the reason ") {
            return Some(format!("UnhandledPromiseRejection: {}", reason.trim_end_matches([']', '.'])));
        }
        if let Some((_, message)) = text.split_once("': ").filter(|_| is_ruby(text)) {
            return Some(message.to_owned());
        }
        if let Some((_, error)) = text.split_once("Uncaught ").filter(|_| text.contains("Fatal error:")) {
            return Some(error.rsplit_once(" in ").map_or(error, |(error, _)| error).to_owned());
        }
        let text = without_code(text);
        let error = frame::error_above(&text);
        let is_error = error.is_some_and(|error| {
            let name = error.split([':', ' ']).next().unwrap_or("");
            name.ends_with("Error") || name.ends_with("Exception")
        });
        if is_error && !line.starts_with("    ") {
            return error.map(str::to_owned);
        }
    }
    thrown(log).or_else(|| traces(&log.lines).error.filter(|message| !message.starts_with("error")))
}

/// ``cart.rb:3:in `last': undefined method (NoMethodError)``.
fn is_ruby(line: &str) -> bool {
    line.contains(":in ") && line.contains("': ") && line.ends_with("Error)")
}

/// `Error [ERR_MODULE_NOT_FOUND]: …` is `Error: …`.
fn without_code(text: &str) -> String {
    match text.split_once(" [").and_then(|(name, rest)| Some((name, rest.split_once("]: ")?.1))) {
        Some((name, rest)) if name.ends_with("Error") && !name.contains(' ') => format!("{name}: {rest}"),
        _ => text.to_owned(),
    }
}

/// What Node prints of a value that is no error, between the caret and its own name.
fn thrown(log: &Log<'_>) -> Option<String> {
    let end = log.position(|line| line.starts_with("Node.js v"))?;
    let line = log.between(0, end).iter().rev().find(|line| !line.trim().is_empty())?;
    Some(format!("Uncaught {}", line.trim()))
}

/// Node prints the place of a syntax error above it, alone on its line.
fn node_place(log: &Log<'_>) -> Option<Place> {
    let has_caret = |at: usize| log.between(at, at + 4).iter().any(|line| line.trim_start().starts_with('^'));
    let at = (0..log.lines.len().min(60)).find(|at| {
        log.lines.get(*at).is_some_and(|line| places::parsed(line).is_some() && !line.starts_with(' '))
            && has_caret(*at)
    })?;
    places::parsed(log.lines.get(at)?)
}

/// `./deploy.sh: line 12: message`, `cart.rb:3: syntax error`, `PHP Parse error: …`.
fn script(log: &Log<'_>) -> Option<Raised> {
    for line in log.lines.iter().rev().take(200) {
        let text = line.trim();
        let found = frame::shell(text)
            .map(|(frame, message)| (places::place(&frame.path, frame.line), message.to_owned()))
            .filter(|(place, _)| place.as_ref().is_some_and(|place| place.path.contains(['.', '/'])))
            .or_else(|| {
                frame::php_error(text)
                    .map(|(frame, message)| (places::place(&frame.path, frame.line), message.to_owned()))
            })
            .or_else(|| {
                let (at, message) = text
                    .split_once(": syntax error")
                    .map(|(at, rest)| (at, format!("syntax error{rest}")))?;
                Some((places::parsed(at), message))
            });
        if let Some((place, message)) = found {
            let is_missing = message.ends_with("command not found");
            let is_syntax = text.contains("Parse error") || message.contains("syntax error");
            let subkind = match () {
                () if is_missing => Some(Subkind::MissingTool),
                () if is_syntax => Some(Subkind::Compile),
                () => None,
            };
            return Some(Raised { error: message, place, assertion: None, subkind });
        }
    }
    None
}

/// `Error: …` as a program that was run prints it last: Rust's `main`, Go's `log.Fatal`.
fn told(log: &Log<'_>, programs: &[Program]) -> Option<Raised> {
    let is_compiled =
        programs.iter().any(|program| program.purpose == Purpose::Run && program.tool.is_some());
    if !is_compiled {
        return None;
    }
    let is_end = |line: &str| line.starts_with("exit status ") || line.trim().is_empty();
    let line = log.lines.iter().rev().find(|line| !is_end(line))?;
    let error = line.trim();
    // Go's log begins with the date and the time.
    let error = match error.splitn(3, ' ').collect::<Vec<_>>().as_slice() {
        [date, time, rest] if date.matches('/').count() == 2 && time.matches(':').count() == 2 => rest,
        _ => error,
    };
    let is_error = error.starts_with("Error: ") || log.has("exit status ");
    is_error.then(|| Raised { error: error.to_owned(), place: None, assertion: None, subkind: None })
}
