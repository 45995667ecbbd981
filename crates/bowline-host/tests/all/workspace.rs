//! No way out of the work tree, and no half-written file.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use bowline_core::tool_output::Grant;
use bowline_host::workspace::{Expected, FileError, Hash, Kind, PathError, Resolved, Workspace};

/// A project beside a folder that is none of its business.
struct Place {
    _folder: tempfile::TempDir,
    root: PathBuf,
    outside: PathBuf,
    workspace: Workspace,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let (root, outside) = (base.join("project"), base.join("elsewhere"));
    for path in [root.join("src"), root.join(".git"), outside.clone(), base.join("data")] {
        fs::create_dir_all(path).unwrap();
    }
    fs::write(root.join("src/main.rs"), "fn main() {}\n").unwrap();
    fs::write(root.join(".git/config"), "[core]\n").unwrap();
    fs::write(outside.join("secret.txt"), "secret\n").unwrap();
    let workspace = Workspace::open(&root, vec![base.join("data")]).unwrap();
    Place { _folder: folder, root, outside, workspace }
}

impl Place {
    fn resolve(&self, path: &str) -> Result<Resolved, PathError> {
        self.workspace.resolve(path, Grant::Inside)
    }

    #[track_caller]
    fn inside(&self, path: &str, real: &str) {
        let resolved = self.resolve(path).unwrap();
        assert_eq!((resolved.real, resolved.display.as_str()), (self.root.join(real), real), "{path:?}");
    }

    #[track_caller]
    fn outside(&self, path: &str) {
        let refused = self.resolve(path);
        assert!(matches!(refused, Err(PathError::Outside { .. })), "{path:?}: {refused:?}");
        assert!(self.workspace.resolve(path, Grant::Outside).is_ok(), "{path:?}");
    }

    #[track_caller]
    fn forbidden(&self, path: &str) {
        for grant in [Grant::Inside, Grant::Outside] {
            let refused = self.workspace.resolve(path, grant);
            assert!(matches!(refused, Err(PathError::Forbidden { .. })), "{path:?}: {refused:?}");
        }
    }

    fn link(&self, target: impl AsRef<Path>, path: &str) {
        symlink(target, self.root.join(path)).unwrap();
    }
}

#[test]
fn paths_inside_are_resolved() {
    let place = place();
    place.inside("src/main.rs", "src/main.rs");
    place.inside("./src//main.rs", "src/main.rs");
    place.inside("src/../src/main.rs", "src/main.rs");
    place.inside("src/main.rs/", "src/main.rs");
    place.inside("new/folder/file.txt", "new/folder/file.txt");
    place.inside("missing/../src/main.rs", "src/main.rs");
    place.inside("a name/with space \u{e9}", "a name/with space \u{e9}");
    let absolute = place.root.join("src/main.rs");
    place.inside(absolute.to_str().unwrap(), "src/main.rs");
    for root in [".", "./", "src/..", place.root.to_str().unwrap()] {
        let resolved = place.resolve(root).unwrap();
        assert_eq!((resolved.display.as_str(), resolved.kind), (".", Kind::Folder), "{root}");
    }
    assert_eq!(place.resolve("src/none.rs").unwrap().kind, Kind::Missing);
}

#[test]
fn a_name_with_a_line_break_is_a_name() {
    let place = place();
    let resolved = place.resolve("two\nlines").unwrap();
    assert_eq!((resolved.real, resolved.display.as_str()), (place.root.join("two\nlines"), "two\\nlines"));
}

#[test]
fn dots_and_absolute_paths_do_not_lead_out() {
    let place = place();
    place.outside("../elsewhere/secret.txt");
    place.outside("src/../../elsewhere/secret.txt");
    place.outside("missing/../../elsewhere/new.txt");
    place.outside("..");
    place.outside("/etc/passwd");
    place.outside("/");
    place.outside(place.outside.join("secret.txt").to_str().unwrap());
    // A neighbour whose name begins like the root's.
    fs::create_dir(place.root.with_file_name("project-two")).unwrap();
    place.outside("../project-two/file");
}

#[test]
fn links_do_not_lead_out() {
    let place = place();
    place.link(place.outside.join("secret.txt"), "file_link");
    place.link(&place.outside, "folder_link");
    place.link("../elsewhere", "relative_link");
    place.link("../elsewhere/nothing-there", "dangling_link");
    place.link("folder_link", "link_to_link");
    place.link("src/../../elsewhere/secret.txt", "winding_link");
    for path in [
        "file_link",
        "folder_link",
        "folder_link/secret.txt",
        "folder_link/new/deep/file.txt",
        "relative_link/secret.txt",
        "dangling_link",
        "dangling_link/below",
        "link_to_link/secret.txt",
        "winding_link",
        "src/../folder_link/secret.txt",
    ] {
        place.outside(path);
    }
    // A link's `..` is that of where it leads.
    place.link(&place.outside, "out");
    place.outside("out/../project-two");
    place.inside("out/../project/src/main.rs", "src/main.rs");
}

