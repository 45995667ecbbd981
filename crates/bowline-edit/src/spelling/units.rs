//! The smallest parts of a text that are compared: characters with the marks that join them, and white space as a whole.

pub(super) use crate::canonical::joins;
use crate::canonical::{form, look};

/// What a character counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Space,
    Dash,
    Quote,
    Apostrophe,
    Dot,
    Other,
}

impl Kind {
    /// Signs that have look-alikes: several in a row are one sign.
    pub(super) const RUNS: [Kind; 5] = [Kind::Space, Kind::Dash, Kind::Quote, Kind::Apostrophe, Kind::Dot];

    pub(super) fn is_run(self) -> bool {
        Kind::RUNS.contains(&self)
    }

    pub(super) fn is_quote(self) -> bool {
        matches!(self, Kind::Quote | Kind::Apostrophe)
    }
}

/// A part of the needle, and what the file has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit<'t> {
    pub(super) old: &'t str,
    pub(super) there: &'t str,
    pub(super) kind: Kind,
}

/// Units of a kind that stand side by side; of other signs each is alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) old: String,
    pub(super) there: String,
    pub(super) kind: Kind,
}

/// What a text begins with; none for one that is empty or begins with what has no width.
pub(super) fn kind_at(text: &str) -> Option<Kind> {
    let char = look(text.chars().next()?)?;
    Some(match char {
        '-' => Kind::Dash,
        '"' => Kind::Quote,
        '\'' => Kind::Apostrophe,
        '.' | '\u{2026}' => Kind::Dot,
        char if char.is_whitespace() => Kind::Space,
        char if char.is_alphanumeric() || char == '_' || joins(char) => Kind::Word,
        _ => Kind::Other,
    })
}

/// Needle and file side by side; none where they differ in more than look-alikes and white space.
pub(super) fn aligned<'t>(old: &'t str, there: &'t str) -> Option<Vec<Unit<'t>>> {
    let (olds, theres) = (clusters(old), clusters(there));
    let mut units: Vec<Unit<'t>> = Vec::new();
    let (mut x, mut y) = (0, 0);
    while x < olds.len() || y < theres.len() {
        let (one, other) = (olds.get(x), theres.get(y));
        let is_space =
            |cluster: Option<&Cluster<'_>>| cluster.is_some_and(|cluster| cluster.kind == Some(Kind::Space));
        if is_space(one) || is_space(other) {
            let text = |cluster: Option<&Cluster<'t>>| {
                cluster.filter(|_| is_space(cluster)).map_or("", |it| it.text)
            };
            let (old, there) = (text(one), text(other));
            // White space that differs in more than its look is left to the merge.
            let there = if form(old) == form(there) { there } else { old };
            if !old.is_empty() {
                units.push(Unit { old, there, kind: Kind::Space });
            }
            (x, y) = (x + usize::from(is_space(one)), y + usize::from(is_space(other)));
            continue;
        }
        let (old_end, there_end) = equal(&olds[x..], &theres[y..])?;
        let joined = |text: &'t str, clusters: &[Cluster<'t>]| -> Option<&'t str> {
            let first = clusters.first()?;
            let last = clusters.last()?;
            text.get(first.at..last.at + last.text.len())
        };
        let (old, there) = (
            joined(old, &olds[x..x + old_end]).unwrap_or(""),
            joined(there, &theres[y..y + there_end]).unwrap_or(""),
        );
        units.push(Unit { old, there, kind: kind_at(old).unwrap_or(Kind::Other) });
        (x, y) = (x + old_end, y + there_end);
    }
    Some(units)
}

/// How many clusters of each side have the same form together, with what has no width after them.
fn equal(olds: &[Cluster<'_>], theres: &[Cluster<'_>]) -> Option<(usize, usize)> {
    let (mut x, mut y) = (0, 0);
    let (mut one, mut other) = (String::new(), String::new());
    loop {
        if !one.is_empty() && one == other {
            break;
        }
        if one.len() <= other.len() {
            one.push_str(&olds.get(x)?.form);
            x += 1;
        } else {
            other.push_str(&theres.get(y)?.form);
            y += 1;
        }
        let shorter = one.len().min(other.len());
        if one.as_bytes()[..shorter] != other.as_bytes()[..shorter] {
            return None;
        }
    }
    let unseen = |rest: &[Cluster<'_>]| rest.iter().take_while(|cluster| cluster.form.is_empty()).count();
    Some((x + unseen(&olds[x..]), y + unseen(&theres[y..])))
}

struct Cluster<'t> {
    at: usize,
    text: &'t str,
    form: String,
    kind: Option<Kind>,
}

/// Characters with the marks that join them, and runs of white space.
fn clusters(text: &str) -> Vec<Cluster<'_>> {
    let mut clusters: Vec<Cluster<'_>> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let kind = kind_at(&text[at..]);
        let mut end = at + char.len_utf8();
        let belongs = |next: char| match kind {
            Some(Kind::Space) => look(next).is_some_and(char::is_whitespace),
            _ => joins(next),
        };
        while let Some((next, char)) = chars.next_if(|(_, next)| belongs(*next)) {
            end = next + char.len_utf8();
        }
        let text = &text[at..end];
        clusters.push(Cluster { at, text, form: form(text), kind });
    }
    clusters
}

/// The units of a text that has no other side.
pub(super) fn plain(text: &str) -> Vec<Unit<'_>> {
    clusters(text)
        .into_iter()
        .map(|cluster| Unit {
            old: cluster.text,
            there: cluster.text,
            kind: cluster.kind.unwrap_or(Kind::Other),
        })
        .collect()
}

pub(super) fn runs(units: &[Unit<'_>]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for unit in units {
        match runs.last_mut() {
            Some(last) if last.kind == unit.kind && unit.kind != Kind::Other => {
                last.old.push_str(unit.old);
                last.there.push_str(unit.there);
            }
            _ => runs.push(Run { old: unit.old.to_owned(), there: unit.there.to_owned(), kind: unit.kind }),
        }
    }
    runs
}
