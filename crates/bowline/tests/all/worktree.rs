//! `--worktree`: a session in a git worktree of its own, with the real git.

use std::path::{Path, PathBuf};

use serde_json::Value;
use sqlx::{Connection as _, Row as _, SqliteConnection};

use crate::harness::{Ended, HELLO, World, git, is};

/// What a model does in two turns, the second one a command.
const TWO: &str = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== file sub/AGENTS.md
Mind the gap.
=== file b.txt
bravo
=== reply
call view_file {"path":"a.txt"}
=== reply
call edit_file {"path":"a.txt","old":"alpha","new":"ALPHA"}
call write_file {"path":"new.txt","content":"new\n"}
=== reply
text "Changed."
=== reply
call run_command {"command":"pwd; git branch --show-current; git status --short"}
=== reply
text "Looked."
"#;

/// A repository with one commit of all there is.
pub(crate) async fn committed(scenario: &str) -> World {
    let world = World::play(scenario).await;
    commit(&world.project(), "first");
    world
}

pub(crate) fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "-A"]);
    let who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
    git(folder, &[&who[..], &["commit", "--quiet", "--allow-empty", "-m", message]].concat());
}

/// What git printed.
pub(crate) fn stdout_of(folder: &Path, args: &[&str]) -> String {
    let done = std::process::Command::new("git").args(args).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().trim_end().to_owned()
}

/// The folder and the branch a session began in.
fn place(ended: &Ended) -> (PathBuf, String) {
    let started = ended.frames().into_iter().find(|frame| is(frame, "session.started")).unwrap();
    let path = PathBuf::from(started["work_tree"].as_str().unwrap());
    let branch = stdout_of(&path, &["branch", "--show-current"]);
    (path, branch)
}

pub(crate) async fn list(world: &World) -> Vec<Value> {
    world.bowline(&["worktree", "list", "--json"]).end().await.expect(0).frames()
}

/// Everything of the user's that must stay as it is: HEAD, branches, index, stash, files.
fn checkout(world: &World) -> String {
    let project = world.project();
    let index = std::fs::read(project.join(".git/index")).unwrap();
    let head = std::fs::read_to_string(project.join(".git/HEAD")).unwrap();
    let branches = stdout_of(&project, &["for-each-ref", "--exclude=refs/heads/bowline"]);
    let status = stdout_of(&project, &["--no-optional-locks", "status", "--porcelain=v1"]);
    format!("{head}{branches}\n{status}\n{index:?}")
}

#[tokio::test]
async fn a_session_works_in_a_worktree_of_its_own_and_goes_on_there() {
    let world = committed(TWO).await;
    let project = world.project();
    std::fs::write(project.join("b.txt"), "mine\n").unwrap();
    std::fs::write(project.join("c.txt"), "mine too\n").unwrap();
    let before = checkout(&world);
    let ended = world.run(&["--worktree", "--json", "Change it."]).end().await.expect(0);
    let ended = ended.says(&["2 uncommitted changes of yours are not in the worktree"]);
    let (path, branch) = place(&ended);
    let id = branch.strip_prefix("bowline/").unwrap();
    let session = ended.frames()[0]["session"].as_str().unwrap().to_owned();
    assert!(session.starts_with(id), "{branch} of {session}");
    assert_eq!(path, world.home().join("worktrees").join(id).join("project"));
    assert_eq!(ended.frames()[0]["project"], project.to_str().unwrap());
    assert_eq!(std::fs::read_to_string(path.join("a.txt")).unwrap(), "ALPHA\n");
    assert_eq!(std::fs::read_to_string(path.join("b.txt")).unwrap(), "bravo\n");
    assert_eq!((world.read("a.txt").as_str(), world.read("b.txt").as_str()), ("alpha\n", "mine\n"));
    assert_eq!(checkout(&world), before, "the checkout changed");

    // Without the flag, and from a folder below the project.
    let ended = world.run(&["-c", "Look."]).folder(&project.join("sub")).end().await.expect(0);
    ended.says(&[&format!("working in {}, on branch {branch}", path.display())]);
    let frames = world.log().await;
    let command =
        frames.iter().find(|frame| is(frame, "item.completed") && frame["item"]["kind"] == "command");
    let text = command.unwrap()["item"]["result"]["text"].as_str().unwrap();
    assert!(text.starts_with(&format!("{}\n{branch}\n M a.txt\n?? new.txt\n", path.display())), "{text}");
    world.check_played();

    let sessions = world.bowline(&["sessions", "list", "--json"]).end().await.expect(0).frames();
    assert_eq!(sessions.len(), 1);
    assert_eq!(sessions[0]["work_tree"], path.to_str().unwrap());
    let rows = list(&world).await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["session"], session.as_str());
    assert_eq!(rows[0]["id"], id);
    assert_eq!(rows[0]["branch"], branch.as_str());
    assert_eq!((&rows[0]["uncommitted"], &rows[0]["ahead"]), (&2.into(), &0.into()), "{}", rows[0]);
    let lines = world.bowline(&["worktree", "list"]).end().await.expect(0).stdout;
    let due = format!("{id}  2 uncommitted  Change it.\n  {branch}  {}\n", path.display());
    assert_eq!(lines, due);
}

