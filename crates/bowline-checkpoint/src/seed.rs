//! The first index of a store, made from the user's, so that the first checkpoint needs not read every file.
//!
//! What always holds: an object that is borrowed is in a commit that is pinned, and its bytes are those of the file. What
//! is staged, flagged, unmerged or converted on the way in is read from the disk instead.

use std::collections::BTreeSet;
use std::time::SystemTime;

use crate::atomic_file::remove;
use crate::failure::Failure;
use crate::index::{Index, Known};
use crate::paths::{Name, joined, split};
use crate::pin;
use crate::user_repository::User;
use crate::work::{Lend, Work};

/// Attributes under which a file's bytes are not those of its object.
const CONVERTING: [&str; 6] = ["text", "eol", "crlf", "ident", "filter", "working-tree-encoding"];

/// Makes the index where there is none that can be read. Gives the paths that are the user's to commit and are to be read
/// from the disk whatever else holds of them.
pub(crate) fn seed(work: &Work<'_>) -> Result<Vec<Name>, Failure> {
    remove(&work.index())?;
    let lender = work.lender().filter(|user| user.can_pin());
    let head = match lender {
        Some(user) => user.head(work.deadline)?,
        None => None,
    };
    match (lender, head) {
        (Some(user), Some(head)) => {
            keep(work, user, &head)?;
            copy(work, user, &head)?;
            copy_folders(work, &head)?;
            let forced = settle_doubtful(work, &head)?;
            verify_converted(work, user)?;
            Ok(forced)
        }
        _ => tracked(work),
    }
}

/// From now on this commit of the user's is kept.
fn keep(work: &Work<'_>, user: &User, head: &str) -> Result<(), Failure> {
    pin::add(user, work.home, head, work.deadline)?;
    let mut borrowed = work.borrowed();
    borrowed.insert(head.to_owned());
    work.set_borrowed(&borrowed)
}

/// After a move of HEAD most of what changed lies in the commit it moved to: git compares it with the files, and what is
/// the same is borrowed. Whether there was something to borrow from.
pub(crate) fn borrow_again(work: &Work<'_>, changed: &BTreeSet<&[u8]>) -> Result<bool, Failure> {
    let Some(user) = work.lender().filter(|user| user.can_pin()) else { return Ok(false) };
    let Some(head) = user.head(work.deadline)?.filter(|head| !work.borrowed().contains(head)) else {
        return Ok(false);
    };
    keep(work, user, &head)?;
    let listed = work.git(Lend::Yes).args(["ls-tree", "-r", "-z", &head]).run()?.stdout;
    let mut lines = Vec::new();
    for line in split(&listed) {
        let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
        let (metadata, name) = (&line[..tab], &line[tab + 1..]);
        let words: Vec<&[u8]> = metadata.split(|byte| *byte == b' ').collect();
        if let [mode, b"blob", oid] = words.as_slice()
            && changed.contains(name)
        {
            lines.extend_from_slice(&[mode, b" ".as_slice(), oid, b" 0\t", name, b"\0"].concat());
        }
    }
    compare(work, lines)?;
    Ok(true)
}

/// Puts candidates into the index; those that are the files' bytes settle there.
fn compare(work: &Work<'_>, lines: Vec<u8>) -> Result<(), Failure> {
    if !lines.is_empty() {
        let info = ["update-index", "-z", "--replace", "--index-info"];
        work.git(Lend::Yes).args(info).stdin(lines).run()?;
        // That some need an update is what it is for.
        let _ = work.git(Lend::Yes).args(["update-index", "-q", "--refresh"]).output()?;
    }
    Ok(())
}

/// The user's index, or the commit's files where it can't be had.
fn copy(work: &Work<'_>, user: &User, head: &str) -> Result<(), Failure> {
    if !copy_index(work, user)? {
        remove(&work.index())?;
        work.git(Lend::Yes).args(["read-tree", head]).run()?;
        let _ = work.git(Lend::Yes).args(["update-index", "-q", "--refresh"]).output()?;
    }
    Ok(())
}

/// The trees of the commit, in one pack: else each would be written again by itself. Where that can't be, each is.
fn copy_folders(work: &Work<'_>, head: &str) -> Result<(), Failure> {
    let trees = ["rev-list", "--objects", "--no-object-names", "--filter=blob:none"];
    let trees = work.git(Lend::Yes).args(trees).args([format!("{head}^{{tree}}")]).output()?;
    if !trees.is_success {
        return Ok(());
    }
    let packs = work.dir().join("objects").join("pack");
    std::fs::create_dir_all(&packs).map_err(Failure::io(&packs))?;
    let pack = work.git(Lend::Yes).args(["pack-objects", "-q"]).args([packs.join("pack")]);
    let _ = pack.stdin(trees.stdout).output()?;
    Ok(())
}

