//! What came of an edit, as programs read it.

use std::ops::RangeInclusive;

use bowline_edit::{Applied, Edit, Fault, Landing, Mode, Refusal, Rung, apply_with};
use serde_json::{Map, Value, json};

/// The rung of a file that was made.
pub(super) const CREATED: &str = "created";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Applied,
    Ambiguous,
    NotFound,
    /// It was made before.
    Unchanged,
    Refused,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Status::Applied => "applied",
            Status::Ambiguous => "ambiguous",
            Status::NotFound => "not_found",
            Status::Unchanged => "unchanged",
            Status::Refused => "refused",
        }
    }
}

/// Lines, from 1, that an edit changed or might mean.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spot {
    lines: RangeInclusive<usize>,
    under: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    pub(super) status: Status,
    pub(super) rung: Option<&'static str>,
    /// Where the place is merely alike.
    similarity: Option<f64>,
    places: Vec<Spot>,
    pub(super) message: String,
}

impl Answer {
    pub(super) fn refused(message: String) -> Answer {
        Answer { status: Status::Refused, rung: None, similarity: None, places: Vec::new(), message }
    }

    /// The object of one line; `content` is the text after the edit, where no file was edited.
    pub(super) fn json(&self, content: Option<&str>) -> Value {
        let mut fields = Map::new();
        fields.insert("status".to_owned(), self.status.word().into());
        let mut put = |name: &str, value: Option<Value>| {
            value.map(|value| fields.insert(name.to_owned(), value));
        };
        put("content", content.map(Value::from));
        put("rung", self.rung.map(Value::from));
        put("similarity", self.similarity.map(Value::from));
        let places: Vec<Value> = self.places.iter().map(Spot::json).collect();
        put("places", (!places.is_empty()).then_some(places.into()));
        put("message", Some(self.message.as_str().into()));
        Value::Object(fields)
    }
}

impl Spot {
    fn json(&self) -> Value {
        let (first, last) = (self.lines.start(), self.lines.end());
        match &self.under {
            Some(under) => json!({"line": first, "last": last, "under": under}),
            None => json!({"line": first, "last": last}),
        }
    }
}

/// Applies one edit to a text, `None` for a file that is not there; the new text if there is one.
pub(super) fn apply(content: Option<&[u8]>, edit: &Edit<'_>, mode: Mode) -> (Answer, Option<Vec<u8>>) {
    match apply_with(content, std::slice::from_ref(edit), mode) {
        Ok(applied) => landed(content, applied),
        Err(refusal) => (faulty(content.unwrap_or_default(), &refusal), None),
    }
}

fn landed(content: Option<&[u8]>, applied: Applied) -> (Answer, Option<Vec<u8>>) {
    let spots = |lines: Vec<RangeInclusive<usize>>| {
        lines.into_iter().map(|lines| Spot { lines, under: None }).collect::<Vec<_>>()
    };
    let mut answer = Answer { status: Status::Applied, ..Answer::refused(String::new()) };
    match applied.landings.first() {
        Some(Landing::Replaced { rung, places, similarity }) => {
            answer.rung = Some(rung.word());
            answer.places = spots(applied.changed_lines());
            answer.similarity = Some(*similarity).filter(|_| *rung == Rung::Similar);
            let many = if *places == 1 { "" } else { "s" };
            answer.message = format!(
                "{places} place{many} changed ({} match): {}.",
                rung.word(),
                spots_text(&answer.places)
            );
        }
        Some(Landing::InPlace { line, .. }) => {
            answer.status = Status::Unchanged;
            answer.places = spots(vec![*line..=*line]);
            answer.message = format!("already in place at line {line}, nothing changed.");
        }
        _ => {
            answer.rung = Some(CREATED);
            answer.message = "created.".to_owned();
        }
    }
    if content == Some(applied.content.as_slice()) && answer.status == Status::Applied {
        answer.status = Status::Unchanged;
        answer.message = "the text is already like that, nothing changed.".to_owned();
    }
    (answer, Some(applied.content))
}

fn faulty(content: &[u8], refusal: &Refusal) -> Answer {
    let message = refusal.to_string();
    let (status, places) = match refusal.verdicts.first() {
        Some(Err(Fault::Ambiguous { places, .. })) => {
            let spot = |place: &bowline_edit::Place| {
                let inside = content.get(place.span.clone()).unwrap_or_default();
                let inside = inside.strip_suffix(b"\n").unwrap_or(inside);
                let feeds = inside.iter().filter(|byte| **byte == b'\n').count();
                Spot { lines: place.line..=place.line + feeds, under: place.under.clone() }
            };
            (Status::Ambiguous, places.iter().map(spot).collect())
        }
        Some(Err(Fault::NotFound { .. })) => (Status::NotFound, Vec::new()),
        _ => (Status::Refused, Vec::new()),
    };
    Answer { status, places, ..Answer::refused(message) }
}

/// `line 3, lines 7-9`.
fn spots_text(spots: &[Spot]) -> String {
    const TOLD_MAX: usize = 10;
    let told = spots.iter().take(TOLD_MAX).map(|spot| match (spot.lines.start(), spot.lines.end()) {
        (first, last) if first == last => format!("line {first}"),
        (first, last) => format!("lines {first}-{last}"),
    });
    let more = spots.len().saturating_sub(TOLD_MAX);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    told.collect::<Vec<_>>().join(", ") + &more
}
