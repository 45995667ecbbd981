//! The database: many starts at once, one that can't be used, and a disk without room.

use sqlx::{Connection, Executor, SqliteConnection};

use crate::harness::{HELLO, PROGRAM, World, unshare};
use crate::log::{check_whole, ends, outcomes};

const STARTS: usize = 80;

#[tokio::test]
async fn many_first_starts_at_once() {
    let world = World::play(HELLO).await;
    let running: Vec<_> = (0..STARTS).map(|_| world.bowline(&["sessions", "list"]).start()).collect();
    for program in running {
        program.end().await.expect(0);
    }
    world.run(&["Hello."]).end().await.expect(0);
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_left_alone() {
    let world = World::play(HELLO).await;
    world.run(&["Hello."]).end().await.expect(0);
    let mut database = SqliteConnection::connect(world.database().to_str().unwrap()).await.unwrap();
    let newer = "INSERT INTO _sqlx_migrations SELECT 9999, description, installed_on, success, checksum, execution_time \
                 FROM _sqlx_migrations LIMIT 1";
    database.execute(newer).await.unwrap();
    database.close().await.unwrap();
    let words = ["written by a newer bowline", "9999", "update bowline", "BOWLINE_DATABASE"];
    world.run(&["-c"]).end().await.expect(1).says(&words);
    world.bowline(&["sessions", "list"]).end().await.expect(1).says(&words);
    assert_eq!(world.model_requests().len(), 1);
}

#[tokio::test]
async fn what_is_no_database_is_left_alone() {
    let world = World::play(HELLO).await;
    let file = world.path().join("notes.txt");
    std::fs::write(&file, "my notes, longer than any header\n").unwrap();
    for place in [&file, &world.path()] {
        let program = world.run(&["Hello."]).env("BOWLINE_DATABASE", place);
        let ended = program.end().await.expect(1);
        ended.says(&[place.to_str().unwrap(), "is not a bowline database", "BOWLINE_DATABASE"]);
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "my notes, longer than any header\n");
    let program = world.run(&["Hello."]).env("BOWLINE_DATABASE", file.join("below"));
    program.end().await.expect(1).says(&["notes.txt", "BOWLINE_DATABASE"]);
    let program = world.run(&["Hello."]).env("BOWLINE_DATABASE", "postgres://nobody@127.0.0.1:1/none");
    program.end().await.expect(1).says(&["postgres://nobody@127.0.0.1:1/none"]);
    assert!(world.model_requests().is_empty());
}

#[tokio::test]
async fn another_place_for_the_database() {
    let world = World::play(HELLO).await;
    let place = world.path().join("deep/er/sessions.db");
    world.run(&["Hello."]).env("BOWLINE_DATABASE", &place).end().await.expect(0);
    assert!(place.is_file() && !world.home().exists());
}

const FULL: &str = r#"
=== server llamacpp window=16384
=== reply
call run_command {"command":"sh -c 'head -c 64M /dev/zero >../home/filler'; true"}
=== reply
text "Done."
"#;

#[tokio::test]
async fn a_disk_that_fills_up_in_mid_turn_loses_nothing() {
    let Some(flag) = unshare(["-m", "-rm"]) else {
        // No disk of our own can be had here: a limit on the size of files has to do.
        check_limited().await;
        return;
    };
    let world = World::play(FULL).await;
    std::fs::create_dir(world.home()).unwrap();
    // A disk of 2 MB that only these commands see: the first run fills it, and the second has room again.
    let script = r#"
        mount -t tmpfs -o size=2m disk ../home || exit 90
        "$0" run --yes --base-url "$1" "Do it."
        [ $? = 1 ] || exit 91
        rm ../home/filler
        "$0" run --base-url "$1" -c || exit 92
        "$0" sessions show --json >../log || exit 93
    "#;
    let mut program = world.bowline(&[]);
    program.command = tokio::process::Command::new("unshare");
    program.command.args([flag, "sh", "-c", script, PROGRAM, &world.server.base_url()]);
    program.command.current_dir(world.project());
    world.environment(&mut program.command);
    let ended = program.end().await.expect(0).says(&["the disk with the database is full", "make room"]);
    assert_eq!(ended.stdout, "Done.\n");
    world.check_played();
    let log = std::fs::read_to_string(world.path().join("log")).unwrap();
    let log: Vec<_> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    check_whole(&log);
    assert_eq!(outcomes(&log), ["run_command interrupted"]);
    assert_eq!(ends(&log), ["turn.failed failed", "turn.completed done"]);
}

#[tokio::test]
async fn a_database_that_may_not_grow_fails_the_run() {
    check_limited().await;
}

/// Files may grow to some kilobytes only, in blocks of 512 bytes: first too few to begin, then too few to go on.
async fn check_limited() {
    for blocks in ["4", "72"] {
        let world = World::play(HELLO).await;
        world.bowline(&["sessions", "list"]).end().await.expect(0);
        let script = r#"trap '' XFSZ; ulimit -f "$2"; exec "$0" run --base-url "$1" "Hello.""#;
        let mut program = world.bowline(&[]);
        program.command = tokio::process::Command::new("sh");
        program.command.args(["-c", script, PROGRAM, &world.server.base_url(), blocks]);
        program.command.current_dir(world.project());
        world.environment(&mut program.command);
        let ended = program.end().await.expect(1);
        assert!(
            ended.stderr.contains("full") && !ended.stderr.contains("panicked"),
            "{blocks} blocks: {ended}"
        );
        // Nothing is broken: with room again it goes on as ever.
        world.run(&["Hello."]).end().await.expect(0);
        check_whole(&world.log().await);
    }
}
