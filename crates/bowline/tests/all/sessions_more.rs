//! `bowline sessions search`, `rename`, `export` and `delete`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::{Ended, World, is};
use crate::log::check_whole;
use crate::terminal::Terminal;

const THREE: &str = r#"
=== server llamacpp window=16384
=== file settings.ini
time_out = 30
=== reply
reasoning "Thinking about it."
text "I change it."
call edit_file {"path":"settings.ini","old":"time_out = 30","new":"timeout_s = 30"}
call run_command {"command":"printf 'one\\n```\\ntwo\\n'; exit 3"}
=== reply
text "The setting is now called **timeout_s**."
=== reply
text "Die Straße ist lang."
=== reply
text "Hello."
"#;

async fn ids(world: &World) -> Vec<String> {
    let list = world.bowline(&["sessions", "list", "--json"]).end().await.expect(0).frames();
    list.iter().map(|session| session["id"].as_str().unwrap().to_owned()).collect()
}

/// Two sessions in the project, one elsewhere; the ids of the two, newest first.
async fn three_sessions(world: &World) -> Vec<String> {
    world.run(&["Rename the setting\nin settings.ini, please."]).end().await.expect(0);
    world.run(&["How long is the street?"]).end().await.expect(0);
    let other = world.path().join("other");
    std::fs::create_dir(&other).unwrap();
    world.run(&["Say hello."]).folder(&other).end().await.expect(0);
    world.check_played();
    ids(world).await
}

async fn search(world: &World, args: &[&str]) -> Vec<Value> {
    world.bowline(&[&["sessions", "search", "--json"], args].concat()).end().await.expect(0).frames()
}

#[tokio::test]
async fn sessions_are_found_by_what_was_said() {
    let world = World::play(THREE).await;
    let ids = three_sessions(&world).await;
    let hits = search(&world, &["STRASSE"]).await;
    assert_eq!(hits.len(), 1, "{hits:#?}");
    assert_eq!((&hits[0]["id"], &hits[0]["found_in"]), (&ids[0].as_str().into(), &"answer".into()));
    assert_eq!(hits[0]["line"], "Die Straße ist lang.");
    let hits = search(&world, &["please", "timeout_s", "settings.ini"]).await;
    assert_eq!(hits.len(), 1, "{hits:#?}");
    assert_eq!(
        (&hits[0]["found_in"], &hits[0]["line"]),
        (&"user".into(), &"in settings.ini, please.".into())
    );
    assert!(search(&world, &["hello"]).await.is_empty());
    assert_eq!(search(&world, &["--all", "hello"]).await.len(), 1);
    assert_eq!(search(&world, &["--all", "e"]).await.len(), 3);
    let ended = world.bowline(&["sessions", "search", "street", "long"]).end().await.expect(0);
    let due = format!(
        "{}  idle     just now        How long is the street?\n    title: How long is the street?\n",
        &ids[0][..13]
    );
    assert_eq!(ended.stdout, due);
    let none = world.bowline(&["sessions", "search", "nowhere said"]).end().await.expect(0);
    assert_eq!(none.stdout, "");
    none.says(&["no matching sessions here", "--all"]);
    world.bowline(&["sessions", "search", " "]).end().await.expect(2).says(&["say what to look for"]);
    world.bowline(&["sessions", "search"]).end().await.expect(2);
}

