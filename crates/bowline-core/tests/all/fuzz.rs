//! Thousands of sessions with a model, a server and a user that misbehave: whatever they do, the machine keeps its promises.
//!
//! Each run is drawn by its number. One that fails is printed with its number and a transcript:
//! `BOWLINE_FUZZ_SEED=1234 cargo test -p bowline-core fuzz` plays it alone, `BOWLINE_FUZZ_RUNS=200000` plays that many.
//! What is held stands in `sim/check.rs`; and a panic anywhere is a failure.

#[path = "fuzz/arguments.rs"]
mod arguments;
#[path = "fuzz/fault.rs"]
mod fault;
#[path = "fuzz/fool.rs"]
mod fool;
#[path = "fuzz/places.rs"]
mod places;
#[path = "fuzz/words.rs"]
mod words;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use bowline_core::entry::{Access, Stop};
use bowline_core::mode::{Binding, Calling, Mode, Size};
use bowline_core::servers::ServerKind;
use bowline_core::thinking::Thinking;
use bowline_core::turn::{CheckPolicy, Opening, Permission, Setup};
use bowline_core::typed::Typed;
use bowline_core::view::View;
use bowline_core::wire::Dialect;
use bowline_script::{Kind, Profile};

use crate::session;
use crate::sim::random::Random;
use crate::sim::{Transcript, Watch, World};
use fool::Fool;

const RUNS: u64 = 3_000;
const THREADS: usize = 2;

/// The server, and what a run is given.
fn drawn(random: &mut Random) -> (Profile, Setup) {
    let (kind, server) = *random.pick(&[
        (Kind::OpenAi, ServerKind::OpenAi),
        (Kind::LlamaCpp, ServerKind::LlamaCpp),
        (Kind::Ollama, ServerKind::Ollama),
    ]);
    let window = random.weighted(&[(8, 1_000_000), (1, 16_384), (1, 8_192)]);
    let mut profile = Profile::new(kind);
    profile.window = (kind == Kind::LlamaCpp).then_some(window as u64);
    // A server may allocate less than it is asked for.
    if random.chance(10) {
        // Its template knows no tools.
        profile.models.iter_mut().for_each(|model| model.capabilities.clear());
    }
    profile.train = if random.chance(90) { window as u64 } else { 6_000 };
    let setup = Setup {
        dialect: Dialect {
            thinking: random.weighted(&[(8, Thinking::Auto), (1, Thinking::Off), (1, Thinking::High)]),
            ..server.dialect(profile.model(), window)
        },
        access: access(random),
        edits: Default::default(),
        permission: *random.pick(&[Permission::Ask, Permission::Nobody, Permission::Yes]),
        steps_max: random.weighted(&[(1, 1), (1, 2), (2, 5), (3, 11), (4, 20), (2, 50)]),
        time_ms_max: random.chance(15).then(|| random.between(1, 600_000)),
        takes_checkpoints: true,
        tokens_per_s: *random.pick(&[None, Some(0.0), Some(1e-9), Some(50.0)]),
        calling: calling(random),
        checks: CheckPolicy::default(),
    };
    (profile, setup)
}

fn calling(random: &mut Random) -> Calling {
    Calling {
        set: random.weighted(&[(6, None), (1, Some(Mode::Native)), (1, Some(Mode::Constrained))]),
        size: *random.pick(&[Size::Small, Size::LargeOrUnknown]),
        binding: random.weighted(&[(4, Binding::Possible), (1, Binding::Refused)]),
    }
}

fn access(random: &mut Random) -> Access {
    if random.chance(85) { Access::Write } else { Access::ReadOnly }
}

fn play(seed: u64, transcript: Transcript) -> Vec<Stop> {
    let mut random = Random::new(seed);
    let (profile, setup) = drawn(&mut random);
    let window = setup.dialect.window;
    let mode = random.weighted(&[(4, Mode::Native), (2, Mode::Text), (2, Mode::Constrained)]);
    let fool = Fool::new(Random::new(random.next()));
    let mut world = World::new(fool, profile, setup, Watch::Closely, transcript);
    world.append(None, vec![session::started(access(&mut random), window, mode)]);
    world.crashes = (0..random.weighted(&[(6, 0), (3, 1), (1, 3)])).map(|_| 1 + random.below(120)).collect();
    world.crashes.sort_unstable_by(|a, b| b.cmp(a));
    world.crashes.dedup();
    let mut stops = Vec::new();
    for act in 0..random.weighted(&[(6, 1), (3, 2), (1, 3)]) {
        if act > 0 {
            world.setup.access = access(&mut random);
            world.now += 60_000;
        }
        let opening = opening(&mut random, act, &View::of(&world.log));
        world.play(opening);
        stops.extend(View::of(&world.log).end.map(|end| end.stop));
    }
    stops
}

fn opening(random: &mut Random, act: i32, view: &View) -> Opening {
    if act > 0 && random.chance(20) {
        return Opening::Compact;
    }
    if act > 0 && random.chance(50) {
        let hint = random.chance(50).then(|| format!("Try again. {}", words::soup(random, 4)));
        let typed = Typed::all(hint.as_deref().unwrap_or_default());
        return Opening::Continue { hint, typed };
    }
    match view.queue.first() {
        Some(queued) => Opening::Task {
            text: queued.text.clone(),
            queued: Some(queued.id.clone()),
            typed: queued.typed.clone(),
        },
        None => Opening::task(format!("{} {}", places::task(random), words::soup(random, 4))),
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

#[test]
fn fuzz_every_promise_holds() {
    if let Some(seed) = number("BOWLINE_FUZZ_SEED") {
        println!("seed {seed} ended {:?}", play(seed, Transcript::printed()));
        return;
    }
    let runs = number("BOWLINE_FUZZ_RUNS").unwrap_or(RUNS);
    let next = AtomicU64::new(0);
    let failed: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    let ends: Mutex<BTreeMap<&str, usize>> = Mutex::new(BTreeMap::new());
    let some = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= runs || failed.lock().unwrap().len() >= FAILURES_MAX {
                return;
            }
            match catch_unwind(AssertUnwindSafe(|| play(seed, Transcript::none()))) {
                Ok(stops) => {
                    let mut ends = ends.lock().unwrap();
                    stops.into_iter().for_each(|stop| *ends.entry(stop.word()).or_default() += 1);
                }
                Err(_) => failed.lock().unwrap().push(seed),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(some);
        }
    });
    println!("{runs} runs ended: {:?}", ends.lock().unwrap());
    let failed = failed.into_inner().unwrap();
    if let Some(seed) = failed.first() {
        println!("BOWLINE_FUZZ_SEED={seed} cargo test -p bowline-core fuzz");
        play(*seed, Transcript::printed());
    }
    assert!(failed.is_empty(), "these failed: {failed:?}");
}

/// After so many failures the rest is not tried.
const FAILURES_MAX: usize = 10;
