//! The messages a user sees: the log folded into messages with their items in call order.
//!
//! A restore takes entries back that were folded already: whoever goes on with [`View::apply`] and meets a `restored` entry
//! reads the log anew.

use std::collections::BTreeSet;

use crate::checkpoint::{Checkpoint, Moment};
use crate::entry::{Body, Entry, Message, Queued, Role, Status, TurnEnd};
use crate::item::{Item, ItemStatus};
use crate::sentinel::Sentinel;
use crate::visible::visible;

/// A message with what it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageView {
    pub message: Message,
    pub turn: Option<String>,
    pub first_seq: i64,
    /// A user's text.
    pub text: String,
    pub items: Vec<Item>,
    pub sentinel: Option<Sentinel>,
    /// It asked for a turn that was taken back: it can be sent again, and goes when the next turn begins.
    pub is_taken_back: bool,
}

/// A turn, how it ended, its runs.
type LastTurn = (Option<String>, Option<TurnEnd>, i64);

/// The fold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct View {
    pub messages: Vec<MessageView>,
    /// How the last turn ended; none while one runs.
    pub end: Option<TurnEnd>,
    /// The last turn, and the user's text of it.
    pub turn: Option<String>,
    pub runs: i64,
    /// Queued texts no turn was made of, oldest first.
    pub queue: Vec<Queued>,
    /// The ids of those that are in it no more: one comes back under no later text.
    unqueued: BTreeSet<String>,
    /// The user's texts that are on the log but no message yet, oldest first.
    user_texts: Vec<String>,
    /// The turn before the last one, how it ended and its runs, as long as the last one has no run.
    before: Option<Box<LastTurn>>,
}

impl View {
    pub fn of(entries: &[Entry]) -> View {
        let mut view = View::default();
        for entry in visible(entries) {
            view.apply(entry);
        }
        view
    }

    pub fn apply(&mut self, entry: &Entry) {
        match &entry.body {
            Body::TurnStarted(turn) => {
                self.drop_request();
                let turn_before = std::mem::replace(&mut self.turn, entry.turn.clone());
                self.before = Some(Box::new((turn_before, self.end.take(), self.runs)));
                self.runs = 0;
                self.user_texts.insert(0, turn.text.clone());
                turn.queued.iter().for_each(|id| self.unqueue(id));
            }
            Body::RunStarted(run) => {
                self.before = None;
                self.drop_request();
                self.runs = run.run;
                if let Some(hint) = &run.hint {
                    self.user_texts.insert(0, hint.clone());
                }
                self.end = None;
            }
            Body::Input(_) => self.user_texts.extend(entry.body.steering().map(str::to_owned)),
            Body::Queued(queued) => self.enqueue(queued),
            Body::MessageStarted { message } => self.open(entry, message.clone()),
            Body::Sentinel(sentinel) => {
                let message = Message::new(&sentinel.message, Role::System, Status::Complete);
                self.open(entry, message);
                if let Some(view) = self.messages.last_mut() {
                    view.sentinel = Some(sentinel.sentinel.clone());
                }
            }
            Body::MessageCompleted { message } => {
                if let Some(view) = self.messages.iter_mut().rev().find(|view| view.message.id == message.id)
                {
                    view.message.status = message.status;
                    if message.checkpoint.is_some() {
                        view.message.checkpoint.clone_from(&message.checkpoint);
                    }
                }
            }
            Body::ItemStarted { item } | Body::ItemUpdated { item } | Body::ItemCompleted { item } => {
                self.put(item);
            }
            Body::TextDelta { item, text } | Body::ReasoningDelta { item, text } => {
                if let Some(item) = self.item(item) {
                    item.text.push_str(text);
                }
            }
            Body::Checkpoint(checkpoint) => self.anchor(checkpoint),
            Body::Restored(_) => self.take_back(),
            Body::TurnCompleted(end) | Body::TurnPaused(end) | Body::TurnFailed(end) => {
                self.end = Some(end.clone());
            }
            _ => {}
        }
    }

    /// The message a restore goes back to has the first checkpoint that was taken for it.
    fn anchor(&mut self, checkpoint: &Checkpoint) {
        let is_kept = checkpoint.moment == Moment::Before && checkpoint.commit.is_some();
        let anchor = self.messages.iter_mut().rev().find(|view| view.message.id == checkpoint.message);
        if let Some(view) = anchor.filter(|_| is_kept) {
            view.message.checkpoint.get_or_insert_with(|| checkpoint.id.clone());
        }
    }

    /// A turn of which only the user's text is left is none.
    fn take_back(&mut self) {
        let Some(before) = self.before.take() else { return };
        (self.turn, self.end, self.runs) = *before;
        if let Some(view) = self.messages.iter_mut().rev().find(|view| view.message.role == Role::User) {
            view.is_taken_back = true;
        }
    }

    fn drop_request(&mut self) {
        self.messages.retain(|view| !view.is_taken_back);
    }

    fn enqueue(&mut self, queued: &Queued) {
        if queued.withdrawn {
            self.unqueue(&queued.id);
        } else if let Some(known) = self.queue.iter_mut().find(|known| known.id == queued.id) {
            known.clone_from(queued);
        } else if !self.unqueued.contains(&queued.id) {
            self.queue.push(queued.clone());
        }
    }

    fn unqueue(&mut self, id: &str) {
        self.queue.retain(|queued| queued.id != id);
        self.unqueued.insert(id.to_owned());
    }

    fn open(&mut self, entry: &Entry, message: Message) {
        let is_user_text = message.role == Role::User && !self.user_texts.is_empty();
        let text = if is_user_text { self.user_texts.remove(0) } else { String::new() };
        self.messages.push(MessageView {
            message,
            turn: entry.turn.clone(),
            first_seq: entry.seq,
            text,
            items: Vec::new(),
            sentinel: None,
            is_taken_back: false,
        });
    }

    fn put(&mut self, item: &Item) {
        if let Some(known) = self.item(&item.id) {
            known.clone_from(item);
            return;
        }
        let message = self.messages.iter_mut().rev().find(|view| view.message.id == item.message);
        if let Some(view) = message {
            view.items.push(item.clone());
        }
    }

    fn item(&mut self, id: &str) -> Option<&mut Item> {
        self.messages.iter_mut().rev().flat_map(|view| view.items.iter_mut()).find(|item| item.id == id)
    }

    /// Messages that are still streaming.
    pub fn streaming(&self) -> impl Iterator<Item = &MessageView> {
        self.messages.iter().filter(|view| view.message.status == Status::Streaming)
    }

    /// Items nothing has completed.
    pub fn running(&self) -> impl Iterator<Item = &Item> {
        let items = self.messages.iter().flat_map(|view| view.items.iter());
        items.filter(|item| item.status == ItemStatus::Running)
    }
}
