//! The program with its sandbox: it is its own helper, `--no-sandbox` and the settings turn it off, and nothing outlives it.

use crate::harness::{World, eventually, written};

/// A model that runs the project's own checks: one of them changes what belongs to git.
const CHANGES_GIT: &str = r#"
=== server llamacpp window=16384
=== file Makefile
lint:
	echo stolen > .git/stolen
=== reply
call run_command {"command":"make lint"}
=== reply
text "Done."
"#;

/// Whether this system holds the project's own commands, as it is on developers' machines and in CI.
async fn is_enforced(world: &World) -> bool {
    let url = world.server.base_url();
    let ended = world.bowline(&["doctor", "--base-url", &url]).end().await;
    let is_held = ended.stdout.contains("sandbox: the project's own build and test commands are held");
    if !is_held {
        eprintln!("not tested, since this system does not enforce it: {ended}");
    }
    is_held
}

#[tokio::test]
async fn a_check_that_changes_git_is_refused_and_both_are_told() {
    let world = World::play(CHANGES_GIT).await;
    if !is_enforced(&world).await {
        return;
    }
    let ended = world.run(&["--no-check", "Do it."]).end().await.expect(0);
    assert!(!world.project().join(".git/stolen").exists(), "{ended}");
    assert!(ended.stderr.contains(" · sandbox: it tried to change "), "{ended}");
    let asked = world.model_requests().pop().unwrap().to_string();
    let words = "it is read-only for commands that were not approved.";
    assert!(asked.contains("Sandbox: it tried to change ") && asked.contains(words), "{asked}");
    world.check_played();
}

#[tokio::test]
async fn it_can_be_turned_off_for_a_run_and_for_good_but_not_by_the_project() {
    for (flags, user, project, is_on) in [
        (["--no-check", "--no-sandbox"], "", "", false),
        (["--no-check", "--verbose"], "[sandbox]\nmode = \"off\"\n", "", false),
        (["--no-check", "--verbose"], "", "[sandbox]\nmode = \"off\"\n", true),
    ] {
        let world = World::play(CHANGES_GIT).await;
        if !is_enforced(&world).await {
            return;
        }
        std::fs::create_dir_all(world.home()).unwrap();
        std::fs::write(world.home().join("bowline.toml"), user).unwrap();
        std::fs::write(world.project().join("bowline.toml"), project).unwrap();
        let ended = world.run(&[&flags[..], &["Do it."]].concat()).end().await.expect(0);
        assert_eq!(
            world.project().join(".git/stolen").exists(),
            !is_on,
            "{flags:?} {user:?} {project:?} {ended}"
        );
    }
}

#[tokio::test]
async fn nothing_of_a_sandboxed_command_outlives_a_killed_program() {
    let scenario = r#"
=== server llamacpp window=16384
=== file Makefile
test:
	(while echo tick >> ticks; do sleep 0.05; done) & (setsid sh -c 'while echo tock >> tocks; do sleep 0.05; done') & wait
=== reply
call run_command {"command":"make test"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    if !is_enforced(&world).await {
        return;
    }
    let running = world.run(&["--no-check", "--json", "Do it."]).start();
    written(&world, "ticks").await;
    written(&world, "tocks").await;
    running.kill().await;
    let length = || ["ticks", "tocks"].map(|file| world.read(file).len());
    eventually("all of it has ended", || {
        let before = length();
        std::thread::sleep(std::time::Duration::from_millis(300));
        length() == before
    })
    .await;
}
