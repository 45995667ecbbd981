//! Sessions searched by their text: titles, what the user said, what was answered, and the paths of files that were read
//! or changed.
//!
//! Letters are folded here and not by the database, since the engines disagree about upper and lower case beyond ASCII:
//! both find the same. There is no index to keep: logs are read in small pages, of the newest session first, and each no
//! further than to a line with all the words, so a large log costs time and not memory.

use bowline_core::entry::{Body, Entry};
use bowline_core::item::{Item, ItemKind};
use bowline_core::visible::visible;

use super::error::StoreError;
use super::sessions::Session;
use super::{Store, row, sql};

const SESSIONS_PAGE: i64 = 200;
const ENTRIES_PAGE: i64 = 50;
/// The most characters of the line that is shown.
const LINE_CHARS_MAX: usize = 160;
/// What is shown of it before the word.
const LEAD_CHARS: usize = 40;

/// A session that holds all the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub session: Session,
    pub place: Place,
    /// The line with most of the words, the first of its kind; cut where it is long.
    pub line: String,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Title,
    /// The project's folder, where all projects are searched.
    Folder,
    User,
    Answer,
    /// The path of a file that was read, searched or changed.
    Path,
}

impl Place {
    /// The word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Place::Title => "title",
            Place::Folder => "folder",
            Place::User => "user",
            Place::Answer => "answer",
            Place::Path => "path",
        }
    }
}

impl Store {
    /// The sessions of a project, or of all, that hold every one of `words`, newest first. A word may be several, as they
    /// stand in one line; one of white space alone is in every session.
    pub async fn search(
        &self,
        project_root: Option<&str>,
        words: &[String],
        limit: usize,
    ) -> Result<Vec<Hit>, StoreError> {
        let words: Vec<String> = words.iter().map(|word| folded(word.trim())).collect();
        let mut hits = Vec::new();
        let mut below: Option<Session> = None;
        loop {
            let page = self.sessions_below(project_root, below.as_ref(), SESSIONS_PAGE).await?;
            let Some(last) = page.last().cloned() else { return Ok(hits) };
            for session in page {
                let mut look = Look::new(&words);
                look.at(Place::Title, &session.title);
                if project_root.is_none() {
                    look.at(Place::Folder, &session.project_root);
                }
                self.look_through(&session.id, &mut look).await?;
                hits.extend(look.hit(session));
                if hits.len() >= limit {
                    return Ok(hits);
                }
            }
            below = Some(last);
        }
    }

    async fn look_through(&self, session: &str, look: &mut Look<'_>) -> Result<(), StoreError> {
        let restored: i64 = sqlx::query_scalar(sql::RESTORED_COUNT)
            .bind(session)
            .fetch_one(&mut *self.reader().await?)
            .await?;
        if restored > 0 {
            return self.look_through_visible(session, look).await;
        }
        let mut after = 0;
        while !look.is_done() {
            let mut reader = self.reader().await?;
            let rows = sqlx::query(sql::SEARCHED)
                .bind(session)
                .bind(after)
                .bind(ENTRIES_PAGE)
                .fetch_all(&mut *reader)
                .await?;
            if rows.is_empty() {
                break;
            }
            for row in &rows {
                let entry: Entry = row::entry(session, row)?;
                after = entry.seq;
                if let Some((place, text)) = searched(&entry.body) {
                    look.at(place, text);
                }
            }
        }
        Ok(())
    }

    /// Searches a session in which something was undone: only the whole log tells what is still visible.
    async fn look_through_visible(&self, session: &str, look: &mut Look<'_>) -> Result<(), StoreError> {
        let log = self.log(session).await?;
        for entry in visible(&log) {
            if let Some((place, text)) = searched(&entry.body) {
                look.at(place, text);
            }
        }
        Ok(())
    }
}

