//! Finds the session that a turn belongs to, resumes or copies it, or starts a new one.

use bowline_core::entry::{Access, Body, Entry, ModelRef, SessionStarted, SessionUpdated};
use bowline_core::mode::Mode;
use bowline_core::tools;
use bowline_core::visible::visible;

use super::brief::Brief;
use super::calling::CallingSettings;
use super::work_tree::SessionFolder;
use super::{Ask, LaunchError, Order, title};
use crate::clock::Clock;
use crate::servers::Choice;
use crate::session::{self, Attached, check_tree_free};
use crate::snapshots::Snapshots;
use crate::store::{Append, Found, NewSession, Session, Store, StoreError, Writer};

/// Which session the user asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionChoice {
    New,
    /// The last one of the project.
    Last,
    /// An id, or the start of one.
    Named(String),
}

pub(super) async fn find(
    store: &Store,
    root: &str,
    which: &SessionChoice,
) -> Result<Option<Session>, LaunchError> {
    match which {
        SessionChoice::New => Ok(None),
        SessionChoice::Last => match store.last_session(root).await? {
            Some(session) => Ok(Some(session)),
            None => Err(LaunchError::NoSession(format!(
                "there is no session in {root} to resume. Start one: bowline run \"task\""
            ))),
        },
        SessionChoice::Named(prefix) => match store.find_session(prefix).await? {
            Found::One(session) if session.project_root == root || session.work_tree == root => {
                Ok(Some(session))
            }
            Found::One(session) => Err(LaunchError::NoSession(format!(
                "session {prefix} belongs to {}. Resume it there: bowline run -C {} -s {prefix}",
                session.project_root, session.project_root
            ))),
            Found::Several(sessions) => Err(LaunchError::NoSession(format!(
                "{prefix} fits several sessions:\n  {}\nWrite more of the id",
                sessions.iter().map(|session| session.id.as_str()).collect::<Vec<_>>().join("\n  ")
            ))),
            Found::Nothing => Err(LaunchError::NoSession(format!(
                "there is no session {prefix}. bowline sessions list shows those there are"
            ))),
        },
    }
}

/// Whether the session has no tool that writes, so that no turn of it can.
pub(super) async fn began_read_only(store: &Store, session: &Session) -> Result<bool, StoreError> {
    let first = store.entries(&session.id, 0, 1).await?;
    Ok(first.iter().any(
        |entry| matches!(&entry.body, Body::SessionStarted(started) if started.access == Access::ReadOnly),
    ))
}

fn model_ref(choice: &Choice, mode: Mode) -> ModelRef {
    ModelRef {
        model: choice.full_name.clone(),
        base_url: choice.endpoint.base_url.clone(),
        window: choice.window,
        mode,
    }
}

/// Starts a session in its work tree. If that fails, a worktree that was created for it is removed.
pub(super) async fn begin(
    store: &Store,
    clock: &Clock,
    (place, snapshots): (&mut SessionFolder, &Snapshots),
    brief: Brief,
    order: &Order,
    choice: &Choice,
    calling: CallingSettings,
) -> Result<(Attached, Vec<Entry>), LaunchError> {
    let begun = begin_in(store, clock, (place, snapshots), brief, order, choice, calling).await;
    if begun.is_err() {
        place.remove_unused(store).await;
    }
    begun
}

