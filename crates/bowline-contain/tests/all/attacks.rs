//! What a command tries that must not work, under both profiles.

use bowline_contain::{Profile, Status};

use crate::scene::{Scene, finish};

/// A system call by its number, as a line of Python that prints the name of its error, or `worked`.
const CALL: &str = r#"
import ctypes, errno, sys
libc = ctypes.CDLL(None, use_errno=True)
arguments = [int(word, 0) for word in sys.argv[1:]]
result = libc.syscall(*[ctypes.c_long(argument) for argument in arguments])
print("worked" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?"))
"#;

#[cfg(target_arch = "x86_64")]
const CALLS: [(&str, &str, &str); 22] = [
    ("mount", "165 0 0 0 0 0", "EPERM"),
    ("umount2", "166 0 0", "EPERM"),
    ("pivot_root", "155 0 0", "EPERM"),
    ("chroot", "161 0", "EPERM"),
    ("open_tree", "428 -100 0 1", "EPERM"),
    ("move_mount", "429 0 0 0 0 0", "EPERM"),
    ("fsopen", "430 0 0", "EPERM"),
    ("mount_setattr", "442 0 0 0 0 0", "EPERM"),
    ("unshare user", "272 0x10000000", "EPERM"),
    ("unshare mounts", "272 0x20000", "EPERM"),
    ("unshare files", "272 0x400", "worked"),
    ("clone with a namespace", "56 0x10000011 0 0 0 0", "EPERM"),
    ("clone3", "435 0 0", "ENOSYS"),
    ("setns", "308 0 0", "EPERM"),
    ("keyctl", "250 0 -3 1", "EPERM"),
    ("add_key", "248 0 0 0 0 0", "EPERM"),
    ("bpf", "321 0 0 0", "EPERM"),
    ("io_uring_setup", "425 1 0", "EPERM"),
    ("init_module", "175 0 0 0", "EPERM"),
    ("clock_settime", "227 0 0", "EPERM"),
    ("x32 getpid", "0x40000027", "ENOSYS"),
    ("ptrace pid 1", "101 16 1 0 0", "EPERM"),
];

#[cfg(target_arch = "x86_64")]
#[test]
fn calls_that_nobody_needs_are_refused() {
    let scene = Scene::new();
    scene.write("project/call.py", CALL);
    let cell = scene.cell();
    for profile in [Profile::Read, Profile::Build] {
        for (name, arguments, expected) in CALLS {
            let ran = scene.run(&cell, profile, &format!("python3 -I call.py {arguments}"));
            assert_eq!(ran.text.trim(), expected, "{name} under {profile}: {ran:?}");
        }
    }
}

/// `int 0x80` with the number of `getpid` for 32 bits, then an exit.
#[cfg(target_arch = "x86_64")]
#[test]
fn calls_of_32_bits_end_the_program() {
    let scene = Scene::new();
    let code: [u8; 16] = [0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0x31, 0xff, 0xb8, 60, 0, 0, 0, 0x0f, 0x05];
    let program = scene.path("project/program");
    std::fs::write(&program, elf(&code)).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    let cell = scene.cell();
    let run = |profile| finish(cell.spawn(profile, bowline_contain::Command::new(&program)).unwrap()).status;
    assert_eq!(run(Profile::Read), Status::Killed(31));
    assert_eq!(run(Profile::Build), Status::Killed(31));
    assert_eq!(run(Profile::Open), Status::Exited(0));
}

/// The smallest program with this code.
#[cfg(target_arch = "x86_64")]
fn elf(code: &[u8]) -> Vec<u8> {
    const BASE: u64 = 0x40_0000;
    const HEADERS: u64 = 64 + 56;
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend([2, 0, 62, 0, 1, 0, 0, 0]);
    file.extend((BASE + HEADERS).to_le_bytes());
    file.extend(64_u64.to_le_bytes());
    file.extend([0; 8 + 4]);
    file.extend([64, 0, 56, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    file.extend([1, 0, 0, 0, 5, 0, 0, 0]);
    let size = HEADERS + code.len() as u64;
    for number in [0, BASE, BASE, size, size, 0x1000] {
        file.extend(number.to_le_bytes());
    }
    file.extend(code);
    file
}

#[test]
fn other_processes_are_not_there() {
    let scene = Scene::new();
    let cell = scene.cell();
    let outside = std::process::id();
    for profile in [Profile::Read, Profile::Build] {
        let line = "for folder in /proc/[0-9]*; do tr '\\0' ' ' < $folder/cmdline; echo; done 2>/dev/null";
        let seen = scene.run(&cell, profile, line).text;
        for words in seen.lines().filter(|words| !words.trim().is_empty()) {
            let known = words.contains("sandbox-helper init")
                || words.contains("/bin/sh")
                || words.starts_with("tr ");
            assert!(known, "{seen}");
        }
        for line in [
            format!("kill -0 {outside}"),
            "cat /proc/1/environ".to_owned(),
            "ls /proc/1/fd /proc/1/root".to_owned(),
            "kill -KILL 1; kill -0 1 && exit 3".to_owned(),
            "kill -STOP 1; exit 3".to_owned(),
        ] {
            let ran = scene.run(&cell, profile, &line);
            assert_ne!(ran.status, Status::Exited(0), "{line} under {profile}: {ran:?}");
        }
        // The first process is still there, and works.
        assert_eq!(scene.run(&cell, profile, "true").status, Status::Exited(0));
    }
}

#[test]
fn privileges_are_given_up() {
    let scene = Scene::new();
    let cell = scene.cell();
    let kept = if rustix::process::geteuid().is_root() && !cell.layers().user_namespace { 0x0b } else { 0 };
    for profile in [Profile::Read, Profile::Build] {
        let status = scene.run(&cell, profile, "cat /proc/self/status").text;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim_start_matches(':').trim().to_owned()
        };
        let number = |name: &str| u64::from_str_radix(&field(name), 16).unwrap();
        assert_eq!((field("NoNewPrivs"), field("Seccomp")), ("1".to_owned(), "2".to_owned()));
        assert_eq!((number("CapInh"), number("CapAmb")), (0, 0));
        assert_eq!((number("CapPrm"), number("CapEff"), number("CapBnd")), (kept, kept, kept));
        // The C library ignores two signals of its own in everything that it spawns, and a test may be run by something
        // that ignores more.
        let own = std::fs::read_to_string("/proc/self/status").unwrap();
        let own = own.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
        let own = u64::from_str_radix(own.trim(), 16).unwrap() | 0x1_8000_0000;
        assert_eq!((number("SigBlk"), number("SigIgn") & !own), (0, 0));
    }
}

#[test]
fn nothing_is_left_open_and_nothing_becomes_another_users() {
    let scene = Scene::new();
    let cell = scene.cell();
    for profile in [Profile::Read, Profile::Build] {
        // The shell's glob opens the folder itself once.
        let ran = scene.run(&cell, profile, "cd /proc/self/fd && echo *");
        assert!(matches!(ran.text.trim(), "0 1 2" | "0 1 2 3"), "{ran:?}");
    }
    for line in ["cp /bin/true a && chmod 4755 a", "cp /bin/true b && chmod g+s b"] {
        assert_ne!(scene.run(&cell, Profile::Build, line).status, Status::Exited(0), "{line}");
    }
    assert_eq!(scene.run(&cell, Profile::Build, "chmod 755 a b").status, Status::Exited(0));
}

#[test]
fn a_file_of_proc_that_changes_the_system_is_read_only() {
    let scene = Scene::new();
    let cell = scene.cell();
    for path in ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/user/max_user_namespaces"]
    {
        for profile in [Profile::Read, Profile::Build] {
            let ran = scene.run(&cell, profile, &format!("echo 1 > {path}"));
            assert_ne!(ran.status, Status::Exited(0), "{path}: {ran:?}");
        }
    }
}

#[test]
fn temporary_folders_and_processes_are_limited() {
    let scene = Scene::new().with(|_, mut spec| {
        spec.temporary_bytes_max = 64 * 1024;
        spec.processes_max = 30;
        spec
    });
    let cell = scene.cell();
    let ran = scene.run(&cell, Profile::Build, "head -c 200000 /dev/zero > /tmp/large");
    assert_ne!(ran.status, Status::Exited(0), "{ran:?}");
    let many = "n=0; while test $n -lt 60; do sleep 1000 & n=$((n + 1)); done; exit 0";
    let ran = scene.run(&cell, Profile::Build, many);
    // The kernel holds nobody to it who is root outside.
    let expected = !cell.layers().user_namespace;
    assert_eq!(ran.status == Status::Exited(0), expected, "{ran:?}");
}
