//! One configuration file: read within bounds, parsed, each setting with its line, everything wrong with it said.
//!
//! What always holds: reading makes no file, and a file with anything wrong in it counts for nothing.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::schema::{self, Key, SchemaNode, ValueKind};

/// Far more than anybody writes by hand.
const BYTES_MAX: u64 = 1024 * 1024;

/// A file with all its settings, in their order.
#[derive(Debug, Clone)]
pub struct Source {
    pub path: PathBuf,
    /// The hash of the file's bytes, in hexadecimal.
    pub hash: String,
    pub settings: Vec<Setting>,
}

#[derive(Debug, Clone)]
pub struct Setting {
    pub path: Vec<String>,
    pub value: Value,
    pub key: &'static Key,
    pub place: Place,
}

/// A file's name and line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.line)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Text(String),
    Count(i64),
    Number(f64),
    Texts(Vec<String>),
    Switch(bool),
}

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("the configuration {file} cannot be read: {why}")]
    Unreadable { file: String, why: String },
    #[error("{place}: this is not TOML: {what}. Fix the line or comment it out")]
    Broken { place: String, what: String },
    #[error("{place}: there is no setting {key}. {hint}")]
    Unknown { place: Place, key: String, hint: String },
    #[error("{place}: {key} can't be empty")]
    Empty { place: Place, key: String },
    #[error("{place}: {key} takes {expected}, but this is {found}")]
    Wrong { place: Place, key: String, expected: String, found: String },
}

impl Source {
    /// The file's settings; none where there is no file.
    pub fn read(path: &Path) -> Result<Option<Source>, ConfigError> {
        let Some(bytes) = bytes(path)? else { return Ok(None) };
        Source::parse(path, &bytes).map(Some)
    }

    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Source, ConfigError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            unreadable(path, &format!("line {line} is not UTF-8. Save it as UTF-8"))
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let reading = Reading { file: path.display().to_string(), text };
        let (table, errors) = DeTable::parse_recoverable(text);
        let start = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
        // The first one: those after it follow from it.
        if let Some(error) = errors.iter().min_by_key(|error| start(error)) {
            let (line, column) = reading.position(start(error));
            let what = error.message().trim().replace('\n', ", ");
            return Err(ConfigError::Broken { place: format!("{}:{line}:{column}", reading.file), what });
        }
        let mut settings = Vec::new();
        reading.walk(table.get_ref(), &[], &mut settings)?;
        // The parser sorts by name; the first of several patterns counts, so their order matters.
        settings.sort_by_key(|setting| setting.place.line);
        check_addresses(&settings)?;
        Ok(Source { path: path.to_owned(), hash: format!("{:x}", Sha256::digest(bytes)), settings })
    }
}

fn unreadable(path: &Path, why: &str) -> ConfigError {
    ConfigError::Unreadable { file: path.display().to_string(), why: why.to_owned() }
}

/// The file's bytes; none where there is no file.
pub(super) fn bytes(path: &Path) -> Result<Option<Vec<u8>>, ConfigError> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::PermissionDenied => unreadable(path, "it may not be read by you. Change its permissions"),
        _ => unreadable(path, &format!("{error}. Move it away, or name another with --config")),
    };
    // A pipe would be waited for without end, so what it is comes before opening it.
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(error)),
    };
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "a folder" } else { "not a file" };
        return Err(unreadable(path, &format!("it is {what}. Move it away, or name another with --config")));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(BYTES_MAX + 1).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() as u64 > BYTES_MAX {
        let why =
            "it is larger than 1 MiB, so it is something else. Move it away, or name another with --config";
        return Err(unreadable(path, why));
    }
    Ok(Some(bytes))
}

struct Reading<'a> {
    file: String,
    text: &'a str,
}

impl Reading<'_> {
    /// Line and column of a byte, from one.
    fn position(&self, byte: usize) -> (usize, usize) {
        let before = self.text.get(..byte).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (1 + before.matches('\n').count(), 1 + line.chars().count())
    }

    fn place(&self, span: std::ops::Range<usize>) -> Place {
        Place { file: self.file.clone(), line: self.position(span.start).0 }
    }

    fn walk(
        &self,
        table: &DeTable<'_>,
        above: &[String],
        settings: &mut Vec<Setting>,
    ) -> Result<(), ConfigError> {
        // In the file's order, so that the first mistake is the one that is told.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(word, _)| word.span().start);
        for (word, value) in entries {
            let path: Vec<String> = above.iter().cloned().chain([word.get_ref().to_string()]).collect();
            let place = self.place(word.span());
            let wrong = |expected: String, found: String| ConfigError::Wrong {
                place: place.clone(),
                key: schema::dotted(&path),
                expected,
                found,
            };
            match (schema::at(&path), value.get_ref()) {
                (SchemaNode::Nothing, _) => {
                    let (key, hint) = (schema::dotted(&path), schema::hint(&path));
                    return Err(ConfigError::Unknown { place, key, hint });
                }
                (SchemaNode::Table, DeValue::Table(below)) => {
                    check_name(&path).map_err(|expected| wrong(expected.to_owned(), "another".to_owned()))?;
                    self.walk(below, &path, settings)?;
                }
                (SchemaNode::Table, value) => {
                    return Err(wrong(
                        format!("settings of its own, as in [{}]", schema::dotted(&path)),
                        found(value),
                    ));
                }
                (SchemaNode::Setting(Key { kind: ValueKind::Text, .. }), DeValue::String(text))
                    if text.trim().is_empty() =>
                {
                    return Err(ConfigError::Empty { place, key: schema::dotted(&path) });
                }
                (SchemaNode::Setting(key), _) => {
                    let value =
                        parse_value(key.kind, value).map_err(|found| wrong(key.kind.to_string(), found))?;
                    settings.push(Setting { path, value, key, place });
                }
            }
        }
        Ok(())
    }
}