async fn begin_in(
    store: &Store,
    clock: &Clock,
    (place, snapshots): (&mut SessionFolder, &Snapshots),
    brief: Brief,
    order: &Order,
    choice: &Choice,
    calling: CallingSettings,
) -> Result<(Attached, Vec<Entry>), LaunchError> {
    let (id, root, tree) = (place.id.clone(), place.root.clone(), place.work_tree());
    if order.turn_access() == Access::Write {
        check_tree_free(store, clock, &tree).await?;
    }
    let title = match &order.ask {
        Ask::Task { text, .. } => title(text),
        _ => String::new(),
    };
    let first = Body::SessionStarted(SessionStarted {
        project: root.clone(),
        work_tree: tree.clone(),
        title: title.clone(),
        agent: "default".to_owned(),
        access: order.access,
        model: model_ref(choice, calling.mode),
        prompt: brief.prompt,
        tools: tools::specs(order.access),
        instructions: brief.instructions,
        shown: brief.shown,
    });
    let new = NewSession {
        id: &id,
        project_root: &root,
        work_tree: &tree,
        title: &title,
        model: &choice.full_name,
    };
    store.create_session(&new, &first, clock.now_ms()).await?;
    let attached = match place.own(store).await {
        Ok(()) => {
            Attached::attach(store, clock, &id, snapshots, order.turn_access()).await.map_err(Into::into)
        }
        Err(error) => Err(error),
    };
    match attached {
        Ok(attached) => {
            let before = attached.entries.clone();
            Ok((attached, before))
        }
        Err(error) => {
            // Somebody was quicker: nothing was said in this session yet.
            store.delete_session(&id).await?;
            Err(error)
        }
    }
}

pub(super) async fn resume(
    store: &Store,
    clock: &Clock,
    session: &Session,
    snapshots: &Snapshots,
    order: &Order,
    choice: &Choice,
    calling: CallingSettings,
) -> Result<(Attached, Vec<Entry>), LaunchError> {
    let mut attached = Attached::attach(store, clock, &session.id, snapshots, order.turn_access()).await?;
    let known = visible(&attached.entries).into_iter().rev().find_map(|entry| match &entry.body {
        Body::SessionStarted(started) => Some(started.model.clone()),
        Body::SessionUpdated(SessionUpdated { model: Some(model), .. }) => Some(model.clone()),
        _ => None,
    });
    // A session keeps its mode as long as it keeps its model: a change would have the whole prompt read again.
    let kept = known.as_ref().filter(|known| known.model == choice.full_name).map(|known| known.mode);
    let now = model_ref(choice, calling.set.or(kept).unwrap_or(calling.mode));
    if known.as_ref() != Some(&now) {
        let update = Body::SessionUpdated(SessionUpdated { title: None, model: Some(now), notice: None });
        let append = Append {
            session: &session.id,
            writer: Writer::Holder(&attached.lease),
            at_ms: clock.now_ms(),
            turn: None,
            bodies: &[update],
        };
        let updated = match store.append(&append).await {
            Ok(_) => store.log(&session.id).await.map_err(LaunchError::from),
            Err(error) => Err(error.into()),
        };
        match updated {
            Ok(entries) => attached.entries = entries,
            Err(error) => {
                let _ = attached.give_up(store).await;
                return Err(error);
            }
        }
    }
    // What ended a dead predecessor's turn, and a change of model, came after the row was read.
    let is_new = |entry: &&Entry| entry.seq >= session.next_seq;
    let before = attached.entries.iter().filter(is_new).cloned().collect();
    Ok((attached, before))
}

/// Continues with a copy of the session.
pub(super) async fn fork(
    store: &Store,
    clock: &Clock,
    source: &Session,
    snapshots: &Snapshots,
    order: &Order,
    choice: &Choice,
    calling: CallingSettings,
) -> Result<(Attached, Vec<Entry>), LaunchError> {
    if order.turn_access() == Access::Write {
        check_tree_free(store, clock, &source.work_tree).await?;
    }
    let copy = session::fork(store, clock, source).await?;
    match resume(store, clock, &copy, snapshots, order, choice, calling).await {
        Ok((attached, added)) => {
            let before = attached.entries.first().cloned().into_iter().chain(added).collect();
            Ok((attached, before))
        }
        Err(error) => {
            // Somebody was quicker: nothing was said in the copy yet.
            store.delete_session(&copy.id).await?;
            Err(error)
        }
    }
}
