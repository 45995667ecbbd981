//! The one long-lived loop: carries out the turn machine's effects and brings back what came of them.
//!
//! It makes no decisions. What always holds: an entry is stored before any later effect is carried out; news goes out in
//! the order of `seq`, also of entries other processes appended in between; when it returns, nothing it started runs on.

use std::sync::Arc;
use std::time::Duration;

use bowline_core::entry::{Body, Entry, ModelRef, TurnEnd};
use bowline_core::frame::Waiting;
use bowline_core::mode::ModeBy;
use bowline_core::turn::{Effect, Event, Machine, Opening};
use bowline_core::view::View;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use crate::clock::Clock;
use crate::model::Client;
use crate::session::Attached;
use crate::snapshots::Snapshots;
use crate::store::{Append, AppendError, LeaseError, Store, StoreError, Writer};
use crate::toolbox::Toolbox;

/// Events on their way to the machine; a stream that comes faster waits.
const EVENTS_MAX: usize = 256;
/// How often the log is looked at for input from other processes.
const INPUT_EVERY: Duration = Duration::from_millis(100);
const RENEW_EVERY: Duration = Duration::from_secs(10);
/// Where the machine needs no tick.
const IDLE: Duration = Duration::from_secs(3600);

/// What a front end shows.
#[derive(Debug, Clone)]
pub enum News {
    Entry(Box<Entry>),
    Waiting(Waiting),
}

/// The world failed. The log has all that happened before.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Append(#[from] AppendError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the session was taken over by another process: {0}")]
    Lease(#[from] LeaseError),
}

/// A session's turn being run.
pub struct Engine {
    store: Arc<Store>,
    clock: Clock,
    session: Attached,
    /// Its root.
    project: String,
    client: Client,
    toolbox: Toolbox,
    snapshots: Snapshots,
    news: Sender<News>,
    /// Somebody in this process appended input.
    input: Arc<Notify>,
    events: (Sender<Event>, Receiver<Event>),
    model: Option<(u64, JoinHandle<()>)>,
    /// The highest `seq` that went out as news.
    reported_window: i64,
    /// Input that came with an append, not yet taken by the machine.
    arrived: Vec<Entry>,
    changes: i64,
}

impl Engine {
    pub fn new(
        store: Arc<Store>,
        clock: Clock,
        session: Attached,
        client: Client,
        (toolbox, snapshots): (Toolbox, Snapshots),
        news: Sender<News>,
        input: Arc<Notify>,
    ) -> Engine {
        let reported_window = session.entries.last().map_or(0, |entry| entry.seq);
        let project = session.entries.iter().find_map(|entry| match &entry.body {
            Body::SessionStarted(started) => Some(started.project.clone()),
            _ => None,
        });
        Engine {
            store,
            clock,
            session,
            project: project.unwrap_or_default(),
            client,
            toolbox,
            snapshots,
            news,
            input,
            events: channel(EVENTS_MAX),
            model: None,
            reported_window,
            arrived: Vec::new(),
            changes: 0,
        }
    }

    /// Runs one run of a turn to its end.
    pub async fn run(mut self, mut machine: Machine, opening: Opening) -> Result<TurnEnd, EngineError> {
        let ended = self.turn(&mut machine, opening).await;
        self.close_model();
        self.toolbox.end().await;
        // How the turn ended is on the log; a lease that can't be given up now ends with its process.
        let _ = self.session.give_up(&self.store).await;
        ended
    }

    async fn turn(&mut self, machine: &mut Machine, opening: Opening) -> Result<TurnEnd, EngineError> {
        let view = View::of(&self.session.entries);
        let mut input_tick = interval(INPUT_EVERY);
        let mut renew_tick = interval(RENEW_EVERY);
        input_tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        renew_tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        renew_tick.reset();
        let mut effects = machine.open(opening, &view, self.clock.now_ms());
        loop {
            for effect in std::mem::take(&mut effects) {
                if let Some(end) = self.carry_out(machine, effect).await? {
                    return Ok(end);
                }
            }
            if let Some(entry) = self.next_arrived() {
                let event = Event::Input { seq: entry.seq, body: Box::new(entry.body) };
                effects = machine.step(event, self.clock.now_ms());
                continue;
            }
            let wake =
                machine.wake_at().map_or_else(|| Instant::now() + IDLE, |at| self.clock.instant(at).into());
            tokio::select! {
                Some(event) = self.events.1.recv() => effects = machine.step(event, self.clock.now_ms()),
                () = sleep_until(wake) => effects = machine.step(Event::Tick, self.clock.now_ms()),
                () = self.input.notified() => self.read_input(i64::MAX).await?,
                _ = input_tick.tick() => self.poll_input().await,
                _ = renew_tick.tick() => self.renew().await?,
            }
        }
    }

    /// A store that is busy for a while costs one renewal and not the turn: a lease is good for several, and who appends
    /// without it is refused.
    async fn renew(&self) -> Result<(), LeaseError> {
        match self.session.renew(&self.store, self.clock.now_ms()).await {
            Err(LeaseError::Store(_)) | Ok(()) => Ok(()),
            lost => lost,
        }
    }

