//! The project: the folder bowline works in, normally a git repository.

use std::path::{Path, PathBuf};

/// Entries of a folder that are looked at for repositories.
const ENTRIES_MAX: usize = 2_000;

#[derive(Debug, Clone)]
pub struct Project {
    /// Absolute, without links: the repository's top, or the folder itself where there is none.
    pub root: PathBuf,
    pub kind: ProjectKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectKind {
    Git,
    Folder,
}

/// Why a folder is likely to be no project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    FilesystemRoot,
    HomeFolder,
    /// Two or more of the folders in it are repositories.
    HoldsRepositories,
}

impl Doubt {
    /// For a sentence that begins with the folder.
    pub fn words(self) -> &'static str {
        match self {
            Doubt::FilesystemRoot => "is the root of a file system and no project",
            Doubt::HomeFolder => "is your home folder and no project",
            Doubt::HoldsRepositories => "holds several repositories and is no project itself",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum NoProject {
    #[error("{folder} cannot be used: {why}. Name another folder with -C")]
    Unusable { folder: String, why: String },
    #[error(
        "{folder} is a bare repository: there are no files to work on. Clone it, and run bowline in the clone"
    )]
    Bare { folder: String },
    #[error("{folder} cannot be written by you. Run with --read-only, or make it writable")]
    NotWritable { folder: String },
}

impl Project {
    /// The project `folder` lies in.
    pub fn find(folder: &Path) -> Result<Project, NoProject> {
        let shown = folder.display().to_string();
        let unusable = |why: String| NoProject::Unusable { folder: shown.clone(), why };
        let folder = folder.canonicalize().map_err(|error| unusable(plain(&error)))?;
        if !folder.is_dir() {
            return Err(unusable("it is not a folder".to_owned()));
        }
        let look = rustix::fs::Access::READ_OK | rustix::fs::Access::EXEC_OK;
        if rustix::fs::access(&folder, look).is_err() {
            return Err(unusable(plain(&std::io::ErrorKind::PermissionDenied.into())));
        }
        for root in folder.ancestors() {
            if root.join(".git").exists() {
                return Ok(Project { root: root.to_owned(), kind: ProjectKind::Git });
            }
            let is_bare = ["HEAD", "objects", "refs"].iter().all(|name| root.join(name).exists());
            if is_bare {
                return Err(NoProject::Bare { folder: root.display().to_string() });
            }
        }
        Ok(Project { root: folder, kind: ProjectKind::Folder })
    }

    /// Whether this is likely to be more than one project. A repository is one, wherever it is.
    pub fn doubt(&self, home: Option<&Path>) -> Option<Doubt> {
        if self.kind == ProjectKind::Git {
            return None;
        }
        if self.root.parent().is_none() {
            return Some(Doubt::FilesystemRoot);
        }
        if home.and_then(|home| home.canonicalize().ok()).is_some_and(|home| home == self.root) {
            return Some(Doubt::HomeFolder);
        }
        let entries = std::fs::read_dir(&self.root).into_iter().flatten().take(ENTRIES_MAX).flatten();
        let repositories = entries.filter(|entry| entry.path().join(".git").exists()).take(2).count();
        (repositories == 2).then_some(Doubt::HoldsRepositories)
    }

    pub fn check_writable(&self) -> Result<(), NoProject> {
        rustix::fs::access(&self.root, rustix::fs::Access::WRITE_OK)
            .map_err(|_| NoProject::NotWritable { folder: self.root.display().to_string() })
    }
}

fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "it may not be read by you".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Doubt, Project};

    #[test]
    fn what_is_likely_to_be_no_project() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let doubt =
            |name: &str, home: &str| Project::find(&root.join(name)).unwrap().doubt(Some(&root.join(home)));
        for name in [
            "home/one/.git",
            "home/two/.git",
            "plain/one/.git",
            "plain/other",
            "dotfiles/.git",
            "dotfiles/a/.git",
            "dotfiles/b/.git",
        ] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        assert_eq!(doubt("home", "home"), Some(Doubt::HomeFolder));
        assert_eq!(doubt("home", "plain"), Some(Doubt::HoldsRepositories));
        assert_eq!(doubt("home/one", "home"), None);
        assert_eq!(doubt("plain", "home"), None);
        assert_eq!(doubt("dotfiles", "dotfiles"), None);
        assert_eq!(Project::find("/".as_ref()).unwrap().doubt(None), Some(Doubt::FilesystemRoot));
    }
}