#[tokio::test]
async fn a_session_gets_another_title_and_stays_where_it_is() {
    let world = World::play(THREE).await;
    let ids = three_sessions(&world).await;
    let before = world.bowline(&["sessions", "show", "--json", &ids[1]]).end().await.expect(0).frames();
    let ended =
        world.bowline(&["sessions", "rename", &ids[1], "Settings:\tnew names\n"]).end().await.expect(0);
    assert_eq!(ended.stdout, format!("{}  Settings:new names\n", &ids[1][..13]));
    let list = world.bowline(&["sessions", "list", "--json"]).end().await.expect(0).frames();
    let titles: Vec<&str> = list.iter().map(|session| session["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["How long is the street?", "Settings:new names"], "the last one stays the last");
    let log = world.bowline(&["sessions", "show", "--json", &ids[1]]).end().await.expect(0).frames();
    check_whole(&log);
    assert_eq!(log[..before.len()], before);
    let [added] = &log[before.len()..] else { panic!("{log:#?}") };
    assert!(is(added, "session.updated") && added["title"] == "Settings:new names", "{added}");
    for empty in ["", " \n", "\x07"] {
        world
            .bowline(&["sessions", "rename", &ids[1], empty])
            .end()
            .await
            .expect(2)
            .says(&["title is empty"]);
    }
    world.bowline(&["sessions", "rename", "ffff", "x"]).end().await.expect(2).says(&["no session ffff"]);
}

#[tokio::test]
async fn a_session_at_work_is_neither_renamed_nor_deleted() {
    let scenario =
        "=== server llamacpp window=16384\n=== reply\ntext \"So far.\"\nhang\n=== reply\ntext \"Done.\"\n";
    let world = World::play(scenario).await;
    let mut running = world.run(&["--json", "Do it."]).start();
    let frame = running.until(|frame| is(frame, "text.delta")).await;
    let (session, process) = (frame["session"].as_str().unwrap(), format!("process {}", running.pid));
    let words = [session, &process, "Wait for it"];
    world.bowline(&["sessions", "rename", session, "Mine"]).end().await.expect(1).says(&words);
    world.bowline(&["sessions", "delete", "--yes", session]).end().await.expect(1).says(&words);
    assert_eq!(search(&world, &["do it"]).await.len(), 1);
    running.kill().await;
    // Its process is gone: what it left open is ended first.
    world.bowline(&["sessions", "rename", session, "Mine"]).end().await.expect(0);
    check_whole(&world.log().await);
    let ended = world.run(&["-c"]).end().await.expect(0);
    assert_eq!(ended.stdout, "Done.\n");
    world.bowline(&["sessions", "delete", "--yes", session]).end().await.expect(0);
    assert!(ids(&world).await.is_empty());
}

#[tokio::test]
async fn a_session_is_exported_for_people() {
    let world = World::play(THREE).await;
    let ids = three_sessions(&world).await;
    let ended = world.bowline(&["sessions", "export", &ids[1]]).end().await.expect(0);
    let due = format!(
        "# Rename the setting

`llamacpp/scripted-coder:7b` · `{}` · session {}

## User

Rename the setting
in settings.ini, please.

## Answer

I change it.

- edit `settings.ini` +1 −1
  <details><summary>diff</summary>

  ```diff
DIFF
  ```

  </details>

- run ````printf 'one\\n```\\ntwo\\n'; exit 3```` · exit 3
  <details><summary>result</summary>

  ````
  one
  ```
  two
  exit code 3
  ````

  </details>

The setting is now called **timeout_s**.

## Changes

- `settings.ini` +1 −1
",
        world.project().display(),
        ids[1]
    );
    let (head, tail) = due.split_once("DIFF").unwrap();
    assert!(ended.stdout.starts_with(head) && ended.stdout.ends_with(tail), "{ended}");
    assert!(ended.stdout.contains("  -time_out = 30\n  +timeout_s = 30\n"), "{ended}");
    assert!(!ended.stdout.contains("Thinking"), "{ended}");
}

#[tokio::test]
async fn a_session_is_exported_for_programs() {
    let world = World::play(THREE).await;
    let ids = three_sessions(&world).await;
    let log = world.bowline(&["sessions", "show", "--json", &ids[1]]).end().await.expect(0).stdout;
    let export = ["sessions", "export", &ids[1], "--format", "json"];
    assert_eq!(world.bowline(&export).end().await.expect(0).stdout, log);
    let file = world.path().join("session.jsonl");
    let ended = world.bowline(&[&export[..], &["-o", file.to_str().unwrap()]].concat()).end().await.expect(0);
    assert_eq!(ended.stdout, format!("{}\n", file.display()));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), log);
    let nowhere = world.path().join("none/session.md");
    let ended = world.bowline(&["sessions", "export", &ids[1], "-o", nowhere.to_str().unwrap()]).end().await;
    ended.expect(1).says(&[nowhere.to_str().unwrap(), "-o"]);
    world.bowline(&["sessions", "export", &ids[1], "--format", "pdf"]).end().await.expect(2);
}

/// Every file below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}

#[tokio::test]
async fn deleted_sessions_are_gone_and_no_others() {
    let world = World::play(THREE).await;
    let ids = three_sessions(&world).await;
    world.bowline(&["sessions", "delete", &ids[0]]).end().await.expect(2).says(&["--yes"]);
    // One that can't be named keeps the others.
    let wrong = world.bowline(&["sessions", "delete", "--yes", &ids[0], "ffff"]).end().await.expect(2);
    wrong.says(&["no session ffff"]);
    assert_eq!(self::ids(&world).await, ids);
    let ended = world.bowline(&["sessions", "delete", "--yes", &ids[1], &ids[1]]).end().await.expect(0);
    assert_eq!(ended.stdout, format!("deleted {}  Rename the setting\n", &ids[1][..13]));
    assert_eq!(self::ids(&world).await, ids[..1]);
    assert_eq!(search(&world, &["--all", "e"]).await.len(), 2);
    world.bowline(&["sessions", "show", &ids[1]]).end().await.expect(2).says(&["no session"]);
    // Nor can it be read from what lies on the disk; the project is as it was.
    let secret = b"The setting is now called";
    for file in below(&world.home()) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret), "{}", file.display());
    }
    assert_eq!(world.read("settings.ini"), "timeout_s = 30\n");
    let all: Vec<String> = search(&world, &["--all", "e"])
        .await
        .iter()
        .map(|session| session["id"].as_str().unwrap().to_owned())
        .collect();
    let ids: Vec<&str> = all.iter().map(String::as_str).collect();
    let ended = world.bowline(&[&["sessions", "delete", "--yes"], &ids[..]].concat()).end().await.expect(0);
    assert_eq!(ended.stdout.lines().count(), 2, "{ended}");
}

async fn delete_on_terminal(world: &World, id: &str, answer: &str) -> Ended {
    let mut terminal = Terminal::new();
    let running = terminal.attach(world.bowline(&["sessions", "delete", id])).start_on_terminal();
    terminal.started();
    terminal.until("permanently? [y]es, [n]o:").await;
    terminal.type_line(answer);
    running.end().await.expect(0)
}

#[tokio::test]
async fn a_terminal_is_asked_before_anything_is_deleted() {
    let world = World::play(THREE).await;
    let ids = three_sessions(&world).await;
    for answer in ["n", "", "what?"] {
        assert_eq!(delete_on_terminal(&world, &ids[0], answer).await.stdout, "");
        assert_eq!(self::ids(&world).await, ids);
    }
    delete_on_terminal(&world, &ids[0], "y").await;
    assert_eq!(self::ids(&world).await, ids[1..]);
}
