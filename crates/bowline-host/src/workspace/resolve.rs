//! A path of the model into the file it really means.
//!
//! The walk goes part by part and follows every symbolic link itself, also those that dangle, so that the result has no
//! link left in it as far as it exists, and each folder on the way is judged. A path that is granted outside the tree is
//! still refused `.git` and bowline's own folders.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use bowline_core::tool_output::Grant;

use super::names::is_refused;
use super::{Workspace, printable};

/// As many links in a row as the kernel follows.
const LINKS_MAX: usize = 40;
const PATH_BYTES_MAX: usize = 4096;

/// A path that may be used, and what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// Absolute and without links; its end may not exist.
    pub real: PathBuf,
    /// For model and user.
    pub display: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    /// A pipe, a socket, a device.
    Other,
    Missing,
}

/// Why a path may not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error("the path is empty: give one relative to the project, such as src/main.rs")]
    Empty,
    #[error("the path has a NUL character or is longer than {PATH_BYTES_MAX} bytes: give a plain one")]
    Malformed,
    #[error("{path} belongs to git or to bowline and is not for tools: use git commands, or leave it")]
    Forbidden { path: String },
    #[error("{path} is outside the project")]
    Outside { path: String },
    #[error("{path} goes round in symbolic links")]
    Links { path: String },
}

impl Workspace {
    /// Resolves a path given by the model: relative to the root, or absolute.
    pub fn resolve(&self, path: &str, grant: Grant) -> Result<Resolved, PathError> {
        if path.trim().is_empty() {
            return Err(PathError::Empty);
        }
        if path.contains('\0') || path.len() > PATH_BYTES_MAX {
            return Err(PathError::Malformed);
        }
        let real = self.walk(Path::new(path))?;
        if grant != Grant::Outside && !real.starts_with(&self.root) {
            return Err(PathError::Outside { path: printable(&real) });
        }
        let kind = match fs::symlink_metadata(&real) {
            Ok(found) if found.is_file() => Kind::File,
            Ok(found) if found.is_dir() => Kind::Folder,
            Ok(_) => Kind::Other,
            Err(_) => self.kind_waiting(&real),
        };
        let display = self.display(&real);
        Ok(Resolved { real, display, kind })
    }

    /// Whether a path without links is off limits.
    pub fn is_forbidden(&self, real: &Path) -> bool {
        if self.root.starts_with(real) {
            // A worktree stands in a folder of ours: what is beside the way to it stays ours.
            return real != self.root && self.forbidden.iter().any(|folder| real.starts_with(folder));
        }
        let inside = real.strip_prefix(&self.root).ok();
        // The names above the root are no choice of the model: a work tree may well stand in a folder of ours.
        let judged = inside.unwrap_or(real);
        judged.iter().any(is_refused)
            || self.forbidden.iter().any(|folder| {
                real.starts_with(folder) && !(inside.is_some() && self.root.starts_with(folder))
            })
    }

    fn walk(&self, path: &Path) -> Result<PathBuf, PathError> {
        let mut at = self.root.clone();
        let mut ahead: VecDeque<Step> = steps(path).collect();
        let mut links = 0;
        while let Some(step) = ahead.pop_front() {
            match step {
                Step::Top => at = PathBuf::from("/"),
                Step::Up => {
                    at.pop();
                }
                Step::Into(name) => {
                    at.push(name);
                    let is_on_the_way = self.root.starts_with(&at);
                    if !is_on_the_way && self.is_forbidden(&at) {
                        return Err(PathError::Forbidden { path: self.display(&at) });
                    }
                    if let Ok(target) = fs::read_link(&at) {
                        links += 1;
                        if links > LINKS_MAX {
                            return Err(PathError::Links { path: printable(path) });
                        }
                        at.pop();
                        for step in steps(&target).collect::<Vec<_>>().into_iter().rev() {
                            ahead.push_front(step);
                        }
                    }
                }
            }
        }
        if self.is_forbidden(&at) {
            return Err(PathError::Forbidden { path: self.display(&at) });
        }
        Ok(at)
    }
}

enum Step {
    Top,
    Up,
    Into(OsString),
}

fn steps(path: &Path) -> impl Iterator<Item = Step> + '_ {
    path.components().filter_map(|component| match component {
        Component::RootDir => Some(Step::Top),
        Component::ParentDir => Some(Step::Up),
        Component::Normal(name) => Some(Step::Into(name.to_owned())),
        Component::CurDir | Component::Prefix(_) => None,
    })
}
