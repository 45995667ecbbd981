//! Writes small files atomically: whole or not at all.

use std::io::Write as _;
use std::path::Path;

use crate::failure::Failure;

pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
        file.write_all(bytes)?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        file.as_file().set_permissions(mode)?;
        file.as_file().sync_data()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    });
    written.map_err(Failure::io(path))
}

/// None where there is none.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

pub(crate) fn remove(path: &Path) -> Result<(), Failure> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Failure::io(path)(error)),
        _ => Ok(()),
    }
}
