//! Refusals as a real cell gives them: the words of this system's programs, and the paths of a real plan.

use std::net::TcpListener;

use bowline_contain::{Profile, Refusal};

use crate::scene::Scene;

#[test]
fn a_refusal_names_what_was_tried() {
    let scene = Scene::new();
    for name in ["project/.git/config", "project/.env", "home/notes"] {
        scene.write(name, "text\n");
    }
    let scene = scene
        .with(|scene, spec| spec.protected(scene.path("project/.git")).hidden(scene.path("project/.env")));
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let cell = scene.cell();
    let write = |name: &str, profile| Refusal::Write { path: Some(scene.path(name)), profile };
    let connect = format!(
        "python3 -I -c 'import socket; a = (\"127.0.0.1\", {port}); print(\"to 127.0.0.1:{port}\"); socket.create_connection(a)' \
         2>&1 | sed 's/refused/refused 127.0.0.1:{port}/'; exit 1"
    );
    let table = [
        (Profile::Build, "echo x > ../home/new", vec![write("home/new", Profile::Build)]),
        (Profile::Build, "touch $T/home/notes", vec![write("home/notes", Profile::Build)]),
        (Profile::Read, "echo x > new", vec![write("project/new", Profile::Read)]),
        (Profile::Read, "mkdir folder", vec![write("project/folder", Profile::Read)]),
        (
            Profile::Build,
            "echo x > .git/config",
            vec![Refusal::Protected { path: scene.path("project/.git/config") }],
        ),
        (Profile::Build, connect.as_str(), vec![Refusal::Server { port }]),
        (
            Profile::Read,
            "python3 -I -c 'import socket; socket.create_connection((\"192.0.2.1\", 80))'",
            vec![Refusal::Network { address: None }],
        ),
        (Profile::Build, "false", vec![]),
        (Profile::Build, "cat no-such-file", vec![]),
        (Profile::Build, "cat /etc/shadow-of-nobody", vec![]),
    ];
    for (profile, line, expected) in table {
        let ran = scene.run(&cell, profile, line);
        let found = cell.refusals(profile, &scene.path("project"), ran.status, &ran.text);
        assert_eq!(found, expected, "{line} under {profile}: {ran:?}");
    }
    // Root may open it and finds nothing.
    if !rustix::process::geteuid().is_root() {
        let ran = scene.run(&cell, Profile::Build, "cat .env");
        let found = cell.refusals(Profile::Build, &scene.path("project"), ran.status, &ran.text);
        assert_eq!(found, [Refusal::Hidden { path: scene.path("project/.env") }], "{ran:?}");
    }
}
