//! Runs the case files. A case is a line of description and sections that open with `=== name`; `UPDATE_EXPECT=1` rewrites
//! what is expected.
//!
//! - `tests/cases/definitions/*.case`: `file PATH`, then `definitions`: its lines, kind and name, one a line;
//! - `tests/cases/places/*.case`: `file PATH`, perhaps with `crlf` or `bom`, then `places`: the lines, the lines without those in
//!   front if they differ, `part` if it does not have its lines to itself, kind, path and head, one a line; and of one place, by
//!   its path (or `LINE` for the innermost one there): `text`, `hidden`, `body`, `calls`, `identifiers`;
//! - `tests/cases/shell/*.case`: `file PATH`, then `plain`: the script in the words of the plain shell if anything has to be put
//!   otherwise, and what is left that only bash knows;
//! - `tests/cases/check/*.case`: `before PATH`, then as often as needed `after` and `broken`: the place and what is wrong there,
//!   or `no`.

use std::fmt::Write as _;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use bowline_index::{
    Place, at_line, bash_only, calls, check, definitions, hidden, identifiers, places, to_plain_shell,
};

#[test]
fn definitions_are_found() {
    run("definitions", |source| {
        let mut path = String::new();
        let mut content = String::new();
        sections(source, |out, name, section, text| match name.split_once(' ').unwrap_or((name, "")) {
            ("file", named) => {
                (path, content) = (named.to_owned(), text.to_owned());
                out.push_str(section);
            }
            ("definitions", _) => {
                out.push_str("definitions\n");
                for found in definitions(&path, content.as_bytes()) {
                    let (first, last) = (found.own_lines.start(), found.own_lines.end());
                    let _ = writeln!(out, "{first}-{last} {} {}", found.kind.word(), found.path());
                }
            }
            (other, _) => panic!("unknown section {other}"),
        })
    });
}

#[test]
fn scripts_for_the_plain_shell_are_put_into_its_words() {
    run("shell", |source| {
        let mut file = (String::new(), String::new());
        sections(source, |out, name, section, text| match name.split_once(' ').unwrap_or((name, "")) {
            ("file", named) => {
                file = (named.to_owned(), text.to_owned());
                out.push_str(section);
            }
            ("plain", _) => {
                let (path, script) = &file;
                let plain = to_plain_shell(path, script.as_bytes());
                let script = plain.clone().unwrap_or_else(|| script.as_bytes().to_vec());
                out.push_str("plain\n");
                out.push_str(
                    &plain.map_or(String::from("as it is\n"), |plain| String::from_utf8(plain).unwrap()),
                );
                if let Some((line, what)) = bash_only(path, &script) {
                    let _ = writeln!(out, "--- line {line}: {what}");
                }
            }
            (other, _) => panic!("unknown section {other}"),
        })
    });
}

#[test]
fn places_are_found() {
    run("places", |source| {
        let mut path = String::new();
        let mut content = Vec::new();
        sections(source, |out, name, section, text| {
            let (what, of) = name.split_once(' ').unwrap_or((name, ""));
            if what == "file" {
                out.push_str(section);
                (path, content) = file(of, text);
                return;
            }
            let found = places(&path, &content);
            let _ = writeln!(out, "{name}");
            if what == "places" {
                found.iter().for_each(|place| list(out, place, &content));
                return;
            }
            let place = match of.parse() {
                Ok(line) => at_line(&found, line),
                Err(_) => found.iter().find(|place| place.path() == of),
            };
            let Some(place) = place else { return out.push_str("none\n") };
            let shown = match what {
                "text" => String::from_utf8_lossy(&content[place.bytes.clone()]).into_owned(),
                "body" => String::from_utf8_lossy(&content[place.body.clone().unwrap()]).into_owned(),
                "hidden" => hidden(&content, place),
                "calls" => calls(&path, &content, place).join(" "),
                "identifiers" => identifiers(&path, &content, place).join(" "),
                "at" => place.path(),
                other => panic!("unknown section {other}"),
            };
            let shown = shown.replace('\r', "\\r");
            out.push_str(&shown);
            if !shown.ends_with('\n') {
                out.push('\n');
            }
        })
    });
}

/// The content of a section, in the form that its header asks for.
fn file(header: &str, text: &str) -> (String, Vec<u8>) {
    let mut words = header.split(' ');
    let path = words.next().unwrap().to_owned();
    let mut text = text.to_owned();
    for word in words {
        text = match word {
            "crlf" => text.replace('\n', "\r\n"),
            "bom" => format!("\u{feff}{text}"),
            "open" => text.trim_end_matches('\n').to_owned(),
            other => panic!("unknown form {other}"),
        };
    }
    (path, text.into_bytes())
}

fn list(out: &mut String, place: &Place, content: &[u8]) {
    let lines = |lines: &RangeInclusive<usize>| format!("{}-{}", lines.start(), lines.end());
    let _ = write!(out, "{}", lines(&place.lines));
    if place.own_lines != place.lines {
        let _ = write!(out, " ({})", lines(&place.own_lines));
    }
    let is_whole = content[place.bytes.clone()].ends_with(b"\n") || place.bytes.end == content.len();
    let part = if is_whole { "" } else { " part" };
    let _ =
        writeln!(out, "{part} {} {} | {}", place.kind.word(), place.path(), place.head.replace('\n', " / "));
}

#[test]
fn what_a_change_breaks_is_found() {
    run("check", |source| {
        let (mut path, mut before, mut after) = (String::new(), String::new(), String::new());
        sections(source, |out, name, section, text| match name.split_once(' ').unwrap_or((name, "")) {
            ("before", named) => {
                (path, before) = (named.to_owned(), text.to_owned());
                out.push_str(section);
            }
            ("after", _) => {
                after = text.to_owned();
                out.push_str(section);
            }
            ("broken", _) => {
                out.push_str("broken\n");
                match check(&path, before.as_bytes(), after.as_bytes()) {
                    None => out.push_str("no\n"),
                    Some(broken) => {
                        let _ = writeln!(out, "{}:{} {}", broken.line, broken.column, broken.what);
                    }
                }
            }
            (other, _) => panic!("unknown section {other}"),
        })
    });
}

/// Hands each section of a case over: its name, the whole of it, its text.
pub(crate) fn sections(source: &str, mut take: impl FnMut(&mut String, &str, &str, &str)) -> String {
    let mut out = String::new();
    for (index, section) in source.split("=== ").enumerate() {
        if index == 0 {
            out.push_str(section);
            continue;
        }
        out.push_str("=== ");
        let (name, text) = section.split_once('\n').unwrap_or((section, ""));
        take(&mut out, name, section, text);
    }
    out
}

pub(crate) fn run(area: &str, answer: impl Fn(&str) -> String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(area);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
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
