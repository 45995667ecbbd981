//! What the store keeps and deletes, and what it reports about itself.

use std::fs;

use bowline_checkpoint::{Failure, PlanRequest, Settings, Step, Store, UserChanges};

use crate::ground::Ground;
use crate::tree_state::look;

#[test]
fn what_is_forgotten_goes_and_the_rest_restores() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository");
    let store = ground.store();
    let mut commits = Vec::new();
    for number in 0..4 {
        fs::write(ground.tree().join("tracked.txt"), format!("{number}\n")).unwrap();
        ground.sh("save more");
        commits.push(store.take(&format!("k{number}")).unwrap().commit);
        assert_eq!(store.find(&format!("k{number}")).unwrap().as_ref(), commits.last());
    }
    store.keep("k-also", &commits[0]).unwrap();
    store.forget(&["k0".to_owned(), "k1".to_owned(), "k2".to_owned(), "k-unknown".to_owned()]).unwrap();
    assert_eq!(store.find("k1").unwrap(), None);
    assert_eq!(store.find("k-also").unwrap(), Some(commits[0].clone()));
    assert_eq!(store.health().unwrap().checkpoints, 2);
    ground.sh("git checkout -q --orphan fresh && git commit -q -m fresh && git branch -q -D main && git reflog expire --expire=now --all && git gc -q --prune=now");
    for (commit, content) in [(&commits[0], "0\n"), (&commits[3], "3\n")] {
        Ground::restore_all(&store, &format!("r{}", content.trim()), commit);
        assert_eq!(fs::read_to_string(ground.tree().join("tracked.txt")).unwrap(), content);
    }
}

#[test]
fn what_is_not_there_is_unknown_and_nothing_is_touched() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository");
    let store = ground.store();
    store.take("k1").unwrap();
    let was = look(&ground.tree(), &[".git"]).0;
    let strange = ["0123456789012345678901234567890123456789", "HEAD", "-x", "", "main", "k1"];
    for target in strange {
        let request = PlanRequest { target, taken_back: None, user_changes: UserChanges::Keep };
        let failure = store.plan("k2", &request).unwrap_err();
        assert!(matches!(failure, Failure::Unknown(_)), "{target:?}: {failure}");
        assert!(matches!(store.keep("k3", target).unwrap_err(), Failure::Unknown(_)), "{target:?}");
    }
    // A commit of the user's is none of the store's.
    let head = ground.git(&ground.tree(), &["rev-parse", "HEAD"]);
    let request = PlanRequest { target: head.trim(), taken_back: None, user_changes: UserChanges::Keep };
    assert!(store.plan("k4", &request).is_err());
    assert_eq!(store.find("k9").unwrap(), None);
    assert_eq!(look(&ground.tree(), &[".git"]).0.against(&was), "");
}

#[test]
fn a_checkpoint_out_of_time_is_none() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository");
    let settings = Settings { budget: std::time::Duration::ZERO, ..Settings::default() };
    let store = Store::open(&ground.base.join("store"), &ground.tree(), settings);
    let failed = store.and_then(|store| store.take("k1")).unwrap_err();
    assert!(matches!(failed, Failure::TooLong { .. }), "{failed}");
    assert_eq!(ground.store().find("k1").unwrap(), None);
    ground.store().take("k1").unwrap();
}

#[test]
fn two_work_trees_have_stores_of_their_own_below_one_home() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    let home = ground.base.join("store");
    let mut stores = Vec::new();
    for name in ["one", "two"] {
        let root = ground.outside().join(name);
        fs::create_dir(&root).unwrap();
        fs::write(root.join("file"), name).unwrap();
        let store = Store::open(&home, &root, Settings::default()).unwrap();
        stores.push((root, store.take("k1").unwrap(), store));
    }
    for (root, taken, store) in &stores {
        fs::remove_file(root.join("file")).unwrap();
        Ground::restore_all(store, "r1", &taken.commit);
        assert_eq!(fs::read(root.join("file")).unwrap(), root.file_name().unwrap().as_encoded_bytes());
    }
}

#[test]
fn a_store_within_the_tree_does_not_hold_itself() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository && mkdir .state && echo a > .state/a");
    let home = ground.tree().join(".state/checkpoints");
    let store = Store::open(&home, &ground.tree(), Settings::default()).unwrap();
    let first = store.take("k1").unwrap();
    assert_eq!(store.take("k2").unwrap(), first, "the store is no part of what it holds");
    ground.sh("echo turn > .state/a && echo turn > tracked.txt");
    Ground::restore_all(&store, "r1", &first.commit);
    assert_eq!(fs::read_to_string(ground.tree().join(".state/a")).unwrap(), "a\n");
    assert_eq!(store.find("k1").unwrap(), Some(first.commit));
}

