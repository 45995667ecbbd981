//! `bowline checkpoint take|list|diff` and `bowline restore ID`: checkpoints by their ids, of turns and by hand.

use std::collections::BTreeSet;
use std::path::Path;

use bowline_checkpoint::Snapshot;
use bowline_core::restore_entry::RestoreWhat;
use bowline_core::timeline::{Listed, Timeline};
use bowline_host::clock::Clock;
use bowline_host::restore::{Folder, Move, RestoreError, why_not};
use bowline_host::store::{KeptCheckpoint, Store};
use serde_json::{Value, json};

use super::cleanup;
use super::{Form, Place, TEXT_COLUMNS, files_json, manner, refusal, stat, what};
use crate::args::{Checkpoint, CheckpointCommand, Configuration, Of, Restore};
use crate::diff_files;
use crate::exit::{Exit, Refusal};
use crate::output::{say, tell};
use crate::paint::{Paint, one_line};
use crate::print::json_line;
use crate::sessions;
use crate::settings::Settings;
use crate::time::ago;
use crate::trust::Asking;

/// Sessions whose logs are read for a list.
const SESSIONS_MAX: usize = 50;
/// Of a list.
const ROWS_MAX: i64 = 10_000;
/// Of what a checkpoint left out.
const LEFT_OUT_MAX: usize = 10;

pub(crate) async fn checkpoint(args: Checkpoint) -> Exit {
    super::ended(match args.command {
        CheckpointCommand::Take { label, is_json, configuration, folder } => {
            take(label.as_deref(), is_json, &configuration, &folder).await
        }
        CheckpointCommand::List { is_all, is_json, folder } => list(is_all, is_json, &folder).await,
        CheckpointCommand::Tidy { is_quiet, configuration, folder } => {
            cleanup::tidy(is_quiet, &configuration, &folder).await
        }
        CheckpointCommand::Diff { from, to, is_stat, is_json, configuration, folder, is_plain } => {
            let shelf = Shelf::open(&configuration, &folder).await;
            match shelf {
                Ok(shelf) => shelf.diff(&from, to.as_deref(), is_stat, is_json, is_plain).await,
                Err(refusal) => Err(refusal),
            }
        }
    })
}

/// A folder's checkpoints.
pub(super) struct Shelf {
    pub(super) settings: Settings,
    pub(super) store: Store,
}

impl Shelf {
    pub(super) async fn open(configuration: &Configuration, folder: &Path) -> Result<Shelf, Refusal> {
        let settings = Settings::load(configuration, folder, Asking::Nobody).await?;
        let store = sessions::open().await?;
        Ok(Shelf { settings, store })
    }

