//! One piece of work on a store, with its lock held: git on the store's own directory and index.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::atomic_file::{read, remove, write_whole};
use crate::failure::Failure;
use crate::git::{Deadline, Git};
use crate::lock::Lock;
use crate::settings::Settings;
use crate::user_repository::User;

/// Bytes as they are: no conversion, no filter, whatever the project's attributes say.
const ATTRIBUTES: &[u8] = b"* -text !eol !ident !filter !working-tree-encoding !crlf !diff\n";

/// Left out of a folder without a repository, where nobody has said what is not worth keeping.
const UNKEPT: &str =
    "node_modules/\n.venv/\nvenv/\n__pycache__/\n.tox/\n.mypy_cache/\n.pytest_cache/\n.gradle/\n";

/// Settings of every run.
const SET: [&str; 16] = [
    "core.autocrlf=false",
    "core.safecrlf=false",
    "core.fileMode=true",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.sparseCheckout=false",
    "core.protectNTFS=false",
    "core.protectHFS=false",
    "core.logAllRefUpdates=false",
    "core.quotePath=false",
    "index.version=2",
    "index.sparse=false",
    "index.skipHash=true",
    "gc.auto=0",
    "submodule.recurse=false",
    "advice.graftFileDeprecated=false",
];

/// Whether the user's objects can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lend {
    Yes,
    /// What is written is written whole: an object that lies unused in the user's repository may go at any time.
    No,
}

pub(crate) struct Work<'s> {
    pub(crate) home: &'s Path,
    pub(crate) root: &'s Path,
    pub(crate) folder: &'s Path,
    pub(crate) settings: &'s Settings,
    pub(crate) deadline: Deadline,
    pub(crate) user: Option<User>,
    /// Of an object's name in the store.
    oid_bytes: usize,
    lock: Lock,
}

