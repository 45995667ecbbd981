//! A folder with a project and a home, a cell over them, and commands in it.

use std::collections::BTreeMap;
use std::fs;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use bowline_contain::{Cell, CellSpec, Child, Command, Errors, Helper, Profile, Status, Without};

/// Another helper than the one that was built, for a user who cannot read that one.
pub(crate) const HELPER_VARIABLE: &str = "CONTAIN_TEST_HELPER";
/// Where scenes are made, for the same user.
pub(crate) const FOLDER_VARIABLE: &str = "CONTAIN_TEST_FOLDER";

pub(crate) fn helper() -> Helper {
    Helper::new(helper_program())
}

pub(crate) fn helper_program() -> PathBuf {
    let other = std::env::var_os(HELPER_VARIABLE).map(PathBuf::from);
    other.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_bowline-contain-helper")))
}

/// A folder that the tests of any user can use.
pub(crate) struct Scene {
    folder: tempfile::TempDir,
    pub(crate) spec: CellSpec,
}

/// What a command printed, and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: Status,
    pub(crate) text: String,
}

impl Scene {
    /// `project` is writable; `home` lies beside it.
    pub(crate) fn new() -> Scene {
        let other = std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from);
        let base = other.unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")));
        let folder = tempfile::tempdir_in(base).unwrap();
        fs::create_dir(folder.path().join("project")).unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        let spec = CellSpec::new().writable(folder.path().join("project"));
        Scene { folder, spec }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&Scene, CellSpec) -> CellSpec) -> Scene {
        self.spec = change(&self, self.spec.clone());
        self
    }

    pub(crate) fn without(self, without: Without) -> Scene {
        self.with(|_, spec| spec.without(without))
    }

    pub(crate) fn cell(&self) -> Cell {
        Cell::start(&helper(), &self.spec).unwrap()
    }

    /// A shell line in the project, with `$P` for its folder and `$T` for the one above.
    pub(crate) fn shell(&self, line: &str) -> Command {
        Command::new("/bin/sh")
            .args(["-c", line])
            .folder(self.path("project"))
            .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
            .env("P", self.path("project"))
            .env("T", self.path(""))
            .errors(Errors::WithOutput)
    }

    pub(crate) fn run(&self, cell: &Cell, profile: Profile, line: &str) -> Ran {
        finish(cell.spawn(profile, self.shell(line)).unwrap())
    }
}

pub(crate) fn finish(mut child: Child) -> Ran {
    let mut text = String::new();
    let output = child.output().unwrap();
    let ended = child.wait();
    // What it left in the background may hold the pipe: what is in it now is all it printed.
    if ended.left_running {
        return Ran { status: ended.status, text };
    }
    File::from(output).read_to_string(&mut text).unwrap();
    Ran { status: ended.status, text }
}

/// Everything in `/proc/self/mountinfo` of a process, by path.
pub(crate) fn mounts(process: &str) -> BTreeMap<String, String> {
    let listing = fs::read_to_string(format!("/proc/{process}/mountinfo")).unwrap();
    let fields = |line: &str| {
        let fields: Vec<&str> = line.split(' ').collect();
        (fields[4].to_owned(), fields[5].to_owned())
    };
    listing.lines().map(fields).collect()
}

pub(crate) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}
