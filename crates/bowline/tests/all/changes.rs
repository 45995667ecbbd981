//! `bowline changes`: what edits did to files is listed, shown and taken back, or the rewind is refused.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use crate::harness::{World, is};

/// Two edits of one file and a new file in the first turn; a word in the second.
pub(crate) const EDITS: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
beta
gamma
=== file crlf.txt crlf no-newline
one
two
=== task
Change them.
=== reply
call view_file {"path":"a.txt"}
=== reply
call edit_file {"path":"a.txt","old":"beta","new":"BETA"}
call edit_file {"path":"a.txt","old":"gamma","new":"gamma\ndelta"}
call edit_file {"path":"crlf.txt","old":"two","new":"2"}
call write_file {"path":"new/file.txt","content":"hello\n"}
=== reply
text "Changed."
=== reply
text "I see."
"#;

async fn edited() -> World {
    let world = World::play(EDITS).await;
    world.run(&["Change them."]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), "alpha\nBETA\ngamma\ndelta\n");
    world
}

#[tokio::test]
async fn changes_are_listed_and_shown() {
    let world = edited().await;
    let list = world.bowline(&["changes", "list", "--json"]).end().await.expect(0).frames();
    let told: Vec<(&str, &str, &str, &str)> = list
        .iter()
        .map(|change| {
            let word = |name: &str| change[name].as_str().unwrap();
            (word("id"), word("state"), word("kind"), word("path"))
        })
        .collect();
    assert_eq!(
        told,
        [
            ("c1", "applied", "edit", "a.txt"),
            ("c2", "applied", "edit", "a.txt"),
            ("c3", "applied", "edit", "crlf.txt"),
            ("c4", "applied", "create", "new/file.txt")
        ]
    );
    assert!(list.iter().all(|change| change["can_rewind"] == true && change["turn"] == "t1"), "{list:?}");
    let lines = world.bowline(&["changes", "list"]).end().await.expect(0).stdout;
    assert!(lines.starts_with("c1   applied   a.txt  +1 −1  exact · t1 · just now\n"), "{lines}");

    let diff = world.bowline(&["changes", "diff", "c2"]).end().await.expect(0).stdout;
    assert_eq!(
        diff,
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@ c2  applied\n alpha\n BETA\n gamma\n+delta\n"
    );
    let made = world.bowline(&["changes", "diff", "4"]).end().await.expect(0).stdout;
    assert_eq!(made, "--- /dev/null\n+++ b/new/file.txt\n@@ -0,0 +1,1 @@ c4  applied\n+hello\n");
    // Nothing of it is in a frame: the bytes are for the rewind alone.
    let completed = world.log().await.into_iter().filter(|frame| is(frame, "item.completed"));
    let edits: Vec<_> = completed.filter(|frame| frame["item"]["kind"] == "edit").collect();
    assert_eq!(edits.len(), 4);
    assert!(edits.iter().all(|frame| frame["item"]["result"]["edits"][0].get("patch").is_none()));
}

#[tokio::test]
async fn check_14_every_byte_goes_back_newest_first() {
    let world = edited().await;
    let done = world.bowline(&["changes", "rewind", "--all"]).end().await.expect(0);
    assert_eq!(done.stdout.lines().count(), 4, "{done}");
    assert_eq!(world.read("a.txt"), "alpha\nbeta\ngamma\n");
    assert_eq!(world.read("crlf.txt"), "one\r\ntwo");
    assert!(!world.project().join("new/file.txt").exists(), "a file that was made goes again");
    let list = world.bowline(&["changes", "list", "--json"]).end().await.expect(0).frames();
    assert!(list.iter().all(|change| change["state"] == "rewound"), "{list:?}");
    world
        .bowline(&["changes", "rewind", "c1"])
        .end()
        .await
        .expect(7)
        .says(&["c1 (a.txt) was already reverted"]);
    world.bowline(&["changes", "rewind", "--all"]).end().await.expect(0).says(&["no change"]);

    // The model is told, before what the user says.
    world.run(&["-c", "What is there?"]).end().await.expect(0);
    let said = world.last_user_message();
    assert!(said.contains("Note: the user took back your change to a.txt (line 2: `BETA`)"), "{said}");
    assert!(said.ends_with("the file no longer has it.\n\nThe user says:\nWhat is there?"), "{said}");
    world.check_played();
}

