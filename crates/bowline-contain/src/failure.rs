//! A step of the helper that failed, as it travels to the owner: what was being done and the error's number. It decides
//! nothing.

use std::io;

use crate::wire::{Malformed, Reader, Writer};

/// A step that failed, and the kernel's reason.
///
/// ```
/// let failure = bowline_contain::Failure::new("creating the namespaces", 1);
/// assert_eq!(failure.to_string(), "creating the namespaces: Operation not permitted (os error 1)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{step}: {}", io::Error::from_raw_os_error(*.errno))]
pub struct Failure {
    /// What was being done.
    pub step: String,
    /// The number of the error, as in `errno.h`.
    pub errno: i32,
}

impl Failure {
    /// A failure of this step.
    pub fn new(step: impl Into<String>, errno: i32) -> Failure {
        Failure { step: step.into(), errno }
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        // Long enough for any path, and short enough for one packet.
        let step = self.step.as_bytes();
        writer.bytes(step.get(..STEP_BYTES_MAX).unwrap_or(step));
        writer.number(u64::from(self.errno.unsigned_abs()));
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Failure, Malformed> {
        let step = String::from_utf8_lossy(reader.bytes()?).into_owned();
        let errno = i32::try_from(reader.number()?).map_err(|_| Malformed)?;
        Ok(Failure { step, errno })
    }
}

const STEP_BYTES_MAX: usize = 6 * 1024;

/// Names the step whose error it is.
pub(crate) trait During<T> {
    fn during(self, step: impl Into<String>) -> Result<T, Failure>;
}

impl<T, E: Into<io::Error>> During<T> for Result<T, E> {
    fn during(self, step: impl Into<String>) -> Result<T, Failure> {
        self.map_err(|error| {
            let error: io::Error = error.into();
            Failure::new(step, error.raw_os_error().unwrap_or(nix::libc::EIO))
        })
    }
}
