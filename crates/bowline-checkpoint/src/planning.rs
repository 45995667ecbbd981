//! Makes the plan of a restore: what differs from the target, whose change that is, and the files as they will be.

use std::collections::{BTreeMap, BTreeSet};

use crate::differ::{Held, Pair, Side, counts, pairs, side};
use crate::failure::Failure;
use crate::paths::{Name, ancestors, below, is_within, name, path};
use crate::plan::{Action, Cause, Kept, Plan, Planned, UserChanges, WhyKept, Wish};
use crate::take::{Now, commit_tree, take};
use crate::work::{Lend, Work};

/// What the turns that are taken back did: the paths they changed, each as the last of them left it.
#[derive(Default)]
struct Done {
    files: BTreeMap<Name, Option<Held>>,
    folders_made: BTreeSet<Name>,
    folders_gone: BTreeSet<Name>,
}

/// Which of them.
type Folders = fn(&Done) -> &BTreeSet<Name>;

/// Takes the state now and says how it would become the target.
pub(crate) fn plan(work: &Work<'_>, wish: &Wish<'_>) -> Result<(Now, Plan), Failure> {
    let target = side(work, wish.target)?;
    let now = captured(work, &target)?;
    let from = Side { tree: now.tree.clone(), about: now.about.clone() };
    let done = match wish.taken_back {
        Some(turns) => Some(done(work, turns)?),
        None => None,
    };
    let mut draft = Draft { work, wish, done, now: &now, kept: Vec::new(), files: BTreeMap::new() };
    draft.sort(pairs(work, &from, &target)?);
    draft.give_way();
    let (folders, about_folders) = draft.folders(&from, &target);
    let goal = draft.goal(&from, &target, about_folders)?;
    let counts = counts(work, &from, &side(work, &goal)?)?;
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
    changes.sort_by(|one, other| one.path.cmp(&other.path));
    let mut kept = draft.kept;
    kept.sort_by(|one, other| one.path.cmp(&other.path));
    let plan = Plan { now: now.snapshot.commit.clone(), target: wish.target.to_owned(), goal, changes, kept };
    Ok((now, plan))
}

/// The state now, with whatever lies where the target has a file, ignored or too large: else a restore would lose it.
fn captured(work: &Work<'_>, target: &Side) -> Result<Now, Failure> {
    let now = take(work, &[])?;
    let from = Side { tree: now.tree.clone(), about: now.about.clone() };
    let mut also: BTreeSet<Name> = BTreeSet::new();
    let is_file = |name: &[u8]| {
        below(work.root, name).symlink_metadata().is_ok_and(|about| about.is_file() || about.is_symlink())
    };
    for (file, pair) in pairs(work, &from, target)? {
        if pair.from.is_none() {
            let in_the_way = ancestors(&file).chain([file.as_slice()]).find(|name| is_file(name));
            also.extend(in_the_way.map(<[u8]>::to_vec));
        }
    }
    if also.is_empty() { Ok(now) } else { take(work, &also.into_iter().collect::<Vec<_>>()) }
}

fn done(work: &Work<'_>, turns: &[(String, String)]) -> Result<Done, Failure> {
    let mut done = Done::default();
    for (before, after) in turns.iter().filter(|(before, after)| before != after) {
        let (before, after) = (side(work, before)?, side(work, after)?);
        for (file, pair) in pairs(work, &before, &after)? {
            done.files.insert(file, pair.to);
        }
        let (earlier, later) = (&before.about.folders, &after.about.folders);
        done.folders_made.extend(later.difference(earlier).cloned());
        done.folders_gone.extend(earlier.difference(later).cloned());
    }
    Ok(done)
}

