//! Which rights a helper has, keeps over an exec, and gives up before it becomes a command.

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    configure_capability_in_ambient_set, remove_capability_from_bounding_set, set_capabilities,
};

use crate::failure::{During, Failure};

/// What the helper's later roles need: to mount, to empty the bounding set, and to lower limits of the namespace.
const HELPERS: [CapabilitySet; 3] =
    [CapabilitySet::SYS_ADMIN, CapabilitySet::SETPCAP, CapabilitySet::SYS_RESOURCE];
/// What root keeps without a user namespace: access to files of others, as it has everywhere. Mounts hold it nevertheless.
const ROOTS: [CapabilitySet; 3] = [CapabilitySet::CHOWN, CapabilitySet::DAC_OVERRIDE, CapabilitySet::FOWNER];

/// Whether this process may create and mount without a user namespace.
pub(super) fn may_mount() -> Result<bool, Failure> {
    let held = capabilities(None).during("reading the capabilities")?;
    Ok(held.effective.contains(CapabilitySet::SYS_ADMIN))
}

/// In a user namespace a process that is not root loses its rights over an exec, unless they are ambient.
pub(super) fn keep_over_exec() -> Result<(), Failure> {
    let step = "keeping the capabilities of the user namespace";
    let held = capabilities(None).during(step)?;
    let wanted = HELPERS.into_iter().filter(|one| held.permitted.contains(*one));
    let inheritable = wanted.clone().fold(CapabilitySet::empty(), |set, one| set | one);
    set_capabilities(None, CapabilitySets { inheritable, ..held }).during(step)?;
    for one in wanted {
        configure_capability_in_ambient_set(one, true).during(step)?;
    }
    Ok(())
}

/// Whether a process may keep what root needs for files of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Nothing,
    FilesOfOthers,
}

/// Nothing else is left that a command could make use of, and nothing comes back when it starts another program.
pub(super) fn give_up(keep: Keep) -> Result<(), Failure> {
    let step = "giving up the capabilities";
    let kept: &[CapabilitySet] = if keep == Keep::FilesOfOthers { &ROOTS } else { &[] };
    clear_ambient_capability_set().during(step)?;
    let held = capabilities(None).during(step)?.permitted;
    // Who cannot empty the bounding set has given up new privileges: then starting a program adds nothing, either.
    if held.contains(CapabilitySet::SETPCAP) {
        empty_bounding_set(kept).during(step)?;
    }
    let left =
        kept.iter().filter(|one| held.contains(**one)).fold(CapabilitySet::empty(), |set, one| set | *one);
    let sets = CapabilitySets { effective: left, permitted: left, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets).during(step)
}

fn empty_bounding_set(kept: &[CapabilitySet]) -> rustix::io::Result<()> {
    for bit in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        if kept.contains(&one) {
            continue;
        }
        match remove_capability_from_bounding_set(one) {
            Ok(()) => {}
            // The kernel knows no more of them.
            Err(rustix::io::Errno::INVAL) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
