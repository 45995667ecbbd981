//! Models in the chat: none there, one that comes, one that dies, another one; and planning.

use bowline_script::{Scenario, Server};

use crate::harness::{HELLO, PATIENCE, World, eventually};
use crate::screen::{ENTER, ESCAPE, Screen};

/// A port on which nobody listens any more.
async fn free_port() -> u16 {
    let scenario = Scenario::parse(HELLO).unwrap();
    Server::start(scenario.server, scenario.replies).await.unwrap().address().port()
}

async fn serve(port: u16, scenario: &str) -> Server {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let scenario = Scenario::parse(scenario).unwrap();
        match Server::start_on(port, scenario.server, scenario.replies).await {
            Ok(server) => return server,
            // What the last one left is not gone yet.
            Err(error) => assert!(tokio::time::Instant::now() < deadline, "{error}"),
        }
        tokio::task::yield_now().await;
    }
}

async fn without_model(world: &World, port: u16) -> Screen {
    let url = format!("http://127.0.0.1:{port}/v1");
    let mut screen = Screen::start(world, world.bowline(&["--base-url", &url]), 100, 24);
    screen.until("no model: looking for one").await;
    screen
}

fn last_request_messages(server: &Server) -> String {
    let requests = server.requests();
    let asked = requests.iter().rfind(|request| request.is_chat()).expect("a request");
    asked.body["messages"].to_string()
}

#[tokio::test]
async fn a_message_waits_for_a_model() {
    let world = World::play(HELLO).await;
    let port = free_port().await;
    let mut screen = without_model(&world, port).await;
    screen.send("Do it when you can.");
    screen.until("your message is waiting for a model").await;
    screen.check_with("no-model-100", |screen| screen.replace(&port.to_string(), "PORT")).await;
    let server = serve(port, HELLO).await;
    screen.until("Hello.").await;
    assert!(last_request_messages(&server).contains("Do it when you can."));
    assert_eq!(screen.history().matches("› Do it when you can.").count(), 1, "{}", screen.history());
    screen.leave().await;
}

#[tokio::test]
async fn a_waiting_message_can_be_withdrawn() {
    let world = World::play(HELLO).await;
    let port = free_port().await;
    let mut screen = without_model(&world, port).await;
    screen.send("A message");
    screen.until("your message is waiting for a model").await;
    screen.press("and a draft");
    screen.until("› and a draft").await;
    screen.press(ESCAPE);
    screen.until_gone("your message is waiting for a model").await;
    // Neither is lost.
    screen.until("› A message\n  \n  and a draft").await;
    let server = serve(port, HELLO).await;
    screen.until("Ctrl-D leaves").await;
    assert!(server.requests().iter().all(|request| !request.is_chat()));
    screen.press(ENTER);
    screen.until("Hello.").await;
    assert!(
        last_request_messages(&server).contains("A message\\n\\nand a draft"),
        "{}",
        last_request_messages(&server)
    );
    screen.leave().await;
}

#[tokio::test]
async fn a_server_that_dies_can_come_back() {
    let world = World::play(HELLO).await;
    let port = free_port().await;
    let server = serve(port, "=== server llamacpp window=16384\n=== reply\ntext \"So far.\"\nhang\n").await;
    let url = server.base_url();
    let mut screen = Screen::start(&world, world.bowline(&["--base-url", &url]), 100, 24);
    screen.until("Ctrl-D leaves").await;
    screen.send("Do it.");
    screen.until("So far.").await;
    drop(server);
    screen.until("retrying").await;
    screen.press(ESCAPE);
    screen.until("Enter continues; or say").await;
    // Nobody is there: that is said, and what can be continued still can.
    screen.press(ENTER);
    screen.until("no model: looking for one").await;
    screen.until("› Enter continues").await;
    let server = serve(port, "=== server llamacpp window=16384\n=== reply\ntext \"And on.\"\n").await;
    screen.until_gone("no model: looking for one").await;
    screen.press(ENTER);
    screen.until("And on.").await;
    assert!(last_request_messages(&server).contains("Do it."));
    screen.leave().await;
}

#[tokio::test]
async fn a_hint_that_had_to_wait_is_still_a_hint() {
    let endless = include_str!("../../../../scenarios/endless-same-call.scenario");
    let world = World::play(endless).await;
    let port = free_port().await;
    let server = serve(port, endless).await;
    let url = server.base_url();
    let mut screen = Screen::start(&world, world.bowline(&["--base-url", &url]), 100, 40);
    screen.until("Ctrl-D leaves").await;
    screen.send("Do it.");
    screen.until("type a hint first").await;
    drop(server);
    screen.send("Read b.txt instead.");
    screen.until("your message is waiting for a model").await;
    let server = serve(port, HELLO).await;
    screen.until("Hello.").await;
    assert!(
        last_request_messages(&server).contains("Read b.txt instead."),
        "{}",
        last_request_messages(&server)
    );
    screen.leave().await;
    let log = world.log().await;
    let starts = log.iter().filter(|frame| frame["type"] == "turn.started").count();
    assert_eq!(starts, 1, "a hint begins no turn");
}

#[tokio::test]
async fn plan_lets_nothing_be_written() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call write_file {"path":"new.txt","content":"x\n"}
=== reply
text "A plan."
=== reply
call write_file {"path":"new.txt","content":"x\n"}
=== reply
text "Written."
"#;
    let world = World::play(scenario).await;
    let mut screen = Screen::ready(&world, &["--yes"], 100, 40).await;
    screen.send("/plan");
    screen.until("  plan · llamacpp").await;
    screen.send("Write it.");
    screen.until("A plan.").await;
    screen.until_gone("type ahead").await;
    assert!(!world.project().join("new.txt").exists());
    screen.check("plan-100").await;
    screen.send("/plan");
    screen.until("plan mode is off").await;
    screen.until_gone("  plan · ").await;
    screen.send("Now.");
    screen.until("Written.").await;
    assert_eq!(world.read("new.txt"), "x\n");
    screen.leave().await;
    world.check_played();
}

#[tokio::test]
async fn another_model_answers_from_now_on() {
    let scenario = "=== server ollama window=16384 models=alpha:7b,beta:7b loaded=alpha:7b\n=== reply\ntext \"First.\"\n=== reply\ntext \"Second.\"\n";
    let world = World::play(scenario).await;
    let mut screen = Screen::ready(&world, &[], 100, 40).await;
    screen.send("/model");
    screen.until("* ollama/alpha:7b").await;
    screen.send("One.");
    screen.until("First.").await;
    screen.until_gone("type ahead").await;
    screen.press("/model be");
    screen.until("› ollama/beta:7b").await;
    screen.press(ENTER);
    screen.until("› /model ollama/beta:7b").await;
    screen.press(ENTER);
    screen.until("  ollama/beta:7b").await;
    screen.until("ollama/beta:7b ·").await;
    screen.send("Two.");
    screen.until("Second.").await;
    eventually("two requests", || world.model_requests().len() == 2).await;
    assert_eq!(world.model_requests()[1]["model"], "beta:7b");
    screen.until_gone("type ahead").await;
    screen.send("/model nonsense");
    screen.until("nonsense").await;
    screen.leave().await;
}
