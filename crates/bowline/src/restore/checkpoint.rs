//! `bowline checkpoint take|list|diff` and `bowline restore ID`: checkpoints by their ids, taken by turns or by the user.

use std::collections::BTreeSet;
use std::path::Path;

use bowline_checkpoint::Snapshot;
use bowline_core::restore_entry::RestoreWhat;
use bowline_core::timeline::{Listed, Timeline};
use bowline_host::clock::Clock;
use bowline_host::restore::{ManualCheckpoints, RestoreError, RestoreRequest, why_not};
use bowline_host::store::{CheckpointRow, Store};
use serde_json::{Value, json};

use super::cleanup;
use super::{Form, Place, TEXT_COLUMNS, files_json, options, refusal, stat, what};
use crate::args::{Checkpoint, CheckpointCommand, Configuration, Of, Restore};
use crate::diff_files;
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::{Paint, one_line};
use crate::print::json_line;
use crate::sessions;
use crate::settings::Settings;
use crate::time::ago;
use crate::trust::Asking;

/// Sessions whose logs are read for a list.
const SESSIONS_MAX: usize = 50;
/// The most checkpoints in a list.
const ROWS_MAX: i64 = 10_000;
/// The most paths that are listed as left out of a checkpoint.
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
            let checkpoints = FolderCheckpoints::open(&configuration, &folder).await;
            match checkpoints {
                Ok(checkpoints) => checkpoints.diff(&from, to.as_deref(), is_stat, is_json, is_plain).await,
                Err(refusal) => Err(refusal),
            }
        }
    })
}

/// The checkpoints of a folder.
pub(super) struct FolderCheckpoints {
    pub(super) settings: Settings,
    pub(super) store: Store,
}

impl FolderCheckpoints {
    pub(super) async fn open(
        configuration: &Configuration,
        folder: &Path,
    ) -> Result<FolderCheckpoints, Refusal> {
        let settings = Settings::load(configuration, folder, Asking::Nobody).await?;
        let store = sessions::open().await?;
        Ok(FolderCheckpoints { settings, store })
    }