    async fn carry_out(&mut self, machine: &Machine, effect: Effect) -> Result<Option<TurnEnd>, EngineError> {
        match effect {
            Effect::Append(bodies) => self.append(machine.turn(), bodies).await?,
            Effect::CallModel { call, request } => {
                self.close_model();
                let task = tokio::spawn(self.client.clone().call(call, request, self.events.0.clone()));
                self.model = Some((call, task));
            }
            Effect::CloseModel { call } => {
                if self.model.as_ref().is_some_and(|(open, _)| *open == call) {
                    self.close_model();
                }
            }
            Effect::AskLife { call } => {
                let (client, events) = (self.client.clone(), self.events.0.clone());
                tokio::spawn(async move {
                    let life = client.life().await;
                    let _ = events.send(Event::Life { call, life }).await;
                });
            }
            Effect::RunTool { item, call, grant } => {
                self.toolbox.run(item, call, (grant, machine.mode()), self.events.0.clone());
            }
            Effect::Survey(query) => self.toolbox.survey(query, self.events.0.clone()),
            Effect::ReadPlace { place, change } => {
                self.toolbox.read_place(place, change, self.events.0.clone());
            }
            Effect::TakeCheckpoint { moment, since } => {
                let (snapshots, events) = (self.snapshots.clone(), self.events.0.clone());
                tokio::spawn(async move {
                    let taken = snapshots.take(since).await;
                    let _ = events.send(Event::Checkpointed { moment, taken }).await;
                });
            }
            Effect::CompareFiles { since } => {
                let (snapshots, events) = (self.snapshots.clone(), self.events.0.clone());
                tokio::spawn(async move {
                    let compared = snapshots.compare(since).await;
                    let _ = events.send(Event::FilesCompared(compared.map(Box::new))).await;
                });
            }
            Effect::RunCheck(request) => self.toolbox.check(*request, self.events.0.clone()),
            Effect::Rewind { changes } => {
                // A log that can't be read now is like a change that can't be taken back: it stays.
                let entries = self.store.log(&self.session.id).await.unwrap_or_default();
                self.toolbox.rewind(entries, changes, self.events.0.clone());
            }
            Effect::ReadFiles { paths } => self.toolbox.read_files(paths, self.events.0.clone()),
            Effect::EndTools => self.toolbox.end().await,
            Effect::AskAllocated => {
                let (client, events, model) =
                    (self.client.clone(), self.events.0.clone(), machine.model_name().to_owned());
                tokio::spawn(async move {
                    let allocated = client.allocated(&model).await;
                    let _ = events.send(Event::Allocated(allocated)).await;
                });
            }
            Effect::RememberWindow { model, reported_window } => {
                self.remember_window(&model, reported_window).await;
            }
            Effect::Remember { model, by } => self.remember(&model, by).await,
            Effect::RememberUnbound { model } => self.remember_unbound(&model).await,
            Effect::KeepAllowed { patterns } => self.keep_allowed(&patterns).await,
            Effect::Show(waiting) => self.tell(News::Waiting(waiting)).await,
            Effect::HandBack(end) => return Ok(Some(*end)),
        }
        Ok(None)
    }

    /// What can't be remembered now is found out anew: no reason to end a turn.
    async fn remember(&self, model: &ModelRef, by: ModeBy) {
        let (name, url, mode) = (&model.model, &model.base_url, model.mode.word());
        let _ = self.store.note_mode(name, url, mode, by.word(), self.clock.now_ms()).await;
    }

    async fn remember_unbound(&self, model: &ModelRef) {
        let _ = self.store.note_unbound(&model.model, &model.base_url, self.clock.now_ms()).await;
    }

    async fn remember_window(&self, model: &ModelRef, reported_window: i64) {
        let (name, url) = (&model.model, &model.base_url);
        let _ = self.store.note_window(name, url, model.window, reported_window, self.clock.now_ms()).await;
    }

    /// What can't be kept now is asked again in the next session.
    async fn keep_allowed(&self, patterns: &[String]) {
        let _ = self.store.allow(&self.project, patterns, self.clock.now_ms()).await;
    }

    /// Closing the stream frees the server's slot.
    fn close_model(&mut self) {
        if let Some((_, task)) = self.model.take() {
            task.abort();
        }
    }

    async fn append(&mut self, turn: &str, bodies: Vec<Body>) -> Result<(), EngineError> {
        let at_ms = self.clock.now_ms();
        let append = Append {
            session: &self.session.id,
            writer: Writer::Holder(&self.session.lease),
            at_ms,
            turn: Some(turn),
            bodies: &bodies,
        };
        let seqs = self.store.append(&append).await?;
        if let Some(first) = seqs.first().filter(|first| **first > self.reported_window + 1) {
            self.read_input(*first).await?;
        }
        for (seq, body) in seqs.into_iter().zip(bodies) {
            let session = self.session.id.clone();
            self.tell_entry(Entry { session, seq, at_ms, turn: Some(turn.to_owned()), body }).await;
        }
        Ok(())
    }

    /// Asks the database whether anything changed, before it reads. What can't be read now is there the next time; a
    /// database that is gone for good refuses the next append.
    async fn poll_input(&mut self) {
        let Ok(changes) = self.store.changes(&self.session.id).await else { return };
        if changes != self.changes && self.read_input(i64::MAX).await.is_ok() {
            self.changes = changes;
        }
    }

    /// Takes the input below `before` that was not told yet: what stands behind an append of ours is told after it, and
    /// what we answered ourselves is no input.
    async fn read_input(&mut self, before: i64) -> Result<(), EngineError> {
        loop {
            let reported_window = self.reported_window;
            let page = self.store.input_after(&self.session.id, reported_window).await?;
            for entry in page.into_iter().take_while(|entry| entry.seq < before) {
                self.tell_entry(entry.clone()).await;
                self.arrived.push(entry);
            }
            if self.reported_window == reported_window {
                return Ok(());
            }
        }
    }

    fn next_arrived(&mut self) -> Option<Entry> {
        (!self.arrived.is_empty()).then(|| self.arrived.remove(0))
    }

    async fn tell_entry(&mut self, entry: Entry) {
        self.reported_window = self.reported_window.max(entry.seq);
        self.tell(News::Entry(Box::new(entry))).await;
    }

    async fn tell(&self, news: News) {
        // A front end that has gone does not stop the turn.
        let _ = self.news.send(news).await;
    }
}
