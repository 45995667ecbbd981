//! Brings up the loopback device of a new network namespace with one netlink message; the kernel then adds `127.0.0.1` and
//! `::1` itself. It configures no other device.

use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};

use crate::channel::retry;
use crate::failure::{During, Failure};

const STEP: &str = "bringing up the loopback device";
/// `struct nlmsghdr` and `struct ifinfomsg`.
const MESSAGE_BYTES: u32 = 32;
const RTM_NEWLINK: u16 = 16;
const NLM_F_REQUEST_ACK: u16 = 1 | 4;
const LOOPBACK_INDEX: i32 = 1;
const IFF_UP: u32 = 1;
/// Where the answer's error number stands.
const ERROR_OFFSET: usize = 16;

pub(super) fn bring_up() -> Result<(), Failure> {
    let kind = (AddressFamily::NETLINK, SocketType::RAW);
    // Protocol 0 of netlink is the one for routes and devices.
    let socket = socket_with(kind.0, kind.1, SocketFlags::CLOEXEC, None).during(STEP)?;
    let kernel = SocketAddrNetlink::new(0, 0);
    retry(|| sendto(&socket, &message(), SendFlags::empty(), &kernel)).during(STEP)?;
    let mut answer = [0; 256];
    let (length, _) = retry(|| recv(&socket, &mut answer, RecvFlags::empty())).during(STEP)?;
    let number = answer.get(..length).and_then(|answer| answer.get(ERROR_OFFSET..)?.first_chunk::<4>());
    match number.map(|bytes| i32::from_ne_bytes(*bytes)) {
        Some(0) => Ok(()),
        Some(number) => Err(Failure::new(STEP, number.saturating_neg())),
        None => Err(Failure::new(STEP, nix::libc::EPROTO)),
    }
}

fn message() -> Vec<u8> {
    let mut message = Vec::with_capacity(MESSAGE_BYTES as usize);
    message.extend(MESSAGE_BYTES.to_ne_bytes());
    message.extend(RTM_NEWLINK.to_ne_bytes());
    message.extend(NLM_F_REQUEST_ACK.to_ne_bytes());
    // Sequence number and sender, then family, padding and kind of device.
    message.extend([0; 4 + 4 + 1 + 1 + 2]);
    message.extend(LOOPBACK_INDEX.to_ne_bytes());
    message.extend(IFF_UP.to_ne_bytes());
    message.extend(IFF_UP.to_ne_bytes());
    message
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_message_has_the_length_it_names() {
        assert_eq!(super::message().len(), super::MESSAGE_BYTES as usize);
    }
}
