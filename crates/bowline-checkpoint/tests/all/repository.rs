//! The user's repository, as seen at one moment: every byte of it but for the objects, which may only gain pins, and the one
//! worktree entry that is ours.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::ground::Ground;
use crate::tree_state::{Seen, look};

const PIN: &str = "worktrees/bowline-keep";
/// The empty tree, which every pin has, by either hash.
const EMPTY: [&str; 2] = [
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

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
            crate::tree_state::Thing::Folder(_) => None,
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
            if EMPTY.contains(&id.as_str()) {
                continue;
            }
            let commit = ground.git(&self.root, &["cat-file", "commit", &id]);
            let is_pin = EMPTY.iter().any(|empty| commit.starts_with(&format!("tree {empty}\n")));
            assert!(is_pin, "{when}: an object in the user's repository that is no pin: {id}\n{commit}");
        }
    }

    /// What the user's own git says of the files.
    pub(crate) fn status(&self, ground: &Ground) -> String {
        match self.folder {
            Some(_) => ground.git(&self.root, &["status", "--porcelain=v2", "--branch", "--ignored"]),
            None => String::new(),
        }
    }

    /// What it finds wrong with the repository.
    pub(crate) fn trouble(&self, ground: &Ground) -> String {
        match self.folder {
            Some(_) => ground.git(&self.root, &["fsck", "--no-dangling", "--no-progress"]),
            None => String::new(),
        }
    }
}
