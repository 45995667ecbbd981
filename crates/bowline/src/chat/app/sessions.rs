//! Lists earlier sessions and resumes them.

use bowline_core::entry::{Body, Entry, Stop};
use bowline_core::visible::visible;
use bowline_host::store::Session;

use super::super::transcript::Transcript;
use super::{App, Effect};
use crate::rows::{Row, Style};
use crate::run::short;
use crate::time::ago;

/// The most rows that are shown of an earlier session when it is resumed.
const RESUMED_ROWS_MAX: usize = 60;
/// How many sessions are listed.
const SESSIONS_SHOWN: usize = 10;

impl App {
    pub(super) fn start_new_session(&mut self) {
        self.leave_session();
        self.transcript.forget();
        self.tell("new session; /sessions lists earlier ones");
    }

    fn leave_session(&mut self) {
        self.session = None;
        self.turn = None;
        self.paused = None;
        self.queue.clear();
        self.unsaid.clear();
        self.attached.clear();
    }

    pub(super) fn listed(&mut self, sessions: Vec<Session>, now_ms: i64) {
        self.sessions = sessions;
        if self.sessions.is_empty() {
            self.tell("there is no earlier session in this folder");
            return;
        }
        let row = |(at, session): (usize, &Session)| {
            let about = format!("  {} · {}", ago(now_ms - session.active_ms), short(&session.id));
            Row::plain(&format!("  {:>2}  {}", at + 1, session.title)).with(&about, Style::DIM)
        };
        let mut rows: Vec<Row> = self.sessions.iter().take(SESSIONS_SHOWN).enumerate().map(row).collect();
        rows.push(Row::dim("/sessions NUMBER resumes one"));
        self.transcript.notes(&rows);
    }

    pub(super) fn resume(&mut self, argument: &str) {
        let number = argument.parse::<usize>().ok().filter(|number| *number <= SESSIONS_SHOWN);
        let listed = number.and_then(|number| self.sessions.get(number.checked_sub(1)?));
        let id = listed.map_or_else(|| argument.to_owned(), |session| session.id.clone());
        self.is_resuming = true;
        self.do_it(Effect::Resume(id));
    }

    /// An earlier session is to be opened, before anything is said.
    pub(crate) fn expect_session(&mut self) {
        self.is_resuming = true;
    }

    /// What was asked for could not be done; what was meant for a session that did not open is not sent elsewhere.
    pub(super) fn failed(&mut self, words: &str) {
        self.warn(words);
        if std::mem::take(&mut self.is_resuming) {
            self.return_unsent_text();
        }
    }

    pub(super) fn resumed(&mut self, session: &Session, entries: &[Entry]) {
        self.leave_session();
        self.session = Some(session.id.clone());
        let rows = self.replay(entries);
        let id = short(&session.id);
        let title = Row::of(&session.title, Style::BOLD).with(&format!(" · session {id}"), Style::DIM);
        self.transcript.note(title);
        if session.work_tree != session.project_root {
            self.tell(&format!("  working in {}", session.work_tree));
        }
        let skipped = rows.len().saturating_sub(RESUMED_ROWS_MAX);
        if skipped > 0 {
            self.tell(&format!("… {skipped} earlier rows: bowline sessions show {id}"));
        }
        self.transcript.append(rows.into_iter().skip(skipped));
        if self.paused.is_some() {
            self.tell("the last turn was interrupted: Enter continues it");
        }
        self.is_resuming = false;
        if let Some(text) = self.sent.take() {
            self.begin(text);
        }
    }

    /// The session as it was shown; from here on it is the one that is shown.
    pub(super) fn replay(&mut self, entries: &[Entry]) -> Vec<Row> {
        let mut transcript = Transcript::new(self.transcript.columns(), self.is_verbose);
        let mut began_ms = 0;
        // How it stood before a turn of which there is only the text so far.
        let mut before = None;
        for entry in visible(entries) {
            self.follow_queue(entry);
            self.turn = entry.turn.clone().or_else(|| self.turn.take());
            transcript.entry(entry);
            match &entry.body {
                Body::TurnStarted(_) => before = Some(self.paused.replace(Stop::Failed)),
                Body::RunStarted(_) => (began_ms, before) = (entry.at_ms, None),
                // That turn was taken back.
                Body::Restored(_) => self.paused = before.take().unwrap_or(self.paused),
                Body::TurnCompleted(end) | Body::TurnPaused(end) | Body::TurnFailed(end) => {
                    transcript.end(end, entry.at_ms - began_ms);
                    self.paused = (end.stop != Stop::Done).then_some(end.stop);
                }
                _ => {}
            }
        }
        // A turn that nobody ended has said something, too.
        transcript.settle();
        if self.transcript.is_echoed() {
            transcript.set_echoed();
        }
        let rows = transcript.take();
        let before = self.transcript.take();
        self.transcript = transcript;
        self.transcript.append(before.into_iter());
        rows
    }
}
