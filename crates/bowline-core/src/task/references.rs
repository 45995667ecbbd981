//! Which tokens of a message can be names of code, and in which form.

use super::Form;
use super::tokens::{Kind, Token};
use super::vocabulary::{KINDS, NOT_NAMES, PROPER_NOUNS, STOP_WORDS};

const NAME_BYTES_MAX: usize = 120;
/// A shorter word in capitals is "I" or the name of a type parameter.
const CAPITALS_CHARS_MIN: usize = 3;

pub(super) fn is_identifier(text: &str) -> bool {
    let mut signs = text.chars();
    let is_first = signs.next().is_some_and(|sign| sign.is_alphabetic() || sign == '_' || sign == '$');
    is_first
        && text.len() <= NAME_BYTES_MAX
        && signs.all(|sign| sign.is_alphanumeric() || sign == '_' || sign == '$')
}

/// The last part of a qualified name.
pub(super) fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '#', '>']).next().unwrap_or(name)
}

/// The parts of a qualified name, if it is one.
fn is_qualified(text: &str) -> bool {
    let separator = ["::", "->", "#", "."].into_iter().find(|separator| text.contains(separator));
    separator.is_some_and(|separator| {
        text.len() <= NAME_BYTES_MAX
            && text.split(separator).all(is_identifier)
            && !text.starts_with(separator)
    })
}

/// Without `self.` and `this.`, which say nothing about whose it is.
fn without_self(text: &str) -> &str {
    let text = text.strip_prefix('$').filter(|name| is_identifier(name)).unwrap_or(text);
    let rest = text
        .strip_prefix("self.")
        .or_else(|| text.strip_prefix("this."))
        .or_else(|| text.strip_prefix("this->"));
    rest.or_else(|| text.strip_prefix("self::")).or_else(|| text.strip_prefix("Self::")).unwrap_or(text)
}

/// The word without `'s`.
pub(super) fn without_possessive(text: &str) -> &str {
    text.strip_suffix("'s").or_else(|| text.strip_suffix("\u{2019}s")).unwrap_or(text)
}

/// The name that a token is by its own form, without regard to its neighbours.
pub(super) fn marked<'a>(token: &Token<'a>) -> Option<(&'a str, Form)> {
    match token.kind {
        Kind::Backticks => in_backticks(token.text),
        Kind::Call => called(token.text).map(|name| (name, form_of_call(name))),
        Kind::Word => word(without_possessive(token.text)),
        Kind::Quoted | Kind::Mark => None,
    }
}

/// Whether a name is that of an error, whose call makes a value: `ValueError("too low")`.
pub(super) fn is_exception(name: &str) -> bool {
    name.ends_with("Error") || name.ends_with("Exception")
}

fn form_of_call(name: &str) -> Form {
    if is_exception(name) {
        Form::Camel
    } else if is_identifier(name) {
        Form::Call
    } else {
        Form::Qualified
    }
}

/// The name of a call: `cart.total` of `cart.total(1)`.
fn called(text: &str) -> Option<&str> {
    let (name, _) = text.split_once('(')?;
    let name = without_self(name);
    let is_name = is_identifier(name) || is_qualified(name);
    (is_name && !NOT_NAMES.has(&name.to_lowercase())).then_some(name)
}

fn in_backticks(text: &str) -> Option<(&str, Form)> {
    let text = without_possessive(text);
    if let Some(name) = defined(text) {
        return Some((name, Form::Kinded));
    }
    if text.ends_with(')') && !text.contains(") ") {
        return called(text).map(|name| (name, form_of_call(name)));
    }
    if super::paths::is_path(text) {
        return None;
    }
    let text = without_self(text);
    if is_identifier(text) {
        return (!NOT_NAMES.has(&text.to_lowercase())).then_some((text, Form::Backticks));
    }
    if is_qualified(text) {
        return Some((text, Form::Qualified));
    }
    with_arguments(text).map(|name| (name, Form::Backticks))
}

/// The name of a shell function that is shown with what it takes: `retry COUNT COMMAND...`.
fn with_arguments(text: &str) -> Option<&str> {
    let (name, arguments) = text.split_once(' ')?;
    let is_argument = |word: &str| {
        let word = word.trim_matches(['[', ']', '.', '<', '>']);
        !word.is_empty() && word.chars().all(|sign| sign.is_ascii_uppercase() || matches!(sign, '_' | '-'))
    };
    let is_plain = is_identifier(name) && name.chars().all(|sign| !sign.is_uppercase());
    (is_plain && arguments.split(' ').all(is_argument)).then_some(name)
}

