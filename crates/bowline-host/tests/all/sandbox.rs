//! Commands of a turn in the sandbox, against the real kernel: what each profile can do, and that honest work goes on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use bowline_core::mode::Mode;
use bowline_core::outcome::Outcome;
use bowline_core::policy::{Lists, Profile, Rules};
use bowline_core::tool_output::{Grant, ToolDone, ToolOutput};
use bowline_core::tools::ToolCall;
use bowline_core::turn::Event;
use bowline_host::clock::Clock;
use bowline_host::home::Home;
use bowline_host::permission::AllowedCommand;
use bowline_host::process::{Processes, run_command};
use bowline_host::sandbox::{HeldFor, Helper, Sandbox, Surroundings, report};
use bowline_host::store::{Location, Store};
use bowline_host::toolbox::Toolbox;
use bowline_host::workspace::Workspace;

const MAKEFILE: &str = "test:\n\tmkdir -p target && echo built > target/out && echo 1 passed\n\
                        lint:\n\techo stolen > .git/stolen\n";

struct Scene {
    _folder: tempfile::TempDir,
    root: PathBuf,
    home: Home,
}

impl Scene {
    /// A repository with a secret, beside bowline's own folder.
    fn new() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let (root, data) = (base.join("project"), base.join("data"));
        for folder in [&root, &data] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(root.join(".env"), "PASSWORD=canary\n").unwrap();
        fs::write(root.join("a.txt"), "hello\n").unwrap();
        fs::write(root.join("Makefile"), MAKEFILE).unwrap();
        fs::write(root.join(".gitignore"), "target\n.env\n").unwrap();
        fs::write(data.join("own.txt"), "canary\n").unwrap();
        let made = Command::new("git").args(["init", "--quiet"]).current_dir(&root).status().unwrap();
        assert!(made.success());
        let database = Location::Sqlite(data.join("bowline.db"));
        let home = Home { runtime: data.join("run"), config: data.clone(), data, database };
        Scene { _folder: folder, root, home }
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings::of(&self.root, &self.home)
    }

    fn processes(&self) -> Processes {
        Processes::sandboxed(Sandbox::new(helper(), self.surroundings()))
    }

    /// Whether this system enforces what these tests are about; CI's and most developers' do.
    fn is_enforced(&self) -> bool {
        let report = report(&helper(), &self.surroundings()).unwrap();
        let is_whole = report.building != HeldFor::Nothing;
        if !is_whole {
            eprintln!("not tested, since this system does not enforce it: {report:?}");
        }
        is_whole
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn has(&self, name: &str) -> bool {
        self.root.join(name).exists()
    }
}

fn helper() -> Helper {
    Helper::Program(env!("CARGO_BIN_EXE_bowline-host-helper").into())
}

async fn run(scene: &Scene, processes: &Processes, profile: Profile, line: &str) -> ToolOutput {
    let command = match profile {
        Profile::Open => AllowedCommand::approved(line),
        held => AllowedCommand::held(line, held),
    };
    run_command(processes, &scene.root, &command, Some(60)).await
}

#[tokio::test]
async fn a_command_that_reads_writes_nothing_and_sees_no_secret() {
    let scene = Scene::new();
    if !scene.is_enforced() {
        return;
    }
    let processes = scene.processes();
    let read = async |line: &str| run(&scene, &processes, Profile::Read, line).await;
    let output = read("cat a.txt; git status --short; echo x > $TMPDIR/x && cat $TMPDIR/x").await;
    assert_eq!((output.outcome, output.exit_code), (Outcome::Success, Some(0)), "{}", output.text);
    assert!(output.text.starts_with("hello\n") && output.text.contains("?? Makefile"), "{}", output.text);
    let output = read("echo x > made.txt").await;
    assert_eq!(output.outcome, Outcome::NoResult, "{}", output.text);
    assert!(!scene.has("made.txt"));
    assert!(output.text.contains("\nSandbox: it tried to write "), "{}", output.text);
    for line in [
        "cat .e[[:lower:]]v".to_owned(),
        "grep -r canary .".to_owned(),
        format!("cat {}", scene.home.data.join("own.txt").display()),
        "git reflog show --output=out.txt; cat .git/../.env".to_owned(),
    ] {
        let output = read(&line).await;
        assert!(!output.text.contains("canary"), "{line}: {}", output.text);
    }
    assert!(!scene.has("out.txt"));
    processes.end_all().await;
}

