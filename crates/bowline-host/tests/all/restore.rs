//! Restores on both databases, with every time the same: what goes, what stays, what survives.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "restore/random.rs"]
mod random;
#[path = "restore/scene.rs"]
pub(crate) mod scene;

use bowline_core::entry::Body;
use bowline_core::restore_entry::RestoreWhat;
use bowline_host::restore::{Extent, RestoreError, RestoreOptions, RestoreRequest};

use crate::store::*;
use scene::Scene;

on_both!(
    check_17_the_restored_checkpoint_survives_its_own_restore,
    the_anchor_goes_and_the_message_before_it_stays,
    check_18_a_checkpoint_of_another_session_is_not_found,
    a_work_tree_that_is_gone_leaves_the_conversation_to_restore,
    undo_and_redo_go_back_and_forth,
    a_dry_run_leaves_no_trace,
    the_announcement_says_all_that_will_be_there,
);

fn restore(id: &str) -> RestoreRequest {
    RestoreRequest::Restore { checkpoint: id.to_owned(), what: RestoreWhat::Both }
}

async fn check_17_the_restored_checkpoint_survives_its_own_restore(fixture: &Fixture) {
    let mut scene = Scene::new(fixture).await;
    let [first, second, third] = scene.three_turns().await;
    let before_second = scene.stands[1].clone();
    assert_eq!(scene.listed().await, [first.as_str(), &second, &third]);
    let done = scene.carry_out(&restore(&second)).await.unwrap();
    assert_eq!(done.answer.checkpoint_id.as_deref(), Some(second.as_str()));
    // Of two turns: the answer of the one, and text and answer of the other.
    assert_eq!((done.answer.messages_deleted, done.answer.worktree_reset), (3, true));
    assert_eq!(scene.files(), before_second);
    let undo = done.answer.undo_checkpoint_id.unwrap();
    assert_eq!(scene.listed().await, [first.as_str(), &second, &undo], "the later one is gone");
    let again = scene.carry_out(&restore(&second)).await.unwrap();
    assert_eq!((again.answer.messages_deleted, again.answer.worktree_reset), (0, true));
    assert!(again.plan.unwrap().changes.is_empty());
    assert_eq!(scene.files(), before_second);
    // Everything comes back by the first undo checkpoint.
    scene.carry_out(&restore(&undo)).await.unwrap();
    assert_eq!(scene.files(), scene.stands[3]);
    assert_eq!(scene.texts().await, ["turn 1", "", "turn 2", "", "turn 3", ""]);
}

async fn the_anchor_goes_and_the_message_before_it_stays(fixture: &Fixture) {
    let mut scene = Scene::new(fixture).await;
    let [_, second, _] = scene.three_turns().await;
    scene.carry_out(&restore(&second)).await.unwrap();
    assert_eq!(scene.texts().await, ["turn 1", "", "turn 2"], "the text that asked for it stays");
    scene.turn("f.txt", "again\n").await;
    assert_eq!(scene.texts().await, ["turn 1", "", "turn 4", ""], "until the next one is sent");
}

async fn check_18_a_checkpoint_of_another_session_is_not_found(fixture: &Fixture) {
    let mut scene = Scene::new(fixture).await;
    let [first, ..] = scene.three_turns().await;
    let other = scene.other_session().await;
    let (files, log) = (scene.files(), scene.log().await.len());
    let refused = scene.session_restore(&other).carry_out(&restore(&first), RestoreOptions::default()).await;
    assert!(matches!(refused, Err(RestoreError::Unknown(_))), "{refused:?}");
    assert_eq!((scene.files(), scene.log().await.len()), (files, log));
    assert_eq!(scene.store.log(&other.id).await.unwrap().len(), 1);
}

async fn a_work_tree_that_is_gone_leaves_the_conversation_to_restore(fixture: &Fixture) {
    let mut scene = Scene::new(fixture).await;
    let [_, second, _] = scene.three_turns().await;
    std::fs::remove_dir_all(scene.root()).unwrap();
    let files_alone = RestoreRequest::Restore { checkpoint: second.clone(), what: RestoreWhat::Files };
    let refused = scene.carry_out(&files_alone).await;
    assert!(matches!(refused, Err(RestoreError::Refused { .. })), "{refused:?}");
    let done = scene.carry_out(&restore(&second)).await.unwrap();
    assert_eq!((done.answer.messages_deleted, done.answer.worktree_reset), (3, false));
    assert!(done.untouched.unwrap().contains("is gone"));
    assert_eq!(scene.texts().await, ["turn 1", "", "turn 2"]);
}

async fn undo_and_redo_go_back_and_forth(fixture: &Fixture) {
    let mut scene = Scene::new(fixture).await;
    scene.three_turns().await;
    let stands = scene.stands.clone();
    for at in [2, 1, 0] {
        let done = scene.carry_out(&RestoreRequest::Undo).await.unwrap();
        assert_eq!(done.text, Some(format!("turn {}", at + 1)));
        assert_eq!(scene.files(), stands[at]);
    }
    assert!(matches!(scene.carry_out(&RestoreRequest::Undo).await, Err(RestoreError::Refused { .. })));
    for stand in &stands[1..] {
        scene.carry_out(&RestoreRequest::Redo).await.unwrap();
        assert_eq!(scene.files(), *stand);
    }
    assert_eq!(scene.texts().await, ["turn 1", "", "turn 2", "", "turn 3", ""]);
    assert!(matches!(scene.carry_out(&RestoreRequest::Redo).await, Err(RestoreError::Refused { .. })));
}

async fn a_dry_run_leaves_no_trace(fixture: &Fixture) {
    let mut scene = Scene::new(fixture).await;
    let [_, second, _] = scene.three_turns().await;
    let (files, log, kept) = (scene.files(), scene.log().await, scene.kept());
    let options = RestoreOptions { extent: Extent::Planned, ..RestoreOptions::default() };
    let session = scene.session.clone();
    let done = scene.session_restore(&session).carry_out(&restore(&second), options).await.unwrap();
    assert_eq!((done.answer.messages_deleted, done.answer.undo_checkpoint_id), (3, None));
    assert!(!done.plan.unwrap().changes.is_empty());
    assert_eq!((scene.files(), scene.log().await, scene.kept()), (files, log, kept));
}

async fn the_announcement_says_all_that_will_be_there(fixture: &Fixture) {
    let mut scene = Scene::new(fixture).await;
    scene.three_turns().await;
    scene.carry_out(&RestoreRequest::Undo).await.unwrap();
    let log = scene.log().await;
    let [.., announced, done] = log.as_slice() else { panic!("{log:?}") };
    let (Body::Restoring(announced), Body::Restored(done)) = (&announced.body, &done.body) else {
        panic!("{log:?}")
    };
    assert_eq!(announced.restored, **done);
    assert_eq!((done.written.as_slice(), done.messages_deleted), (["f.txt".to_owned()].as_slice(), 1));
}
