//! Configuration at work: what a run takes from its files, and what the model gets to read of the project's instructions.

use crate::harness::{HELLO, Program, World};

pub(crate) const REPEAT: &str = "=== server llamacpp window=16384\n=== reply repeat\ntext \"Hello.\"\n";

impl World {
    /// The user's own file.
    pub(crate) fn configure(&self, text: &str) {
        std::fs::create_dir_all(self.home()).unwrap();
        std::fs::write(self.home().join("bowline.toml"), text).unwrap();
    }

    /// The scripted server as `[servers.box]`, and what else there is to say.
    pub(crate) fn configure_box(&self, more: &str) {
        let url = self.server.base_url();
        self.configure(&format!("{more}\n[servers.box]\nbase_url = \"{url}\"\n"));
    }

    /// `bowline …` where no server answers but those of the configuration.
    pub(crate) fn quiet(&self, args: &[&str]) -> Program {
        self.bowline(args).env("OLLAMA_HOST", "127.0.0.1:9")
    }
}

#[tokio::test]
async fn a_server_of_the_configuration_goes_by_its_name() {
    let world = World::play(REPEAT).await;
    world.configure_box("model = \"box/scripted-coder:7b\"");
    let ended = world.quiet(&["run", "Hello."]).end().await.expect(0);
    ended.says(&["box/scripted-coder:7b · set in the configuration · window 16384"]);
    world.quiet(&["run", "-m", "box/scripted-coder:7b", "Hello."]).end().await.expect(0).says(&["· named"]);
    world
        .quiet(&["run", "-c", "Go on."])
        .end()
        .await
        .expect(0)
        .says(&["box/scripted-coder:7b · last used here"]);
    let listed = world.quiet(&["models"]).end().await.expect(0);
    assert!(listed.stdout.contains("box (llamacpp) at http://"), "{listed}");
    assert!(listed.stdout.contains("* box/scripted-coder:7b"), "{listed}");
    // A flag beats the variable, the variable beats the file.
    let by_variable = world.quiet(&["run", "Hello."]).env("BOWLINE_MODEL", "gone");
    by_variable.end().await.expect(5).says(&["no model \"gone\" here", "box/scripted-coder:7b", "--model"]);
    world.configure_box("model = \"box/gone\"");
    let ended = world.quiet(&["run", "Hello."]).end().await.expect(5);
    ended.says(&["no model \"box/gone\" (set in", "bowline.toml:1) here", "--model"]);
}

#[tokio::test]
async fn a_kind_that_is_set_is_not_guessed() {
    let world = World::play(REPEAT).await;
    let url = world.server.base_url();
    world.configure(&format!("[servers.box]\nbase_url = \"{url}\"\nkind = \"openai\"\n"));
    let run = || world.quiet(&["run", "-m", "box/scripted-coder:7b", "Hello."]);
    // Such a server tells no window and takes nothing but the plain fields.
    run().end().await.expect(0).says(&["window 8192 (not reported by the server"]);
    assert!(world.model_requests().pop().unwrap()["return_progress"].is_null());
    world.configure(&format!("[servers.ollama]\nbase_url = \"{url}\"\nkind = \"llamacpp\"\n"));
    let run = world.bowline(&["run", "-m", "ollama/scripted-coder:7b", "Hello."]);
    run.end().await.expect(0).says(&["ollama/scripted-coder:7b · named · window 16384"]);
}

#[tokio::test]
async fn a_key_is_read_from_its_variable() {
    let world = World::play("=== server vllm window=16384 key=secret\n=== reply\ntext \"Hi.\"\n").await;
    let url = world.server.base_url();
    let table = format!("[servers.box]\nbase_url = \"{url}\"\n");
    world.configure(&format!("model = \"box/scripted-coder:7b\"\n{table}api_key_env = \"BOX_KEY\"\n"));
    let run = || world.quiet(&["run", "Hello."]);
    run().end().await.expect(5).says(&[
        "servers.box takes its key from BOX_KEY",
        "not set",
        "export BOX_KEY",
    ]);
    run().env("BOX_KEY", "guess").end().await.expect(5).says(&["wants another key", "export BOX_KEY"]);
    run().env("BOX_KEY", "secret").end().await.expect(0);
    world.check_played();
    let log = world.log().await;
    assert!(!serde_json::to_string(&log).unwrap().contains("secret"), "a key is stored");
    world.configure(&format!("model = \"box/scripted-coder:7b\"\n{table}"));
    run().end().await.expect(5).says(&["wants a key", "servers.box.api_key_env"]);
}

