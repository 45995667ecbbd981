//! Sessions searched by their text: the same on both engines, whatever the script.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_core::entry::{Access, Body, Queued, RunStarted, TurnStarted};
use bowline_core::item::{Item, ItemKind, ItemStatus};
use bowline_core::typed::Typed;
use bowline_host::store::{Hit, NewSession, Place, Store};

use crate::store::*;

on_both!(
    words_are_found_wherever_they_stand,
    case_is_folded_the_same_on_both,
    the_newest_come_first_and_only_of_the_project,
    what_was_not_said_is_not_found,
    a_large_log_is_read_in_pages,
);

fn task(text: &str) -> Body {
    Body::TurnStarted(TurnStarted {
        text: text.to_owned(),
        typed: Typed::nothing(),
        message: "m1".to_owned(),
        access: Access::Write,
        queued: None,
        check: None,
    })
}

fn read_of(path: &str) -> Body {
    let item = item("item00009", ItemKind::Read, ItemStatus::Running, "");
    Body::ItemStarted { item: Item { title: path.to_owned(), ..item } }
}

async fn search(store: &Store, project: Option<&str>, words: &[&str]) -> Vec<Hit> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    store.search(project, &words, 100).await.unwrap()
}

async fn found(store: &Store, words: &[&str]) -> Option<(Place, String)> {
    let mut hits = search(store, Some(ROOT), words).await;
    assert!(hits.len() <= 1);
    hits.pop().map(|hit| (hit.place, hit.line))
}

async fn words_are_found_wherever_they_stand(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    let run = |hint: &str| {
        let hint = Some(hint.to_owned());
        Body::RunStarted(RunStarted {
            run: 2,
            message: "m2".to_owned(),
            access: Access::Write,
            edits: Default::default(),
            hint,
            check: None,
        })
    };
    let queued = Body::Queued(Queued {
        id: "q".to_owned(),
        text: "then the docs".to_owned(),
        typed: Typed::nothing(),
        by: "web".to_owned(),
        withdrawn: false,
    });
    let bodies = [
        task("First line.\n  Mend the parser, please.  \nLast line."),
        item_started("item00001"),
        item_completed("item00001", "The parser was\nmended in two places."),
        read_of("src/lexer.rs 1-200"),
        run("look at the grammar"),
        queued,
    ];
    hold(&store, &lease, 5, &bodies).await;
    send(&store, SESSION, 6, &[steer("leave the tests alone")]).await;
    let due = |place: Place, line: &str| Some((place, line.to_owned()));
    assert_eq!(found(&store, &["rename"]).await, due(Place::Title, "rename"));
    assert_eq!(found(&store, &["parser"]).await, due(Place::User, "Mend the parser, please."));
    assert_eq!(found(&store, &["places"]).await, due(Place::Answer, "mended in two places."));
    assert_eq!(found(&store, &["lexer.rs"]).await, due(Place::Path, "src/lexer.rs 1-200"));
    assert_eq!(found(&store, &["grammar"]).await, due(Place::User, "look at the grammar"));
    assert_eq!(found(&store, &["docs"]).await, due(Place::User, "then the docs"));
    assert_eq!(found(&store, &["alone"]).await, due(Place::User, "leave the tests alone"));
    // The words need not stand together; the line with most of them is shown.
    assert_eq!(
        found(&store, &["places", "parser", "mend"]).await,
        due(Place::User, "Mend the parser, please.")
    );
    assert_eq!(found(&store, &["the parser"]).await, due(Place::User, "Mend the parser, please."));
    assert_eq!(found(&store, &["parser the"]).await, None);
    assert_eq!(found(&store, &["parser", "compiler"]).await, None);
    // No letter is a wildcard.
    for word in ["%", "_", "pars_r", "p%r", "*"] {
        assert_eq!(found(&store, &[word]).await, None, "{word}");
    }
}

async fn case_is_folded_the_same_on_both(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    hold(&store, &lease, 5, &[task("Straße, ΟΔΟΣ, Ёлка, Quote\"d\\ and \u{0} nul")]).await;
    for word in ["STRASSE", "strasse", "οδος", "ёлка", "QUOTE\"D\\", "\u{0} NUL"] {
        assert!(found(&store, &[word]).await.is_some(), "{word:?}");
    }
    assert_eq!(found(&store, &["елка"]).await, None);
}

async fn the_newest_come_first_and_only_of_the_project(fixture: &Fixture) {
    let store = fixture.open().await;
    for (id, project_root, at_ms) in
        [("a", "/one", 10), ("b", "/one", 30), ("c", "/two", 20), ("d", "/one", 20)]
    {
        let new = NewSession { id, project_root, work_tree: project_root, title: "Same title", model: "m" };
        store.create_session(&new, &first(), at_ms).await.unwrap();
    }
    let ids = |hits: Vec<Hit>| hits.into_iter().map(|hit| hit.session.id).collect::<Vec<_>>();
    assert_eq!(ids(search(&store, Some("/one"), &["TITLE"]).await), ["b", "d", "a"]);
    assert_eq!(ids(search(&store, None, &["title"]).await), ["b", "d", "c", "a"]);
    assert_eq!(ids(search(&store, None, &["title", "/two"]).await), ["c"]);
    // The folder is no find where all sessions are in it.
    assert_eq!(ids(search(&store, Some("/one"), &["one"]).await), Vec::<String>::new());
    let words = ["title".to_owned()];
    assert_eq!(ids(store.search(None, &words, 2).await.unwrap()), ["b", "d"]);
    let page = store.sessions_below(None, None, 3).await.unwrap();
    let rest = store.sessions_below(None, page.last(), 3).await.unwrap();
    let ids: Vec<&str> = page.iter().chain(&rest).map(|session| session.id.as_str()).collect();
    assert_eq!(ids, ["b", "d", "c", "a"]);
}

async fn what_was_not_said_is_not_found(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    let thought = item("item00005", ItemKind::Reasoning, ItemStatus::Complete, "secretly");
    let command = item("item00006", ItemKind::Command, ItemStatus::Running, "");
    let bodies = [
        Body::ItemCompleted { item: thought },
        Body::ItemStarted { item: Item { title: "make secretly".to_owned(), ..command } },
        delta("item00007", "secretly"),
    ];
    hold(&store, &lease, 5, &bodies).await;
    assert_eq!(found(&store, &["secretly"]).await, None);
    assert_eq!(found(&store, &["edit code"]).await, None, "the prompt");
}

async fn a_large_log_is_read_in_pages(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    for round in 0..4 {
        let bodies: Vec<Body> = (0..60).map(|n| task(&format!("Round {round}, task {n}, end."))).collect();
        hold(&store, &lease, 5, &bodies).await;
    }
    let due = Some((Place::User, "Round 3, task 59, end.".to_owned()));
    assert_eq!(found(&store, &["round 3", "task 59,"]).await, due);
    assert_eq!(found(&store, &["round 4"]).await, None);
}