#[tokio::test]
async fn one_change_is_reverted_in_a_file_that_moved_on() {
    let world = edited().await;
    std::fs::write(world.project().join("a.txt"), "# mine\nalpha\n  BETA\ngamma\ndelta\nepsilon\n").unwrap();
    world.bowline(&["changes", "rewind", "c2"]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), "# mine\nalpha\n  BETA\ngamma\nepsilon\n");
}

#[tokio::test]
async fn a_batch_is_reverted_whole_or_not_at_all() {
    let world = edited().await;
    // The created file was changed since: it stays, and so does everything else of the turn.
    std::fs::write(world.project().join("new/file.txt"), "hello\nmine\n").unwrap();
    let refused = world.bowline(&["changes", "rewind", "--turn", "1"]).end().await.expect(7);
    refused.says(&["c4 (new/file.txt)", "it was changed since", "Nothing was changed"]);
    assert_eq!(world.read("a.txt"), "alpha\nBETA\ngamma\ndelta\n");
    assert_eq!(world.read("new/file.txt"), "hello\nmine\n");
    let list = world.bowline(&["changes", "list", "--json"]).end().await.expect(0).frames();
    assert!(list.iter().all(|change| change["state"] == "applied"), "{list:?}");
}

#[tokio::test]
async fn what_is_not_clear_is_refused() {
    let world = edited().await;
    let rewind = |id: &'static str| world.bowline(&["changes", "rewind", id]).end();
    let block = "alpha\nBETA\ngamma\ndelta\n";
    std::fs::write(world.project().join("a.txt"), block.repeat(2)).unwrap();
    rewind("c1").await.expect(7).says(&["c1 (a.txt): hunk 1: it could be at line 2, 6. Nothing was changed"]);
    std::fs::write(world.project().join("a.txt"), "something else\n").unwrap();
    rewind("c1").await.expect(7).says(&["is no longer there with the lines around it"]);
    std::fs::remove_file(world.project().join("a.txt")).unwrap();
    rewind("c1").await.expect(7).says(&["the file is gone"]);
    rewind("c9").await.expect(2).says(&["there is no change c9"]);
    rewind("beta").await.expect(2).says(&["is not a change"]);
    world.bowline(&["changes", "rewind"]).end().await.expect(2);
    world.bowline(&["changes", "rewind", "--turn", "t7"]).end().await.expect(2).says(&["turn t7"]);
    world.bowline(&["changes", "apply", "c1"]).end().await.expect(7).says(&["c1 (a.txt) is already applied"]);
}

#[tokio::test]
async fn a_rewind_that_was_cut_off_before_it_was_recorded_is_only_recorded() {
    let world = edited().await;
    std::fs::write(world.project().join("a.txt"), "alpha\nbeta\ngamma\n").unwrap();
    world.bowline(&["changes", "rewind", "c1", "c2"]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), "alpha\nbeta\ngamma\n");
}

#[tokio::test]
async fn what_was_written_is_put_back_when_the_rest_cannot_be() {
    let world = edited().await;
    let read_only = world.project().join("a.txt");
    std::fs::set_permissions(&read_only, Permissions::from_mode(0o444)).unwrap();
    let refused = world.bowline(&["changes", "rewind", "--all"]).end().await.expect(7);
    refused.says(&["a.txt is read-only", "What was written before was put back: nothing was changed"]);
    assert_eq!(world.read("new/file.txt"), "hello\n");
    assert_eq!(world.read("crlf.txt"), "one\r\n2");
}

#[tokio::test]
async fn nothing_is_decided_while_a_turn_runs() {
    let scenario = EDITS
        .replace("text \"Changed.\"", "call run_command {\"command\":\"sleep 600\"}\n=== reply\ntext \"x\"");
    let world = World::play(&scenario).await;
    let mut running = world.run(&["--json", "--yes", "Change them."]).start();
    running.until(|frame| is(frame, "item.started") && frame["item"]["kind"] == "command").await;
    let refused = world.bowline(&["changes", "rewind", "--all"]).end().await.expect(1);
    refused.says(&["is running a turn", "try again"]);
    assert_eq!(world.read("a.txt"), "alpha\nBETA\ngamma\ndelta\n");
    running.kill().await;
    // What the dead turn left open is ended, and its changes can be taken back.
    world.bowline(&["changes", "rewind", "--all"]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), "alpha\nbeta\ngamma\n");
}
