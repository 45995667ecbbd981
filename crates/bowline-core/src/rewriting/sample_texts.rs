//! Texts of a message whose numbers are only an example: "1843 is less than 18430" where 1843 is what somebody once typed.
//!
//! A small model copies such a text into the code as it stands. What always holds: a text counts only if the message says itself
//! that its numbers are values of a case, by using each of them outside of the text or by introducing the text as an example.

/// Signs of a text that are looked at.
const CHARS_MAX: usize = 200;
/// What stands in front of a text that is one of many.
const EXAMPLE_WORDS: [&str; 6] = ["e.g", "eg", "example", "instance", "like", "as"];

/// The sentence that says so, where the message has such texts.
pub(super) fn note(task: &str) -> Option<String> {
    let texts: Vec<String> = quoted(task)
        .into_iter()
        .filter(|(before, text, after)| is_sample(before, text, after))
        .map(|(_, text, _)| format!("\"{text}\""))
        .collect();
    (!texts.is_empty()).then(|| {
        let it = if texts.len() == 1 { "that text" } else { "those texts" };
        let texts = texts.join(" and ");
        format!("The numbers in {texts} are only an example. The code has to put the real values into {it}.")
    })
}

/// The texts in double quotes, each on one line, with what stands before and behind them.
fn quoted(task: &str) -> Vec<(&str, &str, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = task.get(at..).and_then(|rest| rest.find('"')).map(|open| at + open) {
        let Some(rest) = task.get(open + 1..) else { break };
        let Some(len) = rest.find('"') else { break };
        let text = rest.get(..len).unwrap_or_default();
        if text.contains('\n') || text.chars().count() > CHARS_MAX {
            at = open + 1;
            continue;
        }
        let before = task.get(..open).unwrap_or_default();
        found.push((before, text, rest.get(len + 1..).unwrap_or_default()));
        at = open + len + 2;
    }
    found
}

fn is_sample(before: &str, text: &str, after: &str) -> bool {
    let numbers = numbers(text);
    let is_prose = text.split_whitespace().any(|word| word.chars().all(char::is_alphabetic));
    let outside = || [self::numbers(before), self::numbers(after)].concat();
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let last = last.trim_matches(|sign: char| !sign.is_alphanumeric() && sign != '.').trim_end_matches('.');
    let is_led = EXAMPLE_WORDS.contains(&last.to_lowercase().as_str());
    let is_used = || numbers.iter().all(|number| outside().contains(number));
    !numbers.is_empty() && is_prose && (is_led || is_used())
}

/// The numbers of a text, as they are written.
fn numbers(text: &str) -> Vec<&str> {
    let words = text.split(|sign: char| !sign.is_alphanumeric() && !matches!(sign, '.' | '_' | ':'));
    let words = words.map(|word| word.trim_matches(['.', ':']));
    words.filter(|word| word.starts_with(|sign: char| sign.is_ascii_digit())).collect()
}
