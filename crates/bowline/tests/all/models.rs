//! `bowline models`: what is found, what would be used, and that nothing is loaded by looking.

use bowline_host::store::{Location, Store};
use serde_json::{Value, json};

use crate::exits::{alone, closed};
use crate::harness::{Ended, HELLO, Program, World, unshare};

/// What the largest is, and what a name does not tell: `gte-qwen2` only makes embeddings.
const OLLAMA: &str = "=== server ollama train=131072 sizes=5.2G,1.3G,15G,270M,384 \
    models=qwen3:8b,tiny:1b,gte-qwen2:7b,nomic-embed-text:latest,gpt-oss:120b-cloud \
    caps=tools+thinking,tools,embedding,embedding,tools\n=== reply repeat\ntext \"Hello.\"\n";

fn models(world: &World, args: &[&str]) -> Program {
    let url = world.server.base_url();
    world.bowline(&[&["models", "--base-url", &url], args].concat())
}

async fn listed(world: &World, args: &[&str]) -> Vec<Value> {
    models(world, &[&["--json"], args].concat()).end().await.expect(0).frames()
}

/// The one that is used, and why.
fn picked(rows: &[Value]) -> (&str, &str) {
    let picked: Vec<&Value> = rows.iter().filter(|row| row["picked"] == true).collect();
    assert_eq!(picked.len(), 1, "{rows:#?}");
    assert!(rows.iter().all(|row| row["why"].is_null() != (row["picked"] == true)), "{rows:#?}");
    (picked[0]["model"].as_str().unwrap(), picked[0]["why"].as_str().unwrap())
}

fn column(rows: &[Value], key: &str) -> Vec<Value> {
    rows.iter().map(|row| row[key].clone()).collect()
}

/// Every line of the table within 80 columns, and none that a terminal obeys.
fn check_plain(ended: &Ended) {
    assert!(!ended.stdout.contains('\x1b'), "{ended}");
    assert!(ended.stdout.lines().all(|line| line.chars().count() <= 80), "{ended}");
}

fn check_nothing_loaded(world: &World) {
    let asked: Vec<String> = world.server.requests().into_iter().map(|request| request.path).collect();
    let loads = |path: &String| path.contains("chat") || path.contains("generate") || path.contains("/load");
    assert!(!asked.iter().any(loads), "{asked:?}");
    assert_eq!(world.server.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn a_single_model_of_llamacpp() {
    let world = World::play(HELLO).await;
    let url = world.server.base_url();
    let due = json!({
        "v": 1, "server": "llamacpp", "base_url": url, "model": "llamacpp/scripted-coder:7b", "window": 16384,
        "window_known": true, "loaded": true, "bytes": 4_683_087_332_i64, "runs": "here", "use": "chat",
        "mode": null, "picked": true, "why": "loaded now",
    });
    assert_eq!(listed(&world, &[]).await, [due]);
    let ended = models(&world, &[]).end().await.expect(0);
    let due = format!(
        "llamacpp at {url}\n* llamacpp/scripted-coder:7b  4.6 GB  16384  loaded\n\n\
         * used here: llamacpp/scripted-coder:7b · loaded now · window 16384\n"
    );
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), (due.as_str(), ""));
    check_nothing_loaded(&world);
}

#[tokio::test]
async fn what_is_remembered_of_a_model_is_shown() {
    let world = World::play(HELLO).await;
    let store = Store::open(&Location::Sqlite(world.database())).await.unwrap();
    let (name, url) = ("llamacpp/scripted-coder:7b", world.server.base_url());
    store.note_mode(name, "http://10.0.0.5:8080/v1", "constrained", "exam", 5).await.unwrap();
    assert_eq!(column(&listed(&world, &[]).await, "mode"), [Value::Null], "of another machine");
    store.note_mode(name, &url, "text", "refused", 5).await.unwrap();
    assert_eq!(column(&listed(&world, &[]).await, "mode"), ["text"]);
    let ended = models(&world, &[]).end().await.expect(0);
    assert!(ended.stdout.contains("  16384  loaded, text mode\n"), "{ended}");
}

