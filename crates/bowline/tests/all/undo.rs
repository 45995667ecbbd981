//! Undo, redo and restore with the real program: files, what commands did to them, and the conversation.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::harness::{Ended, World, is, written};

/// Every file of the project with its bytes, git's own left out.
pub(crate) fn files(world: &World) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().is_some_and(|name| name == ".git") {
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                walk(root, &path, files);
            } else {
                files.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut files = BTreeMap::new();
    walk(&world.project(), &world.project(), &mut files);
    files
}

/// What the session's messages are, as a person reads them.
pub(crate) async fn transcript(world: &World) -> String {
    world.bowline(&["sessions", "show"]).end().await.expect(0).stdout
}

/// The files and the transcript.
pub(crate) async fn stand(world: &World) -> (BTreeMap<String, Vec<u8>>, String) {
    (files(world), transcript(world).await)
}

pub(crate) async fn bowline(world: &World, args: &[&str]) -> Ended {
    world.bowline(args).end().await.expect(0)
}

pub(crate) fn object(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}\n{ended}"))
}

/// One turn that says something, and one whose command writes, deletes and renames.
pub(crate) const MOVES: &str = r#"
=== server llamacpp window=16384
=== file kept.txt
kept
=== file gone.txt
gone
=== file old/name.txt
renamed
=== reply
text "Hello."
=== reply
call run_command {"command":"printf 'one\n' >new.txt; rm gone.txt; mkdir new; mv old/name.txt new/name.txt; printf 'more\n' >>kept.txt"}
=== reply
text "Moved the SECRET things."
=== reply
text "Nothing of it is there."
=== reply
text "And once more."
"#;

#[tokio::test]
async fn what_a_command_did_is_undone_with_the_conversation_and_redone() {
    let world = World::play(MOVES).await;
    world.run(&["Say hello."]).end().await.expect(0);
    let before = stand(&world).await;
    let ended = world.run(&["-c", "--yes", "Move SECRET things."]).end().await.expect(0);
    assert!(ended.stderr.contains("bowline diff · bowline undo · bowline run -c"), "{ended}");
    let after = stand(&world).await;
    assert!(after.0.contains_key("new/name.txt") && !after.0.contains_key("gone.txt"));
    let stat = bowline(&world, &["diff", "--stat"]).await;
    for line in ["added     new.txt", "deleted   gone.txt", "changed   kept.txt", "added     new/name.txt"] {
        assert!(stat.stdout.contains(line), "{line}\n{stat}");
    }
    let diff = bowline(&world, &["diff", "t2"]).await;
    assert!(diff.stdout.contains("--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"), "{diff}");

    // By its id, with what would be done first.
    let listed = bowline(&world, &["checkpoint", "list", "--json"]).await.frames();
    let id = listed.iter().find(|one| one["turn"] == "t2").unwrap()["id"].as_str().unwrap().to_owned();
    let planned = object(&bowline(&world, &["restore", &id, "--dry-run", "--json"]).await);
    assert_eq!((planned["messages_deleted"].as_i64(), planned["dry_run"].as_bool()), (Some(1), Some(true)));
    assert_eq!(planned["plan"]["delete"], serde_json::json!(["new/name.txt", "new.txt"]), "{planned}");
    assert_eq!(stand(&world).await, after, "a dry run changes nothing");
    let done = object(&bowline(&world, &["restore", &id, "--json"]).await);
    assert_eq!(done["checkpoint_id"], id.as_str());
    assert_eq!(done["messages_deleted"], 1);
    assert_eq!(
        (done["worktree_reset"].as_bool(), done["backend_reset"].as_bool()),
        (Some(true), Some(false))
    );
    let undo = done["undo_checkpoint_id"].as_str().unwrap().to_owned();
    assert_eq!(files(&world), before.0);
    // The text that asked for it stays, to be sent again.
    let shown = transcript(&world).await;
    assert!(shown.contains("Move SECRET things.") && !shown.contains("Moved the SECRET"), "{shown}");

    world.run(&["-c", "What is there?"]).end().await.expect(0);
    let asked = world.model_requests().pop().unwrap().to_string();
    assert!(!asked.contains("SECRET") && asked.contains("Say hello."), "{asked}");

    bowline(&world, &["undo"]).await;
    let done = object(&bowline(&world, &["restore", &undo, "--json"]).await);
    assert_eq!(done["worktree_reset"], true);
    assert_eq!(stand(&world).await, after, "everything is back");
    let ended = world.run(&["-c", "Go on."]).end().await.expect(0);
    assert_eq!(ended.stdout, "And once more.\n");
    let asked = world.model_requests().pop().unwrap().to_string();
    assert!(asked.contains("Moved the SECRET things."), "{asked}");
    world.check_played();
}

/// Five turns, each writing by a command and by an edit.
fn five() -> String {
    let mut scenario = "=== server llamacpp window=16384\n=== file a.txt\nzero\n".to_owned();
    for turn in 1..=6 {
        scenario.push_str(&format!(
            "=== reply\ncall run_command {{\"command\":\"printf 'turn {turn}\\\\n' >>log.txt; printf {turn} >made{turn}.txt\"}}\n\
             === reply\ncall write_file {{\"path\":\"turn{turn}.txt\",\"content\":\"by turn {turn}\\n\"}}\n=== reply\ntext \"Done {turn}.\"\n"
        ));
    }
    scenario
}

