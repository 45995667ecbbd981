//! Random sequences of edits, commits, checkpoints, restores and undos, compared with a naive model of the tree.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use bowline_checkpoint::{PlanRequest, UserChanges};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::ground::Ground;
use crate::tree_state::{Seen, Thing, file, look};

const RUNS: u32 = 12;

/// The same ones each time; `BOWLINE_DRAWN_RUNS` asks for so many others.
pub(crate) fn runner() -> TestRunner {
    let asked = std::env::var("BOWLINE_DRAWN_RUNS").ok().and_then(|runs| runs.parse().ok());
    let config = |cases| Config { cases, failure_persistence: None, ..Config::default() };
    match asked {
        Some(runs) => TestRunner::new(config(runs)),
        None => TestRunner::new_with_rng(config(RUNS), TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    }
}

#[derive(Debug, Clone)]
enum Step {
    Write(usize, u8),
    Delete(usize),
    Mode(usize, u32),
    Link(usize, usize),
    Folder(usize),
    Commit,
    Stage,
    Prune,
    Take,
    /// All files of a checkpoint.
    Restore(usize),
    /// The files as they were before the last restore.
    Undo,
}

/// Some of these are folders of others: a write turns a file into a folder, and a folder into a file.
const PATHS: [&str; 8] = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "f/g/h"];
const MODES: [u32; 4] = [0o644, 0o755, 0o600, 0o444];

fn step() -> impl Strategy<Value = Step> {
    let path = 0..PATHS.len();
    prop_oneof![
        6 => (path.clone(), 0..4_u8).prop_map(|(path, byte)| Step::Write(path, byte)),
        3 => path.clone().prop_map(Step::Delete),
        2 => (path.clone(), 0..MODES.len()).prop_map(|(path, mode)| Step::Mode(path, MODES[mode])),
        1 => (path.clone(), path.clone()).prop_map(|(path, to)| Step::Link(path, to)),
        1 => path.prop_map(Step::Folder),
        1 => Just(Step::Commit),
        1 => Just(Step::Stage),
        1 => Just(Step::Prune),
        3 => Just(Step::Take),
        3 => (0..8_usize).prop_map(Step::Restore),
        2 => Just(Step::Undo),
    ]
}

/// The tree as it should be: what is at each path. Folders are there as long as something says so.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model(BTreeMap<PathBuf, Thing>);

impl Model {
    /// Makes room for something at `path`.
    fn clear(&mut self, path: &Path) {
        self.0.retain(|known, _| !known.starts_with(path));
        for folder in path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
            if !matches!(self.0.get(folder), Some(Thing::Folder(_))) {
                self.0.insert(folder.to_owned(), Thing::Folder(0o755));
            }
        }
    }

    fn put(&mut self, path: &Path, thing: Thing) {
        self.clear(path);
        self.0.insert(path.to_owned(), thing);
    }
}

fn clear(tree: &Path, path: &str) {
    let place = tree.join(path);
    for folder in Path::new(path).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
        let folder = tree.join(folder);
        if folder.symlink_metadata().is_ok_and(|about| !about.is_dir()) {
            fs::remove_file(&folder).unwrap();
        }
    }
    match place.symlink_metadata() {
        Ok(about) if about.is_dir() => fs::remove_dir_all(&place).unwrap(),
        Ok(_) => fs::remove_file(&place).unwrap(),
        Err(_) => {}
    }
    fs::create_dir_all(place.parent().unwrap()).unwrap();
}

/// Does the same to the tree and to the model.
fn edit(ground: &Ground, model: &mut Model, step: &Step) {
    let tree = ground.tree();
    match step {
        Step::Write(path, byte) => {
            let content = [b'0' + byte; 5];
            clear(&tree, PATHS[*path]);
            fs::write(tree.join(PATHS[*path]), content).unwrap();
            model.put(Path::new(PATHS[*path]), file(0o644, &content));
        }
        Step::Delete(path) => {
            let path = Path::new(PATHS[*path]);
            if model.0.contains_key(path) {
                clear(&tree, path.to_str().unwrap());
                model.0.retain(|known, _| !known.starts_with(path));
            }
        }
        Step::Mode(path, mode) => {
            let path = Path::new(PATHS[*path]);
            if let Some(Thing::File { mode: known, .. }) = model.0.get_mut(path) {
                *known = *mode;
                fs::set_permissions(tree.join(path), fs::Permissions::from_mode(*mode)).unwrap();
            }
        }
        Step::Link(path, to) => {
            clear(&tree, PATHS[*path]);
            std::os::unix::fs::symlink(PATHS[*to], tree.join(PATHS[*path])).unwrap();
            model.put(Path::new(PATHS[*path]), Thing::Link(PATHS[*to].into()));
        }
        Step::Folder(path) => {
            clear(&tree, PATHS[*path]);
            fs::create_dir(tree.join(PATHS[*path])).unwrap();
            model.put(Path::new(PATHS[*path]), Thing::Folder(0o755));
        }
        Step::Commit => ground.sh("git add -A && git commit -q --allow-empty -m more"),
        Step::Stage => ground.sh("git add -A"),
        Step::Prune => ground.sh("git reflog expire --expire=now --all && git gc -q --prune=now"),
        Step::Take | Step::Restore(_) | Step::Undo => {}
    }
}

