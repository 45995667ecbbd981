//! `bowline [PATH]`: the chat in the terminal.
//!
//! [`app`] decides, [`executor`] carries out the effects, [`screen`] draws; this file carries events and effects between them.

mod app;
mod commands;
mod complete;
mod completion;
mod context;
mod editor;
mod executor;
mod history;
mod keys;
mod lazy_store;
mod live_region;
mod menu;
mod plain;
mod progress;
mod questions;
mod screen;
mod shell;
mod terminal;
mod transcript;
mod work_tree;
mod written;

use std::io::IsTerminal as _;
use std::time::Duration;

use bowline_host::clock::Clock;
use bowline_host::launch::SessionChoice;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{Instant, sleep_until};

use crate::args::{Chat, Work};
use crate::exit::{Exit, Refusal};
use crate::here;
use crate::output::eprint_line;
use crate::paint::{Paint, tame};
use crate::rows::{Row, Style};
use crate::run::short;
use crate::settings::Settings;
use crate::trust::Asking;

use app::{App, Effect, Event};
use executor::Executor;
use history::History;
use screen::Screen;
use terminal::Terminal;
use work_tree::Tree;

/// Events on their way; a stream that comes faster waits.
const EVENTS_MAX: usize = 1024;
/// What is handled before the screen is drawn again.
const EVENTS_AT_ONCE: usize = 256;
/// The screen is drawn at most this often; a key is seen at once.
const DRAW_EVERY: Duration = Duration::from_millis(33);
/// How often times on the screen move on.
const TICK_EVERY: Duration = Duration::from_millis(200);
/// How often servers are looked for where there is none.
const FIND_EVERY: Duration = Duration::from_secs(2);
/// How long a turn has to end when the chat is left.
const STOPPING: Duration = Duration::from_secs(3);
const HISTORY_FILE: &str = "history";

pub(crate) async fn chat(args: Chat) -> Exit {
    match attempt(args).await {
        Ok(exit) => exit,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

async fn attempt(args: Chat) -> Result<Exit, Refusal> {
    let mut work = args.work;
    work.folder = args.path.unwrap_or(work.folder);
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        let words = "the chat needs a terminal. Without one: bowline run \"task\"; see bowline --help";
        return Err(Refusal::new(Exit::Usage, words));
    }
    let settings = Settings::load(&work.configuration, &work.folder, Asking::Terminal).await?;
    here::check(&settings.project, work.is_here, Asking::Terminal).await?;
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let front = Front::new(settings, work)?;
    if is_dumb { plain::talk(front).await } else { talk(front).await }
}

/// What both ways of talking stand on: with a live region, and line by line.
pub(crate) struct Front {
    pub(crate) app: App,
    pub(crate) executor: Executor,
    pub(crate) clock: Clock,
    pub(crate) events: Receiver<Event>,
    pub(crate) signals: Signals,
    pub(crate) paint: Paint,
    /// Whether a session can be gone on with later.
    is_kept: bool,
}

impl Front {
    /// The first words, and whoever has to be asked for the next.
    fn new(settings: Settings, work: Work) -> Result<Front, Refusal> {
        let (sender, events) = channel(EVENTS_MAX);
        let clock = Clock::start();
        let (columns, _) = Terminal::size();
        let history = match work.is_ephemeral {
            true => History::in_memory(),
            false => History::load(&settings.home.data.join(HISTORY_FILE)),
        };
        let tree = Tree::new(&settings.project.root);
        let is_file = Box::new({
            let tree = tree.clone();
            move |path: &str| tree.has(path)
        });
        let mut app = App::new(columns.saturating_sub(1), work.is_verbose, history, is_file);
        let folder = tame(&settings.project.root.display().to_string());
        let title = Row::of("bowline", Style::BOLD).with(&format!(" in {folder}"), Style::PLAIN);
        app.transcript.note(title);
        settings
            .notices()
            .iter()
            .for_each(|notice| app.transcript.note(Row::of(notice, crate::render::YELLOW)));
        let (which, is_kept) = (work.which(), !work.is_ephemeral);
        let paint = Paint::new(&std::io::stdout(), work.is_plain);
        let mut executor = Executor::new(settings, work, clock, sender, tree);
        executor.carry_out(Effect::FindModels { model: None }, None);
        if which != SessionChoice::New {
            app.expect_session();
            executor.resume(which);
        }
        Ok(Front { app, executor, clock, events, signals: Signals::new()?, paint, is_kept })
    }

    /// The event with what it asks for; the last word where it ends the chat.
    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        let effects = self.app.step(event, self.clock.now_ms());
        let mut own = Vec::new();
        for effect in effects {
            match effect {
                Effect::Suspend | Effect::Redraw | Effect::Leave(_) => own.push(effect),
                effect => self.executor.carry_out(effect, self.app.session()),
            }
        }
        own
    }

    /// Servers are looked for again where none was found.
    pub(crate) fn look_again(&mut self) {
        if self.app.is_without_model() {
            let model = self.app.wanted_model();
            self.executor.carry_out(Effect::FindModels { model }, self.app.session());
        }
    }

    /// What is under way ends, if there is time for it by itself; how to go on is said.
    pub(crate) async fn end(mut self, exit: Exit) {
        if exit != Exit::Interrupted && self.app.is_running() {
            let stopping = self.app.step(Event::Signal(Exit::Interrupted), self.clock.now_ms());
            stopping.into_iter().for_each(|effect| self.executor.carry_out(effect, self.app.session()));
            let ended = async {
                // What would follow it does not begin any more.
                while let Some(event) = self.events.recv().await
                    && !matches!(event, Event::Ended(_) | Event::NotLaunched { .. })
                {
                    self.app.step(event, self.clock.now_ms());
                }
            };
            let _ = tokio::time::timeout(STOPPING, ended).await;
        }
        self.executor.end().await;
        if let Some(session) = self.app.session().filter(|_| self.is_kept) {
            let words = format!("bowline -c resumes session {}", short(session));
            Terminal::write(&format!("{}\n", self.paint.dim(&words)));
        }
    }
}

