//! Globs as models write them: `*.rs` means a name in any folder, `src/**/*.rs` a path.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

use super::Stop;

pub(super) struct Glob {
    matcher: GlobMatcher,
    /// Whether only the last part of a path is looked at.
    by_name: bool,
}

impl Glob {
    pub(super) fn new(pattern: &str, root: &Path) -> Result<Glob, Stop> {
        let trimmed = pattern.trim();
        let root = root.to_string_lossy();
        let inside = trimmed.strip_prefix(&*root).map_or(trimmed, |rest| rest.trim_start_matches('/'));
        let inside = inside.trim_start_matches("./");
        let glob = GlobBuilder::new(inside).literal_separator(true).build().map_err(|error| {
            Stop::Failed(format!(
                "Bad glob `{pattern}`: {}. Write it like `*.rs` or `src/**/*.rs`.",
                error.kind()
            ))
        })?;
        Ok(Glob { matcher: glob.compile_matcher(), by_name: !inside.contains('/') })
    }

    /// Whether a path fits, seen from the folder of the search or from the root.
    pub(super) fn fits(&self, path: &Path, from: &Path, root: &Path) -> bool {
        if self.by_name {
            return path.file_name().is_some_and(|name| self.matcher.is_match(name));
        }
        [from, root]
            .iter()
            .filter_map(|base| path.strip_prefix(base).ok())
            .any(|path| self.matcher.is_match(path))
    }
}