    fn folder(&self) -> Folder<'_> {
        Folder {
            store: &self.store,
            clock: Clock::start(),
            root: self.settings.project.root.clone(),
            home: self.settings.home.checkpoints(),
            settings: self.settings.config.checkpoints.store(self.settings.home.forbidden()),
        }
    }

    /// The checkpoint an id, or the start of one, stands for.
    async fn find(&self, id: &str) -> Result<KeptCheckpoint, Refusal> {
        let found = self.store.find_checkpoints(id).await.map_err(sessions::failed)?;
        let mut here = Vec::new();
        for one in &found {
            if self.is_here(one).await? {
                here.push(one.clone());
            }
        }
        match (here.as_slice(), found.as_slice()) {
            ([one], _) => Ok(one.clone()),
            ([], [elsewhere, ..]) => {
                let root = shell_words::quote(&elsewhere.root);
                let words = format!("checkpoint {} belongs to another folder. Use -C {root}", elsewhere.id);
                Err(Refusal::new(Exit::Usage, words))
            }
            ([], []) => {
                let words = format!("there is no checkpoint {id}: see bowline checkpoint list");
                Err(Refusal::new(Exit::Usage, words))
            }
            (several, _) => {
                let ids: Vec<&str> = several.iter().map(|one| one.id.as_str()).collect();
                let words =
                    format!("{id} matches several checkpoints:\n  {}\nType more of the id", ids.join("\n  "));
                Err(Refusal::new(Exit::Usage, words))
            }
        }
    }

    /// Of this folder or one it lies in, or of a session of this project that works elsewhere.
    async fn is_here(&self, kept: &KeptCheckpoint) -> Result<bool, Refusal> {
        if self.settings.project.root.starts_with(&kept.root) {
            return Ok(true);
        }
        let Some(session) = &kept.session else { return Ok(false) };
        let session = self.store.session(session).await.map_err(sessions::failed)?;
        Ok(session.is_some_and(|session| session.project_root == self.settings.root()))
    }

    async fn diff(
        &self,
        from: &str,
        to: Option<&str>,
        is_stat: bool,
        is_json: bool,
        is_plain: bool,
    ) -> Result<(), Refusal> {
        let first = self.find(from).await?;
        let second = match to {
            Some(id) => Some(self.find(id).await?),
            None => None,
        };
        let folder = Folder { root: first.root.clone().into(), ..self.folder() };
        let pair = (first.commit.clone(), second.as_ref().map(|kept| kept.commit.clone()));
        let (files, diff) = folder.compare(pair).await.map_err(|error| refusal(&error))?;
        if is_json {
            json_line(&json!({
                "from": first.id,
                "to": second.map(|kept| kept.id),
                "files": files_json(&files),
                "diff": String::from_utf8_lossy(&diff),
            }));
            return Ok(());
        }
        if files.is_empty() {
            tell("no file differs");
        }
        if is_stat {
            let paint = Paint::new(&std::io::stdout(), is_plain);
            stat(&files).iter().for_each(|row| say(&row.paint(paint)));
        } else {
            diff_files::print(&diff, is_plain);
        }
        Ok(())
    }
}

async fn take(
    label: Option<&str>,
    is_json: bool,
    configuration: &Configuration,
    folder: &Path,
) -> Result<(), Refusal> {
    let shelf = Shelf::open(configuration, folder).await?;
    let label = one_line(label.unwrap_or("by hand"), TEXT_COLUMNS);
    let (kept, snapshot) = shelf.folder().take(&label).await.map_err(|error| refusal(&error))?;
    if is_json {
        let mut object = kept_json(&kept, None);
        object["not_captured"] = left_out_json(&snapshot);
        json_line(&object);
        return Ok(());
    }
    say(&kept.id);
    let left_out = &snapshot.not_captured;
    for one in left_out.iter().take(LEFT_OUT_MAX) {
        tell(&format!(
            "not included: {} ({})",
            one_line(&one.path.to_string_lossy(), 200),
            why_not(&one.why)
        ));
    }
    if left_out.len() > LEFT_OUT_MAX {
        tell(&format!("and {} more; a restore leaves all of them alone", left_out.len() - LEFT_OUT_MAX));
    }
    tell(&format!("bowline restore {} restores these files", kept.id));
    Ok(())
}

fn left_out_json(snapshot: &Snapshot) -> Value {
    let one = |one: &bowline_checkpoint::NotCaptured| json!({ "path": one.path.to_string_lossy(), "why": why_not(&one.why) });
    snapshot.not_captured.iter().map(one).collect::<Vec<_>>().into()
}

async fn list(is_all: bool, is_json: bool, folder: &Path) -> Result<(), Refusal> {
    let shelf = Shelf::open(&Configuration::default(), folder).await?;
    let kept = shelf.store.project_checkpoints(&shelf.settings.root(), ROWS_MAX).await;
    let kept = kept.map_err(sessions::failed)?;
    let listed = listed(&shelf.store, &kept).await?;
    let now = Clock::start().now_ms();
    let mut is_any = false;
    for one in &kept {
        let of_turn = listed.iter().find(|listed| listed.id == one.id);
        let is_own = one.session.is_none();
        if !is_own && of_turn.is_none() && !(is_all && one.moment != "after") {
            continue;
        }
        is_any = true;
        if is_json {
            json_line(&kept_json(one, of_turn));
        } else {
            say(&line(one, of_turn, now));
        }
    }
    if !is_any && !is_json {
        tell("no checkpoints here yet: a turn that writes takes one, and so does bowline checkpoint take");
    }
    Ok(())
}

