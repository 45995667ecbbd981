//! Publishes the model's text and reasoning as items with deltas while they stream in, with at most twenty appends a second.
//!
//! After a failure the same request is sent again, and the model may answer in other words. Nothing is published while it
//! repeats what was already shown. Once it differs, or ends earlier, the item's text is replaced.

use super::asking::Asking;
use super::purpose::Audience;
use super::{Machine, Phase};
use crate::entry::{Body, Status};
use crate::item::{Item, ItemKind, ItemStatus, ReasoningField};
use crate::limits::DELTA_EVERY_MS;

/// One item that grows: the step's text, or its reasoning.
pub(super) struct Channel {
    kind: ItemKind,
    /// The item's id, once the item is started.
    item: Option<String>,
    /// The text that clients have received.
    shown: String,
    /// Whether the model may be repeating what was shown.
    is_replaying: bool,
}

impl Channel {
    pub(super) fn new(kind: ItemKind) -> Channel {
        Channel { kind, item: None, shown: String::new(), is_replaying: false }
    }

    /// Whether clients have received any of the text.
    pub(super) fn is_started(&self) -> bool {
        self.item.is_some()
    }

    pub(super) fn replay(&mut self) {
        self.is_replaying = true;
    }

    /// Marks the answer as complete: text that was shown and not repeated will be removed.
    pub(super) fn settle(&mut self) {
        self.is_replaying = false;
    }

    /// The text that counts: what was shown, as long as the model only repeats it.
    fn current<'a>(&'a self, text: &'a str) -> &'a str {
        if self.is_replaying && self.shown.starts_with(text) { &self.shown } else { text }
    }

    /// The entry that takes clients from the text they have to `text`.
    fn change(&mut self, item: Item, text: &str) -> Body {
        let body = match (text.strip_prefix(self.shown.as_str()), self.kind) {
            (Some(new), ItemKind::Reasoning) => Body::ReasoningDelta { item: item.id, text: new.to_owned() },
            (Some(new), _) => Body::TextDelta { item: item.id, text: new.to_owned() },
            (None, _) => Body::ItemUpdated { item: Item { text: text.to_owned(), ..item } },
        };
        self.is_replaying = false;
        text.clone_into(&mut self.shown);
        body
    }
}

impl Machine {
    pub(super) fn publish_if_due(&mut self, now: i64) {
        let Phase::Asking(asking) = &mut self.phase else { return };
        asking.is_dirty &= asking.is_for(Audience::User);
        if !asking.is_dirty || now < self.appended_ms + DELTA_EVERY_MS {
            return;
        }
        // Taken out, so that recording may borrow the machine.
        let Phase::Asking(mut asking) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        let Asking { assembly, text, thoughts, .. } = asking.as_mut();
        self.publish(thoughts, assembly.reasoning());
        self.publish(text, &assembly.visible());
        asking.is_dirty = false;
        self.appended_ms = now;
        self.phase = Phase::Asking(asking);
    }

    fn publish(&mut self, channel: &mut Channel, text: &str) {
        if channel.current(text) == channel.shown {
            return;
        }
        let id = self.start_item(channel);
        let item = self.running_item(channel, &id);
        let body = channel.change(item, text);
        self.record(body);
    }

    fn start_item(&mut self, channel: &mut Channel) -> String {
        if let Some(item) = &channel.item {
            return item.clone();
        }
        let id = self.ids.item();
        channel.item = Some(id.clone());
        let item = self.running_item(channel, &id);
        self.record(Body::ItemStarted { item });
        id
    }

    fn running_item(&self, channel: &Channel, id: &str) -> Item {
        Item {
            id: id.to_owned(),
            message: self.message.clone(),
            kind: channel.kind,
            status: ItemStatus::Running,
            title: String::new(),
            text: String::new(),
            field: None,
            call: None,
            result: None,
        }
    }

    /// Completes the items of a partial answer whose request will not be sent again.
    pub(super) fn complete_unfinished_answer(&mut self, status: Status) {
        let Some(unfinished_answer) = self.unfinished_answer.take() else { return };
        let (mut text, mut thoughts) = *unfinished_answer;
        self.complete_channel(&mut thoughts, "", None, status);
        self.complete_channel(&mut text, "", None, status);
    }

    /// Completes the items for text and reasoning with everything the model wrote.
    pub(super) fn complete_answer(&mut self, asking: &mut Asking, status: Status) {
        let Asking { assembly, text, thoughts, .. } = asking;
        // Half a call is no answer: what was cut off ends where it may have begun.
        let words = if status == Status::Complete { assembly.text().into() } else { assembly.visible() };
        self.complete_channel(thoughts, assembly.reasoning(), assembly.field(), status);
        self.complete_channel(text, &words, None, status);
    }

    fn complete_channel(
        &mut self,
        channel: &mut Channel,
        text: &str,
        field: Option<ReasoningField>,
        status: Status,
    ) {
        let text = channel.current(text).to_owned();
        if text.trim().is_empty() && channel.item.is_none() {
            return;
        }
        if channel.kind == ItemKind::Text && !text.trim().is_empty() {
            text.trim().clone_into(&mut self.text);
        }
        let id = self.start_item(channel);
        let item = Item { status: status.into(), text, field, ..self.running_item(channel, &id) };
        self.record(Body::ItemCompleted { item });
    }
}
