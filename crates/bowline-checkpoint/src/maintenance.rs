//! Maintenance of a store: deletes checkpoints, packs objects, releases borrowed commits, and checks its health.

use std::collections::BTreeSet;
use std::path::Path;

use crate::failure::Failure;
use crate::paths::split;
use crate::pin;
use crate::store::{Store, reference};
use crate::work::{Lend, Work, borrowed};

/// The condition of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    pub bytes: u64,
    pub checkpoints: usize,
    /// Something is wrong with it, in words.
    pub trouble: Option<String>,
}

impl Store {
    /// The ids of all checkpoints in the store.
    pub fn ids(&self) -> Result<Vec<String>, Failure> {
        if !self.exists() {
            return Ok(Vec::new());
        }
        ids(&self.work()?)
    }

    /// Deletes checkpoints. The next [`Store::tidy`] frees the space that only they used.
    pub fn forget(&self, ids: &[String]) -> Result<(), Failure> {
        let work = self.work()?;
        let mut lines = String::new();
        for id in ids {
            lines.push_str(&format!("delete {}\n", reference(id)));
        }
        work.git(Lend::No).args(["update-ref", "--stdin"]).stdin(lines.into_bytes()).run()?;
        Ok(())
    }

    /// Packs what is kept, throws away what is not, and lets go of the user's commits nothing is borrowed from any more.
    pub fn tidy(&self) -> Result<(), Failure> {
        if !self.exists() {
            return Ok(());
        }
        let work = self.work()?;
        crate::recover::settle(&work)?;
        if ids(&work)?.is_empty() {
            let (all, home) = (work.borrowed(), work.home);
            // The index is made anew from the user's the next time.
            crate::atomic_file::remove(&work.index())?;
            work.set_borrowed(&BTreeSet::new())?;
            if let Some(user) = work.user.as_ref() {
                let others = others(home, work.folder);
                let gone = all.difference(&others).cloned().collect();
                pin::drop_commits(user, home, &gone, work.deadline)?;
            }
        }
        pack(&work)
    }

    /// Its size, and whether what it keeps can be read.
    pub fn health(&self) -> Result<Health, Failure> {
        if !self.exists() {
            return Ok(Health { bytes: 0, checkpoints: 0, trouble: None });
        }
        let work = self.work()?;
        let ids = ids(&work)?;
        let refs: Vec<String> = ids.iter().map(|id| reference(id)).collect();
        let walk = ["rev-list", "--objects", "--quiet", "--stdin"];
        let walked = work.git(Lend::Yes).args(walk).stdin(refs.join("\n").into_bytes()).output()?;
        let said = walked.stderr.lines().next().unwrap_or("a checkpoint cannot be read").to_owned();
        let trouble = (!walked.is_success && !ids.is_empty()).then_some(said);
        Ok(Health { bytes: size(&self.folder().join("git")), checkpoints: ids.len(), trouble })
    }
}

/// One pack of all that is kept and is here, the index's too; what is not kept goes. Without the user's objects: what was
/// copied may lie there as well, and may go from there any time.
fn pack(work: &Work<'_>) -> Result<(), Failure> {
    let listed =
        ["rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--all", "--indexed-objects"];
    let listed = work.git(Lend::No).args(listed).run()?.stdout;
    let packs = work.dir().join("objects").join("pack");
    std::fs::create_dir_all(&packs).map_err(Failure::io(&packs))?;
    let packed =
        work.git(Lend::No).args(["pack-objects", "-q"]).args([packs.join("pack")]).stdin(listed).run()?;
    // Where nothing is kept there is no pack.
    let kept = Some(packed.line()).filter(|name| !name.is_empty()).map(|name| format!("pack-{name}."));
    for entry in std::fs::read_dir(&packs).map_err(Failure::io(&packs))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if kept.as_ref().is_none_or(|kept| !name.starts_with(kept)) {
            crate::atomic_file::remove(&entry.path())?;
        }
    }
    for args in [["prune-packed", "-q"], ["prune", "--expire=now"]] {
        work.git(Lend::No).args(args).run()?;
    }
    Ok(())
}

fn ids(work: &Work<'_>) -> Result<Vec<String>, Failure> {
    let listed =
        work.git(Lend::No).args(["for-each-ref", "--format=%(refname:lstrip=2)%00", "refs/checkpoints/"]);
    let listed = listed.run()?.stdout;
    Ok(split(&listed)
        .map(|id| String::from_utf8_lossy(id).trim().to_owned())
        .filter(|id| !id.is_empty())
        .collect())
}

/// The commits other stores of ours borrow.
fn others(home: &Path, own: &Path) -> BTreeSet<String> {
    let stores = std::fs::read_dir(home).into_iter().flatten().flatten().map(|entry| entry.path());
    stores.filter(|store| store != own).flat_map(|store| borrowed(&store)).collect()
}

fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => size(&entry.path()),
            _ => entry.metadata().map_or(0, |metadata| metadata.len()),
        })
        .sum()
}