#[tokio::test]
async fn a_build_writes_the_project_and_neither_git_nor_what_is_beside() {
    let scene = Scene::new();
    if !scene.is_enforced() {
        return;
    }
    scene.write("vendor/lib/.git/config", "");
    let processes = scene.processes();
    let build = async |line: &str| run(&scene, &processes, Profile::Build, line).await;
    assert_eq!(build("make test && cat target/out").await.exit_code, Some(0));
    assert_eq!(fs::read_to_string(scene.root.join("target/out")).unwrap(), "built\n");
    // Above a project in a temporary folder there is the cell's own: what is written there is nowhere else.
    build("echo x > ../beside").await;
    let outside = format!("echo x > {}/bowline-was-here", std::env::var("HOME").unwrap());
    for line in ["echo x > .git/config", "echo x >> vendor/lib/.git/config", &outside] {
        let output = build(line).await;
        assert_ne!(output.exit_code, Some(0), "{line}: {}", output.text);
        assert!(output.text.contains("\nSandbox: it tried to "), "{line}: {}", output.text);
    }
    assert!(!scene.root.parent().unwrap().join("beside").exists());
    // For root a hidden file is empty, for others it can't be opened.
    let output = build("cat .env").await;
    assert!(!output.text.contains("canary"), "{}", output.text);
    let output = build("python3 -c 'import urllib.request as r; r.urlopen(\"http://203.0.113.1/\")'").await;
    assert!(
        output.text.contains("the network is closed for commands that were not approved"),
        "{}",
        output.text
    );
    processes.end_all().await;
}

/// What it needs is in the cell: a server that one command starts is there for the next, and ends with the turn.
#[tokio::test]
async fn a_server_is_reached_by_the_next_command_and_ends_with_the_turn() {
    let scene = Scene::new();
    if !scene.is_enforced() {
        return;
    }
    let processes = scene.processes();
    let serve = "python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 &\n\
                 (while echo tick >> ticks; do sleep 0.05; done) & echo started";
    let output = run(&scene, &processes, Profile::Build, serve).await;
    assert!(output.text.contains("runs on until the turn ends"), "{}", output.text);
    let fetch = "for n in $(seq 100); do python3 -c '\n\
                 import urllib.request as r\n\
                 print(r.urlopen(\"http://127.0.0.1:8123/a.txt\").read())' && exit; sleep 0.1; done 2>/dev/null; exit 1";
    let output = run(&scene, &processes, Profile::Build, fetch).await;
    assert_eq!(output.exit_code, Some(0), "{}", output.text);
    assert!(output.text.contains("hello"), "{}", output.text);
    processes.end_all().await;
    let ticks = fs::read(scene.root.join("ticks")).unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(fs::read(scene.root.join("ticks")).unwrap(), ticks, "it runs on after the turn");
    // The next turn's first command starts another cell.
    assert_eq!(run(&scene, &processes, Profile::Build, "true").await.exit_code, Some(0));
}

#[tokio::test]
async fn what_was_approved_is_open() {
    let scene = Scene::new();
    let processes = scene.processes();
    let output =
        run(&scene, &processes, Profile::Open, "cat .env && echo x > ../beside && echo x > .git/x").await;
    assert_eq!(output.exit_code, Some(0), "{}", output.text);
    assert!(output.text.contains("canary") && scene.has(".git/x") && scene.has("../beside"));
}

