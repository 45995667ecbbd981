//! What other harnesses call the arguments of our tools.
//!
//! Models are trained on the tools of other harnesses and fall back into them. The names come from opencode, codex, Cline,
//! goose, Zed, qwen-code, Claude Code, Cursor and the editors of VS Code. They are compared without case and separators.
//! Arguments that also count or say something differently are the concern of `translate.rs`.

use super::name::folded;

const FILE: &[&str] = &[
    "file",
    "filepath",
    "filename",
    "targetfile",
    "absolutepath",
    "relativepath",
    "relativeworkspacepath",
    "targetpath",
];
const FOLDER: &[&str] = &[
    "dir",
    "directory",
    "folder",
    "dirpath",
    "directorypath",
    "targetdirectory",
    "searchdirectory",
    "searchpath",
    "cwd",
    "workdir",
];
pub(super) const OLD: &[&str] = &[
    "oldstring",
    "oldstr",
    "oldtext",
    "oldcontent",
    "oldcode",
    "oldlines",
    "search",
    "searchtext",
    "searchstring",
    "find",
    "original",
    "originaltext",
    "originallines",
    "before",
    "targetcontent",
];
pub(super) const NEW: &[&str] = &[
    "newstring",
    "newstr",
    "newtext",
    "newcontent",
    "newcode",
    "newlines",
    "replace",
    "replacetext",
    "replacement",
    "replacementcontent",
    "replacewith",
    "updated",
    "updatedtext",
    "updatedlines",
    "after",
];
pub(super) const EVERY_PLACE: &[&str] =
    &["replaceall", "all", "global", "replaceeverywhere", "replaceglobally", "allowmultiple"];
const CONTENT: &[&str] =
    &["contents", "text", "filetext", "filecontent", "filecontents", "codecontent", "data", "body", "code"];
const PATTERN: &[&str] =
    &["query", "regex", "regexp", "search", "searchpattern", "searchterm", "globpattern", "expression"];
const COMMAND: &[&str] = &["cmd", "commandline", "script", "shellcommand", "bashcommand", "input", "code"];
const START: &[&str] = &["start", "from", "linestart", "firstline", "startlineoneindexed", "beginline"];
const END: &[&str] = &["end", "to", "lineend", "lastline", "endlineoneindexed", "endlineoneindexedinclusive"];
const GLOB: &[&str] = &["include", "includes", "filepattern", "includepattern", "fileglob", "globpattern"];
const EDITS: &[&str] = &["changes", "replacements", "replacementchunks", "operations"];

/// Folded names of other harnesses for an argument of ours.
fn names(tool: &str, name: &str) -> &'static [&'static [&'static str]] {
    match (tool, name) {
        ("list_dir" | "find_files" | "grep", "path") => &[FILE, FOLDER],
        (_, "path") => &[FILE],
        ("find_files", "pattern") => {
            &[PATTERN, &["glob", "name", "filename", "file", "filepattern", "include"]]
        }
        (_, "pattern") => &[PATTERN],
        (_, "old") => &[OLD],
        (_, "new") => &[NEW],
        (_, "replace_all") => &[EVERY_PLACE],
        (_, "edits") => &[EDITS],
        (_, "content") => &[CONTENT],
        (_, "command") => &[COMMAND],
        (_, "start_line") => &[START],
        (_, "end_line") => &[END],
        (_, "timeout_s") => &[&["timeoutseconds", "timeoutsecs", "timeoutsec"]],
        (_, "glob") => &[GLOB],
        _ => &[],
    }
}

/// Whether another harness means our argument `name` by `key`.
pub(super) fn means(tool: &str, key: &str, name: &str) -> bool {
    let key = folded(key);
    key == folded(name) || names(tool, name).iter().any(|names| names.contains(&key.as_str()))
}
