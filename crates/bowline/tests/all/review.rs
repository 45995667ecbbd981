//! Review mode: edits wait, tools see them, commands do not, and the user applies or rejects them, whole or by the hunk.

use crate::harness::{World, git, is};

/// Two edits of one file, one on top of the other, and a new file; looked at, searched and run.
pub(crate) const REVIEW: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
beta
gamma
delta
epsilon
zeta
eta
theta
=== task
Change it.
=== reply
call view_file {"path":"a.txt"}
=== reply
call edit_file {"path":"a.txt","edits":[{"old":"beta","new":"BETA"},{"old":"eta\ntheta","new":"ETA\ntheta"}]}
call write_file {"path":"new/file.txt","content":"BETA too\n"}
=== reply
call edit_file {"path":"a.txt","old":"BETA","new":"BETA 2"}
call view_file {"path":"a.txt"}
call grep {"pattern":"BETA"}
call list_dir {}
call list_dir {"path":"new"}
call find_files {"pattern":"*.txt"}
call run_command {"command":"cat a.txt; ls"}
=== reply
call edit_file {"path":"a.txt","old":"nowhere","new":"x"}
=== reply
text "It waits."
=== reply
text "I see."
"#;

const BEFORE: &str = "alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\neta\ntheta\n";

async fn reviewed() -> World {
    let world = World::play(REVIEW).await;
    let run = world.run(&["--review", "Change it."]).end().await.expect(0);
    run.says(&["· pending", "no file was changed", "3 changes are pending: bowline changes diff"]);
    assert_eq!(world.read("a.txt"), BEFORE, "nothing is written");
    assert!(!world.project().join("new").exists());
    world
}

async fn states(world: &World) -> Vec<String> {
    let list = world.bowline(&["changes", "list", "--json"]).end().await.expect(0).frames();
    list.iter().map(|change| change["state"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn tools_see_what_waits_and_commands_do_not() {
    let world = reviewed().await;
    let log = world.log().await;
    let completed = log.iter().filter(|frame| is(frame, "item.completed"));
    let results: Vec<(&str, &str)> = completed
        .filter_map(|frame| {
            let item = &frame["item"];
            Some((item["call"]["tool"].as_str()?, item["result"]["text"].as_str()?))
        })
        .collect();
    // A call of the tool was answered with these words.
    let has = |tool: &str, words: &str| {
        let is_told = results.iter().any(|(called, text)| *called == tool && text.contains(words));
        assert!(is_told, "{tool}: {words:?}\n{results:#?}");
    };
    let waits = "\nIt waits for the user's review: your tools see it, commands do not.";
    has("edit_file", waits);
    has("write_file", waits);
    has("view_file", "BETA 2");
    has("grep", "a.txt:2: BETA 2");
    has("grep", "new/file.txt:1: BETA too");
    has("list_dir", "new/");
    has("list_dir", "file.txt  9 B");
    has("find_files", "new/file.txt");
    has("edit_file", "a.txt was not changed");
    let (_, command) = results.iter().find(|(tool, _)| *tool == "run_command").unwrap();
    assert!(
        command.contains("beta\ngamma") && !command.contains("BETA") && !command.contains("new"),
        "{command}"
    );
    assert!(
        command.ends_with("[3 changes wait for the user's review: commands do not see them.]"),
        "{command}"
    );
    let end = log.iter().find(|frame| is(frame, "turn.completed")).unwrap();
    assert_eq!((&end["waiting"], &end["changes"]), (&3.into(), &serde_json::json!([])));
    assert_eq!(states(&world).await, ["pending", "pending", "pending"]);
}

#[tokio::test]
async fn all_pending_changes_are_applied_and_can_be_reverted() {
    let world = reviewed().await;
    let diff = world.bowline(&["changes", "diff"]).end().await.expect(0).stdout;
    assert!(
        diff.contains("-beta\n+BETA\n") && diff.contains("+BETA too") && diff.contains("-BETA\n+BETA 2\n"),
        "{diff}"
    );
    world.bowline(&["changes", "apply", "--all"]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), BEFORE.replace("beta", "BETA 2").replace("\neta", "\nETA"));
    assert_eq!(world.read("new/file.txt"), "BETA too\n");
    assert_eq!(states(&world).await, ["applied", "applied", "applied"]);
    world.bowline(&["changes", "apply", "--all"]).end().await.expect(0).says(&["no change is pending"]);
    world.bowline(&["changes", "rewind", "--all"]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), BEFORE);
    assert!(!world.project().join("new/file.txt").exists());
}

#[tokio::test]
async fn a_hunk_is_applied_and_the_rest_rejected_and_the_model_is_told() {
    let world = reviewed().await;
    world.bowline(&["changes", "apply", "c1:2"]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), BEFORE.replace("\neta", "\nETA"));
    let line = world.bowline(&["changes", "list"]).end().await.expect(0).stdout;
    assert!(
        line.lines().next().is_some_and(|c1| c1.contains("pending") && c1.ends_with("1 of 2 hunks")),
        "{line}"
    );
    world
        .bowline(&["changes", "apply", "c1:2"])
        .end()
        .await
        .expect(7)
        .says(&["c1:2 (a.txt) is already applied"]);
    world.bowline(&["changes", "reject", "c1:1", "c2", "c3"]).end().await.expect(0);
    let line = world.bowline(&["changes", "list"]).end().await.expect(0).stdout;
    let is_told = |c1: &str| c1.contains("applied") && c1.ends_with("1 of 2 hunks");
    assert!(line.lines().next().is_some_and(is_told), "{line}");
    assert_eq!(world.read("a.txt"), BEFORE.replace("\neta", "\nETA"));
    assert_eq!(states(&world).await, ["applied", "rejected", "rejected"]);
    world.bowline(&["changes", "rewind", "c1"]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), BEFORE);

    world.run(&["-c", "Go on."]).end().await.expect(0);
    let said = world.last_user_message();
    assert!(said.contains("Note: the user rejected your change to a.txt (line 2: `BETA`)"), "{said}");
    assert!(
        said.contains("Note: the user rejected your change to new/file.txt (line 1: `BETA too`)"),
        "{said}"
    );
    assert!(said.ends_with("\n\nThe user says:\nGo on."), "{said}");
    let runs: Vec<_> = world.log().await.into_iter().filter(|frame| is(frame, "run.started")).collect();
    assert_eq!(runs[0]["edits"], "review");
    assert!(runs[1].get("edits").is_none(), "nothing waits any more, and nobody asked for a review");
    world.check_played();
}

