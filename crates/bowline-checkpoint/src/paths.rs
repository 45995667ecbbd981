//! Paths below the root, as git has them: bytes with `/` between, no matter what encoding.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// A path below the root.
pub(crate) type Name = Vec<u8>;

pub(crate) fn path(name: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(name))
}

pub(crate) fn below(root: &Path, name: &[u8]) -> PathBuf {
    root.join(OsStr::from_bytes(name))
}

pub(crate) fn name(path: &Path) -> Name {
    path.as_os_str().as_bytes().to_vec()
}

/// The folder a path lies in; empty at the root.
pub(crate) fn parent(name: &[u8]) -> &[u8] {
    name.iter().rposition(|byte| *byte == b'/').map_or(&[], |at| &name[..at])
}

/// The folders a path lies in, the outermost first.
pub(crate) fn ancestors(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = name.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    ends.map(|end| &name[..end])
}

/// Whether `name` lies in `folder` or is it.
pub(crate) fn is_within(name: &[u8], folder: &[u8]) -> bool {
    match name.strip_prefix(folder) {
        Some(rest) => folder.is_empty() || rest.is_empty() || rest.starts_with(b"/"),
        None => false,
    }
}

/// Names as git takes and gives them with `-z`.
pub(crate) fn joined<'n>(names: impl IntoIterator<Item = &'n [u8]>) -> Vec<u8> {
    let mut text = Vec::new();
    for name in names {
        text.extend_from_slice(name);
        text.push(0);
    }
    text
}

pub(crate) fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == 0).filter(|name| !name.is_empty())
}

/// A path in plain ASCII on one line, to be read back.
pub(crate) fn escaped(name: &[u8]) -> String {
    let mut text = String::new();
    for byte in name {
        match byte {
            b'%' | 0..=0x1f | 0x7f.. => text.push_str(&format!("%{byte:02x}")),
            _ => text.push(char::from(*byte)),
        }
    }
    text
}

pub(crate) fn unescaped(text: &str) -> Option<Name> {
    let mut name = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            name.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            name.push(byte);
        }
    }
    Some(name)
}
