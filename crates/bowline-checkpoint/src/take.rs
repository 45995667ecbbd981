//! Takes the state now: what changed since the index was written goes into it, then into a commit.
//!
//! What always holds: a run of git that failed is no checkpoint, and nothing older is given out for this one.

use std::collections::BTreeSet;

use crate::atomic_file::{read, remove, write_whole};
use crate::diff::Side;
use crate::failure::Failure;
use crate::index::Index;
use crate::metadata::TreeMetadata;
use crate::paths::{Name, ancestors, below, is_within, joined, name, path, split};
use crate::pin::{self, signed};
use crate::seed::{borrow_again, force_remove, seed};
use crate::snapshot::{NotCaptured, Snapshot, WhyNot};
use crate::stats::{Stand, look};
use crate::untracked::{self, Untracked};
use crate::work::{Lend, Work};

/// How often it is begun anew when files move under it.
const TRIES_MAX: usize = 4;
/// So many changed files after a move of HEAD are looked up in the new commit before they are read.
const BORROW_FROM: usize = 500;

/// Holds the tree that is in the index.
const LAST: &str = "last";

/// Says which state of the user's index was last looked at.
const THEIRS: &str = "theirs";

/// The state now, in the index and in a commit.
#[derive(Debug)]
pub(crate) struct Now {
    pub(crate) snapshot: Snapshot,
    pub(crate) tree: String,
    pub(crate) metadata: TreeMetadata,
}

impl Now {
    pub(crate) fn side(&self) -> Side {
        Side { tree: self.tree.clone(), metadata: self.metadata.clone() }
    }
}

/// What is on the disk beside what the index says.
struct Seen {
    gone: Vec<Name>,
    changed: Vec<Name>,
    /// Those among the changed that git would take for the same, as lines of an index without times.
    alike: Vec<u8>,
    modes: Vec<(Name, u32)>,
    folder_modes: Vec<(Name, u32)>,
    untracked: Untracked,
}

impl Seen {
    /// What has to be read.
    fn added(&self) -> impl Iterator<Item = &Name> {
        self.changed.iter().chain(&self.untracked.files)
    }
}

/// Takes it, with `also` whatever bounds and ignore rules say.
pub(crate) fn take(work: &Work<'_>, also: &[Name]) -> Result<Now, Failure> {
    work.write_exclude()?;
    leave(work)?;
    keep_borrowed(work)?;
    let mut forced: Vec<Name> = also.to_vec();
    let (stamp, theirs) = tracked_and_ignored(work)?;
    forced.extend(theirs);
    let mut tries = 0;
    loop {
        tries += 1;
        // An index that git can't read either is made anew, too.
        let index = Index::read(&work.index(), work.oid_bytes()).filter(|_| tries < TRIES_MAX);
        let index = match index {
            Some(index) => index,
            None => {
                forced.extend(seed(work)?);
                known(work)
            }
        };
        match update(work, &forced, &index) {
            Ok(seen) => {
                let now = commit(work, seen)?;
                write_whole(&work.folder.join(THEIRS), stamp.as_bytes())?;
                return Ok(now);
            }
            // A file that went or grew while it was read: what is there now is looked at anew.
            Err(Failure::Git { .. }) if tries < TRIES_MAX => {}
            Err(failure) => return Err(failure),
        }
    }
}

/// Files the user has added against a rule that ignores them: git lists them to nobody else. Looked for when their index has
/// changed since the last time.
fn tracked_and_ignored(work: &Work<'_>) -> Result<(String, Vec<Name>), Failure> {
    use std::os::unix::fs::MetadataExt as _;
    let Some(user) = &work.user else { return Ok((String::new(), Vec::new())) };
    let metadata = std::fs::metadata(&user.index);
    let stamp = metadata.map_or(String::new(), |metadata| {
        format!("{} {} {} {}", metadata.mtime(), metadata.mtime_nsec(), metadata.size(), metadata.ino())
    });
    if read(&work.folder.join(THEIRS)).as_deref() == Some(stamp.as_bytes()) {
        return Ok((stamp, Vec::new()));
    }
    let listed = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];
    let listed = user.git(work.deadline).args(listed).output()?;
    Ok((stamp, split(&listed.stdout).map(<[u8]>::to_vec).collect()))
}