#[tokio::test]
async fn time_limits_dropped_calls_and_signals_hold_in_the_sandbox() {
    let scene = Scene::new();
    if !scene.is_enforced() {
        return;
    }
    let processes = scene.processes();
    let line = "echo begun; (while echo tick >> ticks; do sleep 0.05; done) & wait";
    let command = AllowedCommand::held(line, Profile::Build);
    let output = run_command(&processes, &scene.root, &command, Some(1)).await;
    assert!(output.text.starts_with("begun\nstopped after 1 s, its time limit."), "{}", output.text);
    let still = async || {
        let ticks = fs::read(scene.root.join("ticks")).unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        fs::read(scene.root.join("ticks")).unwrap() == ticks
    };
    assert!(still().await, "it runs on after its time");
    fs::remove_file(scene.root.join("ticks")).unwrap();
    {
        let call = run_command(&processes, &scene.root, &command, None);
        tokio::pin!(call);
        let begun = async {
            while !scene.has("ticks") {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            output = &mut call => panic!("ended with {}", output.text),
            () = begun => {}
        }
    }
    assert!(still().await, "it runs on after its call was dropped");
    let output = run(&scene, &processes, Profile::Build, "kill -TERM $$").await;
    assert_eq!((output.outcome, output.exit_code), (Outcome::NoResult, Some(128 + 15)), "{}", output.text);
    let output = run(&scene, &processes, Profile::Build, "no-such-program").await;
    assert_eq!((output.outcome, output.exit_code), (Outcome::ExecError, Some(127)), "{}", output.text);
    let output = run(&scene, &processes, Profile::Build, "echo \0").await;
    assert_eq!(output.outcome, Outcome::ExecError, "{}", output.text);
}

/// Through the rules: the toolbox chooses the profile by the verdict.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_verdict_chooses_the_profile() {
    let scene = Scene::new();
    if !scene.is_enforced() {
        return;
    }
    let store = Store::open(&scene.home.database).await.unwrap().into();
    let workspace = Workspace::open(&scene.root, scene.home.forbidden()).unwrap();
    let flags = Lists { allow: vec!["sh -c *".to_owned()], ..Lists::default() };
    let none = Lists::default();
    let rules = Rules::new(&none, &none, &none, &flags).unwrap();
    let mut toolbox = Toolbox::new(workspace, rules, scene.processes(), store, Clock::start(), "s", 16_384);
    let (events, mut heard) = tokio::sync::mpsc::channel(4);
    let mut run = async |line: &str, grant: Grant| {
        let call = ToolCall::RunCommand { command: line.to_owned(), timeout_s: Some(60) };
        toolbox.run("i00000001".to_owned(), call, (grant, Mode::Native), events.clone());
        match heard.recv().await {
            Some(Event::Tool { done: ToolDone::Output(output), .. }) => output,
            other => panic!("{line}: {other:?}"),
        }
    };
    assert_eq!(run("make test", Grant::Inside).await.exit_code, Some(0));
    assert!(scene.has("target/out"));
    let output = run("make lint", Grant::Inside).await;
    assert_ne!(output.exit_code, Some(0), "{}", output.text);
    assert!(output.text.contains("Sandbox: it tried to change ") && !scene.has(".git/stolen"));
    assert_eq!(run("sh -c 'echo x > .git/by-rule'", Grant::Inside).await.exit_code, Some(0));
    assert!(scene.has(".git/by-rule"));
    assert_eq!(run("make lint", Grant::Outside).await.exit_code, Some(0));
    assert!(scene.has(".git/stolen"));
    toolbox.end().await;
}

/// Real projects of four kinds, as far as their tools are there.
#[tokio::test]
async fn honest_work_goes_on() {
    let scene = Scene::new();
    if !scene.is_enforced() {
        return;
    }
    let manifest = "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    scene.write("rust/Cargo.toml", manifest);
    scene.write("rust/src/lib.rs", "#[test]\nfn it_works() {\n    assert_eq!(1 + 1, 2);\n}\n");
    let listening = "import socket, unittest\n\nclass Test(unittest.TestCase):\n    def test_loopback(self):\n        \
                     server = socket.create_server((\"127.0.0.1\", 0))\n        \
                     socket.create_connection(server.getsockname()).close()\n";
    scene.write("test_python.py", listening);
    scene.write("package.json", "{\"scripts\": {\"test\": \"node --test\"}}");
    let node = "require('node:test')('works', () => require('node:assert').equal(1, 1));\n";
    scene.write("works.test.js", node);
    let processes = scene.processes();
    let lines = [
        "make test",
        "python3 -m unittest",
        "npm test",
        "cd rust && CARGO_TARGET_DIR=target cargo test --offline",
        "git log; git status && git diff && git stash list",
    ];
    for line in lines {
        let output = run(&scene, &processes, Profile::Build, line).await;
        assert_eq!(output.exit_code, Some(0), "{line}: {}", output.text);
    }
    for line in
        ["ls -la && git status && git diff", "grep -rn hello a.txt | sort | head -3", "wc -l $(git ls-files)"]
    {
        let output = run(&scene, &processes, Profile::Read, line).await;
        assert_eq!(output.exit_code, Some(0), "{line}: {}", output.text);
    }
    processes.end_all().await;
    assert!(Path::new(&scene.root.join("rust/target/debug")).is_dir());
}
