//! `bowline demo`: it runs to its end wherever git and sh are, and what it says to type works.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use rustix::process::Signal;

use crate::harness::{Ended, HELLO, PROGRAM, Program, World};
use crate::terminal::Terminal;

/// A `PATH` with these programs and nothing else.
pub(crate) fn programs(world: &World, names: &[&str]) -> PathBuf {
    let folder = world.path().join(format!("bin-{}", names.join("-")));
    std::fs::create_dir(&folder).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    for name in names {
        let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
        std::os::unix::fs::symlink(found.unwrap_or_else(|| panic!("no {name}")), folder.join(name)).unwrap();
    }
    folder
}

/// A world whose temporary folder has this name.
async fn world(temporary: &str) -> World {
    let world = World::play(HELLO).await;
    std::fs::create_dir(world.path().join(temporary)).unwrap();
    world
}

fn demo(world: &World, temporary: &str, args: &[&str]) -> Program {
    world.bowline(&[&["demo"], args].concat()).env("TMPDIR", world.path().join(temporary))
}

/// The project it made.
fn made(world: &World, temporary: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(world.path().join(temporary)).unwrap();
    let is_project =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("bowline-demo-");
    entries.map(|entry| entry.unwrap().path()).filter(is_project).collect()
}

/// The commands it says to type.
fn commands(ended: &Ended) -> Vec<String> {
    let (_, after) = ended.stderr.split_once("What to type next\n").unwrap();
    let lines = after.lines().take_while(|line| line.starts_with("  "));
    lines.map(|line| line.trim().split("  ").next().unwrap().to_owned()).collect()
}

/// A line as somebody types it who has these programs.
fn typed(world: &World, line: &str, path: &Path) -> Output {
    let mut command = tokio::process::Command::new("sh");
    world.environment(&mut command);
    let mut command = command.into_std();
    let mut all = OsString::from(path);
    all.push(":");
    all.push(std::env::var_os("PATH").unwrap());
    command.args(["-c", line]).current_dir(world.project()).env("PATH", all);
    command.env("OLLAMA_HOST", "127.0.0.1:9").output().unwrap()
}

fn check_shown(ended: &Ended) {
    assert!(ended.stdout.starts_with("The test passes.\n\n- **Cause:**"), "{ended}");
    let (run, after) = ended.stderr.split_once("What to look at above\n").unwrap();
    let lines: Vec<&str> = after.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 6, "{ended}");
    for line in lines {
        let find = line.trim().split("  ").next().unwrap();
        assert!(run.contains(find), "{find:?} is not to be seen\n{ended}");
    }
    for mended in ["bash → run_command", "arguments were no JSON", "replace_all made boolean"] {
        assert!(run.contains(mended), "{mended}\n{ended}");
    }
    assert!(ended.stderr.lines().all(|line| !line.starts_with("? ")), "a question\n{ended}");
}

#[tokio::test]
async fn it_runs_to_its_end_and_what_it_says_works() {
    let world = world("tmp with blanks").await;
    let ended = demo(&world, "tmp with blanks", &[]).end().await.expect(0);
    check_shown(&ended);
    let commands = commands(&ended);
    let [diff, undo, show, models] = commands.as_slice() else { panic!("{ended}") };
    let done = [diff, show, models].map(|line| typed(&world, line, Path::new("/")));
    let text =
        |output: &Output| String::from_utf8_lossy(&[&*output.stdout, &*output.stderr].concat()).into_owned();
    assert!(
        done[0].status.success() && text(&done[0]).contains("+printf '%d:%02d\\n'"),
        "{}",
        text(&done[0])
    );
    assert!(done[1].status.success() && text(&done[1]).contains("The test passes."), "{}", text(&done[1]));
    // Whether there is a model depends on the machine; what it says of that does not.
    assert!(matches!(done[2].status.code(), Some(0 | 5)), "{}", text(&done[2]));
    let folder = made(&world, "tmp with blanks").pop().unwrap();
    let test = std::process::Command::new("sh").arg(folder.join("test.sh")).output().unwrap();
    assert!(test.status.success(), "{}", text(&test));
    let undone = typed(&world, undo, Path::new("/"));
    assert!(undone.status.success() && text(&undone).contains("wrote    duration.sh"), "{}", text(&undone));
    let test = std::process::Command::new("sh").arg(folder.join("test.sh")).output().unwrap();
    assert!(!test.status.success(), "{}", text(&test));
}

#[tokio::test]
async fn it_names_itself_as_it_is_found() {
    let world = world("tmp").await;
    let bin = world.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(PROGRAM, bin.join("bowline")).unwrap();
    let mut path = OsString::from(&bin);
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let ended = demo(&world, "tmp", &["--fast"]).env("PATH", path).end().await.expect(0);
    let commands = commands(&ended);
    assert!(commands[2].starts_with("bowline sessions show -C "), "{ended}");
    assert_eq!(commands[3], "bowline models");
    assert!(typed(&world, &commands[2], &bin).status.success(), "{ended}");
}