#[test]
fn links_inside_lead_to_their_file() {
    let place = place();
    place.link("src/main.rs", "alias.rs");
    place.link("src", "code");
    place.link("src/later.rs", "dangling_inside");
    place.inside("alias.rs", "src/main.rs");
    place.inside("code/main.rs", "src/main.rs");
    place.inside("dangling_inside", "src/later.rs");
    place.link("round", "round");
    assert!(matches!(place.resolve("round"), Err(PathError::Links { .. })));
}

#[test]
fn git_and_our_own_folders_are_off_limits_always() {
    let place = place();
    fs::create_dir_all(place.root.join("vendor/lib/.git")).unwrap();
    fs::create_dir_all(place.root.join("linked")).unwrap();
    fs::write(place.root.join("linked/.git"), "gitdir: ../.git/worktrees/x\n").unwrap();
    fs::create_dir_all(place.outside.join(".git")).unwrap();
    place.link(".git", "disguise");
    place.link(".git/config", "disguised_config");
    place.link("../data/sessions.db", "our_data");
    for path in [
        ".git",
        ".git/config",
        ".git/new/hook",
        "./.git/",
        "src/../.git/config",
        ".git/../src/main.rs",
        ".GIT/config",
        ".Git",
        "vendor/lib/.git/config",
        "linked/.git",
        "new/.git/hooks/pre-commit",
        "disguise",
        "disguise/config",
        "disguised_config",
        "../elsewhere/.git/config",
        ".bowline/config.toml",
        "src/.bowline",
        "../data",
        "../data/sessions.db",
        "our_data",
    ] {
        place.forbidden(path);
    }
    place.inside(".gitignore", ".gitignore");
    place.inside(".github/workflows/ci.yml", ".github/workflows/ci.yml");
    place.inside("src/git", "src/git");
}

#[test]
fn a_git_folder_elsewhere_in_the_tree_is_off_limits() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir(root.join("store")).unwrap();
    fs::write(root.join(".git"), "gitdir: store\n").unwrap();
    let workspace = Workspace::open(&root, Vec::new()).unwrap();
    assert!(matches!(workspace.resolve("store/config", Grant::Outside), Err(PathError::Forbidden { .. })));
}

#[test]
fn a_work_tree_in_a_folder_of_ours_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().canonicalize().unwrap().join(".bowline");
    fs::create_dir_all(data.join("trees/one/src")).unwrap();
    let workspace = Workspace::open(&data.join("trees/one"), vec![data.clone()]).unwrap();
    assert_eq!(workspace.resolve("src/a.rs", Grant::Inside).unwrap().display, "src/a.rs");
    let beside = workspace.resolve("../two/a.rs", Grant::Outside);
    assert!(matches!(beside, Err(PathError::Forbidden { .. })));
    // The folders above it are passed on the way, and not for looking into.
    for above in ["..", "../..", data.to_str().unwrap(), "../../bowline.db"] {
        let above = workspace.resolve(above, Grant::Outside);
        assert!(matches!(above, Err(PathError::Forbidden { .. })), "{above:?}");
    }
    assert!(workspace.resolve("../../..", Grant::Outside).is_ok());
    let whole = data.join("trees/one/src/a.rs");
    assert_eq!(workspace.resolve(whole.to_str().unwrap(), Grant::Inside).unwrap().display, "src/a.rs");
}

#[test]
fn malformed_paths_are_refused() {
    let place = place();
    assert_eq!(place.resolve(""), Err(PathError::Empty));
    assert_eq!(place.resolve("  "), Err(PathError::Empty));
    assert_eq!(place.resolve("a\0b"), Err(PathError::Malformed));
    assert_eq!(place.resolve(&"a/".repeat(5_000)), Err(PathError::Malformed));
}

