//! What holds of every log, and of every stream of frames.

use std::collections::HashMap;

use serde_json::Value;

use crate::harness::is;

/// Everything that began has ended, exactly once: calls, texts, messages and the turn.
pub(crate) fn check_whole(frames: &[Value]) {
    check_numbers(frames);
    let mut items: HashMap<&str, usize> = HashMap::new();
    let mut messages: HashMap<&str, &str> = HashMap::new();
    let mut is_turn_open = false;
    for frame in frames {
        let (item, message) = (frame["item"]["id"].as_str(), frame["message"]["id"].as_str());
        match frame["type"].as_str().unwrap() {
            "item.started" => assert_eq!(items.insert(item.unwrap(), 0), None, "started twice: {frame}"),
            "item.completed" => *items.get_mut(item.unwrap()).unwrap() += 1,
            "message.started" | "message.completed" => {
                messages.insert(message.unwrap(), frame["message"]["status"].as_str().unwrap());
            }
            "run.started" => is_turn_open = true,
            "turn.completed" | "turn.paused" | "turn.failed" => is_turn_open = false,
            _ => {}
        }
    }
    assert!(items.values().all(|completed| *completed == 1), "{items:?}");
    assert!(messages.values().all(|status| *status != "streaming"), "{messages:?}");
    assert!(!is_turn_open, "the last turn has no end");
}

/// Every frame has a version and a type; those that are stored have rising numbers.
pub(crate) fn check_numbers(frames: &[Value]) {
    let mut last = 0;
    for frame in frames {
        assert_eq!(frame["v"], 1, "{frame}");
        assert!(frame["at_ms"].is_i64() && frame["session"].is_string(), "{frame}");
        if is(frame, "waiting") {
            assert!(frame.get("seq").is_none(), "{frame}");
        } else {
            let seq = frame["seq"].as_i64().unwrap();
            assert!(seq > last, "{seq} after {last}");
            last = seq;
        }
    }
}

/// How the calls ended, in the order they were made: tool and outcome.
pub(crate) fn outcomes(frames: &[Value]) -> Vec<String> {
    let started =
        frames.iter().filter(|frame| is(frame, "item.started") && frame["item"]["call"].is_object());
    let outcome = |id: &Value| {
        let completed = frames.iter().find(|frame| is(frame, "item.completed") && frame["item"]["id"] == *id);
        completed.map_or("none", |frame| frame["item"]["result"]["outcome"].as_str().unwrap())
    };
    let line = |item: &Value| format!("{} {}", item["call"]["tool"].as_str().unwrap(), outcome(&item["id"]));
    started.map(|frame| line(&frame["item"])).collect()
}

/// The runs' ends, in order: the frame's type and why.
pub(crate) fn ends(frames: &[Value]) -> Vec<String> {
    let kinds = ["turn.completed", "turn.paused", "turn.failed"];
    let ends = frames.iter().filter(|frame| kinds.iter().any(|kind| is(frame, kind)));
    ends.map(|frame| format!("{} {}", frame["type"].as_str().unwrap(), frame["stop"].as_str().unwrap()))
        .collect()
}
