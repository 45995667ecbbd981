//! Every setting there is: its key, what it takes, and whether a project's file may set it without being trusted.
//!
//! One list for reading, for `bowline config set` and for `bowline config show`. A `*` in a key is a name the user chooses.

use std::fmt;

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueKind {
    Text,
    /// `http://…` or `https://…`.
    Address,
    /// The name of an environment variable.
    Variable,
    Word(&'static [&'static str]),
    Count {
        least: i64,
        most: i64,
    },
    Number {
        least: f64,
        most: f64,
    },
    Texts,
    /// `true` or `false`.
    Switch,
}

/// Who may set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// A project's file too: it chooses among what the user has, or takes away.
    Nothing,
    /// A project's file only when the user trusts it.
    Trust,
}

#[derive(Debug, Clone, Copy)]
pub struct Key {
    pub path: &'static [&'static str],
    pub kind: ValueKind,
    pub needs: Needs,
}

const fn key(path: &'static [&'static str], kind: ValueKind, needs: Needs) -> Key {
    Key { path, kind, needs }
}

const KINDS: &[&str] = &["ollama", "llamacpp", "lmstudio", "vllm", "openai"];
const MODES: &[&str] = &["native", "text", "constrained"];
const THINKING: &[&str] = &["auto", "off", "low", "high"];
const TOKENS: ValueKind = ValueKind::Count { least: 256, most: 100_000_000 };
const SHARE: ValueKind = ValueKind::Number { least: 0.0, most: 1.0 };

pub const KEYS: &[Key] = &[
    key(&["model"], ValueKind::Text, Needs::Nothing),
    key(&["servers", "*", "base_url"], ValueKind::Address, Needs::Trust),
    key(&["servers", "*", "kind"], ValueKind::Word(KINDS), Needs::Trust),
    key(&["servers", "*", "api_key_env"], ValueKind::Variable, Needs::Trust),
    key(&["models", "*", "context"], TOKENS, Needs::Trust),
    key(&["models", "*", "output"], TOKENS, Needs::Trust),
    key(&["models", "*", "mode"], ValueKind::Word(MODES), Needs::Trust),
    key(&["models", "*", "thinking"], ValueKind::Word(THINKING), Needs::Trust),
    key(&["models", "*", "temperature"], ValueKind::Number { least: 0.0, most: 5.0 }, Needs::Trust),
    key(&["models", "*", "top_p"], SHARE, Needs::Trust),
    key(&["models", "*", "top_k"], ValueKind::Count { least: 0, most: 100_000 }, Needs::Trust),
    key(&["models", "*", "min_p"], SHARE, Needs::Trust),
    key(&["permissions", "allow"], ValueKind::Texts, Needs::Trust),
    key(&["permissions", "ask"], ValueKind::Texts, Needs::Nothing),
    key(&["permissions", "deny"], ValueKind::Texts, Needs::Nothing),
    key(&["checks", "test"], ValueKind::Text, Needs::Trust),
    key(&["checks", "build"], ValueKind::Text, Needs::Trust),
    key(&["checks", "lint"], ValueKind::Text, Needs::Trust),
    key(&["checks", "run"], ValueKind::Word(&["auto", "end", "off"]), Needs::Nothing),
    key(&["checks", "time_s"], ValueKind::Count { least: 1, most: 1_800 }, Needs::Nothing),
    key(&["checks", "samples"], ValueKind::Count { least: 0, most: 10 }, Needs::Nothing),
    key(&["edit", "mode"], ValueKind::Word(&["careful", "lenient"]), Needs::Trust),
    key(&["edit", "broken"], ValueKind::Word(&["report", "refuse"]), Needs::Trust),
    key(&["sandbox", "mode"], ValueKind::Word(&["auto", "off"]), Needs::Nothing),
    key(&["checkpoints", "enabled"], ValueKind::Switch, Needs::Trust),
    key(&["checkpoints", "new_file_mb"], ValueKind::Count { least: 0, most: 100_000 }, Needs::Trust),
    key(&["checkpoints", "budget_s"], ValueKind::Count { least: 1, most: 3_600 }, Needs::Trust),
    key(&["checkpoints", "keep_days"], ValueKind::Count { least: 1, most: 36_500 }, Needs::Trust),
    key(&["checkpoints", "keep_gb"], ValueKind::Count { least: 1, most: 100_000 }, Needs::Trust),
];