/// What was borrowed is kept. Where it went with the user's repository, every file is read anew.
fn keep_borrowed(work: &Work<'_>) -> Result<(), Failure> {
    let borrowed = work.borrowed();
    let there = match work.lender() {
        Some(user) if user.can_pin() => pin::repair(user, work.home, borrowed.clone(), work.deadline)?,
        Some(_) => return Ok(()),
        None => BTreeSet::new(),
    };
    if there != borrowed {
        remove(&work.index())?;
        work.set_borrowed(&there)?;
    }
    Ok(())
}

/// The index as it is.
fn known(work: &Work<'_>) -> Index {
    Index::read(&work.index(), work.oid_bytes()).unwrap_or_default()
}

fn update(work: &Work<'_>, forced: &[Name], index: &Index) -> Result<Seen, Failure> {
    let mut seen = see(work, forced, index)?;
    // What lies in a folder that was a file is listed only when git knows the file no longer.
    if seen.gone.iter().any(|name| below(work.root, name).is_dir()) {
        force_remove(work, seen.gone.iter().map(Vec::as_slice))?;
        seen = see(work, forced, &known(work))?;
    }
    if seen.added().count() >= BORROW_FROM {
        let added = seen.added().map(Vec::as_slice).collect();
        if borrow_again(work, &added)? {
            seen = see(work, forced, &known(work))?;
        }
    }
    force_remove(work, seen.gone.iter().map(Vec::as_slice))?;
    if !seen.alike.is_empty() {
        let info = ["update-index", "-z", "--index-info"];
        work.git(Lend::No).args(info).stdin(std::mem::take(&mut seen.alike)).run()?;
    }
    let names = joined(seen.added().map(Vec::as_slice));
    if !names.is_empty() {
        let add = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
        work.git(Lend::No).args(add).stdin(names).run()?;
    }
    Ok(seen)
}

