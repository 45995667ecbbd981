//! What each profile can connect to.

use std::fs::File;
use std::io::Read;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use bowline_contain::{Profile, Status};

use crate::scene::Scene;

/// Connects as the words say, and prints `connected` if that worked.
const CONNECT: &str = r#"
import socket, sys
kind, address = sys.argv[1], sys.argv[2]
try:
    if kind in ("tcp", "udp", "tcp6"):
        family = socket.AF_INET6 if kind == "tcp6" else socket.AF_INET
        s = socket.socket(family, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
        s.settimeout(5)
        s.connect(("::1" if kind == "tcp6" else "127.0.0.1", int(address)))
        if kind == "udp":
            s.send(b"x")
            assert s.recv(1) == b"y"
    else:
        s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        s.connect(("\0" if kind == "abstract" else "") + address)
    print("connected")
except (OSError, AssertionError) as error:
    print(type(error).__name__, error)
"#;

/// Listens, says where, and echoes for ever.
const SERVE: &str = r#"
import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
print(s.getsockname()[1], flush=True)
while True:
    c, _ = s.accept()
    c.close()
"#;

fn with_scripts() -> Scene {
    let scene = Scene::new();
    scene.write("project/connect.py", CONNECT);
    scene.write("project/serve.py", SERVE);
    scene
}

#[test]
fn the_machines_own_servers_cannot_be_reached() {
    let scene = with_scripts();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let path = scene.path("home/server.sock");
    let inside = scene.path("project/server.sock");
    let name = format!("contain-{}", std::process::id());
    let _path = UnixListener::bind(&path).unwrap();
    let _inside = UnixListener::bind(&inside).unwrap();
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let ways = [
        ("tcp", tcp.local_addr().unwrap().port().to_string()),
        ("udp", udp.local_addr().unwrap().port().to_string()),
        ("path", path.display().to_string()),
        ("path", inside.display().to_string()),
        ("abstract", name),
    ];
    let cell = scene.cell();
    for (kind, address) in ways {
        let line = format!("python3 -I connect.py {kind} {address}");
        // Outside it works: the test would say nothing otherwise.
        if kind != "udp" {
            assert_eq!(scene.run(&cell, Profile::Open, &line).text, "connected\n", "{line}");
        }
        for profile in [Profile::Read, Profile::Build] {
            let ran = scene.run(&cell, profile, &line);
            assert_eq!(ran.status, Status::Exited(0), "{ran:?}");
            assert!(
                !ran.text.contains("connected") && !ran.text.is_empty(),
                "{line} under {profile}: {ran:?}"
            );
        }
    }
}

#[test]
fn a_server_of_one_command_is_reached_by_a_later_one_of_the_same_cell() {
    let scene = with_scripts();
    let (cell, other) = (scene.cell(), scene.cell());
    let mut server = cell.spawn(Profile::Build, scene.shell("exec python3 -I serve.py")).unwrap();
    let mut output = File::from(server.output().unwrap());
    let mut port = String::new();
    let mut byte = [0];
    while output.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
        port.push(char::from(byte[0]));
    }
    let line = format!("python3 -I connect.py tcp {port}");
    assert_eq!(scene.run(&cell, Profile::Build, &line).text, "connected\n");
    // Not by a command that has no network, nor from another cell, nor from outside.
    for ran in [
        scene.run(&cell, Profile::Read, &line),
        scene.run(&other, Profile::Build, &line),
        scene.run(&cell, Profile::Open, &line),
    ] {
        assert!(!ran.text.contains("connected"), "{ran:?}");
    }
    assert_eq!(server.try_wait(), None);
}

#[test]
fn read_opens_no_socket_of_any_kind_and_build_none_that_is_raw() {
    let scene = with_scripts();
    let cell = scene.cell();
    let line = |family: &str, kind: &str, protocol: i32| {
        format!(
            "python3 -I -c 'import socket as s; s.socket({family}, s.{kind}, {protocol}); print(1)' 2>/dev/null"
        )
    };
    let table = [
        ("s.AF_INET", "SOCK_STREAM", 0, true),
        ("s.AF_INET", "SOCK_DGRAM", 0, true),
        ("s.AF_INET6", "SOCK_STREAM", 0, true),
        ("s.AF_UNIX", "SOCK_STREAM", 0, true),
        ("s.AF_NETLINK", "SOCK_RAW", 0, true),
        ("s.AF_NETLINK", "SOCK_RAW", 9, false),
        ("s.AF_INET", "SOCK_RAW", 1, false),
        ("s.AF_PACKET", "SOCK_RAW", 0, false),
        ("s.AF_VSOCK", "SOCK_STREAM", 0, false),
        ("s.AF_ALG", "SOCK_SEQPACKET", 0, false),
    ];
    for (family, kind, protocol, build) in table {
        let line = line(family, kind, protocol);
        assert_eq!(scene.run(&cell, Profile::Read, &line).text, "", "{line}");
        let expected = if build { "1\n" } else { "" };
        assert_eq!(scene.run(&cell, Profile::Build, &line).text, expected, "{line}");
    }
    // A pair of sockets leads nowhere else.
    let pair = "python3 -I -c 'import socket as s; s.socketpair(); print(1)'";
    assert_eq!(scene.run(&cell, Profile::Read, pair).text, "1\n");
}

#[test]
fn the_network_of_a_command_that_reads_has_no_device_that_is_up() {
    let scene = Scene::new();
    let cell = scene.cell();
    for (profile, expected) in [(Profile::Build, true), (Profile::Read, false), (Profile::Build, true)] {
        let ran = scene.run(&cell, profile, "grep -q 127.0.0.1 /proc/self/net/fib_trie");
        assert_eq!(ran.status == Status::Exited(0), expected, "{profile}: {ran:?}");
    }
}
