//! The files' part of a restore: the checkpoint of now, the plan, and carrying it out.

use std::path::Path;

use bowline_checkpoint::{Failure, Plan, PlanRequest};

use super::target::Target;
use super::{CheckpointUse, RestoreError, RestoreOptions, SessionRestore, Tree, new_id};

/// What is to become of the files.
pub(super) struct Files {
    tree: Option<Tree>,
    /// The checkpoint of now.
    pub(super) now_id: String,
    pub(super) now_commit: Option<String>,
    /// None where they are left alone.
    pub(super) plan: Option<Plan>,
    /// Why they are left alone though they were meant.
    pub(super) untouched: Option<String>,
}

impl SessionRestore<'_> {
    /// Takes the state now and plans. Where only the conversation is meant, the state now is taken if it can be.
    pub(super) async fn files(
        &self,
        target: &Target,
        options: RestoreOptions,
    ) -> Result<Files, RestoreError> {
        let folder = Path::new(&self.session.work_tree);
        let mut files = Files { tree: None, now_id: new_id(), now_commit: None, plan: None, untouched: None };
        if !folder.is_dir() {
            let words =
                || format!("the folder {} is gone: only the conversation was restored", folder.display());
            files.untouched = target.what.has_files().then(words);
            if !target.what.has_conversation() {
                return Err(RestoreError::refused(
                    format!("the folder {} is gone", folder.display()),
                    "Put it back where it was, then try again",
                ));
            }
            return Ok(files);
        }
        let open = || Tree::open(&self.home, folder, self.settings.clone());
        let Some(commit) = target.of.commit.clone().filter(|_| target.what.has_files()) else {
            if self.keeps == CheckpointUse::Files
                && let Ok(tree) = open().await
            {
                let id = files.now_id.clone();
                let taken = tree.ask(move |store| store.take(&id)).await;
                files.now_commit = taken.ok().map(|snapshot| snapshot.commit);
                files.tree = Some(tree);
            }
            files.untouched = target.failed.as_ref().map(|why| {
                format!("this turn has no checkpoint ({why}), so its files are left as they are. bowline changes rewind takes its edits back")
            });
            return Ok(files);
        };
        let tree = open().await.map_err(RestoreError::Now)?;
        let id = files.now_id.clone();
        let plan = match plan(&tree, id, commit, target, options).await {
            Ok(plan) => plan,
            Err(Failure::Unknown(_)) => {
                let id = target.of.checkpoint.as_deref();
                let next =
                    format!("bowline restore {} --chat restores the conversation alone", id.unwrap_or("ID"));
                return Err(RestoreError::lost(id, next));
            }
            Err(failure) => return Err(RestoreError::Now(failure)),
        };
        files.now_commit = Some(plan.now.clone());
        files.plan = Some(plan);
        files.tree = Some(tree);
        Ok(files)
    }
}

async fn plan(
    tree: &Tree,
    id: String,
    commit: String,
    target: &Target,
    options: RestoreOptions,
) -> Result<Plan, Failure> {
    let (pairs, user_changes) = (target.pairs().to_vec(), options.user_changes);
    tree.ask(move |store| {
        // A run that was cut off has left the files as they are now.
        let now = match pairs.iter().any(|pair| pair.after.is_none()) {
            true => store.take(&id)?.commit,
            false => String::new(),
        };
        let pairs: Vec<(String, String)> =
            pairs.into_iter().map(|pair| (pair.before, pair.after.unwrap_or_else(|| now.clone()))).collect();
        store.plan(&id, &PlanRequest { target: &commit, taken_back: Some(&pairs), user_changes })
    })
    .await
}

impl Files {
    /// Carries the plan out. An error of the kind `Files` means that nothing was touched.
    pub(super) async fn restore(&self, restore: &str) -> Result<(), RestoreError> {
        let (Some(tree), Some(plan)) = (&self.tree, &self.plan) else { return Ok(()) };
        tree.restore(restore, plan).await
    }

    /// Nothing was done: nothing needs to be brought back.
    pub(super) async fn forget_now(&self) {
        if let Some(tree) = &self.tree {
            let id = self.now_id.clone();
            // What is kept too long is found by the upkeep.
            let _ = tree.ask(move |store| store.forget(&[id])).await;
        }
    }
}
