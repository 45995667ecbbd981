//! A whole terminal: the program on a pseudo one of a given size, and a terminal emulator that shows what a person would
//! see. Screens are compared as text with `tests/cases/chat/screens/NAME.txt` (`UPDATE_EXPECT=1` rewrites them).

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use tokio::process::Child;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, timeout, timeout_at};

use crate::harness::{PATIENCE, Program, World};

/// What a terminal keeps of what scrolled away: more than any test prints.
const SCROLLBACK: usize = 20_000;

const PRESS_EVERY: Duration = Duration::from_millis(50);

/// Means nothing to the chat.
const F1: &str = "\x1bOP";
/// Nothing comes any more, when a screen is taken as it is.
const SETTLED: Duration = Duration::from_millis(400);

pub(crate) const ENTER: &str = "\r";
pub(crate) const ESCAPE: &str = "\x1b";
pub(crate) const UP: &str = "\x1b[A";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const LEFT: &str = "\x1b[D";
pub(crate) const TAB: &str = "\t";
pub(crate) const ALT_ENTER: &str = "\x1b\r";
pub(crate) const CTRL_A: &str = "\x01";
pub(crate) const CTRL_C: &str = "\x03";
pub(crate) const CTRL_D: &str = "\x04";
pub(crate) const CTRL_E: &str = "\x05";
pub(crate) const CTRL_J: &str = "\n";
pub(crate) const CTRL_R: &str = "\x12";
pub(crate) const CTRL_U: &str = "\x15";
pub(crate) const CTRL_W: &str = "\x17";

pub(crate) struct Screen {
    terminal: File,
    bytes: UnboundedReceiver<Vec<u8>>,
    parser: vt100::Parser<Watch>,
    /// All that was written, as it came.
    pub(crate) raw: Vec<u8>,
    child: Child,
    /// What stands for the temporary folder.
    folder: String,
}

impl Screen {
    /// Starts a program on a terminal of so many columns and lines.
    pub(crate) fn start(world: &World, mut program: Program, columns: u16, lines: u16) -> Screen {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let line = rustix::fs::open(name, flags, Mode::empty()).unwrap();
        rustix::io::fcntl_setfd(&master, rustix::io::FdFlags::CLOEXEC).unwrap();
        tcsetwinsize(&master, size(columns, lines)).unwrap();
        let end = || Stdio::from(line.try_clone().unwrap());
        program.command.stdin(end()).stdout(end()).stderr(end()).kill_on_drop(true);
        if program.command.as_std().get_envs().all(|(name, _)| name != "TERM") {
            program.command.env("TERM", "xterm-256color");
        }
        let child = program.command.spawn().unwrap();
        // Its own end keeps the line open.
        drop(program);
        drop(line);
        let terminal = File::from(master);
        let bytes = read(terminal.try_clone().unwrap());
        let parser =
            vt100::Parser::new_with_callbacks(nonzero(lines), nonzero(columns), SCROLLBACK, Watch::default());
        let folder = world.path().display().to_string();
        Screen { terminal, bytes, parser, raw: Vec::new(), child, folder }
    }

    /// The chat in the world's project, with the scripted server's model.
    pub(crate) fn chat(world: &World, args: &[&str], columns: u16, lines: u16) -> Screen {
        let url = world.server.base_url();
        let program = world.bowline(&[&["--base-url", &url], args].concat());
        Screen::start(world, program, columns, lines)
    }

    /// The chat, ready for the first message.
    pub(crate) async fn ready(world: &World, args: &[&str], columns: u16, lines: u16) -> Screen {
        let mut screen = Screen::chat(world, args, columns, lines);
        screen.until("Ctrl-D leaves").await;
        screen
    }

