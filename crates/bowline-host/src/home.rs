//! Where bowline keeps its own: the data folder and the database in it.
//!
//! `BOWLINE_HOME` puts everything into one folder; else the XDG folders. The work tree's tools never get in here.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::store::Location;

/// Bowline's own folders and database, as the environment sets them.
#[derive(Debug, Clone)]
pub struct Home {
    pub data: PathBuf,
    pub config: PathBuf,
    pub database: Location,
    /// What lives no longer than the machine runs: locks.
    pub runtime: PathBuf,
}

/// Neither `BOWLINE_HOME` nor `HOME` is set.
#[derive(Debug, thiserror::Error)]
#[error("there is no home folder: set HOME, or BOWLINE_HOME to a folder bowline may keep its data in")]
pub struct NoHome;

impl Home {
    /// Reads the environment through `variable`.
    pub fn find(variable: impl Fn(&str) -> Option<OsString>) -> Result<Home, NoHome> {
        let folder = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let user = |xdg: &str, below_home: &str| {
            let base = folder(xdg).filter(|path| path.is_absolute());
            let base = base.or_else(|| folder("HOME").map(|home| home.join(below_home)));
            base.map(|base| base.join("bowline")).ok_or(NoHome)
        };
        let (data, config) = match folder("BOWLINE_HOME") {
            Some(home) => (home.clone(), home),
            None => (user("XDG_DATA_HOME", ".local/share")?, user("XDG_CONFIG_HOME", ".config")?),
        };
        let named = variable("BOWLINE_DATABASE").and_then(|value| value.into_string().ok());
        let database = match named.filter(|value| !value.is_empty()) {
            Some(named) => Location::parse(&named),
            None => Location::Sqlite(data.join("bowline.db")),
        };
        let runtime =
            folder("XDG_RUNTIME_DIR").filter(|path| path.is_absolute()).map(|base| base.join("bowline"));
        let runtime = runtime.unwrap_or_else(|| {
            std::env::temp_dir().join(format!("bowline-{}", rustix::process::getuid().as_raw()))
        });
        Ok(Home { data, config, database, runtime })
    }

    /// Where the checkpoint stores are.
    pub fn checkpoints(&self) -> PathBuf {
        self.data.join("checkpoints")
    }

    /// What no tool may touch.
    pub fn forbidden(&self) -> Vec<PathBuf> {
        vec![self.data.clone(), self.config.clone()]
    }
}
