//! Ten thousand honest sessions, each through the whole machine: no guard stops one.
//!
//! The sessions are drawn by seed (`honest/developer.rs`): reads, searches, edits, red and green tests, polling, several
//! calls at once, at most one miss in ten calls. `BOWLINE_HONEST_SEED=17` plays one alone and prints it.

#[path = "honest/developer.rs"]
mod developer;
#[path = "honest/shell.rs"]
mod shell;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use bowline_core::entry::{Access, Body, Stop};
use bowline_core::mode::Mode;
use bowline_core::sentinel::Sentinel;
use bowline_core::servers::ServerKind;
use bowline_core::turn::{Opening, Permission, Setup};
use bowline_core::view::View;
use bowline_script::{Kind, Profile};

use crate::session;
use crate::sim::{Transcript, Watch, World};
use developer::Developer;

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
        self.nudged += other.nudged;
        self.stopped.extend(other.stopped);
        for (kind, count) in other.nudges {
            *self.nudges.entry(kind).or_default() += count;
        }
    }
}

fn setup() -> Setup {
    Setup {
        dialect: ServerKind::OpenAi.dialect(Profile::new(Kind::OpenAi).model(), WINDOW),
        access: Access::Write,
        edits: Default::default(),
        permission: Permission::Nobody,
        steps_max: STEPS_MAX,
        time_ms_max: None,
        takes_checkpoints: true,
        tokens_per_s: None,
        calling: Default::default(),
    }
}

fn play(seed: u64, transcript: Transcript) -> Counted {
    let profile = Profile::new(Kind::OpenAi);
    let mut world = World::new(Developer::new(seed), profile, setup(), Watch::Lightly, transcript);
    world.append(None, vec![session::started(Access::Write, WINDOW, Mode::Native)]);
    world.play(Opening::Task { text: "Mend what is broken.".to_owned(), queued: None });
    let mut counted = Counted { calls: world.cast.calls, misses: world.cast.misses, ..Counted::default() };
    for entry in &world.log {
        match &entry.body {
            Body::StepStarted(_) => counted.steps += 1,
            Body::Sentinel(sentinel) => *counted.nudges.entry(kind(&sentinel.sentinel)).or_default() += 1,
            _ => {}
        }
    }
    counted.nudged = usize::from(!counted.nudges.is_empty());
    let stop = View::of(&world.log).end.map(|end| end.stop);
    if stop != Some(Stop::Done) {
        counted.stopped.push(seed);
    }
    counted
}

fn kind(sentinel: &Sentinel) -> String {
    match sentinel {
        Sentinel::DoomLoop { pattern, .. } => format!("doom_loop {pattern:?}").to_lowercase(),
        Sentinel::MistakeRecovery { .. } => "mistake_recovery".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn no_honest_session_is_stopped() {
    if let Some(seed) = std::env::var("BOWLINE_HONEST_SEED").ok().and_then(|seed| seed.parse().ok()) {
        assert!(play(seed, Transcript::printed()).stopped.is_empty(), "seed {seed} was stopped");
        return;
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
}
