//! Runs the case files of renames: `file PATH` as often as needed, then `rename PATH PLACE to NAME` and what comes of it: the
//! changed lines of each file, what is uncertain, or why it is refused. A place is given by its path, with `@LINE` where several
//! have the same. `rename PATH PLACE to NAME in comments` takes every mention in a comment for the name, and
//! `rename PATH FUNCTION parameter PARAMETER to NAME` renames a parameter or a local variable.

use std::fmt::Write as _;

use bowline_index::{
    Mentions, Place, RenameRefused, Renamed, SourceFile, check, places, rename, rename_parameter,
};

use crate::cases::{run, sections};

#[test]
fn renames_change_what_is_certain() {
    run("rename", |source| {
        let mut files: Vec<(String, String)> = Vec::new();
        let mut was_answered = false;
        sections(source, |out, name, section, text| {
            let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
            match word {
                "file" => {
                    // Files after an answer begin another project.
                    if std::mem::take(&mut was_answered) {
                        files.clear();
                    }
                    files.push((rest.to_owned(), text.to_owned()));
                    out.push_str(section);
                }
                "rename" => {
                    was_answered = true;
                    let words: Vec<&str> = rest.split(' ').collect();
                    if let [path, place, "parameter", from, "to", to] = words[..] {
                        let _ = writeln!(out, "{name}");
                        out.push_str(&of_parameter(&files, (path, place), (from, to)));
                        return;
                    }
                    let (path, place, to, mentions) = match words[..] {
                        [path, place, "to", to] => (path, place, to, Mentions::Certain),
                        [path, place, "to", to, "in", "comments"] => (path, place, to, Mentions::All),
                        _ => panic!("{name}"),
                    };
                    let _ = writeln!(out, "{name}");
                    out.push_str(&answer(&files, (path, place), to, mentions));
                }
                other => panic!("unknown section {other}"),
            }
        })
    });
}

pub(crate) fn find(path: &str, content: &str, named: &str) -> Place {
    let (named, line) = named.split_once('@').unwrap_or((named, ""));
    let all = places(path, content.as_bytes());
    let mut found = all.into_iter().filter(|place| {
        place.path() == named && (line.is_empty() || place.own_lines.start().to_string() == line)
    });
    found.next().unwrap_or_else(|| panic!("no place {named} in {path}"))
}

pub(crate) fn sources(files: &[(String, String)]) -> Vec<SourceFile<'_>> {
    files.iter().map(|(path, content)| SourceFile { path, content: content.as_bytes() }).collect()
}

fn answer(files: &[(String, String)], (path, named): (&str, &str), to: &str, mentions: Mentions) -> String {
    let content = &files.iter().find(|(known, _)| known == path).unwrap().1;
    let place = find(path, content, named);
    let renamed = match rename(&sources(files), (path, &place), to, mentions) {
        Err(refused) => return format!("refused: {refused}\n"),
        Ok(renamed) => renamed,
    };
    undone(files, (path, named), (&place.name, to), mentions, &renamed);
    listed(files, &renamed)
}

fn of_parameter(files: &[(String, String)], (path, named): (&str, &str), names: (&str, &str)) -> String {
    let content = &files.iter().find(|(known, _)| known == path).unwrap().1;
    let place = find(path, content, named);
    match rename_parameter(&sources(files), (path, &place), names, Mentions::Certain) {
        Err(refused) => format!("refused: {refused}\n"),
        Ok(renamed) => {
            for changed in &renamed.files {
                let before = &files.iter().find(|(known, _)| *known == changed.path).unwrap().1;
                assert_eq!(check(&changed.path, before.as_bytes(), &changed.content), None);
            }
            listed(files, &renamed)
        }
    }
}

/// The changed lines, and those that may have to change, too.
fn listed(files: &[(String, String)], renamed: &Renamed) -> String {
    let mut out = String::new();
    for changed in &renamed.files {
        let before = &files.iter().find(|(known, _)| *known == changed.path).unwrap().1;
        let after = String::from_utf8(changed.content.clone()).unwrap();
        for (index, (old, new)) in before.lines().zip(after.lines()).enumerate() {
            let is_listed = changed.lines.contains(&(index + 1));
            assert_eq!(old != new, is_listed, "{}:{}", changed.path, index + 1);
            if is_listed {
                let _ = writeln!(out, "{}:{} {}", changed.path, index + 1, new.trim());
            }
        }
    }
    for (path, line) in &renamed.uncertain {
        let _ = writeln!(out, "uncertain {path}:{line}");
    }
    out
}

/// The rename back gives every byte back, unless a shorthand was written out or the old name is still used for something else.
fn undone(
    files: &[(String, String)],
    (path, named): (&str, &str),
    (from, to): (&str, &str),
    mentions: Mentions,
    renamed: &Renamed,
) {
    let after: Vec<(String, String)> = files
        .iter()
        .map(|(path, content)| {
            let changed = renamed.files.iter().find(|changed| changed.path == *path);
            let content = changed
                .map_or(content.clone(), |changed| String::from_utf8(changed.content.clone()).unwrap());
            (path.clone(), content)
        })
        .collect();
    let content = &after.iter().find(|(known, _)| known == path).unwrap().1;
    let (named, line) = named.split_once('@').unwrap_or((named, ""));
    let container = named.strip_suffix(from).unwrap();
    let line = if line.is_empty() { String::new() } else { format!("@{line}") };
    let place = find(path, content, &format!("{container}{to}{line}"));
    let back = rename(&sources(&after), (path, &place), from, mentions);
    let is_written_out = after.iter().any(|(_, content)| {
        content.contains(&format!("{from}: {to}")) || content.contains(&format!("{to}: {from}"))
    });
    let Ok(back) = back else {
        // What was left with the old name makes it taken.
        assert!(matches!(back, Err(RenameRefused::Taken { .. })), "{back:?}");
        return;
    };
    for changed in &back.files {
        let before = &files.iter().find(|(known, _)| *known == changed.path).unwrap().1;
        assert!(is_written_out || changed.content == before.as_bytes(), "{}", changed.path);
    }
}
