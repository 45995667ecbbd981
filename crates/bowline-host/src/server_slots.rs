//! One request at a time per model server, across all sessions and processes of this machine; several where the server
//! shows several slots.
//!
//! Two requests on one slot evict each other's prompt from the cache, and both are read from the start again. Whoever comes
//! second waits, visibly. A slot is a file lock, which ends with its process, however that ends. Where no lock can be had (a
//! folder that can't be written) requests go as they come.

use std::fs::{DirBuilder, File, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

/// How often somebody who waits looks.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// More slots than this are not told apart.
const SLOTS_MAX: usize = 64;

/// The request slots of one server.
#[derive(Debug, Clone)]
pub struct ServerSlots {
    folder: PathBuf,
    server: u64,
    slots: usize,
    /// The slot this session had before is the one whose cache fits.
    preferred: usize,
}

/// Permission to send a request. Dropping it frees the slot.
#[derive(Debug)]
pub struct SlotPermit {
    _lock: Option<File>,
    /// Which one, where the server shows several.
    pub slot: Option<i64>,
}

impl ServerSlots {
    /// `slots`: what the server shows; `session` keeps coming back to the same one.
    pub fn new(runtime: &Path, base_url: &str, slots: Option<i64>, session: &str) -> ServerSlots {
        let slots = usize::try_from(slots.unwrap_or(1)).unwrap_or(1).clamp(1, SLOTS_MAX);
        let preferred = usize::try_from(hash(session) % slots as u64).unwrap_or(0);
        ServerSlots { folder: runtime.join("servers"), server: hash(base_url), slots, preferred }
    }

    /// Waits for a free slot. `waiting` is called while there is none, again and again.
    pub async fn enter<F: Future<Output = ()>>(&self, mut waiting: impl FnMut() -> F) -> SlotPermit {
        loop {
            match self.try_enter() {
                Ok(Some(pass)) => return pass,
                Ok(None) => {
                    waiting().await;
                    tokio::time::sleep(LOOK_EVERY).await;
                }
                Err(_) => return SlotPermit { _lock: None, slot: None },
            }
        }
    }

    fn try_enter(&self) -> std::io::Result<Option<SlotPermit>> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        for n in 0..self.slots {
            let slot = (self.preferred + n) % self.slots;
            let path = self.folder.join(format!("{:016x}-{slot}.lock", self.server));
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {
                    let shown = (self.slots > 1).then(|| i64::try_from(slot).unwrap_or(0));
                    return Ok(Some(SlotPermit { _lock: Some(file), slot: shown }));
                }
                Err(rustix::io::Errno::WOULDBLOCK) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }
}

/// The same in every process of one version; another version merely does not wait for this one.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::ServerSlots;

    #[test]
    fn one_slot_lets_one_in() {
        let data = tempfile::tempdir().unwrap();
        let (a, b) =
            (ServerSlots::new(data.path(), "u", None, "a"), ServerSlots::new(data.path(), "u", None, "b"));
        let other = ServerSlots::new(data.path(), "v", None, "a");
        let pass = a.try_enter().unwrap().unwrap();
        assert_eq!(pass.slot, None);
        assert!(b.try_enter().unwrap().is_none());
        assert!(other.try_enter().unwrap().is_some());
        drop(pass);
        assert!(b.try_enter().unwrap().is_some());
    }

    #[test]
    fn several_slots_let_several_in_and_a_session_keeps_its_own() {
        let data = tempfile::tempdir().unwrap();
        let way = |session: &str| ServerSlots::new(data.path(), "u", Some(2), session);
        let first = way("a").try_enter().unwrap().unwrap();
        let slot = first.slot.unwrap();
        let second = way("a").try_enter().unwrap().unwrap();
        assert_eq!(second.slot, Some(1 - slot));
        assert!(way("a").try_enter().unwrap().is_none());
        drop((first, second));
        assert_eq!(way("a").try_enter().unwrap().unwrap().slot, Some(slot));
    }
}
