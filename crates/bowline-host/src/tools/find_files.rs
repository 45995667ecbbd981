//! `find_files`: the paths that a glob fits.

use super::glob::Glob;
use super::walk::Next;
use super::{Answer, Stop, Tool, named, no_result, success};
use crate::workspace::Kind;

const PATHS_MAX: usize = 500;
/// Beyond this many hits are no longer counted.
const COUNTED_MAX: usize = 20_000;

impl Tool<'_> {
    pub(super) fn find_files(&self, pattern: &str, path: Option<&str>) -> Answer {
        let from = self.place(path)?;
        if from.kind != Kind::Folder {
            return Err(Stop::Failed(format!(
                "{} is not a folder. Leave `path` out, or name a folder.",
                from.display
            )));
        }
        if pattern.trim().is_empty() {
            return Err(Stop::Failed(
                "The pattern is empty. Write it like `*.rs` or `src/**/*.rs`.".to_owned(),
            ));
        }
        let glob = Glob::new(pattern, self.workspace.root())?;
        let (mut paths, mut folders, mut count) = (Vec::new(), Vec::new(), 0);
        self.walk(&from.real, None, |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            if entry.depth() == 0 || !glob.fits(entry.path(), &from.real, self.workspace.root()) {
                return Ok(Next::GoOn);
            }
            if is_folder {
                folders.push(self.workspace.display(entry.path()));
                return Ok(Next::GoOn);
            }
            count += 1;
            if count <= PATHS_MAX {
                paths.push(self.workspace.display(entry.path()));
            }
            Ok(if count < COUNTED_MAX { Next::GoOn } else { Next::Stop })
        })?;
        for file in self.workspace.waiting_files(&from.real) {
            if glob.fits(&file.real, &from.real, self.workspace.root()) {
                count += 1;
                paths.push(file.display);
            }
        }
        if let (true, Some(folder)) = (paths.is_empty(), folders.first()) {
            return no_result(format!(
                "No file fits `{pattern}`, but the folder {folder}/ does: use list_dir."
            ));
        }
        if paths.is_empty() {
            return no_result(format!(
                "No file in {} fits `{pattern}`. Files that .gitignore names are not looked at.",
                named(&from)
            ));
        }
        if count > PATHS_MAX {
            let at_least = if count == COUNTED_MAX { "at least " } else { "" };
            paths.push(format!(
                "… {at_least}{} more. Narrow the search with `path` or a longer pattern.",
                count - PATHS_MAX
            ));
        }
        success(paths.join("\n"))
    }
}
