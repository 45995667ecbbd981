//! The one thing we leave in the user's repository: a locked worktree entry whose HEAD is a commit of ours, the parents of
//! which are the commits we borrow from. `git gc` keeps what it leads to; no ref shows it, so no push takes it along.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::files::write_whole;
use crate::git::Deadline;
use crate::lock::Lock;
use crate::store::key;
use crate::user::User;

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

/// Lets go of `gone`, and keeps whatever else the entry keeps, ours or not.
pub(crate) fn drop_commits(
    user: &User,
    home: &Path,
    gone: &BTreeSet<String>,
    deadline: Deadline,
) -> Result<(), Failure> {
    let _lock = lock(user, home, deadline)?;
    let Some(pin) = current(user) else { return Ok(()) };
    let mut kept = BTreeSet::new();
    let mut pins = vec![pin];
    let mut seen = BTreeSet::new();
    while let Some(pin) = pins.pop() {
        if !seen.insert(pin.clone()) {
            continue;
        }
        let shown = user.git(deadline).args(["cat-file", "commit", &pin]).output()?;
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        let Some((head, message)) = text.split_once("\n\n") else { continue };
        if message != MESSAGE {
            kept.insert(pin);
            continue;
        }
        pins.extend(head.lines().filter_map(|line| line.strip_prefix("parent ")).map(str::to_owned));
    }
    kept.retain(|commit| !gone.contains(commit));
    if kept.is_empty() {
        return remove(user);
    }
    set(user, home, &kept.into_iter().collect::<Vec<_>>(), deadline)
}

/// All worktrees of a repository share the entry.
fn lock(user: &User, home: &Path, deadline: Deadline) -> Result<Lock, Failure> {
    Lock::take(&home.join(format!("{}.pin", key(&user.common))), deadline.left())
}

fn is_there(user: &User, commit: &str, deadline: Deadline) -> bool {
    let asked = user.git(deadline).args(["cat-file", "-e", &format!("{commit}^{{commit}}")]).output();
    asked.is_ok_and(|output| output.is_success)
}

fn set(user: &User, home: &Path, parents: &[String], deadline: Deadline) -> Result<(), Failure> {
    if parents.is_empty() {
        return Ok(());
    }
    let empty =
        user.git(deadline).args(["hash-object", "-t", "tree", "-w", "--stdin"]).stdin(Vec::new()).run()?;
    let mut args = vec!["commit-tree".to_owned(), empty.line()];
    args.extend(parents.iter().flat_map(|parent| ["-p".to_owned(), parent.clone()]));
    let commit = signed(user.git(deadline)).args(args).stdin(MESSAGE.as_bytes().to_vec()).run()?.line();
    let folder = entry(user);
    std::fs::create_dir_all(&folder).map_err(Failure::io(&folder))?;
    write_whole(&folder.join("locked"), REASON.as_bytes())?;
    write_whole(&folder.join("commondir"), b"../..\n")?;
    let mut place = home.join(".git").into_os_string().into_encoded_bytes();
    place.push(b'\n');
    write_whole(&folder.join("gitdir"), &place)?;
    write_whole(&folder.join("HEAD"), format!("{commit}\n").as_bytes())
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
