//! `bowline edit`: one edit of a file, and many as JSON lines.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::harness::{Ended, HELLO, World};

const FILE: &str = "fn main() {\n\tlet a = 1;\n\tlet b = 1;\n}\n";

async fn world() -> World {
    let world = World::play(HELLO).await;
    std::fs::write(world.project().join("a.rs"), FILE).unwrap();
    world
}

async fn edited(world: &World, args: &[&str]) -> Ended {
    world.bowline(&[&["edit"], args].concat()).end().await
}

/// The answers to these lines.
async fn answers(world: &World, lines: &[Value]) -> Vec<Value> {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    world.bowline(&["edit", "--jsonl"]).input(input).end().await.expect(0).frames()
}

#[tokio::test]
async fn an_edit_lands_or_is_refused_with_seven() {
    let world = world().await;
    let ended = edited(&world, &["a.rs", "--old", "let a = 1;", "--new", "let a = 2;"]).await.expect(0);
    assert_eq!(ended.stdout, "");
    ended.says(&["a.rs: 1 place changed (exact match): line 2."]);
    assert_eq!(world.read("a.rs"), FILE.replace("a = 1", "a = 2"));

    let drifted =
        ["a.rs", "--old", "    let a = 2;\n    let b = 1;", "--new", "    let a = 2;\n    let b = 3;"];
    edited(&world, &drifted).await.expect(0).says(&["white space match"]);
    let after = FILE.replace("a = 1", "a = 2").replace("b = 1", "b = 3");
    assert_eq!(world.read("a.rs"), after, "the tabs stay");

    edited(&world, &["a.rs", "--old", "let ", "--new", "const "])
        .await
        .expect(7)
        .says(&["occurs 2 times", "line 2"]);
    edited(&world, &["a.rs", "--old", "nowhere", "--new", "x"]).await.expect(7).says(&["is not in the file"]);
    edited(&world, &["a.rs", "--old", "", "--new", "x"]).await.expect(7).says(&["--old is blank"]);
    edited(&world, &["a.rs", "--old", "main", "--new", "main"]).await.expect(7).says(&["the same as --old"]);
    edited(&world, &["none.rs", "--old", "a", "--new", "b"])
        .await
        .expect(7)
        .says(&["none.rs does not exist"]);
    assert_eq!(world.read("a.rs"), after);

    edited(&world, &["a.rs", "--old", "let ", "--new", "const ", "--replace-all"])
        .await
        .expect(0)
        .says(&["2 places"]);
    edited(&world, &["new/b.rs", "--old", "", "--new", "fn b() {}\n"])
        .await
        .expect(0)
        .says(&["new/b.rs: created."]);
    assert_eq!(world.read("new/b.rs"), "fn b() {}\n");
    assert!(
        !world.home().exists() && world.server.requests().is_empty(),
        "an edit needs neither data nor model"
    );
}

#[tokio::test]
async fn what_is_wrong_with_the_line_is_wrong_usage() {
    let world = world().await;
    let wrong: [&[&str]; 8] = [
        &[],
        &["a.rs"],
        &["a.rs", "--old", "a"],
        &["--old", "a", "--new", "b"],
        &["a.rs", "--old", "a", "--old-file", "b", "--new", "c"],
        &["a.rs", "--old-file", "-", "--new-file", "-"],
        &["a.rs", "--old", "a", "--new-file", "nowhere"],
        &["--jsonl", "a.rs"],
    ];
    for args in wrong {
        edited(&world, args).await.expect(2);
    }
    edited(&world, &["a.rs", "-C", "nowhere", "--old", "a", "--new", "b"]).await.expect(2).says(&["-C"]);
    assert_eq!(world.read("a.rs"), FILE);
}

#[tokio::test]
async fn texts_come_from_files_and_from_stdin() {
    let world = world().await;
    std::fs::write(world.project().join("old"), "\tlet a = 1;\n").unwrap();
    let args = ["edit", "a.rs", "--old-file", "old", "--new-file", "-"];
    world.bowline(&args).input("\tlet a = \"$1 \\n\";\n").end().await.expect(0);
    assert_eq!(world.read("a.rs"), FILE.replace("a = 1", "a = \"$1 \\n\""));
}

#[tokio::test]
async fn a_dry_run_shows_and_writes_nothing() {
    let world = world().await;
    let args = ["a.rs", "--old", "let a = 1;", "--new", "--a;", "--dry-run"];
    let ended = edited(&world, &args).await.expect(0).says(&["Nothing was written."]);
    assert!(ended.stdout.contains("-\tlet a = 1;\n+\t--a;\n"), "{ended}");
    let json = edited(&world, &[&args[..], &["--json"]].concat()).await.expect(0);
    assert_eq!(json.frames()[0]["status"], "applied");
    assert_eq!(world.read("a.rs"), FILE);
}

