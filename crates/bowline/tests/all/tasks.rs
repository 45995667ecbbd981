//! Where a task comes from: `-p`, a file, stdin.

use crate::harness::{HELLO, World, is};

fn last_user_message(world: &World) -> String {
    let asked = world.model_requests().pop().unwrap();
    let messages = asked["messages"].as_array().unwrap();
    messages.iter().rfind(|message| message["role"] == "user").unwrap()["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn repeat() -> String {
    HELLO.replace("=== reply", "=== reply repeat")
}

#[tokio::test]
async fn print_is_run() {
    let world = World::play(&repeat()).await;
    let url = world.server.base_url();
    let bowline = |args: &[&str]| world.bowline(&[&["--base-url", &url], args].concat());
    assert_eq!(bowline(&["-p", "Say hello."]).end().await.expect(0).stdout, "Hello.\n");
    assert!(last_user_message(&world).ends_with("Say hello."), "{}", last_user_message(&world));
    let ended = bowline(&["-c", "--print", "Once more.", "-q", "-o", "answer.md"]).end().await.expect(0);
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("Hello.\n", ""));
    assert_eq!(world.read("answer.md"), "Hello.\n");
    assert!(last_user_message(&world).ends_with("Once more."), "{}", last_user_message(&world));
    let frames = bowline(&["-p", "Say hello.", "--json"]).end().await.expect(0).frames();
    assert!(frames.iter().any(|frame| is(frame, "turn.completed")));
    // Without a task it is what is piped in.
    bowline(&["-p"]).input("From a pipe.\n").end().await.expect(0);
    assert!(last_user_message(&world).ends_with("From a pipe."), "{}", last_user_message(&world));
    bowline(&["-p"]).end().await.expect(2).says(&["the task is empty"]);
}

#[tokio::test]
async fn a_task_is_read_from_a_file() {
    let world = World::play(&repeat()).await;
    std::fs::write(world.path().join("task.md"), "Mend the parser.\n\nAll of it.\n").unwrap();
    world.run(&["-f", "../task.md"]).end().await.expect(0);
    assert!(
        last_user_message(&world).ends_with("Mend the parser.\n\nAll of it."),
        "{}",
        last_user_message(&world)
    );
    world.run(&["--file", "../task.md"]).input("The log:\nx\n").end().await.expect(0);
    assert!(
        last_user_message(&world).ends_with("All of it.\n\nThe log:\nx"),
        "{}",
        last_user_message(&world)
    );
    world.run(&["-f", "-"]).input("From a pipe.\n").end().await.expect(0);
    assert!(last_user_message(&world).ends_with("From a pipe."), "{}", last_user_message(&world));
    // A pipe has no size to be looked at.
    world.run(&["-f", "/dev/stdin"]).input("As a file.\n").end().await.expect(0);
    assert!(last_user_message(&world).ends_with("As a file."), "{}", last_user_message(&world));
}

#[tokio::test]
async fn help_is_one_screen_with_the_commands() {
    let world = World::play(HELLO).await;
    let long = world.bowline(&["--help"]).end().await.expect(0).stdout;
    assert_eq!(world.bowline(&["-h"]).end().await.expect(0).stdout, long);
    for words in ["Work:", "Look:", "For programs:", "  sessions, changes ", "-p, --print"] {
        assert!(long.contains(words), "{words}\n{long}");
    }
    assert!(long.lines().count() <= 24 && !long.contains('\x1b'), "{long}");
    let run = world.bowline(&["run", "--help"]).end().await.expect(0).stdout;
    assert!(run.contains("--max-steps") && run.contains("Usage: bowline run"), "{run}");
}
