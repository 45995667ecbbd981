//! Which places a sandbox is about: what a command of the project may write, and what is hidden from every command that nobody
//! approved. Found anew for each cell, since a turn may have made them.
//!
//! It changes nothing. What always holds: the project itself and what leads to it is never hidden, and nothing that is
//! hidden is writable.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::home::Home;
use crate::permission::secrets_in;
use crate::store::Location;

/// Folders that every cell has of its own.
const OWN_FOLDERS: [&str; 3] = ["/tmp", "/var/tmp", "/run"];
/// Views of the kernel, which no cell gives away.
const KERNEL_FOLDERS: [&str; 3] = ["/proc", "/sys", "/dev"];
/// Entries that are hidden one by one beside a way to the project.
const BESIDE_MAX: usize = 10_000;
/// Private places of a home folder: keys, tokens, mail, browsers, histories.
const PRIVATE: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".vault-token",
    ".password-store",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".config/gcloud",
    ".config/doctl",
    ".config/op",
    ".config/rclone",
    ".config/Bitwarden",
    ".config/keepassxc",
    ".config/git/credentials",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".config/vivaldi",
    ".config/opera",
    ".config/Signal",
    ".config/Slack",
    ".config/discord",
    ".config/evolution",
    ".local/share/evolution",
    ".local/share/TelegramDesktop",
    ".cache/mozilla",
    ".cache/thunderbird",
    ".cache/google-chrome",
    ".cache/chromium",
    ".cache/BraveSoftware",
    "snap/firefox",
    "snap/chromium",
    "snap/thunderbird",
    ".var/app",
    ".mail",
    "Mail",
    "Maildir",
    ".bash_history",
    ".zsh_history",
    ".histfile",
    ".local/share/fish/fish_history",
    ".python_history",
    ".node_repl_history",
    ".sqlite_history",
    ".psql_history",
    ".mysql_history",
    ".rediscli_history",
    ".lesshst",
    ".viminfo",
];
/// Caches of toolchains below the home folder: they hold what can be fetched or built again.
const CACHES: &[&str] = &[
    ".cargo/registry",
    ".cargo/git",
    ".npm",
    ".yarn/berry",
    ".bun/install/cache",
    ".local/share/pnpm/store",
    ".gradle/caches",
    ".gradle/daemon",
    ".m2/repository",
    ".nuget/packages",
    ".ccache",
    "go/pkg/mod",
    ".cache/go-build",
    ".cache/pip",
    ".cache/uv",
    ".cache/pypoetry",
    ".cache/pre-commit",
    ".cache/yarn",
    ".cache/pnpm",
    ".cache/node",
    ".cache/node-gyp",
    ".cache/typescript",
    ".cache/deno",
    ".cache/ccache",
    ".cache/sccache",
    ".cache/bazel",
    ".cache/zig",
];
/// Variables that name such a cache, and the folder in it that is meant.
const CACHE_VARIABLES: &[(&str, &str)] = &[
    ("CARGO_HOME", "registry"),
    ("CARGO_HOME", "git"),
    ("CARGO_TARGET_DIR", ""),
    ("npm_config_cache", ""),
    ("NPM_CONFIG_CACHE", ""),
    ("YARN_CACHE_FOLDER", ""),
    ("PIP_CACHE_DIR", ""),
    ("UV_CACHE_DIR", ""),
    ("GOCACHE", ""),
    ("GOMODCACHE", ""),
    ("GOPATH", "pkg/mod"),
    ("CCACHE_DIR", ""),
    ("SCCACHE_DIR", ""),
];
/// Variables that name folders of toolchains: they stay visible where they lie in a folder that a cell has of its own.
const TOOL_VARIABLES: &[&str] = &[
    "PATH",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "NVM_DIR",
    "NODE_PATH",
    "GOROOT",
    "GOPATH",
    "JAVA_HOME",
    "LD_LIBRARY_PATH",
];

/// The places of one cell. Those that do not exist are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    pub root: PathBuf,
    /// Folders that a build may write.
    pub writable: Vec<PathBuf>,
    pub hidden: Vec<PathBuf>,
    /// Toolchains, and the repository of a worktree, in folders that are otherwise the cell's own.
    pub visible: Vec<PathBuf>,
}

