//! `bowline demo`: a run like any other, with a scripted model on a small broken project in a temporary folder.
//!
//! What is shown is not staged: the loop, the tools, the guards, git and the database are the real ones, and only the
//! model's words are written down beforehand. Nothing is asked, and nothing of the user's is changed but one more
//! session in their data folder. The project stays, so that what is said about it can be tried.

mod pace;
mod project;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use bowline_core::entry::Stop;
use bowline_core::turn::Permission;
use bowline_host::home::Home;
use bowline_host::launch::{Ask, Order, SessionChoice};
use bowline_host::servers::Search;
use bowline_script::{ActKind, Scenario, Server};

use crate::args::{Demo, Work};
use crate::exit::{Exit, Refusal};
use crate::output::eprint_line;
use crate::paint::{Paint, tame};
use crate::print::{Printer, Style};
use crate::run::turn;

/// What the model says; the simulation plays it, too.
const SCENARIO: &str = include_str!("../../../scenarios/demo.scenario");
/// Tokens a second of a model nobody watches.
const AT_ONCE: u64 = 1_000_000;

/// What to look for in the lines of the run, and what is to be seen there.
const SHOWN: [(&str, &str); 6] = [
    ("repaired:", "malformed calls: repaired, run and marked"),
    ("it was written as text", "a call written into the text: extracted and run"),
    ("! the same call", "one file read three times: the model was warned"),
    ("failed", "a misremembered line: not guessed, the nearest shown"),
    ("landed:", "that line with other quotes: found, the rest untouched"),
    ("exit 1", "the test fails; after the fix it passes"),
];

pub(crate) async fn demo(args: &Demo) -> Exit {
    match attempt(args).await {
        Ok(exit) => exit,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

async fn attempt(args: &Demo) -> Result<Exit, Refusal> {
    let broken = |what: &dyn std::fmt::Display| {
        Refusal::new(Exit::Failed, format!("the demo is broken ({what}): please report it"))
    };
    let scenario = Scenario::parse(SCENARIO).map_err(|error| broken(&error))?;
    let Some(ActKind::Task(task)) = scenario.acts.first().map(|act| act.kind.clone()) else {
        return Err(broken(&"it has no task"));
    };
    let home =
        Home::find(|name| std::env::var_os(name)).map_err(|error| Refusal::new(Exit::Failed, error))?;
    let project = project::make(&scenario.files)?;
    let is_watched = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
    let is_paced = is_watched && !args.is_fast;
    let replies = if is_paced { pace::paced(scenario.replies) } else { scenario.replies };
    let mut profile = scenario.server;
    if !is_paced {
        // It states the times it takes.
        (profile.prefill_tokens_per_s, profile.decode_tokens_per_s) = (AT_ONCE, AT_ONCE);
    }
    let server = Server::start(profile, replies).await.map_err(|error| {
        let words =
            format!("no port on this machine for the scripted model ({error}): allow programs to listen");
        Refusal::new(Exit::Failed, words)
    })?;
    let paint = Paint::new(&std::io::stderr(), args.is_plain);
    eprint_line("A scripted model and a small project with a failing test; everything else is real.\n");
    eprint_line(&format!("{}\n", paint.bold(&format!("$ bowline run \"{task}\""))));
    let mut printer = Printer::new(Style::Normal, paint).without_next();
    let order = order(project.path(), task, server.base_url());
    let turn = turn(order, &home, &mut printer).await?;
    // From here on a session tells of it.
    let folder = project.keep();
    if turn.end.stop == Stop::Cancelled {
        eprint_line(&format!("what was done so far is in {}, which can be deleted", folder.display()));
        return Ok(turn.exit);
    }
    if let Some(violation) = server.violations().first() {
        return Err(broken(violation));
    }
    if turn.exit != Exit::Done || server.replies_left() > 0 {
        return Err(broken(&"the conversation took another course"));
    }
    afterwards(&folder, paint);
    Ok(Exit::Done)
}

/// A run as anybody's, but of the user's settings and variables: a model they set is not the one that is played here.
fn order(folder: &Path, task: String, base_url: String) -> Order {
    let work = Work {
        folder: folder.to_owned(),
        mode: Some("native".to_owned()),
        // Unasked anyway, unless the user has git ignore everything.
        allow: ["edit_file(**)", "sh test.sh"].map(str::to_owned).into(),
        ..Work::default()
    };
    let mut order = work.order(SessionChoice::New, Ask::task(task), Permission::Nobody);
    order.search = Search { base_url: Some(base_url), ..Search::default() };
    order
}

/// What there was to see, and what to type next.
fn afterwards(folder: &Path, paint: Paint) {
    let columns = SHOWN.iter().map(|(find, _)| find.chars().count()).max().unwrap_or(0);
    eprint_line(&format!("\n{}", paint.bold("What to look at above")));
    for (find, shows) in SHOWN {
        eprint_line(&format!("  {}  {shows}", paint.yellow(&format!("{find:columns$}"))));
    }
    let (bowline, folder) = (program(), quoted(folder));
    eprint_line(&format!("\n{}", paint.bold("What to type next")));
    let lines = [
        (format!("{bowline} diff -C {folder}"), "the change"),
        (format!("{bowline} undo -C {folder}"), "undo it, files and conversation"),
        (format!("{bowline} sessions show -C {folder}"), "the session"),
        (format!("{bowline} models"), "your models, or how to get one"),
    ];
    let columns = lines.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    for (command, shows) in &lines {
        eprint_line(&format!("  {}  {shows}", paint.green(&format!("{command:columns$}"))));
    }
    eprint_line(&format!("\nThen, in a repository of yours: {bowline}"));
    eprint_line(&format!("The project stays until you delete it: rm -r {folder}"));
}

/// This program as it is typed: by its name where the shell would find this one, else by its place.
fn program() -> String {
    let Ok(this) = std::env::current_exe() else { return "bowline".to_owned() };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("bowline")).find(|file| file.is_file());
    let is_this = |found: PathBuf| found.canonicalize().ok() == this.canonicalize().ok();
    if found.is_some_and(is_this) {
        return "bowline".to_owned();
    }
    quoted(&this)
}

fn quoted(path: &Path) -> String {
    shell_words::quote(&path.to_string_lossy()).into_owned()
}
