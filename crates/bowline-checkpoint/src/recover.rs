//! Recovers from a restore whose process died, or that failed halfway: either finishes it or reverts it.
//!
//! What always holds: a file is written only where it is one of the two versions, or a piece of the one that was being
//! written. A file that somebody has changed since stays as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::apply::{open_folders, remove_folder, set_permissions};
use crate::diff::{Held, Pair, folder_modes, pairs, side};
use crate::failure::Failure;
use crate::journal::{Journal, Way};
use crate::paths::{Name, ancestors, below, parent, path};
use crate::take::leave;
use crate::work::{Lend, Work};

/// Finishes what the journal says, if there is one.
pub(crate) fn settle(work: &Work<'_>) -> Result<(), Failure> {
    match Journal::open(work)? {
        Some(journal) => match finish(work, &journal) {
            Err(failure) if journal.way == Way::Forward => {
                let back = Journal { way: Way::Back, ..journal };
                back.write(work)?;
                finish(work, &back).map_err(|_| failure)
            }
            finished => finished,
        },
        None => Ok(()),
    }
}

pub(crate) fn finish(work: &Work<'_>, journal: &Journal) -> Result<(), Failure> {
    let (from, to) = (side(work, &journal.from)?, side(work, &journal.to)?);
    let mut changed = pairs(work, &from, &to)?;
    let (start, end) = match journal.way {
        Way::Forward => (&from, &to),
        Way::Back => (&to, &from),
    };
    if journal.way == Way::Back {
        for pair in changed.values_mut() {
            std::mem::swap(&mut pair.from, &mut pair.to);
        }
    }
    let modes = folder_modes(work, start, end)?;
    open_folders(work, modes.iter().map(|(name, (_, mode))| (name, *mode)))?;
    crate::atomic_file::remove(&work.folder.join("index.lock"))?;
    leave(work)?;
    let hashes = Hashes::of(work, changed.keys())?;
    let mut missing = BTreeMap::new();
    for (name, pair) in &changed {
        if is_ours(work, &hashes, name, pair)? {
            missing.insert(name, pair);
        }
    }
    for (name, pair) in missing.iter().filter(|(_, pair)| pair.to.is_none()) {
        delete(work, name, pair.from.as_ref())?;
    }
    // Before anything is written: a file may take the place of a folder.
    let coming: BTreeSet<&[u8]> =
        changed.iter().filter(|(_, pair)| pair.to.is_some()).flat_map(|(name, _)| ancestors(name)).collect();
    for (name, _) in changed.iter().filter(|(_, pair)| pair.to.is_none()) {
        remove_folder(work, parent(name), &end.metadata, &coming);
    }
    for (name, pair) in &missing {
        if let Some(held) = &pair.to {
            write(work, name, held)?;
        }
    }
    let (earlier, later) = (&start.metadata.folders, &end.metadata.folders);
    for folder in earlier.difference(later) {
        remove_folder(work, folder, &end.metadata, &coming);
    }
    for folder in later.difference(earlier) {
        // Where a file stands by now there is nothing to make.
        let _ = std::fs::create_dir_all(below(work.root, folder));
    }
    // Those that git has made, or made anew, have the permissions of the end, too.
    let made = coming.into_iter().chain(later.iter().map(Vec::as_slice));
    let made = made.map(|folder| (end.metadata.folder_mode(folder), folder.to_vec()));
    for (mode, folder) in made.chain(modes.into_iter().map(|(folder, (_, mode))| (mode, folder))) {
        if below(work.root, &folder).symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            set_permissions(work, &folder, mode)?;
        }
    }
    // The files are what matters; an index that can't be had is made anew.
    if !work.git(Lend::Yes).args(["read-tree", "--reset", &end.tree]).output()?.is_success {
        crate::atomic_file::remove(&work.index())?;
    }
    journal.close(work)
}

/// Whether what is there is a version of ours that has to become the other one.
fn is_ours(work: &Work<'_>, hashes: &Hashes, name: &[u8], pair: &Pair) -> Result<bool, Failure> {
    if hashes.is_as(work, name, pair.to.as_ref())? {
        return Ok(false);
    }
    if hashes.is_as(work, name, pair.from.as_ref())? {
        return Ok(true);
    }
    let place = below(work.root, name);
    match place.symlink_metadata() {
        // Taken away to be written anew.
        Err(_) => Ok(true),
        Ok(metadata) if metadata.is_file() => is_piece(work, &place, pair),
        Ok(metadata) if metadata.is_symlink() => Ok(false),
        // A folder that has nothing in it any more.
        Ok(_) => Ok(place.read_dir().is_ok_and(|mut entries| entries.next().is_none())),
    }
}