#[tokio::test]
async fn instructions_come_from_the_worktree() {
    let world =
        committed(&TWO.replace("=== reply\ncall view", "=== reply\ntext \"Hello.\"\n=== reply\ncall view"))
            .await;
    std::fs::write(world.project().join("sub/AGENTS.md"), "Not committed.\n").unwrap();
    let ended =
        world.run(&["--worktree", "Hello."]).folder(&world.project().join("sub")).end().await.expect(0);
    ended.says(&["reads sub/AGENTS.md"]);
    let asked = world.model_requests().remove(0)["messages"].to_string();
    assert!(asked.contains("Mind the gap.") && !asked.contains("Not committed."), "{asked}");
}

#[tokio::test]
async fn nothing_of_the_environment_and_no_hook_gets_in() {
    let world = committed(HELLO).await;
    let hook = world.project().join(".git/hooks/post-checkout");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\ntouch {}/hooked\n", world.path().display())).unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let other = world.path().join("other");
    std::fs::create_dir(&other).unwrap();
    git(&other, &["init", "--quiet"]);
    commit(&other, "elsewhere");
    let run = world.run(&["--worktree", "--json", "Hello."]);
    let run = run.env("GIT_DIR", other.join(".git")).env("GIT_WORK_TREE", &other);
    let run = run.env("GIT_INDEX_FILE", world.path().join("index")).env("GIT_CONFIG_COUNT", "1");
    let run = run.env("GIT_CONFIG_KEY_0", "core.hooksPath").env("GIT_CONFIG_VALUE_0", hook.parent().unwrap());
    let (path, branch) = place(&run.end().await.expect(0));
    assert!(!world.path().join("hooked").exists(), "a hook of the user's ran");
    let common = stdout_of(&path, &["rev-parse", "--git-common-dir"]);
    assert_eq!(common, world.project().join(".git").to_str().unwrap());
    assert!(stdout_of(&other, &["branch", "--list", &branch]).is_empty());
}

#[tokio::test]
async fn the_data_folder_stays_forbidden_around_it() {
    let scenario = r#"
=== server llamacpp window=16384
=== file a.txt
alpha
=== reply
call view_file {"path":"../../../bowline.db"}
call list_dir {"path":".."}
call list_dir {"path":"../../.."}
call view_file {"path":"../other/x.txt"}
call view_file {"path":".git"}
call run_command {"command":"cat ../../../bowline.db"}
call view_file {"path":"a.txt"}
=== reply
text "Done."
"#;
    let world = committed(scenario).await;
    let allow = ["--allow", "view_file(*)", "--allow", "list_dir(*)"];
    let run = world.run(&[&["--worktree", "--json"], &allow[..], &["Look."]].concat());
    let frames = run.end().await.expect(0).frames();
    let mut outcomes = frames.iter().filter(|frame| is(frame, "item.completed")).filter_map(|frame| {
        let result = &frame["item"]["result"];
        Some((result["outcome"].as_str()?.to_owned(), result["text"].as_str()?.to_owned()))
    });
    for _ in 0..6 {
        let (outcome, text) = outcomes.next().unwrap();
        assert_ne!(outcome, "success", "{text}");
        assert!(!text.contains("SQLite"), "{text}");
    }
    assert_eq!(outcomes.next().unwrap().0, "success");
}

