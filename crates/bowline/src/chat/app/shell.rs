//! Shell lines of the user's own: shown as they print, and attached to the next message.

use super::{App, Effect};
use crate::rows::{Row, Style};

/// The most bytes of a command's output that are attached for the model.
const ATTACHED_BYTES_MAX: usize = 4096;

/// A command of the user's that runs.
pub(crate) struct Shell {
    pub(crate) command: String,
    pub(crate) since_ms: i64,
    output: String,
}

impl App {
    pub(super) fn run_shell(&mut self, line: &str, now_ms: i64) {
        if line.is_empty() {
            self.tell("type a shell command after !, such as !git status");
        } else if self.shell.is_some() {
            self.warn("another shell command is still running: Ctrl-C stops it");
            self.editor.set(&format!("!{line}"));
        } else {
            self.transcript.note(Row::of("! ", Style::BOLD).with(line, Style::PLAIN));
            self.shell = Some(Shell { command: line.to_owned(), since_ms: now_ms, output: String::new() });
            self.do_it(Effect::Shell(line.to_owned()));
        }
    }

    pub(super) fn printed(&mut self, line: &str) {
        self.transcript.note(Row::plain(&format!("  {line}")));
        if let Some(shell) = &mut self.shell {
            shell.output.push_str(line);
            shell.output.push('\n');
            if shell.output.len() > 2 * ATTACHED_BYTES_MAX {
                shell.output = tail(&shell.output).to_owned();
            }
        }
    }

    pub(super) fn shell_ended(&mut self, words: &str) {
        let Some(shell) = self.shell.take() else { return };
        self.tell(&format!("  {words} · will be sent with your next message"));
        let output = tail(&shell.output).trim_end();
        self.attached.push(format!("I ran `{}` ({words}):\n{output}", shell.command));
    }
}

/// The end of what was printed, from the beginning of a line where there is one.
fn tail(text: &str) -> &str {
    let mut at = text.len().saturating_sub(ATTACHED_BYTES_MAX);
    while !text.is_char_boundary(at) {
        at += 1;
    }
    match text[at..].find('\n') {
        Some(end) if at > 0 => &text[at + end + 1..],
        _ => &text[at..],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_what_is_kept() {
        assert_eq!(tail("a\nb\n"), "a\nb\n");
        let long = "é".repeat(ATTACHED_BYTES_MAX) + "\nlast\n";
        assert_eq!(tail(&long), "last\n");
        assert!(tail(&"é".repeat(ATTACHED_BYTES_MAX)).len() <= ATTACHED_BYTES_MAX);
    }
}
