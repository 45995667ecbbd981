//! How the files of two commits differ.

use std::collections::{BTreeMap, BTreeSet};

use crate::failure::Failure;
use crate::metadata::TreeMetadata;
use crate::paths::{Name, ancestors, path};
use crate::snapshot::{Difference, Status};
use crate::work::{Lend, Work};

/// A file in a tree: its mode as git has it, and its object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) mode: u32,
    pub(crate) oid: String,
    /// All of them, where it is a regular file.
    pub(crate) permissions: u32,
}

impl Held {
    pub(crate) fn is_link(&self) -> bool {
        self.mode == 0o120_000
    }

    fn new(mode: &str, oid: &str, name: &[u8], metadata: &TreeMetadata) -> Option<Held> {
        let mode = u32::from_str_radix(mode, 8).ok().filter(|mode| *mode != 0)?;
        let permissions = if mode == 0o120_000 { 0o777 } else { metadata.mode(name, mode == 0o100_755) };
        Some(Held { mode, oid: oid.to_owned(), permissions })
    }
}

/// One path that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) from: Option<Held>,
    pub(crate) to: Option<Held>,
}

/// A commit's tree and what stands beside it.
pub(crate) struct Side {
    pub(crate) tree: String,
    pub(crate) metadata: TreeMetadata,
}

/// Reads a commit of the store.
pub(crate) fn side(work: &Work<'_>, commit: &str) -> Result<Side, Failure> {
    let unknown = || Failure::Unknown(commit.to_owned());
    if commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(unknown());
    }
    let shown = work.git(Lend::No).args(["cat-file", "commit", commit]).output()?;
    if !shown.is_success {
        return Err(unknown());
    }
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    let (head, message) = text.split_once("\n\n").ok_or_else(unknown)?;
    let tree = head.lines().find_map(|line| line.strip_prefix("tree ")).ok_or_else(unknown)?;
    let metadata = TreeMetadata::parse(message).ok_or_else(unknown)?;
    Ok(Side { tree: tree.to_owned(), metadata })
}

/// The files that differ, permissions included.
pub(crate) fn pairs(work: &Work<'_>, from: &Side, to: &Side) -> Result<BTreeMap<Name, Pair>, Failure> {
    let mut pairs = BTreeMap::new();
    if from.tree != to.tree {
        let args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", &from.tree, &to.tree];
        let listed = work.git(Lend::Yes).args(args).run()?.stdout;
        let mut fields = listed.split(|byte| *byte == 0);
        while let (Some(metadata), Some(name)) = (fields.next(), fields.next()) {
            let metadata = String::from_utf8_lossy(metadata);
            let words: Vec<&str> = metadata.trim_start_matches(':').split(' ').collect();
            let [from_mode, to_mode, from_oid, to_oid, ..] = words.as_slice() else { continue };
            let pair = Pair {
                from: Held::new(from_mode, from_oid, name, &from.metadata),
                to: Held::new(to_mode, to_oid, name, &to.metadata),
            };
            pairs.insert(name.to_vec(), pair);
        }
    }
    let usual_differ = !from.metadata.is_usual_same(&to.metadata);
    if usual_differ || !from.metadata.others_same(&to.metadata) {
        permissions(work, from, to, usual_differ, &mut pairs)?;
    }
    Ok(pairs)
}

/// Files of equal content with other permissions.
fn permissions(
    work: &Work<'_>,
    from: &Side,
    to: &Side,
    is_every_file_looked_at: bool,
    pairs: &mut BTreeMap<Name, Pair>,
) -> Result<(), Failure> {
    let names: Vec<&Name> = from.metadata.others().chain(to.metadata.others()).collect();
    let listed = work.git(Lend::Yes).args(["ls-tree", "-r", "-z", &to.tree]).run()?.stdout;
    let wanted: BTreeSet<&[u8]> = names.into_iter().map(Vec::as_slice).collect();
    for line in crate::paths::split(&listed) {
        let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
        let name = &line[tab + 1..];
        if pairs.contains_key(name) || !(is_every_file_looked_at || wanted.contains(name)) {
            continue;
        }
        let metadata = String::from_utf8_lossy(&line[..tab]).into_owned();
        let words: Vec<&str> = metadata.split(' ').collect();
        let [mode, _, oid] = words.as_slice() else { continue };
        let pair = Pair {
            from: Held::new(mode, oid, name, &from.metadata),
            to: Held::new(mode, oid, name, &to.metadata),
        };
        if pair.from != pair.to {
            pairs.insert(name.to_vec(), pair);
        }
    }
    Ok(())
}

