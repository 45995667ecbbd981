//! What the store borrows from the user's repository, and what becomes of it when that repository changes under it.

use std::fs;

use bowline_checkpoint::{PlanRequest, Settings, Store, UserChanges};

use crate::ground::Ground;
use crate::tree_state::look;

const FORGET: &str = "git reflog expire --expire=now --all && git gc -q --prune=now";

#[test]
fn worktrees_of_one_repository_keep_each_others_commits() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository && git worktree add -q \"$OUT/linked\" -b linked");
    ground.sh("cd \"$OUT/linked\" && echo linked > tracked.txt && save linked");
    ground.sh("echo main > tracked.txt && save main");
    let home = ground.base.join("store");
    let roots = [ground.tree(), ground.outside().join("linked")];
    let stores = roots.clone().map(|root| Store::open(&home, &root, Settings::default()).unwrap());
    let taken = [stores[0].take("k1").unwrap(), stores[1].take("k1").unwrap()];
    // No branch has either any more.
    ground.sh(
        "git checkout -q --detach && git commit -q --amend --allow-empty -m other && git rm -q tracked.txt",
    );
    ground.sh("git commit -q --amend -m empty --allow-empty && git branch -q -D main");
    ground.sh("cd \"$OUT/linked\" && git checkout -q --detach && git rm -q tracked.txt && git commit -q --amend --allow-empty -m empty && git branch -q -D linked");
    ground.sh(FORGET);
    Ground::restore_all(&stores[0], "r1", &taken[0].commit);
    assert_eq!(fs::read_to_string(roots[0].join("tracked.txt")).unwrap(), "main\n");
    // The one lets go of what it had; the other still has its own.
    stores[0].forget(&stores[0].ids().unwrap()).unwrap();
    stores[0].tidy().unwrap();
    ground.sh(FORGET);
    Ground::restore_all(&stores[1], "r1", &taken[1].commit);
    assert_eq!(fs::read_to_string(roots[1].join("tracked.txt")).unwrap(), "linked\n");
}

#[test]
fn a_checkpoint_after_the_history_was_thrown_away_holds_every_file() {
    let ways = [
        "rm -rf .git && git init -q -b main",
        "rm -rf .git",
        "rm -rf .git/worktrees && git checkout -q --orphan fresh && git rm -q --cached -r . && git commit -q --allow-empty -m fresh && git branch -q -D main && git reflog expire --expire=now --all && git gc -q --prune=now",
    ];
    for way in ways {
        let folder = crate::ground::folder();
        let ground = Ground::make(folder.path());
        ground.sh("repository && mkdir dir && echo a > dir/a && save second && echo b > b");
        let store = ground.store();
        store.take("k1").unwrap();
        ground.sh(way);
        let was = look(&ground.tree(), &[".git"]).0;
        let taken = store.take("k2").unwrap_or_else(|failure| panic!("{way}: {failure}"));
        ground.sh("rm -r tracked.txt dir b");
        let request =
            PlanRequest { target: &taken.commit, taken_back: None, user_changes: UserChanges::Keep };
        let restored = store.plan("k3", &request).and_then(|plan| store.restore("r3", &plan));
        restored.unwrap_or_else(|failure| panic!("{way}: {failure}"));
        assert_eq!(look(&ground.tree(), &[".git"]).0.against(&was), "", "{way}");
    }
}

#[test]
fn what_cannot_be_had_any_more_is_refused_with_nothing_touched() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("repository && echo a > a");
    let store = ground.store();
    let taken = store.take("k1").unwrap();
    ground.sh("rm -rf .git && echo turn > tracked.txt && echo turn > a");
    let was = look(&ground.tree(), &[".git"]).0;
    let request = PlanRequest { target: &taken.commit, taken_back: None, user_changes: UserChanges::Keep };
    let restored = store.plan("k2", &request).and_then(|plan| store.restore("r2", &plan));
    restored.expect_err("the user's repository had it, and is gone");
    assert_eq!(look(&ground.tree(), &[".git"]).0.against(&was), "");
    let trouble = store.health().unwrap().trouble;
    assert!(trouble.is_some(), "that a checkpoint can't be read is said");
    // It continues from here.
    let now = store.take("k3").unwrap();
    fs::remove_file(ground.tree().join("tracked.txt")).unwrap();
    Ground::restore_all(&store, "r3", &now.commit);
    assert_eq!(look(&ground.tree(), &[".git"]).0.against(&was), "");
}
