//! Creates the namespaces of a cell and brings up its loopback device. What it cannot create is a failure, never less than
//! was asked for; the one exception is a network where the system's limit on them is reached.

use std::fs::{self, File};
use std::os::fd::{AsFd, OwnedFd};

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use rustix::process::{getgid, getuid};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::{capabilities, loopback};
use crate::failure::{During, Failure};
use crate::ground::{Ground, Network, UserNamespace};

const OWN_NETWORK: &str = "/proc/self/ns/net";

pub(super) fn enter() -> Result<Ground, Failure> {
    let (uid, gid) = (getuid().as_raw(), getgid().as_raw());
    let user = if capabilities::may_mount()? { UserNamespace::Hosts } else { UserNamespace::Own };
    let network = create(user)?;
    if user == UserNamespace::Own {
        // Without this the kernel takes no group: it could drop one that denies access to a file.
        fs::write("/proc/self/setgroups", "deny").during("keeping the groups of the user namespace")?;
        fs::write("/proc/self/uid_map", format!("{uid} {uid} 1")).during("mapping the user")?;
        fs::write("/proc/self/gid_map", format!("{gid} {gid} 1")).during("mapping the group")?;
        capabilities::keep_over_exec()?;
    }
    if network == Network::Own {
        loopback::bring_up()?;
    }
    Ok(Ground::Namespaces { user, network })
}

/// The process itself stays outside of the new pid namespace; its first child is pid 1.
fn create(user: UserNamespace) -> Result<Network, Failure> {
    let mut flags = CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWIPC;
    if user == UserNamespace::Own {
        flags |= CloneFlags::CLONE_NEWUSER;
    }
    match unshare(flags | CloneFlags::CLONE_NEWNET) {
        Ok(()) => Ok(Network::Own),
        Err(Errno::ENOSPC) => {
            unshare(flags).during("creating the namespaces, without a network").map(|()| Network::Hosts)
        }
        Err(error) => Err(error).during("creating the namespaces"),
    }
}

/// A network without any device that is up, to be entered by commands. This process stays in its own.
pub(super) fn empty_network() -> Result<OwnedFd, Failure> {
    let step = "creating an empty network";
    let own = File::open(OWN_NETWORK).during(step)?;
    unshare(CloneFlags::CLONE_NEWNET).during(step)?;
    let empty = File::open(OWN_NETWORK).during(step);
    move_into_link_name_space(own.as_fd(), Some(LinkNameSpaceType::Network)).during(step)?;
    Ok(OwnedFd::from(empty?))
}

pub(super) fn enter_network(network: &OwnedFd) -> Result<(), Failure> {
    move_into_link_name_space(network.as_fd(), Some(LinkNameSpaceType::Network))
        .during("entering the empty network")
}
