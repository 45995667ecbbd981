//! Ten thousand honest sessions, each through the whole machine: no guard stops one.
//!
//! The sessions are drawn by seed (`honest/developer.rs`): reads, searches, edits, red and green tests, polling by one call or
//! several, numbered commands, several calls at once, at most one miss in ten calls. As many are drawn in which a small model
//! changes files by places (`honest/rewriter.rs`). `BOWLINE_HONEST_SEED=17` plays one of each kind alone and prints it.

#[path = "honest/developer.rs"]
mod developer;
#[path = "honest/rewriter.rs"]
mod rewriter;
#[path = "honest/shell.rs"]
mod shell;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use bowline_core::entry::{Access, Body, Entry, Stop};
use bowline_core::mode::{Calling, Mode};
use bowline_core::sentinel::Sentinel;
use bowline_core::servers::ServerKind;
use bowline_core::turn::{CheckPolicy, Opening, Permission, Setup};
use bowline_script::{Kind, Profile};

use crate::session;
use crate::sim::{Transcript, Watch, World};
use developer::Developer;
use rewriter::Rewriter;

const SESSIONS: u64 = 10_000;
const THREADS: usize = 2;
/// More than any of these sessions needs: budgets are not what is tried here.
const STEPS_MAX: i64 = 1_000;
const WINDOW: i64 = 1_000_000;

#[derive(Default)]
struct Counted {
    calls: usize,
    misses: usize,
    steps: usize,
    /// Places whose second text landed, and those that were given up.
    second_tries: usize,
    given_up: usize,
    /// Nudges by kind of sentinel.
    nudges: BTreeMap<String, usize>,
    nudged: usize,
    stopped: Vec<u64>,
}

impl Counted {
    fn add(&mut self, other: Counted) {
        self.calls += other.calls;
        self.misses += other.misses;
        self.steps += other.steps;
        self.second_tries += other.second_tries;
        self.given_up += other.given_up;
        self.nudged += other.nudged;
        self.stopped.extend(other.stopped);
        for (kind, count) in other.nudges {
            *self.nudges.entry(kind).or_default() += count;
        }
    }
}

fn setup(mode: Mode) -> Setup {
    Setup {
        dialect: ServerKind::OpenAi.dialect(Profile::new(Kind::OpenAi).model(), WINDOW),
        access: Access::Write,
        edits: Default::default(),
        permission: Permission::Nobody,
        steps_max: STEPS_MAX,
        time_ms_max: None,
        takes_checkpoints: true,
        tokens_per_s: None,
        calling: Calling { set: Some(mode), ..Calling::default() },
        checks: CheckPolicy::default(),
    }
}

/// A developer whose model calls tools natively.
fn develops(seed: u64, transcript: Transcript) -> Counted {
    let mode = Mode::Native;
    let profile = Profile::new(Kind::OpenAi);
    let mut world = World::new(Developer::new(seed), profile, setup(mode), Watch::Lightly, transcript);
    world.append(None, vec![session::started(Access::Write, WINDOW, mode)]);
    world.play(Opening::task("Mend what is broken."));
    Counted { calls: world.cast.calls, misses: world.cast.misses, ..counted(seed, &world.log) }
}

/// A small model that changes files by places, for one message or several.
fn rewrites(seed: u64, transcript: Transcript) -> Counted {
    let mode = Mode::Constrained;
    let profile = Profile::new(Kind::OpenAi);
    let mut world = World::new(Rewriter::new(seed), profile, setup(mode), Watch::Lightly, transcript);
    world.append(None, vec![session::started(Access::Write, WINDOW, mode)]);
    for _ in 0..=seed % 3 {
        let text = world.cast.task();
        world.play(Opening::task(text));
    }
    let cast = &world.cast;
    Counted {
        calls: cast.calls,
        misses: cast.misses,
        second_tries: cast.second_tries,
        given_up: cast.given_up_at_all,
        ..counted(seed, &world.log)
    }
}

/// What a log tells: every turn of an honest session ends by itself.
fn counted(seed: u64, log: &[Entry]) -> Counted {
    let mut counted = Counted::default();
    for entry in log {
        match &entry.body {
            Body::StepStarted(_) => counted.steps += 1,
            Body::Sentinel(sentinel) => *counted.nudges.entry(kind(&sentinel.sentinel)).or_default() += 1,
            Body::TurnCompleted(end) | Body::TurnPaused(end) | Body::TurnFailed(end)
                if end.stop != Stop::Done =>
            {
                counted.stopped.push(seed);
            }
            _ => {}
        }
    }
    counted.nudged = usize::from(!counted.nudges.is_empty());
    counted
}

fn kind(sentinel: &Sentinel) -> String {
    match sentinel {
        Sentinel::DoomLoop { pattern, .. } => format!("doom_loop {pattern:?}").to_lowercase(),
        Sentinel::MistakeRecovery { .. } => "mistake_recovery".to_owned(),
        other => format!("{other:?}"),
    }
}

/// Plays all sessions of a kind, or one of them.
fn play_all(play: fn(u64, Transcript) -> Counted) -> Counted {
    if let Some(seed) = std::env::var("BOWLINE_HONEST_SEED").ok().and_then(|seed| seed.parse().ok()) {
        let counted = play(seed, Transcript::printed());
        assert!(counted.stopped.is_empty(), "seed {seed} was stopped");
        return counted;
    }
    let next = AtomicU64::new(0);
    let some = || {
        let mut counted = Counted::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= SESSIONS {
                return counted;
            }
            counted.add(play(seed, Transcript::none()));
        }
    };
    let counted = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(some)).collect();
        let mut all = Counted::default();
        threads.into_iter().for_each(|thread| all.add(thread.join().unwrap()));
        all
    });
    println!(
        "{SESSIONS} sessions, {} steps, {} calls, {} misses, {} sessions nudged: {:?}",
        counted.steps, counted.calls, counted.misses, counted.nudged, counted.nudges
    );
    if let Some(seed) = counted.stopped.first() {
        play(*seed, Transcript::printed());
        panic!("stopped: {:?}; the first is printed above", counted.stopped);
    }
    counted
}

#[test]
fn no_honest_session_is_stopped() {
    play_all(develops);
}

#[test]
fn no_honest_session_that_changes_places_is_stopped() {
    let counted = play_all(rewrites);
    println!("{} places landed at the second try, {} were given up", counted.second_tries, counted.given_up);
    if std::env::var_os("BOWLINE_HONEST_SEED").is_none() {
        // Most texts land; second tries and other places are common enough to be tried in every form.
        assert!(
            counted.misses * 2 < counted.calls && counted.second_tries > 1_000 && counted.given_up > 1_000
        );
    }
}