#[tokio::test]
async fn five_undos_and_five_redos_pass_through_the_same_stands() {
    let world = World::play(&five()).await;
    let mut stands = Vec::new();
    for turn in 1..=5 {
        let task = format!("Task {turn}.");
        let args: &[&str] = if turn == 1 { &["--yes", &task] } else { &["-c", "--yes", &task] };
        stands.push(files(&world));
        world.run(args).end().await.expect(0);
    }
    let whole = stand(&world).await;
    let mut undone = Vec::new();
    for turn in (1..=5).rev() {
        let ended = bowline(&world, &["undo"]).await;
        assert!(ended.stdout.contains(&format!("undid: Task {turn}.")), "{ended}");
        // With the answer goes the text of the turn after it, which was left to be sent again.
        let went = if turn == 5 { "1 message removed" } else { "2 messages removed" };
        assert!(ended.stdout.contains(went), "{ended}");
        assert_eq!(files(&world), stands[turn - 1], "before turn {turn}");
        undone.push(stand(&world).await);
    }
    let refused = world.bowline(&["undo"]).end().await.expect(7);
    refused.says(&["there is no turn to undo"]);
    undone.pop();
    for back in undone.into_iter().rev() {
        bowline(&world, &["redo"]).await;
        assert_eq!(stand(&world).await, back);
    }
    bowline(&world, &["redo"]).await;
    assert_eq!(stand(&world).await, whole);
    world.bowline(&["redo"]).end().await.expect(7).says(&["there is nothing to redo"]);

    // A new turn after an undo: the redo is refused, and says what still holds the state.
    bowline(&world, &["undo"]).await;
    let before_new = files(&world);
    world.run(&["-c", "--yes", "Task 6."]).end().await.expect(0);
    let refused = world.bowline(&["redo"]).end().await.expect(7);
    let held = refused.stderr.split("bowline restore ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    bowline(&world, &["undo"]).await;
    assert_eq!(files(&world), before_new);
    bowline(&world, &["restore", &held]).await;
    assert_eq!(stand(&world).await, whole, "by the checkpoint that was named");
}

#[tokio::test]
async fn the_users_own_files_are_kept_and_named() {
    let world = World::play(MOVES).await;
    world.run(&["Say hello."]).end().await.expect(0);
    world.run(&["-c", "--yes", "Move."]).end().await.expect(0);
    std::fs::write(world.project().join("mine.txt"), "mine\n").unwrap();
    std::fs::write(world.project().join("kept.txt"), "kept\nmore\nand mine\n").unwrap();
    let planned = bowline(&world, &["undo", "--dry-run"]).await;
    assert!(planned.stdout.contains("would undo: Move."), "{planned}");
    let ended = bowline(&world, &["undo"]).await;
    assert!(ended.stdout.contains("changed by the turn and by you"), "{ended}");
    assert!(
        ended.stdout.contains("left alone: your own changes (--all reverts them):\n  mine.txt\n"),
        "{ended}"
    );
    assert!(ended.stdout.ends_with("bowline redo restores it\n"), "{ended}");
    assert_eq!((world.read("kept.txt").as_str(), world.read("mine.txt").as_str()), ("kept\n", "mine\n"));
    bowline(&world, &["redo"]).await;
    assert_eq!(world.read("kept.txt"), "kept\nmore\nand mine\n");
    bowline(&world, &["undo", "--all"]).await;
    assert!(!world.project().join("mine.txt").exists());
    bowline(&world, &["redo", "--all"]).await;
    assert_eq!(world.read("mine.txt"), "mine\n");
}

/// Three turns, the last of which appends to a file the user made after the second.
const MINE: &str = r#"
=== server llamacpp window=16384
=== file a.txt
a
=== reply
call run_command {"command":"printf 'one\n' >>a.txt"}
=== reply
text "One."
=== reply
call run_command {"command":"printf 'two\n' >>a.txt"}
=== reply
text "Two."
=== reply
call run_command {"command":"printf 'three\n' >>a.txt; printf 'turn\n' >>mine.txt"}
=== reply
text "Three."
"#;

#[tokio::test]
async fn what_an_undo_gave_back_to_the_user_the_next_one_does_not_take() {
    let world = World::play(MINE).await;
    world.run(&["--yes", "One."]).end().await.expect(0);
    world.run(&["-c", "--yes", "Two."]).end().await.expect(0);
    std::fs::write(world.project().join("mine.txt"), "mine\n").unwrap();
    world.run(&["-c", "--yes", "Three."]).end().await.expect(0);
    assert_eq!(world.read("mine.txt"), "mine\nturn\n");
    for left in ["a\none\ntwo\n", "a\none\n", "a\n"] {
        bowline(&world, &["undo"]).await;
        assert_eq!((world.read("a.txt").as_str(), world.read("mine.txt").as_str()), (left, "mine\n"));
    }
    for _ in 0..3 {
        bowline(&world, &["redo"]).await;
    }
    assert_eq!(world.read("mine.txt"), "mine\nturn\n");
}

/// A turn whose new file is too large for a checkpoint, and one without any checkpoint.
const LARGE: &str = r#"
=== server llamacpp window=16384
=== file a.txt
a
=== reply
call run_command {"command":"truncate -s 3000000 large.bin; printf 'more\n' >>a.txt"}
=== reply
text "Made."
=== reply
call run_command {"command":"printf 'off\n' >>a.txt"}
=== reply
text "Off."
"#;

#[tokio::test]
async fn what_no_checkpoint_holds_is_said_and_left() {
    let world = World::play(LARGE).await;
    let ended = world.run(&["--yes", "Make it."]).end().await.expect(0);
    ended.says(&["made in this turn and in no checkpoint, so bowline undo leaves it: large.bin"]);
    world.configure("[checkpoints]\nenabled = false\n");
    world.run(&["-c", "--yes", "Without."]).end().await.expect(0);
    let undone = bowline(&world, &["undo"]).await;
    assert!(undone.stdout.contains("this turn has no checkpoint (they were off)"), "{undone}");
    assert_eq!(world.read("a.txt"), "a\nmore\noff\n");
}

#[tokio::test]
async fn files_alone_and_the_conversation_alone() {
    let world = World::play(MOVES).await;
    world.run(&["Say hello."]).end().await.expect(0);
    let before = stand(&world).await;
    world.run(&["-c", "--yes", "Move."]).end().await.expect(0);
    let after = stand(&world).await;
    let listed = bowline(&world, &["checkpoint", "list", "--json"]).await.frames();
    let id = listed.iter().find(|one| one["turn"] == "t2").unwrap()["id"].as_str().unwrap().to_owned();
    let done = object(&bowline(&world, &["restore", &id, "--files", "--json"]).await);
    assert_eq!((done["messages_deleted"].as_i64(), done["worktree_reset"].as_bool()), (Some(0), Some(true)));
    assert_eq!((files(&world), transcript(&world).await), (before.0, after.1.clone()));
    let undo = done["undo_checkpoint_id"].as_str().unwrap().to_owned();
    bowline(&world, &["restore", &undo]).await;
    assert_eq!(stand(&world).await, after);
    let done = object(&bowline(&world, &["restore", &id, "--chat", "--json"]).await);
    assert_eq!((done["messages_deleted"].as_i64(), done["worktree_reset"].as_bool()), (Some(1), Some(false)));
    assert_eq!(files(&world), after.0);
    assert!(!transcript(&world).await.contains("Moved the SECRET"));
    // Twice: the same files, and nothing more to go.
    let again = object(&bowline(&world, &["restore", &id, "--json"]).await);
    assert_eq!(again["messages_deleted"], 0);
    let again = object(&bowline(&world, &["restore", &id, "--json"]).await);
    assert_eq!(
        (again["messages_deleted"].as_i64(), again["plan"]["write"].as_array().map(Vec::len)),
        (Some(0), Some(0))
    );
}

#[tokio::test]
async fn a_turn_that_only_read_is_undone_in_the_conversation_alone() {
    let world = World::play(MOVES).await;
    world.run(&["Say hello."]).end().await.expect(0);
    let ended = bowline(&world, &["undo"]).await;
    assert!(ended.stdout.contains("undid: Say hello."), "{ended}");
    let log = world.log().await;
    let restored = log.iter().find(|frame| is(frame, "restored")).unwrap();
    assert_eq!(
        (restored["what"].as_str(), restored["worktree_reset"].as_bool()),
        (Some("conversation"), Some(false))
    );
    bowline(&world, &["redo"]).await;
    assert!(transcript(&world).await.contains("Hello."));
    let restoring = log.iter().find(|frame| is(frame, "restoring")).unwrap();
    assert!(restoring.get("restored").is_none(), "the write-ahead is left out of its frame: {restoring}");
}

#[tokio::test]
async fn nothing_is_undone_while_a_turn_runs_and_what_a_killed_one_wrote_is() {
    let scenario = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call run_command {"command":"echo beta >a.txt; echo $$ >shell; exec sleep 600"}
=== reply
text "x"
"#;
    let world = World::play(scenario).await;
    let before = files(&world);
    let running = world.run(&["--json", "--yes", "Change it."]).start();
    written(&world, "shell").await;
    let refused = world.bowline(&["undo"]).end().await.expect(7);
    refused.says(&["is running a turn", "try again"]);
    assert_eq!(world.read("a.txt"), "beta\n");
    running.kill().await;
    // It left no checkpoint after it: what is there now is what it did.
    let diff = bowline(&world, &["diff", "--stat"]).await;
    assert!(diff.stdout.contains("changed   a.txt"), "{diff}");
    let ended = bowline(&world, &["undo"]).await;
    assert!(ended.stdout.contains("  wrote    a.txt"), "{ended}");
    assert_eq!(files(&world), before);
    bowline(&world, &["redo"]).await;
    assert_eq!(world.read("a.txt"), "beta\n");
}
