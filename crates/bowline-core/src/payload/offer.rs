//! What makes sense next, for a model that is bound to a schema: not the last vain call again, no view of what is shown,
//! nothing that writes in a turn that only reads, no end before anything was done, right after an edit that failed, or before a red command was run again.
//!
//! A fold, like the rest of the payload. Small models end too soon (a false "done" ended 7 of 12 failures) and repeat
//! themselves: what is not offered can't be chosen.

use super::Said;
use crate::entry::{Access, StepPurpose};
use crate::item::{Call, CallResult};
use crate::outcome::Outcome;
use crate::tools;

/// Enough to look, and to try again.
const OWED_CALLS: u32 = 3;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Offer {
    /// The tool whose last call brought nothing.
    vain: Option<String>,
    /// Whether a call of this turn succeeded.
    is_begun: bool,
    /// Whether the last command ended non-zero.
    is_red: bool,
    /// Calls to come before an end is offered again: after an edit that failed, and after one that was to mend a command.
    /// A small model would call it done.
    owed: u32,
    /// Whether only words are wanted.
    is_answer_only: bool,
    is_read_only: bool,
}

impl Offer {
    /// After a call that succeeded.
    pub fn begun() -> Offer {
        Offer { is_begun: true, ..Offer::default() }
    }

    /// Whether a call of this tool may be chosen.
    pub fn has(&self, tool: &str) -> bool {
        let is_refused = self.is_read_only && tools::effect(tool) == tools::Effect::Writes;
        !self.is_answer_only && !is_refused && self.vain.as_deref() != Some(tool)
    }

    pub fn can_answer(&self) -> bool {
        (self.is_begun && self.owed == 0) || self.is_answer_only
    }

    pub(super) fn turn(&mut self) {
        *self = Offer::default();
    }

    pub(super) fn run(&mut self, access: Access) {
        self.is_read_only = access == Access::ReadOnly;
    }

    pub(super) fn step(&mut self, purpose: StepPurpose) {
        self.is_answer_only = purpose != StepPurpose::Work;
    }

    /// A call has ended; `said` is the conversation with its result.
    pub(super) fn ended(&mut self, call: &Call, result: &CallResult, said: &[Said]) {
        let is_success = result.outcome == Outcome::Success;
        let is_edit = matches!(call.tool.as_str(), "edit_file" | "write_file");
        let is_news = if is_edit { !result.edits.is_empty() } else { !is_shown(call, result, said) };
        self.is_begun |= is_success;
        let is_command = call.tool == "run_command";
        self.owed = match (is_edit, is_success) {
            // It has to land.
            (true, false) => OWED_CALLS,
            // What was red is to be run again.
            (true, true) if self.is_red => OWED_CALLS,
            (true, true) => 0,
            (false, _) if is_command => 0,
            (false, _) => self.owed.saturating_sub(1),
        };
        if is_command {
            self.is_red = result.exit_code.is_some_and(|code| code != 0);
        }
        self.vain = (!is_success || !is_news).then(|| call.tool.clone());
    }
}

/// Whether the same call had the same result before.
fn is_shown(call: &Call, result: &CallResult, said: &[Said]) -> bool {
    let is_same_result = |id: &str| {
        said.iter()
            .any(|said| matches!(said, Said::Tool { call, text, .. } if call == id && *text == result.text))
    };
    let calls = said.iter().flat_map(|said| match said {
        Said::Assistant { calls, .. } => calls.as_slice(),
        _ => &[],
    });
    let same = |said: &&super::SaidCall| {
        said.tool == call.tool && said.arguments == call.arguments && is_same_result(&said.id)
    };
    // Its own is one of them.
    calls.filter(same).count() > 1
}
