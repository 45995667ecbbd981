//! Every message a user can meet when something is not as it should be, in one list that is read as a whole.
//!
//! Each case provokes one, and names the words in it that say what to do next. What was said, with its exit code, stands in
//! `tests/cases/messages.txt`; `UPDATE_EXPECT=1` rewrites it. `WORLD` stands for the temporary folder, `SERVER` for the
//! scripted server, `SESSION` for an id; lines of a run that tell times are left out.

use std::fmt::Write as _;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use sqlx::{Connection, Executor, SqliteConnection};

use crate::bad_input::as_nobody;
use crate::changes::EDITS;
use crate::demo;
use crate::exits::{alone, closed};
use crate::harness::{Ended, HELLO, PROGRAM, Program, World, git, is, unshare};
use crate::review::REVIEW;
use crate::undo::MOVES;
use crate::worktree::{self, committed};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/messages.txt");

/// The list as it grows.
#[derive(Default)]
struct List {
    text: String,
}

impl List {
    /// A message must have these words, which say what to do next.
    fn add(&mut self, what: &str, world: &World, ended: &Ended, next: &str) {
        assert!(ended.stderr.contains(next), "{what}: {next:?} is missing\n{ended}");
        assert!(!ended.stderr.contains("panicked"), "{what}\n{ended}");
        let _ = writeln!(self.text, "=== {what}\nexit {}", ended.code().unwrap_or(-1));
        for line in plain(world, &ended.stderr).lines().filter(|line| !line.trim().is_empty()) {
            // The first line of a run, and its account.
            if !line.contains(" · ") && line != "no file was changed" {
                let _ = writeln!(self.text, "{line}");
            }
        }
        self.text.push('\n');
    }

    async fn run(&mut self, what: &str, world: &World, program: Program, next: &str) {
        let ended = program.end().await;
        assert_ne!(ended.code(), Some(0), "{what}\n{ended}");
        self.add(what, world, &ended, next);
    }
}

/// Without what differs from one run of the tests to the next.
fn plain(world: &World, text: &str) -> String {
    let base = world.server.base_url();
    let address = world.server.address().to_string();
    let text = text.replace(&base, "SERVER").replace(&address, "SERVER");
    let text = text.replace(world.path().to_str().unwrap(), "WORLD");
    let words = text.split_inclusive([' ', '\n', ')', '.', ',']).map(|word| {
        let bare = word.trim_end_matches([' ', '\n', ')', '.', ',']);
        let is_id = bare.len() == 36 && bare.chars().all(|c| c == '-' || c.is_ascii_hexdigit());
        if is_id { word.replace(bare, "SESSION") } else { word.to_owned() }
    });
    words.collect()
}

#[tokio::test]
async fn every_message_says_what_to_do_next() {
    let mut list = List::default();
    usage(&mut list).await;
    demonstration(&mut list).await;
    folders(&mut list).await;
    others(&mut list).await;
    configuration(&mut list).await;
    trust(&mut list).await;
    servers(&mut list).await;
    keys(&mut list).await;
    windows(&mut list).await;
    sessions(&mut list).await;
    worktrees(&mut list).await;
    changes(&mut list).await;
    restores(&mut list).await;
    edits(&mut list).await;
    database(&mut list).await;
    turns(&mut list).await;
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(FILE, &list.text).unwrap();
    }
    let due = std::fs::read_to_string(FILE).unwrap_or_default();
    for (line, (is, due)) in list.text.lines().zip(due.lines()).enumerate() {
        assert_eq!(is, due, "line {} of messages.txt; UPDATE_EXPECT=1 rewrites it", line + 1);
    }
    assert_eq!(list.text.lines().count(), due.lines().count(), "UPDATE_EXPECT=1 rewrites messages.txt");
}

