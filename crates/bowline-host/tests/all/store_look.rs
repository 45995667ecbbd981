//! A database that is nowhere on a disk.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_host::store::Store;

use crate::store::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_memory_is_a_database_of_its_own() {
    let (store, other) = (Store::in_memory().await.unwrap(), Store::in_memory().await.unwrap());
    create_session(&store, SESSION).await;
    let lease = take(&store, SESSION).await;
    let mark = store.changes(SESSION).await.unwrap();
    hold(&store, &lease, 5, &every_body()).await;
    assert_ne!(store.changes(SESSION).await.unwrap(), mark);
    assert_eq!(store.log(SESSION).await.unwrap().len(), every_body().len() + 1);
    assert_eq!(other.session(SESSION).await.unwrap(), None);
    // Readers and writers at once, on connections of their own.
    let store = std::sync::Arc::new(store);
    let tasks = (0..16).map(|n| {
        let store = store.clone();
        tokio::spawn(async move {
            for _ in 0..20 {
                send(&store, SESSION, 6, &[steer(&format!("from {n}"))]).await;
                store.log(SESSION).await.unwrap();
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert_eq!(store.log(SESSION).await.unwrap().len(), every_body().len() + 1 + 16 * 20);
}
