//! Simulation: every scenario played on a virtual clock, then once more for each effect with a crash right after it.
//!
//! The model is scripted and speaks bytes, which go through the real decoder; files and commands are real, in a temporary
//! folder. A scenario's transcript is part of its file; `UPDATE_EXPECT=1` rewrites it.

#[path = "sim/check.rs"]
mod check;
#[path = "sim/first_request.rs"]
mod first_request;
#[path = "sim/numbered.rs"]
mod numbered;
#[path = "sim/process.rs"]
mod process;
#[path = "sim/saves.rs"]
mod saves;
#[path = "sim/transcript.rs"]
mod transcript;
#[path = "sim/world.rs"]
mod world;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use bowline_core::entry::Stop;
use bowline_script::{Scenario, replace_section};

use world::{Played, World};

/// Effects of one run; one that needs more does not end.
const EFFECTS_MAX: usize = 20_000;
/// Runs played side by side.
const THREADS: usize = 4;

fn scenarios() -> Vec<(PathBuf, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
    let mut list: Vec<(PathBuf, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "scenario"))
        .map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    list.sort();
    if let Ok(name) = std::env::var("BOWLINE_SCENARIO") {
        list.retain(|(path, _)| path.to_string_lossy().contains(&name));
    }
    assert!(!list.is_empty(), "no scenarios in {folder}");
    list
}

fn parse(path: &std::path::Path, text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Each scenario gives the transcript it has in its file.
#[test]
fn scenarios_play_as_written() {
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for (path, text) in scenarios() {
        let scenario = parse(&path, &text);
        let played = World::new(&scenario).play(None);
        let expected = scenario.section("transcript").unwrap_or_default();
        if played.transcript.trim_end() == expected.trim_end() {
            continue;
        }
        if is_update {
            std::fs::write(&path, replace_section(&text, "transcript", &played.transcript)).unwrap();
        } else {
            wrong.push(format!("{}:\n{}", path.display(), played.transcript));
        }
    }
    assert!(wrong.is_empty(), "other than written (UPDATE_EXPECT=1 rewrites):\n\n{}", wrong.join("\n\n"));
}

/// No sentinel is in any request of any scenario, whatever the request is for.
#[test]
fn check_07_no_sentinel_in_any_request() {
    let mut kinds = Vec::new();
    for (path, text) in scenarios() {
        let played = World::new(&parse(&path, &text)).play(None);
        for sentinel in &played.sentinels {
            let kind = sentinel["kind"].as_str().unwrap().to_owned();
            for request in &played.requests {
                let body = request.to_string();
                assert!(
                    !body.contains(&kind) && !body.contains("can_continue"),
                    "{}: {body}",
                    path.display()
                );
            }
            kinds.push(kind);
        }
    }
    assert!(["cap_hit", "no_answer"].iter().all(|kind| kinds.iter().any(|seen| seen == kind)), "{kinds:?}");
}

/// A crash after the k-th effect of each scenario, for every k, and the session goes on: nothing is lost, nothing is
/// left open, every call has exactly one result.
#[test]
fn a_crash_after_any_effect_loses_nothing() {
    let scenarios: Vec<(PathBuf, Scenario)> =
        scenarios().into_iter().map(|(path, text)| (path.clone(), parse(&path, &text))).collect();
    let whole: Vec<Played> = scenarios.iter().map(|(_, scenario)| World::new(scenario).play(None)).collect();
    let effects =
        |(at, whole): (usize, &Played)| (1..=whole.effects).map(move |k| (at, k)).collect::<Vec<_>>();
    let crashes: Vec<(usize, usize)> = whole.iter().enumerate().flat_map(effects).collect();
    let next = AtomicUsize::new(0);
    let play = || {
        while let Some((at, k)) = crashes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (path, scenario) = &scenarios[*at];
            let crashed = World::with_spare_replies(scenario).play(Some(*k));
            assert_eq!(crashed.stops.len(), whole[*at].stops.len());
            for (crashed, whole) in crashed.stops.iter().zip(&whole[*at].stops) {
                // It may end better: a new run has a fresh budget, and a server time to recover.
                let is_worse = *crashed == Stop::Failed && *whole != Stop::Failed;
                assert!(!is_worse, "{}: crash after effect {k}: the turn failed", path.display());
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(play);
        }
    });
    println!("{} crashes", crashes.len());
    let is_whole = std::env::var_os("BOWLINE_SCENARIO").is_none();
    assert!(!is_whole || crashes.len() > 1000, "only {} crashes were played", crashes.len());
}
