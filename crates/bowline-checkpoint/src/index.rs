//! Reads the store's own index, version 2 or 3, as git writes it: what git knows of each file's last state.
//!
//! Only the store's own: it is kept in this form. A file that can't be read here is made anew, never guessed at.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::paths::Name;

const LINK: u32 = 0o120_000;
const SUBMODULE: u32 = 0o160_000;

/// How closely times are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    Seconds,
    Nanoseconds,
}

/// One file in the index.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) name: Name,
    pub(crate) mode: u32,
    ctime: (u32, u32),
    mtime: (u32, u32),
    inode: u32,
    uid: u32,
    gid: u32,
    size: u32,
    oid: [u8; 32],
    stage: u16,
    /// Assumed unchanged, left out of the work tree, or only meant to be added.
    pub(crate) is_flagged: bool,
}

impl Known {
    /// The object's name, of so many bytes.
    pub(crate) fn oid(&self, bytes: usize) -> String {
        self.oid.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn is_unmerged(&self) -> bool {
        self.stage != 0
    }

    pub(crate) fn is_submodule(&self) -> bool {
        self.mode == SUBMODULE
    }

    /// Whether git, which goes by whole seconds, would take a file that is not surely the same for the same.
    pub(crate) fn is_alike(&self, stat: &rustix::fs::Stat) -> bool {
        !self.is_same(stat, Grain::Nanoseconds) && self.is_same(stat, Grain::Seconds)
    }

    /// Whether what is on the disk is surely what was captured.
    fn is_same(&self, stat: &rustix::fs::Stat, grain: Grain) -> bool {
        let kind = stat.st_mode & 0o170_000;
        let is_kind = match self.mode {
            LINK => kind == LINK,
            0o100_755 => kind == 0o100_000 && stat.st_mode & 0o100 != 0,
            _ => kind == 0o100_000 && stat.st_mode & 0o100 == 0,
        };
        let same_time = |kept: (u32, u32), seconds: i64, nanos: u64| {
            let is_fine = grain == Grain::Seconds || kept.1 == 0 || u64::from(kept.1) == nanos;
            kept.0 == seconds as u32 && is_fine
        };
        is_kind
            && self.size == stat.st_size as u32
            && same_time(self.mtime, stat.st_mtime, stat.st_mtime_nsec)
            && same_time(self.ctime, stat.st_ctime, stat.st_ctime_nsec)
            && self.inode == stat.st_ino as u32
            && self.uid == stat.st_uid
            && self.gid == stat.st_gid
    }
}

/// The index and when it was written.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) known: Vec<Known>,
    written: (u32, u32),
}

impl Index {
    /// None where there is none that can be read.
    pub(crate) fn read(path: &Path, oid_bytes: usize) -> Option<Index> {
        let metadata = std::fs::metadata(path).ok()?;
        let bytes = std::fs::read(path).ok()?;
        let written = (metadata.mtime() as u32, metadata.mtime_nsec() as u32);
        parse(&bytes, oid_bytes).map(|known| Index { known, written })
    }

    /// Whether a file has to be looked at again: it differs, or was written so close to the index that it may.
    pub(crate) fn is_suspect(&self, known: &Known, stat: &rustix::fs::Stat) -> bool {
        !known.is_same(stat, Grain::Nanoseconds) || known.mtime >= self.written
    }
}

struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }
}

fn parse(bytes: &[u8], oid_bytes: usize) -> Option<Vec<Known>> {
    let mut reader = Reader { rest: bytes };
    if reader.take(4)? != b"DIRC" || !matches!(reader.u32()?, 2 | 3) {
        return None;
    }
    let count = reader.u32()?;
    (0..count).map(|_| entry(&mut reader, oid_bytes)).collect()
}

fn entry(reader: &mut Reader<'_>, oid_bytes: usize) -> Option<Known> {
    let start = reader.rest.len();
    let ctime = (reader.u32()?, reader.u32()?);
    let mtime = (reader.u32()?, reader.u32()?);
    let (_device, inode, mode) = (reader.u32()?, reader.u32()?, reader.u32()?);
    let (uid, gid, size) = (reader.u32()?, reader.u32()?, reader.u32()?);
    let mut oid = [0; 32];
    oid.get_mut(..oid_bytes)?.copy_from_slice(reader.take(oid_bytes)?);
    let flags = reader.u16()?;
    let is_extended = flags & 0x4000 != 0;
    let extended = if is_extended { reader.u16()? } else { 0 };
    let end = reader.rest.iter().position(|byte| *byte == 0)?;
    let name = reader.take(end)?.to_vec();
    // Up to eight zeros make the length a multiple of eight.
    let used = start - reader.rest.len();
    reader.take(8 - used % 8)?;
    let is_flagged = flags & 0x8000 != 0 || extended & 0x6000 != 0;
    let stage = (flags >> 12) & 3;
    Some(Known { name, mode, ctime, mtime, inode, uid, gid, size, oid, stage, is_flagged })
}