/// The user's index with its time: what was written in the same moment is looked at again.
fn copy_index(work: &Work<'_>, user: &User) -> Result<bool, Failure> {
    let Ok(metadata) = std::fs::metadata(&user.index) else { return Ok(false) };
    let written = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    if std::fs::copy(&user.index, work.index()).is_err() {
        return Ok(false);
    }
    let set =
        std::fs::File::options().write(true).open(work.index()).and_then(|file| file.set_modified(written));
    set.map_err(Failure::io(work.index()))?;
    let plain = [
        "update-index",
        "--index-version",
        "2",
        "--no-split-index",
        "--no-untracked-cache",
        "--no-fsmonitor",
        "--force-write-index",
    ];
    let plain = work.git(Lend::Yes).args(plain).output()?;
    Ok(plain.is_success && Index::read(&work.index(), work.oid_bytes()).is_some())
}

/// Takes out what is not surely in the commit as it is on the disk, and gives the paths of files among it.
fn settle_doubtful(work: &Work<'_>, head: &str) -> Result<Vec<Name>, Failure> {
    let index = Index::read(&work.index(), work.oid_bytes()).unwrap_or_default();
    let is_doubtful = |known: &&Known| known.is_flagged || known.is_unmerged() || known.is_submodule();
    let mut forced: BTreeSet<Name> = BTreeSet::new();
    let mut gone: BTreeSet<Name> = BTreeSet::new();
    for known in index.known.iter().filter(is_doubtful) {
        gone.insert(known.name.clone());
        if !known.is_submodule() {
            forced.insert(known.name.clone());
        }
    }
    // Two names for one file, where the disk ignores case, would never settle: git sees to that itself.
    let staged =
        work.git(Lend::Yes).args(["diff-index", "--cached", "--name-only", "-z", "--no-renames", head]);
    for name in split(&staged.run()?.stdout) {
        forced.insert(name.to_vec());
        gone.insert(name.to_vec());
    }
    force_remove(work, gone.iter().map(Vec::as_slice))?;
    Ok(forced.into_iter().collect())
}

pub(crate) fn force_remove<'n>(
    work: &Work<'_>,
    names: impl Iterator<Item = &'n [u8]>,
) -> Result<(), Failure> {
    let names = joined(names);
    if !names.is_empty() {
        work.git(Lend::No).args(["update-index", "-z", "--force-remove", "--stdin"]).stdin(names).run()?;
    }
    Ok(())
}

/// Files that are converted on the way in are known only once their own bytes were compared with the object.
fn verify_converted(work: &Work<'_>, user: &User) -> Result<(), Failure> {
    let index = Index::read(&work.index(), work.oid_bytes()).unwrap_or_default();
    let names = joined(index.known.iter().map(|known| known.name.as_slice()));
    if names.is_empty() {
        return Ok(());
    }
    let converted = converted(work, user, names)?;
    let mut lines = Vec::new();
    for known in index.known.iter().filter(|known| converted.contains(&known.name)) {
        lines.extend_from_slice(format!("{:o} {} 0\t", known.mode, known.oid(work.oid_bytes())).as_bytes());
        lines.extend_from_slice(&known.name);
        lines.push(0);
    }
    compare(work, lines)
}

fn converted(work: &Work<'_>, user: &User, names: Vec<u8>) -> Result<BTreeSet<Name>, Failure> {
    let args = || ["check-attr", "-z", "--stdin"].into_iter().chain(CONVERTING);
    let mut asked = user.git(work.deadline).args(args()).stdin(names.clone()).output()?;
    if !asked.is_success {
        // Their index may be beyond reading. Ours is whole, and stays so.
        let git = user.git(work.deadline).env("GIT_INDEX_FILE", work.index());
        let git = git.set("core.sparseCheckout=false").set("index.sparse=false");
        asked = git.args(args()).stdin(names).run()?;
    }
    let mut fields = asked.stdout.split(|byte| *byte == 0);
    let mut converted = BTreeSet::new();
    let is_converting = user.is_converting();
    while let (Some(name), Some(attribute), Some(value)) = (fields.next(), fields.next(), fields.next()) {
        let is_plain = match (attribute, value) {
            (_, b"unset") => true,
            (b"text", b"unspecified") => !is_converting,
            (_, value) => value == b"unspecified",
        };
        if !is_plain {
            converted.insert(name.to_vec());
        }
    }
    Ok(converted)
}

/// What the user has staged, where nothing is borrowed: it is theirs to commit, so no bound for new files holds.
fn tracked(work: &Work<'_>) -> Result<Vec<Name>, Failure> {
    let Some(user) = &work.user else { return Ok(Vec::new()) };
    let listed = user.git(work.deadline).args(["ls-files", "-z", "--cached"]).output()?;
    let names: BTreeSet<Name> = split(&listed.stdout).map(<[u8]>::to_vec).collect();
    Ok(names.into_iter().collect())
}