#[test]
fn what_is_no_regular_file_is_not_read_and_does_not_block() {
    let place = place();
    let made = std::process::Command::new("mkfifo").arg(place.root.join("pipe")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(place.root.join("socket")).unwrap();
    for (path, what) in [("pipe", "pipe"), ("socket", "socket")] {
        let resolved = place.resolve(path).unwrap();
        let refused = place.workspace.read(&resolved);
        assert!(
            matches!(&refused, Err(FileError::NotRegular { what: is, .. }) if *is == what),
            "{refused:?}"
        );
        let written = place.workspace.write(&resolved, b"x", Expected::Missing);
        assert!(matches!(written, Err(FileError::NotRegular { .. })), "{written:?}");
    }
    let null = place.workspace.resolve("/dev/null", Grant::Outside).unwrap();
    assert!(matches!(place.workspace.read(&null), Err(FileError::NotRegular { what: "device", .. })));
    let folder = place.resolve("src").unwrap();
    assert!(matches!(place.workspace.read(&folder), Err(FileError::Folder { .. })));
}

#[test]
fn a_large_file_is_refused_with_its_size() {
    let place = place();
    let file = fs::File::create(place.root.join("large")).unwrap();
    file.set_len(17 * 1024 * 1024).unwrap();
    let refused = place.workspace.read(&place.resolve("large").unwrap());
    assert!(matches!(refused, Err(FileError::TooLarge { bytes: 17_825_792, .. })));
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_write_keeps_the_mode_and_makes_folders() {
    let place = place();
    let script = place.root.join("run.sh");
    fs::write(&script, "old").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o751)).unwrap();
    let resolved = place.resolve("run.sh").unwrap();
    let read = place.workspace.read(&resolved).unwrap();
    place.workspace.write(&resolved, b"new", Expected::Content(read.hash)).unwrap();
    assert_eq!(fs::read(&script).unwrap(), b"new");
    assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o7777, 0o751);

    let deep = place.resolve("a/b/c.txt").unwrap();
    place.workspace.write(&deep, b"deep", Expected::Missing).unwrap();
    assert_eq!(fs::read(place.root.join("a/b/c.txt")).unwrap(), b"deep");
    assert_eq!(names(&place.root.join("a/b")), ["c.txt"]);
    let mode = fs::metadata(place.root.join("a/b/c.txt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0, "a new file is not executable");
}

#[test]
fn a_write_goes_through_a_link_and_keeps_it() {
    let place = place();
    place.link("src/main.rs", "alias.rs");
    let resolved = place.resolve("alias.rs").unwrap();
    let read = place.workspace.read(&resolved).unwrap();
    place.workspace.write(&resolved, b"changed", Expected::Content(read.hash)).unwrap();
    assert_eq!(fs::read_link(place.root.join("alias.rs")).unwrap(), Path::new("src/main.rs"));
    assert_eq!(fs::read(place.root.join("src/main.rs")).unwrap(), b"changed");
}

#[test]
fn a_file_that_changed_is_not_overwritten() {
    let place = place();
    let resolved = place.resolve("src/main.rs").unwrap();
    let read = place.workspace.read(&resolved).unwrap();
    fs::write(place.root.join("src/main.rs"), "by somebody else").unwrap();
    let refused = place.workspace.write(&resolved, b"mine", Expected::Content(read.hash));
    assert!(matches!(refused, Err(FileError::Changed { .. })));
    let refused = place.workspace.write(&resolved, b"mine", Expected::Missing);
    assert!(matches!(refused, Err(FileError::Changed { .. })));
    let gone = place.resolve("src/gone.rs").unwrap();
    let refused = place.workspace.write(&gone, b"mine", Expected::Content(Hash::of(b"x")));
    assert!(matches!(refused, Err(FileError::Changed { .. })));
    assert_eq!(fs::read(place.root.join("src/main.rs")).unwrap(), b"by somebody else");
    assert_eq!(names(&place.root.join("src")), ["main.rs"]);
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let place = place();
    let too_long = place.resolve(&format!("src/{}", "n".repeat(300))).unwrap();
    let failed = place.workspace.write(&too_long, b"x", Expected::Missing).unwrap_err();
    assert!(failed.to_string().contains("too long"), "{failed}");
    let below_a_file = place.resolve("src/main.rs/below.rs").unwrap();
    let failed = place.workspace.write(&below_a_file, b"x", Expected::Missing).unwrap_err();
    assert!(failed.to_string().contains("is a file, not a folder"), "{failed}");
    let folder = place.resolve("src").unwrap();
    assert!(matches!(place.workspace.write(&folder, b"x", Expected::Missing), Err(FileError::Folder { .. })));
    assert_eq!(names(&place.root.join("src")), ["main.rs"]);
}

#[test]
fn a_read_only_file_is_left_alone() {
    let place = place();
    let path = place.root.join("src/main.rs");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let resolved = place.resolve("src/main.rs").unwrap();
    let read = place.workspace.read(&resolved).unwrap();
    let refused = place.workspace.write(&resolved, b"x", Expected::Content(read.hash));
    assert!(matches!(refused, Err(FileError::ReadOnly { .. })));
    assert_eq!(fs::read(path).unwrap(), b"fn main() {}\n");
}

#[test]
fn a_link_put_in_the_way_after_resolving_is_not_followed() {
    let place = place();
    let resolved = place.resolve("src/main.rs").unwrap();
    let new = place.resolve("src/new.rs").unwrap();
    fs::rename(place.root.join("src"), place.root.join("was")).unwrap();
    place.link(&place.outside, "src");
    assert!(place.workspace.write(&new, b"x", Expected::Missing).is_err());
    assert_eq!(names(&place.outside), ["secret.txt"]);
    fs::remove_file(place.root.join("src")).unwrap();
    fs::create_dir(place.root.join("src")).unwrap();
    place.link(place.outside.join("secret.txt"), "src/main.rs");
    assert!(place.workspace.read(&resolved).is_err());
}

#[test]
fn a_missing_or_wrong_root_is_an_error() {
    let place = place();
    assert!(Workspace::open(&place.root.join("none"), Vec::new()).is_err());
    assert!(Workspace::open(&place.root.join("src/main.rs"), Vec::new()).is_err());
}
