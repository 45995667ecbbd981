//! What a checkpoint stores besides git's tree: permissions that git does not keep, and empty folders. It is stored as the
//! commit's message, so that equal states make equal commits.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::paths::{Name, escaped, unescaped};

const HEADING: &str = "bowline checkpoint 1";

/// Permissions and empty folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeMetadata {
    /// What most files have, and most programs.
    files: u32,
    programs: u32,
    /// The files with other permissions.
    modes: BTreeMap<Name, u32>,
    /// Empty folders.
    pub(crate) folders: BTreeSet<Name>,
    /// What most folders have, and those with other permissions.
    folders_usual: u32,
    folder_modes: BTreeMap<Name, u32>,
    /// Paths that existed and are not in the checkpoint.
    pub(crate) left: BTreeSet<Name>,
    /// Paths that were ignored and certainly did not exist.
    pub(crate) absent: BTreeSet<Name>,
}

/// How many of those that are not in it are noted.
const LEFT_MAX: usize = 2_000;

impl Default for TreeMetadata {
    fn default() -> TreeMetadata {
        TreeMetadata {
            files: 0o644,
            programs: 0o755,
            modes: BTreeMap::new(),
            folders: BTreeSet::new(),
            folders_usual: 0o755,
            folder_modes: BTreeMap::new(),
            left: BTreeSet::new(),
            absent: BTreeSet::new(),
        }
    }
}

impl TreeMetadata {
    /// From each file's permissions, as the disk has them.
    pub(crate) fn new(
        modes: &[(&[u8], u32)],
        folders: BTreeSet<Name>,
        folder_modes: &[(Name, u32)],
    ) -> TreeMetadata {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for (_, mode) in modes {
            *counts.entry(*mode).or_default() += 1;
        }
        // Of equally many the plainer one, so that the choice is the same everywhere.
        let most = |is_program: bool, plain: u32| {
            let of_kind = counts.iter().filter(|(mode, _)| (**mode & 0o100 != 0) == is_program);
            let most = of_kind.max_by_key(|(mode, count)| (**count, **mode == plain, **mode));
            most.map_or(plain, |(mode, _)| *mode)
        };
        let (files, programs) = (most(false, 0o644), most(true, 0o755));
        let is_usual = |mode: u32| mode == if mode & 0o100 == 0 { files } else { programs };
        let others = modes.iter().filter(|(_, mode)| !is_usual(*mode));
        let modes = others.map(|(name, mode)| (name.to_vec(), *mode)).collect();
        // One may come twice, and counts once: equal states make equal commits.
        let mut folder_modes: BTreeMap<Name, u32> = folder_modes.iter().cloned().collect();
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for mode in folder_modes.values() {
            *counts.entry(*mode).or_default() += 1;
        }
        let usual = counts.iter().max_by_key(|(mode, count)| (**count, **mode == 0o755, **mode));
        let usual = usual.map_or(0o755, |(mode, _)| *mode);
        folder_modes.retain(|_, mode| *mode != usual);
        let (left, absent) = (BTreeSet::new(), BTreeSet::new());
        TreeMetadata { files, programs, modes, folders, folders_usual: usual, folder_modes, left, absent }
    }

    /// The permissions of a file git has as a program or not.
    pub(crate) fn mode(&self, name: &[u8], is_program: bool) -> u32 {
        let usual = if is_program { self.programs } else { self.files };
        self.modes.get(name).copied().unwrap_or(usual)
    }

    pub(crate) fn folder_mode(&self, name: &[u8]) -> u32 {
        self.folder_modes.get(name).copied().unwrap_or(self.folders_usual)
    }

    pub(crate) fn set_folder_mode(&mut self, name: &[u8], mode: u32) {
        if mode == self.folders_usual {
            self.folder_modes.remove(name);
        } else {
            self.folder_modes.insert(name.to_vec(), mode);
        }
    }

    /// Whether no folder that both have can have other permissions.
    pub(crate) fn is_folders_same(&self, other: &TreeMetadata) -> bool {
        self.folders_usual == other.folders_usual && self.folder_modes == other.folder_modes
    }

    /// Files with permissions of their own.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Name> {
        self.modes.keys()
    }

    pub(crate) fn others_same(&self, other: &TreeMetadata) -> bool {
        self.modes == other.modes
    }

    pub(crate) fn is_usual_same(&self, other: &TreeMetadata) -> bool {
        self.files == other.files && self.programs == other.programs
    }

    /// The same with other permissions for one path; none where it is no file any more.
    pub(crate) fn set_mode(&mut self, name: &[u8], is_program: bool, mode: Option<u32>) {
        let usual = if is_program { self.programs } else { self.files };
        match mode.filter(|mode| *mode != usual) {
            Some(mode) => self.modes.insert(name.to_vec(), mode),
            None => self.modes.remove(name),
        };
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!("{HEADING}\n\nfiles {:o}\nprograms {:o}\n", self.files, self.programs);
        for (name, mode) in &self.modes {
            let _ = writeln!(text, "mode {mode:o} {}", escaped(name));
        }
        for name in &self.folders {
            let _ = writeln!(text, "folder {}", escaped(name));
        }
        let _ = writeln!(text, "folders {:o}", self.folders_usual);
        for (name, mode) in &self.folder_modes {
            let _ = writeln!(text, "folder-mode {mode:o} {}", escaped(name));
        }
        for name in self.left.iter().take(LEFT_MAX) {
            let _ = writeln!(text, "left {}", escaped(name));
        }
        for name in &self.absent {
            let _ = writeln!(text, "absent {}", escaped(name));
        }
        text
    }

    pub(crate) fn parse(text: &str) -> Option<TreeMetadata> {
        let mut metadata = TreeMetadata::default();
        let mut lines = text.lines();
        if lines.next()? != HEADING {
            return None;
        }
        for line in lines.filter(|line| !line.is_empty()) {
            let (word, rest) = line.split_once(' ')?;
            let octal = |text: &str| u32::from_str_radix(text, 8).ok();
            match word {
                "files" => metadata.files = octal(rest)?,
                "programs" => metadata.programs = octal(rest)?,
                "mode" => {
                    let (mode, name) = rest.split_once(' ')?;
                    metadata.modes.insert(unescaped(name)?, octal(mode)?);
                }
                "folder" => {
                    metadata.folders.insert(unescaped(rest)?);
                }
                "folders" => metadata.folders_usual = octal(rest)?,
                "folder-mode" => {
                    let (mode, name) = rest.split_once(' ')?;
                    metadata.folder_modes.insert(unescaped(name)?, octal(mode)?);
                }
                "absent" => {
                    metadata.absent.insert(unescaped(rest)?);
                }
                "left" => {
                    metadata.left.insert(unescaped(rest)?);
                }
                _ => return None,
            }
        }
        Some(metadata)
    }
}
