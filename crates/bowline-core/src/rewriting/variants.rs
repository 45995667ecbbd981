//! The line for a new variant, where the lines of the others and the message leave nothing to decide: `Priority::Urgent => 0,` beside
//! `Priority::High => 2,` where the message has one number.
//!
//! What always holds: the lines of the old variants are alike but for the variant and one value, and the value is the
//! only one of its kind that the message has, or is the variant's own name written like the others. Anything else is left to the model.

use super::lines::{last_sibling, sibling_lines, whole};
use crate::agenda::{Reason, Writing};
use crate::place;

/// How values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    /// A sign in quotation marks, as Rust writes it.
    Sign,
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Value {
    kind: Kind,
    /// Without quotation marks.
    text: String,
    /// The quotation mark.
    quote: Option<char>,
}

/// A line with one old variant and at most one value, taken apart.
struct Line {
    /// The line with marks in place of the variant and the value.
    form: String,
    variant: String,
    value: Option<Value>,
}

/// Stand for the variant and the value in the form of a line.
const VARIANT: char = '\u{1}';
const VALUE: char = '\u{2}';
/// What code and messages put around texts.
const CODE_QUOTES: [char; 2] = ['"', '\''];
const MESSAGE_QUOTES: [char; 3] = ['"', '\'', '`'];

/// The new text of a place that has a line for each variant of a type, where nothing is left to decide.
pub fn decided(writing: &Writing, old: &str, message: &str) -> Option<String> {
    let Reason::Variants { new, old: known, .. } = &writing.reason else { return None };
    let [new] = new.as_slice() else { return None };
    last_sibling(writing, old)?;
    let lines: Vec<Line> =
        sibling_lines(known, old).into_iter().map(|line| taken_apart(line, known)).collect::<Option<_>>()?;
    let first = lines.first()?;
    if lines.iter().any(|line| line.form != first.form) {
        return None;
    }
    let line = match &first.value {
        None => first.form.replace(VARIANT, new),
        Some(value) => {
            let text = own_name(&lines, new, message).or_else(|| only_value(value.kind, new, message))?;
            let quote = value.quote.map_or(String::new(), |quote| quote.to_string());
            first.form.replace(VARIANT, new).replace(VALUE, &format!("{quote}{text}{quote}"))
        }
    };
    Some(whole(writing, old, &line))
}

fn taken_apart(line: &str, variants: &[String]) -> Option<Line> {
    let names = place::identifiers(line);
    let variant = variants.iter().find(|variant| names.contains(variant))?;
    let mut form = String::new();
    let mut value = None;
    let mut rest = line;
    while let Some(sign) = rest.chars().next() {
        let before = form.chars().next_back();
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
        let starts_word = !before.is_some_and(is_part);
        if let Some(found) = literal(rest, &CODE_QUOTES).filter(|_| starts_word || !is_part(sign)) {
            let (literal, len) = found;
            if value.replace(literal).is_some() {
                return None;
            }
            form.push(VALUE);
            rest = rest.get(len..)?;
            continue;
        }
        if starts_word && is_part(sign) {
            let end = rest.find(|sign: char| !is_part(sign)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            match word == variant {
                true => form.push(VARIANT),
                false => form.push_str(word),
            }
            rest = behind;
            continue;
        }
        form.push(sign);
        rest = rest.get(sign.len_utf8()..)?;
    }
    (form.matches(VARIANT).count() == 1).then(|| Line { form, variant: variant.clone(), value })
}

/// The value that a text begins with, and its length.
fn literal(text: &str, quotes: &[char]) -> Option<(Value, usize)> {
    let first = text.chars().next()?;
    if quotes.contains(&first) {
        let inner = text.get(1..)?;
        let end = inner.find(first)?;
        let own = inner.get(..end)?;
        if own.contains('\\') {
            return None;
        }
        let kind = if first == '\'' && own.chars().count() == 1 { Kind::Sign } else { Kind::Text };
        return Some((Value { kind, text: own.to_owned(), quote: Some(first) }, end + 2));
    }
    first.is_ascii_digit().then_some(())?;
    let end =
        text.find(|sign: char| !sign.is_ascii_digit() && sign != '.' && sign != '_').unwrap_or(text.len());
    let own = text.get(..end)?.trim_end_matches('.');
    let behind = text.get(own.len()..).and_then(|rest| rest.chars().next());
    let is_whole = !behind.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
    is_whole.then(|| (Value { kind: Kind::Number, text: own.to_owned(), quote: None }, own.len()))
}

/// How names of variants are written as texts.
const STYLES: [fn(&str) -> String; 7] = [
    str::to_owned,
    |name| name.to_lowercase(),
    |name| name.to_uppercase(),
    |name| words(name).join("_"),
    |name| words(name).join("-"),
    |name| words(name).join(" "),
    |name| words(name).iter().map(|word| capitalized(word)).collect::<Vec<_>>().join(" "),
];

fn capitalized(word: &str) -> String {
    let mut signs = word.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}

/// The words of a name, in small letters: `VeryHigh` and `VERY_HIGH` are `very`, `high`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = '_';
    for sign in name.chars() {
        if sign == '_' {
            before = sign;
            continue;
        }
        let is_start = before == '_' || sign.is_uppercase() && before.is_lowercase();
        match words.last_mut().filter(|_| !is_start) {
            Some(word) => word.extend(sign.to_lowercase()),
            None => words.push(sign.to_lowercase().collect()),
        }
        before = sign;
    }
    words
}

