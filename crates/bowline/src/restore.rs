//! `bowline undo`, `redo`, `restore` and `diff`, also for the chat.

mod chat;
mod checkpoint;
pub(crate) mod cleanup;
mod render;

use bowline_checkpoint::{Action, Difference, Plan, Status, UserChanges, WhyKept};
use bowline_core::restore_entry::RestoreWhat;
use bowline_host::clock::Clock;
use bowline_host::restore::{
    CheckpointUse, DiffSource, Extent, RestoreError, RestoreOptions, RestoreReport, RestoreRequest,
    SessionRestore, TurnDiff, WhichTurn,
};
use bowline_host::session::AttachError;
use bowline_host::store::{Session, Store};
use serde_json::{Value, json};

use crate::args::{Configuration, Diff, Of, Restore, Undo};
use crate::diff_files;
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::{Paint, one_line, tame};
use crate::print::json_line;
use crate::rows::{Row, Style};
use crate::sessions;
use crate::settings::Settings;
use crate::trust::Asking;

pub(crate) use chat::{diff_rows, undo_or_redo};
pub(crate) use checkpoint::checkpoint;
use render::{Reader, Tense};

/// The columns of a path. A cut path is of little use, so this is generous.
const PATH_COLUMNS: usize = 4096;
const NO_CHANGE: &str = "no turn of this session has changed a file";
/// The columns of the text that started a turn.
const TEXT_COLUMNS: usize = 80;

pub(crate) async fn undo(args: Undo) -> Exit {
    ended(undo_or_redo_last(args, RestoreRequest::Undo).await)
}

pub(crate) async fn redo(args: Undo) -> Exit {
    ended(undo_or_redo_last(args, RestoreRequest::Redo).await)
}

pub(crate) async fn restore(args: Restore) -> Exit {
    ended(checkpoint::restore(args).await)
}

pub(crate) async fn diff(args: Diff) -> Exit {
    ended(show_diff(args).await)
}

