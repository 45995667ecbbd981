//! Permission questions in the chat: one at a time, answered by one key.
//!
//! A key that was meant for the message being typed must never be an answer: a question takes the keyboard only once
//! nothing was typed for a moment, and shows when it has.

use std::collections::VecDeque;

use bowline_core::entry::{Answer, PermissionAnswered, PermissionAsked, Scope};

use super::editor::Editor;
use super::keys::Key;
use crate::rows::{Colour, Row, Style};

/// How long nothing must have been typed before a key is an answer.
const QUIET_MS: i64 = 700;
/// How long a question must have stood there, where nothing is typed: somebody may be about to begin.
const SEEN_MS: i64 = 300;
/// The most rows of the question's subject in the live region; all of it is shown above.
pub(crate) const ROWS_MAX: usize = 6;

const ASKING: Style = Style { is_bold: true, ..Style::coloured(Colour::Yellow) };

#[derive(Default)]
pub(crate) struct Questions {
    open: VecDeque<PermissionAsked>,
    /// When the first one came to stand on the screen.
    shown_ms: i64,
    /// The reason of a no, being typed.
    reason: Option<Editor>,
}

/// What a key did to a question.
pub(crate) enum Reply {
    /// Not for the question: somebody is typing.
    Elsewhere,
    Taken,
    Answered(PermissionAnswered),
}

impl Questions {
    pub(crate) fn ask(&mut self, asked: &PermissionAsked, now_ms: i64) {
        if self.open.is_empty() {
            self.shown_ms = now_ms;
        }
        self.open.push_back(asked.clone());
    }

    /// By whomever. A reason that was being typed for it is dropped.
    pub(crate) fn answered(&mut self, item: &str, now_ms: i64) {
        if self.open.front().is_some_and(|first| first.item == item) {
            self.next(now_ms);
        } else {
            self.open.retain(|open| open.item != item);
        }
    }

    fn next(&mut self, now_ms: i64) {
        self.open.pop_front();
        self.reason = None;
        self.shown_ms = now_ms;
    }

    pub(crate) fn clear(&mut self) {
        self.open.clear();
        self.reason = None;
    }

    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub(crate) fn first(&self) -> Option<&PermissionAsked> {
        self.open.front()
    }

    /// The question that is open has been seen.
    pub(crate) fn listen(&mut self) {
        self.shown_ms = i64::MIN / 2;
    }

    /// Whether a key is an answer now.
    pub(crate) fn is_listening(&self, is_draft_empty: bool, typed_ms: i64, now_ms: i64) -> bool {
        let is_quiet = now_ms - typed_ms >= QUIET_MS;
        let seen_ms = if is_draft_empty { SEEN_MS } else { QUIET_MS };
        let is_seen = now_ms - self.shown_ms >= seen_ms;
        self.is_open() && (self.reason.is_some() || is_quiet && is_seen)
    }

    pub(crate) fn key(&mut self, key: &Key, now_ms: i64) -> Reply {
        if let Some(reason) = &mut self.reason {
            match key {
                Key::Enter | Key::Send => {
                    let words = reason.take().into_parts().0;
                    return self.answer(Answer::No, Scope::Once, Some(words.trim()), now_ms);
                }
                Key::Escape => self.reason = None,
                Key::Stop | Key::EndOfInput | Key::Suspend | Key::Redraw => return Reply::Elsewhere,
                key => {
                    reason.edit(key);
                }
            }
            return Reply::Taken;
        }
        match key {
            Key::Char('y' | 'Y') => self.answer(Answer::Yes, Scope::Once, None, now_ms),
            Key::Char('s' | 'S') => self.answer(Answer::Yes, Scope::Session, None, now_ms),
            Key::Char('p' | 'P') => self.answer(Answer::Yes, Scope::Project, None, now_ms),
            Key::Char('n' | 'N') => self.answer(Answer::No, Scope::Once, None, now_ms),
            Key::Char('r' | 'R') => {
                self.reason = Some(Editor::new());
                Reply::Taken
            }
            // An Enter that was on its way is no answer, and no other letter is either.
            Key::Enter | Key::Char(_) => Reply::Taken,
            _ => Reply::Elsewhere,
        }
    }

    fn answer(&mut self, answer: Answer, scope: Scope, reason: Option<&str>, now_ms: i64) -> Reply {
        let Some(open) = self.open.front() else { return Reply::Elsewhere };
        let answered = PermissionAnswered {
            item: open.item.clone(),
            answer,
            scope,
            reason: reason.filter(|reason| !reason.is_empty()).map(str::to_owned),
            by: "terminal".to_owned(),
        };
        self.next(now_ms);
        Reply::Answered(answered)
    }

