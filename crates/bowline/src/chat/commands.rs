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
    command("new", Name::New, "start a new session"),
    command("sessions", Name::Sessions, "resume an earlier session by its number or id"),
    command("model", Name::Model, "list the models; with a name, switch to it"),
    command("plan", Name::Plan, "plan mode: change nothing; again to turn it off"),
    command("compact", Name::Compact, "compact the conversation into a summary now"),
    anytime("context", Name::Context, "show what fills the window"),
    anytime("diff", Name::Diff, "show what the last turn, or the named one, did to the files"),
    command("undo", Name::Undo, "undo the last turn, files and conversation"),
    command("redo", Name::Redo, "redo the last undone turn"),
    anytime("help", Name::Help, "show keys and commands"),
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
        Some(command) if is_turn_running && !command.is_for_turns => Read::Later(format!(
            "/{word} works only between turns: stop the turn with Ctrl-C, or wait for its end"
        )),
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
        Some((_, name)) => format!("there is no /{word}: did you mean /{name}?"),
        None => format!("there is no /{word}: see /help. Start with a space to send it as text"),
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
            Read::Unknown("there is no /sesions: did you mean /sessions?".to_owned())
        );
        assert_eq!(read("/etc/hosts is wrong", false), Read::Text);
        assert!(COMMANDS.len() <= 12);
    }
}
