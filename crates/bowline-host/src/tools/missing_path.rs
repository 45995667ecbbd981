//! Answers a path that does not exist with the most similar ones.

use super::walk::Next;
use super::{Tool, counted};
use crate::walk::is_file;
use crate::workspace::Resolved;

const NAMES_MAX: usize = 3;
/// How many files are looked at.
const FILES_MAX: usize = 20_000;
const SIMILARITY_MIN: f32 = 0.6;

pub(super) fn missing(tool: &Tool<'_>, wanted: &Resolved) -> String {
    let names = similar_paths(tool, wanted);
    if names.is_empty() {
        return format!("{} does not exist. Look with list_dir or find_files.", wanted.display);
    }
    let are = if names.len() == 1 { "is" } else { "are" };
    format!(
        "{} does not exist. There {are} {}: {}.",
        wanted.display,
        counted(names.len(), "similar name"),
        names.join(", ")
    )
}

fn similar_paths(tool: &Tool<'_>, wanted: &Resolved) -> Vec<String> {
    if !wanted.real.starts_with(tool.workspace.root()) {
        return Vec::new();
    }
    let mut files: Vec<(String, String)> = Vec::new();
    // A search that was stopped has its suggestions from what it saw.
    let _ = tool.walk(tool.workspace.root(), None, |entry| {
        if is_file(entry) {
            files.push((name_of(entry.path()), tool.workspace.display(entry.path())));
        }
        Ok(if files.len() < FILES_MAX { Next::GoOn } else { Next::Stop })
    });
    let name = name_of(&wanted.real);
    let mut names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let close = similar::get_close_matches(name.as_str(), &names, NAMES_MAX, SIMILARITY_MIN);
    let paths = close.iter().flat_map(|close| files.iter().filter(move |(name, _)| name == close));
    paths.map(|(_, path)| path.clone()).take(NAMES_MAX).collect()
}

/// The last part in small letters: models get the case wrong, too.
fn name_of(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_lowercase()
}
