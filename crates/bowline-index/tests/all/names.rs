//! Runs the case files of identifiers and imports.
//!
//! - `tests/cases/uses/*.case`: `file PATH`, then as often as needed `uses NAME`: place and role, one a line;
//! - `tests/cases/imports/*.case`: `file PATH`, then `imports`: line, what is imported from which module under which name; and as
//!   often as needed `means PATH`: which of them plainly mean that file.

use std::fmt::Write as _;

use bowline_index::{Imported, imports, resolves, uses};

use crate::cases::{run, sections};

#[test]
fn uses_are_found() {
    run("uses", |source| {
        let (mut path, mut content) = (String::new(), String::new());
        sections(source, |out, name, section, text| match name.split_once(' ').unwrap_or((name, "")) {
            ("file", named) => {
                (path, content) = (named.to_owned(), text.to_owned());
                out.push_str(section);
            }
            ("uses", name) => {
                let _ = writeln!(out, "uses {name}");
                for found in uses(&path, content.as_bytes(), name) {
                    assert_eq!(&content[found.bytes.clone()], name);
                    let start = content[..found.bytes.start].rfind('\n').map_or(0, |at| at + 1);
                    let column = found.bytes.start - start + 1;
                    let _ = writeln!(out, "{}:{column} {}", found.line, found.role.word());
                }
            }
            (other, _) => panic!("unknown section {other}"),
        })
    });
}

#[test]
fn imports_are_found() {
    run("imports", |source| {
        let (mut path, mut content) = (String::new(), String::new());
        sections(source, |out, name, section, text| match name.split_once(' ').unwrap_or((name, "")) {
            ("file", named) => {
                (path, content) = (named.to_owned(), text.to_owned());
                out.push_str(section);
            }
            ("imports", _) => {
                out.push_str("imports\n");
                for import in imports(&path, content.as_bytes()) {
                    let what = match &import.imported {
                        Imported::Name(name) => {
                            assert_eq!(
                                &content[import.bytes.clone()],
                                name.replace("default", &import.local)
                            );
                            format!("name {name}")
                        }
                        Imported::Module => "module".to_owned(),
                        Imported::Everything => "everything".to_owned(),
                    };
                    let local = if import.local.is_empty() { "" } else { " as " };
                    let again = if import.is_reexported { ", for others too" } else { "" };
                    let _ = writeln!(
                        out,
                        "{} {what} from {}{local}{}{again}",
                        import.line, import.module, import.local
                    );
                }
            }
            ("means", to) => {
                let _ = writeln!(out, "means {to}");
                for import in imports(&path, content.as_bytes()) {
                    if resolves(&import, &path, to) {
                        let _ = writeln!(out, "{} {} {}", import.line, import.module, import.local);
                    }
                }
            }
            (other, _) => panic!("unknown section {other}"),
        })
    });
}
