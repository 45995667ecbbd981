//! What holds, and what is reported, where the system refuses namespaces or has no Landlock.

use bowline_contain::{
    Command, CommandError, Enforcement, Landlock, Layer, Layers, Profile, Status, Without,
};

use crate::scene::{FOLDER_VARIABLE, HELPER_VARIABLE, Scene, finish, helper, helper_program};

#[test]
fn the_report_says_what_holds() {
    let scene = Scene::new();
    let table = [
        (Without::default(), [Enforcement::Whole, Enforcement::Whole]),
        (Without::default().landlock(), [Enforcement::Whole, Enforcement::Whole]),
        (Without::default().namespaces(), [Enforcement::Contents, Enforcement::Nothing]),
        (Without::default().namespaces().landlock(), [Enforcement::Nothing, Enforcement::Nothing]),
    ];
    for (without, [read, build]) in table {
        let spec = scene.spec.clone().without(without);
        let layers = Layers::detect(&helper(), &spec).unwrap();
        let found = (layers.enforcement(Profile::Read), layers.enforcement(Profile::Build));
        // What the machine itself refuses is a failure here, and the report says what it is.
        assert_eq!(found, (read, build), "{layers}");
        assert_eq!(layers.enforcement(Profile::Open), Enforcement::Whole);
        assert_eq!(layers.namespaces == Layer::Holds, !without.namespaces, "{layers}");
        assert_eq!(layers.landlock == Landlock::Missing, without.landlock, "{layers}");
    }
}

#[test]
fn what_is_not_enforced_does_not_run() {
    let scene = Scene::new();
    let plain = scene.spec.clone().without(Without::default().namespaces());
    let nothing = scene.spec.clone().without(Without::default().namespaces().landlock());
    for (spec, profiles) in [(plain, &[Profile::Build][..]), (nothing, &[Profile::Read, Profile::Build])] {
        let cell = bowline_contain::Cell::start(&helper(), &spec).unwrap();
        for profile in profiles {
            let error = cell.spawn(*profile, Command::new("/bin/true")).unwrap_err();
            assert!(matches!(error, CommandError::NotEnforced { .. }), "{error}");
        }
        assert_eq!(scene.run(&cell, Profile::Open, "true").status, Status::Exited(0));
    }
}

