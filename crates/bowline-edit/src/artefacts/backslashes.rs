//! Backslashes that one encoder too many put before what needs none: `` \` ``, `\${`, `\$`, `\/`, and `\\` for `\`.
//!
//! Quotes have their own rules, in `escapes`.

use std::collections::BTreeSet;

use super::Cleaning;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Backtick,
    /// A `$` before a brace, which opens a placeholder.
    Placeholder,
    Dollar,
    Slash,
}

/// Which signs a text has after a backslash, and which without.
#[derive(Default)]
struct Signs {
    escaped: BTreeSet<Sign>,
    plain: BTreeSet<Sign>,
}

fn sign(text: &str) -> Option<Sign> {
    match text.as_bytes() {
        [b'`', ..] => Some(Sign::Backtick),
        [b'$', b'{', ..] => Some(Sign::Placeholder),
        [b'$', ..] => Some(Sign::Dollar),
        [b'/', ..] => Some(Sign::Slash),
        _ => None,
    }
}

/// With the backslash taken off each kind of sign that the needle has with one and never without.
pub(super) fn unescaped<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let (old, new) = (Signs::of(&edit.old), Signs::of(&edit.new));
    if old.escaped.is_empty() || !old.escaped.is_disjoint(&old.plain) {
        return None;
    }
    let made = without(&edit.old, &old.escaped);
    if !old.escaped.is_disjoint(&new.escaped) {
        let mut taken = old.escaped.clone();
        for sign in new.escaped.difference(&old.escaped).filter(|sign| !old.plain.contains(sign)) {
            // What the needle has none of: those of a template are escaped together.
            let template = [Sign::Backtick, Sign::Placeholder];
            let is_template =
                template.contains(sign) && template.iter().any(|sign| old.escaped.contains(sign));
            if !is_template {
                return None;
            }
            taken.insert(*sign);
        }
        let mixed = new.escaped.intersection(&new.plain).any(|sign| taken.contains(sign));
        return (!mixed).then(|| Cleaning::new(made, without(&edit.new, &taken)));
    }
    // The replacement has none of them, or has them plain: it is right already. What else it has may be meant or not.
    let is_plain = !old.escaped.is_disjoint(&new.plain);
    let is_doubtful = new.escaped.iter().any(|sign| !old.plain.contains(sign));
    (is_plain || !is_doubtful).then(|| Cleaning::new(made, edit.new.clone()))
}

impl Signs {
    fn of(text: &str) -> Signs {
        let mut signs = Signs::default();
        for (at, is_escaped) in places(text) {
            if let Some(sign) = sign(&text[at..]) {
                if is_escaped {
                    signs.escaped.insert(sign)
                } else {
                    signs.plain.insert(sign)
                };
            }
        }
        signs
    }
}

/// Where the characters of a text stand, backslashes that escape one left out, and whether they are escaped.
fn places(text: &str) -> Vec<(usize, bool)> {
    let mut chars = text.char_indices();
    let mut places = Vec::new();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => places.extend(chars.next().map(|(at, _)| (at, true))),
            _ => places.push((at, false)),
        }
    }
    places
}

fn without(text: &str, signs: &BTreeSet<Sign>) -> String {
    let gone: BTreeSet<usize> = places(text)
        .into_iter()
        .filter(|(at, is_escaped)| {
            *is_escaped && sign(&text[*at..]).is_some_and(|sign| signs.contains(&sign))
        })
        .map(|(at, _)| at - 1)
        .collect();
    text.char_indices().filter(|(at, _)| !gone.contains(at)).map(|(_, char)| char).collect()
}

/// With each backslash of two taken for one.
pub(super) fn halved<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let is_doubled = |text: &str| runs(text).iter().all(|run| run.is_multiple_of(2));
    if runs(&edit.old).is_empty() || !is_doubled(&edit.old) {
        return None;
    }
    let half = |text: &str| text.replace("\\\\", "\\");
    if is_doubled(&edit.new) {
        return Some(Cleaning::new(half(&edit.old), half(&edit.new)));
    }
    // One with single ones only is right already.
    let is_single = runs(&edit.new).iter().all(|run| *run == 1);
    is_single.then(|| Cleaning::new(half(&edit.old), edit.new.clone()))
}

/// How many backslashes stand together, each time there are any.
fn runs(text: &str) -> Vec<usize> {
    text.split(|char| char != '\\').map(str::len).filter(|run| *run > 0).collect()
}
