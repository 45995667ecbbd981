//! The little menu below the input: what can be chosen, and which of it is.
//!
//! Pure. What always holds: if there is anything, one item is selected and it is among the rows.

use crate::rows::{Row, Style, width};

/// Before a label, for the selected one and for the others.
const MARK: &str = "› ";
const NO_MARK: &str = "  ";

/// Between label and note.
const GAP: usize = 2;

/// On a screen below that, labels stand alone.
const NOTE_COLUMNS_MIN: usize = 24;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) label: String,
    /// What it is; may be empty.
    pub(crate) note: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Up,
    Down,
}

#[derive(Debug, Default)]
pub(crate) struct Menu {
    items: Vec<Item>,
    selected: usize,
}

impl Menu {
    /// With the first item selected.
    pub(crate) fn new(items: Vec<Item>) -> Menu {
        Menu { items, selected: 0 }
    }

    pub(crate) fn selected(&self) -> Option<&Item> {
        self.items.get(self.selected)
    }

    /// As far as there are items.
    pub(crate) fn select(&mut self, index: usize) {
        self.selected = index.min(self.items.len().saturating_sub(1));
    }

    /// After the last comes the first.
    pub(crate) fn next(&mut self) {
        self.selected = if self.selected + 1 < self.items.len() { self.selected + 1 } else { 0 };
    }

    pub(crate) fn previous(&mut self) {
        self.selected = self.selected.checked_sub(1).unwrap_or(self.items.len().saturating_sub(1));
    }

    /// As many items on as there are rows, no further than the ends.
    pub(crate) fn page(&mut self, page: Page, rows_max: usize) {
        let by = self.shown(rows_max).max(1);
        match page {
            Page::Up => self.selected = self.selected.saturating_sub(by),
            Page::Down => self.select(self.selected + by),
        }
    }

    /// At most so many rows of so many columns; the last one counts if not all items are shown.
    pub(crate) fn rows(&self, columns: usize, rows_max: usize) -> Vec<Row> {
        let shown = self.shown(rows_max);
        let most = self.items.len().saturating_sub(shown);
        let first = self.selected.saturating_sub(shown / 2).min(most);
        let items = self.items.iter().enumerate().skip(first).take(shown);
        let noted = items.clone().filter(|(_, item)| !item.note.is_empty());
        // Notes get half of it at least.
        let label_columns = noted.map(|(_, item)| width(&item.label)).max().unwrap_or(0).min(columns / 2);
        let label_columns = Some(label_columns).filter(|_| columns >= NOTE_COLUMNS_MIN);
        let row = |(at, item)| self.row(at, item, label_columns).cut(columns);
        let mut rows: Vec<Row> = items.map(row).collect();
        if shown < self.items.len() && rows_max > shown {
            let count = format!("{NO_MARK}{}/{}", self.selected + 1, self.items.len());
            rows.push(Row::dim(&count).cut(columns));
        }
        rows
    }

    /// How many items, with a row for the count if they aren't all and there is room for it.
    fn shown(&self, rows_max: usize) -> usize {
        match rows_max {
            _ if self.items.len() <= rows_max => self.items.len(),
            0 | 1 => rows_max,
            _ => rows_max - 1,
        }
    }

    /// The note stands behind so many columns; None leaves it out.
    fn row(&self, at: usize, item: &Item, label_columns: Option<usize>) -> Row {
        let (mark, style) = if at == self.selected { (MARK, Style::BOLD) } else { (NO_MARK, Style::PLAIN) };
        let row = Row::of(mark, style);
        match label_columns {
            Some(label_columns) if !item.note.is_empty() => {
                let label = Row::of(&item.label, style).cut(label_columns).text();
                let blanks = " ".repeat(label_columns - width(&label) + GAP);
                row.with(&label, style).with(&blanks, Style::PLAIN).with(&item.note, Style::DIM)
            }
            _ => row.with(&item.label, style),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(count: usize) -> Menu {
        let item = |number| Item { label: format!("item {number}"), note: "what it is".to_owned() };
        Menu::new((1..=count).map(item).collect())
    }

    fn texts(menu: &Menu, columns: usize, rows_max: usize) -> Vec<String> {
        menu.rows(columns, rows_max).iter().map(Row::text).collect()
    }

    #[test]
    fn the_selected_one_is_marked() {
        let item = |label: &str, note: &str| Item { label: label.to_owned(), note: note.to_owned() };
        let mut menu =
            Menu::new(vec![item("/new", "a new session here"), item("/model", "another"), item("/x", "")]);
        menu.next();
        assert_eq!(texts(&menu, 40, 5), ["  /new    a new session here", "› /model  another", "  /x"]);
        assert_eq!(texts(&menu, 24, 5), ["  /new    a new session…", "› /model  another", "  /x"]);
        assert_eq!(texts(&menu, 7, 5), ["  /new", "› /mod…", "  /x"]);
        let row = &menu.rows(40, 5)[1];
        assert!(row.spans()[0].style.is_bold && row.spans()[2].style.is_dim, "{row:?}");
        assert_eq!(menu.selected().map(|item| item.label.as_str()), Some("/model"));
    }

    #[test]
    fn the_selection_stays_in_sight() {
        let mut menu = numbered(120);
        assert_eq!(texts(&menu, 10, 4), ["› item 1", "  item 2", "  item 3", "  1/120"]);
        menu.previous();
        assert_eq!(menu.selected, 119);
        assert_eq!(texts(&menu, 40, 3)[1..], ["› item 120  what it is", "  120/120"]);
        menu.next();
        menu.page(Page::Down, 11);
        assert_eq!(menu.selected, 10);
        menu.page(Page::Up, 31);
        assert_eq!(menu.selected, 0);
        assert_eq!(texts(&menu, 40, 1), ["› item 1  what it is"]);
        assert!(menu.rows(40, 0).is_empty());
    }

    #[test]
    fn whatever_the_screen_the_rows_fit() {
        for count in 0..6 {
            let mut menu = numbered(count);
            for step in 0..20 {
                match step % 3 {
                    0 => menu.page(Page::Down, step),
                    _ => menu.next(),
                }
                for (columns, rows_max) in (0..30).flat_map(|columns| (0..8).map(move |rows| (columns, rows)))
                {
                    let rows = menu.rows(columns, rows_max);
                    assert!(rows.len() <= rows_max && rows.iter().all(|row| row.width() <= columns));
                    let has_mark = rows.iter().any(|row| row.text().starts_with('›'));
                    assert!(
                        has_mark || count == 0 || rows_max == 0 || columns < 2,
                        "{count} {columns} {rows_max}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_empty_menu_has_nothing_selected() {
        let mut menu = Menu::default();
        menu.next();
        menu.previous();
        menu.page(Page::Up, 3);
        assert!(menu.selected().is_none() && menu.rows(20, 5).is_empty());
    }
}
