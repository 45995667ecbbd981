//! What the store's tests share: a fresh database on either engine, and entries to put into it.
//!
//! The conformance suite is functions of a [`Fixture`]; `on_both!` makes two tests of each.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_core::change_decision::{ChangeDecision, ChangeDecisions};
use bowline_core::check::{CheckMoment, CheckRun, CheckSource, Checked};
use bowline_core::checkpoint::{Checkpoint, Moment, NotCaptured};
use bowline_core::entry::*;
use bowline_core::failure;
use bowline_core::item::{ChangeState, Item, ItemKind, ItemStatus};
use bowline_core::place::{self, Offered, Place};
use bowline_core::restore_entry::{RestoreKind, RestoreWhat, Restored, Restoring, RestoringState};
use bowline_core::rewind_entry::Rewinding;
use bowline_core::sentinel::{Cap, Sentinel};
use bowline_core::typed::Typed;
use bowline_edit::Patch;
use bowline_host::store::{Append, Holder, Lease, Location, NewSession, Scope, Store, Taken, Writer};
use sqlx::AnyPool;
use tempfile::TempDir;

use crate::postgres;

/// Runs each function on a fresh SQLite file and on a fresh PostgreSQL database.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(&$crate::store::Fixture::sqlite()).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let fixture = $crate::store::Fixture::postgres().await;
                super::$name(&fixture).await;
                fixture.remove().await;
            })+
        }
    };
}
pub(crate) use on_both;

pub(crate) const SESSION: &str = "0190a000-0000-7000-8000-000000000001";
pub(crate) const ROOT: &str = "/home/ann/project";

/// An empty place for a database.
pub(crate) struct Fixture {
    pub(crate) location: Location,
    folder: Option<TempDir>,
}

impl Fixture {
    pub(crate) fn sqlite() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Sqlite(folder.path().join("data/bowline.db"));
        Fixture { location, folder: Some(folder) }
    }

    pub(crate) async fn postgres() -> Fixture {
        Fixture { location: Location::Postgres(postgres::new_database().await), folder: None }
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.folder.is_some()
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.location).await.unwrap()
    }

    /// A store with one session in it.
    pub(crate) async fn with_session(&self) -> Store {
        let store = self.open().await;
        create_session(&store, SESSION).await;
        store
    }

    /// The database behind the store's back.
    pub(crate) async fn raw(&self) -> AnyPool {
        sqlx::any::install_default_drivers();
        let url = match &self.location {
            Location::Sqlite(path) => {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                format!("sqlite://{}?mode=rwc", path.display())
            }
            Location::Postgres(url) => url.clone(),
        };
        AnyPool::connect(&url).await.unwrap()
    }

    pub(crate) async fn remove(self) {
        if let Location::Postgres(url) = &self.location {
            postgres::drop_database(url).await;
        }
    }
}

pub(crate) async fn create_session(store: &Store, id: &str) {
    let new = NewSession { id, project_root: ROOT, work_tree: ROOT, title: "rename", model: "local/qwen" };
    assert_eq!(store.create_session(&new, &first(), 1_000).await.unwrap(), 1);
}

pub(crate) async fn take(store: &Store, session: &str) -> Lease {
    let scope = Scope::Session(session.to_owned());
    match store.take_lease(&scope, session, &Holder::current(), 1_000).await.unwrap() {
        Taken::Yes(lease) => lease,
        Taken::Held { by } => panic!("held by {by:?}"),
    }
}

/// Appends as the holder.
pub(crate) async fn hold(store: &Store, lease: &Lease, at_ms: i64, bodies: &[Body]) -> Vec<i64> {
    let writer = Writer::Holder(lease);
    let append = Append { session: lease.session(), writer, at_ms, turn: Some("turn-1"), bodies };
    store.append(&append).await.unwrap()
}

/// Appends from outside.
pub(crate) async fn send(store: &Store, session: &str, at_ms: i64, bodies: &[Body]) -> Vec<i64> {
    let append = Append { session, writer: Writer::Outside, at_ms, turn: None, bodies };
    store.append(&append).await.unwrap()
}

pub(crate) fn first() -> Body {
    Body::SessionStarted(SessionStarted {
        project: ROOT.to_owned(),
        work_tree: ROOT.to_owned(),
        title: "rename".to_owned(),
        agent: "default".to_owned(),
        access: Access::Write,
        model: model("local/qwen"),
        prompt: "You edit code.".to_owned(),
        tools: Vec::new(),
        instructions: Vec::new(),
        shown: None,
    })
}

