//! How the rules classify a path, and what follows for reading and writing it. The host knows the files.

use super::Verdict;
use super::command::Word;
use super::project_checks::ProjectChecks;

/// What kind of place a path leads to, with links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathKind {
    /// `/dev/null` and its like.
    Nowhere,
    /// In the project, and what git would take.
    Captured,
    /// In the project, but git ignores it: what is lost there is lost.
    Ignored,
    /// What shells, editors, git or the desktop run or obey by themselves: `.bashrc`, `.vscode/`, `.gitconfig`.
    Started,
    /// `.env`, a key.
    Secret,
    Outside,
    /// `.git`, bowline's own.
    Forbidden,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub at: PathKind,
    /// For the user, and what rules about paths are matched with.
    pub shown: String,
}

/// Which files below a folder a search takes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakesIn<'e> {
    Everything,
    /// Not those whose names begin with a dot.
    Visible,
    /// Those whose names end so, after a dot.
    Endings(&'e [&'e str]),
}

/// The project's files, as the host knows them.
pub trait ProjectFiles {
    /// Where a path leads from a folder of the project (`.` is its root).
    fn place(&self, folder: &str, path: &str) -> Place;
    /// Where the files lead that a pattern stands for; empty where that can't be told.
    fn places(&self, folder: &str, pattern: &str) -> Vec<Place>;
    /// Whether a search through this folder may come across a secret, or a link that leads out of the project.
    fn holds_secret(&self, folder: &str, path: &str, takes_in: TakesIn<'_>) -> bool;
    /// Whether a program that reads names from its input reads each name below this folder as one word that is no flag.
    fn has_plain_names(&self, folder: &str, path: &str) -> bool;
    /// The checks of a folder of the project, if it belongs to the project's own repository.
    fn checks_in(&self, folder: &str) -> ProjectChecks;
}

/// The same files when there is no checkpoint: whatever is overwritten is lost.
pub(super) struct WithoutCheckpoint<'g>(pub(super) &'g dyn ProjectFiles);

impl WithoutCheckpoint<'_> {
    fn lost(place: Place) -> Place {
        let at = if place.at == PathKind::Captured { PathKind::Ignored } else { place.at };
        Place { at, ..place }
    }
}

impl ProjectFiles for WithoutCheckpoint<'_> {
    fn place(&self, folder: &str, path: &str) -> Place {
        WithoutCheckpoint::lost(self.0.place(folder, path))
    }

    fn places(&self, folder: &str, pattern: &str) -> Vec<Place> {
        self.0.places(folder, pattern).into_iter().map(WithoutCheckpoint::lost).collect()
    }

    fn holds_secret(&self, folder: &str, path: &str, takes_in: TakesIn<'_>) -> bool {
        self.0.holds_secret(folder, path, takes_in)
    }

    fn has_plain_names(&self, folder: &str, path: &str) -> bool {
        self.0.has_plain_names(folder, path)
    }

    fn checks_in(&self, folder: &str) -> ProjectChecks {
        self.0.checks_in(folder)
    }
}

/// Why something is not allowed without approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) verdict: Verdict,
    pub(super) why: String,
}

impl Refused {
    pub(super) fn ask(why: impl Into<String>) -> Refused {
        Refused { verdict: Verdict::Ask, why: why.into() }
    }

    pub(super) fn deny(why: impl Into<String>) -> Refused {
        Refused { verdict: Verdict::Deny, why: why.into() }
    }

    pub(super) fn dynamic(word: &Word) -> Refused {
        Refused::ask(format!("what `{}` stands for is only known when it runs", word.shown()))
    }

    /// For a pattern that begins with a wildcard.
    pub(super) fn like_flag(word: &Word) -> Refused {
        let shown = word.shown();
        Refused::ask(format!("`{shown}` may stand for a file that reads like a flag: write `./{shown}`"))
    }
}

/// The project's files, and the folders that a part may run in. A `cd` before it may have failed, so all of them count.
pub(super) struct RunsIn<'a> {
    pub(super) project_files: &'a dyn ProjectFiles,
    pub(super) folders: &'a [String],
}

