//! One situation, gone through: setup, checkpoint, turn, checkpoint, what the user does; then a restore and all that has to
//! hold around it. Runs in a process of its own, so that its environment is the case's.

use std::path::{Path, PathBuf};
use std::process::Command;

use bowline_checkpoint::{
    Action, Cause, Failure, Plan, PlanRequest, Settings, Snapshot, Status, Store, UserChanges, WhyKept,
    WhyNot,
};

use crate::case::Case;
use crate::ground::Ground;
use crate::kills::Killing;
use crate::repository::{Repository, RepositorySeen};
use crate::tree_state::{Seen, Stamps, Thing, file, look};

/// How a situation is gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twin {
    Plain,
    /// The store opened anew each time, in a folder with spaces, through a link to the work tree and from a subfolder, with
    /// a checkpoint more and an environment full of git's variables.
    Shaken,
}

pub(crate) struct Situation<'c> {
    pub(crate) case: &'c Case,
    twin: Twin,
    pub(crate) ground: Ground,
    pub(crate) root: PathBuf,
    store: Store,
    repository: Repository,
    /// Makes ids.
    asked: u32,
    pub(crate) at_before: Seen,
    pub(crate) at_after: Seen,
    /// Just before the restore.
    pub(crate) at_now: Seen,
    pub(crate) before: Snapshot,
    pub(crate) after: Snapshot,
}

/// What a call of ours must leave alone.
struct Untouched {
    tree: (Seen, Stamps),
    rest: Rest,
}

struct Rest {
    beside: (Seen, Seen),
    repository: Option<RepositorySeen>,
}

