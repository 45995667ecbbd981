//! The window: how much of it is kept for the answer, and how long a payload is before the server has counted it.
//!
//! The server's own count is the only truth; until there is one, bytes / 3.5. What a session's log tells of it is in
//! `window/learned.rs`.

mod learned;

use crate::entry::Usage;
use crate::limits::{RESERVE_MAX, RESULT_CHARS_MAX};

pub use learned::LearnedMeter;

/// Tokens kept for the answer, and sent as its limit: a quarter of the window, at most 8,192.
pub fn reserve(window: i64) -> i64 {
    (window / 4).min(RESERVE_MAX)
}

/// Characters of a tool result that go to the model: a sixth of the window, at most 32,000.
pub fn result_chars_max(window: i64) -> usize {
    let sixth = usize::try_from(window / 6).unwrap_or(0).saturating_mul(7) / 2;
    sixth.min(RESULT_CHARS_MAX)
}

/// Counts tokens from bytes, calibrated by what the server reported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meter {
    bytes_per_token: f64,
}

const BYTES_PER_TOKEN: f64 = 3.5;

impl Default for Meter {
    fn default() -> Meter {
        Meter { bytes_per_token: BYTES_PER_TOKEN }
    }
}

impl Meter {
    pub fn tokens(&self, bytes: usize) -> i64 {
        (bytes as f64 / self.bytes_per_token).ceil() as i64
    }

    /// How long a text of so many tokens is, about.
    pub fn bytes(&self, tokens: i64) -> usize {
        (tokens.max(0) as f64 * self.bytes_per_token) as usize
    }

    /// Learns from a request of so many bytes. A figure that no tokenizer gives (a cached part left out) is ignored.
    pub fn learn(&mut self, bytes: usize, usage: Usage) {
        let told = bytes as f64 / usage.prompt().max(1) as f64;
        if (1.5..=6.0).contains(&told) {
            self.bytes_per_token = told;
        }
    }
}
