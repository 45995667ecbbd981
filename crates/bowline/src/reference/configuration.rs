//! Every setting, from the list that reads them; what a key means and what holds without it is kept here.

use std::fmt::Write as _;

use bowline_host::config::schema::{KEYS, Key, Needs};

use super::{cell, head};

const WORDS: &str = "Every key of `bowline.toml`. Yours is at `$XDG_CONFIG_HOME/bowline/bowline.toml` (`bowline config path`), a project's at \
its root. `NAME` and `PATTERN` are words you choose. What a project's file sets counts by itself where the last column says so, and \
elsewhere only after [you trusted it](../guide.md#trust). [The guide](../guide.md#configuration) has an example.";

/// Key, meaning, what holds without it.
const MEANINGS: [(&str, &str, &str); 25] = [
    (
        "model",
        "the model that is used, as `bowline models` shows it",
        "the one last used here, one that is loaded, the largest",
    ),
    (
        "servers.NAME.base_url",
        "where a server is; its models are `NAME/…`",
        "the usual places on this machine are asked",
    ),
    ("servers.NAME.kind", "what it is", "guessed by what it answers"),
    ("servers.NAME.api_key_env", "the variable that holds its key", "no key is sent"),
    (
        "models.PATTERN.context",
        "the window in tokens: asked of Ollama, of others at most what they have",
        "what the server tells, of Ollama 32,768 at most, else 8,192",
    ),
    (
        "models.PATTERN.output",
        "the most an answer takes, in tokens; at most half the window",
        "a quarter of the window, at most 8,192",
    ),
    ("models.PATTERN.mode", "how the model calls tools", "what is remembered of the model, else native"),
    ("models.PATTERN.thinking", "how much it thinks", "auto: nothing is sent"),
    ("models.PATTERN.temperature", "sampling", "what the model's makers recommend, else the server's"),
    ("models.PATTERN.top_p", "sampling", "as above"),
    ("models.PATTERN.top_k", "sampling", "as above"),
    ("models.PATTERN.min_p", "sampling", "as above"),
    (
        "permissions.allow",
        "passes unasked",
        "what can be taken back, see [the guide](../guide.md#permissions)",
    ),
    (
        "permissions.ask",
        "is asked about, also where `allow` fits; `--allow` beats it",
        "nothing more than by itself",
    ),
    (
        "permissions.deny",
        "is refused; a project can't take back what you refuse",
        "`sudo` and its kin, `.git`, bowline's own files",
    ),
    ("checks.test", "the project's test command, which may be run", "found by itself"),
    ("checks.build", "the project's build command, which may be run", "found by itself"),
    ("checks.lint", "the project's lint command, which may be run", "found by itself"),
    ("edit.mode", "how far the text of an edit may differ from the file", "careful"),
    (
        "edit.broken",
        "whether an edit after which a file no longer parses is made and reported, or refused",
        "report; refuse where the model is called in text or constrained mode",
    ),
    (
        "checkpoints.enabled",
        "whether a checkpoint is taken before and after a turn that can write",
        "true: any turn can be taken back",
    ),
    ("checkpoints.new_file_mb", "a new file above this many MiB is listed and not captured", "2"),
    ("checkpoints.budget_s", "a checkpoint that takes longer than this many seconds fails", "60"),
    ("checkpoints.keep_days", "older checkpoints go", "30"),
    ("checkpoints.keep_gb", "a folder's store above this many GiB loses checkpoints", "5"),
];

/// As a reader writes it: the first `*` below `servers` is a name, below `models` a pattern.
fn dotted(key: &Key) -> String {
    let chosen = if key.path.first() == Some(&"models") { "PATTERN" } else { "NAME" };
    key.path.iter().map(|word| if *word == "*" { chosen } else { word }).collect::<Vec<_>>().join(".")
}

pub(super) fn page() -> String {
    let mut page = head("Configuration", WORDS);
    page.push_str("| key | meaning | takes | without it | in a project's file |\n|---|---|---|---|---|\n");
    for key in KEYS {
        let name = dotted(key);
        let (_, meaning, without) =
            MEANINGS.iter().find(|(known, ..)| *known == name).unwrap_or(&("", "", ""));
        assert!(
            !meaning.is_empty(),
            "say what {name} means, in crates/bowline/src/reference/configuration.rs"
        );
        let counts = match key.needs {
            Needs::Nothing => "counts",
            Needs::Trust => "with trust",
        };
        let takes = cell(&key.due.to_string());
        let _ = writeln!(page, "| `{name}` | {meaning} | {takes} | {without} | {counts} |");
    }
    for (name, ..) in MEANINGS {
        assert!(KEYS.iter().any(|key| dotted(key) == name), "there is no key {name} any more");
    }
    page
}
