//! The turn machine: `step(event, now) -> effects`.
//!
//! It decides everything a turn does and does nothing itself: the engine carries out its effects in order and brings back
//! what came of them as events. Its state is the log folded, plus what is in the air (a stream, running calls), so a
//! process that dies loses only what was in the air.
//!
//! What always holds: every call gets exactly one result; a stop takes effect in the step it is seen in; every wait has an
//! end ([`Machine::wake_at`]).

mod applied;
mod asking;
mod calls;
mod changing;
mod checking;
mod checkpoints;
mod checks;
mod claims;
mod compacting;
mod comparing;
mod effects;
mod end;
mod fresh_start;
mod guards;
mod known_result;
mod looping;
mod mode_signs;
mod modes;
mod open;
mod publish;
mod purpose;
mod replaced;
mod rewinding;
mod tries;
mod validate;

use crate::changes::Changes;
use crate::entry::{
    Access, Answer, Body, Entry, InPlace, Input, InputKind, ModelRef, ReviewMode, SentBackFor,
    SessionUpdated, Stop, Usage,
};
use crate::guard::doom::Doom;
use crate::guard::mistakes::Mistakes;
use crate::ids::Ids;
use crate::mode::{Calling, Mode};
use crate::payload::Conversation;
use crate::policy::answers::Answers;
use crate::review::{self, Review};
use crate::sentinel::Cap;
use crate::visible::in_force;
use crate::window::LearnedMeter;
use crate::wire::Dialect;

use asking::Asking;
use calls::Calls;
use changing::Looking;
use checking::Running;
use checkpoints::TurnCheckpoints;
use checks::Checks;
use compacting::Pending;
use comparing::Due;
use end::Ending;
use fresh_start::ReadingFiles;
use mode_signs::Signs;
use publish::Channel;
use replaced::Replaced;
use rewinding::Rewinding;
use tries::Changing;

pub use checking::{CheckPolicy, CheckRuns};
pub use effects::{Effect, Event};
pub use open::Opening;

/// What a run is given beside the log.
#[derive(Debug, Clone)]
pub struct Setup {
    pub dialect: Dialect,
    pub access: Access,
    pub edits: ReviewMode,
    pub permission: Permission,
    pub steps_max: i64,
    pub time_ms_max: Option<i64>,
    /// Whether the files are saved before and after a run that can write.
    pub takes_checkpoints: bool,
    /// How fast this server has written before.
    pub tokens_per_s: Option<f64>,
    /// When the session may move to another calling mode.
    pub calling: Calling,
    /// Whether and when the program runs the project's check itself.
    pub checks: CheckPolicy,
}

/// Who answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// It stands until an answer comes, from whichever process.
    Ask,
    /// Nobody is there: no, at once.
    Nobody,
    /// The user said yes to everything beforehand.
    Yes,
}

/// How a model lies in its server's memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allocated {
    /// Tokens.
    pub window: Option<i64>,
    /// How much of the model lies in the graphics card's memory.
    pub card_percent: Option<i64>,
}

/// What a silent server says when asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    Working,
    /// Healthy, but not working for us.
    Idle,
    Gone,
}

enum Phase {
    Idle,
    Asking(Box<Asking>),
    Calls(Box<Calls>),
    /// The host looks which files the turn has changed.
    Comparing(Due),
    /// The project's check is due or runs.
    Checking(Box<Running>),
    /// The host takes changes of this run back.
    Rewinding(Box<Rewinding>),
    /// The host reads the files for a fresh start.
    ReadingFiles(ReadingFiles),
    /// The host looks at the project.
    Looking(Looking),
    /// All is said: the last checkpoint is being taken.
    Closing(Box<Ending>),
    Over,
}