#[tokio::test]
async fn two_of_them_work_at_once_and_the_checkout_is_free() {
    let scenario = "=== server llamacpp window=16384 slots=4\n=== file a.txt\nalpha\n=== reply\ntext \"So far.\"\nhang\n=== reply repeat=2\ntext \"Done.\"\n";
    let world = committed(scenario).await;
    let mut first = world.run(&["--worktree", "--json", "Stay."]).start();
    let frame = first.until(|frame| is(frame, "text.delta")).await;
    world.run(&["--worktree", "Second."]).end().await.expect(0);
    world.run(&["Third."]).end().await.expect(0);
    let rows = list(&world).await;
    assert_eq!(rows.len(), 2);
    let running: Vec<&Value> = rows.iter().filter(|row| row["is_running"] == true).collect();
    assert_eq!(running.len(), 1);
    assert_eq!(running[0]["session"], frame["session"]);
    // Its turn runs, and nothing of it is touched, by force neither.
    let id = running[0]["id"].as_str().unwrap();
    let ended = world.bowline(&["worktree", "remove", id, "--force"]).end().await.expect(7);
    ended.says(&["is in use", "Wait for it, or stop it"]);
    first.kill().await;
    assert_eq!(list(&world).await.len(), 2);
    world.bowline(&["worktree", "remove", id]).end().await.expect(0);
    assert_eq!(list(&world).await.len(), 1);
}

#[tokio::test]
async fn a_clean_one_goes_with_its_branch() {
    let world = committed(HELLO).await;
    let (path, branch) = place(&world.run(&["--worktree", "--json", "Hello."]).end().await.expect(0));
    let id = branch.strip_prefix("bowline/").unwrap();
    let before = checkout(&world);
    let ended = world.bowline(&["worktree", "remove", id]).end().await.expect(0);
    assert_eq!(ended.stdout, format!("removed {id}  {}\n", path.display()));
    assert!(!path.exists() && !path.parent().unwrap().exists());
    assert_eq!(stdout_of(&world.project(), &["branch", "--list", "bowline*"]), "");
    assert_eq!(stdout_of(&world.project(), &["worktree", "list"]).lines().count(), 1);
    assert_eq!(checkout(&world), before);
    assert!(list(&world).await.is_empty());
    // Its session is still there to be read, and can't go on.
    world.run(&["-c", "More."]).end().await.expect(2).says(&["is gone", "bowline run --worktree"]);
    world.bowline(&["worktree", "remove", id]).end().await.expect(2).says(&["bowline worktree list"]);
}

