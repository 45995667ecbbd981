//! Questions about commands: answered for longer, by flags, by nobody.

use crate::harness::{World, is};
use crate::log::outcomes;
use crate::terminal::Terminal;

/// A model that deletes the same file twice, in one session.
const TWICE: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call run_command {"command":"rm -f a.txt"}
=== reply
call run_command {"command":"ls && rm -f a.txt"}
=== reply
text "Done."
"#;

/// Answers the first question; whether the file is gone, and how often was asked in this session.
async fn answer(world: &World, typed: &str) -> usize {
    let mut terminal = Terminal::new();
    let running = terminal.attach(world.run(&["Delete it."])).start_on_terminal();
    terminal.started();
    terminal.until("run `rm -f a.txt` (").await;
    terminal.until("allow rm -f a.txt: [s] this session, [p] this project; [n]o").await;
    terminal.type_line(typed);
    let ended = running.end().await.expect(0);
    assert_eq!(ended.stdout, "Done.\n");
    terminal.rest().await;
    world.log().await.iter().filter(|frame| is(frame, "permission.asked")).count()
}

#[tokio::test]
async fn an_answer_for_the_session_holds_for_the_session() {
    let world = World::play(TWICE).await;
    assert_eq!(answer(&world, "s").await, 1);
    world.check_played();
    assert!(!world.project().join("a.txt").exists());
    let log = world.log().await;
    let answered = log.iter().find(|frame| is(frame, "permission.answered")).unwrap();
    assert_eq!((&answered["answer"], &answered["scope"]), (&"yes".into(), &"session".into()));
}

#[tokio::test]
async fn an_answer_for_the_project_holds_in_its_next_sessions() {
    let scenario = format!(
        "{TWICE}=== reply\ncall run_command {{\"command\":\"rm -f a.txt\"}}\n=== reply\ntext \"Again.\"\n"
    );
    let world = World::play(&scenario).await;
    assert_eq!(answer(&world, "p").await, 1);
    // Another session, and nobody to ask.
    std::fs::write(world.project().join("a.txt"), "again\n").unwrap();
    let ended = world.run(&["Delete it again."]).end().await.expect(0);
    assert_eq!(ended.stdout, "Again.\n");
    assert!(!world.project().join("a.txt").exists());
    world.check_played();
    // It is listed, and can be taken back.
    let shown = world.bowline(&["config", "show"]).end().await.expect(0).stdout;
    let line = shown
        .lines()
        .find(|line| line.contains("answered for this project"))
        .unwrap_or_else(|| panic!("{shown}"));
    let pattern = line.split('\'').nth(1).unwrap();
    world.bowline(&["config", "forget", pattern]).end().await.expect(0).says(&["needs approval again"]);
    world.bowline(&["config", "forget", pattern]).end().await.expect(2).says(&["bowline config show"]);
    let shown = world.bowline(&["config", "show"]).end().await.expect(0).stdout;
    assert!(!shown.contains("answered for this project"), "{shown}");
}

const ONCE: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call run_command {"command":"cat a.txt | tee b.txt; rm a.txt 'c d.txt'"}
=== reply
text "Done."
"#;

#[tokio::test]
async fn nobody_to_ask_says_which_flag_would_do() {
    let world = World::play(ONCE).await;
    let ended = world.run(&["Delete it."]).end().await.expect(4);
    ended.says(&[
        "refused, because nobody could be asked: run `cat a.txt",
        "--allow 'rm a.txt c\\ d.txt' would allow it",
    ]);
    assert!(world.project().join("a.txt").exists() && !world.project().join("b.txt").exists());
    // The very flag it named.
    let world = World::play(ONCE).await;
    world.run(&["--allow", "rm a.txt c\\ d.txt", "Delete it."]).end().await.expect(0);
    assert!(!world.project().join("a.txt").exists() && world.project().join("b.txt").exists());
    world.check_played();
}

#[tokio::test]
async fn a_rule_that_forbids_beats_yes() {
    let world = World::play(ONCE).await;
    world.run(&["--yes", "--allow", "rm *", "--deny", "rm *", "Delete it."]).end().await.expect(0);
    assert!(world.project().join("a.txt").exists());
    assert_eq!(outcomes(&world.log().await), ["run_command permission_denied"]);
    let asked = world.model_requests().pop().unwrap().to_string();
    assert!(asked.contains("the rule `rm *` forbids it"), "{asked}");
    world.check_played();
}

#[tokio::test]
async fn what_git_ignores_and_secrets_are_asked_about() {
    let scenario = r#"
=== server llamacpp window=16384
=== file .gitignore
dist/
=== file .env
PASSWORD=1
=== reply
call view_file {"path":".env"}
call write_file {"path":"dist/out.js","content":"x"}
call write_file {"path":"src/out.js","content":"x"}
call view_file {"path":".env.example"}
=== reply
text "Done."
=== reply
text "There is nothing to run."
"#;
    let world = World::play(scenario).await;
    let ended = world.run(&["Look."]).end().await.expect(4);
    ended.says(&["read .env (.env may hold secrets): --allow 'view_file(.env)'", "git ignores dist/out.js"]);
    let outcomes = outcomes(&world.log().await);
    assert_eq!(
        outcomes,
        [
            "view_file permission_denied",
            "write_file permission_denied",
            "write_file success",
            "view_file exec_error"
        ]
    );
}
