//! Numbered repetition: steps in a row that each have a call of one tool whose arguments differ from an earlier call's only in
//! digits, with the same result.
//!
//! Two or more such series may alternate, and a step that repeats earlier calls word for word, with the results they had, may
//! lie between two steps: nothing new came of either. Whatever else happens between ends the row, and so does a change.

use super::fingerprint::CallFingerprint;

/// Steps after which an earlier call is not looked back at: so many series may alternate.
const STEPS_BACK_MAX: usize = 5;

#[derive(Debug, Default)]
pub(super) struct Near {
    /// What came of calls of the last steps.
    series: Vec<Series>,
    /// Steps so far.
    step: usize,
    /// Steps of the row.
    pub(super) count: usize,
    /// Whether the model was told. Another guard may have acted when the note was due: it is given in the next step then,
    /// and nobody is stopped who was not told.
    pub(super) is_noted: bool,
    /// Whether the row's last step only repeated earlier calls.
    was_still: bool,
}

/// Calls that differ only in digits, with the same result.
#[derive(Debug)]
struct Series {
    last: CallFingerprint,
    /// The last step with a call of it, and all of them in that step.
    step: usize,
    calls: Vec<String>,
}

impl Near {
    /// Takes the calls of a step and says whether the row grew. One step counts once, however many such calls it has. `known`
    /// says of each call whether the run has had it before, with the same result.
    pub(super) fn record(&mut self, phase: &[CallFingerprint], known: &[bool]) -> bool {
        self.step += 1;
        let step = self.step;
        self.series.retain(|series| series.step + STEPS_BACK_MAX >= step);
        let seen = || phase.iter().filter(|fingerprint| !fingerprint.is_change);
        // The very same call is the exact pattern's matter.
        let is_varied = seen().any(|fingerprint| {
            let mut series = self.series.iter().filter(|series| series.has(fingerprint));
            series.any(|series| !series.calls.contains(&fingerprint.call))
        });
        seen().for_each(|fingerprint| self.remember(fingerprint));
        let is_still = known.iter().all(|known| *known) && phase.iter().all(|call| !call.is_change);
        if is_varied {
            self.was_still = false;
            self.count = if self.count == 0 { 2 } else { self.count + 1 };
            return true;
        }
        if self.count > 0 && is_still {
            // Rounds of a poll have several such steps, and a server may need seven rounds to come up.
            let is_first = !std::mem::replace(&mut self.was_still, true);
            self.count += usize::from(is_first);
            return is_first;
        }
        (self.count, self.is_noted, self.was_still) = (0, false, false);
        false
    }

    fn remember(&mut self, fingerprint: &CallFingerprint) {
        let call = fingerprint.call.clone();
        match self.series.iter_mut().find(|series| series.has(fingerprint)) {
            Some(series) if series.step == self.step => series.calls.push(call),
            Some(series) => {
                *series = Series { last: fingerprint.clone(), step: self.step, calls: vec![call] };
            }
            None => {
                let series = Series { last: fingerprint.clone(), step: self.step, calls: vec![call] };
                self.series.push(series);
            }
        }
    }
}

impl Series {
    fn has(&self, fingerprint: &CallFingerprint) -> bool {
        self.last.near == fingerprint.near && self.last.has_near_result(fingerprint)
    }
}