pub(crate) fn model(name: &str) -> ModelRef {
    ModelRef {
        model: name.to_owned(),
        base_url: "http://127.0.0.1:8080".to_owned(),
        window: 8_192,
        mode: bowline_core::mode::Mode::Native,
    }
}

pub(crate) fn steer(text: &str) -> Body {
    Body::Input(Input::steer(text, Typed::all(text), "terminal"))
}

pub(crate) fn message(id: &str, role: Role, status: Status) -> Message {
    Message::new(id, role, status)
}

pub(crate) fn started(id: &str) -> Body {
    Body::MessageStarted { message: message(id, Role::Assistant, Status::Streaming) }
}

pub(crate) fn completed(id: &str, status: Status) -> Body {
    Body::MessageCompleted { message: message(id, Role::Assistant, status) }
}

pub(crate) fn item(id: &str, kind: ItemKind, status: ItemStatus, text: &str) -> Item {
    Item {
        id: id.to_owned(),
        message: "message-1".to_owned(),
        kind,
        status,
        title: String::new(),
        text: text.to_owned(),
        field: None,
        call: None,
        result: None,
    }
}

pub(crate) fn item_started(id: &str) -> Body {
    Body::ItemStarted { item: item(id, ItemKind::Text, ItemStatus::Running, "") }
}

pub(crate) fn item_completed(id: &str, text: &str) -> Body {
    Body::ItemCompleted { item: item(id, ItemKind::Text, ItemStatus::Complete, text) }
}

pub(crate) fn delta(id: &str, text: &str) -> Body {
    Body::TextDelta { item: id.to_owned(), text: text.to_owned() }
}

pub(crate) fn updated(id: &str, text: &str) -> Body {
    Body::ItemUpdated { item: item(id, ItemKind::Text, ItemStatus::Running, text) }
}

pub(crate) fn sentinel(id: &str) -> Body {
    let sentinel = Sentinel::CapHit { limit: Cap::Steps, can_continue: true };
    Body::Sentinel(SentinelEntry { message: id.to_owned(), sentinel })
}

pub(crate) fn turn_end(stop: Stop) -> TurnEnd {
    TurnEnd {
        check: None,
        is_check_unknown: true,
        stop,
        text: "done".to_owned(),
        changes: vec![Change { path: "src/config.rs".to_owned(), added: 2, removed: 1 }],
        waiting: 0,
        denied: Vec::new(),
        checkpoint: None,
        usage: Usage { prompt_new: 10, output: 5, ..Usage::default() },
        reason: None,
        hint: None,
    }
}

pub(crate) fn checkpoint(id: &str, moment: Moment, message: &str) -> Checkpoint {
    let not_captured =
        vec![NotCaptured { path: "big.bin".to_owned(), why: "a new file of 3 MiB".to_owned() }];
    Checkpoint {
        id: id.to_owned(),
        moment,
        message: message.to_owned(),
        commit: Some(format!("commit of {id}")),
        label: "Mend\0 it.".to_owned(),
        changes: Vec::new(),
        not_captured,
        not_captured_more: 2,
        error: None,
    }
}

/// Of the checkpoint before this message.
pub(crate) fn restored(checkpoint: &str, message: &str) -> Restored {
    Restored {
        id: format!("r-{checkpoint}"),
        kind: RestoreKind::Undo,
        what: RestoreWhat::Both,
        checkpoint: Some(checkpoint.to_owned()),
        commit: Some(format!("commit of {checkpoint}")),
        message: Some(message.to_owned()),
        undoes: None,
        undo_checkpoint: format!("u-{checkpoint}"),
        undo_commit: Some("commit of now".to_owned()),
        after_commit: Some(format!("commit of {checkpoint}")),
        written: vec!["a.rs".to_owned()],
        deleted: Vec::new(),
        kept: Vec::new(),
        messages_deleted: 1,
        worktree_reset: true,
        backend_reset: false,
        by: "terminal".to_owned(),
    }
}

pub(crate) fn run_started(id: &str) -> Body {
    Body::RunStarted(RunStarted {
        run: 1,
        message: id.to_owned(),
        access: Access::Write,
        edits: ReviewMode::Review,
        hint: None,
        check: None,
    })
}