/// A server's name stands before the slash of a model's full name.
fn check_name(path: &[String]) -> Result<(), &'static str> {
    let [table, name] = path else { return Ok(()) };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match table.as_str() {
        "servers" if name.is_empty() || !name.chars().all(is_plain) => {
            Err("a name of letters, digits, - and _ alone")
        }
        "models" if globset::Glob::new(name).is_err() => Err("a pattern, as in [models.\"qwen3*\"]"),
        _ => Ok(()),
    }
}

/// Every server says where it is.
fn check_addresses(settings: &[Setting]) -> Result<(), ConfigError> {
    let server = |setting: &Setting| match setting.path.as_slice() {
        [table, name, field] if table == "servers" => Some((name.clone(), field.clone())),
        _ => None,
    };
    for setting in settings {
        let Some((name, _)) = server(setting) else { continue };
        let address = Some((name.clone(), "base_url".to_owned()));
        if !settings.iter().any(|other| server(other) == address) {
            return Err(ConfigError::Wrong {
                place: setting.place.clone(),
                key: schema::dotted(&["servers".to_owned(), name]),
                expected: "an address, as in base_url = \"http://10.0.0.5:8080/v1\"".to_owned(),
                found: "a server without one".to_owned(),
            });
        }
    }
    Ok(())
}

/// The value if it is what is due, else what it is.
fn parse_value(kind: ValueKind, value: &Spanned<DeValue<'_>>) -> Result<Value, String> {
    let value = value.get_ref();
    let other = || Err(found(value));
    match (kind, value) {
        (ValueKind::Texts, DeValue::Array(list)) => {
            let mut texts = Vec::new();
            for entry in list.iter() {
                match entry.get_ref() {
                    DeValue::String(text) => texts.push(text.to_string()),
                    entry => return Err(format!("a list with {} in it", found(entry))),
                }
            }
            Ok(Value::Texts(texts))
        }
        (
            ValueKind::Text | ValueKind::Address | ValueKind::Variable | ValueKind::Word(_),
            DeValue::String(text),
        ) => {
            // What is no name of a variable may be the key itself, which is not repeated.
            let found =
                || if kind == ValueKind::Variable { "something else".to_owned() } else { found(value) };
            of_text(kind, text).ok_or_else(found)
        }
        (ValueKind::Switch, DeValue::Boolean(is_on)) => Ok(Value::Switch(*is_on)),
        (ValueKind::Count { .. }, DeValue::Integer(number)) => {
            let number = i64::from_str_radix(&number.as_str().replace('_', ""), number.radix());
            number.ok().and_then(|number| of_count(kind, number)).ok_or_else(|| found(value))
        }
        (ValueKind::Number { .. }, DeValue::Integer(number)) => {
            of_number(kind, number.as_str()).map_or_else(other, Ok)
        }
        (ValueKind::Number { .. }, DeValue::Float(number)) => {
            of_number(kind, number.as_str()).map_or_else(other, Ok)
        }
        _ => other(),
    }
}

fn of_text(kind: ValueKind, text: &str) -> Option<Value> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_valid = match kind {
        ValueKind::Word(words) => words.contains(&text),
        ValueKind::Address => {
            let address = reqwest::Url::parse(text).ok();
            address.is_some_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        }
        ValueKind::Variable => {
            text.chars().all(is_word) && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        }
        _ => !text.trim().is_empty(),
    };
    is_valid.then(|| Value::Text(text.to_owned()))
}

fn of_count(kind: ValueKind, number: i64) -> Option<Value> {
    let ValueKind::Count { least, most } = kind else { return None };
    (least..=most).contains(&number).then_some(Value::Count(number))
}

fn of_number(kind: ValueKind, number: &str) -> Option<Value> {
    let ValueKind::Number { least, most } = kind else { return None };
    let number: f64 = number.replace('_', "").parse().ok()?;
    (least..=most).contains(&number).then_some(Value::Number(number))
}

/// A value in words.
fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.chars().count() <= 12 => format!("the text {text:?}"),
        DeValue::String(_) => "another text".to_owned(),
        DeValue::Integer(number) => format!("the number {}", number.as_str()),
        DeValue::Float(number) => format!("the number {}", number.as_str()),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
