//! One value changed in a file: comments and order stay, and nothing is written that could not be read again.
//!
//! The new text takes the old one's place by a rename. What always holds: a key that is unknown or a value of the wrong
//! type leaves the file as it was; a file that is made is for its user's eyes alone, unless it is the project's.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Key as Word, Table, TableLike, Value as Written};

use super::file::bytes;
use super::schema::{self, SchemaNode, ValueKind};
use super::{ConfigError, Source};

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    User,
    Project,
}

/// A value was not set; the file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    #[error("there is no setting {key}. {hint}")]
    Unknown { key: String, hint: String },
    #[error("{key} holds several settings: {words}. Set one of them")]
    Table { key: String, words: String },
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("{file} cannot be written ({why}): make it writable, or name another with --config")]
    Unwritten { file: String, why: String },
}

/// Sets one key, and gives back the key as it stands in the file.
pub fn set(file: &Path, owner: Owner, key: &str, value: &str) -> Result<String, SetError> {
    let path = words(key);
    let kind = match schema::at(&path) {
        SchemaNode::Setting(key) => key.kind,
        SchemaNode::Table => {
            let words = schema::words_below(&path);
            let words = if words.is_empty() { "NAME".to_owned() } else { words.join(", ") };
            return Err(SetError::Table { key: schema::dotted(&path), words });
        }
        SchemaNode::Nothing => {
            let (key, hint) = (schema::dotted(&path), schema::hint(&path));
            return Err(SetError::Unknown { key, hint });
        }
    };
    let old = bytes(file)?.unwrap_or_default();
    // Said with its line, as reading it would.
    Source::parse(file, &old)?;
    let text = String::from_utf8_lossy(&old);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        ConfigError::Broken { place: file.display().to_string(), what: error.message().to_owned() }
    })?;
    insert(document.as_table_mut(), &path, written(kind, value));
    let new = document.to_string();
    Source::parse(file, new.as_bytes())?;
    replace(file, owner, &new)
        // The kind alone: the error itself names a temporary file.
        .map_err(|error| SetError::Unwritten {
            file: file.display().to_string(),
            why: error.kind().to_string(),
        })?;
    Ok(schema::dotted(&path))
}

/// A key as a user types it: patterns need no quotes.
fn words(key: &str) -> Vec<String> {
    if let Ok(words) = Word::parse(key) {
        return words.iter().map(|word| word.get().to_owned()).collect();
    }
    let words: Vec<&str> = key.split('.').collect();
    match words.as_slice() {
        [table @ ("models" | "servers"), name @ .., field] if !name.is_empty() => {
            let name = name.join(".");
            vec![(*table).to_owned(), name.trim_matches('"').to_owned(), (*field).to_owned()]
        }
        words => words.iter().map(|word| (*word).to_owned()).collect(),
    }
}

/// The value in the form that is due, if it can be had; what is wrong with it is found when it is read again.
fn written(kind: ValueKind, value: &str) -> Written {
    match kind {
        ValueKind::Count { .. } | ValueKind::Number { .. } | ValueKind::Switch => {
            value.trim().parse().unwrap_or_else(|_| value.into())
        }
        ValueKind::Texts if value.trim_start().starts_with('[') => {
            value.trim().parse().unwrap_or_else(|_| value.into())
        }
        ValueKind::Texts => Written::Array([value].into_iter().collect()),
        _ => value.into(),
    }
}

fn insert(root: &mut Table, path: &[String], value: Written) {
    let Some((last, above)) = path.split_last() else { return };
    let mut table: &mut dyn TableLike = root;
    for (depth, word) in above.iter().enumerate() {
        let mut new = Table::new();
        // `[servers.box]` needs no `[servers]` above it.
        new.set_implicit(depth + 1 < above.len());
        let item = table.entry(word).or_insert(Item::Table(new));
        let Some(below) = item.as_table_like_mut() else { return };
        table = below;
    }
    match table.get_mut(last).and_then(Item::as_value_mut) {
        Some(old) => {
            // A comment behind the value belongs to the line.
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        None => {
            table.insert(last, Item::Value(value));
        }
    }
}

fn replace(file: &Path, owner: Owner, text: &str) -> io::Result<()> {
    // What is a link to another place stays one.
    let file: PathBuf = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (folder_mode, new_mode) = match owner {
        Owner::User => (0o700, 0o600),
        Owner::Project => (0o777, 0o666),
    };
    DirBuilder::new().recursive(true).mode(folder_mode).create(folder)?;
    let old_mode = fs::metadata(&file).ok().map(|metadata| metadata.permissions().mode() & 0o7777);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bowline-").suffix(".tmp").permissions(Permissions::from_mode(new_mode));
    let mut temporary = builder.tempfile_in(folder)?;
    temporary.write_all(text.as_bytes())?;
    if let Some(mode) = old_mode {
        temporary.as_file().set_permissions(Permissions::from_mode(mode))?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(&file).map(|_| ()).map_err(|error| error.error)
}