impl<'s> Work<'s> {
    /// Waits for the lock, and makes the store where there is none.
    pub(crate) fn begin(
        home: &'s Path,
        root: &'s Path,
        folder: &'s Path,
        settings: &'s Settings,
    ) -> Result<Work<'s>, Failure> {
        // What nobody else may read in the project nobody else may read here.
        let private = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        private.map_err(Failure::io(folder))?;
        let lock = Lock::take(&folder.join("lock"), settings.budget)?;
        let deadline = Deadline::after(settings.budget);
        let user = if root.is_dir() { User::of(root, deadline)? } else { None };
        let mut work = Work { home, root, folder, settings, deadline, user, oid_bytes: 20, lock };
        if !work.dir().join("HEAD").exists() {
            work.init()?;
        }
        let config = read(&work.dir().join("config")).unwrap_or_default();
        work.oid_bytes = if String::from_utf8_lossy(&config).contains("sha256") { 32 } else { 20 };
        // Whoever had them is dead: we hold the lock.
        for stale in ["index.lock", "goal.lock", "git/packed-refs.lock", "git/HEAD.lock"] {
            remove(&folder.join(stale))?;
        }
        Ok(work)
    }

    /// Begins its time anew.
    pub(crate) fn allow(&mut self, time: Duration) {
        self.deadline = Deadline::after(time);
    }

    /// The lock, for a child to hold on to.
    pub(crate) fn lock_file(&self) -> Result<std::fs::File, Failure> {
        self.lock.share().map_err(Failure::io(self.folder))
    }

    pub(crate) fn dir(&self) -> PathBuf {
        self.folder.join("git")
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.folder.join("index")
    }

    fn init(&self) -> Result<(), Failure> {
        let format = self.user.as_ref().map_or("sha1", |user| user.format.as_str());
        let dir = self.dir();
        let tmp = self.folder.join("git.new");
        let _ = std::fs::remove_dir_all(&tmp);
        std::fs::create_dir_all(&tmp).map_err(Failure::io(&tmp))?;
        Git::new(&tmp, self.folder, self.deadline)
            .unset("GIT_WORK_TREE")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .args(["init", "-q", "--bare", "--template=", &format!("--object-format={format}")])
            .run()?;
        let info = tmp.join("info");
        std::fs::create_dir_all(&info).map_err(Failure::io(&info))?;
        write_whole(&info.join("attributes"), ATTRIBUTES)?;
        write_whole(&self.folder.join("root"), self.root.as_os_str().as_bytes())?;
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::rename(&tmp, &dir).map_err(Failure::io(&dir))
    }

    /// Of an object's name, in bytes.
    pub(crate) fn oid_bytes(&self) -> usize {
        self.oid_bytes
    }

    /// Whether the store and the user's repository name objects alike, and what is borrowed can be kept.
    pub(crate) fn lender(&self) -> Option<&User> {
        let is_alike = |user: &&User| (user.format == "sha256") == (self.oid_bytes() == 32);
        self.user.as_ref().filter(is_alike)
    }

    /// Git on the store.
    pub(crate) fn git(&self, lend: Lend) -> Git {
        self.set_up(Git::new(&self.dir(), self.root, self.deadline), lend)
    }

    /// The same for files that are to be written.
    pub(crate) fn private_git(&self, lend: Lend) -> Git {
        self.set_up(Git::private(&self.dir(), self.root, self.deadline), lend)
    }

    fn set_up(&self, git: Git, lend: Lend) -> Git {
        let mut git = git
            .env("GIT_INDEX_FILE", self.index())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        for setting in SET {
            git = git.set(setting);
        }
        for setting in self.user.iter().flat_map(User::shared_settings) {
            git = git.set(setting);
        }
        match self.lender() {
            Some(user) if lend == Lend::Yes => {
                git.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", alternate(&user.objects))
            }
            _ => git,
        }
    }

    /// The same on another index.
    pub(crate) fn git_on(&self, index: &Path, lend: Lend) -> Git {
        self.git(lend).env("GIT_INDEX_FILE", index)
    }

    /// What is left out: what the user's repository leaves out, and the folders that are never captured.
    pub(crate) fn write_exclude(&self) -> Result<(), Failure> {
        let mut text = match &self.user {
            Some(user) => read(&user.exclude).unwrap_or_default(),
            None => UNKEPT.as_bytes().to_vec(),
        };
        text.push(b'\n');
        for folder in self.left_out() {
            text.extend_from_slice(&anchored(&folder));
        }
        let path = self.dir().join("info").join("exclude");
        if read(&path).as_deref() == Some(text.as_slice()) { Ok(()) } else { write_whole(&path, &text) }
    }

    /// What is never captured, below the root.
    pub(crate) fn left_out(&self) -> Vec<Vec<u8>> {
        let own = std::iter::once(self.home).chain(self.settings.left_out.iter().map(PathBuf::as_path));
        own.filter_map(|path| {
            let path = path.canonicalize().ok()?;
            let below = path.strip_prefix(self.root).ok()?.as_os_str().as_bytes().to_vec();
            (!below.is_empty()).then_some(below)
        })
        .collect()
    }

    /// The user's commits this store borrows from.
    pub(crate) fn borrowed(&self) -> BTreeSet<String> {
        borrowed(self.folder)
    }

    pub(crate) fn set_borrowed(&self, commits: &BTreeSet<String>) -> Result<(), Failure> {
        let lines: String = commits.iter().map(|commit| format!("{commit}\n")).collect();
        write_whole(&self.folder.join("borrowed"), lines.as_bytes())
    }
}

pub(crate) fn borrowed(folder: &Path) -> BTreeSet<String> {
    let text = read(&folder.join("borrowed")).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
}

/// A folder of objects in the variable's form, which parts them by `:`.
fn alternate(objects: &Path) -> OsString {
    let bytes = objects.as_os_str().as_bytes();
    if !bytes.iter().any(|byte| matches!(byte, b':' | b'"' | b'\\' | b'\n')) {
        return objects.as_os_str().to_owned();
    }
    let mut quoted = vec![b'"'];
    for byte in bytes {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', *byte]),
            b'\n' => quoted.extend(b"\\n"),
            _ => quoted.push(*byte),
        }
    }
    quoted.push(b'"');
    OsString::from_vec(quoted)
}

/// A path as a pattern that matches nothing else.
fn anchored(name: &[u8]) -> Vec<u8> {
    let mut pattern = vec![b'/'];
    for byte in name {
        if matches!(byte, b'*' | b'?' | b'[' | b'\\' | b' ' | b'!' | b'#') {
            pattern.push(b'\\');
        }
        pattern.push(*byte);
    }
    pattern.push(b'\n');
    pattern
}
