//! How a cell ends: when it is dropped, when it is asked to, and when its owner is killed. Everything that it started ends
//! with it, also what left its session.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::process::{Command as Plain, Stdio};
use std::time::{Duration, Instant};

use bowline_contain::{Cell, Profile, Status};

use crate::scene::{FOLDER_VARIABLE, HELPER_VARIABLE, Scene, helper_program};

/// Leaves two processes in the background that hold the output open, one of them in a session of its own.
const LEAVE: &str = "setsid sleep 1000 & sleep 1000 & echo ready";
/// Set for the process that is killed together with its cell.
const OWNER_VARIABLE: &str = "CONTAIN_TEST_OWNER";

fn leave_running(scene: &Scene, cell: &Cell, profile: Profile) -> File {
    let mut child = cell.spawn(profile, scene.shell(LEAVE)).unwrap();
    let output = File::from(child.output().unwrap());
    let ended = child.wait();
    assert_eq!((ended.status, ended.left_running), (Status::Exited(0), true), "{profile}");
    output
}

/// Blocks until nobody holds the pipe.
fn assert_ends(output: &mut impl Read) {
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    assert!(text.is_empty() || text == "ready\n", "{text}");
}

#[test]
fn what_runs_in_the_background_ends_with_the_cell() {
    let scene = Scene::new();
    for profile in [Profile::Build, Profile::Read, Profile::Open] {
        let cell = scene.cell();
        let mut output = leave_running(&scene, &cell, profile);
        let helper = cell.helper_id().unwrap();
        drop(cell);
        assert_ends(&mut output);
        assert!(!std::path::Path::new(&format!("/proc/{helper}")).exists());
    }
}

#[test]
fn a_cell_that_is_asked_to_end_gives_its_commands_time() {
    let scene = Scene::new();
    let cell = scene.cell();
    let line = "trap 'echo asked > asked; exit' TERM; echo ready; while :; do :; done";
    for profile in [Profile::Build, Profile::Open] {
        let mut child = cell.spawn(profile, scene.shell(line)).unwrap();
        let mut output = BufReader::new(File::from(child.output().unwrap()));
        output.read_line(&mut String::new()).unwrap();
    }
    let start = Instant::now();
    cell.end(Duration::from_secs(600));
    assert!(start.elapsed() < Duration::from_secs(300));
    assert_eq!(scene.read("project/asked").as_deref(), Some("asked\n"));
    // Who does not listen is killed.
    let cell = scene.cell();
    let mut child =
        cell.spawn(Profile::Build, scene.shell("trap '' TERM; echo ready; while :; do :; done")).unwrap();
    let mut output = BufReader::new(File::from(child.output().unwrap()));
    output.read_line(&mut String::new()).unwrap();
    cell.end(Duration::from_millis(1));
    assert_eq!(child.wait().status, Status::CellEnded);
}

#[test]
fn a_cell_outlives_the_thread_that_started_it() {
    let scene = Scene::new();
    let spec = scene.spec.clone();
    let cell =
        std::thread::spawn(move || Cell::start(&crate::scene::helper(), &spec).unwrap()).join().unwrap();
    std::thread::scope(|threads| {
        threads.spawn(|| leave_running(&scene, &cell, Profile::Build)).join().unwrap();
    });
    assert_eq!(scene.run(&cell, Profile::Build, "pgrep -c sleep || ps x").status, Status::Exited(0));
    assert_eq!(scene.run(&cell, Profile::Read, "true").status, Status::Exited(0));
}

/// Is the owner in a process of its own, when it is asked to; otherwise nothing.
#[test]
fn owner_that_is_killed() {
    if std::env::var_os(OWNER_VARIABLE).is_none() {
        return;
    }
    let scene = Scene::new();
    let cell = scene.cell();
    // They inherit the pipe to the test that started this process.
    for profile in [Profile::Build, Profile::Open] {
        let output = bowline_contain::Output::To(OwnedFd::from(
            File::options().write(true).open("/dev/stderr").unwrap(),
        ));
        let mut child = cell.spawn(profile, scene.shell(LEAVE).output(output)).unwrap();
        assert!(child.wait().left_running);
    }
    eprintln!("helper {} project {}", cell.helper_id().unwrap(), scene.path("project").display());
    loop {
        std::thread::park();
    }
}

#[test]
fn everything_ends_when_the_owner_is_killed() {
    let mut owner = Plain::new(std::env::current_exe().unwrap());
    owner.args(["--exact", "ends::owner_that_is_killed", "--nocapture"]).env(OWNER_VARIABLE, "1");
    owner.env(HELPER_VARIABLE, helper_program());
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        owner.env(FOLDER_VARIABLE, folder);
    }
    let mut owner = owner.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(owner.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("helper ") {
        line.clear();
        assert_ne!(errors.read_line(&mut line).unwrap(), 0);
    }
    owner.kill().unwrap();
    owner.wait().unwrap();
    assert_ends(&mut errors);
    let project = line.trim().split_once(" project ").unwrap().1;
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    assert!(!mounts.contains(project), "{mounts}");
}

#[test]
fn everything_ends_when_the_helper_is_killed() {
    let scene = Scene::new();
    let cell = scene.cell();
    let mut output = leave_running(&scene, &cell, Profile::Build);
    let keeper = i32::try_from(cell.helper_id().unwrap()).unwrap();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(keeper).unwrap(),
        rustix::process::Signal::KILL,
    )
    .unwrap();
    assert_ends(&mut output);
    let error = cell.spawn(Profile::Build, scene.shell("true")).unwrap_err();
    assert!(matches!(error, bowline_contain::CommandError::CellEnded), "{error}");
}
