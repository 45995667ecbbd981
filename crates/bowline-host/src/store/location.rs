//! Where a database is: a SQLite file or a PostgreSQL server.
//!
//! What always holds: a location as shown to a user or a log has no password in it.

use std::fmt;
use std::path::{Path, PathBuf};

use sqlx::ConnectOptions;
use sqlx::any::AnyConnectOptions;
use uuid::Uuid;

use super::error::OpenError;

/// A database, as the user names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    Sqlite(PathBuf),
    /// A URL with all that is needed to connect.
    Postgres(String),
}

impl Location {
    /// `postgres://…` or `postgresql://…` is a server, everything else the path of a file.
    pub fn parse(text: &str) -> Location {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Location::Postgres(text.to_owned())
        } else {
            Location::Sqlite(PathBuf::from(text))
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Sqlite(path) => path.display().fmt(formatter),
            Location::Postgres(url) => formatter.write_str(&without_secrets(url)),
        }
    }
}

/// The URL with the password and all parameters left out (`?password=` is one).
fn without_secrets(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    // A password may hold an `@` that nobody escaped: the last one ends it.
    let Some((user, host)) = rest.rsplit_once('@') else { return url.to_owned() };
    let name = user.split(':').next().unwrap_or_default();
    format!("{scheme}://{name}@{host}")
}

/// How to connect to the file at an absolute path without `..` in it.
pub(super) fn sqlite_options(path: &Path) -> Result<AnyConnectOptions, OpenError> {
    let Some(text) = path.to_str() else {
        return Err(OpenError::Location {
            place: path.display().to_string(),
            why: "the path is not valid UTF-8".to_owned(),
        });
    };
    options(&format!("sqlite://{}?mode=rw", percent_encoded(text)), &path.display().to_string())
}

/// What a database without a place is called.
pub(super) const MEMORY: &str = "the database in memory";

/// How to connect to a new database in this process's memory: all connections with these options share it, with the locks
/// of a file. SQLite's shared cache, the other way to that, refuses at once where a file would wait.
pub(super) fn memory_options() -> Result<AnyConnectOptions, OpenError> {
    options(&format!("sqlite:///bowline-{}?mode=rwc&vfs=memdb", Uuid::now_v7()), MEMORY)
}

pub(super) fn postgres_options(url: &str) -> Result<AnyConnectOptions, OpenError> {
    options(url, &without_secrets(url))
}

fn options(url: &str, place: &str) -> Result<AnyConnectOptions, OpenError> {
    let options: AnyConnectOptions = url.parse().map_err(|error: sqlx::Error| OpenError::Location {
        place: place.to_owned(),
        why: error.to_string(),
    })?;
    // Statements hold what users and models write: none of it belongs in a log of ours.
    Ok(options.disable_statement_logging())
}

/// Everything but what can stand in a URL's path as itself.
fn percent_encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_a_server_and_all_else_a_file() {
        assert_eq!(Location::parse("postgres://h/d"), Location::Postgres("postgres://h/d".to_owned()));
        assert_eq!(Location::parse("postgresql://h/d"), Location::Postgres("postgresql://h/d".to_owned()));
        assert_eq!(Location::parse("data/bowline.db"), Location::Sqlite(PathBuf::from("data/bowline.db")));
    }

    #[test]
    fn no_password_is_shown() {
        let shown = |url: &str| Location::Postgres(url.to_owned()).to_string();
        assert_eq!(shown("postgres://ann:secret@db:5432/team"), "postgres://ann@db:5432/team");
        assert_eq!(shown("postgres://ann:se@cret@db/team?sslmode=require"), "postgres://ann@db/team");
        assert_eq!(shown("postgres://db/team?user=ann&password=secret"), "postgres://db/team");
    }
}
