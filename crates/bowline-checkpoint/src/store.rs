//! The store of one work tree.

use std::path::Path;

use crate::failure::Failure;
use crate::plan::{Plan, Wish};
use crate::settings::Settings;
use crate::taken::{Difference, Snapshot};

pub struct Store {}

/// How a store stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    pub bytes: u64,
    pub checkpoints: usize,
    /// Something is wrong with it, in words.
    pub trouble: Option<String>,
}

impl Store {
    /// The store of `root`, below the folder `home`, made where there is none.
    pub fn open(home: &Path, root: &Path, settings: Settings) -> Result<Store, Failure> {
        todo!()
    }
    /// Takes the state now and keeps it under `id`.
    pub fn take(&self, id: &str) -> Result<Snapshot, Failure> {
        todo!()
    }
    /// The commit kept under `id`.
    pub fn find(&self, id: &str) -> Result<Option<Snapshot>, Failure> {
        todo!()
    }
    /// Keeps a commit that is there under another id too.
    pub fn keep(&self, id: &str, commit: &str) -> Result<(), Failure> {
        todo!()
    }
    /// How the files differ from one commit to another, by path.
    pub fn differences(&self, from: &str, to: &str) -> Result<Vec<Difference>, Failure> {
        todo!()
    }
    /// The same as a unified diff.
    pub fn diff(&self, from: &str, to: &str) -> Result<Vec<u8>, Failure> {
        todo!()
    }
    /// What a restore would do. Takes the state now and keeps it under `id`; nothing else is changed.
    pub fn plan(&self, id: &str, wish: &Wish<'_>) -> Result<Plan, Failure> {
        todo!()
    }
    /// Carries it out, known as `restore` if it has to be settled later.
    pub fn restore(&self, restore: &str, plan: &Plan) -> Result<(), Failure> {
        todo!()
    }
    /// Ends what a process that died left: `true` where the files are as the plan wanted.
    pub fn settle(&self, restore: &str) -> Result<bool, Failure> {
        todo!()
    }
    /// Checkpoints that are needed no longer.
    pub fn forget(&self, ids: &[String]) -> Result<(), Failure> {
        todo!()
    }
    pub fn health(&self) -> Result<Health, Failure> {
        todo!()
    }
}
