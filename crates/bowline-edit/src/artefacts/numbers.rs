//! Line numbers in front of each line, as a tool that shows a file puts them there.

use std::borrow::Cow;

use super::Cleaning;

const SEPARATORS: [&str; 5] = ["|", ":", "\t", "\u{2192}", "\u{2502}"];
const DIGITS_MAX: usize = 6;

/// Without the numbers, where each line of the needle has one and they count up by one.
pub(super) fn without<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let lines: Vec<&str> = edit.old.trim_matches('\n').split('\n').collect();
    let separator = SEPARATORS.into_iter().find(|separator| numbered(lines[0], separator).is_some())?;
    let mut bare = Vec::new();
    let mut last: Option<usize> = None;
    for line in &lines {
        let (number, rest) = numbered(line, separator)?;
        if last.is_some_and(|last| last + 1 != number) {
            return None;
        }
        last = Some(number);
        bare.push(rest);
    }
    let gutter = gutter(separator, &bare);
    let old: Vec<&str> = bare.iter().map(|line| line.strip_prefix(gutter).unwrap_or(line)).collect();
    let new = replacement(&edit.new, separator, gutter)?;
    let ends = if edit.old.ends_with('\n') { "\n" } else { "" };
    Some(Cleaning { old: Cow::Owned(old.join("\n") + ends), new: Cow::Owned(new) })
}

/// The space after the separator, if it is there on every line that goes on.
fn gutter(separator: &str, lines: &[&str]) -> &'static str {
    let spaced = separator != "\t" && lines.iter().all(|line| line.is_empty() || line.starts_with(' '));
    if spaced { " " } else { "" }
}

/// A new line may have no number; but after `:` nobody knows whether it is one.
fn replacement(new: &str, separator: &str, gutter: &str) -> Option<String> {
    let numbers = new.split('\n').filter(|line| !line.trim().is_empty());
    let (with, without): (Vec<&str>, Vec<&str>) =
        numbers.partition(|line| numbered(line, separator).is_some());
    if separator == ":" && !with.is_empty() && !without.is_empty() {
        return None;
    }
    let lines: Vec<&str> = new
        .split('\n')
        .map(|line| match numbered(line, separator) {
            Some((_, rest)) => rest.strip_prefix(gutter).unwrap_or(rest),
            None => line,
        })
        .collect();
    Some(lines.join("\n"))
}

/// The number and what stands after the separator.
fn numbered<'l>(line: &'l str, separator: &str) -> Option<(usize, &'l str)> {
    let line = line.trim_start_matches(' ');
    let line = line.strip_prefix('L').unwrap_or(line);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > DIGITS_MAX {
        return None;
    }
    let number = line[..digits].parse().ok()?;
    let rest = line[digits..].strip_prefix(separator).or_else(|| {
        // `12 | text`
        (separator != "\t").then(|| line[digits..].trim_start_matches(' ').strip_prefix(separator)).flatten()
    })?;
    Some((number, rest))
}
