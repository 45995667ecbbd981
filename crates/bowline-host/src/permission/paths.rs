//! What a path of the project is to the rules: taken by git or ignored, a secret, outside, nobody's business.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bowline_core::policy::paths::{PathKind, Place, ProjectFiles, TakesIn};
use bowline_core::policy::project_checks::ProjectChecks;
use bowline_core::tool_output::Grant;
use globset::GlobBuilder;
use ignore::DirEntry;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::project_checks;
use crate::walk::{Hidden, Ignored, Walk};
use crate::workspace::{PathError, Workspace};

/// Names a pattern may stand for; with more it is not clear.
const NAMES_MAX: usize = 2_000;
/// Files a search is looked ahead of.
const SEARCHED_MAX: usize = 20_000;
/// Folders of other people's files: their keys are no secrets.
const OTHERS: [&str; 5] = [".git", "node_modules", "target", "vendor", ".venv"];

pub(super) struct Files<'a> {
    workspace: &'a Workspace,
}

impl<'a> Files<'a> {
    pub(super) fn new(workspace: &'a Workspace) -> Files<'a> {
        Files { workspace }
    }
}

impl ProjectFiles for Files<'_> {
    fn place(&self, folder: &str, path: &str) -> Place {
        if matches!(path, "/dev/null" | "/dev/stdin" | "/dev/stdout" | "/dev/stderr" | "/dev/zero") {
            return Place { at: PathKind::Nowhere, shown: path.to_owned() };
        }
        let path = if path.is_empty() { "." } else { path };
        let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
        match self.workspace.resolve(&whole, Grant::Outside) {
            Ok(resolved) => Place { at: at(self.workspace, &resolved.real), shown: resolved.display },
            Err(PathError::Forbidden { path }) => Place { at: PathKind::Forbidden, shown: path },
            Err(_) => Place { at: PathKind::Outside, shown: path.to_owned() },
        }
    }

    fn places(&self, folder: &str, pattern: &str) -> Vec<Place> {
        self.expanded(folder, pattern).unwrap_or_default()
    }

    fn holds_secret(&self, folder: &str, path: &str, takes_in: TakesIn<'_>) -> bool {
        let is_taken = |entry: &DirEntry| match takes_in {
            TakesIn::Everything | TakesIn::Visible => true,
            TakesIn::Endings(endings) => {
                let ending = entry.path().extension().and_then(OsStr::to_str).unwrap_or_default();
                endings.contains(&ending)
            }
        };
        let hidden = if takes_in == TakesIn::Visible { Hidden::LeftOut } else { Hidden::Listed };
        // A link may be followed: out of the project, or to a secret.
        let leads_off = |path: &Path| {
            let Some(path) = path.to_str() else { return true };
            match self.workspace.resolve(path, Grant::Inside) {
                Ok(resolved) => is_secret(&resolved.real),
                Err(error) => matches!(error, PathError::Outside { .. }),
            }
        };
        let is_found = |entry: &DirEntry| match entry.file_type() {
            Some(kind) if kind.is_symlink() => {
                takes_in != TakesIn::Visible && is_taken(entry) && leads_off(entry.path())
            }
            Some(kind) if kind.is_file() => is_taken(entry) && is_secret(entry.path()),
            _ => false,
        };
        let is_others = |name: &OsStr| OTHERS.iter().any(|other| name == *other);
        self.has_below(
            folder,
            path,
            |walk| walk.hidden(hidden).keeping(move |entry| !is_others(entry.file_name())),
            is_found,
        )
    }

    fn has_plain_names(&self, folder: &str, path: &str) -> bool {
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\'' | '"' | '\\');
        let is_plain = |name: &str| !name.starts_with(['-', '@']) && !name.contains(is_odd);
        let is_unlike = |entry: &DirEntry| !entry.file_name().to_str().is_some_and(is_plain);
        let own = Path::new(path).components().filter_map(|part| part.as_os_str().to_str());
        own.clone().count() == Path::new(path).components().count()
            && own.into_iter().all(is_plain)
            && !self.has_below(folder, path, |walk| walk, |entry| entry.depth() > 0 && is_unlike(entry))
    }

    fn checks_in(&self, folder: &str) -> ProjectChecks {
        let Ok(resolved) = self.workspace.resolve(folder, Grant::Inside) else {
            return ProjectChecks::default();
        };
        if self.is_others(&resolved.real) {
            return ProjectChecks::default();
        }
        project_checks::find(&resolved.real)
    }
}

