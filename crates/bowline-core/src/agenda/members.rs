//! New members of types: which type is to get the variant that a message speaks of.
//!
//! "add `Status.RETURNED`" says so itself; "we need a new role COMMENTER" names the type in plain words. Only types that have
//! variants already are meant, and only a name that nothing defines yet.

use super::Agenda;
use super::evidence::{defined, only};
use crate::place::{self, Found, PlaceKind};
use crate::task::{Form, Name};

/// The type that a new member is to be added to.
pub(super) fn owner_of_new<'a>(agenda: &Agenda<'a>, name: &Name) -> Option<&'a Found> {
    let text = name.text.replace("::", ".");
    let member = text.rsplit('.').next().unwrap_or(&text);
    let is_new = defined(agenda, &name.text, agenda.before).is_empty();
    if !is_new || !member.starts_with(char::is_uppercase) {
        return None;
    }
    match text.rsplit_once('.') {
        Some((owner, _)) => {
            let of = only(&defined(agenda, owner, agenda.now)).filter(|found| is_owner(found))?;
            // Only in Rust are variants written like calls, and functions never.
            let is_variant = name.form != Form::Call || of.place.path.ends_with(".rs");
            is_variant.then_some(of)
        }
        None => owner_in_words(agenda, member),
    }
}

fn is_owner(found: &Found) -> bool {
    matches!(found.kind, PlaceKind::Type | PlaceKind::Constant)
}

/// The one type with variants that the sentence of the new member speaks of: `Role` in "a new role COMMENTER".
fn owner_in_words<'a>(agenda: &Agenda<'a>, member: &str) -> Option<&'a Found> {
    let sentences = agenda.message.split_inclusive(['\n', ';']).flat_map(|line| line.split(". "));
    let has_member = |sentence: &&str| place::identifiers(sentence).iter().any(|word| word == member);
    let sentence = sentences.into_iter().find(has_member)?;
    let words = place::identifiers(sentence);
    let is_said = |found: &&Found| {
        let name = found.place.own_name().unwrap_or_default();
        is_owner(found) && !found.is_test && words.iter().any(|word| word.eq_ignore_ascii_case(name))
    };
    let has_variants = |found: &&Found| {
        let prefix = format!("{}.", found.place.name.as_deref().unwrap_or_default());
        agenda.now.places.iter().any(|inner| {
            let inner_name = inner.place.name.as_deref().and_then(|name| name.strip_prefix(&prefix));
            inner.place.path == found.place.path
                && inner.kind == PlaceKind::Member
                && inner_name.is_some_and(|name| name.starts_with(char::is_uppercase))
        })
    };
    only(&agenda.now.places.iter().filter(is_said).filter(has_variants).collect::<Vec<_>>())
}