fn ended(done: Result<(), Refusal>) -> Exit {
    match done {
        Ok(()) => Exit::Done,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

async fn undo_or_redo_last(args: Undo, wanted: RestoreRequest) -> Result<(), Refusal> {
    // Where there is no session there is nothing to take back.
    let place = Place::find(&args.of, &args.configuration, Exit::NotEdited).await?;
    let form = Form { is_json: args.is_json, is_plain: args.is_plain, of: args.of.again() };
    place.carry_out(&wanted, options(args.is_all, args.is_dry), &form).await
}

fn options(is_all: bool, is_dry: bool) -> RestoreOptions {
    RestoreOptions {
        user_changes: if is_all { UserChanges::Restore } else { UserChanges::Keep },
        extent: if is_dry { Extent::Planned } else { Extent::Whole },
    }
}

/// How the result is printed.
struct Form {
    is_json: bool,
    is_plain: bool,
    /// What names the session again.
    of: String,
}

impl Form {
    fn print(&self, done: &RestoreReport, extent: Extent) {
        if self.is_json {
            json_line(&to_json(done, extent));
            return;
        }
        let paint = Paint::new(&std::io::stdout(), self.is_plain);
        let tense = if extent == Extent::Planned { Tense::Planned } else { Tense::Done };
        let rows = render::done(done, tense, Reader::CommandLine { of: &self.of });
        rows.iter().for_each(|row| print_line(&row.paint(paint)));
    }
}

impl Of {
    /// The flags that name the same session again.
    fn again(&self) -> String {
        let folder = self.folder.to_string_lossy();
        let folder = (folder != ".").then(|| format!(" -C {}", shell_words::quote(&folder)));
        let session = self.session.as_ref().map(|id| format!(" -s {id}"));
        [folder, session].into_iter().flatten().collect()
    }
}

/// A session, where it is kept, and the settings that hold there.
struct Place {
    settings: Settings,
    store: Store,
    session: Session,
}

impl Place {
    /// `none`: how it ends where the folder has no session.
    async fn find(of: &Of, configuration: &Configuration, none: Exit) -> Result<Place, Refusal> {
        let settings = Settings::load(configuration, &of.folder, Asking::Nobody).await?;
        let store = sessions::open().await?;
        let session = match &of.session {
            Some(id) => sessions::find(&store, id).await?,
            None => {
                let root = settings.root();
                let words = || format!("there is no session in {root} yet. Start one: bowline run \"task\"");
                let last = store.last_session(&root).await.map_err(sessions::failed)?;
                last.ok_or_else(|| Refusal::new(none, words()))?
            }
        };
        Ok(Place { settings, store, session })
    }

    async fn carry_out(
        &self,
        wanted: &RestoreRequest,
        options: RestoreOptions,
        form: &Form,
    ) -> Result<(), Refusal> {
        let session_restore = session_restore(&self.store, &self.settings, &self.session);
        let done = session_restore.carry_out(wanted, options).await.map_err(|error| refusal(&error))?;
        form.print(&done, options.extent);
        Ok(())
    }
}

fn session_restore<'d>(store: &'d Store, settings: &Settings, session: &'d Session) -> SessionRestore<'d> {
    let is_kept = settings.config.checkpoints.enabled;
    SessionRestore {
        store,
        clock: Clock::start(),
        session,
        home: settings.home.checkpoints(),
        settings: settings.config.checkpoints.store(settings.home.forbidden()),
        keeps: if is_kept { CheckpointUse::Files } else { CheckpointUse::Nothing },
        by: "terminal",
    }
}

fn refusal(error: &RestoreError) -> Refusal {
    let exit = match error {
        RestoreError::Unknown(_) => Exit::Usage,
        RestoreError::Refused { .. }
        | RestoreError::Now(_)
        | RestoreError::Files(_)
        | RestoreError::Attach(AttachError::SessionBusy { .. } | AttachError::TreeBusy { .. }) => {
            Exit::NotEdited
        }
        _ => Exit::Failed,
    };
    Refusal::new(exit, error)
}

/// The answer, and the plan.
fn to_json(done: &RestoreReport, extent: Extent) -> Value {
    let answer = &done.answer;
    let mut object = json!({
        "checkpoint_id": answer.checkpoint_id,
        "messages_deleted": answer.messages_deleted,
        "worktree_reset": answer.worktree_reset,
        "backend_reset": answer.backend_reset,
        "undo_checkpoint_id": answer.undo_checkpoint_id,
        "plan": plan_json(done.plan.as_ref()),
    });
    if let Value::Object(fields) = &mut object {
        if extent == Extent::Planned {
            fields.insert("dry_run".to_owned(), true.into());
        }
        if let Some(why) = &done.untouched {
            fields.insert("untouched".to_owned(), why.as_str().into());
        }
    }
    object
}

fn plan_json(plan: Option<&Plan>) -> Value {
    let paths = |is_meant: fn(Action) -> bool| -> Vec<String> {
        let changes = plan.iter().flat_map(|plan| &plan.changes).filter(|change| is_meant(change.action));
        changes.map(|change| change.path.to_string_lossy().into_owned()).collect()
    };
    let is_gone = |action: Action| matches!(action, Action::Delete | Action::RemoveFolder);
    let is_there = |action: Action| !matches!(action, Action::Delete | Action::RemoveFolder);
    let kept = plan.iter().flat_map(|plan| &plan.kept).map(|kept| {
        let why = match kept.why {
            WhyKept::User => "user",
            WhyKept::NotCaptured => "not_captured",
        };
        json!({ "path": kept.path.to_string_lossy(), "why": why })
    });
    json!({ "write": paths(is_there), "delete": paths(is_gone), "keep": kept.collect::<Vec<_>>() })
}

async fn show_diff(args: Diff) -> Result<(), Refusal> {
    let turn = args.turn.as_deref().unwrap_or_default();
    let which = which(turn)?;
    let place = Place::find(&args.of, &args.configuration, Exit::Usage).await?;
    let shown = session_restore(&place.store, &place.settings, &place.session).diff(&which).await;
    let Some(shown) = shown.map_err(|error| refusal(&error))? else {
        eprint_line(NO_CHANGE);
        if args.is_json {
            json_line(&json!({ "turn": null, "files": [], "diff": "" }));
        }
        return Ok(());
    };
    if args.is_json {
        json_line(&json!({
            "turn": shown.turn,
            "text": shown.text,
            "source": if shown.source == DiffSource::Edits { "edits" } else { "checkpoints" },
            "files": files_json(&shown.files),
            "diff": String::from_utf8_lossy(&shown.diff),
        }));
        return Ok(());
    }
    eprint_line(&about(&shown));
    if args.is_stat {
        let paint = Paint::new(&std::io::stdout(), args.is_plain);
        stat(&shown.files).iter().for_each(|row| print_line(&row.paint(paint)));
    } else {
        diff_files::print(&shown.diff, args.is_plain);
    }
    Ok(())
}

fn which(turn: &str) -> Result<WhichTurn, Refusal> {
    let words = || format!("{turn} is not a turn: write it as t3 or 3, or -1 for the last one");
    WhichTurn::parse(turn).ok_or_else(|| Refusal::new(Exit::Usage, words()))
}

/// Which turn it is, and what is not known of it.
fn about(shown: &TurnDiff) -> String {
    let doubt = match shown.source {
        DiffSource::Checkpoints => "",
        DiffSource::Edits => {
            "\nthis turn has no checkpoints: these are its edits; what its commands did is unknown"
        }
    };
    let nothing = if shown.files.is_empty() { "\nno file was changed" } else { "" };
    format!("{}: {}{doubt}{nothing}", shown.turn, one_line(&shown.text, TEXT_COLUMNS))
}

/// A row for each file, with lines added and removed.
fn stat(files: &[Difference]) -> Vec<Row> {
    let paths: Vec<String> =
        files.iter().map(|file| one_line(&file.path.to_string_lossy(), PATH_COLUMNS)).collect();
    let width = paths.iter().map(|path| path.chars().count()).max().unwrap_or(0).min(60);
    let row = |(file, path): (&Difference, &String)| {
        let count =
            |sign: &str, lines: Option<u64>| lines.map_or(String::new(), |lines| format!(" {sign}{lines}"));
        Row::plain(&format!("{:<9} {path:<width$}", status(file.status)))
            .with(&count("+", file.added), Style::coloured(crate::rows::Colour::Green))
            .with(&count("−", file.removed), Style::coloured(crate::rows::Colour::Red))
    };
    files.iter().zip(&paths).map(row).collect()
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Added | Status::FolderAdded => "added",
        Status::Modified => "changed",
        Status::Deleted | Status::FolderDeleted => "deleted",
        Status::Mode => "mode",
        Status::Kind => "kind",
    }
}

fn files_json(files: &[Difference]) -> Vec<Value> {
    let file = |file: &Difference| {
        json!({
            "path": file.path.to_string_lossy(),
            "status": status(file.status),
            "added": file.added,
            "removed": file.removed,
        })
    };
    files.iter().map(file).collect()
}

/// What is restored, by the flags.
fn what(args: &Restore) -> RestoreWhat {
    match (args.is_files, args.is_chat) {
        (true, _) => RestoreWhat::Files,
        (_, true) => RestoreWhat::Conversation,
        _ => RestoreWhat::Both,
    }
}
