//! A definition is renamed or removed, with everything that refers to it.
//!
//! `bowline-index` decides what follows from the text of the files; here they are collected and written. What always holds: a name is
//! followed only if every file that mentions it was looked at.

use bowline_core::place::Change;
use bowline_core::tools::{ChangeCall, Comments, Helpers};
use bowline_index::{self as index, ChangedFile, Mentions, Place, SourceFile};

use super::Rewrite;
use crate::survey::{self, Extent, Source, find, mentioning_any};
use crate::tools::{Answer, Stop, Tool};

/// What was changed, and what the user should know of it.
struct Refactored {
    files: Vec<ChangedFile>,
    /// Where the old name may mean the definition, too, and was left.
    uncertain: Vec<(String, usize)>,
    /// What was removed with the definition.
    helpers: Vec<String>,
}

/// What is renamed or removed in its file.
struct Meant<'a> {
    path: &'a str,
    place: &'a Place,
    /// Its own name.
    name: &'a str,
    /// Whether it is a parameter or a local variable of the place.
    is_inner: bool,
}

impl Tool<'_> {
    pub(super) fn refactor(&self, call: &ChangeCall) -> Answer {
        let refused = |why: String| refused(call, &why);
        let (Some(path), Some(name)) = (&call.place.name, call.place.own_name()) else {
            return Err(refused("a whole file has no name in the code".to_owned()));
        };
        let file = self.existing(&call.place.path)?;
        let read = self.workspace.read(&file)?;
        let all = index::places(&file.display, &read.bytes);
        let place = find(&all, path);
        // A parameter or a local variable is no place: the function it belongs to is.
        let function = path.rsplit_once('.').filter(|_| place.is_none() && call.change == Change::Rename);
        let function = function.and_then(|(function, _)| find(&all, function));
        let function = function.filter(|function| function.kind == index::Kind::Function);
        let is_inner = place.is_none();
        let place = place.or(function);
        let place = place.ok_or_else(|| refused("there is no such place any more".to_owned()))?;
        let meant = Meant { path: &file.display, place, name, is_inner };
        let others = other_names(call, &meant, &read.bytes, &all);
        let mentions = self.mentions(call, &meant, &others)?;
        let refactored = carried_out(call, &meant, &mentions)?;
        let text = account(call, &refactored);
        let mut rewrites = Vec::new();
        for changed in refactored.files {
            let file = self.existing(&changed.path)?;
            let read = self.workspace.read(&file)?;
            rewrites.push(Rewrite { file, read: Some(read), content: changed.content });
        }
        self.write_all(&rewrites, text)
    }

    /// The files that mention the name, or one of the others.
    fn mentions(
        &self,
        call: &ChangeCall,
        meant: &Meant<'_>,
        others: &[String],
    ) -> Result<survey::Mentions, Stop> {
        let followed = if meant.is_inner { meant.place.name.as_str() } else { meant.name };
        let mentions = mentioning_any(self.workspace, followed, others);
        let why = match &mentions.extent {
            Extent::Whole => return Ok(mentions),
            Extent::Part => "the project is too large to follow the name through it".to_owned(),
            Extent::AllBut(file) => format!("{file} mentions the name and is too large to be changed"),
        };
        Err(refused(call, &why))
    }
}

fn refused(call: &ChangeCall, why: &str) -> Stop {
    Stop::Failed(format!("{} was not changed: {why}.", call.place.label()))
}

/// Names that say which other files matter.
fn other_names(call: &ChangeCall, meant: &Meant<'_>, content: &[u8], all: &[Place]) -> Vec<String> {
    let mut others: Vec<String> = Vec::new();
    // What a removal leaves unused may be used by files that do not mention what is removed.
    if call.change == Change::Remove {
        others.extend(index::imports(meant.path, content).into_iter().map(|import| import.local));
    }
    if call.helpers == Helpers::Removed {
        others.extend(all.iter().map(|place| place.name.clone()));
    }
    // `__init__` is called by the name of its class.
    others.extend(meant.place.container.clone().filter(|_| meant.is_inner));
    others.retain(|name| !name.is_empty());
    others
}

fn carried_out(
    call: &ChangeCall,
    meant: &Meant<'_>,
    mentions: &survey::Mentions,
) -> Result<Refactored, Stop> {
    let files: Vec<SourceFile<'_>> = mentions
        .sources
        .iter()
        .map(|Source { path, text }| SourceFile { path, content: text.as_bytes() })
        .collect();
    let at = (meant.path, meant.place);
    match &call.to {
        Some(to) if call.change == Change::Rename => {
            let comments = match call.comments {
                Comments::Certain => Mentions::Certain,
                Comments::All => Mentions::All,
            };
            let renamed = match meant.is_inner {
                true => index::rename_parameter(&files, at, (meant.name, to), comments),
                false => index::rename(&files, at, to, comments),
            };
            let renamed = renamed.map_err(|why| refused(call, &why.to_string()))?;
            Ok(Refactored { files: renamed.files, uncertain: renamed.uncertain, helpers: Vec::new() })
        }
        _ => {
            let helpers = match call.helpers {
                Helpers::Kept => index::Helpers::Kept,
                Helpers::Removed => index::Helpers::Removed,
            };
            let removed = index::remove(&files, &[at], helpers);
            let removed = removed.map_err(|why| refused(call, &why.to_string()))?;
            let helpers = removed.helpers.into_iter().map(|(_, name)| name).collect();
            Ok(Refactored { files: removed.files, uncertain: Vec::new(), helpers })
        }
    }
}

/// What the user and the model read of it.
fn account(call: &ChangeCall, refactored: &Refactored) -> String {
    let label = call.place.label();
    let names: Vec<&str> = refactored.files.iter().map(|file| file.path.as_str()).collect();
    let mut text = match (&call.to, call.change) {
        (Some(to), Change::Rename) => format!("{label} renamed to {to} in {}.", names.join(", ")),
        _ => format!("{label} removed from {}.", names.join(", ")),
    };
    if !refactored.helpers.is_empty() {
        text.push_str(&format!(" With it went {}.", refactored.helpers.join(", ")));
    }
    let left: Vec<String> =
        refactored.uncertain.iter().map(|(path, line)| format!("{path}:{line}")).collect();
    if !left.is_empty() {
        text.push_str(&format!(" The name was left alone at {}.", left.join(", ")));
    }
    text
}
