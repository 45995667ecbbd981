//! The checkpoint store of one work tree, asked away from the runtime's threads: it runs git and waits for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_checkpoint::{Failure, Plan, Settings, Step, Store};

use super::{RESTORE_SUFFIX, RestoreError};
use crate::fault::point;

/// An open store. Cheap to share.
#[derive(Clone)]
pub struct Tree {
    store: Arc<Store>,
}

impl Tree {
    /// The store of `root`, made where there is none.
    pub async fn open(home: &Path, root: &Path, settings: Settings) -> Result<Tree, Failure> {
        let (home, root): (PathBuf, PathBuf) = (home.to_owned(), root.to_owned());
        let store = blocking(move || Store::open(&home, &root, settings)).await?;
        Ok(Tree { store: Arc::new(store) })
    }

    /// The store of a work tree that may be gone.
    pub fn of_root(home: &Path, root: &Path, settings: Settings) -> Tree {
        Tree { store: Arc::new(Store::of_root(home, root, settings)) }
    }

    /// Where the store lies.
    pub fn folder(&self) -> PathBuf {
        self.store.folder().to_owned()
    }

    /// How many checkpoints it keeps, without what restores left.
    pub async fn count(&self) -> Result<usize, Failure> {
        let ids = self.ask(Store::ids).await?;
        Ok(ids.iter().filter(|id| !id.ends_with(RESTORE_SUFFIX)).count())
    }

    /// Carries a plan out. An error of the kind `Files` means that nothing was touched, or all of it put back.
    pub(super) async fn restore(&self, restore: &str, plan: &Plan) -> Result<(), RestoreError> {
        let (id, wanted) = (restore.to_owned(), plan.clone());
        let done =
            self.ask(move |store| store.restore_watched(&id, &wanted, &mut |step| point(word(step)))).await;
        let Err(failure) = done else { return Ok(()) };
        let id = restore.to_owned();
        match self.ask(move |store| store.settle(&id)).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(RestoreError::Files(failure)),
            Err(settling) => {
                let (failure, settling) = (Box::new(failure), Box::new(settling));
                Err(RestoreError::Unsettled { failure, settling })
            }
        }
    }

    pub async fn ask<Answer: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<Answer, Failure> + Send + 'static,
    ) -> Result<Answer, Failure> {
        let store = self.store.clone();
        blocking(move || work(&store)).await
    }
}

/// Where a test can have it die.
fn word(step: Step) -> &'static str {
    match step {
        Step::Checked => "restore:checked",
        Step::Noted => "restore:noted",
        Step::Written => "restore:written",
        Step::Dressed => "restore:dressed",
        Step::Verified => "restore:verified",
        Step::Closed => "restore:closed",
    }
}

async fn blocking<Answer: Send + 'static>(
    work: impl FnOnce() -> Result<Answer, Failure> + Send + 'static,
) -> Result<Answer, Failure> {
    match tokio::task::spawn_blocking(work).await {
        Ok(answer) => answer,
        Err(broken) => {
            Err(Failure::Git { what: "the checkpoint store broke off".to_owned(), why: broken.to_string() })
        }
    }
}
