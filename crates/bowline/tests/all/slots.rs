//! Two sessions on one server: one slot serves one at a time, and who waits is told; several slots serve several.

use serde_json::Value;

use crate::harness::{World, is};

const ONE: &str = r#"One slot: the first answer never ends, the second comes at once.
=== server llamacpp
=== task
Hi.
=== reply
text "Wait"
hang
=== reply
text "Hello."
"#;

fn waits_for_slot(frame: &Value) -> bool {
    is(frame, "waiting") && frame["for"] == "slot"
}

#[tokio::test]
async fn two_sessions_on_one_slot_take_turns() {
    let world = World::play(ONE).await;
    let mut first = world.run(&["--read-only", "--json", "Hi."]).start();
    first.until(|frame| is(frame, "text.delta")).await;
    let mut second = world.run(&["--read-only", "--json", "Hi."]).start();
    second.until(waits_for_slot).await;
    assert_eq!(world.model_requests().len(), 1, "the second is asked while the first is served");
    first.signal(rustix::process::Signal::INT);
    first.end().await.expect(130);
    second.end().await.expect(0);
    world.until_aborted().await;
}

const TWO: &str = r#"Two slots: both are served, each on its own.
=== server llamacpp slots=2
=== task
Hi.
=== reply
text "Wait"
hang
=== reply
text "Hello."
"#;

#[tokio::test]
async fn several_slots_serve_several_sessions() {
    let world = World::play(TWO).await;
    let mut first = world.run(&["--read-only", "--json", "Hi."]).start();
    first.until(|frame| is(frame, "text.delta")).await;
    world.run(&["--read-only", "Hi."]).end().await.expect(0);
    let asked = world.model_requests();
    let slots: Vec<i64> = asked.iter().map(|request| request["id_slot"].as_i64().unwrap()).collect();
    assert_eq!(slots[0] + slots[1], 1, "{slots:?}");
    first.signal(rustix::process::Signal::INT);
    first.end().await.expect(130);
}
