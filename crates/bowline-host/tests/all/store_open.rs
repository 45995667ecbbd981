//! Opening: a new database, an old one, a newer one, many at once, and everything that is no database.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use bowline_core::entry::Body;
use bowline_core::item::{ItemKind, ItemStatus};
use bowline_host::store::{Location, MIGRATOR, NewSession, OpenError, Store, StoreError};
use sqlx::Executor;
use tempfile::TempDir;

use crate::store::*;

on_both!(
    a_database_of_every_earlier_version_is_upgraded,
    check_33_a_database_from_before_synthesis_takes_one,
    check_33_a_database_from_before_model_notes_takes_them,
    modes_that_earlier_versions_remembered_are_dropped,
    a_newer_database_is_refused_and_left_alone,
    a_database_is_opened_again,
    first_opens_at_once,
);

fn newest() -> i64 {
    MIGRATOR.iter().map(|migration| migration.version).max().unwrap()
}

/// A database as a program of an earlier version left it, with a session in it.
async fn made_at_version(fixture: &Fixture, version: i64) {
    let raw = fixture.raw().await;
    if fixture.is_sqlite() {
        raw.execute("PRAGMA journal_mode = WAL").await.unwrap();
    }
    MIGRATOR.run_to(version, &raw).await.unwrap();
    raw.execute("INSERT INTO projects (id, root, created_ms) VALUES ('p', '/old', 1)").await.unwrap();
    raw.execute(
        "INSERT INTO sessions (id, project_id, title, state, work_tree, model, created_ms, active_ms, next_seq)
         VALUES ('old', 'p', 'old', 'idle', '/old', 'm', 1, 1, 2)",
    )
    .await
    .unwrap();
    raw.execute(
        r#"INSERT INTO entries (session_id, seq, kind, version, at_ms, body)
           VALUES ('old', 1, 'error', 1, 1, '{"what":"w","hint":"h"}')"#,
    )
    .await
    .unwrap();
    raw.close().await;
}

async fn a_database_of_every_earlier_version_is_upgraded(fixture: &Fixture) {
    // One database per version: a schema can hold only one of them.
    for version in MIGRATOR.iter().map(|migration| migration.version).filter(|version| *version < newest()) {
        let own = if fixture.is_sqlite() { Fixture::sqlite() } else { Fixture::postgres().await };
        made_at_version(&own, version).await;
        let store = own.open().await;
        let hint = Body::Error { what: "w".to_owned(), hint: "h".to_owned() };
        assert_eq!(store.log("old").await.unwrap()[0].body, hint);
        let lease = take(&store, "old").await;
        hold(&store, &lease, 5, &every_body()).await;
        assert_eq!(store.log("old").await.unwrap().len(), every_body().len() + 1);
        store.close().await;
        own.remove().await;
    }
}

async fn check_33_a_database_from_before_synthesis_takes_one(fixture: &Fixture) {
    const BEFORE_SYNTHESIS: i64 = 1;
    made_at_version(fixture, BEFORE_SYNTHESIS).await;
    let raw = fixture.raw().await;
    let refused = raw
        .execute(
            "INSERT INTO entries (session_id, seq, kind, part, version, at_ms, body)
             VALUES ('old', 9, 'item.completed', 'synthesis', 1, 1, '{}')",
        )
        .await;
    assert!(refused.unwrap_err().as_database_error().unwrap().is_foreign_key_violation());
    raw.close().await;
    for start in 0..3 {
        let store = fixture.open().await;
        let lease = take(&store, "old").await;
        let id = format!("synthesis{start}");
        let synthesis =
            Body::ItemCompleted { item: item(&id, ItemKind::Synthesis, ItemStatus::Complete, "so") };
        hold(&store, &lease, 5, std::slice::from_ref(&synthesis)).await;
        assert_eq!(store.log("old").await.unwrap().last().unwrap().body, synthesis);
        store.give_up(&lease).await.unwrap();
        store.close().await;
    }
}

