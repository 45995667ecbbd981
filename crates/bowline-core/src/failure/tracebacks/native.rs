//! How programs in C and C++ end: a sanitizer, an assertion, an exception that nobody caught.

use super::super::log::Log;
use super::super::{Subkind, places};
use super::{Raised, after};

pub(super) fn sanitizer(log: &Log<'_>) -> Option<Raised> {
    let is_fatal = |line: &str| {
        line.contains("ERROR: AddressSanitizer")
            || line.contains("ERROR: LeakSanitizer")
            || line.contains("WARNING: ThreadSanitizer")
    };
    let is_undefined = |line: &str| line.contains(": runtime error: ") && !line.starts_with("panic: ");
    let at = log.position(is_fatal).or_else(|| log.position(is_undefined))?;
    let line = log.lines.get(at)?;
    let marks = ["ERROR: ", "WARNING: ", ": runtime error: "];
    let (before, error) = marks.iter().find_map(|mark| line.split_once(mark))?;
    let in_frame = |line: &&&str| line.trim_start().starts_with('#');
    let of_frame = |line: &&str| places::parsed(line.rsplit(' ').next().unwrap_or(""));
    let place = places::parsed(before).or_else(|| after(log, at).iter().filter(in_frame).find_map(of_frame));
    let error = error.split(" on address").next().unwrap_or(error);
    Some(Raised { error: error.to_owned(), place, assertion: None, subkind: None })
}

/// `t: test.c:6: main: Assertion 'add(1, 2) == 3' failed.`
pub(super) fn c_assertion(log: &Log<'_>) -> Option<Raised> {
    let line = log.lines.iter().find(|line| {
        line.contains(": Assertion ") && line.trim_end_matches('.').ends_with(" failed")
            || line.starts_with("Assertion failed: ")
    })?;
    let place = line.split(' ').find_map(|word| places::parsed(word.trim_end_matches(':')));
    let error =
        line.split_once(": Assertion ").map_or((*line).to_owned(), |(_, rest)| format!("Assertion {rest}"));
    Some(Raised { error, place, assertion: None, subkind: Some(Subkind::Assertion) })
}

pub(super) fn cpp(log: &Log<'_>) -> Option<Raised> {
    let at = log.position(|line| line.contains("terminate called"))?;
    let first = log.lines.get(at)?;
    let what = after(log, at).iter().find_map(|line| line.trim().strip_prefix("what():"));
    let class = first.split('\'').nth(1).unwrap_or("exception");
    let error = what.map_or((*first).to_owned(), |what| format!("{class}: {}", what.trim()));
    Some(Raised { error, place: None, assertion: None, subkind: Some(Subkind::Signal) })
}
