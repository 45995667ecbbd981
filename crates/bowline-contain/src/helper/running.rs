//! The commands of a cell that its owner still holds: started, heard of, signalled and reaped. What a command may do is
//! decided in the process that becomes it.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::net::RecvFlags;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, wait};

use super::{Role, again, descendants, namespaces};
use crate::channel::{Message, Packet, receive, receive_packet, retry, send, send_packet, stream_pair};
use crate::failure::{During, Failure};
use crate::ground::{Ground, Network};
use crate::messages::News;
use crate::profile::Profile;

/// How long a new process has to take what it is told.
const TOLD_MAX: Duration = Duration::from_secs(5);

/// A socket of a command that has something to say.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// The owner: a signal to send, or that it has let go.
    Owner(u64),
    /// The process before it becomes the command: that it could not, or, by closing, that it has.
    Setup(u64),
}

struct Running {
    number: u64,
    leader: Pid,
    owner: Option<OwnedFd>,
    setup: Option<OwnedFd>,
    failure: Option<Failure>,
    has_ended: bool,
}

pub(super) struct RunningCommands {
    ground: Ground,
    about: Vec<u8>,
    commands: Vec<Running>,
    next_number: u64,
    /// For commands that may reach nothing; made with the first of them.
    empty_network: Option<OwnedFd>,
}

impl RunningCommands {
    pub(super) fn new(ground: Ground, about: Vec<u8>) -> RunningCommands {
        RunningCommands { ground, about, commands: Vec::new(), next_number: 0, empty_network: None }
    }

    /// Starts what a message asks for; its descriptors are for news and for the three standard streams.
    pub(super) fn start(&mut self, profile: Profile, message: &Message) {
        let Some((owner, streams)) = message.descriptors.split_first() else { return };
        let Ok(owner) = owner.try_clone() else { return };
        match self.launch(profile, &message.bytes, streams) {
            Ok((leader, setup)) => {
                let number = self.next_number;
                self.next_number += 1;
                self.commands.push(Running {
                    number,
                    leader,
                    owner: Some(owner),
                    setup: Some(setup),
                    failure: None,
                    has_ended: false,
                });
            }
            Err(failure) => send_packet(&owner, &News::NotStarted(failure).write()),
        }
    }

    fn launch(
        &mut self,
        profile: Profile,
        request: &[u8],
        streams: &[OwnedFd],
    ) -> Result<(Pid, OwnedFd), Failure> {
        let own_network = matches!(self.ground, Ground::Namespaces { network: Network::Own, .. });
        if profile == Profile::Read && own_network && self.empty_network.is_none() {
            self.empty_network = Some(namespaces::empty_network()?);
        }
        let network = self.empty_network.as_ref().filter(|_| profile == Profile::Read);
        let step = "starting another process";
        let (ours, theirs) = stream_pair().during(step)?;
        // A command that runs already could stop the new process before it reads.
        set_socket_timeout(&ours, Timeout::Send, Some(TOLD_MAX)).during(step)?;
        let child = again(Role::Command, self.ground, theirs).spawn().during(step)?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| Failure::new(step, nix::libc::ESRCH))?;
        let handed: Vec<BorrowedFd<'_>> = streams.iter().chain(network).map(AsFd::as_fd).collect();
        let told = send(&ours, &self.about, &[]).and_then(|()| send(&ours, request, &handed));
        if told.is_err() {
            // It has ended already; how is known when it is reaped.
            let _ = kill_process(pid, Signal::KILL);
        }
        Ok((pid, ours))
    }

    pub(super) fn sources(&self) -> Vec<(Source, BorrowedFd<'_>)> {
        let owners = self
            .commands
            .iter()
            .filter_map(|command| Some((Source::Owner(command.number), command.owner.as_ref()?.as_fd())));
        let setups = self
            .commands
            .iter()
            .filter_map(|command| Some((Source::Setup(command.number), command.setup.as_ref()?.as_fd())));
        owners.chain(setups).collect()
    }

    pub(super) fn hear(&mut self, source: Source) {
        let (Source::Owner(number) | Source::Setup(number)) = source;
        let Some(command) = self.commands.iter_mut().find(|command| command.number == number) else {
            return;
        };
        match source {
            Source::Owner(_) => command.hear_owner(),
            Source::Setup(_) => command.hear_setup(),
        }
        self.commands.retain(|command| !command.has_ended || command.owner.is_some());
    }

    /// Everything that has ended, also what commands left behind: it is ours when its parent is gone.
    pub(super) fn reap(&mut self) {
        while let Ok(Some((pid, status))) = retry(|| wait(WaitOptions::NOHANG)) {
            let mut commands = self.commands.iter_mut();
            if let Some(command) = commands.find(|command| command.leader == pid && !command.has_ended) {
                command.has_ended = true;
                command.report(status);
            }
        }
        self.commands.retain(|command| !command.has_ended || command.owner.is_some());
    }

    pub(super) fn ask_all_to_end(&self) {
        for command in &self.commands {
            command.signal(Signal::TERM);
        }
        if self.ground.has_namespaces() {
            // Also those that left their session. We are not among them, nor is anybody outside.
            let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(-1), nix::sys::signal::Signal::SIGTERM);
        }
    }

    /// Whether nothing runs any more. Whatever loses its parent becomes our child.
    pub(super) fn nobody_is_left(&mut self) -> bool {
        self.reap();
        matches!(wait(WaitOptions::NOHANG), Err(rustix::io::Errno::CHILD))
    }
}

impl Running {
    fn hear_owner(&mut self) {
        let Some(owner) = &self.owner else { return };
        match receive_packet(owner, RecvFlags::DONTWAIT) {
            Packet::Bytes(bytes) => {
                let number = bytes.first().map_or(0, |byte| i32::from(*byte));
                if let Some(signal) = Signal::from_named_raw(number) {
                    self.signal(signal);
                }
            }
            Packet::Nothing => {}
            Packet::Closed => self.owner = None,
        }
    }

    fn hear_setup(&mut self) {
        let Some(setup) = self.setup.take() else { return };
        match receive(&setup) {
            Ok(Some(message)) => {
                let mut reader = crate::wire::Reader::new(&message.bytes);
                self.failure = Failure::read(&mut reader).ok();
            }
            // Closed by the exec, or because the process died before it: then it is reaped next.
            Ok(None) | Err(_) => self.tell(&News::Started),
        }
    }

    /// The group has the leader's number: the command begins with a session of its own.
    fn signal(&self, signal: Signal) {
        if kill_process_group(self.leader, signal).is_err() && !self.has_ended {
            // It has not got that far yet.
            let _ = kill_process(self.leader, signal);
        }
    }

    fn report(&mut self, status: WaitStatus) {
        if self.setup.is_some() {
            self.hear_setup();
        }
        if let Some(failure) = self.failure.take() {
            return self.tell(&News::NotStarted(failure));
        }
        let left_running = descendants::group_is_alive(self.leader);
        let news = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => News::Exited { code, left_running },
            (None, signal) => News::Killed { signal: signal.unwrap_or(Signal::KILL.as_raw()), left_running },
        };
        self.tell(&news);
    }

    fn tell(&self, news: &News) {
        if let Some(owner) = &self.owner {
            send_packet(owner, &news.write());
        }
    }
}