#[tokio::test]
async fn a_diff_is_read_by_git_and_shows_what_waits() {
    let world = reviewed().await;
    let diff = world.bowline(&["changes", "diff"]).end().await.expect(0).stdout;
    // The hunks are close: no line stands in both.
    let heads: Vec<&str> = diff.lines().filter(|line| line.starts_with("@@")).collect();
    let first = ["@@ -1,5 +1,5 @@ c1:1  pending", "@@ -6,3 +6,3 @@ c1:2  pending"];
    assert_eq!(heads, [&first[..], &["@@ -0,0 +1,1 @@ c2  pending", "@@ -1,5 +1,5 @@ c3  pending"]].concat());
    let file = world.path().join("all.patch");
    std::fs::write(&file, &diff).unwrap();
    git(&world.project(), &["apply", file.to_str().unwrap()]);
    assert_eq!(world.read("a.txt"), BEFORE.replace("beta", "BETA 2").replace("\neta", "\nETA"));
    git(&world.project(), &["apply", "--reverse", file.to_str().unwrap()]);

    world.bowline(&["changes", "apply", "c1:2"]).end().await.expect(0);
    let left = world.bowline(&["changes", "diff"]).end().await.expect(0).stdout;
    assert!(left.contains("c1:1  pending") && !left.contains("c1:2"), "{left}");
}

#[tokio::test]
async fn what_waits_in_an_earlier_session_is_not_forgotten() {
    let world = reviewed().await;
    let log = world.log().await;
    let id = &log[0]["session"].as_str().unwrap()[..13];
    world.run(&["Something else."]).end().await.expect(0);
    let list = world.bowline(&["changes", "list"]).end().await.expect(0);
    list.says(&[
        "no edit changed a file",
        &format!("3 changes are pending in session {id}: bowline changes list -s {id}"),
    ]);
    world.bowline(&["changes", "reject", "--all", "-s", id]).end().await.expect(0);
    let list = world.bowline(&["changes", "list"]).end().await.expect(0);
    assert!(!list.stderr.contains("pending"), "{list}");
}

#[tokio::test]
async fn a_change_is_reverted_as_a_whole() {
    let world = reviewed().await;
    world.bowline(&["changes", "apply", "c1"]).end().await.expect(0);
    let after = world.read("a.txt");
    let refused = world.bowline(&["changes", "rewind", "c1:1"]).end().await.expect(2);
    refused.says(&["c1 can only be reverted as a whole: bowline changes rewind c1"]);
    assert_eq!(world.read("a.txt"), after);
    world.bowline(&["changes", "rewind", "c1:1", "c1:2"]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), BEFORE);
}

#[tokio::test]
async fn what_waits_is_found_again_in_a_file_that_moved_on_or_refused() {
    let world = reviewed().await;
    std::fs::write(world.project().join("a.txt"), format!("# mine\n{BEFORE}")).unwrap();
    world.bowline(&["changes", "apply", "c1"]).end().await.expect(0);
    let applied = format!("# mine\n{}", BEFORE.replace("beta", "BETA").replace("\neta", "\nETA"));
    assert_eq!(world.read("a.txt"), applied);
    // What is there already is not made over somebody else's file.
    std::fs::create_dir(world.project().join("new")).unwrap();
    std::fs::write(world.project().join("new/file.txt"), "mine\n").unwrap();
    let refused = world.bowline(&["changes", "apply", "--all"]).end().await.expect(7);
    refused.says(&["it exists by now", "Nothing was changed"]);
    assert_eq!((world.read("a.txt"), world.read("new/file.txt")), (applied, "mine\n".to_owned()));
    std::fs::write(world.project().join("a.txt"), "all new\n").unwrap();
    world
        .bowline(&["changes", "apply", "c3"])
        .end()
        .await
        .expect(7)
        .says(&["c3 (a.txt)", "is no longer there with the lines around it"]);
    assert_eq!(states(&world).await, ["applied", "pending", "pending"]);
}

#[tokio::test]
async fn a_session_with_pending_changes_continues_in_review() {
    let scenario = REVIEW.replace("text \"I see.\"", "call edit_file {\"path\":\"a.txt\",\"old\":\"BETA 2\",\"new\":\"BETA 3\"}\n=== reply\ntext \"Done.\"");
    let world = World::play(&scenario).await;
    world.run(&["--review", "Change it."]).end().await.expect(0);
    world.run(&["-c", "More."]).end().await.expect(0).says(&["4 changes are pending"]);
    assert_eq!(world.read("a.txt"), BEFORE);
    world.bowline(&["changes", "apply", "--all"]).end().await.expect(0);
    assert!(world.read("a.txt").contains("BETA 3\n"));
    world.check_played();
}
