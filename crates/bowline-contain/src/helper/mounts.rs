//! The mounts of a cell, made once by its first process: everything read-only, folders of its own for what is temporary, the
//! writable folders back in their places, what is protected read-only again, and the covers last of all, so that nothing can
//! be mounted over them. A `read` command then takes back what `build` may write, in a copy of its own.
//!
//! What always holds: a mount that is still writable afterwards is one that the plan names, or the cell's own.

mod devices;
mod places;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change, mount_remount};

use crate::failure::{During, Failure};
use crate::ground::UserNamespace;
use crate::plan::{OWN_FOLDERS, Plan};
use places::{Cover, Tree};
use table::Mount;

const PROC: &str = "/proc";
/// What remains writable for a `read` command.
const TEMPORARY: [&str; 6] = ["/tmp", "/var/tmp", "/run", "/dev/shm", "/dev/pts", "/dev"];

/// Gives back whether `/proc` is the cell's own.
pub(super) fn prepare(plan: &Plan, user: UserNamespace) -> Result<bool, Failure> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .during("taking the mounts off the system's")?;
    let own: Vec<&Path> = OWN_FOLDERS.iter().map(Path::new).filter(|path| is_folder(path)).collect();

    // Taken while their paths still lead to them, and before they become read-only.
    let devices = devices::take()?;
    let writable = Tree::take_all(&plan.writable)?;
    let visible = Tree::take_all(&plan.visible)?;
    make_read_only(&|path| own.iter().any(|own| path.starts_with(own)) || path.starts_with(PROC))?;

    for folder in own.iter().filter(|folder| **folder != Path::new(devices::FOLDER)) {
        temporary(folder, plan.temporary_bytes_max)?;
    }
    devices::mount_folder(devices, plan.temporary_bytes_max)?;
    for tree in visible.iter().chain(&writable) {
        tree.put_back()?;
    }
    for tree in Tree::take_all(&plan.protected)? {
        tree.put_back()?;
    }
    make_read_only(&|path| !is_to_be_kept(path, plan))?;

    let cover = Cover::new()?;
    for path in plan.hidden.iter().chain(&plan.sockets) {
        cover.put_on(path)?;
    }
    devices::close_folder()?;
    let own_proc = mount_proc(user)?;
    std::env::set_current_dir("/").during("entering the new mounts")?;
    Ok(own_proc)
}

/// For a command that must not write what `build` writes. The process has a copy of the cell's mounts.
pub(super) fn make_all_read_only() -> Result<(), Failure> {
    make_read_only(&|path| TEMPORARY.iter().any(|own| path == Path::new(own)))
}

/// Whether a mount is below something that is shown or protected, and not below something writable inside that.
fn is_to_be_kept(path: &Path, plan: &Plan) -> bool {
    let depth = |paths: &[PathBuf]| {
        let above = paths.iter().filter(|above| path.starts_with(above));
        above.map(|above| above.components().count()).max()
    };
    let kept = depth(&plan.visible).max(depth(&plan.protected));
    kept.is_some() && kept >= depth(&plan.writable)
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

fn make_read_only(is_left: &dyn Fn(&Path) -> bool) -> Result<(), Failure> {
    for Mount { path, flags } in table::read()? {
        if flags.contains(MountFlags::RDONLY) || is_left(&path) {
            continue;
        }
        match remount_read_only(&path, flags) {
            Ok(()) => {}
            // Hidden below another mount or a folder that nobody of this cell can enter: then nobody can write it, either.
            Err(Errno::NOENT | Errno::ACCESS | Errno::INVAL | Errno::NOTDIR)
                if !table::is_writable_at(&path) => {}
            Err(error) => return Err(error).during(format!("making {} read-only", path.display())),
        }
    }
    Ok(())
}

fn remount_read_only(path: &Path, flags: MountFlags) -> rustix::io::Result<()> {
    mount_remount(path, flags | MountFlags::BIND | MountFlags::RDONLY, c"")
}

fn temporary(folder: &Path, bytes_max: u64) -> Result<(), Failure> {
    let mode = if folder == Path::new("/run") { "0755" } else { "1777" };
    mount_temporary(folder, &format!("mode={mode},size={bytes_max}"))
}

fn mount_temporary(folder: &Path, options: &str) -> Result<(), Failure> {
    let step = || format!("mounting a temporary folder on {}", folder.display());
    let options = std::ffi::CString::new(options).map_err(|_| Failure::new(step(), nix::libc::EINVAL))?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", folder, "tmpfs", flags, options.as_c_str()).during(step())
}

/// Some containers refuse a `/proc` of one's own. Then the system's stays, read-only: it shows other processes, but the
/// kernel lets nobody in the cell read their environment.
fn mount_proc(user: UserNamespace) -> Result<bool, Failure> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    match mount("proc", PROC, "proc", flags, None) {
        Ok(()) => {
            if user == UserNamespace::Own {
                fs::write("/proc/sys/user/max_user_namespaces", "0")
                    .during("closing the way to further user namespaces")?;
            }
            remount_read_only(Path::new(PROC), flags | MountFlags::RELATIME)
                .during("making /proc read-only")?;
            Ok(true)
        }
        Err(Errno::PERM | Errno::ACCESS) => {
            make_read_only(&|path| !path.starts_with(PROC))?;
            Ok(false)
        }
        Err(error) => Err(error).during("mounting /proc"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_folder_decides_what_is_kept() {
        let plan = Plan {
            writable: vec!["/p".into(), "/tmp/shown/w".into()],
            protected: vec!["/p/.git".into()],
            visible: vec!["/tmp/shown".into()],
            ..Plan::default()
        };
        for (path, expected) in [
            ("/p", false),
            ("/p/.git", true),
            ("/p/.git/x", true),
            ("/p/.github", false),
            ("/tmp/shown", true),
            ("/tmp/shown/w", false),
            ("/tmp", false),
        ] {
            assert_eq!(is_to_be_kept(Path::new(path), &plan), expected, "{path}");
        }
    }
}
