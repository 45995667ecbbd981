//! Runs the case files of removals: `file PATH` as often as needed, then `remove PATH PLACE [PATH PLACE …]` and what comes of it:
//! each changed file, or why it is refused. With `with helpers` behind it, the definitions go that only the removed ones need.

use std::fmt::Write as _;

use bowline_index::{Helpers, Place, check, remove};

use crate::cases::{run, sections};
use crate::renames::{find, sources};

#[test]
fn removals_take_what_nothing_uses() {
    run("remove", |source| {
        let mut files: Vec<(String, String)> = Vec::new();
        let mut was_answered = false;
        sections(source, |out, name, section, text| {
            let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
            match word {
                "file" => {
                    if std::mem::take(&mut was_answered) {
                        files.clear();
                    }
                    files.push((rest.to_owned(), text.to_owned()));
                    out.push_str(section);
                }
                "remove" => {
                    was_answered = true;
                    let _ = writeln!(out, "{name}");
                    let (rest, helpers) = match rest.strip_suffix(" with helpers") {
                        Some(rest) => (rest, Helpers::Removed),
                        None => (rest, Helpers::Kept),
                    };
                    let words: Vec<&str> = rest.split(' ').collect();
                    out.push_str(&answer(&files, &words, helpers));
                }
                other => panic!("unknown section {other}"),
            }
        })
    });
}

fn answer(files: &[(String, String)], words: &[&str], helpers: Helpers) -> String {
    let content = |path: &str| &files.iter().find(|(known, _)| known == path).unwrap().1;
    let found: Vec<(&str, Place)> =
        words.chunks(2).map(|pair| (pair[0], find(pair[0], content(pair[0]), pair[1]))).collect();
    let at: Vec<(&str, &Place)> = found.iter().map(|(path, place)| (*path, place)).collect();
    match remove(&sources(files), &at, helpers) {
        Err(refused) => format!("refused: {refused}\n"),
        Ok(removed) => {
            let mut out = String::new();
            for (path, name) in &removed.helpers {
                let _ = writeln!(out, "helper {path}: {name}");
            }
            for changed in removed.files {
                let before = content(&changed.path);
                assert_eq!(check(&changed.path, before.as_bytes(), &changed.content), None);
                let after = String::from_utf8(changed.content).unwrap();
                let _ = write!(out, "--- {}\n{after}", changed.path);
            }
            out
        }
    }
}
