//! The cell's own `/dev`: a few devices that hold nothing, terminals and shared memory of its own. No disk, no other
//! hardware.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::mount::{MountFlags, mount};

use super::places::Tree;
use super::{mount_temporary, remount_read_only};
use crate::failure::{During, Failure};

pub(super) const FOLDER: &str = "/dev";
const NODES: [&str; 6] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];
const LINKS: [(&str, &str); 5] = [
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
    ("pts/ptmx", "/dev/ptmx"),
];
const STEP: &str = "filling the cell's /dev";

/// The devices themselves: nobody without rights over the whole system could make new ones.
pub(super) fn take() -> Result<Vec<Tree>, Failure> {
    Tree::take_all(&NODES.map(PathBuf::from))
}

pub(super) fn mount_folder(devices: Vec<Tree>, shared_bytes_max: u64) -> Result<(), Failure> {
    mount_temporary(Path::new(FOLDER), "mode=0755,size=64k")?;
    for device in devices {
        device.put_back()?;
    }
    for (target, link) in LINKS {
        symlink(target, link).during(STEP)?;
    }
    let shared = Path::new("/dev/shm");
    fs::create_dir(shared).during(STEP)?;
    mount_temporary(shared, &format!("mode=1777,size={shared_bytes_max}"))?;
    fs::create_dir("/dev/pts").during(STEP)?;
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    // Without it there are no terminals, and hardly a command opens one.
    let _ = mount("devpts", "/dev/pts", "devpts", flags, c"newinstance,ptmxmode=0666,mode=620");
    Ok(())
}

/// Nothing is added to it any more; the devices in it can still be written.
pub(super) fn close_folder() -> Result<(), Failure> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::RELATIME;
    remount_read_only(Path::new(FOLDER), flags).during("making /dev read-only")
}