#[tokio::test]
async fn commits_that_are_nowhere_else_keep_their_branch() {
    let world = committed(HELLO).await;
    let (path, branch) = place(&world.run(&["--worktree", "--json", "Hello."]).end().await.expect(0));
    let id = branch.strip_prefix("bowline/").unwrap();
    commit(&path, "second");
    let tip = stdout_of(&path, &["rev-parse", "HEAD"]);
    let row = list(&world).await.remove(0);
    assert_eq!((&row["ahead"], &row["unmerged"]), (&1.into(), &1.into()), "{row}");
    let refused = world.bowline(&["worktree", "remove", id]).end().await.expect(7);
    refused.says(&["1 commit that is on no other branch", "--force"]);
    assert!(path.exists());
    let ended = world.bowline(&["worktree", "remove", id, "--force"]).end().await.expect(0);
    assert!(ended.stdout.contains(&format!("branch {branch} is kept")), "{ended}");
    assert!(!path.exists());
    assert_eq!(stdout_of(&world.project(), &["rev-parse", &branch]), tip);

    // What is merged elsewhere may go.
    let world = committed(HELLO).await;
    let (path, branch) = place(&world.run(&["--worktree", "--json", "Hello."]).end().await.expect(0));
    commit(&path, "second");
    git(&world.project(), &["merge", "--quiet", "--ff-only", &branch]);
    world.bowline(&["worktree", "remove", branch.strip_prefix("bowline/").unwrap()]).end().await.expect(0);
    assert_eq!(stdout_of(&world.project(), &["branch", "--list", "bowline*"]), "");
}

#[tokio::test]
async fn changes_are_in_a_checkpoint_before_they_go() {
    let world = committed(TWO).await;
    let (path, branch) = place(&world.run(&["--worktree", "--json", "Change it."]).end().await.expect(0));
    let id = branch.strip_prefix("bowline/").unwrap();
    let refused = world.bowline(&["worktree", "remove", id]).end().await.expect(7);
    refused.says(&["2 uncommitted changes", "--force"]);
    assert_eq!(std::fs::read_to_string(path.join("a.txt")).unwrap(), "ALPHA\n");
    // What no checkpoint would hold is not let go either.
    std::fs::write(path.join("large.bin"), vec![7; 3 * 1024 * 1024]).unwrap();
    let refused = world.bowline(&["worktree", "remove", id, "--force"]).end().await.expect(7);
    refused.says(&["files that no checkpoint holds: large.bin", "move them away"]);
    assert!(path.join("large.bin").exists() && list(&world).await.len() == 1);
    std::fs::remove_file(path.join("large.bin")).unwrap();

    let before = checkout(&world);
    let ended = world.bowline(&["worktree", "remove", id, "--force"]).end().await.expect(0);
    let checkpoint = ended.stdout.lines().find_map(|line| line.trim().strip_prefix("checkpoint ")).unwrap();
    let (checkpoint, words) = checkpoint.split_once(' ').unwrap();
    assert!(checkpoint.len() == 11 && checkpoint.starts_with('k'), "{ended}");
    assert!(!path.exists() && list(&world).await.is_empty());
    assert_eq!(stdout_of(&world.project(), &["branch", "--list", "bowline*"]), "");
    assert_eq!(checkout(&world), before);

    // It is there to be had, also from a folder made anew.
    let mut database = SqliteConnection::connect(world.database().to_str().unwrap()).await.unwrap();
    let row = sqlx::query("SELECT root, moment, worktree_id, session_id FROM checkpoints WHERE id = $1");
    let row = row.bind(checkpoint).fetch_one(&mut database).await.unwrap();
    assert_eq!(row.get::<String, _>(0), path.to_str().unwrap());
    assert_eq!(row.get::<String, _>(1), "hand");
    assert_eq!((row.get::<Option<String>, _>(2), row.get::<Option<String>, _>(3)), (None, None));
    let again = words.split_once("git ").unwrap().1.split_once(" && ").unwrap().0;
    git(&world.project(), &again.split(' ').collect::<Vec<_>>());
    assert_eq!(stdout_of(&path, &["branch", "--show-current"]), branch);
    let restored =
        world.bowline(&["restore", "-C", path.to_str().unwrap(), checkpoint]).end().await.expect(0);
    assert!(words.ends_with(&format!("bowline restore -C {} {checkpoint}", path.display())), "{restored}");
    assert_eq!(std::fs::read_to_string(path.join("a.txt")).unwrap(), "ALPHA\n");
    assert_eq!(std::fs::read_to_string(path.join("new.txt")).unwrap(), "new\n");
    // And the session goes on there.
    world.run(&["-c", "Look."]).end().await.expect(0);
    world.check_played();
}