#[test]
fn a_diff_shows_what_a_turn_did() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository && printf 'a\\0b' > data && printf 'x\\r\\n' > dos.txt");
    let store = ground.store();
    let before = store.take("k1").unwrap().commit;
    ground.sh("printf 'one\\n2\\nthree\\nfour\\n' > tracked.txt && printf 'a\\0c' > data && echo new > 'new file' && printf 'y\\r\\n' > dos.txt");
    let after = store.take("k2").unwrap().commit;
    let lines: Vec<String> = store
        .differences(&before, &after)
        .unwrap()
        .iter()
        .map(|difference| format!("{:?} {:?} {:?}", difference.path, difference.added, difference.removed))
        .collect();
    assert_eq!(
        lines,
        [
            "\"data\" None None",
            "\"dos.txt\" Some(1) Some(1)",
            "\"new file\" Some(1) Some(0)",
            "\"tracked.txt\" Some(2) Some(1)"
        ]
    );
    let diff = String::from_utf8(store.diff(&before, &after).unwrap()).unwrap();
    for words in ["-two\n+2\n", "+four\n", "+++ b/new file", "-x\r\n+y\r\n"] {
        assert!(diff.contains(words), "{words:?} is not in\n{diff}");
    }
    assert_eq!(store.diff(&before, &before).unwrap(), b"");
}

#[test]
fn a_work_tree_that_is_gone_is_no_empty_one() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository");
    let store = ground.store();
    let taken = store.take("k1").unwrap();
    fs::rename(ground.tree(), ground.outside().join("moved")).unwrap();
    assert!(store.take("k2").is_err());
    assert_eq!(store.find("k2").unwrap_or_default(), None);
    let request = PlanRequest { target: &taken.commit, taken_back: None, user_changes: UserChanges::Keep };
    assert!(store.plan("k3", &request).is_err());
    assert!(!ground.tree().exists());
    fs::rename(ground.outside().join("moved"), ground.tree()).unwrap();
    assert_eq!(store.take("k4").unwrap(), taken);
}

#[test]
fn a_work_tree_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt as _;
    for name in [&b"a b"[..], b"a:b", b"a\"b", b"a\\b", b"bad\xff", b"-dash", b"new\nline"] {
        let folder = crate::ground::folder();
        let ground = Ground::make(folder.path());
        let root = ground.outside().join(std::ffi::OsStr::from_bytes(name));
        ground.sh("repository && echo a > a");
        fs::rename(ground.tree(), &root).unwrap();
        let store = Store::open(&ground.base.join("store"), &root, Settings::default()).unwrap();
        let taken = store.take("k1").unwrap_or_else(|failure| panic!("{root:?}: {failure}"));
        fs::remove_file(root.join("tracked.txt")).unwrap();
        fs::remove_file(root.join("a")).unwrap();
        Ground::restore_all(&store, "r1", &taken.commit);
        assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "a\n", "{root:?}");
        assert!(root.join("tracked.txt").exists(), "{root:?}");
    }
}

#[test]
fn tidying_keeps_what_only_the_store_may_rely_on() {
    // The same content lies in the user's repository, in a pack, and in no commit: it may go any time.
    let gc = "git reflog expire --expire=now --all && git gc -q --prune=now";
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository && echo staged > staged.txt && git add staged.txt");
    let store = ground.store();
    let taken = store.take("k1").unwrap();
    ground.sh(gc);
    store.tidy().unwrap();
    store.tidy().unwrap();
    ground.sh("git rm -q --cached staged.txt && rm staged.txt tracked.txt && git checkout -q --orphan fresh");
    ground.sh("git commit -q --allow-empty -m fresh && git branch -q -D main");
    ground.sh(gc);
    assert_eq!(store.health().unwrap().trouble, None);
    Ground::restore_all(&store, "r1", &taken.commit);
    assert_eq!(fs::read_to_string(ground.tree().join("staged.txt")).unwrap(), "staged\n");
    assert!(ground.tree().join("tracked.txt").exists());
}

