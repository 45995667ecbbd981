//! A session that begins with a copy of another's log.
//!
//! The copy has its own id and the same prompt, tools and messages, so that a server that has read the original need not
//! read it again. What is open in the original is ended in the copy alone; the original is only read, even while its turn
//! runs.

use bowline_core::entry::{Body, SessionUpdated};
use bowline_core::limits::TITLE_CHARS_MAX;
use bowline_core::recover;
use bowline_core::view::View;
use uuid::Uuid;

use crate::clock::Clock;
use crate::store::{Fork, Session, Store, StoreError};

/// Makes the copy and gives its row as it was before it said of itself that it is one.
pub(crate) async fn fork(store: &Store, clock: &Clock, source: &Session) -> Result<Session, StoreError> {
    let log = store.log(&source.id).await?;
    let mut closing = recover::close(&log);
    for body in &mut closing {
        if let Body::TurnFailed(end) = body {
            end.reason = Some("This turn had not ended when the session was forked.".to_owned());
        }
    }
    let id = Uuid::now_v7().to_string();
    let title = forked_title(&source.title);
    let says = Body::SessionUpdated(SessionUpdated {
        title: Some(title.clone()),
        model: None,
        notice: Some(format!("forked from session {}", source.id)),
    });
    let at_ms = clock.now_ms();
    let turn = View::of(&log).turn;
    store
        .fork_session(&Fork {
            source: &source.id,
            id: &id,
            title: &title,
            log: &log,
            closing: &closing,
            turn: turn.as_deref(),
            says: &says,
            at_ms,
        })
        .await?;
    let next_seq = log.last().map_or(1, |entry| entry.seq + 1);
    Ok(Session { id, title, created_ms: at_ms, active_ms: at_ms, next_seq, ..source.clone() })
}

/// `title (fork)`, then `title (fork 2)`.
fn forked_title(title: &str) -> String {
    let (base, count) = match title.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (fork")) {
        Some((base, "")) => (base, 2),
        Some((base, number)) => match number.trim().parse::<u32>() {
            Ok(count) => (base, count.saturating_add(1)),
            Err(_) => (title, 1),
        },
        None => (title, 1),
    };
    let suffix = if count == 1 { " (fork)".to_owned() } else { format!(" (fork {count})") };
    let room = TITLE_CHARS_MAX - suffix.len();
    format!("{}{suffix}", base.chars().take(room).collect::<String>().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_says_so_in_its_title() {
        assert_eq!(forked_title("Mend it"), "Mend it (fork)");
        assert_eq!(forked_title("Mend it (fork)"), "Mend it (fork 2)");
        assert_eq!(forked_title("Mend it (fork 9)"), "Mend it (fork 10)");
        assert_eq!(forked_title("What is a (fork lift)"), "What is a (fork lift) (fork)");
        assert_eq!(forked_title(&"x".repeat(80)), format!("{} (fork)", "x".repeat(73)));
    }
}
