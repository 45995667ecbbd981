//! Checkpoints by hand, also where there is neither a session nor git; what a failed one means; upkeep; the doctor.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use crate::harness::{HELLO, World, eventually, git};
use crate::undo::{bowline, files, object};

#[tokio::test]
async fn a_folder_without_a_session_or_git_is_kept_and_brought_back() {
    let world = World::without_git(HELLO).await;
    let project = world.project();
    std::fs::create_dir(project.join("below")).unwrap();
    std::fs::write(project.join("below/a.txt"), "one\n").unwrap();
    std::fs::write(project.join("b.txt"), "two\n").unwrap();
    let before = files(&world);
    let taken = bowline(&world, &["checkpoint", "take", "-m", "before the great change"]).await;
    let id = taken.stdout.trim().to_owned();
    assert!(id.starts_with('k') && id.len() == 11, "{taken}");
    std::fs::write(project.join("below/a.txt"), "uno\n").unwrap();
    std::fs::remove_file(project.join("b.txt")).unwrap();
    std::fs::write(project.join("c.txt"), "three\n").unwrap();
    let after = files(&world);
    let list = bowline(&world, &["checkpoint", "list"]).await;
    assert!(
        list.stdout.contains(&id) && list.stdout.contains("by hand    before the great change"),
        "{list}"
    );
    let diff = bowline(&world, &["checkpoint", "diff", &id[..6]]).await;
    assert!(diff.stdout.contains("-one\n+uno\n") && diff.stdout.contains("+three\n"), "{diff}");
    let second = bowline(&world, &["checkpoint", "take"]).await.stdout.trim().to_owned();
    let stat = bowline(&world, &["checkpoint", "diff", &id, &second, "--stat"]).await;
    assert_eq!(
        stat.stdout,
        "deleted   b.txt       +0 −1\nchanged   below/a.txt +1 −1\nadded     c.txt       +1 −0\n"
    );

    // From a folder below, by the start of its id: everything that differs is meant.
    let done = world.bowline(&["restore", &id[..6], "-C", "below", "--json"]).end().await.expect(0);
    let done = object(&done);
    assert_eq!((done["messages_deleted"].as_i64(), done["worktree_reset"].as_bool()), (Some(0), Some(true)));
    assert_eq!(files(&world), before);
    let undo = done["undo_checkpoint_id"].as_str().unwrap();
    let ended = bowline(&world, &["restore", undo]).await;
    assert!(ended.stdout.contains("  wrote    below/a.txt"), "{ended}");
    assert!(ended.stdout.contains("  deleted  b.txt"), "{ended}");
    assert_eq!(files(&world), after);
    world.bowline(&["restore", &id, "--chat"]).end().await.expect(2).says(&["it has no conversation"]);
    world.bowline(&["restore", "kxyz"]).end().await.expect(2).says(&["see bowline checkpoint list"]);
}

#[tokio::test]
async fn a_checkpoint_of_another_folder_or_session_is_not_found() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call write_file {"path":"a.txt","content":"alpha\n"}
=== reply
text "Done."
=== reply
text "Another."
"#;
    let world = World::play(scenario).await;
    world.run(&["--yes", "Write."]).end().await.expect(0);
    let first = world.log().await[0]["session"].as_str().unwrap().to_owned();
    let listed = bowline(&world, &["checkpoint", "list", "--json"]).await.frames();
    let id = listed[0]["id"].as_str().unwrap().to_owned();
    world.run(&["Another."]).end().await.expect(0);
    let second = world.log().await[0]["session"].as_str().unwrap().to_owned();
    assert_ne!(first, second);
    let (before, log) = (files(&world), world.log().await.len());
    let refused = world.bowline(&["restore", &id, "-s", &second]).end().await.expect(2);
    refused.says(&["there is no checkpoint", "in this session"]);
    assert_eq!((files(&world), world.log().await.len()), (before, log), "nothing is touched");
    let elsewhere = world.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let refused = world.bowline(&["restore", &id]).folder(&elsewhere).end().await.expect(2);
    refused.says(&["belongs to another folder", "-C "]);
    // Without naming the session, it is restored where it belongs.
    bowline(&world, &["restore", &id]).await;
    assert!(!world.project().join("a.txt").exists());
}

#[tokio::test]
async fn a_deleted_session_takes_its_checkpoints_with_it() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call write_file {"path":"a.txt","content":"alpha\n"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    world.run(&["--yes", "Write."]).end().await.expect(0);
    bowline(&world, &["undo"]).await;
    let hand = bowline(&world, &["checkpoint", "take"]).await.stdout.trim().to_owned();
    let count = async || {
        let found = world.bowline(&["doctor", "--json"]).end().await.frames();
        found.iter().find(|one| one["check"] == "checkpoints").unwrap()["checkpoints"].as_i64().unwrap()
    };
    assert_eq!(count().await, 4, "before and after the turn, before the undo, by hand");
    let session = world.log().await[0]["session"].as_str().unwrap().to_owned();
    bowline(&world, &["sessions", "delete", "--yes", &session]).await;
    assert_eq!(count().await, 1);
    std::fs::write(world.project().join("b.txt"), "new\n").unwrap();
    bowline(&world, &["restore", &hand]).await;
    assert!(!world.project().join("b.txt").exists());
}

