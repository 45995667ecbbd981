//! Why nothing was restored, in words that say what to do next.

use bowline_checkpoint::Failure;

use crate::session::AttachError;
use crate::store::{AppendError, StoreError};

#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// There is no such checkpoint or turn.
    #[error("{0}")]
    Unknown(String),
    /// It can't be, as things stand; nothing was changed.
    #[error("{why}. {next}")]
    Refused { why: String, next: String },
    /// There is no checkpoint of now, and so no way back.
    #[error("no checkpoint of the files as they are now could be taken, so nothing was changed: {0}{next}", next = next(.0))]
    Now(#[source] Failure),
    #[error("no checkpoint was taken: {0}{next}", next = next(.0))]
    Take(#[source] Failure),
    /// The files are as they were.
    #[error("the files were not restored, nothing was changed: {0}")]
    Files(#[source] Failure),
    #[error("the checkpoints of this folder cannot be looked at: {0}")]
    Look(#[source] Failure),
    #[error(
        "the files could not be restored ({failure}), nor put back yet ({settling}). The next bowline command in this session does it"
    )]
    Unsettled { failure: Box<Failure>, settling: Box<Failure> },
    /// Somebody else is at work here, or the database failed.
    #[error(transparent)]
    Attach(#[from] AttachError),
}

impl From<AppendError> for RestoreError {
    fn from(error: AppendError) -> RestoreError {
        RestoreError::Attach(error.into())
    }
}

impl From<StoreError> for RestoreError {
    fn from(error: StoreError) -> RestoreError {
        RestoreError::Attach(error.into())
    }
}

impl RestoreError {
    pub(super) fn refused(why: impl Into<String>, next: impl Into<String>) -> RestoreError {
        RestoreError::Refused { why: why.into(), next: next.into() }
    }

    /// The store has not what is named: it was pruned, or its folder deleted.
    pub(super) fn lost(checkpoint: Option<&str>, next: impl Into<String>) -> RestoreError {
        let id = checkpoint.unwrap_or("of this turn");
        RestoreError::refused(format!("the files of checkpoint {id} no longer exist"), next)
    }
}

/// What to do about a failure that does not say so itself.
fn next(failure: &Failure) -> &'static str {
    match failure {
        Failure::Io { .. } => ". Make that place writable and give it room, or set BOWLINE_HOME to another",
        _ => "",
    }
}
