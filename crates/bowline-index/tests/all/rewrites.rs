//! Runs the case files of rewrites: `file PATH`, then `rewrite PLACE` with the text of the fence and `gives` with what comes of
//! it (`rewrite file` for all of it): the new file, what was noticed, or why it is refused. `\r` at the end of a line of the file stands for a carriage return,
//! `\t` at the beginning of one for a tab.

use std::fmt::Write as _;

use bowline_index::{Kind, Place, check, rewrite};

use crate::cases::{run, sections};
use crate::renames::find;

#[test]
fn rewrites_fit_into_the_file() {
    run("rewrite", |source| {
        let (mut path, mut content) = (String::new(), String::new());
        let (mut named, mut answer) = (String::new(), String::new());
        sections(source, |out, name, section, text| {
            let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
            match word {
                "file" => {
                    (path, content) = (rest.to_owned(), unescaped(text));
                    out.push_str(section);
                }
                "rewrite" => {
                    (named, answer) = (rest.to_owned(), unescaped(text));
                    out.push_str(section);
                }
                "gives" => {
                    out.push_str("gives\n");
                    out.push_str(&given(&path, &content, &named, &answer));
                }
                other => panic!("unknown section {other}"),
            }
        })
    });
}

fn given(path: &str, content: &str, named: &str, answer: &str) -> String {
    let place = if named == "file" { whole(content) } else { find(path, content, named) };
    match rewrite(path, content.as_bytes(), &place, answer) {
        Err(refused) => format!("refused: {refused}\n"),
        Ok(rewritten) => {
            assert_eq!(check(path, content.as_bytes(), &rewritten.content), None);
            let mut out = escaped(&String::from_utf8(rewritten.content).unwrap());
            for (what, names) in [
                ("added", &rewritten.added),
                ("imports", &rewritten.imports_added),
                ("left out", &rewritten.left_out),
                ("dropped calls", &rewritten.dropped_calls),
            ] {
                if !names.is_empty() {
                    let _ = writeln!(out, "--- {what}: {}", names.join(" | "));
                }
            }
            out
        }
    }
}

/// The place that stands for the whole file.
fn whole(content: &str) -> Place {
    let lines = 1..=content.lines().count().max(1);
    Place {
        name: String::new(),
        container: None,
        kind: Kind::Block,
        lines: lines.clone(),
        own_lines: lines,
        bytes: 0..content.len(),
        body: None,
        head: String::new(),
    }
}

pub(crate) fn unescaped(text: &str) -> String {
    text.replace("\\r\n", "\r\n").replace("\\t", "\t")
}

pub(crate) fn escaped(text: &str) -> String {
    let mut text = text.replace("\r\n", "\\r\n").replace('\t', "\\t");
    if !text.ends_with('\n') {
        text.push_str("\\ no line break at the end\n");
    }
    text
}