/// Signals that end the chat, or what it is at.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    fn new() -> Result<Signals, Refusal> {
        let listen = |kind: SignalKind| {
            signal(kind)
                .map_err(|error| Refusal::new(Exit::Failed, format!("signals cannot be seen: {error}")))
        };
        Ok(Signals {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hangup: listen(SignalKind::hangup())?,
        })
    }

    pub(crate) async fn next(&mut self) -> Exit {
        tokio::select! {
            _ = self.interrupt.recv() => Exit::Interrupted,
            _ = self.terminate.recv() => Exit::Terminated,
            _ = self.hangup.recv() => Exit::Terminated,
        }
    }
}

/// With a live region below the scrollback.
async fn talk(mut front: Front) -> Result<Exit, Refusal> {
    let no_terminal =
        |error: std::io::Error| Refusal::new(Exit::Failed, format!("the terminal cannot be used: {error}"));
    let mut terminal = Terminal::enter().map_err(no_terminal)?;
    let (columns, lines) = Terminal::size();
    let mut screen = Screen::new(columns, lines, front.paint);
    let mut typed = read_keys();
    let mut resized = signal(SignalKind::window_change()).map_err(no_terminal)?;
    let mut tick = tokio::time::interval(TICK_EVERY);
    let mut find = tokio::time::interval(FIND_EVERY);
    let mut draw_at = Instant::now();
    let mut is_due = true;
    let exit = loop {
        if is_due && Instant::now() >= draw_at {
            draw(&mut front, &mut screen);
            is_due = false;
            draw_at = Instant::now() + DRAW_EVERY;
        }
        let mut effects = Vec::new();
        tokio::select! {
            Some(event) = typed.recv() => {
                draw_at = Instant::now();
                if let Some(key) = keys::key(event) {
                    effects = front.step(Event::Key(key));
                }
            }
            // Not from where the keys come: there a new size is lost if a key comes with it.
            _ = resized.recv() => {
                draw_at = Instant::now();
                let (columns, lines) = Terminal::size();
                Terminal::write(&screen.resize(columns, lines));
                front.app.transcript.set_columns(screen.columns());
            }
            Some(event) = front.events.recv() => {
                effects = front.step(event);
                for _ in 1..EVENTS_AT_ONCE {
                    let Ok(event) = front.events.try_recv() else { break };
                    effects.append(&mut front.step(event));
                }
            }
            exit = front.signals.next() => effects = front.step(Event::Signal(exit)),
            () = sleep_until(draw_at), if is_due => continue,
            _ = tick.tick(), if front.app.is_busy() => {}
            _ = find.tick(), if front.app.is_without_model() => front.look_again(),
        }
        is_due = true;
        if let Some(exit) = own(effects, &mut front, &mut terminal, &mut screen).map_err(no_terminal)? {
            break exit;
        }
    };
    draw(&mut front, &mut screen);
    Terminal::write(&screen.wipe());
    terminal.leave();
    front.end(exit).await;
    Ok(exit)
}

/// What only the terminal can do; the exit where the chat ends.
fn own(
    effects: Vec<Effect>,
    front: &mut Front,
    terminal: &mut Terminal,
    screen: &mut Screen,
) -> std::io::Result<Option<Exit>> {
    for effect in effects {
        match effect {
            Effect::Leave(exit) => return Ok(Some(exit)),
            Effect::Suspend => {
                Terminal::write(&screen.wipe());
                terminal.suspend()?;
                let (columns, lines) = Terminal::size();
                Terminal::write(&screen.resize(columns, lines));
                front.app.transcript.set_columns(screen.columns());
            }
            Effect::Redraw => Terminal::write(&format!("{}\x1b[H\x1b[2J", screen.wipe())),
            _ => {}
        }
    }
    Ok(None)
}

fn draw(front: &mut Front, screen: &mut Screen) {
    let finished = front.app.transcript.take();
    let live = front.app.live(screen.columns(), screen.lines(), front.clock.now_ms());
    Terminal::write(&screen.show(&finished, &live));
}

/// Keys come from a thread that waits for them as long as the program lives.
fn read_keys() -> Receiver<crossterm::event::Event> {
    let (sender, receiver) = channel(EVENTS_MAX);
    std::thread::spawn(move || {
        while let Ok(event) = crossterm::event::read() {
            if sender.blocking_send(event).is_err() {
                return;
            }
        }
    });
    receiver
}
