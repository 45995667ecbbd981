//! A folder with real checkpoints and a session whose turns are made up: the log says what a turn would have said.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bowline_checkpoint::Settings;
use bowline_core::checkpoint::{Checkpoint, Moment};
use bowline_core::entry::{Access, Body, Entry, Message, Role, RunStarted, Status, Stop, TurnStarted};
use bowline_core::timeline::Timeline;
use bowline_core::typed::Typed;
use bowline_core::view::View;
use bowline_host::clock::Clock;
use bowline_host::restore::{
    CheckpointUse, RestoreError, RestoreOptions, RestoreReport, RestoreRequest, SessionRestore,
};
use bowline_host::store::{Append, Holder, NewSession, Scope, Session, Store, Taken, Writer};
use tempfile::TempDir;

use crate::store::{Fixture, SESSION, first, turn_end};

const OTHER: &str = "0190a000-0000-7000-8000-000000000009";
/// Of everything.
const AT_MS: i64 = 1_000;

pub(crate) type Files = BTreeMap<String, String>;

pub(crate) struct Scene {
    folder: TempDir,
    pub(crate) store: Store,
    raw: sqlx::AnyPool,
    pub(crate) session: Session,
    turns: usize,
    messages: usize,
    checkpoints: usize,
    /// The files before the first turn, and after each.
    pub(crate) stands: Vec<Files>,
}

impl Scene {
    pub(crate) async fn new(fixture: &Fixture) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        std::fs::create_dir(&root).unwrap();
        let store = fixture.open().await;
        let session = new_session(&store, SESSION, &root).await;
        let raw = fixture.raw().await;
        let mut scene =
            Scene { folder, store, raw, session, turns: 0, messages: 0, checkpoints: 0, stands: Vec::new() };
        scene.write("f.txt", "zero\n");
        scene.stands.push(scene.files());
        scene
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.session.work_tree.clone().into()
    }

    fn checkpoint_home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("checkpoints")
    }

    fn checkpoint_store(&self) -> bowline_checkpoint::Store {
        bowline_checkpoint::Store::open(&self.checkpoint_home(), &self.root(), Settings::default()).unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        std::fs::write(self.root().join(path), text).unwrap();
    }

    pub(crate) fn files(&self) -> Files {
        let entries = std::fs::read_dir(self.root()).unwrap();
        let file = |entry: std::io::Result<std::fs::DirEntry>| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        };
        entries.map(file).collect()
    }

    /// The ids the checkpoint store keeps.
    pub(crate) fn kept(&self) -> Vec<String> {
        self.checkpoint_store().ids().unwrap()
    }

    pub(crate) async fn log(&self) -> Vec<Entry> {
        self.store.log(&self.session.id).await.unwrap()
    }

    pub(crate) async fn listed(&self) -> Vec<String> {
        Timeline::of(&self.log().await).listed().into_iter().map(|one| one.id).collect()
    }

    /// What the messages a user sees say.
    pub(crate) async fn texts(&self) -> Vec<String> {
        View::of(&self.log().await).messages.into_iter().map(|view| view.text).collect()
    }

    pub(crate) fn session_restore<'d>(&'d self, session: &'d Session) -> SessionRestore<'d> {
        SessionRestore {
            store: &self.store,
            clock: Clock::start(),
            session,
            home: self.checkpoint_home(),
            settings: Settings::default(),
            keeps: CheckpointUse::Files,
            by: "test",
        }
    }

    pub(crate) async fn carry_out(&mut self, wanted: &RestoreRequest) -> Result<RestoreReport, RestoreError> {
        let done = self.session_restore(&self.session).carry_out(wanted, RestoreOptions::default()).await;
        self.flatten().await;
        done
    }

    /// Makes every time the same.
    async fn flatten(&self) {
        for statement in ["UPDATE entries SET at_ms = 1000", "UPDATE checkpoints SET created_ms = 1000"] {
            sqlx::query(statement).execute(&self.raw).await.unwrap();
        }
    }

    pub(crate) async fn other_session(&self) -> Session {
        new_session(&self.store, OTHER, &self.root()).await
    }

    /// Three turns, and the checkpoints before each.
    pub(crate) async fn three_turns(&mut self) -> [String; 3] {
        [
            self.turn("f.txt", "one\n").await,
            self.turn("g.txt", "two\n").await,
            self.turn("f.txt", "three\n").await,
        ]
    }

    /// A turn that writes a file; the checkpoint before it.
    pub(crate) async fn turn(&mut self, path: &str, text: &str) -> String {
        self.turns += 1;
        let (turn, task) = (format!("t{}", self.turns), format!("turn {}", self.turns));
        let (user, answer) = (self.next_message(), self.next_message());
        let before = self.take(Moment::Before, &answer, &task);
        self.write(path, text);
        let after = self.take(Moment::After, &answer, &task);
        let id = before.id.clone();
        let message = |id: &str, role, status| Message::new(id, role, status);
        let bodies = [
            Body::TurnStarted(TurnStarted {
                text: task,
                typed: Typed::nothing(),
                message: user.clone(),
                access: Access::Write,
                queued: None,
                check: None,
            }),
            Body::MessageStarted { message: message(&user, Role::User, Status::Complete) },
            Body::RunStarted(RunStarted {
                run: 1,
                message: answer.clone(),
                access: Access::Write,
                edits: Default::default(),
                hint: None,
                check: None,
            }),
            Body::MessageStarted { message: message(&answer, Role::Assistant, Status::Streaming) },
            Body::Checkpoint(before),
            Body::Checkpoint(after),
            Body::MessageCompleted { message: message(&answer, Role::Assistant, Status::Complete) },
            Body::TurnCompleted(turn_end(Stop::Done)),
        ];
        self.append(&turn, &bodies).await;
        self.stands.push(self.files());
        id
    }

    fn next_message(&mut self) -> String {
        self.messages += 1;
        format!("m{}", self.messages)
    }

    fn take(&mut self, moment: Moment, message: &str, label: &str) -> Checkpoint {
        self.checkpoints += 1;
        // The order of ids is not the order of time.
        let id = format!("k{:02}", 99 - self.checkpoints);
        let commit = self.checkpoint_store().take(&id).unwrap().commit;
        Checkpoint {
            id,
            moment,
            message: message.to_owned(),
            commit: Some(commit),
            label: label.to_owned(),
            changes: Vec::new(),
            not_captured: Vec::new(),
            not_captured_more: 0,
            error: None,
        }
    }

    async fn append(&self, turn: &str, bodies: &[Body]) {
        let scope = Scope::Session(self.session.id.clone());
        let taken = self.store.take_lease(&scope, &self.session.id, &Holder::current(), AT_MS).await.unwrap();
        let Taken::Yes(lease) = taken else { panic!("{taken:?}") };
        let writer = Writer::Holder(&lease);
        let append = Append { session: &self.session.id, writer, at_ms: AT_MS, turn: Some(turn), bodies };
        self.store.append(&append).await.unwrap();
        self.store.give_up(&lease).await.unwrap();
    }
}

async fn new_session(store: &Store, id: &str, root: &std::path::Path) -> Session {
    let root = root.to_str().unwrap();
    let new = NewSession { id, project_root: root, work_tree: root, title: "t", model: "local/qwen" };
    store.create_session(&new, &first(), AT_MS).await.unwrap();
    store.session(id).await.unwrap().unwrap()
}
