//! Files that change while a checkpoint reads them, or too soon after it for the clock to tell.

use std::fs;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::ground::Ground;

/// Often enough for a clock with any grain.
const ROUNDS: usize = 20;

/// What a checkpoint holds of a file, as a restore shows it. Leaves the tree as the checkpoint has it.
fn held(ground: &Ground, id: &str, commit: &str, name: &str) -> Vec<u8> {
    fs::remove_file(ground.tree().join(name)).unwrap();
    Ground::restore_all(&ground.store(), id, commit);
    fs::read(ground.tree().join(name)).unwrap()
}

#[test]
fn an_edit_of_the_same_size_in_the_second_of_the_users_index_is_seen() {
    for round in 0..ROUNDS {
        let folder = crate::ground::folder();
        let ground = Ground::make(folder.path());
        ground.sh("git init -q -b main && echo aaaa > a && git add a && git commit -q -m a && git status > /dev/null && echo bbbb > a");
        let taken = ground.store().take("k1").unwrap();
        assert_eq!(held(&ground, "k2", &taken.commit, "a"), b"bbbb\n", "round {round}");
    }
}

#[test]
fn an_edit_of_the_same_size_right_after_a_checkpoint_is_seen() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("git init -q -b main && echo 0000 > a && git add a && git commit -q -m a");
    let store = ground.store();
    let mut commits = Vec::new();
    for round in 0..ROUNDS {
        fs::write(ground.tree().join("a"), format!("{round:04}\n")).unwrap();
        commits.push(store.take(&format!("k{round}")).unwrap().commit);
    }
    for (round, commit) in commits.iter().enumerate() {
        Ground::restore_all(&store, &format!("r{round}"), commit);
        assert_eq!(fs::read_to_string(ground.tree().join("a")).unwrap(), format!("{round:04}\n"));
    }
}

#[test]
fn an_edit_right_after_a_restore_is_seen() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("echo 0000 > a");
    let store = ground.store();
    let first = store.take("k-first").unwrap();
    for round in 1..=ROUNDS {
        fs::write(ground.tree().join("a"), format!("{round:04}\n")).unwrap();
        Ground::restore_all(&store, &format!("r{round}"), &first.commit);
        fs::write(ground.tree().join("a"), format!("{:04}\n", round + 1000)).unwrap();
        let taken = store.take(&format!("k{round}")).unwrap();
        assert_ne!(taken.commit, first.commit, "round {round}");
    }
}

#[test]
fn a_file_that_is_being_written_is_captured_as_it_once_was_and_whole_in_the_end() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository");
    let store = ground.store();
    let path = ground.tree().join("growing.log");
    fs::write(&path, "").unwrap();
    let stop = AtomicBool::new(false);
    let commits = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
            let mut number = 0_u64;
            while !stop.load(Ordering::Relaxed) && number < 100_000 {
                writeln!(file, "{number:09}").unwrap();
                number += 1;
                std::thread::yield_now();
            }
        });
        let commits: Vec<String> =
            (0..5).map(|round| store.take(&format!("k{round}")).unwrap().commit).collect();
        stop.store(true, Ordering::Relaxed);
        commits
    });
    let whole = fs::read(&path).unwrap();
    let last = store.take("k-last").unwrap();
    for (round, commit) in commits.iter().enumerate() {
        let part = held(&ground, &format!("r{round}"), commit, "growing.log");
        assert!(whole.starts_with(&part), "checkpoint {round} holds what never was");
    }
    assert_eq!(held(&ground, "r-last", &last.commit, "growing.log"), whole);
}

#[test]
fn a_file_that_comes_and_goes_stops_no_checkpoint() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository");
    let store = ground.store();
    let stop = AtomicBool::new(false);
    let tree = ground.tree();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                fs::create_dir_all(tree.join("flicker/deep")).unwrap();
                fs::write(tree.join("flicker/deep/file"), "here").unwrap();
                fs::write(tree.join("swap.tmp"), "new").unwrap();
                fs::rename(tree.join("swap.tmp"), tree.join("swapped")).unwrap();
                fs::remove_dir_all(tree.join("flicker")).unwrap();
                fs::remove_file(tree.join("swapped")).unwrap();
            }
        });
        let taken: Vec<_> = (0..8).map(|round| store.take(&format!("k{round}"))).collect();
        stop.store(true, Ordering::Relaxed);
        for taken in taken {
            taken.unwrap();
        }
    });
}