    /// Types a line and sends it.
    pub(crate) fn send(&mut self, text: &str) {
        self.press(text);
        self.press(ENTER);
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).unwrap();
    }

    /// What a terminal does with text from its clipboard.
    pub(crate) fn paste(&mut self, text: &str) {
        self.press(&format!("\x1b[200~{}\x1b[201~", text.replace('\n', "\r")));
    }

    /// Another size, until the chat has drawn itself in it.
    pub(crate) async fn resize(&mut self, columns: u16, lines: u16) {
        tcsetwinsize(&self.terminal, size(columns, lines)).unwrap();
        self.parser.screen_mut().set_size(nonzero(lines), nonzero(columns));
        self.until_resized().await;
    }

    /// The same on a terminal that wraps its rows anew, as most do.
    pub(crate) async fn resize_wrapping(&mut self, columns: u16, lines: u16) {
        let (mut rows, cursor) = self.rows();
        let (row, column) = (cursor.0, usize::from(cursor.1));
        while rows.len() > row + 1 && rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        let (below, columns_now) = (&rows[row + 1..], usize::from(columns));
        let high = |text: &String| text.chars().count().div_ceil(columns_now).max(1);
        // To the cursor's own row, and within it where that is wrapped too.
        let up = below.iter().map(high).sum::<usize>() + high(&rows[row]) - 1 - column / columns_now;
        let mut text = rows.join("\r\n");
        if up > 0 {
            text.push_str(&format!("\x1b[{up}A"));
        }
        text.push_str(&format!("\r\x1b[{}G", column % columns_now + 1));
        self.parser =
            vt100::Parser::new_with_callbacks(nonzero(lines), nonzero(columns), SCROLLBACK, Watch::default());
        self.parser.process(text.as_bytes());
        tcsetwinsize(&self.terminal, size(columns, lines)).unwrap();
        self.until_resized().await;
    }

    async fn until_resized(&mut self) {
        // A terminal emulator's line belongs to a session; this one tells the program itself.
        let before = self.raw.len();
        self.signal(Signal::WINCH);
        let deadline = Instant::now() + PATIENCE;
        let wiped = b"\x1b[J\x1b[?2026h";
        while !(self.is_drawn() && self.raw[before..].windows(wiped.len()).any(|bytes| bytes == wiped)) {
            match timeout_at(deadline, self.bytes.recv()).await {
                Ok(Some(bytes)) => self.take(&bytes),
                _ => panic!("it was not drawn anew:\n{}", self.shown()),
            }
        }
    }

    /// All rows as they were before they were wrapped, and the row and the column of the cursor in them.
    fn rows(&mut self) -> (Vec<String>, (usize, u16)) {
        let (cursor, column) = self.parser.screen().cursor_position();
        self.parser.screen_mut().set_scrollback(usize::MAX);
        let above = self.parser.screen().scrollback();
        let (_, columns) = self.parser.screen().size();
        let mut rows: Vec<String> = Vec::new();
        let mut place = (0, 0);
        let mut is_wrapped = false;
        for at in 0..above + usize::from(self.parser.screen().size().0.get()) {
            // The row stands on top while so much is scrolled away, and further down on the last screen.
            self.parser.screen_mut().set_scrollback(above.saturating_sub(at));
            let line = u16::try_from(at.saturating_sub(above)).unwrap();
            let screen = self.parser.screen();
            let text = screen.rows(0, columns.get()).nth(usize::from(line)).unwrap_or_default();
            match rows.last_mut().filter(|_| is_wrapped) {
                Some(last) => last.push_str(&text),
                None => rows.push(text),
            }
            is_wrapped = screen.row_wrapped(line);
            if at == above + usize::from(cursor) {
                let before = rows.last().map_or(0, |row| row.chars().count() / usize::from(columns.get()));
                let before = if is_wrapped { before.saturating_sub(1) } else { before };
                place = (rows.len() - 1, column + u16::try_from(before).unwrap() * columns.get());
            }
        }
        self.parser.screen_mut().set_scrollback(0);
        (rows, place)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id().unwrap()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Row and column of the cursor.
    pub(crate) fn cursor(&self) -> (u16, u16) {
        self.parser.screen().cursor_position()
    }

    /// What was done to the terminal beyond showing text on it.
    pub(crate) fn obeyed(&self) -> &[String] {
        &self.parser.callbacks().obeyed
    }

    /// What a person sees now.
    pub(crate) fn shown(&self) -> String {
        self.plain(&self.parser.screen().contents())
    }

    /// What a person sees who scrolls up, to the very beginning.
    pub(crate) fn history(&mut self) -> String {
        let (lines, _) = self.parser.screen().size();
        self.parser.screen_mut().set_scrollback(usize::MAX);
        let mut above = self.parser.screen().scrollback();
        let mut text = String::new();
        while above > 0 {
            self.parser.screen_mut().set_scrollback(above);
            let step = above.min(usize::from(lines.get()));
            let screen = self.parser.screen().contents();
            let rows: Vec<&str> = screen.split('\n').chain(std::iter::repeat("")).take(step).collect();
            text.push_str(&rows.join("\n"));
            text.push('\n');
            above -= step;
        }
        self.parser.screen_mut().set_scrollback(0);
        text.push_str(&self.parser.screen().contents());
        self.plain(&text)
    }

    /// Without what differs from run to run.
    fn plain(&self, text: &str) -> String {
        text.replace(&self.folder, "/…").trim_end().to_owned()
    }

    /// Waits for what is to stand on the screen.
    pub(crate) async fn until(&mut self, words: &str) {
        self.until_screen(&format!("{words:?}"), |screen| screen.contains(words)).await;
    }

    pub(crate) async fn until_gone(&mut self, words: &str) {
        self.until_screen(&format!("no {words:?}"), |screen| !screen.contains(words)).await;
    }

    pub(crate) async fn until_screen(&mut self, what: &str, is_due: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !(self.is_drawn() && is_due(&self.shown())) {
            match timeout_at(deadline, self.bytes.recv()).await {
                Ok(Some(bytes)) => self.take(&bytes),
                _ => panic!("{what} never came:\n{}", self.shown()),
            }
        }
    }

    /// Not in the middle of a change, which a terminal shows as one.
    fn is_drawn(&self) -> bool {
        let last = |sequence: &[u8]| self.raw.windows(sequence.len()).rposition(|bytes| bytes == sequence);
        last(b"\x1b[?2026h") <= last(b"\x1b[?2026l")
    }

    /// Waits for what was typed right after a change of size. The library that reads keys may leave one that comes
    /// together with such a change where it is until the next one comes: keys that mean nothing bring it out.
    pub(crate) async fn until_typed(&mut self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !(self.is_drawn() && self.shown().contains(words)) {
            match timeout_at(Instant::now() + PRESS_EVERY, self.bytes.recv()).await {
                Ok(Some(bytes)) => self.take(&bytes),
                Err(_) if Instant::now() < deadline => self.press(F1),
                _ => panic!("{words:?} never came:\n{}", self.shown()),
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        self.raw.extend(bytes);
    }

    /// Waits until the screen is as the file of that name has it, times and speeds apart.
    pub(crate) async fn check(&mut self, name: &str) {
        self.check_with(name, str::to_owned).await;
    }

    /// The same where more than that differs from run to run.
    pub(crate) async fn check_with(&mut self, name: &str, plain: impl Fn(&str) -> String) {
        let path = format!("{}/tests/cases/chat/screens/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let drawn = |screen: &str| format!("{}\n", steady(&plain(screen)));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            // Whoever takes a screen as it is looks at it afterwards.
            while let Ok(Some(bytes)) = timeout(SETTLED, self.bytes.recv()).await {
                self.take(&bytes);
            }
            std::fs::create_dir_all(std::path::Path::new(&path).parent().unwrap()).unwrap();
            std::fs::write(&path, drawn(&self.shown())).unwrap();
        }
        let due = std::fs::read_to_string(&path).unwrap_or_default();
        let what = format!("the screen {name} (UPDATE_EXPECT=1 takes what is there):\n{due}\n");
        self.until_screen(&what, |screen| drawn(screen) == due).await;
    }

    /// Leaves the chat, as one does who is done.
    pub(crate) async fn leave(mut self) {
        self.press(CTRL_D);
        assert_eq!(self.end().await.code(), Some(0));
    }

    /// Waits for the program's end.
    pub(crate) async fn end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        while let Ok(Some(bytes)) = timeout_at(deadline, self.bytes.recv()).await {
            self.take(&bytes);
        }
        timeout_at(deadline, self.child.wait()).await.expect("an end").unwrap()
    }
}

/// Notes what a terminal was told to do beside its screen.
#[derive(Default)]
struct Watch {
    obeyed: Vec<String>,
}

impl vt100::Callbacks for Watch {
    fn audible_bell(&mut self, _: &mut vt100::Screen) {
        self.obeyed.push("bell".to_owned());
    }

    fn visual_bell(&mut self, _: &mut vt100::Screen) {
        self.obeyed.push("visual bell".to_owned());
    }

    fn resize(&mut self, _: &mut vt100::Screen, size: (u16, u16)) {
        self.obeyed.push(format!("size {size:?}"));
    }

    fn set_window_icon_name(&mut self, _: &mut vt100::Screen, name: &[u8]) {
        self.obeyed.push(format!("icon {}", String::from_utf8_lossy(name)));
    }

    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.obeyed.push(format!("title {}", String::from_utf8_lossy(title)));
    }

    fn copy_to_clipboard(&mut self, _: &mut vt100::Screen, _: &[u8], data: &[u8]) {
        self.obeyed.push(format!("clipboard {}", String::from_utf8_lossy(data)));
    }

    fn paste_from_clipboard(&mut self, _: &mut vt100::Screen, _: &[u8]) {
        self.obeyed.push("clipboard read".to_owned());
    }

    fn unhandled_control(&mut self, _: &mut vt100::Screen, byte: u8) {
        self.obeyed.push(format!("control {byte:#x}"));
    }

    fn unhandled_escape(&mut self, _: &mut vt100::Screen, _: Option<u8>, _: Option<u8>, byte: u8) {
        self.obeyed.push(format!("escape {}", char::from(byte)));
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, _: &[&[u8]]) {
        self.obeyed.push("operating system command".to_owned());
    }
}

