//! Line numbers in front of lines, as a tool that shows a file puts them there.

use super::{Claim, Cleaning, without_opening};

/// How a number is set off from its line.
#[derive(Clone, Copy)]
struct Gutter {
    open: &'static str,
    close: &'static str,
    style: Style,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Found in nothing but a listing: some lines may be without.
    Clear,
    /// Found in data, too: each line has one.
    Even,
    /// Found in code, too: each line has one, in the replacement as well or not at all.
    Weak,
}

const GUTTERS: [Gutter; 7] = [
    Gutter { open: "", close: "|", style: Style::Clear },
    Gutter { open: "", close: "\u{2192}", style: Style::Clear },
    Gutter { open: "", close: "\u{2502}", style: Style::Clear },
    Gutter { open: "", close: "\t", style: Style::Even },
    Gutter { open: "", close: ":", style: Style::Weak },
    Gutter { open: "", close: ")", style: Style::Weak },
    Gutter { open: "[", close: "]", style: Style::Weak },
];
const DIGITS_MAX: usize = 6;
/// A listing with fewer numbers has one on each line.
const NUMBERED_MIN: usize = 2;

/// Without the numbers, where they count up with the lines of the needle.
pub(super) fn without<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let lines: Vec<&str> = edit.old.trim_matches('\n').split('\n').collect();
    let gutter =
        GUTTERS.into_iter().find(|gutter| lines.iter().any(|line| gutter.numbered(line).is_some()))?;
    let parted: Vec<Option<(usize, &str)>> = lines.iter().map(|line| gutter.numbered(line)).collect();
    let numbered = parted.iter().flatten().count();
    if numbered < lines.len() && (gutter.style != Style::Clear || numbered < NUMBERED_MIN) {
        return None;
    }
    let (at, first) =
        parted.iter().enumerate().find_map(|(at, part)| part.map(|(number, _)| (at, number)))?;
    let counts_up = |(index, part): (usize, &Option<(usize, &str)>)| {
        part.is_none_or(|(number, _)| number + at == first + index)
    };
    if !parted.iter().enumerate().all(counts_up) {
        return None;
    }
    let space = gutter.space(parted.iter().flatten().map(|(_, rest)| *rest));
    let bare = |line: &&'_ str| match gutter.numbered(line) {
        Some((_, rest)) => rest.strip_prefix(space).unwrap_or(rest).to_owned(),
        None => (*line).to_owned(),
    };
    let old: Vec<String> = lines.iter().map(bare).collect();
    let opening = edit.old.len() - edit.old.trim_start_matches('\n').len();
    let new = without_opening(&edit.new, opening);
    let new = gutter.replacement(new, space, first..=first + lines.len())?;
    let inked = old.iter().position(|line| !line.trim().is_empty()).unwrap_or(0);
    let number = (first + inked).saturating_sub(at);
    let claim = match gutter.style {
        Style::Weak if lines.len() == 1 => Claim::At(number),
        _ => Claim::Numbered(number),
    };
    let ends = if edit.old.ends_with('\n') { "\n" } else { "" };
    Some(Cleaning::new(old.join("\n") + ends, new).claiming(claim))
}

impl Gutter {
    /// The space after it, if it is there on every line that goes on.
    fn space<'l>(self, mut lines: impl Iterator<Item = &'l str>) -> &'static str {
        let spaced = self.close != "\t" && lines.all(|line| line.is_empty() || line.starts_with(' '));
        if spaced { " " } else { "" }
    }

    /// A new line may have no number; but where it may be code nobody knows whether it is one.
    fn replacement(self, new: &str, space: &str, old: std::ops::RangeInclusive<usize>) -> Option<String> {
        let inked: Vec<&str> = new.split('\n').filter(|line| !line.trim().is_empty()).collect();
        let numbers: Vec<usize> =
            inked.iter().filter_map(|line| self.numbered(line).map(|(number, _)| number)).collect();
        let uneven = !numbers.is_empty() && numbers.len() < inked.len();
        let elsewhere = numbers.first().is_some_and(|number| !old.contains(number));
        if self.style == Style::Weak && (uneven || elsewhere) {
            return None;
        }
        let bare = |line| match self.numbered(line) {
            Some((_, rest)) => rest.strip_prefix(space).unwrap_or(rest),
            None => line,
        };
        Some(new.split('\n').map(bare).collect::<Vec<&str>>().join("\n"))
    }

    /// The number and what stands after it.
    fn numbered(self, line: &str) -> Option<(usize, &str)> {
        let line = line.trim_start_matches(' ').strip_prefix(self.open)?;
        let line = line.strip_prefix('L').unwrap_or(line);
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > DIGITS_MAX {
            return None;
        }
        let number = line[..digits].parse().ok()?;
        let rest = &line[digits..];
        // `12 | text`
        let rest = if self.close == "\t" { rest } else { rest.trim_start_matches(' ') };
        Some((number, rest.strip_prefix(self.close)?))
    }
}
