//! Reminds of pending changes in the folder's earlier sessions, which would otherwise be forgotten.

use bowline_core::review::Review;
use bowline_host::store::{Session, Store};

use crate::exit::Refusal;
use crate::output::eprint_line;
use crate::run::short;
use crate::sessions::failed;

/// The newest that are looked at: each log is read whole.
const SESSIONS_MAX: i64 = 10;

/// One line for each other session of the folder in which changes wait.
pub(super) async fn remind(store: &Store, of: &Session) -> Result<(), Refusal> {
    let sessions = store.sessions_of(Some(&of.project_root), SESSIONS_MAX).await.map_err(failed)?;
    for session in sessions.iter().filter(|session| session.id != of.id) {
        let waiting = Review::of(&store.log(&session.id).await.map_err(failed)?).pending().count();
        let id = short(&session.id);
        match waiting {
            0 => {}
            1 => eprint_line(&format!("1 change is pending in session {id}: bowline changes list -s {id}")),
            many => {
                eprint_line(&format!(
                    "{many} changes are pending in session {id}: bowline changes list -s {id}"
                ));
            }
        }
    }
    Ok(())
}
