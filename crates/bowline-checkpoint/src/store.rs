//! The store of one work tree: what can be done with it, each with its lock held.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::apply::{Step, carry_out};
use crate::diff::{self, side};
use crate::failure::Failure;
use crate::journal::{self, Journal};
use crate::plan::{Plan, PlanRequest};
use crate::planning;
use crate::recover::settle;
use crate::settings::Settings;
use crate::snapshot::{Difference, Snapshot};
use crate::take::take;
use crate::user_repository::top;
use crate::work::{Lend, Work};

/// For files that are being written: a bound, and no budget.
const FILES_TIME_MAX: Duration = Duration::from_secs(3600);

/// The checkpoints of one work tree.
#[derive(Debug, Clone)]
pub struct Store {
    home: PathBuf,
    root: PathBuf,
    folder: PathBuf,
    settings: Settings,
}

impl Store {
    /// The store of the work tree `path` lies in, below the folder `home`. Nothing is made before it is needed.
    pub fn open(home: &Path, path: &Path, settings: Settings) -> Result<Store, Failure> {
        let path = path.canonicalize().map_err(Failure::io(path))?;
        std::fs::create_dir_all(home).map_err(Failure::io(home))?;
        let home = home.canonicalize().map_err(Failure::io(home))?;
        Ok(Store::at(home, top(&path), settings))
    }

    /// The store of a work tree that may be gone.
    pub fn of_root(home: &Path, root: &Path, settings: Settings) -> Store {
        Store::at(home.to_owned(), root.to_owned(), settings)
    }

    fn at(home: PathBuf, root: PathBuf, settings: Settings) -> Store {
        let folder = home.join(key(&root));
        Store { home, root, folder, settings }
    }

    /// The work tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the store lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether anything was ever kept in it.
    pub fn exists(&self) -> bool {
        self.folder.join("git").exists()
    }

    pub(crate) fn work(&self) -> Result<Work<'_>, Failure> {
        Work::begin(&self.home, &self.root, &self.folder, &self.settings)
    }

    /// The same with whatever a dead process left ended.
    fn settled(&self) -> Result<Work<'_>, Failure> {
        let mut work = self.work()?;
        if Journal::open(&work)?.is_some() {
            // Half of it is worse than waiting.
            work.allow(FILES_TIME_MAX);
            settle(&work)?;
            work.allow(self.settings.budget);
        }
        Ok(work)
    }

    /// Takes the state now and keeps it under `id`.
    pub fn take(&self, id: &str) -> Result<Snapshot, Failure> {
        let work = self.settled()?;
        let now = take(&work, &[])?;
        keep_ref(&work, id, &now.snapshot.commit)?;
        Ok(now.snapshot)
    }

    /// The commit kept under `id`.
    pub fn find(&self, id: &str) -> Result<Option<String>, Failure> {
        let asked =
            self.work()?.git(Lend::No).args(["rev-parse", "-q", "--verify", &reference(id)]).output()?;
        Ok(asked.is_success.then(|| asked.line()))
    }

    /// Keeps a commit that is there under another id, too.
    pub fn keep(&self, id: &str, commit: &str) -> Result<(), Failure> {
        let work = self.work()?;
        side(&work, commit)?;
        keep_ref(&work, id, commit)
    }

    /// How the files differ from one commit to another, by path.
    pub fn differences(&self, from: &str, to: &str) -> Result<Vec<Difference>, Failure> {
        let work = self.work()?;
        diff::differences(&work, &side(&work, from)?, &side(&work, to)?)
    }

    /// The same as a unified diff.
    pub fn diff(&self, from: &str, to: &str) -> Result<Vec<u8>, Failure> {
        let work = self.work()?;
        let (from, to) = (side(&work, from)?, side(&work, to)?);
        let args = ["diff-tree", "-r", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
        Ok(work.git(Lend::Yes).args(args).args([from.tree, to.tree]).run()?.stdout)
    }

    /// What a restore would do. Takes the state now and keeps it under `id`; nothing else is changed.
    pub fn plan(&self, id: &str, request: &PlanRequest<'_>) -> Result<Plan, Failure> {
        let work = self.settled()?;
        let (now, plan) = planning::plan(&work, request)?;
        keep_ref(&work, id, &now.snapshot.commit)?;
        Ok(plan)
    }

    /// Carries a plan out, all of it or nothing. Known as `restore` if it has to be settled later; the files as they are
    /// then are kept under that id.
    pub fn restore(&self, restore: &str, plan: &Plan) -> Result<(), Failure> {
        self.restore_watched(restore, plan, &mut |_| {})
    }

    /// The same, told step by step.
    pub fn restore_watched(
        &self,
        restore: &str,
        plan: &Plan,
        watch: &mut dyn FnMut(Step),
    ) -> Result<(), Failure> {
        let mut work = self.settled()?;
        work.allow(FILES_TIME_MAX);
        carry_out(&work, restore, plan, watch)
    }

    /// Ends a restore that a process that died left: `true` where the files are as the plan wanted, `false` where they are
    /// as they were before it.
    pub fn settle(&self, restore: &str) -> Result<bool, Failure> {
        let work = self.settled()?;
        Ok(journal::outcome(&work, restore).unwrap_or(false))
    }
}

/// A name for people, a hash for the machine.
pub(crate) fn key(root: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let hash = Sha256::digest(root.as_os_str().as_bytes());
    let hash: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain: String =
        name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).take(32).collect();
    format!("{plain}-{hash}")
}

pub(crate) fn reference(id: &str) -> String {
    format!("refs/checkpoints/{id}")
}

pub(crate) fn keep_ref(work: &Work<'_>, id: &str, commit: &str) -> Result<(), Failure> {
    // Left by a process that died; the store's own lock is held.
    crate::atomic_file::remove(&work.dir().join(format!("{}.lock", reference(id))))?;
    work.git(Lend::No).args(["update-ref", &reference(id), commit]).run()?;
    Ok(())
}