#[tokio::test]
async fn settings_of_a_model_reach_its_requests() {
    let world = World::play(REPEAT).await;
    world.configure(
        "[models.\"scripted*\"]\ncontext = 8192\noutput = 1000\nthinking = \"off\"\ntemperature = 0.25\ntop_k = 7\n\
         [models.\"*\"]\ntemperature = 2.0\n",
    );
    world.run(&["Hello."]).end().await.expect(0).says(&["window 8192"]);
    let asked = world.model_requests().pop().unwrap();
    assert_eq!((&asked["temperature"], &asked["top_k"]), (&0.25.into(), &7.into()), "{asked}");
    assert_eq!(asked["max_tokens"], 1000);
    assert_eq!(asked["chat_template_kwargs"]["enable_thinking"], false);
    // A flag beats the setting.
    world
        .run(&["--thinking", "auto", "--window", "10000", "Hello."])
        .end()
        .await
        .expect(0)
        .says(&["window 10000"]);
    assert!(world.model_requests().pop().unwrap()["chat_template_kwargs"].is_null());
    world.configure("[models.\"*\"]\ncontext = 99999\nmode = \"text\"\noutput = 90000\n");
    // No server has more than it has, and an answer leaves half of the window.
    world.run(&["Hello."]).end().await.expect(0).says(&["window 16384", "text mode"]);
    assert_eq!(world.model_requests().pop().unwrap()["max_tokens"], 8192);
    world.configure("[models.\"*\"]\ncontext = 2048\n");
    let ended = world.run(&["Hello."]).end().await.expect(5);
    ended.says(&["a window of 2048 tokens", "Raise context in", "bowline.toml:2"]);
}

#[tokio::test]
async fn ollama_is_asked_for_the_context_that_is_set() {
    let world = World::play("=== server ollama models=qwen3:8b\n=== reply repeat\ntext \"Hello.\"\n").await;
    world.configure("[models.\"qwen3*\"]\ncontext = 12288\n");
    world.run(&["Hello."]).end().await.expect(0).says(&["window 12288"]);
    assert_eq!(world.model_requests().pop().unwrap()["options"]["num_ctx"], 12288);
}

#[tokio::test]
async fn another_file_can_be_named_and_reading_makes_none() {
    let world = World::play(REPEAT).await;
    std::fs::write(world.path().join("other.toml"), "[models.\"*\"]\ncontext = 7000\n").unwrap();
    world.run(&["--config", "../other.toml", "Hello."]).end().await.expect(0).says(&["window 7000"]);
    world.run(&["Hello."]).end().await.expect(0).says(&["window 16384"]);
    assert!(!world.home().join("bowline.toml").exists());
    let missing = world.run(&["--config", "nowhere.toml", "Hello."]).end().await.expect(2);
    missing.says(&["nowhere.toml", "there is no such file", "--config"]);
    let ended =
        world.run(&["--config", "..", "--json", "Hello."]).end().await.expect(2).says(&["it is a folder"]);
    assert_eq!(ended.frames()[0]["exit"], 2);
}

#[tokio::test]
async fn a_mistake_in_either_file_is_wrong_configuration() {
    let world = World::play(HELLO).await;
    world.configure("model = \"a\"\n[servers.box]\nbase_ulr = \"http://a\"\n");
    let words =
        ["bowline.toml:3: there is no setting servers.box.base_ulr. Did you mean servers.box.base_url?"];
    world.run(&["Hello."]).end().await.expect(2).says(&words);
    world.bowline(&["models"]).end().await.expect(2).says(&words);
    world.configure("");
    std::fs::write(world.project().join("bowline.toml"), "model = 3\n").unwrap();
    world.run(&["Hello."]).end().await.expect(2).says(&["project/bowline.toml:1: model takes text"]);
    assert!(world.server.requests().is_empty());
}

