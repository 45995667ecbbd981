//! The user's repository, as seen at one moment: every byte of it but for the objects, which may only gain pins, and the one
//! worktree entry that is ours.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::ground::Ground;
use crate::seen::{Seen, look};

const PIN: &str = "worktrees/bowline-keep";

pub(crate) struct Repository {
    /// Where it is; none for a folder that is none.
    pub(crate) folder: Option<PathBuf>,
    root: PathBuf,
}

#[derive(Debug, Clone)]
pub(crate) struct RepositorySeen {
    /// With HEAD, the refs, index, stash, reflogs, hooks, configuration and what a merge has left.
    files: Seen,
    objects: BTreeSet<PathBuf>,
}

impl Repository {
    /// The one whose work tree `root` is or is in.
    pub(crate) fn of(ground: &Ground, root: &Path) -> Repository {
        let asked = ["rev-parse", "--is-bare-repository", "--path-format=absolute", "--git-common-dir"];
        let answer = ground.git(root, &asked);
        let folder = match answer.lines().collect::<Vec<_>>().as_slice() {
            ["false", folder] if !root.join(folder).join("HEAD").exists() => None,
            ["false", folder] => Some(PathBuf::from(folder)),
            _ => None,
        };
        Repository { folder, root: root.to_owned() }
    }

    pub(crate) fn look(&self) -> Option<RepositorySeen> {
        let folder = self.folder.as_ref()?;
        let (mut files, _) = look(folder, &["objects", PIN]);
        // The folder of all worktree entries comes with ours.
        files.0.remove(Path::new("worktrees"));
        let (objects, _) = look(&folder.join("objects"), &[]);
        let is_file = |(path, thing)| match thing {
            crate::seen::Thing::Folder(_) => None,
            _ => Some(path),
        };
        Some(RepositorySeen { files, objects: objects.0.into_iter().filter_map(is_file).collect() })
    }

    /// Panics where something is otherwise than it was; pins may have come.
    pub(crate) fn unchanged(&self, ground: &Ground, was: &Option<RepositorySeen>, when: &str) {
        let (Some(is), Some(was)) = (self.look(), was) else { return };
        let differs = is.files.against(&was.files);
        assert!(differs.is_empty(), "{when}: the user's repository is not as it was\n{differs}");
        let gone: Vec<_> = was.objects.difference(&is.objects).collect();
        assert!(gone.is_empty(), "{when}: objects of the user's are gone: {gone:?}");
        for path in is.objects.difference(&was.objects) {
            let id: String = path.components().map(|part| part.as_os_str().to_str().unwrap()).collect();
            let commit = ground.git(&self.root, &["cat-file", "commit", &id]);
            let empty = ground.git(&self.root, &["hash-object", "-t", "tree", "/dev/null"]);
            let is_pin = id == empty.trim() || commit.starts_with(&format!("tree {}\n", empty.trim()));
            assert!(is_pin, "{when}: an object in the user's repository that is no pin: {id}\n{commit}");
        }
    }

    /// What the user's own git says of it.
    pub(crate) fn says(&self, ground: &Ground) -> String {
        if self.folder.is_none() {
            return String::new();
        }
        let status = ground.git(&self.root, &["status", "--porcelain=v2", "--branch", "--ignored"]);
        let fsck = ground.git(&self.root, &["fsck", "--no-dangling", "--no-progress"]);
        let stash = ground.git(&self.root, &["stash", "list"]);
        format!("{status}\n{fsck}\n{stash}")
    }
}
