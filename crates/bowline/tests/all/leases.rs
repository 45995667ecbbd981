//! Several runs in one folder.

use crate::harness::{World, is};
use crate::log::{check_whole, ends};

const BUSY: &str = r#"
=== server llamacpp window=16384 slots=2
=== reply
text "At work."
hang
=== reply repeat
text "Done."
"#;

#[tokio::test]
async fn a_second_run_is_told_who_works_there() {
    let world = World::play(BUSY).await;
    let mut running = world.run(&["--json", "Do it."]).start();
    let frame = running.until(|frame| is(frame, "text.delta")).await;
    let (session, process) = (frame["session"].as_str().unwrap(), format!("process {}", running.pid));
    let project = world.project();
    world.run(&["Me too."]).end().await.expect(1).says(&[session, &process, project.to_str().unwrap()]);
    world.run(&["-c"]).end().await.expect(1).says(&[session, &process]);
    world.run(&["-s", session, "Me too."]).end().await.expect(1).says(&[session, &process]);
    // From a folder further down it is the same tree.
    std::fs::create_dir(project.join("below")).unwrap();
    world.run(&["Me too."]).folder(&project.join("below")).end().await.expect(1).says(&[session]);
    // Those that were refused left nothing behind, and asked no model.
    let list = world.bowline(&["sessions", "list"]).end().await.expect(0);
    assert_eq!(list.stdout.lines().count(), 1, "{list}");
    assert_eq!(world.model_requests().len(), 1);
    // A turn that changes nothing may run beside it.
    let beside = world.run(&["--read-only", "Look."]).end().await.expect(0);
    assert_eq!(beside.stdout, "Done.\n");
    running.kill().await;
    world.check_played();
}

#[tokio::test]
async fn the_lease_of_a_dead_process_is_taken_at_once() {
    let world = World::play(BUSY).await;
    let mut running = world.run(&["--json", "Do it."]).start();
    let first = running.until(|frame| is(frame, "text.delta")).await;
    running.kill().await;
    let ended = world.run(&["--json", "Another task."]).end().await.expect(0);
    world.check_played();
    assert_ne!(ended.frames()[0]["session"], first["session"]);
    // The dead one's session can still be gone on with, and has its end.
    let session = first["session"].as_str().unwrap();
    world.run(&["-s", session]).end().await.expect(0);
    let log = world.bowline(&["sessions", "show", "--json", session]).end().await.expect(0).frames();
    check_whole(&log);
    assert_eq!(ends(&log), ["turn.failed failed", "turn.completed done"]);
}