async fn usage(list: &mut List) {
    let world = World::play(HELLO).await;
    let help = "try '--help'";
    words(list, &world).await;
    list.run("an unknown flag", &world, world.run(&["--yess", "Hello."]), help).await;
    list.run("an invalid time", &world, world.run(&["--max-time", "soon", "Hello."]), help).await;
    list.run("an invalid window", &world, world.run(&["--window", "12", "Hello."]), help).await;
    list.run("two flags that exclude each other", &world, world.run(&["-q", "-v", "Hello."]), help).await;
    list.run("no task", &world, world.run(&[]), "say what to do").await;
    list.run("an empty task", &world, world.run(&[" "]), "say what to do").await;
    task_files(list, &world).await;
    let much = world.run(&["Explain."]).input(vec![b'x'; 2 * 1024 * 1024]);
    list.run("too much on stdin", &world, much, "put it into a file").await;
    let output = world.run(&["-o", "nowhere/answer.md", "Hello."]);
    list.run("an answer that cannot be written", &world, output, "Name another file with -o").await;
    let mut homeless = world.run(&["Hello."]);
    homeless.command.env_remove("HOME").env_remove("BOWLINE_HOME");
    list.run("no home", &world, homeless, "set HOME, or BOWLINE_HOME").await;
    // The folder above the project is the home folder here.
    list.run("the home folder", &world, world.run(&["-C", "..", "Hello."]), "add --here").await;
    list.run("a file system", &world, world.run(&["-C", "/", "Hello."]), "add --here").await;
    for name in ["one", "two"] {
        std::fs::create_dir_all(world.project().join("../many").join(name).join(".git")).unwrap();
    }
    list.run("a folder of repositories", &world, world.run(&["-C", "../many", "Hello."]), "add --here").await;
    world.run(&["-C", "../many", "--here", "Hello."]).end().await.expect(0);
}

/// What is no command and no folder.
async fn words(list: &mut List, world: &World) {
    std::fs::write(world.project().join("notes.md"), "").unwrap();
    std::fs::create_dir(world.project().join("src")).unwrap();
    let cases: [(&str, &[&str], &str); 15] = [
        ("a command that is misspelt", &["sesions"], "bowline sessions?"),
        ("a misspelt command with more", &["rnu", "task"], "bowline run?"),
        ("a task without a command", &["fix", "the", "parser"], "bowline run \"fix the parser\""),
        ("a task in quotes without a command", &["add a test"], "bowline run \"add a test\""),
        ("a task a shell would read", &["what", "does", "$HOME", "do"], "bowline run 'what does $HOME do'"),
        ("a task of several words", &["run", "fix", "the", "parser"], "bowline run \"fix the parser\""),
        ("a task with a model", &["-m", "a", "fix", "it"], "bowline run \"fix it\""),
        ("a task after a folder", &["src", "fix", "it"], "bowline run -C src \"fix it\""),
        ("an unknown word", &["hello"], "bowline --help"),
        ("a command for help", &["help"], "bowline --help"),
        ("a folder that is not there", &["src/parser"], "Name one that exists"),
        ("a file to chat in", &["notes.md"], "bowline run \"… notes.md\""),
        ("a flag before its command", &["-c", "run", "go on"], "bowline run -c 'go on'"),
        ("a task and an unknown flag", &["fix", "it", "--yess"], "'--yes'"),
        ("a form without a task", &["--json"], "--print"),
    ];
    for (what, args, next) in cases {
        list.run(what, world, world.bowline(args), next).await;
    }
}

async fn task_files(list: &mut List, world: &World) {
    let cases: [(&str, &str, &[u8], &str); 4] = [
        ("a task's file that is empty", "empty.md", b" \n", "Write the task into it"),
        ("a task's file that is no text", "binary", b"a\0b", "Name another file with -f"),
        ("a task's file that is not UTF-8", "latin.md", b"f\xfcr\n", "Save it as UTF-8"),
        (
            "a task's file that is too large",
            "large.md",
            &[b'x'; 1024 * 1024 + 1],
            "Name the file in a short task",
        ),
    ];
    for (what, name, bytes, next) in cases {
        std::fs::write(world.project().join(name), bytes).unwrap();
        list.run(what, world, world.run(&["-f", name]), next).await;
    }
    let missing = world.run(&["-f", "nowhere.md"]);
    list.run("a task's file that is not there", world, missing, "Name another file with -f").await;
    let folder = world.run(&["-f", "src"]);
    list.run("a folder for a task's file", world, folder, "Name another file with -f").await;
    let both = world.run(&["-f", "empty.md", "Hello."]);
    list.run("a task and a task's file", world, both, "cannot be used with").await;
}

