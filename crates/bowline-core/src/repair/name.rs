//! A tool's name as other harnesses call it: another case, other separators, a namespace before it, or one of a few
//! well-known aliases.

use crate::tools::ToolSpec;

const ALIASES: [(&str, &[&str]); 7] = [
    ("view_file", &["read", "readfile", "view", "cat", "openfile", "showfile", "getfile", "readfiles"]),
    ("list_dir", &["ls", "list", "listdirectory", "listfiles", "listfolder", "dir", "readdir"]),
    ("find_files", &["glob", "find", "findfile", "filesearch", "globsearch", "searchfilenames"]),
    (
        "grep",
        &["search", "rg", "ripgrep", "searchfiles", "searchtext", "searchcode", "grepsearch", "codesearch"],
    ),
    (
        "edit_file",
        &[
            "edit",
            "replace",
            "strreplace",
            "stringreplace",
            "searchreplace",
            "replaceinfile",
            "applyedit",
            "modifyfile",
        ],
    ),
    ("write_file", &["write", "createfile", "create", "savefile", "writetofile", "newfile"]),
    (
        "run_command",
        &[
            "bash",
            "shell",
            "sh",
            "run",
            "exec",
            "execute",
            "command",
            "terminal",
            "executecommand",
            "runshell",
            "runshellcommand",
            "executebash",
            "runbash",
            "runterminalcommand",
            "runterminalcmd",
            "runinterminal",
        ],
    ),
];

/// The session's tool that is meant, if it is plain which.
pub(super) fn known(name: &str, specs: &[ToolSpec]) -> Option<String> {
    let has = |tool: &str| specs.iter().any(|spec| spec.name == tool);
    if has(name) {
        return Some(name.to_owned());
    }
    // The whole, then what stands behind a namespace.
    let behind = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
    let behind = behind.rsplit("__").next().unwrap_or(behind);
    [name, behind].into_iter().map(folded).find_map(|folded_name| {
        let spec = specs.iter().find(|spec| folded(&spec.name) == folded_name);
        let alias = || {
            let is_alias = |(_, aliases): &&(&str, &[&str])| aliases.contains(&folded_name.as_str());
            ALIASES.iter().find(is_alias).map(|(tool, _)| (*tool).to_owned()).filter(|tool| has(tool))
        };
        spec.map(|spec| spec.name.clone()).or_else(alias)
    })
}

/// Without case and separators.
pub(super) fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
