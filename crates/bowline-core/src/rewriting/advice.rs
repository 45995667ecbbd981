//! What an error means, in a sentence that a small model can act on: "`rows` can be empty here".
//!
//! A model of this size reads "IndexError: list index out of range" and adds another line that fails in the same way. What always
//! holds: the advice says what can be the case, and never what the code has to do instead; errors that are not known give none.

/// What kind of surprise an error speaks of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Something is shorter than the code assumes.
    TooShort,
    Zero,
    MissingKey,
    /// Python's `None`, and Rust's where it is unwrapped.
    None,
    Undefined,
    Null,
    /// A whole number without a sign would fall below zero.
    BelowZero,
    TooLarge,
    ConstantAssigned,
}

/// How the errors read, each by a part of its text.
const ERRORS: [(&str, Cause); 21] = [
    ("list index out of range", Cause::TooShort),
    ("string index out of range", Cause::TooShort),
    ("tuple index out of range", Cause::TooShort),
    ("pop from empty list", Cause::TooShort),
    ("arg is an empty sequence", Cause::TooShort),
    ("iterable argument is empty", Cause::TooShort),
    ("index out of bounds", Cause::TooShort),
    ("index out of range", Cause::TooShort),
    ("ZeroDivisionError", Cause::Zero),
    ("attempt to divide by zero", Cause::Zero),
    ("divisor of zero", Cause::Zero),
    ("integer divide by zero", Cause::Zero),
    ("KeyError", Cause::MissingKey),
    ("'NoneType' object", Cause::None),
    ("on a `None` value", Cause::None),
    ("properties of undefined", Cause::Undefined),
    ("as it is undefined", Cause::Undefined),
    ("properties of null", Cause::Null),
    ("attempt to subtract with overflow", Cause::BelowZero),
    ("with overflow", Cause::TooLarge),
    ("Assignment to constant variable", Cause::ConstantAssigned),
];

/// What to consider about an error on a line of code; the line may be empty.
pub(super) fn advice(error: &str, line: &str, language: &str) -> Option<String> {
    let (_, cause) = ERRORS.iter().find(|(part, _)| error.contains(part))?;
    let named = |found: Option<&str>, other: &str| found.map_or(other.to_owned(), |text| format!("`{text}`"));
    Some(match cause {
        Cause::TooShort => {
            let indexed = indexed(line);
            let what = named(indexed, "A list or text");
            format!("{what} can be empty or too short here. {}", test_first(indexed, line, language))
        }
        Cause::Zero => {
            format!("{} can be 0 here. Test that before this line.", named(divisor(line), "The divisor"))
        }
        Cause::MissingKey => {
            format!("The key {} can be missing here.", key(error).unwrap_or("that is looked up"))
        }
        Cause::None => "A value can be None here. Handle that before it is used.".to_owned(),
        Cause::Undefined => {
            let what = named(quoted_owner(error).or_else(|| owner(error, line)), "A value");
            format!("{what} can be undefined here. Test that before it is used.")
        }
        Cause::Null => {
            format!("{} can be null here. Test that before it is used.", named(owner(error, line), "A value"))
        }
        Cause::BelowZero => "The result would be less than 0 here, which this type cannot hold.".to_owned(),
        Cause::TooLarge => "The result would be too large for this type here.".to_owned(),
        Cause::ConstantAssigned => "Declare it with `let` where it is given another value later.".to_owned(),
    })
}

/// Where the test goes: in front of it in its own condition, or before the line.
fn test_first(indexed: Option<&str>, line: &str, language: &str) -> String {
    let is_condition = ["if ", "elif ", "while "].iter().any(|word| line.trim_start().starts_with(word));
    match indexed.filter(|_| is_condition && language == "python") {
        Some(indexed) => format!("Test that in the same line, on the left: `if {indexed} and …`."),
        None => "Test that before this line.".to_owned(),
    }
}

/// The one thing that the line takes an element of: `self.rows` in `if day <= self.rows[-1][0]:`.
fn indexed(line: &str) -> Option<&str> {
    let opened = line.match_indices('[').filter_map(|(at, _)| {
        let before = line.get(..at)?;
        let start = before.rfind(|sign: char| !is_part(sign)).map_or(0, |at| at + 1);
        before.get(start..).filter(|name| !name.is_empty())
    });
    only(opened)
}

/// What stands behind the one slash of a line, as far as it is a name or a call without arguments.
fn divisor(line: &str) -> Option<&str> {
    let mut parts = line.split(['/', '%']).map(str::trim_start).filter(|part| !part.is_empty());
    let (_, behind, None) = (parts.next()?, parts.next()?, parts.next()) else { return None };
    let end = behind.find(|sign: char| !is_part(sign)).unwrap_or(behind.len());
    let end = if behind.get(end..).is_some_and(|rest| rest.starts_with("()")) { end + 2 } else { end };
    behind.get(..end).filter(|name| name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_'))
}

/// The key that Python names: `KeyError: 'size'`.
fn key(error: &str) -> Option<&str> {
    let (_, key) = error.split_once("KeyError: ")?;
    key.lines().next().map(str::trim).filter(|key| !key.is_empty())
}

/// `config.quiet` in "Cannot destructure property 'from' of 'config.quiet' as it is undefined".
fn quoted_owner(error: &str) -> Option<&str> {
    let (_, rest) = error.split_once(" of '")?;
    rest.split('\'').next().filter(|name| !name.is_empty())
}

/// What stands in front of the property that could not be read: `(reading 'name')`.
fn owner<'a>(error: &str, line: &'a str) -> Option<&'a str> {
    let (_, rest) = error.split_once("(reading '")?;
    let member = format!(".{}", rest.split('\'').next()?);
    let owners = line.match_indices(&member).filter_map(|(at, _)| {
        let before = line.get(..at)?;
        let start = before.rfind(|sign: char| !is_part(sign)).map_or(0, |at| at + 1);
        before.get(start..).filter(|name| !name.is_empty())
    });
    only(owners)
}

fn is_part(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '.' | '$')
}

/// The only text of several that are all the same.
fn only<'a>(mut texts: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = texts.next()?;
    texts.all(|text| text == first).then_some(first)
}
