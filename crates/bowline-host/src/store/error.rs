//! What can go wrong in the store, in words that say what to do next.
//!
//! A database's own codes are told apart here and nowhere else. What always holds: a message names no password and no
//! content of a session.

use bowline_core::entry::UnreadableEntry;
use sqlx::error::DatabaseError;
use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::SqliteError;

/// A database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(
        "{place} was written by a newer bowline (its schema is {found}, this program knows {known}): update bowline, or \
         set BOWLINE_DATABASE to another database"
    )]
    Newer { place: String, found: i64, known: i64 },
    #[error("{place} is not a bowline database: move it away, or set BOWLINE_DATABASE to another path")]
    NotADatabase { place: String },
    #[error(
        "cannot write in the folder {folder} ({why}): make it writable, or set BOWLINE_DATABASE to a path in another folder"
    )]
    Folder { folder: String, why: String },
    #[error(
        "cannot use {place} as a database ({why}): set BOWLINE_DATABASE to a path or to postgres://USER@HOST/NAME"
    )]
    Location { place: String, why: String },
    #[error(
        "cannot bring {place} up to date ({why}): update bowline, or set BOWLINE_DATABASE to another database"
    )]
    Migration { place: String, why: String },
    #[error("cannot open {place}: {error}")]
    Store {
        place: String,
        #[source]
        error: StoreError,
    },
}

/// An operation on an open database failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the disk with the database is full, or a limit on it is reached: make room and try again")]
    Full,
    #[error("another program keeps the database locked: end it, or wait until it is done, and try again")]
    Busy,
    #[error("the database cannot be written: make its file and its folder writable")]
    NotWritable,
    #[error("the database is damaged ({0}): restore a copy of it, or move it away to begin a new one")]
    Damaged(String),
    #[error("the database does not answer ({0}): check that its server runs, and its address and user")]
    Unreachable(String),
    #[error("there is no session {0}: `bowline sessions list` shows those there are")]
    NoSession(String),
    #[error("{0}: update bowline")]
    Unreadable(#[from] UnreadableEntry),
    #[error("the database refused: {0}")]
    Database(#[source] sqlx::Error),
}

/// Entries were not appended; none of them was.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    #[error("another process runs session {session} now: look at it with `bowline sessions show {session}`")]
    LeaseLost { session: String },
    #[error("an entry of kind {kind} can only come from the process that runs the turn")]
    NotInput { kind: &'static str },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A lease could not be renewed.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    #[error("the lease of {scope} was given up, or is another process's now")]
    Lost { scope: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match &error {
            sqlx::Error::Database(database) => {
                known_fault(database.as_ref()).unwrap_or(StoreError::Database(error))
            }
            sqlx::Error::PoolTimedOut => {
                StoreError::Unreachable("no connection could be had in time".to_owned())
            }
            sqlx::Error::Io(why) => StoreError::Unreachable(why.to_string()),
            sqlx::Error::Tls(why) => StoreError::Unreachable(why.to_string()),
            _ => StoreError::Database(error),
        }
    }
}

impl From<sqlx::Error> for AppendError {
    fn from(error: sqlx::Error) -> AppendError {
        AppendError::Store(error.into())
    }
}

impl From<sqlx::Error> for LeaseError {
    fn from(error: sqlx::Error) -> LeaseError {
        LeaseError::Store(error.into())
    }
}

fn known_fault(error: &dyn DatabaseError) -> Option<StoreError> {
    if error.try_downcast_ref::<SqliteError>().is_some() {
        return known_sqlite_fault(error);
    }
    let code = error.try_downcast_ref::<PgDatabaseError>()?.code();
    match code {
        // disk_full
        "53100" => Some(StoreError::Full),
        // lock_not_available
        "55P03" => Some(StoreError::Busy),
        // read_only_sql_transaction, insufficient_privilege
        "25006" | "42501" => Some(StoreError::NotWritable),
        // data_corrupted, index_corrupted
        "XX001" | "XX002" => Some(StoreError::Damaged(error.message().to_owned())),
        // too_many_connections, invalid_catalog_name; class 08 connection, 28 authorization, 57P shutdown
        "53300" | "3D000" => Some(StoreError::Unreachable(error.message().to_owned())),
        _ if ["08", "28", "57P"].iter().any(|class| code.starts_with(class)) => {
            Some(StoreError::Unreachable(error.message().to_owned()))
        }
        _ => None,
    }
}

fn known_sqlite_fault(error: &dyn DatabaseError) -> Option<StoreError> {
    const IOERR_SHMSIZE: i64 = 4874;
    const IOERR_WRITE: i64 = 778;
    let code = sqlite_code(error)?;
    // The low byte is the primary code, the rest says more about it.
    match code & 0xff {
        5 | 6 => Some(StoreError::Busy),
        8 | 14 => Some(StoreError::NotWritable),
        11 | 26 => Some(StoreError::Damaged(error.message().to_owned())),
        13 => Some(StoreError::Full),
        // The shared memory beside the file could not grow, which takes a disk without room.
        _ if code == IOERR_SHMSIZE => Some(StoreError::Full),
        // A quota, or a limit on the size of files: SQLite knows only the full disk by name.
        _ if code == IOERR_WRITE => Some(StoreError::Full),
        _ => None,
    }
}

fn sqlite_code(error: &dyn DatabaseError) -> Option<i64> {
    error.code()?.parse().ok()
}

/// Whether a statement failed because a table it names is not there.
pub(super) fn is_missing_table(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(error) = error else { return false };
    if error.try_downcast_ref::<SqliteError>().is_some() {
        return sqlite_code(error.as_ref()) == Some(1) && error.message().starts_with("no such table");
    }
    error.try_downcast_ref::<PgDatabaseError>().is_some_and(|error| error.code() == "42P01")
}
