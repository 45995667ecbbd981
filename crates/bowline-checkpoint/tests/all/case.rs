//! A situation as a file: a line of description and sections that open with `=== name`.
//!
//! - `setup`, `agent`, `user`: what is there at the checkpoint, what the turn does, what the user does after it. Lines for `sh`,
//!   run in the work tree after `tests/cases/prelude.sh`, with `$OUT` a folder beside the tree;
//! - `expect`: how the files after the restore differ from those at the checkpoint, the last line counts: `user PATH` (as
//!   just before the restore, with all below it), `after PATH` (as the turn left it), `absent PATH`, `file MODE PATH "BYTES"`,
//!   `link PATH TARGET`, `folder MODE PATH`. What no line names is as it was at the checkpoint;
//! - `kept`: what the plan keeps, `PATH user` or `PATH uncaptured`; none where it is left out;
//! - `not captured` (after the turn) and `not captured before`: `PATH large BYTES`, `PATH many FILES`, `PATH repository`,
//!   `PATH special`, `PATH unreadable`; none where it is left out;
//! - `did`: what the turn changed, `STATUS PATH`, where it is of interest; `plan`: `ACTION PATH CAUSE`, likewise;
//! - `all`: the same as `expect` for a restore that takes the user's changes too;
//! - `meanwhile`: what happens between the plan and the restore; `refused`: words of the failure, in which case the restore
//!   touches nothing, and a new plan goes through;
//! - `check`: lines for `sh` at the end, which must succeed;
//! - `root`: the work tree, from the folder the lines run in; `as`: `nobody` for a user who may not do everything; `twins`:
//!   `none` where one run is enough; `kills`: `every` for a restore killed at every step, and not at some.
//!
//! A path with anything odd in it stands in double quotes, with `\n`, `\t`, `\"`, `\\` and `\xNN`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    sections: BTreeMap<String, String>,
}

const NAMES: [&str; 17] = [
    "setup",
    "agent",
    "user",
    "expect",
    "kept",
    "not captured",
    "not captured before",
    "did",
    "plan",
    "all",
    "meanwhile",
    "refused",
    "check",
    "root",
    "as",
    "kills",
    "twins",
];

impl Case {
    pub(crate) fn parse(name: &str, source: &str) -> Case {
        let mut sections: BTreeMap<String, String> = BTreeMap::new();
        let mut open: Option<String> = None;
        for line in source.split_inclusive('\n') {
            if let Some(section) = line.strip_prefix("=== ") {
                let section = section.trim_end().to_owned();
                assert!(NAMES.contains(&section.as_str()), "{name}: there is no section {section:?}");
                assert!(!sections.contains_key(&section), "{name}: {section} twice");
                sections.insert(section.clone(), String::new());
                open = Some(section);
            } else if let Some(open) = &open {
                sections.get_mut(open).unwrap().push_str(line);
            } else {
                assert!(!line.trim().is_empty(), "{name}: does not open with what it shows");
            }
        }
        Case { name: name.to_owned(), sections }
    }

    pub(crate) fn text(&self, section: &str) -> Option<&str> {
        self.sections.get(section).map(String::as_str)
    }

    /// The lines of a section as words; none where there is no such section.
    pub(crate) fn lines(&self, section: &str) -> Option<Vec<Vec<OsString>>> {
        let text = self.text(section)?;
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        Some(lines.map(|line| words(line)).collect())
    }
}

/// Words between spaces, those in double quotes with their escapes resolved.
fn words(line: &str) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => unquote(quoted, line),
            None => {
                let end = rest.find(' ').unwrap_or(rest.len());
                (rest.as_bytes()[..end].to_vec(), &rest[end..])
            }
        };
        words.push(OsString::from_vec(word));
        rest = after.trim_start();
    }
    words
}

/// What stands before the closing quote, and what comes after it.
fn unquote<'t>(text: &'t str, line: &str) -> (Vec<u8>, &'t str) {
    let mut bytes = Vec::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (bytes, &text[at + 1..]),
            '\\' => match characters.next().unwrap().1 {
                'n' => bytes.push(b'\n'),
                'r' => bytes.push(b'\r'),
                't' => bytes.push(b'\t'),
                'x' => {
                    let digits = &text[at + 2..at + 4];
                    bytes.push(u8::from_str_radix(digits, 16).unwrap());
                    characters.next();
                    characters.next();
                }
                other => bytes.extend(other.to_string().bytes()),
            },
            other => bytes.extend(other.to_string().bytes()),
        }
    }
    panic!("a quote stays open: {line}");
}

/// The situations of `tests/cases/situations`, by name.
pub(crate) fn all() -> Vec<Case> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/situations");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "case") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            cases.push(Case::parse(name, &std::fs::read_to_string(&path).unwrap()));
        }
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

#[test]
fn words_are_split_and_unquoted() {
    let split = words(r#"file 0644 "a b\n\x80\"" end"#);
    let bytes: Vec<&[u8]> = split.iter().map(|word| word.as_encoded_bytes()).collect();
    assert_eq!(bytes, [&b"file"[..], b"0644", b"a b\n\x80\"", b"end"]);
}
