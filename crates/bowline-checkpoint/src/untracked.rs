//! Finds what exists but is not in the index: new files within the bounds and beyond them, empty folders, nested
//! repositories. What the project ignores is not even listed.

use std::collections::{BTreeMap, BTreeSet};

use crate::failure::Failure;
use crate::index::Index;
use crate::paths::{Name, ancestors, below, is_within, parent, path, split};
use crate::snapshot::{NotCaptured, WhyNot};
use crate::user_repository::git_dir;
use crate::work::{Lend, Work};

/// Folders asked about in one run of git.
const FOLDERS_AT_ONCE: usize = 200;
/// The same of files.
const NAMES_AT_ONCE: usize = 500;
/// Folders walked in search of empty ones.
const WALKED_MAX: usize = 20_000;

/// What is new.
#[derive(Debug, Default)]
pub(crate) struct Untracked {
    pub(crate) files: Vec<Name>,
    pub(crate) folders: BTreeSet<Name>,
    pub(crate) not_captured: Vec<NotCaptured>,
}

/// What git lists as others: files, and folders in which it knows nothing, with a `/` behind.
pub(crate) fn list(work: &Work<'_>) -> Result<Vec<u8>, Failure> {
    let others = ["ls-files", "-z", "--others", "--directory", "--exclude-standard"];
    Ok(work.git(Lend::No).args(others).run()?.stdout)
}

/// Sorts it by what can be captured. `is_first`: nothing is known yet, so that everything is new.
pub(crate) fn sort(work: &Work<'_>, listed: &[u8], is_first: bool) -> Result<Untracked, Failure> {
    let left_out = work.left_out();
    let mut untracked = Untracked::default();
    let mut groups: BTreeMap<Name, Vec<Name>> = BTreeMap::new();
    let mut folders: Vec<Name> = Vec::new();
    for name in split(listed) {
        match name.strip_suffix(b"/") {
            Some(folder) if untracked.is_apart(work, folder) => {}
            Some(folder) => folders.push(folder.to_vec()),
            None => groups.entry(parent(name).to_vec()).or_default().push(name.to_vec()),
        }
    }
    untracked.find_empty(work, &folders)?;
    for some in folders.chunks(FOLDERS_AT_ONCE) {
        untracked.list_within(work, some, is_first, &mut groups)?;
    }
    for files in groups.values_mut() {
        files.retain(|name| !left_out.iter().any(|out| is_within(name, out)));
    }
    let tracked = tracked(work, &groups)?;
    for (folder, files) in groups {
        let (theirs, new): (Vec<Name>, Vec<Name>) =
            files.into_iter().partition(|name| tracked.contains(name));
        untracked.files.extend(theirs.into_iter().filter(|name| is_readable(work, name)));
        // A project that is all new, with many files at its top, is still a project.
        let is_bounded = !(is_first && folder.is_empty());
        if is_bounded && new.len() > work.settings.new_files_max {
            let place = if folder.is_empty() { path(b".") } else { path(&folder) };
            untracked.not_captured.push(NotCaptured { path: place, why: WhyNot::Many { files: new.len() } });
        } else {
            untracked
                .files
                .extend(new.into_iter().filter(|name| can_capture(work, name, &mut untracked.not_captured)));
        }
    }
    untracked.folders.retain(|name| !left_out.iter().any(|out| is_within(name, out)));
    Ok(untracked)
}

/// Those beyond a bound that the user's repository has in its index, committed or about to be: they are new to the store
/// alone, and no bound holds for them.
fn tracked(work: &Work<'_>, groups: &BTreeMap<Name, Vec<Name>>) -> Result<BTreeSet<Name>, Failure> {
    use std::os::unix::ffi::OsStrExt as _;
    let Some(user) = &work.user else { return Ok(BTreeSet::new()) };
    let is_large = |name: &&Name| {
        let metadata = below(work.root, name).symlink_metadata();
        metadata.is_ok_and(|metadata| metadata.is_file() && metadata.len() > work.settings.new_file_bytes_max)
    };
    let beyond: Vec<&Name> = groups
        .values()
        .flat_map(|files| {
            let is_crowd = files.len() > work.settings.new_files_max;
            files.iter().filter(move |name| is_crowd || is_large(name))
        })
        .collect();
    let mut tracked = BTreeSet::new();
    for some in beyond.chunks(NAMES_AT_ONCE) {
        let names = some.iter().map(|name| std::ffi::OsStr::from_bytes(name));
        let asked =
            user.git(work.deadline).args(["ls-files", "-z", "--cached", "--"]).args(names).output()?;
        tracked.extend(split(&asked.stdout).map(<[u8]>::to_vec));
    }
    Ok(tracked)
}

impl Untracked {
    /// Takes these in, too, where they can be read and the index does not have them.
    pub(crate) fn force(&mut self, work: &Work<'_>, index: &Index, names: &[Name]) {
        let known: BTreeSet<&[u8]> = index.known.iter().map(|known| known.name.as_slice()).collect();
        let names = names.iter().filter(|name| !known.contains(name.as_slice()) && is_readable(work, name));
        let names: BTreeSet<&Name> = names.collect();
        self.files.retain(|name| !names.contains(name));
        self.not_captured.retain(|not| !names.contains(&crate::paths::name(&not.path)));
        self.files.extend(names.into_iter().cloned());
    }

    /// The folders that went empty with the last files in them: git still lists by what it knew.
    pub(crate) fn find_emptied(&mut self, work: &Work<'_>, gone: &[Name]) {
        for name in gone {
            let there = ancestors(name).filter(|folder| {
                below(work.root, folder).symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
            });
            if let Some(folder) = there.last()
                && below(work.root, folder).read_dir().is_ok_and(|mut entries| entries.next().is_none())
            {
                self.folders.insert(folder.to_vec());
            }
        }
    }