#[tokio::test]
async fn ollama_with_models_of_every_sort() {
    let world = World::play(OLLAMA).await;
    let rows = listed(&world, &[]).await;
    assert_eq!(picked(&rows), ("ollama/qwen3:8b", "the largest"));
    assert_eq!(column(&rows, "use"), ["chat", "chat", "embedding", "embedding", "chat"]);
    assert_eq!(column(&rows, "runs"), ["here", "here", "here", "here", "elsewhere"]);
    assert!(rows.iter().all(|row| row["window"] == 32768 && row["loaded"] == false), "{rows:#?}");
    let shown = |world: &World| -> Vec<Value> {
        let asked = world.server.requests().into_iter().filter(|request| request.path == "/api/show");
        asked.map(|request| request.body["model"].clone()).collect()
    };
    assert!(!shown(&world).contains(&json!("gpt-oss:120b-cloud")), "asked what may ask elsewhere");
    let ended = models(&world, &[]).end().await.expect(0);
    check_plain(&ended);
    let (_, table) = ended.stdout.split_once('\n').unwrap();
    let due = "\
* ollama/qwen3:8b                  5.2 GB  32768
  ollama/tiny:1b                   1.3 GB  32768
  ollama/gte-qwen2:7b             15.0 GB      –  embedding, not usable
  ollama/nomic-embed-text:latest   270 MB      –  embedding, not usable
  ollama/gpt-oss:120b-cloud             –  32768  leaves this machine

* used here: ollama/qwen3:8b · the largest · window 32768
";
    assert_eq!(table, due);
    check_nothing_loaded(&world);
    // A run takes the same, and with it the model is the one used last, and in memory.
    world.run(&["-m", "tiny:1b", "Hello."]).end().await.expect(0);
    let rows = listed(&world, &[]).await;
    assert_eq!(picked(&rows), ("ollama/tiny:1b", "last used here"));
    assert_eq!(column(&rows, "loaded"), [false, true, false, false, false]);
    let elsewhere = world.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let rows = models(&world, &["--json"]).folder(&elsewhere).end().await.expect(0).frames();
    assert_eq!(picked(&rows), ("ollama/tiny:1b", "loaded now"));
}

#[tokio::test]
async fn a_run_takes_the_model_that_is_marked() {
    let world = World::play(OLLAMA).await;
    assert_eq!(picked(&listed(&world, &[]).await), ("ollama/qwen3:8b", "the largest"));
    world.run(&["Hello."]).end().await.expect(0).says(&["ollama/qwen3:8b · the largest · window 32768"]);
    assert_eq!(world.model_requests()[0]["model"], "qwen3:8b");
}

#[tokio::test]
async fn a_named_model_is_the_one_that_is_marked() {
    let world = World::play(OLLAMA).await;
    let rows = listed(&world, &["-m", "gpt-oss:120b-cloud"]).await;
    assert_eq!(picked(&rows), ("ollama/gpt-oss:120b-cloud", "named"));
    let by_variable = models(&world, &["--json"]).env("BOWLINE_MODEL", "ollama/tiny:1b");
    assert_eq!(picked(&by_variable.end().await.expect(0).frames()), ("ollama/tiny:1b", "named"));
    let ended = models(&world, &["--json", "--model", "qwen4"]).end().await.expect(5);
    assert!(ended.frames().len() == 5 && column(&ended.frames(), "picked").iter().all(|is| is == false));
    ended.says(&["no model \"qwen4\"", "--model"]);
    check_nothing_loaded(&world);
}

#[tokio::test]
async fn a_server_where_it_usually_is_needs_no_name() {
    let world = World::play(OLLAMA).await;
    let address = world.server.address().to_string();
    let ended = world.bowline(&["models", "--json"]).env("OLLAMA_HOST", &address).end().await.expect(0);
    // Others may run on this machine.
    let (frames, url) = (ended.frames(), world.server.base_url());
    assert_eq!(frames.iter().filter(|row| row["base_url"] == url.as_str()).count(), 5, "{ended}");
}

#[tokio::test]
async fn lm_studio_tells_what_is_loaded() {
    let world = World::play(
        "=== server lmstudio window=12288 train=131072 models=big-32b,coder-7b,text-embedding-nomic \
         caps=tools,tools,embedding loaded=coder-7b\n=== reply\ntext \"Hello.\"\n",
    )
    .await;
    let rows = listed(&world, &[]).await;
    assert_eq!(picked(&rows), ("lmstudio/coder-7b", "loaded now"));
    assert_eq!(column(&rows, "window"), [8192, 12288, 8192]);
    assert_eq!(column(&rows, "window_known"), [false, true, false]);
    assert_eq!(column(&rows, "use"), ["chat", "chat", "embedding"]);
    assert_eq!(column(&rows, "bytes"), [Value::Null, Value::Null, Value::Null]);
    let ended = models(&world, &[]).end().await.expect(0);
    check_plain(&ended);
    for due in ["  lmstudio/big-32b               –  8192?\n", "? not reported by the server"] {
        assert!(ended.stdout.contains(due), "{due:?}\n{ended}");
    }
    check_nothing_loaded(&world);
    world.run(&["Hello."]).end().await.expect(0).says(&["lmstudio/coder-7b · loaded now · window 12288"]);
    world.check_played();
}

