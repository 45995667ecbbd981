//! The project's own instructions: `AGENTS.md` from the repository's root down to the folder bowline is started in,
//! `CLAUDE.md` where a folder has no `AGENTS.md`, `BOWLINE.md` for what is bowline's alone.
//!
//! Together they take at most an eighth of the window. Where they are longer each gets a fair share, so that a long file at
//! the root does not cost the short one beside the code; it is cut at a line, with a note that says so. What always holds:
//! nothing outside the project is read, and no file is read without a bound.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use bowline_core::prompts::INSTRUCTIONS_HEADING as HEADING;

/// The most bytes that are read of one file; more than an eighth of any window.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// The nearest ones, where there are more.
const FILES_MAX: usize = 16;
/// Room for the note where a file is cut.
const NOTE_BYTES: usize = 160;

/// The instructions of a project, ready to stand after the prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instructions {
    /// Empty where there are none.
    pub text: String,
    /// Which files are in it, below the project's root.
    pub files: Vec<String>,
    /// What was cut or left out, for the user.
    pub notices: Vec<String>,
}

/// One file.
struct Found {
    name: String,
    text: String,
    /// As long as it is on the disk.
    bytes: u64,
}

impl Instructions {
    /// Reads those between `root`, which is absolute and without links, and `folder`; `window` is in tokens.
    pub fn read(root: &Path, folder: &Path, window: i64) -> Instructions {
        let mut read = Instructions::default();
        let mut seen: Vec<PathBuf> = Vec::new();
        let mut found = Vec::new();
        for path in candidates(root, folder) {
            let name = shown(root, &path);
            match take(root, &path, &mut seen) {
                Ok(Some((text, bytes))) => found.push(Found { name, text, bytes }),
                Ok(None) => {}
                Err(why) => read.notices.push(format!("{name} is left out: {why}")),
            }
        }
        let bytes_max = bytes_max(window);
        let mut left_out = found.len().saturating_sub(FILES_MAX);
        // Names and notes alone may be too much of a small window.
        while left_out + 1 < found.len() && around(&found[left_out..]) > bytes_max / 2 {
            left_out += 1;
        }
        if left_out > 0 {
            read.notices.push(format!(
                "{left_out} files of instructions above {} are left out",
                found[left_out].name
            ));
            found.drain(..left_out);
        }
        read.compose(&found, bytes_max);
        read
    }

    fn compose(&mut self, found: &[Found], bytes_max: usize) {
        if found.is_empty() {
            return;
        }
        let room = bytes_max.saturating_sub(HEADING.len() + around(found));
        let share = share(found.iter().map(|file| file.text.len()).collect(), room);
        self.text.push_str(HEADING);
        for file in found {
            self.text.push_str(&heading(file));
            let kept = cut(&file.text, share);
            self.text.push_str(kept);
            if kept.len() < file.text.len() || file.bytes > FILE_BYTES_MAX {
                let (kept, bytes, name) = (kept.len(), file.bytes, &file.name);
                self.text.push_str(&format!(
                    "\n[{kept} of {bytes} bytes are shown: view_file {name} has the rest]"
                ));
                self.notices.push(format!(
                    "{name} is too long for this window: {kept} of {bytes} bytes are in, {} are left out. Shorten it, or \
                     give the model a larger window",
                    bytes.saturating_sub(kept as u64)
                ));
            }
            self.files.push(file.name.clone());
        }
    }
}

fn heading(file: &Found) -> String {
    format!("\n\nFrom {}:\n\n", file.name)
}

/// What stands around the texts. Bytes.
fn around(found: &[Found]) -> usize {
    found.iter().map(|file| heading(file).len() + NOTE_BYTES + file.name.len()).sum()
}

/// Whether a path names a file of instructions.
pub(crate) fn is_instructions(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    ["AGENTS.md", "CLAUDE.md", "BOWLINE.md"].contains(&name)
}

/// An eighth of the window, at 3.5 bytes a token.
fn bytes_max(window: i64) -> usize {
    usize::try_from(window / 8).unwrap_or(0).saturating_mul(7) / 2
}

/// The files that are there, from the root down.
fn candidates(root: &Path, folder: &Path) -> Vec<PathBuf> {
    let folder = folder.canonicalize().unwrap_or_else(|_| root.to_owned());
    let mut folders: Vec<&Path> = folder.ancestors().take_while(|folder| folder.starts_with(root)).collect();
    folders.reverse();
    let mut paths = Vec::new();
    for folder in folders {
        // A link that leads nowhere is there too.
        let there = |name: &str| Some(folder.join(name)).filter(|path| path.symlink_metadata().is_ok());
        paths.extend(there("AGENTS.md").or_else(|| there("CLAUDE.md")));
        paths.extend(there("BOWLINE.md"));
    }
    paths
}

