//! The completion menu below the input: what fits at the cursor, and inserting it.

use bowline_host::store::Session;

use super::commands::COMMANDS;
use super::complete::{self, Wanted};
use super::editor::Editor;
use super::keys::Key;
use super::menu::{Item, Menu, Page};
use crate::rows::Row;
use crate::run::short;

/// The most suggestions for a word.
const ITEMS_MAX: usize = 200;
const PAGE_ROWS: usize = 8;

#[derive(Default)]
pub(crate) struct Completion {
    /// None before they were listed; listed anew for every `@`.
    files: Option<Vec<String>>,
    open: Option<Open>,
    /// Where a menu was closed by hand: it stays closed for that word.
    dismissed: Option<usize>,
}

struct Open {
    /// What is chosen stands from here to the cursor.
    start: usize,
    menu: Menu,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Command,
    Argument,
    File,
}

/// What a key was to the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    No,
    Moved,
    /// The input has changed.
    Chosen,
}

impl Open {
    fn is_typed_out(&self, editor: &Editor) -> bool {
        let typed = editor.text().get(self.start..editor.cursor()).unwrap_or_default();
        self.menu.selected().is_some_and(|item| item.label == typed)
    }
}

impl Completion {
    /// After a change of the input. True if the files have to be listed.
    pub(crate) fn update(&mut self, editor: &Editor, models: &[String], sessions: &[Session]) -> bool {
        let (text, cursor) = (editor.text(), editor.cursor());
        let Some(wanted) = complete::wanted(text, cursor) else {
            self.open = None;
            self.dismissed = None;
            self.files = None;
            return false;
        };
        let (start, kind, items) = match wanted {
            Wanted::Command { start, word } => (start, Kind::Command, commands(word)),
            Wanted::Argument { command, start, word } => {
                (start, Kind::Argument, arguments(command, word, models, sessions))
            }
            Wanted::File { start, word } => match &self.files {
                Some(files) => (start, Kind::File, paths(word, files)),
                None => return self.dismissed != Some(start),
            },
        };
        let is_wanted = self.dismissed != Some(start) && !items.is_empty();
        self.open = is_wanted.then(|| Open { start, menu: Menu::new(items), kind });
        false
    }

    pub(crate) fn set_files(&mut self, files: Vec<String>, editor: &Editor) {
        self.files = Some(files);
        self.update(editor, &[], &[]);
    }

    pub(crate) fn close(&mut self) {
        *self = Completion::default();
    }

    pub(crate) fn key(&mut self, key: &Key, editor: &mut Editor) -> Taken {
        let Some(open) = &mut self.open else { return Taken::No };
        match key {
            Key::Down => open.menu.next(),
            Key::Up => open.menu.previous(),
            Key::PageDown => open.menu.page(Page::Down, PAGE_ROWS),
            Key::PageUp => open.menu.page(Page::Up, PAGE_ROWS),
            Key::Escape => {
                self.dismissed = Some(open.start);
                self.open = None;
            }
            // What is typed out already is sent, not completed.
            Key::Enter if open.is_typed_out(editor) => return Taken::No,
            Key::Tab | Key::Enter => {
                self.choose(editor);
                return Taken::Chosen;
            }
            _ => return Taken::No,
        }
        Taken::Moved
    }

    fn choose(&mut self, editor: &mut Editor) {
        let Some(open) = self.open.take() else { return };
        let Some(item) = open.menu.selected() else { return };
        let chosen = match open.kind {
            Kind::Command => format!("/{} ", item.label.trim_start_matches('/')),
            Kind::Argument => item.label.clone(),
            Kind::File if item.label.ends_with('/') => complete::mention(&item.label),
            Kind::File => format!("{} ", complete::mention(&item.label)),
        };
        editor.replace(open.start..editor.cursor(), &chosen);
    }

    pub(crate) fn rows(&self, columns: usize, rows_max: usize) -> Vec<Row> {
        self.open.as_ref().map_or_else(Vec::new, |open| open.menu.rows(columns, rows_max))
    }
}

fn commands(word: &str) -> Vec<Item> {
    let fitting = COMMANDS.iter().filter(|command| command.name.starts_with(word));
    fitting
        .map(|command| Item { label: format!("/{}", command.name), note: command.does.to_owned() })
        .collect()
}

fn arguments(command: &str, word: &str, models: &[String], sessions: &[Session]) -> Vec<Item> {
    match command {
        "model" => {
            let fitting = complete::rank(word, models.iter().map(String::as_str), ITEMS_MAX);
            fitting.into_iter().map(|name| Item { label: name.to_owned(), note: String::new() }).collect()
        }
        // A number of the list is an answer as it stands.
        "sessions" if word.parse().is_ok_and(|number: usize| (1..=sessions.len()).contains(&number)) => {
            Vec::new()
        }
        "sessions" => {
            let is_fitting = |session: &&Session| {
                session.id.starts_with(word) || session.title.to_lowercase().contains(&word.to_lowercase())
            };
            let fitting = sessions.iter().filter(is_fitting).take(ITEMS_MAX);
            fitting
                .map(|session| Item { label: short(&session.id).to_owned(), note: session.title.clone() })
                .collect()
        }
        _ => Vec::new(),
    }
}

fn paths(word: &str, files: &[String]) -> Vec<Item> {
    let fitting = complete::rank(word, files.iter().map(String::as_str), ITEMS_MAX);
    fitting.into_iter().map(|path| Item { label: path.to_owned(), note: String::new() }).collect()
}
