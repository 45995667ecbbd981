//! Ignored then, not ignored now, or the other way round: where the rules themselves changed, a file that is in one
//! checkpoint and not in the other may have been there all the time. It is not deleted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::differ::{Pair, Side};
use crate::failure::Failure;
use crate::paths::{Name, below, joined, path, split};
use crate::work::{Lend, Work};

fn is_rule(name: &[u8]) -> bool {
    name == b".gitignore" || name.ends_with(b"/.gitignore")
}

/// What is there now and not in the target, and would have been ignored by the target's rules.
pub(crate) fn then(
    work: &Work<'_>,
    target: &Side,
    differing: &BTreeMap<Name, Pair>,
) -> Result<BTreeSet<Name>, Failure> {
    let goes = differing.iter().filter(|(_, pair)| pair.to.is_none()).map(|(name, _)| name);
    let goes = joined(goes.filter(|name| !target.about.absent.contains(*name)).map(Vec::as_slice));
    if !differing.keys().any(|name| is_rule(name)) {
        // The rules of then are those of now.
        return asked(work, work.root, goes);
    }
    let scratch = tempfile::tempdir_in(work.folder).map_err(Failure::io(work.folder))?;
    let listed = work.git(Lend::Yes).args(["ls-tree", "-r", "-z", "--name-only", &target.tree]).run()?.stdout;
    for name in split(&listed).filter(|name| is_rule(name)) {
        let held = [target.tree.as_bytes(), b":", name].concat();
        let rules = work.git(Lend::Yes).args(["cat-file".as_ref(), "blob".as_ref(), path(&held).as_os_str()]);
        let place = below(scratch.path(), name);
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder).map_err(Failure::io(folder))?;
        }
        std::fs::write(&place, rules.run()?.stdout).map_err(Failure::io(&place))?;
    }
    asked(work, scratch.path(), goes)
}

/// What the target has and is not there now, and is ignored now: a later restore knows that it was not there.
pub(crate) fn absent(work: &Work<'_>, differing: &BTreeMap<Name, Pair>) -> Result<BTreeSet<Name>, Failure> {
    let is_absent = |name: &Name| below(work.root, name).symlink_metadata().is_err();
    let comes = differing.iter().filter(|(name, pair)| pair.from.is_none() && is_absent(name));
    asked(work, work.root, joined(comes.map(|(name, _)| name.as_slice())))
}

/// Those of the paths that the rules in this folder ignore.
fn asked(work: &Work<'_>, folder: &Path, names: Vec<u8>) -> Result<BTreeSet<Name>, Failure> {
    if names.is_empty() {
        return Ok(BTreeSet::new());
    }
    let git = work.git(Lend::No).env("GIT_WORK_TREE", folder).within(folder).unset("GIT_LITERAL_PATHSPECS");
    let asked = git.args(["check-ignore", "--no-index", "-z", "--stdin"]).stdin(names).output()?;
    Ok(split(&asked.stdout).map(<[u8]>::to_vec).collect())
}
