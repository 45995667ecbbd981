//! What is remembered per model, and what gives way to what.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_host::store::{ExamNote, ModelNote, Store};

use crate::store::*;

on_both!(
    a_mode_is_noted_and_forgotten,
    one_name_at_two_addresses_is_two_models,
    an_exam_is_noted_whole,
    what_was_seen_last_counts,
    a_refused_schema_is_remembered_until_an_exam_takes_it_back,
    odd_names_and_wrong_words,
);

const MODEL: &str = "ollama/qwen2.5-coder:7b";
const HERE: &str = "http://127.0.0.1:11434";
const BOX: &str = "http://10.0.0.5:11434";
const CARD: &str = r#"{"calls":"7 of 8","nul":"\u0000"}"#;

async fn mode(store: &Store, base_url: &str) -> Option<(String, String, i64)> {
    let note = store.model_note(MODEL, base_url).await.unwrap()?;
    Some((note.mode.unwrap(), note.mode_by.unwrap(), note.changed_ms))
}

fn known(mode: &str, by: &str, changed_ms: i64) -> Option<(String, String, i64)> {
    Some((mode.to_owned(), by.to_owned(), changed_ms))
}

async fn a_mode_is_noted_and_forgotten(fixture: &Fixture) {
    let store = fixture.open().await;
    assert_eq!(store.model_note(MODEL, HERE).await.unwrap(), None);
    store.note_mode(MODEL, HERE, "text", "refused", 5).await.unwrap();
    let note = ModelNote {
        mode: Some("text".to_owned()),
        mode_by: Some("refused".to_owned()),
        thinking: None,
        window: None,
        reported_window: None,
        card: None,
        changed_ms: 5,
        is_unbound: false,
    };
    assert_eq!(store.model_note(MODEL, HERE).await.unwrap(), Some(note));
    store.note_mode(MODEL, HERE, "constrained", "written", 6).await.unwrap();
    assert_eq!(mode(&store, HERE).await, known("constrained", "written", 6));
    store.forget_model(MODEL, HERE).await.unwrap();
    assert_eq!(store.model_note(MODEL, HERE).await.unwrap(), None);
    // Nothing to forget is nothing wrong.
    store.forget_model(MODEL, HERE).await.unwrap();
}

async fn one_name_at_two_addresses_is_two_models(fixture: &Fixture) {
    let store = fixture.open().await;
    store.note_mode(MODEL, HERE, "text", "written", 5).await.unwrap();
    store.note_mode(MODEL, BOX, "native", "exam", 6).await.unwrap();
    assert_eq!(mode(&store, HERE).await, known("text", "written", 5));
    assert_eq!(mode(&store, BOX).await, known("native", "exam", 6));
    assert_eq!(store.model_note("ollama/other", HERE).await.unwrap(), None);
    store.forget_model(MODEL, HERE).await.unwrap();
    assert_eq!(mode(&store, BOX).await, known("native", "exam", 6));
}

