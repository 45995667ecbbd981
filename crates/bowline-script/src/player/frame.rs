//! What both protocols need to render a reply: the request's wishes, the counts, the ids, and the plays so far.
//!
//! Bytes are pushed in the order they go over the wire; nothing is pushed after an end.

use serde_json::{Value, json};

use super::Play;
use super::count::Counts;
use crate::profile::Profile;
use crate::reply::{Call, End, Finish, Quirk, Reply, Step, Usage, Wire};

/// What the request asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Asked {
    pub stream: bool,
    pub include_usage: bool,
    pub return_progress: bool,
}

/// A reply about to be rendered.
pub(super) struct Frame<'a> {
    pub profile: &'a Profile,
    pub model: &'a str,
    pub reply: &'a Reply,
    pub asked: Asked,
    pub counts: Counts,
    /// One id per call of the reply.
    pub ids: Vec<String>,
    /// The number of the request, for the answer's own id.
    pub number: usize,
}

impl Frame<'_> {
    pub(super) fn finish(&self) -> Option<&str> {
        match &self.reply.finish {
            Finish::Absent => None,
            Finish::Named(reason) => Some(reason),
            Finish::Fitting => Some(match self.reply.calls().next() {
                Some(call) if call.quirks.contains(&Quirk::Legacy) => "function_call",
                Some(_) => "tool_calls",
                None => "stop",
            }),
        }
    }

    pub(super) fn reports_usage(&self) -> bool {
        self.reply.usage != Usage::Absent
    }

    /// New prompt tokens at the speed of the profile.
    pub(super) fn prompt_ms(&self) -> f64 {
        let new = self.counts.prompt.saturating_sub(self.counts.cached);
        new as f64 * 1_000.0 / self.profile.prefill_tokens_per_s as f64
    }

    pub(super) fn output_ms(&self) -> f64 {
        self.counts.output as f64 * 1_000.0 / self.profile.decode_tokens_per_s as f64
    }

    /// llama.cpp's report of times.
    pub(super) fn timings(&self) -> Value {
        let counts = self.counts;
        let new = counts.prompt.saturating_sub(counts.cached);
        json!({
            "cache_n": counts.cached,
            "prompt_n": new,
            "prompt_ms": self.prompt_ms(),
            "prompt_per_token_ms": 1_000.0 / self.profile.prefill_tokens_per_s as f64,
            "prompt_per_second": self.profile.prefill_tokens_per_s as f64,
            "predicted_n": counts.output,
            "predicted_ms": self.output_ms(),
            "predicted_per_token_ms": 1_000.0 / self.profile.decode_tokens_per_s as f64,
            "predicted_per_second": self.profile.decode_tokens_per_s as f64,
        })
    }

    /// An answer that comes in one piece after all its waits. A script that cuts it sends the first half.
    pub(super) fn whole(&self, body: &Value) -> Vec<Play> {
        let mut plays = Plays::new(self.reply.wire);
        let bytes = body.to_string().into_bytes();
        for step in &self.reply.steps {
            match step {
                Step::WaitMs(ms) => plays.push(Play::Wait(*ms)),
                Step::Raw(raw) => plays.bytes(raw.clone()),
                Step::End(End::Cut) => {
                    plays.bytes(bytes[..bytes.len() / 2].to_vec());
                    plays.end(End::Cut);
                    return plays.done();
                }
                Step::End(end) => {
                    plays.end(*end);
                    return plays.done();
                }
                _ => {}
            }
        }
        plays.bytes(bytes);
        plays.done()
    }
}

/// The bytes of an answer's tokens: text, thoughts, names and arguments.
pub(super) fn output_bytes(step: &Step) -> usize {
    match step {
        Step::Text(pieces) | Step::Reasoning { pieces, .. } => pieces.text.len(),
        Step::Call(Call { name, arguments, .. }) => name.len() + arguments.text.len(),
        _ => 0,
    }
}

/// Plays in the making.
pub(super) struct Plays {
    plays: Vec<Play>,
    wire: Wire,
}

impl Plays {
    pub(super) fn new(wire: Wire) -> Self {
        Self { plays: Vec::new(), wire }
    }

    pub(super) fn push(&mut self, play: Play) {
        self.plays.push(play);
    }

    pub(super) fn bytes(&mut self, bytes: Vec<u8>) {
        match self.wire.split_bytes {
            Some(size) if size > 0 => {
                self.plays.extend(bytes.chunks(size).map(|piece| Play::Bytes(piece.to_vec())));
            }
            _ => self.plays.push(Play::Bytes(bytes)),
        }
    }

    pub(super) fn end(&mut self, end: End) {
        self.plays.push(match end {
            End::Refuse | End::Cut => Play::Cut,
            End::Reset => Play::Reset,
            End::Hang => Play::Hang,
        });
    }

    pub(super) fn done(self) -> Vec<Play> {
        self.plays
    }
}