fn shown(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
    below.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// A file's text and its length on the disk; none where it is empty, or the same file under another name.
fn take(root: &Path, path: &Path, seen: &mut Vec<PathBuf>) -> Result<Option<(String, u64)>, String> {
    let real = path
        .canonicalize()
        .map_err(|_| "it is a link that leads nowhere. Mend it or remove it".to_owned())?;
    if !real.starts_with(root) {
        return Err("it is a link that leads out of the project. Copy it into the project".to_owned());
    }
    if seen.contains(&real) {
        return Ok(None);
    }
    seen.push(real.clone());
    let metadata = real.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a file. Move it away".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(&real)
        .and_then(|file| file.take(FILE_BYTES_MAX).read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    if bytes.contains(&0) {
        return Err("it is not text. Save it as UTF-8".to_owned());
    }
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).trim();
    Ok((!text.is_empty()).then(|| (text.to_owned(), metadata.len())))
}

/// How much of each may be kept, so that all fit: what short ones do not need is left to the long ones.
fn share(mut lengths: Vec<usize>, room: usize) -> usize {
    lengths.sort_unstable();
    let mut room = room;
    for (n, length) in lengths.iter().enumerate() {
        let each = room / (lengths.len() - n);
        if *length > each {
            return each;
        }
        room -= length;
    }
    usize::MAX
}

/// At most so many bytes, up to the end of a line.
fn cut(text: &str, bytes_max: usize) -> &str {
    if text.len() <= bytes_max {
        return text;
    }
    let head = &text[..text.floor_char_boundary(bytes_max)];
    match head.rfind('\n') {
        Some(end) => head[..end].trim_end(),
        None => head,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn read(folder: &tempfile::TempDir, below: &str, window: i64) -> Instructions {
        let root = folder.path().canonicalize().unwrap();
        Instructions::read(&root, &root.join(below), window)
    }

    #[test]
    fn from_the_root_down_to_the_folder() {
        let folder = project(&[
            ("AGENTS.md", "\u{feff}Root.\r\nTwo.\n"),
            ("CLAUDE.md", "Never."),
            ("a/CLAUDE.md", "For a."),
            ("a/BOWLINE.md", "Only bowline."),
            ("a/b/AGENTS.md", "For b."),
            ("a/b/c/AGENTS.md", "Too deep."),
            ("z/AGENTS.md", "Elsewhere."),
        ]);
        let all = read(&folder, "a/b", 16_384);
        assert_eq!(
            all.text,
            "# Instructions of this project\n\nFrom AGENTS.md:\n\nRoot.\nTwo.\n\nFrom a/CLAUDE.md:\n\nFor a.\n\n\
             From a/BOWLINE.md:\n\nOnly bowline.\n\nFrom a/b/AGENTS.md:\n\nFor b."
        );
        assert_eq!(all.files, ["AGENTS.md", "a/CLAUDE.md", "a/BOWLINE.md", "a/b/AGENTS.md"]);
        assert!(all.notices.is_empty());
        assert_eq!(read(&project(&[("README.md", "Hi.")]), "", 16_384), Instructions::default());
    }

    #[test]
    fn a_long_one_is_cut_at_a_line_and_leaves_room_for_others() {
        let long = "0123456789 a line of instructions\n".repeat(3_000);
        let folder = project(&[("AGENTS.md", &long), ("src/AGENTS.md", "Short and near.")]);
        for window in [6_144, 16_384, 131_072] {
            let all = read(&folder, "src", window);
            assert!(all.text.len() <= bytes_max(window), "{} of {window}", all.text.len());
            assert!(all.text.len() > bytes_max(window) * 4 / 5, "{} of {window}", all.text.len());
            assert!(all.text.ends_with("From src/AGENTS.md:\n\nShort and near."), "{window}");
            assert!(all.text.contains("instructions\n["), "not at a line");
            assert!(all.text.contains("of 102000 bytes are shown: view_file AGENTS.md has the rest]"));
            assert!(all.notices[0].contains("AGENTS.md is too long"), "{:?}", all.notices);
        }
        assert!(read(&folder, "", 1_000_000).notices.is_empty());
        // A line that never ends is cut all the same.
        let folder = project(&[("AGENTS.md", &"ü".repeat(50_000))]);
        assert!(read(&folder, "", 8_192).text.len() <= bytes_max(8_192));
    }

    #[test]
    fn what_is_no_text_of_the_project_is_left_out() {
        let folder = project(&[("AGENTS.md", "a\0b"), ("b/x", ""), ("c/AGENTS.md", "  \n")]);
        let outside = project(&[("secret.md", "A secret.")]);
        std::os::unix::fs::symlink(outside.path().join("secret.md"), folder.path().join("BOWLINE.md"))
            .unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("b/AGENTS.md")).unwrap();
        std::fs::create_dir(folder.path().join("b/BOWLINE.md")).unwrap();
        let all = read(&folder, "b", 16_384);
        assert_eq!((all.text.as_str(), all.files.len()), ("", 0));
        let due = [
            "AGENTS.md is left out: it is not text. Save it as UTF-8",
            "BOWLINE.md is left out: it is a link that leads out of the project. Copy it into the project",
            "b/AGENTS.md is left out: it is a link that leads nowhere. Mend it or remove it",
            "b/BOWLINE.md is left out: it is not a file. Move it away",
        ];
        assert_eq!(all.notices, due);
        std::fs::write(folder.path().join("c/AGENTS.md"), b"Gr\xfc\xdfe.").unwrap();
        assert!(read(&folder, "c", 16_384).text.ends_with("Gr\u{fffd}\u{fffd}e."));
        // A link within is the same file once.
        let folder = project(&[("docs/rules.md", "Rules.")]);
        for name in ["AGENTS.md", "BOWLINE.md"] {
            std::os::unix::fs::symlink("docs/rules.md", folder.path().join(name)).unwrap();
        }
        assert_eq!(read(&folder, "", 16_384).files, ["AGENTS.md"]);
    }
}
