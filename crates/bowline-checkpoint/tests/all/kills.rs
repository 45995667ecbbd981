//! A process that dies in the middle of a restore: at each step, in every situation; and what it can leave between steps.
//!
//! What has to hold: whoever settles it finds the files all as they were or all as the plan wanted, and the undo brings every
//! byte back.

use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bowline_checkpoint::{Action, Cause, Plan, Planned, Settings, Step, Store};
use rustix::process::{Signal, getpid, kill_process};

use crate::ground::Ground;
use crate::situation::Situation;
use crate::tree_state::{Seen, Thing};

/// At how many moments each situation is killed, where it does not ask for all: on the way there and on the way back.
const ENDS: usize = 2;

/// How a process ends.
#[derive(Debug, Clone, Copy)]
enum End {
    At(Step),
    /// While it wrote the files: a part of them is done, one is half there.
    Within,
}

/// A restore and the way back, done again and again by processes that die.
pub(crate) struct Killing<'s> {
    situation: &'s Situation<'s>,
    store: Store,
    /// There and back.
    plans: [Plan; 2],
    /// The files at either end, and a copy of them.
    files: [Seen; 2],
    copies: [PathBuf; 2],
    is_there: bool,
    round: usize,
}

impl<'s> Killing<'s> {
    pub(crate) fn new(
        situation: &'s Situation<'s>,
        plans: [Plan; 2],
        files: [Seen; 2],
        copies: [PathBuf; 2],
    ) -> Killing<'s> {
        Killing { situation, store: situation.open(), plans, files, copies, is_there: false, round: 0 }
    }

    /// Dies at another moment each time, is settled each time, and ends at the goal.
    pub(crate) fn at_every_step(&mut self) {
        if self.plan().changes.is_empty() {
            return;
        }
        let mut ends: Vec<End> = Step::ALL.into_iter().map(End::At).chain([End::Within]).collect();
        // Each situation begins elsewhere, so that every step is met on the way there and on the way back.
        let first = self.situation.case.name.len() % ends.len();
        ends.rotate_left(first);
        let is_every = self.situation.case.text("kills").is_some_and(|kills| kills.trim() == "every");
        if !is_every && std::env::var_os("BOWLINE_EVERY_KILL").is_none() {
            ends.truncate(ENDS);
        }
        for end in ends {
            self.kill(end);
            self.settle(&format!("killed at {end:?}"));
        }
        if !self.is_there {
            let done = self.store.restore("k-last", self.plan());
            done.unwrap_or_else(|failure| panic!("after all kills: {failure}"));
            self.is_there = true;
        }
        self.check("after all kills");
    }

    fn id(&self) -> String {
        format!("k-round-{}", self.round)
    }

    fn plan(&self) -> &Plan {
        &self.plans[usize::from(self.is_there)]
    }

    /// Another process carries the plan out and dies.
    fn kill(&mut self, end: End) {
        self.round += 1;
        let (ground, root) = (&self.situation.ground, &self.situation.root);
        fs::write(ground.base.join("plan"), written(self.plan())).unwrap();
        let step = match end {
            End::At(step) => step,
            End::Within => Step::Noted,
        };
        let died = dying(ground, root, &format!("{step:?}"), &self.id()).output().unwrap();
        let told = String::from_utf8_lossy(&[died.stdout, died.stderr].concat()).into_owned();
        assert_eq!(died.status.signal(), Some(Signal::KILL.as_raw()), "{end:?}: {told}");
        if matches!(end, End::Within) {
            self.tear(root, self.round % self.plan().changes.len());
        }
    }

    /// Leaves the files as a process does that dies while it writes them: those before are done, one is half there.
    fn tear(&self, root: &Path, at: usize) {
        let end = usize::from(!self.is_there);
        for (number, planned) in self.plan().changes.iter().enumerate().take(at + 1) {
            let (from, to) = (self.copies[end].join(&planned.path), root.join(&planned.path));
            let is_last = number == at;
            match planned.action {
                Action::Delete => drop(fs::remove_file(&to)),
                Action::RemoveFolder if !is_last => drop(fs::remove_dir(&to)),
                Action::MakeFolder if !is_last => drop(fs::create_dir_all(&to)),
                Action::RemoveFolder | Action::MakeFolder => {}
                Action::Create | Action::Write => {
                    let _ = fs::create_dir_all(to.parent().unwrap());
                    let _ = fs::remove_file(&to);
                    match self.files[end].0.get(&planned.path) {
                        Some(Thing::File { .. }) => {
                            let bytes = fs::read(&from).unwrap();
                            let end = if is_last { bytes.len() / 2 } else { bytes.len() };
                            let _ = fs::write(&to, &bytes[..end]);
                        }
                        Some(Thing::Link(target)) if !is_last => {
                            let _ = std::os::unix::fs::symlink(target, &to);
                        }
                        _ => {}
                    }
                }
            }
        }
        fs::write(self.store.folder().join("index.lock"), "half an ind").unwrap();
    }

    /// The next start: all or nothing.
    fn settle(&mut self, when: &str) {
        let is_done =
            self.store.settle(&self.id()).unwrap_or_else(|failure| panic!("{when}: settle: {failure}"));
        self.is_there ^= is_done;
        self.check(&format!("{when}, {}", if is_done { "finished" } else { "taken back" }));
    }

    fn check(&self, when: &str) {
        let differs = self.situation.look().against(&self.files[usize::from(self.is_there)]);
        assert!(differs.is_empty(), "{when}: files are not as they should be\n{differs}");
    }
}