struct Draft<'d> {
    work: &'d Work<'d>,
    wish: &'d Wish<'d>,
    done: Option<Done>,
    now: &'d Now,
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
            let why = if cause == Cause::User && self.wish.user_changes == UserChanges::Keep {
                Some(WhyKept::User)
            } else {
                self.is_lost_with(&file, &pair).then_some(WhyKept::NotCaptured)
            };
            match why {
                Some(why) => self.kept.push(Kept { path: path(&file), why }),
                None => {
                    self.files.insert(file, (pair, cause));
                }
            }
        }
    }

    /// Whether something that no checkpoint holds lies where the file goes.
    fn is_lost_with(&self, file: &[u8], pair: &Pair) -> bool {
        if pair.from.is_some() || pair.to.is_none() {
            return false;
        }
        let not = &self.now.snapshot.not_captured;
        let is_unheld = |place: &[u8]| not.iter().any(|not| name(&not.path) == place);
        let blocks = ancestors(file).find(|folder| {
            below(self.work.root, folder).symlink_metadata().is_ok_and(|about| !about.is_dir())
        });
        if blocks.is_some_and(|place| is_unheld(place) || !self.is_held(place)) {
            return true;
        }
        match below(self.work.root, file).symlink_metadata() {
            Ok(about) if about.is_dir() => self.has_unheld(file),
            Ok(_) => !self.is_held(file),
            Err(_) => false,
        }
    }

    /// Whether the checkpoint of now has it.
    fn is_held(&self, file: &[u8]) -> bool {
        let asked = self.work.git(Lend::No).args(["ls-files", "-z", "--cached", "--"]).args([path(file)]);
        asked.output().is_ok_and(|listed| !listed.stdout.is_empty())
    }

    /// Whether a folder has something in it that the checkpoint of now has not.
    fn has_unheld(&self, folder: &[u8]) -> bool {
        let others = ["ls-files", "-z", "--others", "--"];
        let asked = self.work.git(Lend::No).args(others).args([path(folder)]);
        asked.output().map_or(true, |listed| !listed.stdout.is_empty())
    }

    /// A path that goes back gives way to what the user has put there and keeps.
    fn give_way(&mut self) {
        let users: Vec<Name> =
            self.kept.iter().map(|kept| name(&kept.path)).filter(|file| self.is_held(file)).collect();
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
        let (now, then) = (&from.about.folders, &target.about.folders);
        let is_restoring = self.wish.user_changes == UserChanges::Restore;
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
        for name in now.difference(then).filter(|name| is_meant(name, made) || is_file_there(name)) {
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

    /// Whether nothing will be in it when the plan is done, and no file stands in its place.
    fn can_be_empty(&self, folder: &[u8]) -> bool {
        let goes = |file: &[u8]| self.files.get(file).is_some_and(|(pair, _)| pair.to.is_none());
        let is_blocked = ancestors(folder).chain([folder]).any(|place| {
            let is_there = below(self.work.root, place).symlink_metadata().is_ok_and(|about| !about.is_dir());
            is_there && !goes(place)
        });
        let comes = self.files.iter().any(|(file, (pair, _))| {
            pair.to.is_some() && (is_within(file, folder) || is_within(folder, file))
        });
        !is_blocked && !comes && !self.kept.iter().any(|kept| is_within(&name(&kept.path), folder))
    }

    /// The files as they will be, as a commit.
    fn goal(&self, from: &Side, target: &Side, folders: BTreeSet<Name>) -> Result<String, Failure> {
        let mut about = from.about.clone();
        about.folders = folders;
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for (file, (pair, _)) in &self.files {
            let held = pair.to.as_ref();
            let is_program = held.is_some_and(|held| held.mode == 0o100_755);
            let mode = held.filter(|held| !held.is_link()).map(|held| held.permissions);
            about.set_mode(file, is_program, mode);
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
        commit_tree(self.work, &tree, &about)
    }

    /// The tree of now with some paths of the target.
    fn mixed(&self, mut lines: Vec<u8>, come: &[u8]) -> Result<String, Failure> {
        lines.extend_from_slice(come);
        let goal = self.work.folder.join("goal");
        std::fs::copy(self.work.index(), &goal).map_err(Failure::io(&goal))?;
        let info = ["update-index", "-z", "--add", "--replace", "--index-info"];
        self.work.git_on(&goal, Lend::Yes).args(info).stdin(lines).run()?;
        let tree = self.work.git_on(&goal, Lend::No).args(["write-tree", "--missing-ok"]).run()?.line();
        crate::files::remove(&goal)?;
        Ok(tree)
    }
}
