//! One process that runs a turn: the machine, and what is in the air. Dropping it is the crash.

use std::sync::atomic::AtomicBool;

use bowline_core::check::{CheckEnd, CheckRequest};
use bowline_core::checkpoint::Moment;
use bowline_core::failure;
use bowline_core::retry::Failure;
use bowline_core::servers::ollama_allocated;
use bowline_core::tool_output::{Grant, ToolDone};
use bowline_core::tools::ToolCall;
use bowline_core::truncate::{Keep, truncate};
use bowline_core::turn::{Allocated, Effect, Event, Life, Machine, Opening};
use bowline_core::view::View;
use bowline_core::window::result_chars_max;
use bowline_core::wire::{Decoder, Request};
use bowline_host::check_run;
use bowline_host::permission::Permit;
use bowline_host::process::run_command;
use bowline_host::seen_files::SeenFiles;
use bowline_host::survey;
use bowline_host::toolbox::rewind;
use bowline_host::tools::{self, CallContext};
use bowline_host::workspace::Workspace;
use bowline_script::{Answer, Play};

use super::EFFECTS_MAX;
use super::world::World;

/// Events of one process; one that needs more is woken for nothing again and again.
const EVENTS_MAX: usize = 100_000;

pub(super) struct Process<'w, 'a> {
    world: &'w mut World<'a>,
    machine: Machine,
    /// As this turn's tools see it.
    workspace: Workspace,
    context: CallContext,
    /// What will happen, unless something else happens first: time, order, event.
    coming: Vec<(i64, u64, Event)>,
    order: u64,
    first: Vec<Effect>,
    /// Events so far.
    events: usize,
    /// Whether all that tools started has been ended since the last one ran.
    is_quiet: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ended {
    HandedBack,
    Crashed,
}

impl<'w, 'a> Process<'w, 'a> {
    pub(super) fn start(world: &'w mut World<'a>, opening: Opening) -> Process<'w, 'a> {
        let view = View::of(&world.log);
        let workspace = world.open_workspace(&opening);
        let mut machine = Machine::new(&world.log, world.setup());
        let first = machine.open(opening, &view, world.now);
        let chars_max = result_chars_max(world.setup().dialect.window);
        let context =
            CallContext { seen: SeenFiles::of(&world.log).into(), chars_max, ..CallContext::default() };
        Process {
            world,
            machine,
            workspace,
            context,
            coming: Vec::new(),
            order: 0,
            first,
            events: 0,
            is_quiet: false,
        }
    }

    pub(super) fn run(mut self, crash: Option<usize>) -> Ended {
        let mut effects = std::mem::take(&mut self.first);
        loop {
            for effect in std::mem::take(&mut effects) {
                let is_last = matches!(effect, Effect::HandBack(_));
                self.world.transcript.effect(&effect, self.world.now);
                self.carry_out(effect);
                self.world.effects += 1;
                assert!(self.world.effects < EFFECTS_MAX, "it does not end");
                if crash == Some(self.world.effects) {
                    return Ended::Crashed;
                }
                if is_last {
                    return Ended::HandedBack;
                }
            }
            effects = self.next();
            self.events += 1;
            assert!(self.events < EVENTS_MAX, "it is awake and does nothing");
        }
    }

