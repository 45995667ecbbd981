//! Several processes on one work tree and one store. The content of each file follows from its name, so that a torn one is recognised.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use bowline_checkpoint::{Failure, PlanRequest, UserChanges};

use crate::ground::Ground;

const PROCESSES: u64 = 3;
const ROUNDS: u64 = 6;

/// What a file of this name always holds.
fn content(name: &str) -> String {
    name.repeat(500)
}

/// No file is torn, lost halfway or of another.
fn whole(tree: &Path) {
    for entry in fs::read_dir(tree).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name != ".git" {
            let is = fs::read_to_string(entry.path()).unwrap();
            assert!(is == content(&name), "{name} holds {} bytes that are not its own", is.len());
        }
    }
}

#[test]
fn processes_at_once_spoil_nothing() {
    let folder = crate::ground::folder();
    let ground = Ground::make(folder.path());
    ground.sh("git init -q -b main");
    for name in ["a", "b", "c"] {
        fs::write(ground.tree().join(name), content(name)).unwrap();
    }
    ground.sh("save first");
    let program = std::env::current_exe().unwrap();
    let children: Vec<_> = (0..PROCESSES)
        .map(|number| {
            ground
                .command(program.to_str().unwrap())
                .args(["--exact", "concurrent::one_of_them", "--nocapture"])
                .env("BOWLINE_AT_ONCE", number.to_string())
                .env("BOWLINE_GROUND", &ground.base)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
    }
    let store = ground.store();
    assert_eq!(store.health().unwrap().trouble, None);
    // Every checkpoint that was taken meanwhile is whole.
    for number in 0..PROCESSES {
        for round in 0..ROUNDS {
            let taken = store.find(&format!("k{number}-{round}")).unwrap().unwrap();
            Ground::restore_all(&store, &format!("r{number}-{round}"), &taken);
            whole(&ground.tree());
        }
    }
}

#[test]
fn one_of_them() {
    let Ok(number) = std::env::var("BOWLINE_AT_ONCE") else { return };
    let ground = Ground::at(Path::new(&std::env::var_os("BOWLINE_GROUND").unwrap()));
    let store = ground.store();
    let tree = ground.tree();
    for round in 0..ROUNDS {
        let name = format!("file-{number}-{round}");
        // Whole at once: what a checkpoint of another process sees is there or not.
        let draft = ground.outside().join(&name);
        fs::write(&draft, content(&name)).unwrap();
        fs::rename(&draft, tree.join(&name)).unwrap();
        let taken = store.take(&format!("k{number}-{round}")).unwrap();
        let _ = fs::remove_file(tree.join(["a", "b", "c"][round as usize % 3]));
        let request =
            PlanRequest { target: &taken.commit, taken_back: None, user_changes: UserChanges::Keep };
        let planned = store.plan(&format!("p{number}-{round}"), &request);
        match planned.and_then(|plan| store.restore(&format!("r{number}-{round}"), &plan)) {
            // Another one was quicker.
            Ok(()) | Err(Failure::Moved(_) | Failure::Busy { .. }) => {}
            Err(failure) => panic!("{failure}"),
        }
    }
}
