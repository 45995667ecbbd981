//! A run without any trouble, as people and programs see it, on both protocols and both databases.

use serde_json::{Value, json};

use crate::harness::{Ended, World, is};
use crate::log::{check_numbers, check_whole, ends, outcomes};
use crate::postgres;

const CLEAN: &str = include_str!("../../../../scenarios/clean.scenario");
const ANSWER: &str = "The setting is now called `timeout_s` in settings.ini, and app.sh reads it by its new name. The test passes.";
const OUTCOMES: [&str; 6] = [
    "grep success",
    "view_file success",
    "view_file success",
    "edit_file success",
    "edit_file success",
    "run_command success",
];
/// Every kind of frame there is.
const KINDS: [&str; 25] = [
    "checked",
    "session.started",
    "session.updated",
    "turn.started",
    "run.started",
    "message.started",
    "message.completed",
    "input",
    "queued",
    "step.started",
    "step.completed",
    "item.started",
    "item.updated",
    "item.completed",
    "text.delta",
    "reasoning.delta",
    "sentinel",
    "permission.asked",
    "permission.answered",
    "checkpoint",
    "turn.completed",
    "turn.paused",
    "turn.failed",
    "error",
    "waiting",
];

/// What the clean scenario leaves, however it is shown.
fn check_clean(world: &World, ended: &Ended) {
    world.check_played();
    assert_eq!(world.read("settings.ini"), "[network]\nhost = localhost\ntimeout_s = 30\n");
    assert!(world.read("app.sh").contains("s/^timeout_s = //p"));
    assert!(
        !ended.stdout.contains('\x1b') && !ended.stderr.contains('\x1b'),
        "colour without a terminal\n{ended}"
    );
}

/// The lines on stderr that tell of calls, without their diffs and the time a slow machine adds.
fn call_lines(ended: &Ended) -> Vec<String> {
    let lines = ended.stderr.lines().filter(|line| line.starts_with("  ") && !line.starts_with("    "));
    lines.map(|line| line.split(" · 0:").next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn people_see_the_answer_and_a_line_per_call() {
    let world = World::play(CLEAN).await;
    let ended = world.run(&[&world.task]).end().await.expect(0);
    check_clean(&world, &ended);
    assert_eq!(ended.stdout, format!("{ANSWER}\n"));
    let mut lines = call_lines(&ended);
    // The two reads run side by side.
    lines[3..5].sort();
    assert_eq!(
        lines,
        [
            "  I'll look for the setting first.",
            "  search time_out",
            "  Two files matter. I read both.",
            "  read   app.sh",
            "  read   settings.ini",
            "  check  sh test.sh · exited with 1: FAILED: time_out is still there (before the first edit)",
            "  edit   settings.ini +1 −1",
            "  check  sh test.sh · exited with 1: FAILED: time_out is still there",
            "  edit   app.sh +1 −1",
            "  check  sh test.sh · passes",
            "  Now the test.",
            "  run    sh test.sh",
        ]
    );
    let diff = "      2   host = localhost\n      3 - time_out = 30\n      3 + timeout_s = 30\n";
    assert!(ended.stderr.contains(diff), "{ended}");
    let first = ended.stderr.lines().next().unwrap();
    assert!(first.starts_with("llamacpp/scripted-coder:7b · ") && first.contains("window 16384"), "{first}");
    let account: Vec<&str> = ended.stderr.rsplit("\n\n").next().unwrap().lines().collect();
    let [app, settings, check, figures, next] = account[..] else { panic!("{ended}") };
    assert_eq!((app, settings), ("app.sh +1 −1", "settings.ini +1 −1"));
    assert_eq!(check, "check passes now: sh test.sh · passes");
    for part in [" · reading 0:03 · writing 0:03 · commands 0:", " · 80 % of the prompt cached"] {
        assert!(figures.contains(part), "{figures}");
    }
    assert_eq!(next, "bowline diff · bowline undo · bowline run -c \"…\"");
}

#[tokio::test]
async fn programs_see_every_frame() {
    let world = World::play(CLEAN).await;
    let ended = world.run(&["--json", &world.task]).end().await.expect(0);
    check_clean(&world, &ended);
    assert_eq!(ended.stderr, "");
    let frames = ended.frames();
    check_numbers(&frames);
    check_whole(&frames);
    assert_eq!(outcomes(&frames), OUTCOMES);
    for frame in &frames {
        assert!(KINDS.iter().any(|kind| is(frame, kind)), "{frame}");
    }
    let [started, .., completed] = &frames[..] else { panic!("{ended}") };
    assert!(is(started, "session.started"), "{started}");
    assert_eq!(started["project"], world.project().to_str().unwrap());
    assert_eq!(
        (&started["window"], &started["model"]),
        (&json!(16384), &json!("llamacpp/scripted-coder:7b"))
    );
    assert!(started.get("prompt").is_none() && started.get("tools").is_none(), "{started}");
    assert!(is(completed, "turn.completed"), "{completed}");
    assert_eq!((&completed["stop"], &completed["text"]), (&json!("done"), &json!(ANSWER)));
    assert_eq!(
        completed["changes"],
        json!([{"path": "app.sh", "added": 1, "removed": 1}, {"path": "settings.ini", "added": 1, "removed": 1}])
    );
    check_items(&frames);
    // What was shown is what is kept, but for the pieces that a whole item replaced and what is never kept.
    let passing = ["waiting", "text.delta", "reasoning.delta", "item.updated"];
    let kept: Vec<&Value> =
        frames.iter().filter(|frame| !passing.iter().any(|kind| is(frame, kind))).collect();
    assert_eq!(world.log().await.iter().collect::<Vec<_>>(), kept);
}

/// A completed item has all there is to know of it.
fn check_items(frames: &[Value]) {
    let of_kind = |kind: &str| {
        let mut items = frames.iter().filter(|frame| is(frame, "item.completed")).map(|frame| &frame["item"]);
        items.find(|item| item["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"))
    };
    assert_eq!(of_kind("text")["text"], "I'll look for the setting first.");
    assert_eq!(
        of_kind("reasoning")["text"],
        "The setting is probably in a settings file; let me find who uses it."
    );
    let edit = of_kind("edit");
    assert_eq!((&edit["status"], &edit["title"]), (&json!("complete"), &json!("settings.ini")));
    let change = &edit["result"]["edits"][0];
    assert_eq!(
        (&change["added"], &change["removed"], &change["rung"]),
        (&json!(1), &json!(1), &json!("exact"))
    );
    assert!(change["diff"].as_str().unwrap().contains("-time_out = 30\n+timeout_s = 30\n"), "{change}");
    let command = of_kind("command");
    assert_eq!(command["result"]["text"], "ok: 2 checks passed\nexit code 0");
    assert!(command["result"]["duration_ms"].is_i64(), "{command}");
}

#[tokio::test]
async fn quiet_is_the_answer_alone_also_in_a_file() {
    let world = World::play(CLEAN).await;
    let file = world.path().join("answer.txt");
    let ended = world.run(&["-q", "-o", file.to_str().unwrap(), &world.task]).end().await.expect(0);
    check_clean(&world, &ended);
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), (format!("{ANSWER}\n").as_str(), ""));
    assert_eq!(std::fs::read_to_string(file).unwrap(), format!("{ANSWER}\n"));
}

