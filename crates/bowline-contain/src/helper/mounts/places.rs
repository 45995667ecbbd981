//! Trees of the system that are taken and put back into a cell, and covers that hide what is there. A path is followed
//! without symbolic links: it was made real before, and somebody may have put one into it since.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MoveMountFlags, OpenTreeFlags, mount_remount, move_mount, open_tree};

use super::mount_temporary;
use crate::failure::{During, Failure};

/// Where the covers are made, inside of the cell's own `/dev`.
const COVERS: &str = "/dev/.hidden";

/// A copy of everything mounted at and below a path.
pub(super) struct Tree {
    path: PathBuf,
    tree: OwnedFd,
    is_folder: bool,
}

impl Tree {
    /// Those that exist.
    pub(super) fn take_all(paths: &[PathBuf]) -> Result<Vec<Tree>, Failure> {
        paths.iter().filter_map(|path| Tree::take(path).transpose()).collect()
    }

    /// None where there is nothing.
    pub(super) fn take(path: &Path) -> Result<Option<Tree>, Failure> {
        let Some(place) = find(path)? else { return Ok(None) };
        let is_folder = path.is_dir();
        let flags = OpenTreeFlags::OPEN_TREE_CLONE
            | OpenTreeFlags::OPEN_TREE_CLOEXEC
            | OpenTreeFlags::AT_EMPTY_PATH
            | OpenTreeFlags::AT_RECURSIVE;
        let tree = open_tree(&place, "", flags).during(format!("taking {}", path.display()))?;
        Ok(Some(Tree { path: path.to_path_buf(), tree, is_folder }))
    }

    pub(super) fn put_back(&self) -> Result<(), Failure> {
        let step = || format!("putting {} in its place", self.path.display());
        if find(&self.path)?.is_none() {
            self.make_place().during(step())?;
        }
        let place = find(&self.path)?.ok_or_else(|| Failure::new(step(), nix::libc::ENOENT))?;
        put(&self.tree, &place).during(step())
    }

    /// Below the cell's own folders nothing is there yet.
    fn make_place(&self) -> io::Result<()> {
        if self.is_folder {
            return fs::create_dir_all(&self.path);
        }
        if let Some(parent) = self.path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&self.path, "")
    }
}

/// An empty file and an empty folder that nobody may open.
pub(super) struct Cover {
    file: PathBuf,
    folder: PathBuf,
}

impl Cover {
    pub(super) fn new() -> Result<Cover, Failure> {
        let base = Path::new(COVERS);
        let cover = Cover { file: base.join("file"), folder: base.join("folder") };
        cover.make(base).during("making the covers")?;
        Ok(cover)
    }

    fn make(&self, base: &Path) -> io::Result<()> {
        fs::create_dir(base)?;
        mount_temporary(base, "mode=0755,size=16k")
            .map_err(|failure| io::Error::from_raw_os_error(failure.errno))?;
        fs::write(&self.file, "")?;
        fs::create_dir(&self.folder)?;
        for path in [&self.file, &self.folder] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o000))?;
        }
        // The whole file system, so that every cover is read-only from its beginning.
        let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        Ok(mount_remount(base, flags, c"")?)
    }

    pub(super) fn put_on(&self, path: &Path) -> Result<(), Failure> {
        let Some(place) = find(path)? else { return Ok(()) };
        let source = if path.is_dir() { &self.folder } else { &self.file };
        let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        let step = || format!("hiding {}", path.display());
        let cover = open_tree(CWD, source, flags).during(step())?;
        put(&cover, &place).during(step())
    }
}

fn put(tree: &OwnedFd, place: &OwnedFd) -> rustix::io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    move_mount(tree, "", place, "", flags)
}

/// What is at a path; none if nothing is, or nothing that this cell could reach.
fn find(path: &Path) -> Result<Option<OwnedFd>, Failure> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        Ok(place) => Ok(Some(place)),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => Ok(None),
        Err(error) => Err(error).during(format!("finding {}", path.display())),
    }
}
