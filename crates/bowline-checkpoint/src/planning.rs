//! Makes the plan of a restore: what differs from the target, whose change that is, and the files as they will be.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;

use crate::diff::{Held, Pair, Side, counts, folder_modes, pairs, side};
use crate::failure::Failure;
use crate::ignored;
use crate::index::Index;
use crate::paths::{Name, ancestors, below, is_within, name, path};
use crate::plan::{Action, Cause, Kept, Plan, PlanRequest, Planned, UserChanges, WhyKept};
use crate::take::{Now, commit_tree, take};
use crate::work::{Lend, Work};

/// What was done since, all in all: the paths that were changed, each as it was left last.
#[derive(Default)]
struct Done {
    files: BTreeMap<Name, Option<Held>>,
    folders_made: BTreeSet<Name>,
    folders_gone: BTreeSet<Name>,
    folder_modes: BTreeMap<Name, u32>,
}

/// Which of them.
type Folders = fn(&Done) -> &BTreeSet<Name>;

/// Takes the state now and says how it would become the target.
pub(crate) fn plan(work: &Work<'_>, request: &PlanRequest<'_>) -> Result<(Now, Plan), Failure> {
    let target = side(work, request.target)?;
    let (now, differing) = captured(work, &target)?;
    let from = now.side();
    let done = match request.taken_back {
        Some(turns) => Some(done(work, turns)?),
        None => None,
    };
    let index = Index::read(&work.index(), work.oid_bytes()).unwrap_or_default();
    let held = index.known.into_iter().map(|known| known.name).collect();
    let ignored = ignored::then(work, &from, &target, &differing)?;
    let mut draft = Draft {
        work,
        request,
        done,
        held,
        target: &target,
        ignored,
        kept: Vec::new(),
        files: BTreeMap::new(),
    };
    draft.sort(differing);
    draft.give_way();
    let (folders, about_folders) = draft.folders(&from, &target);
    draft.keep_folders(&from, &target, &about_folders);
    let dressed = draft.dress_folders(folder_modes(work, &from, &target)?);
    let (goal, tree) = draft.goal(&from, &target, about_folders, &dressed)?;
    let counts = counts(work, &from.tree, &tree)?;
    let mut changes: Vec<Planned> = draft
        .files
        .iter()
        .map(|(file, (pair, cause))| {
            let action = match (&pair.from, &pair.to) {
                (None, _) => Action::Create,
                (_, None) => Action::Delete,
                _ => Action::Write,
            };
            let count = counts.get(file).copied();
            let (added, removed) = (count.map(|count| count.0), count.map(|count| count.1));
            Planned { path: path(file), action, cause: *cause, added, removed }
        })
        .collect();
    changes.extend(folders);
    changes.extend(dressed);
    changes.sort_by(|one, other| one.path.cmp(&other.path));
    let mut kept = draft.kept;
    kept.sort_by(|one, other| one.path.cmp(&other.path));
    let plan =
        Plan { now: now.snapshot.commit.clone(), target: request.target.to_owned(), goal, changes, kept };
    Ok((now, plan))
}

/// The state now, with whatever lies where the target has a file, ignored or too large: else a restore would lose it.
fn captured(work: &Work<'_>, target: &Side) -> Result<(Now, BTreeMap<Name, Pair>), Failure> {
    let now = take(work, &[])?;
    let differing = pairs(work, &now.side(), target)?;
    let mut also: BTreeSet<Name> = BTreeSet::new();
    let is_file = |name: &[u8]| {
        let is_small = |metadata: &std::fs::Metadata| metadata.len() <= work.settings.known_file_bytes_max;
        below(work.root, name)
            .symlink_metadata()
            .is_ok_and(|metadata| metadata.is_symlink() || (metadata.is_file() && is_small(&metadata)))
    };
    for (file, pair) in &differing {
        if pair.from.is_none() {
            let in_the_way = ancestors(file).chain([file.as_slice()]).find(|name| is_file(name));
            also.extend(in_the_way.map(<[u8]>::to_vec));
        }
    }
    let (mut now, differing) = if also.is_empty() {
        (now, differing)
    } else {
        let now = take(work, &also.into_iter().collect::<Vec<_>>())?;
        let differing = pairs(work, &now.side(), target)?;
        (now, differing)
    };
    // Empty folders that are ignored and lie where a file comes are noted, too.
    let comes = differing.iter().filter(|(_, pair)| pair.from.is_none()).map(|(file, _)| file);
    let empty: Vec<Name> = comes
        .filter(|file| {
            let place = below(work.root, file);
            !place.is_symlink() && place.read_dir().is_ok_and(|mut entries| entries.next().is_none())
        })
        .filter(|file| !now.metadata.folders.contains(*file))
        .filter(|file| !ancestors(file).any(|folder| below(work.root, folder).is_symlink()))
        .cloned()
        .collect();
    let is_more = !empty.is_empty();
    now.metadata.folders.extend(empty);
    now.metadata.absent = ignored::absent(work, &now.side(), target, &differing)?;
    if is_more || !now.metadata.absent.is_empty() {
        now.snapshot.commit = commit_tree(work, &now.tree, &now.metadata)?;
    }
    Ok((now, differing))
}

