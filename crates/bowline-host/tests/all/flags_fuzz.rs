//! Flags against drawn commands: a flag that no table knows is asked about, and what the rules allow of git changes no file
//! and shows nothing from outside the project.
//!
//! `BOWLINE_SHELL_FUZZ_S` and `BOWLINE_SHELL_FUZZ_SEED` are those of `shell_fuzz`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use bowline_core::policy::{Rules, Verdict};
use bowline_host::permission::Judge;
use bowline_host::workspace::Workspace;

use crate::shell_fuzz::{Random, number};

/// Programs to which every word is text, so that a flag means nothing to them; and those that start another.
const FLAGLESS: &[&str] = &[
    "echo",
    "expr",
    "true",
    "false",
    "printf",
    "test",
    "command",
    "time",
    "timeout",
    "nice",
    "env",
    "if",
    "for",
    "./test.sh",
    "sh",
    "bash",
    "{",
    "!",
];

/// A command that is allowed is no longer allowed with a flag that nobody looked at, wherever that stands.
#[test]
fn a_flag_that_no_table_knows_is_asked_about() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/commands.cases");
    let source = fs::read_to_string(cases).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for path in [".git/HEAD", "Cargo.toml", "a.txt", "src/main.rs", "README.md", "data.json", "package.json"]
    {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), "{}\n").unwrap();
    }
    let judge = Judge::new(Workspace::open(&root, Vec::new()).unwrap(), Rules::default());
    let mut count = 0;
    for command in source.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let words: Vec<&str> = command.split(' ').collect();
        let is_plain = !command.contains([';', '&', '|', '<', '>', '(', '=', '#', '\\', '\'', '"']);
        if !is_plain || FLAGLESS.contains(&words[0]) || judge.command(command).verdict != Verdict::Allow {
            continue;
        }
        // Not after a flag, where the word could be its value, and not after `--`, where it is no flag.
        let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
        let places = (1..=end).filter(|at| !words[*at - 1].starts_with('-'));
        for at in places {
            for flag in ["--no-such-flag", "--no-such-flag=x", "--no-such*", "-%", "-%x"] {
                let mut words = words.clone();
                words.insert(at, flag);
                let drawn = words.join(" ");
                assert_ne!(judge.command(&drawn).verdict, Verdict::Allow, "{drawn}");
                count += 1;
            }
        }
    }
    assert!(count > 500, "only {count}");
}

const COMMANDS: &[&str] = &[
    "status",
    "log",
    "show",
    "diff",
    "blame",
    "shortlog",
    "rev-list",
    "grep",
    "cat-file",
    "ls-files",
    "ls-tree",
    "diff-tree",
    "diff-index",
    "diff-files",
    "reflog",
    "reflog show",
    "stash list",
    "stash show",
    "branch",
    "tag",
    "rev-parse",
    "describe",
    "for-each-ref",
    "show-ref",
    "check-ignore",
    "whatchanged",
    "name-rev",
    "worktree list",
    "remote",
    "annotate",
    "merge-base",
    "count-objects",
];
const ARGUMENTS: &[&str] = &[
    "HEAD",
    "HEAD",
    "a.txt",
    "a.txt",
    "--",
    "main",
    "x",
    "-p",
    "-1",
    "-n",
    "2",
    "--stat",
    "--oneline",
    "--all",
    "-L",
    "1,1:a.txt",
    "HEAD:a.txt",
    "HEAD:.env",
    ".env",
    "../secret.txt",
    "--output=out",
    "--output=../out",
    "--outp=out",
    "--output",
    "out",
    "../out",
    "-o",
    "-O",
    "-Oout",
    "-O../secret.txt",
    "--no-index",
    "--no-ind",
    "--contents=../secret.txt",
    "--contents",
    "-S",
    "-S../secret.txt",
    "--ignore-revs-file=../secret.txt",
    "--ext-diff",
    "--textconv",
    "--ext-d",
    "--open-files-in-pager=touch",
    "--open=touch",
    "-Otouch",
    "--untracked",
    "--no-exclude-standard",
    "-f",
    "-f../secret.txt",
    "--file=../secret.txt",
    "-X",
    "--exclude-from=../secret.txt",
    "--exclude-per-directory=x",
    "--others",
    "-i",
    "-o",
    "--list",
    "-d",
    "-D",
    "-m",
    "-f",
    "-c",
    "--contains",
    "--sort=x",
    "--format=%h",
    "'--format=%G?'",
    "--show-signature",
    "--stdin",
    "--batch",
    "--batch-check",
    "--delete",
    "expire",
    "delete",
    "drop",
    "pop",
    "clear",
    "--expire=now",
    "--all",
    "T",
    "-e",
    "TOP",
    "--cached",
    "--patch",
    "-U0",
    "--color=always",
    "--abbrev-ref",
    "--parseopt",
];

