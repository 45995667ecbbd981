//! Bowline's own folders: there, ours, private, and with room.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use bowline_host::store::Location;
use rustix::fs::{Access, access, statvfs};

use super::Scene;
use super::finding::Finding;

/// Below it a session or two may still be kept.
const ROOM_SCARCE_BYTES: u64 = 500_000_000;
/// Below it the next one may not.
const ROOM_MIN_BYTES: u64 = 5_000_000;
/// What others may do with a folder of ours: nothing.
const OTHERS: u32 = 0o077;
const OTHERS_WRITE: u32 = 0o022;

pub(super) fn folders(scene: &Scene) -> Vec<Finding> {
    let home = match &scene.home {
        Ok(home) => home,
        Err(error) => return vec![Finding::failure("home", error)],
    };
    let mut findings = vec![folder("data folder", &home.data, OTHERS, "read your conversations")];
    if home.config != home.data && home.config.exists() {
        findings.push(folder("configuration folder", &home.config, OTHERS_WRITE, "change your settings"));
    }
    if let Location::Sqlite(file) = &home.database {
        findings.push(room(file));
    }
    findings
}

fn folder(check: &'static str, path: &Path, others: u32, what_others_can: &str) -> Finding {
    let shown = path.display();
    if let Some(folder) = unwritable(path) {
        let what = format!("{} is not writable", folder.display());
        return Finding::problem(check, what, "make it writable, or set BOWLINE_HOME to another folder");
    }
    if !path.exists() {
        return Finding::ok(check, format!("{shown} will be created by the first run"));
    }
    let mode = std::fs::metadata(path).map_or(0, |metadata| metadata.permissions().mode());
    if mode & others != 0 {
        let what = format!("{shown}: other users of this machine can {what_others_can}");
        let less = if others == OTHERS { "go-rwx" } else { "go-w" };
        return Finding::warning(check, what, format!("chmod {less} {shown}"));
    }
    Finding::ok(check, shown.to_string())
}

fn room(path: &Path) -> Finding {
    let Ok(disk) = statvfs(nearest(path)) else {
        return Finding::ok("disk", "the free space is unknown");
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let what = format!("{} free where the sessions are kept", megabytes(free));
    let next = "free some space there, or set BOWLINE_DATABASE to a path on another disk";
    match free {
        ..ROOM_MIN_BYTES => Finding::problem("disk", what, next),
        ROOM_MIN_BYTES..ROOM_SCARCE_BYTES => Finding::warning("disk", what, next),
        _ => Finding::ok("disk", what),
    }
}

/// Where something would have to be made for `path` to be there, if it can't be.
pub(super) fn unwritable(path: &Path) -> Option<&Path> {
    let folder = nearest(path);
    let is_writable = folder.is_dir() && access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok();
    (!is_writable).then_some(folder)
}

/// The path itself, or the folder above it that exists.
fn nearest(path: &Path) -> &Path {
    path.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("/"))
}

pub(super) fn megabytes(bytes: u64) -> String {
    match bytes {
        ..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..10_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", bytes / 1_000_000_000),
    }
}
