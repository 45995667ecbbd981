//! A command that runs in a cell: its output, how it ended, and how to end it. It outlives its handle: what is not killed
//! ends with the cell.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

use rustix::net::RecvFlags;

use crate::channel::{Packet, receive_packet, send_packet};
use crate::messages::News;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// With its cell: nobody knows how.
    CellEnded,
}

/// How a command ended, and what it left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// How its first process ended.
    pub status: Status,
    /// Whether another process of its group still runs; it runs on until the cell ends.
    pub left_running: bool,
}

/// What a command can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// `SIGINT`, as from a keyboard.
    Interrupt,
    /// `SIGTERM`: to end by itself.
    Terminate,
    /// `SIGKILL`: to be gone.
    Kill,
}

impl Signal {
    pub(crate) fn number(self) -> u8 {
        match self {
            Signal::Interrupt => 2,
            Signal::Terminate => 15,
            Signal::Kill => 9,
        }
    }
}

/// A command that was started. Dropping it leaves the command running until the cell ends.
///
/// Its descriptor ([`AsFd`], [`AsRawFd`]) becomes readable when the command has ended, so that a runtime can wait for it; then
/// [`Child::try_wait`] says how.
#[derive(Debug)]
pub struct Child {
    news: OwnedFd,
    output: Option<OwnedFd>,
    errors: Option<OwnedFd>,
    ended: Option<Ended>,
}

impl Child {
    pub(crate) fn new(news: OwnedFd, output: Option<OwnedFd>, errors: Option<OwnedFd>) -> Child {
        Child { news, output, errors, ended: None }
    }

    /// The pipe with its output, once; none if it was not asked for.
    pub fn output(&mut self) -> Option<OwnedFd> {
        self.output.take()
    }

    /// The pipe with its errors, once; none if it was not asked for.
    pub fn errors(&mut self) -> Option<OwnedFd> {
        self.errors.take()
    }

    /// Waits until the command has ended. What it has started may run on, and hold the pipes open.
    pub fn wait(&mut self) -> Ended {
        loop {
            if let Some(ended) = self.hear(RecvFlags::empty()) {
                return ended;
            }
        }
    }

    /// How the command ended, or none if it still runs.
    pub fn try_wait(&mut self) -> Option<Ended> {
        self.hear(RecvFlags::DONTWAIT)
    }

    fn hear(&mut self, flags: RecvFlags) -> Option<Ended> {
        if self.ended.is_none() {
            let cell_ended = Ended { status: Status::CellEnded, left_running: false };
            self.ended = match receive_packet(&self.news, flags) {
                Packet::Nothing => None,
                Packet::Closed => Some(cell_ended),
                Packet::Bytes(bytes) => match News::read(&bytes) {
                    Ok(News::Exited { code, left_running }) => {
                        Some(Ended { status: Status::Exited(code), left_running })
                    }
                    Ok(News::Killed { signal, left_running }) => {
                        Some(Ended { status: Status::Killed(signal), left_running })
                    }
                    Ok(News::Started) => None,
                    Ok(News::NotStarted(_)) | Err(_) => Some(cell_ended),
                },
            };
        }
        self.ended
    }

    /// Sends a signal to the command and everything in its process group, also after its first process has ended. Nothing
    /// happens if nobody is left.
    pub fn signal(&self, signal: Signal) {
        send_packet(&self.news, &[signal.number()]);
    }
}

impl AsFd for Child {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.news.as_fd()
    }
}

impl AsRawFd for Child {
    fn as_raw_fd(&self) -> RawFd {
        self.news.as_raw_fd()
    }
}
