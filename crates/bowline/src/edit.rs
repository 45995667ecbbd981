//! `bowline edit`: one edit of a file, or many as JSON lines, through the same applier the model's edits go through.
//!
//! No session, no model, no settings: the same line gives the same answer everywhere. With `--jsonl` it is a filter that
//! answers each line before it reads the next one.

mod answer;
mod file;
mod lines;
mod request;

use std::io::Read as _;
use std::path::Path;

use bowline_core::tool_output::Grant;
use bowline_edit::{Edit as TextEdit, Mode};
use bowline_host::home::Home;
use bowline_host::workspace::{READ_BYTES_MAX, Workspace};

use crate::args::Edit;
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::tame;
use crate::print::json_line;

use answer::Status;
use file::Intent;

pub(crate) fn edit(args: &Edit) -> Exit {
    let done = match &args.file {
        Some(file) => one(args, file),
        None => many(args),
    };
    match done {
        Ok(exit) => exit,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

fn many(args: &Edit) -> Result<Exit, Refusal> {
    let workspace = workspace(&args.folder)?;
    let answered = lines::answer(&workspace, mode(args), std::io::stdin().lock(), std::io::stdout().lock());
    answered.map_err(|error| Refusal::new(Exit::Failed, format!("not every line was answered: {error}")))?;
    Ok(Exit::Done)
}

fn one(args: &Edit, file: &Path) -> Result<Exit, Refusal> {
    let Some(path) = file.to_str() else {
        return Err(Refusal::new(Exit::Usage, format!("{} is not UTF-8: rename it", file.display())));
    };
    let (old, new) = texts(args)?;
    let edit = match args.is_all {
        true => TextEdit::all(&old, &new),
        false => TextEdit::one(&old, &new),
    };
    let intent = if args.is_dry { Intent::Try } else { Intent::Write };
    let workspace = workspace(&args.folder)?;
    // The user named the file: it may be anywhere.
    let done = file::edit(&workspace, path, Grant::Outside, &edit, mode(args), intent);
    let answer = &done.answer;
    if args.is_json {
        json_line(&answer.json(None));
    } else {
        eprint_line(&format!("bowline: {}", tame(&in_flags(&answer.message))));
    }
    if let Some(diff) = done.diff.filter(|_| args.is_dry && !args.is_json) {
        print_line(tame(&diff).trim_end());
    }
    Ok(match answer.status {
        Status::Applied | Status::Unchanged => Exit::Done,
        _ if done.is_world => Exit::Failed,
        _ => Exit::NotEdited,
    })
}

/// What is said of the fields of an edit, said of the flags that a person gives; the lines that are quoted stay.
fn in_flags(message: &str) -> String {
    let (said, quoted) = message.split_at(message.find('\n').unwrap_or(message.len()));
    let said = said.replace("`old`", "--old").replace("`new`", "--new");
    let said = said.replace("set `replace_all`", "give --replace-all").replace("Lenient mode", "--lenient");
    said + quoted
}

fn mode(args: &Edit) -> Mode {
    if args.is_lenient { Mode::Lenient } else { Mode::Careful }
}

fn workspace(folder: &Path) -> Result<Workspace, Refusal> {
    // Without a home there is nothing of bowline's to keep out of.
    let forbidden = Home::find(|name| std::env::var_os(name)).map(|home| home.forbidden());
    Workspace::open(folder, forbidden.unwrap_or_default()).map_err(|error| {
        let words = format!("{} cannot be worked in: {error}. Name another folder with -C", folder.display());
        Refusal::new(Exit::Usage, words)
    })
}

/// The text to be replaced and the one that takes its place; both from stdin cannot be.
fn texts(args: &Edit) -> Result<(String, String), Refusal> {
    let is_stdin =
        |file: &Option<std::path::PathBuf>| file.as_ref().is_some_and(|file| file.as_os_str() == "-");
    if is_stdin(&args.old_file) && is_stdin(&args.new_file) {
        let words = "only one of --old-file and --new-file can be read from stdin: put the other into a file";
        return Err(Refusal::new(Exit::Usage, words));
    }
    let old = text("--old-file", args.old.as_deref(), args.old_file.as_deref())?;
    let new = text("--new-file", args.new.as_deref(), args.new_file.as_deref())?;
    Ok((old, new))
}

fn text(flag: &str, given: Option<&str>, file: Option<&Path>) -> Result<String, Refusal> {
    let Some(file) = file else { return Ok(given.unwrap_or_default().to_owned()) };
    let refuse = |why: &str| {
        let words = format!("{flag} {} cannot be used: {why}. Name another file", file.display());
        Refusal::new(Exit::Usage, words)
    };
    let mut bytes = Vec::new();
    let read = match file.as_os_str() == "-" {
        true => std::io::stdin().lock().take(READ_BYTES_MAX + 1).read_to_end(&mut bytes),
        false => std::fs::File::open(file)
            .and_then(|opened| opened.take(READ_BYTES_MAX + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| refuse(&error.to_string()))?;
    if bytes.len() as u64 > READ_BYTES_MAX {
        return Err(refuse("it is larger than 16 MiB"));
    }
    String::from_utf8(bytes).map_err(|_| refuse("it is not UTF-8"))
}
