//! Commands of the shell itself that only say something: `printf`, `test`, `set`, `wait`. With the wrong words each of them
//! changes what later commands do, or runs one.

use super::super::command::{Part, Word};
use super::super::paths::Refused;

/// `-v` sets a variable, to some shells.
pub(super) fn printf(part: &Part) -> Result<(), Refused> {
    match part.arguments().first() {
        Some(word @ (Word::Unknown(_) | Word::Glob(_))) => Err(Refused::dynamic(word)),
        Some(Word::Known(word)) if word.starts_with('-') && word != "--" => {
            Err(Refused::ask(format!("printf {word} may set a variable")))
        }
        _ => Ok(()),
    }
}

/// Some shells look into a variable's name for commands (`-v`, `-R`).
pub(super) fn test(part: &Part) -> Result<(), Refused> {
    let words = part.arguments();
    let is_name = |word: &Word| {
        word.known().is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    let is_odd = |word: &&Word| word.known().is_some_and(|word| word.contains("$(") || word.contains('`'));
    if let Some(word) = words.iter().find(is_odd) {
        return Err(Refused::ask(format!("`{}` may be looked into for commands", word.shown())));
    }
    for pair in words.windows(2) {
        let [first, second] = pair else { continue };
        let looks = match first {
            Word::Known(text) => matches!(text.as_str(), "-v" | "-R") && !is_name(second),
            // It may be the operator.
            Word::Unknown(_) | Word::Glob(_) => second.known().is_none(),
        };
        if looks {
            return Err(Refused::ask(format!("`{}` may be looked into for commands", second.shown())));
        }
    }
    Ok(())
}

/// How the shell reacts to errors. Other settings of it (`-a`, `-k`) and its arguments can change what programs do.
pub(super) fn set(part: &Part) -> Result<(), Refused> {
    if part.arguments().is_empty() {
        return Err(Refused::ask("set shows all variables"));
    }
    let mut words = part.arguments().iter().map(Word::known);
    while let Some(word) = words.next() {
        let letters = word.and_then(|word| word.strip_prefix(['-', '+'])).unwrap_or("?");
        let takes_name = letters.ends_with('o');
        let is_known =
            !letters.is_empty() && letters.trim_end_matches('o').chars().all(|c| "efuvx".contains(c));
        let mut is_named = || {
            matches!(
                words.next().flatten(),
                Some("pipefail" | "errexit" | "nounset" | "xtrace" | "noglob" | "verbose")
            )
        };
        if !is_known || letters.contains("oo") || takes_name && !is_named() {
            return Err(Refused::ask("set may change what programs do"));
        }
    }
    Ok(())
}

/// `-p` sets a variable.
pub(super) fn wait(part: &Part) -> Result<(), Refused> {
    let is_process = |word: &&Word| match word {
        Word::Known(text) => text == "-n" || text.chars().all(|c| c.is_ascii_digit() || c == '%'),
        Word::Unknown(source) => matches!(source.as_str(), "$!" | "\"$!\""),
        Word::Glob(_) => false,
    };
    match part.arguments().iter().find(|word| !is_process(word)) {
        Some(word) => Err(Refused::ask(format!("wait {} may set a variable", word.shown()))),
        None => Ok(()),
    }
}