fn done(work: &Work<'_>, turns: &[(String, String)]) -> Result<Done, Failure> {
    let mut files: BTreeMap<Name, Pair> = BTreeMap::new();
    let mut modes: BTreeMap<Name, (u32, u32)> = BTreeMap::new();
    let mut done = Done::default();
    for (before, after) in turns.iter().filter(|(before, after)| before != after) {
        let (before, after) = match (side(work, before), side(work, after)) {
            (Ok(before), Ok(after)) => (before, after),
            // One that is kept no longer: what it did is nobody's, and stays.
            (Err(Failure::Unknown(_)), _) | (_, Err(Failure::Unknown(_))) => continue,
            (Err(failure), _) | (_, Err(failure)) => return Err(failure),
        };
        for (file, pair) in pairs(work, &before, &after)? {
            let to = pair.to.clone();
            files.entry(file).or_insert(pair).to = to;
        }
        for folder in after.metadata.folders.difference(&before.metadata.folders) {
            if !done.folders_gone.remove(folder) {
                done.folders_made.insert(folder.clone());
            }
        }
        for folder in before.metadata.folders.difference(&after.metadata.folders) {
            if !done.folders_made.remove(folder) {
                done.folders_gone.insert(folder.clone());
            }
        }
        for (folder, mode) in folder_modes(work, &before, &after)? {
            modes.entry(folder).or_insert(mode).1 = mode.1;
        }
    }
    // What was done and taken back again was not done.
    files.retain(|_, pair| pair.from != pair.to);
    modes.retain(|_, (from, to)| from != to);
    done.files = files.into_iter().map(|(file, pair)| (file, pair.to)).collect();
    done.folder_modes = modes.into_iter().map(|(folder, (_, left))| (folder, left)).collect();
    Ok(done)
}

struct Draft<'d> {
    work: &'d Work<'d>,
    request: &'d PlanRequest<'d>,
    done: Option<Done>,
    /// What the checkpoint of now has.
    held: BTreeSet<Name>,
    target: &'d Side,
    /// What goes with the target and was ignored then: it may have been there.
    ignored: BTreeSet<Name>,
    kept: Vec<Kept>,
    files: BTreeMap<Name, (Pair, Cause)>,
}

