//! The user's repository: bowline reads it and borrows its objects, but does not change it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::git::{Deadline, Git};

/// What matters of it.
#[derive(Debug, Clone)]
pub(crate) struct User {
    root: PathBuf,
    dir: PathBuf,
    /// Where objects and worktrees are, the same for all its worktrees.
    pub(crate) common: PathBuf,
    pub(crate) objects: PathBuf,
    pub(crate) index: PathBuf,
    pub(crate) exclude: PathBuf,
    /// `sha1` or `sha256`.
    pub(crate) format: String,
    settings: Vec<(String, String)>,
}

/// The folder of the work tree `folder` lies in: the nearest one with a `.git`, else itself. One that is broken counts, too:
/// a repository further up has nothing to do with it.
pub(crate) fn top(folder: &Path) -> PathBuf {
    let tops = folder.ancestors().find(|folder| folder.join(".git").exists());
    tops.unwrap_or(folder).to_owned()
}

/// Where the `.git` of a folder leads.
pub(crate) fn git_dir(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if git.is_dir() {
        return git.join("HEAD").symlink_metadata().is_ok().then_some(git);
    }
    let text = std::fs::read(&git).ok()?;
    let target = text.strip_prefix(b"gitdir:")?.trim_ascii();
    let dir = folder.join(OsStr::from_bytes(target));
    dir.join("HEAD").symlink_metadata().is_ok().then_some(dir)
}

impl User {
    /// None where the folder has no repository that git can read.
    pub(crate) fn of(root: &Path, deadline: Deadline) -> Result<Option<User>, Failure> {
        let Some(dir) = git_dir(root) else { return Ok(None) };
        let asked = Git::new(&dir, root, deadline).args([
            "rev-parse",
            "--show-object-format",
            "--git-common-dir",
            "--git-path",
            "objects",
            "--git-path",
            "index",
            "--git-path",
            "info/exclude",
        ]);
        let asked = asked.output()?;
        if !asked.is_success {
            return Ok(None);
        }
        let lines: Vec<&[u8]> = asked.stdout.split(|byte| *byte == b'\n').collect();
        let [format, common, objects, index, exclude, ..] = lines.as_slice() else { return Ok(None) };
        let place = |line: &[u8]| root.join(OsStr::from_bytes(line));
        let listed = Git::new(&dir, root, deadline).args(["config", "-z", "--list"]).output()?;
        let pairs = listed.stdout.split(|byte| *byte == 0).filter_map(|pair| {
            let pair = String::from_utf8_lossy(pair);
            let (name, value) = pair.split_once('\n').unwrap_or((pair.as_ref(), "true"));
            (!name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
        });
        Ok(Some(User {
            root: root.to_owned(),
            common: place(common),
            objects: place(objects),
            index: place(index),
            exclude: place(exclude),
            format: String::from_utf8_lossy(format).into_owned(),
            settings: pairs.collect(),
            dir,
        }))
    }

    pub(crate) fn setting(&self, name: &str) -> Option<&str> {
        let last = self.settings.iter().rev().find(|(known, _)| known == name);
        last.map(|(_, value)| value.as_str())
    }

    /// Reads. Takes no lock, runs no hook, fetches nothing.
    pub(crate) fn git(&self, deadline: Deadline) -> Git {
        Git::new(&self.dir, &self.root, deadline)
    }

    /// The commit HEAD stands at; none on a branch without one.
    pub(crate) fn head(&self, deadline: Deadline) -> Result<Option<String>, Failure> {
        let asked = self.git(deadline).args(["rev-parse", "-q", "--verify", "HEAD^{commit}"]).output()?;
        Ok(asked.is_success.then(|| asked.line()).filter(|sha| !sha.is_empty()))
    }

    /// Whether what we borrow can be kept from being thrown away: by an entry among its worktrees.
    pub(crate) fn can_pin(&self) -> bool {
        let is_files = self.setting("extensions.refstorage").is_none_or(|format| format == "files");
        let may_write = |folder: &Path| rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok();
        is_files && may_write(&self.common) && may_write(&self.objects)
    }

    /// Whether line ends are converted without any attribute saying so.
    pub(crate) fn is_converting(&self) -> bool {
        self.setting("core.autocrlf").is_some_and(|value| !matches!(value, "false" | "no" | "off" | "0"))
    }

    /// Settings of its files that hold for the store, too.
    pub(crate) fn shared_settings(&self) -> Vec<String> {
        // As the disk is, not as a repository that was copied from elsewhere says.
        let folds_case = self.root.join(".GIT").symlink_metadata().is_ok();
        let shared = [
            folds_case.then(|| "core.ignoreCase=true".to_owned()),
            self.setting("core.precomposeunicode").map(|value| format!("core.precomposeUnicode={value}")),
        ];
        let ignored = self.setting("core.excludesfile").map(|path| format!("core.excludesFile={path}"));
        shared.into_iter().flatten().chain(ignored).collect()
    }
}
