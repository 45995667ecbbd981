//! The text of one place, and what a request for its new text shows beside it: signatures and constants that it can use, and
//! lines that call it.

use bowline_core::place::{self, Change, Place, PlaceText};
use bowline_index::{Kind, Language, hidden, is_for_plain_shell, places};

use super::{FILES_READ_MAX, SMALL_FILES_MAX, Source, files, find, source};
use crate::workspace::Workspace;

/// What is shown beside a place whose body is hidden.
const SIGNATURES_MAX: usize = 8;
const TEST_LINES_MAX: usize = 6;
/// Constants of the same file.
const CONSTANTS_MAX: usize = 8;
const CONSTANT_BYTES_MAX: usize = 100;

/// The text of a place, with what a request for its new text shows beside it.
pub fn read_place(workspace: &Workspace, place: &Place, change: Change) -> Option<PlaceText> {
    let language =
        |path: &str| Language::of(path).map_or(String::new(), |language| language.word().to_owned());
    if change == Change::Create {
        return Some(PlaceText { language: language(&place.path), ..PlaceText::default() });
    }
    let source = source(workspace, &place.path)?;
    let language = fence_word(&source);
    let Some(name) = &place.name else {
        let text = source.text.clone();
        return Some(PlaceText { text, language, ..PlaceText::default() });
    };
    let parts = places(&source.path, source.text.as_bytes());
    let part = find(&parts, name)?;
    let text = source.text.get(part.bytes.clone())?.to_owned();
    let is_hidden = part.body.is_some();
    let used = place::identifiers(&text);
    Some(PlaceText {
        hidden: is_hidden.then(|| hidden(source.text.as_bytes(), part)),
        language,
        signatures: signatures(workspace, place, &used),
        constants: constants(&parts, part),
        test_lines: lines_calling(workspace, place, Code::Tests),
        call_lines: lines_calling(workspace, place, Code::Other),
        text,
    })
}

/// The word after an opening code fence. A script for the plain shell is called so: with `bash` a model writes what only that
/// knows.
fn fence_word(source: &Source) -> String {
    match Language::of(&source.path) {
        Some(Language::Bash) if is_for_plain_shell(source.text.as_bytes()) => "sh".to_owned(),
        language => language.map_or(String::new(), |language| language.word().to_owned()),
    }
}

/// The signatures of functions of the project that are used.
fn signatures(workspace: &Workspace, place: &Place, used: &[String]) -> Vec<String> {
    let files = files(workspace);
    let mut signatures = Vec::new();
    let code = files.into_iter().filter(|path| !place::is_test_path(path)).take(SMALL_FILES_MAX);
    for source in code.filter_map(|path| source(workspace, &path)) {
        for part in places(&source.path, source.text.as_bytes()) {
            let is_itself = source.path == place.path && place.name.as_deref() == Some(part.path().as_str());
            let is_used = part.kind == Kind::Function && used.contains(&part.name) && !is_itself;
            if is_used && signatures.len() < SIGNATURES_MAX {
                signatures.push(part.head.trim().to_owned());
            }
        }
    }
    signatures
}

/// Constants of a place's file that take one line each, outside of any type.
fn constants(parts: &[bowline_index::Place], place: &bowline_index::Place) -> Vec<String> {
    let is_value = matches!(place.kind, Kind::Function | Kind::Field | Kind::Variant);
    let is_constant = |part: &&bowline_index::Place| part.kind == Kind::Constant && part.container.is_none();
    let all = parts.iter().filter(is_constant).filter(|_| is_value);
    let is_line = |head: &&str| head.len() <= CONSTANT_BYTES_MAX && !head.ends_with(['{', '[', '(', '\\']);
    let lines = all.map(|part| part.head.trim()).filter(is_line).take(CONSTANTS_MAX);
    lines.map(str::to_owned).collect()
}

/// Which part of a project's code is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    Tests,
    Other,
}

/// Lines of the project that call the function at a place, outside of it.
fn lines_calling(workspace: &Workspace, place: &Place, code: Code) -> Vec<String> {
    let Some(name) = place.own_name() else { return Vec::new() };
    let is_meant = |path: &String| place::is_test_path(path) == (code == Code::Tests);
    let calls = |line: &&str| {
        let line = line.trim_start();
        let is_definition =
            ["def ", "function ", "fn ", "pub fn ", "export "].iter().any(|word| line.starts_with(word));
        place::calls(line).iter().any(|called| called == name) && !is_definition
    };
    let mut lines: Vec<String> = Vec::new();
    let files = files(workspace).into_iter().filter(is_meant);
    for source in files.filter_map(|path| source(workspace, &path)).take(FILES_READ_MAX) {
        if source.text.contains(name) {
            lines.extend(source.text.lines().filter(calls).map(|line| line.trim().to_owned()));
        }
        if lines.len() >= TEST_LINES_MAX {
            break;
        }
    }
    lines.truncate(TEST_LINES_MAX);
    lines
}
