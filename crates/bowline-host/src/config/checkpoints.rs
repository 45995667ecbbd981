//! Settings of checkpoints: whether they are taken, what they hold, how long they are kept.

use std::path::PathBuf;
use std::time::Duration;

use bowline_checkpoint::Settings;

use super::Value;

const MIB: u64 = 1024 * 1024;
const GIB: u64 = 1024 * MIB;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckpointSettings {
    pub enabled: bool,
    /// A new file above this is listed and not captured.
    pub new_file_mb: u64,
    /// A checkpoint that takes longer fails.
    pub budget_s: u64,
    /// Older ones go.
    pub keep_days: i64,
    /// A store that is larger loses checkpoints.
    pub keep_gb: u64,
}

impl Default for CheckpointSettings {
    fn default() -> CheckpointSettings {
        CheckpointSettings { enabled: true, new_file_mb: 2, budget_s: 60, keep_days: 30, keep_gb: 5 }
    }
}

impl CheckpointSettings {
    /// What the store is opened with; `left_out` are bowline's own folders.
    pub fn store(&self, left_out: Vec<PathBuf>) -> Settings {
        Settings {
            new_file_bytes_max: self.new_file_mb.saturating_mul(MIB),
            budget: Duration::from_secs(self.budget_s),
            left_out,
            ..Settings::default()
        }
    }

    pub fn keep_ms(&self) -> i64 {
        self.keep_days.saturating_mul(DAY_MS)
    }

    pub fn keep_bytes(&self) -> u64 {
        self.keep_gb.saturating_mul(GIB)
    }

    pub(super) fn set(&mut self, word: &str, value: &Value) {
        let count = |number: &i64| u64::try_from(*number).unwrap_or(0);
        match (word, value) {
            ("enabled", Value::Switch(is_on)) => self.enabled = *is_on,
            ("new_file_mb", Value::Count(number)) => self.new_file_mb = count(number),
            ("budget_s", Value::Count(number)) => self.budget_s = count(number),
            ("keep_days", Value::Count(number)) => self.keep_days = *number,
            ("keep_gb", Value::Count(number)) => self.keep_gb = count(number),
            _ => {}
        }
    }
}
