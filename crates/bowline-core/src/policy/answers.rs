//! What was answered in this session: a fold over the log, so that it also holds after a restart.

use std::collections::{BTreeMap, BTreeSet};

use crate::entry::{Answer, Body, Scope};
use crate::tool_output::Question;

/// The patterns that were allowed for longer than one call.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// Questions without an answer, by the call's item.
    open: BTreeMap<String, Vec<String>>,
    allowed: BTreeSet<String>,
}

impl Answers {
    pub fn apply(&mut self, body: &Body) {
        match body {
            Body::PermissionAsked(asked) => {
                let patterns = std::iter::once(&asked.pattern).chain(&asked.also).cloned().collect();
                self.open.insert(asked.item.clone(), patterns);
            }
            Body::PermissionAnswered(answered) => {
                // The first answer counts.
                let patterns = self.open.remove(&answered.item).unwrap_or_default();
                if answered.answer == Answer::Yes && answered.scope != Scope::Once {
                    self.allowed.extend(patterns);
                }
            }
            _ => {}
        }
    }

    /// Whether all that a question would need was allowed.
    pub fn cover(&self, question: &Question) -> bool {
        let mut needed = std::iter::once(&question.pattern).chain(&question.also);
        !question.pattern.is_empty() && needed.all(|pattern| self.allowed.contains(pattern))
    }
}