/// The name of the new variant, where each value is the name of its variant in one style. A message that has other texts
/// may mean another one, unless it has this one, too.
fn own_name(lines: &[Line], new: &str, message: &str) -> Option<String> {
    let is_style = |style: &&fn(&str) -> String| {
        lines.iter().all(|line| {
            line.value
                .as_ref()
                .is_some_and(|value| value.kind == Kind::Text && value.text == style(&line.variant))
        })
    };
    let text = STYLES.iter().find(is_style)?(new);
    let quoted = values(message);
    let is_said = quoted.iter().any(|value| value.text == text);
    let has_other = quoted.iter().any(|value| value.kind != Kind::Number);
    (is_said || !has_other).then_some(text)
}

/// The only value of a kind in the message. One that is the variant's own name is what the message calls it.
fn only_value(kind: Kind, new: &str, message: &str) -> Option<String> {
    let is_name = |value: &Value| words(&value.text.replace([' ', '-'], "_")) == words(new);
    let mut fitting: Vec<String> = Vec::new();
    for value in values(message) {
        let is_sign = value.kind != Kind::Number && value.text.chars().count() == 1;
        let is_kind = match kind {
            Kind::Number => value.kind == Kind::Number,
            Kind::Sign => is_sign,
            Kind::Text => value.kind != Kind::Number && !is_sign && !is_name(&value),
        };
        if is_kind && !fitting.contains(&value.text) {
            fitting.push(value.text);
        }
    }
    match fitting.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
}

/// The numbers and the texts in quotation marks of a message. A backtick quotes as well.
fn values(message: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut before = ' ';
    let mut rest = message;
    while let Some(sign) = rest.chars().next() {
        let is_start = !before.is_alphanumeric() && !matches!(before, '_' | '.' | '-');
        let found = literal(rest, &MESSAGE_QUOTES);
        match found.filter(|_| is_start) {
            Some((value, len)) => {
                before = rest.get(..len).and_then(|text| text.chars().next_back()).unwrap_or(' ');
                rest = rest.get(len..).unwrap_or_default();
                values.push(value);
            }
            None => {
                before = sign;
                rest = rest.get(sign.len_utf8()..).unwrap_or_default();
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agenda::{Order, Showing};
    use crate::place::{Change, Place};

    fn line(old: &str, variants: &[&str], new: &str, message: &str) -> Option<String> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let reason = Reason::Variants { of: "Priority".to_owned(), old: owned(variants), new: owned(&[new]) };
        let place = Place { path: "src/list.rs".to_owned(), name: Some("days".to_owned()) };
        let order = Order { place, change: Change::Rewrite, to: None };
        let text = decided(&Writing::new(order, Showing::Text, reason), old, message)?;
        let added: Vec<&str> = text.lines().filter(|line| !old.lines().any(|known| known == *line)).collect();
        assert_eq!(text.lines().count(), old.lines().count() + added.len());
        Some(added.join("\n"))
    }

    const MESSAGE: &str = "Please add a priority Urgent above High to the enum Priority. Name \"urgent\", to be done within 0 days, and the mark in the list is '#'.";

    #[test]
    fn the_only_value_of_a_kind_is_taken() {
        let days = "match self {\n    Priority::Low => 30,\n    Priority::High => 2,\n}\n";
        assert_eq!(
            line(days, &["Low", "High"], "Urgent", MESSAGE).as_deref(),
            Some("    Priority::Urgent => 0,")
        );
        let marks = "match self {\n    Priority::Low => ' ',\n    Priority::High => '!',\n}\n";
        assert_eq!(
            line(marks, &["Low", "High"], "Urgent", MESSAGE).as_deref(),
            Some("    Priority::Urgent => '#',")
        );
        let names = "match self {\n    Priority::Low => \"low\",\n    Priority::High => \"high\",\n}\n";
        let due = "    Priority::Urgent => \"urgent\",";
        assert_eq!(line(names, &["Low", "High"], "Urgent", MESSAGE).as_deref(), Some(due));
        let labels = "const LABELS = {\n  [Plan.FREE]: 'Free',\n  [Plan.PRO]: 'Pro',\n};\n";
        let due = "  [Plan.TEAM]: 'Team',";
        let message = "add a plan TEAM, label \"Team\", stored as 'team'";
        assert_eq!(line(labels, &["FREE", "PRO"], "TEAM", message).as_deref(), Some(due));
    }

    #[test]
    fn anything_else_is_left_to_the_model() {
        let days = "match self {\n    Priority::Low => 30,\n    Priority::High => 2,\n}\n";
        // Two numbers, and none.
        assert_eq!(line(days, &["Low", "High"], "Urgent", "add Urgent: 0 days, 3 reminders"), None);
        assert_eq!(line(days, &["Low", "High"], "Urgent", "add Urgent to the enum Priority"), None);
        // A number that is part of a name.
        assert_eq!(line(days, &["Low", "High"], "Urgent", "add Urgent to v2 and sha256"), None);
        let calls = "match self {\n    Priority::Low => days(1) + 2,\n    Priority::High => days(3),\n}\n";
        assert_eq!(line(calls, &["Low", "High"], "Urgent", "add Urgent, 0 days"), None);
    }

    #[test]
    fn a_line_without_a_value_is_alike() {
        let all = "match self {\n    Shape::Circle => draw(Shape),\n    Shape::Square => draw(Shape),\n}\n";
        let due = "    Shape::Star => draw(Shape),";
        assert_eq!(line(all, &["Circle", "Square"], "Star", "add Star").as_deref(), Some(due));
    }
}
