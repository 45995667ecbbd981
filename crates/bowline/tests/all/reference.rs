//! The page about events beside the events themselves.

use serde_json::Value;

use crate::harness::World;

const PAGE: &str = include_str!("../../../../docs/reference/events.md");
/// What every frame has.
const COMMON: [&str; 6] = ["v", "seq", "session", "turn", "at_ms", "type"];

/// The names in the last column of a kind's row; *the same* are those of the row it goes by.
fn described(kind: &str) -> String {
    let row = |kind: &str| {
        let start = format!("| `{kind}` |");
        let found = PAGE.lines().find(|line| line.starts_with(&start));
        found.unwrap_or_else(|| panic!("{kind} has no row")).to_owned()
    };
    let same = match kind {
        "turn.paused" | "turn.failed" => row("turn.completed"),
        "item.updated" | "item.completed" => row("item.started"),
        _ => String::new(),
    };
    row(kind) + &same
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|known| known == word)
}

fn check(frames: &[Value]) {
    for frame in frames {
        let described = described(frame["type"].as_str().unwrap());
        let own = frame.as_object().unwrap().iter().filter(|(name, _)| !COMMON.contains(&name.as_str()));
        for (name, value) in own {
            assert!(has_word(&described, name), "{name} is not on the page:\n{frame}");
            // One level below, too: an item, a message, usage, a sentinel.
            let below = value.as_object().into_iter().flatten();
            for (inner, _) in below.filter(|_| name != "sentinel" && name != "usage") {
                assert!(has_word(&described, inner), "{name}.{inner} is not on the page:\n{frame}");
            }
        }
    }
}

#[tokio::test]
async fn every_field_is_on_the_page() {
    for scenario in [
        include_str!("../../../../scenarios/demo.scenario"),
        include_str!("../../../../scenarios/outside-nobody.scenario"),
        include_str!("../../../../scenarios/lift-bare.scenario"),
        include_str!("../../../../scenarios/cap.scenario"),
        include_str!("../../../../scenarios/compaction.scenario"),
    ] {
        let world = World::play(scenario).await;
        world.run(&["--max-steps", "9", &world.task]).end().await;
        check(&world.log().await);
    }
    let world = World::play("=== server llamacpp window=16384\n=== reply\nstatus 400 {}\n").await;
    world.run(&["Hello."]).end().await.expect(1);
    check(&world.log().await);
}
