//! What outlives a process: the log, the clock, what was said from outside, and the cast.

use bowline_core::entry::{Body, Entry};
use bowline_core::recover;
use bowline_core::turn::{Opening, Setup};
use bowline_core::view::View;
use bowline_script::Profile;

use super::check::{Checks, Watch};
use super::process::{Ended, Process};
use super::{Cast, Transcript};

pub(crate) struct World<C> {
    pub(crate) cast: C,
    /// The server that is played.
    pub(crate) profile: Profile,
    pub(crate) setup: Setup,
    pub(crate) log: Vec<Entry>,
    seq: i64,
    pub(crate) now: i64,
    pub(crate) effects: usize,
    /// Taken so far.
    pub(super) checkpoints: usize,
    /// The process dies after these many effects, the next one last.
    pub(crate) crashes: Vec<usize>,
    pub(crate) transcript: Transcript,
    pub(super) checks: Checks,
    /// What somebody will say, at its time.
    pub(super) inputs: Vec<(i64, Body)>,
}

/// When every session begins. Milliseconds.
pub(super) const START_MS: i64 = 1_000_000;

impl<C: Cast> World<C> {
    pub(crate) fn new(
        cast: C,
        profile: Profile,
        setup: Setup,
        watch: Watch,
        transcript: Transcript,
    ) -> World<C> {
        World {
            cast,
            profile,
            setup,
            log: Vec::new(),
            seq: 0,
            now: START_MS,
            effects: 0,
            checkpoints: 0,
            crashes: Vec::new(),
            transcript,
            checks: Checks::new(watch),
            inputs: Vec::new(),
        }
    }

    /// Plays one run of a turn to its end; after a crash it goes on by *Continue*.
    pub(crate) fn play(&mut self, mut opening: Opening) {
        self.transcript.opening(&opening);
        self.checks.open(self.now);
        let runs = self.runs();
        while Process::start(self, opening.clone()).run() == Ended::Crashed {
            self.crashes.pop();
            self.transcript.line(self.now, "crash");
            // Somebody has to notice, and start the next one.
            self.now += 2_000;
            self.recover();
            // A crash before the turn was on the log lost nothing but the command line.
            if self.runs() > runs {
                opening = Opening::go_on();
            }
            self.checks.open(self.now);
        }
        self.checks.at_rest(&self.log);
    }

    fn runs(&self) -> usize {
        self.log.iter().filter(|entry| matches!(entry.body, Body::RunStarted(_))).count()
    }

    fn recover(&mut self) {
        let bodies = recover::close(&self.log);
        let turn = View::of(&self.log).turn;
        self.append(turn.as_deref(), bodies);
        assert!(recover::close(&self.log).is_empty(), "recovering twice finds more to close");
    }

    /// As the store does it: numbered, and a completed item replaces its provisional entries.
    pub(crate) fn append(&mut self, turn: Option<&str>, bodies: Vec<Body>) {
        for body in bodies {
            let body = self.checks.stored(body);
            self.seq += 1;
            let session = "s".to_owned();
            let entry =
                Entry { session, seq: self.seq, at_ms: self.now, turn: turn.map(str::to_owned), body };
            if let Body::ItemCompleted { item } = &entry.body {
                self.log.retain(|old| !(old.body.is_provisional() && old.body.item() == Some(&item.id)));
            }
            self.checks.appended(&entry);
            self.log.push(entry);
        }
    }

    /// Somebody will say this.
    pub(crate) fn later(&mut self, at: i64, body: Body) {
        self.inputs.push((at, body));
        self.inputs.sort_by_key(|(at, _)| *at);
    }

    /// What was said, on the log, whoever runs the turn.
    pub(super) fn hear(&mut self) -> Option<Entry> {
        let (at, _) = self.inputs.first()?;
        if *at > self.now {
            return None;
        }
        let (_, body) = self.inputs.remove(0);
        self.append(None, vec![body]);
        self.log.last().cloned()
    }
}
