//! `bowline doctor`: what it finds, what it says to do, and that it changes nothing.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

use bowline_host::store::{Location, Store};
use serde_json::Value;
use sqlx::{Connection, Executor, SqliteConnection};

use crate::exits::closed;
use crate::harness::{HELLO, Program, World, git, is};

fn doctor(world: &World, args: &[&str]) -> Program {
    let url = world.server.base_url();
    world.bowline(&[&["doctor", "--base-url", &url], args].concat())
}

async fn findings(world: &World, code: i32) -> Vec<Value> {
    doctor(world, &["--json"]).end().await.expect(code).frames()
}

/// The findings of one check: level and what.
fn of<'a>(findings: &'a [Value], check: &str) -> Vec<(&'a str, &'a str)> {
    let of_check = findings.iter().filter(|finding| finding["check"] == check);
    of_check.map(|finding| (finding["level"].as_str().unwrap(), finding["what"].as_str().unwrap())).collect()
}

/// The one finding of a check, of this level and with these words; gives what to do next.
fn one<'a>(findings: &'a [Value], check: &str, level: &str, words: &str) -> &'a str {
    let mut fits = findings.iter().filter(|finding| {
        finding["check"] == check
            && finding["level"] == level
            && finding["what"].as_str().unwrap().contains(words)
    });
    let found = fits.next().unwrap_or_else(|| panic!("no {level} of {check} with {words:?}: {findings:#?}"));
    assert!(fits.next().is_none(), "two {level} of {check} with {words:?}: {findings:#?}");
    assert_eq!(found["next"].is_null(), level == "ok", "{found}");
    found["next"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_place_where_all_is_well_and_nothing_was_made() {
    let world = World::play(HELLO).await;
    let found = findings(&world, 0).await;
    assert!(found.iter().all(|finding| finding["level"] == "ok" && finding["v"] == 1), "{found:#?}");
    one(&found, "bowline", "ok", env!("CARGO_PKG_VERSION"));
    one(&found, "data folder", "ok", "created by the first run");
    one(&found, "database", "ok", "created by the first run");
    one(&found, "disk", "ok", "free");
    one(&found, "git", "ok", "git version 2.");
    one(&found, "sh", "ok", "");
    one(&found, "project", "ok", "without a commit yet");
    one(&found, "server", "ok", &format!("llamacpp at {} · 1 model", world.server.base_url()));
    one(&found, "model", "ok", "llamacpp/scripted-coder:7b is used here (loaded now) · window 16384");
    assert!(!world.home().exists(), "it made something");
    let ended = doctor(&world, &[]).end().await.expect(0);
    assert!(ended.stdout.starts_with("ok       bowline: version "), "{ended}");
    assert!(ended.stdout.ends_with("\n\na turn can run here · 0 warnings\n"), "{ended}");
    assert!(!ended.stdout.contains('\x1b') && ended.stderr.is_empty(), "{ended}");
    assert!(world.model_requests().is_empty());
}

#[tokio::test]
async fn what_was_done_here_is_told() {
    let world = World::play("=== server llamacpp window=16384\n=== reply repeat\ntext \"Hello.\"\n").await;
    git(
        &world.project(),
        &["-c", "user.name=a", "-c", "user.email=b", "commit", "--allow-empty", "-q", "-m", "m"],
    );
    world.run(&["Hello."]).end().await.expect(0);
    let store = Store::open(&Location::Sqlite(world.database())).await.unwrap();
    let (name, url) = ("llamacpp/scripted-coder:7b", world.server.base_url());
    store.note_mode(name, &url, "text", "written", 5).await.unwrap();
    store.close().await;
    let found = findings(&world, 0).await;
    assert!(found.iter().all(|finding| finding["level"] == "ok"), "{found:#?}");
    one(&found, "data folder", "ok", world.home().to_str().unwrap());
    one(&found, "project", "ok", "a git repository");
    let database = found.iter().find(|finding| finding["check"] == "database").unwrap();
    assert_eq!(database["sessions"], 1, "{database}");
    assert!(
        database["bytes"].as_i64().unwrap() > 10_000 && database["version"].as_i64().unwrap() >= 3,
        "{database}"
    );
    one(
        &found,
        "model",
        "ok",
        "(last used here) · window 16384 · text mode, remembered since it wrote its calls",
    );
    one(&found, "guards", "ok", "no turn was stopped yet");
    one(&found, "leftovers", "ok", "no turn was left open");
}

#[tokio::test]
async fn no_model_is_code_5_and_beats_other_problems() {
    let world = World::without_git(HELLO).await;
    let (_socket, address) = closed();
    let url = format!("http://{address}/v1");
    let ended = world.bowline(&["doctor", "--json", "--base-url", &url]).end().await.expect(5);
    let found = ended.frames();
    let next = one(&found, "model", "problem", "does not answer");
    assert!(next.contains("--base-url"), "{next}");
    one(&found, "project", "ok", "a folder without git");
    let ended = world.bowline(&["doctor", "--base-url", &url, "-C", "nowhere"]).end().await.expect(5);
    assert!(ended.stdout.contains("problem  project: nowhere cannot be used"), "{ended}");
    assert!(ended.stdout.contains("\n         → "), "{ended}");
    assert!(ended.stdout.contains("\nno turn can run here · 2 problems · "), "{ended}");
    let small = World::play("=== server llamacpp window=4096\n").await;
    let found = findings(&small, 5).await;
    let next = one(&found, "model", "problem", "has a window of 4096 tokens");
    assert!(next.contains("llama-server -c"), "{next}");
}

#[tokio::test]
async fn a_bare_repository_and_a_missing_shell_are_problems() {
    let world = World::play(HELLO).await;
    let bare = world.path().join("bare.git");
    std::fs::create_dir(&bare).unwrap();
    git(&bare, &["init", "--quiet", "--bare"]);
    let found = doctor(&world, &["--json", "-C", bare.to_str().unwrap()]).end().await.expect(1).frames();
    let next = one(&found, "project", "problem", "bare repository");
    assert!(next.contains("Clone it"), "{next}");
    // Without a PATH there is neither git nor a shell.
    let empty = world.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let found = doctor(&world, &["--json"]).env("PATH", &empty).end().await.expect(1).frames();
    one(&found, "sh", "problem", "cannot be started");
    assert!(one(&found, "git", "warning", "cannot be started").contains("install git"));
    let old = empty.join("git");
    std::fs::write(&old, "#!/bin/sh\necho git version 2.20.1\n").unwrap();
    std::fs::set_permissions(&old, Permissions::from_mode(0o755)).unwrap();
    let found = doctor(&world, &["--json"]).env("PATH", &empty).end().await.expect(1).frames();
    one(&found, "git", "warning", "2.20.1 is too old");
}

#[tokio::test]
async fn a_database_that_cannot_be_used_is_a_problem() {
    let world = World::play(HELLO).await;
    let notes = world.path().join("notes.txt");
    std::fs::write(&notes, "my notes, longer than any header\n").unwrap();
    let found = doctor(&world, &["--json"]).env("BOWLINE_DATABASE", &notes).end().await.expect(1).frames();
    let next = one(&found, "database", "problem", "is not a bowline database");
    assert!(next.contains("BOWLINE_DATABASE"), "{next}");
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "my notes, longer than any header\n");
    let below = notes.join("below/bowline.db");
    let found = doctor(&world, &["--json"]).env("BOWLINE_DATABASE", &below).end().await.expect(1).frames();
    assert!(one(&found, "database", "problem", "cannot be created").contains("BOWLINE_DATABASE"));
    let found = world
        .bowline(&["doctor", "--json", "--base-url", &world.server.base_url()])
        .env("BOWLINE_DATABASE", "postgres://ann:secret@127.0.0.1:1/none")
        .end()
        .await
        .expect(1);
    assert!(!found.stdout.contains("secret"), "{found}");
    one(&found.frames(), "database", "problem", "postgres://ann@127.0.0.1:1/none");
}

