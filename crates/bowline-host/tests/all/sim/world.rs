//! What outlives a process: the log, the project's files, the script, the clock.

use std::collections::HashMap;

use bowline_core::check::CheckSource;
use bowline_core::entry::{
    Access, Answer, Body, Entry, Input as Message, ModelRef, PermissionAnswered, Queued, ReviewMode, Scope,
    SessionStarted, Stop, Usage,
};
use bowline_core::item::ChangeState;
use bowline_core::limits::STEPS_MAX;
use bowline_core::mode::{self, Binding, Calling, Known, Mode, Size};
use bowline_core::policy::{Lists, Rules};
use bowline_core::review::{self, Review};
use bowline_core::servers::{Answers, Model, ServerKind, Tools, ollama_shown};
use bowline_core::thinking::Thinking;
use bowline_core::turn::{CheckPolicy, CheckRuns, Opening, Permission, Setup};
use bowline_core::typed::Typed;
use bowline_core::view::View;
use bowline_core::wire::Dialect;
use bowline_core::{prompts, recover, tools};
use bowline_host::changes::{self, Named, Selection};
use bowline_host::glimpse::glimpse;
use bowline_host::launch::Ask;
use bowline_host::permission::Judge;
use bowline_host::process::Processes;
use bowline_host::session::interrupted_rewind;
use bowline_host::workspace::Workspace;
use bowline_script::reply::Times;
use bowline_script::{ActKind, Answer as Served, Input, Kind, Play, Player, Reply, Scenario, Verdict};

use super::check::{self, Checks};
use super::process::{Ended, Process};
use super::saves::{Files, Saves};
use super::transcript::Transcript;

pub(super) struct World<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) folder: tempfile::TempDir,
    pub(super) workspace: Workspace,
    pub(super) judge: Judge,
    pub(super) processes: Processes,
    pub(super) runtime: tokio::runtime::Runtime,
    pub(super) player: Player,
    /// As it was before the model call that is in the air.
    pub(super) player_before: Option<Player>,
    pub(super) log: Vec<Entry>,
    /// Every entry ever appended, also those a completed item replaced.
    pub(super) all: Vec<Entry>,
    pub(super) outputs: HashMap<String, String>,
    pub(super) saves: Saves,
    pub(super) now: i64,
    pub(super) effects: usize,
    pub(super) transcript: Transcript,
    pub(super) checks: Checks,
    /// Input still to come, at its time.
    pub(super) inputs: Vec<(i64, Input)>,
    /// Whether the turn may only read.
    is_plan: bool,
    /// What becomes of its edits.
    edits: ReviewMode,
}

pub(super) struct Played {
    pub(super) transcript: String,
    pub(super) effects: usize,
    /// How each act ended.
    pub(super) stops: Vec<Stop>,
    /// The bodies of all requests to the model.
    pub(super) requests: Vec<serde_json::Value>,
    /// The kinds of the sentinels on the log.
    pub(super) sentinels: Vec<serde_json::Value>,
    /// What the server counted, step by step.
    pub(super) usages: Vec<Usage>,
    /// What stood for folded messages, in order.
    pub(super) summaries: Vec<String>,
}

/// When every scenario begins. Milliseconds.
pub(super) const START_MS: i64 = 1_000_000;

/// The rules a user gives with flags.
fn rules(scenario: &Scenario) -> Rules {
    let none = Lists::default();
    let allow = scenario.option("allow").map(str::to_owned).into_iter().collect();
    Rules::new(&none, &none, &none, &Lists { allow, ..Lists::default() }).unwrap()
}