impl Files<'_> {
    /// Whether something below a folder is so; also where there is too much to look through.
    fn has_below(
        &self,
        folder: &str,
        path: &str,
        limit: impl Fn(Walk) -> Walk,
        is_so: impl Fn(&DirEntry) -> bool,
    ) -> bool {
        let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
        let Ok(from) = self.workspace.resolve(&whole, Grant::Inside) else { return false };
        let walk = limit(Walk::new(&from.real).ignored(Ignored::Listed).entries_max(SEARCHED_MAX));
        let mut count = 0;
        let is_found = walk.entries().any(|entry| {
            count += 1;
            is_so(&entry)
        });
        is_found || count >= SEARCHED_MAX
    }

    /// Whether a folder inside the project holds other people's files: it, or one above it, is a repository of its own or
    /// has the name of such a folder.
    fn is_others(&self, folder: &Path) -> bool {
        let root = self.workspace.root();
        let is_named = |above: &Path| OTHERS.iter().any(|other| above.ends_with(other));
        let mut above = folder.ancestors().take_while(|above| *above != root);
        above.any(|above| is_named(above) || above.join(".git").exists())
    }

    /// The files a pattern with wildcards in its last part stands for now; the pattern itself where there are none.
    fn expanded(&self, folder: &str, pattern: &str) -> Option<Vec<Place>> {
        let (parent, name) = pattern.rsplit_once('/').unwrap_or((".", pattern));
        // A file may be named like a flag.
        if parent.contains(['*', '?', '[']) || pattern.starts_with(['-', '~']) || !is_plain_pattern(name) {
            return None;
        }
        let parent = if parent.is_empty() { "/" } else { parent };
        let place = self.place(folder, parent);
        if matches!(place.at, PathKind::Outside | PathKind::Forbidden | PathKind::Secret) {
            return Some(vec![place]);
        }
        let matcher = GlobBuilder::new(name).literal_separator(true).build().ok()?.compile_matcher();
        let whole = if parent.starts_with('/') { parent.to_owned() } else { format!("{folder}/{parent}") };
        let real: PathBuf = self.workspace.resolve(&whole, Grant::Inside).ok()?.real;
        let mut places = Vec::new();
        for (count, entry) in std::fs::read_dir(real).ok()?.flatten().enumerate() {
            let found = entry.file_name();
            let found = found.to_str()?;
            if count > NAMES_MAX || (parent == "." && found.starts_with('-')) {
                return None;
            }
            if matcher.is_match(found) && (!found.starts_with('.') || name.starts_with('.')) {
                places.push(self.place(&whole, found));
            }
        }
        if places.is_empty() {
            places.push(self.place(folder, &pattern.replace(['*', '?', '['], "_")));
        }
        Some(places)
    }
}

/// Whether the shell and our matcher read a pattern alike, in every locale: `*`, `?`, and brackets around digits or single
/// letters.
fn is_plain_pattern(name: &str) -> bool {
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((members, after)) = after.split_once(']') else { return false };
        let is_digits = matches!(members, "0-9" | "1-9");
        let is_plain = !members.is_empty() && members.chars().all(|c| c.is_ascii_alphanumeric());
        if before.contains(']') || !is_digits && !is_plain {
            return false;
        }
        rest = after;
    }
    !rest.contains([']', '{', '}', '\\']) && !name.contains(['{', '}', '\\'])
}

/// What stands at a path without links.
pub(super) fn at(workspace: &Workspace, real: &Path) -> PathKind {
    if workspace.is_forbidden(real) {
        return PathKind::Forbidden;
    }
    let Ok(inside) = real.strip_prefix(workspace.root()) else { return PathKind::Outside };
    if is_secret(inside) {
        PathKind::Secret
    } else if is_started(inside) {
        PathKind::Started
    } else if is_ignored(workspace.root(), inside) {
        PathKind::Ignored
    } else {
        PathKind::Captured
    }
}

/// `.env` and its kin, and private keys, by their names.
pub fn is_secret(path: &Path) -> bool {
    const NAMES: [&str; 8] = [
        ".env",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        ".htpasswd",
        "credentials",
        "credentials.json",
    ];
    const ENDS: [&str; 6] = [".pem", ".key", ".p12", ".pfx", ".keystore", ".jks"];
    const KEYS: [&str; 4] = ["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"];
    const SAMPLES: [&str; 4] = ["example", "sample", "template", "dist"];
    let is_folder = |part: &OsStr| part == ".ssh" || part == ".aws" || part == ".gnupg";
    if path.iter().any(is_folder) {
        return true;
    }
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().to_lowercase()) else { return false };
    let variant = name.strip_prefix(".env.").or_else(|| name.strip_suffix(".env"));
    NAMES.contains(&name.as_str())
        || variant.is_some_and(|variant| !SAMPLES.iter().any(|sample| variant.contains(sample)))
        || ENDS.iter().any(|end| name.ends_with(end))
        || KEYS.iter().any(|key| name.starts_with(key)) && !name.ends_with(".pub")
}