#[tokio::test]
async fn a_database_that_somebody_keeps_locked_is_a_problem() {
    let world = World::play(HELLO).await;
    world.run(&["Hello."]).end().await.expect(0);
    let mut other = SqliteConnection::connect(world.database().to_str().unwrap()).await.unwrap();
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    let found = findings(&world, 1).await;
    let next = one(&found, "database", "problem", "another program keeps the database locked");
    assert!(next.contains("end it"), "{next}");
    other.execute("ROLLBACK").await.unwrap();
    findings(&world, 0).await;
}

#[tokio::test]
async fn what_others_could_read_is_a_warning() {
    let world = World::play(HELLO).await;
    world.run(&["Hello."]).end().await.expect(0);
    std::fs::set_permissions(world.home(), Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(world.database(), Permissions::from_mode(0o644)).unwrap();
    let found = findings(&world, 0).await;
    assert!(
        one(&found, "data folder", "warning", "other users of this machine can read")
            .starts_with("chmod go-rwx ")
    );
    assert!(
        one(&found, "database", "warning", "other users of this machine can read")
            .starts_with("chmod go-rwx ")
    );
}

#[tokio::test]
async fn what_leaves_this_machine_and_what_is_guessed_are_warnings() {
    let scenario = "=== server ollama models=qwen3:8b,gpt-oss:120b-cloud sizes=5G,384\n";
    let world = World::play(scenario).await;
    let found = doctor(&world, &["--json", "-m", "gpt-oss:120b-cloud"]).end().await.expect(0).frames();
    one(&found, "privacy", "warning", "gpt-oss:120b-cloud runs on another machine");
    one(&found, "server", "ok", "· 2 models");
    let world = World::play("=== server openai\n").await;
    let found = findings(&world, 0).await;
    assert!(one(&found, "window", "warning", "8192 tokens are assumed").contains("--window"), "{found:#?}");
}

#[tokio::test]
async fn a_continue_right_after_a_stop_is_a_false_alarm() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call list_dir {}
=== reply
text "More is left."
=== reply
call list_dir {}
=== reply
text "Still more."
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    world.run(&["--max-steps", "1", "Look."]).end().await.expect(3);
    world.run(&["--max-steps", "1", "-c"]).end().await.expect(3);
    world.run(&["-c", "Something else."]).end().await.expect(0);
    world.check_played();
    let found = findings(&world, 0).await;
    let guards: Vec<&Value> = found.iter().filter(|finding| finding["check"] == "guards").collect();
    assert_eq!(guards.len(), 1, "{guards:#?}");
    assert_eq!(guards[0]["what"], "steps: stopped 2 turns, 1 continued right after (50 % false alarms)");
    assert_eq!(
        (&guards[0]["guard"], &guards[0]["stops"], &guards[0]["continued"]),
        (&"steps".into(), &2.into(), &1.into())
    );
}

