//! Ignored then, not ignored now, or the other way round: where the rules themselves changed, a file that is in one
//! checkpoint and not in the other may have been there all the time. It is not deleted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::diff::{Pair, Side};
use crate::failure::Failure;
use crate::git::failed;
use crate::paths::{Name, ancestors, below, joined, path, split};
use crate::work::{Lend, Work};

fn is_rule(name: &[u8]) -> bool {
    name == b".gitignore" || name.ends_with(b"/.gitignore")
}

/// What is there now and not in the target, and would have been ignored by the target's rules; empty folders, too.
pub(crate) fn then(
    work: &Work<'_>,
    from: &Side,
    target: &Side,
    differing: &BTreeMap<Name, Pair>,
) -> Result<BTreeSet<Name>, Failure> {
    let goes = differing.iter().filter(|(_, pair)| pair.to.is_none()).map(|(name, _)| name.clone());
    let folders = from.metadata.folders.difference(&target.metadata.folders).map(|name| folder(name));
    let comes = || differing.iter().filter(|(_, pair)| pair.to.is_some()).map(|(name, _)| name.as_slice());
    let files: BTreeSet<&[u8]> = comes().collect();
    let empty = target.metadata.folders.iter().flat_map(|name| ancestors(name).chain([name.as_slice()]));
    let folders_then: BTreeSet<&[u8]> = comes().flat_map(ancestors).chain(empty).collect();
    // Surely not there: known to be absent, a folder, or below what was a file.
    let is_absent = |name: &Name| {
        let name = name.strip_suffix(b"/").unwrap_or(name);
        let is_below = ancestors(name).any(|folder| files.contains(folder));
        is_below || target.metadata.absent.contains(name) || folders_then.contains(name)
    };
    let goes: Vec<Name> = goes.chain(folders).filter(|name| !is_absent(name)).collect();
    if !differing.keys().any(|name| is_rule(name)) {
        // The rules of then are those of now.
        return asked(work, work.root, goes);
    }
    let scratch = tempfile::tempdir_in(work.folder).map_err(Failure::io(work.folder))?;
    let listed = work.git(Lend::Yes).args(["ls-tree", "-r", "-z", &target.tree]).run()?.stdout;
    // A link is no rule: git does not follow it.
    let files = split(&listed).filter(|line| line.starts_with(b"100"));
    let names = files.filter_map(|line| line.splitn(2, |byte| *byte == b'\t').nth(1));
    for name in names.filter(|name| is_rule(name)) {
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
pub(crate) fn absent(
    work: &Work<'_>,
    from: &Side,
    target: &Side,
    differing: &BTreeMap<Name, Pair>,
) -> Result<BTreeSet<Name>, Failure> {
    let is_absent = |name: &Name| below(work.root, name).symlink_metadata().is_err();
    let comes = differing.iter().filter(|(_, pair)| pair.from.is_none()).map(|(name, _)| name);
    let comes = comes.filter(|name| is_absent(name)).cloned();
    let folders = target.metadata.folders.difference(&from.metadata.folders);
    let folders = folders.filter(|name| is_absent(name)).map(|name| folder(name));
    asked(work, work.root, comes.chain(folders).collect())
}

/// A folder's name as the rules know it.
fn folder(name: &[u8]) -> Name {
    [name, b"/"].concat()
}

/// Those of the paths that the rules in this folder ignore.
fn asked(work: &Work<'_>, root: &Path, mut names: Vec<Name>) -> Result<BTreeSet<Name>, Failure> {
    // Beyond a link no rule holds, and git refuses to say so.
    names.retain(|name| !ancestors(name).any(|folder| below(root, folder).is_symlink()));
    if names.is_empty() {
        return Ok(BTreeSet::new());
    }
    // With this in front no name reads as a pattern.
    let names: Vec<Name> = names.into_iter().map(|name| [b"./", name.as_slice()].concat()).collect();
    let git = work.git(Lend::No).env("GIT_WORK_TREE", root).within(root).unset("GIT_LITERAL_PATHSPECS");
    let git = git.args(["check-ignore", "--no-index", "-z", "--stdin"]);
    let asked = git.stdin(joined(names.iter().map(Vec::as_slice))).output()?;
    // 1: none of them.
    if !matches!(asked.code, Some(0 | 1)) {
        return Err(failed("git check-ignore", &asked));
    }
    let plain = |name: &[u8]| {
        let name = name.strip_prefix(b"./").unwrap_or(name);
        name.strip_suffix(b"/").unwrap_or(name).to_vec()
    };
    Ok(split(&asked.stdout).map(plain).collect())
}
