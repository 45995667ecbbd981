//! The reference pages in `docs/reference/` and the manual page, made from what they describe.
//!
//! Nothing of this is in the program: the tests below compare each page with what it would be now, and `UPDATE_EXPECT=1`
//! writes it. What a declaration can't say (what a key means, what to do about a message) is kept beside it by hand, and
//! a test fails where something is missing or describes what is no longer there.

mod commands;
mod configuration;
mod events;
mod exits;
mod messages;

use std::path::Path;

/// From the program's own folder.
const DOCUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// What a page is opened with.
fn head(title: &str, words: &str) -> String {
    format!("# {title}\n\n{words}\n\n")
}

/// In a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[track_caller]
fn check(file: &str, text: &str) {
    let path = Path::new(DOCUMENTS).join(file);
    let text = format!("{}\n", text.trim_end());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let written =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, &text));
        assert!(written.is_ok(), "{written:?}");
    }
    let due = std::fs::read_to_string(&path).unwrap_or_default();
    for (line, (is, due)) in text.lines().zip(due.lines()).enumerate() {
        assert_eq!(is, due, "line {} of docs/{file}; UPDATE_EXPECT=1 rewrites it", line + 1);
    }
    assert!(text == due, "docs/{file} is stale; UPDATE_EXPECT=1 rewrites it");
}

#[test]
fn the_reference_is_true() {
    check("reference/commands.md", &commands::page());
    check("reference/configuration.md", &configuration::page());
    check("reference/events.md", &events::page());
    check("reference/exit-codes.md", &exits::page());
    check("reference/messages.md", &messages::page());
}

#[test]
fn the_manual_page_is_true() {
    let page = crate::man::page();
    assert!(page.is_ok(), "{page:?}");
    check("man/bowline.1", &page.unwrap_or_default());
}
