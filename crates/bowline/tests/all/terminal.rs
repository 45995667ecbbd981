//! A terminal: a pseudo one, whose screen the tests read and whose keyboard they type on.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::Stdio;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, timeout_at};

use crate::harness::{PATIENCE, Program};

/// Characters of a screen in a test's message.
const SHOWN_MAX: usize = 4000;

pub(crate) struct Terminal {
    keyboard: File,
    /// What programs write to; closed once they run, so that their end is the screen's end.
    line: Option<OwnedFd>,
    screen: UnboundedReceiver<Vec<u8>>,
    shown: Vec<u8>,
}

impl Terminal {
    pub(crate) fn new() -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let line = rustix::fs::open(name, flags, Mode::empty()).unwrap();
        rustix::io::fcntl_setfd(&master, rustix::io::FdFlags::CLOEXEC).unwrap();
        let keyboard = File::from(master);
        let mut reader = keyboard.try_clone().unwrap();
        let (sender, screen) = unbounded_channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // It fails when the last program has closed its end.
            while let Ok(count) = reader.read(&mut buffer)
                && count > 0
                && sender.send(buffer[..count].to_vec()).is_ok()
            {}
        });
        Terminal { keyboard, line: Some(line), screen, shown: Vec::new() }
    }

    fn end(&self) -> Stdio {
        Stdio::from(self.line.as_ref().unwrap().try_clone().unwrap())
    }

    /// The program reads from here and writes its messages here.
    pub(crate) fn attach(&self, mut program: Program) -> Program {
        program.command.stdin(self.end()).stderr(self.end()).env("TERM", "xterm");
        program
    }

    /// For a program that writes everything here: its standard output.
    pub(crate) fn output(&self) -> Stdio {
        self.end()
    }

    /// All programs have been started.
    pub(crate) fn started(&mut self) {
        self.line = None;
    }

    pub(crate) fn type_line(&mut self, line: &str) {
        self.keyboard.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.shown).into_owned()
    }

    /// Waits until these words stand on the screen.
    pub(crate) async fn until(&mut self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.text().contains(words) {
            match timeout_at(deadline, self.screen.recv()).await {
                Ok(Some(bytes)) => self.shown.extend(bytes),
                _ => panic!(
                    "{words:?} never came:\n{}",
                    self.text().chars().take(SHOWN_MAX).collect::<String>()
                ),
            }
        }
    }

    /// Everything that was shown, to the end.
    pub(crate) async fn rest(mut self) -> String {
        assert!(self.line.is_none(), "call started() first");
        let deadline = Instant::now() + PATIENCE;
        while let Some(bytes) = timeout_at(deadline, self.screen.recv()).await.expect("an end") {
            self.shown.extend(bytes);
        }
        self.text()
    }
}
