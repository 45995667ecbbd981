//! Numbers with the word beside them, as test runners sum up: `5 failed, 3 passed`, `failures=2`, `Tests: 4`.

use super::super::Counts;

/// Each number with the word after it: `(5, "failed")`.
pub(super) fn before_words(text: &str) -> Vec<(u32, &str)> {
    let mut pairs = Vec::new();
    let mut number = None;
    let is_edge = |sign: char| !sign.is_alphanumeric() && sign != '.';
    for word in text.split(|sign: char| sign.is_whitespace() || ",;|()=".contains(sign)) {
        let word = word.trim_matches(is_edge);
        if word.is_empty() {
            continue;
        }
        match word.parse::<u32>() {
            Ok(parsed) => number = Some(parsed),
            Err(_) => {
                if let Some(number) = number.take() {
                    pairs.push((number, word));
                }
            }
        }
    }
    pairs
}

/// Each number with the word before it: `(2, "failures")` of `failures=2` and of `Failures: 2`.
pub(super) fn after_words(text: &str) -> Vec<(u32, &str)> {
    let mut pairs = Vec::new();
    let mut last = "";
    for word in text.split(|sign: char| sign.is_whitespace() || ",;|()=:".contains(sign)) {
        let word = word.trim_end_matches('.');
        match word.parse::<u32>() {
            Ok(number) if !last.is_empty() => {
                pairs.push((number, last));
                last = "";
            }
            _ if word.is_empty() => {}
            _ => last = word,
        }
    }
    pairs
}

/// Adds up what counts as failed, passed and skipped, by words in lower case.
pub(super) fn counts(pairs: &[(u32, &str)]) -> Counts {
    let mut counts = Counts::default();
    for (number, word) in pairs {
        let word = word.to_lowercase();
        let slot = match word.as_str() {
            "failed" | "failing" | "failure" | "failures" | "error" | "errors" | "fail" => &mut counts.failed,
            "passed" | "passing" | "pass" | "ok" | "success" | "successes" | "xpassed" => &mut counts.passed,
            "skipped" | "skip" | "skips" | "pending" | "ignored" | "todo" | "xfailed" | "disabled"
            | "incomplete" => &mut counts.skipped,
            "total" | "tests" | "run" | "runs" | "examples" | "example" | "items" | "item" => {
                &mut counts.collected
            }
            _ => continue,
        };
        *slot = Some(slot.unwrap_or(0).saturating_add(*number));
    }
    counts
}
