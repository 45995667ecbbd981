//! Opening a database: making it if it is missing, and bringing its schema up to date.
//!
//! A database that is up to date costs one connection and one query. Everything else (the first start, an upgrade)
//! happens under a lock: a file lock beside a SQLite file, an advisory lock on PostgreSQL. SQLite's own locks do not do:
//! a file is switched to WAL, and its first table made, without waiting for others who do the same.
//!
//! What always holds: nothing is changed in a database of a newer version or in a file that is not ours.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Executor};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::error::{OpenError, StoreError, is_missing_table};
use super::location::{Location, MEMORY, memory_options, postgres_options, sqlite_options};
use super::{Engine, Store, sql};

/// Every version of the schema.
pub static MIGRATOR: Migrator = sqlx::migrate!("./migrations");

/// How long one start waits for others that migrate the same database.
const MIGRATION_WAIT_MS_MAX: u64 = 60_000;
const LOCK_POLL_MS: u64 = 5;
/// How long an operation waits for a connection: longer than SQLite's own wait for a lock (5 s).
const CONNECTION_WAIT_MS_MAX: u64 = 15_000;
const SQLITE_READERS_MAX: u32 = 4;
const POSTGRES_CONNECTIONS_MAX: u32 = 8;

impl Store {
    /// Opens the database, made or upgraded where needed. Safe to call from any number of processes at once.
    pub async fn open(location: &Location) -> Result<Store, OpenError> {
        sqlx::any::install_default_drivers();
        match location {
            Location::Sqlite(path) => open_sqlite(path).await,
            Location::Postgres(url) => open_postgres(url, &location.to_string()).await,
        }
    }
}

impl Store {
    /// A database of this process alone, which is nowhere on a disk and ends with it.
    pub async fn in_memory() -> Result<Store, OpenError> {
        sqlx::any::install_default_drivers();
        let options = memory_options()?;
        let mut connection = connect(&options, MEMORY).await?;
        migrate(&mut connection).await.map_err(|error| migration_failed(error, MEMORY))?;
        Ok(sqlite_store(&options, connection))
    }
}

fn sqlite_store(options: &AnyConnectOptions, connection: AnyConnection) -> Store {
    Store {
        engine: Engine::Sqlite,
        writers: sqlite_pool(1, options),
        readers: sqlite_pool(SQLITE_READERS_MAX, options),
        watcher: Mutex::new(Some(connection)),
    }
}

async fn open_sqlite(path: &Path) -> Result<Store, OpenError> {
    let path = absolute(path)?;
    let options = sqlite_options(&path)?;
    let place = path.display().to_string();
    if Header::read(&path)? == Header::Wal {
        let mut connection = connect(&options, &place).await?;
        if is_current(&mut connection, &place).await? {
            return Ok(sqlite_store(&options, connection));
        }
    }
    let _lock = lock_beside(&path).await?;
    make_file(&path)?;
    let mut connection = connect(&options, &place).await?;
    prepare_sqlite(&mut connection, &place).await?;
    if !is_current(&mut connection, &place).await? {
        migrate(&mut connection).await.map_err(|error| migration_failed(error, &place))?;
    }
    Ok(sqlite_store(&options, connection))
}

/// Makes sure that the file is ours, or nobody's yet, and switches its write-ahead log on.
async fn prepare_sqlite(connection: &mut AnyConnection, place: &str) -> Result<(), OpenError> {
    let failed = |error: sqlx::Error| OpenError::Store { place: place.to_owned(), error: error.into() };
    let tables: i64 =
        sqlx::query_scalar(sql::FOREIGN_TABLES_SQLITE).fetch_one(&mut *connection).await.map_err(failed)?;
    if tables > 0 {
        return Err(OpenError::NotADatabase { place: place.to_owned() });
    }
    connection.execute(sql::WAL_SQLITE).await.map_err(failed)?;
    Ok(())
}

async fn open_postgres(url: &str, place: &str) -> Result<Store, OpenError> {
    let options = postgres_options(url)?;
    let mut connection = connect(&options, place).await?;
    if !is_current(&mut connection, place).await? {
        let wait = Duration::from_millis(MIGRATION_WAIT_MS_MAX);
        // Should it fail, the advisory lock goes with the connection.
        match tokio::time::timeout(wait, migrate(&mut connection)).await {
            Ok(migrated) => migrated.map_err(|error| migration_failed(error, place))?,
            Err(_) => return Err(OpenError::Store { place: place.to_owned(), error: StoreError::Busy }),
        }
    }
    let pool = pool(POSTGRES_CONNECTIONS_MAX).connect_lazy_with(options);
    Ok(Store {
        engine: Engine::Postgres,
        writers: pool.clone(),
        readers: pool,
        watcher: Mutex::new(Some(connection)),
    })
}

/// By hand what `Migrator::run` does: a future of that one, given a connection, is not `Send`.
async fn migrate(connection: &mut AnyConnection) -> Result<(), MigrateError> {
    MIGRATOR.run_direct(None, connection, false).await
}

