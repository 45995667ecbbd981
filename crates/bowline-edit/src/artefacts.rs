//! What models add to a text on its way: taken off the needle and the replacement together.
//!
//! A [`Cleaning`] is a guess. It counts only where the cleaned needle then stands in the file, so none is made from a text
//! that was found as it is.

mod escapes;
mod numbers;

use std::borrow::Cow;

/// An edit's two texts with one kind of artefact, or two, taken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cleaning<'e> {
    pub(crate) old: Cow<'e, str>,
    pub(crate) new: Cow<'e, str>,
}

/// All cleanings that change the needle, the likeliest first.
pub(crate) fn cleanings<'e>(old: &'e str, new: &'e str) -> Vec<Cleaning<'e>> {
    let plain = Cleaning { old: Cow::Borrowed(old), new: Cow::Borrowed(new) };
    let unfenced = unfence(&plain);
    let bare = unfenced.as_ref().unwrap_or(&plain);
    let unnumbered = numbers::without(bare);
    let mut all: Vec<Cleaning<'e>> = Vec::new();
    all.extend(escapes::broken_again(bare));
    all.extend(escapes::unquoted(bare));
    let twice: Vec<Cleaning<'e>> = all.iter().flat_map(escapes::unquoted).collect();
    all.extend(twice);
    let first = unnumbered.into_iter().chain(unfenced);
    let mut seen: Vec<Cleaning<'e>> = Vec::new();
    for cleaning in first.chain(all) {
        if cleaning.old != old && !cleaning.old.trim().is_empty() && !seen.contains(&cleaning) {
            seen.push(cleaning);
        }
    }
    seen
}

/// Without the code fence around it.
fn unfence<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let old = inside_fence(&edit.old)?.to_owned();
    let new = inside_fence(&edit.new).map_or_else(|| edit.new.clone(), |new| Cow::Owned(new.to_owned()));
    Some(Cleaning { old: Cow::Owned(old), new })
}

fn inside_fence(text: &str) -> Option<&str> {
    let text = text.trim_matches('\n');
    let (open, rest) = text.split_once('\n')?;
    let mark = ["```", "~~~"].into_iter().find(|mark| open.trim_start().starts_with(mark))?;
    // The line that opens a fence holds a language at most.
    if open.trim().trim_start_matches(['`', '~']).contains([' ', '`']) {
        return None;
    }
    if rest.trim() == mark {
        return Some("");
    }
    let (inside, close) = rest.rsplit_once('\n')?;
    (close.trim() == mark).then_some(inside)
}

#[cfg(test)]
mod tests {
    use super::cleanings;

    #[track_caller]
    fn check(old: &str, new: &str, expected: &[(&str, &str)]) {
        let made = cleanings(old, new);
        let made: Vec<(&str, &str)> = made.iter().map(|made| (&*made.old, &*made.new)).collect();
        assert_eq!(made, expected);
    }

    #[test]
    fn fences_and_numbers() {
        check("```rust\na\nb\n```", "```rust\nc\n```", &[("a\nb", "c")]);
        check("```\na\n```", "c", &[("a", "c")]);
        check("12| a\n13|\n14|   b", "12| a\n13| c", &[("a\n\n  b", "a\nc")]);
        check("  7\ta\n  8\tb", "x", &[("a\nb", "x")]);
        check("```\n7: a\n8: b\n```", "```\n7: c\n```", &[("a\nb", "c"), ("7: a\n8: b", "7: c")]);
        check("7| a\n9| b", "x", &[]);
        check("a\nb", "c", &[]);
    }

    #[test]
    fn escapes() {
        check("a\\n\\tb", "c\\nd", &[("a\n\tb", "c\nd")]);
        check("a(\\\"b\\\")", "a(\\\"c\\\")", &[("a(\"b\")", "a(\"c\")")]);
        check("a(\\\"b\\\")", "a(\"c\")", &[("a(\"b\")", "a(\"c\")")]);
        check(
            "p(\"a\\n\")\\nq()",
            "p(\"b\\n\")\\nq()",
            &[("p(\"a\\n\")\nq()", "p(\"b\\n\")\nq()"), ("p(\"a\n\")\nq()", "p(\"b\n\")\nq()")],
        );
    }
}