#[tokio::test]
async fn leftovers_are_found() {
    let world = World::play("=== server llamacpp window=16384\n=== reply\ntext \"So far.\"\nhang\n").await;
    let mut running = world.run(&["--json", "Do it."]).start();
    let frame = running.until(|frame| is(frame, "text.delta")).await;
    one(&findings(&world, 0).await, "leftovers", "ok", "no turn was left open");
    running.kill().await;
    let left = File::create(world.project().join(".bowline-abc123.tmp")).unwrap();
    left.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
    File::create(world.project().join(".bowline-new.tmp")).unwrap();
    let found = findings(&world, 0).await;
    let session = &frame["session"].as_str().unwrap()[..13];
    let next = one(&found, "leftovers", "warning", &format!("session {session}"));
    assert!(next.contains(&format!("-s {session}")), "{next}");
    one(&found, "leftovers", "warning", ".bowline-abc123.tmp");
    assert_eq!(of(&found, "leftovers").len(), 2, "{found:#?}");
}

#[tokio::test]
async fn the_configuration_is_looked_at() {
    let world = World::play(HELLO).await;
    one(&findings(&world, 0).await, "configuration", "ok", "the defaults apply");
    let file = world.project().join("bowline.toml");
    std::fs::write(&file, "[permissions]\nallow = [\"curl *\"]\n").unwrap();
    let next = one(&findings(&world, 0).await, "configuration", "warning", "permissions.allow").to_owned();
    assert!(next.contains("bowline trust"), "{next}");
    std::fs::write(&file, "modle = \"x\"\n").unwrap();
    one(&findings(&world, 1).await, "configuration", "problem", "modle");
}
