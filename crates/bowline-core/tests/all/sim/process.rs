//! One process that runs a turn: the machine, and what is in the air. Dropping it is the crash.

use bowline_core::entry::{Body, PermissionAsked};
use bowline_core::retry::Failure;
use bowline_core::tool_output::ToolDone;
use bowline_core::turn::{Effect, Event, Machine, Opening};
use bowline_core::view::View;
use bowline_core::wire::{Decoder, Protocol, Request};
use bowline_script::{Answer, Play, Player};

use super::Cast;
use super::check::EFFECTS_MAX;
use super::world::World;

pub(super) struct Process<'w, C> {
    world: &'w mut World<C>,
    machine: Machine,
    /// What will happen, unless something else happens first: time, order, event.
    coming: Vec<(i64, u64, Event)>,
    order: u64,
    first: Vec<Effect>,
    /// Questions nobody had to answer yet; some may have been answered all the same.
    asked: Vec<String>,
    /// When the last input was noticed.
    noticed: i64,
    /// Whether all that tools started has been ended since the last one ran.
    is_quiet: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ended {
    HandedBack,
    Crashed,
}

impl<'w, C: Cast> Process<'w, C> {
    pub(super) fn start(world: &'w mut World<C>, opening: Opening) -> Process<'w, C> {
        let view = View::of(&world.log);
        let mut machine = Machine::new(&world.log, world.setup.clone());
        let first = machine.open(opening, &view, world.now);
        Process {
            world,
            machine,
            coming: Vec::new(),
            order: 0,
            first,
            asked: Vec::new(),
            noticed: 0,
            is_quiet: false,
        }
    }

    pub(super) fn run(mut self) -> Ended {
        let mut effects = std::mem::take(&mut self.first);
        loop {
            for effect in std::mem::take(&mut effects) {
                let is_last = matches!(effect, Effect::HandBack(_));
                self.world.transcript.effect(&effect, self.world.now);
                if let Some((after_ms, body)) = self.world.cast.outside(&effect) {
                    self.world.later(self.world.now + after_ms, body);
                }
                self.carry_out(effect);
                self.world.effects += 1;
                assert!(self.world.effects < EFFECTS_MAX, "it does not end");
                if self.world.crashes.last() == Some(&self.world.effects) {
                    return Ended::Crashed;
                }
                if is_last {
                    return Ended::HandedBack;
                }
            }
            effects = self.next();
        }
    }

    /// The next thing that happens: an event, an input, or the machine's own tick.
    fn next(&mut self) -> Vec<Effect> {
        self.coming.sort_by_key(|(at, order, _)| (*at, *order));
        let event = self.coming.first().map(|(at, ..)| *at);
        let input = self.world.inputs.first().map(|(at, _)| *at);
        let tick = self.machine.wake_at();
        let Some(at) = [event, input, tick].into_iter().flatten().min() else {
            let item = self.asked.pop().expect("nothing will ever happen again");
            let body = self.world.cast.answer(&item);
            self.world.later(self.world.now, body);
            return Vec::new();
        };
        self.world.now = self.world.now.max(at) + self.world.cast.late_ms();
        let event = if self.world.cast.is_restless() {
            Event::Tick
        } else if event == Some(at) {
            self.coming.remove(0).2
        } else if input == Some(at) {
            let Some(entry) = self.world.hear() else { return Vec::new() };
            self.world.transcript.heard(&entry.body, self.world.now);
            // It is on the log at once, and noticed when the log is next looked at, in the order of the log.
            self.noticed = self.noticed.max(self.world.now + self.world.cast.late_ms());
            self.later(self.noticed, Event::Input { seq: entry.seq, body: Box::new(entry.body) });
            return Vec::new();
        } else {
            Event::Tick
        };
        self.world.checks.event(&event);
        self.machine.step(event, self.world.now)
    }

    fn later(&mut self, at: i64, event: Event) {
        self.order += 1;
        self.coming.push((at, self.order, event));
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Append(bodies) => {
                self.world.checks.deltas(&bodies, self.world.now);
                for body in &bodies {
                    if let Body::PermissionAsked(PermissionAsked { item, .. }) = body {
                        self.asked.push(item.clone());
                    }
                }
                let turn = self.machine.turn().to_owned();
                self.world.append(Some(&turn), bodies);
            }
            Effect::CallModel { call, request } => self.call_model(call, &request),
            Effect::CloseModel { .. } if self.world.cast.keeps_stale_events() => {}
            Effect::CloseModel { call } => self.coming.retain(|(_, _, event)| !is_of_call(event, call)),
            Effect::AskLife { call } => {
                let life = self.world.cast.life();
                self.later(self.world.now + 1, Event::Life { call, life });
            }
            Effect::RunTool { item, call, grant } => {
                self.world.checks.tool(&item, &call, grant, &self.world.setup);
                self.is_quiet = false;
                let (done, ms) = self.world.cast.run(&call, grant);
                if self.world.cast.keeps_stale_events() && matches!(done, ToolDone::Output(_)) && ms % 8 == 0
                {
                    self.later(
                        self.world.now + 2 * ms,
                        Event::Tool { item: item.clone(), done: done.clone() },
                    );
                }
                self.later(self.world.now + ms, Event::Tool { item, done });
            }
            Effect::Survey(_) => {
                let survey = self.world.cast.survey();
                self.later(self.world.now + 2, Event::Surveyed(Box::new(survey)));
            }
            Effect::ReadPlace { place, change } => {
                let text = self.world.cast.read_place(&place, change);
                self.later(self.world.now + 1, Event::PlaceRead(text.map(Box::new)));
            }
            Effect::TakeCheckpoint { moment, .. } => {
                self.world.checkpoints += 1;
                let id = format!("k{}", self.world.checkpoints);
                let (taken, ms) = self.world.cast.checkpoint(id);
                self.later(self.world.now + ms, Event::Checkpointed { moment, taken });
            }
            Effect::CompareFiles { .. } => {
                let compared = self.world.cast.compare();
                self.later(self.world.now + 3, Event::FilesCompared(compared.map(Box::new)));
            }
            Effect::EndTools => {
                self.coming.retain(|(_, _, event)| !matches!(event, Event::Tool { .. } | Event::Checked(_)));
                self.is_quiet = true;
            }
            Effect::HandBack(_) => {
                assert!(self.is_quiet, "handed back before the tools' processes were ended");
                assert!(
                    self.machine.is_over() && self.machine.wake_at().is_none(),
                    "handed back, and goes on"
                );
                self.world.checks.handed_back(&self.world.setup, self.world.now);
            }
            // What is only shown asks for nothing.
            _ => {}
        }
    }