#[tokio::test]
async fn the_user_may_name_a_file_anywhere_and_a_line_may_not() {
    let world = world().await;
    let outside = world.path().join("outside.txt");
    std::fs::write(&outside, "one\n").unwrap();
    symlink(&outside, world.project().join("link.txt")).unwrap();
    let lines = [outside.to_str().unwrap(), "../outside.txt", "link.txt", ".git/config", "", "."]
        .map(|path| json!({"path": path, "old": "one", "new": "two"}));
    for answer in answers(&world, &lines).await {
        assert_eq!(answer["status"], "refused", "{answer}");
    }
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "one\n");
    edited(&world, &["../outside.txt", "--old", "one", "--new", "two"]).await.expect(0);
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "two\n");
    let args = ["inner.rs", "-C", "deep", "--old", "", "--new", "x\n"];
    std::fs::create_dir(world.project().join("deep")).unwrap();
    edited(&world, &args).await.expect(0);
    assert_eq!(world.read("deep/inner.rs"), "x\n");
}

#[tokio::test]
async fn every_line_is_answered_in_order() {
    let world = world().await;
    let drift = "def f():\n  return one + two\n";
    let typo = "    let total = count + increment;\n    let avarage = total / divisor;\n    retrun(average);";
    let file = "fn f() {\n    let total = count + increment;\n    let average = total / divisor;\n    return(average);\n}\n";
    let input = [
        json!({"id": 1, "content": "a b", "old": "b", "new": "c"}).to_string(),
        "not json".to_owned(),
        json!({"id": {"k": [2]}, "content": "b b", "old": "b", "new": "c"}).to_string(),
        String::new(),
        json!({"id": "3", "content": "b b", "old": "b", "new": "c", "replace_all": true}).to_string(),
        json!({"content": "use a;\nuse b;\n", "old": "use a;", "new": "use a;\nuse b;"}).to_string(),
        json!({"content": drift, "old": "    return one + two", "new": "    return three"}).to_string(),
        json!({"content": drift, "old": "    return one + two", "new": "x", "mode": "exact"}).to_string(),
        json!({"content": file, "old": typo, "new": "    stop();", "mode": "lenient"}).to_string(),
        json!({"id": null, "content": "", "old": "", "new": "\u{e9}\n"}).to_string(),
        json!({"id": 9, "content": "a", "old": "a", "new": "b", "fuzzy": true}).to_string(),
    ];
    let ended = world.bowline(&["edit", "--jsonl"]).input(input.join("\n")).end().await.expect(0);
    let answers = ended.frames();
    let of = |field: &str| answers.iter().map(|answer| answer[field].clone()).collect::<Vec<_>>();
    assert_eq!(
        of("status"),
        [
            "applied",
            "refused",
            "ambiguous",
            "applied",
            "unchanged",
            "applied",
            "not_found",
            "applied",
            "applied",
            "refused"
        ]
    );
    assert_eq!(of("id")[..4], [json!(1), json!(null), json!({"k": [2]}), json!("3")]);
    assert_eq!(of("id")[9], 9);
    let (content, none) = (of("content"), Value::Null);
    assert_eq!(content[0], "a c");
    assert_eq!((&content[1], &content[2], &content[4]), (&none, &none, &none));
    assert_eq!(content[3], "c c");
    assert_eq!(content[5], "def f():\n  return three\n");
    assert_eq!(content[8], "\u{e9}\n");
    assert_eq!(answers[2]["places"], json!([{"line": 1, "last": 1}, {"line": 1, "last": 1}]));
    assert_eq!((&answers[0]["rung"], &answers[5]["rung"]), (&json!("exact"), &json!("white space")));
    assert_eq!(answers[7]["rung"], "similar");
    assert!(
        answers[7]["similarity"].as_f64().is_some_and(|like| (0.66..1.0).contains(&like)),
        "{}",
        answers[7]
    );
    assert!(answers.iter().all(|answer| answer["message"].as_str().is_some_and(|words| !words.is_empty())));
}

#[tokio::test]
async fn a_file_that_is_not_utf8_keeps_its_bytes() {
    let world = world().await;
    let path = world.project().join("latin.txt");
    std::fs::write(&path, b"caf\xe9\r\none\r\n").unwrap();
    let lines = [
        json!({"path": "latin.txt", "old": "one", "new": "two\nthree"}),
        json!({"path": "latin.txt", "old": "two", "new": "zw\u{f6}lf"}),
    ];
    let answers = answers(&world, &lines).await;
    assert_eq!(answers[0]["status"], "applied", "{}", answers[0]);
    assert_eq!(answers[0]["content"], Value::Null);
    assert_eq!(answers[1]["status"], "refused", "{}", answers[1]);
    assert_eq!(std::fs::read(&path).unwrap(), b"caf\xe9\r\ntwo\r\nthree\r\n");
}