/// A demonstration that can't be given.
async fn demonstration(list: &mut List) {
    let world = World::play(HELLO).await;
    for missing in ["git", "sh"] {
        let path = demo::programs(
            &world,
            &["git", "sh", "dirname"].into_iter().filter(|name| *name != missing).collect::<Vec<_>>(),
        );
        let demo = world.bowline(&["demo"]).env("PATH", path);
        list.run(&format!("a demonstration without {missing}"), &world, demo, "PATH").await;
    }
    let demo = || world.bowline(&["demo"]);
    let nowhere = world.path().join("nowhere");
    list.run("a demonstration without a place", &world, demo().env("TMPDIR", nowhere), "set TMPDIR").await;
    std::fs::write(world.path().join("file"), "").unwrap();
    let homeless = demo().env("TMPDIR", world.path()).env("BOWLINE_HOME", world.path().join("file/home"));
    list.run("a demonstration without a home", &world, homeless, "set BOWLINE_DATABASE").await;
}

async fn folders(list: &mut List) {
    let world = World::play(HELLO).await;
    std::fs::write(world.project().join("file"), "").unwrap();
    let bare = world.path().join("bare.git");
    std::fs::create_dir(&bare).unwrap();
    git(&bare, &["init", "--quiet", "--bare"]);
    list.run("no such folder", &world, world.run(&["-C", "nowhere", "Hello."]), "-C").await;
    list.run("a file for a folder", &world, world.run(&["-C", "file", "Hello."]), "-C").await;
    list.run("a bare repository", &world, world.run(&["-C", "../bare.git", "Hello."]), "Clone it").await;
}

/// What belongs to somebody else.
async fn others(list: &mut List) {
    let world = World::play(HELLO).await;
    let allow =
        |path: &Path, mode: u32| std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    world.configure("");
    let locked = world.path().join("locked");
    std::fs::create_dir(&locked).unwrap();
    allow(&world.path(), 0o755);
    allow(&world.home(), 0o777);
    allow(&world.project(), 0o555);
    allow(&locked, 0);
    let url = world.server.base_url();
    let run = |args: &[&str]| {
        let mut program = world.bowline(&[]);
        program.command = as_nobody(&world, &[&["run", "--base-url", &url, "Hello."], args].concat());
        program
    };
    list.run("a folder that cannot be written", &world, run(&[]), "--read-only").await;
    list.run("a folder that cannot be read", &world, run(&["-C", "../locked"]), "-C").await;
    allow(&world.home().join("bowline.toml"), 0);
    list.run("a file that cannot be read", &world, run(&[]), "Change its permissions").await;
    allow(&locked, 0o755);
    allow(&world.project(), 0o755);
}

async fn configuration(list: &mut List) {
    let world = World::play(HELLO).await;
    let cases = [
        ("an unknown key", "modle = \"a\"\n", "Did you mean model?"),
        ("an unknown key with no near one", "colour = \"red\"\n", "Known here: model, servers"),
        (
            "an unknown key of a server",
            "[servers.box]\nbase_ulr = \"http://a\"\n",
            "Did you mean servers.box.base_url?",
        ),
        ("a wrong type", "model = 3\n", "model takes text"),
        ("an empty text", "model = \"\"\n", "can't be empty"),
        ("a number out of bounds", "[models.\"*\"]\ncontext = 12\n", "a whole number from 256"),
        ("an invalid word", "[edit]\nmode = \"wild\"\n", "one of \"careful\", \"lenient\""),
        ("a text for a list", "[permissions]\nallow = \"cargo *\"\n", "a list of texts"),
        ("a value for a table", "checks = \"make\"\n", "as in [checks]"),
        ("an invalid address", "[servers.box]\nbase_url = \"10.0.0.5\"\n", "as in \"http://"),
        ("a server without an address", "[servers.box]\nkind = \"vllm\"\n", "as in base_url ="),
        (
            "a key in the file",
            "[servers.box]\nbase_url = \"http://a\"\napi_key_env = \"sk-123\"\n",
            "never a key itself",
        ),
        ("broken TOML", "model = \"a\n", "Fix the line"),
    ];
    for (what, text, next) in cases {
        world.configure(text);
        list.run(what, &world, world.run(&["Hello."]), next).await;
    }
    world.configure("");
    let file = world.home().join("bowline.toml");
    std::fs::write(&file, b"# \xff\n").unwrap();
    list.run("a file that is not UTF-8", &world, world.run(&["Hello."]), "Save it as UTF-8").await;
    std::fs::File::create(&file).unwrap().set_len(100 * 1024 * 1024).unwrap();
    list.run("a file of 100 MB", &world, world.run(&["Hello."]), "Move it away").await;
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    list.run("a folder for a file", &world, world.run(&["Hello."]), "Move it away").await;
    std::fs::remove_dir(&file).unwrap();
    list.run("no such file", &world, world.run(&["--config", "x.toml", "Hello."]), "--config").await;
    let set = |args: &[&str]| world.bowline(&[&["config", "set"], args].concat());
    list.run("setting an unknown key", &world, set(&["modle", "a"]), "Did you mean model?").await;
    list.run("setting a table", &world, set(&["checks", "a"]), "Set one of them").await;
    list.run("setting a wrong value", &world, set(&["models.a.top_p", "7"]), "a number from 0 to 1").await;
    list.run(
        "setting where nothing can be",
        &world,
        set(&["model", "a", "--config", "/proc/x.toml"]),
        "--config",
    )
    .await;
}