#[tokio::test]
async fn vllm_tells_its_window() {
    let world = World::play("=== server vllm window=40960 models=Qwen/Coder-7B\n").await;
    let rows = listed(&world, &[]).await;
    assert_eq!(picked(&rows), ("vllm/Qwen/Coder-7B", "loaded now"));
    assert_eq!((&rows[0]["server"], &rows[0]["window"]), (&json!("vllm"), &json!(40960)));
}

#[tokio::test]
async fn a_router_is_asked_without_loading_anything() {
    let world = World::play(
        "=== server router window=12288 models=ggml-org/gemma&x:Q4_K_M,qwen+3,small \
         loaded=ggml-org/gemma&x:Q4_K_M\n=== reply\ntext \"Hello.\"\n",
    )
    .await;
    let rows = listed(&world, &[]).await;
    assert_eq!(picked(&rows), ("llamacpp/ggml-org/gemma&x:Q4_K_M", "loaded now"));
    assert_eq!(column(&rows, "window"), [12288, 8192, 8192]);
    assert_eq!(column(&rows, "loaded"), [true, false, false]);
    check_nothing_loaded(&world);
    world.run(&["Hello."]).end().await.expect(0).says(&["gemma&x:Q4_K_M · loaded now · window 12288"]);
    assert_eq!(world.model_requests()[0]["model"], "ggml-org/gemma&x:Q4_K_M");
    world.check_played();
}

#[tokio::test]
async fn a_server_that_tells_little() {
    let world = World::play("=== server openai models=a,b\n").await;
    let rows = listed(&world, &[]).await;
    assert_eq!(picked(&rows), ("openai/a", "the largest"));
    assert_eq!(column(&rows, "window_known"), [false, false]);
}

#[tokio::test]
async fn names_cannot_take_over_the_terminal() {
    let world = World::play("=== server ollama models=a\u{1b}]0;x\u{7}:7b,b\u{202e}:1b sizes=2G,1G\n").await;
    let ended = models(&world, &[]).end().await.expect(0);
    check_plain(&ended);
    assert!(ended.stdout.contains("* ollama/a\u{fffd}]0;x\u{fffd}:7b  2.0 GB"), "{ended}");
    assert_eq!(listed(&world, &[]).await[0]["model"], "ollama/a\u{1b}]0;x\u{7}:7b", "as it is, for programs");
}

#[tokio::test]
async fn nothing_to_chat_with_is_listed_and_no_model() {
    let world = World::play("=== server ollama models=nomic-embed-text caps=embedding\n").await;
    let ended = models(&world, &[]).end().await.expect(5);
    assert!(ended.stdout.contains("embedding, not usable") && !ended.stdout.contains('*'), "{ended}");
    ended.says(&["no model to chat with", "ollama pull"]);
    let world = World::play("=== server llamacpp window=4096\n").await;
    let ended = models(&world, &[]).end().await.expect(5);
    assert!(ended.stdout.contains("  4096  window too small, loaded\n"), "{ended}");
    ended.says(&["has a window of 4096 tokens", "llama-server -c"]);
}

#[tokio::test]
async fn no_server_at_all_is_no_model() {
    let world = World::play("=== server html\n").await;
    let ended =
        models(&world, &[]).end().await.expect(5).says(&["not as a model server", "Check the address"]);
    assert_eq!(ended.stdout, "");
    let (_socket, address) = closed();
    let url = format!("http://{address}/v1");
    world.bowline(&["models", "--base-url", &url]).end().await.expect(5).says(&[&url, "does not answer"]);
    let mut program = world.bowline(&["models", "--json"]).env("OLLAMA_HOST", address.to_string());
    // In a network of its own no server of this machine can answer. Where that is not allowed, none may run here.
    if let Some(flag) = unshare(["-n", "-rn"]) {
        program.command = alone(&program.command, flag);
    }
    let ended = program.end().await.expect(5).says(&["no model server was found", "ollama serve"]);
    assert_eq!(ended.stdout, "");
    world.bowline(&["models", "-C", "nowhere"]).end().await.expect(2).says(&["there is no such folder"]);
}

