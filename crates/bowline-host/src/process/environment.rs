//! What a command sees of our environment: no secrets, nothing of ours, nothing that would point git elsewhere, and
//! nothing that waits for a person at a terminal.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use super::group::Priority;

/// Any variable with one of these in its name.
const SECRET: [&str; 4] = ["KEY", "TOKEN", "SECRET", "PASSWORD"];
const OURS: &str = "BOWLINE_";
/// What `git rev-parse --local-env-vars` names: they would make git work on another repository than the folder's.
const GIT: [&str; 15] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];
const SET: [(&str, &str); 4] =
    [("GIT_PAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0"), ("PAGER", "cat"), ("TERM", "dumb")];

/// For a check: a test runner that would watch files ends instead, and Python leaves no compiled files behind.
const CHECK_SET: &[(&str, &str)] = &[("CI", "true"), ("PYTHONDONTWRITEBYTECODE", "1")];

/// The environment of a command, each name once.
pub(crate) fn environment_of(priority: Priority) -> BTreeMap<OsString, OsString> {
    let more = if priority == Priority::Low { CHECK_SET } else { &[] };
    let more = more.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    environment(std::env::vars_os()).chain(more).collect()
}

fn environment(
    ours: impl Iterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = (OsString, OsString)> {
    let set = SET.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    ours.filter(|(name, _)| may_see(name)).chain(set)
}

fn may_see(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    !SECRET.iter().any(|word| name.contains(word)) && !name.starts_with(OURS) && !GIT.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::environment;

    #[test]
    fn secrets_and_pointers_are_left_out() {
        let given = [
            ("PATH", "/bin"),
            ("HOME", "/root"),
            ("GIT_AUTHOR_NAME", "a"),
            ("OPENAI_API_KEY", "x"),
            ("github_token", "x"),
            ("My_Secret_Thing", "x"),
            ("PGPASSWORD", "x"),
            ("BOWLINE_HOME", "x"),
            ("GIT_DIR", "x"),
            ("GIT_WORK_TREE", "x"),
            ("GIT_INDEX_FILE", "x"),
            ("TERM", "xterm"),
            ("PAGER", "less"),
        ];
        let given = given.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let seen: std::collections::BTreeMap<_, _> = environment(given).collect();
        let seen: Vec<String> =
            seen.iter().map(|(name, value)| format!("{}={}", name.display(), value.display())).collect();
        assert_eq!(
            seen,
            [
                "GIT_AUTHOR_NAME=a",
                "GIT_PAGER=cat",
                "GIT_TERMINAL_PROMPT=0",
                "HOME=/root",
                "PAGER=cat",
                "PATH=/bin",
                "TERM=dumb"
            ]
        );
    }
}
