//! A question on the terminal: one line, answered by a key and Enter.
//!
//! One thread reads stdin for the life of the program; a line typed for a question that was answered elsewhere meanwhile
//! is dropped.

use std::io::BufRead as _;

use bowline_core::entry::{Answer, Body, PermissionAnswered, PermissionAsked};
use bowline_host::session::Voice;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::out::{draw, tell};
use crate::paint::{Paint, one_line};

pub(crate) struct Terminal {
    lines: Option<UnboundedReceiver<String>>,
    paint: Paint,
    open: Option<PermissionAsked>,
}

impl Terminal {
    pub(crate) fn new(paint: Paint) -> Terminal {
        Terminal { lines: None, paint, open: None }
    }

    pub(crate) fn ask(&mut self, asked: &PermissionAsked) {
        if self.lines.is_none() {
            self.lines = Some(read_lines());
        }
        if let Some(lines) = &mut self.lines {
            while lines.try_recv().is_ok() {}
        }
        let what = one_line(&asked.what, 200);
        draw(&format!("{} {what}? [y]es, [n]o, or no with a reason: ", self.paint.yellow("?")));
        self.open = Some(asked.clone());
    }

    pub(crate) fn is_asking(&self) -> bool {
        self.open.is_some()
    }

    /// Somebody else answered.
    pub(crate) fn answered(&mut self, answered: &PermissionAnswered) {
        if self.open.take_if(|open| open.item == answered.item).is_some() {
            tell("");
        }
    }

    /// The next line, for ever pending where nothing is asked.
    pub(crate) async fn line(&mut self) -> String {
        match (&self.open, &mut self.lines) {
            (Some(_), Some(lines)) => match lines.recv().await {
                Some(line) => line,
                None => "no".to_owned(),
            },
            _ => std::future::pending().await,
        }
    }

    /// The line as the answer to the open question.
    pub(crate) async fn answer(&mut self, line: &str, turn: Option<&str>, voice: &Voice) {
        let Some(open) = self.open.take() else { return };
        let line = line.trim();
        let (answer, reason) = match line.to_lowercase().as_str() {
            "y" | "yes" => (Answer::Yes, None),
            "n" | "no" | "" => (Answer::No, None),
            _ => (Answer::No, Some(line.to_owned())),
        };
        let answered = PermissionAnswered { item: open.item, answer, reason, by: "terminal".to_owned() };
        if let Err(error) = voice.say(turn, Body::PermissionAnswered(answered)).await {
            tell(&format!("bowline: the answer could not be stored: {error}"));
        }
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
