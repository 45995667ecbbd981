//! A place that has a line for each variant of a type and lacks the one for a new variant: the model writes that line alone, and
//! the program puts it behind the others. Asked for the whole, a small model hands the values of one variant to another.

use crate::agenda::{Reason, Showing, Writing};
use crate::place;

/// The last of the lines that each name one old variant, counted from 0. None where the place is not a list of such lines.
pub(super) fn last_sibling(writing: &Writing, text: &str) -> Option<usize> {
    let Reason::Variants { old, .. } = &writing.reason else { return None };
    if writing.showing != Showing::Text {
        return None;
    }
    let variants = |line: &str| {
        let names = place::identifiers(line);
        old.iter().filter(|variant| names.contains(variant)).count()
    };
    let counts: Vec<usize> = text.lines().map(variants).collect();
    let siblings: Vec<usize> = (0..counts.len()).filter(|at| counts.get(*at) == Some(&1)).collect();
    let is_list = siblings.len() >= 2 && counts.iter().all(|count| *count <= 1);
    let ends_alike = || {
        let end = |at: &usize| text.lines().nth(*at).and_then(|line| line.trim_end().chars().last());
        let first = siblings.first().and_then(end);
        siblings.iter().all(|at| end(at) == first) && matches!(first, Some(',' | ';' | '\'' | '"'))
    };
    siblings.last().copied().filter(|_| is_list && ends_alike())
}

/// The lines that each name one old variant.
pub(super) fn sibling_lines<'a>(old: &[String], text: &'a str) -> Vec<&'a str> {
    let is_sibling = |line: &&str| {
        let names = place::identifiers(line);
        old.iter().filter(|variant| names.contains(variant)).count() == 1
    };
    text.lines().filter(is_sibling).collect()
}

/// The new text of the place: the old text with the lines for the new variants, whatever else the answer holds, or the answer
/// where it has none.
pub fn whole(writing: &Writing, old: &str, answer: &str) -> String {
    let Some(last) = last_sibling(writing, old) else { return answer.to_owned() };
    let Reason::Variants { new, old: known, .. } = &writing.reason else { return answer.to_owned() };
    let names = |line: &str, variants: &[String]| {
        let names = place::identifiers(line);
        variants.iter().any(|variant| names.contains(variant))
    };
    let lines: Vec<&str> = answer.lines().filter(|line| names(line, new) && !names(line, known)).collect();
    if lines.is_empty() {
        return answer.to_owned();
    }
    let sibling = old.lines().nth(last).unwrap_or_default();
    let indent = sibling.get(..sibling.len() - sibling.trim_start().len()).unwrap_or_default();
    let end = sibling.trim_end().chars().last().filter(|sign| matches!(sign, ',' | ';'));
    let mut text = String::new();
    for (at, line) in old.lines().enumerate() {
        text.push_str(line);
        text.push('\n');
        if at != last {
            continue;
        }
        for new in &lines {
            let new = new.trim();
            let end = end.filter(|end| !new.ends_with(*end)).map_or(String::new(), |end| end.to_string());
            text.push_str(&format!("{indent}{new}{end}\n"));
        }
    }
    text
}
