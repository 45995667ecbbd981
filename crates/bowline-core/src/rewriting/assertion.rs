//! An assertion of a test, taken apart into what it calls and what has to come out of that.
//!
//! "`pages(5, 10)` returns 0, and it has to return 1" leads a small model to the bug where the assertion as it stands in the
//! test makes it repeat the code. Only the plain forms of the common test libraries are known; any other is shown as it is.

use crate::failure::Assertion;

/// What a call has to yield, as the test writes both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expectation<'a> {
    pub(super) call: &'a str,
    pub(super) expected: &'a str,
}

/// A side of an assertion that is longer says too much for a sentence. Characters.
const SIDE_CHARS_MAX: usize = 200;
/// Functions that compare their first two arguments.
const EQUALS: [&str; 17] = [
    "assert_eq!(",
    "self.assertEqual(",
    "self.assertEquals(",
    "self.assertListEqual(",
    "self.assertDictEqual(",
    "self.assertAlmostEqual(",
    "assert.equal(",
    "assert.strictEqual(",
    "assert.deepEqual(",
    "assert.deepStrictEqual(",
    "assertEquals(",
    "assert_equal(",
    "assert_equal ",
    "t.is(",
    "t.equal(",
    "t.deepEqual(",
    "strictEqual(",
];
const MATCHERS: [&str; 5] = ["toBe(", "toEqual(", "toStrictEqual(", "to.equal(", "to.eql("];
/// Assertions about one value, which has to be true or false.
const TRUTHS: [(&str, bool); 7] = [
    ("assert!(", true),
    ("self.assertTrue(", true),
    ("self.assertFalse(", false),
    ("assert.ok(", true),
    ("assertTrue(", true),
    ("assertFalse(", false),
    ("assert(", true),
];

/// Reads an assertion about something that `name` is called for.
pub(super) fn expectation<'a>(statement: &'a str, name: &str) -> Option<Expectation<'a>> {
    let statement = statement.trim().trim_end_matches(';').trim_end();
    let (left, right) = sides(statement)?;
    let calls = |side: &str| side.contains(&format!("{name}("));
    let (call, expected) = match (calls(left), calls(right)) {
        (true, false) => (left, right),
        (false, true) => (right, left),
        _ => return None,
    };
    let is_short = |side: &str| side.chars().count() <= SIDE_CHARS_MAX && !side.contains('\n');
    (is_short(call) && is_short(expected)).then_some(Expectation { call, expected })
}

/// Both sides of a comparison, in the order of the source.
fn sides(statement: &str) -> Option<(&str, &str)> {
    if let Some(rest) = EQUALS.iter().find_map(|start| statement.strip_prefix(start)) {
        let arguments = arguments(rest);
        return Some((arguments.first()?, arguments.get(1)?));
    }
    if let Some(rest) = statement.strip_prefix("expect(") {
        let call = *arguments(rest).first()?;
        let (_, matcher) = rest.get(call.len()..)?.split_once(").")?;
        let rest = MATCHERS.iter().find_map(|start| matcher.strip_prefix(start))?;
        return Some((call, arguments(rest).first()?));
    }
    let (text, truth) = match statement.strip_prefix("assert ") {
        Some(rest) => (*arguments(rest).first()?, true),
        None => {
            let found =
                TRUTHS.iter().find_map(|(start, truth)| Some((statement.strip_prefix(start)?, truth)));
            let (rest, truth) = found?;
            (*arguments(rest).first()?, *truth)
        }
    };
    if let Some(sides) = compared(text) {
        return truth.then_some(sides);
    }
    let (call, truth) = text.strip_prefix("not ").map_or((text, truth), |call| (call.trim(), !truth));
    // Only a value by itself: a comparison of another kind, or several at once, is shown as it stands in the test.
    let is_value =
        !call.contains(['<', '>', '=', '&', '|']) && !call.contains(" and ") && !call.contains(" in ");
    is_value.then_some((call, if truth { "true" } else { "false" }))
}

