//! `bowline sessions list` and `show`.

use crate::harness::{World, is};

const TWO: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
reasoning "Thinking about it."
call view_file {"path":"a.txt"}
=== reply
text "It says alpha."
=== reply
text "Hello."
"#;

#[tokio::test]
async fn two_sessions_are_listed_and_shown() {
    let world = World::play(TWO).await;
    let none = world.bowline(&["sessions", "list"]).end().await.expect(0);
    assert_eq!(none.stdout, "");
    none.says(&["no sessions yet", "bowline run"]);
    world.bowline(&["sessions", "show"]).end().await.expect(2).says(&["there is no session in"]);

    world.run(&["What is in a.txt?\nTell me."]).end().await.expect(0);
    world.run(&["Say hello."]).end().await.expect(0);
    world.check_played();
    let list = world.bowline(&["sessions", "list", "--json"]).end().await.expect(0).frames();
    let titles: Vec<&str> = list.iter().map(|session| session["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Say hello.", "What is in a.txt?"], "newest first");
    for session in &list {
        assert_eq!(
            (&session["state"], &session["model"]),
            (&"idle".into(), &"llamacpp/scripted-coder:7b".into())
        );
        assert_eq!(session["project"], world.project().to_str().unwrap());
    }
    let ids: Vec<&str> = list.iter().map(|session| session["id"].as_str().unwrap()).collect();

    let lines = world.bowline(&["sessions", "list"]).end().await.expect(0);
    let lines: Vec<&str> = lines.stdout.lines().collect();
    assert!(
        lines[0].starts_with(&ids[0][..13]) && lines[0].ends_with("just now        Say hello."),
        "{lines:?}"
    );
    assert!(lines[1].starts_with(&ids[1][..13]) && lines[1].ends_with("What is in a.txt?"), "{lines:?}");

    let last = world.bowline(&["sessions", "show"]).end().await.expect(0);
    assert!(last.stdout.contains("> Say hello.\n\nHello.\n"), "{last}");
    let named = world.bowline(&["sessions", "show", ids[1]]).end().await.expect(0);
    let shown = "> What is in a.txt?\nTell me.\n  view_file a.txt · done\n\nIt says alpha.\n";
    assert!(named.stdout.ends_with(shown) && named.stdout.contains(ids[1]), "{named}");
    assert!(!named.stdout.contains('\x1b'), "{named}");
}

#[tokio::test]
async fn a_prefix_names_a_session_if_it_names_one() {
    let world = World::play(TWO).await;
    world.run(&["What is in a.txt?"]).end().await.expect(0);
    world.run(&["Say hello."]).end().await.expect(0);
    let list = world.bowline(&["sessions", "list", "--json"]).end().await.expect(0).frames();
    let ids: Vec<&str> = list.iter().map(|session| session["id"].as_str().unwrap()).collect();
    let common = ids[0].bytes().zip(ids[1].bytes()).take_while(|(a, b)| a == b).count();
    for id in &ids {
        let prefix = &id[..=common];
        let frames = world.bowline(&["sessions", "show", "--json", prefix]).end().await.expect(0).frames();
        assert!(is(&frames[0], "session.started") && frames[0]["session"] == **id, "{}", frames[0]);
    }
    let several = world.bowline(&["sessions", "show", &ids[0][..common]]).end().await.expect(2);
    several.says(&[ids[0], ids[1], "Type more of the id"]);
    world
        .bowline(&["sessions", "show", "ffff"])
        .end()
        .await
        .expect(2)
        .says(&["no session ffff", "sessions list"]);
}

#[tokio::test]
async fn a_folder_lists_its_own_sessions_and_all_lists_every_one() {
    let world = World::play(TWO).await;
    world.run(&["What is in a.txt?"]).end().await.expect(0);
    let other = world.path().join("other");
    std::fs::create_dir(&other).unwrap();
    world.run(&["Say hello."]).folder(&other).end().await.expect(0);
    let below = world.project().join("below");
    std::fs::create_dir(&below).unwrap();
    let here = world.bowline(&["sessions", "list"]).folder(&below).end().await.expect(0);
    assert!(here.stdout.contains("What is in a.txt?") && !here.stdout.contains("Say hello."), "{here}");
    let there = world.bowline(&["sessions", "list", "-C", other.to_str().unwrap()]).end().await.expect(0);
    assert!(there.stdout.contains("Say hello.") && !there.stdout.contains("a.txt"), "{there}");
    let all = world.bowline(&["sessions", "list", "--all"]).end().await.expect(0);
    assert_eq!(all.stdout.lines().count(), 2, "{all}");
    assert!(all.stdout.contains(other.to_str().unwrap()), "{all}");
}
