//! The same tests again, as an ordinary user, when they are run as root: then the cells have user namespaces, each of
//! their mounts is one that anybody may make.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::scene::{FOLDER_VARIABLE, HELPER_VARIABLE, helper_program};

/// The number that systems give to nobody.
const NOBODY: u32 = 65534;

#[test]
fn all_of_it_as_an_ordinary_user() {
    if !rustix::process::geteuid().is_root() {
        // Then the others of this run are that.
        return;
    }
    // Not below a folder that every cell has of its own, and where everybody can go.
    let folder = tempfile::tempdir_in("/var/lib").unwrap();
    let copied = |from: &Path, name: &str| {
        let to = folder.path().join(name);
        fs::copy(from, &to).unwrap();
        fs::set_permissions(&to, fs::Permissions::from_mode(0o755)).unwrap();
        to
    };
    let tests = copied(&std::env::current_exe().unwrap(), "tests");
    let helper = copied(&helper_program(), "helper");
    let scenes = folder.path().join("scenes");
    fs::create_dir(&scenes).unwrap();
    fs::set_permissions(&scenes, fs::Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(tests)
        .args(["--skip", "ordinary_user"])
        .current_dir("/")
        .env(HELPER_VARIABLE, helper)
        .env(FOLDER_VARIABLE, &scenes)
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
