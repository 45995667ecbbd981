//! What models add to a text on its way: taken off the needle and the replacement together.
//!
//! A [`Cleaning`] is a guess. It counts only where the cleaned needle then stands in the file, so none is made from a text
//! that was found as it is; and none is made where it is not clear what the replacement would be without the artefact.

mod backslashes;
mod claim;
mod dashes;
mod entities;
mod escapes;
mod marks;
mod numbers;
mod tabs;
mod wrappers;

use std::borrow::Cow;
use std::collections::HashSet;

pub(crate) use claim::Claim;
pub(crate) use tabs::tabbed_as;

/// An edit's two texts with one kind of artefact, or two, taken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cleaning<'e> {
    pub(crate) old: Cow<'e, str>,
    pub(crate) new: Cow<'e, str>,
    pub(crate) claim: Claim,
}

impl<'e> Cleaning<'e> {
    fn new(old: String, new: impl Into<Cow<'e, str>>) -> Cleaning<'e> {
        Cleaning { old: Cow::Owned(old), new: new.into(), claim: Claim::None }
    }

    fn claiming(self, claim: Claim) -> Cleaning<'e> {
        Cleaning { claim, ..self }
    }
}

impl Cleaning<'_> {
    /// Whether the replacement still has a line as it was in the needle before: it was not cleaned, though it had to be.
    fn repeats(&self, old: &str) -> bool {
        let (before, after): (HashSet<&str>, HashSet<&str>) =
            (old.split('\n').collect(), self.old.split('\n').collect());
        let is_left = |line: &str| !line.is_empty() && before.contains(line) && !after.contains(line);
        self.new.split('\n').any(is_left)
    }
}

/// Whether every line of both texts bears the mark of a diff, and one of the replacement is put in.
pub(crate) fn marked_as_diff(old: &str, new: &str) -> bool {
    new.split('\n').any(|line| line.starts_with('+'))
        && marks::without_diff(&Cleaning::new(old.to_owned(), new)).is_some()
}

