//! Landlock: what a process gives up for itself and its children, whatever the mounts are. Where there are namespaces it is
//! a second layer; without them it is what holds `read`.
//!
//! Landlock only allows, and everything below a folder with it. So around something hidden the folders above are allowed to
//! be listed, and what is beside it is allowed one by one.

mod around;

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, RestrictSelf, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};

use crate::failure::Failure;
use crate::ground::Ground;
use crate::plan::Plan;
use crate::profile::Profile;

const STEP: &str = "applying Landlock";
/// Where every command of a cell with its own mounts may write.
const TEMPORARY: [&str; 4] = ["/tmp", "/var/tmp", "/run", "/dev"];
/// The devices that may be written where `/dev` is the system's.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];

/// The first version refuses every move to another folder, and builds move files. Without namespaces nothing is built.
const ABI_WITH_MOVES: u8 = 2;

/// The version that this kernel and this library have in common; 0 without Landlock, or with one that is of no use here.
pub(super) fn usable_abi(ground: Ground) -> u8 {
    let abi = status().map_or(0, |abi| abi as u8);
    if ground.has_namespaces() && abi < ABI_WITH_MOVES { 0 } else { abi }
}

/// A restriction of nothing only asks the kernel what it knows.
fn status() -> Option<ABI> {
    match RestrictSelf::default().no_new_privs(false).apply().ok()?.landlock {
        LandlockStatus::Available { effective_abi, .. } => Some(effective_abi),
        _ => None,
    }
}

pub(super) fn apply(ground: Ground, profile: Profile, plan: &Plan) -> Result<(), Failure> {
    let abi = status().ok_or_else(|| failure(&"the kernel has none"))?;
    let mut ruleset = Ruleset::default();
    ruleset = ruleset.handle_access(AccessFs::from_all(abi)).map_err(|error| failure(&error))?;
    if profile == Profile::Read {
        if !AccessNet::from_all(abi).is_empty() {
            ruleset = ruleset.handle_access(AccessNet::from_all(abi)).map_err(|error| failure(&error))?;
        }
        if !Scope::from_all(abi).is_empty() {
            ruleset = ruleset.scope(Scope::from_all(abi)).map_err(|error| failure(&error))?;
        }
    }
    let mut rules = Rules { created: ruleset.create().map_err(|error| failure(&error))?, abi };
    if ground.has_namespaces() {
        // What must not be read is covered, what must not be written is mounted read-only.
        rules.allow(Path::new("/"), Rules::reading())?;
        for folder in TEMPORARY {
            rules.allow(Path::new(folder), rules.everything())?;
        }
        if profile == Profile::Build {
            for folder in &plan.writable {
                rules.allow(folder, rules.everything())?;
            }
        }
    } else {
        around::allow_reading(&mut rules, &plan.hidden)?;
        for device in DEVICES {
            rules.allow(Path::new(device), rules.everything())?;
        }
    }
    let status = rules.created.restrict_self().map_err(|error| failure(&error))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err(failure(&"nothing is enforced")),
        _ => Ok(()),
    }
}

struct Rules {
    created: RulesetCreated,
    abi: ABI,
}

impl Rules {
    fn reading() -> BitFlags<AccessFs> {
        AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute
    }

    fn everything(&self) -> BitFlags<AccessFs> {
        AccessFs::from_all(self.abi)
    }

    /// Passes over what is not there. On a file only the rights that a file can have are allowed.
    fn allow(&mut self, path: &Path, access: BitFlags<AccessFs>) -> Result<(), Failure> {
        let Ok(opened) = PathFd::new(path) else { return Ok(()) };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(self.abi) };
        if access.is_empty() {
            return Ok(());
        }
        let added = (&mut self.created).add_rule(PathBeneath::new(opened, access));
        added.map(|_| ()).map_err(|error| failure(&error))
    }
}

fn failure(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("{STEP} ({error})"), nix::libc::ENOTSUP)
}