#[tokio::test]
async fn a_turn_in_a_worktree_is_undone_there() {
    let world = committed(TWO).await;
    let (path, _) = place(&world.run(&["--worktree", "--json", "Change it."]).end().await.expect(0));
    let before = checkout(&world);
    let diff = world.bowline(&["diff"]).end().await.expect(0).stdout;
    assert!(diff.contains("+ALPHA"), "{diff}");
    let mut database = SqliteConnection::connect(world.database().to_str().unwrap()).await.unwrap();
    let count =
        "SELECT COUNT(*) FROM checkpoints c JOIN worktrees w ON w.id = c.worktree_id WHERE c.root = w.path";
    assert_eq!(sqlx::query_scalar::<_, i64>(count).fetch_one(&mut database).await.unwrap(), 2);
    world.bowline(&["undo"]).end().await.expect(0);
    assert_eq!(std::fs::read_to_string(path.join("a.txt")).unwrap(), "alpha\n");
    assert!(!path.join("new.txt").exists());
    // In the worktree it is the same.
    world.bowline(&["redo"]).folder(&path).end().await.expect(0);
    assert_eq!(std::fs::read_to_string(path.join("a.txt")).unwrap(), "ALPHA\n");
    assert_eq!(std::fs::read_to_string(path.join("new.txt")).unwrap(), "new\n");
    assert_eq!(checkout(&world), before);
}

#[tokio::test]
async fn commits_on_no_branch_get_one() {
    let world = committed(HELLO).await;
    let (path, branch) = place(&world.run(&["--worktree", "--json", "Hello."]).end().await.expect(0));
    git(&path, &["checkout", "--quiet", "--detach"]);
    commit(&path, "adrift");
    let tip = stdout_of(&path, &["rev-parse", "HEAD"]);
    let id = branch.strip_prefix("bowline/").unwrap();
    world.bowline(&["worktree", "remove", id]).end().await.expect(7).says(&["on no branch at all"]);
    world.bowline(&["worktree", "remove", id, "--force"]).end().await.expect(0);
    assert_eq!(stdout_of(&world.project(), &["rev-parse", &format!("{branch}-head")]), tip);
    assert_eq!(stdout_of(&world.project(), &["branch", "--list", &branch]), "");
}

#[tokio::test]
async fn a_deleted_session_leaves_its_worktree() {
    let world = committed(TWO).await;
    let ended = world.run(&["--worktree", "--json", "Change it."]).end().await.expect(0);
    let (path, branch) = place(&ended);
    let session = ended.frames()[0]["session"].as_str().unwrap().to_owned();
    let id = branch.strip_prefix("bowline/").unwrap();
    let deleted = world.bowline(&["sessions", "delete", "--yes", &session]).end().await.expect(0);
    assert!(deleted.stdout.contains(&format!("bowline worktree remove {id}")), "{deleted}");
    let row = list(&world).await.remove(0);
    assert!(row["session"].is_null() && row["title"].is_null(), "{row}");
    assert_eq!(std::fs::read_to_string(path.join("a.txt")).unwrap(), "ALPHA\n");
    let refused = world.bowline(&["worktree", "remove", id]).end().await.expect(7);
    refused.says(&["2 uncommitted changes"]);
    let url = world.server.base_url();
    let doctor = || world.bowline(&["doctor", "--base-url", &url]).end();
    let words = format!("{} belongs to no session any more", path.display());
    assert!(doctor().await.expect(0).stdout.contains(&words));
    std::fs::remove_dir_all(&path).unwrap();
    let words = format!("{} is gone\n         → bowline worktree remove {id} forgets it", path.display());
    let told = doctor().await.expect(0).stdout;
    assert!(told.contains(&words), "{told}");
}

