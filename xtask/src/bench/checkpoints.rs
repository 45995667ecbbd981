//! `cargo xtask bench checkpoints`: a checkpoint and a restore in a repository of 50,000 files, beside `git status`, the
//! recipe with a fresh index in the user's repository, and `git stash create`, taken in turn in one go.
//!
//! The figures are for reading, as ratios to `git status` of the same round; nothing fails because of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use bowline_checkpoint::{PlanRequest, Settings, Store, UserChanges};

const FOLDERS: usize = 2_500;
const FILES_PER_FOLDER: usize = 20;
/// Some 5 KB, as source files have.
const LINES_PER_FILE: usize = 120;
const ROUNDS_DEFAULT: usize = 7;
const EDITS: [usize; 2] = [10, 1_000];
const CACHES: &str = "/proc/sys/vm/drop_caches";

/// What is measured, in the order of a round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Status,
    Take,
    Recipe,
    Stash,
    Restore,
}

const ALL: [(What, &str); 5] = [
    (What::Status, "git status"),
    (What::Take, "checkpoint"),
    (What::Recipe, "fresh index: read-tree, add -A, commit-tree, update-ref"),
    (What::Stash, "git stash create"),
    (What::Restore, "restore"),
];

pub(crate) fn run(flags: &[&str]) -> Result<()> {
    let rounds = match flags {
        [] => ROUNDS_DEFAULT,
        ["--rounds", rounds] => rounds.parse().context("--rounds takes a number")?,
        _ => bail!("there is --rounds N, and nothing else"),
    };
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let ground = Ground::make(folder.path())?;
    for edits in EDITS {
        ground.warm(edits, rounds)?;
    }
    ground.cold()
}

struct Ground {
    project: PathBuf,
    store: Store,
    folder: PathBuf,
}

impl Ground {
    fn make(folder: &Path) -> Result<Ground> {
        let project = folder.join("project");
        eprintln!("bench: {} files", FOLDERS * FILES_PER_FOLDER);
        for number in 0..FOLDERS {
            let place = project.join(format!("part{:02}/unit{:02}", number / 50, number % 50));
            std::fs::create_dir_all(&place)?;
            for file in 0..FILES_PER_FOLDER {
                let line = |line: usize| {
                    format!("line {line} of file {file} in {number}: {}\n", line * 7919 % 104_729)
                };
                std::fs::write(
                    place.join(format!("file{file:02}.rs")),
                    (0..LINES_PER_FILE).map(line).collect::<String>(),
                )?;
            }
        }
        let store = folder.join("store");
        std::fs::create_dir_all(&store)?;
        let store = Store::open(&store, &project, Settings::default())?;
        let ground = Ground { project, store, folder: folder.to_owned() };
        ground.git(&["init", "-q"], &[])?;
        ground.git(&["config", "gc.auto", "0"], &[])?;
        ground.git(&["add", "-A"], &[])?;
        ground.git(&["commit", "-q", "-m", "files"], &[])?;
        ground.git(&["gc", "-q"], &[])?;
        let begun = Instant::now();
        ground.store.take("first")?;
        println!("the first checkpoint takes {}", seconds(begun.elapsed()));
        Ok(ground)
    }

    fn git(&self, args: &[&str], env: &[(&str, &Path)]) -> Result<String> {
        let mut command = Command::new("git");
        command.args(args).current_dir(&self.project).stdin(Stdio::null());
        for who in ["GIT_AUTHOR", "GIT_COMMITTER"] {
            command.env(format!("{who}_NAME"), "bench").env(format!("{who}_EMAIL"), "bench@localhost");
        }
        for (name, value) in env {
            command.env(name, value);
        }
        let output = command.output().context("git cannot be run")?;
        if !output.status.success() {
            bail!("git {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// So many files get a line more.
    fn edit(&self, count: usize, round: usize) -> Result<()> {
        use std::io::Write as _;
        for number in 0..count {
            let at = (number * 47 + round) % FOLDERS;
            let name =
                format!("part{:02}/unit{:02}/file{:02}.rs", at / 50, at % 50, number % FILES_PER_FOLDER);
            let mut file = std::fs::File::options().append(true).open(self.project.join(name))?;
            writeln!(file, "edited in round {round}")?;
        }
        Ok(())
    }

    fn measure(&self, what: What, id: &str) -> Result<Duration> {
        let begun = Instant::now();
        match what {
            What::Status => drop(self.git(&["status", "--porcelain"], &[])?),
            What::Take => drop(self.store.take(id)?),
            What::Recipe => self.recipe()?,
            What::Stash => drop(self.git(&["stash", "create"], &[])?),
            What::Restore => {
                let first = self.store.find("first")?.context("the first checkpoint is gone")?;
                let request =
                    PlanRequest { target: &first, taken_back: None, user_changes: UserChanges::Keep };
                let plan = self.store.plan(&format!("{id}-now"), &request)?;
                self.store.restore(&format!("{id}-restore"), &plan)?;
            }
        }
        Ok(begun.elapsed())
    }

    fn recipe(&self) -> Result<()> {
        let index = self.folder.join("fresh-index");
        let _ = std::fs::remove_file(&index);
        let env = [("GIT_INDEX_FILE", index.as_path())];
        self.git(&["read-tree", "HEAD"], &env)?;
        self.git(&["add", "-A"], &env)?;
        let tree = self.git(&["write-tree"], &env)?;
        let commit = self.git(&["commit-tree", &tree, "-p", "HEAD", "-m", "checkpoint"], &env)?;
        self.git(&["update-ref", "refs/bench/checkpoint", &commit], &env)?;
        Ok(())
    }

    fn warm(&self, edits: usize, rounds: usize) -> Result<()> {
        let mut times: Vec<(What, &str, Vec<Duration>)> =
            ALL.iter().map(|(what, name)| (*what, *name, Vec::new())).collect();
        let mut bytes = Vec::new();
        for round in 1..=rounds {
            eprintln!("bench: {edits} edits, round {round} of {rounds}");
            self.edit(edits, round)?;
            for (what, _, times) in &mut times {
                let before = self.store.health()?.bytes;
                times.push(self.measure(*what, &format!("w{edits}-{round}"))?);
                if *what == What::Take {
                    bytes.push(self.store.health()?.bytes - before);
                }
            }
        }
        println!("\n{edits} edits, warm, median of {rounds}");
        report(&times);
        bytes.sort_unstable();
        println!("  a checkpoint takes {} bytes on the disk", bytes[bytes.len() / 2]);
        Ok(())
    }

    /// With nothing in the machine's memory, where that may be asked for.
    fn cold(&self) -> Result<()> {
        let mut times = Vec::new();
        self.edit(EDITS[0], 0)?;
        for (what, name) in ALL.into_iter().filter(|(what, _)| *what != What::Restore) {
            let _ = Command::new("sync").status();
            if std::fs::write(CACHES, "3").is_err() {
                println!("\ncold: the machine's caches may not be dropped here");
                return Ok(());
            }
            times.push((what, name, vec![self.measure(what, "cold")?]));
        }
        println!("\n{} edits, cold, once", EDITS[0]);
        report(&times);
        Ok(())
    }
}

fn report(times: &[(What, &str, Vec<Duration>)]) {
    let median = |times: &[Duration]| {
        let mut times = times.to_vec();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let status =
        times.iter().find(|(what, ..)| *what == What::Status).map_or(Duration::MAX, |row| median(&row.2));
    for (_, name, times) in times {
        let time = median(times);
        println!(
            "  {name:<56} {:>9} {:>6.2} x git status",
            seconds(time),
            time.as_secs_f64() / status.as_secs_f64()
        );
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}