fn nonzero(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn size(columns: u16, lines: u16) -> Winsize {
    Winsize { ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

fn read(mut terminal: File) -> UnboundedReceiver<Vec<u8>> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        // It fails when the program has ended.
        while let Ok(count) = terminal.read(&mut buffer)
            && count > 0
            && sender.send(buffer[..count].to_vec()).is_ok()
        {}
    });
    receiver
}

/// Times as `0:00`, speeds as `0 tokens/s`.
fn steady(screen: &str) -> String {
    let is_time = |word: &str| {
        let (minutes, seconds) = word.split_once(':').unwrap_or_default();
        !minutes.is_empty() && seconds.len() == 2 && word.chars().all(|c| c.is_ascii_digit() || c == ':')
    };
    let word = |word: &str| if is_time(word) { "0:00".to_owned() } else { word.to_owned() };
    let line = |line: &str| {
        let words: Vec<String> = line.split(' ').map(word).collect();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        for at in 1..words.len() {
            if words[at] == "tokens/s" {
                words[at - 1] = "0";
            }
        }
        let line = words.join(" ").replace(" · commands 0:00", "");
        // How long a call took is only told where the machine was slow.
        let is_call = ["  run ", "  read ", "  edit ", "  search "].iter().any(|verb| line.starts_with(verb));
        let line = if is_call { line.replace(" · 0:00", "") } else { line };
        line.trim_end().to_owned()
    };
    screen.lines().map(line).collect::<Vec<_>>().join("\n")
}
