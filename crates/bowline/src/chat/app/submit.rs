//! What was typed and sent: a message, a command of the chat, a shell line.

use bowline_core::entry::{Body, Input, Queued, Stop};
use bowline_core::typed::Origin;
use bowline_host::launch::Ask;
use bowline_host::restore::RestoreRequest;

use super::super::commands::{self, COMMANDS, Name, Read};
use super::super::complete::plainly;
use super::super::written::Written;
use super::{App, Effect, Model, Phase};
use crate::exit::Exit;
use crate::rows::{Row, Style};

const KEYS: [(&str, &str); 9] = [
    ("Enter", "send; queue while a turn runs"),
    ("Alt-Enter", "send now: steer the running turn"),
    ("Ctrl-J, \\ Enter", "new line (also Shift-Enter, if the terminal reports it)"),
    ("@", "complete a file name; Tab accepts it"),
    ("!", "run a shell command; its output goes with your next message"),
    ("Up, Down", "earlier messages; Up recalls the last queued message"),
    ("Ctrl-R", "search earlier messages"),
    ("Esc, Ctrl-C", "stop the turn; Ctrl-C twice or Ctrl-D leaves"),
    ("Ctrl-Z, Ctrl-L", "suspend (fg resumes); redraw"),
];

/// When a message is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// By the turn that runs, at once.
    Now,
    /// When it is over.
    InTurn,
}

impl App {
    /// The input is sent as it is.
    pub(super) fn submit(&mut self, when: When, now_ms: i64) {
        let message = self.editor.take();
        self.completion.close();
        if message.text().trim().is_empty() {
            self.go_on();
            return;
        }
        self.history.add(&message);
        let text = message.text();
        if let Some(line) = text.strip_prefix('!') {
            self.run_shell(line.trim(), now_ms);
            return;
        }
        if text.starts_with('/') {
            match commands::read(text, self.is_running()) {
                Read::Known(name, argument) => {
                    self.transcript.typed_command(text.trim());
                    return self.command(name, &argument);
                }
                Read::Later(words) | Read::Unknown(words) => {
                    self.warn(&words);
                    self.editor.put(&message);
                    return;
                }
                Read::Text => {}
            }
        }
        let message = message.trim_end().map(|part| plainly(part, &self.is_file));
        let message = self.with_attached(message);
        match (&self.phase, when) {
            (Phase::Idle, _) => self.begin(message),
            (Phase::Running { .. }, When::Now) => self.steer(message),
            // A turn that is being started can't be steered yet.
            (_, _) => self.queue_up(message),
        }
    }

    pub(super) fn begin(&mut self, message: Written) {
        if self.sent.is_some() {
            // One message waits for a model already; the input has a single place for the next.
            self.editor.put(&message);
            self.tell("the previous message is still waiting (Esc takes it back)");
            return;
        }
        if self.is_resuming {
            self.sent = Some(message);
            return;
        }
        self.transcript.expect(message.text());
        self.sent = Some(message);
        if self.model == Model::None {
            self.tell("no usable model yet: your message will be sent when there is one (Esc takes it back)");
        } else {
            self.deliver();
        }
    }

    /// Sends the message that waits: a new turn, or, where the last one did not end by itself, that one with a hint.
    pub(super) fn deliver(&mut self) {
        let Some((text, typed)) = self.sent.clone().map(Written::into_parts) else { return };
        self.launch(match self.paused {
            Some(Stop::Guard | Stop::Limit | Stop::Check | Stop::Failed) => {
                Ask::Continue { hint: Some(text), typed }
            }
            Some(Stop::Done | Stop::Cancelled) | None => Ask::Task { text, typed },
        });
    }

    fn steer(&mut self, message: Written) {
        let (text, typed) = message.into_parts();
        let body = Body::Input(Input::steer(text, typed, "terminal"));
        let turn = self.turn.clone();
        self.do_it(Effect::Say { turn, body: Box::new(body) });
    }

    fn queue_up(&mut self, message: Written) {
        let id = uuid::Uuid::now_v7().to_string();
        self.queue.push((id.clone(), message.clone()));
        let (text, typed) = message.into_parts();
        self.say_queued(Queued { id, text, typed, by: "terminal".to_owned(), withdrawn: false });
    }

