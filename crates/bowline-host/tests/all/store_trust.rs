//! Which files are trusted, and that a change of one asks again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_host::store::Decision;

use crate::store::*;

on_both!(a_file_is_trusted_as_it_is, what_was_said_is_replaced_and_forgotten, odd_paths);

const FILE: &str = "/home/ann/project/bowline.toml";
const OTHER: &str = "/home/ann/other/bowline.toml";

async fn a_file_is_trusted_as_it_is(fixture: &Fixture) {
    let store = fixture.open().await;
    assert_eq!(store.decision(FILE, "aa").await.unwrap(), None);
    store.decide(FILE, "aa", Decision::Trusted, 5).await.unwrap();
    assert_eq!(store.decision(FILE, "aa").await.unwrap(), Some(Decision::Trusted));
    // Not another content, and not the same content elsewhere.
    assert_eq!(store.decision(FILE, "bb").await.unwrap(), None);
    assert_eq!(store.decision(OTHER, "aa").await.unwrap(), None);
    drop(store);
    assert_eq!(fixture.open().await.decision(FILE, "aa").await.unwrap(), Some(Decision::Trusted));
}

async fn what_was_said_is_replaced_and_forgotten(fixture: &Fixture) {
    let store = fixture.open().await;
    store.decide(FILE, "aa", Decision::Refused, 5).await.unwrap();
    assert_eq!(store.decision(FILE, "aa").await.unwrap(), Some(Decision::Refused));
    store.decide(FILE, "aa", Decision::Trusted, 6).await.unwrap();
    store.decide(OTHER, "aa", Decision::Trusted, 6).await.unwrap();
    store.decide(FILE, "bb", Decision::Trusted, 7).await.unwrap();
    assert_eq!(store.decision(FILE, "aa").await.unwrap(), None, "what it was before");
    assert!(store.forget_decision(FILE).await.unwrap());
    assert!(!store.forget_decision(FILE).await.unwrap());
    assert_eq!(store.decision(FILE, "bb").await.unwrap(), None);
    assert_eq!(store.decision(OTHER, "aa").await.unwrap(), Some(Decision::Trusted));
}

async fn odd_paths(fixture: &Fixture) {
    let store = fixture.open().await;
    let odd = "/a'b\u{1b}\n日本/bowline.toml";
    store.decide(odd, "aa", Decision::Trusted, 5).await.unwrap();
    assert_eq!(store.decision(odd, "aa").await.unwrap(), Some(Decision::Trusted));
}