#[tokio::test]
async fn verbose_shows_what_the_model_thinks() {
    let world = World::play(CLEAN).await;
    let ended = world.run(&["-v", &world.task]).env("TERM", "xterm").end().await.expect(0);
    check_clean(&world, &ended);
    assert_eq!(ended.stdout, format!("{ANSWER}\n"));
    ended.says(&["  The setting is probably in a settings file; let me find who uses it.\n"]);
}

#[tokio::test]
async fn ollama_is_spoken_to_in_its_own_protocol() {
    let scenario = CLEAN.replace("=== server llamacpp window=16384", "=== server ollama train=131072");
    let world = World::play(&scenario).await;
    let ended = world.run(&[&world.task]).end().await.expect(0);
    check_clean(&world, &ended);
    assert_eq!(ended.stdout, format!("{ANSWER}\n"));
    let requests = world.server.requests();
    let chats: Vec<_> = requests.iter().filter(|request| request.is_chat()).collect();
    assert_eq!(chats.len(), 6);
    for chat in chats {
        assert_eq!(chat.path, "/api/chat");
        let body = &chat.body;
        assert_eq!(body["options"]["num_ctx"], 32768);
        assert_eq!(body["options"]["num_predict"], 8192);
        assert_eq!((&body["truncate"], &body["shift"]), (&json!(false), &json!(false)));
        assert_eq!(body["keep_alive"], "30m");
    }
}

#[tokio::test]
async fn postgresql_keeps_a_session_as_sqlite_does() {
    let database = postgres::new_database().await;
    let world = World::play(CLEAN).await;
    let ended = world.run(&["--json", &world.task]).env("BOWLINE_DATABASE", &database).end().await.expect(0);
    check_clean(&world, &ended);
    assert!(!world.database().exists(), "a database nobody asked for");
    let show = world.bowline(&["sessions", "show", "--json"]).env("BOWLINE_DATABASE", &database);
    let log = show.end().await.expect(0).frames();
    check_whole(&log);
    assert_eq!(outcomes(&log), OUTCOMES);
    assert_eq!(ends(&log), ["turn.completed done"]);
    postgres::drop_database(&database).await;
}
