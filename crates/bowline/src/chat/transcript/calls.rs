//! Calls under way. They may end in any order, and are shown in the order they were made.

use std::collections::VecDeque;

use bowline_core::item::Item;

use crate::render;
use crate::rows::Row;

#[derive(Default)]
pub(super) struct Calls {
    /// Those that have not ended, or not all before them; in call order.
    open: VecDeque<Call>,
}

struct Call {
    id: String,
    doing: String,
    /// The whole of it, where it is one.
    command: Option<String>,
    since_ms: i64,
    /// What is to be shown of it, once it has ended.
    rows: Option<Vec<Row>>,
}

impl Calls {
    pub(super) fn start(&mut self, item: &Item, columns: usize, at_ms: i64) {
        let command = item.call.as_ref().and_then(|call| call.arguments["command"].as_str());
        self.open.push_back(Call {
            id: item.id.clone(),
            doing: render::doing(item, columns),
            command: command.map(str::to_owned),
            since_ms: at_ms,
            rows: None,
        });
    }

    /// What is to be shown now.
    pub(super) fn end(&mut self, item: &str, mut rows: Vec<Row>) -> Vec<Row> {
        let mut due = Vec::new();
        match self.open.iter_mut().find(|open| open.id == item) {
            Some(open) => open.rows = Some(rows),
            None => due.append(&mut rows),
        }
        while let Some(rows) = self.open.front_mut().and_then(|open| open.rows.take()) {
            self.open.pop_front();
            due.extend(rows);
        }
        due
    }

    /// No call goes on; what is left to be shown.
    pub(super) fn end_all(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.open).into_iter().filter_map(|open| open.rows).flatten().collect()
    }

    /// What is done first, since when, and how many more calls are under way.
    pub(super) fn first(&self) -> Option<(&str, i64, usize)> {
        let first = self.open.front()?;
        let open = self.open.iter().filter(|open| open.rows.is_none()).count();
        Some((&first.doing, first.since_ms, open.saturating_sub(1)))
    }

    pub(super) fn command(&self, item: &str) -> Option<&str> {
        self.open.iter().find(|open| open.id == item)?.command.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str) -> Call {
        Call { id: id.to_owned(), doing: id.to_owned(), command: None, since_ms: 0, rows: None }
    }

    fn texts(rows: &[Row]) -> Vec<String> {
        rows.iter().map(Row::text).collect()
    }

    #[test]
    fn calls_are_shown_in_their_order() {
        let mut calls = Calls { open: ["a", "b", "c"].map(call).into() };
        assert!(calls.end("b", vec![Row::plain("b")]).is_empty());
        assert_eq!(calls.first(), Some(("a", 0, 1)));
        assert_eq!(texts(&calls.end("a", vec![Row::plain("a")])), ["a", "b"]);
        assert_eq!(texts(&calls.end("unknown", vec![Row::plain("x")])), ["x"]);
        assert_eq!(calls.first(), Some(("c", 0, 0)));
        assert!(calls.end_all().is_empty() && calls.first().is_none());
    }

    #[test]
    fn what_waited_for_a_call_that_never_ends_is_shown_at_the_end() {
        let mut calls = Calls { open: ["a", "b"].map(call).into() };
        assert!(calls.end("b", vec![Row::plain("b")]).is_empty());
        assert_eq!(texts(&calls.end_all()), ["b"]);
    }
}