fn turn_started() -> Body {
    let text = || "text".to_owned();
    Body::TurnStarted(TurnStarted {
        text: text(),
        typed: Typed::nothing(),
        message: text(),
        access: Access::ReadOnly,
        queued: None,
        check: None,
    })
}

fn queued() -> Body {
    let text = || "text".to_owned();
    Body::Queued(Queued { id: text(), text: text(), typed: Typed::all("text"), by: text(), withdrawn: true })
}

/// A decision with bytes that are no text.
fn decided() -> Body {
    let text = || "text".to_owned();
    Body::Change(ChangeDecisions {
        state: ChangeState::Rewound,
        changes: vec![ChangeDecision {
            id: text(),
            path: text(),
            hunks: vec![2],
            line: 7,
            quote: text(),
            patch: Some(Patch::between(Some(b"a\n\xff\0\n"), b"b\r\n\xfe")),
        }],
        by: text(),
        calls: vec![text()],
    })
}

/// A step with all that one can say.
fn full_step() -> Body {
    let text = || "text".to_owned();
    Body::StepStarted(StepStarted {
        message: text(),
        step: 1,
        purpose: StepPurpose::Work,
        note: Some(text()),
        inputs_through: 3,
        thinking: Some(bowline_core::thinking::Thinking::Off),
        answers: vec![InPlace { item: text(), text: text() }],
        sent_back: Some(text()),
        sent_back_for: Some(SentBackFor::Check),
        offered: vec![Offered {
            place: Place { path: text(), name: Some(text()) },
            changes: place::Change::ALL.to_vec(),
        }],
        choice: place::Choice::Places,
        prompt: Some(text()),
    })
}

/// One body of every kind.
fn checked() -> Checked {
    let text = || "text".to_owned();
    let run = CheckRun {
        command: text(),
        source: CheckSource::Message,
        end: failure::End::Exit(1),
        output: text(),
        duration_ms: 12,
        state: Some(text()),
        snippets: Vec::new(),
    };
    Checked { words: Some(text()), ..Checked::of(&run, CheckMoment::After) }
}

pub(crate) fn every_body() -> Vec<Body> {
    let text = || "text".to_owned();
    vec![
        first(),
        Body::SessionUpdated(SessionUpdated {
            title: Some(text()),
            model: Some(model("local/other")),
            notice: Some(text()),
        }),
        turn_started(),
        run_started("message-1"),
        started("message-1"),
        completed("message-1", Status::Complete),
        steer("to the left"),
        queued(),
        full_step(),
        Body::Compacted(Compacted {
            summary: text(),
            messages: 3,
            task: Some(text()),
            tokens_before: 5000,
            tokens_after: 2000,
            by: CompactedBy::Code,
            kept: 1,
        }),
        decided(),
        Body::Rewinding(Rewinding::begun(vec![text()], vec![text()])),
        Body::Checked(Box::new(checked())),
        Body::Checkpoint(checkpoint("k1", Moment::Before, "message-1")),
        Body::Restoring(Box::new(Restoring {
            state: RestoringState::Begun,
            restored: restored("k1", "message-1"),
        })),
        Body::Restored(Box::new(restored("k1", "message-1"))),
        Body::StepCompleted(StepCompleted {
            message: text(),
            step: 1,
            usage: Usage::default(),
            request_bytes: None,
        }),
        item_started("item00001"),
        updated("item00002", "so far"),
        item_completed("item00001", "all of it"),
        delta("item00003", "a"),
        Body::ReasoningDelta { item: "item00004".to_owned(), text: text() },
        sentinel("message-2"),
        Body::PermissionAsked(PermissionAsked {
            item: text(),
            tool: text(),
            what: text(),
            pattern: text(),
            also: vec![text()],
        }),
        Body::PermissionAnswered(PermissionAnswered {
            item: text(),
            answer: Answer::No,
            scope: bowline_core::entry::Scope::Project,
            reason: Some(text()),
            by: text(),
        }),
        Body::TurnCompleted(turn_end(Stop::Done)),
        Body::TurnPaused(turn_end(Stop::Guard)),
        Body::TurnFailed(turn_end(Stop::Failed)),
        Body::Error { what: text(), hint: text() },
    ]
}