#[tokio::test]
async fn a_key_that_is_missing_or_wrong_is_no_model() {
    for server in ["vllm", "llamacpp", "router", "lmstudio", "openai"] {
        let world = World::play(&format!("=== server {server} key=secret\n=== reply\ntext \"Hi.\"\n")).await;
        let url = world.server.base_url();
        for program in [models(&world, &[]), models(&world, &[]).env("BOWLINE_API_KEY", "guess")] {
            let ended = program.end().await.expect(5).says(&[&url, "wants a key", "BOWLINE_API_KEY"]);
            assert_eq!(ended.stdout, "");
        }
        let ended = models(&world, &["--json"]).env("BOWLINE_API_KEY", "secret").end().await.expect(0);
        assert_eq!(ended.frames()[0]["server"], if server == "router" { "llamacpp" } else { server });
        world.run(&["Hello."]).env("BOWLINE_API_KEY", "secret").end().await.expect(0);
        world.check_played();
    }
}

const STUDENT: &str = r#"Writes its calls as text, and does it well.
=== server llamacpp
=== task
Hi.
=== reply
text "ready"
=== reply
text "```json\n{\"name\": \"view_file\", \"arguments\": {\"path\": \"notes/plan.md\"}}\n```"
=== reply
text "```json\n{\"name\": \"edit_file\", \"arguments\": {\"path\": \"config.py\", \"old\": \"PORT = 8080\", \"new\": \"PORT = 9090\"}}\n```"
=== reply
text "```json\n{\"name\": \"view_file\", \"arguments\": {\"path\": \"notes/plan.md\"}}\n```"
=== reply
text "```json\n{\"name\": \"edit_file\", \"arguments\": {\"path\": \"config.py\", \"old\": \"8080\", \"new\": \"9090\"}}\n```"
=== reply
text "The port is 9090."
=== reply
text "{\"name\": \"list_dir\", \"arguments\": {}}"
=== reply
text "{\"name\": \"list_dir\", \"arguments\": {}}"
=== reply
text "KESTREL-4711"
=== reply
text "Hello."
"#;

/// The exam is shown as it goes, prints a card, and the next session begins in the mode it picked.
#[tokio::test]
async fn the_exam_picks_the_mode_of_the_next_session() {
    let world = World::play(STUDENT).await;
    let ended =
        world.bowline(&["models", "--probe", "--base-url", &world.server.base_url()]).end().await.expect(0);
    let ended =
        ended.says(&["native call", "no: right, but written as text", "text edit", "a word at the start of"]);
    for line in [
        "mode         call    edit    stop",
        "native       no      no      -",
        "text         yes     yes     yes",
        "constrained  no      no      -",
        "picked: text mode, thinking auto, window 16384",
    ] {
        assert!(ended.stdout.contains(line), "{line} is missing\n{ended}");
    }
    let listed = world.bowline(&["models", "--base-url", &world.server.base_url()]).end().await.expect(0);
    assert!(listed.stdout.contains("text mode"), "{listed}");
    world.run(&["Hi."]).end().await.expect(0).says(&["text mode"]);
    world.check_played();
}

/// A model that can't call in any mode is no usable model; a server that fails is a failure.
#[tokio::test]
async fn an_exam_that_nobody_passes() {
    let mute = "A model that only talks.\n=== server llamacpp\n=== task\nHi.\n=== reply repeat\ntext \"I am a model.\"\n";
    let world = World::play(mute).await;
    let probe = ["models", "--probe", "--json", "--base-url", &world.server.base_url()];
    let ended = world.bowline(&probe).end().await.expect(5).says(&["no readable call", "--model"]);
    assert_eq!(ended.frames()[0]["mode"], Value::Null);
    let broken = "A broken server.\n=== server llamacpp\n=== task\nHi.\n=== reply repeat\nstatus 400 {\"error\":\"no\"}\n";
    let world = World::play(broken).await;
    let probe = ["models", "--probe", "--base-url", &world.server.base_url()];
    world.bowline(&probe).end().await.expect(1).says(&["the exam could not begin", "answered 400"]);
}
