//! Messages with file descriptors over a unix socket: a length, the bytes, and the descriptors beside the length. It does
//! not know what the bytes mean.
//!
//! Descriptors that arrive are always closed on exec, so a command gets only those that it is given.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType,
};

/// The longest message: room for the longest arguments and environment that Linux takes.
const MESSAGE_BYTES_MAX: usize = 16 * 1024 * 1024;
pub(crate) const DESCRIPTORS_MAX: usize = 4;
const LENGTH_BYTES: usize = 4;

#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) bytes: Vec<u8>,
    pub(crate) descriptors: Vec<OwnedFd>,
}

/// Two connected sockets, for messages of any length.
pub(crate) fn stream_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::net::socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?)
}

/// Two connected sockets, for short messages that arrive as they were sent.
pub(crate) fn packet_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

pub(crate) fn send(socket: impl AsFd, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).ok().filter(|_| bytes.len() <= MESSAGE_BYTES_MAX);
    let length = length.ok_or_else(|| io::Error::other("the message is too long"))?.to_le_bytes();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::other("too many descriptors"));
    }
    let slices = [IoSlice::new(&length), IoSlice::new(bytes)];
    let mut sent = retry(|| rustix::net::sendmsg(&socket, &slices, &mut ancillary, SendFlags::NOSIGNAL))?;
    // A kernel may take the length without the rest.
    let whole = LENGTH_BYTES + bytes.len();
    while sent < whole {
        let rest = if sent < LENGTH_BYTES {
            length.get(sent..).unwrap_or_default()
        } else {
            bytes.get(sent - LENGTH_BYTES..).unwrap_or_default()
        };
        sent += retry(|| rustix::net::send(&socket, rest, SendFlags::NOSIGNAL))?;
    }
    Ok(())
}

/// The next message; none once the other side is gone.
pub(crate) fn receive(socket: impl AsFd) -> io::Result<Option<Message>> {
    let mut descriptors = Vec::new();
    let mut length = [0; LENGTH_BYTES];
    let mut filled = 0;
    while filled < LENGTH_BYTES {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let rest = length.get_mut(filled..).unwrap_or_default();
        let received = retry(|| {
            let mut slices = [IoSliceMut::new(rest)];
            rustix::net::recvmsg(&socket, &mut slices, &mut ancillary, RecvFlags::CMSG_CLOEXEC)
        })?;
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = message {
                descriptors.extend(rights);
            }
        }
        if received.bytes == 0 {
            return if filled == 0 { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        filled += received.bytes;
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MESSAGE_BYTES_MAX {
        return Err(io::Error::other("the message is too long"));
    }
    let mut bytes = vec![0; length];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        let (count, _) = retry(|| rustix::net::recv(&socket, &mut *rest, RecvFlags::empty()))?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        filled += count;
    }
    Ok(Some(Message { bytes, descriptors }))
}

/// Sends a short message without waiting; whoever does not read gets none.
pub(crate) fn send_packet(socket: impl AsFd, bytes: &[u8]) {
    let _ = retry(|| rustix::net::send(&socket, bytes, SendFlags::NOSIGNAL | SendFlags::DONTWAIT));
}

/// What came of a look for a short message.
#[derive(Debug)]
pub(crate) enum Packet {
    Bytes(Vec<u8>),
    /// Nothing yet; only without waiting.
    Nothing,
    /// The other side is gone.
    Closed,
}

pub(crate) fn receive_packet(socket: impl AsFd, flags: RecvFlags) -> Packet {
    let mut buffer = [0; PACKET_BYTES_MAX];
    match retry(|| rustix::net::recv(&socket, &mut buffer, flags)) {
        Ok((0, _)) => Packet::Closed,
        Ok((count, _)) => Packet::Bytes(buffer.get(..count).unwrap_or_default().to_vec()),
        Err(rustix::io::Errno::AGAIN) => Packet::Nothing,
        Err(_) => Packet::Closed,
    }
}

/// The longest short message: a failure with a path in it.
pub(crate) const PACKET_BYTES_MAX: usize = 8 * 1024;

pub(crate) fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            result => return result,
        }
    }
}