async fn trust(list: &mut List) {
    let world = World::play(HELLO).await;
    let none = world.bowline(&["trust"]);
    list.run("nothing to trust", &world, none, "bowline config set --project").await;
    std::fs::write(world.project().join("bowline.toml"), "[checks]\ntest = \"make\"\n").unwrap();
    let ended = world.run(&["Hello."]).end().await.expect(0);
    list.add("a file nobody trusts", &world, &ended, "bowline trust");
}

async fn servers(list: &mut List) {
    let world = World::play("=== server ollama models=qwen3:8b,tiny:1b sizes=5G,1G\n").await;
    let (_socket, address) = closed();
    let mut nobody = world.bowline(&["run", "Hello."]).env("OLLAMA_HOST", address.to_string());
    if let Some(flag) = unshare(["-n", "-rn"]) {
        nobody.command = alone(&nobody.command, flag);
    }
    let mut ended = nobody.end().await.expect(5);
    ended.stderr = ended.stderr.replace(&address.to_string(), "OLLAMA");
    list.add("no server", &world, &ended, "ollama serve");
    let url = format!("http://{address}/v1");
    let mut ended = world.bowline(&["run", "--base-url", &url, "Hello."]).end().await.expect(5);
    ended.stderr = ended.stderr.replace(&url, "NOBODY");
    list.add("a server that does not answer", &world, &ended, "Start the server there");
    world.configure(&format!("[servers.box]\nbase_url = \"{url}\"\n"));
    let mut ended = world.bowline(&["run", "-m", "box/a", "Hello."]).end().await.expect(5);
    ended.stderr = ended.stderr.replace(&url, "NOBODY");
    list.add("a server of the configuration that does not answer", &world, &ended, "Start the server there");
    world.configure("");
    list.run("an unknown model", &world, world.run(&["-m", "qwen4", "Hello."]), "with --model").await;
    list.run("an unknown server", &world, world.run(&["-m", "bxo/tiny:1b", "Hello."]), "bowline config set")
        .await;
    world.configure_box("model = \"box/gone\"");
    list.run("a set model that is not there", &world, world.quiet(&["run", "Hello."]), "with --model").await;
    let world = World::play("=== server html\n").await;
    list.run("a web page", &world, world.run(&["Hello."]), "Check the address").await;
    let world = World::play("=== server ollama models=nomic-embed-text caps=embedding\n").await;
    list.run("nothing to chat with", &world, world.run(&["Hello."]), "ollama pull").await;
}

async fn keys(list: &mut List) {
    let world = World::play("=== server vllm window=16384 key=secret\n").await;
    list.run("a key that is missing", &world, world.run(&["Hello."]), "Set it in BOWLINE_API_KEY").await;
    let run = || world.quiet(&["run", "-m", "box/a", "Hello."]);
    world.configure_box("");
    list.run("a key nobody named", &world, run(), "bowline config set servers.box.api_key_env").await;
    let url = world.server.base_url();
    let other = format!("[servers.box]\nbase_url = \"{url}\"\nkind = \"ollama\"\n");
    world.configure(&format!("{other}api_key_env = \"BOX_KEY\"\n"));
    list.run("a kind it is not", &world, run().env("BOX_KEY", "secret"), "Check the address").await;
    world.configure(&format!("[servers.box]\nbase_url = \"{url}\"\napi_key_env = \"BOX_KEY\"\n"));
    list.run("a variable that is not set", &world, run(), "export BOX_KEY").await;
    list.run("a wrong key", &world, run().env("BOX_KEY", "guess"), "export BOX_KEY").await;
}