/// The name that a line of code defines: `class Cart`, `pub fn parse(s: &str) -> Vec<u32>`.
fn defined(text: &str) -> Option<&str> {
    let mut rest = text;
    for modifier in ["export ", "default ", "public ", "private ", "static ", "pub ", "async ", "final "] {
        rest = rest.strip_prefix(modifier).unwrap_or(rest);
    }
    let (kind, rest) = rest.split_once(' ')?;
    let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let is_definition = after.is_empty() || after.trim_start().starts_with(['(', ':', '<', '=', '{']);
    (KINDS.has(kind) && is_identifier(name) && is_definition).then_some(name)
}

fn word(text: &str) -> Option<(&str, Form)> {
    if super::paths::is_path(text) || text.contains("//") {
        return None;
    }
    if is_qualified(text) {
        return qualified(without_self(text));
    }
    let text = without_self(text);
    if !is_identifier(text) {
        return None;
    }
    shape(text).map(|form| (text, form))
}

/// The form that a word shows by its letters alone.
pub(super) fn shape(text: &str) -> Option<Form> {
    let has_lower = text.chars().any(char::is_lowercase);
    let has_upper = text.chars().any(char::is_uppercase);
    let inner = text.trim_matches('_');
    if inner.is_empty() {
        return None;
    }
    if text.contains('_') {
        return Some(if has_upper && !has_lower { Form::Constant } else { Form::Snake });
    }
    if PROPER_NOUNS.has(&text.to_lowercase()) || !has_upper {
        return None;
    }
    if !has_lower {
        return (text.chars().count() >= CAPITALS_CHARS_MIN).then_some(Form::Capitals);
    }
    let signs: Vec<char> = text.chars().collect();
    let turns = signs.windows(2).filter(|pair| pair[0].is_lowercase() && pair[1].is_uppercase()).count();
    // "md5Key"
    let has_digit_turn = signs
        .windows(3)
        .any(|three| three[0].is_ascii_digit() && three[1].is_uppercase() && three[2].is_lowercase())
        && text.starts_with(char::is_lowercase);
    // "IDs" and "URLs" are plurals; "HTTPServer" is a name.
    let acronym = signs
        .windows(3)
        .any(|three| three[0].is_uppercase() && three[1].is_uppercase() && three[2].is_lowercase())
        && !text.ends_with('s');
    (turns > 0 || has_digit_turn || acronym && signs.len() > 4).then_some(Form::Camel)
}

fn qualified(text: &str) -> Option<(&str, Form)> {
    if is_identifier(text) {
        return Some((text, Form::Qualified));
    }
    let last = last_part(text).to_lowercase();
    let is_domain =
        matches!(last.as_str(), "com" | "org" | "net" | "io" | "dev" | "app" | "js" | "exe" | "zip" | "g");
    let is_short = text.split('.').all(|part| part.chars().count() < 2);
    let is_joint = text.split_once('.').is_some_and(|(before, after)| {
        // "done.Then" is two sentences without a space between them.
        let starts_upper = after.starts_with(|sign: char| sign.is_uppercase());
        starts_upper && STOP_WORDS.has(&after.to_lowercase()) || STOP_WORDS.has(&before.to_lowercase())
    });
    (!is_domain && !is_short && !is_joint).then_some((text, Form::Qualified))
}

/// The name that a token is where the sentence says that it is one: behind "rename", "function", "called".
pub(super) fn meant<'a>(token: &Token<'a>) -> Option<&'a str> {
    if let Some((name, _)) = marked(token) {
        return Some(name);
    }
    let text = without_possessive(token.text);
    let is_name = matches!(token.kind, Kind::Word | Kind::Quoted | Kind::Backticks) && is_identifier(text);
    let is_english = token.kind == Kind::Word && STOP_WORDS.has(&text.to_lowercase());
    (is_name && !is_english && !super::paths::is_path(text)).then_some(text)
}

/// A kind of definition in the singular: "functions" is `function`.
pub(super) fn kind_of(token: &Token<'_>) -> Option<&'static str> {
    if token.kind != Kind::Word {
        return None;
    }
    let word = token.lower.as_str();
    let singular = [word.strip_suffix("es"), word.strip_suffix('s')];
    let is_kind = |kind: &&str| *kind == word || singular.contains(&Some(*kind));
    KINDS.iter().find(is_kind).or((word == "properties").then_some("property"))
}

/// A kind that makes the word beside it a name. A test, a file or an option does not.
pub(super) fn naming_kind_of(token: &Token<'_>) -> Option<&'static str> {
    let names_nothing = |kind: &&str| {
        matches!(
            *kind,
            "file" | "import" | "flag" | "option" | "case" | "let" | "var" | "static" | "test" | "package"
        )
    };
    kind_of(token).filter(|kind| !names_nothing(kind))
}
