//! Folders, names and input of every kind, good and bad.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use tokio::process::Command;

use crate::harness::{HELLO, PROGRAM, World, git};
use crate::log::{check_whole, outcomes};

const NOBODY: &str = "65534";

#[tokio::test]
async fn a_folder_without_a_repository_is_worked_in() {
    let world = World::without_git(HELLO).await;
    let ended = world.run(&["Hello."]).end().await.expect(0);
    assert_eq!(ended.stdout, "Hello.\n");
}

#[tokio::test]
async fn an_empty_repository_is_worked_in() {
    let world = World::play(HELLO).await;
    world.run(&["Hello."]).end().await.expect(0);
}

#[tokio::test]
async fn the_project_is_the_whole_repository() {
    let scenario = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== file below/b.txt
beta
=== reply
call edit_file {"path":"a.txt","old":"alpha","new":"gamma"}
=== reply
text "Done."
"#;
    let world = World::play(scenario).await;
    git(&world.project(), &["add", "."]);
    git(&world.project(), &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "first"]);
    world.run(&["Do it."]).folder(&world.project().join("below")).end().await.expect(0);
    world.check_played();
    assert_eq!(world.read("a.txt"), "gamma\n");
}

/// The program as somebody whom permissions hold for.
pub(crate) fn as_nobody(world: &World, args: &[&str]) -> Command {
    let mut command = if rustix::process::geteuid().is_root() {
        // The program itself may lie where only root can go.
        let program = world.path().join("bowline");
        std::fs::copy(PROGRAM, &program).unwrap();
        let mut command = Command::new("setpriv");
        command
            .args([&format!("--reuid={NOBODY}"), &format!("--regid={NOBODY}"), "--clear-groups"])
            .arg(program);
        command
    } else {
        Command::new(PROGRAM)
    };
    command.args(args).current_dir(world.project());
    world.environment(&mut command);
    command
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_for_reading() {
    let world = World::play(HELLO).await;
    std::fs::set_permissions(world.path(), Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir(world.home()).unwrap();
    std::fs::set_permissions(world.home(), Permissions::from_mode(0o777)).unwrap();
    std::fs::set_permissions(world.project(), Permissions::from_mode(0o555)).unwrap();
    let url = world.server.base_url();
    let mut program = world.bowline(&[]);
    program.command = as_nobody(&world, &["run", "--base-url", &url, "Hello."]);
    let project = world.project();
    program.end().await.expect(1).says(&[project.to_str().unwrap(), "cannot be written", "--read-only"]);
    assert!(world.model_requests().is_empty());
    let mut program = world.bowline(&[]);
    program.command = as_nobody(&world, &["run", "--read-only", "--base-url", &url, "Hello."]);
    program.end().await.expect(0);
    // Nor can the data folder be made in a folder that cannot be written.
    let mut program = world.bowline(&[]);
    program.command = as_nobody(&world, &["sessions", "list"]);
    let program = program.env("BOWLINE_HOME", project.join("home"));
    program.end().await.expect(1).says(&["cannot write in the folder", "BOWLINE_DATABASE"]);
    std::fs::set_permissions(world.project(), Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn without_a_home_the_user_is_told() {
    let world = World::play(HELLO).await;
    let mut program = world.run(&["Hello."]);
    program.command.env_remove("HOME").env_remove("BOWLINE_HOME");
    program.end().await.expect(1).says(&["set HOME, or BOWLINE_HOME"]);
}

fn asked_for(world: &World) -> String {
    let asked = world.model_requests().pop().unwrap();
    asked["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn piped_input_is_part_of_the_task() {
    let world = World::play(&HELLO.replace("=== reply", "=== reply repeat")).await;
    world.run(&["Explain this."]).input("error[E0382]: use\nof moved value\n").end().await.expect(0);
    assert_eq!(asked_for(&world), "Explain this.\n\nerror[E0382]: use\nof moved value");
    world.run(&["-"]).input("The task itself.\n").end().await.expect(0);
    assert_eq!(asked_for(&world), "The task itself.");
    world.run(&[]).input("The task alone.\n").end().await.expect(0);
    assert_eq!(asked_for(&world), "The task alone.");
    world.run(&["No more than this."]).input("").end().await.expect(0);
    assert_eq!(asked_for(&world), "No more than this.");
    // What is no text is still a task, not a crash.
    world.run(&["Odd bytes:"]).input([0xff, 0xfe, b'a']).end().await.expect(0);
    assert!(asked_for(&world).ends_with('a'));
    world.run(&["-"]).input("\n \n").end().await.expect(2).says(&["the task is empty"]);
}

#[tokio::test]
async fn too_much_piped_input_is_refused() {
    let world = World::play(HELLO).await;
    let ended = world.run(&["Explain this."]).input(vec![b'x'; 2 * 1024 * 1024]).end().await.expect(2);
    ended.says(&["more than 1 MiB", "put it into a file"]);
    assert!(world.server.requests().is_empty());
}

#[tokio::test]
async fn names_may_hold_anything() {
    let scenario = r#"
=== server llamacpp window=16384
=== reply
call write_file {"path":"größe 日本 'quoted' \"$HOME\".txt","content":"alpha\n"}
call write_file {"path":"two\nlines.txt","content":"beta\n"}
=== reply
call edit_file {"path":"größe 日本 'quoted' \"$HOME\".txt","old":"alpha","new":"gamma"}
call view_file {"path":"two\nlines.txt"}
call run_command {"command":"pwd >where; ls | wc -l"}
=== reply
text "Done."
"#;
    let world = World::without_git(scenario).await;
    let project = world.project().join("a b\n'ü' $HOME \u{1b}]0;x\u{7}");
    std::fs::create_dir(&project).unwrap();
    let ended = world.run(&["Do it."]).folder(&project).end().await.expect(0);
    world.check_played();
    // A name with a line break is still one line.
    let ended = ended.says(&["  write  two lines.txt", "  edit   größe 日本 'quoted' \"$HOME\".txt +1 −1"]);
    assert!(!ended.stderr.contains('\x1b'), "{ended}");
    assert_eq!(
        std::fs::read_to_string(project.join("größe 日本 'quoted' \"$HOME\".txt")).unwrap(),
        "gamma\n"
    );
    assert_eq!(std::fs::read_to_string(project.join("where")).unwrap(), format!("{}\n", project.display()));
    let shown =
        world.bowline(&["sessions", "show", "--json"]).folder(&project).end().await.expect(0).frames();
    check_whole(&shown);
    let all_well = |outcome: &String| outcome.ends_with(" success");
    assert!(outcomes(&shown).iter().all(all_well), "{:?}", outcomes(&shown));
    assert_eq!(shown[0]["project"], project.to_str().unwrap());
    let list = world.bowline(&["sessions", "list", "--all"]).end().await.expect(0);
    assert_eq!(list.stdout.lines().count(), 1, "{list}");
    assert!(!list.stdout.contains('\x1b'), "{list}");
}