#[tokio::test]
async fn what_cannot_have_one_is_refused_and_leaves_nothing() {
    let plain = World::without_git(HELLO).await;
    plain.run(&["--worktree", "Hello."]).end().await.expect(2).says(&["not a git repository", "git init"]);
    let empty = World::play(HELLO).await;
    empty.run(&["--worktree", "Hello."]).end().await.expect(2).says(&["no commit yet", "git commit"]);
    for world in [&plain, &empty] {
        assert!(world.server.requests().is_empty() && !world.home().join("worktrees").exists());
        world.run(&["-c"]).end().await.expect(2);
    }
    let world = committed(&HELLO.replace("=== reply", "=== reply repeat")).await;
    world.run(&["--worktree", "--ephemeral", "Hello."]).end().await.expect(2).says(&["Usage:"]);
    world.run(&["Hello."]).end().await.expect(0);
    world
        .run(&["--worktree", "-c", "More."])
        .end()
        .await
        .expect(2)
        .says(&["works in", "bowline run --worktree"]);
    assert!(!world.home().join("worktrees").exists());
    // Without a model there is no worktree either.
    let url = "http://127.0.0.1:1/v1";
    world.bowline(&["run", "--base-url", url, "--worktree", "Hello."]).end().await.expect(5);
    assert!(!world.home().join("worktrees").exists());
    let (path, _) = place(&world.run(&["--worktree", "--json", "Hello."]).end().await.expect(0));
    world.run(&["--worktree", "-c", "More."]).end().await.expect(0);
    world.run(&["--fork", "-c", "More."]).end().await.expect(2).says(&["a copy can't share", "--worktree"]);
    std::fs::remove_dir_all(&path).unwrap();
    let gone = world.run(&["-c", "More."]).end().await.expect(2).says(&["is gone", "worktree add -f"]);
    let line = gone.stderr.lines().find(|line| line.contains("worktree add -f")).unwrap();
    let command = line.split_once("git ").unwrap().1.split_once(" recreates").unwrap().0;
    git(&world.project(), &command.split(' ').collect::<Vec<_>>());
    world.run(&["-c", "More."]).end().await.expect(0);
    // One whose folder is gone can be forgotten; another's that is gone is none of our business.
    let other = world.path().join("theirs");
    git(&world.project(), &["worktree", "add", "--quiet", "-b", "theirs", other.to_str().unwrap()]);
    std::fs::remove_dir_all(&other).unwrap();
    std::fs::remove_dir_all(&path).unwrap();
    let row = list(&world).await.remove(0);
    assert_eq!(row["is_there"], false);
    world.bowline(&["worktree", "remove", row["id"].as_str().unwrap()]).end().await.expect(0);
    assert_eq!(stdout_of(&world.project(), &["branch", "--list", "bowline*"]), "");
    let known = stdout_of(&world.project(), &["worktree", "list"]);
    assert!(known.contains("theirs") && !known.contains("home/worktrees"), "{known}");
}

#[tokio::test]
async fn in_the_worktree_its_session_is_resumed() {
    let world = committed(&HELLO.replace("=== reply", "=== reply repeat")).await;
    let ended = world.run(&["--worktree", "--json", "Hello."]).end().await.expect(0);
    let (path, _) = place(&ended);
    let session = ended.frames()[0]["session"].clone();
    world.run(&["Elsewhere."]).end().await.expect(0);
    let inside = |args: &[&str]| world.run(&[&["--json"], args].concat()).folder(&path);
    let frames = inside(&["-c", "More."]).end().await.expect(0).frames();
    assert_eq!(frames[0]["session"], session);
    let named = inside(&["-s", session.as_str().unwrap(), "More."]).end().await.expect(0).frames();
    assert_eq!(named[0]["session"], session);
    // A new one in there belongs to the project, too.
    let new = inside(&["New."]).end().await.expect(0).frames();
    assert_eq!(new[0]["project"], world.project().to_str().unwrap());
    assert_eq!(new[0]["work_tree"], path.to_str().unwrap());
    let (beside, _) = place(&inside(&["--worktree", "Beside."]).end().await.expect(0));
    assert!(beside.starts_with(world.home().join("worktrees")) && !beside.starts_with(&path));
    assert_eq!(list(&world).await.len(), 2);
    assert!(list(&world).await.iter().all(|row| row["project"] == world.project().to_str().unwrap()));
}

