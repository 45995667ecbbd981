//! Applies, rejects and reverts a session's changes as the user decides: all that were named, or none.
//!
//! Everything is worked out in memory first; then the files are written, each guarded by the hash of what was read, and
//! only then the log says so. Who decides holds the session's lease, so no turn runs meanwhile. What a process that died
//! in between has already written is recognised, and only recorded.

mod advice;
mod apply;
mod diff;
mod plan;
mod relocate;
mod select;

use std::path::PathBuf;

use bowline_core::change_decision::{ChangeDecision, ChangeDecisions};
use bowline_core::entry::{Access, Body, Entry};
use bowline_core::item::ChangeState;
use bowline_core::limits::PATCH_BYTES_MAX;
use bowline_core::review::{ChangeView, Review};
use bowline_edit::Patch;

use crate::clock::Clock;
use crate::session::{AttachError, Attached};
use crate::snapshots::Snapshots;
use crate::store::{AppendError, Session, Store, StoreError};
use crate::workspace::{FileError, PathError, Workspace};
use apply::{apply, rewind};
use plan::Plan;

pub use diff::hunk_diffs;
pub use select::{Named, Selection};

/// Why nothing was decided.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// There is no such change or hunk.
    #[error("{0}")]
    Unknown(String),
    /// It is not possible in the current state. Nothing was changed.
    #[error("{why}. Nothing was changed{}{next}", if next.is_empty() { "" } else { ". " })]
    Refused { why: String, next: String },
    #[error("{}. {}", .0.for_user(), .1)]
    Unwritten(FileError, String),
    #[error("the folder {folder} of this session cannot be used: {why}. Put it back where it was")]
    Folder { folder: String, why: String },
    #[error(transparent)]
    Attach(#[from] AttachError),
    #[error(transparent)]
    Append(#[from] AppendError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PathError> for ChangesError {
    fn from(error: PathError) -> ChangesError {
        ChangesError::Refused { why: error.for_user(), next: String::new() }
    }
}

impl From<FileError> for ChangesError {
    fn from(error: FileError) -> ChangesError {
        ChangesError::Refused { why: error.for_user(), next: String::new() }
    }
}

/// A session, with what is needed to decide about its changes.
pub struct SessionChanges<'d> {
    pub store: &'d Store,
    pub clock: Clock,
    pub session: &'d Session,
    /// The checkpoints of its work tree.
    pub snapshots: Snapshots,
    /// Bowline's own folders.
    pub forbidden: Vec<PathBuf>,
    /// Who decides.
    pub by: &'d str,
}

/// One change and some of its hunks, counted from 0.
pub(crate) struct Pick<'r> {
    pub(crate) change: &'r ChangeView,
    pub(crate) index: usize,
    pub(crate) hunks: Vec<usize>,
    /// Changes of the same file that stand in the way of this one alone: for one to be made those before it that wait
    /// too, for one to be taken back those after it that are in the file.
    pub(crate) beside: Vec<&'r str>,
}

impl SessionChanges<'_> {
    pub async fn review(&self) -> Result<Review, ChangesError> {
        Ok(Review::of(&self.store.log(&self.session.id).await?))
    }

    /// Applies pending changes. Each is located in the file as it is on the disk now.
    pub async fn apply(&self, wanted: &Selection) -> Result<Vec<ChangeDecision>, ChangesError> {
        self.decide(Access::Write, ChangeState::Applied, wanted).await
    }

    /// Rejects pending changes. The model is told.
    pub async fn reject(&self, wanted: &Selection) -> Result<Vec<ChangeDecision>, ChangesError> {
        self.decide(Access::ReadOnly, ChangeState::Rejected, wanted).await
    }

    /// Reverts changes, newest first. The model is told.
    pub async fn rewind(&self, wanted: &Selection) -> Result<Vec<ChangeDecision>, ChangesError> {
        self.decide(Access::Write, ChangeState::Rewound, wanted).await
    }

    async fn decide(
        &self,
        access: Access,
        state: ChangeState,
        wanted: &Selection,
    ) -> Result<Vec<ChangeDecision>, ChangesError> {
        let id = &self.session.id;
        let attached = Attached::attach(self.store, &self.clock, id, &self.snapshots, access).await?;
        let decided = self.decide_in(&attached, state, wanted).await;
        // A lease that can't be given up now ends with its process.
        let _ = attached.give_up(self.store).await;
        decided
    }

    async fn decide_in(
        &self,
        attached: &Attached,
        state: ChangeState,
        wanted: &Selection,
    ) -> Result<Vec<ChangeDecision>, ChangesError> {
        let decided = decide(&self.workspace()?, &attached.entries, state, wanted, self.by)?;
        let Some(decided) = decided else { return Ok(Vec::new()) };
        let changes = decided.changes.clone();
        attached.record(self.store, &self.clock, &Body::Change(decided)).await?;
        Ok(changes)
    }

    fn workspace(&self) -> Result<Workspace, ChangesError> {
        let folder = &self.session.work_tree;
        Workspace::open(std::path::Path::new(folder), self.forbidden.clone())
            .map_err(|error| ChangesError::Folder { folder: folder.clone(), why: error.to_string() })
    }
}

/// Does to the files what is decided, all of it or nothing. What comes back is to be appended next; none where there is
/// nothing to decide about.
pub fn decide(
    workspace: &Workspace,
    entries: &[Entry],
    state: ChangeState,
    wanted: &Selection,
    by: &str,
) -> Result<Option<ChangeDecisions>, ChangesError> {
    let review = Review::of(entries);
    let picks = wanted.pick(&review, state)?;
    if picks.is_empty() {
        return Ok(None);
    }
    let mut plan = Plan::new(workspace);
    let changes = match state {
        ChangeState::Applied => apply(&mut plan, &picks)?,
        ChangeState::Rewound => rewind(&mut plan, &picks)?,
        _ => picks.iter().map(|pick| decided(pick, None)).collect(),
    };
    plan.carry_out()?;
    Ok(Some(ChangeDecisions { state, changes, by: by.to_owned(), calls: Vec::new() }))
}

fn decided(pick: &Pick<'_>, patch: Option<Patch>) -> ChangeDecision {
    let (line, quote) = pick.change.quote(pick.hunks.first().copied().unwrap_or(0));
    let is_whole = pick.hunks.len() == pick.change.hunks.len();
    let number = |hunk: &usize| i64::try_from(hunk + 1).unwrap_or(i64::MAX);
    ChangeDecision {
        id: pick.change.id.clone(),
        path: pick.change.edit.path.clone(),
        hunks: if is_whole { Vec::new() } else { pick.hunks.iter().map(number).collect() },
        line,
        quote,
        patch,
    }
}

fn not_recorded(change: &ChangeView) -> ChangesError {
    let ChangeView { id, edit, .. } = change;
    let kib = PATCH_BYTES_MAX / 1024;
    let why = format!(
        "{id} ({}): what it replaced was not kept, since it is more than {kib} KiB or was made by an earlier version",
        edit.path
    );
    ChangesError::Refused { why, next: "Change the file yourself, or use git".to_owned() }
}
