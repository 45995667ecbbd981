//! How the owner of a cell and its helper write values to each other: numbers and byte strings with their lengths in
//! front. Both are the same program, so nothing here carries a version.
//!
//! Reading never panics and never allocates more than was received.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Bytes that are not what the other side should have written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

impl From<Malformed> for std::io::Error {
    fn from(_: Malformed) -> std::io::Error {
        std::io::Error::new(std::io::ErrorKind::InvalidData, "the message is malformed")
    }
}

#[derive(Debug, Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, value: u8) -> &mut Self {
        self.0.push(value);
        self
    }

    pub(crate) fn number(&mut self, value: u64) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.number(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    pub(crate) fn paths(&mut self, paths: &[PathBuf]) -> &mut Self {
        self.strings(paths.iter().map(|path| path.as_os_str()))
    }

    pub(crate) fn strings<'a>(&mut self, strings: impl ExactSizeIterator<Item = &'a OsStr>) -> &mut Self {
        self.number(strings.len() as u64);
        for string in strings {
            self.bytes(string.as_bytes());
        }
        self
    }

    pub(crate) fn done(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

#[derive(Debug)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader(bytes)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Malformed> {
        let (first, rest) = self.0.split_first().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*first)
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Malformed> {
        Ok(self.byte()? != 0)
    }

    pub(crate) fn number(&mut self) -> Result<u64, Malformed> {
        let (first, rest) = self.0.split_first_chunk::<8>().ok_or(Malformed)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*first))
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(self.number()?).map_err(|_| Malformed)?;
        let (first, rest) = self.0.split_at_checked(length).ok_or(Malformed)?;
        self.0 = rest;
        Ok(first)
    }

    pub(crate) fn string(&mut self) -> Result<OsString, Malformed> {
        Ok(OsString::from_vec(self.bytes()?.to_vec()))
    }

    pub(crate) fn strings(&mut self) -> Result<Vec<OsString>, Malformed> {
        let count = self.number()?;
        (0..count).map(|_| self.string()).collect()
    }

    pub(crate) fn path(&mut self) -> Result<PathBuf, Malformed> {
        Ok(Path::new(OsStr::from_bytes(self.bytes()?)).to_path_buf())
    }

    pub(crate) fn paths(&mut self) -> Result<Vec<PathBuf>, Malformed> {
        let count = self.number()?;
        (0..count).map(|_| self.path()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let odd = PathBuf::from(OsString::from_vec(vec![b'/', 0xff, b' ', b'\n']));
        let bytes = Writer::default().byte(7).number(u64::MAX).paths(&[odd.clone(), PathBuf::new()]).done();
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.byte(), Ok(7));
        assert_eq!(reader.number(), Ok(u64::MAX));
        assert_eq!(reader.paths(), Ok(vec![odd, PathBuf::new()]));
        assert_eq!(reader.byte(), Err(Malformed));
    }

    #[test]
    fn any_shortened_message_is_malformed() {
        let bytes = Writer::default().paths(&[PathBuf::from("/a"), PathBuf::from("/bc")]).done();
        for length in 0..bytes.len() {
            assert_eq!(Reader::new(&bytes[..length]).paths(), Err(Malformed), "{length}");
        }
        assert_eq!(Reader::new(&[0xff; 32]).strings(), Err(Malformed));
    }
}