/// One run of a turn.
pub struct Machine {
    setup: Setup,
    conversation: Conversation,
    ids: Ids,
    changes: Changes,
    checkpoints: TurnCheckpoints,
    changing: Changing,
    checks: Checks,
    replaced: Replaced,
    /// Changes of the session that wait for the user.
    waiting: i64,
    mistakes: Mistakes,
    doom: Doom,
    /// The tool whose schema the last call did not fit.
    last_rejected: Option<String>,
    /// What the model will read in place of results.
    answers: Vec<InPlace>,
    /// What the next step says to the model's last answer.
    sent_back: Option<(String, SentBackFor)>,
    /// What the user allowed for this session.
    allowed: Answers,
    model: Option<ModelRef>,
    /// What this session is allowed to do, whatever the turn asks for.
    access: Access,
    /// Whether no run is under way and the conversation is merely folded: its entries are all there is of it, and the last
    /// turn's end stands.
    is_between: bool,
    /// What is asked when room has been made, and the step it was made in.
    pending: Option<Pending>,
    compacted_step: Option<i64>,
    /// What was shown of an answer that is asked for again: its text, its thoughts.
    unfinished_answer: Option<Box<(Channel, Channel)>>,
    /// Whether an Ollama was asked, since this machine was made, what it has allocated: it may have loaded the model anew.
    is_allocation_asked: bool,
    /// Whether it has been told in this session how much of the model lies on the card.
    is_card_told: bool,
    /// What speaks for another calling mode.
    signs: Signs,
    work_tree: String,
    /// How the server counts.
    meter: LearnedMeter,
    phase: Phase,
    turn: String,
    /// The assistant's message of this run.
    message: String,
    started_ms: i64,
    /// Steps begun in this run.
    step: i64,
    /// Empty answers to the current step.
    empty_answers: u32,
    /// The usage of the turn, over all its runs.
    usage: Usage,
    denied: Vec<String>,
    /// When deltas were last appended.
    appended_ms: i64,
    /// Model calls made, so that news of a closed one is told apart.
    model_calls: u64,
    /// The answer so far: the text of the last step that had any.
    text: String,
    effects: Vec<Effect>,
}

impl Machine {
    /// Folds the log of a session in which nothing is open.
    pub fn new(entries: &[Entry], setup: Setup) -> Machine {
        let waiting = i64::try_from(Review::of(entries).pending().count()).unwrap_or(i64::MAX);
        let mut machine = Machine { waiting, ..Machine::without_log(setup) };
        // No id is given twice, also of what was undone; and what the server counted then is true all the same.
        entries.iter().for_each(|entry| machine.ids.apply(&entry.body));
        entries.iter().for_each(|entry| machine.meter.apply(&entry.body));
        for entry in in_force(entries) {
            machine.conversation.apply(entry.seq, &entry.body);
            machine.signs.apply(&entry.body);
            machine.allowed.apply(&entry.body);
            machine.checkpoints.apply(&entry.body);
            machine.checks.apply(&entry.body);
            machine.changing.apply(&entry.body, &machine.checks);
            machine.replaced.apply(&entry.body);
            match &entry.body {
                Body::TurnStarted(_) => {
                    machine.changes = Changes::default();
                    machine.usage = Usage::default();
                }
                Body::SessionStarted(started) => {
                    machine.work_tree.clone_from(&started.work_tree);
                    machine.model = Some(started.model.clone());
                    machine.access = started.access;
                }
                Body::SessionUpdated(SessionUpdated { model: Some(model), .. }) => {
                    machine.model = Some(model.clone());
                }
                Body::StepCompleted(step) => {
                    machine.usage.add(step.usage);
                    machine.is_card_told = true;
                }
                body => machine.changes.apply(body),
            }
        }
        machine
    }

    fn without_log(setup: Setup) -> Machine {
        Machine {
            setup,
            conversation: Conversation::default(),
            ids: Ids::default(),
            changes: Changes::default(),
            checkpoints: TurnCheckpoints::default(),
            changing: Changing::default(),
            checks: Checks::default(),
            replaced: Replaced::default(),
            waiting: 0,
            mistakes: Mistakes::default(),
            doom: Doom::default(),
            last_rejected: None,
            answers: Vec::new(),
            sent_back: None,
            allowed: Answers::default(),
            model: None,
            access: Access::Write,
            is_between: false,
            pending: None,
            compacted_step: None,
            unfinished_answer: None,
            is_allocation_asked: false,
            is_card_told: false,
            signs: Signs::default(),
            work_tree: String::new(),
            meter: LearnedMeter::default(),
            phase: Phase::Idle,
            turn: String::new(),
            message: String::new(),
            started_ms: 0,
            step: 0,
            empty_answers: 0,
            usage: Usage::default(),
            denied: Vec::new(),
            appended_ms: 0,
            model_calls: 0,
            text: String::new(),
            effects: Vec::new(),
        }
    }

    /// The turn entries belong to.
    pub fn turn(&self) -> &str {
        &self.turn
    }

    /// The model's name on its server.
    pub fn model_name(&self) -> &str {
        &self.setup.dialect.model
    }

