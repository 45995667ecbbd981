//! `bowline sessions delete`: for good, after a question on a terminal, or with `--yes`.
//!
//! What always holds: if one of the ids names no session, several, or one whose turn runs, none is deleted.

use std::io::{BufRead as _, IsTerminal as _};

use bowline_host::checkpoint_cleanup::delete_kept;
use bowline_host::clock::Clock;
use bowline_host::home::Home;
use bowline_host::session::AttachError;
use bowline_host::store::{Deleted, LeaseInfo, Scope, Session, Store, Worktree};

use super::{PATH_COLUMNS, failed, find, list_line, open};
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, eprint_now, print_line};
use crate::paint::one_line;
use crate::run::short;

pub(super) async fn delete(ids: &[String], is_yes: bool) -> Result<(), Refusal> {
    let is_attended = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !is_yes && !is_attended {
        let words = "nobody can be asked to confirm the deletion: use --yes";
        return Err(Refusal::new(Exit::Usage, words));
    }
    let (store, clock) = (open().await?, Clock::start());
    let mut sessions: Vec<Session> = Vec::new();
    for id in ids {
        let session = find(&store, id).await?;
        if sessions.iter().all(|known| known.id != session.id) {
            check_idle(&store, &session, clock.now_ms()).await?;
            sessions.push(session);
        }
    }
    if !is_yes && !is_meant(&sessions, clock.now_ms()) {
        eprint_line("nothing was deleted");
        return Ok(());
    }
    let mut kept = Vec::new();
    for session in &sessions {
        kept.extend(store.session_checkpoints(&session.id).await.map_err(failed)?);
        let worktree = store.worktree_of(&session.id).await.map_err(failed)?;
        match store.delete_idle_session(&session.id, clock.now_ms()).await.map_err(failed)? {
            Deleted::Yes => {
                print_line(&format!("deleted {}  {}", short(&session.id), one_line(&session.title, 60)));
            }
            Deleted::Held { by } => return Err(busy(session, &by)),
        }
        if let Some(Worktree { id, path, .. }) = worktree {
            let path = one_line(&path, PATH_COLUMNS);
            print_line(&format!("  its worktree stays in {path}: bowline worktree remove {id} removes it"));
        }
    }
    store.forget_deleted().await.map_err(failed)?;
    let home = Home::find(|name| std::env::var_os(name)).map_err(failed)?;
    if let Err(failure) = delete_kept(&home.checkpoints(), &kept).await {
        let words = "their checkpoints stay until bowline checkpoint tidy deletes them";
        eprint_line(&format!("{words}: {}", one_line(&failure.to_string(), 200)));
    }
    Ok(())
}

async fn check_idle(store: &Store, session: &Session, now_ms: i64) -> Result<(), Refusal> {
    let lease = store.lease(&Scope::Session(session.id.clone())).await.map_err(failed)?;
    match lease.filter(|lease| lease.is_held(now_ms)) {
        Some(by) => Err(busy(session, &by)),
        None => Ok(()),
    }
}

fn busy(session: &Session, by: &LeaseInfo) -> Refusal {
    failed(AttachError::SessionBusy { session: session.id.clone(), pid: by.pid() })
}

fn is_meant(sessions: &[Session], now_ms: i64) -> bool {
    for session in sessions {
        eprint_line(&list_line(session, now_ms, true));
    }
    let what = if sessions.len() == 1 { "it".to_owned() } else { format!("these {}", sessions.len()) };
    eprint_now(&format!("? delete {what} permanently? [y]es, [n]o: "));
    let mut line = String::new();
    let is_read = std::io::stdin().lock().read_line(&mut line).is_ok();
    is_read && matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}
