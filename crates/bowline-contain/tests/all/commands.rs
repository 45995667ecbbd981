//! Commands run, print, end and say how.

use bowline_contain::{Profile, Status};

use crate::scene::Scene;

#[test]
fn a_command_runs_and_says_how_it_ended() {
    let scene = Scene::new();
    let cell = scene.cell();
    println!("{}", cell.layers());
    for profile in [Profile::Read, Profile::Build, Profile::Open] {
        let ran = scene.run(&cell, profile, "echo out; echo err >&2; exit 7");
        assert_eq!((ran.status, ran.text.as_str()), (Status::Exited(7), "out\nerr\n"), "{profile}");
    }
}
