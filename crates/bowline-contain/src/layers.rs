//! Which layers hold, and what they are worth for each profile. Found out by starting the helper, never from a setting.

use std::fmt;

use crate::cell::{Cell, CellError};
use crate::child::Status;
use crate::command::{Command, Output};
use crate::failure::Failure;
use crate::ground::{Facts, Ground, Network, UserNamespace};
use crate::helper::{HELPER_ARGUMENT, OWN_PROGRAM, Role};
use crate::keeper::Helper;
use crate::profile::Profile;
use crate::spec::CellSpec;

/// Whether a layer holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layer {
    /// It does.
    Holds,
    /// It was left out by the caller.
    LeftOut,
    /// It does not, for this reason.
    Missing(String),
}

/// Whether Landlock holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Landlock {
    /// It does, in this version of its interface.
    Holds {
        /// As the kernel counts them, from 1.
        abi: u8,
    },
    /// The kernel has none, or it was left out.
    Missing,
}

/// How far a profile is enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Enforcement {
    /// Not at all; a command with this profile is not run.
    Nothing,
    /// For contents of files, writes and the network. Names and sizes of hidden files and the arguments of other processes
    /// can be seen.
    Contents,
    /// In every respect.
    Whole,
}

/// The layers in force.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layers {
    /// Mounts, processes and shared memory of the cell's own.
    pub namespaces: Layer,
    /// A network of the cell's own.
    pub network: Layer,
    /// A `/proc` that shows only the cell.
    pub own_proc: Layer,
    /// Landlock.
    pub landlock: Landlock,
    /// Filters of system calls.
    pub system_calls: Layer,
    /// Whether the cell has a user namespace: it has none where root may do without.
    pub user_namespace: bool,
}

impl Layers {
    /// Starts a cell and looks from inside whether its layers hold: for a report, and to be asked once. It takes as long as
    /// two commands.
    pub fn detect(helper: &Helper, spec: &CellSpec) -> Result<Layers, CellError> {
        let cell = Cell::start(helper, spec)?;
        let mut layers = cell.layers().clone();
        if layers.enforcement(Profile::Read) != Enforcement::Nothing {
            let probe =
                Command::new(OWN_PROGRAM).args([HELPER_ARGUMENT, Role::Probe.word()]).output(Output::Null);
            let missing = match cell.spawn(Profile::Read, probe).map(|mut child| child.wait().status) {
                Ok(Status::Exited(0)) => None,
                Ok(status) => Some(format!("a command in it found it open ({status:?})")),
                Err(error) => Some(error.to_string()),
            };
            if let Some(reason) = missing {
                layers.system_calls = Layer::Missing(reason);
            }
        }
        Ok(layers)
    }

    pub(crate) fn of(facts: Facts, refused: Option<Failure>) -> Layers {
        let (namespaces, network, user_namespace) = match facts.ground {
            Ground::Namespaces { user, network } => {
                let network = match network {
                    Network::Own => Layer::Holds,
                    Network::Hosts => {
                        Layer::Missing("the system's limit on network namespaces is reached".to_owned())
                    }
                };
                (Layer::Holds, network, user == UserNamespace::Own)
            }
            Ground::Plain | Ground::Open => {
                let missing = refused.map_or(Layer::LeftOut, |failure| Layer::Missing(failure.to_string()));
                (missing.clone(), missing, false)
            }
        };
        let own_proc = match (&namespaces, facts.own_proc) {
            (_, true) => Layer::Holds,
            (Layer::Holds, false) => Layer::Missing("the system refuses to mount it".to_owned()),
            (missing, false) => missing.clone(),
        };
        let landlock = match facts.landlock_abi {
            0 => Landlock::Missing,
            abi => Landlock::Holds { abi },
        };
        let system_calls = if facts.seccomp {
            Layer::Holds
        } else {
            Layer::Missing("no filter for this processor is known".to_owned())
        };
        Layers { namespaces, network, own_proc, landlock, system_calls, user_namespace }
    }

    /// How far a profile is enforced.
    pub fn enforcement(&self, profile: Profile) -> Enforcement {
        let holds = |layer: &Layer| *layer == Layer::Holds;
        match profile {
            // It promises nothing.
            Profile::Open => Enforcement::Whole,
            _ if !holds(&self.system_calls) => Enforcement::Nothing,
            Profile::Read if holds(&self.namespaces) && holds(&self.own_proc) => Enforcement::Whole,
            Profile::Read if holds(&self.namespaces) || self.landlock != Landlock::Missing => {
                Enforcement::Contents
            }
            Profile::Build if holds(&self.namespaces) && holds(&self.network) => {
                if holds(&self.own_proc) {
                    Enforcement::Whole
                } else {
                    Enforcement::Contents
                }
            }
            Profile::Read | Profile::Build => Enforcement::Nothing,
        }
    }
}

impl fmt::Display for Layers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [
            ("namespaces", &self.namespaces),
            ("network", &self.network),
            ("own /proc", &self.own_proc),
            ("system calls", &self.system_calls),
        ];
        for (name, layer) in named {
            match layer {
                Layer::Holds => write!(formatter, "{name}: holds; ")?,
                Layer::LeftOut => write!(formatter, "{name}: left out; ")?,
                Layer::Missing(reason) => write!(formatter, "{name}: missing ({reason}); ")?,
            }
        }
        match self.landlock {
            Landlock::Holds { abi } => write!(formatter, "Landlock: holds (version {abi})"),
            Landlock::Missing => formatter.write_str("Landlock: missing"),
        }
    }
}
