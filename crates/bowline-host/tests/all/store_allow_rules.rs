//! What the user allowed for a project, on both databases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_host::store::AllowRule;

use crate::store::*;

on_both!(patterns_are_kept_by_project, patterns_may_hold_anything);

fn allowed(pattern: &str, created_ms: i64) -> AllowRule {
    AllowRule { pattern: pattern.to_owned(), created_ms }
}

fn owned(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|pattern| (*pattern).to_owned()).collect()
}

async fn patterns_are_kept_by_project(fixture: &Fixture) {
    let store = fixture.open().await;
    assert_eq!(store.allowed(ROOT).await.unwrap(), []);
    store.allow(ROOT, &owned(&["npm install *", "rm a.txt"]), 5).await.unwrap();
    // What is there stays as it is.
    store.allow(ROOT, &owned(&["npm install *", "curl *"]), 6).await.unwrap();
    let due = [allowed("npm install *", 5), allowed("rm a.txt", 5), allowed("curl *", 6)];
    assert_eq!(store.allowed(ROOT).await.unwrap(), due);
    assert_eq!(store.allowed("/elsewhere").await.unwrap(), []);
    store.disallow(ROOT, "rm a.txt").await.unwrap();
    store.disallow(ROOT, "rm b.txt").await.unwrap();
    assert_eq!(store.allowed(ROOT).await.unwrap(), [allowed("npm install *", 5), allowed("curl *", 6)]);
    store.close().await;
    assert_eq!(fixture.open().await.allowed(ROOT).await.unwrap().len(), 2);
}

async fn patterns_may_hold_anything(fixture: &Fixture) {
    let store = fixture.open().await;
    let odd = owned(&["", "run_command(echo 'x'\necho \"y\")", "größe *", "a\\*b"]);
    store.allow("/größe 'x'", &odd, 1).await.unwrap();
    let mut kept: Vec<String> =
        store.allowed("/größe 'x'").await.unwrap().into_iter().map(|allowed| allowed.pattern).collect();
    kept.sort();
    let mut due = odd;
    due.sort();
    assert_eq!(kept, due);
    store.allow(ROOT, &[], 1).await.unwrap();
    assert_eq!(store.allowed(ROOT).await.unwrap(), []);
}