async fn windows(list: &mut List) {
    let world = World::play("=== server llamacpp window=4096\n").await;
    list.run("a small window", &world, world.run(&["Hello."]), "llama-server -c").await;
    list.run("a small --window", &world, world.run(&["--window", "2048", "Hello."]), "Omit --window").await;
    world.configure("[models.\"*\"]\ncontext = 2048\n");
    list.run("a small context", &world, world.run(&["Hello."]), "Raise context").await;
    let world = World::play("=== server lmstudio window=4096 models=a loaded=a\n").await;
    list.run("a small window of LM Studio", &world, world.run(&["Hello."]), "lms load").await;
    let world = World::play("=== server vllm window=4096\n").await;
    list.run("a small window of vLLM", &world, world.run(&["Hello."]), "--max-model-len").await;
}

async fn sessions(list: &mut List) {
    let scenario = "=== server llamacpp window=16384\n=== reply\ntext \"At work.\"\nhang\n";
    let world = World::play(scenario).await;
    list.run("no session to resume", &world, world.run(&["-c"]), "bowline run \"task\"").await;
    list.run("no such session", &world, world.run(&["-s", "0123", "Hello."]), "bowline sessions list").await;
    let show = world.bowline(&["sessions", "show", "0123"]);
    list.run("no such session to show", &world, show, "bowline sessions list").await;
    let mut running = world.run(&["--json", "Do it."]).start();
    let frame = running.until(|frame| is(frame, "text.delta")).await;
    let process = format!("process {}", running.pid);
    for (what, args) in [("a tree that is busy", vec!["Hello."]), ("a session that is busy", vec!["-c"])] {
        let mut ended = world.run(&args).end().await.expect(1);
        ended.stderr = ended.stderr.replace(&process, "process N");
        list.add(what, &world, &ended, "Wait for it, or stop it");
    }
    let other = world.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let elsewhere = world.run(&["-s", frame["session"].as_str().unwrap(), "Hello."]).folder(&other);
    list.run("a session of another folder", &world, elsewhere, "bowline run -C").await;
    running.kill().await;
}

async fn worktrees(list: &mut List) {
    let world = World::without_git(HELLO).await;
    let run = world.run(&["--worktree", "Hello."]);
    list.run("a worktree without git", &world, run, "Omit --worktree").await;
    git(&world.project(), &["init", "--quiet"]);
    let run = world.run(&["--worktree", "Hello."]);
    list.run("a worktree without a commit", &world, run, "git commit").await;

    let scenario = "=== server llamacpp window=16384 slots=2\n=== file a.txt\nalpha\n=== reply repeat=2\ntext \"Hello.\"\n\
                    === reply\ntext \"At work.\"\nhang\n";
    let world = committed(scenario).await;
    world.run(&["Hello."]).end().await.expect(0);
    let run = world.run(&["--worktree", "-c", "Hello."]);
    list.run("a worktree for a session that began without", &world, run, "bowline run --worktree").await;
    std::fs::write(world.project().join("a.txt"), "beta\n").unwrap();
    let ended = world.run(&["--worktree", "Hello."]).end().await.expect(0);
    let row = worktree::list(&world).await.remove(0);
    let (id, path) = (row["id"].as_str().unwrap(), row["path"].as_str().unwrap());
    let plainly = |mut ended: Ended| {
        let session = row["session"].as_str().unwrap();
        ended.stderr = ended.stderr.replace(session, "SESSION").replace(id, "ID");
        ended
    };
    list.add("uncommitted changes and a worktree", &world, &plainly(ended), "starts from the last commit");
    let ended = world.run(&["--fork", "-c", "Hello."]).end().await.expect(2);
    list.add("a fork of a session in a worktree", &world, &plainly(ended), "bowline run -s");
    let mut running = world.run(&["--json", "-c", "Hello."]).start();
    running.until(|frame| is(frame, "text.delta")).await;
    let remove = |args: &[&str]| world.bowline(&[&["worktree", "remove"], args].concat());
    let mut ended = remove(&[id]).end().await.expect(7);
    ended.stderr = ended.stderr.replace(&format!("process {}", running.pid), "process N");
    list.add("a worktree in use", &world, &plainly(ended), "Wait for it, or stop it");
    running.kill().await;
    let file = Path::new(path).join("large.bin");
    std::fs::write(&file, vec![7; 3 * 1024 * 1024]).unwrap();
    list.add("a worktree with changes", &world, &plainly(remove(&[id]).end().await.expect(7)), "--force");
    let ended = remove(&[id, "--force"]).end().await.expect(7);
    list.add("a worktree with files that no checkpoint holds", &world, &plainly(ended), "move them away");
    std::fs::remove_dir_all(path).unwrap();
    let ended = world.run(&["-c", "Hello."]).end().await.expect(2);
    list.add("a worktree that is gone", &world, &plainly(ended), "recreates it");
    std::fs::create_dir_all(path).unwrap();
    std::fs::write(file, "left\n").unwrap();
    list.add(
        "a folder that is no longer a worktree",
        &world,
        &plainly(remove(&[id]).end().await.expect(7)),
        "delete it yourself",
    );
    std::fs::remove_dir_all(path).unwrap();
    remove(&[id]).end().await.expect(0);
    let ended = world.run(&["-c", "Hello."]).end().await.expect(2);
    list.add("a worktree that was removed", &world, &plainly(ended), "starts a new session");
    list.run("no such worktree", &world, remove(&["0123"]), "bowline worktree list").await;
    git(&world.project(), &["config", "filter.broken.smudge", "false"]);
    git(&world.project(), &["config", "filter.broken.required", "true"]);
    std::fs::write(world.project().join(".git/info/attributes"), "*.txt filter=broken\n").unwrap();
    let run = world.run(&["--worktree", "Hello."]);
    list.run("a worktree git does not make", &world, run, "omit --worktree").await;
}

