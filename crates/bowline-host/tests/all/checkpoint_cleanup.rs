//! The upkeep of a checkpoint store: what is past its age goes, what no row names goes the second time, the quota holds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use bowline_checkpoint::Settings;
use bowline_host::checkpoint_cleanup::{CheckpointCleanup, CleanupReport, is_due};
use bowline_host::clock::Clock;
use bowline_host::config::CheckpointSettings;
use bowline_host::restore::ManualCheckpoints;
use bowline_host::store::Store;

use crate::store::*;

on_both!(what_is_old_or_too_much_goes_and_the_newest_stays);

async fn rows(store: &Store, root: &Path) -> Vec<String> {
    let rows = store.tree_checkpoints(&root.to_string_lossy(), 100).await.unwrap();
    rows.into_iter().map(|row| row.id).collect()
}

async fn what_is_old_or_too_much_goes_and_the_newest_stays(fixture: &Fixture) {
    let place = tempfile::tempdir().unwrap();
    let place = place.path().canonicalize().unwrap();
    let (home, root) = (place.join("checkpoints"), place.join("project"));
    std::fs::create_dir(&root).unwrap();
    let store = fixture.open().await;
    let folder = |store| ManualCheckpoints {
        store,
        clock: Clock::start(),
        root: root.clone(),
        home: home.clone(),
        settings: Settings::default(),
    };
    let mut ids = Vec::new();
    for text in ["one", "two", "three"] {
        std::fs::write(root.join("a.txt"), text).unwrap();
        ids.push(folder(&store).take(text).await.unwrap().0.id);
    }
    assert!(!is_due(&home, &root), "a new store has its first day before it");
    let kept = || {
        let kept = bowline_checkpoint::Store::open(&home, &root, Settings::default()).unwrap();
        let mut ids = kept.ids().unwrap();
        ids.sort();
        ids
    };
    let tidy = |store, settings| {
        let upkeep = CheckpointCleanup {
            store,
            clock: Clock::start(),
            home: home.clone(),
            root: root.clone(),
            settings,
        };
        async move { upkeep.tidy().await.unwrap() }
    };
    // The first is old, and something has no row.
    let raw = fixture.raw().await;
    let old = "UPDATE checkpoints SET created_ms = 1 WHERE id = $1";
    sqlx::query(old).bind(&ids[0]).execute(&raw).await.unwrap();
    // A turn's, so that there is a newest one that must stay.
    let newest = "UPDATE checkpoints SET moment = 'before' WHERE id = $1";
    sqlx::query(newest).bind(&ids[2]).execute(&raw).await.unwrap();
    let stray = bowline_checkpoint::Store::open(&home, &root, Settings::default()).unwrap();
    stray.take("kstray").unwrap();
    let settings = CheckpointSettings::default();
    let CleanupReport { forgotten, .. } = tidy(&store, settings).await;
    assert_eq!(forgotten, 1);
    assert_eq!(rows(&store, &root).await, [ids[2].clone(), ids[1].clone()]);
    assert!(kept().contains(&"kstray".to_owned()) && !kept().contains(&ids[0]));
    assert_eq!(tidy(&store, settings).await.forgotten, 0);
    assert!(!kept().contains(&"kstray".to_owned()), "without a row twice");
    // No room at all: only what must stay stays.
    let none = CheckpointSettings { keep_gb: 0, ..settings };
    assert_eq!(tidy(&store, none).await.forgotten, 1);
    assert_eq!((rows(&store, &root).await, kept()), (vec![ids[2].clone()], vec![ids[2].clone()]));
    std::fs::write(root.join("a.txt"), "four").unwrap();
    let left = store.find_checkpoints(&ids[2]).await.unwrap().remove(0);
    folder(&store).restore(&left, Default::default()).await.unwrap();
    assert_eq!(std::fs::read_to_string(root.join("a.txt")).unwrap(), "three");
}
