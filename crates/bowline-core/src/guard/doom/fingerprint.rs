//! Fingerprints of calls: canonical forms of the call and its result, so that repetitions compare as equal.

use serde_json::Value;

use crate::item::ItemKind;
use crate::tools;

/// A call and its result in canonical form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFingerprint {
    /// Tool and canonical arguments.
    pub call: String,
    /// The same with digits masked, except in paths and search patterns: equal for calls that differ only in digits.
    pub family: String,
    /// The family, but of a command that ended with 0 only numbers that stand alone are masked: `python make.py file1` and
    /// `python make.py file2` may have done two different things, while `echo 1` and `echo 2` are the same.
    pub near: String,
    /// The result, masked.
    pub result: String,
    /// The numbers in the arguments whose digits are masked.
    own_numbers: Vec<String>,
    /// The result with all digits masked but the counts of tests.
    pub stall_result: String,
    pub kind: Kind,
    /// Whether it only lets time pass, or lets time pass before it does something.
    pub is_pause: bool,
    /// Whether it wrote bytes.
    pub is_change: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Other,
    /// A command that ended with 0.
    Green {
        is_slow: bool,
    },
    /// One that did not.
    Red {
        is_slow: bool,
    },
}

impl Kind {
    pub fn is_command(self) -> bool {
        self != Kind::Other
    }

    pub fn is_slow(self) -> bool {
        matches!(self, Kind::Green { is_slow: true } | Kind::Red { is_slow: true })
    }
}

/// A call as it ended.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub tool: &'a str,
    pub arguments: &'a Value,
    pub result: &'a str,
    pub exit_code: Option<i64>,
    pub duration_ms: i64,
    pub is_change: bool,
}

/// A command of this length that is repeated is waiting for something.
const SLOW_MS: i64 = 5_000;
/// Arguments that say *where* and *what*: other digits there are another place.
const PLACES: [&str; 3] = ["path", "pattern", "glob"];
/// Commands that do nothing.
const NOTHING: [&str; 2] = ["true", ":"];
const PAUSE: &str = "sleep";

impl CallFingerprint {
    pub fn of(seen: &Seen<'_>, work_tree: &str) -> CallFingerprint {
        let is_slow = seen.duration_ms >= SLOW_MS;
        let kind = match (tools::kind(seen.tool), seen.exit_code) {
            (ItemKind::Command, Some(0)) => Kind::Green { is_slow },
            (ItemKind::Command, _) => Kind::Red { is_slow },
            _ => Kind::Other,
        };
        let code = seen.exit_code.map_or(String::new(), |code| format!(" exit {code}"));
        let result = masked(seen.result) + &code;
        let form = |digits| format!("{} {}", seen.tool, canonical(seen.arguments, work_tree, digits));
        let is_green = matches!(kind, Kind::Green { .. });
        let command = seen.arguments.get("command").and_then(Value::as_str).unwrap_or_default();
        CallFingerprint {
            call: form(Digits::Kept),
            family: form(Digits::Masked),
            near: form(if is_green { Digits::LoneMasked } else { Digits::Masked }),
            own_numbers: own_numbers(seen.arguments),
            stall_result: without_digits(&result),
            result,
            kind,
            is_pause: kind.is_command() && is_pause(command),
            is_change: seen.is_change,
        }
    }

    /// Whether two results are the same but for numbers that are in the arguments of their own calls.
    pub(super) fn has_near_result(&self, other: &CallFingerprint) -> bool {
        let (left, right) = (runs(&self.result), runs(&other.result));
        let is_own = |call: &CallFingerprint, run: &str| call.own_numbers.iter().any(|number| number == run);
        let is_same =
            |(left, right): (&&str, &&str)| left == right || (is_own(self, left) && is_own(other, right));
        left.len() == right.len() && left.iter().zip(&right).all(is_same)
    }
}

/// A command's canonical form before it is run.
pub(crate) fn call_of(tool: &str, arguments: &Value, work_tree: &str) -> String {
    format!("{tool} {}", canonical(arguments, work_tree, Digits::Kept))
}

#[derive(Clone, Copy, PartialEq)]
enum Digits {
    Kept,
    Masked,
    /// Of commands only numbers that stand alone.
    LoneMasked,
}

/// Keys sorted, blanks folded, paths relative. How long a command sleeps does not make it another one.
fn canonical(arguments: &Value, work_tree: &str, digits: Digits) -> String {
    let Some(fields) = arguments.as_object() else { return arguments.to_string() };
    let mut sorted: Vec<_> = fields.iter().filter(|(_, value)| !value.is_null()).collect();
    sorted.sort_by_key(|(key, _)| key.as_str());
    let field = |(key, value): (&String, &Value)| {
        let text = match value {
            Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
            other => other.to_string(),
        };
        let text = match key.as_str() {
            "path" => relative(&text, work_tree),
            "command" => without_pauses(&text),
            _ => text,
        };
        let text = match digits {
            _ if PLACES.contains(&key.as_str()) => text,
            Digits::Kept => text,
            Digits::LoneMasked if key == "command" => lone_numbers_masked(&text),
            Digits::Masked | Digits::LoneMasked => digits_masked(&text),
        };
        format!("{key}={text}")
    };
    sorted.into_iter().map(field).collect::<Vec<_>>().join("\u{1f}")
}