async fn changes(list: &mut List) {
    let world = World::play(REVIEW).await;
    let say = |words: &'static [&'static str]| world.bowline(&[&["changes"], words].concat());
    let none = say(&["list"]);
    list.run("changes without a session", &world, none, "bowline run \"task\"").await;
    world.run(&["--review", "Change it."]).end().await.expect(0);
    list.run("no name of a change", &world, say(&["apply", "first"]), "such as c3 or c3:2").await;
    list.run("no such change", &world, say(&["apply", "c9"]), "bowline changes list").await;
    list.run("no such hunk", &world, say(&["apply", "c2:2"]), "bowline changes diff c2").await;
    list.run("no such change to look at", &world, say(&["diff", "c9"]), "bowline changes list").await;
    list.run("no such turn", &world, say(&["rewind", "--turn", "t9"]), "bowline changes list").await;
    list.run("reverting a pending change", &world, say(&["rewind", "c1"]), "bowline changes reject c1").await;
    let later = "bowline changes apply c1 c3";
    list.run("a change that needs another", &world, say(&["apply", "c3"]), later).await;
    std::fs::write(world.project().join("a.txt"), "all new\n").unwrap();
    let by_hand = "bowline changes reject c1";
    list.run("a change that no longer fits", &world, say(&["apply", "c1"]), by_hand).await;
    list.run(
        "a file that is there by now",
        &world,
        {
            std::fs::create_dir(world.project().join("new")).unwrap();
            std::fs::write(world.project().join("new/file.txt"), "mine\n").unwrap();
            say(&["apply", "c2"])
        },
        "bowline changes reject c2",
    )
    .await;
    say(&["reject", "c2"]).end().await.expect(0);
    list.run("a change that was rejected", &world, say(&["apply", "c2"]), "asked for it again").await;
    list.run("reverting a rejected change", &world, say(&["rewind", "c2"]), "never applied").await;

    let world = World::play(EDITS).await;
    world.run(&["Change them."]).end().await.expect(0);
    let say = |words: &'static [&'static str]| world.bowline(&[&["changes"], words].concat());
    list.run("a change that is already applied", &world, say(&["apply", "c1"]), "bowline changes rewind c1")
        .await;
    let file = world.project().join("a.txt");
    std::fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
    list.run("reverting a change in a read-only file", &world, say(&["rewind", "c1"]), "make it writable")
        .await;
    std::fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    std::fs::write(&file, "alpha\nBETTER\ngamma\ndelta\n").unwrap();
    list.run("what came later is in the way", &world, say(&["rewind", "c1"]), "bowline changes rewind c1 c2")
        .await;
    std::fs::write(world.project().join("new/file.txt"), "mine\n").unwrap();
    list.run("a file that was made, and changed", &world, say(&["rewind", "c4"]), "delete it yourself").await;
    std::fs::remove_file(world.project().join("crlf.txt")).unwrap();
    list.run("a file that is gone", &world, say(&["rewind", "c3"]), "Put the file back first").await;
}