    fn folder(&self) -> ManualCheckpoints<'_> {
        ManualCheckpoints {
            store: &self.store,
            clock: Clock::start(),
            root: self.settings.project.root.clone(),
            home: self.settings.home.checkpoints(),
            settings: self.settings.config.checkpoints.store(self.settings.home.forbidden()),
        }
    }

    /// The checkpoint with this id, or whose id begins with it.
    async fn find(&self, id: &str) -> Result<CheckpointRow, Refusal> {
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

    /// Whether the checkpoint is of this folder or a parent of it, or of a session of this project that works elsewhere.
    async fn is_here(&self, row: &CheckpointRow) -> Result<bool, Refusal> {
        if self.settings.project.root.starts_with(&row.root) {
            return Ok(true);
        }
        let Some(session) = &row.session else { return Ok(false) };
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
        let folder = ManualCheckpoints { root: first.root.clone().into(), ..self.folder() };
        let pair = (first.commit.clone(), second.as_ref().map(|row| row.commit.clone()));
        let (files, diff) = folder.compare(pair).await.map_err(|error| refusal(&error))?;
        if is_json {
            json_line(&json!({
                "from": first.id,
                "to": second.map(|row| row.id),
                "files": files_json(&files),
                "diff": String::from_utf8_lossy(&diff),
            }));
            return Ok(());
        }
        if files.is_empty() {
            eprint_line("no file differs");
        }
        if is_stat {
            let paint = Paint::new(&std::io::stdout(), is_plain);
            stat(&files).iter().for_each(|row| print_line(&row.paint(paint)));
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
    let checkpoints = FolderCheckpoints::open(configuration, folder).await?;
    let label = one_line(label.unwrap_or("by hand"), TEXT_COLUMNS);
    let (row, snapshot) = checkpoints.folder().take(&label).await.map_err(|error| refusal(&error))?;
    if is_json {
        let mut object = checkpoint_json(&row, None);
        object["not_captured"] = left_out_json(&snapshot);
        json_line(&object);
        return Ok(());
    }
    print_line(&row.id);
    let left_out = &snapshot.not_captured;
    for one in left_out.iter().take(LEFT_OUT_MAX) {
        eprint_line(&format!(
            "not included: {} ({})",
            one_line(&one.path.to_string_lossy(), 200),
            why_not(&one.why)
        ));
    }
    if left_out.len() > LEFT_OUT_MAX {
        eprint_line(&format!(
            "and {} more; a restore leaves all of them alone",
            left_out.len() - LEFT_OUT_MAX
        ));
    }
    eprint_line(&format!("bowline restore {} restores these files", row.id));
    Ok(())
}

fn left_out_json(snapshot: &Snapshot) -> Value {
    let one = |one: &bowline_checkpoint::NotCaptured| json!({ "path": one.path.to_string_lossy(), "why": why_not(&one.why) });
    snapshot.not_captured.iter().map(one).collect::<Vec<_>>().into()
}

async fn list(is_all: bool, is_json: bool, folder: &Path) -> Result<(), Refusal> {
    let checkpoints = FolderCheckpoints::open(&Configuration::default(), folder).await?;
    let rows = checkpoints.store.project_checkpoints(&checkpoints.settings.root(), ROWS_MAX).await;
    let rows = rows.map_err(sessions::failed)?;
    let listed = listed(&checkpoints.store, &rows).await?;
    let now = Clock::start().now_ms();
    let mut is_any = false;
    for one in &rows {
        let of_turn = listed.iter().find(|listed| listed.id == one.id);
        let is_own = one.session.is_none();
        if !is_own && of_turn.is_none() && !(is_all && one.moment != "after") {
            continue;
        }
        is_any = true;
        if is_json {
            json_line(&checkpoint_json(one, of_turn));
        } else {
            print_line(&line(one, of_turn, now));
        }
    }
    if !is_any && !is_json {
        eprint_line(
            "no checkpoints here yet: a turn that writes takes one, and so does bowline checkpoint take",
        );
    }
    Ok(())
}

/// What the logs of the sessions say can be restored.
async fn listed(store: &Store, rows: &[CheckpointRow]) -> Result<Vec<Listed>, Refusal> {
    let sessions: BTreeSet<&str> = rows.iter().filter_map(|one| one.session.as_deref()).collect();
    let mut listed = Vec::new();
    for session in sessions.into_iter().rev().take(SESSIONS_MAX) {
        let log = store.log(session).await.map_err(sessions::failed)?;
        listed.append(&mut Timeline::of(&log).listed());
    }
    Ok(listed)
}

fn checkpoint_json(row: &CheckpointRow, listed: Option<&Listed>) -> Value {
    json!({
        "id": row.id,
        "moment": row.moment,
        "label": row.label,
        "session": row.session,
        "turn": listed.and_then(|listed| listed.turn.clone()),
        "root": row.root,
        "created_ms": row.created_ms,
        "listed": row.session.is_none() || listed.is_some(),
    })
}

fn line(row: &CheckpointRow, listed: Option<&Listed>, now: i64) -> String {
    let turn = listed.and_then(|listed| listed.turn.as_deref());
    let of = match (turn, row.moment.as_str()) {
        (Some(turn), _) => format!("before {turn}"),
        (None, "restore") => "restore".to_owned(),
        (None, "hand") => "by hand".to_owned(),
        (None, _) => "hidden".to_owned(),
    };
    let label =
        if row.label.is_empty() { listed.map_or("", |listed| listed.label.as_str()) } else { &row.label };
    format!("{}  {:<15} {of:<10} {}", row.id, ago(now - row.created_ms), one_line(label, TEXT_COLUMNS))
}

/// `bowline restore ID`: a turn's checkpoint is restored in its session, one that the user took in its folder.
pub(super) async fn restore(args: Restore) -> Result<(), Refusal> {
    let checkpoints = FolderCheckpoints::open(&args.configuration, &args.of.folder).await?;
    let row = checkpoints.find(&args.id).await?;
    let options = options(args.is_all, args.is_dry);
    let form = Form { is_json: args.is_json, is_plain: args.is_plain, of: args.of.again() };
    let Some(id) = row.session.clone() else {
        return restore_manual(&checkpoints, &row, &args, &form).await;
    };
    let of = Of { session: args.of.session.clone().or(Some(id)), folder: args.of.folder.clone() };
    let place = Place::find(&of, &args.configuration, Exit::Usage).await?;
    let wanted = RestoreRequest::Restore { checkpoint: row.id.clone(), what: what(&args) };
    place.carry_out(&wanted, options, &form).await
}

async fn restore_manual(
    checkpoints: &FolderCheckpoints,
    row: &CheckpointRow,
    args: &Restore,
    form: &Form,
) -> Result<(), Refusal> {
    if args.of.session.is_some() {
        let error = RestoreError::Unknown(format!(
            "checkpoint {} was taken by hand and belongs to no session: omit -s",
            row.id
        ));
        return Err(refusal(&error));
    }
    if what(args) == RestoreWhat::Conversation {
        let words = format!("checkpoint {} was taken by hand: it has no conversation. Omit --chat", row.id);
        return Err(Refusal::new(Exit::Usage, words));
    }
    let options = options(args.is_all, args.is_dry);
    let folder = ManualCheckpoints { root: row.root.clone().into(), ..checkpoints.folder() };
    let done = folder.restore(row, options).await.map_err(|error| refusal(&error))?;
    form.print(&done, options.extent);
    Ok(())
}