fn play(steps: &[Step]) {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("git init -q -b main");
    let store = ground.store();
    let mut model = Model::default();
    let mut taken: Vec<(String, Model)> = Vec::new();
    let mut undo: Option<(String, Model)> = None;
    for (number, step) in steps.iter().enumerate() {
        edit(&ground, &mut model, step);
        let id = format!("k{number}");
        let target = match step {
            Step::Take => {
                let commit = store.take(&id).unwrap().commit;
                for (known, was) in &taken {
                    assert_eq!(*known == commit, *was == model, "equal files, equal commits, and no others");
                }
                taken.push((commit, model.clone()));
                None
            }
            Step::Restore(at) if !taken.is_empty() => Some(taken[at % taken.len()].clone()),
            Step::Undo => undo.take(),
            _ => None,
        };
        if let Some((target, then)) = target {
            let plan = Ground::plan_all(&store, &id, &target);
            store.restore(&format!("{id}-done"), &plan).unwrap();
            undo = Some((plan.now, model));
            model = then;
        }
        let differs = look(&ground.tree(), &[".git"]).0.against(&Seen(model.0.clone()));
        assert!(differs.is_empty(), "after {number}, {step:?}:\n{differs}");
    }
}

#[test]
fn drawn_sequences_end_as_the_model_says() {
    let mut runner = runner();
    let steps = proptest::collection::vec(step(), 5..30);
    runner
        .run(&steps, |steps| {
            play(&steps);
            Ok(())
        })
        .unwrap();
}

/// Which of some files a turn changes, and which the user changes after it.
fn sides() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    proptest::collection::vec((0..3_u8, 0..4_u8, 0..4_u8), 6)
}

/// 0 is no file; 3 for the turn and the user: as it was.
fn set(path: &Path, content: u8) {
    match content {
        0 => drop(fs::remove_file(path)),
        3 => {}
        _ => fs::write(path, [b'0' + content; 5]).unwrap(),
    }
}

#[test]
fn what_only_the_user_changed_is_kept() {
    let mut runner = runner();
    runner
        .run(&sides(), |files| {
            let folder = crate::ground::folder();
            let ground = Ground::make(folder.path());
            let store = ground.store();
            let path = |at: usize| ground.tree().join(format!("file{at}"));
            let stand = || look(&ground.tree(), &[]).0;
            let step = |of: fn(&(u8, u8, u8)) -> u8| {
                files.iter().enumerate().for_each(|(at, file)| set(&path(at), of(file)));
                stand()
            };
            let before = step(|file| file.0);
            let first = store.take("k1").unwrap().commit;
            let after = step(|file| file.1);
            let second = store.take("k2").unwrap().commit;
            let now = step(|file| file.2);
            let pairs = [(first.clone(), second)];
            for (user_changes, number) in [(UserChanges::Keep, 0), (UserChanges::Restore, 1)] {
                let request = PlanRequest { target: &first, taken_back: Some(&pairs), user_changes };
                let plan = store.plan(&format!("p{number}"), &request).unwrap();
                store.restore(&format!("r{number}"), &plan).unwrap();
                let mut expected = before.clone();
                for at in 0..files.len() {
                    let name = PathBuf::from(format!("file{at}"));
                    let is_the_turns = before.0.get(&name) != after.0.get(&name);
                    if user_changes == UserChanges::Keep && !is_the_turns {
                        expected.put(&name, &now);
                    }
                }
                assert_eq!(stand().against(&expected), "", "{user_changes:?}");
                Ground::restore_all(&store, &format!("u{number}"), &plan.now);
                assert_eq!(stand().against(&now), "");
            }
            Ok(())
        })
        .unwrap();
}
