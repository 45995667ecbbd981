//! What a cell is asked to be: which folders its commands may write, what is hidden from them, how much they may use. It
//! names paths and touches nothing; [`crate::plan`] looks at what is there.

use std::path::PathBuf;

/// How much the temporary folders of a cell hold together with its shared memory, each.
const TEMPORARY_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;
/// How many processes and threads a cell has at most.
const PROCESSES_MAX: u64 = 8 * 1024;

/// What the commands of a cell may write, and what is hidden from them.
///
/// Paths that do not exist are passed over, so a caller can name every cache that a toolchain might have.
///
/// ```
/// use bowline_contain::CellSpec;
///
/// let spec = CellSpec::new()
///     .writable("/home/ada/project")
///     .protected("/home/ada/project/.git")
///     .writable("/home/ada/.cargo/registry")
///     .hidden("/home/ada/project/.env")
///     .hidden("/home/ada/.ssh");
/// assert_eq!(spec.writable.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CellSpec {
    /// Folders that `build` may write: the project and the caches of its toolchains.
    pub writable: Vec<PathBuf>,
    /// What stays read-only inside writable folders: every `.git`. [`crate::git_folders`] finds them.
    pub protected: Vec<PathBuf>,
    /// Files and folders that nobody in the cell can read. They win over everything else.
    pub hidden: Vec<PathBuf>,
    /// What a command may read below `/tmp`, `/var/tmp`, `/run` and `/dev`, which are otherwise the cell's own.
    pub visible: Vec<PathBuf>,
    /// How much each temporary folder of the cell holds.
    pub temporary_bytes_max: u64,
    /// How many processes and threads the cell has at most. The kernel holds nobody to it who is root without a user
    /// namespace.
    pub processes_max: u64,
    /// Layers that are not to be used.
    pub without: Without,
}

/// Layers that a cell does without: those found missing before, or in tests to see what is left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Without {
    /// As if the system refused to create namespaces.
    pub namespaces: bool,
    /// As if the kernel had no Landlock.
    pub landlock: bool,
}

impl Without {
    /// Without namespaces.
    #[must_use]
    pub fn namespaces(mut self) -> Without {
        self.namespaces = true;
        self
    }

    /// Without Landlock.
    #[must_use]
    pub fn landlock(mut self) -> Without {
        self.landlock = true;
        self
    }
}

impl Default for CellSpec {
    fn default() -> CellSpec {
        CellSpec {
            writable: Vec::new(),
            protected: Vec::new(),
            hidden: Vec::new(),
            visible: Vec::new(),
            temporary_bytes_max: TEMPORARY_BYTES_MAX,
            processes_max: PROCESSES_MAX,
            without: Without::default(),
        }
    }
}

impl CellSpec {
    /// Nothing writable but the temporary folders, and nothing hidden.
    #[must_use]
    pub fn new() -> CellSpec {
        CellSpec::default()
    }

    /// Lets `build` write this folder and everything in it.
    #[must_use]
    pub fn writable(mut self, path: impl Into<PathBuf>) -> CellSpec {
        self.writable.push(path.into());
        self
    }

    /// Keeps this read-only although it is inside a writable folder.
    #[must_use]
    pub fn protected(mut self, path: impl Into<PathBuf>) -> CellSpec {
        self.protected.push(path.into());
        self
    }

    /// Keeps all of these read-only although they are inside a writable folder.
    #[must_use]
    pub fn protected_all(mut self, paths: impl IntoIterator<Item = PathBuf>) -> CellSpec {
        self.protected.extend(paths);
        self
    }

    /// Hides this file, or this folder with everything in it.
    #[must_use]
    pub fn hidden(mut self, path: impl Into<PathBuf>) -> CellSpec {
        self.hidden.push(path.into());
        self
    }

    /// Shows this although it is below `/tmp`, `/var/tmp`, `/run` or `/dev`.
    #[must_use]
    pub fn visible(mut self, path: impl Into<PathBuf>) -> CellSpec {
        self.visible.push(path.into());
        self
    }

    /// Leaves layers out.
    #[must_use]
    pub fn without(mut self, without: Without) -> CellSpec {
        self.without = without;
        self
    }
}
