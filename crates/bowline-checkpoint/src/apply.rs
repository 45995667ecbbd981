//! Carries out the plan of a restore: a two-tree merge on the store's own index, then permissions and folders, then a look at every path.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use crate::diff::{Pair, Side, folder_modes, pairs, side};
use crate::failure::Failure;
use crate::git::failed;
use crate::journal::{Journal, Way};
use crate::metadata::TreeMetadata;
use crate::paths::{Name, ancestors, below, is_within, name, path};
use crate::plan::{Action, Plan};
use crate::recover::{Hashes, finish};
use crate::take::{go_to, leave};
use crate::work::{Lend, Work};

/// A moment of a restore, for whoever wants to see what a crash there leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The index is the plan's; nothing is written yet.
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
    let modes = folder_modes(work, &from, &to)?;
    // The merge looks at each path it is about to touch; what changed elsewhere meanwhile stays as it is.
    go_to(work, &from.tree)?;
    check(work, plan, &changed)?;
    check_folders(work, &modes)?;
    let folders = made_folders(work, plan, &changed, &to);
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
    let opened = open_folders(work, modes.iter().map(|(name, (_, to))| (name, *to)));
    if let Err(failure) = opened {
        return Err(revert(work, &journal, failure));
    }
    if from.tree != to.tree {
        leave(work)?;
        merge(work, &journal, &from, &to)?;
    }
    watch(Step::Written);
    let mut folders = folders;
    folders.extend(modes.into_iter().map(|(name, (_, to))| (name, to)));
    let dressed = dress(work, plan, &changed, &to, &folders);
    watch(Step::Dressed);
    let verified = dressed.and_then(|()| verify(work, &changed));
    if let Err(failure) = verified {
        return Err(revert(work, &journal, failure));
    }
    watch(Step::Verified);
    journal.close(work)?;
    watch(Step::Closed);
    Ok(())
}

/// What the merge does not look at: permissions, and ignored files that lie where one is to come.
fn check(work: &Work<'_>, plan: &Plan, changed: &BTreeMap<Name, Pair>) -> Result<(), Failure> {
    // A link that goes, too, is in nobody's way.
    let is_foreign_link = |folder: &[u8]| {
        below(work.root, folder).is_symlink() && changed.get(folder).is_none_or(|pair| pair.from.is_none())
    };
    for (name, pair) in changed {
        let is_within_link = ancestors(name).any(|folder| below(work.root, folder).is_symlink());
        let metadata = below(work.root, name).symlink_metadata();
        let is_same = match (&pair.from, metadata) {
            _ if ancestors(name).any(is_foreign_link) => false,
            (None, Ok(metadata)) => metadata.is_dir() || is_within_link,
            (None, Err(_)) => true,
            (Some(held), Ok(metadata)) if !held.is_link() => {
                metadata.is_file() && metadata.permissions().mode() & 0o7777 == held.permissions
            }
            (Some(_), metadata) => metadata.is_ok_and(|metadata| metadata.is_symlink()),
        };
        if !is_same {
            return Err(Failure::Moved(path(name)));
        }
    }
    // The merge goes by sizes and whole seconds: the bytes are compared here.
    let hashes =
        Hashes::of(work, changed.iter().filter(|(_, pair)| pair.from.is_some()).map(|(name, _)| name))?;
    for (name, pair) in changed.iter().filter(|(_, pair)| pair.from.is_some()) {
        if !hashes.is_as(work, name, pair.from.as_ref())? {
            return Err(Failure::Moved(path(name)));
        }
    }
    for planned in plan.changes.iter().filter(|planned| planned.action == Action::RemoveFolder) {
        let entries = work.root.join(&planned.path).read_dir();
        if entries.is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(Failure::Moved(planned.path.clone()));
        }
    }
    Ok(())
}

fn check_folders(work: &Work<'_>, modes: &BTreeMap<Name, (u32, u32)>) -> Result<(), Failure> {
    for (name, (from, _)) in modes {
        let metadata = below(work.root, name).symlink_metadata();
        let is_same = metadata
            .is_ok_and(|metadata| metadata.is_dir() && metadata.permissions().mode() & 0o7777 == *from);
        if !is_same {
            return Err(Failure::Moved(path(name)));
        }
    }
    Ok(())
}

/// Folders that are to be open for writing are so before anything is written.
pub(crate) fn open_folders<'n>(
    work: &Work<'_>,
    modes: impl Iterator<Item = (&'n Name, u32)>,
) -> Result<(), Failure> {
    for (name, mode) in modes.filter(|(_, mode)| mode & 0o300 == 0o300) {
        if below(work.root, name).symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            set_permissions(work, name, mode)?;
        }
    }
    Ok(())
}

