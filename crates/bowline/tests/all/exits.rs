//! Exit codes, each with words that say what to do next.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::net::TcpSocket;

use crate::harness::{HELLO, World, git, is, unshare};
use crate::log::{check_whole, ends};

#[tokio::test]
async fn a_flag_that_is_not_there_yet_is_unknown() {
    let world = World::play(HELLO).await;
    let later = world.run(&["Hello.", "--agent", "architect"]);
    later.end().await.expect(2).says(&["--agent", "Usage:"]);
    world.bowline(&["fix"]).end().await.expect(2).says(&["fix"]);
    assert!(world.server.requests().is_empty() && !world.home().exists(), "something was done all the same");
}

#[tokio::test]
async fn wrong_values_are_wrong_usage() {
    let world = World::play(HELLO).await;
    let wrong: [&[&str]; 10] = [
        &["--allow", " "],
        &["--deny", "no_tool(x)"],
        &["--max-time", "soon"],
        &["--max-time", "0s"],
        &["--max-steps", "0"],
        &["--max-steps", "many"],
        &["--window", "12"],
        &["-c", "-s", "0"],
        &["-q", "-v"],
        &["too", "many"],
    ];
    for flags in wrong {
        world.run(&[&["Hello."], flags].concat()).end().await.expect(2);
    }
    assert!(world.server.requests().is_empty() && !world.home().exists(), "something was done all the same");
}

#[tokio::test]
async fn a_task_there_is_none_of_is_wrong_usage() {
    let world = World::play(HELLO).await;
    world.run(&[]).end().await.expect(2).says(&["there is no task", "bowline run \""]);
    for task in ["", "  \n\t ", "-"] {
        world.run(&[task]).end().await.expect(2).says(&["the task is empty", "bowline run \""]);
    }
    let ended = world.run(&["--json", ""]).end().await.expect(2);
    let error = &ended.frames()[0];
    assert!(is(error, "error") && error["exit"] == 2 && error["v"] == 1, "{error}");
    assert!(error["what"].as_str().unwrap().contains("the task is empty"), "{error}");
    world.run(&["-c"]).end().await.expect(2).says(&["there is no session in", "bowline run \"task\""]);
    world
        .run(&["-s", "0123", "Hello."])
        .end()
        .await
        .expect(2)
        .says(&["no session 0123", "bowline sessions list"]);
    assert!(world.server.requests().is_empty(), "a server was asked for nothing");
}

#[tokio::test]
async fn a_folder_that_cannot_be_a_project_is_wrong_usage() {
    let world = World::play(HELLO).await;
    world.run(&["-C", "nowhere", "Hello."]).end().await.expect(2).says(&[
        "nowhere",
        "there is no such folder",
        "-C",
    ]);
    std::fs::write(world.project().join("file"), "").unwrap();
    world.run(&["-C", "file", "Hello."]).end().await.expect(2).says(&["file", "it is not a folder"]);
    let bare = world.path().join("bare.git");
    std::fs::create_dir(&bare).unwrap();
    git(&bare, &["init", "--quiet", "--bare"]);
    let ended = world.run(&["-C", bare.to_str().unwrap(), "Hello."]).end().await.expect(2);
    ended.says(&["bare repository", "Clone it"]);
    assert!(world.model_requests().is_empty());
}

#[tokio::test]
async fn a_session_belongs_to_its_folder() {
    let world = World::play(HELLO).await;
    let ended = world.run(&["--json", "Hello."]).end().await.expect(0);
    let session = ended.frames()[0]["session"].as_str().unwrap().to_owned();
    let other = world.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let project = world.project();
    let ended = world.run(&["-s", &session, "Hello."]).folder(&other).end().await.expect(2);
    ended.says(&[&session, project.to_str().unwrap(), "bowline run -C"]);
}