    /// A new session has no place for it before it is launched.
    fn say_queued(&mut self, queued: Queued) {
        match self.session {
            None if queued.withdrawn => self.unsaid.retain(|unsaid| unsaid.id != queued.id),
            None => self.unsaid.push(queued),
            Some(_) => self.do_it(Effect::Say { turn: None, body: Box::new(Body::Queued(queued)) }),
        }
    }

    fn withdraw(&mut self, id: String, message: Written) {
        let (text, typed) = message.into_parts();
        self.say_queued(Queued { id, text, typed, by: "terminal".to_owned(), withdrawn: true });
    }

    /// The last message of the queue comes back into the input; false where there is none.
    pub(super) fn unqueue(&mut self) -> bool {
        let Some((id, message)) = self.queue.pop() else { return false };
        self.editor.put(&message);
        self.withdraw(id, message);
        true
    }

    /// Enter on an empty input: *Continue*, or the next of the queue.
    fn go_on(&mut self) {
        if self.is_running() || self.sent.is_some() {
            return;
        }
        match self.paused {
            None | Some(Stop::Cancelled) if !self.queue.is_empty() => {
                let (id, message) = self.queue.remove(0);
                self.withdraw(id, message.clone());
                self.begin(message);
            }
            Some(_) => self.launch(Ask::go_on()),
            None => {}
        }
    }

    fn with_attached(&mut self, mut message: Written) -> Written {
        for attached in std::mem::take(&mut self.attached) {
            message.push(&format!("\n\n{attached}"), Origin::Elsewhere);
        }
        message
    }

    fn command(&mut self, name: Name, argument: &str) {
        match name {
            Name::New => self.start_new_session(),
            Name::Sessions if argument.is_empty() => self.do_it(Effect::ListSessions),
            Name::Sessions => self.resume(argument),
            Name::Model if argument.is_empty() => self.list_models(),
            Name::Model => {
                self.wanted_model = Some(argument.to_owned());
                self.model = Model::Looking;
                self.do_it(Effect::FindModels { model: self.wanted_model.clone() });
            }
            Name::Plan => {
                self.is_plan = !self.is_plan;
                self.tell(match self.is_plan {
                    true => "plan mode: the model reads and answers, and writes or runs nothing. /plan turns it off",
                    false => "plan mode is off: the model may write",
                });
            }
            Name::Compact if self.session.is_none() => self.tell("there is nothing to compact yet"),
            Name::Compact => self.fold(),
            Name::Context => match self.session.clone() {
                Some(session) => self.do_it(Effect::ContextUsage(session)),
                None => self.tell("the window is still empty"),
            },
            Name::Diff => match self.session.clone() {
                Some(session) => self.do_it(Effect::Diff { session, turn: argument.to_owned() }),
                None => self.tell("there is no turn yet: no file was changed"),
            },
            Name::Undo => self.undo_turn(RestoreRequest::Undo),
            Name::Redo => self.undo_turn(RestoreRequest::Redo),
            Name::Help => self.help(),
            Name::Leave => self.do_it(Effect::Leave(Exit::Done)),
        }
    }

    fn help(&mut self) {
        let row =
            |key: &str, does: &str| Row::of(&format!("  {key:<16}"), Style::BOLD).with(does, Style::PLAIN);
        let mut rows: Vec<Row> = KEYS.iter().map(|(key, does)| row(key, does)).collect();
        rows.push(Row::default());
        rows.extend(COMMANDS.iter().map(|command| row(&format!("/{}", command.name), command.does)));
        self.transcript.notes(&rows);
    }

    fn list_models(&mut self) {
        let used = match &self.model {
            Model::Found { name, .. } => name.clone(),
            _ => String::new(),
        };
        let mark = |name: &String| match *name == used {
            true => Row::of(&format!("* {name}"), Style::BOLD),
            false => Row::plain(&format!("  {name}")),
        };
        let mut rows: Vec<Row> = self.models.iter().map(mark).collect();
        rows.push(Row::dim(match self.models.is_empty() {
            true => "no model was found yet",
            false => "/model NAME switches from the next message on",
        }));
        self.transcript.notes(&rows);
    }
}