async fn check_33_a_database_from_before_model_notes_takes_them(fixture: &Fixture) {
    const BEFORE_MODEL_NOTES: i64 = 2;
    const AT: &str = "http://127.0.0.1:11434";
    made_at_version(fixture, BEFORE_MODEL_NOTES).await;
    let raw = fixture.raw().await;
    raw.execute("SELECT mode FROM model_notes").await.unwrap_err();
    raw.close().await;
    for start in 0..3 {
        let store = fixture.open().await;
        // What the start before noted, and the session from before any of it.
        let known = store.model_note("ollama/qwen", AT).await.unwrap();
        assert_eq!(known.map(|note| note.changed_ms), (start > 0).then(|| start - 1));
        assert_eq!(store.log("old").await.unwrap().len(), 1);
        store.note_mode("ollama/qwen", AT, "text", "written", start).await.unwrap();
        store.close().await;
    }
}

async fn modes_that_earlier_versions_remembered_are_dropped(fixture: &Fixture) {
    const BEFORE_SIZES: i64 = 9;
    const AT: &str = "http://127.0.0.1:11434";
    made_at_version(fixture, BEFORE_SIZES).await;
    let raw = fixture.raw().await;
    raw.execute(
        "INSERT INTO model_notes (model, base_url, mode, mode_by, thinking, window_tokens, told_tokens, card, changed_ms)
         VALUES ('small', 'http://127.0.0.1:11434', 'text', 'written', 'off', 8192, 32768, NULL, 1),
         ('tested', 'http://127.0.0.1:11434', 'text', 'exam', 'off', 8192, 32768, '{}', 1)",
    )
    .await
    .unwrap();
    raw.close().await;
    for _ in 0..2 {
        let store = fixture.open().await;
        for model in ["small", "tested"] {
            let note = store.model_note(model, AT).await.unwrap().unwrap();
            assert_eq!((note.mode, note.mode_by, note.card, note.is_unbound), (None, None, None, false));
            assert_eq!(
                (note.thinking.as_deref(), note.window, note.reported_window),
                (Some("off"), Some(8192), Some(32_768))
            );
        }
        store.close().await;
    }
}

async fn a_newer_database_is_refused_and_left_alone(fixture: &Fixture) {
    fixture.open().await.close().await;
    let raw = fixture.raw().await;
    raw.execute(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         SELECT version + 1000, 'later', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1",
    )
    .await
    .unwrap();
    let error = Store::open(&fixture.location).await.unwrap_err();
    assert!(matches!(error, OpenError::Newer { found: 1001, known, .. } if known == newest()), "{error}");
    assert!(error.to_string().contains("update bowline"), "{error}");
    let count: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM _sqlx_migrations").fetch_one(&raw).await.unwrap();
    assert_eq!(count, i64::try_from(MIGRATOR.iter().count()).unwrap() + 1);
    raw.close().await;
}

async fn a_database_is_opened_again(fixture: &Fixture) {
    fixture.with_session().await.close().await;
    for _ in 0..3 {
        let store = fixture.open().await;
        assert_eq!(store.log(SESSION).await.unwrap().len(), 1);
        store.close().await;
    }
}

/// Opens one fresh database from many tasks, each with connections of its own, and writes through each.
async fn open_at_once(fixture: &Fixture, count: usize) {
    let mut tasks = Vec::new();
    for index in 0..count {
        let location = fixture.location.clone();
        tasks.push(tokio::spawn(async move {
            let store = Store::open(&location).await.map_err(|error| error.to_string())?;
            let id = format!("session-{index}");
            let new = NewSession { id: &id, project_root: ROOT, work_tree: ROOT, title: "t", model: "m" };
            store.create_session(&new, &first(), 1).await.map_err(|error| error.to_string())?;
            store.close().await;
            Ok::<(), String>(())
        }));
    }
    for task in tasks {
        assert_eq!(task.await.unwrap(), Ok(()));
    }
    let store = fixture.open().await;
    let limit = i64::try_from(count).unwrap() + 1;
    assert_eq!(store.sessions_of(Some(ROOT), limit).await.unwrap().len(), count);
    store.close().await;
}