/// An address nobody listens on, and nobody else can as long as the socket is there.
pub(crate) fn closed() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_no_model() {
    let world = World::play(HELLO).await;
    let (_socket, address) = closed();
    let url = format!("http://{address}/v1");
    let ended = world.bowline(&["run", "--base-url", &url, "Hello."]).end().await.expect(5);
    ended.says(&[&url, "does not answer", "Start the server", "--base-url"]);
    let flag_beats_variable = world.run(&["Hello."]).env("BOWLINE_BASE_URL", &url);
    flag_beats_variable.end().await.expect(0);
    let by_variable = world.bowline(&["run", "--json", "Hello."]).env("BOWLINE_BASE_URL", &url);
    let ended = by_variable.end().await.expect(5).says(&[&url]);
    assert_eq!(ended.frames()[0]["exit"], 5);
}

#[tokio::test]
async fn without_any_server_the_user_is_told_what_was_asked() {
    let world = World::play(HELLO).await;
    let (_socket, ollama) = closed();
    let mut program = world.bowline(&["run", "Hello."]).env("OLLAMA_HOST", ollama.to_string());
    // In a network of its own no server of this machine can answer. Where that is not allowed, none may run here.
    if let Some(flag) = unshare(["-n", "-rn"]) {
        program.command = alone(&program.command, flag);
    }
    let ended = program.end().await;
    let why = "where `unshare -n` is not allowed, no server may run on ports 8080, 1234 and 8000";
    assert_eq!(ended.code(), Some(5), "{why}\n{ended}");
    ended.says(&[
        "no model server was found",
        &format!("http://{ollama}"),
        "http://127.0.0.1:8080",
        "http://127.0.0.1:1234",
        "http://127.0.0.1:8000",
        "ollama serve",
        "--base-url",
    ]);
}

/// The same command, in a network without anything in it.
pub(crate) fn alone(command: &tokio::process::Command, flag: &str) -> tokio::process::Command {
    let command = command.as_std();
    let mut outer = tokio::process::Command::new("unshare");
    outer.arg(flag).arg(command.get_program()).args(command.get_args()).env_clear();
    outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    outer.current_dir(command.get_current_dir().unwrap());
    outer
}

#[tokio::test]
async fn an_unknown_model_is_answered_with_those_there_are() {
    let world = World::play("=== server ollama models=qwen3:8b,tiny:1b sizes=5G,1G\n").await;
    let ended = world.run(&["-m", "qwen4", "Hello."]).end().await.expect(5);
    ended.says(&["\"qwen4\"", "ollama/qwen3:8b", "ollama/tiny:1b"]);
    let by_variable = world.run(&["Hello."]).env("BOWLINE_MODEL", "qwen4");
    by_variable.end().await.expect(5).says(&["ollama/qwen3:8b"]);
    assert!(world.model_requests().is_empty());
    let list = world.bowline(&["sessions", "list"]).end().await.expect(0);
    assert_eq!(list.stdout, "", "a run that could not start left a session");
}

#[tokio::test]
async fn a_named_model_is_the_one_asked() {
    let world = World::play(
        "=== server ollama models=qwen3:8b,tiny:1b sizes=5G,1G\n=== reply repeat\ntext \"Hello.\"\n",
    )
    .await;
    for (name, model) in [("tiny:1b", "tiny:1b"), ("ollama/qwen3:8b", "qwen3:8b")] {
        world.run(&["-m", name, "Hello."]).end().await.expect(0).says(&[&format!("ollama/{model} · named")]);
        assert_eq!(world.model_requests().pop().unwrap()["model"], model);
    }
    // The one used last is used again.
    world.run(&["-m", "tiny:1b", "Hello."]).end().await.expect(0);
    world.run(&["Hello."]).end().await.expect(0).says(&["ollama/tiny:1b · last used here"]);
}

#[tokio::test]
async fn a_web_page_is_no_model_server() {
    let world = World::play("=== server html\n").await;
    let ended = world.run(&["Hello."]).end().await.expect(5);
    ended.says(&[&world.server.base_url(), "not as a model server", "a web page", "Check the address"]);
}

#[tokio::test]
async fn a_server_without_a_chat_model_is_no_model() {
    let world = World::play("=== server ollama models=nomic-embed-text caps=embedding\n").await;
    world.run(&["Hello."]).end().await.expect(5).says(&["no model to chat with", "ollama pull"]);
}

