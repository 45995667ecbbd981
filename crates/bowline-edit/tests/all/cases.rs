//! Runs `tests/cases/*.case`. A case is a line of description and sections that open with `=== name`:
//!
//! - `content`: the file; left out for one that does not exist;
//! - `old` and `new`, in pairs; `old all` for every place; without the line break at their end;
//! - `mode`: `careful` or `lenient`; exact where it is left out;
//! - the last one is the answer, after the `rung` that was taken if there is a mode: `expected` (the file afterwards), `in place` (the line), or `refused` (the words).
//!
//! A section whose name ends in `escaped` is written with `\n`, `\r`, `\t`, `\\` and `\xNN`; line breaks in it are layout.
//! `UPDATE_EXPECT=1` rewrites the answers.

use std::fs;
use std::path::Path;

use bowline_edit::{Edit, Landing, Mode, Replace, apply_with};

pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

#[test]
fn cases() {
    check("tests/cases", answer);
}

/// Holds every case of a folder against the answer it gets now.
#[track_caller]
pub(crate) fn check(folder: &str, answer: fn(&str) -> String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
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

/// The case with the answer that the code gives.
fn answer(source: &str) -> String {
    let sections = sections(source);
    let content = sections.iter().find(|section| section.name == "content").map(|section| &section.bytes);
    let mut edits: Vec<(String, String, Replace)> = Vec::new();
    for section in &sections {
        let text = || String::from_utf8(section.bytes.clone()).unwrap();
        match section.name.as_str() {
            "old" => edits.push((text(), String::new(), Replace::One)),
            "old all" => edits.push((text(), String::new(), Replace::All)),
            "new" => edits.last_mut().unwrap().1 = text(),
            _ => {}
        }
    }
    let edits: Vec<Edit<'_>> =
        edits.iter().map(|(old, new, replace)| Edit { old, new, replace: *replace }).collect();
    let mode =
        sections.iter().find(|section| section.name == "mode").map(|section| section.bytes.trim_ascii());
    let answers = ["\n=== rung", "\n=== expected", "\n=== refused", "\n=== in place"];
    let given = answers.iter().find_map(|answer| source.find(answer)).map_or(source.len(), |at| at + 1);
    let question = &source[..given];
    let in_mode = match mode {
        None => Mode::Exact,
        Some(b"careful") => Mode::Careful,
        Some(b"lenient") => Mode::Lenient,
        Some(other) => panic!("{other:?} is no mode"),
    };
    match apply_with(content.map(Vec::as_slice), &edits, in_mode) {
        Err(refusal) => format!("{question}=== refused\n{refusal}\n"),
        Ok(applied) => match applied.landings.as_slice() {
            [Landing::InPlace { line }] => {
                assert_eq!(Some(&applied.content), content);
                format!("{question}=== in place\nline {line}\n")
            }
            landings => {
                let rungs: Vec<&str> = landings
                    .iter()
                    .map(|landing| match landing {
                        Landing::Replaced { rung, .. } => rung.word(),
                        Landing::Created => "created",
                        Landing::InPlace { .. } => "in place",
                    })
                    .collect();
                let rungs = mode.map_or_else(String::new, |_| format!("=== rung\n{}\n", rungs.join(", ")));
                format!("{question}{rungs}=== expected{}", written(&applied.content))
            }
        },
    }
}

pub(crate) fn sections(source: &str) -> Vec<Section> {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in source.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("=== ") {
            sections.push((name.trim_end().to_owned(), String::new()));
        } else if let Some((_, text)) = sections.last_mut() {
            text.push_str(line);
        }
    }
    sections
        .into_iter()
        .map(|(name, text)| match name.strip_suffix(" escaped") {
            Some(name) => Section { name: name.to_owned(), bytes: unescape(&text) },
            None if name.starts_with("old") || name == "new" => {
                Section { name, bytes: text.strip_suffix('\n').unwrap_or(&text).as_bytes().to_vec() }
            }
            None => Section { name, bytes: text.into_bytes() },
        })
        .collect()
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

/// A content as a section: plain where it can be.
pub(crate) fn written(content: &[u8]) -> String {
    let plain = std::str::from_utf8(content).is_ok_and(|text| {
        (text.is_empty() || text.ends_with('\n'))
            && !text.contains(['\r', '\u{feff}'])
            && !text.contains("=== ")
    });
    if plain {
        return format!("\n{}", String::from_utf8_lossy(content));
    }
    let mut text = " escaped\n".to_owned();
    for byte in content {
        match byte {
            b'\n' => text.push_str("\\n\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(*byte)),
            other => text.push_str(&format!("\\x{other:02x}")),
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
