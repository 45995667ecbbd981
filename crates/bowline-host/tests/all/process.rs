//! Commands: their output and end, and that nothing of them outlives the turn.

use std::fs;
use std::path::Path;
use std::time::Duration;

use bowline_core::outcome::Outcome;
use bowline_core::tool_output::ToolOutput;
use bowline_host::permission::AllowedCommand;
use bowline_host::process::{Processes, run_command};

fn approved(command: &str) -> AllowedCommand {
    AllowedCommand::approved(command)
}

async fn run(command: &str) -> ToolOutput {
    let folder = tempfile::tempdir().unwrap();
    run_command(&Processes::new(), folder.path(), &approved(command), None).await
}

#[track_caller]
fn check(output: &ToolOutput, outcome: Outcome, exit_code: Option<i64>, text: &str) {
    assert_eq!((output.outcome, output.exit_code, output.text.as_str()), (outcome, exit_code, text));
}

/// Waits for something that is bound to happen, and fails if it does not.
async fn until(what: &str, mut happened: impl FnMut() -> bool) {
    for _ in 0..1_000 {
        if happened() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} did not happen");
}

/// Whether a process runs; one that waits to be reaped does not.
fn runs(pid: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{}/stat", pid.trim())) else { return false };
    let state = stat.rsplit_once(')').unwrap().1.split_ascii_whitespace().next().unwrap().to_owned();
    state != "Z" && state != "X"
}

fn pid_in(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().filter(|text| text.ends_with('\n'))
}

#[tokio::test]
async fn the_end_of_a_command_is_its_outcome() {
    check(&run("echo hello").await, Outcome::Success, Some(0), "hello\nexit code 0");
    check(&run("true").await, Outcome::Success, Some(0), "exit code 0");
    check(&run("echo red; exit 3").await, Outcome::NoResult, Some(3), "red\nexit code 3");
    check(&run("kill -9 $$").await, Outcome::NoResult, Some(137), "ended by signal 9");
    let missing = run("no-such-program-here").await;
    assert_eq!((missing.outcome, missing.exit_code), (Outcome::ExecError, Some(127)));
    assert!(missing.text.contains("not found"), "{}", missing.text);
    let not_executable = run("touch file; ./file").await;
    assert_eq!((not_executable.outcome, not_executable.exit_code), (Outcome::ExecError, Some(126)));
}

#[tokio::test]
async fn both_outputs_come_in_order_and_safe() {
    let output = run("echo 1; echo 2 >&2; echo 3; printf '\\033[31mred\\033[0m \\377\\n'").await;
    check(&output, Outcome::Success, Some(0), "1\n2\n3\nred \u{fffd}\nexit code 0");
}

#[tokio::test]
async fn there_is_no_terminal_and_nothing_to_read() {
    check(
        &run("test -t 0 || test -t 1 || cat; pwd | wc -l").await,
        Outcome::Success,
        Some(0),
        "1\nexit code 0",
    );
}

#[tokio::test]
async fn the_environment_is_set_and_scrubbed() {
    let text = run("env").await.text;
    for line in ["TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0"] {
        assert!(text.lines().any(|given| given == line), "{line} in {text}");
    }
    for name in text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name.to_uppercase()) {
        let secret = ["KEY", "TOKEN", "SECRET", "PASSWORD"].iter().any(|word| name.contains(word));
        assert!(!secret && !name.starts_with("BOWLINE_") && name != "GIT_DIR", "{name}");
    }
}

#[tokio::test]
async fn it_runs_in_the_folder_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_command(&Processes::new(), folder.path(), &approved("echo x > made; ls"), None).await;
    check(&output, Outcome::Success, Some(0), "made\nexit code 0");
    let gone = run_command(&Processes::new(), &folder.path().join("none"), &approved("true"), None).await;
    assert_eq!(gone.outcome, Outcome::ExecError);
    assert!(gone.text.starts_with("The command could not be started"), "{}", gone.text);
    let malformed = run_command(&Processes::new(), folder.path(), &approved("echo \0"), None).await;
    assert_eq!(malformed.outcome, Outcome::ExecError);
}

#[tokio::test]
async fn a_flood_of_output_is_bounded() {
    let output = run("echo first; yes | head -c 20000000; echo last").await;
    assert_eq!(output.outcome, Outcome::Success);
    assert!(output.text.len() < 18_000_000);
    assert!(output.text.starts_with("first\ny\n") && output.text.ends_with("y\nlast\nexit code 0"));
    assert!(output.text.contains("bytes left out"));
}

#[tokio::test]
async fn the_time_limit_ends_the_whole_group() {
    let folder = tempfile::tempdir().unwrap();
    let command = "echo begun; (sleep 1000 & echo $! > child; wait) & wait";
    let output = run_command(&Processes::new(), folder.path(), &approved(command), Some(1)).await;
    assert_eq!((output.outcome, output.exit_code), (Outcome::ExecError, None));
    assert!(output.text.starts_with("begun\nstopped after 1 s, its time limit."), "{}", output.text);
    let child = pid_in(&folder.path().join("child")).unwrap();
    until("the end of the grandchild", || !runs(&child)).await;
}

#[tokio::test]
async fn a_dropped_call_takes_its_group_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (child, root) = (folder.path().join("child"), folder.path().to_owned());
    let processes = Processes::new();
    let command = approved("trap '' TERM; (trap '' TERM; sleep 1000 & echo $! > child; wait); sleep 1000");
    let call = run_command(&processes, &root, &command, None);
    tokio::select! {
        output = call => panic!("ended with {}", output.text),
        () = until("the start", || pid_in(&child).is_some()) => {}
    }
    let pid = pid_in(&child).unwrap();
    until("the end of the grandchild", || !runs(&pid)).await;
}

#[tokio::test]
async fn what_is_left_in_the_background_lives_until_the_turn_ends() {
    let folder = tempfile::tempdir().unwrap();
    let processes = Processes::new();
    // It holds the pipe, and writes more than a pipe holds.
    let command =
        "(yes | head -c 300000; echo $$ > written; exec sleep 1000) & echo $! > child; echo started";
    let output = run_command(&processes, folder.path(), &approved(command), None).await;
    assert_eq!(output.outcome, Outcome::Success);
    assert!(output.text.contains("started"));
    assert!(
        output.text.ends_with("exit code 0\nWhat it left in the background runs on until the turn ends.")
    );
    let child = pid_in(&folder.path().join("child")).unwrap();
    until("the output", || pid_in(&folder.path().join("written")).is_some()).await;
    assert!(runs(&child));
    processes.end_all().await;
    assert!(!runs(&child));
    processes.end_all().await;
}

#[tokio::test]
async fn what_does_not_listen_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let processes = Processes::new();
    let command = "sh -c 'trap \"\" TERM; echo $$ > child; while :; do sleep 0.1; done' & \
                   while ! test -s child; do sleep 0.01; done";
    run_command(&processes, folder.path(), &approved(command), None).await;
    let child = pid_in(&folder.path().join("child")).unwrap();
    assert!(runs(&child));
    processes.end_all().await;
    until("the end of the deaf one", || !runs(&child)).await;
}

#[tokio::test]
async fn dropping_the_registry_kills_too() {
    let folder = tempfile::tempdir().unwrap();
    let processes = Processes::new();
    run_command(&processes, folder.path(), &approved("sleep 1000 & echo $! > child"), None).await;
    let child = pid_in(&folder.path().join("child")).unwrap();
    assert!(runs(&child));
    drop(processes);
    until("the end", || !runs(&child)).await;
}