/// Folders that both have, with other permissions: those in `from` and those in `to`.
pub(crate) fn folder_modes(
    work: &Work<'_>,
    from: &Side,
    to: &Side,
) -> Result<BTreeMap<Name, (u32, u32)>, Failure> {
    if from.metadata.is_folders_same(&to.metadata) {
        return Ok(BTreeMap::new());
    }
    let others = folders(work, to)?;
    let both = folders(work, from)?.into_iter().filter(|name| others.contains(name));
    let modes = both.map(|name| {
        let modes = (from.metadata.folder_mode(&name), to.metadata.folder_mode(&name));
        (name, modes)
    });
    Ok(modes.filter(|(_, (from, to))| from != to).collect())
}

/// All folders of a side, the empty ones and those they lie in, too.
pub(crate) fn folders(work: &Work<'_>, side: &Side) -> Result<BTreeSet<Name>, Failure> {
    let listed =
        work.git(Lend::Yes).args(["ls-tree", "-r", "-d", "-z", "--name-only", &side.tree]).run()?.stdout;
    let mut folders: BTreeSet<Name> = crate::paths::split(&listed).map(<[u8]>::to_vec).collect();
    for empty in &side.metadata.folders {
        folders.extend(ancestors(empty).chain([empty.as_slice()]).map(<[u8]>::to_vec));
    }
    Ok(folders)
}

/// Lines added and removed by path; none for what is no text.
pub(crate) fn counts(work: &Work<'_>, from: &str, to: &str) -> Result<BTreeMap<Name, (u64, u64)>, Failure> {
    if from == to {
        return Ok(BTreeMap::new());
    }
    let args = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", from, to];
    let listed = work.git(Lend::Yes).args(args).run()?.stdout;
    let mut counts = BTreeMap::new();
    for line in crate::paths::split(&listed) {
        let mut fields = line.splitn(3, |byte| *byte == b'\t');
        let (Some(added), Some(removed), Some(name)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let number = |field: &[u8]| std::str::from_utf8(field).ok()?.parse().ok();
        if let (Some(added), Some(removed)) = (number(added), number(removed)) {
            counts.insert(name.to_vec(), (added, removed));
        }
    }
    Ok(counts)
}

/// For people: files and empty folders.
pub(crate) fn differences(work: &Work<'_>, from: &Side, to: &Side) -> Result<Vec<Difference>, Failure> {
    let counts = counts(work, &from.tree, &to.tree)?;
    let mut differences: Vec<Difference> = pairs(work, from, to)?
        .into_iter()
        .map(|(name, pair)| {
            let count = counts.get(&name).copied();
            let (added, removed) = (count.map(|count| count.0), count.map(|count| count.1));
            Difference { path: path(&name), status: status(&pair), added, removed }
        })
        .collect();
    let folder = |name: &Name, status| Difference { path: path(name), status, added: None, removed: None };
    let (before, after) = (&from.metadata.folders, &to.metadata.folders);
    differences.extend(after.difference(before).map(|name| folder(name, Status::FolderAdded)));
    differences.extend(before.difference(after).map(|name| folder(name, Status::FolderDeleted)));
    let modes = folder_modes(work, from, to)?;
    differences.extend(modes.keys().map(|name| folder(name, Status::Mode)));
    differences.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(differences)
}

fn status(pair: &Pair) -> Status {
    match (&pair.from, &pair.to) {
        (None, _) => Status::Added,
        (_, None) => Status::Deleted,
        (Some(from), Some(to)) if from.is_link() != to.is_link() => Status::Kind,
        (Some(from), Some(to)) if from.oid == to.oid => Status::Mode,
        _ => Status::Modified,
    }
}