/// Whether a file is one of the versions cut short, or one with other permissions.
fn is_piece(work: &Work<'_>, place: &Path, pair: &Pair) -> Result<bool, Failure> {
    let bytes = std::fs::read(place).map_err(Failure::io(place))?;
    for held in [&pair.to, &pair.from].into_iter().flatten().filter(|held| !held.is_link()) {
        if content(work, &held.oid)?.starts_with(&bytes) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn content(work: &Work<'_>, oid: &str) -> Result<Vec<u8>, Failure> {
    Ok(work.git(Lend::Yes).args(["cat-file", "blob", oid]).run()?.stdout)
}

/// The objects the files on the disk would be.
pub(crate) struct Hashes(BTreeMap<Name, String>);

impl Hashes {
    /// Of those among them that are regular files and can be read.
    pub(crate) fn of<'n>(work: &Work<'_>, names: impl Iterator<Item = &'n Name>) -> Result<Hashes, Failure> {
        let is_file =
            |name: &&Name| below(work.root, name).symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        // One that has a line break in its name can't be said on a line.
        let is_odd =
            |name: &&Name| name.starts_with(b"\"") || name.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
        let (odd, plain): (Vec<&Name>, Vec<&Name>) = names.filter(is_file).partition(is_odd);
        let mut hashes = BTreeMap::new();
        let hash = || work.git(Lend::No).args(["hash-object", "--no-filters"]);
        if !plain.is_empty() {
            let lines: Vec<u8> = plain.iter().flat_map(|name| name.iter().copied().chain([b'\n'])).collect();
            let hashed = hash().args(["--stdin-paths"]).stdin(lines).run()?.stdout;
            let hashed = String::from_utf8_lossy(&hashed).into_owned();
            hashes.extend(plain.into_iter().cloned().zip(hashed.lines().map(str::to_owned)));
        }
        for name in odd {
            let hashed = hash().args(["--".as_ref(), path(name).as_os_str()]).run()?.line();
            hashes.insert(name.clone(), hashed);
        }
        Ok(Hashes(hashes))
    }

    /// Whether a path is as a tree has it, permissions included; none: not there.
    pub(crate) fn is_as(&self, work: &Work<'_>, name: &[u8], held: Option<&Held>) -> Result<bool, Failure> {
        use std::os::unix::fs::PermissionsExt as _;
        let place = below(work.root, name);
        let is_beyond_link = ancestors(name).any(|folder| below(work.root, folder).is_symlink());
        let metadata = if is_beyond_link { None } else { place.symlink_metadata().ok() };
        let (Some(metadata), Some(held)) = (&metadata, held) else {
            // A folder under a file's name: the file is gone.
            let is_gone = metadata.is_none_or(|metadata| metadata.is_dir());
            return Ok(held.is_none() && is_gone);
        };
        if held.is_link() {
            return Ok(match std::fs::read_link(&place) {
                Ok(target) => content(work, &held.oid)? == target.as_os_str().as_bytes(),
                Err(_) => false,
            });
        }
        let is_same = metadata.is_file() && metadata.permissions().mode() & 0o7777 == held.permissions;
        Ok(is_same && self.0.get(name) == Some(&held.oid))
    }
}

fn delete(work: &Work<'_>, name: &[u8], held: Option<&Held>) -> Result<(), Failure> {
    let place = below(work.root, name);
    if held.is_none() || place.is_dir() && !place.is_symlink() {
        return Ok(());
    }
    crate::atomic_file::remove(&place)
}

fn write(work: &Work<'_>, name: &[u8], held: &Held) -> Result<(), Failure> {
    let place = below(work.root, name);
    let folder = place.parent().unwrap_or(work.root).to_owned();
    std::fs::create_dir_all(&folder).map_err(Failure::io(&folder))?;
    if place.is_dir() && !place.is_symlink() {
        std::fs::remove_dir(&place).map_err(Failure::io(&place))?;
    }
    let bytes = content(work, &held.oid)?;
    if held.is_link() {
        crate::atomic_file::remove(&place)?;
        let target = Name::from(bytes);
        return std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(&target), &place)
            .map_err(Failure::io(&place));
    }
    let written = tempfile::NamedTempFile::new_in(&folder).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.persist(&place).map_err(|error| error.error)
    });
    written.map_err(Failure::io(&place))?;
    set_permissions(work, name, held.permissions)
}
