//! The program on a terminal: questions, progress, colour, and text that tries to take the terminal over.

use std::process::Stdio;

use crate::harness::{Ended, World, is};
use crate::other_process::outside_scenario;
use crate::terminal::Terminal;

/// What no terminal may get to see: a title set, a screen cleared, a reset.
const ATTACK: &str = r"\u001b]0;owned\u0007\u001b[2J\u001bc";

fn check_tame(screen: &str) {
    for sequence in ["\x1b]", "\x07", "\x1b[2J", "\x1bc"] {
        assert!(!screen.contains(sequence), "{sequence:?} came through:\n{screen:?}");
    }
}

/// Asks about a file beside the project and types an answer.
async fn answer(typed: &str) -> (World, Ended) {
    let world = World::play(&outside_scenario()).await;
    std::fs::write(world.path().join("outside.txt"), "beyond\n").unwrap();
    let mut terminal = Terminal::new();
    let running = terminal.attach(world.run(&["Read it."])).start_on_terminal();
    terminal.started();
    terminal.until("outside.txt, outside the project? [y]es; allow view_file(").await;
    terminal.until("outside.txt): [s] this session, [p] this project; [n]o, or type a reason: ").await;
    terminal.type_line(typed);
    let ended = running.end().await;
    check_tame(&terminal.rest().await);
    world.check_played();
    (world, ended)
}

fn result(world: &World) -> String {
    let asked = world.model_requests().pop().unwrap();
    asked["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn yes_lets_it_pass() {
    let (world, ended) = answer("y").await;
    assert_eq!(ended.expect(0).stdout, "Done.\n");
    assert!(result(&world).contains("1| beyond"));
}

#[tokio::test]
async fn no_refuses_it() {
    let (world, ended) = answer("n").await;
    // Somebody was asked: that is no refusal for want of anybody.
    ended.expect(0);
    assert!(result(&world).starts_with("Refused: "), "{}", result(&world));
    let log = world.log().await;
    let answered = log.iter().find(|frame| is(frame, "permission.answered")).unwrap();
    assert_eq!((&answered["answer"], &answered["by"]), (&"no".into(), &"terminal".into()));
}

#[tokio::test]
async fn a_reason_is_told_to_the_model() {
    let (world, ended) = answer("it is private").await;
    ended.expect(0);
    assert!(result(&world).starts_with("Refused (it is private): "), "{}", result(&world));
}

/// Runs with everything on one terminal and gives all that was shown.
async fn screen(world: &World, args: &[&str], variables: &[(&str, &str)]) -> String {
    let mut terminal = Terminal::new();
    let mut program = terminal.attach(world.run(args));
    program.command.envs(variables.iter().copied()).stdout(terminal.output()).kill_on_drop(true);
    let mut child = program.command.spawn().unwrap();
    drop(program);
    terminal.started();
    let screen = terminal.rest().await;
    child.wait().await.unwrap();
    screen
}

fn attack_scenario() -> String {
    r#"
=== server llamacpp window=16384
=== reply
reasoning "Thinking.ATTACK"
text "First.ATTACK"
call run_command {"command":"printf 'ATTACK'"}
call view_file {"path":"noATTACK.txt"}
call noATTACKtool {}
=== reply
text "Done.ATTACK"
"#
    .replace("ATTACK", ATTACK)
}

#[tokio::test]
async fn text_cannot_take_the_terminal_over() {
    let world = World::play(&attack_scenario()).await;
    let shown = screen(&world, &["--yes", "-v", "Do it."], &[]).await;
    world.check_played();
    check_tame(&shown);
    for words in ["Thinking.", "First.", "Done.", "run "] {
        assert!(shown.contains(words), "{words}:\n{shown:?}");
    }
    let world = World::play(&attack_scenario()).await;
    let shown = screen(&world, &["--yes", "-v", "Do it."], &[("TERM", "dumb")]).await;
    assert!(!shown.contains('\x1b'), "{shown:?}");
    let mut terminal = Terminal::new();
    let mut program = terminal.attach(world.bowline(&["sessions", "show"]));
    let mut child = program.command.stdout(terminal.output()).spawn().unwrap();
    drop(program);
    terminal.started();
    let shown = terminal.rest().await;
    child.wait().await.unwrap();
    check_tame(&shown);
    assert!(shown.contains("Done."), "{shown:?}");
}

#[tokio::test]
async fn a_question_cannot_take_the_terminal_over() {
    let scenario = outside_scenario().replace("outside.txt", &format!("outside{ATTACK}.txt"));
    let world = World::play(&scenario).await;
    let mut terminal = Terminal::new();
    let running = terminal.attach(world.run(&["Read it."])).start_on_terminal();
    terminal.started();
    terminal.until("[n]o, or type a reason").await;
    terminal.type_line("n");
    running.end().await.expect(0);
    check_tame(&terminal.rest().await);
    // The same path where nobody can be asked, and the user reads of it at the end.
    let world = World::play(&scenario).await;
    let mut terminal = Terminal::new();
    let mut program = terminal.attach(world.run(&["Read it."]));
    program.command.stdin(Stdio::null());
    let running = program.start_on_terminal();
    terminal.started();
    running.end().await.expect(4);
    let shown = terminal.rest().await;
    assert!(shown.contains("nobody could be asked"), "{shown:?}");
    check_tame(&shown);
}

#[tokio::test]
async fn a_server_cannot_take_the_terminal_over() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
status 400 {"error":{"message":"offATTACK"}}
"#;
    let world = World::play(&scenario.replace("ATTACK", ATTACK)).await;
    let shown = screen(&world, &["Do it."], &[]).await;
    assert!(shown.contains("The model's server answered 400: off"), "{shown:?}");
    check_tame(&shown);
    let missing = format!("no{}such", "\x1b]0;owned\x07");
    let shown = screen(&world, &["-C", &missing, "Do it."], &[]).await;
    assert!(shown.contains("there is no such folder"), "{shown:?}");
    check_tame(&shown);
}

#[tokio::test]
async fn colour_is_for_those_who_want_it() {
    const CLEAN: &str = include_str!("../../../../scenarios/clean.scenario");
    let world = World::play(CLEAN).await;
    let coloured = screen(&world, &[&world.task], &[]).await;
    assert!(coloured.contains("\x1b[32m+1\x1b[0m \x1b[31m−1\x1b[0m"), "{coloured:?}");
    for (flag, variable) in
        [("--no-color", ("NOTHING", "")), ("-v", ("NO_COLOR", "1")), ("-v", ("TERM", "dumb"))]
    {
        let world = World::play(CLEAN).await;
        let shown = screen(&world, &[flag, &world.task], &[variable]).await;
        assert!(shown.contains("+1 −1"), "{shown:?}");
        // The line that shows progress is wiped, which is no colour.
        assert!(!shown.replace("\x1b[K", "").contains('\x1b'), "{flag} {variable:?}: {shown:?}");
    }
}

#[tokio::test]
async fn what_is_waited_for_is_shown() {
    let scenario = "=== server llamacpp window=16384\n=== reply\nprogress 50\nhang\n";
    let world = World::play(scenario).await;
    let mut terminal = Terminal::new();
    let running = terminal.attach(world.run(&["Do it."])).start_on_terminal();
    terminal.started();
    terminal.until("reading the prompt ").await;
    terminal.until(" % · 0:").await;
    running.kill().await;
}