    /// The permissions of folders that are new.
    pub(crate) fn folder_modes(&self, work: &Work<'_>) -> Vec<(Name, u32)> {
        use std::os::unix::fs::PermissionsExt as _;
        let of_files = self.files.iter().flat_map(|name| ancestors(name));
        let of_folders = self.folders.iter().flat_map(|name| ancestors(name).chain([name.as_slice()]));
        let folders: BTreeSet<&[u8]> = of_files.chain(of_folders).collect();
        let mode = |folder: &&[u8]| {
            let metadata = below(work.root, folder).symlink_metadata().ok()?;
            metadata.is_dir().then(|| (folder.to_vec(), metadata.permissions().mode() & 0o7777))
        };
        folders.iter().filter_map(mode).collect()
    }

    /// A repository of its own is noted and left alone.
    fn is_apart(&mut self, work: &Work<'_>, folder: &[u8]) -> bool {
        let place = below(work.root, folder);
        if place.join(".git").symlink_metadata().is_err() {
            return false;
        }
        let commit = git_dir(&place).and_then(|dir| {
            let git = crate::git::Git::new(&dir, &place, work.deadline);
            let head = git.args(["rev-parse", "-q", "--verify", "HEAD^{commit}"]).output().ok()?;
            head.is_success.then(|| head.line())
        });
        let why = WhyNot::Repository { commit };
        self.not_captured.push(NotCaptured { path: path(folder), why });
        true
    }

    fn list_within(
        &mut self,
        work: &Work<'_>,
        folders: &[Name],
        is_first: bool,
        groups: &mut BTreeMap<Name, Vec<Name>>,
    ) -> Result<(), Failure> {
        use std::os::unix::ffi::OsStrExt as _;
        let others = ["ls-files", "-z", "--others", "--exclude-standard", "--"];
        let names = folders.iter().map(|name| std::ffi::OsStr::from_bytes(name));
        let listed = work.git(Lend::No).args(others).args(names).run()?.stdout;
        let known: BTreeSet<&[u8]> = folders.iter().map(Vec::as_slice).collect();
        for name in split(&listed) {
            if let Some(folder) = name.strip_suffix(b"/") {
                self.is_apart(work, folder);
                continue;
            }
            // Of a project that is all new each folder counts by itself, else the outermost one that is new.
            let outermost = ancestors(name).find(|folder| known.contains(folder));
            let group = if is_first { parent(name) } else { outermost.unwrap_or_else(|| parent(name)) };
            groups.entry(group.to_vec()).or_default().push(name.to_vec());
        }
        Ok(())
    }

    /// The folders in and below these that hold nothing.
    fn find_empty(&mut self, work: &Work<'_>, folders: &[Name]) -> Result<(), Failure> {
        let mut walk: Vec<Name> = folders.to_vec();
        let mut walked = 0;
        while let Some(folder) = walk.pop() {
            walked += 1;
            if walked > WALKED_MAX {
                break;
            }
            if walked % 500 == 0 {
                work.deadline.check()?;
            }
            let Ok(entries) = std::fs::read_dir(below(work.root, &folder)) else {
                let why = WhyNot::Unreadable;
                self.not_captured.push(NotCaptured { path: path(&folder), why });
                continue;
            };
            let mut is_empty = true;
            for entry in entries.flatten() {
                is_empty = false;
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    use std::os::unix::ffi::OsStrExt as _;
                    let mut name = folder.clone();
                    name.push(b'/');
                    name.extend_from_slice(entry.file_name().as_bytes());
                    let is_apart = below(work.root, &name).join(".git").symlink_metadata().is_ok();
                    if entry.file_name() != ".git" && !is_apart {
                        walk.push(name);
                    }
                }
            }
            if is_empty {
                self.folders.insert(folder);
            }
        }
        Ok(())
    }
}

/// Whether a new file is within the bounds and can be read; noted where it is not.
fn can_capture(work: &Work<'_>, name: &[u8], not_captured: &mut Vec<NotCaptured>) -> bool {
    let place = below(work.root, name);
    let Ok(metadata) = place.symlink_metadata() else { return false };
    let is_like_gits = |part: &[u8]| part.eq_ignore_ascii_case(b".git");
    let why = if name.split(|byte| *byte == b'/').any(is_like_gits) {
        WhyNot::Special
    } else if metadata.is_symlink() {
        return true;
    } else if !metadata.is_file() {
        WhyNot::Special
    } else if metadata.len() > work.settings.new_file_bytes_max {
        WhyNot::Large { bytes: metadata.len() }
    } else if rustix::fs::access(&place, rustix::fs::Access::READ_OK).is_err() {
        WhyNot::Unreadable
    } else {
        return true;
    };
    not_captured.push(NotCaptured { path: path(name), why });
    false
}

/// A regular file that can be read, or a link; not below a link.
fn is_readable(work: &Work<'_>, name: &[u8]) -> bool {
    let is_folder =
        |folder: &[u8]| below(work.root, folder).symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    let place = below(work.root, name);
    let is_mine = |metadata: std::fs::Metadata| {
        let can_read = || rustix::fs::access(&place, rustix::fs::Access::READ_OK).is_ok();
        metadata.is_symlink() || (metadata.is_file() && can_read())
    };
    ancestors(name).all(is_folder) && place.symlink_metadata().is_ok_and(is_mine)
}