async fn an_exam_is_noted_whole(fixture: &Fixture) {
    let store = fixture.open().await;
    let exam = ExamNote {
        mode: Some("constrained"),
        thinking: Some("off"),
        window: Some(16_384),
        reported_window: 32_768,
        card: CARD,
        is_unbound: true,
    };
    store.note_mode(MODEL, HERE, "text", "written", 4).await.unwrap();
    store.note_exam(MODEL, HERE, &exam, 5).await.unwrap();
    let note = ModelNote {
        mode: Some("constrained".to_owned()),
        mode_by: Some("exam".to_owned()),
        thinking: Some("off".to_owned()),
        window: Some(16_384),
        reported_window: Some(32_768),
        card: Some(CARD.to_owned()),
        changed_ms: 5,
        is_unbound: true,
    };
    assert_eq!(store.model_note(MODEL, HERE).await.unwrap(), Some(note.clone()));
    // A change of mode leaves the rest.
    store.note_mode(MODEL, HERE, "text", "refused", 6).await.unwrap();
    let refused = ModelNote {
        mode: Some("text".to_owned()),
        mode_by: Some("refused".to_owned()),
        changed_ms: 6,
        ..note
    };
    assert_eq!(store.model_note(MODEL, HERE).await.unwrap(), Some(refused));
    // Another exam leaves nothing, and one that found no mode names none to have decided it.
    let failed = ExamNote {
        mode: None,
        thinking: None,
        window: None,
        reported_window: 32_768,
        card: "{}",
        is_unbound: false,
    };
    store.note_exam(MODEL, HERE, &failed, 7).await.unwrap();
    let note = ModelNote {
        mode: None,
        mode_by: None,
        thinking: None,
        window: None,
        reported_window: Some(32_768),
        card: Some("{}".to_owned()),
        changed_ms: 7,
        is_unbound: false,
    };
    assert_eq!(store.model_note(MODEL, HERE).await.unwrap(), Some(note));
    store.note_mode(MODEL, HERE, "text", "written", 8).await.unwrap();
    assert_eq!(mode(&store, HERE).await, known("text", "written", 8));
}

async fn what_was_seen_last_counts(fixture: &Fixture) {
    let store = fixture.open().await;
    let exam = ExamNote {
        mode: Some("native"),
        thinking: None,
        window: None,
        reported_window: 32_768,
        card: "{}",
        is_unbound: false,
    };
    store.note_exam(MODEL, HERE, &exam, 5).await.unwrap();
    for (at, by) in (6..).zip(["written", "refused", "unread", "fenced", "no_call", "exam"]) {
        store.note_mode(MODEL, HERE, "constrained", by, at).await.unwrap();
        assert_eq!(mode(&store, HERE).await, known("constrained", by, at));
    }
    store.note_exam(MODEL, HERE, &exam, 20).await.unwrap();
    assert_eq!(mode(&store, HERE).await, known("native", "exam", 20));
}

async fn a_refused_schema_is_remembered_until_an_exam_takes_it_back(fixture: &Fixture) {
    let is_unbound = async |store: &Store| store.model_note(MODEL, HERE).await.unwrap().unwrap().is_unbound;
    let store = fixture.open().await;
    store.note_unbound(MODEL, HERE, 5).await.unwrap();
    let note = store.model_note(MODEL, HERE).await.unwrap().unwrap();
    assert_eq!((note.mode, note.is_unbound, note.changed_ms), (None, true, 5));
    store.note_mode(MODEL, HERE, "text", "written", 6).await.unwrap();
    store.note_unbound(MODEL, HERE, 7).await.unwrap();
    assert_eq!(mode(&store, HERE).await, known("text", "written", 7));
    assert!(is_unbound(&store).await);
    assert_eq!(store.model_note(MODEL, BOX).await.unwrap(), None);
    let exam = ExamNote {
        mode: None,
        thinking: None,
        window: None,
        reported_window: 32_768,
        card: "{}",
        is_unbound: false,
    };
    store.note_exam(MODEL, HERE, &exam, 8).await.unwrap();
    assert!(!is_unbound(&store).await);
}

async fn odd_names_and_wrong_words(fixture: &Fixture) {
    let store = fixture.open().await;
    let odd = "openai/a'b\u{0}\u{1b}\n日本";
    store.note_mode(odd, HERE, "text", "refused", 5).await.unwrap();
    assert_eq!(store.model_note(odd, HERE).await.unwrap().unwrap().mode.as_deref(), Some("text"));
    store.note_mode(MODEL, HERE, "shouted", "refused", 5).await.unwrap_err();
    store.note_mode(MODEL, HERE, "text", "somebody", 5).await.unwrap_err();
    let wrong = ExamNote {
        mode: None,
        thinking: Some("deep"),
        window: None,
        reported_window: 32_768,
        card: "{}",
        is_unbound: false,
    };
    store.note_exam(MODEL, HERE, &wrong, 5).await.unwrap_err();
    assert_eq!(store.model_note(MODEL, HERE).await.unwrap(), None);
}
