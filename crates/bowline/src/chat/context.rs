//! `/context`: what fills the context window, in rows.

use bowline_core::context_usage::ContextUsage;
use bowline_core::entry::{Body, Entry, SessionUpdated};
use bowline_core::visible::visible;
use bowline_core::window::reserve;

use crate::rows::{Colour, Row, Style};

/// The width of the bar.
const BAR_COLUMNS: i64 = 24;

pub(crate) fn rows(log: &[Entry]) -> Vec<Row> {
    let window = visible(log).into_iter().rev().find_map(|entry| match &entry.body {
        Body::SessionStarted(started) => Some(started.model.window),
        Body::SessionUpdated(SessionUpdated { model: Some(model), .. }) => Some(model.window),
        _ => None,
    });
    let Some(window) = window else { return Vec::new() };
    usage_rows(&ContextUsage::of(log, window, reserve(window)))
}

fn usage_rows(account: &ContextUsage) -> Vec<Row> {
    let window = account.window.max(1);
    let share = |tokens: i64| tokens * 100 / window;
    let head = format!("{} of {window} tokens · {} %", account.total, share(account.total));
    let mut rows = vec![Row::of(&head, Style::BOLD)];
    for (part, tokens) in account.parts.iter().filter(|(_, tokens)| *tokens > 0) {
        let bar = match (tokens * BAR_COLUMNS + window / 2) / window {
            0 => "▏".to_owned(),
            columns => "█".repeat(usize::try_from(columns.min(BAR_COLUMNS)).unwrap_or_default()),
        };
        let figures = format!("  {:<14}{tokens:>7}  {:>3} %  ", part.word(), share(*tokens));
        rows.push(Row::plain(&figures).with(&bar, Style::coloured(Colour::Cyan)));
    }
    let reserve =
        format!("  {:<14}{:>7}  {:>3} %", "for the answer", account.reserve, share(account.reserve));
    rows.push(Row::dim(&reserve));
    let mut rest = format!("auto-compacts above {} tokens; /compact compacts now", account.compacts_above);
    if let Some(last) = account.last {
        let (new, cached) = (last.prompt_new, last.prompt_cached);
        rest = format!("last step: {new} new, {cached} cached · {rest}");
    }
    if let Some(percent) = account.cached_percent {
        rest = format!("{percent} % of all prompts cached · {rest}");
    }
    rows.push(Row::dim(&rest));
    rows
}
