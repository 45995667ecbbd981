//! The checks of the guards by number, each a scenario: F a failing call, each with other arguments, S a successful one.

use bowline_core::entry::Stop;
use serde_json::Value;

use super::world::{Played, World};
use super::{parse, scenarios};

fn play(name: &str) -> Played {
    let (path, text) = scenarios()
        .into_iter()
        .find(|(path, _)| path.file_stem().is_some_and(|stem| stem == name))
        .unwrap_or_else(|| panic!("no scenario {name}"));
    World::new(&parse(&path, &text)).play(None)
}

/// Whether each sentinel of the mistake guard stopped the turn, in order.
fn escalations(played: &Played) -> Vec<bool> {
    let of_mistakes = |sentinel: &&Value| sentinel["kind"] == "mistake_recovery";
    let sentinels = played.sentinels.iter().filter(of_mistakes);
    sentinels.map(|sentinel| sentinel["escalated"].as_bool().unwrap()).collect()
}

/// The requests, counted from 1, that carry the guard's note.
fn noted(played: &Played) -> Vec<usize> {
    let has_note = |request: &Value| request.to_string().contains("several calls in a row failed");
    played.requests.iter().enumerate().filter(|(_, request)| has_note(request)).map(|(n, _)| n + 1).collect()
}

#[test]
fn check_01_three_failures_are_nudged_in_one_request() {
    let played = play("check-01-nudge");
    assert_eq!((escalations(&played), noted(&played)), (vec![false], vec![4]));
}

#[test]
fn check_02_a_success_clears_streak_and_nudges() {
    let played = play("check-02-success-clears");
    assert_eq!((escalations(&played), noted(&played)), (vec![false, false], vec![4, 8]));
}

#[test]
fn check_03_six_failures_stop_the_turn() {
    let played = play("check-03-stop");
    assert_eq!(escalations(&played), [false, true]);
    assert_eq!(played.sentinels[1]["can_continue"], true);
    assert_eq!(played.sentinels[0].get("can_continue"), None);
}

#[test]
fn check_04_three_failures_in_one_step_are_nudged() {
    let played = play("check-04-one-step");
    assert_eq!((escalations(&played), noted(&played)), (vec![false], vec![2]));
}

#[test]
fn check_05_two_failures_a_success_two_failures_are_nothing() {
    let played = play("check-05-nothing");
    assert_eq!((escalations(&played), noted(&played)), (vec![], vec![]));
}

#[test]
fn check_06_each_kind_counts() {
    let played = play("check-06-kinds");
    let kinds = &played.sentinels[0]["failure_kinds"];
    assert_eq!(kinds, &serde_json::json!(["schema_reject", "tool_not_found", "permission_denied"]));
    // The fifth kind, a failed server of another kind, has no tool yet: it is a case of the guard itself.
    assert_eq!(escalations(&played), [false, true]);
}

/// The lists of each summary, in order.
fn ledgers(played: &Played) -> Vec<&str> {
    let lists = |summary: &'_ str| summary.find("## Files Modified").unwrap_or(summary.len());
    played.summaries.iter().map(|summary| &summary[lists(summary)..]).collect()
}

#[test]
fn check_08_the_ledger_survives_compactions_and_the_model() {
    let played = play("check-08-ledger");
    let first = "## Files Modified\n\n## Files Read\n- .\n- beta.txt\n- gamma.txt\n- src\n- src/alpha.txt\n- src/delta.txt";
    let second = "## Files Modified\n- beta.txt\n\n\
                  ## Files Read\n- .\n- beta.txt\n- epsilon.txt\n- gamma.txt\n- src\n- src/alpha.txt\n- src/delta.txt";
    assert_eq!(ledgers(&played), [first, second]);
    // The list was put before the model, too.
    let asked = |request: &&Value| request.to_string().contains("## Files Read\\n- .\\n- beta.txt");
    assert!(played.requests.iter().filter(asked).count() >= 2);
}

/// Over a long session each token is read once: what the server read anew, all steps together, is the last prompt and the
/// one token a step that every answer begins behind.
#[test]
fn a_server_reads_only_what_is_new() {
    let usages = play("thirty-steps").usages;
    assert!(usages.len() > 30, "{} steps", usages.len());
    let anew: i64 = usages.iter().map(|usage| usage.prompt_new).sum();
    let last = usages.last().unwrap().prompt();
    let steps = i64::try_from(usages.len()).unwrap();
    assert!(anew <= last + 2 * steps, "{anew} tokens were read anew for a prompt of {last}");
}

/// All scenarios whose name begins so, played.
fn all(prefix: &str) -> Vec<(String, Played)> {
    let name = |path: &std::path::Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let of_kind = scenarios().into_iter().filter(|(path, _)| name(path).starts_with(prefix));
    of_kind.map(|(path, text)| (name(&path), World::new(&parse(&path, &text)).play(None))).collect()
}

#[test]
fn every_endless_session_ends_within_16_model_calls() {
    let played = all("endless-");
    assert!(played.len() >= 12, "{} endless scenarios", played.len());
    for (name, played) in played {
        let stop = match name.as_str() {
            // Ever new reads are honest work: they end at the cap.
            "endless-new-reads" => Stop::Limit,
            // Texts that the program asks for and takes back are no loop of the model's: the check ends the turn.
            "endless-samples" => Stop::Check,
            _ => Stop::Guard,
        };
        assert_eq!(played.stops, [stop], "{name}");
        assert!(played.requests.len() <= 16, "{name}: {} model calls", played.requests.len());
    }
}

#[test]
fn no_honest_session_is_stopped() {
    let played = all("honest-");
    assert!(played.len() >= 9, "{} honest scenarios", played.len());
    for (name, played) in played {
        assert_eq!(played.stops, [Stop::Done], "{name}");
    }
}
