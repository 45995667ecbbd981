//! Names that say nothing: a file or folder of Rust sources called after what it might hold instead of what it does.

use super::Finding;
use super::tree::Tree;

const EMPTY_NAMES: [&str; 6] = ["utils", "util", "common", "helpers", "manager", "types"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust().filter_map(|(path, _)| Some(Finding::new(path, 1, judge(path)?))).collect()
}

fn judge(path: &str) -> Option<String> {
    let mut parts = path.strip_suffix(".rs")?.split('/');
    if path.ends_with("/mod.rs") {
        return Some("named mod.rs; put it beside its folder as `name.rs`".to_owned());
    }
    let empty = parts.find(|part| EMPTY_NAMES.contains(part))?;
    Some(format!("`{empty}` is a name that says nothing; name it after what it does"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_names_are_found_in_files_and_folders() {
        let table = [
            ("crates/a/src/log.rs", false),
            ("crates/a/src/utils.rs", true),
            ("crates/a/tests/common/start.rs", true),
            ("crates/a/src/log/mod.rs", true),
            ("crates/a/src/typeset.rs", false),
            ("crates/a/src/model.rs", false),
        ];
        for (path, expected) in table {
            assert_eq!(judge(path).is_some(), expected, "{path}");
        }
    }
}
