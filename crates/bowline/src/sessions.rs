//! `bowline sessions`: earlier sessions listed, shown, searched, renamed, exported, deleted.

mod delete;
mod export;
mod rename;
mod search;

use std::path::Path;

use bowline_core::entry::Role;
use bowline_core::frame::frame;
use bowline_core::item::ItemKind;
use bowline_core::view::{MessageView, View};
use bowline_host::clock::Clock;
use bowline_host::home::Home;
use bowline_host::project::Project;
use bowline_host::store::{Found, Session, Store};
use serde_json::{Value, json};

use crate::args::{Sessions, SessionsCommand};
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::{Paint, one_line, tame};
use crate::print::json_line;
use crate::render::{ending, sentinel_line};
use crate::run::short;
use crate::time::ago;

/// The most sessions in a list.
const SESSIONS_MAX: i64 = 100;
/// The columns of a folder's path. A cut path is of little use, so this is generous.
const PATH_COLUMNS: usize = 4096;

pub(crate) async fn sessions(args: Sessions) -> Exit {
    let done = match args.command {
        SessionsCommand::List { is_all, is_json, folder } => list(is_all, is_json, &folder).await,
        SessionsCommand::Show { id, is_json, folder, is_plain } => {
            show(id.as_deref(), is_json, &folder, is_plain).await
        }
        SessionsCommand::Search { words, is_all, is_json, folder } => {
            search::search(&words, is_all, is_json, &folder).await
        }
        SessionsCommand::Rename { id, title } => rename::rename(&id, &title).await,
        SessionsCommand::Export { id, output, format } => {
            export::export(&id, output.as_deref(), export::Format::of(&format)).await
        }
        SessionsCommand::Delete { ids, is_yes } => delete::delete(&ids, is_yes).await,
    };
    match done {
        Ok(()) => Exit::Done,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

pub(crate) async fn open() -> Result<Store, Refusal> {
    let home =
        Home::find(|name| std::env::var_os(name)).map_err(|error| Refusal::new(Exit::Failed, error))?;
    Store::open(&home.database).await.map_err(|error| Refusal::new(Exit::Failed, error))
}

pub(crate) fn failed(error: impl std::fmt::Display) -> Refusal {
    Refusal::new(Exit::Failed, error)
}

pub(crate) fn root(folder: &Path) -> Result<String, Refusal> {
    let project = Project::find(folder).map_err(|error| Refusal::new(Exit::Usage, error))?;
    Ok(project.root.to_string_lossy().into_owned())
}

/// The session an id, or the start of one, stands for.
pub(crate) async fn find(store: &Store, id: &str) -> Result<Session, Refusal> {
    match store.find_session(id).await.map_err(failed)? {
        Found::One(session) => Ok(session),
        Found::Nothing => {
            let words = format!("there is no session {id}: see bowline sessions list");
            Err(Refusal::new(Exit::Usage, words))
        }
        Found::Several(sessions) => {
            let ids: Vec<&str> = sessions.iter().map(|session| session.id.as_str()).collect();
            let words =
                format!("{id} matches several sessions:\n  {}\nType more of the id", ids.join("\n  "));
            Err(Refusal::new(Exit::Usage, words))
        }
    }
}

async fn list(is_all: bool, is_json: bool, folder: &Path) -> Result<(), Refusal> {
    let root = if is_all { None } else { Some(root(folder)?) };
    let store = open().await?;
    let sessions = store.sessions_of(root.as_deref(), SESSIONS_MAX).await.map_err(failed)?;
    let now = Clock::start().now_ms();
    for session in &sessions {
        if is_json {
            json_line(&session_json(session));
        } else {
            print_line(&list_line(session, now, is_all));
        }
    }
    if sessions.is_empty() && !is_json {
        eprint_line("no sessions yet: bowline run \"task\" starts one");
    }
    Ok(())
}

fn session_json(session: &Session) -> Value {
    json!({
        "id": session.id,
        "title": session.title,
        "state": session.state.word(),
        "model": session.model,
        "project": session.project_root,
        "work_tree": session.work_tree,
        "created_ms": session.created_ms,
        "active_ms": session.active_ms,
    })
}

fn list_line(session: &Session, now: i64, with_project: bool) -> String {
    let path = one_line(&session.project_root, PATH_COLUMNS);
    let project = if with_project { format!("  {path}") } else { String::new() };
    format!(
        "{}  {:<8} {:<15} {}{project}",
        short(&session.id),
        session.state.word(),
        ago(now - session.active_ms),
        one_line(&session.title, 60)
    )
}

async fn show(id: Option<&str>, is_json: bool, folder: &Path, is_plain: bool) -> Result<(), Refusal> {
    let store = open().await?;
    let session = match id {
        Some(id) => find(&store, id).await?,
        None => {
            let root = root(folder)?;
            let none = || {
                Refusal::new(
                    Exit::Usage,
                    format!("there is no session in {root} yet. Start one: bowline run \"task\""),
                )
            };
            store.last_session(&root).await.map_err(failed)?.ok_or_else(none)?
        }
    };
    let entries = store.log(&session.id).await.map_err(failed)?;
    if is_json {
        entries.iter().for_each(|entry| json_line(&frame(entry)));
        return Ok(());
    }
    let paint = Paint::new(&std::io::stdout(), is_plain);
    let view = View::of(&entries);
    let (title, model) = (one_line(&session.title, 80), one_line(&session.model, 80));
    print_line(&format!("{} · {model} · {}", paint.bold(&title), session.id));
    for message in &view.messages {
        show_message(message, paint);
    }
    if let Some(reason) = view.end.as_ref().and_then(|end| end.reason.as_deref()) {
        print_line(&format!("\n{}", paint.yellow(&tame(reason))));
    }
    Ok(())
}

fn show_message(view: &MessageView, paint: Paint) {
    match (view.message.role, &view.sentinel) {
        (Role::System, Some(sentinel)) => {
            print_line(&format!("\n{}", paint.yellow(&format!("! {}", sentinel_line(sentinel)))));
        }
        (Role::User, _) => {
            let mark = if view.is_taken_back { paint.dim("  (undone)") } else { String::new() };
            print_line(&format!("\n{} {}{mark}", paint.bold(">"), tame(view.text.trim())));
        }
        _ => {
            for item in &view.items {
                match (item.kind, &item.result) {
                    (ItemKind::Text, _) => print_line(&format!("\n{}", tame(item.text.trim()))),
                    (ItemKind::Reasoning, _) => {}
                    (_, Some(result)) => {
                        let tool = item.call.as_ref().map(|call| call.tool.as_str()).unwrap_or_default();
                        let title = one_line(&item.title, 80);
                        let line = format!("  {} {title} · {}", one_line(tool, 40), ending(result.outcome));
                        print_line(&paint.dim(&line));
                    }
                    _ => print_line(&paint.dim(&format!("  {} (running)", one_line(&item.title, 80)))),
                }
            }
        }
    }
}
