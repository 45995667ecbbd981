//! A place of its own for one run: a work tree, a home, a folder for the store, and one for what lies outside the tree.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use bowline_checkpoint::{Plan, PlanRequest, Settings, Store, UserChanges};

use crate::tree_state::{Seen, look};

/// Where files need no disk, if there is such a place with room for ours: every write of the store is meant to last.
const MEMORY: &str = "/dev/shm";
const ROOM: u64 = 1 << 30;

/// A folder for a ground, gone when it is dropped. `TMPDIR` says where else.
pub(crate) fn folder() -> tempfile::TempDir {
    let is_roomy = rustix::fs::statvfs(MEMORY).is_ok_and(|about| {
        let can_run = !about.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC);
        can_run && about.f_bavail.saturating_mul(about.f_frsize) >= ROOM
    });
    let in_memory = (is_roomy && std::env::var_os("TMPDIR").is_none())
        .then(|| tempfile::tempdir_in(MEMORY).ok())
        .flatten();
    in_memory.unwrap_or_else(|| tempfile::tempdir().unwrap())
}

pub(crate) struct Ground {
    pub(crate) base: PathBuf,
}

impl Ground {
    pub(crate) fn make(base: &Path) -> Ground {
        let ground = Ground { base: base.canonicalize().unwrap() };
        for folder in [ground.tree(), ground.home(), ground.outside()] {
            std::fs::create_dir_all(folder).unwrap();
        }
        ground
    }

    /// The store of its work tree.
    pub(crate) fn store(&self) -> Store {
        Store::open(&self.base.join("store"), &self.tree(), Settings::default()).unwrap()
    }

    /// The plan that makes all files those of a checkpoint.
    pub(crate) fn plan_all(store: &Store, id: &str, target: &str) -> Plan {
        let request = PlanRequest { target, taken_back: None, user_changes: UserChanges::Keep };
        store.plan(id, &request).unwrap()
    }

    /// All files of the tree become those of a checkpoint.
    pub(crate) fn restore_all(store: &Store, id: &str, target: &str) {
        let plan = Ground::plan_all(store, id, target);
        store.restore(&format!("{id}-done"), &plan).unwrap();
    }

    /// One that is there.
    pub(crate) fn at(base: &Path) -> Ground {
        Ground { base: base.to_owned() }
    }

    pub(crate) fn tree(&self) -> PathBuf {
        self.base.join("tree")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.base.join("home")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.base.join("outside")
    }

    /// What is in neither the tree nor the store: nothing of ours may change it. `but` are folders that are looked at by
    /// themselves.
    pub(crate) fn beside(&self, but: &[&Path]) -> (Seen, Seen) {
        let (mut outside, _) = look(&self.outside(), &[]);
        for but in but.iter().filter_map(|but| but.strip_prefix(self.outside()).ok()) {
            outside.0.retain(|path, _| !path.starts_with(but));
        }
        (look(&self.home(), &[]).0, outside)
    }

    /// A program with nothing of this machine's or the tester's in its environment.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home())
            .env("LC_ALL", "C.UTF-8")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::null());
        command
    }

    /// Lines of a case. The user has an identity there; the store never has.
    pub(crate) fn sh(&self, lines: &str) {
        let prelude = include_str!("../cases/prelude.sh");
        let mut command = self.command("sh");
        command
            .current_dir(self.tree())
            .arg("-euc")
            .arg(format!("{prelude}\n{lines}"))
            .env("OUT", self.outside())
            .env("GIT_AUTHOR_NAME", "Ada")
            .env("GIT_AUTHOR_EMAIL", "ada@example.org")
            .env("GIT_COMMITTER_NAME", "Ada")
            .env("GIT_COMMITTER_EMAIL", "ada@example.org")
            .env("GIT_ALLOW_PROTOCOL", "file");
        let Output { status, stdout, stderr } = command.output().unwrap();
        assert!(
            status.success(),
            "{status}\n{lines}\n{}{}",
            String::from_utf8_lossy(&stdout),
            String::from_utf8_lossy(&stderr)
        );
    }

    /// What git answers on both its outputs; it takes no lock and refreshes nothing.
    pub(crate) fn git(&self, folder: &Path, arguments: &[&str]) -> String {
        let output = self
            .command("git")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("BOWLINE_LOOKS", "1")
            .env("GIT_CONFIG_COUNT", "1")
            .env("GIT_CONFIG_KEY_0", "safe.directory")
            .env("GIT_CONFIG_VALUE_0", "*")
            .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C"])
            .arg(folder)
            .args(arguments)
            .output()
            .unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }
}
