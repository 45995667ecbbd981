//! A fresh start: in text and constrained mode a second red result does not go back to the model that made it. The attempt is set
//! aside by code, and the model starts again from the task and the files as they are.
//!
//! What always holds: the messages up to the task stay byte for byte, so that the server's cache still has them; what the user
//! said meanwhile stays too; and if the files were better earlier in this run, they are put back to that state first.

use super::checking::Then;
use super::{Effect, Machine, Phase};
use crate::entry::{Body, Compacted, CompactedBy, SentBackFor};
use crate::limits::{FRESH_FILES_BYTES_MAX, FRESH_FILES_MAX, SURVEY_MS_MAX};

const HEAD: &str = include_str!("notes/fresh_start.md");

/// The host is reading the files that the turn has changed.
pub(super) struct ReadingFiles {
    since_ms: i64,
}

impl ReadingFiles {
    pub(super) fn wake_at(&self) -> i64 {
        self.since_ms + SURVEY_MS_MAX
    }
}

impl Machine {
    /// Sets the attempt aside. The run's own changes since its best state are taken back first.
    pub(super) fn start_afresh(&mut self, now: i64) {
        match self.checks.better_state() {
            Some(len) => self.rewind_to(len, Then::FreshStart, now),
            None => self.read_files_afresh(now),
        }
    }

    /// Asks for the files as they are now.
    pub(super) fn read_files_afresh(&mut self, now: i64) {
        let paths: Vec<String> =
            self.changes.list().into_iter().map(|change| change.path).take(FRESH_FILES_MAX).collect();
        self.effects.push(Effect::ReadFiles { paths });
        self.phase = Phase::ReadingFiles(ReadingFiles { since_ms: now });
    }

    /// The host did not answer in time: the start is made without the files.
    pub(super) fn tick_reading_files(&mut self, now: i64) {
        if matches!(&self.phase, Phase::ReadingFiles(reading) if now >= reading.wake_at()) {
            self.files_read(&[], now);
        }
    }

    /// The files that could be read, each with its text.
    pub(super) fn files_read(&mut self, files: &[(String, String)], now: i64) {
        if !matches!(self.phase, Phase::ReadingFiles(_)) {
            return;
        }
        self.phase = Phase::Idle;
        let kept = self.conversation.messages_up_to_task();
        let (_, bytes_before) = self.request(None, None);
        let all = self.conversation.payload().messages.len();
        let after: usize =
            self.conversation.payload().messages.iter().skip(kept).map(crate::payload::Message::bytes).sum();
        let summary = self.fresh_summary(files);
        let tokens_after = self.meter.tokens(bytes_before.saturating_sub(after) + summary.len());
        self.record(Body::Compacted(Compacted {
            summary,
            messages: i64::try_from(all.saturating_sub(kept)).unwrap_or(i64::MAX),
            task: None,
            tokens_before: self.meter.tokens(bytes_before),
            tokens_after,
            by: CompactedBy::Code,
            kept: i64::try_from(kept).unwrap_or(i64::MAX),
        }));
        self.doom.forget();
        if let Some(words) = self.red_words() {
            self.sent_back = Some((words, SentBackFor::Check));
        }
        self.next_step(None, now);
    }

    /// What the model reads in place of its attempt: the files as they are, and a line for each time the check ran.
    fn fresh_summary(&self, files: &[(String, String)]) -> String {
        let mut text = HEAD.trim().to_owned();
        let mut bytes = 0;
        for (path, content) in files {
            if bytes + content.len() <= FRESH_FILES_BYTES_MAX {
                bytes += content.len();
                text.push_str(&format!("\n\n{path}:\n```\n{}\n```", content.trim_end()));
            } else {
                text.push_str(&format!("\n\n{path} has changed: view it before you edit it."));
            }
        }
        let attempts: Vec<String> =
            self.checks.last_attempts().map(|attempt| format!("\n- {attempt}")).collect();
        if !attempts.is_empty() {
            text.push_str("\n\nWhat was tried:");
        }
        text.extend(attempts);
        text
    }
}
