//! What a changed file and the rest of the project need from each other: imports of names that the new text uses, the other
//! side's exports, and no second copy of what another file defines.

use std::collections::HashSet;
use std::ops::Range;

use bowline_core::place::identifiers;
use bowline_index as index;

use super::{Rewrite, Tool};
use crate::survey::{defining, to_expose};
use crate::tools::Stop;
use crate::workspace::{FileRead, Resolved};

/// The content without these bytes, which are whole lines. Of the blank lines on both sides the longer run stays.
fn without(content: &[u8], range: Range<usize>) -> Vec<u8> {
    let before = content.get(..range.start).unwrap_or_default();
    let after = content.get(range.end..).unwrap_or_default();
    let is_blank = |line: &&[u8]| line.trim_ascii().is_empty();
    let above = before.split_inclusive(|byte| *byte == b'\n').rev().take_while(is_blank).map(<[u8]>::len);
    let below = after.split_inclusive(|byte| *byte == b'\n').take_while(is_blank).map(<[u8]>::len);
    let (above, below): (usize, usize) = (above.sum(), below.sum());
    // At the end of a file no blank lines stay.
    let is_last = after.trim_ascii().is_empty();
    let is_cut_above = above < below || is_last;
    let before = if is_cut_above { before.get(..before.len() - above).unwrap_or(before) } else { before };
    let after = if is_cut_above && !is_last { after } else { after.get(below..).unwrap_or(after) };
    [before, after].concat()
}

/// Whether a shell script reads another file, so that it has the functions of that file: `. ./time.sh`.
fn is_read_in(content: &[u8], path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let text = String::from_utf8_lossy(content);
    let reads = |line: &str| {
        let mut words = line.split_whitespace();
        let is_reading = matches!(words.next(), Some("." | "source"));
        let file = words.next().unwrap_or_default().trim_matches(['"', '\'', ';']);
        is_reading && file.rsplit('/').next() == Some(name)
    };
    text.lines().any(|line| line.split(['&', ';']).any(reads))
}

impl Tool<'_> {
    /// The content without definitions that the model wrote beside the one it was asked for and that another file has: they are
    /// imported from there, or the shell reads that file. One that can't be had stays.
    pub(super) fn without_copies(&self, file: &Resolved, mut content: Vec<u8>, added: &[String]) -> Vec<u8> {
        for (name, path) in defining(self.workspace, &file.display, added) {
            let all = index::places(&file.display, &content);
            let copy = all.iter().find(|place| place.name == name && place.container.is_none());
            let Some(copy) = copy else { continue };
            let without = without(&content, copy.bytes.clone());
            let imported = index::missing_imports(&file.display, &without, &[(&name, &path)]);
            let is_imported =
                index::imports(&file.display, &imported).iter().any(|import| import.local == name);
            if is_imported {
                content = imported;
            } else if is_read_in(&without, &path) {
                content = without;
            }
        }
        content
    }

    /// The same for a shell script that was written anew as a whole.
    pub(super) fn without_read_copies(&self, file: &Resolved, read: &FileRead, content: Vec<u8>) -> Vec<u8> {
        let names = |content: &[u8]| -> Vec<String> {
            index::definitions(&file.display, content).into_iter().map(|part| part.name).collect()
        };
        let old = names(&read.bytes);
        let is_shell = file.display.ends_with(".sh") || file.display.ends_with(".bash");
        let added: Vec<String> =
            names(&content).into_iter().filter(|name| is_shell && !old.contains(name)).collect();
        self.without_copies(file, content, &added)
    }

    /// The content with imports of the project's own names that it uses and the file did not know.
    pub(super) fn with_imports(&self, file: &Resolved, read: &FileRead, content: &[u8]) -> Vec<u8> {
        let known: HashSet<String> = identifiers(&String::from_utf8_lossy(&read.bytes)).into_iter().collect();
        let is_new = |name: &String| !known.contains(name);
        let new: Vec<String> =
            identifiers(&String::from_utf8_lossy(content)).into_iter().filter(is_new).collect();
        let defined = defining(self.workspace, &file.display, &new);
        let names: Vec<(&str, &str)> =
            defined.iter().map(|(name, path)| (name.as_str(), path.as_str())).collect();
        index::missing_imports(&file.display, content, &names)
    }

    /// The files that define what the changed file imports by now, with the names made visible there.
    pub(super) fn exposed(&self, file: &Resolved, text: &str, content: &[u8]) -> Result<Vec<Rewrite>, Stop> {
        let imports = index::imports(&file.display, content);
        let mut rewrites: Vec<Rewrite> = Vec::new();
        for (name, path) in to_expose(self.workspace, &file.display, text) {
            if !imports.iter().any(|import| import.local == name) {
                continue;
            }
            let other = self.existing(&path)?;
            let read = self.workspace.read(&other)?;
            let known = rewrites.iter().position(|rewrite| rewrite.file.display == other.display);
            let old = known.and_then(|at| rewrites.get(at)).map_or(&read.bytes, |rewrite| &rewrite.content);
            let Some(content) = index::expose(&path, old, &name) else { continue };
            match known.and_then(|at| rewrites.get_mut(at)) {
                Some(rewrite) => rewrite.content = content,
                None => rewrites.push(Rewrite { file: other, read: Some(read), content }),
            }
        }
        Ok(rewrites)
    }
}

#[cfg(test)]
mod tests {
    use super::is_read_in;

    #[test]
    fn a_script_has_the_functions_of_the_files_it_reads() {
        assert!(is_read_in(b"set -eu\n. ./time.sh\n", "time.sh"));
        assert!(is_read_in(b"source \"lib/time.sh\"; main\n", "lib/time.sh"));
        assert!(!is_read_in(b"# . ./time.sh\nsh time.sh\n", "time.sh"));
        assert!(!is_read_in(b". ./mytime.sh\n", "time.sh"));
    }
}
