//! The owner's end of a helper: a process that was started, and the socket that keeps it alive. Closing the socket, or
//! dying with it, ends everything that the helper has started.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::cell::CellError;
use crate::channel::{receive, send, stream_pair};
use crate::failure::Failure;
use crate::ground::{Facts, Ground};
use crate::helper::{HELPER_ARGUMENT, OWN_PROGRAM, Role};
use crate::messages::{Opening, Request};
use crate::plan::Plan;

/// Which program is started as the helper.
///
/// ```
/// use bowline_contain::Helper;
/// let own = Helper::this_program();
/// let small = Helper::new("/usr/lib/example/bowline-contain-helper");
/// # let _ = (own, small);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Helper {
    program: PathBuf,
}

impl Helper {
    /// A program whose `main` calls [`crate::helper_main`] first.
    pub fn new(program: impl Into<PathBuf>) -> Helper {
        Helper { program: program.into() }
    }

    /// The program that is running, whatever has become of its file. Its `main` has to call [`crate::helper_main`] first.
    #[must_use]
    pub fn this_program() -> Helper {
        Helper::new(OWN_PROGRAM)
    }
}

#[derive(Debug)]
pub(crate) struct Keeper {
    /// Taken when the end was asked for.
    socket: Mutex<Option<OwnedFd>>,
    process: Mutex<std::process::Child>,
}

/// How a helper's start can end without an error of the caller's.
pub(crate) enum Opened {
    Ready(Keeper, Facts),
    Failed(Failure),
}

impl Keeper {
    pub(crate) fn start(helper: &Helper, ground: Ground, plan: &Plan) -> Result<Opened, CellError> {
        let cannot = |source: io::Error| CellError::Helper { program: helper.program.clone(), source };
        let (ours, theirs) = stream_pair().map_err(cannot)?;
        let arguments = [HELPER_ARGUMENT, Role::Keeper.word(), ground.word()].map(OsString::from);
        let process = Command::new(&helper.program)
            .args(arguments)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(cannot)?;
        // From here on the helper is reaped whatever happens.
        let keeper = Keeper { socket: Mutex::new(Some(ours)), process: Mutex::new(process) };
        // A helper that failed early has answered and closed: its answer says more than our error.
        let _ = keeper.send(&plan.write(), &[]);
        let answer = keeper.receive().map_err(cannot)?;
        match Opening::read(&answer).map_err(|error| cannot(error.into()))? {
            Opening::Ready(facts) => Ok(Opened::Ready(keeper, facts)),
            Opening::Failed(failure) => Ok(Opened::Failed(failure)),
        }
    }

    pub(crate) fn send(&self, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        let socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        match socket.as_ref() {
            Some(socket) => send(socket, bytes, descriptors),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn receive(&self) -> io::Result<Vec<u8>> {
        let socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        let message = socket.as_ref().map(|socket| receive(socket.as_fd())).transpose()?.flatten();
        let ended = || io::Error::other("it ended without a word; is it a program that calls helper_main?");
        message.map(|message| message.bytes).ok_or_else(ended)
    }

    /// Asks everything to end; returns when nothing is left, or when the time was over and all was killed.
    pub(crate) fn end(&self, grace_ms: u64) {
        if self.send(&Request::End { grace_ms }.write(), &[]).is_ok() {
            // It closes its end when it is done, and says nothing before.
            let _ = self.receive();
        }
        self.kill();
    }

    /// Returns when everything is gone.
    pub(crate) fn kill(&self) {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.process.lock().unwrap_or_else(PoisonError::into_inner).wait();
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.lock().unwrap_or_else(PoisonError::into_inner).id()
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.kill();
    }
}
