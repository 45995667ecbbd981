//! A [`CellSpec`] after a look at the machine: every path real, sorted, and free of contradictions; and the path sockets
//! that servers of this machine listen on. The owner makes it, the helper carries it out. It changes nothing.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cell::CellError;
use crate::spec::CellSpec;
use crate::wire::{Malformed, Reader, Writer};

/// Folders that every cell has of its own.
pub(crate) const OWN_FOLDERS: [&str; 4] = ["/tmp", "/var/tmp", "/run", "/dev"];
/// Of these no cell can give anything away: they are views of the kernel.
const KERNEL_FOLDERS: [&str; 3] = ["/proc", "/sys", "/dev"];
/// What some systems keep below `/run` although programs need it: all programs of NixOS are found through there.
const VISIBLE: [&str; 3] = ["/run/current-system", "/run/opengl-driver", "/run/wrappers"];
/// How many path sockets are covered at most.
const SOCKETS_MAX: usize = 1000;

/// What the helper has to do. A parent always stands before what is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) protected: Vec<PathBuf>,
    pub(crate) hidden: Vec<PathBuf>,
    pub(crate) visible: Vec<PathBuf>,
    pub(crate) sockets: Vec<PathBuf>,
    pub(crate) temporary_bytes_max: u64,
    pub(crate) processes_max: u64,
    pub(crate) without_landlock: bool,
}

impl Plan {
    pub(crate) fn of(spec: &CellSpec) -> Result<Plan, CellError> {
        let mut visible = real(&spec.visible)?;
        visible.extend(real(&VISIBLE.map(PathBuf::from))?);
        let mut plan = Plan {
            writable: real(&spec.writable)?.into_iter().collect(),
            protected: real(&spec.protected)?.into_iter().collect(),
            hidden: real(&spec.hidden)?.into_iter().collect(),
            visible: visible.into_iter().collect(),
            sockets: Vec::new(),
            temporary_bytes_max: spec.temporary_bytes_max,
            processes_max: spec.processes_max,
            without_landlock: spec.without.landlock,
        };
        plan.check()?;
        plan.protected.retain(|path| plan.writable.iter().any(|folder| path.starts_with(folder)));
        // A writable folder is shown as a whole, and would cover what was shown in it.
        plan.visible.retain(|path| !plan.writable.iter().any(|folder| path.starts_with(folder)));
        plan.sockets = plan.foreign_sockets();
        Ok(plan)
    }

    fn check(&self) -> Result<(), CellError> {
        for folder in &self.writable {
            let kernels = KERNEL_FOLDERS.iter().any(|kernels| folder.starts_with(kernels));
            if kernels || folder == Path::new("/") || !folder.is_dir() {
                return Err(CellError::NotWritable { path: folder.clone() });
            }
            if let Some(hidden) = self.hidden.iter().find(|hidden| folder.starts_with(hidden)) {
                return Err(CellError::HiddenAndWritable {
                    hidden: hidden.clone(),
                    writable: folder.clone(),
                });
            }
        }
        Ok(())
    }

    /// Path sockets of this machine's servers that a cell would see. A network namespace does not keep anybody from them.
    fn foreign_sockets(&self) -> Vec<PathBuf> {
        let listing = fs::read_to_string("/proc/net/unix").unwrap_or_default();
        let seen = |path: &PathBuf| {
            let own = OWN_FOLDERS.iter().any(|folder| path.starts_with(folder));
            let shown = self.writable.iter().chain(&self.visible).any(|shown| path.starts_with(shown));
            !own || shown
        };
        let paths: BTreeSet<PathBuf> = socket_paths(&listing)
            .filter_map(|path| fs::canonicalize(path).ok())
            .filter(seen)
            .take(SOCKETS_MAX)
            .collect();
        paths.into_iter().collect()
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        Writer::default()
            .paths(&self.writable)
            .paths(&self.protected)
            .paths(&self.hidden)
            .paths(&self.visible)
            .paths(&self.sockets)
            .number(self.temporary_bytes_max)
            .number(self.processes_max)
            .byte(u8::from(self.without_landlock))
            .done()
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Plan, Malformed> {
        let mut reader = Reader::new(bytes);
        Ok(Plan {
            writable: reader.paths()?,
            protected: reader.paths()?,
            hidden: reader.paths()?,
            visible: reader.paths()?,
            sockets: reader.paths()?,
            temporary_bytes_max: reader.number()?,
            processes_max: reader.number()?,
            without_landlock: reader.flag()?,
        })
    }
}

/// The real paths of those that exist, parents first.
fn real(paths: &[PathBuf]) -> Result<BTreeSet<PathBuf>, CellError> {
    let mut found = BTreeSet::new();
    for path in paths {
        match fs::canonicalize(path) {
            Ok(real) => {
                found.insert(real);
            }
            // What we cannot even look up, a command of the same user cannot open either.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => {}
            Err(source) => return Err(CellError::Path { path: path.clone(), source }),
        }
    }
    Ok(found)
}

/// The paths in `/proc/net/unix`; abstract names begin with an `@` and are the network namespace's affair.
fn socket_paths(listing: &str) -> impl Iterator<Item = &str> {
    listing.lines().filter_map(|line| line.find('/').and_then(|start| line.get(start..)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_read_from_the_kernels_listing() {
        let listing = "Num       RefCount Protocol Flags    Type St Inode Path\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 11263 @/abstract\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 11264 /run/a b.sock\n\
            0000000000000000: 00000003 00000000 00000000 0001 03 11265\n";
        let paths: Vec<&str> = socket_paths(listing).collect();
        assert_eq!(paths, ["/abstract", "/run/a b.sock"]);
    }

    #[test]
    fn a_plan_survives_the_way_to_the_helper() {
        let plan = Plan {
            writable: vec!["/a".into()],
            hidden: vec!["/b".into(), "/c".into()],
            temporary_bytes_max: 7,
            without_landlock: true,
            ..Plan::default()
        };
        assert_eq!(Plan::read(&plan.write()), Ok(plan));
    }

    #[test]
    fn what_is_shown_in_a_writable_folder_is_shown_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, real) = (folder.path().join("inside"), fs::canonicalize(folder.path()).unwrap());
        fs::create_dir(&inside).unwrap();
        let shown = |spec: CellSpec| Plan::of(&spec).unwrap().visible.contains(&real.join("inside"));
        assert!(!shown(CellSpec::new().writable(folder.path()).visible(&inside)));
        assert!(shown(CellSpec::new().visible(folder.path()).visible(&inside)));
    }

    #[test]
    fn contradictions_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let spec = CellSpec::new().writable(folder.path()).hidden(folder.path());
        assert!(matches!(Plan::of(&spec), Err(CellError::HiddenAndWritable { .. })));
        for path in ["/", "/dev/shm", "/etc/passwd"] {
            let spec = CellSpec::new().writable(path);
            assert!(matches!(Plan::of(&spec), Err(CellError::NotWritable { .. })), "{path}");
        }
        assert_eq!(Plan::of(&CellSpec::new().writable("/no/such/folder")).unwrap().writable.len(), 0);
    }
}
