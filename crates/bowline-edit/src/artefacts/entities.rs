//! The entities of HTML and XML for plain characters, as calls written in tags bring them along.

use std::collections::BTreeSet;

use super::Cleaning;

const ENTITIES: [(&str, char); 15] = [
    ("&lt;", '<'),
    ("&#60;", '<'),
    ("&#x3c;", '<'),
    ("&gt;", '>'),
    ("&#62;", '>'),
    ("&#x3e;", '>'),
    ("&amp;", '&'),
    ("&#38;", '&'),
    ("&#x26;", '&'),
    ("&quot;", '"'),
    ("&#34;", '"'),
    ("&#x22;", '"'),
    ("&#39;", '\''),
    ("&#x27;", '\''),
    ("&apos;", '\''),
];

/// Which characters a text has as entities, and which as they are.
#[derive(Default)]
struct Chars {
    entities: BTreeSet<char>,
    plain: BTreeSet<char>,
}

/// With the entities of each character that the needle never has as it is made plain: all of them, and all but `&amp;`, which
/// the file may have.
pub(super) fn unescaped<'e>(edit: &Cleaning<'e>) -> Vec<Cleaning<'e>> {
    let old = Chars::of(&edit.old);
    if old.entities.is_empty() || !old.entities.is_disjoint(&old.plain) {
        return Vec::new();
    }
    let others: BTreeSet<char> = old.entities.iter().copied().filter(|char| *char != '&').collect();
    let variants =
        if others.len() == old.entities.len() { vec![others] } else { vec![old.entities.clone(), others] };
    let made = |meant: BTreeSet<char>| {
        (!meant.is_empty()).then_some(())?;
        let new = replacement(&edit.new, &old, &meant)?;
        Some(Cleaning::new(plain(&edit.old, &meant), new))
    };
    variants.into_iter().filter_map(made).collect()
}

/// None if it is not clear which of its entities are meant.
fn replacement(new: &str, old: &Chars, meant: &BTreeSet<char>) -> Option<String> {
    let chars = Chars::of(new);
    let is_encoded = !chars.entities.is_disjoint(meant);
    let is_plain = !chars.plain.is_disjoint(meant);
    if chars.entities.is_empty() || (is_plain && !is_encoded) {
        return Some(new.to_owned());
    }
    let mixed = chars.entities.intersection(&chars.plain).any(|char| meant.contains(char));
    let strange = chars.entities.intersection(&old.plain).next().is_some();
    if !is_encoded || mixed || strange {
        return None;
    }
    let kept = |char: &char| old.entities.contains(char) && !meant.contains(char);
    let taken: BTreeSet<char> = chars.entities.iter().copied().filter(|char| !kept(char)).collect();
    (taken.is_disjoint(&chars.plain)).then(|| plain(new, &taken))
}

impl Chars {
    fn of(text: &str) -> Chars {
        let mut chars = Chars::default();
        for (piece, entity) in pieces(text) {
            match (entity, piece.chars().next()) {
                (Some(char), _) => drop(chars.entities.insert(char)),
                (None, Some(char)) if "<>&\"'".contains(char) => drop(chars.plain.insert(char)),
                _ => {}
            }
        }
        chars
    }
}

/// The characters of a text, an entity as one, with what it stands for.
fn pieces(text: &str) -> Vec<(&str, Option<char>)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_here = |entity: &str| {
            first == '&' && rest.get(..entity.len()).is_some_and(|there| there.eq_ignore_ascii_case(entity))
        };
        let entity = ENTITIES.into_iter().find(|(entity, _)| is_here(entity));
        let len = entity.map_or(first.len_utf8(), |(entity, _)| entity.len());
        pieces.push((&rest[..len], entity.map(|(_, char)| char)));
        rest = &rest[len..];
    }
    pieces
}

fn plain(text: &str, meant: &BTreeSet<char>) -> String {
    let mut made = String::with_capacity(text.len());
    for (piece, entity) in pieces(text) {
        match entity.filter(|char| meant.contains(char)) {
            Some(char) => made.push(char),
            None => made.push_str(piece),
        }
    }
    made
}