    /// The calling mode of the session.
    pub fn mode(&self) -> Mode {
        self.conversation.payload().mode
    }

    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    /// Takes one event and says what is to be done.
    pub fn step(&mut self, event: Event, now: i64) -> Vec<Effect> {
        if !self.is_over() {
            self.take(event, now);
        }
        std::mem::take(&mut self.effects)
    }

    fn take(&mut self, event: Event, now: i64) {
        if matches!(self.phase, Phase::Closing(_)) {
            return self.close(event);
        }
        match event {
            Event::Deltas { call, deltas } => self.deltas(call, deltas, now),
            Event::Ended { call } => self.ended(call, now),
            Event::Failed { call, failure } => self.failed(call, &failure, now),
            Event::Life { call, life } => self.life(call, life, now),
            Event::Tool { item, done } => self.tool_done(&item, done, now),
            Event::Checkpointed { moment, taken } => self.checkpoint_taken(moment, taken, now),
            Event::FilesCompared(compared) => self.files_compared(compared.map(|compared| *compared), now),
            Event::Checked(end) => self.check_ended(end, now),
            Event::Rewound(decided) => self.rewound(decided.map(|decided| *decided), now),
            Event::FilesRead(files) => self.files_read(&files, now),
            Event::Surveyed(survey) => self.surveyed(&survey, now),
            Event::PlaceRead(text) => self.place_read(text.map(|text| *text), now),
            Event::Input { seq, body } => self.input(seq, &body, now),
            Event::Allocated(allocated) => self.allocated(allocated, now),
            Event::Tick => self.tick(now),
        }
    }

    fn input(&mut self, seq: i64, body: &Body, now: i64) {
        self.conversation.apply(seq, body);
        self.signs.apply(body);
        self.allowed.apply(body);
        self.checks.apply(body);
        self.changing.apply(body, &self.checks);
        match body {
            Body::Input(Input { kind: InputKind::Stop, by, .. }) => {
                self.cut_short(Stop::Cancelled, &format!("Stopped by {by}."), now);
            }
            Body::Input(_) if body.steering().is_some() => self.steered(now),
            Body::PermissionAnswered(answered) => self.answered(answered, now),
            _ => {}
        }
    }

    /// When [`Event::Tick`] is due at the latest; none while only an event from outside can go on.
    pub fn wake_at(&self) -> Option<i64> {
        let phase = match &self.phase {
            Phase::Asking(asking) => Some(asking.wake_at(&self.setup, self.appended_ms)),
            Phase::Calls(calls) => calls.wake_at(),
            Phase::Looking(looking) => Some(looking.wake_at()),
            Phase::Checking(running) => Some(running.wake_at()),
            Phase::Rewinding(rewinding) => Some(rewinding.wake_at()),
            Phase::ReadingFiles(reading) => Some(reading.wake_at()),
            _ => None,
        };
        let is_closing = matches!(self.phase, Phase::Closing(_) | Phase::Over);
        let deadline = self.deadline().filter(|_| !is_closing);
        phase.into_iter().chain(deadline).min()
    }

    fn deadline(&self) -> Option<i64> {
        self.setup.time_ms_max.map(|ms| self.started_ms + ms)
    }

    fn tick(&mut self, now: i64) {
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            self.cap(Cap::Time, now);
        } else {
            self.tick_asking(now);
            self.tick_looking(now);
            self.tick_checking(now);
            self.tick_rewinding(now);
            self.tick_reading_files(now);
            self.run_calls(now);
        }
    }

    /// Appends and folds.
    fn record(&mut self, body: Body) {
        self.conversation.apply(0, &body);
        self.ids.apply(&body);
        self.meter.apply(&body);
        self.changes.apply(&body);
        self.checkpoints.apply(&body);
        self.signs.apply(&body);
        self.checks.apply(&body);
        self.changing.apply(&body, &self.checks);
        self.replaced.apply(&body);
        self.allowed.apply(&body);
        self.waiting += review::queued(&body);
        if let Body::SessionUpdated(SessionUpdated { model: Some(model), .. }) = &body {
            self.model = Some(model.clone());
        }
        match self.effects.last_mut() {
            Some(Effect::Append(bodies)) => bodies.push(body),
            _ => self.effects.push(Effect::Append(vec![body])),
        }
    }

    /// Whether the answer is a yes, for a question nobody outside is asked.
    fn standing_answer(&self) -> Option<Answer> {
        match self.setup.permission {
            Permission::Ask => None,
            Permission::Nobody => Some(Answer::No),
            Permission::Yes => Some(Answer::Yes),
        }
    }
}