/// All cleanings that change the needle, the likeliest first.
pub(crate) fn cleanings<'e>(old: &'e str, new: &'e str) -> Vec<Cleaning<'e>> {
    let plain = Cleaning { old: Cow::Borrowed(old), new: Cow::Borrowed(new), claim: Claim::None };
    let unwrapped = wrappers::without(&plain);
    let bare = unwrapped.as_ref().unwrap_or(&plain);
    let marks = [numbers::without(bare), marks::without_diff(bare), marks::without_bars(bare)];
    let mut all: Vec<Cleaning<'e>> = Vec::new();
    all.extend(escapes::broken_again(bare));
    all.extend(escapes::unquoted(bare));
    let twice: Vec<Cleaning<'e>> = all.iter().flat_map(escapes::unquoted).collect();
    all.extend(twice);
    all.extend(backslashes::unescaped(bare));
    let twice: Vec<Cleaning<'e>> = all.iter().filter_map(backslashes::unescaped).collect();
    all.extend(twice);
    all.extend(backslashes::halved(bare));
    all.extend(entities::unescaped(bare));
    all.extend(dashes::drawn(bare));
    all.extend(dashes::typed(bare));
    let first = marks.into_iter().flatten().chain(unwrapped.clone());
    let mut seen: Vec<Cleaning<'e>> = Vec::new();
    for cleaning in first.chain(all) {
        let is_edit = cleaning.old != old && cleaning.old != cleaning.new;
        let is_told = !cleaning.old.trim().is_empty() && !cleaning.repeats(old);
        if is_edit && is_told && !seen.contains(&cleaning) {
            seen.push(cleaning);
        }
    }
    seen
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
    fn numbers_on_some_lines() {
        check("1 | a\n  b\n3 | c", "d", &[("a\n  b\nc", "d")]);
        check("1 | a\n  b\n4 | c", "d", &[]);
        check("1: a\n  b\n3: c", "d", &[]);
        check("[7] a\n[8] b", "[7] c", &[("a\nb", "c")]);
        check("7) a\n8) b", "7) c\nd", &[]);
        check("7) a\n8) b", "1) c", &[]);
    }

    #[test]
    fn escapes() {
        check("a\\n\\tb", "c\\nd", &[("a\n\tb", "c\nd")]);
        check("a\\r\\nb\\r\\n", "c\\r\\n", &[("a\nb\n", "c\n")]);
        check("a(\\\"b\\\")", "a(\\\"c\\\")", &[("a(\"b\")", "a(\"c\")")]);
        check("a(\\\"b\\\")", "a(\"c\")", &[("a(\"b\")", "a(\"c\")")]);
        check(
            "p(\"a\\n\")\\nq()",
            "p(\"b\\n\")\\nq()",
            &[("p(\"a\\n\")\nq()", "p(\"b\\n\")\nq()"), ("p(\"a\n\")\nq()", "p(\"b\n\")\nq()")],
        );
    }

    #[test]
    fn backslashes() {
        check("\\`a ${b}\\`", "\\`c ${b}\\`", &[("`a ${b}`", "`c ${b}`")]);
        check("\\`a\\`", "\\`a \\${b}\\`", &[("`a`", "`a ${b}`")]);
        check("`a \\${b}`", "`c ${b}`", &[("`a ${b}`", "`c ${b}`")]);
        check("a\\/b", "a\\/c", &[("a/b", "a/c")]);
        // Escaped here and plain there: nobody knows which is meant.
        check("/a\\/b/", "/a/", &[]);
        check("\\`a\\`", "`a \\` b`", &[]);
        check("\\`a\\`", "\\`a \\$b\\`", &[]);
        check("\"a\\\\b\"", "\"a\\\\c\"", &[("\"a\\b\"", "\"a\\c\"")]);
        check("\"a\\\\b\"", "\"a\\c\"", &[("\"a\\b\"", "\"a\\c\"")]);
        check("\"a\\\\b\"", "\"a\\\\c\\n\"", &[]);
        check("'\\\\n'\nb", "'\\\\n'\n\"c\"", &[("'\\n'\nb", "'\\n'\n\"c\"")]);
    }

    #[test]
    fn entities() {
        check("a &lt; b", "a &lt;= b &amp;&amp; c", &[("a < b", "a <= b && c")]);
        check("a &lt; b", "a < b", &[]);
        check("a &lt; b", "a > b", &[("a < b", "a > b")]);
        check("a &lt; b", "a < c or \"&amp;\"", &[("a < b", "a < c or \"&amp;\"")]);
        check("&amp;lt;", "&amp;gt;", &[("&lt;", "&gt;")]);
        check("&lt;b&gt;&amp;", "x", &[("<b>&", "x"), ("<b>&amp;", "x")]);
        // Mixed.
        check("<p>a &lt; b", "<p>a &lt; c", &[]);
        check("a &lt; b", "a < b &lt; c", &[]);
        check("a &lt; b", "&amp;", &[]);
    }

    #[test]
    fn dashes() {
        check("a -- b", "a -- c", &[("a \u{2014} b", "a \u{2014} c")]);
        check("a -- b", "d", &[("a \u{2014} b", "d")]);
        check("a -- b", "i--", &[]);
        check("a\u{2014}b", "a\u{2014}c", &[("a--b", "a--c")]);
        check("a\u{2014}b", "a\u{2014}c--", &[]);
    }

    #[test]
    fn wrappers_and_marks() {
        check("<![CDATA[a]]>", "<![CDATA[b]]>", &[("a", "b")]);
        check("<<<<<<< SEARCH\na\n=======", "b\n>>>>>>> REPLACE", &[("a", "b")]);
        check("a\n=======", "b", &[]);
        check("src/a.py\nb", "src/a.py\nc", &[("b", "c")]);
        check("src/a.py\nb", "c", &[]);
        check(" a\n-b\n c", " a\n+d\n c", &[("a\nb\nc", "a\nd\nc")]);
        check("-a", "", &[]);
        check("- a\n- b", "- a\n- c", &[]);
        check(" a\n-b\n c", " a\n c", &[("a\nb\nc", "a\nc")]);
        check(" a\n-b\n c", " a\n d", &[]);
        check("| a\n|   b", "c", &[("a\n  b", "c")]);
        check("| a\n|   b", "| c\nd", &[]);
        check("| a", "c", &[]);
    }
}
