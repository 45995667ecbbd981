//! The tables beside the log follow from it: sessions, messages, outputs, and what a deletion takes with it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_core::entry::{Body, Role, SessionUpdated, Status, Stop};
use bowline_host::store::{Found, MessageRow, NewSession, Scope, SessionState, StoreError, sql};
use sqlx::{AssertSqlSafe, Executor, SqlSafeStr};

use crate::store::*;

on_both!(
    every_statement_can_be_prepared,
    every_kind_is_in_its_lookup_table,
    a_session_follows_its_log,
    sessions_are_listed_newest_first,
    a_session_is_found_by_the_beginning_of_its_id,
    messages_follow_the_log,
    messages_can_be_rebuilt,
    silent_sessions_are_found,
    outputs_are_kept,
    deleting_deletes,
);

async fn every_statement_can_be_prepared(fixture: &Fixture) {
    fixture.open().await.close().await;
    let mut connection = fixture.raw().await.acquire().await.unwrap();
    for (name, statement) in sql::ALL {
        let prepared = connection.prepare((*statement).into_sql_str()).await;
        assert!(prepared.is_ok(), "{name}: {:?}", prepared.err());
    }
    if fixture.is_sqlite() {
        let own = [
            sql::DATA_VERSION_SQLITE,
            sql::WAL_SQLITE,
            sql::FOREIGN_TABLES_SQLITE,
            sql::OVERWRITE_SQLITE,
            sql::FOLD_WAL_SQLITE,
            sql::SIZE_SQLITE,
        ];
        for statement in own {
            connection.prepare(statement.into_sql_str()).await.unwrap();
        }
    } else {
        connection.prepare(sql::SIZE_POSTGRES.into_sql_str()).await.unwrap();
    }
}

async fn every_kind_is_in_its_lookup_table(fixture: &Fixture) {
    fixture.open().await.close().await;
    let raw = fixture.raw().await;
    let mut kinds: Vec<String> =
        sqlx::query_scalar("SELECT kind FROM entry_kinds").fetch_all(&raw).await.unwrap();
    kinds.sort();
    let mut written: Vec<&str> = every_body().iter().map(Body::kind).collect();
    written.sort_unstable();
    assert_eq!(kinds, written);
    // A kind that nobody declared is refused by the database itself.
    let refused = raw
        .execute(
            "INSERT INTO entries (session_id, seq, kind, version, at_ms, body) VALUES ('none', 1, 'none', 1, 1, '{}')",
        )
        .await;
    assert!(refused.unwrap_err().as_database_error().unwrap().is_foreign_key_violation());
}

async fn a_session_follows_its_log(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let session = store.session(SESSION).await.unwrap().unwrap();
    assert_eq!((session.state, session.next_seq), (SessionState::Idle, 2));
    assert_eq!((session.project_root.as_str(), session.work_tree.as_str()), (ROOT, ROOT));
    assert_eq!((session.title.as_str(), session.model.as_str()), ("rename", "local/qwen"));
    assert_eq!((session.created_ms, session.active_ms), (1_000, 1_000));
    let lease = take(&store, SESSION).await;
    let ends = [
        (Body::TurnCompleted(turn_end(Stop::Done)), SessionState::Idle),
        (Body::TurnPaused(turn_end(Stop::Guard)), SessionState::Paused),
        (Body::TurnFailed(turn_end(Stop::Failed)), SessionState::Failed),
    ];
    for (end, state) in ends {
        hold(&store, &lease, 2_000, &[run_started("m")]).await;
        assert_eq!(store.session(SESSION).await.unwrap().unwrap().state, SessionState::Running);
        hold(&store, &lease, 2_001, &[end]).await;
        assert_eq!(store.session(SESSION).await.unwrap().unwrap().state, state);
    }
    let change =
        SessionUpdated { title: Some("renamed".to_owned()), model: Some(model("local/gemma")), notice: None };
    hold(&store, &lease, 3_000, &[Body::SessionUpdated(change)]).await;
    let session = store.session(SESSION).await.unwrap().unwrap();
    assert_eq!((session.title.as_str(), session.model.as_str()), ("renamed", "local/gemma"));
    assert_eq!((session.created_ms, session.active_ms, session.next_seq), (1_000, 3_000, 9));
    assert_eq!(store.session("none").await.unwrap(), None);
}

