//! The one table of tools: everything the program knows about a tool apart from what it does.
//!
//! What a tool *does* is the host's. The words stand in Markdown files and the schemas in JSON files beside this one,
//! written by hand: generated schemas carry titles and formats that a small context window has no room for. The order of
//! the rows is the order in every request and never changes within a session.

use serde_json::Value;

use super::ToolSpec;
use crate::entry::Access;
use crate::item::ItemKind;
use crate::mode::Mode;

/// Whether a call may change anything: reads run side by side, a write runs alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    Writes,
}

/// What a call's `path` means for the file ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ledger {
    /// The path was read: it is listed under *Files Read*.
    PathRead,
    /// The path says nothing. Files that a call changed are known from its result.
    Nothing,
}

struct Row {
    name: &'static str,
    words: &'static str,
    schema: &'static str,
    /// Arguments as they should be, for a model that got them wrong twice.
    example: &'static str,
    effect: Effect,
    kind: ItemKind,
    /// What other harnesses call it, in lower case and without separators.
    aliases: &'static [&'static str],
    /// The calling modes it is offered in.
    modes: &'static [Mode],
    ledger: Ledger,
}

macro_rules! row {
    ($name:literal, $effect:ident, $kind:ident, $modes:expr, $ledger:ident, $aliases:expr) => {
        Row {
            name: $name,
            words: include_str!(concat!($name, ".md")),
            schema: include_str!(concat!($name, ".json")),
            example: include_str!(concat!($name, ".example.json")),
            effect: Effect::$effect,
            kind: ItemKind::$kind,
            aliases: $aliases,
            modes: $modes,
            ledger: Ledger::$ledger,
        }
    };
}

const EVERY_MODE: &[Mode] = &Mode::ALL;

const EDITING: &[Mode] = &[Mode::Native, Mode::Text];

const TABLE: [Row; 8] = [
    row!(
        "view_file",
        Reads,
        Read,
        EVERY_MODE,
        PathRead,
        &["read", "readfile", "view", "cat", "openfile", "showfile", "getfile", "readfiles",]
    ),
    row!(
        "list_dir",
        Reads,
        Read,
        EVERY_MODE,
        PathRead,
        &["ls", "list", "listdirectory", "listfiles", "listfolder", "dir", "readdir",]
    ),
    row!(
        "find_files",
        Reads,
        Search,
        EVERY_MODE,
        PathRead,
        &[
            "glob",
            "find",
            "findfile",
            "filesearch",
            "globsearch",
            "searchfilenames",
            "findpath",
            "findbyname",
            "globfilesearch",
        ]
    ),
    row!(
        "grep",
        Reads,
        Search,
        EVERY_MODE,
        PathRead,
        &[
            "search",
            "rg",
            "ripgrep",
            "searchfiles",
            "searchtext",
            "searchcode",
            "grepsearch",
            "grepfiles",
            "codesearch",
            "searchfilecontent",
        ]
    ),
    row!(
        "edit_file",
        Writes,
        Edit,
        EDITING,
        Nothing,
        &[
            "edit",
            "replace",
            "strreplace",
            "stringreplace",
            "searchreplace",
            "replaceinfile",
            "applyedit",
            "modifyfile",
            "multiedit",
            "replacestringinfile",
            "searchandreplace",
        ]
    ),
    row!(
        "write_file",
        Writes,
        Edit,
        EDITING,
        Nothing,
        &["write", "createfile", "create", "savefile", "writetofile", "newfile",]
    ),
    row!(
        "run_command",
        Writes,
        Command,
        EVERY_MODE,
        Nothing,
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
            "shellcommand",
            "execcommand",
            "localshell",
        ]
    ),
    row!("change", Writes, Edit, &[Mode::Constrained], Nothing, &[]),
];

fn row(tool: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == tool)
}

/// The tools of a session in native mode: all of them, or those that only read. They are stored with the session.
pub fn specs(access: Access) -> Vec<ToolSpec> {
    of_mode(Mode::Native, access)
}

/// The tools that are offered in a calling mode.
pub fn of_mode(mode: Mode, access: Access) -> Vec<ToolSpec> {
    let is_allowed = |row: &&Row| access == Access::Write || row.effect == Effect::Reads;
    TABLE.iter().filter(|row| row.modes.contains(&mode)).filter(is_allowed).map(spec).collect()
}

fn spec(row: &Row) -> ToolSpec {
    ToolSpec {
        name: row.name.to_owned(),
        description: row.words.trim().to_owned(),
        parameters: serde_json::from_str(row.schema).unwrap_or(Value::Null),
    }
}

/// Whether a tool of this name may change anything; an unknown one is taken to.
pub fn effect(tool: &str) -> Effect {
    row(tool).map_or(Effect::Writes, |row| row.effect)
}

/// One call of this tool with its arguments filled in.
pub fn example(tool: &str) -> Option<&'static str> {
    row(tool).map(|row| row.example.trim())
}

/// What a client calls an item of this tool.
pub fn kind(tool: &str) -> ItemKind {
    row(tool).map_or(ItemKind::Tool, |row| row.kind)
}

/// What the path of a call of this tool means for the file ledger.
pub fn ledger(tool: &str) -> Ledger {
    row(tool).map_or(Ledger::Nothing, |row| row.ledger)
}

/// Whether a tool is offered in this calling mode. A tool that the table does not know is.
pub fn is_offered(tool: &str, mode: Mode) -> bool {
    row(tool).is_none_or(|row| row.modes.contains(&mode))
}

/// The tool that other harnesses call so; `name` is in lower case and without separators.
pub fn by_alias(name: &str) -> Option<&'static str> {
    TABLE.iter().find(|row| row.aliases.contains(&name)).map(|row| row.name)
}