    fn call_model(&mut self, call: u64, request: &Request) {
        let body = self.world.checks.request(call, request, &self.world.cast);
        let path = match request.dialect.protocol {
            Protocol::OpenAi => "/v1/chat/completions",
            Protocol::Ollama => "/api/chat",
        };
        let reply = self.world.cast.reply(request);
        let mut player = Player::new(self.world.profile.clone(), vec![reply]);
        let answer = player.answer("POST", path, &body);
        let violations = player.violations();
        assert!(violations.is_empty(), "the strict server refused: {violations:?}");
        self.receive(call, answer);
    }

    fn receive(&mut self, call: u64, answer: Answer) {
        let mut at = self.world.now + 1;
        let Answer::Http { status, headers, plays } = answer else {
            let failure = Failure::Unreachable { why: "connection refused".to_owned() };
            self.later(at, Event::Failed { call, failure });
            return;
        };
        let mut decoder = Decoder::new();
        let mut body = Vec::new();
        for play in plays {
            match play {
                Play::Wait(ms) => at += i64::try_from(ms).unwrap(),
                Play::Bytes(bytes) if status != 200 => body.extend(bytes),
                Play::Bytes(bytes) => {
                    let deltas = decoder.push(&bytes);
                    if !deltas.is_empty() {
                        self.later(at, Event::Deltas { call, deltas });
                    }
                }
                Play::Cut | Play::Reset => {
                    let failure = Failure::Cut { why: format!("{play:?}").to_lowercase() };
                    self.later(at, Event::Failed { call, failure });
                    return;
                }
                Play::Hang => return,
            }
        }
        if status != 200 {
            let seconds = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("retry-after"));
            let retry_after_ms = seconds.and_then(|(_, value)| value.parse::<i64>().ok()).map(|s| s * 1000);
            let body = String::from_utf8_lossy(&body).into_owned();
            let failure = Failure::Status { code: status, body, retry_after_ms };
            self.later(at, Event::Failed { call, failure });
            return;
        }
        let deltas = decoder.finish();
        if !deltas.is_empty() {
            self.later(at, Event::Deltas { call, deltas });
        }
        let last = if decoder.has_ended() {
            Event::Ended { call }
        } else {
            Event::Failed { call, failure: Failure::Cut { why: "it ended too soon".to_owned() } }
        };
        self.later(at, last);
    }
}

fn is_of_call(event: &Event, closed: u64) -> bool {
    match event {
        Event::Deltas { call, .. }
        | Event::Ended { call }
        | Event::Failed { call, .. }
        | Event::Life { call, .. } => *call == closed,
        _ => false,
    }
}