async fn sessions_are_listed_newest_first(fixture: &Fixture) {
    let store = fixture.open().await;
    for (id, project_root, model) in [("a", "/one", "m/a"), ("b", "/one", "m/b"), ("c", "/two", "m/c")] {
        let new = NewSession { id, project_root, work_tree: project_root, title: id, model };
        store.create_session(&new, &first(), 1_000).await.unwrap();
    }
    let ids = |sessions: Vec<bowline_host::store::Session>| {
        sessions.into_iter().map(|session| session.id).collect::<Vec<_>>()
    };
    // Of the same age: the later id first.
    assert_eq!(ids(store.sessions_of(None, 10).await.unwrap()), ["c", "b", "a"]);
    send(&store, "a", 2_000, &[steer("on")]).await;
    assert_eq!(ids(store.sessions_of(None, 10).await.unwrap()), ["a", "c", "b"]);
    assert_eq!(ids(store.sessions_of(None, 2).await.unwrap()), ["a", "c"]);
    assert_eq!(ids(store.sessions_of(Some("/one"), 10).await.unwrap()), ["a", "b"]);
    assert_eq!(store.last_session("/one").await.unwrap().unwrap().id, "a");
    assert_eq!(store.last_model("/one").await.unwrap().as_deref(), Some("m/a"));
    assert_eq!(store.last_session("/none").await.unwrap(), None);
    assert_eq!(store.last_model("/none").await.unwrap(), None);
}

async fn a_session_is_found_by_the_beginning_of_its_id(fixture: &Fixture) {
    let store = fixture.open().await;
    for id in ["abc", "abcd", "abce", "x_1", "xy1", "Q1"] {
        create_session(&store, id).await;
    }
    let found = |prefix: &'static str| {
        let store = &store;
        async move {
            match store.find_session(prefix).await.unwrap() {
                Found::Nothing => Vec::new(),
                Found::One(session) => vec![session.id],
                Found::Several(sessions) => sessions.into_iter().map(|session| session.id).collect(),
            }
        }
    };
    // A whole id is meant, even if others begin with it.
    assert_eq!(found("abc").await, ["abc"]);
    assert_eq!(found("abcd").await, ["abcd"]);
    assert_eq!(found("ab").await, ["abce", "abcd", "abc"]);
    assert!(matches!(store.find_session("ab").await.unwrap(), Found::Several(_)));
    // No letter is a wildcard, and case counts.
    assert_eq!(found("x_").await, ["x_1"]);
    for nothing in ["%", "q", "", "abcdef"] {
        assert_eq!(found(nothing).await, Vec::<String>::new(), "{nothing:?}");
    }
}

async fn messages_follow_the_log(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    let user = Body::MessageStarted { message: message("u", Role::User, Status::Complete) };
    hold(&store, &lease, 2_000, &[user, started("m")]).await;
    hold(&store, &lease, 2_500, &[delta("i", "a")]).await;
    // What comes from outside is no sign of life of the run.
    send(&store, SESSION, 2_600, &[steer("left")]).await;
    let row = |id: &str, role, status, first_seq, touched_ms| MessageRow {
        id: id.to_owned(),
        role,
        status,
        first_seq,
        touched_ms,
    };
    let user = row("u", Role::User, Status::Complete, 2, 2_000);
    let streaming = row("m", Role::Assistant, Status::Streaming, 3, 2_500);
    assert_eq!(store.messages(SESSION).await.unwrap(), [user.clone(), streaming]);
    hold(&store, &lease, 2_700, &[sentinel("s"), completed("m", Status::Cancelled)]).await;
    hold(&store, &lease, 2_800, &[delta("i", "late")]).await;
    let cancelled = row("m", Role::Assistant, Status::Cancelled, 3, 2_700);
    let sentinel = row("s", Role::System, Status::Complete, 6, 2_700);
    assert_eq!(store.messages(SESSION).await.unwrap(), [user, cancelled, sentinel]);
}

/// A small generator of arbitrary appends: the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        // Knuth's linear congruential generator; its high bits are the good ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn body(&mut self) -> Body {
        let message = format!("m{}", self.roll(4));
        let item = format!("i{}", self.roll(4));
        match self.roll(9) {
            0 => started(&message),
            1 => completed(&message, Status::Complete),
            2 => completed(&message, Status::Failed),
            3 => sentinel(&format!("s{message}")),
            4 => item_completed(&item, "whole"),
            5 => steer("left"),
            6 => updated(&item, "so far"),
            7 => run_started(&message),
            _ => delta(&item, "a"),
        }
    }
}