impl Draft<'_> {
    /// Whose change each is, and what becomes of it.
    fn sort(&mut self, pairs: BTreeMap<Name, Pair>) {
        for (file, pair) in pairs {
            let cause = match &self.done {
                None => Cause::Turn,
                Some(done) => match done.files.get(&file) {
                    Some(left) if *left == pair.from => Cause::Turn,
                    Some(_) => Cause::Both,
                    None => Cause::User,
                },
            };
            let why = if cause == Cause::User && self.request.user_changes == UserChanges::Keep {
                Some(WhyKept::User)
            } else {
                self.is_lost_with(&file, &pair).then_some(WhyKept::NotCaptured)
            };
            match why {
                Some(why) => {
                    // Of a folder that was left out as a whole the folder is named.
                    let left = self.target.metadata.left.iter().find(|left| is_within(&file, left));
                    let place = left.filter(|_| why == WhyKept::NotCaptured).unwrap_or(&file);
                    let kept = Kept { path: path(place), why };
                    if self.kept.last() != Some(&kept) {
                        self.kept.push(kept);
                    }
                }
                None => {
                    self.files.insert(file, (pair, cause));
                }
            }
        }
    }

    /// Whether something that no checkpoint holds lies where the file goes.
    fn is_lost_with(&self, file: &[u8], pair: &Pair) -> bool {
        if pair.to.is_none() {
            // It may have been there at the checkpoint, too large or ignored then.
            return self.ignored.contains(file)
                || self.target.metadata.left.iter().any(|left| is_within(file, left));
        }
        if pair.from.is_some() {
            return false;
        }
        let blocks = ancestors(file).find(|folder| {
            below(self.work.root, folder).symlink_metadata().is_ok_and(|metadata| !metadata.is_dir())
        });
        if let Some(place) = blocks {
            return !self.held.contains(place);
        }
        match below(self.work.root, file).symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => self.has_unheld(file),
            Ok(_) => !self.held.contains(file),
            Err(_) => false,
        }
    }

    /// Whether a folder has something in it that the checkpoint of now has not: git would not even list a pipe.
    fn has_unheld(&self, folder: &[u8]) -> bool {
        let mut open = vec![folder.to_vec()];
        while let Some(folder) = open.pop() {
            let Ok(entries) = below(self.work.root, &folder).read_dir() else { return true };
            for entry in entries.flatten() {
                let place = [&folder, b"/".as_slice(), entry.file_name().as_bytes()].concat();
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder && entry.file_name() != ".git" {
                    open.push(place);
                } else if !self.held.contains(&place) {
                    return true;
                }
            }
        }
        false
    }

    /// A path that goes back gives way to what the user has put there and keeps.
    fn give_way(&mut self) {
        let users: Vec<Name> =
            self.kept.iter().map(|kept| name(&kept.path)).filter(|file| self.held.contains(file)).collect();
        let is_in_the_way = |file: &[u8]| {
            users.iter().any(|user| user != file && (is_within(user, file) || is_within(file, user)))
        };
        let gone: Vec<Name> = self
            .files
            .iter()
            .filter(|(file, (pair, _))| pair.to.is_some() && is_in_the_way(file))
            .map(|(file, _)| file.clone())
            .collect();
        for file in gone {
            self.files.remove(&file);
            self.kept.push(Kept { path: path(&file), why: WhyKept::User });
        }
    }

    /// Empty folders to make and to remove, and those there will be.
    fn folders(&self, from: &Side, target: &Side) -> (Vec<Planned>, BTreeSet<Name>) {
        let (now, then) = (&from.metadata.folders, &target.metadata.folders);
        let is_restoring = self.request.user_changes == UserChanges::Restore;
        let is_meant = |name: &Name, of: Folders| {
            is_restoring || self.done.as_ref().is_none_or(|done| of(done).contains(name))
        };
        let cause = |name: &Name, of: Folders| {
            let is_turn = self.done.as_ref().is_none_or(|done| of(done).contains(name));
            if is_turn { Cause::Turn } else { Cause::User }
        };
        let made: Folders = |done| &done.folders_made;
        let gone: Folders = |done| &done.folders_gone;
        let is_file_there = |folder: &Name| {
            self.files.iter().any(|(file, (pair, _))| pair.to.is_some() && is_within(file, folder))
        };
        let mut folders = now.clone();
        let mut planned = Vec::new();
        let mut plan = |name: &Name, action, cause| {
            planned.push(Planned { path: path(name), action, cause, added: None, removed: None });
        };
        let may_go = |name: &Name| is_meant(name, made) && !self.ignored.contains(name);
        for name in now.difference(then).filter(|name| may_go(name) || is_file_there(name)) {
            folders.remove(name);
            if !is_file_there(name) {
                plan(name, Action::RemoveFolder, cause(name, made));
            }
        }
        for name in then.difference(now).filter(|name| is_meant(name, gone)) {
            if self.can_be_empty(name) {
                folders.insert(name.clone());
                plan(name, Action::MakeFolder, cause(name, gone));
            }
        }
        (planned, folders)
    }

    /// Empty folders that differ from the target and stay so.
    fn keep_folders(&mut self, from: &Side, target: &Side, folders: &BTreeSet<Name>) {
        let (now, then) = (&from.metadata.folders, &target.metadata.folders);
        let is_there = |name: &Name| below(self.work.root, name).symlink_metadata().is_ok();
        let stay = now.difference(then).filter(|name| folders.contains(*name));
        let gone = then.difference(now).filter(|name| !folders.contains(*name) && !is_there(name));
        let kept: Vec<Kept> =
            stay.chain(gone).map(|name| Kept { path: path(name), why: WhyKept::User }).collect();
        self.kept.extend(kept);
    }

    /// Folders that get other permissions; those that only the user changed stay.
    fn dress_folders(&mut self, modes: BTreeMap<Name, (u32, u32)>) -> Vec<Planned> {
        let mut planned = Vec::new();
        for (folder, (now, _)) in modes {
            let left = self.done.as_ref().map(|done| done.folder_modes.get(&folder));
            let cause = match left {
                None => Cause::Turn,
                Some(Some(left)) if *left == now => Cause::Turn,
                Some(Some(_)) => Cause::Both,
                Some(None) => Cause::User,
            };
            if cause == Cause::User && self.request.user_changes == UserChanges::Keep {
                self.kept.push(Kept { path: path(&folder), why: WhyKept::User });
            } else {
                let (added, removed) = (None, None);
                planned.push(Planned { path: path(&folder), action: Action::Write, cause, added, removed });
            }
        }
        planned
    }

    /// Whether nothing will be in it when the plan is done, and no file stands in its place.
    fn can_be_empty(&self, folder: &[u8]) -> bool {
        let goes = |file: &[u8]| self.files.get(file).is_some_and(|(pair, _)| pair.to.is_none());
        let is_blocked = ancestors(folder).chain([folder]).any(|place| {
            let is_there =
                below(self.work.root, place).symlink_metadata().is_ok_and(|metadata| !metadata.is_dir());
            // A repository of its own is left alone.
            let is_apart = below(self.work.root, place).join(".git").symlink_metadata().is_ok();
            is_apart || is_there && !goes(place)
        });
        let comes = self.files.iter().any(|(file, (pair, _))| {
            pair.to.is_some() && (is_within(file, folder) || is_within(folder, file))
        });
        // One that is there and that nothing leaves has something in it that no checkpoint holds, and stays.
        let is_left = self.files.keys().any(|file| is_within(file, folder));
        let is_there =
            below(self.work.root, folder).symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        let stays = is_there && !is_left;
        !is_blocked && !stays && !comes && !self.kept.iter().any(|kept| is_within(&name(&kept.path), folder))
    }

    /// The files as they will be, as a commit and its tree.
    fn goal(
        &self,
        from: &Side,
        target: &Side,
        folders: BTreeSet<Name>,
        dressed: &[Planned],
    ) -> Result<(String, String), Failure> {
        let mut metadata = from.metadata.clone();
        metadata.folders = folders;
        let coming = self.files.iter().filter(|(_, (pair, _))| pair.to.is_some()).map(|(file, _)| file);
        let within = coming.flat_map(|file| ancestors(file));
        let empty = metadata.folders.iter().flat_map(|folder| ancestors(folder).chain([folder.as_slice()]));
        let made: BTreeSet<Name> = within
            .chain(empty)
            .filter(|folder| below(self.work.root, folder).symlink_metadata().is_err())
            .map(<[u8]>::to_vec)
            .collect();
        for folder in made.into_iter().chain(dressed.iter().map(|planned| name(&planned.path))) {
            metadata.set_folder_mode(&folder, target.metadata.folder_mode(&folder));
        }
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for (file, (pair, _)) in &self.files {
            let held = pair.to.as_ref();
            let is_program = held.is_some_and(|held| held.mode == 0o100_755);
            let mode = held.filter(|held| !held.is_link()).map(|held| held.permissions);
            metadata.set_mode(file, is_program, mode);
            let line = held.map_or_else(
                || format!("0 {}\t", "0".repeat(self.work.oid_bytes() * 2)),
                |held| format!("{:o} {} 0\t", held.mode, held.oid),
            );
            let lines = if held.is_none() { &mut gone } else { &mut come };
            lines.extend_from_slice(line.as_bytes());
            lines.extend_from_slice(file);
            lines.push(0);
        }
        let tree = if self.files.is_empty() {
            from.tree.clone()
        } else if self.kept.is_empty() {
            target.tree.clone()
        } else {
            self.mixed(gone, &come)?
        };
        Ok((commit_tree(self.work, &tree, &metadata)?, tree))
    }

    /// The tree of now with some paths of the target.
    fn mixed(&self, mut lines: Vec<u8>, come: &[u8]) -> Result<String, Failure> {
        lines.extend_from_slice(come);
        let goal = self.work.folder.join("goal");
        std::fs::copy(self.work.index(), &goal).map_err(Failure::io(&goal))?;
        let info = ["update-index", "-z", "--add", "--replace", "--index-info"];
        self.work.git_on(&goal, Lend::Yes).args(info).stdin(lines).run()?;
        let tree = self.work.git_on(&goal, Lend::No).args(["write-tree", "--missing-ok"]).run()?.line();
        crate::atomic_file::remove(&goal)?;
        Ok(tree)
    }
}
