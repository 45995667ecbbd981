//! Reads which mounts this process sees, each with the flags that a remount has to repeat: the kernel refuses to take any
//! off that the system had set.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::mount::MountFlags;

use crate::failure::{During, Failure};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mount {
    pub(super) path: PathBuf,
    pub(super) flags: MountFlags,
}

/// One for each path, the one on top; parents first.
pub(super) fn read() -> Result<Vec<Mount>, Failure> {
    let listing = fs::read("/proc/self/mountinfo").during("reading the list of mounts")?;
    Ok(parse(&listing))
}

/// Whether what this path leads to can be written; not if it leads nowhere.
pub(super) fn is_writable_at(path: &Path) -> bool {
    statvfs(path).is_ok_and(|found| !found.f_flag.contains(StatVfsMountFlags::RDONLY))
}

fn parse(listing: &[u8]) -> Vec<Mount> {
    let mut mounts = BTreeMap::new();
    for line in listing.split(|byte| *byte == b'\n') {
        let mut fields = line.split(|byte| *byte == b' ').skip(4);
        if let (Some(path), Some(options)) = (fields.next(), fields.next()) {
            // A later line is mounted over an earlier one with the same path.
            mounts.insert(unescape(path), flags(options));
        }
    }
    mounts.into_iter().map(|(path, flags)| Mount { path, flags }).collect()
}

fn flags(options: &[u8]) -> MountFlags {
    let mut flags = MountFlags::empty();
    for option in options.split(|byte| *byte == b',') {
        flags |= match option {
            b"ro" => MountFlags::RDONLY,
            b"nosuid" => MountFlags::NOSUID,
            b"nodev" => MountFlags::NODEV,
            b"noexec" => MountFlags::NOEXEC,
            b"noatime" => MountFlags::NOATIME,
            b"nodiratime" => MountFlags::NODIRATIME,
            b"relatime" => MountFlags::RELATIME,
            b"nosymfollow" => MountFlags::NOSYMFOLLOW,
            _ => MountFlags::empty(),
        };
    }
    if !flags.intersects(MountFlags::NOATIME | MountFlags::RELATIME) {
        flags |= MountFlags::STRICTATIME;
    }
    flags
}

/// Spaces and the like stand as a backslash and three octal digits.
fn unescape(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let digits = after.first_chunk::<3>().filter(|_| *first == b'\\');
        let number = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        bytes.push(number.unwrap_or(*first));
        rest = if number.is_some() { after.get(3..).unwrap_or_default() } else { after };
    }
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mount_on_top_counts_with_all_its_flags() {
        let listing = b"21 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
            30 21 0:5 / /a\\040b\\134 rw,nosuid,nodev,noexec,noatime shared:3 - tmpfs none rw,size=4k\n\
            31 21 0:6 / /c ro,relatime - tmpfs none rw\n\
            32 31 0:7 / /c rw - tmpfs none rw\n";
        let expected = [
            ("/", MountFlags::RELATIME),
            ("/a b\\", MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::NOATIME),
            ("/c", MountFlags::STRICTATIME),
        ];
        let expected = expected.map(|(path, flags)| Mount { path: path.into(), flags });
        assert_eq!(parse(listing), expected);
    }
}