#[test]
fn without_namespaces_read_reads_what_is_not_hidden_and_writes_nothing() {
    let scene = Scene::new();
    for (name, text) in [
        ("project/file", "text\n"),
        ("project/.env", "secret\n"),
        ("project/keys/a.pem", "secret\n"),
        ("project/keys/b.pub", "text\n"),
        ("home/.ssh/id", "secret\n"),
        ("home/notes", "text\n"),
    ] {
        scene.write(name, text);
    }
    let scene = scene.without(Without::default().namespaces()).with(|scene, spec| {
        ["project/.env", "project/keys/a.pem", "home/.ssh"]
            .iter()
            .fold(spec, |spec, name| spec.hidden(scene.path(name)))
    });
    let cell = scene.cell();
    let table = [
        ("cat $P/file", true),
        ("cat $P/keys/b.pub", true),
        ("cat $T/home/notes", true),
        ("ls $P /etc", true),
        ("cat /etc/passwd", true),
        ("sh -c 'echo x > /dev/null'", true),
        ("cat $P/.env", false),
        ("cat $P/keys/a.pem", false),
        ("cat $T/home/.ssh/id", false),
        ("cat /proc/self/root$P/.env", false),
        ("cat $P/../project/.env", false),
        ("ln $P/.env $P/hard", false),
        ("echo x > $P/file", false),
        ("echo x > $P/new", false),
        ("rm $P/file", false),
        ("mkdir $P/folder", false),
        ("chmod 600 $P/file", false),
        ("touch $P/file", false),
        ("chown 0 $P/file", false),
        ("python3 -I -c 'import os; os.truncate(\"file\", 0)'", false),
        ("python3 -I -c 'import os; os.open(\"file\", os.O_RDONLY | os.O_TRUNC)'", false),
        ("python3 -I -c 'import os; os.setxattr(\"file\", \"user.a\", b\"\")'", false),
        ("chattr +d $P/file", false),
        ("grep -q 'CapEff:.*[^0b:\t]' /proc/self/status", false),
        ("echo x > /tmp/contain-test", false),
        ("echo x > /dev/shm/contain-test", false),
        ("python3 -I -c 'import socket; socket.socket()'", false),
        ("python3 -I -c 'import socket; socket.socket(socket.AF_UNIX)'", false),
    ];
    let mut wrong = Vec::new();
    for (line, expected) in table {
        let ran = scene.run(&cell, Profile::Read, &format!("( {line} ) 2>&1"));
        if (ran.status == Status::Exited(0)) != expected || ran.text.contains("secret") {
            wrong.push(format!("{line}: {ran:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(scene.read("project/file").as_deref(), Some("text\n"));
}

#[test]
fn without_landlock_the_namespaces_hold() {
    let scene = Scene::new();
    scene.write("project/.env", "secret\n");
    scene.write("project/.git/config", "");
    let scene = scene
        .without(Without::default().landlock())
        .with(|scene, spec| spec.hidden(scene.path("project/.env")).protected(scene.path("project/.git")));
    let cell = scene.cell();
    let table = [
        ("echo x > .env", false, false),
        ("echo x > .git/config", false, false),
        ("echo x > new", false, true),
        ("echo x > ../new", false, false),
        ("echo x > /tmp/new", true, true),
        ("python3 -I -c 'import socket; socket.socket()'", false, true),
    ];
    for (line, read, build) in table {
        for (profile, expected) in [(Profile::Read, read), (Profile::Build, build)] {
            // Root finds it empty, others may not open it.
            assert_eq!(scene.run(&cell, profile, "cat .env 2>/dev/null").text, "");
            let ran = scene.run(&cell, profile, &format!("( {line} ) 2>&1"));
            assert_eq!(ran.status == Status::Exited(0), expected, "{line} under {profile}: {ran:?}");
        }
    }
}

#[test]
fn what_runs_in_the_background_ends_without_namespaces_too() {
    use std::io::Read;
    let scene = Scene::new().without(Without::default().namespaces());
    let cell = scene.cell();
    let mut child = cell.spawn(Profile::Read, scene.shell("setsid sleep 1000 & sleep 1000 &")).unwrap();
    let mut output = std::fs::File::from(child.output().unwrap());
    assert_eq!(child.wait().status, Status::Exited(0));
    drop(cell);
    assert_eq!(output.read_to_end(&mut Vec::new()).unwrap(), 0);
}

/// Set for a run of these tests inside of a cell.
const INSIDE_VARIABLE: &str = "CONTAIN_TEST_INSIDE";

/// Is the part that runs inside; otherwise nothing.
#[test]
fn inside_of_a_sandbox() {
    if std::env::var_os(INSIDE_VARIABLE).is_none() {
        return;
    }
    let scene = Scene::new();
    scene.write("project/.env", "secret\n");
    let scene = scene.with(|scene, spec| spec.hidden(scene.path("project/.env")));
    let layers = Layers::detect(&helper(), &scene.spec).unwrap();
    let Layer::Missing(reason) = &layers.namespaces else { panic!("{layers}") };
    assert!(reason.contains("creating the namespaces: Operation not permitted"), "{reason}");
    assert_eq!(layers.enforcement(Profile::Read), Enforcement::Contents, "{layers}");
    assert_eq!(layers.enforcement(Profile::Build), Enforcement::Nothing, "{layers}");
    let cell = scene.cell();
    assert_eq!(scene.run(&cell, Profile::Read, "echo works").text, "works\n");
    assert_ne!(scene.run(&cell, Profile::Read, "cat .env").status, Status::Exited(0));
}

#[test]
fn a_system_that_refuses_namespaces_is_found_out() {
    let scene = Scene::new();
    let cell = scene.cell();
    let test = std::env::current_exe().unwrap();
    let command = Command::new(test)
        .args(["--exact", "missing_layers::inside_of_a_sandbox", "--nocapture"])
        .env(INSIDE_VARIABLE, "1")
        .env(HELPER_VARIABLE, helper_program())
        .env(FOLDER_VARIABLE, scene.path("project"))
        .env("PATH", "/usr/bin:/bin");
    let ran = finish(cell.spawn(Profile::Build, command).unwrap());
    assert_eq!(ran.status, Status::Exited(0), "{}", ran.text);
    assert!(ran.text.contains("1 passed"), "{}", ran.text);
}