    /// The next thing that happens: an event, an input, or the machine's own tick.
    fn next(&mut self) -> Vec<Effect> {
        self.coming.sort_by_key(|(at, order, _)| (*at, *order));
        let event = self.coming.first().map(|(at, ..)| *at);
        let input = self.world.inputs.first().map(|(at, _)| *at);
        let tick = self.machine.wake_at();
        let at = [event, input, tick].into_iter().flatten().min().expect("nothing will ever happen again");
        self.world.now = self.world.now.max(at);
        let event = if event == Some(at) {
            self.coming.remove(0).2
        } else if input == Some(at) {
            match self.world.hear() {
                Some(entry) => {
                    self.world.transcript.heard(&entry.body, self.world.now);
                    Event::Input { seq: entry.seq, body: Box::new(entry.body) }
                }
                None => return Vec::new(),
            }
        } else {
            Event::Tick
        };
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
                let turn = self.machine.turn().to_owned();
                self.world.append(Some(&turn), bodies);
            }
            Effect::CallModel { call, request } => {
                self.world.checks.request(&request, &self.world.log);
                self.call_model(call, &request);
            }
            Effect::CloseModel { call } => {
                self.coming.retain(|(_, _, event)| !is_of_call(event, call));
            }
            Effect::AskLife { call } => {
                let life = self.life();
                self.later(self.world.now + 1, Event::Life { call, life });
            }
            Effect::RunTool { item, call, grant } => {
                self.world.checks.tool(&item, grant, &self.world.log);
                self.is_quiet = false;
                let slow = self.slow(&call);
                let done = self.run_tool(&item, &call, grant);
                self.later(self.world.now + slow, Event::Tool { item, done });
            }
            Effect::RunCheck(request) => self.check(&request),
            Effect::Rewind { changes } => self.rewind(&changes),
            Effect::ReadFiles { paths } => self.read_files(&paths),
            Effect::Survey(query) => {
                let found = survey::survey(&self.workspace, &query);
                self.later(self.world.now, Event::Surveyed(Box::new(found)));
            }
            Effect::ReadPlace { place, change } => {
                let text = survey::read_place(&self.workspace, &place, change);
                self.later(self.world.now, Event::PlaceRead(text.map(Box::new)));
            }
            Effect::TakeCheckpoint { moment, since } => {
                let files = self.world.files();
                let root = self.world.workspace.root().to_owned();
                let why = self.world.scenario.option("checkpoints");
                let taken = self.world.saves.take(&root, files, since.as_deref(), why);
                self.later(self.world.now, Event::Checkpointed { moment, taken });
            }
            Effect::CompareFiles { since } => {
                let compared =
                    self.world.saves.compare(self.world.workspace.root(), &self.world.files(), &since);
                self.later(self.world.now, Event::FilesCompared(Some(Box::new(compared))));
            }
            Effect::EndTools => {
                self.coming.retain(|(_, _, event)| !matches!(event, Event::Tool { .. } | Event::Checked(_)));
                self.is_quiet = true;
            }
            Effect::HandBack(_) => self.handed_back(),
            Effect::AskAllocated => {
                let allocated = self.allocated();
                self.later(self.world.now + 1, Event::Allocated(allocated));
            }
            Effect::Show(_)
            | Effect::Remember { .. }
            | Effect::RememberUnbound { .. }
            | Effect::RememberWindow { .. }
            | Effect::KeepAllowed { .. } => {}
        }
        if !matches!(self.coming.last(), Some((_, _, Event::Deltas { .. } | Event::Ended { .. }))) {
            // Nothing of a model's answer is in the air: a crash from here on does not play it again.
            let is_answer = |(_, _, event): &(i64, u64, Event)| {
                matches!(event, Event::Deltas { .. } | Event::Ended { .. } | Event::Failed { .. })
            };
            if !self.coming.iter().any(is_answer) {
                self.world.player_before = None;
            }
        }
    }

    fn read_files(&mut self, paths: &[String]) {
        let files = survey::read_files(&self.workspace, paths);
        self.later(self.world.now + 1, Event::FilesRead(files));
    }

    fn check(&mut self, request: &CheckRequest) {
        self.is_quiet = false;
        let (end, ms) = self.run_check(request);
        self.later(self.world.now + ms, Event::Checked(end));
    }

    fn rewind(&mut self, changes: &[String]) {
        self.is_quiet = false;
        let decided = rewind(&self.workspace, &self.world.log, changes);
        self.later(self.world.now + 1, Event::Rewound(decided.map(Box::new)));
    }

    fn handed_back(&mut self) {
        assert!(self.is_quiet, "handed back before the tools' processes were ended");
        // A side question, or a look at the project before a step that will not come: nobody waits for it.
        let is_awaited = |event: &Event| {
            !matches!(
                event,
                Event::Allocated(_)
                    | Event::Surveyed(_)
                    | Event::PlaceRead(_)
                    | Event::FilesRead(_)
                    | Event::FilesCompared(_)
                    | Event::Rewound(_)
                    | Event::Checkpointed { moment: Moment::Before, .. }
            )
        };
        self.coming.retain(|(_, _, event)| is_awaited(event));
        assert!(self.coming.is_empty(), "handed back with {:?} in the air", self.coming);
        self.world.player_before = None;
    }

    fn call_model(&mut self, call: u64, request: &Request) {
        let path = match request.dialect.protocol {
            bowline_core::wire::Protocol::OpenAi => "/v1/chat/completions",
            bowline_core::wire::Protocol::Ollama => "/api/chat",
        };
        self.world.player_before = Some(self.world.player.clone());
        let answer = self.world.player.answer("POST", path, &request.body());
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
        self.later(
            at,
            if decoder.has_ended() {
                Event::Ended { call }
            } else {
                Event::Failed { call, failure: Failure::Cut { why: "it ended too soon".to_owned() } }
            },
        );
    }

    fn life(&mut self) -> Life {
        let kind = self.world.kind();
        self.get(kind.life_path()).map_or(Life::Gone, |answer| kind.life(&answer))
    }

    fn allocated(&mut self) -> Allocated {
        let model = self.world.scenario.server.models[0].name.clone();
        self.get("/api/ps").map_or(Allocated::default(), |running| ollama_allocated(&running, &model))
    }

    fn get(&mut self, path: &str) -> Option<serde_json::Value> {
        let Answer::Http { status: 200, plays, .. } = self.world.player.answer("GET", path, b"") else {
            return None;
        };
        let body: Vec<u8> = plays
            .into_iter()
            .flat_map(|play| match play {
                Play::Bytes(bytes) => bytes,
                _ => Vec::new(),
            })
            .collect();
        serde_json::from_slice(&body).ok()
    }

    fn slow(&self, call: &ToolCall) -> i64 {
        let name = call.name();
        let slow = self.world.scenario.slow.iter().find(|(tool, _)| tool == name);
        slow.map_or(1, |(_, ms)| i64::try_from(*ms).unwrap())
    }

    /// For real, but for the time it takes: the scenario says it (`=== slow check 40s`).
    fn run_check(&mut self, request: &CheckRequest) -> (CheckEnd, i64) {
        let slow = self.world.scenario.slow.iter().find(|(tool, _)| tool == "check");
        let ms = slow.map_or(100, |(_, ms)| i64::try_from(*ms).unwrap());
        let world = &mut *self.world;
        let run = check_run::run(request, &self.workspace, &world.judge, &world.processes);
        let mut end = world.runtime.block_on(run);
        let limit = request.time_ms_max;
        if let CheckEnd::Ran(run) = &mut end {
            run.duration_ms = ms.min(limit);
            if ms > limit {
                run.end = failure::End::Timeout;
            }
        }
        (end, ms.min(limit))
    }

    /// For real, in the temporary folder.
    fn run_tool(&mut self, item: &str, call: &ToolCall, grant: Grant) -> ToolDone {
        let context = CallContext { mode: self.machine.mode(), ..self.context.clone() };
        let world = &mut *self.world;
        let done = match world.judge.judge(call, grant) {
            Permit::Not(done) => return done,
            Permit::Command(command) => {
                let ToolCall::RunCommand { timeout_s, .. } = call else { unreachable!() };
                let run = run_command(&world.processes, world.workspace.root(), &command, *timeout_s);
                let mut output = world.runtime.block_on(run);
                output.text.push_str(&tools::unseen(&self.workspace));
                ToolDone::Output(output)
            }
            Permit::Run(grant) => {
                let outputs = &world.outputs;
                let stored = |id: &str| outputs.get(id).cloned();
                tools::run(&self.workspace, call, grant, &context, &stored, &AtomicBool::new(false))
            }
        };
        match done {
            ToolDone::Output(mut output) => {
                output.edits.iter().for_each(|edit| world.touch(&edit.path));
                let keep = if call.name() == "run_command" { Keep::HeadAndTail } else { Keep::Head };
                let chars_max = result_chars_max(world.setup().dialect.window);
                if let Some(text) = truncate(&output.text, chars_max, keep, item) {
                    world.outputs.insert(item.to_owned(), output.text);
                    output.text = text;
                    output.output = Some(item.to_owned());
                }
                ToolDone::Output(output)
            }
            question => question,
        }
    }
}

fn is_of_call(event: &Event, closed: u64) -> bool {
    match event {
        Event::Deltas { call, .. } | Event::Ended { call } | Event::Failed { call, .. } => *call == closed,
        _ => false,
    }
}