    /// What stands in the live region, and where the cursor is while a reason is typed.
    pub(crate) fn rows(&mut self, columns: usize, is_listening: bool) -> (Vec<Row>, Option<(usize, usize)>) {
        let Some(open) = self.open.front() else { return (Vec::new(), None) };
        let question = Row::of("? ", ASKING).with(&format!("{}?", open.what), Style::BOLD);
        let keys = keys(open, is_listening);
        let beside = question.width() + 2 + keys.width();
        if beside <= columns && self.reason.is_none() {
            let mut row = question.with("  ", Style::PLAIN);
            row.append(&keys);
            return (vec![row], None);
        }
        let mut rows = question.wrap(columns, 2);
        rows.truncate(ROWS_MAX);
        match &mut self.reason {
            None => rows.extend(keys.wrap(columns, 2)),
            Some(editor) => {
                let mark = "  no, because: ";
                let layout = editor.layout(columns.saturating_sub(mark.len()).max(8), 1);
                let mut row = Row::of(mark, ASKING);
                layout.rows.into_iter().next().into_iter().for_each(|typed| row.append(&typed));
                rows.push(row);
                let cursor = (rows.len() - 1, mark.len() + layout.cursor.1);
                return (rows, Some(cursor));
            }
        }
        (rows, None)
    }
}

/// The keys that answer.
fn keys(open: &PermissionAsked, is_listening: bool) -> Row {
    if !is_listening {
        return Row::dim("  pause typing to answer");
    }
    let always = format!(" · allow {}: ", open.always());
    let mut keys = vec![("  ", "y", "es")];
    if !open.always().is_empty() {
        keys.extend([(always.as_str(), "s", " this session"), (", ", "p", " this project")]);
    }
    keys.extend([(" · ", "n", "o"), (" · ", "r", " no, because…")]);
    let mut row = Row::default();
    for (before, key, word) in keys {
        row.push(before, Style::DIM);
        row.push(&format!("[{key}]"), ASKING);
        row.push(word, Style::DIM);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(item: &str) -> PermissionAsked {
        PermissionAsked {
            item: item.to_owned(),
            tool: "run_command".to_owned(),
            what: "run npm install".to_owned(),
            pattern: "npm install *".to_owned(),
            also: Vec::new(),
        }
    }

    #[test]
    fn what_is_being_typed_is_no_answer() {
        let mut questions = Questions::default();
        questions.ask(&asked("a"), 10_000);
        assert!(!questions.is_listening(false, 9_900, 10_000), "a key came a moment ago");
        assert!(
            !questions.is_listening(false, 5_000, 10_100),
            "a draft stands and nobody has seen the question"
        );
        assert!(!questions.is_listening(true, 5_000, 10_100), "nobody can have read it");
        assert!(questions.is_listening(true, 5_000, 10_300));
        assert!(questions.is_listening(false, 5_000, 10_700));
    }

    #[test]
    fn one_at_a_time() {
        let mut questions = Questions::default();
        ["a", "b", "c"].iter().for_each(|item| questions.ask(&asked(item), 0));
        questions.answered("b", 0);
        let Reply::Answered(answered) = questions.key(&Key::Char('s'), 0) else { panic!("no answer") };
        assert_eq!((answered.item.as_str(), answered.scope), ("a", Scope::Session));
        assert_eq!(questions.first().map(|first| first.item.as_str()), Some("c"));
        assert!(matches!(questions.key(&Key::Enter, 0), Reply::Taken), "Enter is no answer");
        assert!(questions.is_open());
    }

    #[test]
    fn a_no_can_have_a_reason() {
        let mut questions = Questions::default();
        questions.ask(&asked("a"), 0);
        for key in [Key::Char('r'), Key::Char('n'), Key::Char('o'), Key::Char('t')] {
            assert!(matches!(questions.key(&key, 0), Reply::Taken));
        }
        let (rows, cursor) = questions.rows(60, true);
        assert_eq!(rows.last().map(Row::text).as_deref(), Some("  no, because: not"));
        assert_eq!(cursor, Some((1, 18)));
        let Reply::Answered(answered) = questions.key(&Key::Enter, 0) else { panic!("no answer") };
        assert_eq!((answered.answer, answered.reason.as_deref()), (Answer::No, Some("not")));
    }

    #[test]
    fn a_question_fits_one_line_or_is_wrapped() {
        let mut questions = Questions::default();
        questions.ask(&asked("a"), 0);
        let mut texts = |columns| questions.rows(columns, true).0.iter().map(Row::text).collect::<Vec<_>>();
        assert_eq!(
            texts(120),
            [
                "? run npm install?    [y]es · allow npm install *: [s] this session, [p] this project · [n]o · [r] no, because…"
            ]
        );
        assert_eq!(
            texts(59),
            [
                "? run npm install?",
                "  [y]es · allow npm install *: [s] this session, [p] this",
                "  project · [n]o · [r] no, because…"
            ]
        );
        assert_eq!(texts(100).len(), 2);
    }
}