impl<'a> World<'a> {
    /// With a crash to come, the model has something to say for as long as it is asked: whoever goes on after a crash may
    /// ask more often than the script has answers.
    pub(super) fn with_spare_replies(scenario: &'a Scenario) -> World<'a> {
        let mut world = World::new(scenario);
        let mut replies = scenario.replies.clone();
        if replies.last().is_none_or(|last| last.times != Times::Ever) {
            replies.push(Reply { times: Times::Ever, ..Reply::text("That is all.") });
        }
        world.player = Player::new(scenario.server.clone(), replies);
        world
    }

    pub(super) fn new(scenario: &'a Scenario) -> World<'a> {
        let folder = tempfile::tempdir().unwrap();
        for file in &scenario.files {
            let path = folder.path().join(&file.path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &file.bytes).unwrap();
        }
        let workspace = Workspace::open(folder.path(), Vec::new()).unwrap();
        let mut world = World {
            scenario,
            judge: Judge::new(workspace.clone(), rules(scenario)),
            workspace,
            folder,
            // Without a sandbox: each scenario is replayed hundreds of times, and a cell would be started for each replay.
            processes: Processes::new(),
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap(),
            player: Player::new(scenario.server.clone(), scenario.replies.clone()),
            player_before: None,
            log: Vec::new(),
            all: Vec::new(),
            outputs: HashMap::new(),
            saves: Saves::default(),
            now: START_MS,
            effects: 0,
            transcript: Transcript::default(),
            checks: Checks::default(),
            inputs: Vec::new(),
            is_plan: false,
            edits: ReviewMode::Auto,
        };
        scenario.files.iter().for_each(|file| world.touch(&file.path));
        world.append(None, vec![world.first_entry()]);
        world
    }

    /// A file was written at the world's time, not at ours.
    pub(super) fn touch(&self, path: &str) {
        let at = std::time::UNIX_EPOCH + std::time::Duration::from_millis(self.now.try_into().unwrap());
        let file = std::fs::File::options().append(true).open(self.folder.path().join(path));
        // One that nobody may write keeps its time.
        let _ = file.and_then(|file| file.set_modified(at));
    }

    /// Plays all acts, with a crash after the `crash`-th effect; a crashed turn goes on by *Continue*.
    pub(super) fn play(mut self, crash: Option<usize>) -> Played {
        let mut stops = Vec::new();
        for act in &self.scenario.acts {
            let start = self.now;
            self.inputs = act
                .inputs
                .iter()
                .map(|timed| (start + i64::try_from(timed.at_ms).unwrap(), timed.input.clone()))
                .collect();
            let ask = match &act.kind {
                ActKind::Task(words) => task(words, act.pasted.as_deref()),
                ActKind::Continue(hint) => go_on(hint.as_deref(), act.pasted.as_deref()),
                ActKind::Next => Ask::Next,
                ActKind::Compact => Ask::Compact,
                ActKind::Changes(lines) => {
                    lines.iter().for_each(|line| self.decide(line, crash));
                    self.checks.at_rest(&self.log, &self.all);
                    continue;
                }
            };
            self.settle_and_compare();
            let files = self.files();
            self.is_plan = act.is_plan;
            let runs = self.runs();
            let mut opening = ask.opening(&View::of(&self.log)).expect("nothing was said yet");
            self.transcript.act(&opening);
            loop {
                match Process::start(&mut self, opening.clone()).run(crash) {
                    Ended::HandedBack => break,
                    Ended::Crashed => {
                        // Somebody has to notice, and start the next one.
                        self.now += 2_000;
                        self.recover();
                        // A crash before the turn was on the log lost nothing but the command line.
                        if self.runs() > runs {
                            opening = Opening::go_on();
                        }
                    }
                }
            }
            if self.edits == ReviewMode::Review {
                assert_eq!(self.files(), files, "{}: edits that wait are not written", self.scenario.title);
            }
            stops.extend(View::of(&self.log).end.map(|end| end.stop));
            self.checks.at_rest(&self.log, &self.all);
            if crash.is_none() {
                self.checks.replays(&self.log, &self.all);
            }
            // Each act is a process of its own, started a while later.
            self.now += 60_000;
        }
        self.settle_and_compare();
        let violations = self.player.violations();
        assert!(violations.is_empty(), "{}: the strict server refused: {violations:?}", self.scenario.title);
        self.transcript.files(self.scenario, self.folder.path());
        let chats = self.player.requests().iter().filter(|request| request.is_chat());
        let requests = chats.map(|request| request.body.clone()).collect();
        let sentinel = |entry: &Entry| match &entry.body {
            Body::Sentinel(sentinel) => serde_json::to_value(&sentinel.sentinel).ok(),
            _ => None,
        };
        let sentinels = self.log.iter().filter_map(sentinel).collect();
        let summary = |entry: &Entry| match &entry.body {
            Body::Compacted(compacted) => Some(compacted.summary.clone()),
            _ => None,
        };
        let usage = |entry: &Entry| match &entry.body {
            Body::StepCompleted(step) => Some(step.usage),
            _ => None,
        };
        let usages = self.log.iter().filter_map(usage).collect();
        let summaries = self.log.iter().filter_map(summary).collect();
        let transcript = self.transcript.text();
        Played { transcript, effects: self.effects, stops, requests, sentinels, usages, summaries }
    }

    /// The work tree as the tools of the next run see it.
    pub(super) fn open_workspace(&mut self, opening: &Opening) -> Workspace {
        let asked = match self.scenario.option("edits") {
            Some("review") => ReviewMode::Review,
            _ => ReviewMode::Auto,
        };
        self.edits = review::next_mode(&self.log, asked, opening);
        match self.edits {
            ReviewMode::Auto => self.workspace.clone(),
            ReviewMode::Review => self.workspace.clone().reviewing(&Review::of(&self.log)),
        }
    }

    /// What the user decides: the files first, then the log. A process that dies in between is followed by another try.
    fn decide(&mut self, line: &str, crash: Option<usize>) {
        let mut words = line.split_whitespace();
        let state = match words.next().unwrap() {
            "apply" => ChangeState::Applied,
            "reject" => ChangeState::Rejected,
            "rewind" => ChangeState::Rewound,
            other => panic!("{}: {other} is nothing to do with changes", self.scenario.title),
        };
        let named: Vec<Named> = words.filter_map(Named::parse).collect();
        let wanted = if named.is_empty() { Selection::All } else { Selection::Named(named) };
        let mut decided = changes::decide(&self.workspace, &self.log, state, &wanted, "web");
        self.effects += 1;
        if crash == Some(self.effects) {
            let files = self.files();
            let again = changes::decide(&self.workspace, &self.log, state, &wanted, "web");
            assert_eq!(again.is_ok(), decided.is_ok(), "{line}: {again:?} after {decided:?}");
            assert_eq!(self.files(), files, "{line}: what was written is only recorded");
            decided = again;
        }
        let told = match &decided {
            Ok(Some(decided)) => {
                let ids: Vec<&str> = decided.changes.iter().map(|change| change.id.as_str()).collect();
                format!("{} {}", decided.state.word(), ids.join(" "))
            }
            Ok(None) => "nothing to decide".to_owned(),
            Err(error) => error.to_string(),
        };
        self.transcript.decided(line, &told, self.now);
        if let Ok(Some(decided)) = decided {
            self.append(None, vec![Body::Change(decided)]);
        }
        self.effects += 1;
    }

    /// All files and what they hold.
    pub(super) fn files(&self) -> Files {
        let walk = ignore::WalkBuilder::new(self.folder.path()).standard_filters(false).build();
        let files = walk.flatten().filter(|entry| entry.path().is_file()).map(ignore::DirEntry::into_path);
        let mut files: Files = files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
        files.sort();
        files
    }

    fn runs(&self) -> usize {
        self.log.iter().filter(|entry| matches!(entry.body, Body::RunStarted(_))).count()
    }

    fn recover(&mut self) {
        if let Some(before) = self.player_before.take() {
            self.player = before;
        }
        self.runtime.block_on(self.processes.end_all());
        self.settle();
        let bodies = recover::close(&self.log);
        let turn = View::of(&self.log).turn;
        self.append(turn.as_deref(), bodies);
        assert!(recover::close(&self.log).is_empty(), "recovering twice finds more to close");
        check::agrees(&self.log, self.folder.path());
    }

    fn settle_and_compare(&mut self) {
        self.settle();
        check::agrees(&self.log, self.folder.path());
    }

    /// Whoever writes in a session first ends a rewind that the last process left open.
    fn settle(&mut self) {
        if let Some(body) = interrupted_rewind::settle(&self.workspace, &self.log) {
            let view = View::of(&self.log);
            let turn = view.turn.filter(|_| view.end.is_none());
            self.append(turn.as_deref(), vec![body]);
        }
    }

    /// As the store does it: numbered, and a completed item replaces its provisional entries.
    pub(super) fn append(&mut self, turn: Option<&str>, bodies: Vec<Body>) -> Vec<Entry> {
        let mut appended = Vec::new();
        for body in bodies {
            let stored = Body::from_json(body.kind(), 1, body.to_json()).unwrap();
            assert_eq!(stored, body, "an entry read back differs");
            let seq = self.all.last().map_or(1, |last| last.seq + 1);
            let entry =
                Entry { session: "s".to_owned(), seq, at_ms: self.now, turn: turn.map(str::to_owned), body };
            if let Body::ItemCompleted { item } = &entry.body {
                self.log.retain(|old| !(old.body.is_provisional() && old.body.item() == Some(&item.id)));
            }
            self.log.push(entry.clone());
            self.all.push(entry.clone());
            appended.push(entry);
        }
        appended
    }

    /// Input whose time has come, on the log, whoever runs the turn.
    pub(super) fn hear(&mut self) -> Option<Entry> {
        let (at, input) = self.inputs.first()?.clone();
        if at > self.now {
            return None;
        }
        self.inputs.remove(0);
        let by = "web".to_owned();
        let body = match input {
            Input::Stop => Body::Input(Message::stop(by)),
            Input::Steer(text) => Body::Input(Message::steer(text.clone(), Typed::all(&text), by)),
            Input::Queue(text) => {
                let (id, typed) = (format!("q{at}"), Typed::all(&text));
                Body::Queued(Queued { id, text, typed, by, withdrawn: false })
            }
            Input::Change(n, text) => {
                let (id, typed) = (self.queued(n)?, Typed::all(&text));
                Body::Queued(Queued { id, text, typed, by, withdrawn: false })
            }
            Input::Withdraw(n) => {
                let (id, text, typed) = (self.queued(n)?, String::new(), Typed::nothing());
                Body::Queued(Queued { id, text, typed, by, withdrawn: true })
            }
            Input::Answer(verdict, reason) => {
                let item = self.log.iter().rev().find_map(|entry| match &entry.body {
                    Body::PermissionAsked(asked) => Some(asked.item.clone()),
                    _ => None,
                })?;
                let answer = if verdict == Verdict::Yes { Answer::Yes } else { Answer::No };
                Body::PermissionAnswered(PermissionAnswered { item, answer, scope: Scope::Once, reason, by })
            }
        };
        self.append(None, vec![body]).pop()
    }

    /// The id of the n-th message that was queued.
    fn queued(&self, n: usize) -> Option<String> {
        let mut ids: Vec<String> = Vec::new();
        for entry in &self.log {
            if let Body::Queued(queued) = &entry.body
                && !ids.contains(&queued.id)
            {
                ids.push(queued.id.clone());
            }
        }
        ids.get(n - 1).cloned()
    }

    pub(super) fn kind(&self) -> ServerKind {
        match self.scenario.server.kind {
            Kind::Ollama => ServerKind::Ollama,
            Kind::LlamaCpp => ServerKind::LlamaCpp,
            _ => ServerKind::OpenAi,
        }
    }

    fn window(&self) -> i64 {
        self.scenario.option("window").map_or(16_384, |window| window.parse().unwrap())
    }

    fn session_access(&self) -> Access {
        match self.scenario.option("access") {
            Some("read_only") => Access::ReadOnly,
            _ => Access::Write,
        }
    }

    pub(super) fn setup(&self) -> Setup {
        let option = |name: &str| self.scenario.option(name);
        let window = self.window();
        let access = if self.is_plan { Access::ReadOnly } else { self.session_access() };
        let seconds = |text: &str| text.trim_end_matches('s').parse::<i64>().unwrap() * 1000;
        Setup {
            dialect: Dialect {
                thinking: option("thinking").map_or(Thinking::Auto, |word| Thinking::of(word).unwrap()),
                ..self.kind().dialect(&self.scenario.server.models[0].name, window)
            },
            access,
            edits: self.edits,
            permission: match option("asking") {
                Some("somebody") => Permission::Ask,
                Some("yes") => Permission::Yes,
                _ => Permission::Nobody,
            },
            steps_max: option("max-steps").map_or(STEPS_MAX, |steps| steps.parse().unwrap()),
            time_ms_max: option("max-time").map(seconds),
            takes_checkpoints: true,
            tokens_per_s: None,
            calling: self.calling(),
            checks: self.check_policy(),
        }
    }

    /// No check unless the scenario is about it.
    fn check_policy(&self) -> CheckPolicy {
        let runs = match self.scenario.option("checks") {
            Some("auto") => CheckRuns::Auto,
            Some("end") => CheckRuns::End,
            _ => CheckRuns::Off,
        };
        let command = self.scenario.option("check").map(|command| (command.to_owned(), CheckSource::Flag));
        CheckPolicy { runs, command, ..CheckPolicy::default() }
    }

    /// What a launch knows of the model's calls: the options, and what the server lists.
    fn calling(&self) -> Calling {
        let is_unbound = self.scenario.option("binding") == Some("refused");
        Calling {
            set: self.scenario.option("mode").map(|word| Mode::of(word).unwrap()),
            size: self.listed().map_or(Size::LargeOrUnknown, |model| model.size()),
            binding: if is_unbound { Binding::Refused } else { Binding::Possible },
        }
    }

    /// The model as its server lists it.
    fn listed(&self) -> Option<Model> {
        let mut player = Player::new(self.scenario.server.clone(), Vec::new());
        let mut ask =
            |method: &str, path: &str, body: &str| match player.answer(method, path, body.as_bytes()) {
                Served::Http { status: 200, plays, .. } => plays.iter().find_map(|play| match play {
                    Play::Bytes(bytes) => serde_json::from_slice(bytes).ok(),
                    _ => None,
                }),
                _ => None,
            };
        let answers = Answers {
            version: ask("GET", "/api/version", ""),
            tags: ask("GET", "/api/tags", ""),
            running: ask("GET", "/api/ps", ""),
            props: ask("GET", "/props", ""),
            studio: ask("GET", "/api/v0/models", ""),
            models: ask("GET", "/v1/models", ""),
        };
        let (kind, models) = answers.recognise(ServerKind::OpenAi)?;
        let model = models.into_iter().next()?;
        if kind != ServerKind::Ollama {
            return Some(model);
        }
        let body = serde_json::json!({ "model": model.name }).to_string();
        let show: serde_json::Value = ask("POST", "/api/show", &body)?;
        Some(ollama_shown(model, &show))
    }

    /// The mode a new session begins in. What the server says of tools is left out unless a scenario is about it: most are
    /// about what happens when a server refuses them.
    fn first_mode(&self) -> Mode {
        let remembered = self.scenario.option("remembered").map(|word| Mode::of(word).unwrap());
        let is_believed = self.scenario.option("tools") == Some("told");
        let is_without_tools = is_believed && self.listed().is_some_and(|model| model.tools == Tools::No);
        mode::choose(Known { calling: self.calling(), remembered, is_without_tools })
    }

    fn first_entry(&self) -> Body {
        let access = self.session_access();
        Body::SessionStarted(SessionStarted {
            project: "/project".to_owned(),
            work_tree: "/project".to_owned(),
            title: self.scenario.title.clone(),
            agent: "default".to_owned(),
            access,
            model: ModelRef {
                model: "scripted".to_owned(),
                base_url: "http://127.0.0.1".to_owned(),
                window: self.window(),
                mode: self.first_mode(),
            },
            prompt: prompts::DEFAULT.trim().to_owned(),
            tools: tools::specs(access),
            instructions: Vec::new(),
            shown: self.scenario.option("glimpse").and_then(|_| glimpse(&self.workspace)),
        })
    }
}

/// A message with what was pasted below its words.
fn task(words: &str, pasted: Option<&str>) -> Ask {
    let text = pasted.map_or_else(|| words.to_owned(), |pasted| format!("{words}\n\n{pasted}"));
    Ask::Task { text, typed: Typed::all(words) }
}

fn go_on(hint: Option<&str>, pasted: Option<&str>) -> Ask {
    match hint.map(|words| task(words, pasted)) {
        Some(Ask::Task { text, typed }) => Ask::Continue { hint: Some(text), typed },
        _ => Ask::go_on(),
    }
}
