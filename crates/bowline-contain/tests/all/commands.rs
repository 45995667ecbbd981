//! Commands run, print, end and say how; they see exactly what they are given.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;

use bowline_contain::{Command, CommandError, Errors, Input, Profile, Signal, Status};
use rustix::event::{PollFd, PollFlags, poll};

use crate::scene::{Scene, finish, mounts};

const ALL: [Profile; 3] = [Profile::Read, Profile::Build, Profile::Open];

#[test]
fn exit_codes_and_signals_come_through() {
    let scene = Scene::new();
    let cell = scene.cell();
    let table = [
        ("echo out; echo err >&2", Status::Exited(0), "out\nerr\n"),
        ("exit 7", Status::Exited(7), ""),
        ("exit 255", Status::Exited(255), ""),
        ("kill -TERM $$", Status::Killed(15), ""),
        ("kill -KILL $$", Status::Killed(9), ""),
        ("kill -SEGV $$", Status::Killed(11), ""),
        ("no-such-program 2>/dev/null", Status::Exited(127), ""),
    ];
    for profile in ALL {
        for (line, status, text) in table {
            let ran = scene.run(&cell, profile, line);
            assert_eq!((ran.status, ran.text.as_str()), (status, text), "{line} under {profile}");
        }
    }
}

#[test]
fn the_environment_is_exactly_what_was_given() {
    let scene = Scene::new();
    let cell = scene.cell();
    for profile in ALL {
        let command =
            Command::new("/usr/bin/env").env("A", "1").env("WITH SPACE", "two\nlines").env("A", "2");
        let ran = finish(cell.spawn(profile, command).unwrap());
        let lines: BTreeSet<&str> = ran.text.lines().collect();
        assert_eq!(lines, BTreeSet::from(["A=2", "WITH SPACE=two", "lines"]), "{profile}");
    }
}

#[test]
fn input_output_and_errors_are_separate_pipes_if_asked_for() {
    let scene = Scene::new();
    let cell = scene.cell();
    let (reader, mut writer) = std::io::pipe().unwrap();
    let command =
        scene.shell("cat; echo err >&2").input(Input::From(OwnedFd::from(reader))).errors(Errors::Pipe);
    let mut child = cell.spawn(Profile::Read, command).unwrap();
    writer.write_all(b"from outside").unwrap();
    drop(writer);
    let read = |descriptor: Option<OwnedFd>| {
        let mut text = String::new();
        File::from(descriptor.unwrap()).read_to_string(&mut text).unwrap();
        text
    };
    assert_eq!(read(child.output()), "from outside");
    assert_eq!(read(child.errors()), "err\n");
    assert_eq!(child.wait().status, Status::Exited(0));
}

#[test]
fn a_command_that_cannot_start_is_an_error_that_says_why() {
    let scene = Scene::new();
    let cell = scene.cell();
    for profile in ALL {
        for (command, words) in [
            (Command::new("/no/such/program"), "/no/such/program"),
            (Command::new("/bin/true").folder(scene.path("nowhere")), "nowhere"),
        ] {
            match cell.spawn(profile, command) {
                Err(CommandError::NotStarted(failure)) => {
                    assert!(failure.step.contains(words), "{failure}");
                    assert_eq!(failure.errno, 2, "{failure}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_command_can_be_waited_for_and_killed_with_all_that_it_started() {
    let scene = Scene::new();
    let cell = scene.cell();
    for profile in ALL {
        let mut child = cell.spawn(profile, scene.shell("sleep 1000 & echo ready; wait")).unwrap();
        let mut output = File::from(child.output().unwrap());
        let mut first = [0; 6];
        output.read_exact(&mut first).unwrap();
        assert_eq!(child.try_wait(), None);
        child.signal(Signal::Kill);
        let mut readable = [PollFd::new(&child, PollFlags::IN)];
        poll(&mut readable, None).unwrap();
        assert_eq!(child.try_wait().unwrap().status, Status::Killed(9), "{profile}");
        // Nobody holds the pipe any more.
        assert_eq!(output.read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}

#[test]
fn each_command_has_a_session_of_its_own_and_no_terminal() {
    let scene = Scene::new();
    let cell = scene.cell();
    let line = "read -r id name state parent group session tty rest < /proc/self/stat; \
        test $$ = $group && test $$ = $session && test $tty = 0 && ! (: < /dev/tty) 2>/dev/null";
    for profile in ALL {
        // The shell itself reads: its own line is the one it sees.
        assert_eq!(scene.run(&cell, profile, line).status, Status::Exited(0), "{profile}");
    }
}

#[test]
fn a_thousand_commands_leave_nothing_behind() {
    let scene = Scene::new();
    let cell = scene.cell();
    let keeper = cell.helper_id().unwrap();
    let init = std::fs::read_to_string(format!("/proc/{keeper}/task/{keeper}/children")).unwrap();
    let init: u32 = init.trim().parse().unwrap();
    // The init closes itself to others, so root alone can look at its descriptors.
    let look = || {
        // It has heard of everything before by the time it starts another one.
        let mut last = cell.spawn(Profile::Build, Command::new("/bin/true")).unwrap();
        last.wait();
        let descriptors = |id: u32| std::fs::read_dir(format!("/proc/{id}/fd")).map_or(0, Iterator::count);
        let children = std::fs::read_to_string(format!("/proc/{init}/task/{init}/children")).unwrap();
        (descriptors(keeper), descriptors(init), children, mounts("self").len())
    };
    let run = |count: usize| {
        for number in 0..count {
            let profile = if number % 10 == 0 { Profile::Read } else { Profile::Build };
            let mut child = cell.spawn(profile, Command::new("/bin/true")).unwrap();
            assert_eq!(child.wait().status, Status::Exited(0));
        }
    };
    run(1);
    let before = look();
    run(1000);
    assert_eq!(look(), before);
}

#[test]
fn many_threads_share_a_cell() {
    let scene = Scene::new();
    let cell = scene.cell();
    std::thread::scope(|threads| {
        for thread in 0..8 {
            let (scene, cell) = (&scene, &cell);
            threads.spawn(move || {
                for number in 0..10 {
                    let ran =
                        scene.run(cell, Profile::Build, &format!("echo {thread} {number}; exit {number}"));
                    assert_eq!(ran.text, format!("{thread} {number}\n"));
                    assert_eq!(ran.status, Status::Exited(number));
                }
            });
        }
    });
}

#[test]
fn long_arguments_and_environments_arrive() {
    let scene = Scene::new();
    let cell = scene.cell();
    let value = "x".repeat(100_000);
    for profile in ALL {
        let command = scene.shell("echo ${#A} ${#B} ${#C} ${#1} ${#2}");
        let command = ["A", "B", "C"].iter().fold(command, |command, name| command.env(name, &value));
        let ran = finish(cell.spawn(profile, command.args(["sh", &value, &value])).unwrap());
        assert_eq!(ran.text, "100000 100000 100000 100000 100000\n", "{profile}");
    }
}