fn see(work: &Work<'_>, forced: &[Name], index: &Index) -> Result<Seen, Failure> {
    // Both go over the whole tree: side by side.
    let (listed, looked) = std::thread::scope(|scope| {
        let listing = scope.spawn(|| untracked::list(work));
        let looked = look(work.root, index).map_err(Failure::io(work.root));
        let listed = match listing.join() {
            Ok(listed) => listed,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        (listed, looked)
    });
    let (listed, looked) = (listed?, looked?);
    let mut untracked = untracked::sort(work, &listed, index.known.is_empty())?;
    let (mut gone, mut changed, mut modes) = (Vec::new(), Vec::new(), Vec::new());
    let mut alike = Vec::new();
    let left_out = work.left_out();
    for (known, stand) in index.known.iter().zip(looked.stands) {
        let name = &known.name;
        let is_left_out = left_out.iter().any(|out| is_within(name, out));
        match stand {
            _ if is_left_out || known.is_submodule() => gone.push(name.clone()),
            Stand::Gone | Stand::Other => gone.push(name.clone()),
            Stand::Same { mode } => modes.extend(mode.map(|mode| (name.clone(), mode))),
            Stand::Suspect { mode, bytes, is_alike } => match why_not(work, name, bytes)? {
                Some(why) => {
                    untracked.not_captured.push(NotCaptured { path: path(name), why });
                    gone.push(name.clone());
                }
                None => {
                    if is_alike {
                        let oid = known.oid(work.oid_bytes());
                        alike.extend_from_slice(format!("{:o} {oid} 0\t", known.mode).as_bytes());
                        alike.extend_from_slice(&[name.as_slice(), b"\0"].concat());
                    }
                    changed.push(name.clone());
                    modes.extend(mode.map(|mode| (name.clone(), mode)));
                }
            },
        }
    }
    if !forced.is_empty() {
        untracked.force(work, index, forced);
    }
    untracked.find_emptied(work, &gone);
    let mut folder_modes = looked.folders;
    folder_modes.extend(untracked.folder_modes(work));
    // A folder that stays for what is ignored in it is none of the checkpoint's.
    let left: BTreeSet<&[u8]> = gone.iter().flat_map(|name| ancestors(name)).collect();
    if !left.is_empty() {
        let gone: BTreeSet<&Name> = gone.iter().collect();
        let stays = index.known.iter().map(|known| &known.name).filter(|name| !gone.contains(name));
        let held: BTreeSet<&[u8]> = stays
            .chain(&untracked.files)
            .chain(&untracked.folders)
            .flat_map(|name| ancestors(name).chain([name.as_slice()]))
            .collect();
        folder_modes
            .retain(|(folder, _)| !left.contains(folder.as_slice()) || held.contains(folder.as_slice()));
    }
    Ok(Seen { gone, changed, alike, modes, folder_modes, untracked })
}

/// Why a known file is captured no longer.
fn why_not(work: &Work<'_>, name: &[u8], bytes: u64) -> Result<Option<WhyNot>, Failure> {
    let place = below(work.root, name);
    let is_link = place.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    if !is_link && rustix::fs::access(&place, rustix::fs::Access::READ_OK).is_err() && place.exists() {
        return Ok(Some(WhyNot::Unreadable));
    }
    if bytes <= work.settings.known_file_bytes_max {
        return Ok(None);
    }
    // What is the user's to commit is worth any size.
    let Some(user) = &work.user else { return Ok(Some(WhyNot::Large { bytes })) };
    let asked =
        user.git(work.deadline).args(["ls-files", "-z", "--cached", "--"]).args([path(name)]).output()?;
    Ok(asked.stdout.is_empty().then_some(WhyNot::Large { bytes }))
}

fn commit(work: &Work<'_>, seen: Seen) -> Result<Now, Failure> {
    let Seen { mut modes, folder_modes, untracked, .. } = seen;
    for name in untracked.files {
        use std::os::unix::fs::MetadataExt as _;
        if let Ok(metadata) = below(work.root, &name).symlink_metadata()
            && metadata.is_file()
        {
            modes.push((name, metadata.mode() & 0o7777));
        }
    }
    let files: Vec<(&[u8], u32)> = modes.iter().map(|(name, mode)| (name.as_slice(), *mode)).collect();
    let mut metadata = TreeMetadata::new(&files, untracked.folders, &folder_modes);
    metadata.left = untracked.not_captured.iter().map(|not| name(&not.path)).collect();
    let tree = work.git(Lend::No).args(["write-tree", "--missing-ok"]).run()?.line();
    let commit = commit_tree(work, &tree, &metadata)?;
    write_whole(&work.folder.join(LAST), tree.as_bytes())?;
    let mut not_captured = untracked.not_captured;
    not_captured.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(Now { snapshot: Snapshot { commit, not_captured }, tree, metadata })
}

/// Brings the index to a tree that was taken before; files are not touched.
pub(crate) fn go_to(work: &Work<'_>, tree: &str) -> Result<(), Failure> {
    if read(&work.folder.join(LAST)).as_deref() == Some(tree.as_bytes()) {
        return Ok(());
    }
    work.git(Lend::Yes).args(["read-tree", "--reset", tree]).run()?;
    // Those that differ by now need an update; the others are known again.
    let _ = work.git(Lend::Yes).args(["update-index", "-q", "--refresh"]).output()?;
    write_whole(&work.folder.join(LAST), tree.as_bytes())
}

/// The index is to become something else.
pub(crate) fn leave(work: &Work<'_>) -> Result<(), Failure> {
    remove(&work.folder.join(LAST))
}

pub(crate) fn commit_tree(work: &Work<'_>, tree: &str, metadata: &TreeMetadata) -> Result<String, Failure> {
    let git = signed(work.git(Lend::No)).args(["commit-tree", tree]);
    Ok(git.stdin(metadata.text().into_bytes()).run()?.line())
}
