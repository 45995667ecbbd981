//! `bowline changes`: what the model's edits did to files, shown, applied, rejected, reverted.

mod other_sessions;
mod show;

use bowline_core::change_decision::ChangeDecision;
use bowline_host::changes::{ChangesError, Named, Selection, SessionChanges};
use bowline_host::clock::Clock;
use bowline_host::config::CheckpointSettings;
use bowline_host::home::Home;
use bowline_host::snapshots::Snapshots;
use bowline_host::store::{Session, Store};

use crate::args::{Changes, ChangesCommand, Of};
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::{one_line, tame};
use crate::sessions;

pub(crate) async fn changes(args: Changes) -> Exit {
    match attempt(args.command).await {
        Ok(()) => Exit::Done,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

async fn attempt(command: ChangesCommand) -> Result<(), Refusal> {
    match command {
        ChangesCommand::List { of, is_json } => {
            let place = Place::find(&of).await?;
            show::list(&place.session_changes()?, is_json).await?;
            match is_json || of.session.is_some() {
                true => Ok(()),
                false => other_sessions::remind(&place.store, &place.session).await,
            }
        }
        ChangesCommand::Diff { ids, of, is_plain } => {
            let place = Place::find(&of).await?;
            show::diff(&place.session_changes()?, &named(&ids)?, is_plain).await
        }
        ChangesCommand::Apply { ids, of, .. } => {
            let (place, wanted) = (Place::find(&of).await?, wanted(&ids, None)?);
            tell_done(place.session_changes()?.apply(&wanted).await, "applied", "no change is pending")
        }
        ChangesCommand::Reject { ids, of, .. } => {
            let (place, wanted) = (Place::find(&of).await?, wanted(&ids, None)?);
            tell_done(place.session_changes()?.reject(&wanted).await, "rejected", "no change is pending")
        }
        ChangesCommand::Rewind { ids, turn, of, .. } => {
            let (place, wanted) = (Place::find(&of).await?, wanted(&ids, turn)?);
            tell_done(
                place.session_changes()?.rewind(&wanted).await,
                "reverted",
                "there is no change to revert",
            )
        }
    }
}

/// A session, and where it is kept.
struct Place {
    store: Store,
    session: Session,
}

impl Place {
    async fn find(of: &Of) -> Result<Place, Refusal> {
        let store = sessions::open().await?;
        let session = match &of.session {
            Some(id) => sessions::find(&store, id).await?,
            None => {
                let root = sessions::root(&of.folder)?;
                let none = || {
                    Refusal::new(
                        Exit::Usage,
                        format!("there is no session in {root} yet. Start one: bowline run \"task\""),
                    )
                };
                store.last_session(&root).await.map_err(sessions::failed)?.ok_or_else(none)?
            }
        };
        Ok(Place { store, session })
    }

    fn session_changes(&self) -> Result<SessionChanges<'_>, Refusal> {
        let home = Home::find(|name| std::env::var_os(name)).map_err(sessions::failed)?;
        Ok(SessionChanges {
            store: &self.store,
            clock: Clock::start(),
            session: &self.session,
            snapshots: Snapshots::of(&home, &self.session.work_tree, &CheckpointSettings::default()),
            forbidden: home.forbidden(),
            by: "terminal",
        })
    }
}

fn named(ids: &[String]) -> Result<Vec<Named>, Refusal> {
    let named = |id: &String| {
        let words =
            || format!("{id} is not a change: write it as bowline changes list shows it, such as c3 or c3:2");
        Named::parse(id).ok_or_else(|| Refusal::new(Exit::Usage, words()))
    };
    ids.iter().map(named).collect()
}

fn wanted(ids: &[String], turn: Option<String>) -> Result<Selection, Refusal> {
    match turn {
        Some(turn) => Ok(Selection::Turn(turn)),
        None if ids.is_empty() => Ok(Selection::All),
        None => Ok(Selection::Named(named(ids)?)),
    }
}

fn tell_done(
    done: Result<Vec<ChangeDecision>, ChangesError>,
    word: &str,
    nothing: &str,
) -> Result<(), Refusal> {
    let changes = done.map_err(|error| refusal(&error))?;
    if changes.is_empty() {
        eprint_line(nothing);
    }
    for change in &changes {
        let hunks: Vec<String> = change.hunks.iter().map(i64::to_string).collect();
        let hunks = if hunks.is_empty() { String::new() } else { format!(":{}", hunks.join(",")) };
        print_line(&format!("{}{hunks}  {word}  {}", change.id, one_line(&change.path, PATH_COLUMNS)));
    }
    Ok(())
}

/// The columns of a path. A cut path is of little use, so this is generous.
const PATH_COLUMNS: usize = 4096;

fn refusal(error: &ChangesError) -> Refusal {
    match error {
        ChangesError::Unknown(words) => Refusal::new(Exit::Usage, words),
        ChangesError::Refused { .. } | ChangesError::Unwritten(..) => Refusal::new(Exit::NotEdited, error),
        _ => Refusal::new(Exit::Failed, error),
    }
}