async fn messages_can_be_rebuilt(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    for seed in 0..12 {
        let mut dice = Dice(seed);
        for _ in 0..12 {
            let bodies: Vec<Body> = (0..=dice.roll(3)).map(|_| dice.body()).collect();
            // Clocks go backwards, too.
            let at_ms = 1_000 + i64::try_from(dice.roll(1_000)).unwrap();
            hold(&store, &lease, at_ms, &bodies).await;
        }
        let kept = store.messages(SESSION).await.unwrap();
        assert!(kept.len() > 2);
        store.rebuild_messages(SESSION).await.unwrap();
        assert_eq!(store.messages(SESSION).await.unwrap(), kept, "seed {seed}");
    }
    assert!(matches!(store.rebuild_messages("none").await, Err(StoreError::NoSession(_))));
}

async fn silent_sessions_are_found(fixture: &Fixture) {
    let store = fixture.open().await;
    for (id, at_ms) in [("long", 2_000), ("short", 5_000), ("over", 2_000)] {
        create_session(&store, id).await;
        let lease = take(&store, id).await;
        hold(&store, &lease, at_ms, &[started("m"), started("n")]).await;
        if id == "over" {
            let ends = [completed("m", Status::Failed), completed("n", Status::Complete)];
            hold(&store, &lease, at_ms, &ends).await;
        }
    }
    assert_eq!(store.stale_sessions(2_000).await.unwrap(), Vec::<String>::new());
    assert_eq!(store.stale_sessions(2_001).await.unwrap(), ["long"]);
    assert_eq!(store.stale_sessions(9_000).await.unwrap(), ["long", "short"]);
}

async fn outputs_are_kept(fixture: &Fixture) {
    let store = fixture.with_session().await;
    assert_eq!(store.output(SESSION, "a").await.unwrap(), None);
    store.put_output(SESSION, "a", "first", 5).await.unwrap();
    store.put_output(SESSION, "a", "second", 6).await.unwrap();
    store.put_output(SESSION, "b", "", 6).await.unwrap();
    assert_eq!(store.output(SESSION, "a").await.unwrap().as_deref(), Some("second"));
    assert_eq!(store.output(SESSION, "b").await.unwrap().as_deref(), Some(""));
    assert_eq!(store.output("none", "a").await.unwrap(), None);
    assert!(matches!(store.put_output("none", "a", "x", 5).await, Err(StoreError::NoSession(_))));
}

async fn deleting_deletes(fixture: &Fixture) {
    let store = fixture.with_session().await;
    create_session(&store, "other").await;
    for session in [SESSION, "other"] {
        let lease = take(&store, session).await;
        hold(&store, &lease, 5, &every_body()).await;
        store.put_output(session, "a", "text", 5).await.unwrap();
    }
    store.delete_session(SESSION).await.unwrap();
    assert_eq!(store.session(SESSION).await.unwrap(), None);
    assert_eq!(store.lease(&Scope::Session(SESSION.to_owned())).await.unwrap(), None);
    assert_eq!(store.log("other").await.unwrap().len(), every_body().len() + 1);
    let raw = fixture.raw().await;
    for table in ["entries", "messages", "outputs", "leases"] {
        let count = |filter: &str| {
            AssertSqlSafe(format!("SELECT COUNT(*) FROM {table} WHERE session_id {filter} 'other'"))
        };
        let left: i64 = sqlx::query_scalar(count("<>")).fetch_one(&raw).await.unwrap();
        let kept: i64 = sqlx::query_scalar(count("=")).fetch_one(&raw).await.unwrap();
        assert_eq!(left, 0, "{table}");
        assert!(kept > 0, "{table}");
    }
    assert!(matches!(store.delete_session(SESSION).await, Err(StoreError::NoSession(_))));
}

/// The file ledger lives in the summaries' text: no table and no column holds it.
#[test]
fn check_09_no_table_or_column_holds_the_ledger() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap().to_lowercase();
        let statements: String = text.lines().filter(|line| !line.starts_with("--")).collect();
        for word in ["ledger", "files_read", "files_modified", "file_path", "provenance"] {
            assert!(!statements.contains(word), "{word}: {statements}");
        }
    }
}