impl<'c> Situation<'c> {
    /// Up to the moment of the restore.
    pub(crate) fn reach(case: &'c Case, twin: Twin, ground: Ground) -> Situation<'c> {
        ground.sh(case.text("setup").unwrap_or_default());
        let root = ground.tree().join(case.text("root").unwrap_or_default().trim()).canonicalize().unwrap();
        let repository = Repository::of(&ground, &root);
        let at_before = look(&root, &[".git"]).0;
        let store = open(&ground, &root, twin);
        let nothing = || Snapshot { commit: String::new(), not_captured: Vec::new() };
        let mut situation = Situation {
            case,
            twin,
            ground,
            root,
            store,
            repository,
            asked: 0,
            at_after: at_before.clone(),
            at_now: at_before.clone(),
            at_before,
            before: nothing(),
            after: nothing(),
        };
        let trouble = situation.repository.trouble(&situation.ground);
        situation.before = situation.take();
        assert_eq!(situation.repository.trouble(&situation.ground), trouble, "fsck after a checkpoint");
        if twin == Twin::Shaken {
            assert_eq!(situation.take(), situation.before, "equal files make equal checkpoints");
        }
        situation.ground.sh(case.text("agent").unwrap_or_default());
        situation.at_after = situation.look();
        // The turn may have made the folder a repository.
        situation.repository = Repository::of(&situation.ground, &situation.root);
        situation.after = situation.take();
        situation.ground.sh(case.text("user").unwrap_or_default());
        situation.at_now = situation.look();
        situation
    }

    pub(crate) fn look(&self) -> Seen {
        look(&self.root, &[".git"]).0
    }

    pub(crate) fn open(&self) -> Store {
        open(&self.ground, &self.root, self.twin)
    }

    fn id(&mut self) -> String {
        self.asked += 1;
        format!("k{:010x}", self.asked)
    }

    fn untouched(&self) -> Untouched {
        Untouched { tree: look(&self.root, &[".git"]), rest: self.rest() }
    }

    fn rest(&self) -> Rest {
        Rest { beside: self.beside(), repository: self.repository.look() }
    }

    fn beside(&self) -> (Seen, Seen) {
        let repository = self.repository.folder.as_deref().unwrap_or(&self.root);
        self.ground.beside(&[&self.root, repository])
    }

    fn check_rest(&self, rest: &Rest, when: &str) {
        let (home, outside) = self.beside();
        let differs = home.against(&rest.beside.0) + &outside.against(&rest.beside.1);
        assert!(differs.is_empty(), "{when}: changed outside the tree\n{differs}");
        self.repository.unchanged(&self.ground, &rest.repository, when);
    }

    fn check_untouched(&self, was: &Untouched, when: &str) {
        let (seen, stamps) = look(&self.root, &[".git"]);
        let differs = seen.against(&was.tree.0);
        assert!(differs.is_empty(), "{when}: changed the work tree\n{differs}");
        assert_eq!(stamps, was.tree.1, "{when}: wrote files anew");
        self.check_rest(&was.rest, when);
    }

    fn take(&mut self) -> Snapshot {
        let was = self.untouched();
        if self.twin == Twin::Shaken {
            self.store = self.open();
        }
        let id = self.id();
        let snapshot = self.store.take(&id).unwrap_or_else(|failure| panic!("take: {failure}"));
        self.check_untouched(&was, "take");
        snapshot
    }

    fn plan(&mut self, request: &PlanRequest<'_>) -> Result<Plan, Failure> {
        let was = self.untouched();
        if self.twin == Twin::Shaken {
            self.store = self.open();
        }
        let id = self.id();
        let plan = self.store.plan(&id, request);
        self.check_untouched(&was, "plan");
        plan
    }

    /// The plan of a restore of the checkpoint before the turn.
    fn plan_restore(&mut self, user_changes: UserChanges) -> Plan {
        let (before, after) = (self.before.commit.clone(), self.after.commit.clone());
        let pairs = [(before.clone(), after)];
        let request = PlanRequest { target: &before, taken_back: Some(&pairs), user_changes };
        self.plan(&request).unwrap_or_else(|failure| panic!("plan: {failure}"))
    }

    fn carry_out(&mut self, plan: &Plan, when: &str) -> Result<(), Failure> {
        let stamps = look(&self.root, &[".git"]).1;
        let rest = self.rest();
        let id = self.id();
        let done = self.store.restore(&id, plan);
        self.check_rest(&rest, when);
        let now = look(&self.root, &[".git"]).1;
        let meant = |path: &Path| plan.changes.iter().any(|planned| path.starts_with(&planned.path));
        for (path, stamp) in stamps.0.iter().filter(|(path, _)| !meant(path)) {
            assert_eq!(Some(stamp), now.0.get(path), "{when}: {path:?} was written and is not in the plan");
        }
        done
    }

    fn check_files(&self, section: &str, when: &str) {
        let differs = self.look().against(&self.expected(section));
        assert!(differs.is_empty(), "{when}: files are not as expected\n{differs}");
    }

    /// The files as a section of the case has them.
    fn expected(&self, section: &str) -> Seen {
        let mut expected = self.at_before.clone();
        for line in self.case.lines(section).unwrap_or_default() {
            let words: Vec<&str> = line.iter().map(|word| word.to_str().unwrap_or_default()).collect();
            let path = |at: usize| Path::new(&line[at]);
            let mode = |at: usize| u32::from_str_radix(words[at], 8).unwrap();
            match words[0] {
                "user" => expected.put(path(1), &self.at_now),
                "after" => expected.put(path(1), &self.at_after),
                "absent" => expected.0.retain(|known, _| !known.starts_with(path(1))),
                "file" => {
                    let bytes = line[3].as_encoded_bytes();
                    expected.0.insert(path(2).to_owned(), file(mode(1), bytes));
                }
                "link" => {
                    expected.0.insert(path(1).to_owned(), Thing::Link(path(2).to_owned()));
                }
                "folder" => {
                    expected.0.insert(path(2).to_owned(), Thing::Folder(mode(1)));
                }
                other => panic!("{other} is nothing to expect"),
            }
        }
        expected
    }

    /// Takes a restore back and holds the files against what was there before it.
    fn undo(&mut self, to: &str, when: &str) -> Plan {
        // Either all that differs is meant, or what the restore has done.
        let pair = match self.twin {
            Twin::Plain => None,
            Twin::Shaken => Some([(to.to_owned(), self.take().commit)]),
        };
        let taken_back = pair.as_ref().map(<[_; 1]>::as_slice);
        let request = PlanRequest { target: to, taken_back, user_changes: UserChanges::Keep };
        let plan = self.plan(&request).unwrap_or_else(|failure| panic!("{when}: plan: {failure}"));
        self.carry_out(&plan, when).unwrap_or_else(|failure| panic!("{when}: {failure}"));
        let differs = self.look().against(&self.at_now);
        assert!(differs.is_empty(), "{when}: not every byte is back\n{differs}");
        plan
    }

    /// The restore and all that must hold.
    pub(crate) fn go_through(mut self) {
        self.check_listed();
        let plan = self.plan_restore(UserChanges::Keep);
        self.check_plan(&plan);
        if let Some(lines) = self.case.text("meanwhile") {
            self.ground.sh(lines);
            self.at_now = self.look();
        }
        let status = self.repository.status(&self.ground);
        let plan = self.refuse(plan);
        if self.case.text("expect").is_none() {
            return;
        }
        let copy = (self.twin == Twin::Plain).then(|| self.copy("now"));
        self.carry_out(&plan, "restore").unwrap_or_else(|failure| panic!("restore: {failure}"));
        self.check_files("expect", "restore");
        if self.case.text("meanwhile").is_some() && self.case.text("refused").is_none() {
            // What the plan has not seen is no part of what its undo brings back.
            return;
        }
        let Some(copy) = copy else {
            self.undo(&plan.now, "undo");
            return;
        };
        let copies = [copy, self.copy("goal")];
        let again = self.plan_restore(UserChanges::Keep);
        assert_eq!(again.changes, [], "nothing is left to do after a restore");
        let back = self.undo(&plan.now, "undo");
        assert_eq!(self.repository.status(&self.ground), status, "git's status after undo");
        if self.case.text("all").is_some() {
            let plan = self.plan_restore(UserChanges::Restore);
            self.carry_out(&plan, "restore all").unwrap_or_else(|failure| panic!("restore all: {failure}"));
            self.check_files("all", "restore all");
            self.undo(&plan.now, "undo of all");
        }
        let rest = self.rest();
        let files = [self.at_now.clone(), self.expected("expect")];
        Killing::new(&self, [plan, back], files, copies).at_every_step();
        self.check_rest(&rest, "kills");
        self.ground.sh(self.case.text("check").unwrap_or_default());
        assert_eq!(self.store.health().unwrap().trouble, None);
    }

    /// The files as they are, for whoever needs their bytes later. What can't be read is in no plan.
    fn copy(&self, name: &str) -> PathBuf {
        let copy = self.ground.base.join(name);
        let _ =
            Command::new("cp").args(["-a", "--sparse=always"]).arg(&self.root).arg(&copy).output().unwrap();
        copy
    }

    /// Where the case wants the plan refused: refused with nothing touched; a new one takes its place.
    fn refuse(&mut self, plan: Plan) -> Plan {
        let Some(words) = self.case.text("refused") else { return plan };
        let failure = self.carry_out(&plan, "restore").expect_err("the restore is refused").to_string();
        assert!(failure.contains(words.trim()), "refused in other words: {failure}");
        let differs = self.look().against(&self.at_now);
        assert!(differs.is_empty(), "refused, and touched\n{differs}");
        self.plan_restore(UserChanges::Keep)
    }

    /// What the checkpoints leave out, and what the turn did.
    fn check_listed(&self) {
        for (snapshot, section) in [(&self.before, "not captured before"), (&self.after, "not captured")] {
            let listed = snapshot.not_captured.iter().map(|left_out| {
                let why = match &left_out.why {
                    WhyNot::Large { bytes } => format!("large {bytes}"),
                    WhyNot::Many { files } => format!("many {files}"),
                    WhyNot::Repository { .. } => "repository".to_owned(),
                    WhyNot::Special => "special".to_owned(),
                    WhyNot::Unreadable => "unreadable".to_owned(),
                };
                format!("{:?} {why}", left_out.path)
            });
            self.check_lines(section, listed.collect(), Left::Nothing);
        }
        if self.case.text("did").is_some() {
            let did = self.store.differences(&self.before.commit, &self.after.commit).unwrap();
            let lines = did.iter().map(|difference| {
                let status = match difference.status {
                    Status::Added => "added",
                    Status::Modified => "modified",
                    Status::Deleted => "deleted",
                    Status::Mode => "mode",
                    Status::Kind => "kind",
                    Status::FolderAdded => "folder-added",
                    Status::FolderDeleted => "folder-deleted",
                };
                format!("{status} {:?}", difference.path)
            });
            self.check_lines("did", lines.collect(), Left::Nothing);
            assert_eq!(did.is_empty(), self.before.commit == self.after.commit, "equal files, equal commits");
        }
    }

    fn check_plan(&self, plan: &Plan) {
        let kept = plan.kept.iter().map(|kept| {
            let why = match kept.why {
                WhyKept::User => "user",
                WhyKept::NotCaptured => "uncaptured",
            };
            format!("{:?} {why}", kept.path)
        });
        self.check_lines("kept", kept.collect(), Left::Nothing);
        let changes = plan.changes.iter().map(|planned| {
            let action = match planned.action {
                Action::Create => "create",
                Action::Write => "write",
                Action::Delete => "delete",
                Action::MakeFolder => "make-folder",
                Action::RemoveFolder => "remove-folder",
            };
            let cause = match planned.cause {
                Cause::Turn => "turn",
                Cause::Both => "both",
                Cause::User => "user",
            };
            format!("{action} {:?} {cause}", planned.path)
        });
        self.check_lines("plan", changes.collect(), Left::Anything);
    }

    fn check_lines(&self, section: &str, mut is: Vec<String>, left_out: Left) {
        if self.case.text(section).is_none() && left_out == Left::Anything {
            return;
        }
        is.sort();
        let verbs = ["did", "plan"];
        let mut should = Vec::new();
        for line in self.case.lines(section).unwrap_or_default() {
            let at = usize::from(verbs.contains(&section));
            let word = |(index, word): (usize, &std::ffi::OsString)| match index == at {
                true => format!("{:?}", Path::new(word)),
                false => word.to_str().unwrap().to_owned(),
            };
            should.push(line.iter().enumerate().map(word).collect::<Vec<_>>().join(" "));
        }
        should.sort();
        assert_eq!(is, should, "{section}");
    }
}

/// What a section means that is left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Nothing,
    Anything,
}

fn open(ground: &Ground, root: &Path, twin: Twin) -> Store {
    let opened = match twin {
        Twin::Plain => Store::open(&ground.base.join("store"), root, Settings::default()),
        Twin::Shaken => {
            let link = ground.base.join("link to the tree");
            if !link.exists() {
                std::os::unix::fs::symlink(root, &link).unwrap();
            }
            let within = subfolder(root).map_or_else(|| link.clone(), |folder| link.join(folder));
            Store::open(&ground.base.join("a store 'with' \"spaces\""), &within, Settings::default())
        }
    };
    opened.unwrap_or_else(|failure| panic!("open: {failure}"))
}

/// A folder of a repository's work tree from which all of it is meant.
fn subfolder(root: &Path) -> Option<std::ffi::OsString> {
    if !root.join(".git").exists() {
        return None;
    }
    let mut entries: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap()).collect();
    entries.retain(|entry| entry.file_type().unwrap().is_dir() && entry.file_name() != ".git");
    entries.retain(|entry| std::fs::read_dir(entry.path()).is_ok() && !entry.path().join(".git").exists());
    entries.first().map(std::fs::DirEntry::file_name)
}
