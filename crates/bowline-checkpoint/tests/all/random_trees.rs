//! Random trees with whatever can be in them: ignored files and rules that change, repositories within, files too large,
//! pipes, links, closed folders. No model says how they end; what has to hold is that a restore is all or nothing, that
//! nothing is left to do after it, and that its undo brings every byte back.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use bowline_checkpoint::{PlanRequest, UserChanges};
use proptest::prelude::*;

use crate::ground::Ground;
use crate::random_edits::runner;
use crate::tree_state::{Seen, look};

const PATHS: [&str; 12] = [
    "a",
    "b.log",
    "d",
    "d/a",
    "d/b.log",
    "d/e",
    "d/e/a",
    "d/e/c.log",
    "n",
    "n/a",
    ".gitignore",
    "d/.gitignore",
];
const RULES: [&str; 6] = ["", "*.log\n", "d/\n", "e\n!a\n", "*\n!.gitignore\n", "n/\nb.log\n"];

#[derive(Debug, Clone)]
enum Step {
    Write(usize, u8),
    Rules(usize, usize),
    Large(usize),
    Delete(usize),
    Mode(usize, u32),
    Link(usize, usize),
    Folder(usize),
    Pipe(usize),
    /// A repository within.
    Apart(usize),
    Commit,
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let path = 0..PATHS.len();
    let step = prop_oneof![
        8 => (path.clone(), 0..4_u8).prop_map(|(path, byte)| Step::Write(path, byte)),
        3 => (10..12_usize, 0..RULES.len()).prop_map(|(path, rules)| Step::Rules(path, rules)),
        1 => path.clone().prop_map(Step::Large),
        4 => path.clone().prop_map(Step::Delete),
        2 => (path.clone(), 0..4_usize)
            .prop_map(|(path, mode)| Step::Mode(path, [0o755, 0o700, 0o644, 0o750][mode])),
        1 => (path.clone(), path.clone()).prop_map(|(path, to)| Step::Link(path, to)),
        1 => path.clone().prop_map(Step::Folder),
        // Rules that are a pipe are waited for by git itself.
        1 => (0..10_usize).prop_map(Step::Pipe),
        1 => path.prop_map(Step::Apart),
        1 => Just(Step::Commit),
    ];
    proptest::collection::vec(step, 0..most)
}

/// Takes away what is at a path, and what its folders are in the way.
fn clear(tree: &Path, path: &str) {
    let place = tree.join(path);
    for folder in Path::new(path).ancestors().skip(1) {
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

fn go(ground: &Ground, steps: &[Step]) {
    let tree = ground.tree();
    let cleared = |path: &usize| {
        clear(&tree, PATHS[*path]);
        tree.join(PATHS[*path])
    };
    for step in steps {
        match step {
            Step::Write(path, byte) => fs::write(cleared(path), [b'0' + byte; 5]).unwrap(),
            Step::Rules(path, rules) => fs::write(cleared(path), RULES[*rules]).unwrap(),
            Step::Large(path) => fs::File::create(cleared(path)).unwrap().set_len(3 << 20).unwrap(),
            Step::Delete(path) => drop(cleared(path)),
            Step::Mode(path, mode) => {
                let place = tree.join(PATHS[*path]);
                let is_apart = place.symlink_metadata().map_or(true, |about| about.is_symlink());
                // A closed folder that is a file's is no file.
                if !is_apart && (mode & 0o100 != 0 || !place.is_dir()) {
                    fs::set_permissions(place, fs::Permissions::from_mode(*mode)).unwrap();
                }
            }
            Step::Link(path, to) => std::os::unix::fs::symlink(PATHS[*to], cleared(path)).unwrap(),
            Step::Folder(path) => fs::create_dir(cleared(path)).unwrap(),
            Step::Pipe(path) => {
                let made = std::process::Command::new("mkfifo").arg(cleared(path)).status().unwrap();
                assert!(made.success());
            }
            Step::Apart(path) => {
                let place = cleared(path);
                fs::create_dir_all(place.join(".git/objects")).unwrap();
                fs::create_dir_all(place.join(".git/refs")).unwrap();
                fs::write(place.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
                fs::write(place.join("within"), "within").unwrap();
            }
            // What git itself can't take is not committed.
            Step::Commit => {
                ground.sh("git add -A 2>/dev/null || true; git commit -q -m more 2>/dev/null || true");
            }
        }
    }
}

fn seen(ground: &Ground) -> Seen {
    look(&ground.tree(), &[".git"]).0
}

#[test]
fn undo_brings_everything_back() {
    let drawn = (steps(12), steps(8), steps(6), any::<bool>(), any::<bool>());
    runner()
        .run(&drawn, |(setup, turn, user, is_turn_alone, is_all)| {
            let folder = crate::ground::folder();
            let ground = Ground::make(folder.path());
            ground.sh("git init -q -b main");
            go(&ground, &setup);
            let store = ground.store();
            let before = store.take("k1").unwrap().commit;
            go(&ground, &turn);
            let after = store.take("k2").unwrap().commit;
            go(&ground, &user);
            let now = seen(&ground);
            let pairs = [(before.clone(), after)];
            let taken_back = is_turn_alone.then_some(pairs.as_slice());
            let user_changes = if is_all { UserChanges::Restore } else { UserChanges::Keep };
            let request = PlanRequest { target: &before, taken_back, user_changes };
            let plan = store.plan("k3", &request).unwrap();
            assert_eq!(seen(&ground).against(&now), "", "the plan");
            if let Err(failure) = store.restore("k4", &plan) {
                assert_eq!(seen(&ground).against(&now), "", "refused: {failure}");
                panic!("{failure}");
            }
            let again = store.plan("k5", &request).unwrap();
            // What other rules ignored until now is the user's.
            if is_turn_alone && !is_all {
                assert_eq!(again.changes, [], "nothing is left to do");
            }
            Ground::restore_all(&store, "k6", &plan.now);
            assert_eq!(seen(&ground).against(&now), "", "the undo");
            Ok(())
        })
        .unwrap();
}
