//! seccomp: which system calls a command cannot make. A short list of what no build needs, because a list of what builds do
//! need would break with the next compiler.
//!
//! Two filters: one refuses with "not implemented" what programs then do in an older way, the other with "not permitted".
//! A program for another processor mode (32 bits) is killed; x32 calls are refused as well.

mod list;

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

use crate::failure::Failure;
use crate::ground::Ground;
use crate::profile::Profile;

const STEP: &str = "applying the filter of system calls";

/// What this is built for, if filters for it are known.
pub(super) fn processor() -> Option<TargetArch> {
    match std::env::consts::ARCH {
        "x86_64" => Some(TargetArch::x86_64),
        "aarch64" => Some(TargetArch::aarch64),
        "riscv64" => Some(TargetArch::riscv64),
        _ => None,
    }
}

pub(super) fn restrict(ground: Ground, profile: Profile) -> Result<(), Failure> {
    let Some(processor) = processor() else {
        return Err(failure(&"no filter for this processor is known"));
    };
    let program = compile(ground, profile, processor).map_err(|error| failure(&error))?;
    apply_filter(&program).map_err(|error| failure(&error))?;
    apply_filter(&not_implemented()).map_err(|error| failure(&error))
}

fn failure(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("{STEP} ({error})"), libc::ENOTSUP)
}

fn compile(
    ground: Ground,
    profile: Profile,
    processor: TargetArch,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in list::NEVER {
        rules.insert(*call, Vec::new());
    }
    if profile == Profile::Read {
        rules.insert(libc::SYS_socket, Vec::new());
    }
    if !ground.has_namespaces() {
        for call in list::WITHOUT_NAMESPACES {
            rules.insert(*call, Vec::new());
        }
    }
    let mut by_argument = list::refused_by_argument();
    if !ground.has_namespaces() {
        by_argument.extend(list::refused_without_namespaces());
    }
    for (call, refused) in by_argument {
        // A call that is refused anyway stays refused.
        if rules.get(&call).is_some_and(Vec::is_empty) {
            continue;
        }
        rules.entry(call).or_default().push(SeccompRule::new(conditions(&refused)?)?);
    }
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, processor)?.try_into()
}

/// All of these together refuse a call.
fn conditions(
    refused: &[(u8, SeccompCmpOp, u64)],
) -> Result<Vec<SeccompCondition>, seccompiler::BackendError> {
    let condition = |(index, operator, value): &(u8, SeccompCmpOp, u64)| {
        // The kernel looks at 32 bits of these arguments, whatever the others say.
        SeccompCondition::new(*index, SeccompCmpArgLen::Dword, operator.clone(), *value)
    };
    refused.iter().map(condition).collect()
}

/// `clone3` hides its flags from filters and `openat2` its mode; C libraries and runtimes then take the older calls. The
/// library for filters compares whole numbers, so x32 calls, which have one bit more, are refused here.
fn not_implemented() -> BpfProgram {
    const LOAD: u16 = 0x20;
    const JUMP_IF_EQUAL: u16 = 0x15;
    const JUMP_IF_GREATER_OR_EQUAL: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const X32: u32 = 0x4000_0000;
    const ERRNO: u32 = 0x0005_0000;
    const ALLOW: u32 = 0x7fff_0000;
    let number = |call: i64| u32::try_from(call).unwrap_or(u32::MAX);
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        step(LOAD, 0, 0, 0),
        step(JUMP_IF_EQUAL, 3, 0, number(libc::SYS_clone3)),
        step(JUMP_IF_EQUAL, 2, 0, number(libc::SYS_openat2)),
        step(JUMP_IF_GREATER_OR_EQUAL, 1, 0, X32),
        step(RETURN, 0, 0, ALLOW),
        step(RETURN, 0, 0, ERRNO | libc::ENOSYS.unsigned_abs()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_filter_compiles() {
        let namespaces = Ground::from_word("namespaces").unwrap();
        for ground in [namespaces, Ground::Plain] {
            for profile in [Profile::Read, Profile::Build] {
                let program = compile(ground, profile, TargetArch::x86_64).unwrap();
                assert!(program.len() < 1000, "{} instructions", program.len());
            }
        }
    }
}
