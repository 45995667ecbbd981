//! One process at a time works on a store.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use crate::failure::Failure;

const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Held until it is dropped, or its process ends.
pub(crate) struct Lock {
    file: File,
}

impl Lock {
    /// Waits for it as long as `patience` lasts.
    pub(crate) fn take(path: &Path, patience: Duration) -> Result<Lock, Failure> {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(Failure::io(path))?;
        let begun = Instant::now();
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Lock { file }),
                Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => {}
                Err(error) => return Err(Failure::io(path)(error.into())),
            }
            if begun.elapsed() >= patience {
                return Err(Failure::Busy { seconds: patience.as_secs() });
            }
            std::thread::sleep(LOOK_AGAIN);
        }
    }

    /// For another process, which then holds it as well.
    pub(crate) fn share(&self) -> std::io::Result<File> {
        self.file.try_clone()
    }
}
