//! Tabs written out at the beginning of lines of the replacement, where the needle has real ones.

use std::borrow::Cow;

const WRITTEN: &str = "\\t";

/// The replacement with these tabs made real. One of its lines must show that they are tabs: after them it begins with the
/// word that a line of the needle has after as many real ones. (`\t` opens commands of TeX, too.)
pub(crate) fn tabbed_as<'e>(old: &str, new: Cow<'e, str>) -> Cow<'e, str> {
    let is_written = |line: &str| parted(line).0.contains(WRITTEN);
    if !new.contains(WRITTEN) || old.split('\n').any(is_written) {
        return new;
    }
    let is_shown = |line: &str| {
        let (indent, rest) = parted(line);
        let real = indent.replace(WRITTEN, "\t");
        let word = first_word(rest);
        let same = |other: &str| {
            let (indent, rest) = parted(other);
            indent == real && first_word(rest) == word
        };
        indent.contains(WRITTEN) && !word.is_empty() && old.split('\n').any(same)
    };
    if !new.split('\n').any(is_shown) {
        return new;
    }
    let made = new.split('\n').map(|line| {
        let (indent, rest) = parted(line);
        indent.replace(WRITTEN, "\t") + rest
    });
    Cow::Owned(made.collect::<Vec<_>>().join("\n"))
}

/// The white space a line begins with, tabs that are written out included, and the rest.
fn parted(line: &str) -> (&str, &str) {
    let mut rest = line;
    while let Some(next) = rest.strip_prefix([' ', '\t']).or_else(|| rest.strip_prefix(WRITTEN)) {
        rest = next;
    }
    line.split_at(line.len() - rest.len())
}

fn first_word(text: &str) -> &str {
    let end = text.find(|char: char| !(char.is_alphanumeric() || char == '_')).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::tabbed_as;

    #[test]
    fn only_where_the_needle_shows_it() {
        let check = |old: &str, new: &str, made: &str| assert_eq!(tabbed_as(old, new.into()), made);
        check("\trun(1)", "\\trun(2)\n\\t\\tstop()", "\trun(2)\n\t\tstop()");
        check("\trun(1)", "\\textbf{a}", "\\textbf{a}");
        check("run(1)", "\\trun(2)", "\\trun(2)");
        check("\trun(1)", "\trun(\"\\t\")", "\trun(\"\\t\")");
        check("\\trun(1)", "\\trun(2)", "\\trun(2)");
    }
}