/// What stands at a path.
#[derive(Debug, Clone, Copy)]
pub enum SchemaNode {
    Setting(&'static Key),
    /// A table, with more below it.
    Table,
    Nothing,
}

pub fn at(path: &[String]) -> SchemaNode {
    let fits =
        |key: &&Key| key.path.iter().zip(path).all(|(pattern, word)| *pattern == "*" || pattern == word);
    let mut below = KEYS.iter().filter(|key| key.path.len() >= path.len()).filter(fits);
    match below.clone().find(|key| key.path.len() == path.len()) {
        Some(key) => SchemaNode::Setting(key),
        None if below.next().is_some() => SchemaNode::Table,
        None => SchemaNode::Nothing,
    }
}

/// The words that may follow `path`; empty where the user chooses them.
pub fn words_below(path: &[String]) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = Vec::new();
    for key in KEYS.iter().filter(|key| key.path.len() > path.len()) {
        let fits = key.path.iter().zip(path).all(|(pattern, word)| *pattern == "*" || pattern == word);
        let word = key.path[path.len()];
        if fits && word != "*" && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The last word of `path` is none that is known: which one was meant, and which there are.
pub fn hint(path: &[String]) -> String {
    let Some((word, above)) = path.split_last() else { return String::new() };
    let known = words_below(above);
    let score = |known: &str| {
        let is_part = word.len() >= 3 && known.contains(word.as_str());
        strsim::normalized_damerau_levenshtein(known, word).max(if is_part { 0.6 } else { 0.0 })
    };
    let nearest = known.iter().copied().max_by(|a, b| score(a).total_cmp(&score(b)));
    let whole = |word: &str| {
        let path: Vec<String> = above.iter().cloned().chain([word.to_owned()]).collect();
        dotted(&path)
    };
    match nearest.filter(|nearest| score(nearest) >= 0.5) {
        Some(nearest) => format!("Did you mean {}?", whole(nearest)),
        None if known.is_empty() => "Remove it".to_owned(),
        None => format!("Known here: {}", known.join(", ")),
    }
}

/// A key as a user writes it, quoted where TOML wants it.
pub fn dotted(path: &[String]) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let word = |word: &String| match !word.is_empty() && word.chars().all(is_bare) {
        true => word.clone(),
        false => format!("{word:?}"),
    };
    path.iter().map(word).collect::<Vec<_>>().join(".")
}

impl fmt::Display for ValueKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueKind::Text => formatter.write_str("text, as in \"…\""),
            ValueKind::Address => formatter.write_str("an address, as in \"http://10.0.0.5:8080/v1\""),
            ValueKind::Variable => formatter
                .write_str("the name of an environment variable, as in \"BOX_KEY\" (never a key itself)"),
            ValueKind::Word(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
                write!(formatter, "one of {}", words.join(", "))
            }
            ValueKind::Count { least, most } => write!(formatter, "a whole number from {least} to {most}"),
            ValueKind::Number { least, most } => write!(formatter, "a number from {least} to {most}"),
            ValueKind::Texts => formatter.write_str("a list of texts, as in [\"cargo *\"]"),
            ValueKind::Switch => formatter.write_str("true or false"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(dotted: &str) -> Vec<String> {
        dotted.split('.').map(str::to_owned).collect()
    }

    #[test]
    fn a_path_is_a_setting_a_table_or_nothing() {
        for key in ["model", "servers.box.base_url", "models.qwen3*.top_p", "checks.test"] {
            assert!(matches!(at(&path(key)), SchemaNode::Setting(_)), "{key}");
        }
        for key in ["servers", "servers.box", "models", "edit"] {
            assert!(matches!(at(&path(key)), SchemaNode::Table), "{key}");
        }
        for key in ["modle", "servers.box.url", "model.x", "checks.test.x"] {
            assert!(matches!(at(&path(key)), SchemaNode::Nothing), "{key}");
        }
    }

    #[test]
    fn the_nearest_key_is_named() {
        assert_eq!(hint(&path("modle")), "Did you mean model?");
        assert_eq!(hint(&path("servers.box.baseurl")), "Did you mean servers.box.base_url?");
        assert_eq!(hint(&path("edit.zzz")), "Known here: mode, broken");
        assert_eq!(
            dotted(&["models".to_owned(), "qwen3*".to_owned(), "context".to_owned()]),
            "models.\"qwen3*\".context"
        );
    }
}