/// Without the ids that differ from one run of the tests to the next.
fn without_checkpoints(mut ended: Ended) -> Ended {
    let is_id = |word: &str| {
        word.len() == 11 && word.starts_with('k') && word[1..].chars().all(|c| c.is_ascii_hexdigit())
    };
    let words = ended.stderr.split_inclusive([' ', '\n', '.', ':', ')']).map(|word| {
        let bare = word.trim_end_matches([' ', '\n', '.', ':', ')']);
        if is_id(bare) { word.replace(bare, "CHECKPOINT") } else { word.to_owned() }
    });
    ended.stderr = words.collect();
    ended
}

async fn restores(list: &mut List) {
    let world = World::play(MOVES).await;
    let say = |words: &[&str]| world.bowline(words).end();
    let begin = "bowline run \"task\"";
    list.add("an undo without a session", &world, &say(&["undo"]).await.expect(7), begin);
    world.run(&["Say hello."]).end().await.expect(0);
    list.add("an invalid turn", &world, &say(&["diff", "first"]).await.expect(2), "write it as t3");
    list.add("no such turn to look at", &world, &say(&["diff", "t9"]).await.expect(2), "the last one is t1");
    say(&["diff"]).await.expect(0).says(&["no turn of this session has changed a file"]);
    list.add("nothing to redo", &world, &say(&["redo"]).await.expect(7), "bowline checkpoint list");
    world.run(&["-c", "--yes", "Move."]).end().await.expect(0);
    let listed = world.bowline(&["checkpoint", "list", "--json"]).end().await.expect(0).frames();
    let id = listed[0]["id"].as_str().unwrap().to_owned();
    say(&["undo"]).await.expect(0);
    say(&["undo"]).await.expect(0);
    list.add("nothing to undo", &world, &say(&["undo"]).await.expect(7), "bowline undo -s ID");
    let hidden = without_checkpoints(say(&["restore", &id]).await.expect(7));
    list.add("a checkpoint of an undone turn", &world, &hidden, "bowline restore CHECKPOINT");
    world.run(&["-c", "Hello again."]).end().await.expect(0);
    let passed = without_checkpoints(say(&["redo"]).await.expect(7));
    list.add("a redo after a new turn", &world, &passed, "bowline restore CHECKPOINT");
    let list_them = "bowline checkpoint list";
    list.add("no such checkpoint", &world, &say(&["restore", "kxyz"]).await.expect(2), list_them);
    let hand = say(&["checkpoint", "take"]).await.expect(0).stdout.trim().to_owned();
    let chat = without_checkpoints(say(&["restore", &hand, "--chat"]).await.expect(2));
    list.add("a conversation of a checkpoint by hand", &world, &chat, "Omit --chat");
    let other = world.path().join("another");
    std::fs::create_dir(&other).unwrap();
    let ended = world.bowline(&["restore", &hand]).folder(&other).end().await.expect(2);
    list.add("a checkpoint of another folder", &world, &without_checkpoints(ended), "Use -C");
    let empty = world.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let ended = world.bowline(&["restore", &hand]).env("PATH", &empty).end().await.expect(7);
    list.add("a restore without git", &world, &ended, "Install git");
    std::fs::remove_dir_all(world.home().join("checkpoints")).unwrap();
    let ended = without_checkpoints(say(&["restore", &hand]).await.expect(7));
    list.add("a checkpoint whose files are gone", &world, &ended, "bowline checkpoint list");
    std::fs::remove_dir_all(world.home().join("checkpoints")).unwrap();
    std::fs::write(world.home().join("checkpoints"), "").unwrap();
    let ended = say(&["checkpoint", "take"]).await.expect(1);
    list.add("a checkpoint that cannot be written", &world, &ended, "Make that place writable");
}

async fn edits(list: &mut List) {
    let world = World::play(HELLO).await;
    std::fs::write(world.project().join("a.txt"), "one\none\n").unwrap();
    std::fs::write(world.project().join("fixed.txt"), "one\n").unwrap();
    std::fs::set_permissions(world.project().join("fixed.txt"), Permissions::from_mode(0o444)).unwrap();
    let edit =
        |file: &'static str, old: &'static str| world.bowline(&["edit", file, "--old", old, "--new", "two"]);
    list.run("an edit of two places", &world, edit("a.txt", "one"), "--replace-all").await;
    list.run("an edit of no place", &world, edit("a.txt", "three"), "copy the lines").await;
    list.run("an edit of a folder", &world, edit(".", "one"), "name a file").await;
    list.run("an edit of a file that is not there", &world, edit("b.txt", "one"), "would create it").await;
    list.run("an edit of a read-only file", &world, edit("fixed.txt", "one"), "make it writable").await;
    list.run("an edit without its text", &world, world.bowline(&["edit", "a.txt"]), "--old").await;
}