/// The arguments up to the parenthesis that closes the call, or up to the end of the text.
fn arguments(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, sign) in outermost(text) {
        match sign {
            ')' | ']' | '}' => {
                found.extend(text.get(from..at).map(str::trim));
                return found;
            }
            ',' => {
                found.extend(text.get(from..at).map(str::trim));
                from = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(from..).map(str::trim));
    found
}

/// Both sides of `==` or `===` outside all brackets and quotes.
fn compared(text: &str) -> Option<(&str, &str)> {
    let at = outermost(text).find(|(at, _)| text.get(*at..).is_some_and(|rest| rest.starts_with("==")))?.0;
    let left = text.get(..at)?.trim();
    let right = text.get(at..)?.trim_start_matches('=').trim();
    let is_plain = |side: &str| !side.is_empty() && !side.contains(" and ") && !side.contains("&&");
    (is_plain(left) && is_plain(right)).then_some((left, right))
}

/// The signs of a text that are outside brackets and quotes; a bracket that closes the text itself is one of them.
fn outermost(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut depth = 0_usize;
    let mut quote: Option<char> = None;
    let mut is_escaped = false;
    text.char_indices().filter(move |(_, sign)| {
        if let Some(open) = quote {
            if !is_escaped && *sign == open {
                quote = None;
            }
            is_escaped = !is_escaped && *sign == '\\';
            return false;
        }
        match sign {
            '"' | '\'' | '`' => quote = Some(*sign),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => {
                depth -= 1;
                return false;
            }
            _ => {}
        }
        depth == 0 && quote.is_none()
    })
}

/// What is wrong with a call, in a sentence.
pub(super) fn sentence(expectation: &Expectation<'_>, values: Option<&Assertion>) -> String {
    let Expectation { call, expected } = expectation;
    match values.and_then(|values| actual(expected, values)) {
        Some(actual) => format!("`{call}` returns {actual}, and it has to return {expected}."),
        None => format!("`{call}` has to return {expected}, and it does not."),
    }
}

/// The value that is not the expected one. Runners do not agree on which side is which.
fn actual<'a>(expected: &str, values: &'a Assertion) -> Option<&'a str> {
    let plain = |text: &str| text.trim().trim_matches(['"', '\'', '`']).to_owned();
    let is_short = |text: &&str| text.chars().count() <= SIDE_CHARS_MAX && !text.contains('\n');
    let (first, second) = (plain(&values.actual), plain(&values.expected));
    let actual = if first == plain(expected) && second != first { &values.expected } else { &values.actual };
    Some(actual.as_str()).filter(is_short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_forms_are_taken_apart() {
        let cases = [
            (r#"assert_eq!(pages(0, 10), 1);"#, "pages", Some(("pages(0, 10)", "1"))),
            (r#"assert_eq!(pages(0, 10), 1, "no rows: {}", 0);"#, "pages", Some(("pages(0, 10)", "1"))),
            (r#"assert pages(5, 10) == 1"#, "pages", Some(("pages(5, 10)", "1"))),
            (r#"assert pages(5, 10) == 1, "rounded""#, "pages", Some(("pages(5, 10)", "1"))),
            (r#"assert slug("a == b") == "a-b""#, "slug", Some((r#"slug("a == b")"#, r#""a-b""#))),
            (r#"self.assertEqual([1, 2], top(3))"#, "top", Some(("top(3)", "[1, 2]"))),
            (r#"expect(sum([1, 2])).toBe(3);"#, "sum", Some(("sum([1, 2])", "3"))),
            (r#"assert.equal(cut('a)b', 1), ')');"#, "cut", Some(("cut('a)b', 1)", "')'"))),
            (r#"assert overlaps((1, 2), (2, 3))"#, "overlaps", Some(("overlaps((1, 2), (2, 3))", "true"))),
            (r#"assert not is_leap(1900)"#, "is_leap", Some(("is_leap(1900)", "false"))),
            (r#"self.assertFalse(is_leap(1900))"#, "is_leap", Some(("is_leap(1900)", "false"))),
            (r#"assert f(1) == 1 and f(2) == 2"#, "f", None),
            (r#"let x = f(1);"#, "f", None),
        ];
        for (statement, name, expected) in cases {
            let found = expectation(statement, name).map(|found| (found.call, found.expected));
            assert_eq!(found, expected, "{statement}");
        }
    }

    #[test]
    fn the_sentence_has_the_value_that_came_out() {
        let wanted = Expectation { call: "pages(5, 10)", expected: "1" };
        let values = |expected: &str, actual: &str| Assertion {
            expected: expected.to_owned(),
            actual: actual.to_owned(),
        };
        let says = |values: Option<Assertion>| sentence(&wanted, values.as_ref());
        assert_eq!(says(Some(values("1", "0"))), "`pages(5, 10)` returns 0, and it has to return 1.");
        assert_eq!(says(Some(values("0", "1"))), "`pages(5, 10)` returns 0, and it has to return 1.");
        assert_eq!(says(None), "`pages(5, 10)` has to return 1, and it does not.");
    }
}
