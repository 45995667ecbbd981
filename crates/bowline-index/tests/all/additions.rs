//! Runs the case files of what is added to a file.
//!
//! - `tests/cases/add/*.case`: `file PATH`, then `add PLACE` with the text of the fence (`add` alone: at the end of the file) and
//!   `gives` with the new file or why it is refused;
//! - `tests/cases/missing/*.case`: `file PATH`, then `missing NAME PATH [NAME PATH …]` with the new file, or `nothing`.

use std::fmt::Write as _;

use bowline_index::{add_after, check, expose, missing_imports};

use crate::cases::{run, sections};
use crate::renames::find;
use crate::rewrites::{escaped, unescaped};

#[test]
fn additions_fit_into_the_file() {
    run("add", |source| {
        let (mut path, mut content) = (String::new(), String::new());
        let (mut named, mut text) = (String::new(), String::new());
        sections(source, |out, name, section, body| {
            let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
            match word {
                "file" => {
                    (path, content) = (rest.to_owned(), unescaped(body));
                    out.push_str(section);
                }
                "add" => {
                    (named, text) = (rest.to_owned(), unescaped(body));
                    out.push_str(section);
                }
                "gives" => {
                    out.push_str("gives\n");
                    let place = (!named.is_empty()).then(|| find(&path, &content, &named));
                    match add_after(&path, content.as_bytes(), place.as_ref(), &text) {
                        Err(refused) => {
                            let _ = writeln!(out, "refused: {refused}");
                        }
                        Ok(added) => {
                            assert_eq!(check(&path, content.as_bytes(), &added.content), None);
                            out.push_str(&escaped(&String::from_utf8(added.content).unwrap()));
                            for (what, names) in [
                                ("added", &added.added),
                                ("imports", &added.imports_added),
                                ("left out", &added.left_out),
                            ] {
                                if !names.is_empty() {
                                    let _ = writeln!(out, "--- {what}: {}", names.join(" | "));
                                }
                            }
                        }
                    }
                }
                other => panic!("unknown section {other}"),
            }
        })
    });
}

#[test]
fn definitions_are_made_visible() {
    run("expose", |source| {
        let (mut path, mut content) = (String::new(), String::new());
        sections(source, |out, name, section, body| {
            let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
            match word {
                "file" => {
                    (path, content) = (rest.to_owned(), unescaped(body));
                    out.push_str(section);
                }
                "expose" => {
                    let _ = writeln!(out, "{name}");
                    match expose(&path, content.as_bytes(), rest) {
                        None => out.push_str("nothing\n"),
                        Some(with) => {
                            assert_eq!(expose(&path, &with, rest), None);
                            assert_eq!(check(&path, content.as_bytes(), &with), None);
                            out.push_str(&escaped(&String::from_utf8(with).unwrap()));
                        }
                    }
                }
                other => panic!("unknown section {other}"),
            }
        })
    });
}

#[test]
fn missing_imports_are_added() {
    run("missing", |source| {
        let (mut path, mut content) = (String::new(), String::new());
        sections(source, |out, name, section, body| {
            let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
            match word {
                "file" => {
                    (path, content) = (rest.to_owned(), unescaped(body));
                    out.push_str(section);
                }
                "missing" => {
                    let _ = writeln!(out, "{name}");
                    let words: Vec<&str> = rest.split(' ').collect();
                    let names: Vec<(&str, &str)> = words.chunks(2).map(|pair| (pair[0], pair[1])).collect();
                    let with = String::from_utf8(missing_imports(&path, content.as_bytes(), &names)).unwrap();
                    if with == content {
                        out.push_str("nothing\n");
                    } else {
                        assert_eq!(missing_imports(&path, with.as_bytes(), &names), with.as_bytes());
                        assert_eq!(check(&path, content.as_bytes(), with.as_bytes()), None);
                        out.push_str(&escaped(&with));
                    }
                }
                other => panic!("unknown section {other}"),
            }
        })
    });
}