/// This program again, to carry out the plan that was written down and die at a step.
fn dying(ground: &Ground, root: &Path, step: &str, id: &str) -> Command {
    let mut command = ground.command(std::env::current_exe().unwrap().to_str().unwrap());
    command
        .args(["--exact", "kills::die", "--nocapture", "--test-threads=1"])
        .env("BOWLINE_DIE", step)
        .env("BOWLINE_ID", id)
        .env("BOWLINE_GROUND", &ground.base)
        .env("BOWLINE_ROOT", root);
    command
}

/// Carries a plan out and dies.
#[test]
fn die() {
    let Ok(step) = std::env::var("BOWLINE_DIE") else { return };
    let ground = Ground::at(Path::new(&std::env::var_os("BOWLINE_GROUND").unwrap()));
    let root = PathBuf::from(std::env::var_os("BOWLINE_ROOT").unwrap());
    let plan = read(&fs::read_to_string(ground.base.join("plan")).unwrap());
    let store = Store::open(&ground.base.join("store"), &root, Settings::default()).unwrap();
    let mut watch = |now: Step| {
        if format!("{now:?}") == step {
            kill_process(getpid(), Signal::KILL).unwrap();
        }
    };
    store.restore_watched(&std::env::var("BOWLINE_ID").unwrap(), &plan, &mut watch).unwrap();
    panic!("the restore has no step {step}");
}

const ACTIONS: [Action; 5] =
    [Action::Create, Action::Write, Action::Delete, Action::MakeFolder, Action::RemoveFolder];

/// A plan in lines, for another process.
fn written(plan: &Plan) -> String {
    let mut text = format!("{}\n{}\n{}\n", plan.now, plan.target, plan.goal);
    for planned in &plan.changes {
        let action = ACTIONS.iter().position(|action| *action == planned.action).unwrap();
        let path = planned.path.as_os_str().as_bytes();
        let path: String = path.iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!("{action} {path}\n");
    }
    text
}

fn read(text: &str) -> Plan {
    let mut lines = text.lines().map(str::to_owned);
    let (now, target, goal) = (lines.next().unwrap(), lines.next().unwrap(), lines.next().unwrap());
    let changes = lines.map(|line| {
        let (action, path) = line.split_once(' ').unwrap();
        let byte = |at: usize| u8::from_str_radix(&path[at..at + 2], 16).unwrap();
        let path = (0..path.len()).step_by(2).map(byte).collect();
        let path = PathBuf::from(std::ffi::OsString::from_vec(path));
        let action = ACTIONS[action.parse::<usize>().unwrap()];
        Planned { path, action, cause: Cause::Turn, added: None, removed: None }
    });
    Plan { now, target, goal, changes: changes.collect(), kept: Vec::new() }
}

/// Killed while git writes: what it began may go on by itself.
#[test]
fn a_restore_killed_while_git_writes_is_settled() {
    for is_writing in [false, true] {
        let folder = crate::ground::folder();
        let ground = Ground::make(folder.path());
        ground.sh("git init -q -b main && for folder in 1 2 3 4 5 6 7 8; do many dir/$folder 100; done && save first");
        let store = ground.store();
        let before = store.take("k1").unwrap().commit;
        let then = crate::tree_state::look(&ground.tree(), &[".git"]).0;
        ground.sh("rm -r dir && echo turn > made");
        let now = crate::tree_state::look(&ground.tree(), &[".git"]).0;
        let plan = Ground::plan_all(&store, "k2", &before);
        fs::write(ground.base.join("plan"), written(&plan)).unwrap();
        let mut process = dying(&ground, &ground.tree(), "never", "k-killed");
        process.stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = process.spawn().unwrap();
        let journal = store.folder().join("journal");
        let begun = || journal.exists() && (!is_writing || ground.tree().join("dir/1").exists());
        while !begun() && process.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        process.kill().unwrap();
        process.wait().unwrap();
        let is_done = store.settle("k-killed").unwrap();
        let seen = crate::tree_state::look(&ground.tree(), &[".git"]).0;
        let differs = seen.against(if is_done { &then } else { &now });
        assert!(differs.is_empty(), "settled ({is_done}), and not so\n{differs}");
        Ground::restore_all(&store, "k3", &plan.now);
        let differs = crate::tree_state::look(&ground.tree(), &[".git"]).0.against(&now);
        assert!(differs.is_empty(), "not every byte is back\n{differs}");
    }
}

/// What a process that was killed can leave in the store stops nobody.
#[test]
fn leftovers_in_the_store_stop_nobody() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository && echo a > a");
    let store = ground.store();
    let first = store.take("k1").unwrap();
    let leftovers =
        ["index.lock", "goal", "goal.lock", "git/HEAD.lock", "git/packed-refs.lock", "git.new/HEAD"];
    for (number, leftover) in leftovers.iter().enumerate() {
        let path = store.folder().join(leftover);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "half").unwrap();
        let again = store.take(&format!("k-{number}"));
        assert_eq!(again.unwrap_or_else(|failure| panic!("{leftover}: {failure}")), first, "{leftover}");
    }
    let whole = fs::read(store.folder().join("index")).unwrap();
    for (number, bytes) in [&b""[..], b"garbage", &whole[..whole.len() / 2]].into_iter().enumerate() {
        fs::write(store.folder().join("index"), bytes).unwrap();
        let again = store.take(&format!("k-index-{number}"));
        assert_eq!(again.unwrap_or_else(|failure| panic!("{number}: {failure}")), first);
        ground.sh("echo turn > a && rm tracked.txt");
        Ground::restore_all(&store, &format!("k-restore-{number}"), &first.commit);
        assert_eq!(fs::read_to_string(ground.tree().join("a")).unwrap(), "a\n");
        assert!(ground.tree().join("tracked.txt").exists());
    }
    store.forget(&["k-0".to_owned()]).unwrap();
    assert_eq!(store.health().unwrap().trouble, None);
}
