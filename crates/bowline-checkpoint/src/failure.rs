//! Why something could not be done. The words are for a user and say what to do next where there is something to do.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("git cannot be run: {0}. Install git 2.30 or newer; checkpoints need it")]
    NoGit(String),
    #[error("{what}: {why}")]
    Git { what: String, why: String },
    #[error("{}: {why}", .path.display())]
    Io { path: PathBuf, why: String },
    #[error(
        "another process has worked on this folder's checkpoints for {seconds} s. Try again when it is done"
    )]
    Busy { seconds: u64 },
    #[error("it took longer than {seconds} s")]
    TooLong { seconds: u64 },
    #[error("there is no such checkpoint in the store: {0}")]
    Unknown(String),
    /// A file is not as the plan saw it. Nothing was touched.
    #[error("{} changed meanwhile. Nothing was touched; look at the plan again", .0.display())]
    Moved(PathBuf),
    /// The store is not what it should be.
    #[error("the checkpoint store {} is damaged: {why}", .path.display())]
    Damaged { path: PathBuf, why: String },
}

impl Failure {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Failure {
        let path = path.into();
        move |error| Failure::Io { path, why: error.to_string() }
    }
}
