//! The tasks judged without a model: each check fails on the project as it is and on every wrong answer, passes on the
//! reference solution, and notices what was touched beside it. And whole runs with a fake bowline, a shell script, in all the
//! ways a run can end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::changed::Snapshot;
use super::flags::{Flags, Wish};
use super::ground::{Ground, KEY, git};
use super::judge::{Left, Verdict, judge, run_check};
use super::report::Run;
use super::supervise::{End, Supervisor};
use super::task::{Judging, KINDS, Set, Task, read_all};
use super::{folder, play};
use crate::setup;

/// Files that tools want and nobody would count.
const UNCOUNTED: [&str; 2] = ["Cargo.lock", ".gitignore"];

/// The tasks of the repository, and those for practice.
fn all_tasks() -> [Vec<Task>; 2] {
    [folder(), folder().join("practice")].map(|folder| read_all(&folder).unwrap())
}

#[test]
fn the_mix_is_pinned() {
    let [measured, practice] = all_tasks();
    for (kind, sets) in mix(&measured) {
        assert_eq!(sets, [Set::Seen, Set::Unseen], "{kind}");
    }
    for (kind, sets) in mix(&practice) {
        assert!(sets.iter().all(|set| *set == Set::Seen), "{kind}");
    }
}

/// The sets of each kind's tasks. Each kind has one, and each task has the form of its kind.
fn mix(tasks: &[Task]) -> BTreeMap<&str, Vec<Set>> {
    let mut mix: BTreeMap<&str, Vec<Set>> = BTreeMap::new();
    for task in tasks {
        mix.entry(task.kind).or_default().push(task.set);
        assert!(task.name.starts_with(task.kind), "{} is named after its kind", task.name);
        assert_eq!(matches!(task.judging, Judging::Answer { .. }), task.kind == "question", "{}", task.name);
        let counted = task.files.iter().filter(|file| !UNCOUNTED.contains(&file.path.as_str())).count();
        assert!((2..=5).contains(&counted), "{} has {counted} files", task.name);
        assert!(!task.wrong.is_empty(), "{} has no wrong answer", task.name);
        if task.kind == "long-file" {
            let longest = task.files.iter().map(|file| file.text.lines().count()).max().unwrap();
            assert!((150..=400).contains(&longest), "{} has {longest} lines", task.name);
        }
    }
    assert_eq!(mix.len(), KINDS.len());
    mix
}

#[test]
fn every_check_tells_right_from_wrong() {
    setup::find_programs().unwrap();
    let tasks: Vec<Task> = all_tasks().into_iter().flatten().collect();
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    runtime.block_on(tell_right_from_wrong(task));
                }
            });
        }
    });
}

async fn tell_right_from_wrong(task: &Task) {
    let name = &task.name;
    let mut supervisor = Supervisor::new().unwrap();
    // As it is.
    let (_folder, ground, before) = made(task);
    match &task.judging {
        Judging::Files { hidden, check, .. } => {
            let verdict = run_check(&mut supervisor, &ground, &before, hidden, check).await.unwrap();
            assert!(matches!(verdict, Verdict::CheckFailed(_)), "{name} passes as it is");
            assert_eq!(outcome(&mut supervisor, task, "").await, Verdict::NothingChanged, "{name}");
        }
        Judging::Answer { .. } => {
            let verdict = outcome(&mut supervisor, task, "").await;
            assert!(matches!(verdict, Verdict::WrongAnswer(_)), "{name}: {verdict:?}");
        }
    }
    let verdict = outcome(&mut supervisor, task, &task.solution).await;
    assert_eq!(verdict, Verdict::Solved, "{name}: the reference solution");
    for (what, answer) in &task.wrong {
        let verdict = outcome(&mut supervisor, task, answer).await;
        assert!(!verdict.is_solved(), "{name}: `{what}` is taken for a solution");
    }
    touched(&mut supervisor, task).await;
}

fn made(task: &Task) -> (tempfile::TempDir, Ground, Snapshot) {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground::make(folder.path(), &task.files).unwrap();
    let before = Snapshot::of(&ground.project()).unwrap();
    (folder, ground, before)
}

/// The verdict about a patch, or about an answer where that is what is judged.
async fn outcome(supervisor: &mut Supervisor, task: &Task, given: &str) -> Verdict {
    let (_folder, ground, before) = made(task);
    let answer = answered(task, &ground, given);
    let left = Left { before: &before, end: End::Exit(0), answer: &answer };
    judge(supervisor, task, &ground, &left).await.unwrap()
}

fn answered(task: &Task, ground: &Ground, given: &str) -> String {
    match task.judging {
        Judging::Answer { .. } => given.to_owned(),
        Judging::Files { .. } if given.is_empty() => String::new(),
        Judging::Files { .. } => {
            let patch = ground.printed("given.diff");
            std::fs::write(&patch, given).unwrap();
            git(&ground.project(), &["apply", patch.to_str().unwrap()]).unwrap();
            String::new()
        }
    }
}

/// The right solution, and something else: each file that may not change gets a blank line, and one is added.
async fn touched(supervisor: &mut Supervisor, task: &Task) {
    let may_change = match &task.judging {
        Judging::Files { may_change, .. } => may_change.iter().map(|allowed| allowed.path.as_str()).collect(),
        Judging::Answer { .. } => Vec::new(),
    };
    let others = task.files.iter().map(|file| file.path.as_str()).filter(|path| !may_change.contains(path));
    let others: Vec<&str> = others.chain(["notes.txt"]).collect();
    for path in others {
        let (_folder, ground, before) = made(task);
        let answer = answered(task, &ground, &task.solution);
        let place = ground.project().join(path);
        let text = std::fs::read_to_string(&place).unwrap_or_default();
        std::fs::write(&place, text + "\n").unwrap();
        let left = Left { before: &before, end: End::Exit(0), answer: &answer };
        let verdict = judge(supervisor, task, &ground, &left).await.unwrap();
        assert!(matches!(verdict, Verdict::TouchedElse(_)), "{} with {path}: {verdict:?}", task.name);
    }
}

