//! `change`: the tool of constrained mode that changes a place.
//!
//! The model chooses a place from a list ([`Choice`]); the program completes that to a call that stands on the log, with the
//! file, the name in it and the new text ([`ChangeCall`]). So a call on the log never depends on what was offered when.

use serde_json::{Map, Value, json};

use crate::place::{Change, Offered, Place};

/// The name of the tool.
pub const CHANGE: &str = "change";

/// A change of a place, as it stands on the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeCall {
    pub place: Place,
    pub change: Change,
    /// The new name of a rename.
    pub to: Option<String>,
    /// What the model wrote.
    pub text: Option<String>,
    pub doubts: Doubts,
    /// Which words of comments a rename changes, too.
    pub comments: Comments,
    pub helpers: Helpers,
}

/// Whether definitions that only the removed one needs go with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Helpers {
    #[default]
    Kept,
    /// The user asked for it.
    Removed,
}

/// Which words of comments mean a definition that is renamed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Comments {
    /// Those that can't be plain words.
    #[default]
    Certain,
    /// All that are its name: the user asked for it.
    All,
}

/// Whether a text is applied that parses and fits, and yet is likely to lose something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Doubts {
    /// It is held back as a spare: another text may be better.
    #[default]
    HoldBack,
    /// Nothing better came.
    Accept,
}

/// How the refusal of a text ends that is the old one.
pub const UNCHANGED: &str = "the new text is the same as the old one";

/// How the refusal of a text ends that was to be added and brings nothing new.
pub const NOTHING_TO_ADD: [&str; 2] = ["the text defines nothing new", "is there already"];

/// How the result of a change begins whose text is held back.
pub const HELD_BACK: &str = "Held back";
/// What stands in front of the name of a function that a text held back no longer calls.
pub const LOST_CALL: &str = "the new text no longer calls `";

/// How arguments say that all mentions in comments change.
const ALL: &str = "all";
/// How arguments say that helpers go with what is removed.
const REMOVED: &str = "removed";

impl ChangeCall {
    /// Reads the arguments of a call on the log.
    pub fn of(arguments: &Value) -> Option<ChangeCall> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(ChangeCall {
            place: Place { path: text("path")?, name: text("name") },
            change: Change::of(&text("change")?)?,
            to: text("to"),
            text: text("text"),
            doubts: match arguments.get("spare").and_then(Value::as_bool) {
                Some(true) => Doubts::Accept,
                _ => Doubts::HoldBack,
            },
            comments: match text("comments").as_deref() {
                Some(ALL) => Comments::All,
                _ => Comments::Certain,
            },
            helpers: match text("helpers").as_deref() {
                Some(REMOVED) => Helpers::Removed,
                _ => Helpers::Kept,
            },
        })
    }

    pub fn arguments(&self) -> Value {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Option<&str>| {
            fields.extend(value.map(|value| (name.to_owned(), Value::from(value))));
        };
        put("path", Some(&self.place.path));
        put("name", self.place.name.as_deref());
        put("change", Some(self.change.word()));
        put("to", self.to.as_deref());
        put("text", self.text.as_deref());
        if self.doubts == Doubts::Accept {
            fields.insert("spare".to_owned(), true.into());
        }
        if self.comments == Comments::All {
            fields.insert("comments".to_owned(), ALL.into());
        }
        if self.helpers == Helpers::Removed {
            fields.insert("helpers".to_owned(), REMOVED.into());
        }
        Value::Object(fields)
    }

    /// A change that needs no text of the model's.
    pub fn new(place: Place, change: Change, to: Option<String>) -> ChangeCall {
        let (doubts, comments, helpers) = (Doubts::default(), Comments::default(), Helpers::default());
        ChangeCall { place, change, to, text: None, doubts, comments, helpers }
    }

    /// The same as the model would have chosen it from a list.
    pub fn chosen(&self) -> Value {
        let mut chosen = json!({ "place": self.place.label(), "change": self.change.word() });
        if let (Some(to), Some(fields)) = (&self.to, chosen.as_object_mut()) {
            fields.insert("to".to_owned(), to.as_str().into());
        }
        chosen
    }

    /// One line for the user.
    pub fn title(&self) -> String {
        match (self.change, &self.to) {
            (Change::Rename, Some(to)) => format!("rename {} to {to}", self.place.label()),
            (Change::Remove, _) => format!("remove {}", self.place.label()),
            (Change::AddAfter, _) => format!("add after {}", self.place.label()),
            _ => self.place.label(),
        }
    }
}

/// What the model chose: a place of the offer, or a new file. None if it is neither.
pub fn chosen(arguments: &Value, offered: &[Offered]) -> Option<ChangeCall> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let to = text("to").map(str::trim).filter(|to| !to.is_empty());
    let change = Change::of(text("change")?)?;
    if change == Change::Create {
        return to.map(|to| ChangeCall::new(Place::file(to), change, None));
    }
    let label = text("place")?;
    let known = offered.iter().find(|offered| offered.place.label() == label)?;
    let to = to.filter(|_| change == Change::Rename).map(str::to_owned);
    let is_possible = known.changes.contains(&change) && (change != Change::Rename || to.is_some());
    is_possible.then(|| ChangeCall::new(known.place.clone(), change, to))
}

/// The forms that a choice can have, as JSON schemas of the arguments.
pub(crate) fn forms(offered: &[Offered]) -> Vec<Value> {
    let form = |change: Change| {
        let places: Vec<String> = offered
            .iter()
            .filter(|offered| offered.changes.contains(&change))
            .map(|offered| offered.place.label())
            .collect();
        let place = ("place", json!({ "enum": places }));
        let word = ("change", json!({ "const": change.word() }));
        let to = ("to", json!({ "type": "string" }));
        match change {
            Change::Create => Some(vec![word, to]),
            _ if places.is_empty() => None,
            Change::Rename => Some(vec![place, word, to]),
            _ => Some(vec![place, word]),
        }
    };
    let object = |fields: Vec<(&str, Value)>| {
        let required: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        let properties: Map<String, Value> =
            fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    };
    Change::ALL.into_iter().filter_map(form).map(object).collect()
}
