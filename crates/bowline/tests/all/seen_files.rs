//! What the model has seen of a file still counts in later turns, which are other processes, as long as nobody else writes it.

use std::fs::File;
use std::time::{Duration, SystemTime};

use crate::harness::World;
use crate::log::outcomes;

const WRITES: &str = r#"A file is made, written over in the next turn, and again after somebody else has written it.
=== server llamacpp
=== task
make it
=== reply
call write_file {"path":"a.txt","content":"one\n"}
=== reply
text "Made."
=== reply
call write_file {"path":"a.txt","content":"two\n"}
=== reply
text "Again."
=== reply
call write_file {"path":"a.txt","content":"three\n"}
=== reply
text "It was changed, so I leave it."
"#;

#[tokio::test]
async fn a_later_turn_knows_what_was_written_until_somebody_else_writes() {
    let world = World::play(WRITES).await;
    world.run(&["make it"]).end().await.expect(0);
    world.run(&["-c", "again"]).end().await.expect(0);
    assert_eq!(world.read("a.txt"), "two\n");
    let path = world.project().join("a.txt");
    std::fs::write(&path, "mine\n").unwrap();
    let later = SystemTime::now() + Duration::from_secs(1);
    File::options().append(true).open(&path).unwrap().set_modified(later).unwrap();
    world.run(&["-c", "once more"]).end().await.expect(0);
    world.check_played();
    assert_eq!(world.read("a.txt"), "mine\n");
    assert_eq!(
        outcomes(&world.log().await),
        ["write_file success", "write_file success", "write_file exec_error"]
    );
    let last = world.model_requests().pop().unwrap().to_string();
    assert!(last.contains("it changed since you read it"), "{last}");
}