/// What the logs of the sessions say can be restored.
async fn listed(store: &Store, kept: &[KeptCheckpoint]) -> Result<Vec<Listed>, Refusal> {
    let sessions: BTreeSet<&str> = kept.iter().filter_map(|one| one.session.as_deref()).collect();
    let mut listed = Vec::new();
    for session in sessions.into_iter().rev().take(SESSIONS_MAX) {
        let log = store.log(session).await.map_err(sessions::failed)?;
        listed.append(&mut Timeline::of(&log).listed());
    }
    Ok(listed)
}

fn kept_json(kept: &KeptCheckpoint, listed: Option<&Listed>) -> Value {
    json!({
        "id": kept.id,
        "moment": kept.moment,
        "label": kept.label,
        "session": kept.session,
        "turn": listed.and_then(|listed| listed.turn.clone()),
        "root": kept.root,
        "created_ms": kept.created_ms,
        "listed": kept.session.is_none() || listed.is_some(),
    })
}

fn line(kept: &KeptCheckpoint, listed: Option<&Listed>, now: i64) -> String {
    let turn = listed.and_then(|listed| listed.turn.as_deref());
    let of = match (turn, kept.moment.as_str()) {
        (Some(turn), _) => format!("before {turn}"),
        (None, "restore") => "restore".to_owned(),
        (None, "hand") => "by hand".to_owned(),
        (None, _) => "hidden".to_owned(),
    };
    let label =
        if kept.label.is_empty() { listed.map_or("", |listed| listed.label.as_str()) } else { &kept.label };
    format!("{}  {:<15} {of:<10} {}", kept.id, ago(now - kept.created_ms), one_line(label, TEXT_COLUMNS))
}

/// `bowline restore ID`: of a turn in its session, by hand in its folder.
pub(super) async fn restore(args: Restore) -> Result<(), Refusal> {
    let shelf = Shelf::open(&args.configuration, &args.of.folder).await?;
    let kept = shelf.find(&args.id).await?;
    let manner = manner(args.is_all, args.is_dry);
    let form = Form { is_json: args.is_json, is_plain: args.is_plain, of: args.of.again() };
    let Some(id) = kept.session.clone() else {
        return by_hand(&shelf, &kept, &args, &form).await;
    };
    let of = Of { session: args.of.session.clone().or(Some(id)), folder: args.of.folder.clone() };
    let place = Place::find(&of, &args.configuration, Exit::Usage).await?;
    let wanted = Move::Restore { checkpoint: kept.id.clone(), what: what(&args) };
    place.carry_out(&wanted, manner, &form).await
}

async fn by_hand(shelf: &Shelf, kept: &KeptCheckpoint, args: &Restore, form: &Form) -> Result<(), Refusal> {
    if args.of.session.is_some() {
        let error = RestoreError::Unknown(format!(
            "checkpoint {} was taken by hand and belongs to no session: omit -s",
            kept.id
        ));
        return Err(refusal(&error));
    }
    if what(args) == RestoreWhat::Conversation {
        let words = format!("checkpoint {} was taken by hand: it has no conversation. Omit --chat", kept.id);
        return Err(Refusal::new(Exit::Usage, words));
    }
    let manner = manner(args.is_all, args.is_dry);
    let folder = Folder { root: kept.root.clone().into(), ..shelf.folder() };
    let done = folder.restore(kept, manner).await.map_err(|error| refusal(&error))?;
    form.print(&done, manner.extent);
    Ok(())
}