/// Start-up files of shells, what the desktop starts, and the configuration of git and of editors, by their names: a project
/// may be a home folder, and an editor obeys what it finds in a project.
fn is_started(path: &Path) -> bool {
    const NAMES: &str = ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin \
        .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .envrc .xinitrc .xprofile .xsession .xsessionrc .pam_environment \
        .gitconfig .gitmodules .hgrc .vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .vim .emacs .emacs.d .dir-locals.el .nanorc .tmux.conf \
        .screenrc .gdbinit .lldbinit .pythonrc .pythonstartup .irbrc .pryrc .pdbrc .Rprofile .vscode .idea .zed .fleet .helix \
        .crontab crontab";
    const FOLDERS: &str = ".config/git .config/nvim .config/vim .config/helix .config/zed .config/Code .config/fish .config/autostart \
        .config/systemd .config/environment.d .config/emacs .config/kak .config/micro .config/sublime-text .config/zsh \
        .config/plasma-workspace .local/share/systemd .local/share/applications .local/share/dbus-1 .local/bin Library/LaunchAgents \
        Library/LaunchDaemons etc/cron.d etc/profile.d .githooks .husky";
    let is_named = |part: &OsStr| NAMES.split_ascii_whitespace().any(|name| part == name);
    let is_below = |folder: &str| {
        let depth = Path::new(folder).components().count();
        let parts: Vec<&OsStr> = path.iter().collect();
        parts.windows(depth).any(|window| window.iter().collect::<PathBuf>() == Path::new(folder))
    };
    path.iter().any(is_named) || FOLDERS.split_ascii_whitespace().any(is_below)
}

/// The secrets below a folder, by their names; those in folders of other people's files are none.
pub fn secrets_in(root: &Path) -> Vec<PathBuf> {
    let entries = own_files(root).entries().map(DirEntry::into_path);
    entries.filter(|path| path.strip_prefix(root).is_ok_and(is_secret)).collect()
}

fn own_files(from: &Path) -> Walk {
    let is_others = |name: &OsStr| OTHERS.iter().any(|other| name == *other);
    Walk::new(from)
        .ignored(Ignored::Listed)
        .entries_max(SEARCHED_MAX)
        .keeping(move |entry| !is_others(entry.file_name()))
}

/// Whether git would leave it out. In a folder without git nothing is ignored: what is lost there is lost anyway, and
/// the user is told so at the start.
fn is_ignored(root: &Path, inside: &Path) -> bool {
    if !root.join(".git").exists() || inside.as_os_str().is_empty() {
        return false;
    }
    let mut folder = root.to_owned();
    let mut rules: Vec<Gitignore> = vec![Gitignore::global().0];
    let mut exclude = GitignoreBuilder::new(root);
    exclude.add(exclude_file(root));
    rules.extend(exclude.build());
    let parents = inside.parent().into_iter().flat_map(Path::iter);
    for next in std::iter::once(None).chain(parents.map(Some)) {
        folder.extend(next);
        let mut builder = GitignoreBuilder::new(&folder);
        let file = folder.join(".gitignore");
        if file.is_file() {
            builder.add(file);
            rules.extend(builder.build());
        }
    }
    let path = root.join(inside);
    let is_folder = path.is_dir();
    let mut verdict = false;
    for rules in &rules {
        let below = path.starts_with(rules.path());
        let matched = if below {
            rules.matched_path_or_any_parents(&path, is_folder)
        } else {
            rules.matched(&path, is_folder)
        };
        verdict = (verdict || matched.is_ignore()) && !matched.is_whitelist();
    }
    verdict
}

/// The rules of the repository itself. Worktrees share them.
fn exclude_file(root: &Path) -> PathBuf {
    let entry = root.join(".git");
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let pointed = read(&entry).and_then(|text| Some(root.join(text.strip_prefix("gitdir:")?.trim())));
    let project_checks = pointed.unwrap_or(entry);
    let shared = read(&project_checks.join("commondir")).map(|text| project_checks.join(text.trim()));
    shared.unwrap_or(project_checks).join("info/exclude")
}
