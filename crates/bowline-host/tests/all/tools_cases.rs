//! Runs `tests/cases/tools/*.case`. A case is a line of description and sections that open with `=== name`:
//!
//! - `file PATH`, `folder PATH`, `link PATH -> TARGET`: what the work tree holds;
//! - `context WORDS`: on which terms the calls after it are run: `careful`, `lenient`, `report`, `refuse`, or a calling mode;
//! - `call TOOL`: the arguments as JSON, then `answer OUTCOME`: what the model reads; as often as needed;
//! - `after PATH`: the file at the end, or `after PATH missing`.
//!
//! A section whose name ends in `escaped` is written with `\n`, `\r`, `\t`, `\\` and `\xNN`; line breaks in it are layout.
//! `ROOT` in an answer stands for the work tree, `ABOVE` for the folder it is in. `UPDATE_EXPECT=1` rewrites the answers and the files at the end.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use bowline_core::mode::Mode;
use bowline_core::tool_output::{Grant, ToolDone};
use bowline_core::tools::parse;
use bowline_host::config::{BrokenEdit, EditMode};
use bowline_host::tools::{CallContext, run};
use bowline_host::workspace::Workspace;

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/tools");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "case"));
    paths.sort();
    assert!(!paths.is_empty());
    let mut failed = Vec::new();
    for path in paths {
        let source = fs::read_to_string(&path).unwrap();
        let answered = answer(&source);
        if answered == source {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, answered).unwrap();
        } else {
            failed.push(format!("{}\n--- is\n{answered}--- should be\n{source}", path.display()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The case with the answers that the code gives.
fn answer(source: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let root = base.join("project");
    fs::create_dir(&root).unwrap();
    let workspace = Workspace::open(&root, Vec::new()).unwrap();
    let mut out = String::new();
    let mut context = CallContext::default();
    for (index, section) in source.split("=== ").enumerate() {
        if index == 0 {
            out.push_str(section);
            continue;
        }
        let (title, text) = section.split_once('\n').unwrap_or((section, ""));
        let (name, bytes) = match title.strip_suffix(" escaped") {
            Some(name) => (name, unescape(text)),
            None => (title, text.as_bytes().to_vec()),
        };
        match name.split_once(' ').unwrap_or((name, "")) {
            ("answer", _) => continue,
            ("after", path) => {
                let path = path.strip_suffix(" missing").unwrap_or(path);
                out.push_str(&format!("=== after {path}{}", after(&root.join(path))));
                continue;
            }
            ("file", path) => {
                fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
                fs::write(root.join(path), bytes).unwrap();
            }
            ("folder", path) => fs::create_dir_all(root.join(path)).unwrap(),
            ("link", link) => {
                let (path, target) = link.split_once(" -> ").unwrap();
                symlink(target, root.join(path)).unwrap();
            }
            ("terms", words) => context = CallContext { seen: context.seen, ..on(words) },
            ("call", tool) => {
                out.push_str(&format!("=== {section}"));
                out.push_str(
                    &called(&workspace, &context, tool, text)
                        .replace(root.to_str().unwrap(), "ROOT")
                        .replace(base.to_str().unwrap(), "ABOVE"),
                );
                continue;
            }
            (other, _) => panic!("unknown section {other}"),
        }
        out.push_str(&format!("=== {section}"));
    }
    out
}

fn on(words: &str) -> CallContext {
    let mut context = CallContext::default();
    for word in words.split(' ') {
        match word {
            "careful" => context.edit.mode = EditMode::Careful,
            "lenient" => context.edit.mode = EditMode::Lenient,
            "report" => context.edit.broken = Some(BrokenEdit::Report),
            "refuse" => context.edit.broken = Some(BrokenEdit::Refuse),
            word => context.mode = Mode::of(word).unwrap_or_else(|| panic!("unknown term {word}")),
        }
    }
    context
}

fn called(workspace: &Workspace, context: &CallContext, tool: &str, arguments: &str) -> String {
    let arguments = serde_json::from_str(arguments).unwrap();
    let call = parse(tool, &arguments).unwrap().unwrap();
    let outputs = |id: &str| (id == "r7").then(|| "one\ntwo\nthree\n".to_owned());
    match run(workspace, &call, Grant::Inside, context, &outputs, &AtomicBool::new(false)) {
        ToolDone::Ask(question) => format!("=== answer asked\n{}\n", question.what),
        ToolDone::Output(output) => {
            let edits = output.edits.iter().map(|edit| {
                format!(
                    "[user sees {} +{} -{} {}]\n{}",
                    edit.path, edit.added, edit.removed, edit.rung, edit.diff
                )
            });
            let edits = edits.collect::<String>().replace('\r', "\\r");
            format!("=== answer {}\n{}\n{edits}", output.outcome.word(), output.text)
        }
    }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chars = text.chars().filter(|char| *char != '\n');
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next().expect("a letter after the backslash") {
                'n' => bytes.push(b'\n'),
                'r' => bytes.push(b'\r'),
                't' => bytes.push(b'\t'),
                '\\' => bytes.push(b'\\'),
                'x' => {
                    let digits: String = chars.by_ref().take(2).collect();
                    bytes.push(u8::from_str_radix(&digits, 16).unwrap());
                }
                other => panic!("unknown escape \\{other}"),
            },
            char => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// A file at the end as a section: plain where it can be.
fn after(path: &Path) -> String {
    let Ok(content) = fs::read(path) else { return " missing\n".to_owned() };
    let plain = std::str::from_utf8(&content)
        .is_ok_and(|text| (text.is_empty() || text.ends_with('\n')) && !text.contains(['\r', '\u{feff}']));
    if plain {
        return format!("\n{}", String::from_utf8_lossy(&content));
    }
    let mut text = " escaped\n".to_owned();
    for byte in content {
        match byte {
            b'\n' => text.push_str("\\n\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(byte)),
            other => text.push_str(&format!("\\x{other:02x}")),
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
