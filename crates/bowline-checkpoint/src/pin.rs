//! The one thing we leave in the user's repository: a locked worktree entry whose HEAD is a commit of ours, the parents of
//! which are the commits we borrow from. `git gc` keeps what it leads to; no ref shows it, so no push takes it along.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::atomic_file::write_whole;
use crate::failure::Failure;
use crate::git::Deadline;
use crate::lock::Lock;
use crate::store::key;
use crate::user_repository::User;

const REASON: &str = "holds the commits that bowline's checkpoints of this repository are made of\n";
const MESSAGE: &str = "Commits that bowline's checkpoints borrow from\n";

fn entry(user: &User) -> PathBuf {
    user.common.join("worktrees").join("bowline-keep")
}

/// The pin commit, if there is one.
pub(crate) fn current(user: &User) -> Option<String> {
    let head = std::fs::read_to_string(entry(user).join("HEAD")).ok()?;
    Some(head.trim().to_owned()).filter(|sha| !sha.is_empty())
}

/// Adds a commit to those that are kept. `home` is where the entry says it belongs to.
pub(crate) fn add(user: &User, home: &Path, commit: &str, deadline: Deadline) -> Result<(), Failure> {
    let _lock = lock(user, home, deadline)?;
    let mut parents: Vec<String> = current(user).into_iter().collect();
    parents.push(commit.to_owned());
    set(user, home, &parents, deadline)
}

/// Keeps all of these anew where the entry has gone, and gives those that are still there.
pub(crate) fn repair(
    user: &User,
    home: &Path,
    commits: BTreeSet<String>,
    deadline: Deadline,
) -> Result<BTreeSet<String>, Failure> {
    if commits.is_empty() || current(user).is_some() {
        return Ok(commits);
    }
    let _lock = lock(user, home, deadline)?;
    let there: BTreeSet<String> =
        commits.into_iter().filter(|commit| is_there(user, commit, deadline)).collect();
    set(user, home, &there.iter().cloned().collect::<Vec<_>>(), deadline)?;
    Ok(there)
}

/// Lets go of what this home borrows from no longer, and keeps whatever else the entry keeps, also for other homes.
pub(crate) fn drop_commits(
    user: &User,
    home: &Path,
    gone: &BTreeSet<String>,
    deadline: Deadline,
) -> Result<(), Failure> {
    let _lock = lock(user, home, deadline)?;
    let Some(pin) = current(user) else { return Ok(()) };
    let mut kept = kept(user, pin, deadline)?;
    if let Some(own) = kept.get_mut(&message(home)) {
        own.retain(|commit| !gone.contains(commit));
    }
    let mut pin = None;
    for (message, commits) in kept.into_iter().filter(|(_, commits)| !commits.is_empty()) {
        let parents: Vec<String> = pin.into_iter().chain(commits).collect();
        pin = Some(make(user, &parents, &message, deadline)?);
    }
    match pin {
        Some(pin) => point(user, home, &pin),
        None => remove(user),
    }
}

/// The user's commits a pin keeps, by what their pins say.
fn kept(user: &User, pin: String, deadline: Deadline) -> Result<BTreeMap<String, BTreeSet<String>>, Failure> {
    let mut kept: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut open = vec![(pin, MESSAGE.to_owned())];
    let mut seen = BTreeSet::new();
    while let Some((commit, owner)) = open.pop() {
        if !seen.insert((commit.clone(), owner.clone())) {
            continue;
        }
        let shown = user.git(deadline).args(["cat-file", "commit", &commit]).output()?;
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        match text.split_once("\n\n") {
            Some((head, message)) if message.starts_with(MESSAGE) => {
                let parents = head.lines().filter_map(|line| line.strip_prefix("parent "));
                open.extend(parents.map(|parent| (parent.to_owned(), message.to_owned())));
            }
            Some(_) => {
                kept.entry(owner).or_default().insert(commit);
            }
            None => {}
        }
    }
    Ok(kept)
}

/// What a pin says: whose it is.
fn message(home: &Path) -> String {
    format!("{MESSAGE}\nThose of {}\n", key(home))
}

/// All worktrees of a repository share the entry.
fn lock(user: &User, home: &Path, deadline: Deadline) -> Result<Lock, Failure> {
    Lock::take(&home.join(format!("{}.pin", key(&user.common))), deadline.remaining())
}

fn is_there(user: &User, commit: &str, deadline: Deadline) -> bool {
    let asked = user.git(deadline).args(["cat-file", "-e", &format!("{commit}^{{commit}}")]).output();
    asked.is_ok_and(|output| output.is_success)
}

fn set(user: &User, home: &Path, parents: &[String], deadline: Deadline) -> Result<(), Failure> {
    if parents.is_empty() {
        return Ok(());
    }
    let pin = make(user, parents, &message(home), deadline)?;
    point(user, home, &pin)
}

fn make(user: &User, parents: &[String], message: &str, deadline: Deadline) -> Result<String, Failure> {
    let empty =
        user.git(deadline).args(["hash-object", "-t", "tree", "-w", "--stdin"]).stdin(Vec::new()).run()?;
    let mut args = vec!["commit-tree".to_owned(), empty.line()];
    args.extend(parents.iter().flat_map(|parent| ["-p".to_owned(), parent.clone()]));
    Ok(signed(user.git(deadline)).args(args).stdin(message.as_bytes().to_vec()).run()?.line())
}

fn point(user: &User, home: &Path, pin: &str) -> Result<(), Failure> {
    let folder = entry(user);
    std::fs::create_dir_all(&folder).map_err(Failure::io(&folder))?;
    write_whole(&folder.join("locked"), REASON.as_bytes())?;
    write_whole(&folder.join("commondir"), b"../..\n")?;
    let mut place = home.join(".git").into_os_string().into_encoded_bytes();
    place.push(b'\n');
    write_whole(&folder.join("gitdir"), &place)?;
    write_whole(&folder.join("HEAD"), format!("{pin}\n").as_bytes())
}

fn remove(user: &User) -> Result<(), Failure> {
    let folder = entry(user);
    std::fs::remove_dir_all(&folder).map_err(Failure::io(&folder))?;
    // Gone where it was ours alone.
    let _ = std::fs::remove_dir(user.common.join("worktrees"));
    Ok(())
}

/// Commits of ours have no author to speak of and no time, so that equal ones are the same.
pub(crate) fn signed(git: crate::git::Git) -> crate::git::Git {
    let mut git = git;
    for who in ["AUTHOR", "COMMITTER"] {
        git = git
            .env(&format!("GIT_{who}_NAME"), "bowline")
            .env(&format!("GIT_{who}_EMAIL"), "bowline@localhost")
            .env(&format!("GIT_{who}_DATE"), "1970-01-01T00:00:00Z");
    }
    git
}
