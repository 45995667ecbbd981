//! A question on the terminal: one line, answered by a key and Enter.
//!
//! One thread reads stdin for the life of the program; a line typed for a question that was answered elsewhere meanwhile
//! is dropped. Calls that run side by side may ask at once: each question waits for the one before it.

use std::collections::VecDeque;
use std::io::BufRead as _;

use bowline_core::entry::{Answer, Body, PermissionAnswered, PermissionAsked, Scope};
use bowline_host::session_input::SessionInput;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::output::{eprint_line, eprint_now};
use crate::paint::{Paint, one_line};

pub(crate) struct Terminal {
    lines: Option<UnboundedReceiver<String>>,
    paint: Paint,
    /// Without an answer; the first one stands on the terminal.
    open: VecDeque<PermissionAsked>,
}

impl Terminal {
    pub(crate) fn new(paint: Paint) -> Terminal {
        Terminal { lines: None, paint, open: VecDeque::new() }
    }

    pub(crate) fn ask(&mut self, asked: &PermissionAsked) {
        self.open.push_back(asked.clone());
        if self.open.len() == 1 {
            self.prompt();
        }
    }

    /// Shows the first question, if there is one.
    fn prompt(&mut self) {
        let Some(asked) = self.open.front() else { return };
        if self.lines.is_none() {
            self.lines = Some(read_lines());
        }
        if let Some(lines) = &mut self.lines {
            while lines.try_recv().is_ok() {}
        }
        let what = one_line(&asked.what, 200);
        let always = match one_line(&asked.always(), 120) {
            patterns if patterns.is_empty() => patterns,
            patterns => format!("allow {patterns}: [s] this session, [p] this project; "),
        };
        let mark = self.paint.yellow("?");
        eprint_now(&format!("{mark} {what}? [y]es; {always}[n]o, or type a reason: "));
    }

    pub(crate) fn is_asking(&self) -> bool {
        !self.open.is_empty()
    }

    /// Somebody else answered.
    pub(crate) fn answered(&mut self, answered: &PermissionAnswered) {
        match self.open.iter().position(|open| open.item == answered.item) {
            None => {}
            Some(0) => {
                eprint_line("");
                self.open.pop_front();
                self.prompt();
            }
            Some(later) => {
                self.open.remove(later);
            }
        }
    }

    /// The next line, for ever pending where nothing is asked.
    pub(crate) async fn line(&mut self) -> String {
        match (self.open.front(), &mut self.lines) {
            (Some(_), Some(lines)) => match lines.recv().await {
                Some(line) => line,
                None => "no".to_owned(),
            },
            _ => std::future::pending().await,
        }
    }

    /// The line as the answer to the open question.
    pub(crate) async fn answer(&mut self, line: &str, turn: Option<&str>, input: &SessionInput) {
        let Some(open) = self.open.pop_front() else { return };
        let line = line.trim();
        let (answer, scope, reason) = match line.to_lowercase().as_str() {
            "y" | "yes" => (Answer::Yes, Scope::Once, None),
            "s" | "session" => (Answer::Yes, Scope::Session, None),
            "p" | "project" => (Answer::Yes, Scope::Project, None),
            "n" | "no" | "" => (Answer::No, Scope::Once, None),
            _ => (Answer::No, Scope::Once, Some(line.to_owned())),
        };
        let answered =
            PermissionAnswered { item: open.item, answer, scope, reason, by: "terminal".to_owned() };
        if let Err(error) = input.say(turn, Body::PermissionAnswered(answered)).await {
            eprint_line(&format!("bowline: the answer could not be stored: {error}"));
        }
        self.prompt();
    }
}

fn read_lines() -> UnboundedReceiver<String> {
    // One line per question that a person typed: it needs no bound.
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(item: &str) -> PermissionAsked {
        let word = || "word".to_owned();
        PermissionAsked {
            item: item.to_owned(),
            tool: word(),
            what: word(),
            pattern: word(),
            also: Vec::new(),
        }
    }

    fn answered(item: &str) -> PermissionAnswered {
        PermissionAnswered {
            item: item.to_owned(),
            answer: Answer::No,
            scope: Scope::Once,
            reason: None,
            by: "web".to_owned(),
        }
    }

    #[test]
    fn questions_wait_for_each_other() {
        let (_typed, lines) = unbounded_channel();
        let mut terminal = Terminal::new(Paint::new(&std::io::stderr(), true));
        terminal.lines = Some(lines);
        let items = |terminal: &Terminal| -> Vec<String> {
            terminal.open.iter().map(|asked| asked.item.clone()).collect()
        };
        ["a", "b", "c"].iter().for_each(|item| terminal.ask(&asked(item)));
        assert_eq!(items(&terminal), ["a", "b", "c"]);
        terminal.answered(&answered("b"));
        assert_eq!(items(&terminal), ["a", "c"]);
        terminal.answered(&answered("a"));
        assert_eq!(items(&terminal), ["c"]);
        terminal.answered(&answered("a"));
        assert!(terminal.is_asking());
    }
}
