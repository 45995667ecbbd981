//! Every setting, from the list that reads them; what a key means and what holds without it is kept here.

use std::fmt::Write as _;

use bowline_host::config::schema::{KEYS, Key, Needs};

use super::{cell, head};

const WORDS: &str = "Every key of `bowline.toml`. Yours is at `$XDG_CONFIG_HOME/bowline/bowline.toml` (`bowline config path`), a project's at \
its root. `NAME` and `PATTERN` are words that you choose. The last column says which settings of a project's file \
take effect without trust, and which only after [you trusted it](../guide.md#trust). [The guide](../guide.md#configuration) has an example.";

/// Key, meaning, what holds without it.
const MEANINGS: [(&str, &str, &str); 29] = [
    (
        "model",
        "the model to use, as `bowline models` shows it",
        "the one last used here, one that is loaded, the largest",
    ),
    (
        "servers.NAME.base_url",
        "the address of a server; its models are `NAME/…`",
        "the usual addresses on this machine are tried",
    ),
    ("servers.NAME.kind", "the kind of server", "detected from its answers"),
    ("servers.NAME.api_key_env", "the variable that holds its key", "no key is sent"),
    (
        "models.PATTERN.context",
        "the window in tokens: requested from Ollama; for other servers at most what they have",
        "what the server reports, for Ollama at most 32,768; otherwise 8,192",
    ),
    (
        "models.PATTERN.output",
        "the longest answer in tokens, at most half the window",
        "a quarter of the window, at most 8,192",
    ),
    ("models.PATTERN.mode", "how the model calls tools", "the mode remembered for the model, else native"),
    ("models.PATTERN.thinking", "how much it thinks", "auto: nothing is sent"),
    ("models.PATTERN.temperature", "sampling", "what the model's makers recommend, else the server's"),
    ("models.PATTERN.top_p", "sampling", "as above"),
    ("models.PATTERN.top_k", "sampling", "as above"),
    ("models.PATTERN.min_p", "sampling", "as above"),
    (
        "permissions.allow",
        "is allowed without asking; what a project's file allows runs sandboxed",
        "what can be undone, see [the guide](../guide.md#permissions)",
    ),
    (
        "permissions.ask",
        "needs approval, even if `allow` matches; `--allow` overrides it",
        "what the built-in rules ask about",
    ),
    (
        "permissions.deny",
        "is refused; a project can't revoke what you refuse",
        "`sudo` and similar programs, `.git`, bowline's own files",
    ),
    ("checks.test", "the command that checks the work, which may be run", "detected"),
    ("checks.build", "the project's build command, which may be run", "detected"),
    ("checks.lint", "the project's lint command, which may be run", "detected"),
    (
        "checks.run",
        "when bowline checks its work: before, between and after edits, only at the end, or not at all",
        "auto",
    ),
    ("checks.time_s", "how long the check may take, in seconds", "120"),
    (
        "checks.samples",
        "how many further texts of a failing place a small model is asked for; 0: no text is undone",
        "3",
    ),
    ("edit.mode", "how far the text of an edit may differ from the file", "careful"),
    (
        "edit.broken",
        "whether an edit that breaks the syntax of a file is made and reported, or refused",
        "report; refuse for models in text or constrained mode",
    ),
    (
        "sandbox.mode",
        "whether commands that you did not approve run in a sandbox, as far as the system enforces it; a project can't turn it off",
        "auto",
    ),
    (
        "checkpoints.enabled",
        "whether a checkpoint is taken before and after a turn that can write",
        "true: any turn can be undone",
    ),
    ("checkpoints.new_file_mb", "a new file above this many MiB is listed but not saved", "2"),
    ("checkpoints.budget_s", "a checkpoint that takes longer than this many seconds fails", "60"),
    ("checkpoints.keep_days", "older checkpoints are deleted", "30"),
    ("checkpoints.keep_gb", "above this many GiB, a folder's oldest checkpoints are deleted", "5"),
];

/// As a reader writes it: the first `*` below `servers` is a name, below `models` a pattern.
fn dotted(key: &Key) -> String {
    let chosen = if key.path.first() == Some(&"models") { "PATTERN" } else { "NAME" };
    key.path.iter().map(|word| if *word == "*" { chosen } else { word }).collect::<Vec<_>>().join(".")
}

pub(super) fn page() -> String {
    let mut page = head("Configuration", WORDS);
    page.push_str("| key | meaning | values | default | in a project's file |\n|---|---|---|---|---|\n");
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
        let takes = cell(&key.kind.to_string());
        let _ = writeln!(page, "| `{name}` | {meaning} | {takes} | {without} | {counts} |");
    }
    for (name, ..) in MEANINGS {
        assert!(KEYS.iter().any(|key| dotted(key) == name), "there is no key {name} any more");
    }
    page
}