/// Folders that will be made, with their permissions. Git makes one anew, too, that has to hold other files than before.
fn made_folders(
    work: &Work<'_>,
    plan: &Plan,
    changed: &BTreeMap<Name, Pair>,
    to: &Side,
) -> BTreeMap<Name, u32> {
    let made: Vec<Name> = plan
        .changes
        .iter()
        .filter(|planned| planned.action == Action::MakeFolder)
        .map(|planned| name(&planned.path))
        .collect();
    let files = changed.iter().filter(|(_, pair)| pair.to.is_some()).flat_map(|(name, _)| ancestors(name));
    let folders = made.iter().flat_map(|name| ancestors(name).chain([name.as_slice()]));
    let all: BTreeSet<&[u8]> = files.chain(folders).collect();
    let mode = |folder: &[u8]| match below(work.root, folder).symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => metadata.permissions().mode() & 0o7777,
        _ => to.metadata.folder_mode(folder),
    };
    all.into_iter().map(|folder| (folder.to_vec(), mode(folder))).collect()
}

fn merge(work: &Work<'_>, journal: &Journal, from: &Side, to: &Side) -> Result<(), Failure> {
    let args = ["read-tree", "-m", "-u", &from.tree, &to.tree];
    // It goes on when this process is killed: the lock is its own, too, until it is done.
    let merged = work.private_git(Lend::Yes).holding(work.lock_file()?).args(args).output();
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
    Err(revert(work, journal, failure))
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

/// Reverts everything after a failure.
fn revert(work: &Work<'_>, journal: &Journal, failure: Failure) -> Failure {
    let back = Journal { way: Way::Back, ..journal.clone() };
    match back.write(work).and_then(|()| finish(work, &back)) {
        Ok(()) => failure,
        Err(worse) => Failure::Damaged {
            path: work.root.to_owned(),
            why: format!("{failure}; and it could not be reverted: {worse}. Fix that, and run it again"),
        },
    }
}

fn dress(
    work: &Work<'_>,
    plan: &Plan,
    changed: &BTreeMap<Name, Pair>,
    to: &Side,
    folders: &BTreeMap<Name, u32>,
) -> Result<(), Failure> {
    for (name, pair) in changed {
        if let Some(held) = pair.to.as_ref().filter(|held| !held.is_link()) {
            set_permissions(work, name, held.permissions)?;
        }
    }
    // Those within others first.
    for planned in plan.changes.iter().rev().filter(|planned| planned.action == Action::RemoveFolder) {
        remove_folder(work, &name(&planned.path), &to.metadata, &BTreeSet::new());
    }
    for planned in plan.changes.iter().filter(|planned| planned.action == Action::MakeFolder) {
        let place = work.root.join(&planned.path);
        std::fs::create_dir_all(&place).map_err(Failure::io(&place))?;
    }
    for (name, mode) in folders.iter().filter(|(name, _)| below(work.root, name).is_dir()) {
        set_permissions(work, name, *mode)?;
    }
    Ok(())
}

/// One that is not empty any more stays; one that was there only for this one goes, too. Those that the goal has, or files
/// come to, stay: made anew they would have other permissions.
pub(crate) fn remove_folder(work: &Work<'_>, folder: &[u8], goal: &TreeMetadata, coming: &BTreeSet<&[u8]>) {
    let up: Vec<&[u8]> = ancestors(folder).chain([folder]).filter(|folder| !folder.is_empty()).collect();
    for folder in up.into_iter().rev() {
        let is_wanted = coming.contains(folder) || goal.folders.iter().any(|name| is_within(name, folder));
        if is_wanted || std::fs::remove_dir(below(work.root, folder)).is_err() {
            break;
        }
    }
}

pub(crate) fn set_permissions(work: &Work<'_>, name: &[u8], mode: u32) -> Result<(), Failure> {
    let place = below(work.root, name);
    let is_same =
        place.symlink_metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o7777 == mode);
    if is_same {
        return Ok(());
    }
    std::fs::set_permissions(&place, std::fs::Permissions::from_mode(mode)).map_err(Failure::io(&place))
}

fn verify(work: &Work<'_>, changed: &BTreeMap<Name, Pair>) -> Result<(), Failure> {
    let hashes = Hashes::of(work, changed.keys())?;
    for (name, pair) in changed {
        if !hashes.is_as(work, name, pair.to.as_ref())? {
            let why = "it is not as the checkpoint has it".to_owned();
            return Err(Failure::Io { path: below(work.root, name), why });
        }
    }
    Ok(())
}