struct Repository {
    _above: tempfile::TempDir,
    root: PathBuf,
}

impl Repository {
    fn new(secret: &str) -> Repository {
        let above = tempfile::tempdir().unwrap();
        let root = above.path().canonicalize().unwrap().join("project");
        fs::create_dir(&root).unwrap();
        let repository = Repository { _above: above, root };
        fs::write(repository.root.join("../secret.txt"), format!("{secret}\n")).unwrap();
        fs::write(repository.root.join("a.txt"), "a\nx\n").unwrap();
        for command in ["init -q -b main", "add .", "commit -q -m one", "tag v1"] {
            let done = repository.git(command);
            assert!(done.status.success(), "{done:?}");
        }
        fs::write(repository.root.join("a.txt"), "a\ny\n").unwrap();
        let done = repository.git("stash -q");
        assert!(done.status.success(), "{done:?}");
        fs::write(repository.root.join(".env"), format!("{secret}\n")).unwrap();
        fs::write(repository.root.join("a.txt"), "a\nz\n").unwrap();
        repository
    }

    fn git(&self, words: &str) -> Output {
        Command::new("timeout")
            .args(["-s", "KILL", "5", "sh", "-c", &format!("git {words}")])
            .current_dir(&self.root)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.root)
            .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("PAGER", "cat")])
            .envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@example.org")])
            .envs([("GIT_COMMITTER_NAME", "a"), ("GIT_COMMITTER_EMAIL", "a@example.org")])
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Every file with its content, but for the index: git refreshes what it knows of the files' times.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.root.parent().unwrap(), &mut files);
        files.retain(|path, _| !path.ends_with(".git/index"));
        files
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), files);
        } else {
            files.insert(entry.path(), fs::read(entry.path()).unwrap());
        }
    }
}

/// git with drawn flags: what is allowed writes nothing, and shows neither a secret nor a file outside.
#[test]
fn git_that_is_allowed_only_looks() {
    const SECRET: &str = "TOPSECRET";
    let repository = Repository::new(SECRET);
    let judge = Judge::new(Workspace::open(&repository.root, Vec::new()).unwrap(), Rules::default());
    // The net catches: what is not allowed does write, and does tell.
    repository.git("reflog show --output=../out");
    assert!(fs::remove_file(repository.root.join("../out")).is_ok());
    let told = repository.git("diff --no-index a.txt ../secret.txt").stdout;
    assert!(String::from_utf8_lossy(&told).contains(SECRET));
    let before = repository.files();
    let seed = number("BOWLINE_SHELL_FUZZ_SEED", 1);
    let time = Duration::from_secs(number("BOWLINE_SHELL_FUZZ_S", 2));
    let (mut random, started) = (Random(seed.wrapping_mul(0xA076_1D64_78BD_642F) | 1), Instant::now());
    let (mut count, mut allowed) = (0_u64, 0_u64);
    while started.elapsed() < time {
        let mut words = COMMANDS[random.below(COMMANDS.len())].to_owned();
        for _ in 0..random.below(4) {
            words.push(' ');
            let letter =
                char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[random.below(52)]);
            match random.below(5) {
                0 => words.extend(['-', letter]),
                _ => words.push_str(ARGUMENTS[random.below(ARGUMENTS.len())]),
            }
        }
        count += 1;
        if judge.command(&format!("git {words}")).verdict != Verdict::Allow {
            continue;
        }
        allowed += 1;
        let output = repository.git(&words);
        let told = [output.stdout, output.stderr].concat();
        assert!(!String::from_utf8_lossy(&told).contains(SECRET), "it tells a secret: git {words}");
        assert_eq!(before, repository.files(), "it wrote something: git {words}");
    }
    println!("seed {seed}: {count} commands, {allowed} allowed and run");
    assert!(allowed > 0);
}
