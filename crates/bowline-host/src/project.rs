//! The project: the folder bowline works in, normally a git repository.

use std::path::{Path, PathBuf};

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
