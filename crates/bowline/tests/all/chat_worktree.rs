//! The chat with `--worktree`: each session it begins has a worktree of its own, and the user's commands run there too.

use crate::harness::World;
use crate::screen::Screen;
use crate::worktree::{commit, committed, list, stdout_of};

const THREE: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
text "First answer."
=== reply
text "Second answer."
=== reply
text "Third answer."
"#;

#[tokio::test]
async fn each_session_that_begins_has_its_own() {
    let world = committed(THREE).await;
    std::fs::write(world.project().join("mine.txt"), "mine\n").unwrap();
    let mut screen = Screen::ready(&world, &["--worktree"], 200, 60).await;
    screen.send("!pwd");
    screen.until("  /…/project\n").await;
    screen.send("The 1st message.");
    screen.until("First answer.").await;
    screen.until("1 uncommitted change of yours is not in the worktree").await;
    screen.until_gone("type ahead").await;
    let first = list(&world).await.remove(0)["path"].as_str().unwrap().to_owned();
    // As it is shown here.
    let first = first.replace(world.path().to_str().unwrap(), "/…");
    screen.until(&format!("working in {first}, on branch bowline/")).await;
    screen.send("!pwd; ls");
    screen.until(&format!("  {first}\n")).await;
    screen.send("The 2nd message.");
    screen.until("Second answer.").await;
    screen.until_gone("type ahead").await;
    assert!(world.model_requests().pop().unwrap().to_string().contains("The 1st message."));
    screen.send("/new");
    screen.until("new session; /sessions lists earlier ones").await;
    screen.send("The 3rd message.");
    screen.until("Third answer.").await;
    screen.leave().await;
    world.check_played();
    assert_eq!(list(&world).await.len(), 2);

    let mut screen =
        Screen::chat(&world, &["-s", list(&world).await[1]["session"].as_str().unwrap()], 200, 60);
    screen.until(&format!("working in {first}")).await;
    screen.send("!pwd");
    screen.until(&format!("  {first}\n")).await;
    screen.leave().await;
}

#[tokio::test]
async fn a_session_that_began_without_is_refused_one() {
    let world = World::play(THREE).await;
    world.run(&["The 1st message."]).end().await.expect(0);
    commit(&world.project(), "first");
    let mut screen = Screen::chat(&world, &["-c", "--worktree"], 200, 60);
    screen.until("A new one can have a worktree").await;
    screen.leave().await;
    assert_eq!(stdout_of(&world.project(), &["branch", "--list", "bowline/*"]), "");
}
