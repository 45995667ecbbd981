//! `<think>` taken out of the text, as it streams in.
//!
//! An opening tag counts at the start of the text only, where models put it; a lone `</think>` (the template opened it in
//! the prompt) turns everything before it into thoughts, unless it stands in code. What may still become a tag is held
//! back until it is decided.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

#[derive(Debug, Default)]
pub(super) struct Tags {
    state: State,
    /// Not yet decided.
    held: String,
    text: String,
    thoughts: String,
}

#[derive(Debug, Default, PartialEq)]
enum State {
    /// Nothing but blanks so far.
    #[default]
    Start,
    Thinking,
    /// Text, in which a lone closing tag may still come.
    Text,
    /// After the thoughts.
    Answer,
}

impl Tags {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn replace_text(&mut self, text: String) {
        self.text = text;
    }

    pub(super) fn cut_text(&mut self, bytes: usize) {
        self.text.truncate(bytes);
        self.held.clear();
    }

    pub(super) fn cut_thoughts(&mut self, bytes: usize) {
        self.thoughts.truncate(bytes);
        self.held.clear();
    }

    pub(super) fn thoughts(&self) -> &str {
        &self.thoughts
    }

    pub(super) fn push(&mut self, piece: &str) {
        self.held.push_str(piece);
        while self.decide() {}
    }

    pub(super) fn close(&mut self) {
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Thinking => self.thoughts.push_str(&held),
            State::Start if held.trim().is_empty() => {}
            _ => self.text.push_str(&held),
        }
    }

    /// Moves what is decided; true while there is more to decide.
    fn decide(&mut self) -> bool {
        match self.state {
            State::Start => self.start(),
            State::Thinking => self.thinking(),
            State::Text => self.lone(),
            State::Answer => {
                let held = std::mem::take(&mut self.held);
                let held = if self.text.is_empty() { held.trim_start_matches(['\r', '\n']) } else { &held };
                self.text.push_str(held);
                false
            }
        }
    }

    fn start(&mut self) -> bool {
        let seen = self.held.trim_start();
        if let Some(rest) = seen.strip_prefix(OPEN) {
            self.held = rest.trim_start_matches(['\r', '\n']).to_owned();
            self.state = State::Thinking;
            return true;
        }
        if seen.is_empty() || OPEN.starts_with(seen) {
            return false;
        }
        self.state = State::Text;
        true
    }

    fn thinking(&mut self) -> bool {
        if let Some((thoughts, rest)) = self.held.split_once(CLOSE) {
            self.thoughts.push_str(thoughts);
            self.held = rest.to_owned();
            self.state = State::Answer;
            return true;
        }
        let free = self.take_free();
        self.thoughts.push_str(&free);
        false
    }

    fn lone(&mut self) -> bool {
        if let Some((before, rest)) = self.held.split_once(CLOSE) {
            let (before, rest) = (before.to_owned(), rest.to_owned());
            self.text.push_str(&before);
            if is_in_code(&self.text) {
                // Text that speaks of the tag has no thoughts before one.
                self.text.push_str(CLOSE);
            } else {
                self.thoughts = std::mem::take(&mut self.text);
            }
            self.state = State::Answer;
            self.held = rest;
            return true;
        }
        let free = self.take_free();
        self.text.push_str(&free);
        false
    }

    /// What can't be the beginning of a closing tag any more.
    fn take_free(&mut self) -> String {
        let kept = (1..CLOSE.len())
            .rev()
            .find(|length| CLOSE.get(..*length).is_some_and(|start| self.held.ends_with(start)))
            .unwrap_or(0);
        let kept = self.held.split_off(self.held.len() - kept);
        std::mem::replace(&mut self.held, kept)
    }
}

/// Whether what follows stands in a fence or behind an open backtick.
fn is_in_code(text: &str) -> bool {
    let is_fenced = text.matches("```").count() % 2 == 1;
    let line = text.rsplit('\n').next().unwrap_or_default();
    is_fenced || line.matches('`').count() % 2 == 1
}