async fn connect(world: &World) -> SqliteConnection {
    SqliteConnection::connect(world.database().to_str().unwrap()).await.unwrap()
}

async fn database(list: &mut List) {
    let world = World::play(HELLO).await;
    let notes = world.path().join("notes.txt");
    std::fs::write(&notes, "my notes, longer than any header\n").unwrap();
    let at = |place: &Path| world.run(&["Hello."]).env("BOWLINE_DATABASE", place);
    list.run("no database", &world, at(&notes), "move it away").await;
    list.run("a folder for a database", &world, at(&world.path()), "BOWLINE_DATABASE").await;
    list.run("a database where none can be", &world, at(&notes.join("below")), "BOWLINE_DATABASE").await;
    let postgres = world.run(&["Hello."]).env("BOWLINE_DATABASE", "postgres://nobody@127.0.0.1:1/none");
    list.run("a PostgreSQL that does not answer", &world, postgres, "check that its server runs").await;
    world.bowline(&["sessions", "list"]).end().await.expect(0);
    let mut held = connect(&world).await;
    held.execute("BEGIN EXCLUSIVE").await.unwrap();
    list.run("a database that is locked", &world, world.run(&["Hello."]), "and try again").await;
    held.execute("ROLLBACK").await.unwrap();
    let script = r#"trap '' XFSZ; ulimit -f 4; exec "$0" run --base-url "$1" "Hello.""#;
    let mut full = world.bowline(&[]);
    full.command = tokio::process::Command::new("sh");
    full.command.args(["-c", script, PROGRAM, &world.server.base_url()]).current_dir(world.project());
    world.environment(&mut full.command);
    list.run("no space", &world, full, "make room and try again").await;
    let newer = "INSERT INTO _sqlx_migrations SELECT 9999, description, installed_on, success, checksum, execution_time \
                 FROM _sqlx_migrations LIMIT 1";
    held.execute(newer).await.unwrap();
    held.close().await.unwrap();
    let mut ended = world.run(&["Hello."]).end().await.expect(1);
    // The version this program knows is of no interest here.
    let (head, rest) = ended.stderr.split_once("this program knows ").unwrap();
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    ended.stderr = format!("{head}this program knows N{rest}");
    list.add("a newer database", &world, &ended, "update bowline");
}

async fn turns(list: &mut List) {
    let refuses = "=== server llamacpp window=16384\n=== reply\nstatus 400 {\"error\":{\"message\":\"something is off\"}}\n";
    let world = World::play(refuses).await;
    list.run("a server that refuses", &world, world.run(&["Hello."]), "bowline run -c").await;
    let endless =
        "=== server llamacpp window=16384\n=== reply\ncall list_dir {}\n=== reply\ntext \"So far.\"\n";
    let world = World::play(endless).await;
    list.run("no steps left", &world, world.run(&["--max-steps", "1", "Hello."]), "bowline run -c").await;
    let world = World::play("=== server llamacpp window=16384\n=== reply\ntext \"So far.\"\nhang\n").await;
    list.run("no time left", &world, world.run(&["--max-time", "1s", "Hello."]), "bowline run -c").await;
    let world = World::play("=== server llamacpp window=16384\n=== reply repeat=3\n").await;
    list.run("a model that says nothing", &world, world.run(&["Hello."]), "bowline run -c").await;
    let world = World::play(include_str!("../../../../scenarios/outside-nobody.scenario")).await;
    list.run("nobody to ask", &world, world.run(&[&world.task]), "--allow").await;
    let world = World::play(HELLO).await;
    std::fs::write(world.project().join("AGENTS.md"), "Mind the rules.\n".repeat(1_000)).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", world.project().join("BOWLINE.md")).unwrap();
    let ended = world.run(&["Hello."]).end().await.expect(0);
    list.add("instructions that are too long, or lie elsewhere", &world, &ended, "Shorten it");
    let world = World::play(&HELLO.replace("=== reply", "=== reply repeat")).await;
    std::fs::write(world.project().join("bowline.toml"), "model = \"gone\"\n").unwrap();
    let ended = world.run(&["Hello."]).end().await.expect(0);
    list.add("a project's model that is not there", &world, &ended, "--model names another");
}