#[tokio::test]
async fn a_project_asks_for_a_model_the_user_has() {
    let world = World::play(
        "=== server ollama models=qwen3:8b,tiny:1b,gpt-oss:120b-cloud sizes=5G,1G\n=== reply repeat\ntext \"Hello.\"\n",
    )
    .await;
    let file = world.project().join("bowline.toml");
    std::fs::write(&file, "model = \"ollama/tiny:1b\"\n").unwrap();
    let ended = world.run(&["Hello."]).end().await.expect(0).says(&["ollama/tiny:1b · set in the project"]);
    assert!(!ended.stderr.contains("trust"), "{ended}");
    for model in ["ollama/gone:7b", "gpt-oss:120b-cloud"] {
        std::fs::write(&file, format!("model = \"{model}\"\n")).unwrap();
        let ended = world.run(&["Hello."]).end().await.expect(0);
        ended.says(&[
            "ollama/tiny:1b · last used here",
            "bowline.toml:1 asks for the model",
            model,
            "--model",
        ]);
    }
    // The session keeps its own.
    std::fs::write(&file, "model = \"qwen3:8b\"\n").unwrap();
    let ended = world.run(&["-c", "Go on."]).end().await.expect(0).says(&["ollama/tiny:1b · last used here"]);
    assert!(!ended.stderr.contains("asks for"), "{ended}");
}

fn system(world: &World) -> String {
    world.model_requests().pop().unwrap()["messages"][0]["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn instructions_of_the_project_stand_after_the_prompt_and_are_frozen() {
    let world = World::play(REPEAT).await;
    let below = world.project().join("crates/a");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(world.project().join("AGENTS.md"), "Use tabs.\n").unwrap();
    std::fs::write(below.join("CLAUDE.md"), "No tabs here.\n").unwrap();
    let ended = world.run(&["Hello."]).folder(&below).end().await.expect(0);
    ended.says(&["window 16384 · reads AGENTS.md, crates/a/CLAUDE.md · session"]);
    let first = system(&world);
    assert!(first.starts_with("You are bowline"), "{first}");
    assert!(
        first.ends_with("From AGENTS.md:\n\nUse tabs.\n\nFrom crates/a/CLAUDE.md:\n\nNo tabs here."),
        "{first}"
    );
    std::fs::write(world.project().join("AGENTS.md"), "Use spaces.\n").unwrap();
    world.run(&["-c", "Go on."]).folder(&below).end().await.expect(0).says(&["reads AGENTS.md"]);
    assert_eq!(system(&world), first, "the prompt of a session changed");
    world.run(&["Hello."]).end().await.expect(0).says(&["reads AGENTS.md · session"]);
    assert!(system(&world).ends_with("Use spaces."));
    let log = world.log().await;
    assert_eq!(log[0]["instructions"], serde_json::json!(["AGENTS.md"]));
    assert!(log[0]["prompt"].is_null());
}

#[tokio::test]
async fn instructions_of_100_kilobytes_take_an_eighth_of_the_window() {
    let world = World::play(REPEAT).await;
    std::fs::write(world.project().join("AGENTS.md"), "Mind the rules of the house.\n".repeat(3_532))
        .unwrap();
    let ended = world.run(&["Hello."]).end().await.expect(0);
    ended.says(&[
        "reads AGENTS.md",
        "AGENTS.md is too long for this window",
        "of 102428 bytes are in",
        "Shorten it",
    ]);
    let prompt = system(&world);
    let (_, instructions) = prompt.split_once("# Instructions of this project").unwrap();
    assert!(instructions.len() < 16_384 / 8 * 7 / 2, "{}", instructions.len());
    assert!(
        instructions.contains("house.\n[") && instructions.ends_with("view_file AGENTS.md has the rest]")
    );
}
