//! The `/` commands of the chat: one table, read by the menu, by the help and by whoever types.

use strsim::damerau_levenshtein;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    New,
    Sessions,
    Model,
    Plan,
    Compact,
    Context,
    Diff,
    Undo,
    Redo,
    Help,
    Leave,
}

pub(crate) struct Command {
    pub(crate) name: &'static str,
    pub(crate) does: &'static str,
    kind: Name,
    /// Whether it can be used while a turn runs.
    is_for_turns: bool,
}

const fn command(name: &'static str, kind: Name, does: &'static str) -> Command {
    Command { name, does, kind, is_for_turns: false }
}

const fn anytime(name: &'static str, kind: Name, does: &'static str) -> Command {
    Command { name, does, kind, is_for_turns: true }
}

/// At most twelve: what is more is looked up, not remembered.
pub(crate) const COMMANDS: [Command; 10] = [
    command("new", Name::New, "begin a new session"),
    command("sessions", Name::Sessions, "go on with an earlier session: its number or id"),
    command("model", Name::Model, "which model answers; with a name, from now on"),
    command("plan", Name::Plan, "look and plan, change nothing; once more to work"),
    command("compact", Name::Compact, "fold the conversation into a summary now"),
    anytime("context", Name::Context, "what fills the window"),
    anytime("diff", Name::Diff, "what the last turn did to the files; with a turn's name, that one"),
    command("undo", Name::Undo, "take the last turn back, files and conversation"),
    command("redo", Name::Redo, "bring forward what the last /undo took back"),
    anytime("help", Name::Help, "keys and commands"),
];

/// What people type to leave, wherever they come from.
const LEAVING: [&str; 4] = ["quit", "exit", "q", "bye"];

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// The command, and what stands behind it.
    Known(Name, String),
    /// Not while a turn runs.
    Later(String),
    Unknown(String),
    /// A path, and so the beginning of a message.
    Text,
}

/// A text that begins with `/`.
pub(crate) fn read(text: &str, is_turn_running: bool) -> Read {
    let (word, rest) = match text.trim().trim_start_matches('/').split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text.trim().trim_start_matches('/'), ""),
    };
    if word.contains(['/', '.']) {
        return Read::Text;
    }
    if LEAVING.contains(&word) {
        return Read::Known(Name::Leave, String::new());
    }
    match COMMANDS.iter().find(|command| command.name == word) {
        Some(command) if is_turn_running && !command.is_for_turns => {
            Read::Later(format!("/{word} waits for the turn to end: stop it with Ctrl-C, or try again then"))
        }
        Some(command) => Read::Known(command.kind, rest.to_owned()),
        None => Read::Unknown(unknown(word)),
    }
}

fn unknown(word: &str) -> String {
    let near = COMMANDS
        .iter()
        .map(|command| (damerau_levenshtein(command.name, word), command.name))
        .filter(|(distance, name)| name.starts_with(word) && !word.is_empty() || *distance <= 2)
        .min();
    match near {
        Some((_, name)) => format!("there is no /{word}: is it /{name}?"),
        None => format!("there is no /{word}: /help has the commands. A blank before the / sends it as text"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        assert_eq!(
            read("/model ollama/qwen3:8b ", false),
            Read::Known(Name::Model, "ollama/qwen3:8b".to_owned())
        );
        assert_eq!(read("/help", true), Read::Known(Name::Help, String::new()));
        assert_eq!(read("/exit", true), Read::Known(Name::Leave, String::new()));
        assert!(matches!(read("/plan", true), Read::Later(_)));
        assert_eq!(
            read("/sesions", false),
            Read::Unknown("there is no /sesions: is it /sessions?".to_owned())
        );
        assert_eq!(read("/etc/hosts is wrong", false), Read::Text);
        assert!(COMMANDS.len() <= 12);
    }
}