/// Numbers in arguments whose digits are masked.
fn own_numbers(arguments: &Value) -> Vec<String> {
    let fields = arguments.as_object().into_iter().flatten();
    let texts = fields.filter(|(key, _)| !PLACES.contains(&key.as_str())).map(|(_, value)| value.to_string());
    texts
        .flat_map(|text| runs(&text).into_iter().filter(is_number).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

fn is_number(run: &&str) -> bool {
    run.starts_with(|c: char| c.is_ascii_digit())
}

/// A text in pieces that are all digits or have none.
fn runs(text: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        runs.push(run);
        rest = after;
    }
    runs
}

/// Whether a command lets time pass.
fn is_pause(command: &str) -> bool {
    NOTHING.contains(&command.trim()) || command.split(|c: char| !is_of_word(c)).any(|word| word == PAUSE)
}

/// Times to sleep, masked: `sleep 2; curl localhost`.
fn without_pauses(command: &str) -> String {
    let mut text = String::new();
    let mut rest = command;
    while let Some(at) = rest.find(PAUSE) {
        let (before, from) = rest.split_at(at + PAUSE.len());
        text.push_str(before);
        let is_word = !before.trim_end_matches(PAUSE).ends_with(is_of_word);
        let number = from.trim_start_matches([' ', '(']);
        let after = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let is_timed = is_word && number.len() < from.len() && after.len() < number.len();
        if is_timed {
            text.push_str(" #");
        }
        rest = if is_timed { after } else { from };
    }
    text + rest
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Numbers masked that are no part of a name.
fn lone_numbers_masked(text: &str) -> String {
    const BEFORE: [char; 7] = [' ', '=', ':', ',', '(', '"', '\''];
    const AFTER: [char; 7] = [' ', ';', ':', ',', ')', '"', '\''];
    let mut masked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        masked.push_str(before);
        let end = from.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        // A port is followed by a path.
        let is_port = masked.ends_with(':') && after.starts_with('/');
        let is_lone = (masked.is_empty() || masked.ends_with(BEFORE))
            && (after.is_empty() || after.starts_with(AFTER) || is_port);
        masked.push_str(if is_lone { "#" } else { number });
        rest = after;
    }
    masked + rest
}

fn relative(path: &str, work_tree: &str) -> String {
    let inside = path.strip_prefix(work_tree).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path);
    inside.trim_start_matches("./").trim_end_matches('/').to_owned()
}

fn digits_masked(text: &str) -> String {
    let mut masked = String::new();
    for c in text.chars() {
        if !c.is_ascii_digit() {
            masked.push(c);
        } else if !masked.ends_with('#') {
            masked.push('#');
        }
    }
    masked
}

/// Words that stand behind a number which is progress when it changes.
const COUNTED: [&str; 8] =
    ["passed", "failed", "failing", "errors", "error", "failures", "tests", "warnings"];

fn without_digits(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_counted = |at: usize| {
        let next =
            words.get(at + 1).map(|word| word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase());
        next.is_some_and(|next| COUNTED.contains(&next.as_str()))
    };
    let word =
        |(at, word): (usize, &&str)| if is_counted(at) { (*word).to_owned() } else { digits_masked(word) };
    words.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// Times, durations, addresses and temporary paths, which differ from run to run.
fn masked(text: &str) -> String {
    let mut words = Vec::new();
    let mut rest = text.split(' ').peekable();
    while let Some(word) = rest.next() {
        let is_number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || c == '.');
        let has_unit =
            rest.peek().is_some_and(|next| is_unit(next.trim_end_matches(|c: char| !c.is_alphabetic())));
        if is_number && has_unit {
            rest.next();
        }
        let is_masked = is_fleeting(word) || (is_number && has_unit);
        words.push(if is_masked {
            "#".to_owned()
        } else {
            word.lines().map(line_masked).collect::<Vec<_>>().join("\n")
        });
    }
    words.join(" ")
}

/// A piece of a line that stands at its beginning or end, next to a line break.
fn line_masked(piece: &str) -> String {
    if is_fleeting(piece) { "#".to_owned() } else { piece.to_owned() }
}

fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "s" | "ms" | "us" | "µs" | "ns" | "sec" | "secs" | "second" | "seconds" | "min" | "minutes"
    )
}

fn is_fleeting(word: &str) -> bool {
    let core = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
    let has_digit = core.contains(|c: char| c.is_ascii_digit());
    let number_end = core.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(core.len());
    let (number, unit) = core.split_at_checked(number_end).unwrap_or((core, ""));
    let is_duration = !number.is_empty() && is_unit(unit);
    let is_time = has_digit && core.matches(':').count() >= 2 && !core.contains(char::is_alphabetic);
    let is_date =
        has_digit && core.matches('-').count() >= 2 && core.chars().take(4).all(|c| c.is_ascii_digit());
    let is_address = core.starts_with("0x") && core.len() > 5;
    let is_temporary = core.starts_with("/tmp/") || core.starts_with("/var/folders/");
    is_duration || is_time || is_date || is_address || is_temporary
}