#[tokio::test]
async fn other_kinds_of_repositories() {
    let hello = HELLO.replace("=== reply", "=== reply repeat");
    // A detached HEAD: from the commit it is at; nothing is merged or lost.
    let world = committed(&hello).await;
    git(&world.project(), &["checkout", "--quiet", "--detach"]);
    commit(&world.project(), "adrift");
    let (path, branch) = place(&world.run(&["--worktree", "--json", "Hello."]).end().await.expect(0));
    assert_eq!(stdout_of(&path, &["rev-parse", "HEAD"]), stdout_of(&world.project(), &["rev-parse", "HEAD"]));
    world.bowline(&["worktree", "remove", branch.strip_prefix("bowline/").unwrap()]).end().await.expect(0);

    // A worktree of the user's.
    let linked = world.path().join("linked");
    git(&world.project(), &["worktree", "add", "--quiet", "-b", "mine", linked.to_str().unwrap()]);
    let ended = world.run(&["--worktree", "--json", "Hello."]).folder(&linked).end().await.expect(0);
    assert_eq!(ended.frames()[0]["project"], linked.to_str().unwrap());
    place(&ended);

    // A submodule, and a repository that has one.
    let above = world.path().join("above");
    std::fs::create_dir(&above).unwrap();
    git(&above, &["init", "--quiet"]);
    let source = world.project().display().to_string();
    git(&above, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &source, "sub"]);
    commit(&above, "with a submodule");
    let ended = world.run(&["--worktree", "--json", "Hello."]).folder(&above).end().await.expect(0);
    place(&ended.says(&["submodules are empty"]));
    let inside =
        world.run(&["--worktree", "--json", "Hello."]).folder(&above.join("sub")).end().await.expect(0);
    let (path, branch) = place(&inside);
    assert_eq!(inside.frames()[0]["project"], above.join("sub").to_str().unwrap());
    assert_eq!(stdout_of(&path, &["rev-parse", "--show-toplevel"]), path.to_str().unwrap());
    world.bowline(&["worktree", "remove", branch.strip_prefix("bowline/").unwrap()]).end().await.expect(0);
    assert!(!path.exists() && above.join("sub/.git").exists());

    // A branch that leaves no room below its name.
    let world = committed(&hello).await;
    git(&world.project(), &["branch", "bowline"]);
    let (_, branch) = place(&world.run(&["--worktree", "--json", "Hello."]).end().await.expect(0));
    assert!(branch.starts_with("bowline-"), "{branch}");
}

#[tokio::test]
async fn a_worktree_that_cannot_be_made_leaves_nothing() {
    let world = committed(HELLO).await;
    std::fs::write(world.project().join(".gitattributes"), "*.txt filter=broken\n").unwrap();
    std::fs::write(world.project().join("a.txt"), "alpha\n").unwrap();
    commit(&world.project(), "filtered");
    git(&world.project(), &["config", "filter.broken.smudge", "false"]);
    git(&world.project(), &["config", "filter.broken.clean", "cat"]);
    git(&world.project(), &["config", "filter.broken.required", "true"]);
    let before = checkout(&world);
    let ended = world.run(&["--worktree", "Hello."]).end().await.expect(1);
    ended.says(&["git could not make a worktree", "smudge filter broken failed"]);
    assert_eq!(checkout(&world), before);
    assert_eq!(stdout_of(&world.project(), &["branch", "--list", "bowline*"]), "");
    assert_eq!(stdout_of(&world.project(), &["worktree", "list"]).lines().count(), 1);
    assert!(list(&world).await.is_empty());
    assert_eq!(std::fs::read_dir(world.home().join("worktrees")).unwrap().count(), 0);
    world.run(&["-c"]).end().await.expect(2).says(&["no session"]);
}