/// What stays the same for all cells of a turn: the project, and bowline's own files.
#[derive(Debug, Clone)]
pub struct Surroundings {
    root: PathBuf,
    own: Vec<PathBuf>,
}

impl Surroundings {
    /// `root` without links.
    pub fn of(root: &Path, home: &Home) -> Surroundings {
        let mut own = home.forbidden();
        if let Location::Sqlite(path) = &home.database {
            let beside = |end: &str| {
                let mut name = path.clone().into_os_string();
                name.push(end);
                PathBuf::from(name)
            };
            own.extend(["", "-wal", "-shm"].map(beside));
        }
        Surroundings { root: root.to_owned(), own }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Looks at what is there now. The environment is read through `variable`.
    pub fn places(&self, variable: &dyn Fn(&str) -> Option<OsString>) -> Places {
        let home = variable("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let below = |names: &[&str]| -> Vec<PathBuf> {
            home.iter().flat_map(|home| names.iter().map(|name| home.join(name))).collect()
        };
        let mut hidden = self.own.clone();
        hidden.extend(below(PRIVATE));
        hidden.extend(variable("HISTFILE").map(PathBuf::from));
        let mut hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
        hidden.extend(self.secrets(home.as_deref()));
        let hidden = outermost(hidden.into_iter().flat_map(|path| self.beside_root(path)).collect());
        let mut caches = below(CACHES);
        caches.extend(CACHE_VARIABLES.iter().filter_map(|(name, below)| {
            let folder = variable(name).map(PathBuf::from).filter(|path| path.is_absolute())?;
            Some(if below.is_empty() { folder } else { folder.join(below) })
        }));
        let caches = caches.iter().filter_map(|path| path.canonicalize().ok());
        let is_cache = |path: &PathBuf| self.may_be_written(path, &hidden);
        let mut writable: Vec<PathBuf> = caches.filter(is_cache).collect();
        // The file system as a whole is no project that a build could be given.
        if self.root.parent().is_some() && !is_kernels(&self.root) {
            writable.push(self.root.clone());
        }
        let visible = outermost([visible(variable), repository(&self.root)].concat());
        Places { root: self.root.clone(), writable, hidden, visible }
    }

    /// The secrets of the project. One that is a link into another place is hidden there, too, if that place is the user's.
    fn secrets(&self, home: Option<&Path>) -> Vec<PathBuf> {
        let is_users =
            |real: &PathBuf| real.starts_with(&self.root) || home.is_some_and(|home| real.starts_with(home));
        let real = secrets_in(&self.root).into_iter().filter_map(|path| path.canonicalize().ok());
        real.filter(is_users).filter(|path| path.is_file() || path.is_dir()).collect()
    }

    /// The path itself, or all that lies in it beside the way to the project.
    fn beside_root(&self, path: PathBuf) -> Vec<PathBuf> {
        if !self.root.starts_with(&path) {
            return vec![path];
        }
        let mut found = Vec::new();
        let mut folder = path;
        while folder != self.root {
            let mut next = None;
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten().take(BESIDE_MAX) {
                let path = entry.path();
                if self.root.starts_with(&path) {
                    next = Some(path);
                } else {
                    found.push(path);
                }
            }
            let Some(next) = next else { break };
            folder = next;
        }
        found
    }

    fn may_be_written(&self, path: &Path, hidden: &[PathBuf]) -> bool {
        let is_hidden = hidden.iter().any(|hidden| path.starts_with(hidden));
        path.is_dir() && !is_hidden && !is_kernels(path) && !self.root.starts_with(path)
    }
}

fn is_kernels(path: &Path) -> bool {
    KERNEL_FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// Without what lies in another one.
fn outermost(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in paths {
        if kept.last().is_none_or(|last| !path.starts_with(last)) {
            kept.push(path);
        }
    }
    kept
}

/// Whether it lies in a folder that the cell has of its own.
fn is_covered(path: &PathBuf) -> bool {
    OWN_FOLDERS.iter().any(|folder| path.starts_with(folder) && path != Path::new(folder))
}

/// The folders of git that a worktree points to: its own, and that of the repository.
fn repository(root: &Path) -> Vec<PathBuf> {
    const POINTER_BYTES_MAX: u64 = 4096;
    let read = |path: PathBuf| {
        let is_small = std::fs::metadata(&path).is_ok_and(|found| found.len() <= POINTER_BYTES_MAX);
        std::fs::read_to_string(path).ok().filter(|_| is_small)
    };
    let pointed = read(root.join(".git"));
    let Some(own) = pointed.as_deref().and_then(|text| text.strip_prefix("gitdir:")) else {
        return Vec::new();
    };
    let own = root.join(own.trim());
    let shared = read(own.join("commondir")).map(|text| own.join(text.trim()));
    let folders = [Some(own), shared].into_iter().flatten();
    folders.filter_map(|folder| folder.canonicalize().ok()).filter(is_covered).collect()
}

fn visible(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let values = TOOL_VARIABLES.iter().filter_map(|name| variable(name));
    let mut found = Vec::new();
    for value in values {
        for path in std::env::split_paths(&value).filter(|path| path.is_absolute()) {
            // Programs in `bin` come with what lies beside it.
            let above = path.parent().filter(|_| path.ends_with("bin")).map(Path::to_owned);
            found.push(above.filter(is_covered).unwrap_or(path));
        }
    }
    outermost(found.into_iter().filter(is_covered).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        (folder, root)
    }

    fn write(path: &Path) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x").unwrap();
    }

    #[test]
    fn secrets_and_private_places_are_hidden_and_caches_writable() {
        let (_folder, base) = scene();
        let (home, root) = (base.join("home"), base.join("home/work/app"));
        for file in
            [".ssh/id_rsa", ".cargo/registry/x", ".cargo/bin/cargo", ".bash_history", "data/bowline.db"]
        {
            write(&home.join(file));
        }
        for file in [".env", "src/main.rs", "certs/server.key", ".env.example", "node_modules/x/.env"] {
            write(&root.join(file));
        }
        std::os::unix::fs::symlink("/etc/hosts", root.join("prod.env")).unwrap();
        let own = Surroundings { root: root.clone(), own: vec![home.join("data"), home.join("nowhere")] };
        let variable = |name: &str| (name == "HOME").then(|| home.clone().into_os_string());
        let places = own.places(&variable);
        assert_eq!(
            places.hidden,
            [
                home.join(".bash_history"),
                home.join(".ssh"),
                home.join("data"),
                root.join(".env"),
                root.join("certs/server.key"),
            ]
        );
        assert_eq!(places.writable, [home.join(".cargo/registry"), root]);
    }

    /// A worktree stands in a folder of bowline's own.
    #[test]
    fn a_project_in_a_hidden_folder_is_not_hidden_but_all_beside_it_is() {
        let (_folder, base) = scene();
        let (data, root) = (base.join("data"), base.join("data/worktrees/one"));
        for file in ["bowline.db", "worktrees/one/a.txt", "worktrees/two/a.txt"] {
            write(&data.join(file));
        }
        let own = Surroundings { root: root.clone(), own: vec![data.clone()] };
        let places = own.places(&|_| None);
        assert_eq!(places.hidden, [data.join("bowline.db"), data.join("worktrees/two")]);
        assert_eq!(places.writable, [root]);
    }

    #[test]
    fn the_repository_of_a_worktree_in_a_temporary_folder_stays_visible() {
        let (_folder, base) = scene();
        let (git, root) = (base.join("main/.git"), base.join("tree"));
        write(&git.join("worktrees/tree/HEAD"));
        std::fs::write(git.join("worktrees/tree/commondir"), "../..\n").unwrap();
        std::fs::create_dir(&root).unwrap();
        assert_eq!(repository(&root), Vec::<PathBuf>::new());
        let pointer = format!("gitdir: {}\n", git.join("worktrees/tree").display());
        std::fs::write(root.join(".git"), pointer).unwrap();
        let places = Surroundings { root, own: Vec::new() }.places(&|_| None);
        let due = if is_covered(&git) { vec![git] } else { Vec::new() };
        assert_eq!(places.visible, due);
    }

    #[test]
    fn tools_in_a_temporary_folder_stay_visible() {
        let variable = |name: &str| (name == "PATH").then(|| "/usr/bin:/tmp/tools/bin:/tmp:/run/x".into());
        assert_eq!(visible(&variable), [PathBuf::from("/run/x"), PathBuf::from("/tmp/tools")]);
    }
}