#[test]
fn tidying_gives_back_what_is_forgotten() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository");
    let store = ground.store();
    let mut commits = Vec::new();
    for number in 0..4_u8 {
        // Bytes that no compression makes less of.
        let bytes: Vec<u8> = (0..200_000_u32)
            .map(|at| (at.wrapping_mul(2_654_435_761).wrapping_add(u32::from(number)) >> 13) as u8)
            .collect();
        fs::write(ground.tree().join("data"), bytes).unwrap();
        commits.push(store.take(&format!("k{number}")).unwrap().commit);
    }
    let all = store.health().unwrap().bytes;
    store.forget(&["k0".to_owned(), "k1".to_owned(), "k2".to_owned()]).unwrap();
    store.tidy().unwrap();
    let health = store.health().unwrap();
    assert!(
        health.trouble.is_none() && health.checkpoints == 1 && health.bytes < all / 2,
        "{health:?} of {all}"
    );
    let data = fs::read(ground.tree().join("data")).unwrap();
    fs::write(ground.tree().join("data"), "turn").unwrap();
    Ground::restore_all(&store, "r1", &commits[3]);
    assert_eq!(fs::read(ground.tree().join("data")).unwrap(), data);
    let pin = ground.tree().join(".git/worktrees/bowline-keep");
    assert!(pin.exists());
    store.forget(&store.ids().unwrap()).unwrap();
    store.tidy().unwrap();
    assert!(!pin.exists(), "nothing is borrowed any more");
    ground.sh("git fsck --no-progress");
    // And it goes on.
    let taken = store.take("k9").unwrap();
    fs::remove_file(ground.tree().join("tracked.txt")).unwrap();
    Ground::restore_all(&store, "r9", &taken.commit);
    assert!(ground.tree().join("tracked.txt").exists());
}

#[test]
fn a_store_that_another_process_holds_is_busy() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository");
    ground.store().take("k1").unwrap();
    let lock = fs::File::options().write(true).open(ground.store().folder().join("lock")).unwrap();
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let settings = Settings { budget: std::time::Duration::ZERO, ..Settings::default() };
    let store = Store::open(&ground.base.join("store"), &ground.tree(), settings).unwrap();
    let failed = store.take("k2").unwrap_err();
    assert!(matches!(failed, Failure::Busy { .. }), "{failed}");
    drop(lock);
    assert_eq!(ground.store().find("k2").unwrap(), None);
    ground.store().take("k2").unwrap();
}

/// A program that writes to a file the moment it is restored: all goes back but that file, which is nobody's version, and the
/// store goes on.
#[test]
fn a_file_that_is_written_while_it_is_restored_stays_and_stops_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground::make(folder.path());
    ground.sh("repository; for n in 1 2 3; do echo $n > f$n; done; save second");
    let store = ground.store();
    let first = store.take("k1").unwrap();
    ground.sh("for n in 1 2 3; do echo turn > f$n; done");
    let request = PlanRequest { target: &first.commit, taken_back: None, user_changes: UserChanges::Keep };
    let plan = store.plan("k2", &request).unwrap();
    let late = ground.tree().join("f1");
    let mut watch = |step: Step| {
        if step == Step::Written {
            fs::write(&late, "1\nformatted\n").unwrap();
        }
    };
    store.restore_watched("r1", &plan, &mut watch).unwrap_err();
    let content = |name: &str| fs::read_to_string(ground.tree().join(name)).unwrap();
    assert_eq!([content("f1"), content("f2"), content("f3")], ["1\nformatted\n", "turn\n", "turn\n"]);
    assert!(!store.settle("r1").unwrap());
    store.take("k3").unwrap();
    Ground::restore_all(&store, "k4", &first.commit);
    assert_eq!([content("f1"), content("f2"), content("f3")], ["1\n", "2\n", "3\n"]);
}

/// A file that was added against a rule, after the store was made, is the user's to commit like any other.
#[test]
fn what_is_added_against_a_rule_is_captured() {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground::make(folder.path());
    ground.sh("repository; echo '*.log' > .gitignore; save second");
    let store = ground.store();
    store.take("k1").unwrap();
    ground.sh("echo kept > a.log; git add -f a.log; git commit -q -m third; echo edited > a.log");
    let second = store.take("k2").unwrap();
    ground.sh("echo broken > a.log");
    Ground::restore_all(&store, "k3", &second.commit);
    assert_eq!(fs::read_to_string(ground.tree().join("a.log")).unwrap(), "edited\n");
}

/// Two folders of stores on one repository: one that keeps nothing any more lets go of nothing the other needs.
#[test]
fn another_home_keeps_what_it_borrows() {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground::make(folder.path());
    ground.sh("repository; git checkout -q -b other; echo other > only; save second");
    let homes = ["one", "two"].map(|name| folder.path().join(name));
    let stores = homes.map(|home| Store::open(&home, &ground.tree(), Settings::default()).unwrap());
    let kept = stores[0].take("k1").unwrap();
    stores[1].take("k1").unwrap();
    stores[1].forget(&["k1".to_owned()]).unwrap();
    stores[1].tidy().unwrap();
    ground.sh("git checkout -q main; git branch -q -D other; git reflog expire --expire=now --all; git gc -q --prune=now");
    Ground::restore_all(&stores[0], "k2", &kept.commit);
    assert_eq!(fs::read_to_string(ground.tree().join("only")).unwrap(), "other\n");
}