/// A task whose check is quick.
const SMALL: &str = "A number.\n=== kind constant\n=== set seen\n=== file a.txt\n1\n=== file b.txt\nb\n=== message\nMake it 2.\n\
                     === may change\na.txt\n=== check\ntest \"$(cat a.txt)\" = 2\n=== solution\n";
const FRAMES: &str = r#"echo '{"type":"step.started","session":"01ab"}'
echo '{"type":"step.completed","session":"01ab","usage":{"prompt_new":70,"prompt_cached":1,"output":9}}'
"#;

/// Plays the small task with a shell script in bowline's place.
fn played(script: &str, more: &[&str], limit: Option<Duration>) -> anyhow::Result<Run> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("bowline");
    // Another process writes it: a file that this one writes could still be open in a process that another test starts at
    // this moment, and then it can't be executed.
    let script = format!("#!/bin/sh\n{FRAMES}{script}\n");
    let written = Command::new("sh")
        .args(["-c", "printf %s \"$1\" > \"$0\"; chmod +x \"$0\""])
        .args([program.as_os_str(), script.as_ref()])
        .status()?;
    anyhow::ensure!(written.success(), "the script cannot be written");
    let task = Task::parse("constant-small", SMALL)?;
    let Wish::Run(mut flags) = Wish::parse(&[&["--base-url", "http://x/v1", "-m", "m"], more].concat())?
    else {
        anyhow::bail!("no run")
    };
    flags.limit = limit.unwrap_or(flags.limit);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(played_by(&flags, &program, &task))
}

async fn played_by(flags: &Flags, program: &Path, task: &Task) -> anyhow::Result<Run> {
    play(&mut Supervisor::new()?, flags, program, task, 1).await
}

#[test]
fn a_run_is_judged_by_its_files() {
    let table = [
        ("echo 2 > a.txt", Verdict::Solved),
        // The work is done although a guard stopped the run afterwards, or something was refused.
        ("echo 2 > a.txt; exit 3", Verdict::Solved),
        ("echo 2 > a.txt; exit 4", Verdict::Solved),
        ("echo 2 > a.txt; mkdir __pycache__; echo x > __pycache__/a", Verdict::Solved),
        ("exit 0", Verdict::NothingChanged),
        ("echo 3 > a.txt", Verdict::CheckFailed("it printed nothing".to_owned())),
        ("echo 2 > a.txt; echo c > b.txt", Verdict::TouchedElse(vec!["changed b.txt".to_owned()])),
        ("echo 2 > a.txt; echo c > c.txt", Verdict::TouchedElse(vec!["made c.txt".to_owned()])),
        ("echo 2 > a.txt; rm b.txt; exit 3", Verdict::TouchedElse(vec!["deleted b.txt".to_owned()])),
        ("echo 2 > a.txt; exit 1", Verdict::Ended("exit code 1".to_owned())),
        ("kill -s KILL $$", Verdict::Ended("signal 9".to_owned())),
    ];
    for (script, verdict) in table {
        let run = played(script, &[], None).unwrap();
        assert_eq!(run.verdict, verdict, "{script}");
        assert_eq!((run.figures.calls, run.figures.read_anew, run.figures.written), (1, 70, 9), "{script}");
    }
}

#[test]
fn a_run_past_its_time_is_ended_and_not_solved() {
    let run = played("echo 2 > a.txt; sleep 600", &[], Some(Duration::from_millis(500))).unwrap();
    assert_eq!((run.verdict, run.end), (Verdict::Time, End::Time));
    assert!(run.took < Duration::from_secs(300));
}

#[test]
fn what_makes_every_run_useless_stops_the_bench() {
    for code in [2, 5] {
        let script = format!("echo 'no usable model' >&2; exit {code}");
        let error = played(&script, &[], None).map(drop).unwrap_err().to_string();
        assert!(error.contains("no usable model"), "{error}");
    }
}

#[test]
fn bowline_gets_the_task_and_a_home_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    let kept = place.path().join("kept");
    let script = "if [ \"$1\" = sessions ]; then exit 0; fi\nprintf '%s\\n' \"$@\" >&2; env | sort >&2; ls -A \"$BOWLINE_HOME\" >&2";
    let run = played(script, &["--keep", kept.to_str().unwrap(), "--mode", "text"], None).unwrap();
    assert_eq!(run.verdict, Verdict::NothingChanged);
    let kept: PathBuf = kept.join("constant-small.1");
    let said = std::fs::read_to_string(kept.join("stderr.txt")).unwrap();
    let asked = "run\n--json\n--base-url\nhttp://x/v1\n--model\nm\n--mode\ntext\n--\nMake it 2.\n";
    assert!(said.starts_with(asked), "{said}");
    let is_ours = |line: &str| line.starts_with("BOWLINE_") && !line.starts_with(KEY);
    let own: Vec<&str> = said.lines().filter(|line| is_ours(line)).collect();
    assert_eq!(own.len(), 1, "{own:?}");
    assert!(own[0].starts_with("BOWLINE_HOME=") && own[0].ends_with("/home"), "{own:?}");
    assert!(!said.contains("CARGO_MANIFEST_DIR"), "{said}");
    for name in ["project/a.txt", "home", "frames.jsonl", "change.diff", "verdict.txt"] {
        assert!(kept.join(name).exists(), "{name} is not kept");
    }
}
