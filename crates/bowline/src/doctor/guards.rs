//! How often a guard stopped a turn that the user then let go on: each such *Continue* counts as a false alarm.

use bowline_core::sentinel::{Cap, NoAnswer, Sentinel};
use bowline_host::store::{GuardStop, Then};
use serde_json::json;

use super::Scene;
use super::finding::Finding;

/// The newest that are looked at.
const SENTINELS_MAX: i64 = 5_000;
/// Fewer stops say nothing about a rate.
const STOPS_MIN: usize = 5;
/// A guard that is wrong as often as this is worth a report.
const PERCENT_MAX: usize = 50;

/// What stopped a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guard {
    Mistakes,
    Loop,
    Steps,
    Time,
    NoAnswer,
}

const GUARDS: [Guard; 5] = [Guard::Mistakes, Guard::Loop, Guard::Steps, Guard::Time, Guard::NoAnswer];

impl Guard {
    /// None for a sentinel that stopped nothing, or that another one tells of already.
    fn that_stopped(sentinel: &Sentinel) -> Option<Guard> {
        match sentinel {
            Sentinel::MistakeRecovery { escalated, .. } => escalated.then_some(Guard::Mistakes),
            Sentinel::DoomLoop { escalated, .. } => escalated.then_some(Guard::Loop),
            Sentinel::CapHit { limit: Cap::Steps, .. } => Some(Guard::Steps),
            Sentinel::CapHit { limit: Cap::Time, .. } => Some(Guard::Time),
            Sentinel::NoAnswer { reason: NoAnswer::TextLoop, .. } => None,
            Sentinel::NoAnswer { .. } => Some(Guard::NoAnswer),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Guard::Mistakes => "mistakes",
            Guard::Loop => "loops",
            Guard::Steps => "steps",
            Guard::Time => "time",
            Guard::NoAnswer => "no answer",
        }
    }

    fn next(self) -> &'static str {
        match self {
            Guard::Steps => "bowline run --max-steps N raises the limit",
            Guard::Time => "bowline run --max-time 40m raises the limit",
            Guard::NoAnswer => "bowline models --probe finds out how the model answers best",
            Guard::Mistakes | Guard::Loop => {
                "if it was wrong, report it with the session: bowline sessions export ID"
            }
        }
    }
}

pub(super) async fn false_alarms(scene: &Scene) -> Vec<Finding> {
    let Some(store) = scene.store() else { return Vec::new() };
    match store.guard_stops(SENTINELS_MAX, |sentinel| Guard::that_stopped(sentinel).is_some()).await {
        Ok(stops) => rates(&stops),
        Err(error) => vec![Finding::failure("guards", &error)],
    }
}

fn rates(stops: &[GuardStop]) -> Vec<Finding> {
    if stops.is_empty() {
        return vec![Finding::ok("guards", "no turn was stopped yet")];
    }
    GUARDS.into_iter().filter_map(|guard| rate(guard, stops)).collect()
}

fn rate(guard: Guard, stops: &[GuardStop]) -> Option<Finding> {
    let of_guard = || stops.iter().filter(|stop| Guard::that_stopped(&stop.sentinel) == Some(guard));
    let (count, continued) =
        (of_guard().count(), of_guard().filter(|stop| stop.then == Then::Continued).count());
    let percent = (continued * 100).checked_div(count)?;
    let what = format!(
        "{}: stopped {count} turns, {continued} continued right after ({percent} % false alarms)",
        guard.word()
    );
    let finding = if count >= STOPS_MIN && percent >= PERCENT_MAX {
        Finding::warning("guards", what, guard.next())
    } else {
        Finding::ok("guards", what)
    };
    Some(finding.with(json!({ "guard": guard.word(), "stops": count, "continued": continued })))
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    fn cap(then: Then) -> GuardStop {
        GuardStop { sentinel: Sentinel::CapHit { limit: Cap::Steps, can_continue: true }, then }
    }

    #[test]
    fn a_rate_needs_a_few_stops_to_warn() {
        let few = [cap(Then::Continued), cap(Then::Continued), cap(Then::Nothing)];
        let [finding] = &rates(&few)[..] else { panic!("one guard, one finding") };
        assert_eq!(finding.level(), Level::Ok);
        assert_eq!(
            finding.json()["what"],
            "steps: stopped 3 turns, 2 continued right after (66 % false alarms)"
        );
        let many: Vec<GuardStop> = few.iter().chain(&few).cloned().collect();
        assert_eq!(rates(&many)[0].level(), Level::Warning);
        let new_turns: Vec<GuardStop> = (0..9).map(|_| cap(Then::NewTurn)).collect();
        assert_eq!(rates(&new_turns)[0].json()["continued"], 0);
        assert_eq!(rates(&[])[0].json()["what"], "no turn was stopped yet");
    }
}
