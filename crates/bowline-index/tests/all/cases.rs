//! Runs the case files. A case is a line of description and sections that open with `=== name`; `UPDATE_EXPECT=1` rewrites
//! what is expected.
//!
//! - `tests/cases/definitions/*.case`: `file PATH`, then `definitions`: its lines, kind and name, one a line;
//! - `tests/cases/check/*.case`: `before PATH`, then as often as needed `after` and `broken`: the place and what is wrong there,
//!   or `no`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use bowline_index::{check, definitions};

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
                    let (first, last) = (found.lines.start(), found.lines.end());
                    let _ = writeln!(out, "{first}-{last} {} {}", found.kind.word(), found.name);
                }
            }
            (other, _) => panic!("unknown section {other}"),
        })
    });
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
fn sections(source: &str, mut take: impl FnMut(&mut String, &str, &str, &str)) -> String {
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

fn run(area: &str, answer: impl Fn(&str) -> String) {
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
