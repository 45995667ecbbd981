//! `bowline run`: one turn, headless.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bowline_core::entry::{Body, Entry, Input, Stop, TurnEnd};
use bowline_core::mode::Mode;
use bowline_core::turn::Permission;
use bowline_host::engine::{EngineError, News};
use bowline_host::home::Home;
use bowline_host::launch::{Ask, Launch, LaunchError, Order, SessionChoice, launch};
use bowline_host::project::NoProject;
use bowline_host::session_input::SessionInput;
use bowline_host::sweep::sweep_every_minute;
use bowline_host::worktree::WorktreeError;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::Run;
use crate::ask::Terminal;
use crate::exit::{Exit, Refusal};
use crate::here;
use crate::output::eprint_line;
use crate::paint::{Paint, one_line, tame};
use crate::print::{self, Printer, json_line};
use crate::render;
use crate::restore::cleanup::begin_if_due;
use crate::rows::Style;
use crate::settings::Settings;
use crate::task_text;
use crate::trust::Asking;
use crate::worktree;

/// How often the status line is drawn.
const STATUS_EVERY: Duration = Duration::from_millis(200);
/// The columns for the names of instruction files.
const INSTRUCTIONS_COLUMNS: usize = 200;

pub(crate) async fn run(args: Run) -> Exit {
    let is_json = args.form.is_json;
    match attempt(args).await {
        Ok(exit) => exit,
        Err(refusal) => {
            if is_json {
                json_line(
                    &json!({ "v": 1, "type": "error", "what": refusal.words, "exit": refusal.exit.code() }),
                );
            }
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

async fn attempt(args: Run) -> Result<Exit, Refusal> {
    let style = match (args.form.is_json, args.form.is_quiet, args.work.is_verbose) {
        (true, ..) => print::Style::Json,
        (_, true, _) => print::Style::Quiet,
        (.., true) => print::Style::Verbose,
        _ => print::Style::Normal,
    };
    let mut printer = Printer::new(style, Paint::new(&std::io::stderr(), args.work.is_plain));
    if args.work.is_ephemeral {
        printer = printer.ephemeral();
    }
    if let Some(path) = &args.form.output {
        // Before the work, not after it.
        std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| unwritten(path, &error))?;
    }
    let mut order = order(&args).await?;
    // A project is not trusted by way of --yes.
    let asking = if order.permission == Permission::Ask { Asking::Terminal } else { Asking::Nobody };
    let settings = Settings::load(&args.work.configuration, &args.work.folder, asking).await?;
    here::check(&settings.project, args.work.is_here, Asking::Nobody).await?;
    settings.notices().iter().for_each(|notice| printer.notice(notice));
    settings.fill(&mut order.search);
    let is_kept = !order.is_ephemeral;
    let turn = turn(order, &settings.home, &mut printer).await?;
    if is_kept {
        begin_if_due(&settings.home, &turn.root);
    }
    if let Some(path) = &args.form.output {
        std::fs::write(path, format!("{}\n", turn.end.text)).map_err(|error| unwritten(path, &error))?;
    }
    Ok(turn.exit)
}

/// How a turn ended.
pub(crate) struct Turn {
    pub(crate) end: TurnEnd,
    pub(crate) exit: Exit,
    /// Where it worked.
    root: PathBuf,
}

/// One whole turn, from its first line to its account.
pub(crate) async fn turn(order: Order, home: &Home, printer: &mut Printer) -> Result<Turn, Refusal> {
    let started = Instant::now();
    let can_ask = order.permission == Permission::Ask;
    let launch = launch(order, home).await.map_err(|error| refusal(&error))?;
    greet(&launch, printer);
    let root = launch.work_tree();
    let (end, signal) = drive(launch, printer, can_ask).await?;
    let end = end.map_err(|error: EngineError| Refusal::new(Exit::Failed, error))?;
    let took_ms = i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX);
    printer.end(&end, took_ms);
    let exit = exit(&end, signal);
    Ok(Turn { end, exit, root })
}

fn unwritten(path: &Path, error: &std::io::Error) -> Refusal {
    let words =
        format!("the answer cannot be written to {}: {error}. Name another file with -o", path.display());
    Refusal::new(Exit::Failed, words)
}

async fn order(args: &Run) -> Result<Order, Refusal> {
    let task = task_text::task(args.task.as_deref(), args.file.as_deref()).await?;
    let which = args.work.which();
    if task.is_none() && which == SessionChoice::New {
        let words = "there is no task: say what to do, as in bowline run \"fix the failing test\"";
        return Err(Refusal::new(Exit::Usage, words));
    }
    let is_attended = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let permission = match (args.work.is_yes, is_attended) {
        (true, _) => Permission::Yes,
        (false, true) => Permission::Ask,
        (false, false) => Permission::Nobody,
    };
    let ask = task.map_or(Ask::Next, |(text, typed)| Ask::Task { text, typed });
    Ok(args.work.order(which, ask, permission))
}

pub(crate) fn refusal(error: &LaunchError) -> Refusal {
    let exit = match error {
        LaunchError::Model(_) => Exit::NoModel,
        LaunchError::NoSession(_)
        | LaunchError::Rule(_)
        | LaunchError::Worktree(
            WorktreeError::NotGit { .. }
            | WorktreeError::NoCommit { .. }
            | WorktreeError::NotNew { .. }
            | WorktreeError::Forked { .. }
            | WorktreeError::Gone { .. },
        )
        | LaunchError::Project(NoProject::Unusable { .. } | NoProject::Bare { .. }) => Exit::Usage,
        _ => Exit::Failed,
    };
    Refusal::new(exit, error)
}

fn greet(launch: &Launch, printer: &mut Printer) {
    let mode = match launch.machine.mode() {
        Mode::Native => String::new(),
        mode => format!(" · {} mode", mode.word()),
    };
    let reads = match launch.instructions.as_slice() {
        [] => String::new(),
        files => format!(" · reads {}", one_line(&files.join(", "), INSTRUCTIONS_COLUMNS)),
    };
    let session = if printer.is_kept {
        format!("session {}", short(&launch.session))
    } else {
        "nothing is kept".to_owned()
    };
    let about = format!("{mode}{reads} · {session}");
    printer.row(&render::model(&launch.choice).with(&about, Style::PLAIN));
    for notice in &launch.notices {
        printer.notice(&printer.paint.yellow(&tame(notice)));
    }
    if let Some(worktree) = &launch.worktree {
        printer.line(&printer.paint.dim(&worktree::describe(worktree)));
    }
    for entry in &launch.before {
        printer.entry(entry);
    }
}

/// Enough of an id to find a session by.
pub(crate) fn short(id: &str) -> &str {
    id.get(..13).unwrap_or(id)
}

type Ended = (Result<TurnEnd, EngineError>, Option<Exit>);

/// Runs the turn, shows its news, passes on signals and answers. A second signal gives up waiting for a clean end.
async fn drive(launch: Launch, printer: &mut Printer, can_ask: bool) -> Result<Ended, Refusal> {
    let no_signals =
        |error: std::io::Error| Refusal::new(Exit::Failed, format!("signals cannot be seen: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(no_signals)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(no_signals)?;
    let Launch { engine, machine, opening, mut news, input, store, clock, session, .. } = launch;
    // A task of its own: it must go on while a signal or an answer waits here for the store the engine is using.
    let mut running = tokio::spawn(engine.run(machine, opening));
    let mut terminal = Terminal::new(printer.paint);
    let mut turn = String::new();
    let mut status = tokio::time::interval(STATUS_EVERY);
    let mut seen: Option<Exit> = None;
    let sweeping = tokio::spawn(sweep_every_minute(store, clock));
    let mut result = None;
    loop {
        tokio::select! {
            biased;
            Some(item) = news.recv() => match item {
                News::Entry(entry) => {
                    turn = entry.turn.clone().unwrap_or(turn);
                    show(&entry, printer, &mut terminal, can_ask);
                }
                News::Waiting(waiting) => printer.waiting(&waiting, &session, &turn, clock.now_ms()),
            },
            ended = &mut running, if result.is_none() => result = Some(ended),
            _ = interrupt.recv() => {
                if stop(&mut seen, Exit::Interrupted, &input, &turn, printer).await { break; }
            }
            _ = terminate.recv() => {
                if stop(&mut seen, Exit::Terminated, &input, &turn, printer).await { break; }
            }
            line = terminal.line() => terminal.answer(&line, Some(&turn), &input).await,
            _ = status.tick(), if !terminal.is_asking() => printer.tick(clock.now_ms()),
            else => break,
        }
        if result.is_some() && news.is_empty() {
            break;
        }
    }
    sweeping.abort();
    printer.wipe();
    match result {
        Some(Ok(result)) => Ok((result, seen)),
        Some(Err(broken)) => Err(Refusal::new(
            Exit::Failed,
            format!("the turn was interrupted ({broken}): bowline run -c continues it"),
        )),
        None => {
            // Dropping the engine kills what it started.
            running.abort();
            let _ = running.await;
            let next = if printer.is_kept { "bowline run -c continues it" } else { "nothing was kept" };
            let words = format!("exited before the turn ended: {next}");
            Err(Refusal::new(seen.unwrap_or(Exit::Interrupted), words))
        }
    }
}

fn show(entry: &Entry, printer: &mut Printer, terminal: &mut Terminal, can_ask: bool) {
    printer.entry(entry);
    match &entry.body {
        Body::PermissionAsked(asked) if can_ask => {
            printer.wipe();
            terminal.ask(asked);
        }
        Body::PermissionAnswered(answered) => terminal.answered(answered),
        _ => {}
    }
}

/// The first signal stops the turn; true for the second, which gives up.
async fn stop(
    seen: &mut Option<Exit>,
    exit: Exit,
    input: &SessionInput,
    turn: &str,
    printer: &mut Printer,
) -> bool {
    if seen.is_some() {
        return true;
    }
    *seen = Some(exit);
    printer.line("stopping; Ctrl-C again exits at once");
    let body = Body::Input(Input::stop("terminal"));
    input.say(Some(turn), body).await.is_err()
}

fn exit(end: &TurnEnd, signal: Option<Exit>) -> Exit {
    match end.stop {
        Stop::Cancelled => signal.unwrap_or(Exit::Interrupted),
        Stop::Failed => Exit::Failed,
        Stop::Guard | Stop::Limit | Stop::Check => Exit::Stopped,
        Stop::Done if !end.denied.is_empty() => Exit::Refused,
        Stop::Done => Exit::Done,
    }
}
