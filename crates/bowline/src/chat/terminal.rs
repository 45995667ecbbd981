//! The terminal the chat stands on: raw mode and keys while it runs, as it was before when it ends, however it ends.

use std::io::Write as _;

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// Pasted text comes as such, and keys with modifiers can be told apart where the terminal knows how.
const ENTER: &str = "\x1b[?2004h\x1b[>1u";
const LEAVE: &str = "\x1b[<u\x1b[?2004l\x1b[?25h";

pub(crate) struct Terminal {
    is_raw: bool,
}

impl Terminal {
    pub(crate) fn enter() -> std::io::Result<Terminal> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
        let mut terminal = Terminal { is_raw: false };
        terminal.resume()?;
        Ok(terminal)
    }

    /// Columns and lines.
    pub(crate) fn size() -> (usize, usize) {
        let (columns, lines) = crossterm::terminal::size().unwrap_or((80, 24));
        (usize::from(columns), usize::from(lines))
    }

    pub(crate) fn write(text: &str) {
        if text.is_empty() {
            return;
        }
        let mut out = std::io::stdout().lock();
        // A terminal that has gone sends a hangup too.
        let _ = out.write_all(text.as_bytes());
        let _ = out.flush();
    }

    fn resume(&mut self) -> std::io::Result<()> {
        enable_raw_mode()?;
        self.is_raw = true;
        Terminal::write(ENTER);
        Ok(())
    }

    /// To the shell that started us, until it brings us back.
    pub(crate) fn suspend(&mut self) -> std::io::Result<()> {
        self.leave();
        // The whole group, as Ctrl-Z would have it.
        let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
        self.resume()
    }

    pub(crate) fn leave(&mut self) {
        if std::mem::take(&mut self.is_raw) {
            restore();
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.leave();
    }
}

fn restore() {
    Terminal::write(LEAVE);
    let _ = disable_raw_mode();
}