/// The first connection. Not a pool's: a pool tries again for seconds what cannot succeed, and keeps the reason to itself.
async fn connect(options: &AnyConnectOptions, place: &str) -> Result<AnyConnection, OpenError> {
    let wait = Duration::from_millis(CONNECTION_WAIT_MS_MAX);
    let error = match tokio::time::timeout(wait, options.connect()).await {
        Ok(Ok(connection)) => return Ok(connection),
        Ok(Err(error)) => error.into(),
        Err(_) => StoreError::Unreachable("no connection could be had in time".to_owned()),
    };
    Err(OpenError::Store { place: place.to_owned(), error })
}

fn pool(connections_max: u32) -> AnyPoolOptions {
    // No lifetimes: a connection that works is kept, and no task has to look after the idle ones.
    AnyPoolOptions::new()
        .max_connections(connections_max)
        .acquire_timeout(Duration::from_millis(CONNECTION_WAIT_MS_MAX))
        .idle_timeout(None)
        .max_lifetime(None)
}

fn sqlite_pool(connections_max: u32, options: &AnyConnectOptions) -> AnyPool {
    pool(connections_max)
        .test_before_acquire(false)
        .after_connect(|connection, _| {
            Box::pin(async move { connection.execute(sql::CONNECTION_SQLITE).await.map(|_| ()) })
        })
        .connect_lazy_with(options.clone())
}

/// Whether the newest migration is recorded; an error if one is that this program does not know.
async fn is_current(connection: &mut AnyConnection, place: &str) -> Result<bool, OpenError> {
    let known = MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or(0);
    let found: Result<Option<i64>, sqlx::Error> =
        sqlx::query_scalar(sql::NEWEST_MIGRATION).fetch_one(connection).await;
    match found {
        Ok(Some(found)) if found > known => Err(OpenError::Newer { place: place.to_owned(), found, known }),
        Ok(found) => Ok(found == Some(known)),
        Err(error) if is_missing_table(&error) => Ok(false),
        Err(error) => Err(OpenError::Store { place: place.to_owned(), error: error.into() }),
    }
}

fn migration_failed(error: MigrateError, place: &str) -> OpenError {
    let place = place.to_owned();
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            OpenError::Store { place, error: error.into() }
        }
        other => OpenError::Migration { place, why: other.to_string() },
    }
}

/// What the first bytes of a file say.
#[derive(Debug, PartialEq, Eq)]
enum Header {
    /// No file, or an empty one.
    None,
    /// A database whose write-ahead log is not switched on yet.
    Rollback,
    Wal,
}

impl Header {
    fn read(path: &Path) -> Result<Header, OpenError> {
        const MAGIC: &[u8] = b"SQLite format 3\0";
        const WRITE_VERSION_AT: usize = 18;
        const WAL_VERSION: u8 = 2;
        let mut bytes = Vec::new();
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Err(OpenError::NotADatabase { place: path.display().to_string() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Header::None),
            Err(error) => return Err(folder_error(path, &error)),
        }
        let length = u64::try_from(WRITE_VERSION_AT + 1).unwrap_or(u64::MAX);
        File::open(path)
            .and_then(|file| file.take(length).read_to_end(&mut bytes))
            .map_err(|error| folder_error(path, &error))?;
        match bytes.get(WRITE_VERSION_AT) {
            _ if bytes.is_empty() => Ok(Header::None),
            Some(version) if bytes.starts_with(MAGIC) => {
                Ok(if *version == WAL_VERSION { Header::Wal } else { Header::Rollback })
            }
            _ => Err(OpenError::NotADatabase { place: path.display().to_string() }),
        }
    }
}

/// The path with its folder made and its links and dots resolved, as a URL needs it.
fn absolute(path: &Path) -> Result<PathBuf, OpenError> {
    let Some(name) = path.file_name() else {
        return Err(OpenError::Location {
            place: path.display().to_string(),
            why: "it is not the path of a file".to_owned(),
        });
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| folder_error(path, &error))?;
    }
    Ok(folder.canonicalize().map_err(|error| folder_error(path, &error))?.join(name))
}

fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600);
    options
}

/// An empty file is a new database to SQLite; made here, nobody else can read it, nor what SQLite puts beside it.
fn make_file(path: &Path) -> Result<(), OpenError> {
    private_file().open(path).map(|_| ()).map_err(|error| folder_error(path, &error))
}

/// The lock under which a file is made and migrated, held until dropped. The lock's file stays: to remove it would let two
/// processes hold two files of one name.
async fn lock_beside(path: &Path) -> Result<File, OpenError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let file = private_file().open(PathBuf::from(name)).map_err(|error| folder_error(path, &error))?;
    let deadline = Instant::now() + Duration::from_millis(MIGRATION_WAIT_MS_MAX);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                tokio::time::sleep(Duration::from_millis(LOCK_POLL_MS)).await;
            }
            Err(TryLockError::WouldBlock) => {
                let place = path.display().to_string();
                return Err(OpenError::Store { place, error: StoreError::Busy });
            }
            Err(TryLockError::Error(error)) => return Err(folder_error(path, &error)),
        }
    }
}

fn folder_error(path: &Path, error: &io::Error) -> OpenError {
    if error.kind() == io::ErrorKind::StorageFull {
        return OpenError::Store { place: path.display().to_string(), error: StoreError::Full };
    }
    let folder = path.parent().unwrap_or(path).display().to_string();
    OpenError::Folder { folder, why: error.to_string() }
}
