//! Carries a plan out: a two-tree merge on the store's own index, then permissions and folders, then a look at every path.

use std::path::PathBuf;

use crate::differ::{Pair, Side, pairs, side};
use crate::failure::Failure;
use crate::git::failed;
use crate::journal::{Journal, Way};
use crate::paths::{Name, below, path};
use crate::plan::{Action, Plan};
use crate::settle::{finish, is_as};
use crate::take::take;
use crate::work::{Lend, Work};

/// A moment of a restore, for whoever wants to see what a crash there leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The files are as the plan saw them; nothing is written yet.
    Checked,
    /// The restore is noted; no file is touched yet.
    Noted,
    /// The files have their content.
    Written,
    /// They have their permissions, and folders are made and removed.
    Dressed,
    /// Every path was looked at.
    Verified,
    /// The note is gone.
    Closed,
}

impl Step {
    pub const ALL: [Step; 6] =
        [Step::Checked, Step::Noted, Step::Written, Step::Dressed, Step::Verified, Step::Closed];
}

pub(crate) fn carry_out(
    work: &Work<'_>,
    restore: &str,
    plan: &Plan,
    watch: &mut dyn FnMut(Step),
) -> Result<(), Failure> {
    let (from, to) = (side(work, &plan.now)?, side(work, &plan.goal)?);
    let changed = pairs(work, &from, &to)?;
    check(work, plan, &from)?;
    crate::store::keep_ref(work, restore, &plan.goal)?;
    watch(Step::Checked);
    let journal = Journal {
        restore: restore.to_owned(),
        from: plan.now.clone(),
        to: plan.goal.clone(),
        way: Way::Forward,
    };
    journal.write(work)?;
    watch(Step::Noted);
    if from.tree != to.tree {
        merge(work, &journal, &from, &to)?;
    }
    watch(Step::Written);
    let dressed = dress(work, plan, &changed);
    watch(Step::Dressed);
    let verified = dressed.and_then(|()| verify(work, &changed));
    if let Err(failure) = verified {
        return Err(take_back(work, &journal, failure));
    }
    watch(Step::Verified);
    journal.close(work)?;
    watch(Step::Closed);
    Ok(())
}

/// Whether the state now is still the plan's. The index is brought back to it where others took checkpoints meanwhile.
fn check(work: &Work<'_>, plan: &Plan, from: &Side) -> Result<(), Failure> {
    let held: Vec<Name> = plan.changes.iter().map(|planned| crate::paths::name(&planned.path)).collect();
    let now = take(work, &[])?;
    if now.tree == from.tree {
        return Ok(());
    }
    let is = Side { tree: now.tree, about: now.about };
    let moved = pairs(work, from, &is)?;
    let is_planned = |name: &Name| {
        held.iter().any(|held| crate::paths::is_within(name, held) || crate::paths::is_within(held, name))
    };
    match moved.into_keys().find(is_planned) {
        Some(name) => Err(Failure::Moved(path(&name))),
        None => {
            // What changed elsewhere stays as it is: the merge goes by the plan's state and looks at its paths alone.
            work.git(Lend::Yes).args(["read-tree", "-m", &from.tree]).run()?;
            Ok(())
        }
    }
}

fn merge(work: &Work<'_>, journal: &Journal, from: &Side, to: &Side) -> Result<(), Failure> {
    let args = ["read-tree", "-m", "-u", &from.tree, &to.tree];
    let merged = work.git(Lend::Yes).args(args).output();
    let failure = match merged {
        Ok(merged) if merged.is_success => return Ok(()),
        Ok(merged) => match moved(&merged.stderr) {
            // It looks before it touches anything.
            Some(path) => {
                Journal { way: Way::Back, ..journal.clone() }.close(work)?;
                return Err(Failure::Moved(path));
            }
            None => failed("git read-tree", &merged),
        },
        Err(failure) => failure,
    };
    Err(take_back(work, journal, failure))
}

/// The path git found changed, in its words.
fn moved(said: &str) -> Option<PathBuf> {
    let is_refusal = |line: &&str| {
        ["not uptodate", "would be overwritten", "would be removed", "would lose untracked"]
            .iter()
            .any(|words| line.contains(words))
    };
    let line = said.lines().find(is_refusal)?;
    let name = line.split('\'').nth(1).unwrap_or("a file");
    Some(PathBuf::from(name))
}

/// It could not be done: everything goes back to what it was.
fn take_back(work: &Work<'_>, journal: &Journal, failure: Failure) -> Failure {
    let back = Journal { way: Way::Back, ..journal.clone() };
    match back.write(work).and_then(|()| finish(work, &back)) {
        Ok(()) => failure,
        Err(worse) => Failure::Damaged {
            path: work.root.to_owned(),
            why: format!("{failure}; and it could not be taken back: {worse}. Mend that, and run it again"),
        },
    }
}

fn dress(
    work: &Work<'_>,
    plan: &Plan,
    changed: &std::collections::BTreeMap<Name, Pair>,
) -> Result<(), Failure> {
    for (name, pair) in changed {
        if let Some(held) = pair.to.as_ref().filter(|held| !held.is_link()) {
            set_permissions(work, name, held.permissions)?;
        }
    }
    // Those within others first.
    for planned in plan.changes.iter().rev().filter(|planned| planned.action == Action::RemoveFolder) {
        // One that is not empty any more stays.
        let _ = std::fs::remove_dir(work.root.join(&planned.path));
    }
    for planned in plan.changes.iter().filter(|planned| planned.action == Action::MakeFolder) {
        let place = work.root.join(&planned.path);
        std::fs::create_dir_all(&place).map_err(Failure::io(&place))?;
    }
    Ok(())
}

pub(crate) fn set_permissions(work: &Work<'_>, name: &[u8], mode: u32) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt as _;
    let place = below(work.root, name);
    let is_same = place.symlink_metadata().is_ok_and(|about| about.permissions().mode() & 0o7777 == mode);
    if is_same {
        return Ok(());
    }
    std::fs::set_permissions(&place, std::fs::Permissions::from_mode(mode)).map_err(Failure::io(&place))
}

fn verify(work: &Work<'_>, changed: &std::collections::BTreeMap<Name, Pair>) -> Result<(), Failure> {
    for (name, pair) in changed {
        if !is_as(work, name, pair.to.as_ref())? {
            let why = "it is not as the checkpoint has it".to_owned();
            return Err(Failure::Io { path: below(work.root, name), why });
        }
    }
    Ok(())
}
