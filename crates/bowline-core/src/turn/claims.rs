//! Whether an answer claims that files were changed: "Removed `load` from cart.py", "I've updated the default".
//!
//! Only plain forms count. A model that describes what code does, or what happened to it long ago, claims nothing.

/// Verbs in the past that say that something was changed.
const CHANGED: [&str; 23] = [
    "added",
    "adjusted",
    "applied",
    "changed",
    "corrected",
    "decreased",
    "deleted",
    "edited",
    "extended",
    "fixed",
    "implemented",
    "increased",
    "introduced",
    "lowered",
    "modified",
    "raised",
    "refactored",
    "removed",
    "renamed",
    "replaced",
    "rewrote",
    "rewritten",
    "updated",
];
/// Words that may stand between "I" and the verb.
const BETWEEN: [&str; 5] = ["have", "just", "now", "also", "successfully"];
/// Words between the beginning of an answer and its "was changed".
const PAST_DISTANCE_MAX: usize = 5;
/// Words of the answer that are looked at.
const WORDS_MAX: usize = 40;

/// Whether an answer says that it changed something.
pub(super) fn claims_change(answer: &str) -> bool {
    let words: Vec<String> = answer.split_whitespace().take(WORDS_MAX).map(plain).collect();
    let is_changed = |at: usize| words.get(at).is_some_and(|word| CHANGED.contains(&word.as_str()));
    let is_word = |at: usize, all: &[&str]| words.get(at).is_some_and(|word| all.contains(&word.as_str()));
    let by_itself = is_changed(0);
    let by_me = (0..words.len()).filter(|at| is_word(*at, &["i", "i've", "we", "we've"])).any(|at| {
        let verb = (at + 1..words.len()).find(|next| !is_word(*next, &BETWEEN)).unwrap_or(words.len());
        is_changed(verb)
    });
    // "has been removed in version 3" and "has been replaced by" tell what happened long ago.
    let is_history = |at: usize| {
        let is_number =
            words.get(at + 1).is_some_and(|word| word == "version" || word.starts_with(char::is_numeric));
        is_word(at, &["since", "by"]) || is_word(at, &["in"]) && is_number
    };
    let is_passive =
        |at: usize| is_word(at, &["has", "have"]) && is_word(at + 1, &["been"]) && is_changed(at + 2);
    let passive = (0..words.len()).any(|at| is_passive(at) && !is_history(at + 3));
    // "The script was modified to accept only numbers": an answer that begins so speaks of its own work.
    let is_past = |at: usize| is_word(at, &["was", "were"]) && is_changed(at + 1) && !is_history(at + 2);
    let begins = is_word(0, &["the", "this", "these", "all"]) && (1..=PAST_DISTANCE_MAX).any(is_past);
    by_itself || by_me || passive || begins
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('\u{2019}', "'")
}

#[cfg(test)]
mod tests {
    use super::claims_change;

    #[test]
    fn a_claim_is_told_from_a_description() {
        for claim in [
            "Changed the `CRITICAL_AT` value in `limits.sh` to 88.",
            "Removed `md5Name` and `migrateFile` from `lib/cache.js`.",
            "I've updated the default.",
            "I have just renamed the function.",
            "The timeout has been increased to 60 seconds.",
            "Done. I fixed the bug in parse().",
            "The script was modified to only accept three numbers with dots between.",
            "The functions `load` and `save` were renamed.",
        ] {
            assert!(claims_change(claim), "{claim}");
        }
        for other in [
            "The default port is 8080.",
            "It was changed in version 2.",
            "The default was changed in version 2.",
            "The test fails because the file was removed by the build.",
            "`--foo` has been removed in version 3.",
            "The retry logic has been replaced by a queue.",
            "Set `DEBUG=1` and run it again.",
            "The value is set in config.py.",
            "No change is needed: the list is sorted already.",
            "You can change it with --port.",
            "I could not find such a function.",
            "",
        ] {
            assert!(!claims_change(other), "{other}");
        }
    }
}