async fn first_opens_at_once(fixture: &Fixture) {
    open_at_once(fixture, 8).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn eighty_first_opens_at_once() {
    open_at_once(&Fixture::sqlite(), 80).await;
}

#[test]
fn the_migrations_in_the_program_are_those_in_the_folder() {
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations")).unwrap();
    assert_eq!(files.count(), MIGRATOR.iter().count(), "build bowline-host again");
}

async fn refused(path: &Path) -> OpenError {
    Store::open(&Location::Sqlite(path.to_owned())).await.unwrap_err()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[tokio::test]
async fn what_is_made_is_private() {
    let folder = folder();
    let path = folder.path().join("made/for us/bowline #1?%20.db");
    let store = Store::open(&Location::Sqlite(path.clone())).await.unwrap();
    create_session(&store, SESSION).await;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    let files: Vec<_> =
        std::fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
    // The database, its write-ahead log and shared memory, and the lock.
    assert_eq!(files.len(), 4, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    store.close().await;
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_alone() {
    let folder = folder();
    let path = folder.path().join("notes.txt");
    for content in
        ["short", "a text that is longer than the header of a database, which has one hundred bytes, or so"]
    {
        std::fs::write(&path, content).unwrap();
        let error = refused(&path).await;
        assert!(matches!(error, OpenError::NotADatabase { .. }), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
    }
    assert!(matches!(refused(folder.path()).await, OpenError::NotADatabase { .. }));
    assert!(matches!(refused(Path::new("/")).await, OpenError::Location { .. }));
}

#[tokio::test]
async fn another_programs_database_is_left_alone() {
    let fixture = Fixture::sqlite();
    let raw = fixture.raw().await;
    raw.execute("CREATE TABLE bookmarks (url TEXT)").await.unwrap();
    raw.close().await;
    let error = Store::open(&fixture.location).await.unwrap_err();
    assert!(matches!(error, OpenError::NotADatabase { .. }), "{error}");
    let raw = fixture.raw().await;
    let tables: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master").fetch_one(&raw).await.unwrap();
    assert_eq!(tables, 1);
    raw.close().await;
}

#[tokio::test]
async fn a_damaged_database_is_said_to_be_one() {
    let fixture = Fixture::sqlite();
    fixture.with_session().await.close().await;
    let Location::Sqlite(path) = &fixture.location else { unreachable!() };
    let mut bytes = std::fs::read(path).unwrap();
    bytes[100..].fill(0xff);
    std::fs::write(path, bytes).unwrap();
    let error = refused(path).await;
    assert!(matches!(&error, OpenError::Store { error: StoreError::Damaged(_), .. }), "{error}");
    assert!(error.to_string().contains("restore a copy"), "{error}");
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_or_written_is_named() {
    let folder = folder();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let error = refused(&folder.path().join("file/data/bowline.db")).await;
    assert!(matches!(error, OpenError::Folder { .. }), "{error}");
    assert!(error.to_string().contains("BOWLINE_DATABASE"), "{error}");
    // A folder of the kernel's, which root cannot write in either.
    let error = refused(Path::new("/proc/bowline.db")).await;
    assert!(matches!(error, OpenError::Folder { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_is_said_to_be_locked() {
    let fixture = Fixture::sqlite();
    fixture.with_session().await.close().await;
    let raw = fixture.raw().await;
    let mut other = raw.acquire().await.unwrap();
    other.execute("PRAGMA locking_mode = EXCLUSIVE").await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    other.execute("DELETE FROM sessions").await.unwrap();
    let error = Store::open(&fixture.location).await.unwrap_err();
    assert!(matches!(error, OpenError::Store { error: StoreError::Busy, .. }), "{error}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_without_its_password() {
    let url = "postgres://ann:secret@127.0.0.1:1/team".to_owned();
    let error = Store::open(&Location::Postgres(url)).await.unwrap_err();
    assert!(matches!(&error, OpenError::Store { error: StoreError::Unreachable(_), .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("postgres://ann@127.0.0.1:1/team") && !text.contains("secret"), "{text}");
    let error = Store::open(&Location::Postgres("postgres://[".to_owned())).await.unwrap_err();
    assert!(matches!(error, OpenError::Location { .. }), "{error}");
}