#[tokio::test]
async fn a_checkpoint_that_fails_stops_no_turn_and_makes_writing_asked() {
    let scenario = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call edit_file {"path":"a.txt","old":"alpha","new":"beta"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    std::fs::create_dir_all(world.home()).unwrap();
    // What should be a folder is a file.
    std::fs::write(world.home().join("checkpoints"), "").unwrap();
    let ended = world.run(&["Change it."]).end().await.expect(4);
    ended.says(&["no checkpoint could be taken", "refused, because nobody could be asked"]);
    assert_eq!(world.read("a.txt"), "alpha\n");
    let ended = bowline(&world, &["undo"]).await;
    assert!(ended.stdout.contains("this turn has no checkpoint"), "{ended}");
    let found = world.bowline(&["doctor", "--json"]).end().await.frames();
    let check = found.iter().find(|one| one["check"] == "checkpoints").unwrap();
    assert_eq!(check["level"], "warning", "{check}");
}

#[tokio::test]
async fn what_is_off_is_said_and_nothing_is_taken() {
    let scenario = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call edit_file {"path":"a.txt","old":"alpha","new":"beta"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    std::fs::create_dir_all(world.home()).unwrap();
    std::fs::write(world.home().join("bowline.toml"), "[checkpoints]\nenabled = false\n").unwrap();
    world.run(&["--yes", "Change it."]).end().await.expect(0).says(&["checkpoints are off"]);
    assert!(!world.home().join("checkpoints").exists());
    let diff = bowline(&world, &["diff"]).await;
    assert!(diff.stderr.contains("these are its edits"), "{diff}");
    assert!(diff.stdout.contains("-alpha\n+beta\n"), "{diff}");
}

#[tokio::test]
async fn the_store_is_tidied_and_the_doctor_reports_it() {
    let world = World::play(HELLO).await;
    std::fs::write(world.project().join("a.txt"), "alpha\n").unwrap();
    let id = bowline(&world, &["checkpoint", "take"]).await.stdout.trim().to_owned();
    let found = world.bowline(&["doctor", "--json"]).end().await.frames();
    let check = found.iter().find(|one| one["check"] == "checkpoints").unwrap();
    assert_eq!((check["level"].as_str(), check["checkpoints"].as_i64()), (Some("ok"), Some(1)), "{check}");
    let tidied = bowline(&world, &["checkpoint", "tidy"]).await;
    assert!(tidied.stdout.starts_with("0 checkpoints deleted · "), "{tidied}");
    std::fs::write(world.project().join("a.txt"), "beta\n").unwrap();
    git(&world.project(), &["gc", "--quiet", "--prune=now"]);
    bowline(&world, &["restore", &id]).await;
    assert_eq!(world.read("a.txt"), "alpha\n");
}

#[tokio::test]
async fn upkeep_begins_by_itself_after_a_turn_once_a_day() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call write_file {"path":"a.txt","content":"alpha\n"}
=== reply repeat
text "Done."
"#;
    let world = World::play(scenario).await;
    world.run(&["--yes", "Write."]).end().await.expect(0);
    let stores = std::fs::read_dir(world.home().join("checkpoints")).unwrap();
    let mut stores = stores.map(|store| store.unwrap().path()).filter(|path| path.join("git").exists());
    let mark = stores.next().unwrap().join("upkeep");
    assert!(mark.exists(), "its first day has begun");
    let ago = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * 24 * 60 * 60);
    std::fs::File::options().write(true).open(&mark).unwrap().set_modified(ago).unwrap();
    world.run(&["-c", "And?"]).end().await.expect(0);
    let is_new = || mark.metadata().unwrap().modified().unwrap() > ago;
    eventually("the store is tidied", is_new).await;
    // It packs what is there: nothing is lost by it.
    let list = bowline(&world, &["checkpoint", "list"]).await;
    assert!(list.stdout.contains("before t1"), "{list}");
}

#[tokio::test]
async fn a_folder_that_cannot_be_read_through_is_said_to_be_so() {
    let world = World::without_git(HELLO).await;
    let locked = world.project().join("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, Permissions::from_mode(0o000)).unwrap();
    let taken = world.bowline(&["checkpoint", "take", "--json"]).end().await;
    std::fs::set_permissions(&locked, Permissions::from_mode(0o755)).unwrap();
    // As root everything can be read.
    if taken.code() == Some(0) && !rustix::process::getuid().is_root() {
        assert_eq!(object(&taken)["not_captured"][0]["path"], "locked");
    }
}

/// The check goes by the files: what a command changed is checked, and files that are as they were are not checked again.
#[tokio::test]
async fn a_change_by_a_command_is_checked_and_the_same_files_are_not_checked_twice() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call run_command {"command":"printf '4\\n' > four.txt"}
=== reply
text "Done."
=== reply
call write_file {"path":"notes.txt","content":"four is four\n"}
=== reply
text "Noted."
"#;
    let world = World::play(scenario).await;
    let project = world.project();
    std::fs::write(project.join("check.sh"), "grep -q 4 four.txt\n").unwrap();
    std::fs::write(project.join("four.txt"), "5\n").unwrap();
    world.run(&["--yes", "--check", "sh check.sh", "Write."]).end().await.expect(0);
    world.run(&["-c", "--yes", "--check", "sh check.sh", "Add a note."]).end().await.expect(0);
    let log = world.log().await;
    let checked: Vec<String> = log
        .iter()
        .filter(|frame| frame["type"] == "checked")
        .map(|frame| format!("{} {} {}", frame["moment"], frame["result"], frame["is_known"]))
        .collect();
    assert_eq!(checked, [r#""end" "passed" null"#, r#""before" "passed" true"#, r#""after" "passed" null"#,]);
}
