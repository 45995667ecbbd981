//! `kill -9` at every step of an undo, a redo and a restore: the next command finds everything done or nothing, and can
//! bring either about.

use crate::harness::World;
use crate::undo::{bowline, stand};

const STEPS: [&str; 11] = [
    "lease",
    "now",
    "announced",
    "checked",
    "noted",
    "written",
    "dressed",
    "verified",
    "closed",
    "files",
    "done",
];

const CHANGES: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== file gone.txt
gone
=== reply
text "Hello."
=== reply
call run_command {"command":"printf 'beta\n' >>a.txt; rm gone.txt; mkdir -p sub/below; printf new >sub/below/new.txt; chmod 600 a.txt"}
=== reply
text "Changed."
=== reply repeat
text "So it is."
"#;

/// The next command: any of those that open the session.
#[derive(Clone, Copy, Debug)]
enum Next {
    Run,
    Again,
    Look,
}

async fn killed_at(step: &str, verb: &[&str], next: Next) {
    let world = World::play(CHANGES).await;
    world.run(&["Say hello."]).end().await.expect(0);
    let first = stand(&world).await;
    world.run(&["-c", "--yes", "Change."]).end().await.expect(0);
    let whole = stand(&world).await;
    let mut args: Vec<String> = verb.iter().map(|word| (*word).to_owned()).collect();
    if verb == ["restore"] {
        let listed = bowline(&world, &["checkpoint", "list", "--json"]).await.frames();
        args.push(listed.iter().find(|one| one["turn"] == "t2").unwrap()["id"].as_str().unwrap().to_owned());
    }
    let (from, to) = match verb {
        ["redo"] => {
            bowline(&world, &["undo"]).await;
            (stand(&world).await, whole.clone())
        }
        _ => (whole.clone(), first.clone()),
    };
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let place = format!("restore:{step}");
    let ended = world.bowline(&args).env("BOWLINE_FAULT", &place).end().await;
    assert_eq!(ended.code(), None, "{place} is no place any more\n{ended}");
    match next {
        Next::Run => drop(world.run(&["-c", "How is it?"]).end().await.expect(0)),
        Next::Look => drop(bowline(&world, &["checkpoint", "take"]).await),
        Next::Again => drop(world.bowline(&args).end().await),
    }
    let is = crate::undo::files(&world);
    let what = format!("{verb:?} killed at {step}, then {next:?}");
    assert!(is == from.0 || is == to.0, "{what}: half of it: {:?}", is.keys());
    // Nothing is lost: undo and redo lead from one stand to the other.
    if let Next::Run = next {
        bowline(&world, &["undo"]).await;
        let shown = stand(&world).await;
        assert!(shown.0 == from.0 || shown.0 == to.0, "{what}");
        return;
    }
    let log = world.log().await;
    let count = |kind: &str| log.iter().filter(|frame| frame["type"] == kind).count();
    // Each is announced once, and then done or given up by a second announcement.
    let open = (count("restoring") - count("restored")) % 2;
    if !matches!(next, Next::Look) {
        assert_eq!(open, 0, "{what}: each is done or given up");
        assert_eq!(is, to.0, "{what}: asked for again, it is done");
    }
}

#[tokio::test]
async fn an_undo_killed_anywhere_is_whole_or_nothing_for_the_next_turn() {
    for step in STEPS {
        killed_at(step, &["undo"], Next::Run).await;
    }
}

#[tokio::test]
async fn a_restore_killed_anywhere_can_be_asked_for_again() {
    for step in STEPS {
        killed_at(step, &["restore"], Next::Again).await;
    }
}

#[tokio::test]
async fn an_undo_killed_anywhere_is_whole_or_nothing_for_a_checkpoint_by_hand() {
    for step in ["noted", "written", "dressed", "verified"] {
        killed_at(step, &["undo"], Next::Look).await;
    }
}

#[tokio::test]
async fn a_redo_killed_anywhere_is_whole_or_nothing() {
    for step in STEPS {
        killed_at(step, &["redo"], Next::Run).await;
    }
}
