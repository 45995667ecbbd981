//! `list_dir`: one folder, folders first. What `.gitignore` names is counted and not shown.

use std::fs;
use std::path::Path;

use super::walk::Next;
use super::{Answer, Stop, Tool, counted, named, success};
use crate::workspace::{Kind, printable};

const NAMES_MAX: usize = 500;

impl Tool<'_> {
    pub(super) fn list_dir(&self, path: Option<&str>) -> Answer {
        let folder = self.place(path)?;
        if folder.kind != Kind::Folder {
            return Err(Stop::Failed(format!("{} is a file: use view_file.", folder.display)));
        }
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        self.walk(&folder.real, Some(1), |entry| {
            if entry.depth() > 0 {
                let name = printable(Path::new(entry.file_name()));
                match entry.file_type() {
                    Some(kind) if kind.is_dir() => folders.push(format!("{name}/")),
                    Some(kind) if kind.is_symlink() => {
                        let target = fs::read_link(entry.path()).unwrap_or_default();
                        files.push(format!("{name} -> {}", printable(&target)));
                    }
                    _ => files
                        .push(format!("{name}  {}", size(entry.metadata().map_or(0, |found| found.len())))),
                }
            }
            Ok(Next::GoOn)
        })?;
        let ignored = self.visible(&folder.real)?.saturating_sub(folders.len() + files.len());
        self.add_waiting(&folder.real, &mut folders, &mut files);
        let shown = folders.len() + files.len();
        if shown + ignored == 0 {
            return success(format!("{} is empty.", named(&folder)));
        }
        let mut head = format!(
            "{}: {}, {}",
            folder.display,
            counted(folders.len(), "folder"),
            counted(files.len(), "file")
        );
        if ignored > 0 {
            head.push_str(&format!(", {ignored} ignored by .gitignore"));
        }
        let mut lines = vec![head];
        lines.extend(folders.into_iter().chain(files).take(NAMES_MAX));
        if shown > NAMES_MAX {
            lines.push(format!("… {} more. Use find_files with a pattern.", shown - NAMES_MAX));
        }
        success(lines.join("\n"))
    }

    /// Files that only wait to be made, and folders that they would be in.
    fn add_waiting(&self, folder: &Path, folders: &mut Vec<String>, files: &mut Vec<String>) {
        for file in self.workspace.waiting_files(folder) {
            let Ok(below) = file.real.strip_prefix(folder) else { continue };
            let Some(first) = below.iter().next() else { continue };
            let name = printable(Path::new(first));
            if below.iter().count() == 1 {
                let length = self.workspace.read(&file).map_or(0, |read| read.bytes.len() as u64);
                files.push(format!("{name}  {}", size(length)));
            } else if !folders.contains(&format!("{name}/")) {
                folders.push(format!("{name}/"));
            }
        }
    }

    /// How many entries a folder has, those off limits aside.
    fn visible(&self, folder: &Path) -> Result<usize, Stop> {
        if !folder.exists() {
            return Ok(0);
        }
        let entries = fs::read_dir(folder)
            .map_err(|error| Stop::Failed(format!("{}: {error}.", self.workspace.display(folder))))?;
        Ok(entries.flatten().filter(|entry| !self.workspace.is_forbidden(&entry.path())).count())
    }
}

/// `812 B`, `1.2 KB`, `3.4 MB`.
fn size(bytes: u64) -> String {
    const STEP: u64 = 1000;
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..STEP => format!("{bytes} B"),
        STEP..1_000_000 => format!("{} KB", tenths(STEP)),
        1_000_000..1_000_000_000 => format!("{} MB", tenths(1_000_000)),
        _ => format!("{} GB", tenths(1_000_000_000)),
    }
}