#[tokio::test]
async fn it_needs_git_and_sh_alone() {
    let world = world("tmp").await;
    let path = programs(&world, &["git", "sh", "dirname"]);
    check_shown(&demo(&world, "tmp", &[]).env("PATH", path).end().await.expect(0));
}

/// Signatures, hooks, templates, no identity, everything ignored, and a repository the environment names.
#[tokio::test]
async fn a_users_git_does_not_break_it() {
    let world = world("tmp").await;
    let hooks = world.path().join("templates/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    for hook in ["pre-commit", "commit-msg", "post-checkout", "post-index-change"] {
        std::fs::write(hooks.join(hook), "#!/bin/sh\necho hostile >&2\nexit 1\n").unwrap();
        std::fs::set_permissions(hooks.join(hook), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    std::fs::write(world.path().join("ignored"), "*\n").unwrap();
    let (hooks, root) = (hooks.display().to_string(), world.path().display().to_string());
    let config = format!(
        "[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = /bin/false\n[core]\n\thooksPath = {hooks}\n\
         \texcludesFile = {root}/ignored\n\tautocrlf = true\n\tsafecrlf = true\n[init]\n\ttemplateDir = {root}/templates\n\
         \tdefaultBranch = odd/name\n[user]\n\tuseConfigOnly = true\n[add]\n\tignoreErrors = false\n"
    );
    std::fs::write(world.path().join(".gitconfig"), config).unwrap();
    let nowhere = world.path().join("nowhere");
    let demo = demo(&world, "tmp", &[]).env("GIT_DIR", &nowhere).env("GIT_INDEX_FILE", &nowhere);
    let ended = demo.env("GIT_TEMPLATE_DIR", world.path().join("templates")).end().await.expect(0);
    check_shown(&ended);
    assert!(!ended.stderr.contains("hostile"), "{ended}");
    let diff = typed(&world, &commands(&ended)[0], Path::new("/"));
    assert!(String::from_utf8_lossy(&diff.stdout).contains("+printf"), "{diff:?}");
}

/// A model, a server and a file of the user's are not for it.
#[tokio::test]
async fn a_users_settings_do_not_break_it() {
    let world = world("tmp").await;
    world.configure("modle = 3\n");
    let demo = || {
        let demo = demo(&world, "tmp", &[]).env("BOWLINE_MODEL", "gone").env("BOWLINE_MODE", "text");
        demo.env("BOWLINE_BASE_URL", "http://127.0.0.1:9").env("http_proxy", "http://127.0.0.1:9")
    };
    check_shown(&demo().end().await.expect(0));
    // What was learnt of the model the first time does not change the second.
    check_shown(&demo().end().await.expect(0));
    assert_eq!(made(&world, "tmp").len(), 2);
}

#[tokio::test]
async fn what_cannot_be_kept_leaves_nothing_behind() {
    let world = world("tmp").await;
    std::fs::write(world.path().join("file"), "").unwrap();
    let home = world.path().join("file/home");
    let ended = demo(&world, "tmp", &[]).env("BOWLINE_HOME", home).end().await.expect(1);
    ended.says(&["cannot write in the folder", "set BOWLINE_DATABASE"]);
    assert_eq!(made(&world, "tmp"), Vec::<PathBuf>::new());
}

/// On a terminal it pauses, so that there is something to stop.
#[tokio::test]
async fn an_interrupt_stops_it() {
    let world = world("tmp").await;
    let mut terminal = Terminal::new();
    let mut program = terminal.attach(demo(&world, "tmp", &[]));
    program.command.stdout(terminal.output()).kill_on_drop(true);
    let mut child = program.command.spawn().unwrap();
    drop(program);
    terminal.started();
    terminal.until("run the test first").await;
    let pid = i32::try_from(child.id().unwrap()).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), Signal::INT).unwrap();
    let screen = terminal.rest().await;
    assert_eq!(child.wait().await.unwrap().code(), Some(130), "{screen}");
    assert!(screen.contains("which can be deleted") && !screen.contains("What to look at"), "{screen}");
}

#[tokio::test]
async fn on_a_terminal_it_can_be_fast() {
    let world = world("tmp").await;
    let mut terminal = Terminal::new();
    let mut program = terminal.attach(demo(&world, "tmp", &["--fast"]));
    program.command.stdout(terminal.output()).stdin(Stdio::null()).kill_on_drop(true);
    let mut child = program.command.spawn().unwrap();
    drop(program);
    terminal.started();
    let screen = terminal.rest().await;
    assert!(child.wait().await.unwrap().success(), "{screen}");
    assert!(screen.contains("What to look at above") && screen.contains("\x1b["), "{screen}");
}