#[tokio::test]
async fn a_window_too_small_to_work_in_is_no_model() {
    let world = World::play("=== server llamacpp window=4096\n=== reply\ntext \"Hello.\"\n").await;
    let ended = world.run(&["Hello."]).end().await.expect(5);
    ended.says(&["llamacpp/scripted-coder:7b has a window of 4096 tokens", "6144", "llama-server -c"]);
    world.run(&["--window", "2048", "Hello."]).end().await.expect(5).says(&["2048 tokens", "--window"]);
    assert!(world.model_requests().is_empty());
    // The user may know better than the server.
    world.run(&["--window", "8192", "Hello."]).end().await.expect(0).says(&["window 8192"]);
}

#[tokio::test]
async fn used_up_steps_stop_the_run_with_a_summary() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply repeat=2
call list_dir {}
=== reply
text "I looked twice. The rest is left to do."
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    let ended = world.run(&["--max-steps", "2", "Look."]).end().await.expect(3);
    assert_eq!(ended.stdout, "I looked twice. The rest is left to do.\n");
    let ended =
        ended.says(&["! the run has used up its steps", "The run used up its 2 steps.", "bowline run -c"]);
    let (reason, account) = (ended.stderr.find("The run used up"), ended.stderr.find("no file was changed"));
    assert!(reason < account, "the reason comes first\n{ended}");
    let ended = world.run(&["-c"]).end().await.expect(0);
    assert_eq!(ended.stdout, "Done.\n");
    world.check_played();
    assert_eq!(ends(&world.log().await), ["turn.paused limit", "turn.completed done"]);
}

#[tokio::test]
async fn used_up_time_stops_the_run() {
    let world = World::play("=== server llamacpp window=16384\n=== reply\ntext \"So far.\"\nhang\n").await;
    let ended = world.run(&["--max-time", "1s", "Think."]).end().await.expect(3);
    ended.says(&["! the run has used up its time", "bowline run -c"]);
    let log = world.log().await;
    check_whole(&log);
    assert_eq!(ends(&log), ["turn.paused limit"]);
}

#[tokio::test]
async fn a_model_that_answers_nothing_stops_the_run() {
    let world = World::play("=== server llamacpp window=16384\n=== reply repeat=3\n").await;
    let ended = world.run(&["--json", "Hello."]).end().await.expect(3);
    world.check_played();
    let sentinel = ended.frames().into_iter().find(|frame| is(frame, "sentinel")).unwrap();
    let due = json!({"kind": "no_answer", "reason": "empty", "can_continue": true});
    assert_eq!(sentinel["sentinel"], due, "{sentinel}");
}

#[tokio::test]
async fn what_nobody_could_be_asked_about_is_refused_and_said() {
    let world = World::play(include_str!("../../../../scenarios/outside-nobody.scenario")).await;
    let ended = world.run(&[&world.task]).end().await.expect(4);
    assert_eq!(ended.stdout, "I may not read it.\n");
    ended.says(&[
        "refused, because nobody could be asked: read /etc/hostname-of-nobody",
        "--allow 'view_file(/etc/hostname-of-nobody)' would allow it",
    ]);
    world.check_played();
}

#[tokio::test]
async fn yes_answers_every_question() {
    let world = World::play(&crate::other_process::outside_scenario()).await;
    std::fs::write(world.path().join("outside.txt"), "beyond\n").unwrap();
    let ended = world.run(&["--json", "--yes", "Read it."]).end().await.expect(0);
    let read = ended.frames().into_iter().find(|frame| is(frame, "item.completed")).unwrap();
    let text: &Value = &read["item"]["result"]["text"];
    assert!(text.as_str().unwrap().contains("1| beyond"), "{read}");
}

#[tokio::test]
async fn a_server_that_refuses_for_good_fails_the_run() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
status 400 {"error":{"message":"something is off"}}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    let ended = world.run(&["Hello."]).end().await.expect(1);
    assert_eq!(ended.stdout, "");
    ended.says(&["The model's server answered 400: something is off", "bowline run -c"]);
    assert_eq!(world.model_requests().len(), 1, "asked again for nothing");
    world.run(&["-c"]).end().await.expect(0);
    world.check_played();
}
