//! The system calls that are refused: always, where no namespace holds what they reach, or with certain arguments.

use nix::libc;
use seccompiler::SeccompCmpOp;

/// Newer than the C library that this is built with.
const SYS_OPEN_TREE_ATTR: i64 = 467;
/// Of one type here, and of different ones in the C libraries.
const TIOCSTI: u64 = 0x5412;
const TIOCLINUX: u64 = 0x541c;
const FS_IOC_SETFLAGS: u64 = 0x4008_6602;
const FS_IOC_FSSETXATTR: u64 = 0x401c_5820;
/// The oldest way to the frames of a network.
const SOCK_PACKET: i32 = 10;

/// Nothing that a build or a test needs: mounts, other processes' memory by number, keys, the kernel's own programs and
/// modules, clocks and quotas of the machine, and a second way to make calls that filters do not see.
pub(super) const NEVER: &[i64] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_nfsservctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    SYS_OPEN_TREE_ATTR,
    libc::SYS_perf_event_open,
    libc::SYS_pivot_root,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
];

/// Where processes, shared memory and the owners and times of files are the system's, Landlock does not keep anybody from
/// these.
pub(super) const WITHOUT_NAMESPACES: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_fremovexattr,
    libc::SYS_fsetxattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_lremovexattr,
    libc::SYS_lsetxattr,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_msgget,
    libc::SYS_pidfd_getfd,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_removexattr,
    libc::SYS_semget,
    libc::SYS_setxattr,
    libc::SYS_shmget,
    libc::SYS_truncate,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    // `setxattrat`, `removexattrat` and `file_setattr`, newer than the C library.
    463,
    466,
    469,
];

/// Calls with arguments that are refused where no mount is read-only: the first versions of Landlock let a file be emptied by
/// opening it for reading, and none looks at a file's attributes.
pub(super) fn refused_without_namespaces() -> Vec<(i64, Vec<Refused>)> {
    let emptied = |flags: u8| {
        let truncate = u64::from(libc::O_TRUNC.unsigned_abs());
        let access = u64::from(libc::O_ACCMODE.unsigned_abs());
        vec![
            (flags, SeccompCmpOp::MaskedEq(truncate), truncate),
            (flags, SeccompCmpOp::MaskedEq(access), u64::from(libc::O_RDONLY.unsigned_abs())),
        ]
    };
    vec![
        (libc::SYS_openat, emptied(2)),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_open, emptied(1)),
        (libc::SYS_ioctl, vec![equal(1, FS_IOC_SETFLAGS)]),
        (libc::SYS_ioctl, vec![equal(1, FS_IOC_FSSETXATTR)]),
    ]
}

/// The argument's place, how it is compared, and with what.
type Refused = (u8, SeccompCmpOp, u64);

/// Calls with arguments that are refused.
pub(super) fn refused_by_argument() -> Vec<(i64, Vec<Refused>)> {
    let mut refused = sockets();
    refused.extend(namespaces());
    refused.extend(modes());
    for request in [TIOCSTI, TIOCLINUX] {
        // They type into a terminal as if the user did.
        refused.push((libc::SYS_ioctl, vec![equal(1, request)]));
    }
    refused
}

/// Only unix, internet and routing sockets, and nothing raw: not the network's frames, not the kernel's other doors.
fn sockets() -> Vec<(i64, Vec<Refused>)> {
    let families = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK].map(i32::unsigned_abs);
    let differs = |family: u32| (0, SeccompCmpOp::Ne, u64::from(family));
    let netlink = equal(0, u64::from(libc::AF_NETLINK.unsigned_abs()));
    let mut refused = vec![
        (libc::SYS_socket, families.map(differs).to_vec()),
        (
            libc::SYS_socket,
            vec![netlink, (2, SeccompCmpOp::Ne, u64::from(libc::NETLINK_ROUTE.unsigned_abs()))],
        ),
    ];
    for family in [libc::AF_INET, libc::AF_INET6] {
        for kind in [libc::SOCK_RAW, SOCK_PACKET] {
            let family = equal(0, u64::from(family.unsigned_abs()));
            // The upper bits are flags.
            let kind = (1, SeccompCmpOp::MaskedEq(0xf), u64::from(kind.unsigned_abs()));
            refused.push((libc::SYS_socket, vec![family, kind]));
        }
    }
    refused
}

/// No further namespaces, of any kind.
fn namespaces() -> Vec<(i64, Vec<Refused>)> {
    let kinds = [
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWUTS,
    ];
    let mut refused = Vec::new();
    for kind in kinds.map(|kind| u64::from(kind.unsigned_abs())) {
        refused.push((libc::SYS_clone, vec![(0, SeccompCmpOp::MaskedEq(kind), kind)]));
        refused.push((libc::SYS_unshare, vec![(0, SeccompCmpOp::MaskedEq(kind), kind)]));
    }
    let time: u64 = 0x80;
    refused.push((libc::SYS_unshare, vec![(0, SeccompCmpOp::MaskedEq(time), time)]));
    refused
}

/// A program that runs as its owner or group would outlive the cell.
fn modes() -> Vec<(i64, Vec<Refused>)> {
    let changing = [
        (libc::SYS_fchmod, 1),
        (libc::SYS_fchmodat, 2),
        (libc::SYS_fchmodat2, 2),
        (libc::SYS_mknodat, 2),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_chmod, 1),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_creat, 1),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_mknod, 1),
    ];
    let creating = [
        (libc::SYS_openat, 3),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_open, 2),
    ];
    let mut refused = Vec::new();
    for bit in [libc::S_ISUID, libc::S_ISGID].map(u64::from) {
        let has = |argument, bit| (argument, SeccompCmpOp::MaskedEq(bit), bit);
        refused.extend(changing.map(|(call, argument)| (call, vec![has(argument, bit)])));
        // Without one of these flags the mode is not looked at and may be anything. The flags stand before it.
        for flag in [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY] {
            let flag = u64::from(flag.unsigned_abs());
            refused.extend(
                creating.map(|(call, argument)| (call, vec![has(argument - 1, flag), has(argument, bit)])),
            );
        }
    }
    refused
}

fn equal(argument: u8, value: u64) -> Refused {
    (argument, SeccompCmpOp::Eq, value)
}
