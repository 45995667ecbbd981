//! A short text that is the same for the same failure, run after run.
//!
//! Left out is what changes by itself: times, durations, addresses, process ids, temporary paths, line numbers.

use super::report::{Problem, Report};

/// The offset and the prime of 64-bit FNV-1a, which is stable and fits in a few lines.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;
/// Digits from which a number is taken for an id, a time or an address.
const LONG_DIGITS: usize = 5;

/// Sixteen hexadecimal digits.
pub(super) fn of(report: &Report) -> String {
    let mut parts: Vec<String> = report.problems.iter().map(part).collect();
    parts.sort();
    parts.dedup();
    let subkind = report.subkind.map_or("", super::Subkind::name);
    let text = format!("{}\n{subkind}\n{}\n{}", report.kind.name(), report.total, parts.join("\n"));
    let hash = text.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("{hash:016x}")
}

fn part(problem: &Problem) -> String {
    let file =
        problem.place.as_ref().map_or("", |place| place.path.rsplit('/').next().unwrap_or(&place.path));
    format!("{}\t{file}\t{}", steady(&problem.name), steady(&problem.message))
}

/// A text without what changes from run to run.
fn steady(text: &str) -> String {
    text.split_whitespace().map(steady_word).collect::<Vec<_>>().join(" ")
}

fn steady_word(word: &str) -> String {
    let bare = word.trim_matches(|sign: char| "()[]{}<>'\"`,;:".contains(sign));
    let has_digit = bare.bytes().any(|byte| byte.is_ascii_digit());
    if !has_digit {
        return word.to_owned();
    }
    if bare.contains('/') || bare.contains('\\') {
        return steady_path(bare);
    }
    if is_duration(bare) || is_time(bare) {
        return "#".to_owned();
    }
    without_ids(word)
}

/// A path by its last part, since its folders may be temporary; a line and a column after it are left out.
fn steady_path(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let is_temporary = path.contains("/tmp") || path.contains("/var/folders/") || path.contains("\\Temp\\");
    let name = name.split(':').next().unwrap_or(name);
    if is_temporary {
        without_ids(&name.replace(|sign: char| sign.is_ascii_digit(), "#"))
    } else {
        without_ids(name)
    }
}

fn is_duration(word: &str) -> bool {
    let number = word.trim_end_matches(|sign: char| sign.is_alphabetic());
    let unit = word.get(number.len()..).unwrap_or_default();
    let is_unit = matches!(unit, "s" | "ms" | "us" | "µs" | "ns" | "m" | "min" | "sec" | "secs" | "seconds");
    is_unit
        && !number.is_empty()
        && number.chars().all(|sign| sign.is_ascii_digit() || sign == '.' || sign == ',')
}

/// `12:30:05`, `2024-05-01`, `2024-05-01T12:30:05Z`.
fn is_time(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let signs = word.chars().filter(|sign| matches!(sign, ':' | '-')).count();
    let is_plain = word.chars().all(|sign| sign.is_ascii_digit() || ":-.TZ+".contains(sign));
    is_plain && digits >= 4 && signs >= 2
}

/// Hexadecimal addresses and long numbers are replaced.
fn without_ids(text: &str) -> String {
    let mut steady = String::with_capacity(text.len());
    let mut run = String::new();
    for sign in text.chars().chain(std::iter::once(' ')) {
        if sign.is_ascii_hexdigit() || sign == 'x' && run == "0" {
            run.push(sign);
            continue;
        }
        let digits = run.bytes().filter(u8::is_ascii_digit).count();
        let is_id = run.starts_with("0x") || digits >= LONG_DIGITS;
        steady.push_str(if is_id { "#" } else { &run });
        run.clear();
        steady.push(sign);
    }
    steady.truncate(steady.trim_end().len());
    steady
}
