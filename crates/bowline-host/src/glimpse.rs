//! A glimpse of a small project, for a session's first message: which files there are, and what is in the smallest.
//!
//! Small models do better on what they see than on what they would have to ask for, and spend their first steps on finding
//! out that there are three files. A larger project is left to the tools. Nothing hidden, nothing that may be a key,
//! nothing that git ignores is shown; and never more than a few hundred tokens.

use std::path::Path;

use crate::instructions::is_instructions;
use crate::permission::is_secret;
use crate::walk::{Hidden, Walk, is_file};
use crate::workspace::Workspace;

/// With more files than this there is no glimpse at all.
const FILES_MAX: usize = 40;
/// With more than this their contents are left out.
const FILES_SHOWN_MAX: usize = 12;
/// Files and folders that are looked at.
const ENTRIES_MAX: usize = 400;
/// The most bytes of the whole glimpse.
const BYTES_MAX: usize = 2_400;

/// What stands before the first task, if there is anything worth showing.
pub fn glimpse(workspace: &Workspace) -> Option<String> {
    let paths = files(workspace)?;
    if paths.is_empty() {
        return None;
    }
    let mut text = format!("Files of the project: {}", paths.join(", "));
    if text.len() > BYTES_MAX {
        return None;
    }
    if paths.len() <= FILES_SHOWN_MAX {
        for path in &paths {
            let shown = content(workspace, path).map(|content| format!("\n\n{path}:\n```\n{content}\n```"));
            // A large one is left out, and does not keep a small one after it from being shown.
            text.push_str(&shown.filter(|shown| text.len() + shown.len() <= BYTES_MAX).unwrap_or_default());
        }
    }
    Some(text)
}

/// The files whose contents a glimpse shows.
pub(crate) fn shown_files(glimpse: &str) -> Vec<&str> {
    let mut paths = Vec::new();
    let mut rest = glimpse;
    while let Some((before, after)) = rest.split_once(":\n```\n") {
        let Some((_, content_after)) = after.split_once("\n```") else { break };
        paths.extend(before.rsplit_once("\n\n").map(|(_, path)| path));
        rest = content_after;
    }
    paths
}

/// All files, sorted; none where there are too many.
fn files(workspace: &Workspace) -> Option<Vec<String>> {
    let walk = Walk::of(workspace, workspace.root()).hidden(Hidden::LeftOut);
    let mut paths = Vec::new();
    for (seen, entry) in walk.entries().enumerate() {
        if seen > ENTRIES_MAX || paths.len() > FILES_MAX {
            return None;
        }
        if is_file(&entry) {
            paths.push(workspace.display(entry.path()));
        }
    }
    (paths.len() <= FILES_MAX).then_some(paths)
}

/// A small text file's content, without its last line break.
fn content(workspace: &Workspace, path: &str) -> Option<String> {
    let file = workspace.root().join(path);
    let size = file.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    // The project's instructions are in the prompt already.
    if size == 0 || size > BYTES_MAX as u64 || is_withheld(path) || is_instructions(path) {
        return None;
    }
    let text = String::from_utf8(std::fs::read(file).ok()?).ok()?;
    // A fence within would end ours.
    let is_plain = !text.contains('\0') && !text.contains("```");
    is_plain.then(|| text.trim_end_matches(['\r', '\n']).to_owned())
}

/// Whether a file is not for showing unasked: what a tool would ask about, what its name warns of, and what machines write.
pub(crate) fn is_withheld(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let words = ["secret", "token", "password", "credential"];
    is_secret(Path::new(path)) || words.iter().any(|word| name.contains(word)) || name.ends_with(".lock")
}

#[cfg(test)]
mod tests {
    use super::glimpse;
    use crate::workspace::Workspace;

    fn project(files: &[(&str, &str)]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        glimpse(&Workspace::open(folder.path(), Vec::new()).unwrap())
    }

    #[test]
    fn a_small_project_is_shown_with_its_small_files() {
        let long = "x".repeat(5_000);
        let text = project(&[("a.py", "A = 1\n"), ("big.txt", &long), ("src/b.py", "B = 2\n")]).unwrap();
        assert_eq!(
            text,
            "Files of the project: a.py, big.txt, src/b.py\n\na.py:\n```\nA = 1\n```\n\nsrc/b.py:\n```\nB = 2\n```"
        );
    }

    #[test]
    fn what_was_shown_is_read_back() {
        let text = project(&[("a.py", "A = 1\n\nB:\n"), ("b.py", ""), ("src/c d.py", "C = 2")]).unwrap();
        assert_eq!(super::shown_files(&text), ["a.py", "src/c d.py"]);
        assert!(super::shown_files("Files of the project: a, b").is_empty());
    }

    #[test]
    fn what_is_hidden_ignored_secret_or_binary_is_not() {
        let text = project(&[
            (".env", "KEY=1"),
            (".gitignore", "out/\n"),
            ("out/x.txt", "generated"),
            ("server.key", "private"),
            ("my_tokens.json", "{}"),
            ("data.bin", "a\0b"),
            ("fence.md", "```\ncode\n```"),
        ])
        .unwrap();
        assert_eq!(text, "Files of the project: data.bin, fence.md, my_tokens.json, server.key");
    }

    #[test]
    fn a_large_project_or_an_empty_one_is_not() {
        let many: Vec<(String, &str)> = (0..41).map(|n| (format!("f{n}.txt"), "x")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        assert_eq!(project(&many), None);
        assert_eq!(project(&[]), None);
        let list = project(&many[..13]).unwrap();
        assert!(
            list.starts_with("Files of the project: f0.txt, f1.txt, f10.txt") && !list.contains('`'),
            "{list}"
        );
    }
}
