//! `bowline classify`: a line in, a line out.

use crate::harness::{HELLO, World};

#[tokio::test]
async fn failures_are_named_line_by_line() {
    let world = World::play(HELLO).await;
    let line = r#"{"id": 7, "command": "cargo test", "exit_code": 101, "stdout": "test cart::last ... FAILED\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n"}"#;
    let input = format!("{line}\nnonsense\n").into_bytes();
    let ended = world.bowline(&["classify"]).input(input).end().await.expect(0);
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ended.stdout);
    assert!(
        lines[0].starts_with(r#"{"id":7,"kind":"test_failure""#) && lines[0].contains("cart::last"),
        "{}",
        lines[0]
    );
    assert!(lines[1].contains("no JSON object"), "{}", lines[1]);
}