impl RunsIn<'_> {
    fn places(&self, word: &Word) -> Result<Vec<Place>, Refused> {
        match word {
            Word::Known(path) if path.starts_with('~') => {
                Ok(vec![Place { at: PathKind::Outside, shown: path.clone() }])
            }
            Word::Known(path) => {
                Ok(self.folders.iter().map(|folder| self.project_files.place(folder, path)).collect())
            }
            Word::Glob(pattern) => {
                let mut all = Vec::new();
                for folder in self.folders {
                    let some = self.project_files.places(folder, pattern);
                    if some.is_empty() {
                        return Err(Refused::ask(format!("which files `{pattern}` stands for is not clear")));
                    }
                    all.extend(some);
                }
                Ok(all)
            }
            Word::Unknown(_) => Err(Refused::dynamic(word)),
        }
    }

    /// Whether it runs at the top of the project, whatever was entered before.
    pub(super) fn is_at_root(&self) -> bool {
        self.folders.iter().all(|folder| self.project_files.place(folder, ".").shown == ".")
    }

    /// The strictest of the places a word may lead to.
    pub(super) fn strictest(&self, word: &Word) -> Result<Place, Refused> {
        let places = self.places(word)?;
        places
            .into_iter()
            .max_by_key(|place| place.at)
            .ok_or_else(|| Refused::ask(format!("`{}` leads nowhere", word.shown())))
    }

    pub(super) fn may_read(&self, word: &Word) -> Result<(), Refused> {
        may_read(&self.strictest(word)?)
    }

    pub(super) fn may_write(&self, word: &Word) -> Result<(), Refused> {
        may_write(&self.strictest(word)?)
    }

    /// Whether going through these files and folders comes across no secret; through the folder it runs in where none is
    /// named.
    pub(super) fn may_search(&self, files: &[&Word], takes_in: TakesIn<'_>) -> Result<(), Refused> {
        let holds = |folder: &str, path: &str| self.project_files.holds_secret(folder, path, takes_in);
        match self.found(files, holds)? {
            Some(path) => Err(Refused::ask(format!("{path} has .env files or keys in it"))),
            None => Ok(()),
        }
    }

    /// Whether the names of these files and those below them can be handed on as words.
    pub(super) fn has_plain_names(&self, files: &[&Word]) -> Result<(), Refused> {
        match self.found(files, |folder, path| !self.project_files.has_plain_names(folder, path))? {
            Some(path) => {
                Err(Refused::ask(format!("{path} has files whose names read like several words or flags")))
            }
            None => Ok(()),
        }
    }

    /// The first of these files and folders for which it is so, in any of the folders it may run in.
    fn found(&self, files: &[&Word], is_so: impl Fn(&str, &str) -> bool) -> Result<Option<String>, Refused> {
        let mut paths = Vec::new();
        for word in files {
            paths.push(match word {
                Word::Known(path) => path.as_str(),
                // Whatever it stands for lies in that folder.
                Word::Glob(pattern) => pattern.rsplit_once('/').map_or(".", |(parent, _)| parent),
                Word::Unknown(_) => return Err(Refused::dynamic(word)),
            });
        }
        if paths.is_empty() {
            paths.push(".");
        }
        for folder in self.folders {
            if let Some(path) = paths.iter().find(|path| is_so(folder, path)) {
                return Ok(Some((*path).to_owned()));
            }
        }
        Ok(None)
    }
}

pub(super) fn may_read(place: &Place) -> Result<(), Refused> {
    let shown = &place.shown;
    match place.at {
        PathKind::Nowhere | PathKind::Captured | PathKind::Ignored | PathKind::Started => Ok(()),
        PathKind::Secret => Err(Refused::ask(format!("{shown} may hold secrets"))),
        PathKind::Outside => Err(Refused::ask(format!("{shown} is outside the project"))),
        PathKind::Forbidden => Err(forbidden(shown)),
    }
}

pub(super) fn may_write(place: &Place) -> Result<(), Refused> {
    let shown = &place.shown;
    match place.at {
        PathKind::Nowhere | PathKind::Captured => Ok(()),
        PathKind::Ignored => Err(Refused::ask(format!("git ignores {shown}, so what is lost there is lost"))),
        PathKind::Started => Err(Refused::ask(format!(
            "{shown} is read by programs that start later, and may make them run others"
        ))),
        PathKind::Secret | PathKind::Outside | PathKind::Forbidden => may_read(place),
    }
}

fn forbidden(shown: &str) -> Refused {
    Refused::deny(format!(
        "{shown} belongs to git or to bowline and is not for tools: use git commands, or leave it"
    ))
}
