//! The database: it opens, can be written, and is as large as it says.

use std::os::unix::fs::PermissionsExt as _;

use bowline_host::store::{Location, Store, StoreError};
use serde_json::json;

use super::Scene;
use super::finding::Finding;
use super::home::{megabytes, unwritable};

const CHECK: &str = "database";
/// What others may do with the file: nothing.
const OTHERS: u32 = 0o077;

pub(super) async fn database(scene: &Scene) -> Vec<Finding> {
    let Ok(home) = &scene.home else { return Vec::new() };
    match &scene.store {
        None => vec![missing(&home.database)],
        Some(Err(error)) => vec![Finding::failure(CHECK, error)],
        Some(Ok(store)) => {
            let opened =
                opened(store, &home.database).await.unwrap_or_else(|error| Finding::failure(CHECK, &error));
            std::iter::once(opened).chain(readable_by_others(&home.database)).collect()
        }
    }
}

fn missing(location: &Location) -> Finding {
    let folder = match location {
        Location::Sqlite(path) => unwritable(path),
        Location::Postgres(_) => None,
    };
    let Some(folder) = folder else {
        return Finding::ok(CHECK, format!("{location} will be created by the first run"));
    };
    let what = format!("{location} cannot be created: {} is not writable", folder.display());
    Finding::problem(CHECK, what, "make it writable, or set BOWLINE_DATABASE to another path")
}

async fn opened(store: &Store, location: &Location) -> Result<Finding, StoreError> {
    let about = store.about().await?;
    store.check_writable().await?;
    let size = megabytes(u64::try_from(about.bytes).unwrap_or(0));
    let what = format!("{location} · version {} · {size} · {} sessions", about.version, about.sessions);
    let figures = json!({ "version": about.version, "bytes": about.bytes, "sessions": about.sessions });
    Ok(Finding::ok(CHECK, what).with(figures))
}

fn readable_by_others(location: &Location) -> Option<Finding> {
    let Location::Sqlite(path) = location else { return None };
    let mode = std::fs::metadata(path).ok()?.permissions().mode();
    let shown = path.display();
    let what = format!("{shown}: other users of this machine can read your conversations");
    (mode & OTHERS != 0).then(|| Finding::warning(CHECK, what, format!("chmod go-rwx {shown}")))
}