/// What an entry has to be searched.
fn searched(body: &Body) -> Option<(Place, &str)> {
    match body {
        Body::TurnStarted(turn) => Some((Place::User, &turn.text)),
        Body::RunStarted(run) => Some((Place::User, run.hint.as_deref()?)),
        Body::Input(_) => Some((Place::User, body.steering()?)),
        Body::Queued(queued) => Some((Place::User, &queued.text)),
        Body::ItemCompleted { item } => Some((Place::Answer, &item.text)),
        Body::ItemStarted {
            item: Item { kind: ItemKind::Read | ItemKind::Search | ItemKind::Edit, title, .. },
        } => Some((Place::Path, title)),
        _ => None,
    }
}

/// One session being looked through.
struct Look<'a> {
    words: &'a [String],
    is_found: Vec<bool>,
    /// How many words the line has, where it is, and what is shown of it.
    best: Option<(usize, Place, String)>,
}

impl<'a> Look<'a> {
    fn new(words: &'a [String]) -> Look<'a> {
        Look { words, is_found: vec![false; words.len()], best: None }
    }

    /// No line can be better.
    fn is_done(&self) -> bool {
        self.best.as_ref().is_some_and(|(count, ..)| *count == self.words.len())
    }

    fn at(&mut self, place: Place, text: &str) {
        for line in text.lines().map(str::trim) {
            if self.is_done() {
                return;
            }
            self.line(place, line);
        }
    }

    fn line(&mut self, place: Place, line: &str) {
        let folded = folded(line);
        let mut first_at = None;
        let mut count = 0;
        for (word, is_found) in self.words.iter().zip(&mut self.is_found) {
            if let Some(at) = folded.find(word.as_str()) {
                *is_found = true;
                count += 1;
                first_at = Some(first_at.map_or(at, |first: usize| first.min(at)));
            }
        }
        if let Some(at) = first_at
            && self.best.as_ref().is_none_or(|(most, ..)| count > *most)
        {
            // A letter may be folded into two: the place is near enough for an excerpt.
            let at = folded.get(..at).map_or(0, |before| before.chars().count());
            self.best = Some((count, place, excerpt(line, at)));
        }
    }

    fn hit(self, session: Session) -> Option<Hit> {
        let is_hit = self.is_found.iter().all(|is_found| *is_found);
        let (_, place, line) = self.best.filter(|_| is_hit)?;
        Some(Hit { session, place, line })
    }
}

fn excerpt(line: &str, at: usize) -> String {
    let chars = line.chars().count();
    if chars <= LINE_CHARS_MAX {
        return line.to_owned();
    }
    let from = at.saturating_sub(LEAD_CHARS).min(chars - LINE_CHARS_MAX);
    let shown: String = line.chars().skip(from).take(LINE_CHARS_MAX).collect();
    let (before, after) = (from > 0, from + LINE_CHARS_MAX < chars);
    format!("{}{shown}{}", if before { "…" } else { "" }, if after { "…" } else { "" })
}

/// Text without regard to case: small, capital, small again, letter by letter, so that ß meets SS and every sigma the
/// others.
fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let capital = text.chars().flat_map(char::to_lowercase).flat_map(char::to_uppercase);
    capital.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_folded_in_every_script() {
        for (one, other) in [
            ("Straße", "STRASSE"),
            ("ẞ", "ss"),
            ("ΟΔΟΣ", "οδος"),
            ("Ёлка", "ёЛКА"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("\u{212a}elvin", "kelvin"),
            ("ǅ", "ǆ"),
            ("Naïve", "NAÏVE"),
        ] {
            assert_eq!(folded(one), folded(other));
        }
        assert_ne!(folded("resume"), folded("résumé"));
    }

    #[test]
    fn a_long_line_is_cut_around_the_word() {
        let line = format!("{} needle {}", "a".repeat(500), "b".repeat(500));
        let words = ["needle".to_owned()];
        let mut look = Look::new(&words);
        look.at(Place::User, &line);
        let (_, _, shown) = look.best.unwrap();
        assert!(shown.starts_with("…aaa") && shown.contains(" needle b") && shown.ends_with("b…"), "{shown}");
        assert_eq!(shown.chars().count(), LINE_CHARS_MAX + 2);
        assert_eq!(excerpt("short", 3), "short");
    }
}
